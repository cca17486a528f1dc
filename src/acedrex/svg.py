"""Boards, pieces and move diagrams as SVG text.

The functions here only read: they take any object shaped like :class:`BoardLike` or :class:`GameLike`, know no rules,
and return one self-contained ``<svg>`` element that a browser, a notebook or a converter can show. The same arguments
always give the same text.

Squares are ``rank * 16 + file`` (``a1`` is 0, ``b1`` is 1, ``a2`` is 16) on boards of every size; colours of sides are
``True`` for White and ``False`` for Black; lengths are CSS pixels.

>>> from acedrex import svg
>>> drawing = svg.piece("giraffe", True, size=24)
>>> drawing.startswith("<svg ") and 'aria-label="white giraffe"' in drawing
True
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, Literal, Protocol
from xml.sax.saxutils import escape, quoteattr

from acedrex.art import BLACK, WHITE, Symbol, drawings, symbol

__all__ = [
    "LEGEND",
    "BoardLike",
    "DiagramLike",
    "GameLike",
    "PieceLike",
    "PieceTypeLike",
    "PlyLike",
    "ReachLike",
    "TeachingGameLike",
    "board",
    "piece",
    "piece_moves",
]


# What is drawn: the shapes of objects that the functions below read.


class PieceLike(Protocol):
    """A piece on a square."""

    @property
    def letter(self) -> str:
        """Token of its kind in capitals for both sides: ``"N"``, ``"R'"``."""

    @property
    def color(self) -> bool:
        """``True`` for White."""


class PieceTypeLike(Protocol):
    """A kind of piece in a game."""

    @property
    def letter(self) -> str:
        """Token in capitals."""

    @property
    def name(self) -> str:
        """English name."""

    @property
    def art(self) -> str | None:
        """Art id, see :mod:`acedrex.art`; ``None`` for a letter on a disc."""


class ReachLike(Protocol):
    """A square that a piece can go to, and how."""

    @property
    def to(self) -> int:
        """Where it lands."""

    @property
    def kind(self) -> str:
        """``"move"``, ``"capture"``, ``"both"`` or ``"hop"``."""

    @property
    def mount(self) -> int | None:
        """The square of the piece hopped over, if any."""

    @property
    def path(self) -> Sequence[int]:
        """Squares passed, in order; where it starts and lands may be included or not."""


class PlyLike(Protocol):
    """A ply: its squares are ``None`` where it moves no piece."""

    @property
    def from_square(self) -> int | None: ...

    @property
    def to_square(self) -> int | None: ...


class DiagramLike(Protocol):
    """A small board on which one piece shows how it moves."""

    @property
    def files(self) -> int: ...

    @property
    def ranks(self) -> int: ...

    @property
    def origin(self) -> int:
        """The square of the piece."""

    @property
    def reach(self) -> Sequence[ReachLike]: ...

    @property
    def others(self) -> Mapping[int, PieceLike]:
        """Pieces placed only to be hopped over or captured; drawn as plain discs."""


class GameLike(Protocol):
    """A game's board size and kinds of pieces."""

    @property
    def files(self) -> int: ...

    @property
    def ranks(self) -> int: ...

    @property
    def pieces(self) -> Sequence[PieceTypeLike]: ...


class TeachingGameLike(GameLike, Protocol):
    """A game that can also lay out how its pieces move."""

    def diagram(self, letter: str, /) -> DiagramLike: ...


class BoardLike(Protocol):
    """A position and the plies that led to it."""

    @property
    def game(self) -> GameLike: ...

    @property
    def turn(self) -> bool: ...

    def piece_map(self) -> Mapping[int, PieceLike]: ...

    def is_check(self) -> bool: ...

    def king(self, color: bool, /) -> int | None: ...

    def peek(self) -> PlyLike | None:
        """The last ply; ``None`` or :exc:`IndexError` when there is none."""

    def reach(self, square: int, /) -> Sequence[ReachLike]: ...


# Colours.


@dataclass(frozen=True)
class _Theme:
    page: str
    ink: str
    muted: str
    vermilion: str
    lapis: str
    gold: str
    light: str
    dark: str
    rim: str  # of the opposite lightness to vermilion, lapis and gold


