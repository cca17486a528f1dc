"""``acedrex moves``: the legal moves."""

from __future__ import annotations

import argparse

from acedrex.cli.load import load_game, make_board

__all__ = ["run"]


def run(args: argparse.Namespace) -> int:
    """List the legal moves of a position, one a line, sorted; none where the game is over by mate or stalemate."""
    board = make_board(load_game(args.game), args.fen, args.setup)
    words = [board.san(move) if args.san else move.uci() for move in board.legal_moves]
    print("".join(f"{word}\n" for word in sorted(words)), end="")
    return 0
