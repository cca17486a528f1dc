"""How fast games of chess are read from PGN, beside python-chess.

Both read the same file, by turns: every move into a tree, and then the tags alone. The file has random games with the
tags of a server and a clock after each move. python-chess is GPL and lives in an environment of its own, which `make
bench` makes; without it Acedrex is measured alone.

    python -m benches.pgn [--plies 1000000] [--runs 1]
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TextIO

import acedrex
from acedrex import pgn
from benches.python_api import RIVALS

#: The most plies of a game.
LONGEST = 120


def write_games(file: TextIO, plies: int) -> None:
    """Write random games until they have enough plies together."""
    rng, round_ = random.Random(1), 0
    while plies > 0:
        board, round_ = acedrex.Board("chess"), round_ + 1
        for _ in range(min(LONGEST, plies)):
            moves = board.legal_moves
            if not len(moves):
                break
            board.push(moves[rng.randrange(len(moves))])
        plies -= board.ply()
        record = pgn.Game.from_board(board)
        record.headers.update(Event="Rated game", Site="Acedrex", Round=str(round_), WhiteElo="1500", BlackElo="1500")
        for number, node in enumerate(record.mainline()):
            node.set_clock(600 - number)
        record.write(file)


def read_all(path: Path, read: Callable[[TextIO], pgn.Game | pgn.Headers | None]) -> tuple[float, int, int]:
    """Read a file to its end, and return the seconds, the games and the plies."""
    games = plies = 0
    begun = time.perf_counter()
    with path.open(encoding="utf-8") as file:
        while (found := read(file)) is not None:
            games += 1
            if isinstance(found, pgn.Game):
                plies += found.end().ply()
    return time.perf_counter() - begun, games, plies


def main() -> None:
    parser = argparse.ArgumentParser(prog="benches.pgn", description="Read games of chess from PGN.")
    parser.add_argument("--plies", type=int, default=1_000_000)
    parser.add_argument("--runs", type=int, default=1)
    arguments = parser.parse_args()
    python = RIVALS / ".venv" / "bin" / "python"
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "games.pgn"
        with path.open("w", encoding="utf-8") as file:
            write_games(file, arguments.plies)
        size = path.stat().st_size / 1e6
        print(f"{arguments.plies:,} plies, {size:.1f} MB")
        for _ in range(arguments.runs):
            own = {"games": read_all(path, pgn.read_game), "headers": read_all(path, pgn.read_headers)}
            other = {}
            if python.exists():
                command = [str(python), str(RIVALS / "read_pgn.py"), str(path)]
                other = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
            else:
                print("no python-chess: `make bench` makes its environment")
            for name, (seconds, games, plies) in own.items():
                line = f"{name}: {games:,} games, {plies:,} plies in {seconds:.1f} s, {size / seconds:.1f} MB/s"
                if other:
                    theirs, *found = other[name]
                    assert found == [games, plies], f"{other['name']} found {found}"
                    line += f"; {other['name']} in {theirs:.1f} s: {theirs / seconds:.1f}x"
                print(line, flush=True)


if __name__ == "__main__":
    main()
