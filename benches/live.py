"""Live games over real sockets, and a server of their own to play them on: what the benches of the server share."""

from __future__ import annotations

import asyncio
import gc
import os
import random
import signal
import socket
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import cast

import httpx
import msgspec
from msgspec import Struct

#: Visitors come from many addresses, as they do in life: the server limits each of them.
GAMES_AN_ADDRESS = 4
#: Games that are set up at once, before any is played.
SETTING_UP = 16
#: Seconds to wait for messages under way after the last move.
PATIENCE = 10.0
SETUP = "UFDO-QKGL"
CORES = sorted(os.sched_getaffinity(0))


def stolen() -> float:
    """Return the seconds of steal time, summed over all cores."""
    return int(Path("/proc/stat").read_text().split()[8]) / os.sysconf("SC_CLK_TCK")


class Served(Struct):
    """A server that runs."""

    base: str
    pid: int
    database: Path

    @property
    def port(self) -> int:
        """The port."""
        return int(self.base.rpartition(":")[2])

    def cpu(self) -> float:
        """Return the seconds of CPU that the server has used, without its engines."""
        fields = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def memory(self) -> int:
        """Return the bytes that the server and its processes hold."""
        pages, waiting = 0, [self.pid]
        while waiting:
            pid = waiting.pop()
            with suppress(FileNotFoundError, ProcessLookupError):
                pages += int(Path(f"/proc/{pid}/statm").read_text().split()[1])
                for children in Path(f"/proc/{pid}/task").glob("*/children"):
                    waiting += map(int, children.read_text().split())
        return pages * os.sysconf("SC_PAGE_SIZE")

    def stored(self) -> int:
        """Return the bytes of the database."""
        return sum(file.stat().st_size for file in self.database.parent.glob(self.database.name + "*"))


@contextmanager
def serve(folder: Path, name: str, cores: list[int], *words: str, **environment: str) -> Iterator[Served]:
    """Run a server with a new SQLite database in a folder on some cores; ourselves on the last one.

    :param words: options of the server.
    :param environment: variables of its environment, such as another database.
    """
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    name = f"{name}-{port}"
    database = folder / f"{name}.db"
    environment = {**os.environ, "ACEDREX_DATABASE_URL": f"sqlite:///{database}", **environment}
    command = [sys.executable, "-m", "acedrex", "serve", "--port", str(port), *words]
    # Whoever ends us ends the server too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    with (folder / f"{name}.log").open("w") as log:
        server = subprocess.Popen(command, env=environment, stdout=log, stderr=log)
    try:
        os.sched_setaffinity(server.pid, cores)
        os.sched_setaffinity(0, CORES[-1:])
        base = f"http://127.0.0.1:{port}"
        for _ in range(600):
            try:
                httpx.get(f"{base}/healthz")
                break
            except httpx.TransportError:
                time.sleep(0.1)
        yield Served(base, server.pid, database)
    finally:
        os.sched_setaffinity(0, CORES)
        server.send_signal(signal.SIGTERM)
        try:
            server.wait(30)
        except subprocess.TimeoutExpired:
            server.kill()


class Move(Struct):
    move: str


class Position(Struct):
    legal: list[Move]


class Message(Struct):
    type: str
    number: int = 0
    phase: str = ""
    position: Position | None = None
    error: dict[str, str | None] | None = None


decode = msgspec.json.Decoder(Message).decode


def share(delays: list[float], part: float) -> float:
    """Return a quantile of the delays, in milliseconds."""
    return sorted(delays)[int(len(delays) * part)] * 1000 if delays else float("inf")


class Load:
    """What was measured; times in seconds."""

    def __init__(self) -> None:
        self.delays: list[float] = []
        #: How late the generator itself came to what it had to do.
        self.late: list[float] = []
        self.sent = 0
        self.acknowledged = 0
        self.refused: Counter[str] = Counter()
        self.measuring = False

    @property
    def lost(self) -> int:
        """Moves that were never answered."""
        return self.sent - self.acknowledged - self.refused.total()

    async def watch_ourselves(self) -> None:
        """Measure how late the generator is, whatever the server does."""
        loop = asyncio.get_running_loop()
        while True:
            due = loop.time() + 0.01
            await asyncio.sleep(0.01)
            if self.measuring:
                self.late.append(loop.time() - due)


