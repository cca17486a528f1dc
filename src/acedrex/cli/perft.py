"""``acedrex perft``: counts positions, to test the move generator."""

from __future__ import annotations

import argparse
import json
import time

from acedrex.board import Board
from acedrex.cli import common
from acedrex.cli.load import load_game, make_board
from acedrex.cli.values import depth

__all__ = ["count", "run"]

#: The depth that the core counts without interruption; above it Ctrl-C is noticed.
STRIDE = 3


def count(board: Board, depth: int) -> int:
    """Return the number of positions after ``depth`` half-moves. The board is unchanged afterwards."""
    if depth <= STRIDE:
        return int(board.perft(depth))
    nodes = 0
    for move in list(board.legal_moves):
        board.push(move)
        nodes += count(board, depth - 1)
        board.pop()
    return nodes


def arguments(sub: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    common.game(sub)
    common.position(sub)
    sub.add_argument("depth", metavar="DEPTH", type=depth, help="depth in half-moves")
    sub.add_argument("--divide", action="store_true", help="also count for each first move")
    sub.add_argument("--json", action="store_true", help="print one JSON object")


def run(args: argparse.Namespace) -> int:
    """Count positions and print the numbers, as text or as JSON."""
    board = make_board(load_game(args.game), args.fen, args.setup)
    divide: dict[str, int] = {}
    start = time.perf_counter()
    if args.divide and args.depth:
        for move in list(board.legal_moves):
            board.push(move)
            divide[move.uci()] = count(board, args.depth - 1)
            board.pop()
        nodes = sum(divide.values())
    else:
        nodes = count(board, args.depth)
    seconds = time.perf_counter() - start
    if args.json:
        values = {
            "game": board.game.spec,
            "fen": board.fen(),
            "depth": args.depth,
            "nodes": nodes,
            "seconds": round(seconds, 6),
            "nps": round(nodes / seconds) if seconds else None,
            "divide": dict(sorted(divide.items())) if args.divide else None,
        }
        print(json.dumps(values))
        return 0
    for move_text in sorted(divide):
        print(f"{move_text}: {divide[move_text]}")
    print(f"Nodes: {nodes}")
    return 0
