"""Writing records as PGN."""

from __future__ import annotations

from collections.abc import Sequence
from operator import index
from typing import TYPE_CHECKING, TextIO, TypeVar

from acedrex._native import RecordWriter
from acedrex.board import Board
from acedrex.errors import Error
from acedrex.limits import MAX_COMMENT
from acedrex.pgn.visitor import SKIP, BaseVisitor, SkipType

if TYPE_CHECKING:
    from acedrex._native import Move

ResultT = TypeVar("ResultT")


class _Exporter(BaseVisitor[ResultT]):
    """Writes the parts of a record that are wanted."""

    def __init__(
        self, *, columns: int | None = 80, headers: bool = True, comments: bool = True, variations: bool = True
    ) -> None:
        self._headers = headers
        self._comments = comments
        self._variations = variations
        self._writer = RecordWriter(None if columns is None else min(max(index(columns), 0), MAX_COMMENT))

    def visit_header(self, tagname: str, tagvalue: str) -> None:
        """Write a tag."""
        if self._headers:
            self._writer.tag(tagname, tagvalue)

    def visit_turn(self, board: Board, moves: Sequence[Move], unfinished: bool) -> None:
        """Write a turn that is about to be made on the board."""
        self._writer.turn(board.fullmove_number, board.turn, board.turn_san(moves), unfinished)

    def visit_nag(self, nag: int) -> None:
        """Write a glyph.

        :raises Error: if it is not a number that can be read again.
        """
        if nag not in range(256):
            raise Error(f"{nag!r:.40} is not a glyph; expected a number from 0 to 255, such as pgn.NAG_GOOD_MOVE")
        if self._comments:
            self._writer.glyph(int(nag))

    def visit_comment(self, comment: str) -> None:
        """Write a comment line by line; a line with a closing brace becomes a ``;`` comment."""
        if self._comments:
            self._writer.comment(comment)

    def begin_variation(self) -> SkipType | None:
        """Open a variation, or skip it."""
        if not self._variations:
            return SKIP
        self._writer.open()
        return None

    def end_variation(self) -> None:
        """Close a variation."""
        self._writer.close()

    def visit_result(self, result: str) -> None:
        """Write the result."""
        self._writer.result(result)


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
        return self._writer.text()

    def __str__(self) -> str:
        return self._writer.text()


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
        return self._handle.write(self._writer.text() + "\n\n")
