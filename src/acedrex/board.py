"""Boards: positions with their history, with the names of python-chess where the meaning is the same."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from operator import index
from typing import TYPE_CHECKING, Self

from acedrex import _native
from acedrex._native import Move
from acedrex.errors import Error
from acedrex.game import Game, Piece, Reach, load
from acedrex.notation import Notation
from acedrex.operations import Operand, Operations, read, write
from acedrex.outcome import Outcome, Termination
from acedrex.placement import BLACK, WHITE
from acedrex.squares import square, square_file, square_rank

if TYPE_CHECKING:
    from acedrex._native import _Ended

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


class Board(Notation):
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
        return None if ended is None else _outcome(ended)

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
        return _outcome(ended)

    def agreement(self) -> Outcome:
        """Return the outcome if the players agree on a draw.

        >>> Board("magi", scoring="four_points").agreement().score
        '2-2'
        """
        ended = self._outcome_by_players(Termination.AGREEMENT.value, None)
        assert ended is not None
        return _outcome(ended)

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
        info = self._move_info(move)
        captured = info["captured"]
        return MoveInfo(
            captured=None if captured is None else Piece(*captured),
            captured_on=info["captured_on"],
            reach=info["reach"],
            partner=info["partner"],
            gives_check=info["gives_check"],
            ends_turn=info["ends_turn"],
        )

    def playout(self, seed: int = 0, max_plies: int = 10_000) -> Playout:
        """Play random moves from this position on a copy of the board, without holding the interpreter lock.

        :param seed: the same seed plays the same game.
        :param max_plies: the number of half-moves after which the game is stopped.
        """
        plies, fen, outcome = self._playout(index(seed) % 2**64, min(max(max_plies, 0), 2**63))
        return Playout(plies, fen, None if outcome is None else _outcome(outcome))

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
        """Draw the board: capital letters for White, small ones for Black, dots for empty squares."""
        return "\n".join(row.rstrip() for row in self._rows(lambda piece: piece.symbol() if piece else "."))

    def _rows(self, cell: Callable[[Piece | None], str]) -> Iterator[str]:
        """Draw the ranks from the top, in columns as wide as the longest piece letter of the game."""
        pieces = self.piece_map()
        width = max(len(piece.letter) for piece in self.game.pieces)
        for rank in reversed(range(self.game.ranks)):
            row = (pieces.get(square(file, rank)) for file in range(self.game.files))
            yield " ".join(f"{cell(piece):{width}}" for piece in row)

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


def _outcome(ended: _Ended) -> Outcome:
    return Outcome(Termination(ended["reason"]), ended["winner"], ended["score"], ended["limit"])


def _restore(cls: type[Board], game: Game, fen: str, moves: list[str]) -> Board:
    """Rebuild a pickled board."""
    board = cls(game)
    board.set_fen(fen, playable=False)
    for uci in moves:
        board.push(Move.from_uci(uci))
    return board
