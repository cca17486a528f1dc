"""Servers of PostgreSQL and Redis, which tests may stop, kill and start again."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.conftest import TIMEOUT
from tests.ports import free_port
from tests.server.stores import migrate_now


class PostgreSQL:
    """A PostgreSQL server with a temporary folder."""

    def __init__(self, witness: Callable[[str], str], fsync: str = "off") -> None:
        self.fsync = fsync
        # On Debian its programs are not in the path.
        places = [*map(str, Path("/usr/lib/postgresql").glob("*/bin")), os.environ["PATH"]]
        program = shutil.which("initdb", path=os.pathsep.join(places)) or witness("initdb")
        self.commands = Path(program).resolve().parent
        # Not in a folder of pytest's, which only its owner may enter: PostgreSQL refuses to run as root.
        self.folder = Path(tempfile.mkdtemp(prefix="acedrex-postgresql-"))
        self.port = free_port()
        self.whose: dict[str, Any] = {"cwd": self.folder}
        if os.getuid() == 0:
            self.whose["user"] = "postgres"
            shutil.chown(self.folder, "postgres")
        words: list[str | Path] = [self.commands / "initdb", "-D", self.folder / "data", "-U", "acedrex", "-A", "trust"]
        subprocess.run(words, check=True, capture_output=True, **self.whose)
        self.names = iter(range(1_000))
        self.template: str | None = None
        self.start()

    def start(self) -> None:
        settings = {
            "port": self.port,
            "unix_socket_directories": self.folder,
            "listen_addresses": "127.0.0.1",
            "fsync": self.fsync,
            "max_connections": 200,
        }
        words = [word for name, value in settings.items() for word in ("-c", f"{name}={value}")]
        command: list[str | Path] = [self.commands / "postgres", "-D", self.folder / "data", *words]
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen(command, stdout=log, stderr=log, start_new_session=True, **self.whose)
        ready: list[str | Path] = [self.commands / "pg_isready", "-q", "-h", "127.0.0.1", "-p", str(self.port)]
        for _ in range(600):
            if subprocess.run(ready, check=False).returncode == 0:
                return
            assert self.process.poll() is None, (self.folder / "log").read_text()
            time.sleep(0.1)
        raise AssertionError((self.folder / "log").read_text())

    def stop(self) -> None:
        """Stop it as for a fast restart: clients are disconnected."""
        self.process.send_signal(signal.SIGINT)
        self.process.wait(TIMEOUT)

    def kill(self) -> None:
        """Kill all its processes; the next start finds the shared memory that they left."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait(TIMEOUT)

    def remove(self) -> None:
        """Kill it, and remove its folder."""
        self.kill()
        shutil.rmtree(self.folder)

    def pause(self, *, on: bool) -> None:
        """Suspend all its processes, or let them continue."""
        listed = subprocess.run(["ps", "-A", "-o", "pid=,ppid="], check=True, capture_output=True, text=True)
        pairs = [tuple(map(int, line.split())) for line in listed.stdout.splitlines()]
        for pid in [self.process.pid, *(pid for pid, parent in pairs if parent == self.process.pid)]:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGSTOP if on else signal.SIGCONT)

    def new(self, template: str = "template1") -> str:
        """Create a database, and return its URL."""
        name = f"test{next(self.names)}"
        words = ["-h", "127.0.0.1", "-p", str(self.port), "-U", "acedrex", "-T", template, name]
        made = subprocess.run([self.commands / "createdb", *words], check=False, capture_output=True, **self.whose)
        assert made.returncode == 0, made.stderr.decode()
        return f"postgresql+asyncpg://acedrex@127.0.0.1:{self.port}/{name}"

    def migrated(self) -> str:
        """Create a database with the current schema, and return its URL."""
        if self.template is None:
            url = self.new()
            migrate_now(url)
            self.template = url.rpartition("/")[2]
        return self.new(self.template)


class Redis:
    """A Redis server."""

    def __init__(self, witness: Callable[[str], str], folder: Path) -> None:
        self.port = free_port()
        self.url = f"redis://127.0.0.1:{self.port}"
        self.folder = folder
        self.words = [witness("redis-server"), "--port", str(self.port), "--save", "", "--bind", "127.0.0.1"]
        self.start()

    def start(self) -> None:
        self.process = subprocess.Popen(self.words, cwd=self.folder, stdout=subprocess.DEVNULL)
        for _ in range(200):
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port), 1):
                return
            time.sleep(0.05)
        raise AssertionError("Redis does not answer")

    def pause(self, *, on: bool) -> None:
        """Suspend it, or let it continue."""
        self.process.send_signal(signal.SIGSTOP if on else signal.SIGCONT)

    def stop(self) -> None:
        self.process.kill()
        self.process.wait(TIMEOUT)
