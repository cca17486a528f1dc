"""Databases that the process of the test itself reads and writes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from acedrex.server import cards, catalogue
from acedrex.server.events import Event
from acedrex.server.state import Match
from acedrex.server.store import Store
from tests.server.matches import started


@asynccontextmanager
async def opened(store: Store) -> AsyncIterator[Store]:
    """Open a store, and close it in the end."""
    async with asyncio.timeout(30):
        await store.open()
    try:
        yield store
    finally:
        async with asyncio.timeout(30):
            await store.close()


async def store_match(store: Store, id: str, events: list[Event]) -> None:
    """Store a match of chess with these events."""
    match = Match.fold(id, events, started()[0].game)
    await store.add_definition(*catalogue.definition(match.game))
    await store.write(*cards.first_steps(match, events, "ana"))
