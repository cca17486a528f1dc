"""``acedrex games``: the shipped games."""

from __future__ import annotations

import argparse
import sys

from acedrex.cli import palette, terminal
from acedrex.cli.errors import CommandError
from acedrex.cli.load import load_game
from acedrex.cli.text import clean, wrap
from acedrex.game import games

__all__ = ["arguments", "run"]


def arguments(sub: argparse.ArgumentParser) -> None:
    """Add no arguments."""


def run(args: argparse.Namespace) -> int:
    """Print the games, each with a summary."""
    style = terminal.style(sys.stdout)
    rows = []
    failures = []
    for name in games():
        try:
            game = load_game(name)
        except CommandError as error:
            failures.append(str(error))
            continue
        board = f"{game.files}x{game.ranks}"
        rows.append((name, clean(game.name), board, clean(game.author), str(game.year or ""), game.summary))
    headings = ("id", "name", "board", "author", "year")
    widths = [max(len(row[i]) for row in [headings, *rows]) for i in range(len(headings))]

    def line(cells: tuple[str, ...]) -> str:
        return "  ".join(f"{cell:{size}}" for cell, size in zip(cells, widths, strict=False)).rstrip()

    print(style.paint(line(headings), palette.MUTED))
    indent = " " * (widths[0] + 2)
    for row in rows:
        text = line(row)
        print(style.paint(text[: len(row[0])], bold=True) + text[len(row[0]) :])
        for summary in wrap(row[-1], min(terminal.width(), 80), indent):
            print(style.paint(summary, palette.MUTED))
    for failure in failures:
        print(f"acedrex: {failure}", file=sys.stderr)
    return 1 if failures else 0
