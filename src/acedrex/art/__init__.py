"""The drawings and emblems of the pieces, and their SVG symbols.

A game's definition names a drawing by its *art id*, a lower-case English noun such as ``"giraffe"``. The drawings are
in ``game-icons.json`` next to this file; their authors are listed in ``CREDITS.md``. A kind for which it names none has
the drawing with the kind's name, if there is one. A definition may also have drawings of its own, which are path data.
Every kind also has an emblem, which is made from how it moves.

>>> from acedrex import art
>>> art.drawings()["camel"].author
'Delapouite'
"""

from __future__ import annotations

import hashlib
import html
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from types import MappingProxyType
from typing import Final

from acedrex.art.emblem import Emblem, emblems

__all__ = [
    "BLACK",
    "WHITE",
    "Drawing",
    "Emblem",
    "Symbol",
    "drawing_named",
    "drawings",
    "emblem_symbol",
    "emblems",
    "figurine",
    "is_own_drawing",
    "symbol",
]

WHITE: Final = "#FFF9EC"
"""Fill of White's pieces and rim of Black's."""

BLACK: Final = "#241C15"
"""Fill of Black's pieces and rim of White's."""


@dataclass(frozen=True)
class Drawing:
    """One drawing in the units of its source, usually a square from 0 to 512.

    Attributes:
        paths: Outlines as SVG path data.
        marks: Path data in the colour of the rim, such as eyes and spots; empty if there are none.
        view: Left, top and side of the part that fills a square of the board.
        badge: A sign in the lower right corner for what the piece can do in addition: ``"diagonal"`` or
            ``"orthogonal"`` for one step, ``"bent"`` for a bent path, or ``None``.
        author: The artist.
        licence: SPDX identifier.
        source: Name of the icon at game-icons.net; ``None`` for Acedrex's own.
    """

    paths: tuple[str, ...]
    marks: str
    view: tuple[float, float, float]
    badge: str | None
    author: str
    licence: str
    source: str | None


@dataclass(frozen=True)
class Symbol:
    """A piece in one colour, ready for a drawing's ``<defs>``.

    Attributes:
        id: The id for ``<use>``. The same id always means the same picture.
        symbol: The ``<symbol>`` element.
        shape: The outline that the symbol refers to, shared by both colours; empty if there is none.
    """

    id: str
    symbol: str
    shape: str


@cache
def drawings() -> Mapping[str, Drawing]:
    """Return all drawings by art id, in alphabetical order."""
    file = resources.files(__name__).joinpath("game-icons.json")
    data = json.loads(file.read_text(encoding="utf-8"))
    read = {}
    for name, entry in data["art"].items():
        left, top, side = entry.get("view", data["view"])
        read[name] = Drawing(
            paths=tuple(entry["paths"]),
            marks=entry.get("marks", ""),
            view=(left, top, side),
            badge=entry.get("badge"),
            author=entry["author"],
            licence=entry["licence"],
            source=entry.get("source"),
        )
    return MappingProxyType(read)


def drawing_named(name: str) -> str | None:
    """Return the id of the drawing for a kind with an English name; ``None`` if there is none.

    >>> drawing_named("Knight-Ferz"), drawing_named("Bent Hero"), drawing_named("Zeppelin")
    ('knight-ferz', 'bent-hero', None)
    """
    art_id = "-".join(name.lower().split())
    return art_id if art_id in drawings() else None


def is_own_drawing(art: str) -> bool:
    """Return whether a kind's drawing is path data of its definition's own, and not the id of a drawing.

    >>> is_own_drawing("M10 90L50 10L90 90z"), is_own_drawing("lion")
    (True, False)
    """
    return _OWN.fullmatch(art) is not None


#: Signs of path data and blanks: no text of these can be markup.
_OWN: Final = re.compile(r"M[ \n\t0-9.+-][MLHVCSQTAZmlhvcsqtaz0-9.,+| \n\t-]*")


def symbol(art_or_letter: str, color: bool) -> Symbol:
    """Return a piece as an SVG symbol.

    Args:
        art_or_letter: An art id or a drawing of one's own; any other text is shown as letters on a disc.
        color: ``True`` for White.

    Returns:
        The symbol; its picture scales to the width and height of the ``<use>`` that shows it.

    >>> from acedrex import art
    >>> art.symbol("lion", True).id, art.symbol("R'", False).id
    ('acedrex-w-lion', 'acedrex-b--52-27')
    """
    drawing = drawings().get(art_or_letter)
    side = "w" if color else "b"
    fill, rim = (WHITE, BLACK) if color else (BLACK, WHITE)
    if is_own_drawing(art_or_letter):
        return _own(art_or_letter, side, fill, rim)
    if drawing is None:
        name = f"acedrex-{side}--" + "-".join(f"{ord(char):x}" for char in art_or_letter)
        return Symbol(name, _letters(name, art_or_letter, fill, rim), "")
    name = f"acedrex-{side}-{art_or_letter}"
    shape = f"acedrex-{art_or_letter}"
    outline = f'<path id="{shape}" d="{"".join(drawing.paths)}"/>'
    return Symbol(name, _drawn(name, shape, drawing, fill, rim), outline)


