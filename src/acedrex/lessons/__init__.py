"""Lessons: examples of special rules, a first game, and puzzles in which only one move works each time.

>>> exercises("magi")[0].goal
'mate'
"""

from __future__ import annotations

import datetime
import functools
import json
from importlib import resources

from acedrex.errors import Error
from acedrex.game import FEATURED, Game, load
from acedrex.lessons.example import Example, examples
from acedrex.lessons.first import first_game
from acedrex.lessons.puzzle import AttemptResult, Puzzle, Verdict

__all__ = ["AttemptResult", "Example", "Puzzle", "Verdict", "daily", "examples", "exercises", "first_game"]

#: The day of the first daily puzzle.
FIRST_DAY = datetime.date(2026, 11, 1)


@functools.cache
def exercises(game: str) -> tuple[Puzzle, ...]:
    """Return the exercises of a game, from easy to hard; empty for games without a file of exercises."""
    return _puzzles("exercises", game)


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
