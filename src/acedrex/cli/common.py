"""Arguments that several commands have in common."""

from __future__ import annotations

import argparse

from acedrex.cli.values import GAME

__all__ = ["definitions", "game", "looks", "position"]


def game(sub: argparse.ArgumentParser) -> None:
    """Add the game."""
    sub.add_argument("game", metavar="GAME", help=GAME)


def position(sub: argparse.ArgumentParser) -> argparse._MutuallyExclusiveGroup:
    """Add where to start; return the group of these arguments."""
    start = sub.add_mutually_exclusive_group()
    start.add_argument("--fen", metavar="FEN", help="the position (default: the starting position)")
    start.add_argument("--setup", metavar="SETUP", help="name of a setup, its number, or random")
    return start


def looks(sub: argparse.ArgumentParser) -> None:
    """Add how a board is drawn."""
    sub.add_argument(
        "--color",
        choices=("auto", "always", "never"),
        default="auto",
        help="colours; auto means only on a terminal",
    )
    pieces = sub.add_mutually_exclusive_group()
    pieces.add_argument("--unicode", action="store_true", help="chess figurines where they exist")
    pieces.add_argument("--letters", action="store_false", dest="unicode", help="letters for all pieces (the default)")


def definitions(sub: argparse.ArgumentParser) -> None:
    """Add the definition files that an engine offers besides the shipped games."""
    sub.add_argument(
        "--game",
        metavar="GAME",
        action="append",
        default=[],
        help="another definition file to offer; may be repeated",
    )
