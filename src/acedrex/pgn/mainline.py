"""The main line after a node of a record."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Generic, TypeVar

from acedrex.pgn.annotations import Annotated
from acedrex.pgn.writer import StringExporter

if TYPE_CHECKING:
    from acedrex._native import Move
    from acedrex.pgn.tree import ChildNode, GameNode

T = TypeVar("T")


class Mainline(Generic[T]):
    """The nodes or the moves of the main line after a node, followed anew each time they are iterated.

    >>> from acedrex import pgn
    >>> game = pgn.Game()
    >>> _ = game.add_line(["e4", "e5"])
    >>> moves = game.mainline_moves()
    >>> bool(moves), [move.uci() for move in reversed(moves)], str(moves)
    (True, ['e7e5', 'e2e4'], '1. e4 e5')
    """

    def __init__(self, start: GameNode, parts: Callable[[ChildNode], Iterable[T]]) -> None:
        self._start = start
        self._parts = parts

    def __bool__(self) -> bool:
        return bool(self._start.variations)

    def __iter__(self) -> Iterator[T]:
        for node in self._nodes():
            yield from self._parts(node)

    def __reversed__(self) -> Iterator[T]:
        for node in reversed([*self._nodes()]):
            yield from reversed([*self._parts(node)])

    def _nodes(self) -> Iterator[ChildNode]:
        node = self._start.next()
        while node is not None:
            yield node
            node = node.next()

    def __str__(self) -> str:
        """Write the line as PGN without tags, variations and result."""
        board = self._start.board()
        exporter = StringExporter(columns=None, headers=False)
        for node in self._nodes():
            if node.starting_comment:
                exporter.visit_comment(node.starting_comment)
            exporter.visit_turn(board, node._moves, node.unfinished)
            for nag in sorted(node.nags):
                exporter.visit_nag(nag)
            if node.comment:
                exporter.visit_comment(node.comment)
            for move in node._moves:
                board.push(move)
        return exporter.result()

    def __repr__(self) -> str:
        return f"<Mainline {self}>"


class Line(Annotated):
    """The part of a node that follows the main line."""

    __slots__ = ()

    if TYPE_CHECKING:
        variations: list[ChildNode]

    def is_end(self) -> bool:
        """Return whether no turn follows."""
        return not self.variations

    def next(self) -> ChildNode | None:
        """Return the main turn from here; ``None`` if no turn follows."""
        return self.variations[0] if self.variations else None

    def end(self: GameNode) -> GameNode:  # type: ignore[misc]
        """Return the last node of the main line from here."""
        node = self
        while node.variations:
            node = node.variations[0]
        return node

    def mainline(self: GameNode) -> Mainline[ChildNode]:  # type: ignore[misc]
        """Return the nodes of the main line after this one, one per turn."""
        return Mainline(self, lambda node: (node,))

    def mainline_moves(self: GameNode) -> Mainline[Move]:  # type: ignore[misc]
        """Return the moves of the main line after this node."""
        return Mainline(self, lambda node: node._moves)
