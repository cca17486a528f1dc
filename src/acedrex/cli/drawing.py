"""Boards as lines of text.

Capitals are White and small letters Black, with colours or without. Meaning never rests on colour alone: ``(n)`` can be
captured, ``<n>`` by a hop, ``|n|`` is hopped over.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from acedrex.cli import palette
from acedrex.cli.canvas import Canvas
from acedrex.cli.terminal import Style
from acedrex.game import Game, Piece

__all__ = ["LARGE", "MIDDLE", "SMALL", "Drawing", "Marks", "Size", "beside", "figures", "fitting", "longest_token"]

_FIGURES = {"King": "♔♚", "Queen": "♕♛", "Rook": "♖♜", "Bishop": "♗♝", "Knight": "♘♞", "Pawn": "♙♟"}
#: Columns that the rank numbers take.
MARGIN = 3


@dataclass(frozen=True)
class Size:
    """How many columns and rows a square takes.

    An even number puts the edges of squares in the middle of a character, so that a letter still is in the middle of its
    square; the board is then one character longer.
    """

    columns: int
    rows: int

    def width(self, files: int) -> int:
        """The columns of a board with its rank numbers."""
        return MARGIN + files * self.columns + (self.columns % 2 == 0)

    def height(self, ranks: int) -> int:
        """The rows of a board with its file letters."""
        return ranks * self.rows + (self.rows % 2 == 0) + 1


#: A letter with room for a sign on either side; squares with pieces on them; the same larger.
SMALL, MIDDLE, LARGE = Size(3, 1), Size(4, 2), Size(6, 3)


@dataclass(frozen=True)
class Marks:
    """What to point out on a board, by square.

    ``last`` is the last ply, ``setup`` the free squares of a setup; ``ready`` and ``moved`` are the pieces that may still move in
    a turn and those that have; ``origin`` is the piece asked about, ``reach`` where it goes and how (``move``, ``capture``,
    ``both``, ``hop``), ``mounts`` what it hops over.
    """

    last: frozenset[int] = frozenset()
    check: frozenset[int] = frozenset()
    setup: frozenset[int] = frozenset()
    ready: frozenset[int] = frozenset()
    moved: frozenset[int] = frozenset()
    origin: int | None = None
    reach: Mapping[int, str] = field(default_factory=dict)
    mounts: frozenset[int] = frozenset()

    def brackets(self, at: int, *, colored: bool) -> str:
        """Give the signs to the left and right of a square's letter."""
        kind = self.reach.get(at)
        if kind in ("capture", "both"):
            return "()"
        if kind == "hop":
            return "<>"
        if at in self.mounts:
            return "||"
        if at == self.origin:
            return "[]"
        if colored:
            return "  "
        if at in self.moved:
            return "=="
        if at in self.last or at in self.setup:
            return "[]"
        return "++" if at in self.check else "::" if at in self.ready else "  "

    def ground(self, at: int, dark: bool) -> str:
        """Give the colour of a square."""
        colors = palette.LIGHT_DARK
        if at in self.setup:
            colors = palette.SETUP
        elif at in self.check:
            colors = palette.CHECK
        elif at == self.origin or at in self.last:
            colors = palette.LAST
        return colors[dark]

    def ink(self, at: int, dark: bool) -> str:
        """Give the colour of a square's signs."""
        return palette.INKS[self.reach.get(at, "mount" if at in self.mounts else "move")][dark]


