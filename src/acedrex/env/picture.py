"""Boards as arrays of pixels."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

import numpy as np
import resvg_py
from PIL import Image

from acedrex import svg

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from acedrex.board import Board

__all__ = ["pixels"]

#: The width of a square, in pixels.
SQUARE = 40


def pixels(board: Board) -> NDArray[np.uint8]:
    """Return the board as an array of the shape (height, width, 3), with the last move marked."""
    drawing = svg.board(board, size=SQUARE * max(board.game.files, board.game.ranks), coordinates=False)
    png = resvg_py.svg_to_bytes(svg_string=drawing, skip_system_fonts=True, background="white")
    with Image.open(io.BytesIO(png)) as image:
        return np.asarray(image.convert("RGB"))
