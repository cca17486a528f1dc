"""Drawings of single pieces."""

from __future__ import annotations

import math

from acedrex.errors import Error
from acedrex.svg.paper import Sprites, opening
from acedrex.svg.shapes import PieceLike


def piece(
    art_or_letter: str | PieceLike, color: bool | None = None, size: float = 45, *, title: str | None = None
) -> str:
    """Draw one piece without a board.

    Args:
        art_or_letter: An art id such as ``"lion"``; any other text is shown as letters on a disc. A piece is shown as
            its letter too, since it does not know its game.
        color: ``True`` for White; by default the side of the piece, or White.
        size: Width and height in pixels.
        title: Title of the drawing; by default its colour and id.

    Returns:
        The text of an ``<svg>`` element.

    Raises:
        acedrex.Error: If there is nothing to draw, or the size is not positive.

    >>> from acedrex import svg
    >>> "R'" in svg.piece("R'", False)
    True
    """
    if not isinstance(art_or_letter, str):
        color = art_or_letter.color if color is None else color
        art_or_letter = art_or_letter.letter
    color = color is not False
    if not art_or_letter:
        raise Error("a piece needs an art id or a letter")
    if not (math.isfinite(size) and size > 0):
        raise Error(f"size must be positive, not {size}")
    sprites = Sprites(None, "art")
    use = sprites.use(art_or_letter, color, 0, 0, size)
    if title is None:
        title = f"{'white' if color else 'black'} {art_or_letter}"
    return f"{opening(size, size, title)}<defs>{sprites.defs()}</defs>{use}</svg>"
