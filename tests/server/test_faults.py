"""What the server stands on fails under play, and nothing that was acknowledged is missing.

Short by default; ACEDREX_FAULTS=20 for as many restarts and kills as a release has to stand, with 20 games.
"""

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
from sqlalchemy import func, select, text
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, WebSocketException

from acedrex.server.store import connect as connect_database
from acedrex.server.tables import events
from tests.server.conftest import Person, Server, anyone
from tests.server.services import PostgreSQL, Redis

ROUNDS = int(os.environ.get("ACEDREX_FAULTS", "2"))
GAMES = 20 if ROUNDS >= 20 else 6
#: Milliseconds that a player thinks.
PAUSE = 0.05
WORKERS = ("--workers", "2")
#: What a player hears who asks again for what was stored already, or while the database is away.
TOLERATED = ("busy", "stale", "not_your_turn", "too_fast")


class Seat:
    """A player who comes back after every loss, and remembers what was acknowledged."""

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
            assert message["number"] == self.number + 1, "an event was not told"
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
    """A match between two people, who play as fast as they think."""

    def __init__(self, white: Person, black: Person, chance: random.Random) -> None:
        self.people = (white, black)
        self.chance = chance
        #: What was asked for under an id: a move and its place. By place: by whom a move was first sent, and when.
        self.asked: dict[str, tuple[int, str]] = {}
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
        # Not wait_for, which may lose that it was cancelled.
        with contextlib.suppress(OSError, WebSocketException, TimeoutError):
            async with asyncio.timeout(1):
                await seat.connection.send(json.dumps(said))  # type: ignore[union-attr]
                await seat.heard.wait()

    @property
    def is_over(self) -> bool:
        """Whether chance has brought the match to an end, as both players know."""
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
    """End tasks; what one of them found wrong raises."""
    for task in tasks:
        task.cancel()
    for one in await asyncio.gather(*tasks, return_exceptions=True):
        if isinstance(one, AssertionError):
            raise one


def tables_of(server: Server, count: int) -> list[Table]:
    people = [
        (Person(server, "Ana", f"127.0.5.{n + 1}"), Person(server, "Bo", f"127.0.6.{n + 1}")) for n in range(count)
    ]
    return [Table(white, black, random.Random(n)) for n, (white, black) in enumerate(people)]


async def acknowledged(tables: list[Table], more: int, seconds: float = 30) -> None:
    """Wait until every match has had so many more moves acknowledged."""
    wanted = {table: len(table.acknowledged) + more for table in tables}
    end = time.monotonic() + seconds
    while late := [table for table, most in wanted.items() if not table.is_over and len(table.acknowledged) < most]:
        stuck = [(table.match, [seat.told() for seat in table.seats]) for table in late]
        assert time.monotonic() < end, f"these do not go on: {stuck}"
        await asyncio.sleep(0.1)


def check_nothing_missing(server: Server, tables: list[Table], url: str) -> int:
    """Compare what is stored with what was acknowledged; give how much that is."""

    async def stored() -> list[tuple[str, int, int]]:
        engine = connect_database(url)
        counted = select(events.c.match, func.count(), func.max(events.c.number)).group_by(events.c.match)
        async with engine.connect() as connection:
            rows = [tuple(row) for row in await connection.execute(counted)]
        await engine.dispose()
        return rows  # type: ignore[return-value]

    gaps = [match for match, count, last in asyncio.run(stored()) if count != last]
    assert gaps == [], "numbers are missing among the events"
    total = 0
    for table in tables:
        # Long matches cost an address much.
        while (answer := anyone.get(f"{server.base}/api/matches/{table.match}")).status_code == 429:
            time.sleep(1)
        assert answer.status_code == 200, answer.text
        moves = [made["move"] for made in answer.json()["moves"]]
        for place, move in table.acknowledged.items():
            assert moves[place : place + 1] == [move], (table.match, place)
        total += len(table.acknowledged)
    return total


@pytest.mark.parametrize("how", ["restart", "kill"])
def test_postgresql_ends_under_play(
    start: Callable[..., Server], brittle_postgresql: PostgreSQL, redis_url: str, how: str
) -> None:
    url = brittle_postgresql.new()
    began = time.monotonic()
    server = start(*WORKERS, ACEDREX_DATABASE_URL=url, ACEDREX_REDIS_URL=redis_url)
    first = time.monotonic() - began
    tables = tables_of(server, GAMES)
    chance = random.Random(how)

    async def work() -> None:
        async with under_play(tables):
            for _ in range(ROUNDS):
                await acknowledged(tables, 3)
                await asyncio.sleep(chance.random())
                await asyncio.to_thread(brittle_postgresql.stop if how == "restart" else brittle_postgresql.kill)
                await asyncio.sleep(chance.random())
                await asyncio.to_thread(brittle_postgresql.start)
            await acknowledged(tables, 3)

    asyncio.run(work())
    total = check_nothing_missing(server, tables, url)
    # The next start is quick and finds everything.
    assert server.end() == 0
    began = time.monotonic()
    server.start()
    took = time.monotonic() - began
    # On a busy machine, or with no match at all, it takes as long.
    assert took < max(10, 3 * first)
    assert check_nothing_missing(server, tables, url) == total
    assert server.faults() == []
    losses = sum(seat.losses for table in tables for seat in table.seats)
    print(
        f"{ROUNDS} times {how}, {GAMES} games: {total} moves acknowledged, none missing; {losses} sockets came back; "
    )
    print(f"next start {took:.1f} s, the first {first:.1f} s")


