"""The pieces of a board and what they attack: the part of a board that does not need the legal moves."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from acedrex import _native
from acedrex._native import SquareSet
from acedrex.game import Game, Piece

if TYPE_CHECKING:
    from typing import Self

#: Anything that stands for a set of squares: a set, a mask, or an iterable of squares.
IntoSquareSet = SquareSet | int | Iterable[int]
#: White's side.
WHITE = True
#: Black's side.
BLACK = False


class Placement(_native.Board):
    """The part of :class:`acedrex.Board` that deals with pieces and attacks."""

    #: The game.
    game: Game

    def piece_at(self, square: int) -> Piece | None:
        """Return the piece on a square; ``None`` if the square is empty.

        :raises Error: if the number is not a square of the board.
        """
        index = _native.piece_index(self, square)
        return None if index is None else self.game.sides_pieces[index]

    def piece_type_at(self, square: int) -> str | None:
        """Return the capital letter of the piece on a square, as ``pieces`` takes it; ``None`` if the square is empty.

        :raises Error: if the number is not a square of the board.
        """
        piece = self.piece_at(square)
        return None if piece is None else piece.letter

    def color_at(self, square: int) -> bool | None:
        """Return the side of the piece on a square; ``None`` if the square is empty.

        :raises Error: if the number is not a square of the board.
        """
        piece = self.piece_at(square)
        return None if piece is None else piece.color

    def piece_map(self) -> dict[int, Piece]:
        """Return all pieces by square."""
        return _native.piece_map(self, self.game.sides_pieces)

    @property
    def occupied(self) -> SquareSet:
        """The squares of all pieces.

        >>> from acedrex import Board
        >>> len(Board("chess").occupied)
        32
        """
        return SquareSet(self.piece_map(), self.game.files, self.game.ranks)

    @property
    def occupied_co(self) -> dict[bool, SquareSet]:
        """The squares of the pieces of each side.

        >>> from acedrex import BLACK, WHITE, Board
        >>> occupied = Board("chess").occupied_co
        >>> len(occupied[WHITE]), occupied[WHITE] & occupied[BLACK] == 0
        (16, True)
        """
        pieces = self.piece_map().items()
        return {
            color: SquareSet([at for at, piece in pieces if piece.color == color], self.game.files, self.game.ranks)
            for color in (WHITE, BLACK)
        }

    @property
    def kings(self) -> SquareSet:
        """The squares of the royal pieces of both sides, whatever the game calls them.

        >>> from acedrex import Board, square_name
        >>> [square_name(square) for square in Board("chess").kings]
        ['e1', 'e8']
        """
        return SquareSet(self.royals(WHITE) + self.royals(BLACK), self.game.files, self.game.ranks)

    def board_fen(self) -> str:
        """Return the first field of the FEN: the pieces on the board.

        >>> from acedrex import Board
        >>> Board("chess").board_fen()
        'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR'
        """
        return self.fen().split()[0]

    def set_piece_at(self, square: int, piece: Piece | None) -> None:
        """Put a piece on a square, or clear the square with ``None``. This clears the history.

        The position is not validated: :meth:`acedrex.Board.status` does that.

        :raises Error: if the square is not on the board or the game has no such piece.
        """
        if piece is None:
            self._put(square, None, WHITE)
        else:
            self._put(square, piece.letter, piece.color)

    def remove_piece_at(self, square: int) -> Piece | None:
        """Remove the piece from a square and return it. This clears the history.

        :raises Error: if the number is not a square of the board.
        """
        piece = self.piece_at(square)
        self.set_piece_at(square, None)
        return piece

    def set_piece_map(self, pieces: Mapping[int, Piece]) -> None:
        """Replace all pieces. This clears the history.

        :raises Error: if a square or a piece is not of this game; the board is then unchanged.
        """
        board = self.copy(stack=False)
        board.clear()
        for square, piece in pieces.items():
            board.set_piece_at(square, piece)
        board.turn = self.turn
        self._assign(board)

    def copy(self, *, stack: bool | int = True) -> Self:
        """Return a copy of the board with its whole history, the last moves of it, or none.

        :param stack: ``True``, ``False``, or the number of moves to keep; the moves of one turn stay together.
        :raises Error: if the number is below 0.
        """
        if stack < 0:
            raise _native.Error(f"stack={stack}: expected True, False, or a number of moves from 0 up")
        kept = None if stack is True else min(int(stack), self.ply())
        board = super().__new__(type(self), self.game, None, self, kept)
        vars(board).update(vars(self))
        return board

    __copy__ = copy

    def __deepcopy__(self, memo: object) -> Self:
        return self.copy()

    def attackers(self, color: bool, square: int, occupied: IntoSquareSet | None = None) -> SquareSet:
        """Return the squares of a side's pieces that attack a square: they could capture an enemy there.

        A hopper such as the Cannon attacks a square if exactly one piece stands in between. Pinned pieces attack too.

        >>> from acedrex import BLACK, Board, SquareSet, parse_square
        >>> board = Board("chess", "4r2k/8/8/8/8/8/4K3/8 w - - 0 1")
        >>> through_the_king = SquareSet(board.piece_map()) - [board.king(board.turn)]
        >>> [len(board.attackers(BLACK, parse_square("e1"), squares)) for squares in (None, through_the_king)]
        [0, 1]

        :param occupied: the squares that block a path or can be hopped over, as a set, a mask or squares; by default
            those of all pieces. Pieces attack from their own squares even if these are not in the set.
        :raises Error: if ``square`` is not on the board, or ``occupied`` contains something that is not a square.
        """
        return _native.attackers(self, color, square, occupied)

    def is_attacked_by(self, color: bool, square: int, occupied: IntoSquareSet | None = None) -> bool:
        """Return whether a side attacks a square. Parameters and errors are those of :meth:`attackers`."""
        return bool(_native.attackers(self, color, square, occupied))

    def attacks(self, square: int) -> SquareSet:
        """Return the squares, empty ones too, on which the piece on a square could capture an enemy.

        A Cannon attacks the squares behind exactly one piece, not those that it can only move to.

        :raises Error: if the number is not a square of the board.
        """
        return _native.attacks(self, square)

    def checkers(self) -> SquareSet:
        """Return the squares of the pieces that give check; empty if the side to move is not in check.

        >>> from acedrex import Board, parse_square
        >>> board = Board("metamachy", "5c4k1/12/12/12/12/12/12/12/12/12/5P6/5K6 w - - 0 1")
        >>> board.checkers() == {parse_square("f12")}
        True
        """
        king = self.king(self.turn)
        if king is None or not self.is_check():
            return SquareSet((), self.game.files, self.game.ranks)
        return self.attackers(not self.turn, king)

    def is_pinned(self, color: bool, square: int) -> bool:
        """Return whether a piece of a side is pinned: without it, another enemy would attack the King.

        The pinning piece need not be a slider, nor be on one line with both: a Cannon pins each of two pieces in front
        of the King, and a bent slider pins around its corner. An empty square is treated as if it held a piece of the
        side. In games without check nothing is pinned.

        >>> from acedrex import Board, WHITE, parse_square
        >>> board = Board("metamachy", "5c4k1/12/12/12/12/12/12/12/5N6/12/5P6/5K6 w - - 0 1")
        >>> [board.is_pinned(WHITE, parse_square(name)) for name in ("f2", "f4", "f6")]
        [True, True, False]

        :raises Error: if the number is not a square of the board.
        """
        return _native.pin(self, color, square) is not None

    def pin(self, color: bool, square: int) -> SquareSet:
        """Return the squares to which a pinned piece can go without exposing its King; the whole board if not pinned.

        They include the square itself and that of the pinning piece, which may be captured. They are the squares that
        the safety of the King allows, whether or not the piece can reach them. Captures *en passant*, which remove a
        second piece from its square, and check by other pieces are not considered.

        >>> from acedrex import Board, WHITE, parse_square, square_name
        >>> board = Board("chess", "4r2k/8/8/8/8/4R3/8/4K3 w - - 0 1")
        >>> [square_name(square) for square in board.pin(WHITE, parse_square("e3"))]
        ['e2', 'e3', 'e4', 'e5', 'e6', 'e7', 'e8']

        :raises Error: if the number is not a square of the board.
        """
        pin = _native.pin(self, color, square)
        return self.game.squares if pin is None else pin

    def has_insufficient_material(self, color: bool) -> bool:
        """Return whether a side certainly cannot win any more: its King is bare, or the position is dead.

        ``False`` does not mean that it can win: python-chess knows a few more endings of chess, this method only what
        holds for pieces of any kind. It is always ``False`` in games that can be won by more than checkmate (points,
        stalemate, captured royal pieces).

        >>> from acedrex import BLACK, WHITE, Board
        >>> board = Board("chess", "4k3/8/8/8/8/8/8/R3K3 w - - 0 1")
        >>> board.has_insufficient_material(WHITE), board.has_insufficient_material(BLACK)
        (False, True)
        """
        return _native.cannot_win(self, color)

    def is_insufficient_material(self) -> bool:
        """Return whether certainly neither side can win any more.

        >>> from acedrex import Board
        >>> Board("maasai", "11k/12/12/12/12/12/12/12/12/12/12/N10K w - - 0 1").is_insufficient_material()
        True
        """
        return all(_native.cannot_win(self, color) for color in (WHITE, BLACK))

    @property
    def ep_squares(self) -> SquareSet:
        """The squares on which a legal capture *en passant* lands; in some games there are several."""
        return _native.en_passant_squares(self)

    @property
    def ep_square(self) -> int | None:
        """The first square on which a legal capture *en passant* lands; ``None`` if there is no such capture.

        >>> from acedrex import Board, square_name
        >>> square_name(Board("chess", "4k3/8/8/8/2pP4/8/8/4K3 b - d3 0 1").ep_square)
        'd3'
        """
        return next(iter(self.ep_squares), None)

    def has_legal_en_passant(self) -> bool:
        """Return whether there is a legal capture *en passant*."""
        return bool(self.ep_squares)
