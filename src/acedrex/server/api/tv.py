"""What is worth watching: the best match in progress of each kind, and the match of the day."""

from __future__ import annotations

from fastapi import Request
from sqlalchemy import select

from acedrex.server import wire
from acedrex.server.api.archive import archived_page
from acedrex.server.api.limits import spend
from acedrex.server.api.matches import watched
from acedrex.server.api.routes import Routes
from acedrex.server.archive import positions
from acedrex.server.people import profiles
from acedrex.server.ratings.results import pool_of, shown, standings
from acedrex.server.services import Served
from acedrex.server.storage.tables import archive, matches
from acedrex.server.time_source import now

router = Routes("/api", "tv")


@router.get("/tv")
async def channels(request: Request, services: Served) -> list[wire.Channel]:
    """Return the best public match in progress of each game, live and by correspondence, the best first.

    The best is that of the players with the highest ratings; of equal ones, that with the latest move.
    """
    spend(request, "work", 2)
    store = services.store
    cards = await watched(services)
    seats = {
        row.id: (row.white, row.black)
        for row in await store.all(
            select(matches.c.id, matches.c.white, matches.c.black).where(
                matches.c.id.in_([card.match for card in cards])
            )
        )
    }
    pools = {card.match: pool_of(card.game.id, card.time) for card in cards}
    keys = [(one, pools[match]) for match, people in seats.items() for one in people if one is not None]
    known = await standings(store, keys)

    def rating(match: str) -> int:
        people = seats.get(match, (None, None))
        values = [0 if one is None else shown(known[one, pools[match]]).rating for one in people]
        return round(sum(values) / len(values))

    best = sorted(cards, key=lambda card: (-rating(card.match), -card.at))
    first = {pools[card.match]: card for card in reversed(best)}
    chosen = [card for card in best if first[pools[card.match]] is card]
    told = await profiles.match_cards(store, chosen, None)
    return [wire.Channel(pools[card.match], one, rating(card.match)) for card, one in zip(chosen, told, strict=True)]


@router.get("/match-of-the-day")
async def match_of_the_day(request: Request, services: Served) -> wire.DayMatch | None:
    """Return the most dramatic public match of yesterday or, if there was none, of the last day before."""
    spend(request, "work", 2)
    day = positions.day_before(now())
    match = await positions.most_dramatic(services.store, day)
    if match is None:
        return None
    row = await services.store.first(select(archive.c.drama).where(archive.c.match == match))
    found = await archived_page(services.store, (archive.c.match == match,), None, 1)
    return wire.DayMatch(str(day), found[0], float(row.drama)) if row is not None and found else None
