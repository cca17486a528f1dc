"""PostgreSQL, Redis or the process of the server fails during play, and nothing that was acknowledged is lost."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import random
import signal
import time
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest
from sqlalchemy import func, select
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, WebSocketException

from acedrex.server import ids
from acedrex.server.storage.store import connect as connect_database
from acedrex.server.storage.tables import events
from tests.conftest import TIMEOUT
from tests.samples import sample
from tests.server.conftest import Person, Server, alter, anyone
from tests.server.services import PostgreSQL, Redis

#: Failures, one after another.
ROUNDS = sample(1, 20)
GAMES = sample(6, 20)
#: Seconds that a player thinks.
PAUSE = 0.05
WORKERS = ("--workers", "2")
pytestmark = pytest.mark.time_limit(120 + 60 * ROUNDS)
#: Refusals of moves that were sent again although they had been stored, or while the database was down.
TOLERATED = ("busy", "stale", "not_your_turn", "too_fast")


class Seat:
    """A player who reconnects after every loss, and records what was acknowledged."""

    def __init__(self, table: Table, person: Person) -> None:
        self.table = table
        self.person = person
        self.connection: ClientConnection | None = None
        self.moves: list[str] = []
        self.acknowledged: dict[int, str] = {}
        self.lags: list[float] = []
        self.heard = asyncio.Event()
        self.legal: list[str] = []
        self.number = 0
        self.phase = ""
        self.losses = 0

    async def stay(self) -> None:
        base = self.person.server.base.replace("http", "ws")
        while True:
            with contextlib.suppress(OSError, WebSocketException, TimeoutError):
                url = f"{base}/api/matches/{self.table.match}/socket"
                async with connect(url, compression=None, open_timeout=5, close_timeout=0.2) as connection:
                    await connection.send(json.dumps({"type": "hello", "token": self.person.token, "after": None}))
                    self.connection = connection
                    async for message in connection:
                        self.hear(json.loads(message))
            self.connection = None
            self.losses += 1
            await asyncio.sleep(0.2)

    def told(self) -> tuple[bool, str, int, int]:
        return self.connection is not None, self.phase, self.number, len(self.legal)

    def hear(self, message: dict[str, Any]) -> None:
        if message["type"] == "snapshot":
            self.moves = [made["move"] for made in message["moves"]]
        elif message["type"] == "update":
            assert message["number"] == self.number + 1, "an event is missing"
            self.moves += [message["made"]["move"]] if message["made"] else []
        elif message["type"] == "ack":
            place, move = self.table.asked[message["id"]]
            self.acknowledged[place] = move
            return
        elif message["type"] == "refused" and message["error"]["code"] in TOLERATED:
            self.heard.set()
            return
        else:
            assert message["type"] != "refused", message
            return
        self.number, self.phase = message["number"], message["phase"]
        for place, (mover, sent) in list(self.table.sent.items()):
            if mover is not self and place < len(self.moves):
                self.lags.append(time.monotonic() - sent)
                del self.table.sent[place]
        if message["position"] is not None:
            self.legal = [one["move"] for one in message["position"]["legal"]]
        self.heard.set()


class Table:
    """A match between two players, who move as soon as they can."""

    def __init__(self, white: Person, black: Person, chance: random.Random) -> None:
        self.people = (white, black)
        self.chance = chance
        #: The ply and the move of each command, by its id.
        self.asked: dict[str, tuple[int, str]] = {}
        #: Who first sent a move of a ply, and when.
        self.sent: dict[int, tuple[Seat, float]] = {}
        self.begin()

    def begin(self) -> None:
        white, black = self.people
        time = {"kind": "fischer", "initial_ms": 600_000, "increment_ms": 1_000}
        made = white.match("maasai", opponent={"kind": "friend"}, setup="random", time=time)
        black.sit(made)
        self.match = made["match"]
        self.seats = [Seat(self, person) for person in self.people]

    async def play(self) -> None:
        staying = [asyncio.create_task(seat.stay()) for seat in self.seats]
        try:
            while True:
                await asyncio.sleep(PAUSE)
                for seat in self.seats:
                    if seat.legal and seat.connection is not None and seat.phase == "play":
                        await self.move(seat)
        finally:
            await end(staying)

    async def move(self, seat: Seat) -> None:
        place, move = len(seat.moves), self.chance.choice(seat.legal)
        id = f"{len(self.asked)}"
        self.asked[id] = (place, move)
        self.sent.setdefault(place, (seat, time.monotonic()))
        seat.heard.clear()
        said = {"type": "move", "move": move, "number": seat.number, "id": id}
        # Not wait_for, which may swallow a cancellation.
        with contextlib.suppress(OSError, WebSocketException, TimeoutError):
            async with asyncio.timeout(1):
                await seat.connection.send(json.dumps(said))  # type: ignore[union-attr]
                await seat.heard.wait()

    @property
    def is_over(self) -> bool:
        """Whether the match has ended, which random moves may do, and both players know it."""
        return all(seat.phase == "over" for seat in self.seats)

    @property
    def acknowledged(self) -> dict[int, str]:
        return {**self.seats[0].acknowledged, **self.seats[1].acknowledged}


@contextlib.asynccontextmanager
async def under_play(tables: list[Table]) -> AsyncIterator[None]:
    playing = [asyncio.create_task(table.play()) for table in tables]
    try:
        yield
    finally:
        await end(playing)


async def end(tasks: list[asyncio.Task[None]]) -> None:
    """Cancel tasks, and raise what one of them has raised."""
    for task in tasks:
        task.cancel()
    for one in await asyncio.gather(*tasks, return_exceptions=True):
        if isinstance(one, Exception):
            raise one


def tables_of(server: Server, count: int) -> list[Table]:
    people = [
        (Person(server, "Ana", f"127.0.5.{n + 1}"), Person(server, "Bo", f"127.0.6.{n + 1}")) for n in range(count)
    ]
    return [Table(white, black, random.Random(n)) for n, (white, black) in enumerate(people)]


async def acknowledged(tables: list[Table], more: int, seconds: float = 30) -> None:
    """Wait until ``more`` further moves of every match have been acknowledged."""
    wanted = {table: len(table.acknowledged) + more for table in tables}
    end = time.monotonic() + seconds
    while late := [table for table, most in wanted.items() if not table.is_over and len(table.acknowledged) < most]:
        stuck = [(table.match, [seat.told() for seat in table.seats]) for table in late]
        assert time.monotonic() < end, f"no moves are acknowledged in {stuck}"
        await asyncio.sleep(0.1)


def moves_of(server: Server, match: str, number: int) -> list[str]:
    """Return the moves of a match when the process that answers knows its last event, of this number."""
    end = time.monotonic() + TIMEOUT
    while True:
        answer = anyone.get(f"{server.base}/api/matches/{match}")
        # Long matches use up the budget of an address.
        if answer.status_code != 429:
            assert answer.status_code == 200, answer.text
            found = answer.json()
            # While Redis is away, a process hears of another's events at its next heartbeat.
            if found["number"] >= number:
                return [made["move"] for made in found["moves"]]
        assert time.monotonic() < end, f"{match}: event {number} is stored, and not shown: {answer.text[:200]}"
        time.sleep(1)


async def check_nothing_missing(server: Server, tables: list[Table], url: str) -> int:
    """Compare the stored moves with the acknowledged ones, and return how many were acknowledged."""
    engine = connect_database(url)
    counted = select(events.c.match, func.count(), func.max(events.c.number)).group_by(events.c.match)
    async with engine.connect() as connection:
        stored = (await connection.execute(counted)).all()
    await engine.dispose()
    assert stored
    assert [match for match, count, last in stored if count != last] == [], "numbers are missing among the events"
    numbers, total = {match: last for match, _, last in stored}, 0
    for table in tables:
        moves = moves_of(server, table.match, numbers[table.match])
        for place, move in table.acknowledged.items():
            assert moves[place : place + 1] == [move], (table.match, place)
        total += len(table.acknowledged)
    return total


@pytest.mark.slow
@pytest.mark.parametrize("how", ["restart", "kill"])
async def test_nothing_acknowledged_is_lost_when_postgresql_restarts_or_crashes(
    start: Callable[..., Server], brittle_postgresql: PostgreSQL, redis_url: str, how: str
) -> None:
    url = brittle_postgresql.new()
    began = time.monotonic()
    server = start(*WORKERS, ACEDREX_DATABASE_URL=url, ACEDREX_REDIS_URL=redis_url)
    first = time.monotonic() - began
    tables = tables_of(server, GAMES)
    chance = random.Random(how)
    async with under_play(tables):
        for _ in range(ROUNDS):
            await acknowledged(tables, 3)
            await asyncio.sleep(chance.random())
            await asyncio.to_thread(brittle_postgresql.stop if how == "restart" else brittle_postgresql.kill)
            await asyncio.sleep(chance.random())
            await asyncio.to_thread(brittle_postgresql.start)
        await acknowledged(tables, 3)
    total = await check_nothing_missing(server, tables, url)
    # The next start is quick, and nothing is lost.
    assert server.end() == 0
    began = time.monotonic()
    server.start()
    took = time.monotonic() - began
    # The first start, without matches, takes as long on a busy machine.
    assert took < max(10, 3 * first)
    assert await check_nothing_missing(server, tables, url) == total
    assert server.faults() == []
    losses = sum(seat.losses for table in tables for seat in table.seats)
    print(
        f"{ROUNDS} times {how}, {GAMES} games: {total} moves acknowledged, none missing; {losses} sockets came back; "
    )
    print(f"next start {took:.1f} s, the first {first:.1f} s")


async def test_the_server_stops_although_postgresql_hangs(
    start: Callable[..., Server], brittle_postgresql: PostgreSQL, redis_url: str
) -> None:
    url = brittle_postgresql.new()
    server = start(*WORKERS, ACEDREX_DATABASE_URL=url, ACEDREX_REDIS_URL=redis_url)
    tables = tables_of(server, 2)
    try:
        async with under_play(tables):
            await acknowledged(tables, 3)
            brittle_postgresql.pause(on=True)
            await asyncio.sleep(2)
            began = time.monotonic()
            server.process.terminate()
            await asyncio.to_thread(server.process.wait, 40)
            assert time.monotonic() - began < 30
    finally:
        brittle_postgresql.pause(on=False)


def test_analysis_sockets_are_closed_as_restarting_while_the_database_is_down(
    start: Callable[..., Server], brittle_postgresql: PostgreSQL
) -> None:
    server = start(ACEDREX_DATABASE_URL=brittle_postgresql.new())
    line = server.connect("/api/analysis/socket")
    brittle_postgresql.kill()
    line.send(json.dumps({"type": "hello", "token": "x" * 40, "after": None}))
    with pytest.raises(ConnectionClosed):
        line.recv(TIMEOUT)
    assert line.close_code == 1012
    assert server.faults() == []


@pytest.mark.slow
@pytest.mark.parametrize("how", ["restart", "pause"])
async def test_moves_arrive_although_redis_restarts_or_hangs(
    start: Callable[..., Server], postgresql: PostgreSQL, brittle_redis: Redis, how: str
) -> None:
    url = postgresql.migrated()
    server = start(*WORKERS, ACEDREX_DATABASE_URL=url, ACEDREX_REDIS_URL=brittle_redis.url)
    tables = tables_of(server, GAMES)
    async with under_play(tables):
        await acknowledged(tables, 3)
        for _ in range(ROUNDS):
            if how == "restart":
                await asyncio.to_thread(brittle_redis.stop)
                # Players on another process receive moves at the next heartbeat.
                await acknowledged(tables, 2)
                await asyncio.to_thread(brittle_redis.start)
            else:
                brittle_redis.pause(on=True)
                try:
                    await acknowledged(tables, 2)
                finally:
                    brittle_redis.pause(on=False)
            await acknowledged(tables, 3)
        await asyncio.sleep(1)
    total = await check_nothing_missing(server, tables, url)
    lags = sorted(lag for table in tables for seat in table.seats for lag in seat.lags)
    assert lags[-1] < 30, "a move arrived much too late"
    assert server.end() == 0
    assert server.faults() == []
    print(f"Redis {how}, {GAMES} games: {total} moves, the latest heard after {lags[-1]:.1f} s")


def test_acknowledgements_do_not_wait_for_redis(
    start: Callable[..., Server], postgresql: PostgreSQL, brittle_redis: Redis
) -> None:
    server = start(*WORKERS, ACEDREX_DATABASE_URL=postgresql.migrated(), ACEDREX_REDIS_URL=brittle_redis.url)
    ana = Person(server)
    talk = ana.socket(ana.match("maasai")["match"])
    brittle_redis.pause(on=True)
    try:
        took = []
        for _ in range(5):
            began = time.monotonic()
            talk.move(talk.position["legal"][0]["move"])
            took.append(time.monotonic() - began)
        assert min(took) < 1, took
    finally:
        brittle_redis.pause(on=False)


def test_a_stall_of_the_process_costs_players_no_time(start: Callable[..., Server]) -> None:
    server = start()
    ana = Person(server)
    clocked = {"kind": "fischer", "initial_ms": 7_000, "increment_ms": 0}
    talks = [ana.socket(ana.match("chess", time=clocked)["match"]) for _ in range(2)]
    for talk in talks:
        for move in ("e2e4", "e7e5"):
            talk.move(move)
    os.kill(server.process.pid, signal.SIGSTOP)
    try:
        talks[0].say(type="move", move="g1f3", number=talks[0].number, id="under way")
        time.sleep(8)
    finally:
        os.kill(server.process.pid, signal.SIGCONT)
    assert talks[0].hear("ack", "refused")["type"] == "ack"
    talks[1].move("g1f3")
    for talk in talks:
        snapshot = anyone.get(f"{server.base}/api/matches/{talk.match}").json()
        assert snapshot["phase"] == "play" and snapshot["clock"]["white_ms"] > 0


def test_a_match_with_damaged_events_is_reported_and_disturbs_no_other(
    start: Callable[..., Server], postgresql: PostgreSQL, redis_url: str
) -> None:
    url = postgresql.migrated()
    server = start(ACEDREX_DATABASE_URL=url)
    ana = Person(server)
    clocked = {"kind": "fischer", "initial_ms": 60_000, "increment_ms": 0}
    whole, gap, garbage, illegal = (ana.match("chess", time=clocked)["match"] for _ in range(4))
    for match in (whole, gap, garbage, illegal):
        talk = ana.socket(match)
        for move in ("e2e4", "e7e5", "g1f3"):
            talk.move(move)
    server.kill()
    server.opened.close()
    changed = alter(
        url,
        f"DELETE FROM events WHERE match = '{gap}' AND number = 4",
        f"UPDATE events SET body = 'garbage' WHERE match = '{garbage}' AND number = 5",
        f"UPDATE events SET body = replace(body, 'e7e5', 'e7e3') WHERE match = '{illegal}' AND number = 5",
        # All seem to be overdue.
        "UPDATE matches SET deadline = 1",
    )
    assert changed == [1, 1, 1, 4]
    server.start()
    time.sleep(3)
    for match in (gap, garbage, illegal):
        answer = anyone.get(f"{server.base}/api/matches/{match}")
        assert answer.status_code == 500 and answer.json()["code"] == "broken_match"
        assert f'"match": "{ids.reference(match)}"' in server.log.read_text()
    assert anyone.get(f"{server.base}/api/matches/{whole}").status_code == 200
    assert "acedrex_matches_set_aside 3.0" in anyone.get(f"{server.base}/metrics").text
    assert server.log.read_text().count("match_set_aside") == 3, "each is logged once"
    assert server.end() == 0
    assert server.faults() == []
