"""The ratings of puzzles and of those who solve them, folded from first attempts in the order of their numbers.

As with matches, each attempt is stored with the ratings before it, in the transaction that stores the ratings after it,
and its number decides between processes. An attempt is a game between a person and a puzzle: a solved one is a win.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import Row, bindparam, func, insert, select, text

from acedrex import lessons
from acedrex.game import Game
from acedrex.lessons import Puzzle
from acedrex.lessons.puzzle import WITH_REPLIES
from acedrex.server import wire
from acedrex.server.ratings.glicko2 import Rating
from acedrex.server.ratings.results import SAVE, Standing, saved, standings
from acedrex.server.storage.store import ConflictError, Step, Store
from acedrex.server.storage.tables import attempts, puzzle_ratings

#: The pool of all themes, and what the pools of themes begin with; no game has such an id.
ALL, PREFIX = "puzzles:all", "puzzles:"
#: The pools of puzzles.
POOLS = (ALL, *(PREFIX + theme for theme in lessons.THEMES))
#: Where the ratings of puzzles with replies start: the first step of the ladder of engines, points for each further
#: one, and for each move to find beyond two. Of puzzles within a turn the first steps solve nearly all.
EASIEST, STEP, MOVE = 1000, 70, 100
EASIEST_TURN, TURN_STEP, TURN_STEPS = 1200, 200, 4
#: The step of a puzzle that was not measured.
UNMEASURED = 6
#: The deviation with which the ratings of puzzles start.
PUZZLE_DEVIATION = 200.0

LAST = select(func.coalesce(func.max(attempts.c.number), 0).label("number"))
TRIED = select(attempts.c.number).where(
    attempts.c.person == bindparam("person"),
    attempts.c.game == bindparam("game"),
    attempts.c.puzzle == bindparam("puzzle"),
)
NEW_ATTEMPT = insert(attempts)
OF_PUZZLE = select(puzzle_ratings).where(
    puzzle_ratings.c.game == bindparam("game"), puzzle_ratings.c.puzzle == bindparam("puzzle")
)
NAMES = ("game", "puzzle", "rating", "deviation", "volatility", "solved", "failed", "at")
#: SQLite and PostgreSQL share this syntax.
SAVE_PUZZLE = text(
    f"INSERT INTO puzzle_ratings ({', '.join(NAMES)}) VALUES ({', '.join(f':{name}' for name in NAMES)}) "
    f"ON CONFLICT (game, puzzle) DO UPDATE SET {', '.join(f'{name} = excluded.{name}' for name in NAMES[2:])}"
)


def start(puzzle: Puzzle) -> Standing:
    """Return where the rating of a puzzle starts: from how strong an engine has to be for it, and how long it is.

    >>> start(Puzzle("", "mate", ("a1a2",) * 3, step=1)).rating.rating
    1000.0
    >>> start(Puzzle("", "mate", ("a1a2",) * 7, step=13)).rating.rating
    2040.0
    """
    step = puzzle.step or UNMEASURED
    if puzzle.goal in WITH_REPLIES:
        rating = EASIEST + STEP * (step - 1) + MOVE * max(0, puzzle.moves - 2)
    else:
        rating = EASIEST_TURN + TURN_STEP * (min(step, TURN_STEPS) - 1)
    return Standing(Rating(float(rating), PUZZLE_DEVIATION))


def standing(row: Row[Any]) -> Standing:
    """Return the standing of the row of a puzzle, which wins if it is not solved."""
    return Standing(Rating(row.rating, row.deviation, row.volatility), row.failed, 0, row.solved, row.at)


async def ratings_of(store: Store, game: str) -> list[int]:
    """Return the ratings of all puzzles of a game, in their order."""
    query = select(puzzle_ratings.c.puzzle, puzzle_ratings.c.rating).where(puzzle_ratings.c.game == game)
    tried = {row.puzzle: row.rating for row in await store.all(query)}
    return [
        round(tried.get(number, start(puzzle).rating.rating)) for number, puzzle in enumerate(lessons.puzzles(game), 1)
    ]


class PuzzleRatings:
    """Rates first attempts."""

    def __init__(self, store: Store) -> None:
        """Use a store."""
        self._store = store
        #: Attempts of one process do not compete for a number.
        self._lock = asyncio.Lock()

    async def add(
        self, person: str, game: Game, number: int, puzzle: Puzzle, solved: bool, at: int
    ) -> wire.PuzzleChange | None:
        """Rate an attempt if it is the person's first at this puzzle; ``None`` if it is not.

        :param number: the number of the puzzle in its game, from 1.
        """
        which = {"person": person, "game": game.id, "puzzle": number}
        themes = lessons.themes(game, puzzle)
        pools = [ALL, *(PREFIX + theme for theme in themes)]
        async with self._lock:
            while await self._store.first(TRIED, **which) is None:
                # The number first: if another process stores an attempt after this, its number is taken.
                last = await self._store.first(LAST)
                assert last is not None
                found = await standings(self._store, [(person, pool) for pool in pools])
                row = await self._store.first(OF_PUZZLE, game=game.id, puzzle=number)
                before = start(puzzle) if row is None else standing(row)
                after = _after([found[person, pool] for pool in pools], before, solved, at)
                old, new, known = found[person, ALL].on(at), after[0][0], before.on(at)
                values = {**which, "number": last.number + 1, "themes": " ".join(themes), "solved": solved, "at": at}
                values |= {"rating": old.rating, "deviation": old.deviation, "new": new.rating.rating}
                values |= {"puzzle_rating": known.rating, "puzzle_deviation": known.deviation}
                steps: list[Step] = [(NEW_ATTEMPT, values), (SAVE_PUZZLE, _saved(game.id, number, after[1]))]
                steps += [(SAVE, saved(person, pool, one)) for pool, one in zip(pools, after[0], strict=True)]
                try:
                    await self._store.write(*steps)
                except ConflictError:
                    continue
                gain = round(new.rating.rating) - round(old.rating)
                provisional = new.rating.provisional
                return wire.PuzzleChange(round(new.rating.rating), provisional, gain, round(after[1].rating.rating))
        return None


def _after(person: Sequence[Standing], puzzle: Standing, solved: bool, at: int) -> tuple[list[Standing], Standing]:
    """Return the standings after an attempt: those of the person, that over all themes first, and the puzzle's."""
    known = puzzle.on(at)
    return [one.after(known, float(solved), at) for one in person], puzzle.after(person[0].on(at), 1.0 - solved, at)


