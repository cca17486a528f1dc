"""Honest games beside attacks: what games at a move a second each notice of somebody who means harm.

``python -m benches.attacks`` plays them on a new server with SQLite on disk, first alone and then beside each attack,
which lasts some seconds, comes from one address of this machine and from a process of its own. It prints what became of
the honest moves, of the server's memory and database, and of the attacker's requests. The bar: the 99th percentile may
be 100 ms later than without the attack, no move is lost and no honest player refused. ``--only NAME`` runs one. A disk
that falters shows in either column; ``TMPDIR=/dev/shm`` keeps it out.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import multiprocessing
import random
import sqlite3
import sys
import tempfile
from collections import Counter
from pathlib import Path

import httpx
import msgspec
import uvloop
from msgspec import Struct

from acedrex import Board
from benches.attackers import ATTACKS, attack
from benches.live import (
    CORES,
    SETUP,
    Games,
    Load,
    Served,
    leave_garbage,
    new_guest,
    new_match,
    serve,
    share,
)

SECONDS_A_MOVE = 1.0
BAR_MS = 100.0
#: Events of the long match that is asked for again and again.
LONG = 2_480


def long_line() -> list[str]:
    """Find moves at random that do not end the game for long."""
    for seed in itertools.count():
        chance, board = random.Random(seed), Board("maasai", setup=SETUP)
        while board.ply() < LONG and not board.is_game_over():
            some = chance.sample(board.legal_moves[:], k=min(6, len(board.legal_moves)))
            quiet = [move for move in some if board.move_info(move).captured is None]
            board.push((quiet or some)[0])
        if board.ply() == LONG:
            break
    return [move.uci() for move in board.move_stack]


def lengthen(server: Served, match: str) -> None:
    """Make a match long, in the database: to play so much would take minutes."""
    with sqlite3.connect(server.database, timeout=10) as database:
        (last,) = database.execute("select max(number) from events where match = ?", (match,)).fetchone()
        for number, move in zip(range(last + 1, LONG + 1), long_line(), strict=False):
            event = msgspec.json.encode({"type": "ply", "at": 1_700_000_000_000 + number, "ply": move, "spent": 0})
            database.execute("insert into events values (?, ?, ?)", (match, number, event.decode()))


class Seen(Struct):
    """What an attack did: delays of honest moves without it and with it, megabytes, the answers to the attacker."""

    calm: list[float]
    delays: list[float]
    load: Load
    memory: tuple[float, float]
    stored: float
    told: Counter[str]

    def holds(self) -> bool:
        """Check whether the server held."""
        late = share(self.delays, 0.99) - share(self.calm, 0.99)
        return late < BAR_MS and self.load.lost <= 0 and not self.load.refused


async def beside(server: Served, name: str, count: int, seconds: float) -> Seen:
    """Play some games without an attack, and then beside it."""
    load = Load()
    games = Games(server, SECONDS_A_MOVE, load)
    parent, child = multiprocessing.Pipe()
    process = None
    try:
        await games.set_up(count)
        async with httpx.AsyncClient(base_url=server.base) as http:
            match = (await new_match(http, await new_guest(http), "self"))["match"]
        await asyncio.to_thread(lengthen, server, match)
        games.begin()
        await asyncio.sleep(2)
        await games.measure(seconds)
        calm, load.delays = load.delays, []
        before, stored = server.memory(), server.stored()
        context = multiprocessing.get_context("spawn")
        process = context.Process(target=attack, args=(name, server.port, match, seconds + 2, child), daemon=True)
        process.start()
        await asyncio.sleep(1.5)
        await games.measure(seconds)
        after, grown = server.memory(), server.stored() - stored
        told = await asyncio.to_thread(parent.recv) if parent.poll(30) else Counter({"no word": 1})
    finally:
        if process is not None:
            process.kill()
        await games.end()
    return Seen(calm, load.delays, load, (before / 1e6, after / 1e6), grown / 1e6, told)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", choices=ATTACKS, help="one attack")
    parser.add_argument("--seconds", type=float, default=10, help="how long to measure without and with each (10)")
    parser.add_argument("--games", type=int, default=40, help="honest games (40)")
    args = parser.parse_args()
    leave_garbage()
    held = True
    print(f"{'attack':10} {'p50 ms':>15} {'p99 ms':>17}  {'lost':>4} {'memory MB':>14} {'db MB':>6}        told")
    with tempfile.TemporaryDirectory() as temporary:
        for name in [args.only] if args.only else ATTACKS:
            with serve(Path(temporary), name, CORES) as server:
                seen = uvloop.run(beside(server, name, args.games, args.seconds))
            held &= seen.holds()
            print(
                f"{name:10} "
                f"{share(seen.calm, 0.5):6.1f} {share(seen.delays, 0.5):8.1f} "
                f"{share(seen.calm, 0.99):8.1f} {share(seen.delays, 0.99):8.1f}  {seen.load.lost:4} "
                f"{seen.memory[0]:6.0f} {seen.memory[1]:7.0f} {seen.stored:6.1f}  "
                f"{'holds' if seen.holds() else 'FAILS'} {dict(seen.told.most_common(5))}"
                + (f"; players {dict(seen.load.refused)}" if seen.load.refused else ""),
                flush=True,
            )
    return not held


if __name__ == "__main__":
    sys.exit(main())
