"""Records as trees: a game's tags, and its turns with comments, glyphs and variations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from acedrex._native import Move
from acedrex.board import Board
from acedrex.errors import Error
from acedrex.game import Game as Definition
from acedrex.game import load
from acedrex.pgn.annotations import Annotated
from acedrex.pgn.headers import START_TAGS, Headers
from acedrex.pgn.start import start_tags
from acedrex.pgn.text import MAX_DEPTH, PgnError, checked_comment
from acedrex.pgn.turns import is_over, pop, push_moves, push_text
from acedrex.pgn.visitor import BaseVisitor, ResultT, visit, visit_line
from acedrex.pgn.writer import FileExporter, StringExporter

if TYPE_CHECKING:
    from typing import Self, TextIO

#: One turn: in SAN or coordinates as PGN writes it, or as its moves.
Turn = str | Move | Iterable[Move]


class GameNode(Annotated):
    """A position of a record: the root, which is a :class:`Game`, or what a turn led to, a :class:`ChildNode`."""

    __slots__ = ("variations",)

    def __init__(self) -> None:
        super().__init__()
        #: The turns played or proposed from here, the main one first.
        self.variations: list[ChildNode] = []

    @property
    def parent(self) -> GameNode | None:
        """The node before; ``None`` for the root."""
        return None

    def board(self) -> Board:
        """Return the position on a board of its own, with all moves since the start.

        :raises Error: if the record's start is unknown.
        """
        board = self.game().start()
        for node in reversed([*self._path()]):
            for move in node._moves:
                board.push(move)
        return board

    def turn(self) -> bool:
        """Tell whose turn it is at this node: ``True`` is White.

        :raises Error: if the record's start is unknown.
        """
        return self.board().turn

    def ply(self) -> int:
        """Count the moves from the record's start to this node."""
        return sum(len(node._moves) for node in self._path())

    def game(self) -> Game:
        """Return the root."""
        node: GameNode = self
        while node.parent is not None:
            node = node.parent
        assert isinstance(node, Game)
        return node

    def _path(self) -> Iterator[ChildNode]:
        """The nodes from here back to the first turn."""
        node: GameNode = self
        while isinstance(node, ChildNode):
            yield node
            node = node.parent

    def is_end(self) -> bool:
        """Return whether no turn follows."""
        return not self.variations

    def starts_variation(self) -> bool:
        """Return whether this is the first turn of a variation."""
        return False

    def is_mainline(self) -> bool:
        """Return whether the main line comes through here."""
        return not any(node.starts_variation() for node in self._path())

    def is_main_variation(self) -> bool:
        """Return whether this is the main turn from the node before; the root is."""
        return not self.starts_variation()

    def next(self) -> ChildNode | None:
        """Return the main turn from here, if any."""
        return self.variations[0] if self.variations else None

    def end(self) -> GameNode:
        """Return the last node of the main line from here."""
        node = self
        while node.variations:
            node = node.variations[0]
        return node

    def accept(self, visitor: BaseVisitor[ResultT]) -> ResultT:
        """Lead a visitor through this turn and all that follows it, or through the whole record, and return its result.

        :raises Error: if variations stand too deep inside one another.
        """
        return visit(self, visitor)

    def accept_subgame(self, visitor: BaseVisitor[ResultT]) -> ResultT:
        """Lead a visitor through what follows this node, and return its result.

        :raises Error: if variations stand too deep inside one another.
        """
        return visit_line(self, visitor)

    def mainline(self) -> Iterator[ChildNode]:
        """Return the nodes of the main line after this one, one a turn."""
        node = self.next()
        while node is not None:
            yield node
            node = node.next()

    def mainline_moves(self) -> Iterator[Move]:
        """Return the moves of the main line after this node, those of a turn one after the other."""
        for node in self.mainline():
            yield from node._moves

    def variation(self, key: int | Turn) -> ChildNode:
        """Return the turn from here with an index, or that makes these moves.

        :raises KeyError: if there is none.
        """
        return self.variations[self._index(key)]

    def has_variation(self, key: int | Turn) -> bool:
        """Return whether there is such a turn from here."""
        try:
            self._index(key)
        except KeyError:
            return False
        return True

    def _index(self, key: int | Turn | ChildNode) -> int:
        if isinstance(key, int):
            if 0 <= key < len(self.variations):
                return key
            raise KeyError(key)
        if isinstance(key, ChildNode):
            wanted = [node is key for node in self.variations]
        else:
            moves = _read(self.board(), key)[0]
            wanted = [node._moves == moves for node in self.variations]
        if True not in wanted:
            raise KeyError(key)
        return wanted.index(True)

    def _append(self, moves: Iterable[Move], unfinished: bool) -> ChildNode:
        """Add a turn that is known to be legal."""
        node = ChildNode(self, tuple(moves), unfinished)
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
        """Add a turn from here, after those that are there. The first one added is the main turn.

        Moves that do not make up the whole turn are kept as an unfinished turn, from which nothing follows until
        :meth:`ChildNode.add_move` has finished it. In a text, a comma at the end says so.

        :raises IllegalMoveError: if the turn is not legal.
        :raises Error: if this turn is unfinished, or variations would stand too deep inside one another.
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
        """Add a turn from here and make it the main one.

        :raises Error: as :meth:`add_variation` does.
        """
        node = self.add_variation(turn, comment=comment, nags=nags)
        self.promote_to_main(node)
        return node

    def add_line(self, turns: Iterable[Turn], *, comment: str = "", starting_comment: str = "") -> GameNode:
        """Add a line of turns; the comment stands after the last. Returns the last node.

        :raises Error: if a turn is not legal where it stands; nothing is added then.
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
        return node

    def promote_to_main(self, key: int | Turn | ChildNode) -> None:
        """Make a turn from here the main one.

        :raises KeyError: if it is not there.
        """
        self.variations.insert(0, self.variations.pop(self._index(key)))

    def promote(self, key: int | Turn | ChildNode) -> None:
        """Move a turn one place forward.

        :raises KeyError: if it is not there.
        """
        at = self._index(key)
        if at > 0:
            self.variations[at - 1 : at + 1] = self.variations[at], self.variations[at - 1]

    def demote(self, key: int | Turn | ChildNode) -> None:
        """Move a turn one place back.

        :raises KeyError: if it is not there.
        """
        at = self._index(key)
        self.variations[at : at + 2] = self.variations[at : at + 2][::-1]

    def remove_variation(self, key: int | Turn | ChildNode) -> None:
        """Take out a turn and all that follows it.

        :raises KeyError: if it is not there.
        """
        del self.variations[self._index(key)]


