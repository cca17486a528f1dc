"""Sends tournaments to those who look at them, whenever they change."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any

import msgspec
import structlog
from sqlalchemy import select

from acedrex.server import wire
from acedrex.server.people import relations
from acedrex.server.play.listener import Listener
from acedrex.server.refusal import Refusal
from acedrex.server.storage.store import BusyError
from acedrex.server.storage.tables import entrants, tournaments
from acedrex.server.tournaments import views
from acedrex.server.tournaments.creation import Entrant
from acedrex.server.tournaments.presence import Audience
from acedrex.server.tournaments.store import Tournaments, read_card, row_of

log = structlog.get_logger()

encode: Callable[[wire.TournamentNews], bytes] = msgspec.json.Encoder().encode
#: Seconds for which changes of a tournament are collected before they are sent.
GATHER = 0.3


class News:
    """What is sent of tournaments."""

    def __init__(self, kept: Tournaments, audience: Audience) -> None:
        """Send those who look at a tournament what changes in it."""
        self._kept = kept
        self._audience = audience
        self._sending: dict[str, asyncio.Task[None]] = {}
        self._stale: set[str] = set()
        kept.on_change = self.changed

    async def view(self, id: str) -> wire.Tournament:
        """Return a tournament as everybody sees it.

        :raises Refusal: if there is none.
        """
        row = await row_of(self._kept.store, id)
        async with self._kept.hold(id) as t:
            entrants = await self._kept.entrants(id)
            known = await relations.known(self._kept.store, [row.creator] if row.creator else [])
            by = known.get(row.creator or "")
            maker = None if by is None else Entrant(by.id, by.name, by.name if by.account else None)
            return views.tournament(t, row, maker, entrants)

    def changed(self, id: str) -> None:
        """Send a tournament to those who look at it, soon."""
        if id not in self._audience.listeners:
            return
        self._stale.add(id)
        if id not in self._sending:
            self._sending[id] = asyncio.create_task(self._send_changes(id))

    async def _send_changes(self, id: str) -> None:
        try:
            while id in self._stale:
                await asyncio.sleep(GATHER)
                # A change while it is read is sent in another round.
                self._stale.discard(id)
                try:
                    await self.send(id, self._audience.listeners.get(id, ()))
                except BusyError:
                    self._stale.add(id)
                    await asyncio.sleep(1)
        except Exception as error:
            log.error("tournament_news_failed", exc_info=error)
        finally:
            del self._sending[id]

    async def send(self, id: str, listeners: Iterable[Listener]) -> None:
        """Send a tournament to some listeners."""
        with suppress(Refusal):
            text = encode(wire.TournamentNews(await self.view(id))).decode()
            for listener in list(listeners):
                listener.send(text)


async def cards(kept: Tournaments, rows: Iterable[Any], person: str | None) -> list[wire.TournamentCard]:
    """Return some rows of tournaments as a person sees them."""
    found = [(row, read_card(row.card)) for row in rows]
    ids = [row.id for row, _ in found]
    mine: set[str] = set()
    if person is not None and ids:
        own = select(entrants.c.tournament).where(entrants.c.tournament.in_(ids), entrants.c.person == person)
        mine = {row.tournament for row in await kept.store.all(own)}
    told = []
    for row, card in found:
        winner = None
        if card.winner is not None:
            winner = (await kept.entrants(row.id))[card.winner].name
        told.append(views.card(row, card, winner, mine=row.id in mine))
    return told


async def next_one(kept: Tournaments, person: str | None) -> wire.TournamentCard | None:
    """Return the tournament of the front page: one that is played, or else the next."""
    for phase, order in (("running", tournaments.c.starts_at.desc()), ("open", tournaments.c.starts_at)):
        query = select(tournaments).where(tournaments.c.phase == phase).order_by(order).limit(1)
        rows = await kept.store.all(query)
        if rows:
            return (await cards(kept, rows, person))[0]
    return None
