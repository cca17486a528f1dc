"""Boards, pieces and move diagrams as SVG text.

The functions take any object that matches :class:`BoardLike` or :class:`GameLike` and do not change it. They know no
rules and return one self-contained ``<svg>`` element that a browser, a notebook or a converter can show. The same
arguments always return the same text.

Squares are ``rank * 16 + file`` (``a1`` is 0, ``b1`` is 1, ``a2`` is 16) on boards of every size. Sides are ``True``
for White and ``False`` for Black; lengths are CSS pixels.

>>> from acedrex import svg
>>> drawing = svg.piece("giraffe", True, size=24)
>>> drawing.startswith("<svg ") and 'aria-label="white giraffe"' in drawing
True
"""

from __future__ import annotations

from acedrex.svg.diagram import LEGEND, piece_moves
from acedrex.svg.position import board
from acedrex.svg.shapes import (
    BoardLike,
    DiagramLike,
    GameLike,
    MoveLike,
    PieceLike,
    PieceTypeLike,
    ReachLike,
    TeachingGameLike,
)
from acedrex.svg.single import piece

__all__ = [
    "LEGEND",
    "BoardLike",
    "DiagramLike",
    "GameLike",
    "MoveLike",
    "PieceLike",
    "PieceTypeLike",
    "ReachLike",
    "TeachingGameLike",
    "board",
    "piece",
    "piece_moves",
]
