"""Going through a record in the order in which PGN tells it."""

from __future__ import annotations

import enum
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Generic, TypeVar

from acedrex.board import Board
from acedrex.errors import Error
from acedrex.pgn.text import MAX_DEPTH, PgnError

if TYPE_CHECKING:
    from acedrex._native import Move
    from acedrex.pgn.tree import Game, GameNode

ResultT = TypeVar("ResultT")


class SkipType(enum.Enum):
    """What a visitor answers to leave something out."""

    SKIP = None


#: What a :class:`BaseVisitor` returns to leave out what follows: a record, its turns, a variation.
SKIP = SkipType.SKIP


class BaseVisitor(Generic[ResultT]):
    """Is told what stands in a record, in the order of PGN; override what is of interest.

    :meth:`Game.accept` and :func:`read_game` take one. Boards have to be left as they are given.

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
        """Begin; ``SKIP`` leaves out everything but :meth:`end_game`."""

    def begin_headers(self) -> None:
        """Begin the tags."""

    def visit_header(self, tagname: str, tagvalue: str) -> None:
        """Take a tag."""

    def end_headers(self) -> SkipType | None:
        """End the tags; ``SKIP`` leaves out the turns and the result."""

    def visit_turn(self, board: Board, moves: Sequence[Move], unfinished: bool) -> None:
        """Take a turn, before it is made. By default each of its moves goes to :meth:`visit_move`.

        :param board: the position before it.
        :param moves: its moves: one, in most games.
        :param unfinished: whether more must follow before it is over.
        """
        for move in moves:
            self.visit_move(board, move)
            board.push(move)
        for _ in moves:
            board.pop()

    def visit_move(self, board: Board, move: Move) -> None:
        """Take a move, before it is made."""

    def visit_board(self, board: Board) -> None:
        """Take the position at the start, and that after each turn."""

    def visit_comment(self, comment: str) -> None:
        """Take a comment."""

    def visit_nag(self, nag: int) -> None:
        """Take a glyph of the turn before."""

    def begin_variation(self) -> SkipType | None:
        """Begin a variation; ``SKIP`` leaves it out, its end too."""

    def end_variation(self) -> None:
        """End a variation."""

    def visit_result(self, result: str) -> None:
        """Take the result."""

    def end_game(self) -> None:
        """End."""

    def result(self) -> ResultT:
        """Return what the visit was for."""
        raise NotImplementedError

    def handle_error(self, error: PgnError) -> None:
        """Take something that was wrong in the text, before the record is visited; by default it is raised."""
        raise error


class BoardBuilder(BaseVisitor[Board]):
    """Gives the position at the end of the main line.

    >>> import io
    >>> from acedrex import pgn
    >>> pgn.read_game(io.StringIO("1. e4 (1. d4 d5) 1... e5 *"), Visitor=pgn.BoardBuilder).fen()
    'rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2'
    """

    _board: Board | None = None

    def begin_variation(self) -> SkipType:
        """Leave variations out."""
        return SKIP

    def visit_board(self, board: Board) -> None:
        """Keep the position."""
        self._board = board.copy()

    def result(self) -> Board:
        """Return it.

        :raises Error: if the record's start is unknown.
        """
        if self._board is None:
            raise Error("the record's start position is unknown; its errors say why")
        return self._board


def visit(node: GameNode, visitor: BaseVisitor[ResultT]) -> ResultT:
    """Lead a visitor through a turn and all that follows it, or through a whole record."""
    if node.parent is not None:
        _visit(visitor, node.parent.board(), [("line", node), ("make", node), ("write", node)])
        return visitor.result()
    game = node.game()
    if visitor.begin_game() is not SKIP:
        visitor.begin_headers()
        for name, value in game.headers.items():
            visitor.visit_header(name, value)
        if visitor.end_headers() is not SKIP:
            board = _start(game)
            if board is not None:
                visitor.visit_board(board)
            if game.comment:
                visitor.visit_comment(game.comment)
            if board is not None:
                _visit(visitor, board, [("line", game)])
            visitor.visit_result(game.headers["Result"])
    visitor.end_game()
    return visitor.result()


def _start(game: Game) -> Board | None:
    """Return the start position, ``None`` where it is unknown: then no turns could be read either."""
    try:
        return game.start()
    except Error:
        if game.variations:
            raise
        return None


def visit_line(node: GameNode, visitor: BaseVisitor[ResultT]) -> ResultT:
    """Lead a visitor through what follows a node."""
    _visit(visitor, node.board(), [("line", node)])
    return visitor.result()


def _visit(visitor: BaseVisitor[ResultT], board: Board, tasks: list[tuple[str, GameNode]]) -> None:
    """Do what remains to be done, the next thing last; without recursion, since lines may be long."""
    from acedrex.pgn.tree import ChildNode

    # Positions are made twice where they are looked at.
    looks = type(visitor).visit_board is not BaseVisitor.visit_board
    # How many moves were made before each variation that is open.
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
            if looks:
                for move in node._moves:
                    board.push(move)
                visitor.visit_board(board)
                _pop(board, len(node._moves))
            for nag in sorted(node.nags):
                visitor.visit_nag(nag)
            if node.comment:
                visitor.visit_comment(node.comment)


def _line(node: GameNode) -> Iterator[tuple[str, GameNode]]:
    """What is to be done about the turns from a node on."""
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
