"""Boards: positions with their history, with the names of python-chess where the meaning is the same."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from operator import index
from typing import Self

from acedrex import _native
from acedrex._native import Move, SquareSet
from acedrex.errors import Error, InvalidFenError
from acedrex.game import Game, Piece, Reach, load
from acedrex.operations import Operand, Operations, read, write
from acedrex.outcome import Outcome, Termination
from acedrex.pseudo_legal import PseudoLegalMoves
from acedrex.squares import square, square_file, square_mirror, square_name, square_rank

#: Anything that stands for a set of squares: a set, a mask, or an iterable of squares.
IntoSquareSet = SquareSet | int | Iterable[int]
#: White's side.
WHITE = True
#: Black's side.
BLACK = False

#: A move in coordinates, with the symbol of a promotion and what marks it as a check or as good.
_COORDINATES = re.compile(r"([a-p])(\d\d?)([a-p])(\d\d?)=?((?:[A-Za-z]['!]?)?)[+#!?]*", re.ASCII)

__all__ = ["BLACK", "WHITE", "Board", "MoveInfo", "Playout", "Problem"]


@dataclass(frozen=True, slots=True)
class Problem:
    """Why a position cannot be played: a name for programs and a sentence for people."""

    name: str
    message: str


@dataclass(frozen=True, slots=True)
class MoveInfo:
    """What a legal move does.

    ``captured`` is the captured piece and ``captured_on`` its square; ``reach`` is the path of the piece (``None`` for
    castling, the King's jump, *en passant* and special moves such as ``end``); ``partner`` is where the other piece of
    castling goes from and to.
    """

    captured: Piece | None
    captured_on: int | None
    reach: Reach | None
    partner: tuple[int, int] | None
    gives_check: bool
    ends_turn: bool


@dataclass(frozen=True, slots=True)
class Playout:
    """A random game: the half-moves played, the final FEN, and the outcome if the game ended."""

    plies: int
    fen: str
    outcome: Outcome | None


class Board(_native.Board):
    """A position of a game, with the moves that led to it.

    >>> board = Board("maasai", setup="UFDO-QKGL")
    >>> board.legal_moves.count()
    26
    >>> move = board.push_san("e6")
    >>> board.turn is BLACK, board.pop() == move
    (True, True)

    Boards are mutable and therefore not hashable; ``board.key`` is a 64-bit key of the position. ``==`` compares game,
    options and FEN with its counters, not the moves before.

    :param game: a game's id (options may follow a colon), the path of a definition file, or a :class:`Game`.
    :param fen: the position; by default the starting position.
    :param setup: the name of a setup, or its number, from 1.
    :param options: options of the game, such as ``scoring="four_points"``.
    :raises DefinitionError: if the game or an option does not exist.
    :raises InvalidFenError: if the FEN is not a position of the game.
    :raises Error: if there is no such setup, or there are both a FEN and a setup.
    :raises OSError: if the definition file cannot be read.
    """

    #: The game.
    game: Game
    __hash__ = None  # type: ignore[assignment]

    def __new__(
        cls,
        game: str | os.PathLike[str] | Game = "chess",
        fen: str | None = None,
        *,
        setup: str | int | None = None,
        **options: object,
    ) -> Self:
        """Create a board. The class documents the parameters."""
        loaded = load(game, **options)
        if setup is not None:
            if fen is not None:
                raise Error("give a FEN or a setup, not both")
            fen = loaded.setup_fen(setup if isinstance(setup, str) else loaded.setups.name(setup))
        board = super().__new__(cls, loaded, fen)
        board.game = loaded
        return board

    @classmethod
    def empty(cls, game: str | os.PathLike[str] | Game = "chess", **options: object) -> Self:
        """Return an empty board with White to move, to put pieces on.

        :raises DefinitionError: if the game or an option does not exist.
        """
        board = cls(load(game, **options))
        board.clear()
        return board

    @classmethod
    def _of_core(cls, game: Game, board: _native.Board) -> Self:
        """Return a copy, with its history, of a board of the core in the same game."""
        made = super().__new__(cls, game, None, board)
        made.game = game
        return made

    def root(self) -> Self:
        """Return a new board with the position before the first move of the stack."""
        board = self.copy(stack=False)
        board.set_fen(self.root_fen, playable=False)
        return board

    def clear_stack(self) -> None:
        """Clear the move stack, except for the moves of an unfinished turn."""
        self._assign(self.copy(stack=False))

    def reset(self) -> None:
        """Set the starting position of the game."""
        self.set_fen(self.game.start_fen)

    def is_game_over(self, *, claim_draw: bool = False) -> bool:
        """Return whether the game is over; with ``claim_draw``, a draw that may be claimed counts too."""
        return self._is_game_over_native(claim_draw)

    def outcome(self, *, claim_draw: bool = False) -> Outcome | None:
        """Return the outcome, or ``None`` while the game is in progress.

        :param claim_draw: whether a draw that the side to move may claim counts.

        >>> board = Board("magi", fen="k9/2Q7/1K8/10/10/10/10/10/10/10 b - - 0 1", scoring="four_points")
        >>> outcome = board.outcome()
        >>> outcome.termination, outcome.result(), outcome.score
        (<Termination.STALEMATE: 'stalemate'>, '1-0', '3-1')
        """
        ended = self._outcome(claim_draw)
        return None if ended is None else _outcome(*ended)

    def forfeit(self, termination: Termination, loser: bool) -> Outcome:
        """Return the outcome if ``loser`` resigns, runs out of time or leaves the game.

        Time and abandonment are a draw if the opponent cannot win: with a bare King, or once a side has declined the
        points for a bare King.

        :raises Error: if ``termination`` is not ``RESIGNATION``, ``TIME`` or ``ABANDONMENT``.

        >>> board = Board("chess", "7k/8/8/8/8/8/8/R6K w - - 0 1")
        >>> board.forfeit(Termination.TIME, loser=BLACK).score, board.forfeit(Termination.TIME, loser=WHITE).score
        ('1-0', '1/2-1/2')
        """
        ended = self._outcome_by_players(termination.value, loser)
        if ended is None:
            raise Error(f"{termination} is not a way to forfeit a game; RESIGNATION, TIME and ABANDONMENT are")
        return _outcome(*ended)

    def agreement(self) -> Outcome:
        """Return the outcome if the players agree on a draw.

        >>> Board("magi", scoring="four_points").agreement().score
        '2-2'
        """
        ended = self._outcome_by_players(Termination.AGREEMENT.value, None)
        assert ended is not None
        return _outcome(*ended)

    def result(self, *, claim_draw: bool = False) -> str:
        """Return the result as PGN writes it: ``1-0``, ``0-1``, ``1/2-1/2``, or ``*`` while the game is in progress."""
        outcome = self.outcome(claim_draw=claim_draw)
        return "*" if outcome is None else outcome.result()

    def can_claim_draw(self) -> bool:
        """Return whether the side to move may claim a draw for the position on the board."""
        return bool(self.claimable())

    def can_claim_threefold_repetition(self) -> bool:
        """Return whether the side to move may claim a draw by repetition.

        Unlike in python-chess, only the position on the board counts, not one that a move could lead to.
        """
        return "threefold_repetition" in self.claimable()

    def can_claim_fifty_moves(self) -> bool:
        """Return whether the side to move may claim a draw by the fifty-move rule, for the moves already made.

        >>> Board("chess", "4k3/8/8/8/8/8/8/R3K3 w - - 100 80").can_claim_fifty_moves()
        True
        """
        return "fifty_moves" in self.claimable()

    def is_fivefold_repetition(self) -> bool:
        """Return whether the position has occurred often enough to end the game: five times in most games."""
        limit = self.game.repetition_limits[1]
        return 0 < limit <= self.repetitions()

    def is_seventyfive_moves(self) -> bool:
        """Return whether enough moves without progress end the game: 75 by each side in most games."""
        limit = self.game.quiet_limits[1]
        return 0 < limit <= self.halfmove_clock and bool(self.legal_moves)

    def is_fifty_moves(self) -> bool:
        """Return whether enough moves without progress have been made to claim a draw, and the game goes on."""
        limit = self.game.quiet_limits[0]
        return 0 < limit <= self.halfmove_clock and bool(self.legal_moves)

    def why_idle(self, square: int) -> str | None:
        """Return why the piece on a square has no legal move, in the language of the game.

        ``None`` if it has one, if its side is not to move, and if its side may move no piece at all.

        >>> Board("chess").why_idle(square(0, 0))
        'This piece is blocked: there is no square that it can go to.'

        :raises Error: if the number is not a square of the board.
        """
        return _native.why_idle(self, square, self.game.language)

    def is_checkmate(self) -> bool:
        """Return whether the side to move is checkmated."""
        return self.is_check() and not self.legal_moves

    def is_stalemate(self) -> bool:
        """Return whether the side to move has no legal move and is not in check, in a game with check."""
        outcome = self.outcome()
        return outcome is not None and outcome.termination is Termination.STALEMATE

    def is_repetition(self, count: int = 3) -> bool:
        """Return whether the position at the start of the turn has occurred at least ``count`` times."""
        return self.repetitions() >= count

    def is_capture(self, move: Move) -> bool:
        """Return whether a legal move captures.

        :raises IllegalMoveError: if the move is not legal.
        """
        return self.move_info(move).captured is not None

    def epd(self, **operations: Operand | Iterable[Move]) -> str:
        """Write the position as EPD: the first four fields of the FEN, and operations.

        >>> board = Board("chess")
        >>> board.epd(bm=[board.parse_san("e4")], hmvc=board.halfmove_clock, id="start")
        'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm e4; hmvc 0; id "start";'

        :param operations: texts, numbers, legal moves or ``None``; moves for ``bm`` and ``am``, a line for ``pv``.
        :raises Error: inside a turn, which EPD cannot express, or if an operation cannot be written.
        :raises IllegalMoveError: if a move is not legal.
        """
        if self.turn_moves:
            raise Error("EPD has no field for the moves of an unfinished turn; write it at the start of a turn")
        return " ".join([*self.fen().split()[:4], write(self, operations)]).rstrip()

    def set_epd(self, epd: str) -> Operations:
        """Set the position from EPD and return the operations; ``hmvc`` and ``fmvn`` set the counters.

        :raises InvalidFenError: if it is not a position of the game; the board is unchanged.
        :raises Error: if an operation cannot be read, or a move in it is not legal; the board is unchanged.
        """
        fields = epd.split(None, 4)
        if len(fields) < 5:
            self.set_fen(" ".join(fields).rstrip(";"))
            return {}
        position = " ".join(fields[:4])
        operations = read(Board(self.game, position), fields[4])
        self.set_fen(f"{position} {operations.get('hmvc', 0)} {operations.get('fmvn', 1)}")
        return operations

    @classmethod
    def from_epd(
        cls, epd: str, game: str | os.PathLike[str] | Game = "chess", **options: object
    ) -> tuple[Self, Operations]:
        """Read EPD and return the board, and the operations by opcode.

        Operations are texts, numbers, moves, ``None``, or lists of moves for ``bm``, ``am`` and ``pv``.

        >>> board, operations = Board.from_epd('4k3/8/8/8/8/8/8/R3K2R w KQ - bm Ra8+ O-O; id "one"; acd 12;')
        >>> operations
        {'bm': [Move.from_uci('a1a8'), Move.from_uci('e1g1')], 'id': 'one', 'acd': 12}

        :raises DefinitionError: if the game or an option does not exist.
        :raises InvalidFenError: if it is not a position of the game.
        :raises Error: if an operation cannot be read, or a move in it is not legal.
        """
        board = cls(load(game, **options))
        return board, board.set_epd(epd)

    def status(self) -> list[Problem]:
        """Return every problem that makes the position unplayable; an empty list if there is none.

        >>> board = Board("chess")
        >>> board.remove_piece_at(4) and None
        >>> [problem.name for problem in board.status()]
        ['no_royal', 'right_without_piece', 'right_without_piece']
        """
        return [Problem(*values) for values in self._problems()]

    def is_valid(self) -> bool:
        """Return whether the position can be played."""
        return not self._problems()

    def mirror(self) -> Self:
        """Return the position with the sides swapped and the board mirrored rank for rank.

        The moves of an unfinished turn are kept.
        """
        board = self.copy(stack=False)
        made = board.move_stack
        for _ in made:
            board.pop()
        board._mirror()
        for move in made:
            board.push(self._facing(move))
        return board

    def apply_mirror(self) -> None:
        """Swap the sides and mirror the board rank for rank, as :meth:`mirror` does. This clears the history."""
        self._assign(self.mirror())

    def _facing(self, move: Move) -> Move:
        if move.special is not None:
            return move

        def facing(at: int) -> int:
            return square(square_file(at), self.game.ranks - 1 - square_rank(at))

        return Move(facing(move.from_square), facing(move.to_square), move.promotion)

    def move_info(self, move: Move) -> MoveInfo:
        """Return what a legal move does.

        :raises IllegalMoveError: if the move is not legal.
        """
        captured, captured_on, reach, partner, gives_check, ends_turn = self._move_info(move)
        return MoveInfo(
            captured=None if captured is None else Piece(*captured),
            captured_on=captured_on,
            reach=reach,
            partner=partner,
            gives_check=gives_check,
            ends_turn=ends_turn,
        )

    def playout(self, seed: int = 0, max_plies: int = 10_000) -> Playout:
        """Play random moves from this position on a copy of the board, without holding the interpreter lock.

        :param seed: the same seed plays the same game.
        :param max_plies: the number of half-moves after which the game is stopped.
        """
        plies, fen, outcome = self._playout(index(seed) % 2**64, min(max(max_plies, 0), 2**63))
        return Playout(plies, fen, None if outcome is None else _outcome(*outcome))

    def setup_name(self) -> str | None:
        """Return the name of the setup that the pieces form; ``None`` if they form none."""
        pieces = self.piece_map()
        ranks = self.game.ranks
        groups = []
        for squares in self.game.setup_squares():
            white = [pieces.get(at) for at in squares]
            black = [pieces.get(square(square_file(at), ranks - 1 - square_rank(at))) for at in squares]
            if any(w is None or b is None or w.letter != b.letter for w, b in zip(white, black, strict=True)):
                return None
            groups.append("".join(piece.letter for piece in white if piece))
        name = "-".join(groups)
        return name if name in self.game.setups else None

    def variation_san(self, moves: Iterable[Move]) -> str:
        """Write a line of moves in SAN, with move numbers.

        :raises IllegalMoveError: if a move is not legal when its turn comes.
        """
        return _native.variation_san(self, list(moves))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Board):
            return NotImplemented
        return self.game == other.game and self.fen() == other.fen()

    def __reduce__(self) -> tuple[Callable[..., Board], tuple[type[Board], Game, str, list[str]]]:
        return _restore, (type(self), self.game, self.root_fen, [move.uci() for move in self.move_stack])

    def __repr__(self) -> str:
        return f"Board({self.game.spec!r}, fen={self.fen()!r})"

    def __str__(self) -> str:
        """Draw the board: capital letters for White, small ones for Black, dots for empty squares, not for holes."""
        return "\n".join(row.rstrip() for row in self._rows(lambda piece: piece.symbol() if piece else "."))

    def _rows(self, cell: Callable[[Piece | None], str]) -> Iterator[str]:
        """Draw the ranks from the top, in columns as wide as the longest piece letter of the game."""
        pieces, squares = self.piece_map(), self.game.squares
        width = max(len(piece.letter) for piece in self.game.pieces)
        for rank in reversed(range(self.game.ranks)):
            row = (square(file, rank) for file in range(self.game.files))
            yield " ".join(f"{cell(pieces.get(at)) if at in squares else '':{width}}" for at in row)

    def unicode(self, *, empty_square: str = "·") -> str:
        """Draw the board with coordinates, chess figurines for orthodox pieces and letters for all others.

        >>> print(Board("chess", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1").unicode(empty_square=".").splitlines()[-2])
         1 . . . . ♔ . . .

        :param empty_square: what to draw on an empty square: one character.
        """
        figures = {"K": "♔♚", "Q": "♕♛", "R": "♖♜", "B": "♗♝", "N": "♘♞", "P": "♙♟"}
        orthodox = {
            p.letter for p in self.game.pieces if p.name in {"King", "Queen", "Rook", "Bishop", "Knight", "Pawn"}
        }

        def figure(piece: Piece | None) -> str:
            if piece is None:
                return empty_square
            if piece.letter in orthodox and piece.letter in figures:
                return figures[piece.letter][not piece.color]
            return piece.symbol()

        width = max(len(piece.letter) for piece in self.game.pieces)
        rows = [f"{self.game.ranks - down:2} {row}" for down, row in enumerate(self._rows(figure))]
        rows.append("   " + " ".join(f"{letter:{width}}" for letter in "abcdefghijklmnop"[: self.game.files]))
        return "\n".join(row.rstrip() for row in rows)

    def _repr_svg_(self) -> str:
        from acedrex import svg

        return svg.board(self, size=480)

    # Pieces and what they attack.

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
        for at, piece in pieces.items():
            board.set_piece_at(at, piece)
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

    # Kinds of moves.

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

    # Castling rights.

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
            for letter, (king_squares, partner_squares, kind) in zip(own, self.game._castlings, strict=True):
                squares = partner_squares[0], king_squares[0]
                partner, king = squares if color else (square_mirror(at, ranks) for at in squares)
                yield letter, partner, king, kind, color

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

    # Moves and positions as text.

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
        passes = piece.letter in self.game._passing
        return SquareSet.between(last.from_square, last.to_square) if passes else none

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
        found = _COORDINATES.fullmatch(text.strip())
        if found is None:
            return self.parse_san(text)
        up = 1 - self._first_rank()
        file, rank, to_file, to_rank, promotion = found.groups()
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


def _between(moves: Iterable[Move], from_mask: IntoSquareSet | None, to_mask: IntoSquareSet | None) -> Iterator[Move]:
    """Filter the moves of pieces by their squares; all moves if no squares are given."""
    if from_mask is None and to_mask is None:
        return iter(moves)
    everywhere = (1 << 256) - 1
    origins = SquareSet(everywhere if from_mask is None else from_mask)
    destinations = SquareSet(everywhere if to_mask is None else to_mask)
    pieces = (move for move in moves if move.special is None)
    return (move for move in pieces if move.from_square in origins and move.to_square in destinations)


def _outcome(reason: str, winner: bool | None, score: str, limit: int | None) -> Outcome:
    return Outcome(Termination(reason), winner, score, limit)


def _restore(cls: type[Board], game: Game, fen: str, moves: list[str]) -> Board:
    """Rebuild a pickled board."""
    board = cls(game)
    board.set_fen(fen, playable=False)
    for uci in moves:
        board.push(Move.from_uci(uci))
    return board
