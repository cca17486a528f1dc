"""``acedrex moves``: the legal moves."""

from __future__ import annotations

import argparse

from acedrex.cli import common
from acedrex.cli.load import load_game, make_board

__all__ = ["arguments", "run"]


def arguments(sub: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    common.game(sub)
    common.position(sub)
    sub.add_argument("--san", action="store_true", help="in algebraic notation instead of coordinates")


def run(args: argparse.Namespace) -> int:
    """Print the legal moves of a position, sorted, one per line."""
    board = make_board(load_game(args.game), args.fen, args.setup)
    words = [board.san(move) if args.san else move.uci() for move in board.legal_moves]
    print("".join(f"{word}\n" for word in sorted(words)), end="")
    return 0
