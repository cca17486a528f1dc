"""The rows of docs/ladder.md against others: plays the matches and prints them as a table.

    python -m benches.ladder [GAME ...] [--games 200] [--time 0.1] [--concurrency 1] [--rival fairy-stockfish]
        [--old ../old/.venv/bin/acedrex] [--out build/ladder]

Every game is on disk when it is over: Ctrl-C stops, and the same command goes on, also with more games. The table has
what has been played so far; `--games 0` plays nothing. `--rival` is a Fairy-Stockfish, `--old` the engine of another
commit, built in a folder of its own; rows without their program are left out. Nothing else should run: what was not
fair says so.
"""

from __future__ import annotations

import argparse
import json
import shutil
from pathlib import Path
from typing import Any

from acedrex.cli import main as acedrex
from acedrex.engine import UciEngine
from acedrex.uci.bench import bench

#: The games, against which program, and what is special.
ROWS = {
    "capablanca": ("rival", ["--adjudicate"]),
    "grand": ("rival", ["--adjudicate"]),
    "shako": ("rival", ["--adjudicate"]),
    "knightmate": ("rival", ["--adjudicate"]),
    "xiangqi": ("rival", ["--adjudicate"]),
    "magi:classic_ep=on": ("wasm", ["--adjudicate", "--ask-again"]),
    "metamachy": ("old", ["--adjudicate"]),
    "zanzibar-s": ("old", ["--adjudicate"]),
    "maasai": ("old", ["--adjudicate"]),
    "chieftain": ("old", []),
}
#: The status of a match that was played, fairly or not.
PLAYED = (0, 3)
HEAD = "| game | against | bench | games | score | drawn | nodes/s, ours and theirs | processor | late |"


def row(summary: dict[str, Any], rival: str, signature: str) -> str:
    """Return a row of the table.

    :param summary: what `acedrex match --out` has written.
    :param rival: the name of the second player.
    :param signature: the bench of the first.
    """
    low, high = summary["score_interval"]
    facts = summary.get("fairness", {}).values()
    cells = [
        summary["game"],
        rival,
        signature,
        str(summary["games"]),
        f"{summary['score']:.1%} [{100 * low:.1f}, {100 * high:.1f}]",
        f"{summary['draws'] / summary['games']:.0%}",
        " and ".join(f"{side['nodes_per_second'] or 0:,}" for side in facts),
        " and ".join("?" if side["processor"] is None else f"{side['processor']:.0%}" for side in facts),
        " and ".join(str(side["late"]) for side in facts) + (", **unfair**" if summary.get("unfair") else ""),
    ]
    return f"| {' | '.join(cells)} |"


def own_bench() -> str:
    """Return the number that identifies how our engine plays."""
    lines: list[str] = []
    bench(lines.append)
    return next(line.split()[-1] for line in lines if line.startswith("Nodes searched"))


def programs(args: argparse.Namespace) -> dict[str, str]:
    """Return the commands of the opponents that there are."""
    found = {"rival": args.rival, "old": f"{args.old} uci", "wasm": "node benches/rivals/fairy_stockfish.mjs"}
    there = {
        "rival": shutil.which(args.rival),
        "old": args.old and shutil.which(args.old),
        "wasm": shutil.which("node") and Path("benches/rivals/node_modules").exists(),
    }
    return {name: command for name, command in found.items() if there[name]}


def main() -> int:
    """Play what is missing, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games_played", nargs="*", metavar="GAME", default=list(ROWS))
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--time", default="0.1")
    parser.add_argument("--concurrency", default="1")
    parser.add_argument("--seed", default="101")
    parser.add_argument("--rival", default="fairy-stockfish")
    parser.add_argument("--old", default="")
    parser.add_argument("--out", type=Path, default=Path("build/ladder"))
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    commands, lines, status = programs(args), [], 0
    signature = own_bench()
    for game in args.games_played:
        kind, special = ROWS[game]
        if kind not in commands:
            print(f"{game}: left out, its opponent is not there")
            continue
        out = args.out / f"{game.partition(':')[0]}.json"
        variants = " option.VariantPath=benches/rivals/magi.ini" if kind == "wasm" else ""
        second = f"uci:{commands[kind]} option.Hash=64{variants}"
        words = ["match", game, "--first", "acedrex hash=64", "--second", second, "--time", args.time, *special]
        words += ["--seed", args.seed, "--concurrency", args.concurrency, "--out", str(out), "--resume"]
        if args.games:
            status = acedrex([*words, "--games", str(args.games)])
        if out.exists() and (summary := json.loads(out.read_text())).get("score_interval"):
            with UciEngine(commands[kind]) as engine:
                lines.append(row(summary, engine.name, signature))
        if status not in PLAYED:
            break
    print("", HEAD, f"|{'---|' * HEAD[1:].count('|')}", *lines, sep="\n")
    return status


if __name__ == "__main__":
    raise SystemExit(main())
