"""How many positions a second the engine searches, beside Fairy-Stockfish on the same positions, turn and turn about.

python -m benches.engine [--time 2]
"""

from __future__ import annotations

import argparse
import shutil
import statistics
from pathlib import Path

import acedrex
from acedrex import Board, Engine, Limit
from acedrex.engine import UciEngine
from benches import fairy_stockfish

RIVALS = Path(__file__).parent / "rivals"
#: Moves at random from the start to the positions measured, one a row.
DEPTHS = (0, 12, 30)
#: Games that Fairy-Stockfish plays as well, and its build for Node that plays Magi.
SHARED = ("shako", "grand", "capablanca", "chess")
WASM = "magi:classic_ep=on"
ALONE = ("metamachy", "zanzibar-s", "maasai", "chieftain", "terachess")


def positions(game: str) -> list[Board]:
    """Make boards after a few and after many random moves."""
    found = []
    for depth in DEPTHS:
        board = Board(acedrex.load(game))
        board.set_fen(board.playout(seed=depth + 1, max_plies=depth).fen)
        found.append(board)
    return found


def speed(engine: Engine | UciEngine, board: Board, seconds: float) -> float:
    """Return the thousands of positions a second of one search."""
    engine.clear()
    info = engine.play(board, Limit(time=seconds)).info
    return 0.0 if info is None else info.nodes / max(info.time, 1e-6) / 1000


def rival(game: str) -> UciEngine | None:
    """Start the program to measure against, if there is one."""
    if game in SHARED and (path := fairy_stockfish.find()):
        return UciEngine([path], options={"Hash": "64"})
    if game == WASM and shutil.which("node") and (RIVALS / "node_modules").exists():
        program = ["node", str(RIVALS / "fairy_stockfish.mjs")]
        return UciEngine(program, options={"VariantPath": str(fairy_stockfish.MAGI)})
    return None


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--time", type=float, default=2.0, help="seconds a search (2)")
    seconds = parser.parse_args().time
    print("\nSearch, thousands of positions a second, one thread\n")
    print(f"{'game':20} {'Acedrex':>9} {'other':>9} {'ratio':>6}")
    for game in (*SHARED, WASM, *ALONE):
        other = rival(game)
        with Engine(hash_mb=64) as engine:
            own, others = [], []
            for board in positions(game):
                own.append(speed(engine, board, seconds))
                if other is not None:
                    others.append(speed(other, board, seconds))
        ours = statistics.geometric_mean(own)
        if other is None:
            print(f"{game:20} {ours:9.0f} {'':>9} {'':>6}", flush=True)
            continue
        other.close()
        theirs = statistics.geometric_mean(others)
        print(f"{game:20} {ours:9.0f} {theirs:9.0f} {ours / theirs:6.2f}", flush=True)


if __name__ == "__main__":
    main()
