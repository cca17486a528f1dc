"""Moves and positions as text: coordinates, XBoard's moves, FEN."""

from __future__ import annotations

import re

from acedrex._native import Move, SquareSet
from acedrex.castling import Castling
from acedrex.errors import Error
from acedrex.squares import square_name

_COORDINATES = re.compile(r"([a-p])(\d\d?)([a-p])(\d\d?)([A-Za-z]['!]?)?", re.ASCII)


class Notation(Castling):
    """The part of :class:`acedrex.Board` that writes and finds moves, and writes the position."""

    def fen(self, *, en_passant: str = "legal") -> str:
        """Return the position as FEN.

        >>> from acedrex import Board
        >>> board = Board("chess")
        >>> move = board.push_san("e4")
        >>> board.fen(), board.fen(en_passant="fen").split()[3]
        ('rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1', 'e3')

        :param en_passant: the squares of its fourth field: ``"legal"`` for those on which a capture *en passant* is
            legal, ``"xfen"`` for those on which one is pseudo-legal, ``"fen"`` also for those that the last move
            on the stack passed, as the standard of FEN has it. Acedrex reads all of them, and keeps the first.
        :raises Error: if it is none of these.
        """
        fen = super().fen()
        if en_passant == "legal":
            return fen
        if en_passant not in ("xfen", "fen"):
            raise Error(f"en_passant={en_passant!r:.20}: expected 'legal', 'xfen' or 'fen'")
        fields = fen.split(" ")
        squares = {move.to_square for move in self.generate_pseudo_legal_ep()}
        if en_passant == "fen":
            squares |= set(self._passed())
        fields[3] = "".join(square_name(at) for at in sorted(squares)) or "-"
        return " ".join(fields)

    def _passed(self) -> SquareSet:
        """Return the squares that the last move passed, if its piece has a move on which it can be captured there."""
        none = SquareSet()
        if not self.move_stack or self.turn_moves:
            return none
        last = self.peek()
        piece = self.piece_at(last.to_square) if last.special is None else None
        if piece is None:
            return none
        steps = next(kind["steps"] for kind in self.game._facts["kinds"] if kind["letter"] == piece.letter)
        return SquareSet.between(last.from_square, last.to_square) if any(step["track"] for step in steps) else none

    def uci(self, move: Move) -> str:
        """Write a move in coordinates, as ``move.uci()`` does; python-chess has this method."""
        return move.uci()

    def san_and_push(self, move: Move) -> str:
        """Make a legal move and return it in SAN.

        :raises IllegalMoveError: if the move is not legal; the board is unchanged.
        """
        san = self.san(move)
        self.push(move)
        return san

    def xboard(self, move: Move) -> str:
        """Write a move as XBoard does: in coordinates, with ranks from 0 on boards with ten ranks.

        >>> from acedrex import Board, Move
        >>> Board("magi").xboard(Move.from_uci("d3d5")), Board("chess").xboard(Move.null())
        ('d2d4', '@@@@')
        """
        if move == Move.null():
            return "@@@@"
        if move.special is not None:
            return move.uci()
        first = self._first_rank()
        ends = (f"{square_name(at)[0]}{(at >> 4) + first}" for at in (move.from_square, move.to_square))
        return "".join(ends) + (move.promotion or "").lower()

    def parse_xboard(self, text: str) -> Move:
        """Read a legal move as XBoard writes it, in coordinates or in SAN, or ``@@@@``, the null move.

        >>> from acedrex import Board
        >>> Board("magi").parse_xboard("d2d4"), Board("chess").parse_xboard("Nf3")
        (Move.from_uci('d3d5'), Move.from_uci('g1f3'))

        :raises InvalidMoveError: if it is not a move.
        :raises IllegalMoveError: if it is not legal.
        :raises AmbiguousMoveError: if several moves are meant.
        """
        if text == "@@@@":
            return Move.null()
        found = _COORDINATES.fullmatch(text)
        if found is None:
            return self.parse_san(text)
        up = 1 - self._first_rank()
        file, rank, to_file, to_rank, promotion = found.groups(default="")
        return self.parse_uci(f"{file}{int(rank) + up}{to_file}{int(to_rank) + up}{promotion.lower()}")

    def push_xboard(self, text: str) -> Move:
        """Make a move that :meth:`parse_xboard` reads, and return it.

        :raises Error: as :meth:`parse_xboard`; the board is unchanged.
        """
        move = self.parse_xboard(text)
        self.push(move)
        return move

    def _first_rank(self) -> int:
        return 0 if self.game.ranks == 10 else 1

    def find_move(self, from_square: int, to_square: int, promotion: str | None = None) -> Move:
        """Find the legal move between two squares.

        >>> from acedrex import Board, parse_square
        >>> board = Board("chess", "8/P6k/8/8/8/8/8/K7 w - - 0 1")
        >>> board.find_move(parse_square("a7"), parse_square("a8"))
        Move.from_uci('a7a8q')

        :param promotion: the capital letter of a kind. Without one, a piece that must promote becomes the first legal
            kind that its definition offers: a Queen in chess.
        :raises IllegalMoveError: if there is no such move; the message says why.
        :raises Error: if a number is not a square of the board.
        """
        # ``piece_at`` rejects numbers that are not squares.
        piece, _ = self.piece_at(from_square), self.piece_at(to_square)
        move = Move(from_square, to_square, promotion)
        if piece is not None and promotion is None and not self.is_legal(move):
            offered = (Move(from_square, to_square, kind) for kind in self.game.piece(piece.letter).promotes_to)
            move = next(filter(self.is_legal, offered), move)
        return self.parse_uci(move.uci())
