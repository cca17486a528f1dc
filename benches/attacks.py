"""What one visitor can do to the others: moves of an honest 40 games without and beside each of many attacks.

``python -m benches.attacks`` runs them all, each against a server of its own with SQLite on disk, and fails if the 99th
percentile of ply-to-opponent rises by more than 100 ms. ``--only NAME`` runs one. Everything stays on this machine.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx
import msgspec
import uvloop
from msgspec import Struct, field

from acedrex import Board, load, pgn
from acedrex.server import cards, catalogue, events, wire
from acedrex.server.migrate import migrate
from acedrex.server.moment import now
from acedrex.server.state import Match
from acedrex.server.store import Store
from benches.live import CORES, Games, Load, Served, leave_garbage, serve

GAMES, PACE = 40, 1.0
#: Seconds that are measured without an attack and beside it, and how much longer than without a ply may take.
ALONE, BESIDE, BAR_MS = 8, 10, 100.0
#: Where all attacks come from.
ADDRESS = "127.0.9.9"
#: A match that many attacks ask for, and about how many plies it has.
LONG, LONG_PLIES = "longmatch001", 2_480


class Attacker(Struct):
    """Somebody at one address, and what they were answered."""

    server: Served
    answers: Counter[str] = field(default_factory=Counter)

    def client(self, **options: Any) -> httpx.AsyncClient:
        """Give a client that comes from the address."""
        transport = httpx.AsyncHTTPTransport(local_address=ADDRESS, verify=False)
        return httpx.AsyncClient(base_url=self.server.base, transport=transport, timeout=30, **options)

    async def ask(self, http: httpx.AsyncClient, method: str, path: str, **options: Any) -> httpx.Response | None:
        """Ask for something, and count the answer."""
        try:
            answer = await http.request(method, path, **options)
        except httpx.HTTPError as error:
            self.answers[type(error).__name__] += 1
            return None
        self.answers[str(answer.status_code)] += 1
        return answer

    async def guest(self, http: httpx.AsyncClient) -> dict[str, str]:
        """Become a new guest; gives the headers that say so, if that may be."""
        answer = await self.ask(http, "POST", "/api/guests", json={})
        if answer is None or answer.status_code != 201:
            await asyncio.sleep(0.05)
            return {}
        return {"Authorization": f"Bearer {answer.json()['token']}"}

    async def open(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter] | None:
        """Open a bare connection."""
        try:
            return await asyncio.open_connection("127.0.0.1", self.server.port, local_addr=(ADDRESS, 0))
        except OSError as error:
            self.answers[type(error).__name__] += 1
            return None

    async def socket(self, path: str) -> asyncio.StreamWriter | None:
        """Open a WebSocket of which nothing is read."""
        opened = await self.open()
        if opened is None:
            return None
        reader, writer = opened
        writer.write(
            f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\n\r\n".encode()
        )
        with suppress(OSError, TimeoutError):
            async with asyncio.timeout(5):
                head = await reader.readline()
            self.answers[head.split()[1].decode() if head else "closed"] += 1
            # From here on the system's buffers fill up.
            reader._transport.pause_reading()  # type: ignore[attr-defined]
        return writer

    async def push(self, writer: asyncio.StreamWriter, data: bytes, total: int) -> None:
        """Send the same again and again, as far as it is taken."""
        sent = 0
        try:
            while sent < total:
                writer.write(data)
                async with asyncio.timeout(2):
                    await writer.drain()
                sent += len(data)
            self.answers["MB taken"] += sent >> 20
        except (OSError, TimeoutError):
            self.answers["MB taken"] += sent >> 20
            self.answers["stopped"] += 1


Attack = Callable[[Attacker], Coroutine[Any, Any, None]]


def frame(text: bytes, opcode: int = 1) -> bytes:
    """Write a frame of a WebSocket."""
    size = bytes((128 | len(text),)) if len(text) < 126 else b"\xfe" + len(text).to_bytes(2)
    return bytes((128 | opcode,)) + size + b"\0\0\0\0" + text


async def at_once(count: int, work: Callable[[int], Awaitable[None]]) -> None:
    """Do something so many times at once, each again and again until it is stopped."""

    async def again(number: int) -> None:
        while True:
            await work(number)
            await asyncio.sleep(0)

    async with asyncio.TaskGroup() as group:
        for number in range(count):
            group.create_task(again(number))


async def engines(by: Attacker) -> None:
    """107 matches at level 10, each of a guest of its own."""
    asked = {
        "game": {"game": "maasai", "options": {}},
        "opponent": {"kind": "engine", "level": 10},
        "side": "black",
        "time": {"kind": "none"},
        "setup": "random",
    }
    async with by.client() as http:
        for _ in range(107):
            if headers := await by.guest(http):
                await by.ask(http, "POST", "/api/matches", json=asked, headers=headers)
        await asyncio.sleep(60)


def records(count: int, plies: int) -> bytes:
    """Write a PGN of random games."""
    chance, texts = random.Random(1), []
    for _ in range(count):
        board = Board()
        while len(board.move_stack) < plies and not board.is_game_over():
            board.push(chance.choice(board.legal_moves))
        texts.append(str(pgn.Game.from_board(board)))
    return "\n\n".join(texts).encode()


async def importing(by: Attacker, content: bytes) -> None:
    """Bring a file as often as that is taken, each time as a new guest."""

    async def bring(_: int) -> None:
        async with by.client() as http:
            if headers := await by.guest(http):
                await by.ask(http, "POST", "/api/archive", content=content, headers=headers)

    await at_once(4, bring)


async def valid_imports(by: Attacker) -> None:
    """Large files of whole games, each of a new guest."""
    await importing(by, records(700, 80))


async def faulty_imports(by: Attacker) -> None:
    """Large files in which everything is wrong, each of a new guest."""
    await importing(by, b'[Variant "chess"]\n\n1. e5 (Ke9 {' * 50_000)


async def streams(by: Attacker) -> None:
    """Bot streams without end, each of a new guest."""
    async with by.client() as http:

        async def listen(headers: dict[str, str]) -> None:
            with suppress(httpx.HTTPError):
                async with http.stream("GET", "/api/stream/event", headers=headers) as answer:
                    by.answers[f"stream {answer.status_code}"] += 1
                    await answer.aread()

        async with asyncio.TaskGroup() as group:
            for _ in range(1_610):
                if headers := await by.guest(http):
                    group.create_task(listen(headers))


def asking(*paths: str, connections: int = 8, method: str = "GET", **options: Any) -> Attack:
    """Ask for some pages in a loop over some connections."""

    async def attack(by: Attacker) -> None:
        async with by.client(limits=httpx.Limits(max_connections=connections)) as http:
            turn = itertools.cycle(paths)
            await at_once(connections, lambda _: by.ask(http, method, next(turn), **options))  # type: ignore[arg-type,return-value]

    return attack


async def brackets(by: Attacker) -> None:
    """Records of 240,000 brackets."""
    asked = {"pgn": '[Variant "chess"]\n\n1. e4 ' + "(" * 240_000}
    await asking("/api/analysis/record", method="POST", json=asked, connections=4)(by)


async def headers(by: Attacker) -> None:
    """200 MB of headers."""

    async def send(_: int) -> None:
        if opened := await by.open():
            writer = opened[1]
            writer.write(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n")
            await by.push(writer, b"X: " + b"y" * 65_000 + b"\r\n", 25 << 20)
            writer.close()

    await at_once(8, send)


async def pings(by: Attacker) -> None:
    """Pings over WebSockets whose pongs are never read."""

    async def send(_: int) -> None:
        if writer := await by.socket("/api/lobby/socket"):
            await by.push(writer, frame(b"p" * 120, 9) * 500, 64 << 20)
            writer.close()

    await at_once(8, send)


async def lobby(by: Attacker) -> None:
    """60 sockets of the lobby that read nothing, while challenges come and go."""
    sockets = [await by.socket("/api/lobby/socket") for _ in range(60)]
    asked = {
        "game": {"game": "maasai", "options": {}},
        "opponent": {"kind": "lobby"},
        "side": "white",
        "time": {"kind": "fischer", "initial_ms": 600_000, "increment_ms": 0},
        "setup": "random",
    }
    try:
        async with by.client() as http:
            own = await by.guest(http)
            await at_once(2, lambda _: by.ask(http, "POST", "/api/matches", json=asked, headers=own))  # type: ignore[arg-type,return-value]
    finally:
        for socket in sockets:
            if socket is not None:
                socket.close()


async def slow_loris(by: Attacker) -> None:
    """500 connections that send a byte of their headers now and then."""
    opened = [found for _ in range(500) if (found := await by.open())]
    try:
        while True:
            for _, writer in opened:
                if writer.is_closing():
                    by.answers["closed"] += 1
                else:
                    writer.write(b"G")
            await asyncio.sleep(1)
    finally:
        for _, writer in opened:
            writer.close()


async def joining(by: Attacker) -> None:
    """Joining a long match and leaving it in a loop."""

    async def join(_: int) -> None:
        if writer := await by.socket(f"/api/matches/{LONG}/socket"):
            writer.write(frame(msgspec.json.encode({"type": "hello", "token": None, "after": None})))
            await asyncio.sleep(0.05)
            writer.close()

    await at_once(20, join)


async def aborted_uploads(by: Attacker) -> None:
    """Large uploads that are given up."""

    async def send(_: int) -> None:
        if opened := await by.open():
            writer = opened[1]
            writer.write(b"POST /api/analysis/tree HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 2000000\r\n\r\n")
            await by.push(writer, b"x" * 65_536, 1 << 20)
            writer.close()

    await at_once(8, send)


async def chatter(by: Attacker) -> None:
    """Chat and illegal moves in a match of one's own, as fast as possible."""
    asked = {
        "game": {"game": "maasai", "options": {}},
        "opponent": {"kind": "self"},
        "side": "white",
        "time": {"kind": "none"},
        "setup": "random",
    }
    async with by.client() as http:
        own = await by.guest(http)
        made = await by.ask(http, "POST", "/api/matches", json=asked, headers=own)
        assert made is not None
        token = own["Authorization"].partition(" ")[2]

        async def talk(_: int) -> None:
            if writer := await by.socket(f"/api/matches/{made.json()['match']}/socket"):
                reading = writer.transport
                reading.resume_reading()  # type: ignore[attr-defined]
                writer.write(frame(msgspec.json.encode({"type": "hello", "token": token, "after": None})))
                ply = {"type": "ply", "ply": "a1a12", "number": 1, "id": "x"}
                said = frame(msgspec.json.encode({"type": "chat", "text": "hello", "id": "x"}))
                await by.push(writer, (said + frame(msgspec.json.encode(ply))) * 20, 1 << 20)
                writer.close()

        await at_once(10, talk)


