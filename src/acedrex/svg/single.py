"""The drawing of one piece on nothing."""

from __future__ import annotations

import math
from dataclasses import dataclass

from acedrex.errors import Error
from acedrex.svg.paper import Sprites, opening
from acedrex.svg.shapes import PieceLike


def piece(
    art_or_letter: str | PieceLike, color: bool | None = None, size: float = 45, *, title: str | None = None
) -> str:
    """Draw one piece on nothing.

    Args:
        art_or_letter: An art id such as ``"lion"``; anything else is shown as letters on a disc. So is a piece, as
            its letter alone does not tell of which game it is.
        color: ``True`` for White; by default that of the piece, or White.
        size: Width and height in pixels.
        title: What the drawing is called; by default its colour and id.

    Returns:
        The text of an ``<svg>`` element.

    Raises:
        acedrex.Error: Nothing to draw, or a size that is not positive.

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
    sprites = Sprites([_Kind(art_or_letter, art_or_letter, art_or_letter)], "art")
    use = sprites.use(art_or_letter, color, 0, 0, size)
    if title is None:
        title = f"{'white' if color else 'black'} {art_or_letter}"
    return f"{opening(size, size, title)}<defs>{sprites.defs()}</defs>{use}</svg>"


@dataclass(frozen=True)
class _Kind:
    letter: str
    name: str
    art: str | None
