"""Attackers of the server: what they do, each from one address of this machine until it is stopped."""

from __future__ import annotations

import asyncio
import os
import random
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import msgspec
import uvloop

from acedrex import Board, pgn
from benches.live import CORES, frame, opening

#: Where attacks come from, most of them from the first; the honest players come from others.
ADDRESSES = ("127.0.9.9", "127.0.9.10")
#: The position of Menagerie whose moves are most bytes.
DEAREST = msgspec.json.decode(Path(__file__).parents[1].joinpath("tests/data/dearest.json").read_bytes())["menagerie"]
#: What goes wrong on a line that the server has closed.
BROKEN = (OSError, EOFError, ValueError, RuntimeError, asyncio.LimitOverrunError)

encode = msgspec.json.encode


class Line:
    """A connection to the server."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer

    async def send(self, data: bytes) -> None:
        self.writer.write(data)
        await self.writer.drain()

    async def head(self) -> bytes:
        """Read the head of an answer."""
        return await self.reader.readuntil(b"\r\n\r\n")

    async def ask(
        self, method: str, path: str, body: bytes = b"", token: str = "", kind: str = "application/json"
    ) -> tuple[int, bytes]:
        """Ask for something, and give the status and the body of the answer."""
        head = f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\n"
        head += f"Authorization: Bearer {token}\r\n" if token else ""
        await self.send(head.encode() + b"\r\n" + body)
        answer = (await self.head()).lower()
        found = b""
        if b"transfer-encoding: chunked" in answer:
            while size := int(await self.reader.readline(), 16):
                found += (await self.reader.readexactly(size + 2))[:-2]
            await self.reader.readline()
        elif b"content-length: " in answer:
            found = await self.reader.readexactly(int(answer.partition(b"content-length: ")[2].split()[0]))
        return int(answer.split()[1]), found

    def close(self) -> None:
        """Break off."""
        self.writer.transport.abort()


class Attacker:
    """Somebody who means harm: connections from one address, and what the server said."""

    def __init__(self, port: int, match: str) -> None:
        self.port = port
        #: A long match.
        self.match = match
        self.seen: Counter[str] = Counter()
        self._lines: list[Line] = []

    async def open(self, address: str = ADDRESSES[0]) -> Line:
        """Open a connection."""
        line = Line(*await asyncio.open_connection("127.0.0.1", self.port, local_addr=(address, 0)))
        self.seen["connections"] += 1
        self._lines.append(line)
        return line

    def close(self, line: Line) -> None:
        """Break off a connection."""
        self._lines.remove(line)
        line.close()

    def close_all(self) -> None:
        """Break off everything."""
        for line in self._lines:
            line.close()

    async def socket(self, path: str, token: str | None = None) -> Line:
        """Open a socket; with a token, say hello."""
        line = await self.open()
        await line.send(opening(path))
        status = (await line.head()).split()[1].decode()
        self.seen[status] += 1
        if status != "101":
            self.close(line)
            raise ValueError(status)
        if token is not None:
            await line.send(frame(encode({"type": "hello", "token": token or None, "after": None})))
        return line

    async def ask(self, line: Line, method: str, path: str, body: bytes = b"", token: str = "", **more: Any) -> bytes:
        """Ask for something and count the status; what is refused raises.

        :raises ValueError: if it was refused.
        """
        status, found = await line.ask(method, path, body, token, **more)
        self.seen[str(status)] += 1
        if status >= 400:
            if status in (429, 503):
                await asyncio.sleep(0.05)
            raise ValueError(status)
        return found

    async def guest(self, line: Line) -> str:
        """Become a new guest."""
        return str(msgspec.json.decode(await self.ask(line, "POST", "/api/guests", b"{}"))["token"])

    async def new_match(self, line: Line, token: str, opponent: dict[str, Any], side: str = "white") -> str:
        """Make a match."""
        asked = {"game": {"game": "metamachy"}, "opponent": opponent, "side": side, "time": {"kind": "none"}}
        return str(msgspec.json.decode(await self.ask(line, "POST", "/api/matches", encode(asked), token))["match"])

    async def keep_on(
        self,
        many: int,
        work: Callable[[Line], Awaitable[None]],
        at_most: float = float("inf"),
        addresses: Sequence[str] = ADDRESSES[:1],
    ) -> None:
        """Do something again and again over many connections from each address, until it has gone well so often."""
        done = 0

        async def one(address: str) -> None:
            nonlocal done
            while True:
                line = None
                try:
                    line = await self.open(address)
                    while True:
                        if done >= at_most:
                            await asyncio.sleep(1)
                            continue
                        with suppress(ValueError):
                            await work(line)
                            done += 1
                        if line.reader.at_eof():
                            break
                except BROKEN as error:
                    self.seen[f"{type(error).__name__}"] += 1
                    await asyncio.sleep(0.05)
                finally:
                    if line is not None:
                        self.close(line)

        await asyncio.gather(*(one(address) for address in addresses for _ in range(many)))


# Attacks: each goes on until it is cancelled.


async def engines(attacker: Attacker) -> None:
    """Make the engine think in 107 matches at its highest level, each with a new guest."""

    async def work(line: Line) -> None:
        await attacker.new_match(line, await attacker.guest(line), {"kind": "engine", "level": 10}, "black")

    await attacker.keep_on(4, work, at_most=107)


def records(size: int) -> bytes:
    """Write a file of records that differ in their tags alone."""
    chance = random.Random(1)
    board = Board("chess")
    while not board.is_game_over() and board.ply() < 300:
        board.push(chance.choice(board.legal_moves))
    game = pgn.Game.from_board(board)
    text = str(game)
    copies = (text.replace('[Event "', f'[Event "{number}') for number in range(size // len(text)))
    return "\n\n".join(copies).encode()


async def imports(attacker: Attacker) -> None:
    """Bring large files of records as new guests, good ones and faulty ones in turn."""
    good = records(2_000_000)
    faulty = good.replace(b"1. ", b"1. Zz9 ")

    async def work(line: Line) -> None:
        token = await attacker.guest(line)
        for file in (good, faulty, b"(" * 2_000_000):
            await attacker.ask(line, "POST", "/api/archive", file, token, kind="application/x-chess-pgn")

    await attacker.keep_on(3, work)


async def streams(attacker: Attacker) -> None:
    """Open streams of bots, each a new guest's, and read none of them."""

    async def work(line: Line) -> None:
        token = await attacker.guest(line)
        stream = await attacker.open()
        await stream.send(
            f"GET /api/stream/event HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {token}\r\n\r\n".encode()
        )
        attacker.seen["stream " + (await stream.head()).split()[1].decode()] += 1

    await attacker.keep_on(8, work, at_most=1_610)


