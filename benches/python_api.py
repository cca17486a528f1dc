"""How fast random games go through the Python API, and how long looking at pieces takes.

Acedrex plays on twelve by twelve, python-chess on eight by eight.

A loop makes the same number of plies, and starts a new game where one has no legal move. One loop picks a move by its
index, the other takes the whole list. python-chess is GPL and lives in an environment of its own, which `make bench`
makes; without it Acedrex is measured alone.

    python -m benches.python_api [--plies 20000] [--runs 5] [--game maasai]
"""

from __future__ import annotations

import argparse
import inspect
import json
import random
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import acedrex

RIVALS = Path(__file__).resolve().parent / "rivals"


def by_index(game: str, seed: int, plies: int) -> None:
    rng, board = random.Random(seed), acedrex.Board(game)
    for _ in range(plies):
        moves = board.legal_moves
        if not len(moves):
            board = acedrex.Board(game)
            continue
        board.push(moves[rng.randrange(len(moves))])


def whole_list(game: str, seed: int, plies: int) -> None:
    rng, board = random.Random(seed), acedrex.Board(game)
    for _ in range(plies):
        moves = list(board.legal_moves)
        if not moves:
            board = acedrex.Board(game)
            continue
        board.push(rng.choice(moves))


def pieces(board: acedrex.Board, calls: int) -> None:
    for _ in range(calls):
        board.pieces("N", acedrex.WHITE)


def piece_map(board: acedrex.Board, calls: int) -> None:
    for _ in range(calls):
        board.piece_map()


def microseconds(look: Callable[[acedrex.Board, int], None], game: str, runs: int, calls: int = 2_000) -> float:
    """Return the time of one call at the start of a game, the best of several runs."""
    board, times = acedrex.Board(game), []
    for _ in range(runs):
        begun = time.perf_counter()
        look(board, calls)
        times.append(time.perf_counter() - begun)
    return min(times) / calls * 1e6


def rate(loop: Callable[[str, int, int], None], game: str, plies: int, runs: int) -> float:
    """Return plies a second, the best of several runs."""
    times = []
    for _ in range(runs):
        begun = time.perf_counter()
        loop(game, 1, plies)
        times.append(time.perf_counter() - begun)
    return plies / min(times)


def rivals(plies: int, runs: int) -> dict[str, float]:
    """Return python-chess's rate by loop; empty if it is not installed."""
    python = RIVALS / ".venv" / "bin" / "python"
    if not python.exists():
        print("no python-chess: `make bench` makes its environment")
        return {}
    command = [str(python), str(RIVALS / "random_games.py"), str(plies), str(runs)]
    found = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    print(f"against {found.pop('name')}")
    return {str(name): float(value) for name, value in found.items()}


def main() -> None:
    parser = argparse.ArgumentParser(prog="benches.python_api", description="Play random games through Python.")
    parser.add_argument("--plies", type=int, default=20_000)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--game", default="maasai")
    arguments = parser.parse_args()
    others = rivals(arguments.plies, arguments.runs)
    board = acedrex.load(arguments.game)
    for loop in (by_index, whole_list):
        print(f"\n{inspect.getsource(loop)}")
        own = rate(loop, arguments.game, arguments.plies, arguments.runs)
        line = f"{loop.__name__}: {own:,.0f} plies/s in {board.name}"
        if other := others.get(loop.__name__):
            line += f", {other:,.0f} plies/s in chess by python-chess: {own / other:.1f}x"
        print(line, flush=True)
    for look in (pieces, piece_map):
        took = microseconds(look, arguments.game, arguments.runs)
        line = f"\n{look.__name__}: {took:.2f} µs in {board.name}"
        if other := others.get(look.__name__):
            line += f", {other:.2f} µs in chess by python-chess: {took / other:.2f} of its time"
        print(line, flush=True)


if __name__ == "__main__":
    main()
