"""What things weigh: the memory of a board, the time to import the package and to load each game.

    python -m benches.sizes
"""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import acedrex

BOARDS = 20_000
RUNS = 7


def resident() -> int:
    """Give the bytes of memory that this process holds."""
    status = Path("/proc/self/status")
    if not status.exists():
        sys.exit("this needs /proc, as Linux has it")
    line = next(line for line in status.read_text().splitlines() if line.startswith("VmRSS"))
    return int(line.split()[1]) * 1024


def board_bytes(game: str) -> tuple[float, float]:
    """Give the bytes of a fresh board, and of one with the history of a hundred plies, averaged over many."""
    fresh = acedrex.Board(game)
    played = acedrex.Board(game)
    for _ in range(100):
        moves = played.legal_moves
        if not len(moves):
            break
        played.push(moves[len(moves) // 2])
    sizes = []
    for board in (fresh, played):
        before = resident()
        copies = [board.copy() for _ in range(BOARDS)]
        sizes.append((resident() - before) / len(copies))
        del copies
    return sizes[0], sizes[1]


def in_fresh_process(code: str) -> float:
    """Give the seconds that code takes in a Python of its own, as the code itself prints them; the best of several."""
    times = []
    for _ in range(RUNS):
        result = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
        times.append(float(result.stdout))
    return min(times)


def main() -> None:
    clock = "import time; begun = time.perf_counter(); {}; print(time.perf_counter() - begun)"
    print(f"import acedrex   {in_fresh_process(clock.format('import acedrex')) * 1000:8.1f} ms")
    print(f"{'game':<14}{'load':>10}{'board':>12}{'after 100 plies':>18}")
    for game in acedrex.games():
        seconds = in_fresh_process("import acedrex; " + clock.format(f"acedrex.Board({game!r})"))
        fresh, played = board_bytes(game)
        print(f"{game:<14}{seconds * 1000:>7.2f} ms{fresh:>10,.0f} B{played:>16,.0f} B", flush=True)


if __name__ == "__main__":
    begun = time.perf_counter()
    main()
    print(f"took {time.perf_counter() - begun:.0f} s")
