"""Load on the server: live games over real sockets, the generator on one core and the server on another.

``python -m benches.server`` plays games of Maasai at a move per two seconds each, and looks for the largest number for
which the 99th percentile of move-to-opponent stays under 100 ms. SQLite is on disk. ``--games N`` plays N and stops.
What is printed last is not the server's: what the host of a virtual machine took of its cores meanwhile, and how long
the disk took for small writes when nothing else was written. Where either is much, so are all delays; a folder in
memory (``--folder /dev/shm``) shows the server without its disk.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
import tempfile
import time
from pathlib import Path

import uvloop

from benches.live import CORES, Games, Load, Served, leave_garbage, serve, share, stolen

SECONDS_A_MOVE = 2.0
LIMIT_MS = 100.0
#: The search begins here, goes by large steps, and then halves them down to the small one.
FIRST, STEP, FINE, MOST = 1_000, 500, 125, 4_000
#: Seconds in which the disk is looked at, and between two of its writes.
LOOKING, BETWEEN = 5.0, 0.01
#: Seconds for the games to fall into their pace.
SETTLING = 4.0


async def play(server: Served, games: int, seconds: float) -> tuple[Load, list[float]]:
    """Play, and give what was measured, and how much of a core server, generator and the machine's host took."""
    load = Load()
    played = Games(server, SECONDS_A_MOVE, load)
    await played.set_up(games)
    played.begin()
    await asyncio.sleep(SETTLING)
    before = server.cpu(), sum(os.times()[:2]), stolen()
    await played.measure(seconds)
    after = server.cpu(), sum(os.times()[:2]), stolen()
    await played.end()
    shares = [(late - early) / seconds for early, late in zip(before, after, strict=True)]
    return load, shares


def disk(folder: Path) -> list[float]:
    """Write as a database does where nothing else is written; give the seconds that each write took."""
    took = []
    with tempfile.TemporaryFile(dir=folder, buffering=0) as file:
        end = time.monotonic() + LOOKING
        while time.monotonic() < end:
            file.write(bytes(4096))
            began = time.perf_counter()
            os.fsync(file.fileno())
            took.append(time.perf_counter() - began)
            time.sleep(BETWEEN)
    return took


def measure(games: int, seconds: float, folder: Path) -> bool:
    """Play a number of games, print the measurements, and return whether the server kept up."""
    alone = disk(folder)
    with serve(folder, f"bench-{games}", CORES) as server:
        load, (used, own, taken) = uvloop.run(play(server, games, seconds))
    p99 = share(load.delays, 0.99)
    print(
        f"{games:5} games  {len(load.delays):6} moves  p50 {share(load.delays, 0.5):6.1f} ms  p99 {p99:6.1f} ms  "
        f"most {max(load.delays) * 1000:6.1f} ms  lost {load.lost}  refused {dict(load.refused)}  "
        f"server {used:4.0%}, {used * seconds * 1000 / max(1, len(load.delays)):.2f} ms a move  "
        f"generator {own:4.0%} of a core, late by {share(load.late, 0.99):.1f} ms  "
        f"host {taken:4.0%}  disk p50 {share(alone, 0.5):.1f} ms, most {max(alone) * 1000:.1f} ms",
        flush=True,
    )
    return p99 < LIMIT_MS and not load.lost and not load.refused


def largest(seconds: float, folder: Path) -> int:
    """Find the largest number of games that the server keeps up with."""
    holds, fails, games = 0, MOST + FINE, FIRST
    while fails - holds > FINE:
        # A pause of the machine, such as for another program's files, is not the server's: it has to fail twice.
        if measure(games, seconds, folder) or measure(games, seconds, folder):
            holds = games
        else:
            fails = games
        games = min(holds + STEP, MOST) if fails > MOST else (holds + fails) // 2 // FINE * FINE
    return holds


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--games", type=int, help="games at once; without it the largest number that holds is looked for"
    )
    parser.add_argument("--seconds", type=float, default=20, help="how long to measure (20)")
    parser.add_argument("--folder", help="where the database lies; by default a temporary folder")
    args = parser.parse_args()
    leave_garbage()
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(args.folder or temporary)
        if args.games:
            return not measure(args.games, args.seconds, folder)
        found = largest(args.seconds, folder)
        print(f"largest number that holds: {found}")
    return not found


if __name__ == "__main__":
    sys.exit(main())