def loop(many: int, *paths: str) -> Callable[[Attacker], Awaitable[None]]:
    """Ask for some paths in turn, over many connections."""

    async def attack(attacker: Attacker) -> None:
        async def work(line: Line) -> None:
            for path in paths:
                await attacker.ask(line, "GET", path.format(match=attacker.match))

        await attacker.keep_on(many, work)

    return attack


async def brackets(attacker: Attacker) -> None:
    """Send a PGN of 240,000 brackets."""
    body = encode({"pgn": "(" * 240_000})

    async def work(line: Line) -> None:
        await attacker.ask(line, "POST", "/api/analysis/record", body)

    await attacker.keep_on(4, work)


async def positions(attacker: Attacker) -> None:
    """Ask for the moves of the dearest position and for a picture of it, from two addresses."""
    asked = {"game": "menagerie", "fen": DEAREST}

    async def work(line: Line) -> None:
        await attacker.ask(line, "POST", "/api/position", encode(asked))
        await attacker.ask(line, "POST", "/api/analysis/attacks", encode(asked))
        await attacker.ask(line, "POST", "/api/analysis/picture", encode(asked))

    await attacker.keep_on(8, work, addresses=ADDRESSES)


async def headers(attacker: Attacker) -> None:
    """Send 200 MB of headers over eight connections."""
    piece = b"X-More: " + b"a" * 8_000 + b"\r\n"
    left = 200_000_000

    async def work(line: Line) -> None:
        nonlocal left
        await line.send(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n")
        while left > 0:
            left -= len(piece)
            await line.send(piece)
            attacker.seen["bytes"] += len(piece)
        await line.head()

    await attacker.keep_on(8, work)


async def pings(attacker: Attacker) -> None:
    """Send pings over ten sockets without reading what comes back."""
    many = frame(b"p" * 125, 9) * 500

    async def work(_: Line) -> None:
        line = await attacker.socket(f"/api/matches/{attacker.match}/socket", "")
        while True:
            await line.send(many)
            attacker.seen["pings"] += 500

    await attacker.keep_on(10, work)


async def lobby(attacker: Attacker) -> None:
    """Watch the lobby 60 times without reading, while challenges are made and withdrawn."""
    for _ in range(60):
        with suppress(*BROKEN):
            await attacker.socket("/api/lobby/socket")

    async def work(line: Line) -> None:
        token = await attacker.guest(line)
        for _ in range(20):
            match = await attacker.new_match(line, token, {"kind": "lobby"})
            socket = await attacker.socket(f"/api/matches/{match}/socket", token)
            await socket.send(frame(encode({"type": "abort", "id": "a"})))
            await asyncio.sleep(0.01)
            attacker.close(socket)

    await attacker.keep_on(4, work)


async def loris(attacker: Attacker) -> None:
    """Send requests by a byte a second over 500 connections."""

    async def work(line: Line) -> None:
        for byte in b"GET /api/games HTTP/1.1\r\nX-Slow: " + b"a" * 1_000:
            await line.send(bytes((byte,)))
            await asyncio.sleep(1)

    await attacker.keep_on(500, work)


async def snapshots(attacker: Attacker) -> None:
    """Join a long match and leave it, again and again."""

    async def work(_: Line) -> None:
        line = await attacker.socket(f"/api/matches/{attacker.match}/socket", "")
        await line.reader.readexactly(2)
        attacker.close(line)

    await attacker.keep_on(8, work)


async def uploads(attacker: Attacker) -> None:
    """Send nearly all of a large file, and break off."""
    token = await attacker.guest(await attacker.open())
    head = (
        "POST /api/archive HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/x-chess-pgn\r\n"
        f"Content-Length: 2000000\r\nAuthorization: Bearer {token}\r\n\r\n"
    ).encode()

    async def work(_: Line) -> None:
        line = await attacker.open()
        try:
            await line.send(head + b"x" * 1_900_000)
            attacker.seen["broken off"] += 1
        finally:
            attacker.close(line)

    await attacker.keep_on(8, work)


async def doors(attacker: Attacker) -> None:
    """Open sockets and close them at once."""

    async def work(_: Line) -> None:
        attacker.close(await attacker.socket(f"/api/matches/{attacker.match}/socket"))

    await attacker.keep_on(20, work)


async def chatter(attacker: Attacker) -> None:
    """Write chat and make illegal moves in a match of one's own, as fast as it goes."""
    said = frame(encode({"type": "chat", "text": "a" * 300, "id": "c"}))
    made = frame(encode({"type": "move", "move": "a1a1", "number": 1, "id": "p"}))

    async def work(line: Line) -> None:
        token = await attacker.guest(line)
        match = await attacker.new_match(line, token, {"kind": "self"})
        socket = await attacker.socket(f"/api/matches/{match}/socket", token)
        reading = asyncio.create_task(_read(socket))
        try:
            while not socket.reader.at_eof():
                await socket.send((said + made) * 50)
                attacker.seen["said"] += 100
                await asyncio.sleep(0)
        finally:
            reading.cancel()
            attacker.close(socket)

    async def _read(line: Line) -> None:
        while await line.reader.read(65_536):
            pass

    await attacker.keep_on(4, work)


ATTACKS: dict[str, Callable[[Attacker], Awaitable[None]]] = {
    "engines": engines,
    "imports": imports,
    "streams": streams,
    "pgn": loop(8, "/api/matches/{match}/pgn"),
    "match": loop(8, "/api/matches/{match}"),
    "brackets": brackets,
    "positions": positions,
    "watching": loop(8, "/metrics", "/healthz", "/api/openapi.json"),
    "headers": headers,
    "pings": pings,
    "lobby": lobby,
    "loris": loris,
    "snapshots": snapshots,
    "uploads": uploads,
    "flood": loop(50, "/api/lobby"),
    "doors": doors,
    "chatter": chatter,
}


def attack(name: str, port: int, match: str, seconds: float, parent: Connection) -> None:
    """Attack for some seconds, in a process of its own, and tell the parent what the server said."""
    os.sched_setaffinity(0, CORES[-1:])
    # The honest players' moves must not wait for us.
    os.nice(10)
    attacker = Attacker(port, match)

    async def run() -> None:
        try:
            with suppress(TimeoutError):
                async with asyncio.timeout(seconds):
                    await ATTACKS[name](attacker)
        except BROKEN as error:
            attacker.seen[f"ended by {type(error).__name__}"] += 1
        finally:
            attacker.close_all()

    uvloop.run(run())
    parent.send(attacker.seen)
