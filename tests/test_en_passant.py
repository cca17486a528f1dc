"""En passant in turns of several moves: the next turn may capture every Pawn that passed, and the FEN says which."""

from __future__ import annotations

import pytest

import acedrex
from acedrex import Board, Game
from tests.conftest import played

#: A position, the moves played from it, and the en passant squares after them.
TURNS = {
    "two victims": ("4k3/8/8/8/1p1p4/8/P1P5/4K3 w - - 0 1", "a2a4 c2c4", "a3c3"),
    "two victims for one pawn": ("4k3/8/8/8/1p6/8/P1P5/4K3 w - - 0 1", "c2c4 a2a4", "a3c3"),
    "two victims of black": ("4k3/p1p5/8/1P6/8/8/8/4K3 b - - 0 1", "a7a5 c7c5", "a6c6"),
    "one victim and another move": ("4k3/8/8/8/1p6/8/P7/4K3 w - - 0 1", "a2a4 e1e2", "a3"),
    "a piece where the victim stood": ("4k3/8/8/8/1p6/8/P7/R3K3 w - - 0 1", "a2a4 a1a2", "a3"),
    "a piece where the victim passed": ("4k3/8/8/8/1p6/8/P7/R3K3 w - - 0 1", "a2a4 a1a3", "-"),
    "a victim that moved on": ("4k3/8/8/8/1p6/8/P7/4K3 w - - 0 1", "a2a4 a4a5", "-"),
    "a pinned pawn takes neither": ("1k6/8/8/8/1p6/8/P1P5/1R2K3 w - - 0 1", "a2a4 c2c4", "-"),
}


@pytest.mark.parametrize(("fen", "made", "squares"), TURNS.values(), ids=TURNS)
def test_every_en_passant_square_of_a_turn_is_kept_in_the_fen(fen: str, made: str, squares: str) -> None:
    board = played("marseillais", made, fen)
    assert board.fen().split()[1:4] == ["w" if fen.split()[1] == "b" else "b", "-", squares]
    read = Board("marseillais", board.fen())
    assert read == board
    assert list(read.legal_moves) == list(board.legal_moves)
    assert read.key == board.key


def test_two_pawns_can_be_captured_en_passant_in_one_turn() -> None:
    board = played("marseillais", "a2a4 c2c4", "4k3/8/8/8/1p1p4/8/P1P5/4K3 w - - 0 1")
    board.push_uci("b4a3")
    read = Board("marseillais", board.fen())
    assert read.fen() == board.fen() == "4k3/8/8/8/PpPp4/8/8/4K3 b - a3c3 0 1 b4a3"
    for other in (board, read):
        other.push_san("dxc3")
        assert other.fen() == "4k3/8/8/8/8/p1p5/8/4K3 w - - 0 2"


def test_another_move_loses_the_right_to_capture_en_passant() -> None:
    board = played("marseillais", "a2a4 c2c4 e8e7", "4k3/8/8/8/1p1p4/8/P1P5/4K3 w - - 0 1")
    assert not [move for move in board.legal_moves if board.is_capture(move)]
    assert Board("marseillais", board.fen()) == board


def test_three_double_steps_in_one_turn_give_three_en_passant_squares() -> None:
    text = acedrex.load("marseillais").source.replace("moves = 2", "moves = 3").replace('"marseillais"', '"three"')
    board = Board(Game(text, "three.toml"), "4k3/8/8/8/1p3p2/8/P1P1P3/4K3 w - - 0 1")
    for uci in ("a2a4", "e2e4", "c2c4"):
        board.push_uci(uci)
    assert board.fen().split()[3] == "a3c3e3"
    assert Board(board.game, board.fen()) == board
