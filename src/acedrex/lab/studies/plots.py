"""Plots for pages. Needs matplotlib.

All lines and letters are of one grey that can be read on white and on black; a page in HTML puts its own colour in its
place.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure

__all__ = ["INK", "Interval", "Series", "bars", "curves", "intervals", "scatter"]

#: The colour of letters and axes, and those of data: they differ in light and dark for colour-blind people too.
INK = "#777777"
COLORS = ("#3b7dd8", "#d9622b", "#2f9e6e", "#a46bc9")
MARKERS = ("o", "s", "^", "D")
#: The width of a plot in inches: at this size its letters can be read on a phone.
WIDTH = 4.6
STYLE: Any = {
    "svg.fonttype": "none",
    "svg.hashsalt": "acedrex",
    "font.size": 10,
    "font.family": "sans-serif",
    "text.color": INK,
    "axes.edgecolor": INK,
    "axes.labelcolor": INK,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "xtick.color": INK,
    "ytick.color": INK,
    "legend.frameon": False,
    "legend.fontsize": 9,
}


@dataclass(frozen=True, slots=True)
class Interval:
    """An estimate with its interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Series:
    """Points of one kind, named in the legend."""

    name: str
    points: Sequence[Interval | float | None]


def intervals(names: Sequence[str], series: Sequence[Series], label: str, *, line: float | None = None) -> str:
    """Draw a row for each name, with an estimate and its interval for each series; plain numbers are hollow marks."""
    with mpl.rc_context(STYLE):
        figure, axes = _axes(0.8 + 0.34 * len(names) * max(1.0, 0.45 * len(series)))
        plain = sum(not any(isinstance(point, Interval) for point in one.points) for one in series)
        estimates = len(series) - plain
        number = 0
        for place, one in enumerate(series):
            is_plain = not any(isinstance(point, Interval) for point in one.points)
            # Nearer to each other than to the next row.
            shift = 0.0 if is_plain else 0.6 / estimates * (number - (estimates - 1) / 2)
            number += not is_plain
            color, marker = COLORS[place % len(COLORS)], MARKERS[place % len(MARKERS)]
            rows = [(row + shift, point) for row, point in enumerate(one.points) if point is not None]
            centres = [point.value if isinstance(point, Interval) else point for _, point in rows]
            axes.plot(
                centres,
                [row for row, _ in rows],
                marker,
                color=color,
                markersize=5,
                markerfacecolor="none" if is_plain else color,
                label=one.name,
            )
            for row, point in rows:
                if isinstance(point, Interval):
                    axes.plot([point.low, point.high], [row, row], color=color, linewidth=1.6)
        if line is not None:
            axes.axvline(line, color=INK, linewidth=1.2, linestyle=":")
        axes.set_yticks(range(len(names)), names)
        axes.set_ylim(len(names) - 0.5, -0.5)
        axes.set_xlabel(label)
        axes.grid(axis="x", color=INK, alpha=0.45, linewidth=0.6)
        return _svg(figure, axes, legend=len(series) > 1)


def scatter(points: Sequence[tuple[float, Interval]], across: str, up: str) -> str:
    """Draw estimates over predictions, with the diagonal on which both are equal."""
    with mpl.rc_context(STYLE):
        figure, axes = _axes(3.4)
        axes.plot([0, 100], [0, 100], color=INK, linewidth=1.2, linestyle=":")
        for x, point in points:
            axes.plot([x, x], [point.low, point.high], color=COLORS[0], linewidth=1.6)
        axes.plot([x for x, _ in points], [point.value for _, point in points], "o", color=COLORS[0], markersize=5)
        axes.set_xlabel(across)
        axes.set_ylabel(up)
        return _svg(figure, axes)


def curves(series: Sequence[tuple[str, Sequence[float], Sequence[float]]], across: str, up: str) -> str:
    """Draw a curve for each name, x and y."""
    with mpl.rc_context(STYLE):
        figure, axes = _axes(3.0)
        for place, (name, x, y) in enumerate(series):
            axes.plot(x, y, color=COLORS[place % len(COLORS)], linewidth=1.6, label=name)
        axes.set_xlabel(across)
        axes.set_ylabel(up)
        axes.set_ylim(bottom=0)
        axes.grid(axis="y", color=INK, alpha=0.45, linewidth=0.6)
        return _svg(figure, axes, legend=len(series) > 1)


def bars(names: Sequence[str], parts: Sequence[tuple[str, Sequence[float]]], label: str) -> str:
    """Draw a bar for each name, made of the parts, one after the other."""
    with mpl.rc_context(STYLE):
        figure, axes = _axes(0.9 + 0.34 * len(names))
        left = [0.0] * len(names)
        for place, (name, lengths) in enumerate(parts):
            axes.barh(range(len(names)), lengths, left=left, height=0.62, color=COLORS[place % len(COLORS)], label=name)
            left = [start + length for start, length in zip(left, lengths, strict=True)]
        axes.set_yticks(range(len(names)), names)
        axes.set_ylim(len(names) - 0.5, -0.5)
        axes.set_xlabel(label)
        return _svg(figure, axes, legend=len(parts) > 1)


def _axes(height: float) -> tuple[Figure, Axes]:
    figure = Figure(figsize=(WIDTH, height), layout="constrained")
    return figure, figure.add_subplot()


def _svg(figure: Figure, axes: Axes, *, legend: bool = False) -> str:
    if legend:
        figure.legend(loc="outside upper center", ncols=2)
    text = io.StringIO()
    figure.savefig(text, format="svg", transparent=True, metadata={"Date": None})
    return text.getvalue()
