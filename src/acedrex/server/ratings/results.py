"""The ratings of all people, folded from the results of rated matches in the order in which they were stored.

Each result is stored with the ratings before it, in the transaction that stores the ratings after it. Its number is the
key that decides between processes: the loser reads the ratings again.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any

import msgspec
import structlog
from msgspec import Struct
from sqlalchemy import Row, bindparam, func, insert, or_, select, text, tuple_, update

from acedrex.server import wire
from acedrex.server.match.state import SIDES
from acedrex.server.people import house
from acedrex.server.poll import Poll
from acedrex.server.ratings.glicko2 import PERIOD, Rating, rate
from acedrex.server.storage import cards
from acedrex.server.storage.store import ConflictError, Step, Store
from acedrex.server.storage.tables import matches, ratings, results
from acedrex.server.time_source import now

log = structlog.get_logger()

#: The pool of all games and speeds.
OVERALL = "overall"
#: The deviation with which the ratings of house engines start.
HOUSE_DEVIATION = 150.0
#: Seconds between checks for finished matches, and how many are read at once.
PAUSE, PORTION = 0.5, 50

FINISHED = (
    select(matches.c.id, matches.c.card)
    .where(matches.c.to_rate, matches.c.phase == "over")
    .order_by(matches.c.at, matches.c.id)
    .limit(PORTION)
)
DONE = update(matches).where(matches.c.id == bindparam("_id")).values(to_rate=None)
#: Then its moves are compared with the engine's.
DONE_BETWEEN_PEOPLE = DONE.values(to_compare=True)
LAST = select(func.coalesce(func.max(results.c.number), 0).label("number"))
RATED = select(results.c.number).where(results.c.match == bindparam("match"))
NEW_RESULT = insert(results)
NAMES = ("person", "pool", "rating", "deviation", "volatility", "wins", "draws", "losses", "at")
#: SQLite and PostgreSQL share this syntax.
SAVE = text(
    f"INSERT INTO ratings ({', '.join(NAMES)}) VALUES ({', '.join(f':{name}' for name in NAMES)}) "
    f"ON CONFLICT (person, pool) DO UPDATE SET {', '.join(f'{name} = excluded.{name}' for name in NAMES[2:])}"
)


class Standing(Struct, frozen=True):
    """A person's rating in one pool, and the results behind it."""

    rating: Rating = Rating()
    wins: int = 0
    draws: int = 0
    losses: int = 0
    #: When the last of the matches ended, in milliseconds of the epoch.
    at: int | None = None

    @property
    def games(self) -> int:
        """The number of rated matches."""
        return self.wins + self.draws + self.losses

    def periods(self, at: int) -> float:
        """Return how many rating periods have passed since the last match."""
        return 0.0 if self.at is None else max(0, at - self.at) / PERIOD

    def on(self, at: int) -> Rating:
        """Return the rating at a moment: the longer ago the last match, the less certain it is."""
        return self.rating.after(self.periods(at))

    def after(self, opponent: Rating, points: float, at: int) -> Standing:
        """Return the standing after one more match."""
        won, lost = points > 0.5, points < 0.5
        return Standing(
            rate(self.rating, [(opponent, points)], self.periods(at)),
            self.wins + won,
            self.draws + (not won and not lost),
            self.losses + lost,
            max(at, self.at or 0),
        )


def speed(time: wire.TimeControl) -> wire.Speed:
    """Return the speed of a time control, which has ratings of its own."""
    return "correspondence" if isinstance(time, wire.Correspondence) else "live"


def pool_of(game: str, time: wire.TimeControl) -> str:
    """Return the pool of the matches of a game at the speed of a time control."""
    return f"{game}/{speed(time)}"


def initial(person: str | None) -> Standing:
    """Return where somebody's ratings start: those of house engines are known roughly."""
    engine = house.ENGINES.get(person or "")
    return Standing() if engine is None else Standing(Rating(engine.rating, HOUSE_DEVIATION))


