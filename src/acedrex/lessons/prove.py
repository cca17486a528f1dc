"""Proofs of puzzles by exhaustive search, without an engine."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from typing import TypeVar

from acedrex._native import MateProver, Move
from acedrex.board import Board

T = TypeVar("T")

#: A defender is lost if it is mated within this number of the enemy's moves.
THREATENED_MOVES = 2


class TooLongError(Exception):
    """A proof would search more positions than allowed."""


class Prover:
    """Finds every move that forces the goal, and every way to reach it within a turn.

    The goal of a line with replies is mate or, if ``for_nothing`` is set, also to win a piece: to capture a
    piece that is not a soldier, while the enemy, from the first move of the line to its reply to that capture, can
    neither capture anything nor promote.

    Draws by repetition and by the fifty-move rule are ignored: no line is long enough for them.
    """

    def __init__(self, most: int = 2_000_000, *, for_nothing: bool = False) -> None:
        """Create a prover that may search ``most`` positions."""
        self._remaining = most
        self._mates = MateProver(most, for_nothing)

    def keys(self, board: Board, moves: int) -> list[Move]:
        """Return every move that forces the goal in at most ``moves`` moves, including itself.

        :raises TooLongError: if that takes too many positions.
        """
        return _proved(self._mates.keys(board, moves))

    def wins(self, board: Board, moves: int) -> bool:
        """Return whether the side to move can force the goal in at most ``moves`` moves.

        :raises TooLongError: if that takes too many positions.
        """
        return _proved(self._mates.wins(board, moves))

    def defences(self, board: Board) -> Iterator[Move]:
        """Yield every move after which the enemy cannot force mate in :data:`THREATENED_MOVES` moves.

        :raises TooLongError: if that takes too many positions.
        """
        for move in list(board.legal_moves):
            board.push(move)
            mated = self.wins(board, THREATENED_MOVES)
            board.pop()
            if not mated:
                yield move

    def turns(self, board: Board, moves: int, takes: int = 1) -> Iterator[list[Move]]:
        """Yield every sequence of ``moves`` moves of one turn that reaches the goal with its last move.

        The goal is mate in games with check, otherwise the capture of ``takes`` royal pieces.

        :raises TooLongError: if that takes too many positions.
        """
        self._count()
        us = board.turn
        royals = set() if board.game.has_check else set(board.royals(not us))
        for move in [move for move in board.legal_moves if move.special is None]:
            left = takes - (move.to_square in royals or (board.game.has_check and self._mates_at_once(board, move)))
            if moves == 1 and left == 0:
                yield [move]
            elif 0 < left < moves:
                board.push(move)
                found = list(self.turns(board, moves - 1, left)) if board.turn == us else []
                board.pop()
                yield from ([move, *rest] for rest in found)

    def saves(self, board: Board, moves: int) -> Iterator[list[Move]]:
        """Yield every sequence of ``moves`` moves of one turn that leaves no royal piece to be captured in the next.

        :raises TooLongError: if that takes too many positions.
        """
        if moves == 0:
            us, end = board.turn, next((move for move in board.legal_moves if move.special == "end"), None)
            if end:
                board.push(end)
            if board.is_game_over() or (board.turn != us and not self.captures_royal(board)):
                yield []
            if end:
                board.pop()
            return
        us = board.turn
        for move in [move for move in board.legal_moves if move.special is None]:
            board.push(move)
            if board.turn == us:
                found = list(self.saves(board, moves - 1))
            else:
                found = [[]] if moves == 1 and not self.captures_royal(board) else []
            board.pop()
            yield from ([move, *rest] for rest in found)

    def captures_royal(self, board: Board) -> bool:
        """Return whether the side to move can capture a royal piece in what is left of its turn.

        :raises TooLongError: if that takes too many positions.
        """
        return self._captures_royal(board, set())

    def _captures_royal(self, board: Board, met: set[int]) -> bool:
        self._count()
        us = board.turn
        royals = board.royals(not us)
        moves = [move for move in board.legal_moves if move.special is None]
        if any(move.to_square in royals for move in moves):
            return True
        for move in moves if board.moves_left > 1 else ():
            board.push(move)
            new = board.turn == us and board.key not in met
            met.add(board.key)
            found = new and self._captures_royal(board, met)
            board.pop()
            if found:
                return True
        return False

    def _mates_at_once(self, board: Board, move: Move) -> bool:
        if not board.gives_check(move):
            return False
        board.push(move)
        mated = board.is_checkmate()
        board.pop()
        return mated

    def _count(self) -> None:
        self._remaining -= 1
        if self._remaining < 0:
            raise TooLongError


def _proved(found: T | None) -> T:
    if found is None:
        raise TooLongError
    return found


def forced_line(board: Board, moves: int, prover: Prover) -> list[Move] | None:
    """Return a line with replies that reaches the prover's goal in ``moves`` moves, each the only one that forces it.

    ``None`` if there is no such line, or a faster way.

    :raises TooLongError: if that takes too many positions.
    """
    if moves > 1 and prover.wins(board, moves - 1):
        return None
    keys = prover.keys(board, moves)
    if len(keys) != 1:
        return None
    if moves == 1:
        return keys
    board.push(keys[0])
    try:
        for reply in list(board.legal_moves):
            board.push(reply)
            rest = forced_line(board, moves - 1, prover)
            board.pop()
            if rest is not None:
                return [keys[0], reply, *rest]
    finally:
        board.pop()
    return None


def only_defence(board: Board, prover: Prover) -> list[Move] | None:
    """Return the only move that avoids being mated in :data:`THREATENED_MOVES` moves; ``None`` if there are others.

    :raises TooLongError: if that takes too many positions.
    """
    found = list(islice(prover.defences(board), 2))
    return found if len(found) == 1 else None


def turn_line(ways: Callable[[int], Iterator[list[Move]]], fewest: int, moves: int) -> list[Move] | None:
    """Return the ``moves`` moves of a turn, in a legal order, that are the only way.

    ``None`` if other moves are a way too, or from ``fewest`` fewer are enough.

    :param ways: yields every way with a number of moves.
    :raises TooLongError: if that takes too many positions.
    """
    if any(next(ways(fewer), None) is not None for fewer in range(fewest, moves)):
        return None
    only: list[Move] | None = None
    for way in ways(moves):
        if only is None:
            only = way
        elif set(way) != set(only):
            return None
    return only
