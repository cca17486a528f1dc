"""Emblems: plain drawings of the kinds of a game, made from how they move.

An emblem shows the moves around its centre. A thick line is a step or, up to the edge, a slide, with a bar at its end
if the slide is limited; a dot is a leap; an arc is a hop over a piece; a line that turns is a path of several legs.
Thin lines and open dots are moves that cannot capture, crosses are captures that need one, and a second ring is a royal
piece. Squares one, two and three steps away are on three circles, so that all emblems fit into a disc; the emblem of a
piece that goes only one step is larger.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, TypeAlias, TypedDict

from acedrex.shapes import Emblem

__all__ = ["Emblem", "Leg", "Mover", "Walk", "emblems"]

_Point: TypeAlias = tuple[float, float]

#: The radius of the circle for squares at a distance of 0 to 4 or more steps.
_RADII: Final = (0, 17, 27, 36, 41)
#: The most steps of a slide that counts as limited.
_LIMITED: Final = 5
#: How much smaller the emblem of a royal piece is, to leave space for its ring.
_ROYAL: Final = 0.86
#: How much larger the emblem of a piece is that goes only one step.
_NEAR: Final = 1.45


class Leg(TypedDict):
    """One straight part of a walk: a step, repeated up to ``max`` times, perhaps up to a piece to hop over."""

    step: tuple[int, int]
    max: int
    mount: bool


class Walk(TypedDict):
    """Legs, and whether the last one may end on an empty square or on an enemy."""

    legs: list[Leg]
    quiet: bool
    capture: bool


@dataclass(frozen=True)
class Mover:
    """What an emblem is made from: the letter of a kind, whether it is royal, and its walks."""

    letter: str
    royal: bool
    walks: Sequence[Walk]


def emblems(movers: Iterable[Mover]) -> dict[str, Emblem]:
    """Return the emblems of a game's kinds by their letters; kinds that move alike show their letters too.

    >>> forward: Leg = {"step": (0, 1), "max": 1, "mount": False}
    >>> emblems([Mover("S", False, [{"legs": [forward], "quiet": True, "capture": True}])])
    {'S': {'dots': '', 'lines': 'M50 50L50 25.4', 'fine': '', 'letter': ''}}
    """
    drawn = {mover.letter: _draw(mover) for mover in movers}
    alike = Counter(map(_strokes, drawn.values()))
    for letter, emblem in drawn.items():
        if alike[_strokes(emblem)] > 1 or not any(_strokes(emblem)):
            drawn[letter] = {**emblem, "letter": letter}
    return drawn


def _strokes(emblem: Emblem) -> tuple[str, str, str]:
    return emblem["dots"], emblem["lines"], emblem["fine"]


def _draw(mover: Mover) -> Emblem:
    # A walk that only moves and one that only captures along the same legs are drawn as one.
    uses: dict[tuple[tuple[int, int, int, bool], ...], set[str]] = {}
    for walk in mover.walks:
        legs = tuple((*leg["step"], min(leg["max"], _LIMITED + 1), leg["mount"]) for leg in walk["legs"])
        uses.setdefault(legs, set()).update(use for use in ("quiet", "capture") if walk[use])
    near = all(len(legs) == 1 and max(map(abs, legs[0][:2])) * legs[0][2] == 1 for legs in uses)
    pen = _Pen((_ROYAL if mover.royal else 1) * (_NEAR if near else 1))
    for legs in sorted(uses, key=lambda legs: (len(legs), legs)):
        _walk(pen, [Leg(step=(x, y), max=most, mount=mount) for x, y, most, mount in legs], uses[legs])
    if mover.royal:
        pen.ring((50, 50), 38)
    return pen.emblem()


def _walk(pen: _Pen, legs: Sequence[Leg], use: set[str]) -> None:
    first, last = legs[0], legs[-1]
    x, y = first["step"]
    if len(legs) == 1 and first["max"] == 1:
        if max(abs(x), abs(y)) == 1 and use == {"quiet", "capture"}:
            pen.line([(50, 50), pen.at(x, y)], thick=True)
        else:
            pen.end(pen.at(x, y), use)
    elif first["mount"]:
        _hop(pen, first, last, use)
    elif len(legs) == 1:
        _slide(pen, first, use)
    else:
        _bend(pen, legs, use)


def _slide(pen: _Pen, leg: Leg, use: set[str]) -> None:
    x, y = leg["step"]
    leaps = max(abs(x), abs(y)) > 1
    end = pen.at(x * leg["max"], y * leg["max"])
    pen.line([(50, 50), end], thick=use == {"quiet", "capture"} and not leaps)
    if leaps:
        pen.end(pen.at(x, y), use)
    elif use == {"capture"}:
        pen.end(end, use)
    if leg["max"] <= _LIMITED:
        pen.bar(end)


def _hop(pen: _Pen, first: Leg, last: Leg, use: set[str]) -> None:
    """Draw an arc over the mount, after a line if the mount may be far away, and where the hop may end."""
    (x, y), (dx, dy) = first["step"], last["step"]
    near, far = pen.at(x, y), pen.at(x + dx, y + dy)
    if first["max"] > 1:
        pen.line([(50, 50), near], thick=False)
    pen.arc(near, far)
    if last["max"] > 1:
        pen.line([far, pen.at(x + dx * 3, y + dy * 3)], thick=False)
    pen.end(far if last["max"] == 1 else pen.at(x + dx * 2, y + dy * 2), use)


def _bend(pen: _Pen, legs: Sequence[Leg], use: set[str]) -> None:
    """Draw the path: two steps of a leg that slides, and the whole of the last one."""
    x, y = 0, 0
    points: list[_Point] = [(50, 50)]
    slides = any(leg["max"] > 1 for leg in legs)
    for leg in legs:
        steps = min(leg["max"], 4 if leg is legs[-1] else 2)
        for _ in range(steps):
            x, y = x + leg["step"][0], y + leg["step"][1]
            points.append(pen.at(x, y))
    pen.line(points, thick=slides and use == {"quiet", "capture"})
    if legs[-1]["max"] == 1:
        pen.end(points[-1], use)


class _Pen:
    """Collects strokes, each once."""

    def __init__(self, scale: float) -> None:
        self._scale = scale
        self._dots: dict[str, None] = {}
        self._lines: dict[str, None] = {}
        self._fine: dict[str, None] = {}

    def emblem(self) -> Emblem:
        return {"dots": "".join(self._dots), "lines": "".join(self._lines), "fine": "".join(self._fine), "letter": ""}

    def at(self, x: int, y: int) -> _Point:
        """Return where a square is drawn that is so many files and ranks away."""
        away = max(abs(x), abs(y))
        if not away:
            return 50, 50
        length = _RADII[min(away, 4)] * self._scale / math.hypot(x, y)
        return 50 + x * length, 50 - y * length

    def end(self, place: _Point, use: set[str]) -> None:
        """Draw where a walk may end: a dot, an open dot or a cross."""
        if use == {"quiet", "capture"}:
            self._dots[f"M{_xy(place)}h0"] = None
        elif use == {"quiet"}:
            self.ring(place, 3.5 * self._scale)
        else:
            x, y = place
            arm = 4 * self._scale
            for a, b in (((x - arm, y - arm), (x + arm, y + arm)), ((x - arm, y + arm), (x + arm, y - arm))):
                self._fine[f"M{_xy(a)}L{_xy(b)}"] = None

    def line(self, points: Sequence[_Point], *, thick: bool) -> None:
        """Draw lines between points."""
        strokes = self._lines if thick else self._fine
        for a, b in pairwise(points):
            if f"M{_xy(b)}L{_xy(a)}" not in strokes:
                strokes[f"M{_xy(a)}L{_xy(b)}"] = None

    def bar(self, end: _Point) -> None:
        """Draw the bar at the end of a limited slide."""
        x, y = end
        length = math.hypot(x - 50, y - 50)
        side = 7 * (y - 50) / length, -7 * (x - 50) / length
        self._lines[f"M{_xy((x - side[0], y - side[1]))}L{_xy((x + side[0], y + side[1]))}"] = None

    def arc(self, near: _Point, far: _Point) -> None:
        """Draw half a circle from one point to another."""
        radius = _number(math.dist(near, far) / 2)
        self._fine[f"M{_xy(near)}A{radius} {radius} 0 0 1 {_xy(far)}"] = None

    def ring(self, centre: _Point, radius: float) -> None:
        """Draw a circle."""
        x, y = centre
        r, d = _number(radius), _number(2 * radius)
        self._fine[f"M{_xy((x - radius, y))}a{r} {r} 0 1 0 {d} 0a{r} {r} 0 1 0 -{d} 0z"] = None


def _xy(point: _Point) -> str:
    return f"{_number(point[0])} {_number(point[1])}"


def _number(value: float) -> str:
    """Format a length with at most one decimal."""
    return f"{round(value, 1) + 0.0:g}"