def opening(path: str) -> bytes:
    """Write the request that opens a socket."""
    return (
        f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\n\r\n"
    ).encode()


def frame(text: bytes, opcode: int = 1) -> bytes:
    """Write a frame; the mask that clients have to use may be all zero, and then it changes nothing."""
    length = len(text)
    size = bytes((128 | length,)) if length < 126 else b"\xfe" + length.to_bytes(2)
    return bytes((128 | opcode,)) + size + b"\0\0\0\0" + text


class Player(asyncio.Protocol):
    """One player's socket. Frames are read and written here: a library for them would take most of our core."""

    def __init__(self, load: Load, match: str, token: str, address: str) -> None:
        self.load = load
        self.match = match
        self.token = token
        self.address = address
        self.legal: list[Move] = []
        self.number = 0
        self.over = False
        #: Moves that this player has sent, and that the server has acknowledged.
        self.sent = self.acknowledged = 0
        self.ready: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.opponent: Player = self
        #: When the move was sent that the opponent has not seen yet, and whether it counts.
        self.sent_at: float | None = None
        self.counts = False
        self._buffer = bytearray()
        self._talks = False
        self._ends = False

    async def open(self, port: int) -> None:
        """Open the socket from the player's address, and wait for the snapshot."""
        loop = asyncio.get_running_loop()
        await loop.create_connection(lambda: self, "127.0.0.1", port, local_addr=(self.address, 0))
        await self.ready

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.Transport, transport)
        self.transport.write(opening(f"/api/matches/{self.match}/socket"))

    def send(self, text: bytes, opcode: int = 1) -> None:
        """Send a frame."""
        self.transport.write(frame(text, opcode))

    def data_received(self, data: bytes) -> None:
        arrived = time.perf_counter()
        buffer = self._buffer
        buffer += data
        if not self._talks:
            head, end, _ = buffer.partition(b"\r\n\r\n")
            if not end:
                return
            if not head.startswith(b"HTTP/1.1 101"):
                self._fail(f"socket {head.split()[1].decode()}")
                return
            del buffer[: len(head) + 4]
            self._talks = True
            self.send(msgspec.json.encode({"type": "hello", "token": self.token, "after": None}))
        at = 0
        while len(buffer) >= at + 2:
            length, start = buffer[at + 1], at + 2
            if length > 125:
                start += 2 if length == 126 else 8
                length = int.from_bytes(buffer[at + 2 : start])
            if len(buffer) < start + length:
                break
            opcode, at = buffer[at] & 15, start + length
            if opcode == 1:
                self._hear(decode(memoryview(buffer)[start:at]), arrived)
            elif opcode == 9:
                self.send(bytes(buffer[start:at]), 10)
            elif opcode == 8:
                self._fail(f"closed {int.from_bytes(buffer[start : start + 2])}")
        del buffer[:at]

    def connection_lost(self, error: Exception | None) -> None:
        self._fail("closed without a word")

    def _fail(self, why: str) -> None:
        if not self._ends:
            self.load.refused[why] += 1
            self.close()
        if not self.ready.done():
            self.ready.set_exception(ConnectionError(why))

    def close(self) -> None:
        """Leave."""
        self._ends = True
        self.transport.close()

    def _hear(self, message: Message, arrived: float) -> None:
        if message.type in ("update", "snapshot"):
            self.number = message.number
            self.over = message.phase == "over"
            if message.position is not None:
                self.legal = message.position.legal
            sent_at = self.opponent.sent_at
            if (self.legal or self.over) and sent_at is not None:
                if self.opponent.counts:
                    self.load.delays.append(arrived - sent_at)
                self.opponent.sent_at = None
            if not self.ready.done():
                self.ready.set_result(None)
        elif message.type == "ack":
            self.load.acknowledged += 1
            self.acknowledged += 1
        elif message.type == "refused":
            self.load.refused[str((message.error or {}).get("code"))] += 1

    def play(self) -> None:
        """Make some legal move."""
        choice = random.choice(self.legal).move
        self.legal = []
        self.load.sent += 1
        self.sent += 1
        self.counts = self.load.measuring
        self.sent_at = time.perf_counter()
        self.send(msgspec.json.encode({"type": "move", "move": choice, "number": self.number, "id": "x"}))


