"""The database of either kind, and its backups."""

from __future__ import annotations

import asyncio
import contextlib
import gzip
import logging
import sqlite3
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import anyio
import msgspec
import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import bindparam, delete, select, text

from acedrex import Error
from acedrex.server.match.events import encode
from acedrex.server.storage import backup
from acedrex.server.storage.migrate import migrate, upgrade
from acedrex.server.storage.store import LINES, NEW_EVENT, NEW_LINE, NEW_PERSON, RENAME, ConflictError, Store, connect
from acedrex.server.storage.tables import matches, metadata, people
from tests.server.matches import started
from tests.server.stores import opened


def using(url: str, work: Callable[[Store], Awaitable[Any]]) -> Any:
    """Do something with a store in an event loop of its own, as another process does: backups run theirs, too."""

    async def run() -> Any:
        async with opened(Store(url)) as store:
            return await work(store)

    return asyncio.run(run())


def step(number: int, match: str = "m", body: str = '{"type":"undo","at":1}') -> Any:
    return NEW_EVENT, {"match": match, "number": number, "body": body}


def guest(id: str) -> Any:
    return NEW_PERSON, {"id": id, "name": "Ana", "import_key": id, "at": 1}


async def test_of_events_with_the_same_number_only_one_is_stored(store: Store) -> None:
    await store.write(step(1), step(2))
    with pytest.raises(ConflictError):
        await store.write(step(3), step(2))
    assert len(await store.events("m")) == 2, "all or nothing"
    # Of ten writers of the third event one succeeds, and the writers of other matches are not disturbed.
    rivals = [store.write(step(3)) for _ in range(10)]
    others = [store.write(step(1, f"other{n}")) for n in range(10)]
    results = await asyncio.gather(*rivals, *others, return_exceptions=True)
    assert [type(result) for result in results].count(ConflictError) == 9
    assert results[10:] == [None] * 10
    assert len(await store.events("m", 2)) == 1


async def test_events_are_read_as_they_were_written(database: str) -> None:
    _, events = started("maasai")
    async with opened(Store(database)) as store:
        await asyncio.gather(
            *(store.write(step(number, body=encode(event).decode())) for number, event in enumerate(events, start=1))
        )
    async with opened(Store(database)) as store:
        assert await store.events("m") == events


async def test_messages_of_spectators_do_not_displace_those_of_players(store: Store) -> None:
    def line(id: int, by: str) -> Any:
        return NEW_LINE, {"match": "m", "id": id, "by": by, "name": "Ana", "text": f"line {id}", "at": id}

    await store.write(line(1, "white"), *(line(id, "watcher") for id in range(2, LINES + 7)), line(3_000, "black"))
    shown = await store.chat("m")
    assert [(one.id, one.by) for one in shown if one.by != "watcher"] == [(1, "white"), (3_000, "black")]
    assert [one.id for one in shown] == [1, *range(7, LINES + 7), 3_000]
    assert await store.chat("other") == []


async def test_migrations_create_the_current_tables(database: str) -> None:
    engine = connect(database)
    async with engine.connect() as connection:
        differences = await connection.run_sync(
            lambda sync: compare_metadata(MigrationContext.configure(sync, opts={"compare_type": True}), metadata)
        )
    await engine.dispose()
    assert differences == []
    # A second time there is nothing to do.
    await asyncio.to_thread(migrate, database)


