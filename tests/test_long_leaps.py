"""Leaps that have no letter, written as two distances in parentheses."""

from __future__ import annotations

from pathlib import Path

import pytest

import acedrex
from acedrex import Board

TEXT = """[game]
id = "long"
board = "16x16"
start = "k15/16/16/16/16/16/16/16/16/16/16/16/16/16/16/K15"
[pieces.K]
move = "K"
royal = true
[pieces.X]
move = "{move}"
"""


def reached(move: str, at: str, folder: Path, others: str = "") -> set[str]:
    """Where a piece with this move can go from a square."""
    path = folder / "long.toml"
    path.write_text(TEXT.format(move=move), encoding="utf-8")
    game = acedrex.load(path)
    board = Board(game)
    board.set_piece_at(acedrex.parse_square(at), acedrex.Piece("X", True))
    for square in others.split():
        board.set_piece_at(acedrex.parse_square(square), acedrex.Piece("X", False))
    return {acedrex.square_name(reach.to) for reach in board.reach(acedrex.parse_square(at))}


@pytest.mark.parametrize(
    ("move", "squares"),
    [
        ("(1,4)", "i12 l9 l7 i4 g4 d7 d9 g12"),
        ("(4,1)", "i12 l9 l7 i4 g4 d7 d9 g12"),
        ("(0,7)", "h15 h1 o8 a8"),
        ("f(0,7)", "h15"),
        ("f(0,7)b(0,6)", "h15 h2"),
        ("f(0,7)(0,1)", "h15 h9 h7 g8 i8"),
        ("ff(2,5)", "j13 f13"),
        ("(2,1)", "i10 j9 j7 i6 g6 f7 f9 g10"),
        ("(0,3)2", "h11 h14 h5 h2 k8 n8 e8 b8"),
        ("(3,4)0", "k12 n16 e12 b16 k4 e4 l11 p14 l5 p2 d11 d5"),
        ("(0,15)", ""),
    ],
)
def test_a_long_leaper_reaches_the_expected_squares(move: str, squares: str, tmp_path: Path) -> None:
    assert reached(move, "h8", tmp_path) == set(squares.split())


def test_leaps_jump_over_pieces_and_lame_leaps_do_not(tmp_path: Path) -> None:
    assert "h12" in reached("(0,4)", "h8", tmp_path, "h10")
    assert "h12" not in reached("n(0,4)", "h8", tmp_path, "h10")
    assert reached("[W-f(0,3)]", "h8", tmp_path, "h9") == {"h4", "l8", "d8"}


@pytest.mark.parametrize(
    "move",
    ["(1,4", "(1)", "()", "(,)", "(0,0)", "(1,16)", "(1,999)", "(-1,4)", "(+1,4)", "( 1,4)", "(1,4,5)", "n(1,4)"],
)
def test_malformed_leaps_are_refused(move: str, tmp_path: Path) -> None:
    with pytest.raises(acedrex.DefinitionError, match=r"pieces\.X\.move"):
        reached(move, "h8", tmp_path)