def _read(board: Board, turn: Turn) -> tuple[tuple[Move, ...], bool]:
    """Make a turn on a board: its moves, and whether it is unfinished."""
    if isinstance(turn, str):
        moves, unfinished = push_text(board, turn)
    else:
        moves, unfinished = push_moves(board, [turn] if isinstance(turn, Move) else turn)
    return tuple(moves), unfinished


class ChildNode(GameNode):
    """One whole turn of a record: what was played, and what is said about it.

    Where a turn is a single move, :attr:`move` is all of it.
    """

    __slots__ = ("_moves", "_parent", "_starting_comment", "_unfinished", "nags")

    def __init__(self, parent: GameNode, moves: Sequence[Move], unfinished: bool) -> None:
        """Make a node; :meth:`GameNode.add_variation` is the way to add one."""
        super().__init__()
        self._parent = parent
        self._moves = tuple(moves)
        self._unfinished = unfinished
        self._starting_comment = ""
        #: Numeric annotation glyphs: 1 is ``!``, 2 ``?``, 3 ``!!``, 4 ``??``, 5 ``!?``, 6 ``?!``; 0 to 255.
        self.nags: set[int] = set()

    @property
    def parent(self) -> GameNode:
        """The node before."""
        return self._parent

    @property
    def moves(self) -> list[Move]:
        """The moves of the turn, in order, an early ``end`` and a pass included."""
        return list(self._moves)

    @property
    def move(self) -> Move:
        """The first move of the turn, mostly the only one."""
        return self._moves[0]

    @property
    def unfinished(self) -> bool:
        """Whether more moves must follow before the turn is over."""
        return self._unfinished

    @property
    def starting_comment(self) -> str:
        """What is said before the turn; told apart from the comment before it only where a variation starts."""
        return self._starting_comment

    @starting_comment.setter
    def starting_comment(self, text: str) -> None:
        self._starting_comment = checked_comment(text) if text else ""

    def add_move(self, move: Move | str) -> None:
        """Add the next move to an unfinished turn; ``end`` may finish it.

        :raises Error: if the turn is whole or the move, which may be given in SAN or coordinates, is not legal.
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
        """Write the turn in SAN, without the comma that marks an unfinished one.

        :raises Error: if the record's start is unknown.
        """
        board = self.board()
        pop(board, len(self._moves))
        return board.turn_san(list(self._moves))

    def uci(self) -> str:
        """Write the moves of the turn in coordinates, joined by commas."""
        return ",".join(move.uci() for move in self._moves)

    def __repr__(self) -> str:
        return f"<ChildNode {self.uci()}{',' if self._unfinished else ''}>"


class Game(GameNode):
    """A record: tags, and the tree of turns from the start position.

    Not to be mistaken for :class:`acedrex.Game`, the definition of what is played: that is :attr:`variant`.

    >>> from acedrex import pgn
    >>> game = pgn.Game("magi", scoring="four_points")
    >>> game.headers["White"] = "Ana"
    >>> node = game.add_variation("d5", nags=[1])
    >>> node = node.add_variation("Nc8", comment="Solid.")
    >>> print(game.export(headers=False))
    1. d5 $1 Nc8 { Solid. } *

    :param variant: the game that is played, as :func:`acedrex.load` takes it.
    :param options: its switches.
    :raises DefinitionError: if the game or an option does not exist.
    """

    __slots__ = ("_fen", "_variant", "errors", "headers")

    def __init__(self, variant: str | Definition = "chess", **options: object) -> None:
        super().__init__()
        #: The tags.
        self.headers = Headers()
        #: What was wrong in the text that the record was read from.
        self.errors: list[PgnError] = []
        self._variant: Definition | None = load(variant, **options)
        self._fen: str | None = self._variant.start_fen
        self._put_start(start_tags(self._variant, self._fen))

    @property
    def variant(self) -> Definition:
        """The game that is played, with its options.

        :raises Error: if the record's tags name a game that is not known; :attr:`errors` says which.
        """
        if self._variant is None:
            name = self.headers.get("Variant", "?")[:40]
            raise Error(f"the record is of an unknown game, {name!r}; give its definition with games={{{name!r}: ...}}")
        return self._variant

    def start(self) -> Board:
        """Return the start position on a board of its own.

        :raises Error: if the record's tags do not tell it; :attr:`errors` says why.
        """
        variant = self.variant
        if self._fen is None:
            raise Error("the record's start position cannot be read; its errors say why")
        return Board(variant, self._fen)

    def setup(self, board: Board) -> None:
        """Start the record from a board's position, in the board's game; the tags that say so are rewritten.

        :raises Error: if there are turns already.
        :raises InvalidFenError: if the position cannot be played from.
        """
        if self.variations:
            raise Error("turns have been added; they belong to the start that they were added to")
        tags = start_tags(board.game, board.fen())
        self._variant, self._fen = board.game, board.fen()
        self._put_start(tags)

    def _put_start(self, tags: dict[str, str]) -> None:
        for name in START_TAGS:
            if name in tags:
                self.headers.put(name, tags[name])
            elif name in self.headers:
                self.headers.drop(name)

    def take_start(self, variant: Definition | None, fen: str | None) -> None:
        """Take game and start position as the tags have them, and leave the tags alone; for those who read records."""
        self._variant, self._fen = variant, fen

    @classmethod
    def from_board(cls, board: Board) -> Self:
        """Make a record of all moves on a board's stack, with its result; a last turn may be unfinished.

        >>> import acedrex
        >>> from acedrex import pgn
        >>> board = acedrex.Board("chieftain")
        >>> board.push_turn("a4a5,p4p5") and board.push_uci("a9a8")
        Move.from_uci('a9a8')
        >>> print(pgn.Game.from_board(board).export(headers=False))
        1. Ma5,Mp5 Ma8, *

        :raises InvalidFenError: if the position before the first move cannot be played from.
        """
        game = cls(board.game)
        replay = Board(board.game, board.root_fen)
        game.setup(replay)
        node: GameNode = game
        turn: list[Move] = []
        color = replay.turn
        for move in board.move_stack:
            replay.push(move)
            turn.append(move)
            if is_over(replay, color):
                node = node._append(turn, False)
                turn, color = [], replay.turn
        if turn:
            node._append(turn, True)
        outcome = board.outcome()
        if outcome is not None:
            game.headers["Result"] = outcome.result()
            if outcome.score != outcome.result():
                game.headers["Score"] = outcome.score
        return game

    def export(
        self, *, headers: bool = True, comments: bool = True, variations: bool = True, columns: int | None = 80
    ) -> str:
        """Write the record as PGN.

        :param headers: whether to write the tags.
        :param comments: whether to write comments and glyphs.
        :param variations: whether to write more than the main line.
        :param columns: how wide lines may be; ``None`` does not break them.
        :raises Error: if variations stand too deep inside one another.
        """
        return self.accept(StringExporter(columns=columns, headers=headers, comments=comments, variations=variations))

    def write(self, handle: TextIO) -> None:
        """Write the record, and an empty line, to a file that is open for text, best as UTF-8.

        :raises Error: as :meth:`export` does.
        :raises OSError: if it cannot be written.
        """
        self.accept(FileExporter(handle))

    def __str__(self) -> str:
        return self.export()

    def __repr__(self) -> str:
        names = " - ".join(self.headers[side] for side in ("White", "Black"))
        return f"<Game {self.headers.get('Variant', 'chess')}: {names}>"
