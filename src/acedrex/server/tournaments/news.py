"""Sends tournaments to those who look at them, whenever they change."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any

import msgspec
import structlog
from msgspec import structs
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
        #: What was last sent to everybody; those who came later got a newer view, in full.
        self._sent: dict[str, wire.Tournament] = {}
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
        if id not in self._sent:
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
                    await self._send(id)
                except BusyError:
                    self._stale.add(id)
                    await asyncio.sleep(1)
        except Exception as error:
            log.error("tournament_news_failed", exc_info=error)
        finally:
            del self._sending[id]

    async def greet(self, id: str, listener: Listener) -> None:
        """Send a tournament to somebody who has just come.

        :raises Refusal: if there is none.
        """
        view = await self.view(id)
        self._sent.setdefault(id, view)
        listener.send(encode(wire.TournamentNews(view, None, [], [], [])).decode())

    def forget(self, id: str) -> None:
        """Forget what was sent of a tournament, if nobody looks at it any more."""
        if id not in self._audience.listeners:
            self._sent.pop(id, None)

    async def _send(self, id: str) -> None:
        """Send what has changed since the last time to all who look at a tournament."""
        with suppress(Refusal):
            view = await self.view(id)
            if id not in self._sent:
                return
            text = encode(changes(self._sent[id], view)).decode()
            self._sent[id] = view
            for listener in list(self._audience.listeners.get(id, ())):
                listener.send(text)


def changes(before: wire.Tournament, view: wire.Tournament) -> wire.TournamentNews:
    """Return what has changed in a tournament: with hundreds of players, most of it stays as it is."""
    players = {player.player: player for player in before.players}
    boards = {board.board: board for board in before.boards}

    def is_old(player: wire.TournamentPlayer) -> bool:
        old = players.get(player.player)
        return old is not None and structs.replace(old, rank=player.rank) == player

    changed = structs.replace(
        view,
        players=[player for player in view.players if not is_old(player)],
        boards=[board for board in view.boards if boards.get(board.board) != board],
    )
    return wire.TournamentNews(
        changed,
        before.number,
        order=[player.player for player in view.players],
        ranks=[player.rank for player in view.players],
        listed=[board.board for board in view.boards],
    )


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
