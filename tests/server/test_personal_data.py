"""What is stored of a person: a copy of everything, and its deletion, after which opponents still have their games."""

from __future__ import annotations

import asyncio
import io
from pathlib import Path
from typing import Any

import msgspec
import pytest
from sqlalchemy import insert, select, update

from acedrex import pgn
from acedrex.server import ids
from acedrex.server.archive import pgn_export
from acedrex.server.bus import Bus, BusMessage, DeletionAsked
from acedrex.server.games.publishing import Publishing
from acedrex.server.match.decide import may
from acedrex.server.personal_data import deletion, export, retention
from acedrex.server.personal_data.deletion import DELETED, PASSES, Forgetting
from acedrex.server.play.engines import Engines
from acedrex.server.play.listener import Listener
from acedrex.server.play.rooms import Rooms
from acedrex.server.storage.store import NEW_PERSON, BusyError, Step, Store
from acedrex.server.storage.tables import archive as archived
from acedrex.server.storage.tables import chat, deletions, events, jobs, matches, metadata, moderation, people, tokens
from acedrex.server.studies.store import Studies
from acedrex.server.time_source import now
from tests.server.personal import (
    ANA,
    ANSWERED,
    BO,
    MOVES,
    NAMES,
    SAID,
    add,
    everything,
    fill,
    played,
    published,
    seated,
)
from tests.server.stores import opened
from tests.server.waiting import until

pytestmark = pytest.mark.slow


@pytest.fixture
def rooms(store: Store) -> Rooms:
    return Rooms(store, Engines(1), Bus())


async def document(store: Store, person: str) -> dict[str, Any]:
    """Return what a person can take away."""
    text = "".join([part async for part in export.document(store, person, now(), {})])
    found: dict[str, Any] = msgspec.json.decode(text)
    return found


# The copy.

#: Columns with the person whose a row is: those whom others follow, block, report or write to do not learn it here.
WRITTEN_BY = {"follows": "person", "blocks": "person", "conversations": "person"}
WRITTEN_BY |= {"reports": "reporter", "messages": "sender"}
SECRETS = {"token_hash", "invite_hash", "password_hash", "recovery_hash", "code_hash", "import_key"}
SECRETS |= {"invitation_hash", "challenge_hash", "link_hash", "secret_hash"}


def test_every_table_is_exported_or_known_to_be_without_data_of_people() -> None:
    """A new table belongs into ``export.SECTIONS`` and into ``deletion``, or into ``export.IMPERSONAL``."""
    exported = {section.table.name for section in export.SECTIONS}
    impersonal = {table.name for table in export.IMPERSONAL}
    assert exported | impersonal == {table.name for table in metadata.sorted_tables}
    assert not exported & impersonal
    # Columns that may name a person, wherever they are.
    for table in export.IMPERSONAL:
        suspicious = {"person", "guest", "visitor", "owner", "name", "creator", "by", "token_hash"}
        assert table is deletions or not suspicious & {*table.columns.keys()}, table.name
    # Only hashes of secrets are left out.
    left_out = {column for section in export.SECTIONS for column in section.left_out}
    # The authors of a study are other people's ids; what one has written oneself is in the operations.
    assert left_out == SECRETS | {"authors"}


async def test_the_copy_has_every_row_about_the_person_and_nothing_of_others(store: Store, rooms: Rooms) -> None:
    await fill(store, rooms)
    found = await document(store, ANA)
    tables = {name: rows for name, rows in found.items() if isinstance(rows, list)}
    assert set(tables) == {section.table.name for section in export.SECTIONS}
    assert all(tables.values()), "each table has something of hers"
    imported = {row.match for row in await store.all(select(archived.c.match).where(archived.c.owner == ANA))}
    hers = {"finished", "running", "begun", "alone", "engine", "open", "asked", *imported}
    assert {row["id"] for row in tables["matches"]} == {row["match"] for row in tables["events"]} == hers
    # Every row of the database that has her id, her name at a side, or her words is there, with every column.
    named = {section.table.name: section.named for section in export.SECTIONS}
    for name, rows in (await everything(store)).items():
        columns = metadata.tables[name].columns.keys()
        expected = [dict(zip(columns, row, strict=True)) for row in rows if ANA in row or SAID in row]
        for row in expected:
            if row.get(WRITTEN_BY.get(name, "")) == BO:
                continue
            key = {column.name: row[column.name] for column in metadata.tables[name].primary_key}
            key = {column: value for column, value in key.items() if column not in SECRETS | named[name]}
            (told,) = [one for one in tables[name] if key.items() <= one.items()]
            assert set(told) == set(columns) - (SECRETS | {"authors"})
    assert {line["text"] for line in tables["chat"]} == {SAID} and len(tables["chat"]) == 3
    text = msgspec.json.encode(found).decode()
    assert BO not in text and ANSWERED not in text and "hash of an invite" not in text
    assert ids.hashed("hers") not in text and ids.hashed(ANA) not in text
    assert NAMES[BO] in text, "the opponent's name is part of a match"
    (begun,) = [row for row in tables["events"] if row["match"] == "finished" and row["number"] == 2]
    assert begun["body"]["person"] == ANA and begun["body"]["name"] == NAMES[ANA]