_THEMES: Final[Mapping[str, _Theme]] = {
    "light": _Theme("#F7F1E3", "#2A2118", "#6B5D4D", "#A82E1A", "#1F4E8C", "#8A6114", "#EADCC0", "#B58F63", WHITE),
    "dark": _Theme("#17140F", "#EFE6D5", "#A99B87", "#F08A70", "#8FB4EA", "#DDB461", "#C9B48E", "#80664A", BLACK),
}
_ARROW_COLOURS: Final = ("lapis", "vermilion", "gold")
_KINDS: Final = ("move", "capture", "both", "hop")
_FONT: Final = 'font-family="system-ui, sans-serif"'

LEGEND: Final[Mapping[str, str]] = {
    "move": "moves",
    "capture": "captures",
    "both": "moves or captures",
    "hop": "hops over a piece",
    "mount": "piece hopped over",
    "path": "the way it takes",
}
"""The words under a diagram of :func:`piece_moves`, to be replaced in other languages."""


# Text.

_NOT_XML: Final = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def _text(value: str) -> str:
    return escape(_NOT_XML.sub("\ufffd", value))


def _attribute(value: str) -> str:
    return quoteattr(_NOT_XML.sub("\ufffd", value), {'"': "&quot;"})


def _n(value: float) -> str:
    """A length, at most two decimals."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def _square_name(square: int) -> str:
    return f"{chr(97 + square % 16)}{square // 16 + 1}"


def _open(width: float, height: float, title: str, description: str = "") -> str:
    head = (
        '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
        f'width="{_n(width)}" height="{_n(height)}" viewBox="0 0 {_n(width)} {_n(height)}" '
        f'role="img" aria-label={_attribute(title)}><title>{_text(title)}</title>'
    )
    return head + (f"<desc>{_text(description)}</desc>" if description else "")


# Pieces.


class _Sprites:
    """Collects the symbols that a drawing uses, each kind and colour once."""

    def __init__(self, types: Sequence[PieceTypeLike], pieces: str) -> None:
        if pieces not in ("art", "letters"):
            raise ValueError(f"pieces must be 'art' or 'letters', not {pieces!r}")
        self._types = {kind.letter: kind for kind in types}
        self._letters = pieces == "letters"
        self._symbols: dict[str, Symbol] = {}

    def name(self, letter: str) -> str:
        kind = self._types.get(letter)
        return kind.name if kind is not None else letter

    def use(self, letter: str, color: bool, x: float, y: float, size: float) -> str:
        """The element that shows a kind in a square of this size."""
        kind = self._types.get(letter)
        key = kind.art if kind is not None and not self._letters else None
        made = symbol(key if key is not None and key in drawings() else letter, color)
        self._symbols[made.id] = made
        return f'<use xlink:href="#{made.id}" x="{_n(x)}" y="{_n(y)}" width="{_n(size)}" height="{_n(size)}"/>'

    def defs(self) -> str:
        shapes = dict.fromkeys(made.shape for made in self._symbols.values())
        return "".join(shapes) + "".join(made.symbol for made in self._symbols.values())


# The board's geometry.


@dataclass(frozen=True)
class _Grid:
    """Where squares lie: ``side`` long, the board's upper left corner at ``left``, ``top``."""

    files: int
    ranks: int
    side: float
    left: float
    top: float
    white_below: bool

    def has(self, square: int) -> bool:
        return square >= 0 and square % 16 < self.files and square // 16 < self.ranks

    def corner(self, square: int) -> tuple[float, float]:
        if not self.has(square):
            raise ValueError(f"square {square} is not on a board of {self.files}x{self.ranks}")
        file, rank = square % 16, square // 16
        column = file if self.white_below else self.files - 1 - file
        row = self.ranks - 1 - rank if self.white_below else rank
        return self.left + column * self.side, self.top + row * self.side

    def centre(self, square: int) -> tuple[float, float]:
        x, y = self.corner(square)
        return x + self.side / 2, y + self.side / 2

    def rect(self, square: int, attributes: str, inset: float = 0) -> str:
        x, y = self.corner(square)
        length = _n(self.side - 2 * inset)
        return f'<rect x="{_n(x + inset)}" y="{_n(y + inset)}" width="{length}" height="{length}" {attributes}/>'

    def squares(self, theme: _Theme) -> str:
        width, height = self.files * self.side, self.ranks * self.side
        box = f'x="{_n(self.left)}" y="{_n(self.top)}" width="{_n(width)}" height="{_n(height)}"'
        side = _n(self.side)
        dark = []
        for rank in range(self.ranks):
            for file in range(rank % 2, self.files, 2):
                x, y = self.corner(rank * 16 + file)
                dark.append(f"M{_n(x)} {_n(y)}h{side}v{side}h-{side}z")
        return (
            f'<g shape-rendering="crispEdges"><rect {box} fill="{theme.light}"/>'
            f'<path d="{"".join(dark)}" fill="{theme.dark}"/></g>'
            f'<rect {box} fill="none" stroke="{theme.muted}"/>'
        )

    def labels(self, theme: _Theme, font: float) -> str:
        out = [f'<g {_FONT} font-size="{_n(font)}" fill="{theme.muted}" text-anchor="middle">']
        bottom = self.top + self.ranks * self.side
        for file in range(self.files):
            x, _ = self.centre(file)
            out.append(f'<text x="{_n(x)}" y="{_n(bottom + font * 1.25)}">{chr(97 + file)}</text>')
        for rank in range(self.ranks):
            _, y = self.centre(rank * 16)
            out.append(f'<text x="{_n(self.left - font * 0.9)}" y="{_n(y + font * 0.36)}">{rank + 1}</text>')
        return "".join(out) + "</g>"


