"""Tournaments in memory are what the database says, whoever else writes there."""

from __future__ import annotations

import asyncio

import pytest

from acedrex.server import wire
from acedrex.server.bus import Bus
from acedrex.server.play.engines import Engines
from acedrex.server.play.rooms import Rooms
from acedrex.server.storage.store import ConflictError, Store
from acedrex.server.time_source import now
from acedrex.server.tournaments import events
from acedrex.server.tournaments.state import DAY
from acedrex.server.tournaments.store import Tournaments
from tests.server.matches import cup


async def test_an_event_that_another_process_forestalls_is_seen_by_nobody(store: Store) -> None:
    one, other = (Tournaments(Rooms(store, Engines(1), Bus())) for _ in range(2))
    id = await one.make(wire.Person("ana", "Ana"), "The cup", "", cup(now()), None)
    early, late = (events.Moved(at=now(), starts_at=now() + days * DAY) for days in (2, 3))

    async def start() -> int:
        async with one.hold(id) as t:
            return t.starts_at

    async with one.hold(id) as mine:
        waiting = asyncio.create_task(start())
        await asyncio.sleep(0)  # It waits for what is held.
        async with other.hold(id) as theirs:
            await other.write(theirs, [early])
        with pytest.raises(ConflictError):
            await one.write(mine, [late])
    assert await waiting == early.starts_at
    assert await start() == early.starts_at
