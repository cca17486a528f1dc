"""Openings: some random moves from the start, the same for both games of a pair."""

from __future__ import annotations

import random
from collections.abc import Callable

from acedrex.board import Board
from acedrex.engine.engine import Engine
from acedrex.engine.limit import Limit
from acedrex.errors import Error
from acedrex.match.settings import Settings

__all__ = ["Judge", "make_opening"]

#: Nodes that are looked at to judge an opening.
NODES = 2000

#: How often an opening is thrown away before the game is thought not to have any.
TRIES = 1000


class Judge:
    """Tells how much a position favours a side: always the same for the same position."""

    def __init__(self) -> None:
        self._engine = Engine(hash_mb=8)

    def __call__(self, board: Board) -> int:
        """Return the centipawns by which a side is better; a mate is out of all balance."""
        self._engine.clear()
        score = self._engine.analyse(board, Limit(nodes=NODES))[0].score
        return abs(score.cp) if score.cp is not None else 1_000_000


def make_opening(settings: Settings, pair: int, judge: Callable[[Board], int] | None = None) -> Board:
    """Make the opening of a pair: the same one for the same seed.

    :param judge: openings that it finds out of balance are thrown away.
    :raises Error: if none can be found.
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
    """Play at random from the start, or from a setup; ``None`` if the game is over too soon."""
    setups = settings.game.setups
    board = Board(settings.game, setup=chance.randrange(len(setups)) + 1 if setups else None)
    # A turn of several moves is played to its end.
    while not board.is_game_over() and (board.ply() < settings.openings or board.turn_moves):
        moves = board.legal_moves
        board.push(moves[chance.randrange(len(moves))])
    return None if board.is_game_over(claim_draw=True) else board