async def test_a_long_copy_is_read_and_written_in_small_parts(
    store: Store, rooms: Rooms, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(export, "PAGE", 7)
    monkeypatch.setattr(export, "IDS", 5)
    monkeypatch.setattr(export, "TOGETHER", 2)
    for number in range(12):
        await add(store, f"m{number:02}", [*seated(ANA, BO), *played(*MOVES)])
    await store.write((update(events).where(events.c.number == 5).values(body="damaged"), {}))
    sizes = []
    read = store.all

    async def counted(statement: Any, **values: Any) -> Any:
        rows = await read(statement, **values)
        sizes.append(len(rows))
        return rows

    monkeypatch.setattr(store, "all", counted)
    parts = [part async for part in export.document(store, ANA, now(), {"published": [1]})]
    assert max(sizes) <= 7 and len(parts) > 20
    found = msgspec.json.decode("".join(parts))
    assert found["published"] == [1] and len(found["matches"]) == 12 and len(found["events"]) == 12 * 6
    assert [row["body"] for row in found["events"] if row["number"] == 5] == ["damaged"] * 12
    keys = [(row["match"], row["number"]) for row in found["events"]]
    assert len(set(keys)) == len(keys)


def test_the_copy_has_published_games_and_reports(tmp_path: Path) -> None:
    mine, other = sorted(published(tmp_path).of(ANA), key=lambda one: one.id)
    assert (mine.id, other.id) == ("her-game", "his-game")
    assert mine.versions is not None and "A Game" in (mine.definition or "")
    assert other.versions is None and other.definition is None
    assert [report.reason for report in (*mine.reports, *other.reports)] == ["her reason"] * 2


async def test_a_guest_who_has_only_published_a_game_is_not_swept_away(
    store: Store, rooms: Rooms, tmp_path: Path
) -> None:
    for id in (ANA, BO, "nobody"):
        await store.write((NEW_PERSON, {"id": id, "name": id, "import_key": id, "at": 0}))
    assert await retention.sweep(rooms, published(tmp_path), Studies(store, Bus())) == 1
    assert {row.id for row in await store.all(select(people.c.id))} == {ANA, BO}


async def test_somebody_without_any_data_gets_an_empty_copy(store: Store) -> None:
    found = await document(store, ANA)
    assert all(rows == [] for rows in found.values() if isinstance(rows, list))


# The deletion.


def shelf(tmp_path: Path) -> str:
    return "".join(path.name + path.read_text() for path in sorted((tmp_path / "games").rglob("*.*")))


async def finish(store: Store, rooms: Rooms, publishing: Publishing, person: str = ANA) -> None:
    """Make all passes for the people whose deletion is noted, as if enough time had passed."""
    await store.write((update(deletions).values(at=now() - PASSES[-1] * 1000), {}))
    one = Forgetting(rooms, publishing, Studies(store, Bus()))
    await one.look()
    await one.look()


async def test_nothing_of_the_person_stays_and_opponents_keep_their_games(
    store: Store, rooms: Rooms, tmp_path: Path
) -> None:
    await fill(store, rooms)
    publishing = published(tmp_path)
    before = await everything(store)
    pages = {id: await page(store, id) for id in ("finished", "running")}
    await Forgetting(rooms, publishing, Studies(store, Bus())).begin(ANA)
    # Her tokens are invalid at once.
    assert await store.all(select(people.c.id).where(people.c.id == ANA)) == []
    assert await store.all(select(tokens.c.id).where(tokens.c.person == ANA)) == []
    await finish(store, rooms, publishing)
    after = await everything(store)
    assert after["deletions"] == []
    text = repr(after) + shelf(tmp_path)
    for word in (ANA, NAMES[ANA], NAMES[ANA].lower(), SAID, "her reason", ids.hashed("hers"), "Her import"):
        assert word not in text, word
    # What was only hers is gone; what others have stays.
    stay = {"finished", "running", "begun", "asked", "his", "his-open"}
    imported = {row.match for row in await store.all(select(archived.c.match).where(archived.c.owner == BO))}
    assert {row.id for row in await store.all(select(matches.c.id))} == stay | imported
    for name in ("follows", "blocks", "conversations", "messages", "reports"):
        assert after[name] == [], name
    assert {(row.moderator, row.person) for row in await store.all(select(moderation))} == {(None, BO), (BO, None)}
    for name in ("people", "sessions", "accounts", "codes", "tokens", "dailies", "moderators", "sanctions"):
        assert len(after[name]) == 1 and set(after[name]) <= set(before[name]), name
    assert [row for row in after["openings"] if row[0] in ("", BO)] == after["openings"]
    assert [row for row in before["openings"] if row[0] in ("", BO)] == [
        row for row in after["openings"] if row in before["openings"]
    ]
    assert {row.visitor for row in await store.all(select(jobs.c.visitor))} == {BO, ""}
    lines = [(row.match, row.text) for row in await store.all(select(chat).order_by(chat.c.id))]
    assert lines == [("finished", ANSWERED), ("finished", ANSWERED), ("his", ANSWERED)]
    # The games are what they were, but for the name, and the one that was played has ended.
    for id, old in pages.items():
        new = await page(store, id)
        assert new.headers["White" if id == "finished" else "Black"] == DELETED
        assert [move.uci() for move in new.mainline_moves()] == [move.uci() for move in old.mainline_moves()]
        assert NAMES[BO] in new.headers.values()
    assert (await page(store, "finished")).headers["Result"] == "1-0"
    assert (await page(store, "running")).headers["Result"] == "1-0"
    for id, reason in (("running", "resignation"), ("begun", "aborted"), ("asked", "declined")):
        match = await rooms.load(id)
        assert match is not None and match.ending is not None and match.ending.reason == reason, id
    # Nobody is there to accept a rematch.
    match = await rooms.load("finished")
    assert match is not None and "rematch" not in may(match, frozenset({"black"}))
    assert '"publisher":"nobody"' in shelf(tmp_path) and "his reason" in shelf(tmp_path)
    assert not (tmp_path / "games" / "published" / "her-game.toml").exists()
    assert (tmp_path / "games" / "published" / "his-game.toml").exists()
    await rooms.close()


async def page(store: Store, id: str) -> pgn.Game:
    """Read the PGN of a match."""
    stored = await store.rows(id)
    definition = await store.definition(msgspec.json.decode(stored[0][1])["definition"])
    found = pgn.read_game(io.StringIO(pgn_export.match_pgn(id, stored, definition)))
    assert found is not None
    return found


class KilledError(Exception):
    """The process is killed here."""


async def test_a_deletion_that_was_killed_anywhere_is_completed_by_the_next_process(
    database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(deletion, "BREATH", 0)
    async with opened(Store(database)) as store:
        rooms = Rooms(store, Engines(1), Bus())
        await fill(store, rooms)
        publishing = published(tmp_path)
        await Forgetting(rooms, publishing, Studies(store, Bus())).begin(ANA)
        write, left = store.write, 0

        async def dying(*steps: Step) -> None:
            nonlocal left
            left -= 1
            if left < 0:
                raise KilledError
            await write(*steps)

        killed = 0
        for attempt in range(100):
            left = attempt
            monkeypatch.setattr(store, "write", dying)
            one = Rooms(store, Engines(1), Bus())
            try:
                await Forgetting(one, publishing, Studies(store, Bus())).forget(ANA)
                break
            except KilledError:
                killed += 1
            finally:
                monkeypatch.setattr(store, "write", write)
                await one.close()
            for id in ("finished", "running", "begun", "asked"):
                assert await rooms.load(id) is not None, "every match is whole at every moment"
        assert killed > 5
        await finish(store, rooms, publishing)
        text = repr(await everything(store)) + shelf(tmp_path)
        assert ANA not in text and NAMES[ANA] not in text and SAID not in text
        await rooms.close()


async def test_what_is_written_after_the_request_is_deleted_by_a_later_pass(
    store: Store, rooms: Rooms, tmp_path: Path
) -> None:
    """A request that had begun, an archived match that was read before, a room of another process."""
    await fill(store, rooms)
    publishing = published(tmp_path)
    one = Forgetting(rooms, publishing, Studies(store, Bus()))
    await one.begin(ANA)
    await one.look()
    assert ANA not in repr({**await everything(store), "deletions": []})
    await add(store, "late", [*seated(ANA, BO), *played(*MOVES)])
    await store.write((update(matches).where(matches.c.id == "finished").values(archived=None), {}))
    await store.write(
        (update(archived).where(archived.c.match == "finished").values(white=ANA, white_name="zephyrine"), {})
    )
    row = {"id": "t", "person": ANA, "name": "t", "token_hash": "t", "scopes": "", "at": now()}
    await store.write((insert(tokens), row))
    await finish(store, rooms, publishing)
    assert ANA not in repr(await everything(store)) and "zephyrine" not in repr(await everything(store)).lower()
    await rooms.close()


async def test_a_note_stays_until_the_last_pass_and_a_failed_pass_is_made_again(
    store: Store, rooms: Rooms, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = Forgetting(rooms, published(tmp_path), Studies(store, Bus()))
    await one.begin(ANA)
    forget, calls = one.forget, 0

    async def failing(person: str) -> None:
        nonlocal calls
        calls += 1
        if calls in (1, 4):
            raise ValueError("a fault")
        await forget(person)

    monkeypatch.setattr(one, "forget", failing)
    for expected, age in enumerate((*PASSES, PASSES[-1] + 1), start=1):
        await store.write((update(deletions).values(at=now() - int(age * 1000) - 1), {}))
        await one.look()
        assert calls == min(expected, len(PASSES)), "one pass each time that is due"
    assert len(await store.all(select(deletions))) == 1, "the last pass has failed"
    await finish(store, rooms, published(tmp_path), Studies(store, Bus()))
    assert await store.all(select(deletions)) == []


async def test_a_database_that_is_away_only_delays_a_deletion(
    store: Store, rooms: Rooms, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await fill(store, rooms)
    one = Forgetting(rooms, published(tmp_path), Studies(store, Bus()))
    await one.begin(ANA)
    write = store.write

    async def away(*steps: Step) -> None:
        raise BusyError

    monkeypatch.setattr(store, "write", away)
    with pytest.raises(BusyError):
        await one.look()
    monkeypatch.setattr(store, "write", write)
    await one.look()
    assert ANA not in repr({**await everything(store), "deletions": []})
    await rooms.close()


async def test_rooms_of_other_processes_are_closed_and_read_again(store: Store, rooms: Rooms, tmp_path: Path) -> None:
    await fill(store, rooms)
    elsewhere = Rooms(store, Engines(1), Bus())
    other = Forgetting(elsewhere, published(tmp_path), Studies(store, Bus()))
    hers, his = Listener(ANA), Listener(BO)
    for listener in (hers, his):
        await (await elsewhere.get("finished")).join(listener)
    one = Forgetting(rooms, published(tmp_path), Studies(store, Bus()))
    await one.begin(ANA)
    await one.look()
    await other.look()
    assert hers.is_gone and his.is_gone
    match = (await elsewhere.get("finished")).match
    assert match.seats["white"].name == DELETED and match.seats["white"].person is None
    await rooms.close()
    await elsewhere.close()


async def test_other_processes_are_told_at_once(store: Store, rooms: Rooms, tmp_path: Path) -> None:
    bus = Bus()
    sent: list[BusMessage] = []
    bus.publish = sent.append  # type: ignore[method-assign]
    asked = Forgetting(Rooms(store, Engines(1), bus), published(tmp_path), Studies(store, Bus()))
    other = Forgetting(rooms, published(tmp_path), Studies(store, Bus()))
    running = asyncio.create_task(other.run_forever())
    try:
        await until(lambda: not other._poll._has_more.is_set())
        await asked.begin(ANA)
        (message,) = [one for one in sent if isinstance(one, DeletionAsked)]
        rooms.receive(message)
        await until(lambda: ANA in other.gone)
    finally:
        running.cancel()
