"""Load on the server of people who analyse: as their browsers ask it, and as they do with the core in the browser.

``python -m benches.analysing`` lets 500 people walk through a game of Maasai at a move per ten seconds each, and takes
about a minute. Without the core a browser asks the server for every position and for the engine's lines. With it, the
page is opened, and that is all.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import httpx
import msgspec
import uvloop
from websockets.asyncio.client import ClientConnection, connect

from acedrex import Board, load
from benches.live import CORES, Served, leave_garbage, serve, share

GAME = "maasai"
SECONDS_A_MOVE = 10.0
#: How long a browser waits before it asks for lines, so that a move that is only passed costs nothing.
PAUSE = 0.2
#: People who come at once.
COMING = 64
#: Seconds for the people to fall into their pace.
SETTLING = 5.0


class Line:
    """A random game: what is asked about each of its positions."""

    def __init__(self, moves: int) -> None:
        chance = random.Random(1)
        board = Board(load(GAME))
        self.start = board.fen()
        self.fens, self.moves = [self.start], list[str]()
        for _ in range(moves):
            move = chance.choice(board.legal_moves)
            board.push(move)
            self.moves.append(move.uci())
            self.fens.append(board.fen())


class Load:
    """What was measured; times in seconds."""

    def __init__(self) -> None:
        self.measuring = False
        self.moves: list[float] = []
        self.lines: list[float] = []
        self.refused: Counter[str] = Counter()
        #: Moves after which no line came before the next one.
        self.late = 0


class Person:
    """Somebody with an analysis board."""

    def __init__(self, server: Served, number: int, line: Line, load: Load, *, core: bool) -> None:
        self.server, self.line, self.load, self.core = server, line, load, core
        self.address = f"127.1.{1 + number // 200}.{1 + number % 200}"
        self.at = random.randrange(len(line.moves))
        self.asked = 0

    @asynccontextmanager
    async def comes(self) -> AsyncIterator[tuple[httpx.AsyncClient, ClientConnection | None]]:
        """Open the page and, without the core, the socket for lines."""
        transport = httpx.AsyncHTTPTransport(local_address=self.address, verify=False)
        async with httpx.AsyncClient(base_url=self.server.base, transport=transport, timeout=60) as http:
            await self.open(http)
            if self.core:
                yield http, None
                return
            url = self.server.base.replace("http", "ws") + "/api/analysis/socket"
            async with connect(url, local_addr=(self.address, 0), max_size=None, proxy=None) as socket:
                await socket.send(msgspec.json.encode({"type": "hello", "token": None, "after": None}), text=True)
                yield http, socket

    async def open(self, http: httpx.AsyncClient) -> None:
        """Ask for what a page needs first."""
        (await http.get(f"/api/games/{GAME}?lang=en")).raise_for_status()
        (await http.post("/api/analysis/tree", json={"game": GAME, "nodes": []})).raise_for_status()

    async def analyse(self, http: httpx.AsyncClient, socket: ClientConnection | None) -> None:
        """Make a move now and then, for ever."""
        await asyncio.sleep(random.random() * SECONDS_A_MOVE)
        due = time.perf_counter()
        while True:
            if socket is not None:
                await self.move(http, socket)
            due = max(due, time.perf_counter() - SECONDS_A_MOVE) + SECONDS_A_MOVE
            await asyncio.sleep(max(0.0, due - time.perf_counter()))

    async def move(self, http: httpx.AsyncClient, socket: ClientConnection) -> None:
        """Make the next move of the game, and wait for the first line."""
        self.at = (self.at + 1) % len(self.line.moves)
        counts, began = self.load.measuring, time.perf_counter()
        asked = {"game": GAME, "fen": self.line.fens[self.at], "moves": [self.line.moves[self.at]]}
        answer = await http.post("/api/analysis/moves", json=asked)
        if counts and answer.status_code == 200:
            self.load.moves.append(time.perf_counter() - began)
        elif counts:
            self.load.refused[str(answer.json()["code"])] += 1
        await asyncio.sleep(PAUSE)
        began = time.perf_counter()
        self.asked += 1
        name = str(self.asked)
        look = {"type": "look", "id": name, "game": GAME, "fen": self.line.start, "lines": 1}
        moves = self.line.moves[: self.at + 1]
        await socket.send(msgspec.json.encode({**look, "moves": moves}), text=True)
        with suppress(TimeoutError):
            async with asyncio.timeout(SECONDS_A_MOVE - PAUSE):
                while True:
                    heard = msgspec.json.decode(await socket.recv())
                    if heard["type"] == "refused" or heard.get("id") == name:
                        break
            if not counts:
                return
            if heard["type"] == "lines":
                self.load.lines.append(time.perf_counter() - began)
            else:
                self.load.refused[str(heard["error"]["code"])] += 1
            return
        if counts:
            self.load.late += 1


def used(pid: int) -> float:
    """Return the seconds of CPU that a process and those that it has started have used."""
    seconds, waiting = 0.0, [pid]
    while waiting:
        one = waiting.pop()
        with suppress(FileNotFoundError, ProcessLookupError):
            fields = Path(f"/proc/{one}/stat").read_text().rpartition(")")[2].split()
            seconds += (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
            for children in Path(f"/proc/{one}/task").glob("*/children"):
                waiting += map(int, children.read_text().split())
    return seconds


async def measured(server: Served, people: int, seconds: float, *, core: bool) -> tuple[Load, float, float]:
    """Let people analyse; return what was measured, and the cores that the server and its analysts took."""
    load, line, gate = Load(), Line(80), asyncio.Semaphore(COMING)
    here = asyncio.Event()
    count = 0

    async def one(number: int) -> None:
        nonlocal count
        person = Person(server, number, line, load, core=core)
        await gate.acquire()
        async with person.comes() as (http, socket):
            gate.release()
            count += 1
            if count == people:
                here.set()
            await person.analyse(http, socket)

    tasks = [asyncio.create_task(one(number)) for number in range(people)]
    await here.wait()
    await asyncio.sleep(SETTLING)
    load.measuring = True
    before = server.cpu(), used(server.pid)
    await asyncio.sleep(seconds)
    after = server.cpu(), used(server.pid)
    load.measuring = False
    if not core:
        await asyncio.sleep(SECONDS_A_MOVE)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    own, together = ((late - early) / seconds for early, late in zip(before, after, strict=True))
    return load, own, together - own


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--people", type=int, default=500, help="people who analyse at once (500)")
    parser.add_argument("--seconds", type=float, default=15, help="how long to measure each (15)")
    args = parser.parse_args()
    leave_garbage()
    print(f"\n{args.people} people who analyse, a move per {SECONDS_A_MOVE:.0f} s each\n")
    for core in (False, True):
        with tempfile.TemporaryDirectory() as folder, serve(Path(folder), "analysing", CORES) as server:
            load, own, analysts = uvloop.run(measured(server, args.people, args.seconds, core=core))
        parts = [f"{'with' if core else 'without'} the core: server {own:.0%} of a core, analysts {analysts:.0%}"]
        if not core:
            answers = f"p50 {share(load.moves, 0.5):.0f} ms, p99 {share(load.moves, 0.99):.0f} ms"
            parts.append(f"{len(load.moves)} moves answered, {answers}")
            first = f", p50 {share(load.lines, 0.5):.0f} ms" if load.lines else ""
            parts.append(f"first lines for {len(load.lines)}{first}, none in time for {load.late}")
            parts.append(f"refused {dict(load.refused)}")
        print("; ".join(parts), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
