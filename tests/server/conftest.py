"""Servers, databases and people for tests of the server."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import select
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest
from sqlalchemy import text
from websockets.sync.client import ClientConnection, connect

from acedrex.server import wire
from tests.server.forks import Fork
from tests.server.services import PostgreSQL, Redis, free_port

ROOT = Path(__file__).parents[2]
#: A client without a token. It reads no certificates, which takes a client 20 ms, and keeps no connection, for servers
#: end.
anyone = httpx.Client(verify=False, limits=httpx.Limits(max_keepalive_connections=0))


# Databases.


@pytest.fixture(scope="session")
def postgresql(witness: Callable[[str], str]) -> Iterator[Callable[[], str]]:
    """A PostgreSQL of our own; gives the URL of a new database each time."""
    one = PostgreSQL(witness)
    yield one.new
    one.remove()


@pytest.fixture
def brittle_postgresql(witness: Callable[[str], str]) -> Iterator[PostgreSQL]:
    """A PostgreSQL that a test may stop and kill."""
    one = PostgreSQL(witness)
    yield one
    one.remove()


@pytest.fixture(scope="session")
def redis_url(witness: Callable[[str], str], tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A Redis of our own."""
    one = Redis(witness, tmp_path_factory.mktemp("redis"))
    yield one.url
    one.stop()


@pytest.fixture
def brittle_redis(witness: Callable[[str], str], tmp_path: Path) -> Iterator[Redis]:
    """A Redis that a test may stop."""
    one = Redis(witness, tmp_path)
    yield one
    one.stop()


class Way:
    """A way to a database on which answers can be held back."""

    def __init__(self, url: str) -> None:
        rest, _, port = url.rpartition(":")
        port, _, name = port.partition("/")
        self._to = ("127.0.0.1", int(port))
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.url = f"{rest}:{self._listening.getsockname()[1]}/{name}"
        #: How many connections are answered, and whether answers come at all.
        self.most = 1_000
        self.open = threading.Event()
        self.open.set()
        #: Whether something was held back.
        self.held = threading.Event()
        self._kept: list[socket.socket] = []
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                ours, _ = self._listening.accept()
                self.most -= 1
                if self.most >= 0:
                    threading.Thread(target=self._carry, args=(ours,), daemon=True).start()
                else:
                    self._kept.append(ours)

    def _carry(self, ours: socket.socket) -> None:
        with ours, socket.create_connection(self._to) as theirs, contextlib.suppress(OSError):
            while True:
                ready, _, _ = select.select([ours, theirs], [], [])
                if not self.open.is_set():
                    self.held.set()
                    self.open.wait()
                for one in ready:
                    text = one.recv(65_536)
                    if not text:
                        return
                    (theirs if one is ours else ours).sendall(text)

    def close(self) -> None:
        self.open.set()
        for one in (self._listening, *self._kept):
            one.close()


@pytest.fixture
def way(postgresql: Callable[[], str]) -> Iterator[Way]:
    found = Way(postgresql())
    yield found
    found.close()


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of a new database, of either kind, brought to the present shape."""
    from acedrex.server.migrate import migrate

    url = f"sqlite+aiosqlite:///{tmp_path}/test.db"
    if request.param == "postgresql":
        url = request.getfixturevalue("postgresql")()
    migrate(url)
    return url


def alter(url: str, *statements: str) -> None:
    """Change a database behind the server's back."""
    from acedrex.server.settings import async_url
    from acedrex.server.store import connect

    async def go() -> None:
        engine = connect(async_url(url))
        async with engine.begin() as connection:
            for statement in statements:
                await connection.execute(text(statement))
        await engine.dispose()

    asyncio.run(go())


# Servers.


