"""Lessons: examples of special rules, and puzzles in which only one move works each time.

>>> import acedrex
>>> from acedrex import lessons
>>> lessons.exercises("magi")[0].goal
'mate'
>>> puzzle = lessons.puzzles("maasai", theme="mate_in_3")[0]
>>> puzzle.moves
3
>>> puzzle.attempt(acedrex.load("maasai"), puzzle.line).verdict
'solved'
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
from acedrex.lessons.puzzle import AttemptResult, Difficulty, Goal, Puzzle, Verdict
from acedrex.lessons.themes import THEMES, Theme, themes

__all__ = [
    "THEMES",
    "AttemptResult",
    "Difficulty",
    "Example",
    "Goal",
    "Puzzle",
    "Theme",
    "Verdict",
    "daily",
    "endings",
    "examples",
    "exercises",
    "puzzles",
    "themes",
]

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
    return _stored("exercises", game)


@functools.cache
def puzzles(game: str, theme: Theme | None = None, difficulty: Difficulty | None = None) -> tuple[Puzzle, ...]:
    """Return the puzzles of a game, of all themes and difficulties if none is given; empty for games without puzzles.

    New versions add puzzles at the end, so that a puzzle keeps its place among all of its game.

    >>> {puzzle.difficulty for puzzle in puzzles("magi", "save", "easy")}
    {'easy'}
    """
    found = _stored("puzzles", game)
    if difficulty is not None:
        found = tuple(puzzle for puzzle in found if puzzle.difficulty == difficulty)
    if theme is not None:
        loaded = load(game)
        found = tuple(puzzle for puzzle in found if theme in themes(loaded, puzzle))
    return found


@functools.cache
def endings(game: str) -> tuple[Puzzle, ...]:
    """Return won endings of a game to play out, as puzzles with their solutions; empty if it has none."""
    return _stored("endings", game)


def daily(day: datetime.date) -> tuple[Game, Puzzle]:
    """Return the game and the daily puzzle of a day, the same for everyone.

    :raises Error: if the day is before the first daily puzzle.
    """
    number = (day - FIRST_DAY).days
    if number < 0:
        raise Error(f"there is no puzzle of {day}; the first is that of {FIRST_DAY}")
    game = FEATURED[number % len(FEATURED)]
    found = puzzles(game)
    return load(game), found[number // len(FEATURED) % len(found)]


@functools.cache
def _stored(kind: str, game: str) -> tuple[Puzzle, ...]:
    file = resources.files(__package__).joinpath(kind, f"{game}.json")
    if not file.is_file():
        return ()
    entries = json.loads(file.read_text(encoding="utf-8"))["puzzles"]
    return tuple(
        Puzzle(p["fen"], p["goal"], tuple(p["line"].split()), p.get("teaches", ""), p.get("step", 0)) for p in entries
    )
