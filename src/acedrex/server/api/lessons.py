"""Lessons: diagrams and examples of a game's page, its exercises, the daily puzzle, and what somebody has solved."""

from __future__ import annotations

import asyncio
import datetime
from functools import partial
from typing import Annotated

import msgspec
from fastapi import Path, Query, Request
from sqlalchemy import insert, select

from acedrex import lessons
from acedrex.game import Game
from acedrex.game import games as shipped
from acedrex.lessons import Puzzle
from acedrex.server import wire
from acedrex.server.api import offload
from acedrex.server.api.games import GameId, Language
from acedrex.server.api.limits import spend, visitor
from acedrex.server.api.people import CurrentPerson
from acedrex.server.api.routes import Encoded, Routes, refused
from acedrex.server.api.tokens import OptionalPerson
from acedrex.server.games.lessons import first_game_of, judge, lessons_of, new_exercises, puzzle, puzzle_list, shown
from acedrex.server.ratings.puzzles import ratings_of
from acedrex.server.refusal import Refusal
from acedrex.server.services import Served, Services, services_of
from acedrex.server.storage.store import ConflictError
from acedrex.server.storage.tables import dailies
from acedrex.server.time_source import now

router = Routes("/api", "lessons")

#: The maximum number of solved days that are returned.
MAX_SOLVED_DAYS = 400
#: The highest number that a puzzle can have.
MAX_PUZZLES = 10_000
#: What an attempt that may change ratings costs of the budget of work.
RATED_WORK = 4
#: Exercises generated for games that have no file of them, those of so many games, for every version that somebody
#: publishes is one. The lock lets one game at a time be generated.
MAX_GENERATED = 500
_generated: dict[Game, tuple[Puzzle, ...]] = {}
_generating = asyncio.Lock()


@router.get("/games/{id}/lessons", responses=refused(404))
async def game_lessons(request: Request, services: Served, id: GameId, lang: Language) -> Encoded[wire.Lessons]:
    """Return the diagrams of a game's pieces and the examples of its rules."""
    game = await services.catalogue.game(id)
    return await offload.tell(request, game, partial(lessons_of, game, id in shipped(), lang or "en"))


@router.get("/games/{id}/first-game", responses=refused(404))
async def first_game(request: Request, services: Served, id: GameId, lang: Language) -> Encoded[list[wire.Example]]:
    """List the positions to try before the first game: new pieces, then special rules. Generated ones have no text."""
    game = await services.catalogue.game(id)
    return await offload.tell(request, game, partial(first_game_of, game, id in shipped(), lang or "en"))


@router.get("/games/{id}/exercises", responses=refused(404))
async def list_exercises(request: Request, services: Served, id: GameId) -> Encoded[list[wire.Puzzle]]:
    """List the exercises of a game, from easy to hard."""
    game = await services.catalogue.game(id)
    exercises = await exercises_of(request, game)
    return await offload.tell(request, game, partial(shown, game, exercises))


@router.post("/games/{id}/exercises/{number}", responses=refused(404))
async def try_exercise(
    request: Request, services: Served, id: GameId, number: Annotated[int, Path(ge=1, le=1000)], body: wire.Attempt
) -> Encoded[wire.AttemptResult]:
    """Judge an attempt at an exercise, given by its number from 1."""
    game = await services.catalogue.game(id)
    exercises = await exercises_of(request, game)
    if number > len(exercises):
        raise Refusal("no_such_puzzle", f"{game.name} has {len(exercises)} exercises", "number")
    return await offload.answer(request, game, 0, partial(judge, game, exercises[number - 1], body))


async def exercises_of(request: Request, game: Game) -> tuple[Puzzle, ...]:
    """Return the exercises of a game; at the first call they are generated if the game has no file of them."""
    found = (lessons.exercises(game.id) if game.id in shipped() else ()) or _generated.get(game, ())
    if found:
        return found
    async with _generating:
        if game not in _generated:
            # Nobody is charged for what everybody gets.
            _generated[game] = await services_of(request).pool.run(visitor(request), partial(new_exercises, game))
            if len(_generated) > MAX_GENERATED:
                del _generated[next(iter(_generated))]
        return _generated[game]


@router.get("/games/{id}/puzzles", responses=refused(404))
async def list_puzzles(
    services: Served, id: GameId, theme: lessons.Theme | None = None, difficulty: lessons.Difficulty | None = None
) -> list[wire.PuzzleEntry]:
    """List the puzzles of a game, of one theme or difficulty if given; games without puzzles have an empty list."""
    game = await services.catalogue.game(id)
    return puzzle_list(game, theme, difficulty, await ratings_of(services.store, id)) if id in shipped() else []


