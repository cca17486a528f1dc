"""What all drawings share: colours, text, pieces as symbols, and the geometry of the board."""

from __future__ import annotations

import html
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from acedrex.art import BLACK, WHITE, Emblem, Symbol, drawings, emblem_symbol, is_own_drawing, symbol
from acedrex.errors import Error
from acedrex.svg.shapes import GameLike

# Colours.


@dataclass(frozen=True)
class Theme:
    """The colours of a drawing."""

    page: str
    ink: str
    muted: str
    vermilion: str
    lapis: str
    gold: str
    green: str
    light: str
    dark: str
    rim: str  # of the opposite lightness to vermilion, lapis, gold and green


_THEMES: Final[Mapping[str, Theme]] = {
    "light": Theme(
        "#F7F1E3", "#2A2118", "#6B5D4D", "#A82E1A", "#1F4E8C", "#8A6114", "#3D6B22", "#EADCC0", "#B08A5D", WHITE
    ),
    "dark": Theme(
        "#17140F", "#EFE6D5", "#A99B87", "#F08A70", "#8FB4EA", "#DDB461", "#9CCB7F", "#C9B48E", "#80664A", BLACK
    ),
}


def theme_named(name: str) -> Theme:
    """Return a theme by its name.

    :raises Error: if there is no such theme.
    """
    if name not in _THEMES:
        raise Error(f"theme must be 'light' or 'dark', not {name!r}")
    return _THEMES[name]


_COLOUR: Final = re.compile(r"#?[-\w .,%/()]{1,60}", re.ASCII)


def css_colour(value: str) -> str:
    """Return a colour that a caller has set, if it is a CSS colour.

    :raises Error: if it is not.
    """
    if not _COLOUR.fullmatch(value):
        raise Error(f"{value[:40]!r} is not a colour; expected one of CSS, such as #ffce9e, #15781b80 or crimson")
    return value


# Text.

FONT: Final = 'font-family="system-ui, sans-serif"'
"""The font of all text in a drawing."""

_REPLACEMENT: Final = "\ufffd"
#: Written as it is in an attribute, each of them would be read as a space.
_WHITE_SPACE: Final = {ord(char): f"&#{ord(char)};" for char in "\t\n\r"}
_NOT_XML: Final = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def escaped(value: str) -> str:
    """Escape text for use between tags."""
    return html.escape(_NOT_XML.sub(_REPLACEMENT, value), quote=False)


def _attribute(value: str) -> str:
    """Return an attribute value in quotation marks."""
    return f'"{html.escape(_NOT_XML.sub(_REPLACEMENT, value)).translate(_WHITE_SPACE)}"'


