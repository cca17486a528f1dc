"""Pieces that can go to a square in several ways: each move is generated once."""

from __future__ import annotations

import pytest

from acedrex import WHITE, Board, Game

DEFINITION = """
[game]
id = "overlaps"
board = "9x9"
start = "k8/4o4/X5o2/3X2X2/2O1X4/2X3X2/4X1O2/9/1K6X w - - 0 1"
[pieces.K]
move = "K"
royal = true
[pieces.X]
move = "{}"
from = [{}]
[pieces.O]
move = "fmW"
[end]
goal = "capture all royals"
"""

#: By name: a piece's moves, and its extra moves from certain squares.
OVERLAPS = {
    "a slide and a leap": ("RD", ""),
    "a slide and a leap that does not capture": ("RmD", ""),
    "slides of two lengths": ("R3mR", ""),
    "a slide and a hop": ("mRcpRD", ""),
    "a hop and a leap": ("mpBmA", ""),
    "a bent slide and a slide": ("FyafsFmQ", ""),
    "a bent slide and a leap": ("[F?fsR]mN", ""),
    "two bent slides": ("[F?fsR][W?fsB]", ""),
    "a lame leap and a slide": ("mnDmW2", ""),
    "a lame leap, and again without capturing": ("nD[W-mW]", ""),
    "a lame leap ahead, and again without capturing": ("fnD[fW-mfW]", ""),
    "a leap lame in two ways": ("[W-fsF][F-fsW]", ""),
    "a leap lame in two ways, once without capturing": ("nN[F-mfsW]", ""),
    "a lame leap and a leap": ("nNmN", ""),
    "a long leap lame in two ways": ("nH[W-fD][D-mfW]", ""),
    "a lame leap with and without a right": (
        "fmW",
        '{squares="rank 5",move="fmnD"},{squares="e5",move="fmnD",right="E"}',
    ),
    "a double step with and without a right": (
        "fmW",
        '{squares="rank 5",move="fmnnD"},{squares="e5",move="fmnnD",right="E"}',
    ),
    "double and triple steps": ("fmnnHfmnnDfmW", ""),
    "a long step and a step": ("fmnnW3fmWfcF", ""),
}


@pytest.mark.parametrize(("move", "more"), OVERLAPS.values(), ids=OVERLAPS)
def test_no_move_is_generated_twice(move: str, more: str) -> None:
    text = DEFINITION.format(move, more)
    board = Board(Game(text.replace(" - - ", " E - ") if "right" in more else text, "overlaps.toml"))
    moves = list(board.legal_moves)
    # There are enough pieces of one type that moves are counted in bulk instead of listed.
    assert len(moves) == len(set(moves)) == board.copy().legal_moves.count()
    for at in board.pieces("X", WHITE):
        went = sorted(move.to_square for move in moves if move.from_square == at)
        assert went == sorted(reach.to for reach in board.reach(at))