def test_postgresql_that_hangs_stops_no_ending(
    start: Callable[..., Server], brittle_postgresql: PostgreSQL, redis_url: str
) -> None:
    url = brittle_postgresql.new()
    server = start(*WORKERS, ACEDREX_DATABASE_URL=url, ACEDREX_REDIS_URL=redis_url)
    tables = tables_of(server, 2)

    async def work() -> None:
        async with under_play(tables):
            await acknowledged(tables, 3)
            brittle_postgresql.pause(on=True)
            await asyncio.sleep(2)
            began = time.monotonic()
            server.process.terminate()
            await asyncio.to_thread(server.process.wait, 40)
            assert time.monotonic() - began < 30

    try:
        asyncio.run(work())
    finally:
        brittle_postgresql.pause(on=False)


def test_an_analysis_is_asked_to_come_back_while_the_database_is_away(
    start: Callable[..., Server], brittle_postgresql: PostgreSQL
) -> None:
    server = start(ACEDREX_DATABASE_URL=brittle_postgresql.new())
    line = server.connect("/api/analysis/socket")
    brittle_postgresql.kill()
    line.send(json.dumps({"type": "hello", "token": "x" * 40, "after": None}))
    with pytest.raises(ConnectionClosed):
        line.recv(20)
    assert line.close_code == 1012
    assert server.faults() == []


@pytest.mark.parametrize("how", ["restart", "pause"])
def test_redis_is_gone_for_a_while(
    start: Callable[..., Server], postgresql: Callable[[], str], brittle_redis: Redis, how: str
) -> None:
    url = postgresql()
    server = start(*WORKERS, ACEDREX_DATABASE_URL=url, ACEDREX_REDIS_URL=brittle_redis.url)
    tables = tables_of(server, GAMES)

    async def work() -> None:
        async with under_play(tables):
            await acknowledged(tables, 3)
            for _ in range(ROUNDS):
                if how == "restart":
                    await asyncio.to_thread(brittle_redis.stop)
                    # Those who sit with another process hear of it at the next heartbeat.
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

    asyncio.run(work())
    total = check_nothing_missing(server, tables, url)
    lags = sorted(lag for table in tables for seat in table.seats for lag in seat.lags)
    assert lags[-1] < 8, "somebody heard of a move much too late"
    assert server.end() == 0
    assert server.faults() == []
    print(f"Redis {how}, {GAMES} games: {total} moves, the latest heard after {lags[-1]:.1f} s")


def test_acknowledgements_do_not_wait_for_redis(
    start: Callable[..., Server], postgresql: Callable[[], str], brittle_redis: Redis
) -> None:
    server = start(*WORKERS, ACEDREX_DATABASE_URL=postgresql(), ACEDREX_REDIS_URL=brittle_redis.url)
    ana = Person(server)
    talk = ana.socket(ana.match("maasai")["match"])
    brittle_redis.pause(on=True)
    try:
        took = []
        for _ in range(5):
            began = time.monotonic()
            talk.move(talk.position["legal"][0]["move"])
            took.append(time.monotonic() - began)
        assert sorted(took)[2] < 1, took
    finally:
        brittle_redis.pause(on=False)


def test_a_stall_flags_nobody_and_what_was_on_its_way_is_in_time(start: Callable[..., Server]) -> None:
    server = start()
    ana = Person(server)
    clocked = {"kind": "fischer", "initial_ms": 4_000, "increment_ms": 0}
    talks = [ana.socket(ana.match("chess", time=clocked)["match"]) for _ in range(2)]
    for talk in talks:
        for move in ("e2e4", "e7e5"):
            talk.move(move)
    os.kill(server.process.pid, signal.SIGSTOP)
    try:
        talks[0].say(type="move", move="g1f3", number=talks[0].number, id="under way")
        time.sleep(7)
    finally:
        os.kill(server.process.pid, signal.SIGCONT)
    assert talks[0].hear("ack", "refused")["type"] == "ack"
    talks[1].move("g1f3")
    for talk in talks:
        snapshot = anyone.get(f"{server.base}/api/matches/{talk.match}").json()
        assert snapshot["phase"] == "play" and snapshot["clock"]["white_ms"] > 3_000


def test_a_broken_match_is_set_aside(
    start: Callable[..., Server], postgresql: Callable[[], str], redis_url: str
) -> None:
    url = postgresql()
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

    async def damage() -> None:
        engine = connect_database(url)
        async with engine.begin() as connection:
            for match, change in (
                (gap, "DELETE FROM events WHERE match = :match AND number = 4"),
                (garbage, "UPDATE events SET body = 'garbage' WHERE match = :match AND number = 5"),
                (illegal, "UPDATE events SET body = replace(body, 'e7e5', 'e7e3') WHERE match = :match AND number = 5"),
            ):
                changed = await connection.execute(text(change), {"match": match})
                assert changed.rowcount == 1
            # Their flags should have fallen long ago.
            await connection.execute(text("UPDATE matches SET deadline = 1"))
        await engine.dispose()

    asyncio.run(damage())
    server.start()
    time.sleep(3)
    for match in (gap, garbage, illegal):
        answer = anyone.get(f"{server.base}/api/matches/{match}")
        assert answer.status_code == 500 and answer.json()["code"] == "broken_match"
        assert f'"match": "{match}"' in server.log.read_text()
    assert anyone.get(f"{server.base}/api/matches/{whole}").status_code == 200
    assert "acedrex_matches_set_aside 3.0" in anyone.get(f"{server.base}/metrics").text
    assert server.log.read_text().count("match_set_aside") == 3, "each is named once"
    assert server.end() == 0
    assert server.faults() == []
