"""The command line: every command on every game, exit statuses, pipes and signals, and the documented examples."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import acedrex
from acedrex.cli import perft
from acedrex.cli.arguments import COMMANDS
from acedrex.cli.text import clean, columns, wrap
from acedrex.cli.values import PLAYER
from acedrex.match.players import KINDS
from tests.server.waiting import wait_until

ROOT = Path(__file__).parent.parent
GAMES = acedrex.games()
#: How the last sentence about a finished game ends.
SCORE = re.compile(r"wins( \([0-4]-[0-4]\))?\.|Draw( \(2-2\))?: ")


@pytest.fixture(autouse=True)
def plain(monkeypatch):
    """A terminal of 80 columns, without the caller's colour settings."""
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("LINES", "30")
    for name in ("NO_COLOR", "COLORTERM", "ACEDREX_DEBUG"):
        monkeypatch.delenv(name, raising=False)


def spawn(*argv: str, **options) -> subprocess.Popen[str]:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "PYTHONUTF8": "1"}
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    # A shell makes background jobs ignore Ctrl-C, and so perhaps these tests.
    options.setdefault("preexec_fn", lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
    return subprocess.Popen(
        [sys.executable, "-m", "acedrex", *argv], text=True, encoding="utf-8", env=environment, **{**pipes, **options}
    )


def definition(name: str) -> str:
    """The example of a definition in the documentation."""
    text = (ROOT / "docs" / "format.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```toml\n(.*?)```", text, re.DOTALL)
    return next(block for block in blocks if tomllib.loads(block).get("game", {}).get("id") == name)


# Every command on every game.


def test_games_lists_every_game(run):
    status, out, err = run("games")
    assert (status, err) == (0, "")
    for name in GAMES:
        game = acedrex.load(name)
        assert re.search(rf"^{name} +{re.escape(game.name)} +{game.files}x{game.ranks} ", out, re.MULTILINE)
    assert max(map(len, out.splitlines())) <= 80


@pytest.mark.parametrize("name", GAMES)
def test_rules_prints_everything_within_80_columns(run, name):
    status, out, _ = run("rules", name)
    game = acedrex.load(name)
    words = " ".join(out.split())
    assert status == 0
    for piece in game.pieces:
        assert f"{piece.name}" in words
        assert piece.move in words
        assert " ".join(piece.help.split()) in words
    for text in game.rules.values():
        assert " ".join(text.split()) in words
    for option in game.options.values():
        assert f"Values: {', '.join(option.values)}. Default {option.default}." in words
    assert all(len(line) <= 80 for line in out.splitlines() if not line.startswith("http"))
    assert "\n\n\n" not in out


def test_rules_shows_the_chosen_options(run):
    assert "Default classic, here four_points." in run("rules", "magi:scoring=four_points")[1]


@pytest.mark.parametrize("name", GAMES)
def test_show_prints_and_draws_the_board(run, tmp_path, name):
    board = acedrex.Board(name)
    drawing = tmp_path / "board.svg"
    status, out, _ = run("show", name, "--svg", str(drawing))
    assert status == 0
    assert f"FEN: {board.fen()}" in out
    assert "White to move" in out
    assert drawing.read_text(encoding="utf-8").startswith("<svg ")
    for rank, line in zip(range(board.game.ranks, 0, -1), out.splitlines(), strict=False):
        squares = [acedrex.square(file, rank - 1) for file in range(board.game.files)]
        shown = [board.piece_at(square) for square in squares if square in board.game.squares]
        assert line.split() == [str(rank), *("·" if piece is None else piece.symbol() for piece in shown)]


def test_show_describes_the_state_of_the_game(run):
    assert "Setup 1 of 24: GKLQ." in run("show", "metamachy", "--setup", "1")[1]
    assert "Setup 22 of 24: QKLG." in run("show", "metamachy", "--setup", "qklg")[1]
    assert re.search(r"Setup \d+ of 288: ", run("show", "maasai", "--setup", "random")[1])
    assert "Options: scoring=four_points." in run("show", "magi:scoring=four_points")[1]
    out = run("show", "chess", "--fen", "7k/5KQ1/8/8/8/8/8/8 b - - 0 1")[1]
    assert "Checkmate. White wins." in out
    assert "+k+" in out
    out = run("show", "chieftain", "--fen", f"{acedrex.load('chieftain').start_fen} a4a5")[1]
    assert "White to move (2 of 4)." in out


def test_show_prints_figurines_or_letters(run):
    assert "♜" in run("show", "chess", "--unicode")[1]
    assert "♜" not in run("show", "chess", "--letters")[1]


@pytest.mark.parametrize("name", GAMES)
def test_moves_lists_the_legal_moves(run, name):
    board = acedrex.Board(name)
    for option, spell in (((), acedrex.Move.uci), (("--san",), board.san)):
        status, out, _ = run("moves", name, *option)
        assert status == 0
        assert out.splitlines() == sorted(map(spell, board.legal_moves))


def test_moves_prints_nothing_after_checkmate(run):
    assert run("moves", "chess", "--fen", "7k/5KQ1/8/8/8/8/8/8 b - - 0 1") == (0, "", "")


@pytest.mark.parametrize("name", GAMES)
def test_perft_counts_and_divides_like_the_library(run, name):
    nodes = acedrex.Board(name).perft(2)
    status, out, _ = run("perft", name, "2")
    assert (status, out) == (0, f"Nodes: {nodes}\n")
    lines = run("perft", name, "2", "--divide")[1].splitlines()
    assert lines[-1] == f"Nodes: {nodes}"
    assert lines[:-1] == sorted(lines[:-1])
    assert sum(int(line.split(": ")[1]) for line in lines[:-1]) == nodes
    answer = json.loads(run("perft", name, "2", "--divide", "--json")[1])
    assert (answer["game"], answer["depth"], answer["nodes"]) == (name, 2, nodes)
    assert sum(answer["divide"].values()) == nodes
    assert answer["seconds"] >= 0


@pytest.mark.parametrize("name", ["chess", "chieftain", "marseillais", "knightmate"])
def test_perft_in_strides_counts_the_same(name, monkeypatch):
    board = acedrex.Board(name)
    monkeypatch.setattr(perft, "STRIDE", 1)
    assert perft.count(board, 2) == board.perft(2)
    assert board == acedrex.Board(name)


def test_perft_counts_one_node_at_depth_0_and_divides_only_on_request(run):
    assert run("perft", "chess", "0") == (0, "Nodes: 1\n", "")
    assert json.loads(run("perft", "chess", "1", "--json")[1])["divide"] is None


@pytest.mark.parametrize("path", sorted((ROOT / "games").glob("*.toml")), ids=lambda path: path.stem)
def test_check_finds_no_errors_in_shipped_games(run, path):
    assert run("check", path) == (0, f"{path}: no errors\n", "")


def test_check_refuses_a_folder(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for folder in (".", "..", "/"):
        status, out, err = run("check", folder)
        assert (status, out) == (1, "")
        assert err.startswith(f"acedrex: cannot read {folder}: ")


def test_check_reports_every_error(run, tmp_path):
    good, bad = tmp_path / "kadet.toml", tmp_path / "bad.toml"
    text = definition("kadet")
    good.write_text(text, encoding="utf-8")
    bad.write_text(text.replace("value = 9", "worth = 9").replace('"fmWfcF"', '"fmWfcX"'), encoding="utf-8")
    faults = acedrex.check(bad)
    assert len(faults) > 1
    status, out, err = run("check", good, bad, tmp_path / "none.toml")
    assert status == 1
    assert out.splitlines() == [
        f"{good}: no errors",
        *(f"{bad}:{fault.line}:{fault.column}: {fault.key}: {fault.message}" for fault in faults),
    ]
    assert err == f"acedrex: cannot read {tmp_path / 'none.toml'}: No such file or directory\n"


def test_check_names_the_file_that_contains_the_error(run, tmp_path):
    wide = tmp_path / ("wide" * 20 + ".toml")
    text = '[game]\nid = "wide"\nname = "Wide"\nextends = "chess"\nboard = "10x8"\n'
    wide.write_text(text, encoding="utf-8")
    (fault,) = acedrex.check(wide)
    assert fault.file == "chess.toml"
    assert run("check", wide) == (1, f"{wide}: {fault}\n", "")
    wide.write_text(text.replace("board", "bord"), encoding="utf-8")
    assert run("check", wide)[1].startswith(f"{wide}:5:8: game.bord: ")


def test_the_help_names_every_option_of_a_player():
    for name, kind in KINDS.items():
        assert name in PLAYER
        assert [key for key in kind.keys if f"{key}=" not in PLAYER] == []


@pytest.mark.parametrize("name", GAMES)
def test_two_random_players_play_to_the_end(run, name):
    status, out, err = run("play", name, "--white", "random", "--black", "random", "--seed", "1")
    assert (status, err) == (0, "")
    assert SCORE.search(" ".join(out.split()))
    assert re.search(r"^[\d,]+ moves played\.$", out, re.MULTILINE)
    assert out == run("play", name, "--white", "random", "--black", "random", "--seed", "1")[1]


def test_commands_accept_definition_files(run, tmp_path):
    path = tmp_path / "kadet.toml"
    path.write_text(definition("kadet"), encoding="utf-8")
    assert "Kadet Chess, 6x6." in run("show", path)[1]
    assert "Kadet Chess" in run("rules", path)[1]
    assert run("perft", path, "1")[1] == f"Nodes: {acedrex.Board(path).perft(1)}\n"
    assert run("play", path, "--white", "random", "--black", "random", "--seed", "3")[0] == 0


# Errors are reported in one line.


@pytest.mark.parametrize(
    ("argv", "sentence"),
    [
        (["show", "metamchy"], 'there is no game "metamchy"; did you mean metamachy? "acedrex games" lists all games'),
        (["show", "\x1b[2J"], 'there is no game "�[2J"; "acedrex games" lists all games'),
        (["show", "none.toml"], "cannot read none.toml: No such file or directory"),
        (["rules", "magi:foo=1"], 'magi: no option "foo"; there are classic_ep, scoring'),
        (["rules", "magi:scoring=x"], 'magi:scoring: no value "x"; there are classic, four_points'),
        (["moves", "chess", "--fen", "8/8/8/8/8/8/8/8 w - - 0 1"], "FEN, placement: White has no King"),
        (["show", "chess", "--setup", "1"], "Chess has only one starting position"),
        (["show", "maasai", "--setup", "0"], "setup 0: Maasai Chess numbers its setups from 1 to 288"),
        (["show", "metamachy", "--setup", "KKKK"], 'Metamachy has no setup "KKKK"; give a number from 1 to 24 or'),
        (["show", "chess", "--svg", "none/board.svg"], "cannot write none/board.svg: No such file or directory"),
        (["play", "chess", "--load", "none.pgn"], "cannot read none.pgn: No such file or directory"),
    ],
)
def test_an_error_is_reported_in_one_line(run, tmp_path, monkeypatch, argv, sentence):
    monkeypatch.chdir(tmp_path)
    status, out, err = run(*argv)
    assert (status, out) == (1, "")
    assert err.startswith(f"acedrex: {sentence}")
    assert err.count("\n") == 1


def test_an_invalid_definition_is_reported_by_its_first_error(run, tmp_path):
    path = tmp_path / "bad.toml"
    path.write_text(definition("kadet").replace('"fmWfcF"', '"X"').replace("value", "worth"), encoding="utf-8")
    first, *more = acedrex.check(path)
    status, out, err = run("show", path)
    assert (status, out) == (1, "")
    assert err.startswith(f"acedrex: {first}")
    assert err.endswith(f'(and {len(more)} errors more; "acedrex check {path}" lists them all)\n')


def test_a_definition_file_without_an_extension_needs_a_slash(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("kadet").write_text(definition("kadet"), encoding="utf-8")
    assert run("show", "kadet")[2] == (
        'acedrex: "kadet" is not a game; '
        'the name of a definition file ends in ".toml" or has a slash, such as ./kadet\n'
    )
    assert run("show", "./kadet")[0] == 0


def test_control_characters_in_a_definition_never_reach_the_terminal(run, tmp_path):
    path = tmp_path / "evil.toml"
    text = definition("kadet").replace("Kadet Chess", r"Kadet\u001b[31m Chess").replace('"Rook"', r'"Ro\u202eok"')
    path.write_text(text.replace('author = "You"', r'author = "Y\u0007ou"'), encoding="utf-8")
    for argv in (["rules", path], ["show", path], ["play", path, "--white", "random", "--black", "random"]):
        status, out, err = run(*argv)
        assert not re.search("[\x00-\x09\x0b-\x1f\u202e]", out + err)
        assert status in (0, 1)  # such texts may be refused as well


@pytest.mark.parametrize(
    "argv",
    [
        [],
        ["nothing"],
        ["show"],
        ["rules", "magi", "more"],
        ["perft", "chess"],
        ["perft", "chess", "-1"],
        ["perft", "chess", "1e3"],
        ["perft", "chess", "101"],
        ["perft", "chess", "01000000"],
        ["show", "maasai", "--fen", "x", "--setup", "1"],
        ["play", "chess", "--white", "robot"],
        ["play", "chess", "--fen", "x", "--load", "y"],
        ["show", "chess", "--unicode", "--letters"],
    ],
)
def test_a_wrong_command_line_exits_with_status_2(run, argv):
    status, out, err = run(*argv)
    assert (status, out) == (2, "")
    assert "usage: acedrex" in err


def test_the_version_and_the_help_of_every_command_are_printed(run):
    assert run("--version") == (0, f"acedrex {acedrex.__version__}\n", "")
    status, out, _ = run("--help")
    assert status == 0
    commands = re.findall(r"^    (\w+) ", out, re.MULTILINE)
    assert commands == [
        *("games", "rules", "show", "moves", "perft", "bench", "check", "convert", "play", "puzzles"),
        *("serve", "backup", "restore", "openings", "lookup", "forget", "invite", "moderate"),
        *("bot", "match", "lab", "uci", "xboard"),
    ]
    for command in commands:
        assert run(command, "--help")[0] == 0


def test_an_internal_error_is_reported_in_one_line(run, monkeypatch):
    def broken(*_):
        raise RuntimeError("oh")

    monkeypatch.setattr("acedrex.cli.perft.count", broken)
    status, _, err = run("perft", "chess", "1")
    assert (status, err) == (1, "acedrex: a fault of Acedrex, RuntimeError: oh; with ACEDREX_DEBUG=1 it tells where\n")
    monkeypatch.setenv("ACEDREX_DEBUG", "1")
    with pytest.raises(RuntimeError):
        run("perft", "chess", "1")


# Pipes and signals.

posix = pytest.mark.skipif(os.name != "posix", reason="needs POSIX pipes and signals")


def test_python_m_acedrex_runs_the_command_line():
    process = spawn("--version")
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err) == (0, f"acedrex {acedrex.__version__}\n", "")


@posix
def test_a_closed_pipe_is_not_an_error():
    reading, writing = os.pipe()
    os.close(reading)
    process = spawn("rules", "menagerie", stdout=writing)
    os.close(writing)
    _, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (0, "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full")
def test_a_full_disk_is_reported_in_one_line():
    with Path("/dev/full").open("w") as full:
        process = spawn("moves", "maasai", stdout=full)
        _, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (1, "acedrex: cannot write the output: No space left on device\n")


@posix
@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-"])
def test_closed_standard_streams_are_not_an_error(closed):
    command = f'exec "{sys.executable}" -m acedrex play chess {closed}'
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    result = subprocess.run(
        ["sh", "-c", command], env=environment, stdin=subprocess.DEVNULL, capture_output=True, timeout=60
    )
    assert (result.returncode, result.stderr) == (0, b"")


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8"])
def test_a_game_can_be_played_in_any_encoding(encoding):
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "PYTHONIOENCODING": encoding}
    result = subprocess.run(
        [sys.executable, "-m", "acedrex", "play", "xiangqi"],
        env=environment,
        input=b"?b3\n\xff\xfe\nb3e3\n",
        capture_output=True,
        timeout=60,
    )
    assert (result.returncode, result.stderr) == (0, b"")
    text = result.stdout.decode(encoding)
    assert "|c|" in text
    assert ("•" in text) == (encoding == "utf-8")


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a process does not show what it has computed")
def test_ctrl_c_ends_perft_with_status_130():
    process = spawn("perft", "magi", "9")

    def computed() -> float:
        fields = Path(f"/proc/{process.pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
        return int(fields[11]) / os.sysconf("SC_CLK_TCK")

    # Starting takes a fraction of that, and counting takes hours.
    wait_until(lambda: computed() > 1.5)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=20)
    assert (process.returncode, out, err) == (130, "", "\n")


@posix
def test_ctrl_c_interrupts_divide():
    code = "import acedrex, sys; print('ready', flush=True); acedrex.Board('magi').divide(9)"
    command = [sys.executable, "-c", code]
    deaf_no_more = {"preexec_fn": lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)}
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **deaf_no_more
    ) as process:
        assert process.stdout is not None and process.stderr is not None
        assert process.stdout.readline() == "ready\n"
        process.send_signal(signal.SIGINT)
        try:
            assert process.wait(20) != 0
        finally:
            process.kill()
        assert "KeyboardInterrupt" in process.stderr.read()


