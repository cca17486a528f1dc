"""Marks on squares.

Each has a rim of the opposite lightness, since no single colour stands out on both light and dark squares.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Final

from acedrex.errors import Error
from acedrex.svg.paper import Grid, Theme, n
from acedrex.svg.shapes import ReachLike

KINDS: Final = ("move", "capture", "both", "hop")
"""The kinds of reach, in the order of the legend."""


def disc(x: float, y: float, side: float, theme: Theme) -> str:
    """Return a disc that stands for any piece of either side."""
    return (
        f'<circle cx="{n(x)}" cy="{n(y)}" r="{n(side * 0.34)}" fill="{theme.muted}" '
        f'stroke="{theme.rim}" stroke-width="{n(side * 0.05)}"/>'
    )


def _dot(x: float, y: float, side: float, theme: Theme) -> str:
    return (
        f'<circle cx="{n(x)}" cy="{n(y)}" r="{n(side * 0.13)}" fill="{theme.lapis}" '
        f'stroke="{theme.rim}" stroke-width="{n(side * 0.035)}"/>'
    )


def _ring(x: float, y: float, side: float, colour: str, theme: Theme, radius: float) -> str:
    circle = f'<circle cx="{n(x)}" cy="{n(y)}" r="{n(side * radius)}" fill="none" stroke="'
    rim, line = n(side * 0.115), n(side * 0.07)
    return f'{circle}{theme.rim}" stroke-width="{rim}"/>{circle}{colour}" stroke-width="{line}"/>'


def _stroke(data: str, side: float, colour: str, theme: Theme, width: float) -> str:
    line = f'<path d="{data}" fill="none" stroke-linecap="round" stroke-linejoin="round" stroke="'
    return (
        f'{line}{theme.rim}" stroke-width="{n(side * (width + 0.055))}"/>'
        f'{line}{colour}" stroke-width="{n(side * width)}"/>'
    )


def mark(kind: str, x: float, y: float, side: float, theme: Theme, radius: float) -> str:
    """Return the mark of a kind of reach around a centre."""
    if kind == "move":
        return _dot(x, y, side, theme)
    if kind == "capture":
        return _ring(x, y, side, theme.vermilion, theme, radius)
    if kind == "both":
        return _ring(x, y, side, theme.vermilion, theme, radius) + _dot(x, y, side, theme)
    return _ring(x, y, side, theme.gold, theme, radius)


def tick(x: float, y: float, towards: tuple[float, float], side: float, theme: Theme) -> str:
    """Return two short bars beside the mount, across the line of the hop."""
    dx, dy = towards[0] - x, towards[1] - y
    length = math.hypot(dx, dy) or 1.0
    px, py = -dy / length * side, dx / length * side
    data = ""
    for near, far in ((-0.46, -0.29), (0.29, 0.46)):
        data += f"M{n(x + near * px)} {n(y + near * py)}L{n(x + far * px)} {n(y + far * py)}"
    return _stroke(data, side, theme.gold, theme, 0.1)


def dashed(data: str, side: float, theme: Theme) -> str:
    """Return a dashed line along path data."""
    line = f'<path d="{data}" fill="none" stroke-linejoin="round" stroke="'
    return (
        f'{line}{theme.rim}" stroke-width="{n(side * 0.1)}"/>{line}{theme.lapis}" '
        f'stroke-width="{n(side * 0.055)}" stroke-dasharray="{n(side * 0.125)}"/>'
    )


def _bent(route: Sequence[int]) -> bool:
    if len(route) < 3:
        return False
    start = route[0]
    steps = [(square % 16 - start % 16, square // 16 - start // 16) for square in route[1:]]
    file, rank = steps[-1]
    return any(f * rank != r * file for f, r in steps)


def paths(grid: Grid, reach: Sequence[ReachLike], origin: int | None, theme: Theme) -> tuple[str, bool]:
    """Return dashed lines along the bent paths, each stretch once, and whether there are any."""
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
    for route in sorted(routes, key=len, reverse=True):  # the longest first: it covers shorter ones
        fresh: list[int] = []
        for leg in pairwise(route):
            if leg not in seen:
                seen.add(leg)
                fresh = fresh or [leg[0]]
                fresh.append(leg[1])
        if fresh:
            data = "L".join(f"{n(x)} {n(y)}" for x, y in map(grid.centre, fresh))
            out.append(dashed("M" + data, grid.side, theme))
    return "".join(out), bool(routes)


def reach_marks(grid: Grid, reach: Sequence[ReachLike], pieces: Iterable[int], theme: Theme) -> str:
    """Return dots and rings on the squares reached, and ticks on the mounts."""
    occupied = set(pieces)
    out: dict[str, None] = {}
    for item in reach:
        if item.kind not in KINDS:
            raise Error(f"a reach is one of {', '.join(KINDS)}, not {item.kind!r}")
        x, y = grid.centre(item.to)
        radius = 0.43 if item.to in occupied else 0.27
        out[mark(item.kind, x, y, grid.side, theme, radius)] = None
        if item.mount is not None:
            out[tick(*grid.centre(item.mount), (x, y), grid.side, theme)] = None
    return "".join(out)


def arrow_between(grid: Grid, start: int, end: int, colour: str, theme: Theme) -> str:
    """Return an arrow from centre to centre, or a ring if both squares are the same."""
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
        f"{n(x0 + dx * along - dy * across * side)},{n(y0 + dy * along + dx * across * side)}"
        for along, across in points
    )
    return (
        f'<polygon points="{data}" fill="{colour}" stroke="{theme.rim}" stroke-width="{n(side * 0.035)}" '
        'stroke-linejoin="round" opacity="0.92"/>'
    )


def tail(grid: Grid, start: int, end: int, theme: Theme) -> str:
    """Return the tail of an arrow on the square left: a dot, and a line in the direction of the move."""
    side = grid.side
    (x0, y0), (x1, y1) = grid.centre(start), grid.centre(end)
    length = math.hypot(x1 - x0, y1 - y0)
    if not length:
        return ""
    dx, dy = (x1 - x0) / length * side, (y1 - y0) / length * side
    line = f"M{n(x0)} {n(y0)}L{n(x0 + dx * 0.5)} {n(y0 + dy * 0.5)}"
    return _stroke(line, side, theme.lapis, theme, 0.06) + _dot(x0, y0, side, theme)