ATTACKS: dict[str, Attack] = {
    "engines": engines,
    "imports": valid_imports,
    "faulty-imports": faulty_imports,
    "streams": streams,
    "pgn": asking(f"/api/matches/{LONG}/pgn"),
    "snapshots": asking(f"/api/matches/{LONG}"),
    "brackets": brackets,
    "watching": asking("/metrics", "/healthz", "/api/openapi.json"),
    "headers": headers,
    "pings": pings,
    "lobby": lobby,
    "slow-loris": slow_loris,
    "joining": joining,
    "uploads": aborted_uploads,
    "flood": asking("/api/games", "/api/lobby", connections=50),
    "archive": asking("/api/archive?player=a", "/api/archive/pgn"),
    "chatter": chatter,
}


async def prepare(url: str) -> int:
    """Store a long match; gives how many plies it has."""
    game, chance = load("maasai"), random.Random(1)
    board = Board(game, setup=game.setups[0])
    plies: list[str] = []
    while len(plies) < LONG_PLIES:
        for _ in range(50):
            ply = chance.choice(board.legal_moves)
            board.push(ply)
            if not board.is_game_over():
                break
            board.pop()
        else:
            break
        plies.append(ply.uci())
    at = now()
    created = events.Created(
        at=at,
        game=game.id,
        file=game.id,
        options=game.chosen_options,
        definition=catalogue.key(game),
        rules_hash=game.rules_hash,
        opponent="self",
        time=wire.NoTime(),
        side="white",
        setup=game.setups[0],
        arranging=None,
        hints=False,
    )
    seats = [events.Seated(at=at, side=side, person="nobody", name="Nobody") for side in ("white", "black")]
    happened = [created, *seats, *(events.PlyPlayed(at=at, ply=ply, spent=0) for ply in plies)]
    match = Match.fold(LONG, happened, game)
    store = Store(url)
    await store.open()
    await store.add_definition(catalogue.key(game), game.source)
    await store.write(*cards.first_steps(match, happened, "nobody"))
    await store.close()
    return len(plies)


