"""Load on two processes behind nginx, with PostgreSQL and Redis: live games, an arena, and a process that is killed.

``python -m benches.cluster`` plays 1,000 games of Maasai at a move per ten seconds each, beside an arena of 200,
and prints how long a move takes to reach the opponent. Then it kills each of the two processes once and reconnects
everybody: every move that the server has acknowledged must still be there. The load generator, nginx, the databases and
both processes share this machine's cores. It needs nginx, postgresql and redis-server.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import httpx
import msgspec
import uvloop
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from benches.live import CORES, Games, Load, Player, Served, leave_garbage, new_guest, serve, share, stolen
from tests.ports import free_port
from tests.server.services import PostgreSQL, Redis

#: The configuration of docs/server.md, with room for more connections than nginx allows by default.
NGINX = """
daemon off;
pid {folder}/nginx.pid;
error_log {folder}/nginx.log error;
worker_rlimit_nofile 20000;
events {{ worker_connections 8192; }}
http {{
  access_log off;
  client_body_temp_path {folder}/bodies;
  proxy_temp_path {folder}/proxied;
  fastcgi_temp_path {folder}/fastcgi;
  uwsgi_temp_path {folder}/uwsgi;
  scgi_temp_path {folder}/scgi;
  server {{
    listen 127.0.0.1:{port};
    location / {{
      proxy_pass http://127.0.0.1:{behind};
      proxy_http_version 1.1;
      proxy_set_header Host $http_host;
      proxy_set_header X-Forwarded-For $remote_addr;
      proxy_set_header X-Forwarded-Proto $scheme;
      proxy_set_header Upgrade $http_upgrade;
      proxy_set_header Connection "upgrade";
      proxy_read_timeout 1h;
    }}
  }}
}}
"""
#: Moves of Black, at most, after which a game of the arena is resigned, and seconds before each move there.
ARENA_MOVES, ARENA_PACE = 8, 2.0
SETTLING = 10.0


def program(name: str) -> str:
    """Return the path of a program."""
    found = shutil.which(name, path=f"{os.environ['PATH']}:/usr/sbin:/usr/games")
    if found is None:
        raise SystemExit(f"this needs {name}; on Debian, install nginx, postgresql and redis-server")
    return found


@contextmanager
def cluster(folder: Path) -> Iterator[Served]:
    """Run two processes of the server behind nginx."""
    postgresql, redis = PostgreSQL(program, fsync="on"), Redis(program, folder)
    environment = {"ACEDREX_DATABASE_URL": postgresql.new(), "ACEDREX_REDIS_URL": redis.url}
    words = ("--workers", "2", "--tournaments", "everybody")
    try:
        with serve(folder, "cluster", CORES, *words, **environment) as behind:
            os.sched_setaffinity(0, CORES)
            port = free_port()
            file = folder / "nginx.conf"
            file.write_text(NGINX.format(folder=folder, port=port, behind=behind.port))
            proxy = subprocess.Popen([program("nginx"), "-e", folder / "nginx.log", "-c", file])
            try:
                base = f"http://127.0.0.1:{port}"
                for _ in range(100):
                    with suppress(httpx.TransportError):
                        httpx.get(f"{base}/healthz")
                        break
                    time.sleep(0.1)
                yield Served(base, behind.pid, behind.database)
            finally:
                proxy.terminate()
                proxy.wait()
    finally:
        redis.stop()
        postgresql.remove()


class Arena:
    """An arena whose players look at it, play when they are paired, and come back."""

    def __init__(self, server: Served, size: int) -> None:
        self.server = server
        self.size = size
        self.id = ""
        self.load = Load()
        #: Seconds that each player has waited for each game.
        self.waits: list[float] = []
        #: Bytes that its players have heard of it.
        self.heard = 0
        self._tasks: list[asyncio.Task[None]] = []

    async def set_up(self) -> None:
        """Make it, and let the players enter."""
        people = []
        for number in range(self.size):
            address = f"127.0.{200 + number // 200}.{1 + number % 200}"
            transport = httpx.AsyncHTTPTransport(local_address=address)
            async with httpx.AsyncClient(base_url=self.server.base, transport=transport, timeout=60) as http:
                token = await new_guest(http)
                headers = {"Authorization": f"Bearer {token}"}
                if not self.id:
                    self.id = await self._make(http, headers)
                (await http.post(f"/api/tournaments/{self.id}/entry", headers=headers)).raise_for_status()
                me = (await http.get(f"/api/tournaments/{self.id}/me", headers=headers)).raise_for_status().json()
                people.append((address, token, int(me["player"]), headers))
        address, _, _, headers = people[0]
        transport = httpx.AsyncHTTPTransport(local_address=address)
        async with httpx.AsyncClient(base_url=self.server.base, transport=transport, timeout=60) as http:
            answer = await http.put(f"/api/tournaments/{self.id}/start", json={"at": 0}, headers=headers)
            answer.raise_for_status()
        self._tasks = [
            asyncio.create_task(self._take_part(address, token, player)) for address, token, player, _ in people
        ]

    async def _make(self, http: httpx.AsyncClient, headers: dict[str, str]) -> str:
        settings = {
            "kind": "arena",
            "game": {"game": "chess"},
            "time": {"kind": "fischer", "initial_ms": 300_000, "increment_ms": 0},
            "starts_at": int(time.time() * 1000) + 3_600_000,
            "minutes": 60,
            "max_players": self.size,
        }
        body = {"name": "An arena", "description": "", "settings": settings}
        answer = await http.post("/api/tournaments", json=body, headers=headers)
        return str(answer.raise_for_status().json()["tournament"])

    async def _take_part(self, address: str, token: str, player: int) -> None:
        url = f"{self.server.base.replace('http', 'ws')}/api/tournaments/{self.id}/socket"
        done: set[str] = set()
        while True:
            with suppress(ConnectionClosed, ConnectionError, OSError):
                async with connect(url, local_addr=(address, 0), max_size=None) as socket:
                    await socket.send(msgspec.json.encode({"type": "hello", "token": token}).decode())
                    while True:
                        match, white = await self._paired(socket, player, done)
                        await self._play(match, token, address, is_white=white)
                        done.add(match)
            await asyncio.sleep(0.5)

    async def _paired(self, socket: ClientConnection, player: int, done: set[str]) -> tuple[str, bool]:
        """Wait for a game, and return its match and whether one is White."""
        began = time.monotonic()
        while True:
            text = await socket.recv()
            self.heard += len(text)
            for board in msgspec.json.decode(text)["tournament"]["boards"]:
                if player in board["players"] and board["games"]:
                    game = board["games"][-1]
                    if game["points"] is None and game["match"] not in done:
                        self.waits.append(time.monotonic() - began)
                        return game["match"], game["white"] == player

    async def _play(self, match: str, token: str, address: str, *, is_white: bool) -> None:
        """Play; Black resigns after some moves."""
        one = Player(self.load, match, token, address)
        await one.open(self.server.port)
        for _ in range(ARENA_MOVES if is_white else random.randint(1, ARENA_MOVES)):
            while not one.legal and not one.over:
                await asyncio.sleep(0.05)
            if one.over:
                break
            await asyncio.sleep(ARENA_PACE)
            one.play()
        if not is_white and not one.over:
            one.send(msgspec.json.encode({"type": "resign", "id": "r"}))
        while not one.over:
            await asyncio.sleep(0.1)
        one.close()

    async def end(self) -> None:
        """Let everybody leave."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)


