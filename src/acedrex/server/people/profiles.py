"""Profiles: what a person with an account has played, from the archive of finished matches.

The record counts matches against people, also those with friends, which are listed nowhere; what is listed is public.
Nothing is stored: the database counts ten thousand matches in some hundredths of a second.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct
from sqlalchemy import Subquery, case, func, or_, select, union_all

from acedrex.server import wire
from acedrex.server.people.names import ENGINE
from acedrex.server.people.relations import HOUR, Known, profiles
from acedrex.server.storage import cards
from acedrex.server.storage.store import Store
from acedrex.server.storage.tables import archive, matches, people, sessions
from acedrex.server.time_source import now

#: The most games, setups and running matches that a profile shows.
MAX_GAMES, MAX_SETUPS, MAX_RUNNING = 30, 3, 12
#: Milliseconds since the last move after which a match does not count as running; the hours that are shown.
FRESH = 14 * 86_400_000
#: The kinds of opponents whose matches are public.
PUBLIC = ("lobby", "engine")
RESULTS = {"white": "1-0", "black": "0-1"}


class Played(Struct, frozen=True):
    """What a person has played; games do not have their names yet."""

    games: list[wire.GameRecord]
    setups: list[wire.FavouriteSetup]
    streaks: wire.Streaks


def _finished(person: str, against: str | None = None) -> Subquery:
    """Select what a person's finished matches were for them: 1 in ``won`` or in ``lost``, or in neither.

    All of it is in the archive, so that no other row has to be read: only the engine has its name.
    """
    sides = []
    for side, other in (("white", "black"), ("black", "white")):
        conditions = [archive.c[side] == person, archive.c.plies > 0, archive.c.result != "*"]
        # Two at one board are one person.
        conditions.append(or_(archive.c[other].is_(None), archive.c[other] != person))
        if against is not None:
            conditions.append(archive.c[other] == against)
        sides.append(
            select(
                archive.c.game,
                archive.c.setup,
                archive.c.at,
                archive.c.match,
                case((archive.c.result == RESULTS[side], 1), else_=0).label("won"),
                case((archive.c.result == RESULTS[other], 1), else_=0).label("lost"),
                case((archive.c[f"{other}_name"].startswith(f"{ENGINE} "), 1), else_=0).label("engine"),
            ).where(*conditions)
        )
    return union_all(*sides).subquery()


def _record(row: Any) -> wire.PlayedRecord:
    return wire.PlayedRecord(int(row.won), int(row.all - row.won - row.lost), int(row.lost))


def _sums(one: Subquery) -> tuple[Any, ...]:
    sums = (func.coalesce(func.sum(one.c[name]), 0).label(name) for name in ("won", "lost"))
    return (func.count().label("all"), *sums)


async def record_against(store: Store, person: str, other: str) -> wire.PlayedRecord:
    """Return a person's own matches against another one."""
    row = await store.first(select(*_sums(_finished(person, other))))
    assert row is not None
    return _record(row)


async def played(store: Store, person: str) -> Played:
    """Return what a person has played."""
    one = _finished(person)
    by_game = select(one.c.game, one.c.engine, *_sums(one)).group_by(one.c.game, one.c.engine)
    found: dict[str, wire.GameRecord] = {}
    for row in await store.all(by_game):
        game = found.setdefault(row.game, wire.GameRecord(row.game, row.game, wire.PlayedRecord(0, 0, 0), 0))
        if row.engine:
            game.engine = row.all
        else:
            game.record = _record(row)
    count = func.count()
    by_setup = select(one.c.game, one.c.setup, count.label("all")).where(one.c.setup.is_not(None))
    by_setup = by_setup.group_by(one.c.game, one.c.setup).order_by(count.desc(), one.c.setup).limit(MAX_SETUPS)
    setups = [wire.FavouriteSetup(row.game, row.game, row.setup, row.all) for row in await store.all(by_setup)]
    games = sorted(found.values(), key=lambda game: (-_total(game), game.game))
    return Played(games[:MAX_GAMES], setups, await _streaks(store, one))


def _total(game: wire.GameRecord) -> int:
    return game.record.won + game.record.drawn + game.record.lost + game.engine


async def _streaks(store: Store, finished: Subquery) -> wire.Streaks:
    """Count matches won in succession against people: in such a series all have the same distance to their number."""
    number = func.row_number().over(order_by=(finished.c.at, finished.c.match))
    numbered = select(finished.c.won, number.label("number")).where(finished.c.engine == 0).cte("numbered")
    distance = numbered.c.number - func.row_number().over(order_by=numbered.c.number)
    won = select(distance.label("distance")).where(numbered.c.won == 1).subquery()
    lengths = select(func.count().label("length")).select_from(won).group_by(won.c.distance).subquery()
    longest = select(func.max(lengths.c.length)).scalar_subquery()
    last = select(func.max(numbered.c.number)).scalar_subquery()
    last_not_won = select(func.max(numbered.c.number)).where(numbered.c.won == 0).scalar_subquery()
    row = await store.first(select(longest.label("longest"), last.label("last"), last_not_won.label("last_not_won")))
    assert row is not None
    return wire.Streaks(row.longest or 0, (row.last or 0) - (row.last_not_won or 0))


async def times(store: Store, person: str) -> tuple[int, int | None]:
    """Return when a person first came, and the hour in which they were last here, if they are signed in anywhere."""
    query = select(people.c.at, func.max(sessions.c.seen).label("seen")).select_from(people)
    query = query.outerjoin(sessions, sessions.c.person == people.c.id).where(people.c.id == person)
    row = await store.first(query.group_by(people.c.at))
    assert row is not None
    return row.at, None if row.seen is None else row.seen // HOUR * HOUR


async def running(store: Store, wanted: Sequence[str]) -> list[cards.Card]:
    """Return the public matches that some people play now, the latest first."""
    sides = [
        select(matches.c.card, matches.c.at).where(
            matches.c[side].in_(wanted),
            matches.c.phase == "play",
            matches.c.opponent.in_(PUBLIC),
            matches.c.at > now() - FRESH,
        )
        for side in ("white", "black")
    ]
    both = union_all(*sides).subquery()
    rows = await store.all(select(both.c.card).order_by(both.c.at.desc()).limit(MAX_RUNNING * len(wanted)))
    return list({card.match: card for card in (cards.read(row.card) for row in rows)}.values())


async def match_cards(store: Store, found: Sequence[cards.Card], person: str | None) -> list[wire.MatchCard]:
    """Return cards as seen by a person, with the names of the players' accounts."""
    named = await profiles(store, (one for card in found for one in card.people))
    told = []
    for card in found:
        one = card.match_card(person)
        white, black = card.people
        one.profiles = wire.Profiles(named.get(white), named.get(black))
        told.append(one)
    return told


async def challenges(
    store: Store, found: Sequence[cards.Card], person: str | None, ratings: Mapping[str, wire.Rating]
) -> list[wire.Challenge]:
    """Return open challenges as seen by a person, with the names of the accounts of those who made them.

    :param ratings: those of them for matches that are rated.
    """
    named = await profiles(store, (one for card in found for one in card.people))
    told = []
    for card in found:
        one = card.challenge(person, ratings.get(card.match))
        one.profile = next((named[by] for by in card.people if by in named), None)
        told.append(one)
    return told


def public_archive(person: Known) -> tuple[Any, ...]:
    """Return the condition for a person's public finished matches."""
    row = archive.c
    own = (select(row.match).where(side == person.id) for side in (row.white, row.black))
    return row.plies > 0, row.public, or_(*(row.match.in_(one) for one in own))