def _grid(files: int, ranks: int, size: float, white_below: bool, font: float) -> tuple[_Grid, float, float]:
    """The grid, and the drawing's width and height; ``font`` 0 leaves no room for labels."""
    if not (1 <= files <= 16 and 1 <= ranks <= 16):
        raise ValueError(f"a board has 1 to 16 files and ranks, not {files}x{ranks}")
    if not (math.isfinite(size) and size >= 16):
        raise ValueError(f"size must be at least 16 pixels, not {size}")
    longest = max(files, ranks)
    if not font:
        side = (size - 2) / longest
        return _Grid(files, ranks, side, 1, 1, white_below), files * side + 2, ranks * side + 2
    wide, narrow = font * 1.8, font * 0.7  # the edges with labels and those without
    side = (size - wide - narrow) / longest
    if side >= 16:  # whole pixels: crisp edges
        spare = longest * (side - math.floor(side)) / 2
        side = math.floor(side)
        wide, narrow = math.floor(wide + spare), math.floor(narrow + spare)
    width = size - (longest - files) * side
    height = size - (longest - ranks) * side
    return _Grid(files, ranks, side, wide, narrow, white_below), width, height


# Marks on squares. Each has a rim of the opposite lightness, as no one colour stands out on both kinds of squares.


def _dot(x: float, y: float, side: float, theme: _Theme) -> str:
    return (
        f'<circle cx="{_n(x)}" cy="{_n(y)}" r="{_n(side * 0.13)}" fill="{theme.lapis}" '
        f'stroke="{theme.rim}" stroke-width="{_n(side * 0.035)}"/>'
    )


def _ring(x: float, y: float, side: float, colour: str, theme: _Theme, radius: float) -> str:
    circle = f'<circle cx="{_n(x)}" cy="{_n(y)}" r="{_n(side * radius)}" fill="none" stroke="'
    rim, line = _n(side * 0.115), _n(side * 0.07)
    return f'{circle}{theme.rim}" stroke-width="{rim}"/>{circle}{colour}" stroke-width="{line}"/>'


def _stroke(data: str, side: float, colour: str, theme: _Theme, width: float) -> str:
    line = f'<path d="{data}" fill="none" stroke-linecap="round" stroke-linejoin="round" stroke="'
    return (
        f'{line}{theme.rim}" stroke-width="{_n(side * (width + 0.055))}"/>'
        f'{line}{colour}" stroke-width="{_n(side * width)}"/>'
    )


def _mark(kind: str, x: float, y: float, side: float, theme: _Theme, radius: float) -> str:
    """The sign of one kind of reach around a centre."""
    if kind == "move":
        return _dot(x, y, side, theme)
    if kind == "capture":
        return _ring(x, y, side, theme.vermilion, theme, radius)
    if kind == "both":
        return _ring(x, y, side, theme.vermilion, theme, radius) + _dot(x, y, side, theme)
    return _ring(x, y, side, theme.gold, theme, radius)


