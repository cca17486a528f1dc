"""Writing records as PGN."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, TextIO, TypeVar

from acedrex.board import Board
from acedrex.errors import Error
from acedrex.pgn.visitor import SKIP, BaseVisitor, SkipType

if TYPE_CHECKING:
    from acedrex._native import Move

ResultT = TypeVar("ResultT")

_QUOTED = re.compile(r'["\\]')
# Where a comment may be wrapped: at a single space, but not before text that means something else at the start of a
# line.
_BREAK = re.compile(r"(?<=\S) (?=[^\s%\[])")
#: Ends a line unconditionally.
_NEWLINE = "\n"


def _escape(found: re.Match[str]) -> str:
    return "\\" + found[0]


def _wrap(units: Iterable[str], columns: int | None) -> str:
    """Join with spaces, or with line breaks where a line is full."""
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


class _Exporter(BaseVisitor[ResultT]):
    """Collects the units between which a line may be wrapped."""

    def __init__(
        self, *, columns: int | None = 80, headers: bool = True, comments: bool = True, variations: bool = True
    ) -> None:
        self._columns = columns
        self._headers = headers
        self._comments = comments
        self._variations = variations
        self._tags: list[str] = []
        self._units: list[str] = []
        # Whether Black's turn needs no number, since White's turn comes right before it.
        self._follows = False
        # The opening bracket of the next unit.
        self._bracket = ""

    def visit_header(self, tagname: str, tagvalue: str) -> None:
        """Write a tag."""
        if self._headers:
            self._tags.append(f'[{tagname} "{_QUOTED.sub(_escape, tagvalue)}"]\n')

    def visit_turn(self, board: Board, moves: Sequence[Move], unfinished: bool) -> None:
        """Write a turn that is about to be made on the board."""
        if board.turn or not self._follows:
            self._put(f"{board.fullmove_number}{'.' if board.turn else '...'}")
        self._put(board.turn_san(moves) + "," * unfinished)
        self._follows = board.turn

    def visit_nag(self, nag: int) -> None:
        """Write a glyph.

        :raises Error: if it is not a number that can be read again.
        """
        if nag not in range(256):
            raise Error(f"{nag!r:.40} is not a glyph; expected a number from 0 to 255, such as pgn.NAG_GOOD_MOVE")
        if self._comments:
            self._put(f"${int(nag)}")

    def visit_comment(self, comment: str) -> None:
        """Write a comment line by line; a line with a closing brace becomes a ``;`` comment."""
        if not self._comments:
            return
        self._follows = False
        for line in comment.split("\n"):
            if "}" in line:
                self._put(f"; {line}")
                self._units.append(_NEWLINE)
            else:
                for unit in _BREAK.split(f"{{ {line} }}" if line else "{}"):
                    self._put(unit)

    def begin_variation(self) -> SkipType | None:
        """Open a variation, or skip it."""
        if not self._variations:
            return SKIP
        self._bracket, self._follows = "(", False
        return None

    def end_variation(self) -> None:
        """Close a variation."""
        if self._units[-1] == _NEWLINE:
            self._units.append(")")
        else:
            self._units[-1] += ")"
        self._follows = False

    def visit_result(self, result: str) -> None:
        """Write the result."""
        self._units.append(result)

    def _put(self, unit: str) -> None:
        self._units.append(self._bracket + unit)
        self._bracket = ""

    def _text(self) -> str:
        text = _wrap(self._units, self._columns)
        return f"{''.join(self._tags)}\n{text}" if self._tags else text


class StringExporter(_Exporter[str]):
    """Returns a record as PGN, without a line break at its end.

    >>> from acedrex import pgn
    >>> game = pgn.Game()
    >>> _ = game.add_variation("e4", comment="Best by test.")
    >>> game.accept(pgn.StringExporter(headers=False, comments=False))
    '1. e4 *'

    :param columns: the maximum length of a line; ``None`` for no line breaks.
    :param headers: whether to write the tags.
    :param comments: whether to write comments and glyphs.
    :param variations: whether to write variations too.
    """

    def result(self) -> str:
        """Return the PGN text, as ``str`` does."""
        return self._text()

    def __str__(self) -> str:
        return self._text()


class FileExporter(_Exporter[int]):
    """Writes a record as PGN and an empty line to a file open in text mode; returns the number of characters.

    :param handle: the file, preferably with UTF-8.
    :param columns: the maximum length of a line; ``None`` for no line breaks.
    :param headers: whether to write the tags.
    :param comments: whether to write comments and glyphs.
    :param variations: whether to write variations too.
    """

    def __init__(
        self,
        handle: TextIO,
        *,
        columns: int | None = 80,
        headers: bool = True,
        comments: bool = True,
        variations: bool = True,
    ) -> None:
        super().__init__(columns=columns, headers=headers, comments=comments, variations=variations)
        self._handle = handle

    def result(self) -> int:
        """Write the record to the file and return the number of characters.

        :raises OSError: if the file cannot be written.
        """
        return self._handle.write(self._text() + "\n\n")
