"""Connections of strangers: what they send costs little memory, and what they do not send is not waited for."""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
import resource
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import uvicorn
from starlette.requests import Request

from acedrex.server.api import bodies, problems
from acedrex.server.limits import edge
from acedrex.server.refusal import Refusal
from tests.ports import free_port
from tests.server.conftest import ROOT, Person, Server, anyone
from tests.server.strangers import Stranger, frame
from tests.server.waiting import wait_until

pytestmark = pytest.mark.slow

MIB = 2**20
GET = b"GET /healthz HTTP/1.1\r\nHost: here\r\n\r\n"
LIST = b"GET /api/games HTTP/1.1\r\nHost: here\r\n\r\n"


def memory(server: Server, field: str = "VmRSS") -> float:
    """Return the memory of the server's process in MiB: now, or its peak with ``VmHWM``."""
    found = re.search(rf"{field}:\s+(\d+)", Path(f"/proc/{server.process.pid}/status").read_text())
    assert found is not None
    return int(found[1]) / 1024


@contextlib.contextmanager
def uses_at_most(server: Server, limit: float) -> Iterator[None]:
    """See that the server's memory never grows by more than ``limit`` MiB."""
    # Reset the peak.
    Path(f"/proc/{server.process.pid}/clear_refs").write_text("5")
    before = memory(server)
    yield
    used = memory(server, "VmHWM") - before
    print(f"{used:.1f} MiB")
    assert used < limit


# What is sent.


@pytest.mark.parametrize(
    "piece", [b"x" * 65536, b"x: y\r\n" * 10_000, b"x:" + b" " * 65534, b"x" * 1000 + b": " + b"y" * 1000 + b"\r\n"]
)
def test_endless_headers_use_little_memory(server: Server, piece: bytes) -> None:
    with uses_at_most(server, 16), contextlib.ExitStack() as stack:
        for _ in range(4):
            stranger = stack.enter_context(Stranger(server.port))
            stranger.send(b"GET /healthz HTTP/1.1\r\n")
            assert stranger.flood(piece, 20 * MIB) < 20 * MIB


@pytest.mark.parametrize(
    "head, status",
    [
        (b"GET /healthz HTTP/1.1\r\nHost: here\r\nx: " + b"y" * 65_000 + b"\r\n\r\n", 200),
        (b"GET /healthz HTTP/1.1\r\nHost: here\r\nx: " + b"y" * 65_536 + b"\r\n\r\n", 431),
        (b"GET /healthz?" + b"y" * 65_536 + b" HTTP/1.1\r\nHost: here\r\n\r\n", 431),
        (b"GET /healthz HTTP/1.1\r\n" + b"x: y\r\n" * 100 + b"\r\n", 200),
        (b"GET /healthz HTTP/1.1\r\n" + b"x: y\r\n" * 101 + b"\r\n", 431),
        (b"GET /healthz HTTP/9.9\r\n\r\n", 400),
    ],
)
def test_the_size_of_request_heads_is_limited(server: Server, head: bytes, status: int) -> None:
    with Stranger(server.port) as stranger:
        stranger.send(head)
        answer = stranger.read_answer()
        assert answer.startswith(b"HTTP/1.1 %d " % status), answer[:200]
        if status != 200:
            assert json.loads(answer.partition(b"\r\n\r\n")[2])["code"] in ("too_large", "invalid")
            assert stranger.read_all() == b""


def test_endless_trailers_use_little_memory(server: Server) -> None:
    head = b"GET /healthz HTTP/1.1\r\nHost: here\r\nTransfer-Encoding: chunked\r\n\r\n"
    with uses_at_most(server, 16), Stranger(server.port) as one, Stranger(server.port) as other:
        one.send(head + b"1\r\nx\r\n0\r\nx: ")
        assert one.flood(b"y" * 65536, 40 * MIB) < 40 * MIB
        other.send(head + b"1;")
        assert other.flood(b"y" * 65536, 40 * MIB) < 40 * MIB


def test_the_number_of_pipelined_requests_is_limited(server: Server) -> None:
    with uses_at_most(server, 16), contextlib.ExitStack() as stack:
        for _ in range(4):
            stranger = stack.enter_context(Stranger(server.port))
            stranger.send(b"GET /healthz HTTP/1.1\r\n\r\n" * 10_000)
            assert b"HTTP/1.1 429 " in stranger.read_all()
    with Stranger(server.port) as stranger:
        stranger.send(GET * 10)
        for _ in range(10):
            assert stranger.read_answer().startswith(b"HTTP/1.1 200 ")