def _tick(x: float, y: float, towards: tuple[float, float], side: float, theme: _Theme) -> str:
    """Two short bars beside the mount, across the line of the hop."""
    dx, dy = towards[0] - x, towards[1] - y
    length = math.hypot(dx, dy) or 1.0
    px, py = -dy / length * side, dx / length * side
    data = ""
    for near, far in ((-0.46, -0.29), (0.29, 0.46)):
        data += f"M{_n(x + near * px)} {_n(y + near * py)}L{_n(x + far * px)} {_n(y + far * py)}"
    return _stroke(data, side, theme.gold, theme, 0.1)


def _dashed(data: str, side: float, theme: _Theme) -> str:
    line = f'<path d="{data}" fill="none" stroke-linejoin="round" stroke="'
    return (
        f'{line}{theme.rim}" stroke-width="{_n(side * 0.1)}"/>{line}{theme.lapis}" '
        f'stroke-width="{_n(side * 0.055)}" stroke-dasharray="{_n(side * 0.125)}"/>'
    )


def _bent(route: Sequence[int]) -> bool:
    if len(route) < 3:
        return False
    start = route[0]
    steps = [(square % 16 - start % 16, square // 16 - start // 16) for square in route[1:]]
    file, rank = steps[-1]
    return any(f * rank != r * file for f, r in steps)


def _paths(grid: _Grid, reach: Sequence[ReachLike], origin: int | None, theme: _Theme) -> tuple[str, bool]:
    """Dashed lines along the ways that bend, each stretch once; and whether there are any."""
    out = []
    seen: set[tuple[int, int]] = set()
    routes = []
    for item in reach:
        route = list(item.path)
        if origin is not None and (not route or route[0] != origin):
            route.insert(0, origin)
        if not route or route[-1] != item.to:
            route.append(item.to)
        if _bent(route):
            routes.append(route)
    for route in sorted(routes, key=len, reverse=True):  # the longest first: it covers those that stop earlier
        fresh: list[int] = []
        for leg in pairwise(route):
            if leg not in seen:
                seen.add(leg)
                fresh = fresh or [leg[0]]
                fresh.append(leg[1])
        if fresh:
            data = "L".join(f"{_n(x)} {_n(y)}" for x, y in map(grid.centre, fresh))
            out.append(_dashed("M" + data, grid.side, theme))
    return "".join(out), bool(routes)


def _marks(grid: _Grid, reach: Sequence[ReachLike], taken: Iterable[int], theme: _Theme) -> str:
    """Dots and rings on the squares reached, ticks on the mounts."""
    occupied = set(taken)
    out: dict[str, None] = {}
    for item in reach:
        if item.kind not in _KINDS:
            raise ValueError(f"a reach is one of {', '.join(_KINDS)}, not {item.kind!r}")
        x, y = grid.centre(item.to)
        radius = 0.43 if item.to in occupied else 0.27
        out[_mark(item.kind, x, y, grid.side, theme, radius)] = None
        if item.mount is not None:
            out[_tick(*grid.centre(item.mount), (x, y), grid.side, theme)] = None
    return "".join(out)


def _arrow(grid: _Grid, start: int, end: int, colour: str, theme: _Theme) -> str:
    side = grid.side
    (x0, y0), (x1, y1) = grid.centre(start), grid.centre(end)
    if start == end:
        return _ring(x0, y0, side, colour, theme, 0.43)
    length = math.hypot(x1 - x0, y1 - y0)
    dx, dy = (x1 - x0) / length, (y1 - y0) / length
    tip, neck = length - side * 0.06, length - side * 0.44
    points = [
        (side * 0.18, 0.06),
        (neck, 0.06),
        (neck, 0.2),
        (tip, 0.0),
        (neck, -0.2),
        (neck, -0.06),
        (side * 0.18, -0.06),
    ]
    data = " ".join(
        f"{_n(x0 + dx * along - dy * across * side)},{_n(y0 + dy * along + dx * across * side)}"
        for along, across in points
    )
    return (
        f'<polygon points="{data}" fill="{colour}" stroke="{theme.rim}" stroke-width="{_n(side * 0.035)}" '
        'stroke-linejoin="round" opacity="0.92"/>'
    )


def _tail(grid: _Grid, start: int, end: int, theme: _Theme) -> str:
    """The tail of an arrow on the square left: a dot, and a line that points where the ply went."""
    side = grid.side
    (x0, y0), (x1, y1) = grid.centre(start), grid.centre(end)
    length = math.hypot(x1 - x0, y1 - y0)
    if not length:
        return ""
    dx, dy = (x1 - x0) / length * side, (y1 - y0) / length * side
    line = f"M{_n(x0)} {_n(y0)}L{_n(x0 + dx * 0.5)} {_n(y0 + dy * 0.5)}"
    return _stroke(line, side, theme.lapis, theme, 0.06) + _dot(x0, y0, side, theme)


def _theme(name: str) -> _Theme:
    if name not in _THEMES:
        raise ValueError(f"theme must be 'light' or 'dark', not {name!r}")
    return _THEMES[name]


def _describe(sprites: _Sprites, placed: Mapping[int, PieceLike]) -> str:
    """Where every piece stands, for those who listen."""
    sides = []
    for color, side in ((True, "White"), (False, "Black")):
        kinds: dict[str, list[str]] = {}
        for square in sorted(placed):
            if placed[square].color == color:
                kinds.setdefault(sprites.name(placed[square].letter), []).append(_square_name(square))
        if kinds:
            sides.append(f"{side}: " + "; ".join(f"{name} {' '.join(at)}" for name, at in kinds.items()) + ".")
    return " ".join(sides)


def _last(position: BoardLike | None) -> PlyLike | None:
    try:
        return position.peek() if position is not None else None
    except IndexError:
        return None


# The public drawings.


def board(
    board: BoardLike | None = None,
    *,
    size: float = 480,
    orientation: bool = True,
    pieces: str = "art",
    coordinates: bool = True,
    lastply: PlyLike | tuple[int, int] | Literal[False] | None = None,
    check: int | Literal[False] | None = None,
    arrows: Iterable[tuple[int, int] | tuple[int, int, str]] = (),
    dots: int | Iterable[ReachLike] | None = None,
    squares: Iterable[int] = (),
    theme: str = "light",
    title: str | None = None,
) -> str:
    """Draw a position.

    Args:
        board: The position; ``None`` draws an empty 12x12 board.
        size: Length of the drawing's longer side in pixels, coordinates included.
        orientation: ``True`` shows White's side below, ``False`` Black's.
        pieces: ``"art"``, or ``"letters"`` for letters on discs. A kind without a drawing shows its letter.
        coordinates: Whether file letters and rank numbers stand at the edges.
        lastply: The ply to mark, or its two squares; by default the board's last one, ``False`` for none.
        check: The square of a king to mark as in check; by default that of the side to move if it is in check,
            ``False`` for none.
        arrows: ``(from, to)`` or ``(from, to, colour)`` with colour ``"lapis"`` (the default), ``"vermilion"`` or
            ``"gold"``; from equal to draws a ring.
        dots: Where a piece can go. A square stands for the piece on it: it is marked, and ``board.reach`` of it is
            drawn. Otherwise the reaches themselves; a way that bends is then drawn from the first square of its path.
            A move is a dot, a capture a ring, both a ring with a dot, a hop a ring with a tick on its mount.
        squares: Squares to mark in gold, such as the free squares of a setup.
        theme: ``"light"`` or ``"dark"``.
        title: What the drawing is called; by default the game's name and whose turn it is.

    Returns:
        The text of an ``<svg>`` element.

    Raises:
        ValueError: A square off the board, a word that is not listed here, a board of more than 16 files or ranks, a
            size below 16 pixels, or a square as ``dots`` without a board.

    >>> from acedrex import svg
    >>> svg.board(size=400, theme="dark", arrows=[(0, 17)]).count("<polygon")
    1
    """
    colours = _theme(theme)
    game = board.game if board is not None else None
    files, ranks = (game.files, game.ranks) if game is not None else (12, 12)
    sprites = _Sprites(game.pieces if game is not None else (), pieces)
    placed = board.piece_map() if board is not None else {}
    font = min(max(size / max(files, ranks, 1) * 0.3, 8), 14) if coordinates else 0
    grid, width, height = _grid(files, ranks, size, orientation, font)
    side = grid.side

    under: list[str] = []
    over: list[str] = []
    defs = ""

    if lastply is None:
        lastply = _last(board)
    if lastply is not None and lastply is not False:
        start, end = lastply if isinstance(lastply, tuple) else (lastply.from_square, lastply.to_square)
        if start is not None and end is not None:
            for square in dict.fromkeys((start, end)):
                under.append(grid.rect(square, f'fill="{colours.lapis}" fill-opacity="0.36"'))
            if start not in placed:
                under.append(_tail(grid, start, end, colours))
    for square in dict.fromkeys(squares):
        line = side * 0.06
        under.append(grid.rect(square, f'fill="{colours.gold}" fill-opacity="0.34"'))
        under.append(grid.rect(square, f'fill="none" stroke="{colours.gold}" stroke-width="{_n(line)}"', line / 2))

    if check is None and board is not None and board.is_check():
        check = board.king(board.turn)
    in_check = check is not None and check is not False
    if check is not None and check is not False:
        x, y = grid.centre(check)
        defs += (
            f'<radialGradient id="acedrex-check-{theme}"><stop offset="0.45" stop-color="{colours.vermilion}"/>'
            f'<stop offset="1" stop-color="{colours.vermilion}" stop-opacity="0"/></radialGradient>'
        )
        under.append(f'<circle cx="{_n(x)}" cy="{_n(y)}" r="{_n(side * 0.74)}" fill="url(#acedrex-check-{theme})"/>')

    if dots is not None:
        origin = None
        if isinstance(dots, int):
            if board is None:
                raise ValueError("dots of a square need a board")
            origin = dots
            under.append(grid.rect(origin, f'fill="{colours.lapis}" fill-opacity="0.5"'))
            dots = board.reach(origin)
        reach = list(dots)
        under.append(_paths(grid, reach, origin, colours)[0])
        over.append(_marks(grid, reach, placed, colours))
    for arrow in arrows:
        colour = arrow[2] if len(arrow) > 2 else "lapis"
        if colour not in _ARROW_COLOURS:
            raise ValueError(f"an arrow is one of {', '.join(_ARROW_COLOURS)}, not {colour!r}")
        over.append(_arrow(grid, arrow[0], arrow[1], getattr(colours, colour), colours))

    inset = side * 0.02
    men = []
    for square in sorted(placed):
        x, y = grid.corner(square)
        man = placed[square]
        men.append(sprites.use(man.letter, man.color, x + inset, y + inset, side - 2 * inset))

    if title is None:
        title = str(getattr(game, "name", "")) or f"Board of {files} by {ranks} squares"
        if board is not None:
            title += f", {'White' if board.turn else 'Black'} to move" + (", in check" if in_check else "")
    return "".join(
        [
            _open(width, height, title, _describe(sprites, placed)),
            f"<defs>{sprites.defs()}{defs}</defs>" if placed or defs else "",
            f'<rect width="{_n(width)}" height="{_n(height)}" fill="{colours.page}"/>',
            grid.squares(colours),
            grid.labels(colours, font) if coordinates else "",
            *under,
            *men,
            *over,
            "</svg>",
        ]
    )


def piece(art_or_letter: str, color: bool = True, size: float = 45, *, title: str | None = None) -> str:
    """Draw one piece on nothing.

    Args:
        art_or_letter: An art id such as ``"lion"``; anything else is shown as letters on a disc.
        color: ``True`` for White.
        size: Width and height in pixels.
        title: What the drawing is called; by default its colour and id.

    Returns:
        The text of an ``<svg>`` element.

    Raises:
        ValueError: Nothing to draw, or a size that is not positive.

    >>> from acedrex import svg
    >>> "R'" in svg.piece("R'", False)
    True
    """
    if not art_or_letter:
        raise ValueError("a piece needs an art id or a letter")
    if not (math.isfinite(size) and size > 0):
        raise ValueError(f"size must be positive, not {size}")
    sprites = _Sprites([_Kind(art_or_letter, art_or_letter, art_or_letter)], "art")
    use = sprites.use(art_or_letter, color, 0, 0, size)
    if title is None:
        title = f"{'white' if color else 'black'} {art_or_letter}"
    return f"{_open(size, size, title)}<defs>{sprites.defs()}</defs>{use}</svg>"


@dataclass(frozen=True)
class _Kind:
    letter: str
    name: str
    art: str | None


def piece_moves(
    game: TeachingGameLike,
    letter: str,
    *,
    size: float = 320,
    theme: str = "light",
    pieces: str = "art",
    legend: Mapping[str, str] | None = LEGEND,
    title: str | None = None,
) -> str:
    """Draw how a piece moves, on the small board that ``game.diagram`` lays out.

    Args:
        game: Any object with ``pieces`` and ``diagram``.
        letter: Token of the kind.
        size: Length of the board's longer side in pixels; the legend comes below.
        theme: ``"light"`` or ``"dark"``.
        pieces: ``"art"`` or ``"letters"``.
        legend: Words for the signs, by the keys of :data:`LEGEND`; only the signs that appear are explained. ``None``
            leaves it out.
        title: What the drawing is called; by default "How the Camel moves".

    Returns:
        The text of an ``<svg>`` element.

    Raises:
        ValueError: As for :func:`board`; and what ``game.diagram`` raises for a kind that the game has not.

    >>> from acedrex import svg
    >>> sorted(svg.LEGEND)
    ['both', 'capture', 'hop', 'mount', 'move', 'path']
    """
    colours = _theme(theme)
    diagram = game.diagram(letter)
    sprites = _Sprites(game.pieces, pieces)
    grid, width, height = _grid(diagram.files, diagram.ranks, size, True, 0)
    side = grid.side
    reach = list(diagram.reach)
    lines, bends = _paths(grid, reach, diagram.origin, colours)
    inset = side * 0.02
    x, y = grid.corner(diagram.origin)
    body = [
        grid.squares(colours),
        lines,
        *(_disc(*grid.centre(square), side, colours) for square in sorted(diagram.others)),
        sprites.use(letter, True, x + inset, y + inset, side - 2 * inset),
        _marks(grid, reach, diagram.others, colours),
    ]
    shown = [kind for kind in _KINDS if any(item.kind == kind for item in reach)]
    if any(item.mount is not None for item in reach):
        shown.append("mount")
    if bends:
        shown.append("path")
    if legend is not None and shown:
        text, rows = _legend(shown, legend, size, width, height, colours)
        body.append(text)
        height += rows
    if title is None:
        title = f"How the {sprites.name(letter)} moves"
    return "".join(
        [
            _open(width, height, title),
            f"<defs>{sprites.defs()}</defs>",
            f'<rect width="{_n(width)}" height="{_n(height)}" fill="{colours.page}"/>',
            *body,
            "</svg>",
        ]
    )


def _disc(x: float, y: float, side: float, theme: _Theme) -> str:
    """A piece of no matter which kind and side."""
    return (
        f'<circle cx="{_n(x)}" cy="{_n(y)}" r="{_n(side * 0.34)}" fill="{theme.muted}" '
        f'stroke="{theme.rim}" stroke-width="{_n(side * 0.05)}"/>'
    )


def _legend(
    shown: Sequence[str], words: Mapping[str, str], size: float, width: float, top: float, theme: _Theme
) -> tuple[str, float]:
    """The signs with their words in one or two columns, and how much height they take."""
    longest = max(len(words.get(key, LEGEND[key])) for key in shown)
    ems = 2.6 + longest * 0.56  # the width of a sign and its words, in units of the font's size
    font = min(max(size / 25, 9), 14, width / ems)
    row, sign = font * 1.9, font * 1.7
    columns = 2 if len(shown) > 1 and ems * font < width / 2 else 1
    out = [f'<g {_FONT} font-size="{_n(font)}" fill="{theme.ink}">']
    for index, key in enumerate(shown):
        x = index % columns * width / columns + sign * 0.75
        y = top + row * (index // columns + 0.75)
        if key == "mount":
            out.append(_disc(x, y, sign, theme) + _tick(x, y, (x + 1, y), sign, theme))
        elif key == "path":
            data = f"M{_n(x - sign * 0.4)} {_n(y + sign * 0.2)}L{_n(x)} {_n(y - sign * 0.2)}H{_n(x + sign * 0.45)}"
            out.append(_dashed(data, sign, theme))
        else:
            out.append(_mark(key, x, y, sign, theme, 0.27))
        words_at = f'x="{_n(x + sign * 0.65)}" y="{_n(y + font * 0.36)}"'
        out.append(f"<text {words_at}>{_text(words.get(key, LEGEND[key]))}</text>")
    return "".join(out) + "</g>", row * (math.ceil(len(shown) / columns) + 0.5)