@posix
def test_ctrl_c_ends_a_game_with_status_130():
    process = spawn("play", "chess")
    assert process.stdout is not None
    seen = b""
    while b"help): " not in seen:
        seen += os.read(process.stdout.fileno(), 4096)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=20)
    assert (process.returncode, err) == (130, "\n")


# The documentation.


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("sh") is None, reason="no sh")
def test_documented_examples_print_the_documented_output(tmp_path):
    bin_folder = tmp_path / "bin"
    bin_folder.mkdir()
    program = bin_folder / "acedrex"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m acedrex "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    (tmp_path / "kadet.toml").write_text(definition("kadet"), encoding="utf-8")
    environment = {
        **os.environ,
        "PATH": f"{bin_folder}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
        "PYTHONUTF8": "1",
    }
    page = "\n".join((ROOT / "docs" / name).read_text(encoding="utf-8") for name in ("command-line.md", "protocols.md"))
    examples = [
        example
        for block in re.findall(r"```console\n(.*?)```", page, re.DOTALL)
        for example in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block, re.MULTILINE)
    ]
    assert len(examples) >= 12
    for command, expected in examples:
        result = subprocess.run(
            ["sh", "-c", command],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=60,
        )
        assert result.stderr == "", command
        shown = "\n".join(line.rstrip() for line in result.stdout.splitlines()).strip("\n")
        pattern = re.escape(expected.strip("\n")).replace(re.escape("..."), ".*")
        assert re.fullmatch(pattern, shown, re.DOTALL), f"{command}\n{shown}"


def test_the_command_line_page_has_a_section_for_every_command():
    page = (ROOT / "docs" / "command-line.md").read_text(encoding="utf-8")
    headings = re.findall(r"^## (.+)$", page, re.MULTILINE)
    assert sorted(name for heading in headings for name in heading.split(", ")) == sorted(COMMANDS)


# Small parts.


def test_text_is_wrapped_set_in_columns_and_cleaned():
    assert wrap("one two  three", 8, "  ", "") == ["one two", "  three"]
    assert wrap("", 10) == []
    assert columns(["a", "bb", "c"], 7) == ["a   c", "bb"]
    assert columns(["long word"], 3) == ["long word"]
    assert columns([], 10) == []
    assert clean("a\x1bb\u202ec\n") == "a�b�c�"
