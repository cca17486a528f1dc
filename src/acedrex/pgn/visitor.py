"""Visiting the parts of a record in the order of PGN."""

from __future__ import annotations

import enum
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Generic, TypeVar

from acedrex.board import Board
from acedrex.errors import Error
from acedrex.limits import MAX_DEPTH
from acedrex.pgn.start import start_tags
from acedrex.pgn.text import PgnError

if TYPE_CHECKING:
    from acedrex._native import Move
    from acedrex.pgn.record import Game
    from acedrex.pgn.tree import GameNode

ResultT = TypeVar("ResultT")


class SkipType(enum.Enum):
    """The type of :data:`SKIP`."""

    SKIP = None


#: Returned by methods of a :class:`BaseVisitor` to skip what follows: a record, its turns, or a variation.
SKIP = SkipType.SKIP


class BaseVisitor(Generic[ResultT]):
    """Visits the parts of a record in the order of PGN. Override the methods that you need.

    Pass a visitor to :meth:`Game.accept`, or its class to :func:`read_game`. A method must leave its board unchanged.

    >>> import io
    >>> from acedrex import pgn
    >>> class Captures(pgn.BaseVisitor[int]):
    ...     found = 0
    ...     def visit_move(self, board, move):
    ...         self.found += board.is_capture(move)
    ...     def result(self):
    ...         return self.found
    >>> pgn.read_game(io.StringIO("1. e4 d5 2. exd5 Qxd5 *"), Visitor=Captures)
    2
    """

    def begin_game(self) -> SkipType | None:
        """Called at the start of a record; ``SKIP`` skips everything except :meth:`end_game`."""

    def begin_headers(self) -> None:
        """Called before the tags."""

    def visit_header(self, tagname: str, tagvalue: str) -> None:
        """Called for each tag."""

    def end_headers(self) -> SkipType | None:
        """Called after the tags; ``SKIP`` skips the turns and the result."""

    def visit_turn(self, board: Board, moves: Sequence[Move], unfinished: bool) -> None:
        """Called for each turn. By default, calls :meth:`visit_move` for each of its moves.

        :param board: the position before the turn.
        :param moves: the moves of the turn: one in most games.
        :param unfinished: whether more moves must follow before the turn is over.
        """
        for move in moves:
            self.visit_move(board, move)
            board.push(move)
        for _ in moves:
            board.pop()

    def visit_move(self, board: Board, move: Move) -> None:
        """Called for each move, with the position before it."""

    def visit_board(self, board: Board) -> None:
        """Called with the starting position, and with the position after each turn."""

    def visit_comment(self, comment: str) -> None:
        """Called for each comment."""

    def visit_nag(self, nag: int) -> None:
        """Called for each annotation glyph of the last turn."""

    def begin_variation(self) -> SkipType | None:
        """Called before a variation; ``SKIP`` skips it, including :meth:`end_variation`."""

    def end_variation(self) -> None:
        """Called after a variation."""

    def visit_result(self, result: str) -> None:
        """Called with the result."""

    def end_game(self) -> None:
        """Called at the end of a record."""

    def result(self) -> ResultT:
        """Return the result of the visit."""
        raise NotImplementedError

    def handle_error(self, error: PgnError) -> None:
        """Called for each error in the text, before the record is visited. By default, raises the error."""
        raise error


class BoardBuilder(BaseVisitor[Board]):
    """Returns the position at the end of the main line.

    >>> import io
    >>> from acedrex import pgn
    >>> pgn.read_game(io.StringIO("1. e4 (1. d4 d5) 1... e5 *"), Visitor=pgn.BoardBuilder).fen()
    'rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2'
    """

    _board: Board | None = None

    def begin_variation(self) -> SkipType:
        """Skip variations."""
        return SKIP

    def visit_board(self, board: Board) -> None:
        """Remember the position."""
        self._board = board.copy()

    def result(self) -> Board:
        """Return the last position.

        :raises Error: if the record's starting position is unknown.
        """
        if self._board is None:
            raise Error("the record's start position is unknown; its errors say why")
        return self._board


def visit(node: GameNode, visitor: BaseVisitor[ResultT]) -> ResultT:
    """Let a visitor visit a turn and all that follows it, or a whole record."""
    if node.parent is not None:
        _visit(visitor, node.parent.board(), [("line", node), ("make", node), ("write", node)])
        return visitor.result()
    game = node.game()
    return _visit_game(visitor, game.headers, _start(game), game)


def _visit_game(
    visitor: BaseVisitor[ResultT], headers: Mapping[str, str], board: Board | None, root: GameNode
) -> ResultT:
    """Let a visitor visit a record: its tags, its start, and what follows a node."""
    if visitor.begin_game() is not SKIP:
        visitor.begin_headers()
        for name, value in headers.items():
            visitor.visit_header(name, value)
        if visitor.end_headers() is not SKIP:
            if board is not None:
                visitor.visit_board(board)
            if root.parent is None and root.comment:
                visitor.visit_comment(root.comment)
            if board is not None:
                _visit(visitor, board, [("line", root)])
            visitor.visit_result(root.game().headers.get("Result", "*"))
    visitor.end_game()
    return visitor.result()


def _start(game: Game) -> Board | None:
    """Return the starting position; ``None`` if it is unknown, so that no turns could be read either."""
    try:
        return game.start()
    except Error:
        if game.variations:
            raise
        return None


def visit_line(node: GameNode, visitor: BaseVisitor[ResultT]) -> ResultT:
    """Let a visitor visit what follows a node, as a record that begins there."""
    if node.parent is None:
        return visit(node, visitor)
    board = node.board()
    return _visit_game(visitor, start_tags(board.game, board.fen()), board, node)


def _visit(visitor: BaseVisitor[ResultT], board: Board, tasks: list[tuple[str, GameNode]]) -> None:
    """Work off a stack of tasks, the next one last; without recursion, since lines may be long."""
    from acedrex.pgn.tree import ChildNode

    # Turns are made twice if the visitor wants the position after them.
    wants_boards = type(visitor).visit_board is not BaseVisitor.visit_board
    # The number of moves made before each open variation.
    marks: list[int] = []
    while tasks:
        task, node = tasks.pop()
        if task == "line":
            tasks.extend(reversed([*_line(node)]))
        elif task == "open":
            if len(marks) >= MAX_DEPTH:
                raise Error(f"more than {MAX_DEPTH} variations inside one another")
            if visitor.begin_variation() is not SKIP:
                marks.append(board.ply())
                continue
            while tasks.pop() != ("close", node):
                pass
        elif task == "close":
            _pop(board, board.ply() - marks.pop())
            visitor.end_variation()
        elif isinstance(node, ChildNode):
            if task == "make":
                for move in node._moves:
                    board.push(move)
                continue
            if node.starting_comment:
                visitor.visit_comment(node.starting_comment)
            visitor.visit_turn(board, node._moves, node.unfinished)
            if wants_boards:
                for move in node._moves:
                    board.push(move)
                visitor.visit_board(board)
                _pop(board, len(node._moves))
            for nag in sorted(node.nags):
                visitor.visit_nag(nag)
            if node.comment:
                visitor.visit_comment(node.comment)


def _line(node: GameNode) -> Iterator[tuple[str, GameNode]]:
    """Yield the tasks for the turns from a node on."""
    if not node.variations:
        return
    main, *others = node.variations
    yield "write", main
    for other in others:
        yield "open", other
        yield "write", other
        yield "make", other
        yield "line", other
        yield "close", other
    yield "make", main
    yield "line", main


def _pop(board: Board, moves: int) -> None:
    for _ in range(moves):
        board.pop()
