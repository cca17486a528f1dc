"""Openings: random moves from the start, the same for both games of a pair."""

from __future__ import annotations

import random
from collections.abc import Callable

from acedrex.board import Board
from acedrex.engine.engine import Engine
from acedrex.engine.limit import Limit
from acedrex.errors import Error
from acedrex.match.settings import Settings

__all__ = ["Judge", "make_opening"]

#: The nodes searched to judge an opening.
NODES = 2000

#: The openings that are tried before giving up.
TRIES = 1000


class Judge:
    """Evaluates positions, always the same for the same position."""

    def __init__(self) -> None:
        self._engine = Engine(hash_mb=8)

    def __call__(self, board: Board) -> int:
        """Return the centipawns by which either side is better; a mate counts as a huge number."""
        self._engine.clear()
        score = self._engine.analyse(board, Limit(nodes=NODES))[0].score
        return abs(score.cp) if score.cp is not None else 1_000_000


def make_opening(settings: Settings, pair: int, judge: Callable[[Board], int] | None = None) -> Board:
    """Return the opening of a pair of games, the same for the same seed.

    :param judge: evaluates openings; those that are not balanced enough are rejected.
    :raises Error: if no opening is found.
    """
    chance = random.Random(f"{settings.seed} {pair}")
    for _ in range(TRIES):
        board = _random_opening(settings, chance)
        if board is not None and (judge is None or judge(board) <= settings.balance):
            return board
    raise Error(
        f"{TRIES} openings of {settings.openings} random moves, and none playable; use fewer moves or a larger balance"
    )


def _random_opening(settings: Settings, chance: random.Random) -> Board | None:
    """Play random moves from the start, or from a random setup; ``None`` if the game ends too soon."""
    setups = settings.game.setups
    board = Board(settings.game, setup=chance.randrange(len(setups)) + 1 if setups else None)
    # A turn of several moves is played to its end.
    while not board.is_game_over() and (board.ply() < settings.openings or board.turn_moves):
        moves = board.legal_moves
        board.push(moves[chance.randrange(len(moves))])
    return None if board.is_game_over(claim_draw=True) else board
