"""Castling rights as the squares of the pieces with which the King castles."""

from __future__ import annotations

from collections.abc import Iterator

from acedrex._native import SquareSet
from acedrex.errors import Error, InvalidFenError
from acedrex.moves import Moves
from acedrex.placement import BLACK, WHITE, IntoSquareSet
from acedrex.squares import square_file, square_mirror, square_name


class Castling(Moves):
    """The part of :class:`acedrex.Board` that deals with castling rights.

    A game without castling has none. Other rights, such as a first move or the King's jump, are only in
    :attr:`acedrex.Board.rights`.
    """

    @property
    def castling_rights(self) -> SquareSet:
        """The squares of the pieces with which a King may still castle: in chess those of the Rooks.

        Setting it clears the history, and leaves rights of other kinds as they are.

        >>> from acedrex import Board, parse_square, square_name
        >>> board = Board("chess", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")
        >>> board.castling_rights -= [parse_square("h1")]
        >>> [square_name(square) for square in board.castling_rights], board.rights
        (['a1', 'a8', 'h8'], 'Qkq')

        :raises Error: when set, if the King does not castle with a piece on one of the squares.
        """
        rights = self.rights
        return self._set(square for letter, square, *_ in self._castlings() if letter in rights)

    @castling_rights.setter
    def castling_rights(self, squares: IntoSquareSet) -> None:
        wanted = SquareSet(squares)
        castlings = [(letter, square) for letter, square, *_ in self._castlings()]
        for at in wanted:
            if at not in {square for _, square in castlings}:
                raise Error(f"no King castles with a piece on {square_name(at)} in {self.game.name}")
        letters = {letter for letter, _ in castlings}
        given = {letter for letter, square in castlings if square in wanted}
        # In the order of the game.
        kept = [
            letter
            for letter, *_ in self.game._rights
            if letter in given or (letter in self.rights and letter not in letters)
        ]
        self.rights = "".join(kept) or "-"

    def set_castling_fen(self, fen: str) -> None:
        """Set the castling rights of both sides from their letters, ``-`` for none. This clears the history.

        >>> from acedrex import Board
        >>> board = Board("chess")
        >>> board.set_castling_fen("Kq")
        >>> board.rights
        'Kq'

        :raises Error: if one of the letters is not a castling right of the game.
        """
        letters = fen.replace("-", "")
        squares = {letter: square for letter, square, *_ in self._castlings()}
        for letter in letters:
            if letter not in squares:
                raise Error(f"{letter!r} is not a castling right in {self.game.name}")
        self.castling_rights = [squares[letter] for letter in letters]

    def set_board_fen(self, fen: str) -> None:
        """Replace the pieces by those of the first field of a FEN. This clears the history.

        The side to move and the counters stay as they are, and so do the rights, except for castling with a piece that
        is no longer in place.

        >>> from acedrex import Board
        >>> board = Board("chess")
        >>> board.set_board_fen("4k3/8/8/8/8/8/8/R3K3")
        >>> board.fen()
        '4k3/8/8/8/8/8/8/R3K3 w Q - 0 1'

        :raises InvalidFenError: if it is not the first field of a FEN of the game; the board is unchanged.
        """
        if len(fen.split()) != 1:
            raise InvalidFenError(f"{fen[:80]!r} is not the first field of a FEN")
        # A capture en passant depends on the pieces.
        _, turn, rights, _, *counters = self.copy(stack=False).fen().split()
        self.set_fen(" ".join([fen.strip(), turn, rights, "-", *counters[:2]]), playable=False)
        self.castling_rights = self.clean_castling_rights()

    def clean_castling_rights(self) -> SquareSet:
        """Return those of :attr:`castling_rights` whose pieces are in place; in a playable position that is all."""
        return self._set(square for square, *_ in self._clean())

    def has_castling_rights(self, color: bool) -> bool:
        """Return whether a side may still castle, now or later.

        >>> from acedrex import BLACK, WHITE, Board
        >>> board = Board("chess", "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1")
        >>> board.has_castling_rights(WHITE), board.has_castling_rights(BLACK)
        (True, False)
        """
        return any(side == color for _, side, _ in self._clean())

    def has_kingside_castling_rights(self, color: bool) -> bool:
        """Return whether a side may still castle towards the last file, ``O-O``."""
        return any(side == color and kingside for _, side, kingside in self._clean())

    def has_queenside_castling_rights(self, color: bool) -> bool:
        """Return whether a side may still castle towards the first file, ``O-O-O``."""
        return any(side == color and not kingside for _, side, kingside in self._clean())

    def _castlings(self) -> Iterator[tuple[str, int, int, str, bool]]:
        """Yield every castling: its right, the squares of partner and King, the partner's kind, and the side."""
        rights = [letter for letter, _, what, _ in self.game._rights if what in ("kingside", "queenside")]
        ranks = self.game.ranks
        for color in (WHITE, BLACK):
            own = [letter for letter in rights if letter.isupper() == color]
            for letter, castling in zip(own, self.game._facts["castlings"], strict=True):
                squares = castling["rook"][0], castling["king"][0]
                partner, king = squares if color else (square_mirror(at, ranks) for at in squares)
                yield letter, partner, king, castling["partner"], color

    def _clean(self) -> Iterator[tuple[int, bool, bool]]:
        """Yield the square, the side, and whether it is the King's, of every right whose pieces are in place."""
        rights, pieces = self.rights, self.piece_map()
        for letter, partner, king, kind, color in self._castlings():
            there = pieces.get(partner)
            if (
                letter in rights
                and king in self.royals(color)
                and there
                and (there.letter, there.color) == (kind, color)
            ):
                yield partner, color, square_file(partner) > square_file(king)

    def _set(self, squares: Iterator[int]) -> SquareSet:
        return SquareSet(squares, self.game.files, self.game.ranks)