def test_an_aborted_upload_is_not_a_fault(server: Server) -> None:
    for path in ("/api/guests", "/api/analysis/tree", "/api/challenge/open"):
        with Stranger(server.port) as stranger:
            stranger.send(b"POST %b HTTP/1.1\r\nHost: here\r\nContent-Length: 1000\r\n\r\n{" % path.encode())
            time.sleep(0.1)
    time.sleep(0.3)
    said = server.log.read_text()
    assert "Traceback" not in said and '"level": "error"' not in said


# WebSockets.


@pytest.mark.parametrize(
    "data",
    [
        frame(0x9, b"x" * 125) * 500,  # pings
        frame(0x9) * 10_000,
        frame(0xA) * 10_000,  # pongs
        frame(0x1, b"x", last=False) + frame(0x0, last=False) * 10_000,  # a message in pieces
        frame(0x1, b"x") * 10_000,
    ],
    ids=["pings", "empty pings", "pongs", "pieces", "messages"],
)
def test_floods_of_frames_use_little_memory(server: Server, data: bytes) -> None:
    with uses_at_most(server, 24), contextlib.ExitStack() as stack:
        paths = ("/api/lobby/socket", "/api/analysis/socket", "/api/matches/x/socket") * 4
        for number, path in enumerate(paths):
            # An address may not flood for long, so each uses another.
            stranger = stack.enter_context(Stranger(server.port, f"127.0.1.{number + 1}", buffer=4096))
            assert stranger.upgrade(path).flood(data, 10 * MIB) < 10 * MIB


def test_an_address_that_floods_sockets_cannot_open_more(server: Server) -> None:
    def open_one(address: str) -> bytes:
        with Stranger(server.port, address) as stranger:
            return stranger.ask_for_socket("/api/lobby/socket")

    flooded = 0
    for _ in range(40):
        with Stranger(server.port, "127.0.0.13") as stranger:
            if not stranger.ask_for_socket("/api/lobby/socket").startswith(b"HTTP/1.1 101"):
                break
            stranger.send(frame(0x9) * 1_000)
            stranger.read_all()
            flooded += 1
    assert 5 <= flooded <= 20
    time.sleep(1)
    assert open_one("127.0.0.13").startswith(b"HTTP/1.1 403"), "after a second the address is still in debt"
    assert open_one("127.0.0.14").startswith(b"HTTP/1.1 101")


@pytest.mark.parametrize("cookie, status", [(8_000, 101), (9_000, 431)])
def test_handshakes_with_too_large_headers_are_refused(server: Server, cookie: int, status: int) -> None:
    head = b"GET /api/lobby/socket HTTP/1.1\r\nHost: here\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    head += b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
    with Stranger(server.port) as stranger:
        stranger.send(head + b"Cookie: " + b"x" * cookie + b"\r\n\r\n")
        assert stranger.read().startswith(b"HTTP/1.1 %d " % status)
        assert stranger.is_closed == (status != 101)
    assert server.faults() == []


@pytest.mark.parametrize("data", [LIST * 3, LIST + b"no request\r\n\r\n"])
def test_an_aborted_request_is_not_a_fault(server: Server, data: bytes) -> None:
    for number in range(150):
        with Stranger(server.port, f"127.0.7.{number + 1}") as stranger:
            stranger.send(data)
            time.sleep(0.002 * (number % 3))
    time.sleep(0.3)
    assert server.faults() == []


# How many connections there may be.


def test_the_connections_of_an_address_are_limited(server: Server) -> None:
    with contextlib.ExitStack() as stack:
        crowd = [stack.enter_context(Stranger(server.port, "127.0.0.11")) for _ in range(edge.MAX_OF_ADDRESS)]
        # A connection that became a WebSocket counts once.
        for stranger in crowd[:20]:
            stranger.upgrade("/api/lobby/socket")
        assert stack.enter_context(Stranger(server.port, "127.0.0.11")).is_closed
        for address in ("127.0.0.12", "127.0.0.1"):
            with Stranger(server.port, address) as other:
                other.send(GET)
                assert other.read_answer().startswith(b"HTTP/1.1 200 ")
        crowd[0].socket.close()
        crowd[100].socket.close()
        time.sleep(0.2)
        again = [stack.enter_context(Stranger(server.port, "127.0.0.11")) for _ in range(3)]
        assert [stranger.is_closed for stranger in again] == [False, False, True]


def test_the_connections_of_a_proxy_are_not_limited(server: Server) -> None:
    with contextlib.ExitStack() as stack:
        for _ in range(edge.MAX_OF_ADDRESS + 20):
            last = stack.enter_context(Stranger(server.port, "127.0.0.1"))
        last.send(GET)
        assert last.read_answer().startswith(b"HTTP/1.1 200 ")


