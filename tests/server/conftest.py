"""Servers, databases and players for the tests of the server."""

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
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest
from sqlalchemy import text
from websockets.sync.client import ClientConnection, connect

from acedrex.server import wire
from acedrex.server.storage.store import Store
from tests.conftest import TIMEOUT
from tests.forks import Fork
from tests.ports import free_port
from tests.server.services import PostgreSQL, Redis
from tests.server.stores import make_sqlite, opened

ROOT = Path(__file__).parents[2]
#: A client without a token. It loads no certificates, which would take 20 ms, and keeps no connections, since servers
#: come and go.
anyone = httpx.Client(verify=False, timeout=20, limits=httpx.Limits(max_keepalive_connections=0))


# Databases.


@pytest.fixture(scope="session")
def postgresql(witness: Callable[[str], str]) -> Iterator[PostgreSQL]:
    """A PostgreSQL server, for new databases."""
    one = PostgreSQL(witness)
    yield one
    one.remove()


@pytest.fixture
def brittle_postgresql(witness: Callable[[str], str]) -> Iterator[PostgreSQL]:
    """A PostgreSQL server that the test may stop or kill."""
    one = PostgreSQL(witness)
    yield one
    one.remove()


@pytest.fixture(scope="session")
def redis_url(witness: Callable[[str], str], tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The URL of a Redis server."""
    one = Redis(witness, tmp_path_factory.mktemp("redis"))
    yield one.url
    one.stop()


@pytest.fixture
def brittle_redis(witness: Callable[[str], str], tmp_path: Path) -> Iterator[Redis]:
    """A Redis server that the test may stop."""
    one = Redis(witness, tmp_path)
    yield one
    one.stop()


class Proxy:
    """A proxy in front of a database, which can hold back answers and refuse to answer connections."""

    def __init__(self, url: str) -> None:
        rest, _, port = url.rpartition(":")
        port, _, name = port.partition("/")
        self._to = ("127.0.0.1", int(port))
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.url = f"{rest}:{self._listening.getsockname()[1]}/{name}"
        #: How many more connections are answered; negative if some were not.
        self.connections_left = 1_000
        #: Whether data passes.
        self.open = threading.Event()
        self.open.set()
        #: Whether any data was held back.
        self.held = threading.Event()
        self._unanswered: list[socket.socket] = []
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                ours, _ = self._listening.accept()
                self.connections_left -= 1
                if self.connections_left >= 0:
                    threading.Thread(target=self._carry, args=(ours,), daemon=True).start()
                else:
                    self._unanswered.append(ours)

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
        for one in (self._listening, *self._unanswered):
            one.close()


@pytest.fixture
def proxy(postgresql: PostgreSQL) -> Iterator[Proxy]:
    """A proxy in front of a new database."""
    one = Proxy(postgresql.new())
    yield one
    one.close()


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of a new database of either kind, with the current schema."""
    if request.param == "postgresql":
        return str(request.getfixturevalue("postgresql").migrated())
    make_sqlite(tmp_path / "test.db")
    return f"sqlite+aiosqlite:///{tmp_path}/test.db"


@pytest.fixture
async def store(database: str) -> AsyncIterator[Store]:
    """A new database of either kind, open in the process of the test."""
    async with opened(Store(database)) as one:
        yield one


def alter(url: str, *statements: str) -> list[int]:
    """Change a database behind the server's back, and return how many rows each statement changed."""
    from acedrex.server.settings import async_url
    from acedrex.server.storage.store import connect

    async def execute() -> list[int]:
        engine = connect(async_url(url))
        async with engine.begin() as connection:
            changed = [(await connection.execute(text(statement))).rowcount for statement in statements]
        await engine.dispose()
        return changed

    return asyncio.run(execute())


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
        if not (folder / "server.db").exists():
            make_sqlite(folder / "server.db")
        self.log = folder / "server.log"
        self.process: Fork | subprocess.Popen[bytes]
        #: Clients and sockets, which are closed after each test.
        self.opened = contextlib.ExitStack()
        self.start()

    def start(self) -> None:
        self.log.touch()
        # A group of its own, so that its engines can be ended with it.
        self.process = self.launch(["serve", "--port", str(self.port), *self.words])
        end = time.monotonic() + TIMEOUT
        while time.monotonic() < end:
            assert self.process.poll() is None, self.log.read_text()[-3000:]
            with contextlib.suppress(httpx.TransportError):
                anyone.get(f"{self.base}/healthz")
                return
            time.sleep(0.05)
        self.kill()
        raise AssertionError(self.log.read_text()[-3000:])

    def launch(self, words: list[str]) -> Fork | subprocess.Popen[bytes]:
        """Run a command of Acedrex in a new process group."""
        return self.launch_on_terminal(words) if self.terminal else Fork(words, self.environment, self.log)

    def launch_on_terminal(self, words: list[str]) -> subprocess.Popen[bytes]:
        """Run a command on a terminal, where the log is formatted for people."""
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
            return self.process.wait(TIMEOUT)
        finally:
            self.kill()
            # The log is complete once the terminal is closed.
            if self.copying is not None:
                self.copying.join(TIMEOUT)

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

    def start_one(*words: str, terminal: bool = False, **environment: str) -> Server:
        started.append(Server(tmp_path, *words, terminal=terminal, **environment))
        return started[-1]

    yield start_one
    for server in started:
        server.opened.close()
        server.kill()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server for all tests of a module; none may cause a fault."""
    one = Server(tmp_path_factory.mktemp("server"))
    yield one
    status = one.end()
    assert one.faults() == []
    assert status == 0


def coming_from(address: str) -> httpx.HTTPTransport:
    """Return a transport that connects from an address of this machine."""
    return httpx.HTTPTransport(verify=False, local_address=address)


class Person:
    """A guest who plays, with an HTTP client."""

    def __init__(self, server: Server, name: str = "Ana", address: str = "127.0.0.1") -> None:
        self.server = server
        transport = coming_from(address)
        self.http = server.opened.enter_context(
            httpx.Client(base_url=server.base, timeout=TIMEOUT, transport=transport)
        )
        self.address = address
        answer = self.http.post("/api/guests", json={"name": name})
        assert answer.status_code == 201, answer.text
        self.token = answer.json()["token"]
        self.id = answer.json()["id"]
        self.http.headers["Authorization"] = f"Bearer {self.token}"

    def match(self, game: str = "chess", **asked: Any) -> dict[str, Any]:
        """Create a match, by default against oneself."""
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

    def hear(self, *types: str, seconds: float = TIMEOUT) -> dict[str, Any]:
        """Return the next message of one of these types."""
        end = time.monotonic() + seconds
        while True:
            text = self.connection.recv(max(0.01, end - time.monotonic()))
            message: dict[str, Any] = json.loads(text)
            # The browser's types are generated from these: messages must match them exactly.
            assert json.loads(msgspec.json.encode(msgspec.json.decode(text, type=wire.FromServer))) == message
            if message["type"] in ("update", "snapshot"):
                self.number = message["number"]
                self.position = message["position"] or self.position
            if message["type"] in types:
                return message

    def do(self, **message: Any) -> dict[str, Any]:
        """Send a command and return the answer to it."""
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
def close_connections(request: pytest.FixtureRequest) -> Iterator[None]:
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