def _saved(game: str, number: int, after: Standing) -> dict[str, Any]:
    rating = after.rating
    row = {"game": game, "puzzle": number, "rating": rating.rating, "deviation": rating.deviation, "at": after.at}
    return {**row, "volatility": rating.volatility, "solved": after.losses, "failed": after.wins}


def fold(
    stored: Iterable[Row[Any]],
) -> tuple[dict[tuple[str, str], Standing], dict[tuple[str, int], Standing]]:
    """Compute the standings of people, by pool, and of puzzles anew from all attempts, in the order of their numbers.

    Where a puzzle's rating started is taken from its first attempt; the rating of a person whose data was deleted, from
    the attempt.
    """
    people: dict[tuple[str, str], Standing] = {}
    puzzles: dict[tuple[str, int], Standing] = {}
    for row in stored:
        pools = [ALL, *(PREFIX + theme for theme in row.themes.split())]
        key = (row.game, row.puzzle)
        before = puzzles.get(key) or Standing(Rating(row.puzzle_rating, row.puzzle_deviation))
        if row.person is None:
            puzzles[key] = before.after(Rating(row.rating, row.deviation), 1.0 - row.solved, row.at)
            continue
        own = [people.get((row.person, pool)) or Standing() for pool in pools]
        after, puzzles[key] = _after(own, before, row.solved, row.at)
        people.update({(row.person, pool): one for pool, one in zip(pools, after, strict=True)})
    return people, puzzles
