"""Writing records as PGN."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from acedrex.board import Board
from acedrex.errors import Error
from acedrex.pgn.text import MAX_DEPTH
from acedrex.pgn.tree import ChildNode, Game, GameNode
from acedrex.pgn.turns import pop

_QUOTED = re.compile(r'["\\]')
# Where a comment may go on in a new line: at a blank that stands alone, not before what a reader could mistake there.
_BREAK = re.compile(r"(?<=\S) (?=[^\s%\[])")
#: Ends a line whatever follows.
_NEWLINE = "\n"


def export(game: Game, *, headers: bool, comments: bool, variations: bool, columns: int | None) -> str:
    """Write a record, without a line break at its end.

    :raises Error: if variations stand too deep inside one another.
    """
    writer = _Writer(comments, variations)
    writer.write(game)
    writer.units.append(game.headers["Result"])
    text = _wrap(writer.units, columns)
    if not headers:
        return text
    tags = (f'[{name} "{_QUOTED.sub(_escape, value)}"]\n' for name, value in game.headers.items())
    return f"{''.join(tags)}\n{text}"


def _escape(found: re.Match[str]) -> str:
    return "\\" + found[0]


def _wrap(units: Iterable[str], columns: int | None) -> str:
    """Join with blanks, or with line breaks where a line is full."""
    parts: list[str] = []
    width = 0
    for unit in units:
        if unit == _NEWLINE:
            parts.append(unit)
            width = 0
            continue
        if width:
            full = columns is not None and width + 1 + len(unit) > columns
            parts.append("\n" if full else " ")
            width = 0 if full else width + 1
        parts.append(unit)
        width += len(unit)
    return "".join(parts)


class _Writer:
    """Lists the units between which a line may end, walking the tree without recursion."""

    def __init__(self, comments: bool, variations: bool) -> None:
        self.units: list[str] = []
        self._comments = comments
        self._variations = variations
        # Whether Black's turn goes without a number: White's stands right before it.
        self._follows = False
        # The bracket that opens the next unit.
        self._bracket = ""

    def write(self, game: Game) -> None:
        """Write the turns of a record with all that belongs to them."""
        self._say(game.comment)
        if not game.variations:
            return
        board = game.start()
        # What remains to be done, the next thing last; and how many plies were made before each open variation.
        tasks: list[tuple[str, GameNode]] = [("line", game)]
        marks: list[int] = []
        while tasks:
            task, node = tasks.pop()
            if task == "line":
                tasks.extend(reversed([*self._line(node)]))
            elif task == "open":
                marks.append(board.ply())
                if len(marks) > MAX_DEPTH:
                    raise Error(f"more than {MAX_DEPTH} variations inside one another")
                self._bracket, self._follows = "(", False
            elif task == "close":
                pop(board, board.ply() - marks.pop())
                self._close()
            elif isinstance(node, ChildNode):
                if task == "write":
                    self._turn(node, board)
                else:
                    for move in node.moves:
                        board.push(move)

    def _line(self, node: GameNode) -> Iterator[tuple[str, GameNode]]:
        """What is to be done about the turns from a node on."""
        if not node.variations:
            return
        main, *others = node.variations
        yield "write", main
        for other in others if self._variations else ():
            yield "open", other
            yield "write", other
            yield "make", other
            yield "line", other
            yield "close", other
        yield "make", main
        yield "line", main

    def _put(self, unit: str) -> None:
        self.units.append(self._bracket + unit)
        self._bracket = ""

    def _close(self) -> None:
        if self.units[-1] == _NEWLINE:
            self.units.append(")")
        else:
            self.units[-1] += ")"
        self._follows = False

    def _turn(self, node: ChildNode, board: Board) -> None:
        """Write a turn that is about to be made on the board."""
        self._say(node.starting_comment)
        if board.turn or not self._follows:
            self._put(f"{board.fullmove_number}{'.' if board.turn else '...'}")
        self._put(board.turn_san(node.moves) + "," * node.unfinished)
        self._follows = board.turn
        if self._comments:
            for nag in sorted(node.nags):
                self._put(f"${nag}")
            self._say(node.comment)

    def _say(self, comment: str) -> None:
        """Write a comment, each line of it by itself; a line with a closing brace goes behind ``;``."""
        if not comment or not self._comments:
            return
        self._follows = False
        for line in comment.split("\n"):
            if "}" in line:
                self._put(f"; {line}")
                self.units.append(_NEWLINE)
            else:
                for unit in _BREAK.split(f"{{ {line} }}" if line else "{}"):
                    self._put(unit)
