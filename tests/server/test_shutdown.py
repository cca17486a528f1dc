"""How the server's processes end: on signals, whatever hangs, and when their supervisor dies."""

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
from acedrex.server import shutdown
from tests.conftest import TIMEOUT
from tests.ports import free_port
from tests.samples import sample
from tests.server.conftest import ROOT, Person, Proxy, Server, alter, anyone
from tests.server.services import PostgreSQL
from tests.server.waiting import wait_until


def living(server: Server) -> list[int]:
    """Return the processes of a server: those of its session that are not zombies."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            state, _, _, session = stat.read_text().rpartition(")")[2].split()[:4]
            if int(session) == server.process.pid and state != "Z":
                found.append(int(stat.parent.name))
    return found


def wait_until_gone(server: Server) -> None:
    """Wait until all processes of a server have ended."""
    began = time.monotonic()
    wait_until(lambda: not living(server))
    print(f"{time.monotonic() - began:.1f} s until all were gone")


def test_workers_and_engines_end_when_their_supervisor_is_killed(
    start: Callable[..., Server], postgresql: PostgreSQL, redis_url: str
) -> None:
    server = start("--workers", "2", ACEDREX_DATABASE_URL=postgresql.migrated(), ACEDREX_REDIS_URL=redis_url)
    ana = Person(server)
    talks = [ana.socket(ana.match(opponent={"kind": "engine", "level": 1})["match"]) for _ in range(4)]
    for talk in talks:
        talk.move("e2e4")
        while talk.position["ply"] < 2:
            talk.hear("update", "snapshot")
    board = server.connect("/api/analysis/socket")
    board.send(json.dumps({"type": "look", "id": "a", "game": "chess", "fen": Board("chess").fen()}))
    assert '"lines"' in board.recv(TIMEOUT)
    assert len(living(server)) > 4, "two workers and some engines"
    os.kill(server.process.pid, signal.SIGKILL)
    server.process.wait()
    wait_until_gone(server)
    socket.create_server(("127.0.0.1", server.port)).close()
    assert server.log.read_text().count('"stopped"') == 2, "gracefully, without being killed"


def test_workers_that_hang_end_when_their_supervisor_is_killed(
    start: Callable[..., Server], proxy: Proxy, redis_url: str
) -> None:
    server = start("--workers", "2", ACEDREX_DATABASE_URL=proxy.url, ACEDREX_REDIS_URL=redis_url)
    ana = Person(server)
    talk = ana.socket(ana.match()["match"])
    proxy.open.clear()
    talk.say(type="move", move="e2e4", number=talk.number, id="a")
    assert proxy.held.wait(TIMEOUT)
    os.kill(server.process.pid, signal.SIGKILL)
    server.process.wait()
    wait_until_gone(server)
    assert "its supervisor has died" in server.log.read_text()


@pytest.mark.slow
@pytest.mark.parametrize("workers", [1, 2])
def test_a_server_can_be_stopped_while_it_waits_for_the_database(workers: int, proxy: Proxy, redis_url: str) -> None:
    environment = {**os.environ, "ACEDREX_DATABASE_URL": proxy.url, "ACEDREX_REDIS_URL": redis_url}
    # The first connection is used by the migrations.
    proxy.connections_left = 1
    words = ["serve", "--port", str(free_port()), "--workers", str(workers)]
    command = [sys.executable, "-m", "acedrex", *words]
    with subprocess.Popen(command, env=environment, cwd=ROOT, stderr=subprocess.PIPE, text=True) as process:
        wait_until(lambda: proxy.connections_left < 1 - workers)
        time.sleep(0.5)
        began = time.monotonic()
        process.terminate()
        try:
            status = process.wait(TIMEOUT)
        finally:
            process.kill()
        assert status == 0
        assert time.monotonic() - began < shutdown.WORKER_TIMEOUT_S


@pytest.mark.parametrize("workers", [1, 2])
def test_the_server_waits_at_its_start_for_a_database_that_is_down(
    workers: int, proxy: Proxy, redis_url: str, start: Callable[..., Server], tmp_path: Path
) -> None:
    proxy.connections_left = 1

    def recover() -> None:
        log = tmp_path / "server.log"
        wait_until(lambda: log.exists() and '"waiting"' in log.read_text())
        proxy.connections_left = 1_000

    threading.Thread(target=recover, daemon=True).start()
    words = () if workers == 1 else ("--workers", "2")
    server = start(*words, ACEDREX_DATABASE_URL=proxy.url, ACEDREX_REDIS_URL=redis_url)
    assert anyone.get(f"{server.base}/api/lobby").status_code == 200
    assert server.end() == 0


@pytest.mark.slow
def test_a_failed_start_exits_with_an_error_that_shows_no_data(postgresql: PostgreSQL, redis_url: str) -> None:
    for workers in sample(("2",), ("1", "2")):
        url = postgresql.migrated()
        environment = {"ACEDREX_DATABASE_URL": url, "ACEDREX_REDIS_URL": redis_url}
        # What the start writes is refused, with the row in the detail of the error.
        alter(url, "ALTER TABLE beats ADD CONSTRAINT never CHECK (at < 0) NOT VALID")
        done = subprocess.run(
            [sys.executable, "-m", "acedrex", "serve", "--port", str(free_port()), "--workers", workers],
            env={**os.environ, **environment},
            cwd=ROOT,
            capture_output=True,
            text=True,
            timeout=TIMEOUT,
            check=False,
        )
        assert done.returncode == 1, done.stderr
        assert "IntegrityError" in done.stderr and "DETAIL" not in done.stderr
        assert "could not start" in done.stderr.splitlines()[-1]


#: Lets a process that another has started begin late, and note which did.
START_SLOWLY = """
import os, sys, time
if "--multiprocessing-fork" in sys.orig_argv:
    with open(os.environ["STARTED"], "a") as file:
        file.write(f"{os.getppid()} ")
    time.sleep(7)
