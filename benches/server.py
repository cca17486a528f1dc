"""Load on the server: live games over real sockets, the generator on one core and the server on another.

``python -m benches.server`` plays 500 games of Maasai at a ply per two seconds each, then looks for the largest number
for which the 99th percentile of ply-to-opponent stays under 100 ms. SQLite is on disk. ``--games N`` plays N and stops.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from contextlib import AsyncExitStack
from pathlib import Path

import httpx
import msgspec
import uvloop
import websockets
from msgspec import Struct

SECONDS_A_PLY = 2.0
LIMIT_MS = 100.0
#: Visitors come from many addresses, as they do in life: the server limits each of them.
GAMES_AN_ADDRESS = 10


class Ply(Struct):
    ply: str


class Position(Struct):
    legal: list[Ply]


class Message(Struct):
    type: str
    number: int = 0
    phase: str = ""
    position: Position | None = None
    id: str | None = None
    error: dict[str, str | None] | None = None


decode = msgspec.json.Decoder(Message).decode


class Load:
    """What was measured."""

    def __init__(self) -> None:
        self.delays: list[float] = []
        self.acks: list[float] = []
        self.sent = 0
        self.acknowledged = 0
        self.refused: Counter[str] = Counter()
        self.measuring = False


class Side:
    """One player's socket."""

    def __init__(self, connection: websockets.ClientConnection, load: Load) -> None:
        self.connection = connection
        self.load = load
        self.legal: list[Ply] = []
        self.number = 0
        self.over = False
        self.heard = asyncio.Event()
        self.opponent: Side = self
        self.sent_at = 0.0

    async def listen(self) -> None:
        try:
            async for text in self.connection:
                arrived = time.perf_counter()
                message = decode(text)
                if message.type in ("update", "snapshot"):
                    self.number = message.number
                    self.over = message.phase == "over"
                    if message.position is not None:
                        self.legal = message.position.legal
                    if self.legal and self.opponent.sent_at:
                        if self.load.measuring:
                            self.load.delays.append(arrived - self.opponent.sent_at)
                        self.opponent.sent_at = 0.0
                    self.heard.set()
                elif message.type == "ack":
                    self.load.acknowledged += 1
                elif message.type == "refused":
                    self.load.refused[str((message.error or {}).get("code"))] += 1
        except websockets.ConnectionClosed as closed:
            self.load.refused[f"closed {closed.code}"] += 1

    async def play(self) -> None:
        choice = random.choice(self.legal).ply
        self.legal = []
        self.load.sent += 1
        self.sent_at = time.perf_counter()
        ply = {"type": "ply", "ply": choice, "number": self.number, "id": "x"}
        await self.connection.send(msgspec.json.encode(ply).decode())


async def game(base: str, number: int, load: Load, stop: asyncio.Event) -> None:
    address = f"127.0.{1 + number // GAMES_AN_ADDRESS // 200}.{1 + number // GAMES_AN_ADDRESS % 200}"
    tasks: list[asyncio.Task[None]] = []
    opened = AsyncExitStack()
    try:
        async with httpx.AsyncClient(
            base_url=base, transport=httpx.AsyncHTTPTransport(local_address=address), timeout=60
        ) as http:
            tokens = [(await http.post("/api/guests", json={})).json()["token"] for _ in range(2)]
            asked = {
                "game": {"game": "maasai", "options": {}},
                "opponent": {"kind": "friend"},
                "side": "white",
                "time": {"kind": "fischer", "initial_ms": 3_600_000, "increment_ms": 2_000},
                "setup": "random",
            }
            headers = [{"Authorization": f"Bearer {token}"} for token in tokens]
            made = (await http.post("/api/matches", json=asked, headers=headers[0])).json()
            seat = f"/api/matches/{made['match']}/seat"
            (await http.post(seat, json={"invite": made["invite"]}, headers=headers[1])).raise_for_status()
        sides: list[Side] = []
        for token in tokens:
            url = f"{base.replace('http', 'ws')}/api/matches/{made['match']}/socket"
            opening = websockets.connect(url, compression=None, local_addr=(address, 0), max_queue=None)
            connection = await opened.enter_async_context(opening)
            await connection.send(msgspec.json.encode({"type": "hello", "token": token, "after": None}).decode())
            sides.append(Side(connection, load))
        white, black = sides
        white.opponent, black.opponent = black, white
        tasks = [asyncio.create_task(side.listen()) for side in sides]
        await white.heard.wait()
        await asyncio.sleep(random.random() * SECONDS_A_PLY)
        while not stop.is_set() and not white.over:
            began = time.perf_counter()
            for side in sides:
                if side.legal:
                    await side.play()
                    break
            await asyncio.sleep(max(0.0, SECONDS_A_PLY - (time.perf_counter() - began)))
        await asyncio.sleep(0.5)
    finally:
        await opened.aclose()
        for task in tasks:
            task.cancel()


