"""The visitor that builds a record."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from acedrex.board import Board
from acedrex.pgn.headers import START_TAGS
from acedrex.pgn.record import Game
from acedrex.pgn.text import PgnError
from acedrex.pgn.tree import ChildNode, GameNode
from acedrex.pgn.visitor import BaseVisitor, SkipType

if TYPE_CHECKING:
    from acedrex._native import Move


class GameBuilder(BaseVisitor[Game]):
    """Builds a record from what it visits. Override a method to skip or change a part.

    >>> import io
    >>> from acedrex import pgn
    >>> class WithoutComments(pgn.GameBuilder):
    ...     def visit_comment(self, comment):
    ...         pass
    >>> game = pgn.read_game(io.StringIO("1. e4 { Best. } e5 (1... c5) *"), Visitor=WithoutComments)
    >>> print(game.export(headers=False))
    1. e4 e5 (1... c5) *

    :param Game: the class of the record.
    """

    def __init__(self, *, Game: type[Game] = Game) -> None:  # noqa: N803 - the name of python-chess
        #: The record so far.
        self.game = Game()
        self.game.take_start(None, None)
        for name in START_TAGS:
            if name in self.game.headers:
                self.game.headers.drop(name)
        self._node: GameNode = self.game
        self._outer: list[GameNode] = []
        # The comment before the first turn of a variation; None outside such a place.
        self._starting: str | None = None

    @property
    def variation_stack(self) -> list[GameNode]:
        """The node at which each open line of play is, the innermost last, as python-chess has it."""
        return [*self._outer, self._node]

    def handle_error(self, error: PgnError) -> None:
        """Collect an error in the text."""
        self.game.errors.append(error)

    def visit_header(self, tagname: str, tagvalue: str) -> None:
        """Add a tag."""
        self.game.headers.put(tagname, tagvalue)

    def visit_board(self, board: Board) -> None:
        """Set the starting position."""
        if self._node is self.game and not self.game.variations:
            self.game.take_start(board.game, board.fen())

    def visit_turn(self, board: Board, moves: Sequence[Move], unfinished: bool) -> None:
        """Add a turn."""
        self._node = node = self._node._append(tuple(moves), unfinished)
        node.starting_comment, self._starting = self._starting or "", None

    def visit_nag(self, nag: int) -> None:
        """Add an annotation glyph."""
        if isinstance(self._node, ChildNode):
            self._node.nags.add(nag)

    def visit_comment(self, comment: str) -> None:
        """Add a comment."""
        if self._starting is None:
            self._node.comment = "\n".join(filter(None, [self._node.comment, comment]))
        else:
            self._starting = "\n".join(filter(None, [self._starting, comment]))

    def begin_variation(self) -> SkipType | None:
        """Go back to the position before the last turn."""
        self._outer.append(self._node)
        assert self._node.parent is not None
        self._node, self._starting = self._node.parent, ""
        return None

    def end_variation(self) -> None:
        """Continue after the turn to which the variation is an alternative."""
        self._node, self._starting = self._outer.pop(), None

    def visit_result(self, result: str) -> None:
        """Set the tag ``Result``, unless it has been visited."""
        if self.game.headers.get("Result", "*") == "*":
            self.game.headers["Result"] = result

    def result(self) -> Game:
        """Return the record."""
        return self.game