def test_a_backup_is_restored_only_whole_and_into_an_empty_database(database: str, tmp_path: Path) -> None:
    using(database, lambda store: store.write(*(step(n) for n in range(1, 2_500)), guest("a"), guest("b")))
    path = tmp_path / "copy"
    assert backup.backup(database, path) == 2_501
    with pytest.raises(Error, match="already exists"):
        backup.backup(database, path)
    with pytest.raises(Error, match="has something in it"):
        backup.restore(database, path)
    fresh = f"sqlite+aiosqlite:///{tmp_path}/fresh.db"
    assert backup.restore(fresh, path) == 2_501
    assert len(using(fresh, lambda store: store.events("m"))) == 2_499
    assert [row.id for row in using(fresh, lambda store: store.all(people.select().order_by("id")))] == ["a", "b"]
    data = path.read_bytes()
    for wrong in (b"", b"nonsense", data[: len(data) // 2]):
        path.write_bytes(wrong)
        with pytest.raises(Error, match=r"(not a|an incomplete) backup"):
            backup.restore(f"sqlite+aiosqlite:///{tmp_path}/wrong.db", path)


def test_a_backup_is_of_one_moment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    url = f"sqlite+aiosqlite:///{tmp_path}/test.db"
    migrate(url)
    using(url, lambda store: store.write(step(1), step(2), guest("a")))
    line, late = backup._line, []

    def meanwhile(value: Any) -> str:
        # While the events are copied, a move is played and a guest is created.
        if isinstance(value, list) and value[0] == "events" and not late:
            late.append(value)
            with contextlib.closing(sqlite3.connect(tmp_path / "test.db")) as other:
                other.execute("INSERT INTO people (id, name, at, import_key) VALUES ('b', 'Bo', 1, 'b')")
                other.execute("INSERT INTO events VALUES ('m', 3, '{}')")
                other.commit()
        return line(value)

    monkeypatch.setattr(backup, "_line", meanwhile)
    path = tmp_path / "copy"
    assert backup.backup(url, path) == 3 and late
    rows = [msgspec.json.decode(text) for text in gzip.decompress(path.read_bytes()).splitlines()[1:]]
    assert [row[1][:2] for row in rows] == [["m", 1], ["m", 2], ["a", "Ana"]]


async def create_old_database(url: str, schema: str) -> None:
    """Give a new database an old schema and a match."""
    engine = connect(url)
    async with engine.begin() as connection:
        await connection.run_sync(upgrade, schema)
        values = "VALUES ('m', 'self', 'play', :due, 1, '{}')"
        insert = f"INSERT INTO matches (id, opponent, phase, engine_due, at, card) {values}"
        await connection.execute(text(insert), {"due": False})
    await engine.dispose()


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_a_backup_of_an_old_database_is_migrated_when_it_is_restored(
    kind: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    new = request.getfixturevalue("postgresql").new if kind == "postgresql" else None
    urls = [new() if new else f"sqlite+aiosqlite:///{tmp_path}/{name}.db" for name in "abc"]
    asyncio.run(create_old_database(urls[0], "jobs"))
    path = tmp_path / "copy"
    assert backup.backup(urls[0], path) == 1
    assert backup.restore(urls[1], path) == 1
    [row] = using(urls[1], lambda store: store.all(matches.select()))
    assert (row.id, row.asked, row.archived) == ("m", None, None)
    lines = gzip.decompress(path.read_bytes()).decode().splitlines()
    path.write_bytes(gzip.compress(b'{"acedrex":"backup","version":1}'))
    with pytest.raises(Error, match="not a backup"):
        backup.restore(urls[2], path)
    path.write_bytes(gzip.compress(lines[0].replace('"jobs"', '"tomorrow"').encode()))
    with pytest.raises(Error, match="schema 'tomorrow' is of another version"):
        backup.restore(f"sqlite+aiosqlite:///{tmp_path}/later.db", path)


async def test_a_reader_that_is_cancelled_gives_its_connection_back(
    store: Store, caplog: pytest.LogCaptureFixture
) -> None:
    async def read() -> None:
        while True:
            await store.all(select(people))

    for number in range(100):
        # Servers end the tasks of visitors who have left by scopes, which cancel every step until the task has ended.
        with anyio.CancelScope() as scope:
            asyncio.get_running_loop().call_later(number / 20_000, scope.cancel)
            await read()
    assert [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING] == []
    assert await store.all(select(people)) == []


async def test_a_change_is_done_at_once_and_says_how_many_rows_each_step_changed(store: Store) -> None:
    row = {"name": "Ana", "at": 0, "import_key": ""}
    await store.write(*((NEW_PERSON, {**row, "id": id}) for id in "ab"))
    gone = delete(people).where(people.c.id == bindparam("_id"))
    rename = (RENAME, {"_id": "b", "_name": "Bo"})
    assert await store.change((gone, {"_id": "a"}), (gone, {"_id": "a"}), rename) == [1, 0, 1]
    found = await asyncio.gather(*(store.change((gone, {"_id": "b"})) for _ in range(5)))
    assert sorted(found) == [[0]] * 4 + [[1]]


async def test_a_change_that_conflicts_changes_nothing(store: Store) -> None:
    row = {"name": "Ana", "at": 0, "import_key": ""}
    await store.write((NEW_PERSON, {**row, "id": "a"}))
    with pytest.raises(ConflictError):
        await store.change((RENAME, {"_id": "a", "_name": "Bo"}), (NEW_PERSON, {**row, "id": "a"}))
    assert [person.name for person in await store.all(select(people))] == ["Ana"]
