"""The list of pseudo-legal moves."""

from __future__ import annotations

from collections.abc import Iterator

from acedrex._native import Move


class PseudoLegalMoves:
    """The pseudo-legal moves of a position: those that the pieces can make, even if they leave the King in check."""

    def __init__(self, moves: list[Move]) -> None:
        self._moves = moves

    def count(self) -> int:
        """Return the number of moves."""
        return len(self._moves)

    def __len__(self) -> int:
        return len(self._moves)

    def __iter__(self) -> Iterator[Move]:
        return iter(self._moves)

    def __contains__(self, move: object) -> bool:
        return move in self._moves

    def __repr__(self) -> str:
        return f"<PseudoLegalMoves {len(self._moves)}: {' '.join(move.uci() for move in self._moves)}>"
