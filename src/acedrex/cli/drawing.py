"""Boards as lines of text.

Capitals are White and small letters Black, with or without colours. Nothing is shown by colour alone: ``(n)`` can be
captured, ``<n>`` by a hop, and ``|n|`` is hopped over.
"""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import dataclass, field

from acedrex.cli import palette
from acedrex.cli.canvas import Canvas
from acedrex.cli.terminal import Style
from acedrex.game import Game, Piece

__all__ = ["SMALL", "Drawing", "Marks", "Size", "beside", "figures", "fitting", "longest_symbol"]

_FIGURES = {"king": "♔♚", "queen": "♕♛", "rook": "♖♜", "bishop": "♗♝", "knight": "♘♞", "pawn": "♙♟"}
#: The columns for the rank numbers.
MARGIN = 3


@dataclass(frozen=True)
class Size:
    """The columns and rows of a square.

    With an even number, squares begin in the middle of a character, so that a letter is still in the middle of its
    square; the board is then one character longer.
    """

    columns: int
    rows: int

    @property
    def has_discs(self) -> bool:
        """Whether there is room for a disc behind a letter."""
        return self.rows > 1

    @property
    def grounds(self) -> tuple[str, str]:
        """The colours of light and dark squares."""
        return palette.LIGHT_DARK if self.has_discs else palette.SMALL_LIGHT_DARK

    @property
    def half_column(self) -> bool:
        """Whether squares begin in the middle of a character."""
        return self.has_discs and self.columns % 2 == 0

    @property
    def half_row(self) -> bool:
        """Whether squares begin at half height of a character."""
        return self.rows % 2 == 0

    def width(self, files: int) -> int:
        """Return the columns of a board with its rank numbers."""
        return MARGIN + files * self.columns + self.half_column

    def height(self, ranks: int) -> int:
        """Return the rows of a board with its file letters."""
        return ranks * self.rows + self.half_row + 1


#: Letters with room for a sign on either side; squares with discs; larger squares with discs.
SMALL, MIDDLE, LARGE = Size(3, 1), Size(4, 2), Size(6, 3)


@dataclass(frozen=True)
class Marks:
    """What to mark on a board, by square.

    ``last`` is the last move, ``setup`` the free squares of a setup; ``ready`` are the pieces in command, if some are
    not, and ``moved`` those that have moved in this turn; ``origin`` is the piece to explain, ``reach`` where it can go
    and how (``move``, ``capture``, ``both``, ``hop``), ``mounts`` the pieces that it hops over.
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
        """Return the signs to the left and right of a square's letter."""
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

    def ground(self, at: int, size: Size) -> tuple[str, str]:
        """Return the colours of a square for the cases that it is light and dark."""
        if at in self.setup:
            return palette.SETUP
        if at in self.check:
            return palette.CHECK
        if at == self.origin or at in self.last:
            return palette.LAST if size.has_discs else palette.SMALL_LAST
        return size.grounds

    def ink(self, at: int, dark: bool) -> str:
        """Return the colour of the signs on a square."""
        return palette.INKS[self.reach.get(at, "mount" if at in self.mounts else "move")][dark]


