"""How the server's processes end: when they are told to, whatever hangs, and with whoever began them."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from acedrex import Board
from acedrex.server import ending
from tests.server.conftest import ROOT, Person, Server, Way, alter, anyone, free_port


def living(server: Server) -> list[int]:
    """The processes of a server: all of its session that are no corpses."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            state, _, _, session = stat.read_text().rpartition(")")[2].split()[:4]
            if int(session) == server.process.pid and state != "Z":
                found.append(int(stat.parent.name))
    return found


def wait_until(what: Callable[[], object], seconds: float) -> float:
    """Wait for something; gives how long it took."""
    began = time.monotonic()
    while not what():
        assert time.monotonic() - began < seconds, "it took too long"
        time.sleep(0.05)
    return time.monotonic() - began


def test_killed_supervisors_take_workers_and_engines_with_them(
    start: Callable[..., Server], postgresql: Callable[[], str], redis_url: str
) -> None:
    server = start("--workers", "2", ACEDREX_DATABASE_URL=postgresql(), ACEDREX_REDIS_URL=redis_url)
    ana = Person(server)
    talks = [ana.socket(ana.match(opponent={"kind": "engine", "level": 1})["match"]) for _ in range(4)]
    for talk in talks:
        talk.move("e2e4")
        while talk.position["ply"] < 2:
            talk.hear("update", "snapshot", seconds=30)
    board = server.connect("/api/analysis/socket")
    board.send(json.dumps({"type": "look", "id": "a", "game": "chess", "fen": Board("chess").fen()}))
    assert '"lines"' in board.recv(20)
    assert len(living(server)) > 4, "two workers and some engines"
    os.kill(server.process.pid, signal.SIGKILL)
    server.process.wait()
    print(f"{wait_until(lambda: not living(server), 20):.1f} s until all were gone")
    socket.create_server(("127.0.0.1", server.port)).close()
    assert server.log.read_text().count('"ended"') == 2, "in order, and not hard"


def test_killed_supervisors_take_workers_that_hang_with_them(
    start: Callable[..., Server], way: Way, redis_url: str
) -> None:
    server = start("--workers", "2", ACEDREX_DATABASE_URL=way.url, ACEDREX_REDIS_URL=redis_url)
    ana = Person(server)
    talk = ana.socket(ana.match()["match"])
    way.open.clear()
    talk.say(type="move", move="e2e4", number=talk.number, id="a")
    assert way.held.wait(20)
    os.kill(server.process.pid, signal.SIGKILL)
    server.process.wait()
    print(f"{wait_until(lambda: not living(server), 20):.1f} s until all were gone")
    assert "its supervisor has died" in server.log.read_text()


@pytest.mark.parametrize("workers", [1, 2])
def test_who_is_told_to_end_does_so_while_it_waits_for_the_database(workers: int, way: Way, redis_url: str) -> None:
    environment = {**os.environ, "ACEDREX_DATABASE_URL": way.url, "ACEDREX_REDIS_URL": redis_url}
    # The first connection is that of the migrations.
    way.most = 1
    words = ["serve", "--port", str(free_port()), "--workers", str(workers)]
    command = [sys.executable, "-m", "acedrex", *words]
    with subprocess.Popen(command, env=environment, cwd=ROOT, stderr=subprocess.PIPE, text=True) as process:
        wait_until(lambda: way.most < 1 - workers, 20)
        time.sleep(0.5)
        began = time.monotonic()
        process.terminate()
        try:
            status = process.wait(20)
        finally:
            process.kill()
        assert status == 0
        assert time.monotonic() - began < ending.LIMIT


@pytest.mark.parametrize("workers", [1, 2])
def test_the_start_waits_for_a_database_that_is_briefly_away(
    workers: int, way: Way, redis_url: str, start: Callable[..., Server], tmp_path: Path
) -> None:
    way.most = 1

    def come_back() -> None:
        log = tmp_path / "server.log"
        wait_until(lambda: log.exists() and '"waiting"' in log.read_text(), 60)
        way.most = 1_000

    threading.Thread(target=come_back, daemon=True).start()
    words = () if workers == 1 else ("--workers", "2")
    server = start(*words, ACEDREX_DATABASE_URL=way.url, ACEDREX_REDIS_URL=redis_url)
    assert anyone.get(f"{server.base}/api/lobby").status_code == 200
    assert server.end() == 0


def test_a_start_that_fails_is_told_once_and_has_a_status(
    start: Callable[..., Server], postgresql: Callable[[], str], redis_url: str, tmp_path: Path
) -> None:
    for workers in ("1", "2"):
        url = postgresql()
        environment = {"ACEDREX_DATABASE_URL": url, "ACEDREX_REDIS_URL": redis_url}
        start("--workers", workers, **environment).kill()
        # What the start writes cannot be written, and would tell what.
        alter(url, "ALTER TABLE beats ADD CONSTRAINT never CHECK (at < 0) NOT VALID")
        done = subprocess.run(
            [sys.executable, "-m", "acedrex", "serve", "--port", str(free_port()), "--workers", workers],
            env={**os.environ, **environment},
            cwd=ROOT,
            capture_output=True,
            text=True,
            timeout=30,
            check=False,
        )
        assert done.returncode == 1, done.stderr
        assert "IntegrityError" in done.stderr and "DETAIL" not in done.stderr
        assert "could not begin" in done.stderr.splitlines()[-1]


def test_a_server_whose_database_hangs_ends_all_the_same(way: Way, start: Callable[..., Server]) -> None:
    server = start(ACEDREX_DATABASE_URL=way.url)
    ana = Person(server)
    talk = ana.socket(ana.match()["match"])
    way.open.clear()
    talk.say(type="move", move="e2e4", number=talk.number, id="a")
    assert way.held.wait(20)
    server.process.terminate()
    began = time.monotonic()
    assert server.process.wait(25) == 1
    print(f"{time.monotonic() - began:.1f} s until it was gone")
    assert '"ended_hard"' in server.log.read_text()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_even_a_process_whose_log_nobody_takes_ends(number: signal.Signals) -> None:
    code = (
        "import os, time\n"
        "from acedrex.server import ending, logs\n"
        "logs.begin()\n"
        "ending.watch()\n"
        "ending.enable_graceful_shutdown(lambda: None, 0.5)\n"
        "print('ready', flush=True)\n"
        "os.write(2, b'x' * 65_536)\n"  # fills the pipe
        "while True: time.sleep(1)\n"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None and process.stdout.readline() == b"ready\n"
        time.sleep(0.3)
        process.send_signal(number)
        try:
            assert process.wait(10) == 1
        finally:
            process.kill()
