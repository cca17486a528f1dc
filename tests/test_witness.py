"""Legal moves compared with another program's: random positions of the games that Fairy-Stockfish supports."""

from __future__ import annotations

import random
import re
import subprocess
from collections.abc import Callable

import pytest

from acedrex import Board
from acedrex.engine.dialect import FAIRY_STOCKFISH

MOVES, EVERY = 160, 5


def positions(game: str) -> list[Board]:
    """Positions of one random game, some moves apart."""
    rng, board, found = random.Random(game), Board(game), []
    for made in range(MOVES):
        if board.is_game_over():
            break
        if made % EVERY == 0:
            found.append(board.copy(stack=False))
        board.push(rng.choice(list(board.legal_moves)))
    return found


# Magi needs a newer version than most systems have; benches/perft.py covers it.
@pytest.mark.parametrize("game", sorted(FAIRY_STOCKFISH.keys() - {"magi:classic_ep=on"}))
def test_legal_moves_agree_with_fairy_stockfish(game: str, witness: Callable[[str], str]) -> None:
    boards = positions(game)
    dialect = FAIRY_STOCKFISH[game]
    lines = ["uci", f"setoption name UCI_Variant value {dialect.variant}"]
    for board in boards:
        lines += [f"position fen {dialect.fen(board.fen())}", "go perft 1"]
    run = subprocess.run(
        [witness("fairy-stockfish")],
        input="\n".join([*lines, "quit\n"]),
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    listed = [re.findall(r"^(\w+): 1$", part, re.M) for part in run.stdout.split("Nodes searched")[:-1]]
    assert len(listed) == len(boards) > 10
    for board, moves in zip(boards, listed, strict=True):
        assert sorted(move.uci() for move in board.legal_moves) == sorted(moves), board.fen()