@dataclass(frozen=True)
class Drawing:
    """A board to draw; ``letters`` are texts to show instead of the letters of pieces."""

    pieces: Mapping[int, Piece]
    files: int
    ranks: int
    style: Style
    marks: Marks = field(default_factory=Marks)
    letters: Mapping[Piece, str] = field(default_factory=dict)
    symbol: int = 1
    flipped: bool = False
    holes: Container[int] = frozenset()

    def width(self, size: Size) -> int:
        """Return the columns of the drawing."""
        return self._fitted(size).width(self.files)

    def lines(self, size: Size = SMALL) -> list[str]:
        """Draw the board with its coordinates; all lines are equally wide."""
        size = self._fitted(size)
        columns = list(range(self.files))[:: -1 if self.flipped else 1]
        ranks = list(range(self.ranks))[:: 1 if self.flipped else -1]
        rows = self._canvas(columns, ranks, size) if self.style.colors else self._plain(columns, ranks)
        middle = size.rows // 2
        labels = {index * size.rows + middle: f"{rank + 1:2} " for index, rank in enumerate(ranks)}
        lines = [self.style.paint(labels.get(i, " " * MARGIN), palette.MUTED) + row for i, row in enumerate(rows)]
        names = "".join(f"{'abcdefghijklmnop'[file]:^{size.columns}}" for file in columns)
        names = f" {names}" if size.half_column else names
        return [*lines, self.style.paint(" " * MARGIN + names, palette.MUTED)]

    def _fitted(self, size: Size) -> Size:
        """Return the size that can be drawn: without colours and block characters, only the smallest."""
        if self.style.colors and self.style.unicode and size != SMALL:
            return size
        return Size(self.symbol + 2, 1)

    def _plain(self, columns: list[int], ranks: list[int]) -> list[str]:
        def cell(at: int) -> str:
            if at in self.holes:
                return " " * (self.symbol + 2)
            signs = self.marks.brackets(at, colored=False)
            return f"{signs[0]}{self._sign(at):{self.symbol}}{signs[1]}"

        return ["".join(cell(rank * 16 + file) for file in columns) for rank in ranks]

    def _sign(self, at: int) -> str:
        """Return the sign of a square: a letter, a dot where a piece can go, or that of an empty square."""
        piece = self.pieces.get(at)
        if piece is not None:
            return self.letters.get(piece, piece.symbol())
        dot, nothing = ("•", "·") if self.style.unicode else ("o", ".")
        kind = self.marks.reach.get(at)
        if kind is None:
            return " " if self.style.colors else nothing
        return " " if kind in ("capture", "hop") else dot

    def _canvas(self, columns: list[int], ranks: list[int], size: Size) -> list[str]:
        half_column, half_row = size.half_column, size.half_row
        canvas = Canvas(len(columns) * size.columns + half_column, len(ranks) * size.rows + half_row)
        wide, high = 2 * size.columns, 2 * size.rows
        squares = [
            (column, row, rank * 16 + file, (file + rank) % 2 == 0)
            for row, rank in enumerate(ranks)
            for column, file in enumerate(columns)
            if rank * 16 + file not in self.holes
        ]
        for based in (True, False):
            for column, row, at, dark in squares:  # squares at the edge fill the last characters completely
                left, top = (column * wide + half_column * (column > 0), row * high + half_row * (row > 0))
                colors = size.grounds if based else self.marks.ground(at, size)
                canvas.fill(left, top, wide + 2, high + 2, colors[dark])
            if based:
                canvas.finish_base()
        for column, row, at, dark in squares:
            middle = column * size.columns + size.columns // 2, row * size.rows + size.rows // 2
            self._place(canvas, at, dark, *middle, size)
        return canvas.lines(self.style)

    def _place(self, canvas: Canvas, at: int, dark: bool, column: int, row: int, size: Size) -> None:
        """Draw the signs of a square whose middle is at a column and row."""
        piece, sign, brackets = (self.pieces.get(at), self._sign(at), self.marks.brackets(at, colored=True))
        mark_ink = self.marks.ink(at, dark)
        if not size.has_discs:
            column -= self.symbol - 1
        gap = 2 if size == LARGE else 1
        canvas.write(column - gap, row, brackets[0], mark_ink)
        canvas.write(column + len(sign) - 1 + gap, row, brackets[1], mark_ink)
        if piece is None:
            canvas.write(column, row, sign, mark_ink)
        elif size.has_discs:
            self._disc(canvas, at, piece, column, row, size)
            canvas.write(column, row, sign, self._colors(at, piece)[1])
        else:
            spent = at in self.marks.moved
            ink = palette.SMALL_SPENT[piece.color] if spent else "FFFFFF" if piece.color else "000000"
            canvas.write(column, row, sign, ink, underlined=at in self.marks.ready)

    def _colors(self, at: int, piece: Piece) -> tuple[str, str]:
        """Return the fill of a piece, and the ink of its letter."""
        if at in self.marks.moved:
            return palette.SPENT[piece.color]
        return (palette.WHITE, palette.BLACK) if piece.color else (palette.BLACK, palette.WHITE)

    def _disc(self, canvas: Canvas, at: int, piece: Piece, column: int, row: int, size: Size) -> None:
        """Draw a disc under a letter, and a golden bar below if the piece may still move."""
        letters = len(self._sign(at))
        signs = self.marks.brackets(at, colored=True) != "  "
        pad = (2 if signs else 3) if size == LARGE else 0 if signs else 1
        wide = 2 * letters + 2 * pad - (0 if signs else letters - 1)
        top, high = 2 * row - (size == LARGE), 4 if size == LARGE else 2
        canvas.fill(2 * column - pad, top, wide, high, self._colors(at, piece)[0])
        if at in self.marks.ready:
            bar = pad // 2 * 2  # whole characters only, since a character has two colours
            canvas.fill(2 * column - bar, top + high, 2 * letters + 2 * bar, 1, palette.READY)


def longest_symbol(game: Game) -> int:
    """Return the length of the longest piece letter of a game: 2 if it has letters such as ``R'``."""
    return max(len(piece.letter) for piece in game.pieces)


def figures(game: Game, style: Style) -> dict[Piece, str]:
    """Return the figurines of the pieces that have one."""
    if not style.unicode:
        return {}
    found = {}
    for piece in game.pieces:
        if piece.art in _FIGURES:
            pair = _FIGURES[piece.art]  # outlined figurines are hard to see on discs
            found[Piece(piece.letter, True)] = pair[1] if style.colors else pair[0]
            found[Piece(piece.letter, False)] = pair[1]
    return found


def fitting(files: int, ranks: int, columns: int, rows: int) -> Size:
    """Return the largest size with which a board fits into a number of columns and rows."""
    for size in (LARGE, MIDDLE):
        if size.width(files) <= columns and size.height(ranks) <= rows:
            return size
    return SMALL


def beside(left: list[str], right: list[str], left_width: int, gap: int = 3) -> list[str]:
    """Put two blocks of lines next to each other; the left lines all have the same width."""
    longest = max(len(left), len(right))
    blank = " " * left_width
    rows = zip(left + [blank] * (longest - len(left)), right + [""] * (longest - len(right)), strict=True)
    return [a + " " * gap + b if b else a.rstrip() for a, b in rows]