@dataclass(frozen=True)
class Drawing:
    """A board to draw; ``letters`` is what to show for a piece instead of its letter."""

    pieces: Mapping[int, Piece]
    files: int
    ranks: int
    style: Style
    marks: Marks = field(default_factory=Marks)
    letters: Mapping[Piece, str] = field(default_factory=dict)
    token: int = 1
    flipped: bool = False

    def width(self, size: Size) -> int:
        """The columns that the drawing takes."""
        return self._fitted(size).width(self.files)

    def lines(self, size: Size = SMALL) -> list[str]:
        """Draw the board with its coordinates; all lines are equally wide."""
        size = self._fitted(size)
        columns = list(range(self.files))[:: -1 if self.flipped else 1]
        ranks = list(range(self.ranks))[:: 1 if self.flipped else -1]
        even = size.columns % 2 == 0
        rows = self._canvas(columns, ranks, size) if self.style.colors else self._plain(columns, ranks)
        middle = size.rows // 2
        labels = {index * size.rows + middle: f"{rank + 1:2} " for index, rank in enumerate(ranks)}
        lines = [self.style.paint(labels.get(i, " " * MARGIN), palette.MUTED) + row for i, row in enumerate(rows)]
        names = "".join(f"{'abcdefghijklmnop'[file]:^{size.columns}}" for file in columns)
        names = f" {names}" if even else names
        return [*lines, self.style.paint(" " * MARGIN + names, palette.MUTED)]

    def _fitted(self, size: Size) -> Size:
        """The size that can be drawn: block characters are not for all."""
        if self.style.colors and self.style.unicode and size != SMALL:
            return size
        return Size(self.token + 2, 1)

    def _plain(self, columns: list[int], ranks: list[int]) -> list[str]:
        def cell(at: int) -> str:
            left, right = self.marks.brackets(at, colored=False)
            return f"{left}{self._sign(at):{self.token}}{right}"

        return ["".join(cell(rank * 16 + file) for file in columns) for rank in ranks]

    def _sign(self, at: int) -> str:
        """What stands on a square: a letter, a dot where a piece can go, or the sign of an empty square."""
        piece = self.pieces.get(at)
        if piece is not None:
            return self.letters.get(piece, piece.symbol())
        dot, nothing = ("•", "·") if self.style.unicode else ("o", ".")
        kind = self.marks.reach.get(at)
        if kind is None:
            return " " if self.style.colors else nothing
        return " " if kind == "capture" else dot

    def _canvas(self, columns: list[int], ranks: list[int], size: Size) -> list[str]:
        half_column, half_row = size.columns % 2 == 0, size.rows % 2 == 0
        canvas = Canvas(len(columns) * size.columns + half_column, len(ranks) * size.rows + half_row)
        wide, high = 2 * size.columns, 2 * size.rows
        squares = [
            (column, row, rank * 16 + file, (file + rank) % 2 == 0)
            for row, rank in enumerate(ranks)
            for column, file in enumerate(columns)
        ]
        # A character has two colours: squares at the edge fill it to the end, and marked squares leave their corners alone.
        for column, row, _, dark in squares:
            left, top = column * wide + half_column * (column > 0), row * high + half_row * (row > 0)
            canvas.fill(left, top, wide + 2, high + 2, palette.LIGHT_DARK[dark])
        for column, row, at, dark in squares:
            left, top = column * wide + half_column, row * high + half_row
            ground = self.marks.ground(at, dark)
            if ground != palette.LIGHT_DARK[dark]:
                canvas.fill(left + half_column, top, wide - 2 * half_column, high, ground)
                canvas.fill(left, top + half_row, wide, high - 2 * half_row, ground)
        for column, row, at, dark in squares:
            middle = column * size.columns + size.columns // 2, row * size.rows + size.rows // 2
            self._place(canvas, at, dark, *middle, size)
        return canvas.lines(self.style)

    def _place(self, canvas: Canvas, at: int, dark: bool, column: int, row: int, size: Size) -> None:
        """Draw what stands on a square whose middle is at a column and row."""
        piece, marks = self.pieces.get(at), self.marks
        sign, brackets = self._sign(at), marks.brackets(at, colored=True)
        if size.rows == 1:
            column -= (self.token - 1) // 2 + (self.token == 2)
        ink = marks.ink(at, dark)
        if piece is not None:
            fill = (palette.BLACK, palette.WHITE)[piece.color]
            ink = (palette.WHITE, palette.BLACK)[piece.color]
            if at in marks.moved:
                fill, ink = palette.SPENT[piece.color]
            pad = 0 if brackets != "  " and size != LARGE else 2 if size == LARGE else 1
            wide, high = 2 * len(sign) + 2 * pad, 4 if size == LARGE else 2
            top = 2 * row - (size == LARGE)
            canvas.fill(2 * column - pad, top, wide, high, fill)
            if at in marks.ready:
                canvas.fill(2 * column - pad, top + high, wide, 1, palette.READY)
        canvas.write(column, row, sign, ink)
        gap = 2 if size == LARGE else 1
        canvas.write(column - gap, row, brackets[0], marks.ink(at, dark))
        canvas.write(column + len(sign) - 1 + gap, row, brackets[1], marks.ink(at, dark))


def longest_token(game: Game) -> int:
    """Give the length of the longest letter of a game: 2 where there are such as ``R'``."""
    return max(len(piece.letter) for piece in game.pieces)


def figures(game: Game, style: Style) -> dict[Piece, str]:
    """Give the chess figurines of the pieces that have one."""
    if not style.unicode:
        return {}
    found = {}
    for piece in game.pieces:
        if piece.name in _FIGURES:
            white, black = _FIGURES[piece.name]
            found[Piece(piece.letter, True)] = black if style.colors else white
            found[Piece(piece.letter, False)] = black
    return found


def fitting(files: int, ranks: int, columns: int, rows: int) -> Size:
    """Choose the largest size of a board that leaves so many columns and rows free."""
    for size in (LARGE, MIDDLE):
        if size.width(files) <= columns and size.height(ranks) <= rows:
            return size
    return SMALL


def beside(left: list[str], right: list[str], left_width: int, gap: int = 3) -> list[str]:
    """Set lines next to lines. The left ones are all equally wide."""
    longest = max(len(left), len(right))
    blank = " " * left_width
    rows = zip(left + [blank] * (longest - len(left)), right + [""] * (longest - len(right)), strict=True)
    return [a + " " * gap + b if b else a.rstrip() for a, b in rows]