def n(value: float) -> str:
    """Format a length with at most two decimals."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def square_name(square: int) -> str:
    """Return the name of a square, such as ``a1``."""
    return f"{chr(97 + square % 16)}{square // 16 + 1}"


def opening(width: float, height: float, title: str, description: str = "", *, sized: bool = True) -> str:
    """Return the beginning of a drawing: its tag, its title and, for screen readers, a description.

    A drawing that is not ``sized`` fills the place that a page gives it.
    """
    size = f'width="{n(width)}" height="{n(height)}" ' if sized else ""
    head = (
        '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
        f'{size}viewBox="0 0 {n(width)} {n(height)}" '
        f'role="img" aria-label={_attribute(title)}><title>{escaped(title)}</title>'
    )
    return head + (f"<desc>{escaped(description)}</desc>" if description else "")


# Pieces.


class Sprites:
    """The symbols that a drawing uses, each kind and colour once."""

    def __init__(self, game: GameLike | None, pieces: str) -> None:
        if pieces not in ("art", "geometric", "letters"):
            raise Error(f"pieces must be 'art', 'geometric' or 'letters', not {pieces!r}")
        self._types = {} if game is None else {kind.letter: kind for kind in game.pieces}
        self._pieces = pieces
        self._emblems: Mapping[str, Emblem] = getattr(game, "emblems", {}) if pieces == "geometric" else {}
        self._symbols: dict[str, Symbol] = {}

    def name(self, letter: str) -> str:
        """Return the name of a kind, or its letter if the game does not have the kind."""
        kind = self._types.get(letter)
        return kind.name if kind is not None else letter

    def use(self, letter: str, color: bool, x: float, y: float, size: float) -> str:
        """Return the element that shows a kind of piece in a square, and remember its symbol."""
        kind = self._types.get(letter)
        if letter in self._emblems:
            piece_symbol = emblem_symbol(self._emblems[letter], color)
        else:
            key = kind.art if kind is not None and self._pieces == "art" else None
            drawn = key is not None and (key in drawings() or is_own_drawing(key))
            piece_symbol = symbol(key if key is not None and drawn else letter, color)
        self._symbols[piece_symbol.id] = piece_symbol
        return f'<use xlink:href="#{piece_symbol.id}" x="{n(x)}" y="{n(y)}" width="{n(size)}" height="{n(size)}"/>'

    def defs(self) -> str:
        """Return the symbols used, for the ``<defs>`` of the drawing."""
        shapes = dict.fromkeys(piece_symbol.shape for piece_symbol in self._symbols.values())
        return "".join(shapes) + "".join(piece_symbol.symbol for piece_symbol in self._symbols.values())


# The board's geometry.


@dataclass(frozen=True)
class Grid:
    """The geometry of a board whose squares are ``side`` long and whose upper left corner is at ``left``, ``top``."""

    files: int
    ranks: int
    side: float
    left: float
    top: float
    white_below: bool
    holes: frozenset[int] = frozenset()

    def has(self, square: int) -> bool:
        """Return whether a square is in the rectangle of the board."""
        return square >= 0 and square % 16 < self.files and square // 16 < self.ranks

    def corner(self, square: int) -> tuple[float, float]:
        """Return the upper left corner of a square.

        :raises Error: if the square is not on the board.
        """
        if not self.has(square):
            raise Error(f"square {square} is not on a board of {self.files}x{self.ranks}")
        file, rank = square % 16, square // 16
        column = file if self.white_below else self.files - 1 - file
        row = self.ranks - 1 - rank if self.white_below else rank
        return self.left + column * self.side, self.top + row * self.side

    def centre(self, square: int) -> tuple[float, float]:
        """Return the centre of a square."""
        x, y = self.corner(square)
        return x + self.side / 2, y + self.side / 2

    def rect(self, square: int, attributes: str, inset: float = 0) -> str:
        """Return a rectangle on a square, with attributes that fill or frame it."""
        x, y = self.corner(square)
        length = n(self.side - 2 * inset)
        return f'<rect x="{n(x + inset)}" y="{n(y + inset)}" width="{length}" height="{length}" {attributes}/>'

    def squares(self, theme: Theme) -> str:
        """Return the empty board."""
        width, height = self.files * self.side, self.ranks * self.side
        box = f'x="{n(self.left)}" y="{n(self.top)}" width="{n(width)}" height="{n(height)}"'
        side = n(self.side)
        by_colour: tuple[list[str], list[str]] = ([], [])
        for square in self._board():
            x, y = self.corner(square)
            by_colour[(square + square // 16) % 2].append(f"M{n(x)} {n(y)}h{side}v{side}h-{side}z")
        dark, light = map("".join, by_colour)
        ground = f'<path d="{light}" fill="{theme.light}"/>' if self.holes else f'<rect {box} fill="{theme.light}"/>'
        rim = f'<path d="{self._outline()}"' if self.holes else f"<rect {box}"
        return (
            f'<g shape-rendering="crispEdges">{ground}<path d="{dark}" fill="{theme.dark}"/></g>'
            f'{rim} fill="none" stroke="{theme.muted}"/>'
        )

    def _board(self) -> list[int]:
        squares = (rank * 16 + file for rank in range(self.ranks) for file in range(self.files))
        return [square for square in squares if square not in self.holes]

    def _outline(self) -> str:
        """Return the edges between squares of the board and what is outside it."""
        board = set(self._board())
        edges = []
        for square in sorted(board):
            x, y = self.corner(square)
            up, right = (16, 1) if self.white_below else (-16, -1)
            neighbours = ((up, 0, 0, "h"), (-up, 0, 1, "h"), (-right, 0, 0, "v"), (right, 1, 0, "v"))
            for step, across, down, along in neighbours:
                # A file before the first one has the number of a square that no board has.
                if square + step not in board:
                    edges.append(f"M{n(x + across * self.side)} {n(y + down * self.side)}{along}{n(self.side)}")
        return "".join(edges)

    def labels(self, theme: Theme, font: float) -> str:
        """Return the file letters below the board and the rank numbers to its left."""
        out = [f'<g {FONT} font-size="{n(font)}" fill="{theme.muted}" text-anchor="middle">']
        bottom = self.top + self.ranks * self.side
        for file in range(self.files):
            x, _ = self.centre(file)
            out.append(f'<text x="{n(x)}" y="{n(bottom + font * 1.25)}">{chr(97 + file)}</text>')
        for rank in range(self.ranks):
            _, y = self.centre(rank * 16)
            out.append(f'<text x="{n(self.left - font * 0.9)}" y="{n(y + font * 0.36)}">{rank + 1}</text>')
        return "".join(out) + "</g>"


def lay_out(
    files: int, ranks: int, size: float, white_below: bool, font: float, holes: frozenset[int] = frozenset()
) -> tuple[Grid, float, float]:
    """Return the grid, and the width and height of the drawing; with ``font`` 0 there is no room for labels.

    :raises Error: if the board or the size is out of range.
    """
    if not (1 <= files <= 16 and 1 <= ranks <= 16):
        raise Error(f"a board has 1 to 16 files and ranks, not {files}x{ranks}")
    if not (math.isfinite(size) and size >= 16):
        raise Error(f"size must be at least 16 pixels, not {size}")
    longest = max(files, ranks)
    if not font:
        side = (size - 2) / longest
        return Grid(files, ranks, side, 1, 1, white_below, holes), files * side + 2, ranks * side + 2
    wide, narrow = font * 1.8, font * 0.7  # the edges with labels and those without
    side = (size - wide - narrow) / longest
    if side >= 16:  # whole pixels: crisp edges
        spare = longest * (side - math.floor(side)) / 2
        side = math.floor(side)
        wide, narrow = math.floor(wide + spare), math.floor(narrow + spare)
    width = size - (longest - files) * side
    height = size - (longest - ranks) * side
    return Grid(files, ranks, side, wide, narrow, white_below, holes), width, height
