"""Drawings of positions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from operator import index
from typing import Final, Literal, SupportsIndex

from acedrex.errors import Error
from acedrex.svg.marks import arrow_between, paths, reach_marks, tail
from acedrex.svg.paper import Grid, Sprites, Theme, css_colour, escaped, lay_out, n, opening, square_name, theme_named
from acedrex.svg.shapes import BoardLike, MoveLike, PieceLike, ReachLike

#: The names of the arrow colours in python-chess.
_OTHER_NAMES: Final = {"blue": "lapis", "red": "vermilion", "yellow": "gold"}
_ARROW_COLOURS: Final = ("lapis", "vermilion", "gold", "green")
#: The parts of a drawing whose colours can be set, with their fields in the theme.
_PARTS: Final = {
    "square light": "light",
    "square dark": "dark",
    "margin": "page",
    "coord": "muted",
    "arrow green": "green",
    "arrow blue": "lapis",
    "arrow red": "vermilion",
    "arrow yellow": "gold",
}
#: The parts that have no colour of their own in a theme.
_LAST: Final = ("square light lastmove", "square dark lastmove")


def board(
    board: BoardLike | None = None,
    *,
    size: float | None = 480,
    orientation: bool = True,
    pieces: str = "art",
    coordinates: bool = True,
    lastmove: MoveLike | tuple[int, int] | Literal[False] | None = None,
    check: int | Literal[False] | None = None,
    arrows: Iterable[tuple[int, int] | tuple[int, int, str]] = (),
    dots: int | Iterable[ReachLike] | None = None,
    squares: Iterable[int] = (),
    fill: Mapping[int, str] | None = None,
    theme: str = "light",
    colors: Mapping[str, str] | None = None,
    flipped: bool = False,
    style: str | None = None,
    title: str | None = None,
) -> str:
    """Draw a position.

    Args:
        board: The position; ``None`` draws an empty 12x12 board.
        size: Length of the drawing's longer side in pixels, including the coordinates; ``None`` leaves width and height
            to the page.
        orientation: ``True`` to show White at the bottom, ``False`` to show Black.
        pieces: ``"art"``; ``"geometric"`` for plain drawings of how the pieces move, ``game.emblems``, which every
            game has; or ``"letters"`` for letters on discs. A kind without a picture shows its letter.
        coordinates: Whether to draw file letters and rank numbers at the edges.
        lastmove: The move to mark, or its two squares; by default the last move of the board, ``False`` for none.
        check: The square of a King to mark as in check; by default that of the side to move if it is in check,
            ``False`` for none.
        arrows: ``(from, to)`` or ``(from, to, colour)`` with colour ``"lapis"`` (the default), ``"vermilion"``,
            ``"gold"`` or ``"green"``, or as in python-chess ``"blue"``, ``"red"`` and ``"yellow"``. If both squares
            are the same, a ring is drawn.
        dots: Where a piece can go: the square of the piece, which is marked too and whose ``board.reach`` is drawn, or
            the reaches themselves, with bent paths drawn from the first square of each path. A move is a dot, a
            capture a ring, both a ring with a dot, a hop a ring with a tick on its screen.
        squares: Squares to mark in gold, such as the free squares of a setup.
        fill: CSS colours to fill squares with: ``{0: "#cc0000cc"}``.
        theme: ``"light"`` or ``"dark"``.
        colors: Colours in place of the theme's, by their names in python-chess: ``"square light"``,
            ``"square dark"``, ``"square light lastmove"``, ``"square dark lastmove"``, ``"margin"``, ``"coord"``,
            ``"arrow green"``, ``"arrow blue"``, ``"arrow red"``, ``"arrow yellow"``.
        flipped: Whether to turn the board around from ``orientation``.
        style: A style sheet to include in the drawing.
        title: Title of the drawing; by default the name of the game and the side to move.

    Returns:
        The text of an ``<svg>`` element.

    Raises:
        acedrex.Error: If a square is not on the board, a name is not one of those above, the board has more than 16
            files or ranks, the size is below 16 pixels, a colour is not a CSS colour, or ``dots`` is a square and there
            is no board.

    >>> from acedrex import svg
    >>> svg.board(size=400, theme="dark", arrows=[(0, 17)]).count("<polygon")
    1
    """
    colors = {} if colors is None else colors
    palette = _palette(theme, colors)
    game = board.game if board is not None else None
    files, ranks = (game.files, game.ranks) if game is not None else (12, 12)
    sprites = Sprites(game, pieces)
    placed = board.piece_map() if board is not None else {}
    length = 480 if size is None else size
    font = min(max(length / max(files, ranks, 1) * 0.3, 8), 14) if coordinates else 0
    rectangle = range(files + 16 * (ranks - 1))
    on_board = getattr(game, "squares", rectangle)
    holes = frozenset(at for at in rectangle if at % 16 < files and at not in on_board)
    grid, width, height = lay_out(files, ranks, length, orientation != flipped, font, holes)
    if check is None and board is not None and board.is_check():
        check = board.king(board.turn)
    king = None if check is False else check

    under = [grid.rect(square, f'fill="{css_colour(colour)}"') for square, colour in (fill or {}).items()]
    under += _last_move(_move_ends(_last(board) if lastmove is None else lastmove), grid, placed, palette, colors)
    under += _golden(squares, grid, palette)
    gradient, glow = ("", "") if king is None else _check(king, grid, theme, palette)
    under.append(glow)
    beneath, over = ([], []) if dots is None else _reach(dots, board, grid, placed, palette)
    under += beneath
    over += _arrows(arrows, grid, palette)
    men = _men(placed, sprites, grid)
    if title is None:
        title = str(getattr(game, "name", "")) or f"Board of {files} by {ranks} squares"
        if board is not None:
            title += f", {'White' if board.turn else 'Black'} to move" + (", in check" if king is not None else "")
    return "".join(
        [
            opening(width, height, title, _describe(sprites, placed), sized=size is not None),
            f"<style>{escaped(style)}</style>" if style else "",
            f"<defs>{sprites.defs()}{gradient}</defs>" if placed or gradient else "",
            f'<rect width="{n(width)}" height="{n(height)}" fill="{palette.page}"/>',
            grid.squares(palette),
            grid.labels(palette, font) if coordinates else "",
            *under,
            *men,
            *over,
            "</svg>",
        ]
    )


def _palette(theme: str, colors: Mapping[str, str]) -> Theme:
    """Return the theme with the caller's colours in place of its own."""
    if unknown := sorted(set(colors) - {*_PARTS, *_LAST}):
        raise Error(f"no part of a drawing is called {unknown[0]!r}; there are {', '.join([*_PARTS, *_LAST])}")
    parts = {_PARTS[part]: css_colour(colour) for part, colour in colors.items() if part in _PARTS}
    return replace(theme_named(theme), **parts)


