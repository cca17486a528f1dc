"""A canvas of half columns and half rows, shown with block characters.

A character of a terminal is about twice as high as wide. Cutting it into four gives squares whose middle is a letter.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from acedrex.cli.terminal import Style

__all__ = ["Canvas"]

#: Block characters by the quarters that they fill: 1 upper left, 2 upper right, 4 lower left, 8 lower right.
BLOCKS = " ▘▝▀▖▌▞▛▗▚▐▜▄▙▟█"

#: Ink, ground (empty for the terminal's own) and weight of a character.
Look = tuple[str, str, bool]


class Canvas:
    """Colours by half column and half row, and characters upon them."""

    def __init__(self, columns: int, rows: int) -> None:
        self.columns = columns
        self.rows = rows
        self._colors = [[""] * (columns * 2) for _ in range(rows * 2)]
        self._signs: dict[tuple[int, int], tuple[str, str]] = {}

    def fill(self, left: int, top: int, wide: int, high: int, color: str) -> None:
        """Colour a rectangle, measured in half columns and half rows."""
        for row in self._colors[max(top, 0) : top + high]:
            start, end = max(left, 0), min(left + wide, len(row))
            row[start:end] = [color] * (end - start)

    def write(self, column: int, row: int, text: str, ink: str) -> None:
        """Put bold characters on whole columns and rows; blanks leave what is there."""
        for index, sign in enumerate(text):
            if sign != " ":
                self._signs[column + index, row] = sign, ink

    def lines(self, style: Style) -> list[str]:
        """Give the rows as text."""
        return [_paint(self._row(row), style) for row in range(self.rows)]

    def _row(self, row: int) -> Iterator[tuple[str, Look]]:
        upper, lower = self._colors[row * 2 : row * 2 + 2]
        for column in range(self.columns):
            quarters = (*upper[column * 2 : column * 2 + 2], *lower[column * 2 : column * 2 + 2])
            sign = self._signs.get((column, row))
            if sign is not None:
                yield sign[0], (sign[1], Counter(quarters).most_common(1)[0][0], True)
            elif len(set(quarters)) == 1:
                yield " ", ("", quarters[0], False)
            else:
                yield _block(quarters)


def _block(quarters: tuple[str, ...]) -> tuple[str, Look]:
    """The character that shows four quarters best in two colours."""
    (first, _), (second, _), *others = Counter(quarters).most_common()
    ground, ink = (first, second) if second else (second, first)
    third = others[0][0] if others else ""
    inked = {ink, third} if third and _differ(third, ink) < _differ(third, ground) else {ink}
    return BLOCKS[sum(1 << index for index, color in enumerate(quarters) if color in inked)], (ink, ground, False)


def _differ(one: str, other: str) -> int:
    if not one or not other:
        return 1 << 20
    return sum((a - b) ** 2 for a, b in zip(bytes.fromhex(one), bytes.fromhex(other), strict=True))


def _paint(signs: Iterator[tuple[str, Look]], style: Style) -> str:
    """Paint a row, signs that look the same in one go."""
    text: list[str] = []
    run, look = "", ("", "", False)
    for sign, its in signs:
        if its != look:
            text.append(style.paint(run, look[0], look[1], bold=look[2]))
            run, look = "", its
        run += sign
    return "".join([*text, style.paint(run, look[0], look[1], bold=look[2])])