def workers(server: Served) -> list[int]:
    """Return the processes that the supervisor has started to serve."""
    children = Path(f"/proc/{server.pid}/task/{server.pid}/children").read_text().split()
    return [int(pid) for pid in children if b"spawn_main" in Path(f"/proc/{pid}/cmdline").read_bytes()]


async def kill_each(server: Served, games: Games) -> tuple[int, int]:
    """Kill each process once in the middle of all games, and let everybody connect again.

    Returns how many moves were acknowledged, and how many of them are missing, or stored without having been sent.
    """
    acknowledged = wrong = 0
    for pid in workers(server):
        began = [player.number for player in games.players]
        sent = [(player.sent, player.acknowledged) for player in games.players]
        games.begin()
        await asyncio.sleep(games.pace)
        os.kill(pid, signal.SIGKILL)
        await asyncio.sleep(games.pace / 2)
        games.pause()
        await asyncio.sleep(SETTLING)
        old, games.players = games.players, []
        for player in old:
            player.close()
            again = Player(games.load, player.match, player.token, player.address)
            games.players.append(again)
            await again.open(server.port)
        for number in range(0, len(old), 2):
            white, black = games.players[number : number + 2]
            white.opponent, black.opponent = black, white
            stored = white.number - began[number]
            told = sum(old[one].acknowledged - sent[one][1] for one in (number, number + 1))
            asked = sum(old[one].sent - sent[one][0] for one in (number, number + 1))
            acknowledged += told
            wrong += max(0, told - stored) + max(0, stored - asked)
    return acknowledged, wrong


async def play(server: Served, count: int, size: int, pace: float, seconds: float) -> bool:
    """Play, print what was measured, and return whether nothing was lost."""
    load = Load()
    games, arena = Games(server, pace, load), Arena(server, size)
    await games.set_up(count)
    await arena.set_up()
    games.begin()
    await asyncio.sleep(SETTLING)
    heard, taken = arena.heard, stolen()
    arena.waits.clear()
    await games.measure(seconds)
    heard, taken = arena.heard - heard, stolen() - taken
    delays, waits = load.delays, arena.waits
    times = f"p50 {share(delays, 0.5):.1f} ms  p99 {share(delays, 0.99):.1f} ms  most {share(delays, 1 - 1e-9):.1f} ms"
    print(f"{count} games: {len(delays)} moves to the opponent  {times}")
    times = f"p50 {share(waits, 0.5) / 1000:.1f} s  p99 {share(waits, 0.99) / 1000:.1f} s"
    print(f"arena of {size}: {len(waits)} waits for a game  {times}  {heard / 1e6 / seconds:.1f} MB/s to all of them")
    late, taken = share(load.late, 0.99), taken / seconds
    print(f"generator late by {late:.1f} ms (p99)  host took {taken:.0%} of a core  refused {dict(load.refused)}")
    await arena.end()
    games.pause()
    await asyncio.sleep(SETTLING)
    lost = load.lost
    acknowledged, wrong = await kill_each(server, games)
    print(f"{lost} moves lost; with each process killed: {acknowledged} moves acknowledged, {wrong} of them wrong")
    await games.end()
    return not lost and not wrong


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=1_000, help="live games at once (1000)")
    parser.add_argument("--arena", type=int, default=200, help="players of the arena (200)")
    parser.add_argument("--pace", type=float, default=10.0, help="seconds per move of each game (10)")
    parser.add_argument("--seconds", type=float, default=60, help="how long to measure (60)")
    args = parser.parse_args()
    leave_garbage()
    with tempfile.TemporaryDirectory() as folder, cluster(Path(folder)) as server:
        return not uvloop.run(play(server, args.games, args.arena, args.pace, args.seconds))


if __name__ == "__main__":
    sys.exit(main())
