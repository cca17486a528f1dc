"""Sizes: the memory of a board, the time to import the package and to load each game.

Every figure is taken in a Python of its own, so that nothing is there already.

    python -m benches.sizes
"""

from __future__ import annotations

import subprocess
import sys

import acedrex

RUNS = 7

IMPORT = """
import time
begun = time.perf_counter()
import acedrex
print(time.perf_counter() - begun)
"""

LOAD = """
import time, acedrex
begun = time.perf_counter()
acedrex.Board({game!r})
print(time.perf_counter() - begun)
"""

#: Many copies of one board after some plies: what each of them adds to the memory that the process holds.
BOARD = """
import acedrex
board = acedrex.Board({game!r})
for _ in range({plies}):
    moves = board.legal_moves
    if len(moves):
        board.push(moves[len(moves) // 2])

def resident():
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) * 1024 for line in status if line.startswith("VmRSS"))

copies = [board.copy() for _ in range(100)]
before = resident()
copies += [board.copy() for _ in range(5000)]
print((resident() - before) / 5000)
"""


def run(code: str, **values: object) -> float:
    """Return the number that code prints in a separate Python process."""
    command = [sys.executable, "-c", code.format(**values)]
    return float(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def main() -> None:
    print(f"import acedrex: {min(run(IMPORT) for _ in range(RUNS)) * 1000:.1f} ms")
    print(f"{'game':<14}{'load':>10}{'board':>12}{'after 100 plies':>18}")
    for game in acedrex.games():
        seconds = min(run(LOAD, game=game) for _ in range(RUNS))
        fresh, played = (run(BOARD, game=game, plies=plies) for plies in (0, 100))
        print(f"{game:<14}{seconds * 1000:>7.2f} ms{fresh:>10,.0f} B{played:>16,.0f} B", flush=True)


if __name__ == "__main__":
    main()
