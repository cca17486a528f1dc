"""Archiving of finished matches, on either database."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from sqlalchemy import delete, func, select, update

from acedrex.server.archive import search_index
from acedrex.server.bus import Bus
from acedrex.server.match import events
from acedrex.server.play.engines import Engines
from acedrex.server.play.rooms import Rooms
from acedrex.server.storage.store import Store
from acedrex.server.storage.tables import archive as rows
from acedrex.server.storage.tables import matches, openings
from tests.server.matches import START, started
from tests.server.stores import store_match


@pytest.fixture
def rooms(store: Store) -> Rooms:
    return Rooms(store, Engines(1), Bus())


async def store_finished_match(store: Store, id: str, *moves: str, **changes: Any) -> None:
    """Store a match with some moves that Black resigned."""
    _, start = started(opponent="lobby", **changes)
    played = [events.MovePlayed(at=START, move=move, spent=0) for move in moves]
    await store_match(store, id, [*start, *played, events.Resigned(at=START, by="black")])


async def counted(store: Store) -> tuple[int, int]:
    """Count the matches in the archive, and the moves in its public openings."""
    archived = await store.first(select(func.count()).select_from(rows))
    total = select(func.coalesce(func.sum(openings.c.white), 0)).where(openings.c.scope == "")
    moves = await store.first(total)
    assert archived is not None and moves is not None
    return archived[0], int(moves[0])


async def test_matches_archived_by_two_processes_are_counted_once(store: Store, rooms: Rooms) -> None:
    for number in range(5):
        await store_finished_match(store, f"m{number}", "e2e4", "e7e5")
    other = Rooms(store, rooms.engines, Bus())
    await asyncio.gather(search_index.archive_portion(rooms), search_index.archive_portion(other))
    assert await counted(store) == (5, 10)
    assert await search_index.archive_portion(rooms) == 0
    # Archiving again, as after restoring an old backup without the mark, changes nothing.
    await store.write((update(matches).values(archived=None), {}))
    assert await search_index.archive_portion(rooms) == 5
    assert await counted(store) == (5, 10) and await search_index.archive_portion(rooms) == 0


@pytest.mark.parametrize("fault", [{"rules_hash": "other rules"}, {"definition": "other", "file": "other"}])
async def test_an_unreadable_match_does_not_keep_others_from_being_archived(
    store: Store, rooms: Rooms, fault: dict[str, str]
) -> None:
    # A definition that only earlier versions could compile.
    await store.add_definition("other", '[game]\nid = "old"\n')
    await store_finished_match(store, "m1", "e2e4", "e7e5", **fault)
    await store_finished_match(store, "m2", "e2e4", "e7e5")
    await search_index.archive_portion(rooms)
    assert await counted(store) == (1, 2) and await search_index.archive_portion(rooms) == 0


async def test_openings_have_a_maximum_length_and_count_a_move_once_per_match(store: Store, rooms: Rooms) -> None:
    back_and_forth = ("g1f3", "g8f6", "f3g1", "f6g8")
    await store_finished_match(store, "m1", *back_and_forth * 3)
    await search_index.archive_portion(rooms)
    assert await counted(store) == (1, 4)
    played = ("a2a3", "a7a6", "b2b3", "b7b6", "c2c3", "c7c6", "d2d3", "d7d6", "e2e3", "e7e6", "f2f3", "f7f6")
    more = ("g2g3", "g7g6", "h2h3", "h7h6", "a3a4", "a6a5", "b3b4", "b6b5", "c3c4", "c6c5", "d3d4", "d6d5")
    rest = ("e3e4", "e6e5", "f3f4", "f6f5", "g3g4", "g6g5", "h3h4", "h6h5")
    await store_finished_match(store, "m2", *played, *more, *rest)
    await search_index.archive_portion(rooms)
    assert await counted(store) == (2, 4 + search_index.MAX_MOVES)
    # A match without a result is archived, but not counted in the openings.
    await store.write((delete(openings), {}))
    _, start = started(opponent="lobby")
    await store_match(store, "m3", [*start, events.Aborted(at=START, by="white")])
    await search_index.archive_portion(rooms)
    assert await counted(store) == (3, 0)


def test_player_names_are_folded_and_shortened_for_the_search() -> None:
    assert search_index.folded("  Ana \t LÓPEZ ") == "ana lópez"
    assert len(search_index.folded("ß" * 80)) == 80
