"""Proofs of puzzles by exhaustive search, without an engine."""

from __future__ import annotations

from collections.abc import Iterator

from acedrex._native import Move
from acedrex.board import Board


class TooLongError(Exception):
    """A proof would search more positions than allowed."""


class Prover:
    """Finds every move that forces mate, and every way to win within a turn.

    Draws by repetition and by the fifty-move rule are ignored: no line is long enough for them.
    """

    def __init__(self, most: int = 2_000_000) -> None:
        """Create a prover that may search ``most`` positions."""
        self._remaining = most
        #: The last refutation by number of moves left; trying it first saves time.
        self._refutations: dict[int, Move] = {}

    def keys(self, board: Board, moves: int) -> list[Move]:
        """Return every move that forces mate in at most ``moves`` moves, including itself.

        :raises TooLongError: if that takes too many positions.
        """
        return [move for move in list(board.legal_moves) if self._forces(board, move, moves)]

    def mates(self, board: Board, moves: int) -> bool:
        """Return whether the side to move can force mate in at most ``moves`` moves.

        :raises TooLongError: if that takes too many positions.
        """
        legal = list(board.legal_moves)
        # The last move of a mate gives check; before it, checks come first since they are refuted fastest.
        checks = [move for move in legal if board.gives_check(move)]
        if moves > 1:
            checks += [move for move in legal if move not in set(checks)]
        return any(self._forces(board, move, moves) for move in checks)

    def _forces(self, board: Board, move: Move, moves: int) -> bool:
        board.push(move)
        forced = self._is_lost(board, moves - 1)
        board.pop()
        return forced

    def _is_lost(self, board: Board, moves: int) -> bool:
        self._count()
        replies = board.legal_moves
        if not replies:
            return board.is_check()
        if moves == 0:
            return False
        refutation = self._refutations.get(moves)
        ordered = list(replies)
        if refutation in ordered:
            ordered.insert(0, refutation)
        for reply in ordered:
            board.push(reply)
            mated = self.mates(board, moves)
            board.pop()
            if not mated:
                self._refutations[moves] = reply
                return False
        return True

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


def mating_line(board: Board, moves: int, prover: Prover) -> list[Move] | None:
    """Return a line with replies that mates in ``moves`` moves, each of them the only mating move.

    ``None`` if there is no such line, or a faster mate.

    :raises TooLongError: if that takes too many positions.
    """
    if moves > 1 and prover.mates(board, moves - 1):
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
            rest = mating_line(board, moves - 1, prover)
            board.pop()
            if rest is not None:
                return [keys[0], reply, *rest]
    finally:
        board.pop()
    return None


def turn_line(board: Board, moves: int, takes: int, prover: Prover) -> list[Move] | None:
    """Return the ``moves`` moves that mate, or capture ``takes`` royal pieces, in this turn, in a legal order.

    ``None`` if other moves do so too, or fewer are enough.

    :raises TooLongError: if that takes too many positions.
    """
    if any(next(prover.turns(board, fewer, takes), None) for fewer in range(takes, moves)):
        return None
    found = list(prover.turns(board, moves, takes))
    return found[0] if len({frozenset(line) for line in found}) == 1 else None