@router.get("/games/{id}/puzzles/{number}", responses=refused(404))
async def get_puzzle(services: Served, id: GameId, number: Annotated[int, Path(ge=1, le=MAX_PUZZLES)]) -> wire.Puzzle:
    """Return a puzzle, given by its number from 1."""
    game = await services.catalogue.game(id)
    return puzzle(game, puzzle_of(game, number))


@router.post("/games/{id}/puzzles/{number}", responses=refused(401, 404))
async def try_puzzle(
    request: Request,
    services: Served,
    id: GameId,
    number: Annotated[int, Path(ge=1, le=MAX_PUZZLES)],
    body: wire.Attempt,
    person: OptionalPerson,
) -> wire.AttemptResult:
    """Judge an attempt at a puzzle, given by its number from 1. A person's first rated one changes ratings."""
    spend(request, "work", RATED_WORK if body.rated else 1)
    game = await services.catalogue.game(id)
    return await _judged(services, person, game, number, puzzle_of(game, number), body)


async def _judged(
    services: Services, person: str | None, game: Game, number: int, puzzle: Puzzle, body: wire.Attempt
) -> wire.AttemptResult:
    """Judge an attempt at a puzzle, and rate it once it is decided."""
    result = judge(game, puzzle, body)
    if not body.rated or person is None or result.verdict == "right" or not await services.accounts.has_account(person):
        return result
    solved = result.verdict == "solved"
    rated = await services.puzzle_ratings.add(person, game, number, puzzle, solved, now())
    return msgspec.structs.replace(result, rated=rated)


def puzzle_of(game: Game, number: int) -> Puzzle:
    """Return a puzzle of a game by its number.

    :raises Refusal: if there is no such puzzle.
    """
    found = lessons.puzzles(game.id) if game.id in shipped() else ()
    if number > len(found):
        raise Refusal("no_such_puzzle", f"{game.name} has {len(found)} puzzles", "number")
    return found[number - 1]


@router.get("/daily", responses=refused(401, 404))
async def daily(
    services: Served, person: OptionalPerson, date: Annotated[str | None, Query(max_length=10)] = None
) -> wire.Daily:
    """Return the puzzle of a day, by default today's; days are in UTC."""
    today = day_of(now())
    day = parse_day(date, today)
    game, found = lessons.daily(day)
    solved = (
        select(dailies.c.day).where(dailies.c.guest == person).order_by(dailies.c.day.desc()).limit(MAX_SOLVED_DAYS)
    )
    days = [] if person is None else [row.day for row in await services.store.all(solved)]
    first = lessons.FIRST_DAY.isoformat()
    return wire.Daily(day.isoformat(), today.isoformat(), first, game.id, puzzle(game, found), days)


@router.post("/daily/{date}", responses=refused(401, 404))
async def try_daily(
    request: Request,
    services: Served,
    person: OptionalPerson,
    date: Annotated[str, Path(max_length=10)],
    body: wire.Attempt,
) -> wire.AttemptResult:
    """Judge an attempt at a daily puzzle. It counts for the streak if it is solved on the day."""
    spend(request, "work", RATED_WORK if body.rated else 1)
    today = day_of(now())
    day = parse_day(date, today)
    game, found = lessons.daily(day)
    number = lessons.puzzles(game.id).index(found) + 1
    result = await _judged(services, person, game, number, found, body)
    if result.verdict == "solved" and day == today and person is not None:
        try:
            row = {"guest": person, "day": day.isoformat(), "at": now()}
            await services.store.write((insert(dailies), row))
        except ConflictError:
            pass  # Already recorded.
    return result


@router.post("/me/progress", responses=refused(401, 409))
async def add_progress(services: Served, person: CurrentPerson, body: wire.Progress) -> wire.Progress:
    """Add what a device knows of the person's progress, and return what all devices know. This needs an account."""
    if not await services.accounts.has_account(person.id):
        raise Refusal("no_account", "this needs an account; create one first")
    return await services.progress.add(person.id, body)


def day_of(moment: int) -> datetime.date:
    """Return the UTC day of a moment in milliseconds."""
    return datetime.datetime.fromtimestamp(moment / 1000, datetime.UTC).date()


def parse_day(text: str | None, today: datetime.date) -> datetime.date:
    """Parse the day of a daily puzzle; without a text it is today.

    :raises Refusal: if the text is not a date, or the day has no puzzle yet.
    """
    try:
        day = today if text is None else datetime.date.fromisoformat(text)
    except ValueError:
        raise Refusal("no_such_puzzle", f"{text!r} is not a date; write it like {today}", "date") from None
    if not lessons.FIRST_DAY <= day <= today:
        raise Refusal("no_such_puzzle", f"there are puzzles from {lessons.FIRST_DAY} to today, {today}", "date")
    return day
