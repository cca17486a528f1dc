"""Random games of chess with python-chess, for benches/python_api.py; run in the environment beside this file.

Prints one JSON line: plies a second of each loop, and the microseconds that looking at pieces takes.
"""

import itertools
import json
import random
import sys
import time

import chess


def by_index(seed, plies):
    rng, board = random.Random(seed), chess.Board()
    for _ in range(plies):
        count = board.legal_moves.count()
        if not count:
            board = chess.Board()
            continue
        # There is no indexing; this is the shortest way to the same move.
        index = rng.randrange(count)
        board.push(next(itertools.islice(board.legal_moves, index, None)))


def whole_list(seed, plies):
    rng, board = random.Random(seed), chess.Board()
    for _ in range(plies):
        moves = list(board.legal_moves)
        if not moves:
            board = chess.Board()
            continue
        board.push(rng.choice(moves))


def pieces(board, calls):
    for _ in range(calls):
        board.pieces(chess.KNIGHT, chess.WHITE)


def piece_map(board, calls):
    for _ in range(calls):
        board.piece_map()


def main():
    plies, runs = int(sys.argv[1]), int(sys.argv[2])
    found = {"name": f"python-chess {chess.__version__}"}
    for loop in (by_index, whole_list):
        times = []
        for _ in range(runs):
            begun = time.perf_counter()
            loop(1, plies)
            times.append(time.perf_counter() - begun)
        found[loop.__name__] = plies / min(times)
    for look in (pieces, piece_map):
        times = []
        for _ in range(runs):
            begun = time.perf_counter()
            look(chess.Board(), 2_000)
            times.append(time.perf_counter() - begun)
        found[look.__name__] = min(times) / 2_000 * 1e6
    print(json.dumps(found))


if __name__ == "__main__":
    main()