def test_a_server_with_all_connections_taken_can_still_open_files(start: Callable[..., Server]) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (256, hard))
    try:
        server = start()
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    # It has raised its soft limit to the hard limit; now both become low.
    assert resource.prlimit(server.process.pid, resource.RLIMIT_NOFILE) == (hard, hard)
    resource.prlimit(server.process.pid, resource.RLIMIT_NOFILE, (200, 200))
    ana = Person(server)
    talk = ana.socket(ana.match()["match"])
    with contextlib.ExitStack() as stack:
        crowd = [stack.enter_context(Stranger(server.port, f"127.0.6.{n + 1}")) for n in range(100)]
        time.sleep(0.2)
        assert crowd[-1].is_closed and not crowd[0].is_closed
        crowd[0].send(GET)
        assert crowd[0].read_answer().startswith(b"HTTP/1.1 200 ")
        talk.move("e2e4")
    time.sleep(0.2)
    talk.move("e7e5")
    assert anyone.get(f"{server.base}/healthz").status_code == 200
    assert server.faults() == []


class PlainServer(Server):
    """A server as on Windows, where there is no httptools."""

    program = "import sys; sys.modules['httptools'] = None; from acedrex.cli import main; sys.exit(main())"

    def launch(self, words: list[str]) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-c", self.program, *words]
        with self.log.open("a") as log:
            return subprocess.Popen(
                command, env=self.environment, stdout=log, stderr=log, cwd=ROOT, start_new_session=True
            )


def test_the_server_works_without_httptools(tmp_path: Path) -> None:
    server = PlainServer(tmp_path)
    try:
        ana = Person(server)
        ana.socket(ana.match()["match"]).move("e2e4")
        with contextlib.ExitStack() as stack:
            for _ in range(edge.MAX_OF_ADDRESS):
                last = stack.enter_context(Stranger(server.port))
            assert stack.enter_context(Stranger(server.port)).is_closed
            last.send(b"GET /healthz HTTP/1.1\r\n")
            assert last.flood(b"x" * 65536, 20 * MIB) < 20 * MIB
            assert last.is_closed
        server.opened.close()
        assert server.end() == 0 and server.faults() == []
    finally:
        server.kill()


# How long connections may take.