def _last(position: BoardLike | None) -> MoveLike | None:
    try:
        return position.peek() if position is not None else None
    except IndexError:
        return None


def _move_ends(move: MoveLike | tuple[int, int] | Literal[False] | None) -> tuple[int, int] | None:
    """Return the two squares of a move; ``None`` if it moves no piece."""
    if move is None or move is False or getattr(move, "special", None) is not None:
        return None
    start, end = move if isinstance(move, tuple) else (move.from_square, move.to_square)
    return None if start is None or end is None else (start, end)


def _last_move(
    ends: tuple[int, int] | None,
    grid: Grid,
    placed: Mapping[int, PieceLike],
    palette: Theme,
    colors: Mapping[str, str],
) -> Iterator[str]:
    """Tint both squares of the last move, and draw the tail of an arrow on the square left."""
    if ends is None:
        return
    for square in dict.fromkeys(ends):
        part = _LAST[(square % 16 + square // 16) % 2 == 0]
        chosen = f'fill="{css_colour(colors[part])}"' if part in colors else ""
        yield grid.rect(square, chosen or f'fill="{palette.lapis}" fill-opacity="0.36"')
    if ends[0] not in placed:
        yield tail(grid, *ends, palette)


def _golden(squares: Iterable[int], grid: Grid, palette: Theme) -> Iterator[str]:
    """Tint and frame squares in gold."""
    line = grid.side * 0.06
    for square in dict.fromkeys(squares):
        yield grid.rect(square, f'fill="{palette.gold}" fill-opacity="0.34"')
        yield grid.rect(square, f'fill="none" stroke="{palette.gold}" stroke-width="{n(line)}"', line / 2)


def _check(king: int, grid: Grid, theme: str, palette: Theme) -> tuple[str, str]:
    """Return the gradient of the glow around a king in check, and the glow."""
    x, y = grid.centre(king)
    gradient = (
        f'<radialGradient id="acedrex-check-{theme}"><stop offset="0.45" stop-color="{palette.vermilion}"/>'
        f'<stop offset="1" stop-color="{palette.vermilion}" stop-opacity="0"/></radialGradient>'
    )
    fill = f'fill="url(#acedrex-check-{theme})"'
    return gradient, f'<circle cx="{n(x)}" cy="{n(y)}" r="{n(grid.side * 0.74)}" {fill}/>'


def _reach(
    dots: int | Iterable[ReachLike],
    board: BoardLike | None,
    grid: Grid,
    placed: Mapping[int, PieceLike],
    palette: Theme,
) -> tuple[list[str], list[str]]:
    """Return what lies under the pieces, the origin and bent paths, and the marks over them."""
    origin = None
    under = []
    if isinstance(dots, SupportsIndex):
        if board is None:
            raise Error("dots of a square need a board")
        origin = index(dots)
        under.append(grid.rect(origin, f'fill="{palette.lapis}" fill-opacity="0.5"'))
        dots = board.reach(origin)
    reach = list(dots)
    under.append(paths(grid, reach, origin, palette)[0])
    return under, [reach_marks(grid, reach, placed, palette)]


def _arrows(arrows: Iterable[tuple[int, int] | tuple[int, int, str]], grid: Grid, palette: Theme) -> Iterator[str]:
    for arrow in arrows:
        colour = arrow[2] if len(arrow) > 2 else "lapis"
        colour = _OTHER_NAMES.get(colour, colour)
        if colour not in _ARROW_COLOURS:
            raise Error(f"an arrow is one of {', '.join([*_ARROW_COLOURS, *_OTHER_NAMES])}, not {colour!r}")
        yield arrow_between(grid, arrow[0], arrow[1], getattr(palette, colour), palette)


def _men(placed: Mapping[int, PieceLike], sprites: Sprites, grid: Grid) -> list[str]:
    inset = grid.side * 0.02
    size = grid.side - 2 * inset
    men = []
    for square in sorted(placed):
        x, y = grid.corner(square)
        men.append(sprites.use(placed[square].letter, placed[square].color, x + inset, y + inset, size))
    return men


def _describe(sprites: Sprites, placed: Mapping[int, PieceLike]) -> str:
    """List where every piece stands, for screen readers."""
    sides = []
    for color, side in ((True, "White"), (False, "Black")):
        kinds: dict[str, list[str]] = {}
        for square in sorted(placed):
            if placed[square].color == color:
                kinds.setdefault(sprites.name(placed[square].letter), []).append(square_name(square))
        if kinds:
            sides.append(f"{side}: " + "; ".join(f"{name} {' '.join(at)}" for name, at in kinds.items()) + ".")
    return " ".join(sides)
