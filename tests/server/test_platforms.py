"""What Linux has and other systems lack is removed here, and the server works without it."""

from __future__ import annotations

import io
import resource
import socket
import sys

import msgspec
import pytest

from acedrex import Error
from acedrex.server import serve
from acedrex.server.games import checker
from acedrex.server.limits import edge
from acedrex.server.settings import Settings

KINGS = """\
[game]
id = "kings"
name = "Kings"
author = "A test"
board = "8x8"
start = "k7/8/8/8/8/8/8/7K w - - 0 1"
[pieces.K]
name = "King"
move = "K"
royal = true
"""


def test_definitions_are_checked_where_memory_cannot_be_limited(
    monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    set_to = {}

    def refuse(kind: int, limits: tuple[int, int]) -> None:
        if kind == resource.RLIMIT_AS:  # as macOS does
            raise ValueError("current limit exceeds maximum limit")
        set_to[kind] = limits

    monkeypatch.setattr(resource, "setrlimit", refuse)
    monkeypatch.setattr(sys, "argv", ["checker"])
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(msgspec.json.encode([("kings.toml", KINGS)]))))
    checker.main()
    checked = msgspec.json.decode(capsysbinary.readouterr().out, type=checker.CheckResult)
    assert checked.faults == [] and checked.summary is not None and checked.summary.id == "kings"
    assert set_to[resource.RLIMIT_CPU][0] > checker.SECONDS


def test_sockets_work_where_unsent_data_cannot_be_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(socket, "TCP_NOTSENT_LOWAT")
    with socket.socket() as listening:
        edge.limit_unsent(listening)


def test_windows_allows_only_one_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    serve.check(Settings(database="sqlite+aiosqlite:///x.db"))
    with pytest.raises(Error, match="use --workers 1"):
        serve.check(Settings(database="postgresql+asyncpg://x", redis="redis://x", workers=2))
