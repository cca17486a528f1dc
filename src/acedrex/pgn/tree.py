"""Records as trees of turns with comments, glyphs and variations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from operator import index
from typing import TYPE_CHECKING, SupportsIndex, cast

from acedrex._native import Move
from acedrex.board import Board
from acedrex.errors import Error
from acedrex.limits import MAX_DEPTH
from acedrex.pgn import flat
from acedrex.pgn.mainline import Line
from acedrex.pgn.text import checked_comment
from acedrex.pgn.turns import is_over, pop, push_moves, push_text
from acedrex.pgn.visitor import BaseVisitor, ResultT, visit, visit_line

if TYPE_CHECKING:
    from acedrex.pgn.record import Game

#: One turn: as text in SAN or coordinates, or as its moves.
Turn = str | Move | Iterable[Move]


class GameNode(Line):
    """A position of a record: the root, a :class:`Game`, or the position after a turn, a :class:`ChildNode`."""

    __slots__ = ("variations",)

    def __init__(self) -> None:
        super().__init__()
        #: The turns from here: the main line first, then the variations.
        self.variations: list[ChildNode] = []

    @property
    def parent(self) -> GameNode | None:
        """The parent node; ``None`` for the root."""
        return None

    def board(self) -> Board:
        """Return a new board with the position and all moves since the start.

        :raises Error: if the record's starting position is unknown.
        """
        board = self.game().start()
        for node in reversed([*self._path()]):
            for move in node._moves:
                board.push(move)
        return board

    def turn(self) -> bool:
        """Return the side to move at this node, ``True`` for White.

        :raises Error: if the record's starting position is unknown.
        """
        return self.board().turn

    def ply(self) -> int:
        """Return the number of moves from the start of the record to this node."""
        return sum(len(node._moves) for node in self._path())

    def root(self) -> Game:
        """Return the root of the tree, as :meth:`game` does; python-chess has both names."""
        return self.game()

    def game(self) -> Game:
        """Return the root of the tree."""
        node: GameNode = self
        while node.parent is not None:
            node = node.parent
        return cast("Game", node)

    def _path(self) -> Iterator[ChildNode]:
        """Yield the nodes from here back to the first turn."""
        node: GameNode = self
        while isinstance(node, ChildNode):
            yield node
            node = node.parent

    def starts_variation(self) -> bool:
        """Return whether this is the first turn of a variation."""
        return False

    def is_mainline(self) -> bool:
        """Return whether this node is on the main line."""
        return not any(node.starts_variation() for node in self._path())

    def is_main_variation(self) -> bool:
        """Return whether this is the first variation of its parent, which is also true of the root."""
        return not self.starts_variation()

    def accept(self, visitor: BaseVisitor[ResultT]) -> ResultT:
        """Let a visitor visit this turn and all that follows it, or the whole record, and return its result.

        :raises Error: if variations are nested too deeply.
        """
        return visit(self, visitor)

    def accept_subgame(self, visitor: BaseVisitor[ResultT]) -> ResultT:
        """Let a visitor visit what follows this node, as a record that begins here, and return its result.

        :raises Error: if the turn is not finished, or variations are nested too deeply.
        """
        return visit_line(self, visitor)

    def variation(self, key: int | Turn | ChildNode) -> ChildNode:
        """Return the turn from here with an index, or with the given moves. ``node[key]`` is the same.

        >>> from acedrex import pgn
        >>> game = pgn.Game()
        >>> pawn, knight = game.add_variation("e4"), game.add_variation("Nf3")
        >>> game[0] is pawn, game["Nf3"] is knight, "d4" in game
        (True, True, False)

        :raises KeyError: if there is no such turn.
        """
        return self.variations[self._index(key)]

    __getitem__ = variation

    def has_variation(self, key: int | Turn | ChildNode) -> bool:
        """Return whether there is a turn from here with an index, or with the given moves."""
        try:
            self._index(key)
        except KeyError:
            return False
        return True

    def __contains__(self, key: int | Turn | ChildNode) -> bool:
        return self.has_variation(key)

    # Without it, Python would iterate by the numbers of variations, and end with a KeyError.
    __iter__ = None

    def _index(self, key: int | Turn | ChildNode) -> int:
        if isinstance(key, SupportsIndex):
            if 0 <= (place := index(key)) < len(self.variations):
                return place
            raise KeyError(key)
        if isinstance(key, ChildNode):
            matches = [node is key for node in self.variations]
        else:
            board = self.board()
            try:
                moves = _read(board, key)[0]
            except Error as error:
                raise KeyError(key) from error
            matches = [node._moves == moves for node in self.variations]
        if True not in matches:
            raise KeyError(key)
        return matches.index(True)

    def _append(self, moves: tuple[Move, ...], unfinished: bool, nags: Iterable[int] = ()) -> ChildNode:
        """Add a turn that is known to be legal."""
        node = ChildNode(self, moves, unfinished, nags)
        self.variations.append(node)
        return node

    def add_variation(
        self,
        turn: Turn,
        *,
        comment: str = "",
        starting_comment: str = "",
        nags: Iterable[int] = (),
    ) -> ChildNode:
        """Add a turn from here after the existing ones and return it. The first turn added is the main line.

        Moves that are only part of a turn are stored as an unfinished turn, which no other turn can follow until
        :meth:`ChildNode.add_move` has finished it. In a text, a comma at the end marks such a turn.

        :raises IllegalMoveError: if the turn is not legal.
        :raises Error: if this node's turn is unfinished, or variations would be nested too deeply.
        """
        self._check_open()
        node = ChildNode(self, *_read(self.board(), turn))
        node.comment, node.starting_comment = comment, starting_comment
        node.nags.update(nags)
        self.variations.append(node)
        return node

    def _check_open(self) -> None:
        if isinstance(self, ChildNode) and self.unfinished:
            raise Error("nothing follows an unfinished turn; finish it with add_move")
        if self.variations and sum(node.starts_variation() for node in self._path()) >= MAX_DEPTH:
            raise Error(f"more than {MAX_DEPTH} variations inside one another")

    def add_main_variation(self, turn: Turn, *, comment: str = "", nags: Iterable[int] = ()) -> ChildNode:
        """Add a turn from here, make it the main line, and return it.

        :raises Error: as :meth:`add_variation`.
        """
        node = self.add_variation(turn, comment=comment, nags=nags)
        self.promote_to_main(node)
        return node

    def add_line(
        self, turns: Iterable[Turn], *, comment: str = "", starting_comment: str = "", nags: Iterable[int] = ()
    ) -> GameNode:
        """Add a line of turns and return the last node; the comment and the glyphs follow the last turn.

        :raises Error: if a turn is not legal in its position; nothing is added then.
        """
        self._check_open()
        board = self.board()
        line: list[tuple[tuple[Move, ...], bool]] = []
        for turn in turns:
            if line and line[-1][1]:
                raise Error("nothing follows an unfinished turn; finish it with add_move")
            line.append(_read(board, turn))
        node: GameNode = self
        for moves, unfinished in line:
            child = node._append(moves, unfinished)
            if node is self:
                child.starting_comment = starting_comment
            node = child
        if comment:
            node.comment = comment
        if isinstance(node, ChildNode):
            node.nags.update(nags)
        return node

    def promote_to_main(self, key: int | Turn | ChildNode) -> None:
        """Make a turn from here the main line.

        :raises KeyError: if there is no such turn.
        """
        self.variations.insert(0, self.variations.pop(self._index(key)))

    def promote(self, key: int | Turn | ChildNode) -> None:
        """Move a turn from here one place forward.

        :raises KeyError: if there is no such turn.
        """
        at = self._index(key)
        if at > 0:
            self.variations[at - 1 : at + 1] = self.variations[at], self.variations[at - 1]

    def demote(self, key: int | Turn | ChildNode) -> None:
        """Move a turn from here one place back.

        :raises KeyError: if there is no such turn.
        """
        at = self._index(key)
        self.variations[at : at + 2] = self.variations[at : at + 2][::-1]

    def remove_variation(self, key: int | Turn | ChildNode) -> None:
        """Remove a turn and all that follows it.

        :raises KeyError: if there is no such turn.
        """
        del self.variations[self._index(key)]


def _read(board: Board, turn: Turn) -> tuple[tuple[Move, ...], bool]:
    """Make a turn on a board, and return its moves and whether it is unfinished."""
    if isinstance(turn, str):
        moves, unfinished = push_text(board, turn)
    else:
        moves, unfinished = push_moves(board, [turn] if isinstance(turn, Move) else turn)
    return tuple(moves), unfinished


class ChildNode(GameNode):
    """One whole turn of a record with its annotations.

    In games with one move per turn, :attr:`move` is the whole turn.
    """

    __slots__ = ("_moves", "_parent", "_starting_comment", "_unfinished", "nags")

    def __init__(self, parent: GameNode, moves: tuple[Move, ...], unfinished: bool, nags: Iterable[int] = ()) -> None:
        """Create a node. Use :meth:`GameNode.add_variation` to add one to a record."""
        # Without the constructors of the classes above it: files have millions of turns.
        self._comment = self._starting_comment = ""
        self.variations = []
        self._parent = parent
        self._moves = moves
        self._unfinished = unfinished
        #: Numeric annotation glyphs: 1 is ``!``, 2 ``?``, 3 ``!!``, 4 ``??``, 5 ``!?``, 6 ``?!``; 0 to 255.
        self.nags = set(nags)

    @property
    def parent(self) -> GameNode:
        """The parent node."""
        return self._parent

    @property
    def moves(self) -> list[Move]:
        """The moves of the turn, in order, including an early ``end`` and a pass."""
        return list(self._moves)

    @property
    def move(self) -> Move:
        """The first move of the turn, usually the only one."""
        return self._moves[0]

    @property
    def unfinished(self) -> bool:
        """Whether more moves must follow before the turn is over."""
        return self._unfinished

    @property
    def starting_comment(self) -> str:
        """The comment before the turn; in PGN text, only the first turn of a variation can have one."""
        return self._starting_comment

    @starting_comment.setter
    def starting_comment(self, text: str) -> None:
        self._starting_comment = checked_comment(text) if text else ""

    def add_move(self, move: Move | str) -> None:
        """Add the next move to an unfinished turn; ``end`` may finish it.

        :param move: the move, or its text in SAN or coordinates.
        :raises Error: if the turn is complete or the move is not legal.
        """
        if not self._unfinished:
            raise Error("the turn is whole")
        board = self.board()
        color = board.turn
        if isinstance(move, str):
            move = board.push_san(move)
        else:
            board.push(move)
        self._moves += (move,)
        self._unfinished = not is_over(board, color)

    def starts_variation(self) -> bool:
        """Return whether this is the first turn of a variation."""
        return bool(self._parent.variations) and self._parent.variations[0] is not self

    def san(self) -> str:
        """Write the turn in SAN, without the comma that marks an unfinished turn.

        :raises Error: if the record's starting position is unknown.
        """
        board = self.board()
        pop(board, len(self._moves))
        return board.turn_san(list(self._moves))

    def uci(self) -> str:
        """Write the moves of the turn in coordinates, joined by commas."""
        return ",".join(move.uci() for move in self._moves)

    __reduce__, __copy__ = flat.reference, flat.twin

    def __repr__(self) -> str:
        return f"<ChildNode {self.uci()}{',' if self._unfinished else ''}>"
