"""The documentation: its examples run, its games can be played, and its links work."""

from __future__ import annotations

import contextlib
import doctest
import os
import random
import re
import signal
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from urllib.parse import unquote

import pytest

import acedrex
from acedrex.lessons import puzzles
from tests.ports import free_port

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
NAMES_OF_TOP = ("README", "ARCHITECTURE", "CONTRIBUTING", "CHANGELOG", "SECURITY", "CODE_OF_CONDUCT")
TOP = [ROOT / f"{name}.md" for name in NAMES_OF_TOP]
PAGES = [*TOP, *sorted(DOCS.rglob("*.md"))]
NAMES = [page.relative_to(ROOT).as_posix() for page in PAGES]


def blocks(page: Path, kind: str) -> list[str]:
    text = page.read_text(encoding="utf-8")
    return re.findall(rf"^```{kind}(?: [^\n]*)?\n(.*?)^```", text, re.DOTALL | re.MULTILINE)


def files(page: Path) -> dict[str, str]:
    """The files that a page tells its readers to save, by name."""
    text = page.read_text(encoding="utf-8")
    return dict(re.findall(r'^```\w+ title="([^"]+)"\n(.*?)^```', text, re.DOTALL | re.MULTILINE))


def prose(page: Path) -> str:
    """A page without its code."""
    text = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
    return re.sub(r"`[^`\n]*`", "", text)


def games() -> dict[str, str]:
    """The complete definitions of all pages, by id."""
    found = {}
    for page in PAGES:
        for text in blocks(page, "toml"):
            if re.search(r"^\[game\]$", text, re.MULTILINE):
                found[tomllib.loads(text)["game"]["id"]] = text
    return found


# Python.


