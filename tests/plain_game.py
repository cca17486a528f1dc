"""A plain game as a definition, for tests of what else a definition may say, and the faults found in such texts."""

from __future__ import annotations

from pathlib import Path

import acedrex

BASE = """
[game]
id = "plain"
board = "8x8"
start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1"

[pieces]
K = { name = "King", move = "K", royal = true }
Q = { name = "Queen", move = "Q" }
R = { name = "Rook", move = "R" }
B = { name = "Bishop", move = "B" }
N = { name = "Knight", move = "N" }
P = { name = "Pawn", move = "fmWfcF" }
"""


def faults(tmp_path: Path, text: str) -> list[acedrex.Fault]:
    path = tmp_path / "plain.toml"
    path.write_text(text, encoding="utf-8")
    return acedrex.check(path)


def fault(tmp_path: Path, text: str) -> str:
    [found] = faults(tmp_path, text)
    return str(found)
