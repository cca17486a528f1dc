"""A canvas of half columns and half rows, shown with block characters.

A terminal character is about twice as high as wide. Dividing it into quarters allows squares with a letter in their
middle.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from acedrex.cli.terminal import Style

__all__ = ["Canvas"]

#: The block characters by the quarters that they fill: 1 upper left, 2 upper right, 4 lower left, 8 lower right.
BLOCKS = " ▘▝▀▖▌▞▛▗▚▐▜▄▙▟█"

#: The look of a character: ink, ground (empty for the terminal's own), whether it is bold and whether underlined.
Look = tuple[str, str, bool, bool]


class Canvas:
    """Colours by half column and half row, with characters on top."""

    def __init__(self, columns: int, rows: int) -> None:
        self.columns = columns
        self.rows = rows
        self._colors = [[""] * (columns * 2) for _ in range(rows * 2)]
        self._base = self._colors
        self._signs: dict[tuple[int, int], tuple[str, str, bool]] = {}

    def fill(self, left: int, top: int, wide: int, high: int, color: str) -> None:
        """Colour a rectangle, in half columns and half rows."""
        for row in self._colors[max(top, 0) : top + high]:
            start, end = max(left, 0), min(left + wide, len(row))
            row[start:end] = [color] * (end - start)

    def finish_base(self) -> None:
        """Remember the colours so far: they are shown in characters with more than the two colours they can have."""
        self._base = [row[:] for row in self._colors]

    def write(self, column: int, row: int, text: str, ink: str, *, underlined: bool = False) -> None:
        """Write bold characters at a column and row; spaces leave what is there."""
        for index, sign in enumerate(text):
            if sign != " ":
                self._signs[column + index, row] = sign, ink, underlined

    def lines(self, style: Style) -> list[str]:
        """Return the rows as text."""
        return [_paint(self._row(row), style) for row in range(self.rows)]

    def _row(self, row: int) -> Iterator[tuple[str, Look]]:
        for column in range(self.columns):
            quarters = self._quarters(self._colors, column, row)
            if len(set(quarters)) > 2:
                quarters = self._quarters(self._base, column, row)
            sign = self._signs.get((column, row))
            ground = Counter(quarters).most_common(1)[0][0]
            if sign is not None:
                yield sign[0], (sign[1], ground, True, sign[2])
            else:
                inked = [color != ground for color in quarters]
                ink = quarters[inked.index(True)] if any(inked) else ""
                block = BLOCKS[sum(1 << index for index, inside in enumerate(inked) if inside)]
                yield block, (ink, ground, False, False)

    def _quarters(self, colors: list[list[str]], column: int, row: int) -> tuple[str, ...]:
        upper, lower = colors[row * 2], colors[row * 2 + 1]
        return (*upper[column * 2 : column * 2 + 2], *lower[column * 2 : column * 2 + 2])


def _paint(signs: Iterator[tuple[str, Look]], style: Style) -> str:
    """Paint a row, joining characters with the same look."""
    text: list[str] = []
    run, look = "", ("", "", False, False)
    for sign, sign_look in signs:
        if sign_look != look:
            text.append(style.paint(run, *look))
            run, look = "", sign_look
        run += sign
    return "".join([*text, style.paint(run, *look)])
