"""The engine in WebAssembly beside the native one and Fairy-Stockfish's WebAssembly: thousands of positions a second.

All three search the same positions, turn and turn about, each in a process of its own; ours in Node, from the npm
package that `make npm` makes. Last, perft in the core alone.

    python -m benches.wasm [--time 2] [--rounds 3]
"""

from __future__ import annotations

import argparse
import json
import shutil
import statistics
import subprocess
import time
from pathlib import Path

import acedrex
from acedrex import Board, Engine
from acedrex.engine import UciEngine
from benches import fairy_stockfish
from benches.engine import RIVALS, positions, speed

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "build" / "npm" / "core" / "src" / "node.js"
SHARED = ("magi:classic_ep=on", "shako")
ALONE = ("metamachy", "zanzibar-s", "maasai", "chieftain")
PERFT = (("maasai", 4), ("magi", 4), ("shako", 4))

#: Answers lines of JSON: a game and a FEN with the seconds to search, or with the depth to count.
PROGRAM = """
import { createInterface } from "node:readline";
const { Board, Engine, load } = await import(process.argv[1]);
const engine = new Engine({ hashMb: 64 });
for await (const line of createInterface({ input: process.stdin })) {
  const { game, fen, time, depth } = JSON.parse(line);
  const board = new Board(await load(game), { fen });
  if (depth) {
    const begun = performance.now();
    console.log(board.perft(depth) / (performance.now() - begun));
    continue;
  }
  await engine.clear();
  const { info } = await engine.play(board, { time });
  console.log(info ? info.nodes / Math.max(info.time, 1e-6) / 1000 : 0);
}
engine.close();
"""


class Node:
    """The package in a Node of its own."""

    def __init__(self) -> None:
        command = ["node", "--input-type=module", "-e", PROGRAM, "--", PACKAGE.as_uri()]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)

    def ask(self, **question: object) -> float:
        """Return the thousands of positions a second."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps(question) + "\n")
        return float(self.process.stdout.readline())

    def close(self) -> None:
        """End it."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait()


def rival(game: str) -> UciEngine | None:
    """Start Fairy-Stockfish in Node, for a game that it plays."""
    if game not in SHARED or not (RIVALS / "node_modules").exists():
        return None
    program = ["node", str(RIVALS / "fairy_stockfish.mjs")]
    options = {"VariantPath": str(fairy_stockfish.MAGI)} if game == SHARED[0] else {}
    return UciEngine(program, options=options)


def searched(
    native: Engine, node: Node, other: UciEngine | None, game: str, board: Board, arguments: argparse.Namespace
) -> list[float]:
    """Return the best speed of each program at a position: natively, in Node, and of the rival if there is one."""
    found: list[list[float]] = [[], [], []]
    for _ in range(arguments.rounds):
        found[0].append(speed(native, board, arguments.time))
        found[1].append(node.ask(game=game, fen=board.fen(), time=arguments.time))
        if other is not None:
            found[2].append(speed(other, board, arguments.time))
    return [max(speeds) for speeds in found if speeds]


def counted(game: str, depth: int) -> float:
    """Return the thousands of leaves a second that the native core counts."""
    board = Board(game)
    begun = time.perf_counter()
    return board.perft(depth) / (time.perf_counter() - begun) / 1000


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--time", type=float, default=2.0, help="seconds a search (2)")
    parser.add_argument("--rounds", type=int, default=3, help="searches of each position (3)")
    arguments = parser.parse_args()
    if not shutil.which("node") or not PACKAGE.exists():
        print("\nWebAssembly: `make npm` makes what is measured here, and Node runs it.")
        return
    node = Node()
    print("\nSearch in WebAssembly, thousands of positions a second, one thread\n")
    print(f"{'game':20} {'native':>9} {'wasm':>9} {'ratio':>6} {'FSF wasm':>9} {'ratio':>6}")
    for game in (*SHARED, *ALONE):
        other = rival(game)
        with Engine(hash_mb=64) as native:
            best = [searched(native, node, other, game, board, arguments) for board in positions(game)]
        ours, theirs, *others = map(statistics.geometric_mean, zip(*best, strict=True))
        line = f"{game:20} {ours:9.0f} {theirs:9.0f} {theirs / ours:6.2f}"
        if other is not None:
            other.close()
            line += f" {others[0]:9.0f} {theirs / others[0]:6.2f}"
        print(line, flush=True)
    print("\nPerft, thousands of leaves a second\n")
    for game, depth in PERFT:
        fen = acedrex.load(game).start_fen
        pairs = [(counted(game, depth), node.ask(game=game, fen=fen, depth=depth)) for _ in range(arguments.rounds)]
        native_best, wasm_best = (max(values) for values in zip(*pairs, strict=True))
        print(f"{f'{game} {depth}':20} {native_best:9.0f} {wasm_best:9.0f} {wasm_best / native_best:6.2f}", flush=True)
    node.close()


if __name__ == "__main__":
    main()
