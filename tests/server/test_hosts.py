"""The host names that the server answers to: no other site can use its address under a name of its own."""

from __future__ import annotations

import socket
from typing import Any

import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from acedrex.cli import main
from acedrex.server import serve
from acedrex.server.settings import Settings
from tests.server.conftest import Server, anyone

OURS = [
    *("127.0.0.1", "127.0.0.1:8000", "192.0.2.7:80", "[::1]:8000", "[2001:db8::7]", "[::ffff:127.0.0.1]", "localhost"),
    *("LOCALHOST:8000", "my-machine:8000", "acedrex", "My-Machine.local:8000", "chess.example.org", "::1", ""),
    *("CHESS.example.org:8443", "other.example.org:81"),
]
THEIRS = [
    *("evil.example", "evil.example:8000", "127.0.0.1.evil.example", "localhost.evil.example", "local.evil.example"),
    *("sub.chess.example.org", "example.org", "chess.example.org.evil.example", "evil.example.", "[::1"),
    *("1.2.3", "localhost@evil.example"),
]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Any:
    words = ("--origin", "https://Chess.example.org", "--origin", "http://other.example.org:81/")
    one = Server(tmp_path_factory.mktemp("hosts"), *words)
    yield one
    assert one.end() == 0
    assert one.faults() == []


@pytest.mark.parametrize("host", OURS)
def test_requests_to_its_own_names_are_answered(server: Server, host: str) -> None:
    for path in ("/api/games", "/healthz"):
        assert anyone.get(f"{server.base}{path}", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize("host", THEIRS)
def test_requests_to_other_names_are_refused(server: Server, host: str) -> None:
    for path in ("/", "/api/games", "/healthz", "/metrics"):
        answer = anyone.get(f"{server.base}{path}", headers={"Host": host})
        assert answer.status_code == 421
        assert answer.json()["code"] == "wrong_host" and "--origin https://" in answer.json()["message"]
    made = anyone.post(f"{server.base}/api/guests", json={}, headers={"Host": host})
    assert made.status_code == 421


def raw(server: Server, *lines: str) -> str:
    with socket.create_connection(("127.0.0.1", server.port)) as line:
        line.sendall("\r\n".join([*lines, "Connection: close", "", ""]).encode())
        return b"".join(iter(lambda: line.recv(65_536), b"")).decode()


def test_every_host_header_of_a_request_is_checked(server: Server) -> None:
    assert " 200 " in raw(server, "GET /healthz HTTP/1.0"), "browsers always send a name"
    assert " 421 " in raw(server, "GET /healthz HTTP/1.1", "Host: localhost", "Host: evil.example")
    assert " 421 " in raw(server, "GET /healthz HTTP/1.1", "Host: evil.example", "Host: localhost")


@pytest.mark.parametrize("path", ["/api/lobby/socket", "/api/matches/x/socket", "/api/analysis/socket"])
def test_sockets_to_other_names_are_refused(server: Server, path: str) -> None:
    for host, status in (("evil.example", 421), ("chess.example.org", None)):
        with socket.create_connection(("127.0.0.1", server.port)) as line:
            try:
                with connect(f"ws://{host}:{server.port}{path}", sock=line, origin=f"http://{host}:{server.port}"):  # type: ignore[arg-type]
                    assert status is None
            except InvalidStatus as refused:
                assert refused.response.status_code == status
                assert refused.response.body is not None and b"--origin" in refused.response.body


def test_origins_are_normalised_and_checked(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Any
) -> None:
    found: list[Settings] = []
    monkeypatch.setenv("ACEDREX_DATABASE_URL", f"sqlite:///{tmp_path}/a.db")
    monkeypatch.setattr(serve, "run", lambda settings, *_: found.append(settings))
    assert main(["serve", "--host", "chess.lan", "--port", "81", "--origin", "HTTPS://Example.org:8443/"]) == 0
    assert found[0].origins == ("https://example.org:8443", "http://chess.lan:81")
    for wrong in ("example.org", "https://", "ftp://example.org", "https://example.org/chess", "https://[::1"):
        assert main(["serve", "--origin", wrong]) == 2
        assert "https://example.org" in capsys.readouterr().err
