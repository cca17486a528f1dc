"""The measurements can be made: what they measure exists."""

from __future__ import annotations

from acedrex import Board
from benches.perft import cases


def test_every_position_whose_moves_are_counted_is_one_of_its_game() -> None:
    assert all(Board(case.game, fen=case.fen).is_valid() for case in cases())