class Server:
    """A server in a process of its own."""

    def __init__(self, folder: Path, *words: str, terminal: bool = False, **environment: str) -> None:
        self.port = free_port()
        self.terminal = terminal
        self.copying: threading.Thread | None = None
        self.base = f"http://127.0.0.1:{self.port}"
        self.words = words
        self.environment = {
            **os.environ,
            "ACEDREX_DATABASE_URL": f"sqlite:///{folder}/server.db",
            "ACEDREX_DEBUG": "1",
            **environment,
        }
        self.log = folder / "server.log"
        self.process: Fork | subprocess.Popen[bytes]
        #: What tests have opened, to be closed after each.
        self.opened = contextlib.ExitStack()
        self.start()

    def start(self) -> None:
        words = ["serve", "--port", str(self.port), *self.words]
        self.log.touch()
        # A group of its own, so that its engines can be ended with it.
        self.process = self.on_terminal(words) if self.terminal else Fork(words, self.environment, self.log)
        end = time.monotonic() + 30
        while time.monotonic() < end:
            assert self.process.poll() is None, self.log.read_text()[-3000:]
            with contextlib.suppress(httpx.TransportError):
                anyone.get(f"{self.base}/healthz")
                return
            time.sleep(0.05)
        self.kill()
        raise AssertionError(self.log.read_text()[-3000:])

    def on_terminal(self, words: list[str]) -> subprocess.Popen[bytes]:
        """Start on a terminal, on which the server tells its log to people."""
        command = [sys.executable, "-m", "acedrex", *words]
        ours, theirs = os.openpty()

        def copy() -> None:
            with contextlib.suppress(OSError), self.log.open("ab", buffering=0) as log:
                while text := os.read(ours, 65_536):
                    log.write(text)
            os.close(ours)

        self.copying = threading.Thread(target=copy, daemon=True)
        self.copying.start()
        try:
            with self.log.open("a") as log:
                return subprocess.Popen(
                    command, env=self.environment, stdout=log, stderr=theirs, cwd=ROOT, start_new_session=True
                )
        finally:
            os.close(theirs)

    def kill(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def end(self) -> int:
        self.process.terminate()
        try:
            return self.process.wait(20)
        finally:
            self.kill()
            # The log is whole once the terminal is closed.
            if self.copying is not None:
                self.copying.join(20)

    def connect(self, path: str, **options: Any) -> ClientConnection:
        """Open a socket that is closed after the test."""
        url = f"{self.base.replace('http', 'ws')}{path}"
        return self.opened.enter_context(connect(url, compression=None, max_size=None, close_timeout=0.2, **options))

    def faults(self) -> list[str]:
        return [line for line in self.log.read_text().splitlines() if '"event": "fault"' in line or "Traceback" in line]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[..., Server]]:
    """Start a server: `start("--games", "folder")`."""
    started: list[Server] = []

    def begin(*words: str, terminal: bool = False, **environment: str) -> Server:
        started.append(Server(tmp_path, *words, terminal=terminal, **environment))
        return started[-1]

    yield begin
    for server in started:
        server.opened.close()
        server.kill()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server for all tests of a module; it must not have had a fault."""
    one = Server(tmp_path_factory.mktemp("server"))
    yield one
    status = one.end()
    assert one.faults() == []
    assert status == 0


def coming_from(address: str) -> httpx.HTTPTransport:
    """Let a client come from an address of this machine."""
    return httpx.HTTPTransport(verify=False, local_address=address)


class Person:
    """Somebody who plays: a guest, with a client."""

    def __init__(self, server: Server, name: str = "Ana", address: str = "127.0.0.1") -> None:
        self.server = server
        transport = coming_from(address)
        self.http = server.opened.enter_context(httpx.Client(base_url=server.base, timeout=20, transport=transport))
        self.address = address
        answer = self.http.post("/api/guests", json={"name": name})
        assert answer.status_code == 201, answer.text
        self.token = answer.json()["token"]
        self.id = answer.json()["id"]
        self.http.headers["Authorization"] = f"Bearer {self.token}"

    def match(self, game: str = "chess", **asked: Any) -> dict[str, Any]:
        """Make a match, by default at one board."""
        answer = self.http.post(
            "/api/matches",
            json={
                "game": {"game": game, "options": asked.pop("options", {})},
                "opponent": {"kind": "self"},
                "side": "white",
                "time": {"kind": "none"},
                "setup": None,
                **asked,
            },
        )
        assert answer.status_code == 201, answer.text
        made: dict[str, Any] = answer.json()
        return made

    def sit(self, made: dict[str, Any]) -> None:
        answer = self.http.post(f"/api/matches/{made['match']}/seat", json={"invite": made["invite"]})
        assert answer.status_code == 204, answer.text

    def socket(self, match: str) -> Talk:
        return Talk(self.server, match, self.token, self.address)


class Talk:
    """A conversation over a match's socket."""

    def __init__(self, server: Server, match: str, token: str | None, address: str = "127.0.0.1") -> None:
        self.connection = server.connect(f"/api/matches/{match}/socket", source_address=(address, 0))
        self.match = match
        self.ids = iter(range(10**6))
        self.say(type="hello", token=token, after=None)
        self.snapshot = self.hear("snapshot")
        self.number: int = self.snapshot["number"]
        self.position = self.snapshot["position"]

    def say(self, **message: Any) -> None:
        self.connection.send(json.dumps(message))

    def hear(self, *types: str, seconds: float = 15) -> dict[str, Any]:
        """Give the next message of a type."""
        end = time.monotonic() + seconds
        while True:
            text = self.connection.recv(max(0.01, end - time.monotonic()))
            message: dict[str, Any] = json.loads(text)
            # The browser's types are made from these: nothing else may be said, and all of it has to be.
            assert json.loads(msgspec.json.encode(msgspec.json.decode(text, type=wire.FromServer))) == message
            if message["type"] in ("update", "snapshot"):
                self.number = message["number"]
                self.position = message["position"] or self.position
            if message["type"] in types:
                return message

    def do(self, **message: Any) -> dict[str, Any]:
        """Give a command and hear what became of it."""
        id = str(next(self.ids))
        if message["type"] in ("move", "undo", "setup"):
            message.setdefault("number", self.number)
        self.say(**message, id=id)
        while (answer := self.hear("ack", "refused"))["id"] != id:
            pass
        return answer

    def move(self, text: str) -> dict[str, Any]:
        answer = self.do(type="move", move=text)
        assert answer["type"] == "ack", answer
        return answer

    def close(self) -> None:
        self.connection.close()


@pytest.fixture(autouse=True)
def close_what_was_opened(request: pytest.FixtureRequest) -> Iterator[None]:
    """Close clients and sockets of the module's server after every test."""
    yield
    if "server" in request.fixturenames:
        request.getfixturevalue("server").opened.close()


@pytest.fixture
def ana(server: Server) -> Person:
    return Person(server, "Ana", "127.0.0.2")


@pytest.fixture
def bo(server: Server) -> Person:
    return Person(server, "Bo", "127.0.0.3")
