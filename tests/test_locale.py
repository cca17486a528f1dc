"""Translated games: every text is translated, only texts change, and errors are reported with their place."""

from __future__ import annotations

import pickle
import re
import string
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import acedrex
from acedrex import Board, _native
from acedrex.cli import rules
from acedrex.cli.labels import LABELS, say
from acedrex.cli.terminal import PLAIN

ROOT = Path(__file__).parents[1]
LOCALE = ROOT / "games" / "locale"
OTHERS = acedrex.languages()[1:]
GAMES = acedrex.games()
BOTH = [(language, name) for language in OTHERS for name in GAMES]
#: The keys that hold texts, `*` for any.
TEXTS = [
    "game.name",
    "game.author",
    "game.summary",
    "game.story",
    "game.rules.*",
    "pieces.*.name",
    "pieces.*.also",
    "pieces.*.help",
    "options.*.help",
]


def flat(tree: dict[str, Any], path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    for key, value in tree.items():
        if isinstance(value, dict):
            yield from flat(value, (*path, key))
        else:
            yield (*path, key), value


def texts(path: Path) -> dict[tuple[str, ...], Any]:
    """The texts of a definition or a translation by their keys."""
    tree = tomllib.loads(path.read_text(encoding="utf-8"))
    patterns = [tuple(text.split(".")) for text in TEXTS]

    def told(key: tuple[str, ...]) -> bool:
        return any(
            len(key) == len(pattern) and all(p in ("*", k) for k, p in zip(key, pattern, strict=True))
            for pattern in patterns
        )

    return {key: value for key, value in flat(tree) if told(key)}


# What ships.


def test_the_languages_are_english_and_those_with_a_translation() -> None:
    assert acedrex.languages() == ["en", *sorted({path.stem for path in LOCALE.glob("*.toml")} - {"en"})]
    assert {path.name for path in LOCALE.iterdir() if path.is_dir()} == set(OTHERS)


@pytest.mark.parametrize("language", OTHERS)
def test_every_game_is_translated(language: str) -> None:
    assert sorted(path.stem for path in (LOCALE / language).iterdir()) == GAMES


@pytest.mark.parametrize(("language", "name"), BOTH)
def test_every_text_is_translated(language: str, name: str) -> None:
    own = texts(ROOT / "games" / f"{name}.toml")
    other = dict(flat(tomllib.loads((LOCALE / language / f"{name}.toml").read_text(encoding="utf-8"))))
    assert [".".join(key) for key in own if key not in other] == [], "texts without a translation"
    assert [".".join(key) for key in other if key not in own] == [], "translations without a text"
    same = [".".join(key) for key in own if key[-1] in ("summary", "story", "help") and own[key] == other[key]]
    assert same == [], "texts that are still the definition's"


@pytest.mark.parametrize(("language", "name"), BOTH)
def test_a_localized_game_has_the_texts_of_its_translation(language: str, name: str) -> None:
    game = acedrex.load(name).localized(language)
    for key, value in texts(LOCALE / language / f"{name}.toml").items():
        match key:
            case ("game", "rules", rule):
                told: object = game.rules[rule]
            case ("game", field):
                told = getattr(game, field)
            case ("pieces", letter, field):
                told = getattr(game.piece(letter), field)
            case (_, option, _):
                told = game.options[option].help
        assert told == value, key


@pytest.mark.parametrize(("language", "name"), BOTH)
def test_translation_changes_only_texts(language: str, name: str) -> None:
    game = acedrex.load(name)
    other = game.localized(language)
    assert (other.language, game.language) == (language, "en")
    assert other == game and other.rules_hash == game.rules_hash and other.source == game.source
    assert [(p.letter, p.move, p.values, p.art) for p in other.pieces] == [
        (p.letter, p.move, p.values, p.art) for p in game.pieces
    ]
    mine, theirs = Board(game), Board(other)
    assert mine.fen() == theirs.fen() and mine.key == theirs.key
    assert [theirs.san(move) for move in theirs.legal_moves] == [mine.san(move) for move in mine.legal_moves]


@pytest.mark.parametrize("language", OTHERS)
def test_every_special_rule_has_a_title(language: str) -> None:
    used = {key for name in GAMES for key in acedrex.load(name).rules} | {*_native.rule_keys()}
    titles = tomllib.loads((LOCALE / f"{language}.toml").read_text(encoding="utf-8"))["titles"]
    assert titles.keys() == used
    magi = acedrex.load("magi")
    assert magi.localized(language).rule_titles == {key: titles[key] for key in magi.rules}
    assert magi.rule_titles["bare_king"] == "Bare King"
    assert set(tomllib.loads((LOCALE / "en.toml").read_text(encoding="utf-8"))["titles"]) <= used


@pytest.mark.parametrize("path", [LOCALE / "fr.toml", *sorted((LOCALE / "fr").iterdir())], ids=lambda path: path.stem)
def test_french_texts_follow_french_typography(path: Path) -> None:
    """French needs no-break spaces before some punctuation marks and in guillemets, and the curly apostrophe."""
    for key, value in flat(tomllib.loads(path.read_text(encoding="utf-8"))):
        text = value if isinstance(value, str) else " ".join(value)
        assert re.findall(r".{,20}[^\u00a0][:;?!»]|«[^\u00a0].{,20}|.{,20}'", text) == [], key


def test_a_localized_game_can_be_localized_back_and_pickled() -> None:
    game = acedrex.load("magi", scoring="four_points")
    french = game.localized("fr")
    assert french.localized("fr") is french
    assert french.localized("en").name == game.name
    assert french.spec == game.spec
    assert acedrex.load(french, classic_ep=True).piece("W").name == "Mage"
    kept = pickle.loads(pickle.dumps(french))
    assert (kept.language, kept.piece("W").name, kept) == ("fr", "Mage", french)


def test_unknown_languages_are_refused() -> None:
    for wrong in ("de", "", "FR", "../fr", "x" * 1000):
        with pytest.raises(acedrex.Error, match=r"no language .*; there are en, fr$"):
            acedrex.load("chess").localized(wrong)


# Custom definitions.

DEFINITION = """
[game]
id = "trial"
name = "Trial"
extends = "metamachy"
summary = "A trial."

[game.rules]
more = "More is more."

[pieces.G]
name = "Phoenix"

[options.tie]
help = "Who cannot move loses."
values = ["draw", "loss"]
set = "end.stalemate"

[options.odd]
values = ["off", "on"]
on.pieces.N.name = "Mare"
"""


@pytest.fixture
def trial(tmp_path: Path) -> Path:
    path = tmp_path / "trial.toml"
    path.write_text(DEFINITION, encoding="utf-8")
    return path


def test_texts_changed_by_a_definition_are_not_translated(trial: Path) -> None:
    """A definition inherits the translation of the game that it extends, except for the texts that it changes."""
    game = acedrex.load(trial).localized("fr")
    assert (game.name, game.summary, game.piece("L").name, game.piece("G").name) == (
        "Trial",
        "A trial.",
        "Lion",
        "Phoenix",
    )
    assert game.piece("Q").name == "Dame"
    assert game.rule_titles["more"] == "More"
    assert acedrex.load(trial, odd=True).localized("fr").piece("N").name == "Mare"


def test_a_translation_next_to_its_definition_is_used(trial: Path) -> None:
    trial.with_name("trial.fr.toml").write_text(
        '[game]\nname = "Essai"\nrules.more = "Plus reste plus."\n[pieces]\nG = { name = "Phénix", also = ["Aigle"] }\n'
        '[options.tie]\nhelp = "Qui ne peut jouer perd."\n',
        encoding="utf-8",
    )
    game = acedrex.load(trial)
    assert (game.name, game.piece("G").name) == ("Trial", "Phoenix")
    french = game.localized("fr")
    assert (french.name, french.summary, french.rules["more"]) == ("Essai", "A trial.", "Plus reste plus.")
    assert (french.piece("G").name, french.piece("G").also, french.piece("Q").name) == ("Phénix", ["Aigle"], "Dame")
    assert french.options["tie"].help == "Qui ne peut jouer perd."
    assert french == game
    kept = pickle.loads(pickle.dumps(game)).localized("fr")
    assert (kept.name, kept.localized("en").name) == ("Essai", "Trial")
    assert acedrex.check(trial.with_name("trial.fr.toml")) == []


#: A translation, the line of its error, its key, and words of its message.
FAULTS = {
    "no TOML": ('name = "x', 1, "", "not TOML"),
    "an unknown table": ('[game]\nname = "x"\n[turn]\nmoves = 2\n', 3, "turn", "expected one of game, pieces, options"),
    "a rule of play": ('[pieces.N]\nmove = "Q"\n', 2, "pieces.N.move", "expected one of name, also, help"),
    "a number": ("[game]\nyear = 1\n", 2, "game.year", "expected one of name, author, summary, story, rules"),
    "an unknown piece": (
        '[pieces.X]\nname = "x"\n',
        1,
        "pieces.X",
        "no text with this key; it has K, Q, G",
    ),
    "an unknown rule": ('[game.rules]\nless = "x"\n', 2, "game.rules.less", "it has more"),
    "an unknown option": ('[options.tye]\nhelp = "x"\n', 1, "options.tye", "it has tie, odd"),
    "a value of an option": ('[options.tie]\nvalues = ["x"]\n', 2, "options.tie.values", "expected one of help"),
    "a text that is not there": ('[game]\nstory = "x"\n', 2, "game.story", "no text with this key"),
    "no text": ("[pieces.N]\nname = 3\n", 2, "pieces.N.name", "3 where a text was expected"),
    "no list": ('[pieces.G]\nalso = "x"\n', 2, "pieces.G.also", "a list of names"),
    "no table": ('pieces = "x"\n', 1, "pieces", '"x" where a table was expected'),
    "no table of a piece": ('[pieces]\nN = "x"\n', 2, "pieces.N", '"x" where a table was expected'),
    "a table for a text": ('[game.name]\nx = "y"\n', 1, "game.name", "a table where a text was expected"),
    "an endless text": (f'[game]\nname = "{"x" * 9000}"\n', 2, "game.name", "9000 bytes; at most 8192"),
    "a text that hides": ('[game]\nname = "\\u202e"\n', 2, "game.name", "is not allowed in a text"),
    "an endless file": ("#" * 70_000, 1, "", "70000 bytes; a definition has at most 65536"),
    "deep tables": (f"[{'.'.join('a' * 60)}]\n", 1, "a", "expected one of game, pieces, options"),
}


@pytest.mark.parametrize("what", FAULTS)
def test_an_error_in_a_translation_is_reported_with_its_place(trial: Path, what: str) -> None:
    text, line, key, words = FAULTS[what]
    path = trial.with_name("trial.fr.toml")
    path.write_text(text, encoding="utf-8")
    [fault, *_] = acedrex.check(path)
    assert (fault.file, fault.line, fault.key) == (path.name, line, key)
    assert words in fault.message
    with pytest.raises(acedrex.DefinitionError, match=re.escape(f"trial.fr.toml:{line}:")):
        acedrex.load(trial).localized("fr")


def test_all_errors_in_a_translation_are_reported_at_once(trial: Path) -> None:
    path = trial.with_name("trial.fr.toml")
    path.write_text('[game]\nyear = 1\n[pieces.X]\nname = "x"\n[pieces.N]\nmove = "Q"\n', encoding="utf-8")
    assert [(fault.line, fault.key) for fault in acedrex.check(path)] == [
        (2, "game.year"),
        (3, "pieces.X"),
        (6, "pieces.N.move"),
    ]


def test_a_translation_that_is_not_utf_8_is_refused(trial: Path) -> None:
    trial.with_name("trial.fr.toml").write_bytes(b"\xff")
    with pytest.raises(acedrex.DefinitionError, match=r"trial\.fr\.toml:1:1: byte 1 is not UTF-8"):
        acedrex.load(trial)


# The printed rules.


def page(game: acedrex.Game) -> str:
    return "\n".join(rules.Page(game, PLAIN, 80).lines())


@pytest.mark.parametrize(("language", "name"), BOTH)
def test_rules_are_printed_in_the_chosen_language(run: Any, language: str, name: str) -> None:
    status, out, _ = run("rules", name, "--language", language)
    game = acedrex.load(name).localized(language)
    printed = " ".join(out.split())
    told = [*game.rules.values(), *(p.help for p in game.pieces), *(p.name for p in game.pieces), game.summary]
    assert status == 0
    assert [text for text in told if " ".join(text.split()) not in printed] == []
    assert "\N{REPLACEMENT CHARACTER}" not in out
    assert "\N{NO-BREAK SPACE}:" in out
    assert all(len(line) <= 80 for line in out.splitlines() if not line.startswith("http"))


@pytest.mark.parametrize("language", OTHERS)
def test_every_label_is_translated(language: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    said = set()

    def listen(language: str, english: str, **values: object) -> str:
        said.add(english)
        return say(language, english, **values)

    monkeypatch.setattr(rules, "say", listen)
    alone = '[game]\nid = "alone"\nboard = "3x3"\nstart = "2k/3/K2"\n[pieces.K]\nmove = "K"\nroyal = true\n'
    games = [*map(acedrex.load, GAMES), acedrex.load("magi:scoring=four_points"), acedrex.Game(alone, "alone.toml")]
    for game in games:
        page(game)
    # The sources of piece values are names.
    assert said - {"acedrex", "zillions", "value"} == LABELS[language].keys()

    def fields(text: str) -> set[str]:
        return {name for _, name, _, _ in string.Formatter().parse(text) if name}

    for english, other in LABELS[language].items():
        assert fields(english) == fields(other)


def test_the_example_of_options_is_translated() -> None:
    french = page(acedrex.load("magi").localized("fr"))
    assert "On les choisit après le nom du jeu\N{NO-BREAK SPACE}: magi:classic_ep=on" in french
    assert "Choose them after the game's name: magi:classic_ep=on" in page(acedrex.load("magi"))


def test_the_command_line_reports_errors_in_a_translation(run: Any, trial: Path) -> None:
    path = trial.with_name("trial.fr.toml")
    path.write_text("[game]\nyear = 1\nlink = 2\n", encoding="utf-8")
    assert run("rules", str(trial))[0] == 0
    status, _, err = run("rules", str(trial), "--language", "fr")
    assert status
    assert "trial.fr.toml:2:8: game.year: unknown key" in err
    assert f'"acedrex check {path}" lists them all' in err
    status, out, _ = run("check", str(path))
    assert status == 1
    assert out.startswith(f"{path}:2:8: game.year: unknown key")
