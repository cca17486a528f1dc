"""Kinds of moves: captures, castling, pseudo-legal moves, and what a move does to the half-move clock."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from acedrex import _native
from acedrex._native import Move, SquareSet
from acedrex.placement import IntoSquareSet, Placement
from acedrex.squares import square_name


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


class Moves(Placement):
    """The part of :class:`acedrex.Board` that tells kinds of moves apart."""

    def generate_legal_moves(
        self, from_mask: IntoSquareSet | None = None, to_mask: IntoSquareSet | None = None
    ) -> Iterator[Move]:
        """Return the legal moves from and to given squares; special moves such as ``end`` only without any squares.

        >>> from acedrex import Board
        >>> [move.uci() for move in Board("chess").generate_legal_moves(from_mask=[1])]
        ['b1a3', 'b1c3']

        :raises Error: if a mask contains something that is not a square.
        """
        return _between(self.legal_moves, from_mask, to_mask)

    def generate_legal_captures(
        self, from_mask: IntoSquareSet | None = None, to_mask: IntoSquareSet | None = None
    ) -> Iterator[Move]:
        """Return the legal captures, including *en passant*.

        :raises Error: if a mask contains something that is not a square.
        """
        return _between(_native.captures(self), from_mask, to_mask)

    def generate_legal_ep(
        self, from_mask: IntoSquareSet | None = None, to_mask: IntoSquareSet | None = None
    ) -> Iterator[Move]:
        """Return the legal captures *en passant*.

        :raises Error: if a mask contains something that is not a square.
        """
        captures = _between(_native.captures(self), from_mask, to_mask)
        return (move for move in captures if _native.is_en_passant(self, move))

    def generate_castling_moves(
        self, from_mask: IntoSquareSet | None = None, to_mask: IntoSquareSet | None = None
    ) -> Iterator[Move]:
        """Return the legal castling moves.

        :raises Error: if a mask contains something that is not a square.
        """
        moves = _between(self.legal_moves, from_mask, to_mask)
        return (move for move in moves if _native.castling_side(self, move) is not None)

    @property
    def pseudo_legal_moves(self) -> PseudoLegalMoves:
        """The moves that the pieces can make, whether or not they leave the King in check.

        Castling and the King's jump, whose own rules forbid check, are included only if they are legal; so is *en
        passant* right after a FEN, which names no other squares.

        >>> from acedrex import Board, Move
        >>> board = Board("chess", "4k3/8/8/8/4r3/8/8/3K4 w - - 0 1")
        >>> (board.legal_moves.count(), board.pseudo_legal_moves.count())
        (3, 5)
        """
        return PseudoLegalMoves(_native.pseudo_legal_moves(self))

    def generate_pseudo_legal_moves(
        self, from_mask: IntoSquareSet | None = None, to_mask: IntoSquareSet | None = None
    ) -> Iterator[Move]:
        """Return the moves of :attr:`pseudo_legal_moves` from and to given squares.

        :raises Error: if a mask contains something that is not a square.
        """
        return _between(_native.pseudo_legal_moves(self), from_mask, to_mask)

    def generate_pseudo_legal_captures(
        self, from_mask: IntoSquareSet | None = None, to_mask: IntoSquareSet | None = None
    ) -> Iterator[Move]:
        """Return those of :attr:`pseudo_legal_moves` that capture, including *en passant*.

        >>> from acedrex import Board
        >>> board = Board("chess", "4k3/8/8/8/4r3/8/4R2p/4K1B1 w - - 0 1")
        >>> [move.uci() for move in board.generate_pseudo_legal_captures()]
        ['e2e4', 'e2h2', 'g1h2']

        :raises Error: if a mask contains something that is not a square.
        """
        moves = _between(_native.pseudo_legal_moves(self), from_mask, to_mask)
        return (move for move in moves if self._takes(move) or self._takes_en_passant(move))

    def generate_pseudo_legal_ep(
        self, from_mask: IntoSquareSet | None = None, to_mask: IntoSquareSet | None = None
    ) -> Iterator[Move]:
        """Return those of :attr:`pseudo_legal_moves` that capture *en passant*.

        Right after a FEN, which names no other squares, there are none without a legal one.

        >>> from acedrex import Board
        >>> board = Board("chess", "4k3/7b/8/3PpP2/8/3K4/8/8 w - e6 0 1")
        >>> [*board.generate_pseudo_legal_ep()], [*board.generate_legal_ep()]
        ([Move.from_uci('d5e6'), Move.from_uci('f5e6')], [Move.from_uci('d5e6')])

        :raises Error: if a mask contains something that is not a square.
        """
        moves = _between(_native.pseudo_legal_moves(self), from_mask, to_mask)
        return (move for move in moves if self._takes_en_passant(move))

    def has_pseudo_legal_en_passant(self) -> bool:
        """Return whether :meth:`generate_pseudo_legal_ep` has any move."""
        return any(self.generate_pseudo_legal_ep())

    def _takes(self, move: Move) -> bool:
        """Return whether a pseudo-legal move lands on an enemy."""
        return move.special is None and self.color_at(move.to_square) is (not self.turn)

    def _takes_en_passant(self, move: Move) -> bool:
        """Return whether a pseudo-legal move goes to an empty square to which its piece only captures."""
        if move.special is not None or self.piece_at(move.to_square) is not None:
            return False
        piece = self.piece_at(move.from_square)
        if piece is None:
            return False
        reach = _native.reaches_alone(self, piece.letter, piece.color, move.from_square)
        target = square_name(move.to_square)
        return {to["kind"] for to in reach if to["to"] == target} == {"capture"}

    def is_pseudo_legal(self, move: Move) -> bool:
        """Return whether a move is one of :attr:`pseudo_legal_moves`."""
        return move in _native.pseudo_legal_moves(self)

    def is_en_passant(self, move: Move) -> bool:
        """Return whether a legal move captures *en passant*.

        :raises IllegalMoveError: if the move is not legal.
        """
        return _native.is_en_passant(self, move)

    def is_castling(self, move: Move) -> bool:
        """Return whether a legal move castles.

        :raises IllegalMoveError: if the move is not legal.
        """
        return _native.castling_side(self, move) is not None

    def is_kingside_castling(self, move: Move) -> bool:
        """Return whether a legal move castles towards the last file, ``O-O``.

        :raises IllegalMoveError: if the move is not legal.
        """
        return _native.castling_side(self, move) is True

    def is_queenside_castling(self, move: Move) -> bool:
        """Return whether a legal move castles towards the first file, ``O-O-O``.

        :raises IllegalMoveError: if the move is not legal.
        """
        return _native.castling_side(self, move) is False

    def is_zeroing(self, move: Move) -> bool:
        """Return whether a legal move resets ``halfmove_clock``: a capture, a promotion, or a soldier's move.

        The game decides which moves do: in Chieftain Chess only captures.

        :raises IllegalMoveError: if the move is not legal.
        """
        return _native.is_zeroing(self, move)

    def is_irreversible(self, move: Move) -> bool:
        """Return whether no earlier position can occur again after a legal move.

        Such a move is zeroing, gives up a right (castling, a first move) or a capture *en passant*, or claims or
        declines the points for a bare King.

        :raises IllegalMoveError: if the move is not legal.
        """
        return _native.is_irreversible(self, move)


def _between(moves: Iterable[Move], from_mask: IntoSquareSet | None, to_mask: IntoSquareSet | None) -> Iterator[Move]:
    """Filter the moves of pieces by their squares; all moves if no squares are given."""
    if from_mask is None and to_mask is None:
        return iter(moves)
    everywhere = (1 << 256) - 1
    origins = SquareSet(everywhere if from_mask is None else from_mask)
    destinations = SquareSet(everywhere if to_mask is None else to_mask)
    pieces = (move for move in moves if move.special is None)
    return (move for move in pieces if move.from_square in origins and move.to_square in destinations)