async def new_guest(http: httpx.AsyncClient) -> str:
    """Become a guest, and give the token."""
    return str((await http.post("/api/guests", json={})).raise_for_status().json()["token"])


async def new_match(http: httpx.AsyncClient, token: str, opponent: str) -> dict[str, str]:
    """Make a match of Maasai."""
    asked = {
        "game": {"game": "maasai", "options": {}},
        "opponent": {"kind": opponent},
        "side": "white",
        "time": {"kind": "fischer", "initial_ms": 3_600_000, "increment_ms": 2_000},
        "setup": SETUP,
    }
    headers = {"Authorization": f"Bearer {token}"}
    made: dict[str, str] = (await http.post("/api/matches", json=asked, headers=headers)).raise_for_status().json()
    return made


class Games:
    """Games of Maasai played at once, each with a fixed number of seconds per move."""

    def __init__(self, server: Served, pace: float, load: Load) -> None:
        self.server = server
        self.pace = pace
        self.load = load
        self.players: list[Player] = []
        self._playing: list[asyncio.Task[None]] = []

    async def set_up(self, count: int) -> None:
        """Make the matches, and open the sockets of both players."""
        gate = asyncio.Semaphore(SETTING_UP)

        async def one(number: int) -> None:
            async with gate:
                await self._set_up_one(number)

        await asyncio.gather(*(one(number) for number in range(count)))

    async def _set_up_one(self, number: int) -> None:
        at = number // GAMES_AN_ADDRESS
        address = f"127.0.{1 + at // 200}.{1 + at % 200}"
        transport = httpx.AsyncHTTPTransport(local_address=address, verify=False)
        async with httpx.AsyncClient(base_url=self.server.base, transport=transport, timeout=60) as http:
            tokens = [await new_guest(http) for _ in range(2)]
            made = await new_match(http, tokens[0], "friend")
            seat = f"/api/matches/{made['match']}/seat"
            headers = {"Authorization": f"Bearer {tokens[1]}"}
            (await http.post(seat, json={"invite": made["invite"]}, headers=headers)).raise_for_status()
        white, black = [Player(self.load, made["match"], token, address) for token in tokens]
        white.opponent, black.opponent = black, white
        self.players += (white, black)
        for player in (white, black):
            await player.open(self.server.port)

    def begin(self) -> None:
        """Play all games."""
        self._playing = [
            asyncio.create_task(self._play(white, black))
            for white, black in zip(self.players[::2], self.players[1::2], strict=True)
        ]

    async def _play(self, white: Player, black: Player) -> None:
        loop = asyncio.get_running_loop()
        due = loop.time() + random.random() * self.pace
        while not white.over:
            await asyncio.sleep(due - loop.time())
            due = max(due, loop.time() - self.pace) + self.pace
            for player in (white, black):
                if player.legal:
                    player.play()
                    break

    async def measure(self, seconds: float) -> None:
        """Measure for some time."""
        watching = asyncio.create_task(self.load.watch_ourselves())
        self.load.measuring = True
        await asyncio.sleep(seconds)
        self.load.measuring = False
        watching.cancel()

    def pause(self) -> None:
        """Move no more."""
        for task in self._playing:
            task.cancel()

    async def end(self) -> None:
        """Move no more, wait for what is on its way, and leave."""
        self.pause()
        with suppress(TimeoutError):
            async with asyncio.timeout(PATIENCE):
                while self.load.lost > 0:
                    await asyncio.sleep(0.1)
        for player in self.players:
            if player.sent_at is not None and player.counts:
                # What never came is as late as we have waited for it.
                self.load.delays.append(time.perf_counter() - player.sent_at)
            player.close()


def leave_garbage() -> None:
    """Keep the generator from pausing for its own garbage: it runs for minutes and makes no cycles to speak of."""
    gc.collect()
    gc.freeze()
    gc.disable()
