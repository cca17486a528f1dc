"""EPD suites: test positions with their operations, one per line.

>>> import io
>>> from acedrex import epd
>>> suite = io.StringIO('4k3/8/8/8/8/8/8/R3K2R w KQ - bm Ra8+; id "ladder";')
>>> [entry] = epd.read(suite)
>>> entry.operations["id"], entry.is_solved_by(entry.board.parse_san("Ra8+"))
('ladder', True)
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from acedrex._native import Move
from acedrex.board import Board
from acedrex.errors import Error
from acedrex.game import Game, load
from acedrex.operations import Operand, Operations

__all__ = ["Entry", "Operand", "Operations", "read"]


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of a suite: the position, its operations, and the line number, from 1."""

    board: Board
    operations: Operations
    line: int

    def is_solved_by(self, move: Move) -> bool:
        """Return whether a move is among the best moves (``bm``), if any are given, and not one to avoid (``am``)."""
        best, avoid = (self.operations.get(opcode) for opcode in ("bm", "am"))
        return (not isinstance(best, list) or move in best) and (not isinstance(avoid, list) or move not in avoid)


def read(lines: Iterable[str], game: str | os.PathLike[str] | Game = "chess", **options: object) -> Iterator[Entry]:
    """Read a suite line by line, for example from an open file; skip empty lines and those that begin with ``#``.

    :param lines: lines of text.
    :param game: the game of all positions, as for :class:`acedrex.Board`.
    :param options: options of the game.
    :raises DefinitionError: if the game or an option does not exist.
    :raises Error: at the first line that cannot be read; the message names the line and the reason.
    """
    loaded = load(game, **options)
    for number, text in enumerate(lines, start=1):
        if not text.strip() or text.lstrip().startswith("#"):
            continue
        try:
            board, operations = Board.from_epd(text, loaded)
        except Error as error:
            raise type(error)(f"line {number}: {error}") from None
        yield Entry(board, operations, number)
