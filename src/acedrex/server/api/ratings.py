"""Ratings over HTTP: those of a person, and the highest of a game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from fastapi import Path, Query, Request
from sqlalchemy import ColumnElement, Row, func, or_, select

from acedrex.lessons import THEMES
from acedrex.server import wire
from acedrex.server.api.games import Language
from acedrex.server.api.limits import spend
from acedrex.server.api.routes import Routes, refused
from acedrex.server.api.tokens import OptionalPerson
from acedrex.server.games.catalogue import Catalogue
from acedrex.server.people import house
from acedrex.server.people.names import handle_of
from acedrex.server.people.standing import closed
from acedrex.server.ratings.glicko2 import PERIOD, PROVISIONAL, SCALE
from acedrex.server.ratings.puzzles import POOLS
from acedrex.server.ratings.results import OVERALL, standing
from acedrex.server.refusal import Refusal
from acedrex.server.services import Served
from acedrex.server.storage.store import Store
from acedrex.server.storage.tables import accounts, attempts, people, ratings, results
from acedrex.server.time_source import now

router = Routes("/api", "ratings")

#: People in a list of the highest ratings, and days of a curve.
MAX_RANKED, MAX_DAYS = 100, 2_000
DAY = 86_400_000

Name = Annotated[str, Path(max_length=80)]
GameId = Annotated[str | None, Query(max_length=64)]


def _pool(game: str | None, speed: wire.Speed) -> str:
    return OVERALL if game is None else f"{game}/{speed}"


def _parts(pool: str) -> tuple[str | None, Any]:
    """Return the game and the speed of a pool."""
    game, _, speed = pool.rpartition("/")
    return (None, None) if pool == OVERALL else (game, speed)


def _names(catalogue: Catalogue, language: str | None) -> dict[str | None, str]:
    return {summary.id: summary.name for summary in catalogue.summaries(language)}


def _certain(at: int) -> ColumnElement[bool]:
    """Return the condition for ratings that are not provisional, as :class:`Rating` decides it."""
    growth = (ratings.c.volatility * SCALE) * (ratings.c.volatility * SCALE) * (at - ratings.c.at) / PERIOD
    return ratings.c.deviation * ratings.c.deviation + growth <= PROVISIONAL**2


async def _find(store: Store, name: str) -> Any:
    """Return the id and the name of the person with an account of a name, or of a house engine.

    :raises Refusal: if there is none.
    """
    if name.lower() in house.ENGINES:
        return house.ENGINES[name.lower()]
    query = select(people.c.id, people.c.name).join(accounts, accounts.c.person == people.c.id)
    row = await store.first(query.where(accounts.c.handle == handle_of(name)))
    if row is None:
        raise Refusal("no_such_person", "there is no account of this name", "name")
    return row


@router.get("/people/{name}/ratings", responses=refused(404))
async def ratings_of(request: Request, services: Served, name: Name, lang: Language) -> wire.PersonRatings:
    """Return the ratings of a person, the most played first."""
    spend(request, "work", 4)
    found = await _find(services.store, name)
    names, at = _names(services.catalogue, lang), now()
    rows = await services.store.all(select(ratings).where(ratings.c.person == found.id))
    pools = []
    for row in rows:
        if row.pool in POOLS:
            continue
        game, speed = _parts(row.pool)
        known = standing(row)
        rating = known.on(at)
        pools.append(
            wire.PoolRating(
                game,
                names.get(game, game or ""),
                speed,
                round(rating.rating),
                round(rating.deviation),
                rating.provisional,
                known.wins,
                known.draws,
                known.losses,
            )
        )
    pools.sort(key=lambda pool: -(pool.wins + pool.draws + pool.losses))
    return wire.PersonRatings(found.name, pools, _of_puzzles(rows, at))


def _of_puzzles(rows: Sequence[Row[Any]], at: int) -> list[wire.PuzzlesRating]:
    """Return somebody's ratings in puzzles."""
    found = {row.pool: standing(row) for row in rows}
    listed = []
    for pool, theme in zip(POOLS, (None, *THEMES), strict=True):
        if pool in found:
            known, rating = found[pool], found[pool].on(at)
            numbers = round(rating.rating), round(rating.deviation)
            listed.append(wire.PuzzlesRating(theme, *numbers, rating.provisional, known.wins, known.losses))
    return listed


