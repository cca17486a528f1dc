"""Ends the matches of people who are gone or whose account was closed, so that no opponent waits."""

from __future__ import annotations

from collections.abc import Callable

from sqlalchemy import bindparam, or_, select, update

from acedrex.server import wire
from acedrex.server.match.decide import may
from acedrex.server.match.state import SIDES
from acedrex.server.play.rooms import Rooms
from acedrex.server.poll import Poll
from acedrex.server.refusal import Refusal
from acedrex.server.storage.tables import matches, sanctions

#: Seconds between two looks for accounts that were closed, as by the operator's command.
POLL = 2.0

ENDED = (
    update(sanctions)
    .where(sanctions.c.person == bindparam("_person"), sanctions.c.kind == "closed", sanctions.c.at == bindparam("_at"))
    .values(pending=False)
)


async def end_matches(rooms: Rooms, person: str) -> None:
    """Withdraw, decline, abort or resign a person's unfinished matches."""
    takes_part = or_(matches.c.white == person, matches.c.black == person, matches.c.asked == person)
    for row in await rooms.store.all(select(matches.c.id).where(takes_part, matches.c.phase != "over")):
        try:
            room = await rooms.get(row.id)
            seats = room.match.seat(person)
            if not seats:  # Challenged, but not seated.
                free = frozenset(side for side in SIDES if side not in room.match.seats)
                await room.command(wire.Abort(""), free)
            elif "abort" in may(room.match, seats):
                await room.command(wire.Abort(""), seats)
            else:
                await room.command(wire.Resign(""), seats)
        except Refusal:
            pass  # It has ended meanwhile, or cannot be read.


class Closing:
    """Ends what the people of closed accounts have open; after a restart too."""

    def __init__(self, rooms: Rooms) -> None:
        """Start without any."""
        self._rooms = rooms
        self._poll = Poll(self.look, POLL, "closing_failed")
        #: Called with the person of a closed account, to close connections in all processes.
        self.on_closed: Callable[[str], None] = lambda _: None

    def wake(self) -> None:
        """Look at once, since an account was closed."""
        self._poll.wake()

    async def run_forever(self) -> None:
        """End what closed accounts have open, forever."""
        await self._poll.run_forever()

    async def look(self) -> None:
        """End what the accounts have open that were closed since the last look."""
        pending = select(sanctions).where(sanctions.c.kind == "closed", sanctions.c.pending)
        for row in await self._rooms.store.all(pending):
            self.on_closed(row.person)
            await end_matches(self._rooms, row.person)
            await self._rooms.store.write((ENDED, {"_person": row.person, "_at": row.at}))