"""


@pytest.mark.slow
def test_workers_that_start_slowly_are_not_started_again(
    start: Callable[..., Server], postgresql: PostgreSQL, redis_url: str, tmp_path: Path
) -> None:
    # As on a busy machine: longer than Uvicorn waits for an answer.
    (tmp_path / "sitecustomize.py").write_text(START_SLOWLY)
    started = tmp_path / "started"
    environment = {"ACEDREX_DATABASE_URL": postgresql.migrated(), "ACEDREX_REDIS_URL": redis_url}
    environment |= {"PYTHONPATH": str(tmp_path), "STARTED": str(started)}
    # On a terminal the workers are processes of their own, no forks.
    server = start("--workers", "2", terminal=True, **environment)
    assert started.read_text().split().count(str(server.process.pid)) == 2
    assert server.end() == 0


def test_a_server_whose_database_hangs_is_stopped_by_force(proxy: Proxy, start: Callable[..., Server]) -> None:
    server = start(ACEDREX_DATABASE_URL=proxy.url)
    ana = Person(server)
    talk = ana.socket(ana.match()["match"])
    proxy.open.clear()
    talk.say(type="move", move="e2e4", number=talk.number, id="a")
    assert proxy.held.wait(TIMEOUT)
    server.process.terminate()
    began = time.monotonic()
    assert server.process.wait(25) == 1
    print(f"{time.monotonic() - began:.1f} s until it was gone")
    assert '"ended_hard"' in server.log.read_text()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_process_whose_log_is_not_read_still_ends(number: signal.Signals) -> None:
    code = (
        "import os, time\n"
        "from acedrex.server import logs, shutdown\n"
        "logs.begin()\n"
        "shutdown.watch()\n"
        "shutdown.enable_graceful_shutdown(lambda: None, 0.5)\n"
        "print('ready', flush=True)\n"
        "os.write(2, b'x' * 65_536)\n"  # fills the pipe
        "while True: time.sleep(1)\n"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None and process.stdout.readline() == b"ready\n"
        time.sleep(0.3)
        process.send_signal(number)
        try:
            assert process.wait(TIMEOUT) == 1
        finally:
            process.kill()