async def play(base: str, games: int, seconds: float) -> Load:
    load, stop = Load(), asyncio.Event()
    running: dict[int, asyncio.Task[None]] = {}
    for number in range(games):
        running[number] = asyncio.create_task(game(base, number, load, stop))
        await asyncio.sleep(0.02)
    await asyncio.sleep(3)
    load.measuring = True
    await asyncio.sleep(seconds)
    load.measuring = False
    stop.set()
    done = await asyncio.gather(*running.values(), return_exceptions=True)
    load.refused.update(repr(error)[:80] for error in done if isinstance(error, Exception))
    return load


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def measure(games: int, seconds: float, folder: Path) -> bool:
    port = free_port()
    environment = {**os.environ, "ACEDREX_DATABASE_URL": f"sqlite:///{folder}/bench-{games}.db"}
    command = [sys.executable, "-m", "acedrex", "serve", "--port", str(port)]
    log = (folder / "log").open("w")
    server = subprocess.Popen(command, env=environment, stdout=log, stderr=log)
    cores = sorted(os.sched_getaffinity(0))
    os.sched_setaffinity(server.pid, {cores[0]})
    os.sched_setaffinity(0, {cores[-1]})
    base = f"http://127.0.0.1:{port}"
    try:
        for _ in range(100):
            try:
                httpx.get(f"{base}/healthz")
                break
            except httpx.TransportError:
                time.sleep(0.1)
        before = os.times()
        used = cpu_seconds(server.pid)
        began = time.perf_counter()
        load = uvloop.run(play(base, games, seconds))
        took = time.perf_counter() - began
        used = cpu_seconds(server.pid) - used
        own = sum(os.times()[:2]) - sum(before[:2])
    finally:
        server.send_signal(signal.SIGTERM)
        server.wait(20)
        os.sched_setaffinity(0, set(cores))
    delays = sorted(delay * 1000 for delay in load.delays)
    if len(delays) < 100:
        print(f"{games} games: too few plies ({len(delays)}); {dict(load.refused)}")
        return False
    p50, p99 = statistics.median(delays), delays[int(len(delays) * 0.99)]
    lost = load.sent - load.acknowledged - sum(load.refused.values())
    print(
        f"{games:5} games  {len(delays):6} plies  p50 {p50:6.1f} ms  p99 {p99:6.1f} ms  most {delays[-1]:6.1f} ms  "
        f"lost {lost}  refused {dict(load.refused)}  server {used / took:4.0%}  generator {own / took:4.0%} of a core",
        flush=True,
    )
    return p99 < LIMIT_MS and not lost and not load.refused


def cpu_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, help="games at once; without it 500, then more as long as it holds")
    parser.add_argument("--seconds", type=float, default=20, help="how long to measure (20)")
    parser.add_argument("--folder", help="where the database lies; by default a temporary folder")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(args.folder or temporary)
        if args.games:
            return not measure(args.games, args.seconds, folder)
        games = 500
        holds = fine = measure(games, args.seconds, folder)
        while holds and games < 4_000:
            games += 250
            holds = measure(games, args.seconds, folder)
        print(f"largest number that holds: {games - 250 if fine else 'fewer than 500'}")
    return not fine


if __name__ == "__main__":
    sys.exit(main())