async def standings(store: Store, keys: Iterable[tuple[str, str]]) -> dict[tuple[str, str], Standing]:
    """Read the standings of some people in some pools; those who have none yet start with the initial one."""
    wanted = list(dict.fromkeys(keys))
    rows: Sequence[Row[Any]] = []
    if wanted:
        rows = await store.all(select(ratings).where(tuple_(ratings.c.person, ratings.c.pool).in_(wanted)))
    found = {(row.person, row.pool): standing(row) for row in rows}
    return {key: found.get(key) or initial(key[0]) for key in wanted}


def standing(row: Row[Any]) -> Standing:
    """Return the standing of a row."""
    rating = Rating(row.rating, row.deviation, row.volatility)
    return Standing(rating, row.wins, row.draws, row.losses, row.at)


async def rate_forever(store: Store, on_rated: Callable[[str], Awaitable[None]]) -> None:
    """Rate finished matches, forever.

    :param on_rated: called with the id of each match that this process has rated.
    """
    await Poll(partial(rate_portion, store, on_rated), PAUSE, "rating_failed").run_forever()


async def rate_portion(store: Store, on_rated: Callable[[str], Awaitable[None]]) -> int:
    """Rate some finished matches, and return how many there were."""
    rows = await store.all(FINISHED)
    for row in rows:
        try:
            card = cards.read(row.card)
        except msgspec.MsgspecError as error:
            log.error("cannot_rate", match=row.id, error=str(error))
            await store.write((DONE, {"_id": row.id}))
            continue
        if await _rate(store, card):
            await on_rated(row.id)
    return len(rows)


async def _rate(store: Store, card: cards.Card) -> bool:
    """Rate a finished match, if it counts, and return whether this process has done it."""
    done: Step = (DONE, {"_id": card.match})
    points = None if card.ending is None else _points(card.ending.score)
    white, black = card.people
    # Nothing follows from a match that was aborted or in which a side has not moved, or whose player has had their data
    # deleted.
    has_begun = int(card.fen.split()[5]) > 1
    if points is None or not has_begun or white is None or black is None:
        await store.write(done)
        return False
    while await store.first(RATED, match=card.match) is None:
        # The number first: if another process stores a result after this, its number is taken.
        row = await store.first(LAST)
        assert row is not None
        pools = (pool_of(card.game.id, card.time), OVERALL)
        found = await standings(store, [(person, pool) for pool in pools for person in (white, black)])
        is_between_people = white not in house.ENGINES and black not in house.ENGINES
        steps: list[Step] = [(DONE_BETWEEN_PEOPLE, {"_id": card.match}) if is_between_people else done]
        for number, pool in enumerate(pools, start=row.number + 1):
            before = (found[white, pool], found[black, pool])
            steps += _steps(number, pool, card, points, (white, black), before)
        try:
            await store.write(*steps)
        except ConflictError:
            continue
        return True
    await store.write(done)
    return False


def _points(score: str) -> float | None:
    """Return White's share of the points of a score, which need not be one; ``None`` without a score.

    >>> _points("1/2-1/2"), _points("3-1"), _points("*")
    (0.5, 0.75, None)
    """
    if score == "1/2-1/2":
        return 0.5
    white, dash, black = score.partition("-")
    return int(white) / (int(white) + int(black)) if dash else None


def _steps(
    number: int,
    pool: str,
    card: cards.Card,
    points: float,
    people: tuple[str, str],
    before: tuple[Standing, Standing],
) -> list[Step]:
    """Return the steps that store a result in a pool, and the ratings after it."""
    white, black = before
    # Both against the other's rating before the match, which is the less certain the longer ago their last one was.
    after = (white.after(black.on(card.at), points, card.at), black.after(white.on(card.at), 1 - points, card.at))
    row: dict[str, Any] = {"number": number, "match": card.match, "pool": pool, "points": points, "at": card.at}
    for side, person, old, new in zip(SIDES, people, before, after, strict=True):
        known = old.on(card.at)
        row |= {side: person, f"{side}_rating": known.rating, f"{side}_deviation": known.deviation}
        row |= {f"{side}_new": new.rating.rating}
    return [(NEW_RESULT, row), *((SAVE, saved(person, pool, new)) for person, new in zip(people, after, strict=True))]


