"""Lessons: what a game's page shows, its exercises, and the puzzle of the day."""

from __future__ import annotations

import asyncio
import datetime
from functools import partial
from typing import Annotated

from fastapi import Path, Query, Request
from sqlalchemy import insert, select

from acedrex import lessons
from acedrex.game import Game
from acedrex.game import games as shipped
from acedrex.lessons import Puzzle
from acedrex.server import wire
from acedrex.server.api.games import GameId, Language
from acedrex.server.api.limits import spend, visitor
from acedrex.server.api.routes import Routes, refused
from acedrex.server.api.services import Served, services_of
from acedrex.server.api.tokens import Asker
from acedrex.server.decide import Refusal
from acedrex.server.lessons import new_exercises, puzzle, told, tried
from acedrex.server.moment import now
from acedrex.server.store import ConflictError
from acedrex.server.tables import dailies

router = Routes("/api", "lessons")

#: Most days that are told of what somebody has solved.
REMEMBERED = 400
#: The exercises that were made for games without a file of them, for one game at a time.
_made: dict[Game, tuple[Puzzle, ...]] = {}
_making = asyncio.Lock()


@router.get("/games/{id}/lessons", responses=refused(404))
async def game_lessons(services: Served, id: GameId, lang: Language) -> wire.Lessons:
    """Tell what a game's page shows besides its definition: diagrams, and examples of its rules."""
    return told(services.catalogue.game(id), id in shipped(), lang or "en")


@router.get("/games/{id}/exercises", responses=refused(404))
async def list_exercises(request: Request, services: Served, id: GameId) -> list[wire.Puzzle]:
    """List the exercises of a game, from easy to hard, without their solutions."""
    game = services.catalogue.game(id)
    return [puzzle(game, one) for one in await of(request, game)]


@router.post("/games/{id}/exercises/{number}", responses=refused(404))
async def try_exercise(
    request: Request, services: Served, id: GameId, number: Annotated[int, Path(ge=1, le=1000)], asked: wire.Attempt
) -> wire.AttemptResult:
    """Judge a try of an exercise, by its number from 1."""
    spend(request, "work")
    game = services.catalogue.game(id)
    found = await of(request, game)
    if number > len(found):
        raise Refusal("no_such_puzzle", f"{game.name} has {len(found)} exercises", "number")
    return tried(game, found[number - 1], asked)


async def of(request: Request, game: Game) -> tuple[Puzzle, ...]:
    """Give the exercises of a game; they are made at the first call if they have no file."""
    found = (lessons.exercises(game.id) if game.id in shipped() else ()) or _made.get(game, ())
    if found:
        return found
    async with _making:
        if game not in _made:
            _made[game] = await services_of(request).pool.run(visitor(request), partial(new_exercises, game))
        return _made[game]


@router.get("/daily", responses=refused(401, 404))
async def daily(services: Served, who: Asker, date: Annotated[str | None, Query(max_length=10)] = None) -> wire.Daily:
    """Tell the puzzle of a day, by default today's; days are those of UTC."""
    today = day_of(now())
    day = parsed(date, today)
    game, found = lessons.daily(day)
    solved = select(dailies.c.day).where(dailies.c.guest == who).order_by(dailies.c.day.desc()).limit(REMEMBERED)
    days = [] if who is None else [row.day for row in await services.store.all(solved)]
    first = lessons.FIRST_DAY.isoformat()
    return wire.Daily(day.isoformat(), today.isoformat(), first, game.id, puzzle(game, found), days)


@router.post("/daily/{date}", responses=refused(401, 404))
async def try_daily(
    request: Request, services: Served, who: Asker, date: Annotated[str, Path(max_length=10)], asked: wire.Attempt
) -> wire.AttemptResult:
    """Judge a try of a day's puzzle. It counts for the streak if it is solved on the day."""
    spend(request, "work")
    today = day_of(now())
    day = parsed(date, today)
    game, found = lessons.daily(day)
    result = tried(game, found, asked)
    if result.verdict == "solved" and day == today and who is not None:
        try:
            row = {"guest": who, "day": day.isoformat(), "at": now()}
            await services.store.write((insert(dailies), row))
        except ConflictError:
            pass  # Solved before.
    return result


def day_of(moment: int) -> datetime.date:
    """Give the day of a moment in milliseconds, in UTC."""
    return datetime.datetime.fromtimestamp(moment / 1000, datetime.UTC).date()


def parsed(text: str | None, today: datetime.date) -> datetime.date:
    """Read a day that has come.

    :raises Refusal: if it is none, or has not come yet.
    """
    try:
        day = today if text is None else datetime.date.fromisoformat(text)
    except ValueError:
        raise Refusal("no_such_puzzle", f"{text!r} is not a date; write it like {today}", "date") from None
    if not lessons.FIRST_DAY <= day <= today:
        raise Refusal("no_such_puzzle", f"there are puzzles from {lessons.FIRST_DAY} to today, {today}", "date")
    return day
