"""How finished matches come into the archive, on either database."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from sqlalchemy import delete, func, select, update

from acedrex.server import archive, cards, catalogue, events
from acedrex.server.bus import Bus
from acedrex.server.engines import Engines
from acedrex.server.rooms import Rooms
from acedrex.server.state import Match
from acedrex.server.store import Store
from acedrex.server.tables import archive as rows
from acedrex.server.tables import matches, openings
from tests.server.matches import START, begun


async def finished(store: Store, id: str, *moves: str, **changes: Any) -> None:
    """Store a match that is over."""
    match, before = begun(opponent="lobby", **changes)
    more = [events.MovePlayed(at=START, move=move, spent=0) for move in moves]
    over = [*before, *more, events.Resigned(at=START, by="black")]
    match = Match.fold(id, over, match.game)
    await store.add_definition(catalogue.key(match.game), match.game.source)
    await store.write(*cards.first_steps(match, over, "ana"))


def run(url: str, work: Any) -> None:
    async def go() -> None:
        store = Store(url)
        await store.open()
        try:
            await work(store, Rooms(store, Engines(1), Bus()))
        finally:
            await store.close()

    asyncio.run(go())


async def counted(store: Store) -> tuple[int, int]:
    """How many matches are in the archive, and how many moves were counted in it for everybody."""
    archived = await store.first(select(func.count()).select_from(rows))
    total = select(func.coalesce(func.sum(openings.c.white), 0)).where(openings.c.scope == "")
    moves = await store.first(total)
    assert archived is not None and moves is not None
    return archived[0], int(moves[0])


def test_what_two_processes_take_in_counts_once(database: str) -> None:
    async def work(store: Store, rooms: Rooms) -> None:
        for number in range(5):
            await finished(store, f"m{number}", "e2e4", "e7e5")
        other = Rooms(store, rooms.engines, Bus())
        await asyncio.gather(archive.archive_portion(rooms), archive.archive_portion(other))
        assert await counted(store) == (5, 10)
        assert await archive.archive_portion(rooms) == 0
        # A mark that was lost, as in a copy of an old database, changes nothing.
        await store.write((update(matches).values(archived=None), {}))
        assert await archive.archive_portion(rooms) == 5
        assert await counted(store) == (5, 10) and await archive.archive_portion(rooms) == 0

    run(database, work)


@pytest.mark.parametrize("fault", [{"rules_hash": "other rules"}, {"definition": "other", "file": "other"}])
def test_a_match_that_cannot_be_read_is_in_nobodys_way(database: str, fault: dict[str, str]) -> None:
    async def work(store: Store, rooms: Rooms) -> None:
        # A definition that an earlier version still compiled.
        await store.add_definition("other", '[game]\nid = "old"\n')
        await finished(store, "m1", "e2e4", "e7e5", **fault)
        await finished(store, "m2", "e2e4", "e7e5")
        await archive.archive_portion(rooms)
        assert await counted(store) == (1, 2) and await archive.archive_portion(rooms) == 0

    run(database, work)


def test_openings_are_bounded_and_count_a_move_once_a_match(database: str) -> None:
    async def work(store: Store, rooms: Rooms) -> None:
        there_and_back = ("g1f3", "g8f6", "f3g1", "f6g8")
        await finished(store, "m1", *there_and_back * 3)
        await archive.archive_portion(rooms)
        assert await counted(store) == (1, 4)
        played = ("a2a3", "a7a6", "b2b3", "b7b6", "c2c3", "c7c6", "d2d3", "d7d6", "e2e3", "e7e6", "f2f3", "f7f6")
        more = ("g2g3", "g7g6", "h2h3", "h7h6", "a3a4", "a6a5", "b3b4", "b6b5", "c3c4", "c6c5", "d3d4", "d6d5")
        rest = ("e3e4", "e6e5", "f3f4", "f6f5", "g3g4", "g6g5", "h3h4", "h6h5")
        await finished(store, "m2", *played, *more, *rest)
        await archive.archive_portion(rooms)
        assert await counted(store) == (2, 4 + archive.MOST_MOVES)
        # A match without a result is found, but teaches nothing.
        await store.write((delete(openings), {}))
        match, before = begun(opponent="lobby")
        over = [*before, events.Aborted(at=START, by="white")]
        await store.write(*cards.first_steps(Match.fold("m3", over, match.game), over, "ana"))
        await archive.archive_portion(rooms)
        assert await counted(store) == (3, 0)

    run(database, work)


def test_names_are_found_by_their_beginning_whatever_their_case() -> None:
    assert archive.folded("  Ana \t LÓPEZ ") == "ana lópez"
    assert len(archive.folded("ß" * 80)) == 80