def saved(person: str, pool: str, after: Standing) -> dict[str, Any]:
    """Return the values with which :data:`SAVE` stores a standing."""
    return {
        "person": person,
        "pool": pool,
        "rating": after.rating.rating,
        "deviation": after.rating.deviation,
        "volatility": after.rating.volatility,
        "wins": after.wins,
        "draws": after.draws,
        "losses": after.losses,
        "at": after.at,
    }


def fold(stored: Iterable[Row[Any]]) -> dict[tuple[str, str], Standing]:
    """Compute the standings anew from all results, in the order of their numbers.

    The rating of a person whose data was deleted is taken from the result.
    """
    found: dict[tuple[str, str], Standing] = {}
    for row in stored:
        keys = ((row.white, row.pool), (row.black, row.pool))
        before = [found.get(key) or initial(key[0]) for key in keys]
        known = (Rating(row.white_rating, row.white_deviation), Rating(row.black_rating, row.black_deviation))
        seen = [
            rating if person is None else old.on(row.at)
            for (person, _), old, rating in zip(keys, before, known, strict=True)
        ]
        for (key, old), opponent, points in zip(
            zip(keys, before, strict=True), reversed(seen), (row.points, 1 - row.points), strict=True
        ):
            if key[0] is not None:
                found[key] = old.after(opponent, points, row.at)
    return found


async def match_ratings(
    store: Store, match: str, pool: str, people: Mapping[wire.Side, str | None]
) -> wire.MatchRatings:
    """Read the ratings of the players of a match in its pool, and what it has done to them."""
    found = await standings(store, [(person, pool) for person in people.values() if person is not None])
    white, black = (None if (person := people[side]) is None else shown(found[person, pool]) for side in SIDES)
    row = await store.first(select(results).where(results.c.match == match, results.c.pool == pool))
    changes = None
    if row is not None:
        gains = [round(row._mapping[f"{side}_new"]) - round(row._mapping[f"{side}_rating"]) for side in SIDES]
        changes = wire.RatingChanges(*gains)
    return wire.MatchRatings(white, black, changes)


async def ratings_before(store: Store, match: str) -> tuple[int | None, int | None]:
    """Read the ratings of the players of a rated match before it, in its pool; of one that was not rated yet, now's."""
    row = await store.first(select(results).where(results.c.match == match, results.c.pool != OVERALL))
    if row is not None:
        return round(row.white_rating), round(row.black_rating)
    row = await store.first(select(matches.c.card).where(matches.c.id == match))
    try:
        card = None if row is None else cards.read(row.card)
    except msgspec.MsgspecError:
        card = None
    if card is None:
        return None, None
    pool = pool_of(card.game.id, card.time)
    found = await standings(store, [(person, pool) for person in card.people if person is not None])
    white, black = (None if person is None else shown(found[person, pool]).rating for person in card.people)
    return white, black


async def last_side(store: Store, person: str, pool: str) -> wire.Side | None:
    """Return the side that a person had in their last rated match of a pool."""
    query = (
        select(results.c.white)
        .where(or_(results.c.white == person, results.c.black == person), results.c.pool == pool)
        .order_by(results.c.number.desc())
        .limit(1)
    )
    row = await store.first(query)
    return None if row is None else "white" if row.white == person else "black"


def shown(found: Standing, at: int | None = None) -> wire.Rating:
    """Return a rating as people see it."""
    rating = found.on(now() if at is None else at)
    return wire.Rating(round(rating.rating), rating.provisional)