async def application(scope: Any, receive: Any, send: Any) -> None:
    """Read requests or not, and answer at once, with much data, or line by line."""
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.accept"})
        while (await receive())["type"] != "websocket.disconnect":
            await send({"type": "websocket.send", "bytes": bytes(MIB)})
        return
    if scope["type"] != "http":
        return
    await send({"type": "http.response.start", "status": 200, "headers": []})
    size = 0
    if scope["path"] == "/reads":
        more = True
        while more:
            message = await receive()
            more = message.get("more_body", False)
            size += len(message.get("body", b""))
    if scope["path"] == "/large":
        size = 8 * MIB
    if scope["path"] == "/lines":
        for _ in range(15):
            await send({"type": "http.response.body", "body": b"line\n", "more_body": True})
            await asyncio.sleep(0.2)
    with contextlib.suppress(asyncio.CancelledError):
        await send({"type": "http.response.body", "body": b"%d" % size if size < MIB else bytes(size)})


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """The port of a server in this process with short time limits; in the end no connection may be left."""
    for name, value in {"HEADER_TIMEOUT_S": 0.6, "REQUEST_TIMEOUT_S": 1, "UNREAD_TIMEOUT_S": 0.8}.items():
        monkeypatch.setattr(edge, name, value)
    monkeypatch.setattr(edge, "RATE", 1_000)
    monkeypatch.setattr(edge, "CHECK", 0.1)
    port = free_port()
    config = uvicorn.Config(
        application,
        port=port,
        http=edge.Http,
        ws=edge.WebSocket,
        log_level="error",
        lifespan="off",
        timeout_keep_alive=2,
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    yield port
    with contextlib.suppress(AssertionError):
        wait_until(lambda: not len(edge.connection_limits))
    left = len(edge.connection_limits), len(edge.connection_limits._addresses), len(server.server_state.connections)
    server.should_exit = True
    thread.join()
    assert left == (0, 0, 0)


def took(stranger: Stranger) -> float:
    """Read until the other side closes, and return how many seconds that took."""
    began = time.monotonic()
    stranger.read_all()
    return time.monotonic() - began


@pytest.mark.parametrize("data", [b"", b"G", b"GET / HTTP/1.1\r\nHost: here\r\n"])
def test_connections_without_a_complete_head_are_closed(here: int, data: bytes) -> None:
    with Stranger(here) as stranger:
        stranger.send(data)
        assert 0.4 < took(stranger) < 30


def test_a_head_that_trickles_in_is_not_waited_for(here: int) -> None:
    with Stranger(here) as stranger:
        # The limit is the same for the second request of a connection.
        stranger.send(b"GET / HTTP/1.1\r\nHost: here\r\n\r\n")
        assert stranger.read_answer().startswith(b"HTTP/1.1 200 ")
        assert drip(stranger, b"GET / HTTP/1.1\r\n", b"x: y\r\n") < 15


def drip(stranger: Stranger, head: bytes, drop: bytes) -> float:
    """Send a few bytes again and again, and return how long the other side took them, twenty seconds at most."""
    began = time.monotonic()
    stranger.send(head)
    while time.monotonic() < began + 20 and stranger.send(drop):
        time.sleep(0.05)
    return time.monotonic() - began


@pytest.mark.parametrize("path", [b"/reads", b"/ignores"])
@pytest.mark.parametrize(
    "framing, drop", [(b"Content-Length: 9000", b"x"), (b"Transfer-Encoding: chunked", b"1\r\nx\r\n")]
)
def test_a_body_that_trickles_in_is_not_waited_for(here: int, path: bytes, framing: bytes, drop: bytes) -> None:
    with Stranger(here) as stranger:
        assert drip(stranger, b"POST %b HTTP/1.1\r\nHost: here\r\n%b\r\n\r\n" % (path, framing), drop) < 15


def test_an_endless_body_that_nothing_reads_is_cut_off(here: int) -> None:
    with Stranger(here) as stranger:
        stranger.send(b"POST /ignores HTTP/1.1\r\nHost: here\r\nContent-Length: 99999999999\r\n\r\n")
        assert drip(stranger, b"", bytes(65536)) < 15


def test_a_slow_but_steady_body_is_read_completely(here: int) -> None:
    with Stranger(here) as stranger:
        stranger.send(b"POST /reads HTTP/1.1\r\nHost: here\r\nContent-Length: 6000\r\n\r\n")
        for _ in range(20):
            assert stranger.send(b"x" * 300)
            time.sleep(0.15)
        assert b"6000" in stranger.read(100) + stranger.read(100)


async def test_a_body_that_takes_too_long_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    async def receive() -> dict[str, Any]:
        await asyncio.sleep(0.02)
        return {"type": "http.request", "body": b"x", "more_body": True}

    monkeypatch.setattr(bodies, "BODY_TIMEOUT_S", 0.1)
    services = SimpleNamespace(arriving=Counter())
    app = SimpleNamespace(state=SimpleNamespace(services=services))
    with pytest.raises(Refusal) as refused:
        await bodies.content(Request({"type": "http", "client": None, "app": app}, receive))
    assert refused.value.problem.code == "too_slow" and problems.answer(refused.value.problem).status_code == 408


def test_a_response_sent_line_by_line_is_not_cut_off(here: int) -> None:
    with Stranger(here) as stranger:
        stranger.send(b"GET /lines HTTP/1.1\r\nHost: here\r\n\r\n")
        while b"0\r\n\r\n" not in stranger.ahead:
            stranger.ahead += stranger.read()
        assert stranger.ahead.count(b"line\n") == 15
        # Afterwards the connection may be idle as long as after any response.
        assert 1.5 < took(stranger) < 30


@pytest.mark.parametrize("version", [b"1.0", b"1.1"])
def test_a_client_that_does_not_read_its_response_is_disconnected(here: int, version: bytes) -> None:
    with Stranger(here, buffer=4096) as stranger:
        stranger.send(b"GET /large HTTP/%b\r\nHost: here\r\n\r\n" % version)
        wait_until(lambda: len(edge.connection_limits))
        wait_until(lambda: not len(edge.connection_limits))


def test_a_client_that_reads_slowly_gets_the_whole_response(here: int) -> None:
    with Stranger(here, buffer=65536) as stranger:
        stranger.send(b"GET /large HTTP/1.0\r\n\r\n")
        found, began = 0, time.monotonic()
        while data := stranger.read(100_000):
            found += len(data)
            time.sleep(0.02)
        assert found > 8 * MIB and time.monotonic() - began > 1.2


def test_a_client_that_does_not_read_its_socket_is_disconnected(here: int) -> None:
    with Stranger(here, buffer=4096) as stranger:
        stranger.upgrade("/")
        for _ in range(10):
            stranger.say(more=True)
        wait_until(lambda: not len(edge.connection_limits))


def test_an_idle_socket_stays_open(here: int) -> None:
    with Stranger(here) as stranger:
        stranger.upgrade("/")
        time.sleep(2.5)
        stranger.say(more=True)
        stranger.hear()
        assert len(stranger.hear()[1]) == MIB
