"""Which old data is deleted, on either database."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import Table, insert, select, update

from acedrex.server.archive import search_index
from acedrex.server.bus import Bus
from acedrex.server.match import events
from acedrex.server.personal_data import retention
from acedrex.server.play.engines import Engines
from acedrex.server.play.listener import Listener
from acedrex.server.play.rooms import Rooms
from acedrex.server.refusal import Refusal
from acedrex.server.storage.store import NEW_PERSON, Step, Store
from acedrex.server.storage.tables import events as event_table
from acedrex.server.storage.tables import findings, jobs, matches, people, tokens
from acedrex.server.time_source import now
from tests.server.matches import DAY, created, started
from tests.server.stores import opened, store_match


class ConcurrentStore(Store):
    """A database to which others write, once for each table, as soon as the table has been read."""

    def __init__(self, database: str, meanwhile: dict[Table, Step]) -> None:
        super().__init__(database)
        self.meanwhile = meanwhile

    async def all(self, statement: Any, **values: Any) -> Any:
        rows = await super().all(statement, **values)
        step = self.meanwhile.pop(statement.get_final_froms()[0], None)
        if step is not None:
            await self.write(step)
        return rows


async def test_rows_used_again_during_a_sweep_are_kept(database: str) -> None:
    old = now() - 400 * DAY
    meanwhile: dict[Table, Step] = {
        matches: (update(matches).values(phase="play", at=now()), {}),
        jobs: (update(jobs).values(at=now()), {}),
        people: (
            insert(tokens),
            {"id": "t", "person": "bo", "name": "t", "token_hash": "t", "scopes": "", "at": now()},
        ),
    }
    async with opened(ConcurrentStore(database, meanwhile)) as store:
        await store_match(store, "taken", [created(opponent="lobby")])
        await store.write(
            (update(matches).values(at=old), {}),
            (NEW_PERSON, {"id": "bo", "name": "bo", "import_key": "bo", "at": old}),
            (insert(jobs), {"id": "asked", "visitor": "ana", "body": "{}", "done": True, "at": old}),
            (insert(findings), {"job": "asked", "ply": 0, "body": "{}"}),
        )
        await retention.sweep(Rooms(store, Engines(1), Bus()))
        assert not meanwhile
        for column in (matches.c.id, event_table.c.match, people.c.id, jobs.c.id, findings.c.job):
            assert len(await store.all(select(column))) == 1, column


async def test_a_sweep_deletes_only_old_rows_that_nothing_refers_to(store: Store) -> None:
    old = now() - 400 * DAY
    challenge = [created(opponent="lobby"), events.Seated(at=old, side="white", person="ana", name="Ana")]
    _, both = started()
    moves = [events.MovePlayed(at=old, move=move, spent=0) for move in ("e2e4", "e7e5")]
    await store_match(store, "untaken", challenge)
    await store_match(store, "aborted", [*both, events.Aborted(at=old, by="white")])
    await store_match(store, "played", [*both, *moves, events.Resigned(at=old, by="white")])
    await store_match(store, "playing", [*both, *moves])
    await store_match(store, "fresh", challenge)
    rooms = Rooms(store, Engines(1), Bus())
    await search_index.archive_portion(rooms)
    others = [(NEW_PERSON, {"id": id, "name": id, "import_key": id, "at": old}) for id in ("ana", "bo", "nobody")]
    new = (NEW_PERSON, {"id": "new", "name": "new", "import_key": "new", "at": now()})
    job = {"visitor": "ana", "body": "{}", "done": True, "at": old}
    await store.write(
        (update(matches).where(matches.c.id != "fresh").values(at=old), {}),
        (update(matches).where(matches.c.id == "fresh").values(at=now()), {}),
        *others,
        new,
        (insert(jobs), {"id": "done", **job}),
        (insert(jobs), {"id": "under way", **job, "done": False}),
        *((insert(findings), {"job": id, "ply": 0, "body": "{}"}) for id in ("done", "under way")),
    )
    assert await retention.sweep(rooms) == 4

    async def left(column: Any) -> set[str]:
        return {row[0] for row in await store.all(select(column))}

    stay = {"played", "playing", "fresh"}
    assert await left(matches.c.id) == stay and await left(event_table.c.match) == stay
    assert await left(people.c.id) == {"ana", "bo", "new"}
    assert await left(jobs.c.id) == await left(findings.c.job) == {"under way"}
    assert await retention.sweep(rooms) == 0


async def test_deleting_a_challenge_closes_its_rooms_in_all_processes(store: Store) -> None:
    challenge = [created(), events.Seated(at=now(), side="white", person="ana", name="Ana")]
    for id in ("old", "new"):
        await store_match(store, id, challenge)
    await store.write((update(matches).values(at=now()), {}))
    rooms, elsewhere = Rooms(store, Engines(1), Bus()), Rooms(store, Engines(1), Bus())
    listeners = [Listener("ana"), Listener("ana")]
    for one, listener in zip((rooms, elsewhere), listeners, strict=True):
        await (await one.get("old")).join(listener)
        await one.get("new")
    await store.write((update(matches).where(matches.c.id == "old").values(at=now() - 400 * DAY), {}))
    await retention.sweep(rooms)
    # Other processes compare every second.
    await elsewhere.compare()
    for one, listener in zip((rooms, elsewhere), listeners, strict=True):
        assert listener.is_gone
        with pytest.raises(Refusal, match="match not found"):
            await one.get("old")
        await one.get("new")
    assert not await store.events("old")
    for one in (rooms, elsewhere):
        await one.close()
