"""Lessons: examples of special rules, and puzzles in which only one move works each time.

>>> exercises("magi")[0].goal
'mate'
"""

from __future__ import annotations

import datetime
import functools
import json
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import resources

from acedrex.errors import Error
from acedrex.game import FEATURED, Game, load
from acedrex.lessons.puzzle import AttemptResult, Puzzle, Verdict

__all__ = ["AttemptResult", "Example", "Puzzle", "Verdict", "daily", "endings", "examples", "exercises"]

#: The day of the first daily puzzle.
FIRST_DAY = datetime.date(2026, 11, 1)


@dataclass(frozen=True, slots=True)
class Example:
    """A position that shows a special rule, or how a piece moves.

    ``moves`` are played to show it; ``refused`` are similar moves that are not legal, and ``refused_then`` are illegal
    after ``moves``. ``shows`` is the kind of the last move, ``ends`` the reason and the score if the game ends;
    ``texts`` are by language.
    """

    rule: str
    piece: str
    options: Mapping[str, str]
    fen: str
    moves: tuple[str, ...]
    refused: tuple[str, ...]
    refused_then: tuple[str, ...]
    shows: str
    ends: str
    texts: Mapping[str, str] = field(hash=False)


@functools.cache
def examples(game: str) -> tuple[Example, ...]:
    """Return the examples of a game; empty if it has none."""
    return _examples().get(game, ())


@functools.cache
def _examples() -> dict[str, tuple[Example, ...]]:
    text = resources.files(__package__).joinpath("examples.toml").read_text(encoding="utf-8")
    found: dict[str, tuple[Example, ...]] = {}
    for entry in tomllib.loads(text)["example"]:
        moves, refused, refused_then = (
            tuple(entry.get(key, "").split()) for key in ("moves", "refused", "refused_then")
        )
        example = Example(
            rule=entry.get("rule", ""),
            piece=entry.get("piece", ""),
            options=entry.get("options", {}),
            fen=entry["fen"],
            moves=moves,
            refused=refused,
            refused_then=refused_then,
            shows=entry["shows"],
            ends=entry.get("ends", ""),
            texts={"en": entry["en"], "fr": entry["fr"]},
        )
        for game in entry["games"]:
            found[game] = (*found.get(game, ()), example)
    return found


@functools.cache
def exercises(game: str) -> tuple[Puzzle, ...]:
    """Return the exercises of a game, from easy to hard; empty for games without a file of exercises."""
    return _puzzles("exercises", game)


@functools.cache
def endings(game: str) -> tuple[Puzzle, ...]:
    """Return won endings of a game to play out, as puzzles with their solutions; empty if it has none."""
    return _puzzles("endings", game)


def daily(day: datetime.date) -> tuple[Game, Puzzle]:
    """Return the game and the daily puzzle of a day, the same for everyone.

    :raises Error: if the day is before the first daily puzzle.
    """
    number = (day - FIRST_DAY).days
    if number < 0:
        raise Error(f"there is no puzzle of {day}; the first is that of {FIRST_DAY}")
    game = FEATURED[number % len(FEATURED)]
    puzzles = _puzzles("daily", game)
    return load(game), puzzles[number // len(FEATURED) % len(puzzles)]


@functools.cache
def _puzzles(kind: str, game: str) -> tuple[Puzzle, ...]:
    file = resources.files(__package__).joinpath(kind, f"{game}.json")
    if not file.is_file():
        return ()
    entries = json.loads(file.read_text(encoding="utf-8"))["puzzles"]
    return tuple(Puzzle(p["fen"], p["goal"], tuple(p["line"].split()), p.get("teaches", "")) for p in entries)