def _own(art: str, side: str, fill: str, rim: str) -> Symbol:
    """Return a drawing of one's own: its shape with a rim, details in the colour of the rim, and lines."""
    shape, details, lines = [*art.split("|", 2), "", ""][:3]
    name = f"acedrex-{side}--own-{hashlib.sha256(art.encode()).hexdigest()[:12]}"
    out = f'<symbol id="{name}" viewBox="0 0 100 100"><g stroke-linejoin="round" stroke-linecap="round">'
    for data, inside, stroke, width in (
        (shape, rim, rim, 6),
        (shape, fill, fill, 1),
        (details, rim, "none", 0),
        (lines, "none", rim, 3),
    ):
        if data.strip():
            out += f'<path d="{html.escape(data.strip())}" fill="{inside}" stroke="{stroke}" stroke-width="{width}"/>'
    return Symbol(name, out + "</g></symbol>", "")


def emblem_symbol(emblem: Emblem, color: bool) -> Symbol:
    """Return a piece of the geometric set as an SVG symbol: its emblem on a disc.

    Args:
        emblem: How the kind moves, from :func:`emblems` or ``game.emblems``.
        color: ``True`` for White.

    Returns:
        The symbol; its id is made from a hash of the emblem.

    >>> import acedrex
    >>> emblem_symbol(acedrex.load("chess").emblems["R"], True).symbol.count("<path")
    1
    """
    fill, rim = (WHITE, BLACK) if color else (BLACK, WHITE)
    digest = hashlib.sha256("|".join((*_STROKES.values(), *map(str, emblem.values()))).encode()).hexdigest()[:12]
    name = f"acedrex-{'w' if color else 'b'}--emblem-{digest}"
    out = (
        f'<symbol id="{name}" viewBox="0 0 100 100"><circle cx="50" cy="50" r="46" fill="{fill}" stroke="{rim}" '
        f'stroke-width="5"/><g fill="none" stroke="{rim}" stroke-linecap="round" stroke-linejoin="round">'
    )
    for part, data in (("lines", emblem["lines"]), ("fine", emblem["fine"]), ("dots", emblem["dots"])):
        if data:
            out += f'<path d="{data}" stroke-width="{_STROKES[part]}"/>'
    out += "</g>"
    if emblem["letter"]:
        font = 30 if len(emblem["letter"]) == 1 else 24
        out += (
            f'<circle cx="78" cy="78" r="19" fill="{rim}" stroke="{fill}" stroke-width="3"/>'
            f'<text x="78" y="{78 + font * 0.36:g}" font-family="system-ui, sans-serif" font-size="{font}" '
            f'font-weight="700" text-anchor="middle" fill="{fill}">{html.escape(emblem["letter"])}</text>'
        )
    return Symbol(name, out + "</symbol>", "")


#: The widths of the strokes of an emblem.
_STROKES: Final[Mapping[str, str]] = {"lines": "7", "fine": "3", "dots": "9"}


def figurine(art_id: str) -> Symbol:
    """Return a drawing as a symbol for text: one shape in the colour of the text, for pieces of both sides.

    Details have the colour ``--ground`` of the page that shows it. Raises :exc:`KeyError` if there is no such drawing.

    >>> figurine("lion").id
    'acedrex-figurine-lion'
    """
    drawing = drawings()[art_id]
    shape = f"acedrex-{art_id}"
    name = f"acedrex-figurine-{art_id}"
    outline = f'<path id="{shape}" d="{"".join(drawing.paths)}"/>'
    return Symbol(name, _drawn(name, shape, drawing, "currentColor", "var(--ground)", rimmed=False), outline)


def _drawn(name: str, shape: str, drawing: Drawing, fill: str, rim: str, *, rimmed: bool = True) -> str:
    """Return the outline twice: with a broad stroke for the rim, then in the colour of the piece."""
    left, top, side = drawing.view
    unit = side / 564
    out = f'<symbol id="{name}" viewBox="{left:g} {top:g} {side:g} {side:g}">'
    if rimmed:
        out += (
            f'<use xlink:href="#{shape}" fill="{rim}" stroke="{rim}" stroke-width="{30 * unit:.4g}" '
            'stroke-linejoin="round"/>'
        )
    out += f'<use xlink:href="#{shape}" fill="{fill}" stroke="{fill}" stroke-width="{4 * unit:.4g}"/>'
    if drawing.marks:
        out += f'<path d="{drawing.marks}" fill="{rim}"/>'
    if drawing.badge is not None:
        out += (
            f'<g transform="translate({left + side * 0.777:.4g} {top + side * 0.777:.4g}) scale({unit:.4g})">'
            f'<circle r="108" fill="{rim}"/><circle r="92" fill="{fill}"/>'
            f'<path d="{_BADGES[drawing.badge]}" fill="none" stroke="{rim}" stroke-width="34" '
            'stroke-linecap="round" stroke-linejoin="round"/></g>'
        )
    return out + "</symbol>"


_BADGES: Final[Mapping[str, str]] = {
    "diagonal": "M-42 -42L42 42M42 -42L-42 42",
    "orthogonal": "M0 -56V56M-56 0H56",
    "bent": "M-40 52V-4Q-40 -26 -18 -26H38M6 -62L42 -26L6 10",
}


def _letters(name: str, letters: str, fill: str, rim: str) -> str:
    font = 60 if len(letters) == 1 else 84 / max(len(letters), 1)
    shown = html.escape("".join(char if char.isprintable() else "\ufffd" for char in letters))
    return (
        f'<symbol id="{name}" viewBox="0 0 100 100">'
        f'<circle cx="50" cy="50" r="43" fill="{fill}" stroke="{rim}" stroke-width="5"/>'
        f'<text x="50" y="{50 + font * 0.36:.4g}" font-family="system-ui, sans-serif" font-size="{font:.4g}" '
        f'font-weight="600" text-anchor="middle" fill="{rim}">{shown}</text></symbol>'
    )
