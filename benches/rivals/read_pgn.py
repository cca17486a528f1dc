"""Reads a PGN file with python-chess. Prints its name and version, and the seconds and findings of each pass, in JSON.

python read_pgn.py FILE
"""

import json
import sys
import time
from pathlib import Path

import chess
import chess.pgn


def main() -> None:
    passes = {}
    for name, read in (("games", chess.pgn.read_game), ("headers", chess.pgn.read_headers)):
        games = plies = 0
        begun = time.perf_counter()
        with Path(sys.argv[1]).open(encoding="utf-8") as file:
            while (found := read(file)) is not None:
                games += 1
                if name == "games":
                    plies += found.end().ply()
        passes[name] = (time.perf_counter() - begun, games, plies)
    print(json.dumps({"name": f"python-chess {chess.__version__}", **passes}))


if __name__ == "__main__":
    main()