async def measure(server: Served, attack: Attack) -> tuple[Load, Load, Attacker]:
    """Measure the games alone and beside an attack."""
    alone, beside, by = Load(), Load(), Attacker(server)
    games = Games(server, PACE, alone)
    await games.set_up(GAMES)
    games.begin()
    await asyncio.sleep(1)
    await games.measure(ALONE)
    games.load = beside
    for player in games.players:
        player.load = beside
    attacking = asyncio.create_task(attack(by))
    await asyncio.sleep(0.5)
    await games.measure(BESIDE)
    attacking.cancel()
    with suppress(asyncio.CancelledError, BaseExceptionGroup):
        await attacking
    await games.end()
    return alone, beside, by


def run(name: str, folder: Path) -> bool:
    """Run an attack and print what came of it; tell whether the bar was held."""
    url = f"sqlite+aiosqlite:///{folder / name}.db"
    migrate(url)
    asyncio.run(prepare(url))
    with serve(folder, name, CORES[:1]) as server:
        memory, stored = server.memory(), server.stored()
        alone, beside, by = uvloop.run(measure(server, ATTACKS[name]))
        memory, stored = server.memory() - memory, server.stored() - stored
    more = beside.delay(0.99) - alone.delay(0.99)
    holds = more < BAR_MS and not beside.refused
    answers = ", ".join(f"{what} {count}" for what, count in by.answers.most_common(6))
    print(
        f"{name:15} {alone.delay(0.5):7.1f} {alone.delay(0.99):7.1f} {beside.delay(0.5):7.1f} {beside.delay(0.99):7.1f}"
        f" {memory >> 20:6} {stored >> 20:6}  {'' if holds else 'MISSED  '}{dict(beside.refused) or ''}{answers}",
        flush=True,
    )
    return holds


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", choices=ATTACKS, action="append", help="an attack; by default all")
    args = parser.parse_args()
    leave_garbage()
    print(f"{GAMES} games, a ply per {PACE:g} s each; ply-to-opponent in ms, alone and beside an attack; MB more")
    print(f"{'attack':15} {'p50':>7} {'p99':>7} {'p50':>7} {'p99':>7} {'memory':>6} {'stored':>6}  what was answered")
    with tempfile.TemporaryDirectory() as folder:
        held = [run(name, Path(folder)) for name in args.only or ATTACKS]
    return not all(held)


if __name__ == "__main__":
    sys.exit(main())
