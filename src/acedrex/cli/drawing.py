"""Boards as lines of text.

Every square is a cell: a sign to the left, the piece's letter, a sign to the right. Capitals are White, small letters Black,
with colours or without. Meaning never rests on colour alone: ``(n)`` can be captured, ``<n>`` by a hop, ``|n|`` is hopped over.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from acedrex.cli import palette
from acedrex.cli.terminal import Style
from acedrex.game import Game, Piece

__all__ = ["LARGE", "Marks", "beside", "board_width", "draw", "fits_large", "figures", "longest_token"]

#: Columns and rows of a square where there is room.
LARGE = (7, 3)
#: Columns that the rank numbers take.
MARGIN = 3

_FIGURES = {"King": "♔♚", "Queen": "♕♛", "Rook": "♖♜", "Bishop": "♗♝", "Knight": "♘♞", "Pawn": "♙♟"}


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
        elif at == self.origin:
            colors = palette.ORIGIN
        elif at in self.last:
            colors = palette.LAST
        return colors[dark]


def draw(
    pieces: Mapping[int, Piece],
    files: int,
    ranks: int,
    style: Style,
    *,
    marks: Marks | None = None,
    letters: Mapping[Piece, str] | None = None,
    token: int = 1,
    flipped: bool = False,
    large: bool = False,
) -> list[str]:
    """Draw a board with its coordinates; all lines are equally wide.

    :param letters: what to show for a piece instead of its letter.
    :param token: the length of the longest letter.
    :param large: squares of :data:`LARGE` instead of one row.
    """
    cells = _Cells(pieces, style, marks or Marks(), letters or {}, token, large)
    columns = list(range(files))[:: -1 if flipped else 1]
    lines = []
    for rank in list(range(ranks))[:: 1 if flipped else -1]:
        rows = list(zip(*(cells.cell(rank * 16 + file, (file + rank) % 2 == 0) for file in columns), strict=True))
        for number, row in enumerate(rows):
            label = f"{rank + 1:2} " if number == len(rows) // 2 else " " * MARGIN
            lines.append(style.paint(label, palette.MUTED) + "".join(row))
    names = "".join(f"{'abcdefghijklmnop'[file]:^{cells.width}}" for file in columns)
    return [*lines, style.paint(" " * MARGIN + names, palette.MUTED)]


@dataclass(frozen=True)
class _Cells:
    """Draws single squares."""

    pieces: Mapping[int, Piece]
    style: Style
    marks: Marks
    letters: Mapping[Piece, str]
    token: int
    large: bool

    @property
    def width(self) -> int:
        return LARGE[0] if self.large else self.token + 2

    def cell(self, at: int, dark: bool) -> list[str]:
        """The rows of a square."""
        piece = self.pieces.get(at)
        ground = self.marks.ground(at, dark)
        signs = self.marks.brackets(at, colored=bool(self.style.colors))
        kind = self.marks.reach.get(at, "mount" if at in self.marks.mounts else "ready" if at in self.marks.ready else "move")
        sign_ink = palette.INKS[kind][dark]
        if piece is None:
            middle = f"{signs[0]}{self._empty(at):^{self.token}}{signs[1]}"
            return self._framed(self.style.paint(f"{middle:^{self.width}}", sign_ink, ground, bold=True), ground)
        token = self.letters.get(piece, piece.symbol())
        fill, ink = self._fill(at, piece)
        if not self.style.colors:
            return self._framed(f"{signs[0] + f'{token:{self.token}}' + signs[1]:^{self.width}}", ground)
        return self._chip(token, fill, ink, ground, signs, sign_ink if at in self.marks.ready else fill, sign_ink)

    def _empty(self, at: int) -> str:
        dot, nothing = ("•", "·") if self.style.unicode else ("o", ".")
        kind = self.marks.reach.get(at)
        if kind is None:
            return " " if self.style.colors else nothing
        return " " if kind == "capture" else dot

    def _fill(self, at: int, piece: Piece) -> tuple[str, str]:
        if at in self.marks.moved:
            return palette.SPENT[piece.color]
        return (palette.WHITE, palette.BLACK) if piece.color else (palette.BLACK, palette.WHITE)

    def _framed(self, middle: str, ground: str) -> list[str]:
        blank = self.style.paint(" " * self.width, ground=ground)
        return [blank, middle, blank] if self.large else [middle]

    def _chip(self, token: str, fill: str, ink: str, ground: str, signs: str, rim: str, sign_ink: str) -> list[str]:
        """A piece as a letter on a disc, as round as blocks allow, in a rim that is gold if the piece may still move."""
        paint = self.style.paint
        wide = 3 if self.large else self.token
        middle = paint(f"{token:^{wide}}" if self.large else f"{token:{wide}}", ink, fill, bold=True)
        blocks = "▐▌" if self.style.unicode else "  "
        plain = signs == "  "
        if not self.large:
            ends = blocks if plain else signs
            color = rim if plain else sign_ink
            ends_ground = ground if self.style.unicode or not plain else fill
            return [paint(ends[0], color, ends_ground, bold=not plain) + middle + paint(ends[1], color, ends_ground, bold=not plain)]
        left, right = (paint(sign, sign_ink, ground, bold=True) for sign in signs)
        sides = [paint(block, rim, ground if self.style.unicode else fill) for block in blocks]
        top, bottom = ("▗▄▄▄▖", "▝▀▀▀▘") if self.style.unicode else (" " * 5, " " * 5)
        return [
            paint(f" {top} ", rim, ground),
            left + sides[0] + middle + sides[1] + right,
            paint(f" {bottom} ", rim, ground),
        ]


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


def board_width(files: int, token: int, large: bool) -> int:
    """Give the columns that a board takes."""
    return MARGIN + files * (LARGE[0] if large else token + 2)


def fits_large(files: int, ranks: int, columns: int, rows: int, *, beside: int = 0, below: int = 8) -> bool:
    """Tell whether large squares leave room: either ``beside`` columns to the right, or ``below`` rows."""
    spare_columns = columns - board_width(files, 1, True)
    spare_rows = rows - ranks * LARGE[1] - 1
    return spare_rows >= below and spare_columns >= 0 or spare_rows >= 5 and 0 < beside <= spare_columns


def beside(left: list[str], right: list[str], left_width: int, gap: int = 3) -> list[str]:
    """Set lines next to lines. The left ones are all equally wide."""
    longest = max(len(left), len(right))
    blank = " " * left_width
    rows = zip(left + [blank] * (longest - len(left)), right + [""] * (longest - len(right)), strict=True)
    return [a + " " * gap + b if b else a.rstrip() for a, b in rows]