@router.get("/people/{name}/ratings/curve", responses=refused(404))
async def curve(
    request: Request, services: Served, name: Name, game: GameId = None, speed: wire.Speed = "live"
) -> list[wire.RatingPoint]:
    """Return a person's rating after the last match of each day, the oldest first: in a game, or over all."""
    spend(request, "work", 4)
    found = await _find(services.store, name)
    mine = or_(results.c.white == found.id, results.c.black == found.id)
    last = (
        select(func.max(results.c.number).label("number"))
        .where(mine, results.c.pool == _pool(game, speed))
        .group_by(results.c.at // DAY)
        .order_by(func.max(results.c.number).desc())
        .limit(MAX_DAYS)
    )
    query = select(results).where(results.c.number.in_(last)).order_by(results.c.number)
    rows = await services.store.all(query)
    return [wire.RatingPoint(row.at, round(row.white_new if row.white == found.id else row.black_new)) for row in rows]


@router.get("/people/{name}/ratings/puzzles", responses=refused(404))
async def puzzle_curve(request: Request, services: Served, name: Name) -> list[wire.RatingPoint]:
    """Return a person's rating in puzzles after the last one of each day, the oldest first."""
    spend(request, "work", 4)
    found = await _find(services.store, name)
    last = (
        select(func.max(attempts.c.number).label("number"))
        .where(attempts.c.person == found.id)
        .group_by(attempts.c.at // DAY)
        .order_by(func.max(attempts.c.number).desc())
        .limit(MAX_DAYS)
    )
    rows = await services.store.all(
        select(attempts.c.at, attempts.c.new).where(attempts.c.number.in_(last)).order_by(attempts.c.number)
    )
    return [wire.RatingPoint(row.at, round(row.new)) for row in rows]


@router.get("/ratings")
async def pools(request: Request, services: Served, lang: Language) -> list[wire.Pool]:
    """List the games and speeds in which people have ratings, the most played first; the first is over all."""
    spend(request, "work", 4)
    names = _names(services.catalogue, lang)
    count = func.count().label("count")
    rows = await services.store.all(
        select(ratings.c.pool, count)
        .where(ratings.c.pool.not_in(POOLS))
        .group_by(ratings.c.pool)
        .order_by(count.desc())
    )
    found = [(*_parts(row.pool), row._mapping["count"]) for row in rows]
    listed = [wire.Pool(game, names.get(game, game or ""), speed, number) for game, speed, number in found]
    return sorted(listed, key=lambda pool: pool.game is not None)


@router.get("/ratings/highest", responses=refused(401))
async def highest(
    request: Request, services: Served, person: OptionalPerson, game: GameId = None, speed: wire.Speed = "live"
) -> list[wire.Ranked]:
    """List the highest ratings of a game at a speed, or over all; provisional ones are left out."""
    spend(request, "work", 4)
    query = (
        select(ratings, people.c.name)
        .join(people, people.c.id == ratings.c.person)
        .where(ratings.c.pool == _pool(game, speed), _certain(now()), people.c.id.not_in(closed()))
        .order_by(ratings.c.rating.desc(), ratings.c.person)
        .limit(MAX_RANKED)
    )
    rows = await services.store.all(query)
    return [
        wire.Ranked(
            place,
            row.name,
            round(row.rating),
            round(row.deviation),
            standing(row).games,
            you=row.person == person,
            house=row.person if row.person in house.ENGINES else None,
        )
        for place, row in enumerate(rows, start=1)
    ]
