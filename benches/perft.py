"""How fast moves are counted: Acedrex and Fairy-Stockfish on the same positions, one thread each, in the same run.

Both count the last move in bulk. The counts must be the same; a game that Fairy-Stockfish does not know is counted by
Acedrex alone. The figure of a program is its best of several runs, taken in turn.

    python -m benches.perft [--runs 3] [--only shako,maasai]
"""

from __future__ import annotations

import argparse
import contextlib
import json
import sys
import time
from dataclasses import dataclass
from math import prod
from pathlib import Path

import acedrex
from benches.fairy_stockfish import FairyStockfish, find

#: A short count is repeated until it has taken a second in all, at most so often.
MOST_RUNS = 30
DATA = Path(__file__).resolve().parent.parent / "tests" / "data"


@dataclass(frozen=True)
class Case:
    """A position to count from, as deep as a few seconds allow, and whether Fairy-Stockfish counts it too."""

    game: str
    name: str
    fen: str | None
    depth: int
    rival: bool = False


def crowded(game: str, folder: str = "perft") -> str:
    """Return the position with the most moves from the test data of a game."""
    positions = json.loads((DATA / folder / f"{game}.json").read_text())["positions"]
    plain = [case for case in positions if case["fen"] and not case.get("options") and not case.get("plies")]
    return str(max(plain, key=lambda case: case["perft"][0])["fen"])


def cases() -> list[Case]:
    """Return all positions, those with a rival first."""
    return [
        Case("shako", "start", None, 4, rival=True),
        Case("shako", "middlegame", crowded("shako"), 4, rival=True),
        Case("grand", "start", None, 4, rival=True),
        Case("grand", "middlegame", crowded("grand"), 4, rival=True),
        Case("capablanca", "start", None, 5, rival=True),
        Case("capablanca", "middlegame", crowded("capablanca"), 4, rival=True),
        Case("magi:classic_ep=on", "start", None, 4, rival=True),
        Case("magi:classic_ep=on", "middlegame", crowded("magi"), 4, rival=True),
        Case("maasai", "start", None, 5),
        Case("maasai", "middlegame", crowded("maasai", "vectors"), 4),
        Case("terachess", "start", None, 4),
        Case("terachess", "middlegame", crowded("terachess"), 3),
        Case("chieftain", "start", None, 4),
        Case("chieftain", "middlegame", crowded("chieftain", "vectors"), 3),
        Case("chess", "start", None, 6),
        Case("chess", "middlegame", crowded("chess"), 5),
    ]


def own(case: Case) -> tuple[int, float]:
    """Count with Acedrex; give the count and the seconds it took."""
    board = acedrex.Board(case.game, fen=case.fen)
    begun = time.perf_counter()
    nodes = board.perft(case.depth)
    return nodes, time.perf_counter() - begun


def measure(case: Case, rival: FairyStockfish | None, runs: int) -> tuple[int, float, float | None]:
    """Return the count, Acedrex's best seconds and the rival's; stop where the counts differ."""
    nodes, best, other, spent = 0, float("inf"), float("inf"), 0.0
    for run in range(MOST_RUNS):
        nodes, seconds = own(case)
        best, spent = min(best, seconds), spent + seconds
        if run >= runs:
            if spent > 1:
                break
        elif rival is not None:
            counted, seconds = rival.perft(case.game, case.fen, case.depth)
            other = min(other, seconds)
            if counted != nodes:
                sys.exit(f"{case.game} {case.name}, depth {case.depth}: {nodes} here, {counted} by {rival.name}")
    return nodes, best, other if other < float("inf") else None


def main() -> None:
    parser = argparse.ArgumentParser(prog="benches.perft", description="Count moves, against Fairy-Stockfish.")
    parser.add_argument("--runs", type=int, default=3, help="runs of each program; the best counts")
    parser.add_argument("--only", default="", help="games, separated by commas")
    arguments = parser.parse_args()
    wanted = set(filter(None, arguments.only.split(",")))
    path = find()
    with contextlib.ExitStack() as stack:
        rival = stack.enter_context(FairyStockfish(path)) if path else None
        print(f"against {rival.name}" if rival else "fairy-stockfish is not installed: Acedrex alone")
        print(f"{'game':<12}{'position':<12}{'depth':>5}{'nodes':>15}{'Mnps':>9}{'rival':>9}{'ratio':>8}")
        ratios = []
        for case in cases():
            game = case.game.partition(":")[0]
            if wanted and game not in wanted:
                continue
            able = rival if case.rival and rival and (game != "magi" or rival.knows_magi) else None
            nodes, best, other = measure(case, able, arguments.runs)
            line = f"{game:<12}{case.name:<12}{case.depth:>5}{nodes:>15,}{nodes / best / 1e6:>9.1f}"
            if other is not None:
                ratios.append(other / best)
                line += f"{nodes / other / 1e6:>9.1f}{ratios[-1]:>7.1f}x"
            print(line, flush=True)
    if ratios:
        mean = prod(ratios) ** (1 / len(ratios))
        print(f"{min(ratios):.1f}x at least, {mean:.1f}x in the geometric mean")


if __name__ == "__main__":
    main()
