"""The database, of either kind."""

from __future__ import annotations

import asyncio
import contextlib
import gzip
import sqlite3
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import text

from acedrex import Error
from acedrex.server import backup
from acedrex.server.migrate import migrate, upgrade
from acedrex.server.store import LINES, NEW_EVENT, NEW_GUEST, NEW_LINE, ConflictError, Store, connect
from acedrex.server.tables import guests, matches, metadata
from tests.server.matches import begun


def using(url: str, work: Callable[[Store], Awaitable[Any]]) -> Any:
    async def run() -> Any:
        store = Store(url)
        await store.open()
        try:
            return await work(store)
        finally:
            await store.close()

    return asyncio.run(run())


def step(number: int, match: str = "m", body: str = '{"type":"undo","at":1}') -> Any:
    return NEW_EVENT, {"match": match, "number": number, "body": body}


def guest(id: str, hash: str = "") -> Any:
    return NEW_GUEST, {"id": id, "name": "Ana", "token_hash": hash or id, "at": 1}


def test_the_number_is_the_arbiter(database: str) -> None:
    async def work(store: Store) -> None:
        await store.write(step(1), step(2))
        with pytest.raises(ConflictError):
            await store.write(step(3), step(2))
        assert len(await store.events("m")) == 2, "all or nothing"
        # Of many that want to be the third one is, and nobody beside them suffers.
        wanting = [store.write(step(3)) for _ in range(10)] + [store.write(step(1, f"other{n}")) for n in range(10)]
        done = await asyncio.gather(*wanting, return_exceptions=True)
        assert [type(one) for one in done].count(ConflictError) == 9
        assert done[10:] == [None] * 10
        assert len(await store.events("m", 2)) == 1

    using(database, work)


def test_what_was_written_is_there_for_the_next(database: str) -> None:
    _, events = begun("maasai")
    from acedrex.server.events import encode

    async def write(store: Store) -> None:
        await asyncio.gather(
            *(store.write(step(n, body=encode(event).decode())) for n, event in enumerate(events, start=1))
        )

    using(database, write)
    assert using(database, lambda store: store.events("m")) == events


def test_spectators_do_not_push_out_what_players_wrote(database: str) -> None:
    def line(id: int, by: str) -> Any:
        return NEW_LINE, {"match": "m", "id": id, "by": by, "name": "Ana", "text": f"line {id}", "at": id}

    async def work(store: Store) -> None:
        await store.write(line(1, "white"), *(line(id, "watcher") for id in range(2, LINES + 7)), line(3_000, "black"))
        shown = await store.chat("m")
        assert [(one.id, one.by) for one in shown if one.by != "watcher"] == [(1, "white"), (3_000, "black")]
        assert [one.id for one in shown] == [1, *range(7, LINES + 7), 3_000]
        assert await store.chat("other") == []

    using(database, work)


def test_migrations_make_the_tables(database: str) -> None:
    async def compare() -> Any:
        engine = connect(database)
        async with engine.connect() as connection:
            found = await connection.run_sync(
                lambda sync: compare_metadata(MigrationContext.configure(sync, opts={"compare_type": True}), metadata)
            )
        await engine.dispose()
        return found

    assert asyncio.run(compare()) == []
    migrate(database)  # a second time there is nothing to do


def test_copies(database: str, tmp_path: Path) -> None:
    async def fill(store: Store) -> None:
        await store.write(*(step(n) for n in range(1, 2_500)), guest("a"), guest("b"))

    using(database, fill)
    path = tmp_path / "copy"
    assert backup.backup(database, path) == 2_501
    with pytest.raises(Error, match="already exists"):
        backup.backup(database, path)
    with pytest.raises(Error, match="has something in it"):
        backup.restore(database, path)
    fresh = f"sqlite+aiosqlite:///{tmp_path}/fresh.db"
    assert backup.restore(fresh, path) == 2_501
    assert len(using(fresh, lambda store: store.events("m"))) == 2_499
    assert [row.id for row in using(fresh, lambda store: store.all(guests.select().order_by("id")))] == ["a", "b"]
    data = path.read_bytes()
    for wrong in (b"", b"nonsense", data[: len(data) // 2]):
        path.write_bytes(wrong)
        with pytest.raises(Error, match=r"(not a|an incomplete) backup"):
            backup.restore(f"sqlite+aiosqlite:///{tmp_path}/wrong.db", path)


def test_a_copy_is_of_one_moment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    url = f"sqlite+aiosqlite:///{tmp_path}/test.db"
    migrate(url)
    using(url, lambda store: store.write(step(1), step(2), guest("a")))
    line, late = backup._line, []

    def meanwhile(value: Any) -> str:
        # Somebody plays on while the events are copied, and a guest comes.
        if isinstance(value, list) and value[0] == "events" and not late:
            late.append(value)
            with contextlib.closing(sqlite3.connect(tmp_path / "test.db")) as other:
                other.execute("INSERT INTO guests VALUES ('b', 'Bo', 'b', 1)")
                other.execute("INSERT INTO events VALUES ('m', 3, '{}')")
                other.commit()
        return line(value)

    monkeypatch.setattr(backup, "_line", meanwhile)
    path = tmp_path / "copy"
    assert backup.backup(url, path) == 3 and late
    rows = [msgspec.json.decode(text) for text in gzip.decompress(path.read_bytes()).splitlines()[1:]]
    assert [row[1][:2] for row in rows] == [["m", 1], ["m", 2], ["a", "Ana"]]


def in_shape(url: str, wanted: str) -> None:
    """Bring a new database to the shape that it had once."""

    async def work() -> None:
        engine = connect(url)
        async with engine.begin() as connection:
            await connection.run_sync(upgrade, wanted)
            values = "VALUES ('m', 'self', 'play', :due, 1, '{}')"
            insert = f"INSERT INTO matches (id, opponent, phase, engine_due, at, card) {values}"
            await connection.execute(text(insert), {"due": False})
        await engine.dispose()

    asyncio.run(work())


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_a_copy_of_an_older_database_takes_the_steps_to_the_present(
    kind: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    new = request.getfixturevalue("postgresql") if kind == "postgresql" else None
    urls = [new() if new else f"sqlite+aiosqlite:///{tmp_path}/{name}.db" for name in "abc"]
    in_shape(urls[0], "first")
    path = tmp_path / "copy"
    assert backup.backup(urls[0], path) == 1
    assert backup.restore(urls[1], path) == 1
    [row] = using(urls[1], lambda store: store.all(matches.select()))
    assert (row.id, row.asked, row.archived) == ("m", None, None)
    # The first copies did not tell their shape.
    lines = gzip.decompress(path.read_bytes()).decode().splitlines()
    path.write_bytes(gzip.compress("\n".join(['{"acedrex":"backup","version":1}', *lines[1:]]).encode()))
    assert backup.restore(urls[2], path) == 1
    path.write_bytes(gzip.compress(lines[0].replace('"first"', '"tomorrow"').encode()))
    with pytest.raises(Error, match="later version"):
        backup.restore(f"sqlite+aiosqlite:///{tmp_path}/later.db", path)