@pytest.mark.parametrize("page", PAGES, ids=NAMES)
def test_python_examples_print_what_the_page_shows(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All blocks of a page run in order, in a folder that contains the games of all pages as files."""
    for name, text in games().items():
        (tmp_path / f"{name}.toml").write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    text = "\n".join(blocks(page, "python"))
    examples = doctest.DocTestParser().get_doctest(text, {}, page.name, str(page), 0)
    report: list[str] = []
    result = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(examples, out=report.append)
    assert not result.failed, "".join(report)
    if page.name == "library.md":
        drawn = (tmp_path / "board.svg").read_text(encoding="utf-8")
        kept = (DOCS / "board.svg").read_text(encoding="utf-8")
        assert drawn == kept, f"docs/board.svg is out of date: copy {tmp_path / 'board.svg'} there and look at it"


def test_the_main_pages_contain_examples() -> None:
    assert all(blocks(DOCS / name, "python") for name in ("library.md", "notation.md", "tutorial.md"))
    assert blocks(ROOT / "README.md", "python")
    assert all(blocks(page, "console") for page in SESSIONS)


# The shell.

#: Pages whose sessions are run from start to finish; tests/test_cli.py has the reference of the commands.
SESSIONS = [DOCS / "tutorial.md", DOCS / "lab.md"]
SESSIONS += [page for page in sorted((DOCS / "how-to").glob("*.md")) if page.stem != "index"]


def session(page: Path) -> list[tuple[str, str]]:
    """The commands of a page, each with what it prints."""
    text = "".join(blocks(page, "console"))
    return re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", text, re.MULTILINE)


@pytest.mark.slow
@pytest.mark.parametrize("page", SESSIONS, ids=lambda page: page.stem)
def test_shell_sessions_print_what_the_page_shows(page: Path, tmp_path: Path, witness: Callable[[str], str]) -> None:
    """One shell runs all commands of a page, so that variables and background programs persist."""
    for name, text in files(page).items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    for name, words in {"acedrex": "-m acedrex", "python": ""}.items():
        program = tmp_path / "bin" / name
        program.parent.mkdir(exist_ok=True)
        program.write_text(f'#!/bin/sh\nexec "{sys.executable}" {words} "$@"\n', encoding="utf-8")
        program.chmod(0o755)
    port = str(free_port())
    wanted = [(command.replace("8080", port), expected) for command, expected in session(page)]
    if any("curl" in command for command, _ in wanted):
        witness("curl")
    script = tmp_path / "session.sh"
    script.write_text("".join(f"{command}\nprintf '\\n<end>\\n'\n" for command, _ in wanted), encoding="utf-8")
    environment = {
        **os.environ,
        "PATH": f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
        "PYTHONUTF8": "1",
    }
    # The output goes to a file: a pipe would stay open as long as anything runs in the background.
    said = tmp_path / "said"
    with said.open("wb") as output:
        shell = subprocess.Popen(
            [witness("sh"), str(script)],
            cwd=tmp_path,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            shell.wait(120)
        finally:
            # Programs that the page has left running.
            with contextlib.suppress(ProcessLookupError):
                os.killpg(shell.pid, signal.SIGTERM)
            shell.wait()
    answers = said.read_text(encoding="utf-8").split("\n<end>\n")
    assert len(answers) == len(wanted) + 1
    for (command, expected), answer in zip(wanted, answers, strict=False):
        shown = "\n".join(line.rstrip() for line in answer.splitlines()).strip("\n")
        pattern = re.escape(expected.strip("\n")).replace(re.escape("..."), ".*")
        assert re.fullmatch(pattern, shown, re.DOTALL), f"{command}\n{shown}"


# Games.


@pytest.mark.parametrize("name", games())
def test_documented_games_are_valid_and_can_be_played(name: str, tmp_path: Path) -> None:
    path = tmp_path / f"{name}.toml"
    path.write_text(games()[name], encoding="utf-8")
    assert acedrex.check(path) == []
    board = acedrex.Board(path)
    choose = random.Random(1)
    while not board.is_game_over():
        board.push(choose.choice(board.legal_moves))
        assert acedrex.Board(path, board.fen()) == board
    outcome = board.outcome()
    assert outcome is not None
    assert board.result() == outcome.result()
    assert all(acedrex.Board(path).playout(seed).outcome for seed in range(20))


def test_the_format_page_has_a_complete_game() -> None:
    assert any("[game]" in text for text in blocks(DOCS / "format.md", "toml"))


@pytest.mark.parametrize("page", PAGES, ids=NAMES)
def test_toml_examples_are_valid_toml(page: Path) -> None:
    for text in blocks(page, "toml"):
        tomllib.loads(text)


UNKNOWN = """
zzz = 1
[game]
id = "x"
board = "8x8"
start = "k7/8/8/8/8/8/8/7K w - - 0 1"
zzz = 1
[pieces.K]
move = "K"
royal = true
zzz = 1
from = [{ squares = "a1", move = "N", zzz = 1 }]
[promotion]
zzz = 1
[en_passant]
zzz = 1
[[castling]]
zzz = 1
[royal_jump]
to = "D"
zzz = 1
[turn]
zzz = 1
command = { zzz = 1 }
[end]
zzz = 1
bare_king = { zzz = 1 }
[setup]
zzz = 1
groups = [{ squares = "h1", pieces = "K", zzz = 1 }]
"""


def test_the_format_page_documents_every_key(tmp_path: Path) -> None:
    """The error about an unknown key lists the known ones."""
    path = tmp_path / "x.toml"
    path.write_text(UNKNOWN, encoding="utf-8")
    faults = [fault for fault in acedrex.check(path) if "expected one of" in fault.message]
    assert len(faults) == UNKNOWN.count("zzz")
    page = DOCS / "format.md"
    told = "\n".join([*blocks(page, "toml"), *re.findall(r"`([^`\n]*)`", page.read_text(encoding="utf-8"))])
    for fault in faults:
        keys = re.findall(r"\w+", fault.message.partition("expected one of")[2])
        assert [key for key in keys if not re.search(rf"\b{key}\b", told)] == [], fault.key


# The README and the changelog.


def test_the_table_of_the_games_is_complete() -> None:
    text = (DOCS / "games" / "index.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(.*?)` \| .*? \| (yes|no) \| (yes|no) \| .*? \|$", text, re.MULTILINE)
    networks = {path.stem for path in (ROOT / "crates" / "engine" / "nets").glob("*.net")}
    told = {game: (network == "yes", mined == "yes") for game, network, mined in rows}
    assert told == {game: (game in networks, bool(puzzles(game))) for game in acedrex.games()}


def test_the_readme_lists_every_game_correctly() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(.*?)` \| \[(.*?)\]\((.*?)\) \| (.*?) \| (.*?) \| (.*?) \|$", text, re.MULTILINE)
    assert sorted(row[0] for row in rows) == sorted(acedrex.games())
    for row in rows:
        game = acedrex.load(row[0])
        by = f"{game.author}, {game.year}" if game.year else game.author
        told = (game.id, game.name, game.link, f"{game.files}x{game.ranks}", str(len(game.in_play)), by)
        assert row == told


def test_the_changelog_has_an_entry_for_this_version() -> None:
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert re.search(rf"^## {re.escape(acedrex.__version__)}\b", text, re.MULTILINE)


# Words and links.


@pytest.mark.parametrize("page", PAGES, ids=NAMES)
def test_pages_contain_no_exclamation_marks(page: Path) -> None:
    assert [line for line in prose(page).splitlines() if re.search(r"!(?!\[)", line)] == []


def anchors(page: Path) -> set[str]:
    """The anchors of the headings of a page."""
    headings = re.findall(r"^#+ (.*)$", re.sub(r"^```.*?^```$", "", page.read_text("utf-8"), flags=re.S | re.M), re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=NAMES)
def test_relative_links_lead_to_existing_files_and_headings(page: Path) -> None:
    for link in re.findall(r"\]\((?!\w+:)([^)\s]+)\)", prose(page)):
        name, _, anchor = unquote(link).partition("#")
        target = (page.parent / name).resolve() if name else page
        assert target.exists(), f"{link} leads nowhere"
        assert target == ROOT or ROOT in target.parents, f"{link} leads out of the project"
        if anchor:
            assert anchor in anchors(target), f"{link}: no such heading"
