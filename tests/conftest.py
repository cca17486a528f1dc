"""What all tests share."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from acedrex import Board, parse_square


def squares(names: str) -> set[int]:
    """Read squares with blanks between them."""
    return {parse_square(name) for name in names.split()}


def played(spec: str, text: str = "", fen: str | None = None) -> Board:
    """Make a board on which some plies have been made."""
    board = Board(spec, fen)
    for uci in text.split():
        board.push_uci(uci)
    return board


def snapshot(board: Board) -> tuple[Any, ...]:
    """Give all that a board tells, to see that it has stayed the same."""
    texts = sorted(move.uci() for move in board.legal_moves)
    stack = (board.move_stack, board.turn_plies, board.root_fen, board.repetitions(), board.plies_left)
    return board.fen(), board.key, board.turn, board.piece_map(), texts, stack


def walk(game: str, plies: int, seed: int = 1) -> Iterator[Board]:
    """Visit the boards of a game played at random."""
    board = Board(game)
    for number in range(plies):
        yield board
        if board.is_game_over():
            return
        board.push(board.legal_moves[(seed * 7919 + number * 104729) % len(board.legal_moves)])


@pytest.fixture(scope="session")
def witness() -> Callable[[str], str]:
    """Find a program from outside, such as `witness("fairy-stockfish")`, or skip the test and say why.

    With ACEDREX_REQUIRE_WITNESSES set an absent program is a failure: whoever sets it wants every test run.
    """

    def find(program: str) -> str:
        # Debian keeps games out of root's path.
        path = shutil.which(program) or shutil.which(program, path="/usr/games:/usr/local/games")
        if path is None:
            reason = f"{program} is not installed"
            if os.environ.get("ACEDREX_REQUIRE_WITNESSES"):
                pytest.fail(reason, pytrace=False)
            pytest.skip(reason)
        return path

    return find
