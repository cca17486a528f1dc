"""Diagrams of how a piece moves, with a legend."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Final

from acedrex.svg.marks import KINDS, dashed, disc, mark, paths, reach_marks, tick
from acedrex.svg.paper import FONT, Sprites, Theme, escaped, lay_out, n, opening, theme_named
from acedrex.svg.shapes import TeachingGameLike

LEGEND: Final[Mapping[str, str]] = {
    "move": "moves",
    "capture": "captures",
    "both": "moves or captures",
    "hop": "hops over a piece",
    "mount": "piece hopped over",
    "path": "bent path",
}
"""The legend of :func:`piece_moves` in English; pass a translation for other languages."""


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
    """Draw how a piece moves, on the small board that ``game.diagram`` returns.

    Args:
        game: Any object with ``pieces`` and ``diagram``.
        letter: Letter of the kind, in capitals.
        size: Length of the board's longer side in pixels; the legend is below it.
        theme: ``"light"`` or ``"dark"``.
        pieces: ``"art"``, ``"geometric"`` or ``"letters"``, as for :func:`board`.
        legend: Texts for the marks, by the keys of :data:`LEGEND`; only marks that appear are listed. ``None`` omits
            the legend.
        title: Title of the drawing; by default, for example, "How the Camel moves".

    Returns:
        The text of an ``<svg>`` element.

    Raises:
        acedrex.Error: As for :func:`board`; and what ``game.diagram`` raises for a kind that the game does not have.

    >>> from acedrex import svg
    >>> sorted(svg.LEGEND)
    ['both', 'capture', 'hop', 'mount', 'move', 'path']
    """
    colours = theme_named(theme)
    diagram = game.diagram(letter)
    sprites = Sprites(game, pieces)
    grid, width, height = lay_out(diagram.files, diagram.ranks, size, True, 0)
    side = grid.side
    reach = list(diagram.reach)
    lines, bends = paths(grid, reach, diagram.origin, colours)
    inset = side * 0.02
    x, y = grid.corner(diagram.origin)
    body = [
        grid.squares(colours),
        lines,
        *(disc(*grid.centre(square), side, colours) for square in sorted(diagram.others)),
        sprites.use(letter, True, x + inset, y + inset, side - 2 * inset),
        reach_marks(grid, reach, diagram.others, colours),
    ]
    shown = [kind for kind in KINDS if any(item.kind == kind for item in reach)]
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
            opening(width, height, title),
            f"<defs>{sprites.defs()}</defs>",
            f'<rect width="{n(width)}" height="{n(height)}" fill="{colours.page}"/>',
            *body,
            "</svg>",
        ]
    )


def _legend(
    shown: Sequence[str], words: Mapping[str, str], size: float, width: float, top: float, theme: Theme
) -> tuple[str, float]:
    """Return the marks with their texts in one or two columns, and the height of the legend."""
    longest = max(len(words.get(key, LEGEND[key])) for key in shown)
    ems = 2.6 + longest * 0.56  # the width of a mark and its text, in units of the font size
    font = min(max(size / 25, 9), 14, width / ems)
    row, sign = font * 1.9, font * 1.7
    columns = 2 if len(shown) > 1 and ems * font < width / 2 else 1
    out = [f'<g {FONT} font-size="{n(font)}" fill="{theme.ink}">']
    for index, key in enumerate(shown):
        x = index % columns * width / columns + sign * 0.75
        y = top + row * (index // columns + 0.75)
        if key == "mount":
            out.append(disc(x, y, sign, theme) + tick(x, y, (x + 1, y), sign, theme))
        elif key == "path":
            data = f"M{n(x - sign * 0.4)} {n(y + sign * 0.2)}L{n(x)} {n(y - sign * 0.2)}H{n(x + sign * 0.45)}"
            out.append(dashed(data, sign, theme))
        else:
            out.append(mark(key, x, y, sign, theme, 0.27))
        words_at = f'x="{n(x + sign * 0.65)}" y="{n(y + font * 0.36)}"'
        out.append(f"<text {words_at}>{escaped(words.get(key, LEGEND[key]))}</text>")
    return "".join(out) + "</g>", row * (math.ceil(len(shown) / columns) + 0.5)
