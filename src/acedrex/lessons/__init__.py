"""Lessons: examples of special rules, a first game, and puzzles in which only one move works each time.

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
from importlib import resources

from acedrex.errors import Error
from acedrex.game import FEATURED, Game, load
from acedrex.lessons.example import Example, examples
from acedrex.lessons.first import first_game
from acedrex.lessons.puzzle import AttemptResult, Difficulty, Goal, Puzzle, Verdict
from acedrex.lessons.scores import SetupScore, SetupScores, setup_scores, setup_study
from acedrex.lessons.themes import THEMES, Theme, themes

__all__ = [
    "THEMES",
    "AttemptResult",
    "Difficulty",
    "Example",
    "Goal",
    "Puzzle",
    "SetupScore",
    "SetupScores",
    "Theme",
    "Verdict",
    "daily",
    "endings",
    "examples",
    "exercises",
    "first_game",
    "puzzles",
    "setup_scores",
    "setup_study",
    "themes",
]

#: The day of the first daily puzzle.
FIRST_DAY = datetime.date(2026, 11, 1)


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
