"""Lets python-chess play a game of chess with a UCI engine; the engine's command is in the arguments."""

from __future__ import annotations

import json
import sys

import chess
import chess.engine

MOST = 600


def is_over(board: chess.Board) -> bool:
    """Tell whether the game is over, or a draw may be claimed for what stands on the board."""
    return board.is_game_over() or board.is_repetition(3) or board.is_fifty_moves()


def play(engine: chess.engine.SimpleEngine) -> chess.Board:
    """Play to the end, by clock, depth and nodes in turns, and thinking ahead."""
    board = chess.Board()
    limits = [
        chess.engine.Limit(white_clock=5, black_clock=5, white_inc=0.02, black_inc=0.02, remaining_moves=200),
        chess.engine.Limit(depth=3),
        chess.engine.Limit(nodes=500),
        chess.engine.Limit(time=0.01),
    ]
    # What may be claimed for a position that a move would only bring about does not count.
    while not is_over(board) and len(board.move_stack) < MOST:
        limit = limits[board.fullmove_number % len(limits)]
        result = engine.play(board, limit, ponder=board.fullmove_number % 2 == 0, info=chess.engine.INFO_ALL)
        board.push(result.move)
    return board


with chess.engine.SimpleEngine.popen_uci(sys.argv[1:]) as engine:
    engine.configure({"Hash": 16, "Threads": 1, "Skill Level": 10, "UCI_ShowWDL": True})
    start = chess.Board()
    lines = engine.analyse(start, chess.engine.Limit(depth=4), multipv=3)
    assert len({line["pv"][0] for line in lines}) == 3
    assert all({"score", "wdl", "nodes", "nps", "seldepth", "hashfull", "time"} <= line.keys() for line in lines)
    confined = engine.play(start, chess.engine.Limit(depth=2), root_moves=[chess.Move.from_uci("a2a3")])
    assert confined.move == chess.Move.from_uci("a2a3")
    engine.ping()
    board = play(engine)
moves = [move.uci() for move in board.move_stack]
print(json.dumps({"moves": moves, "fen": board.fen(), "result": board.result(claim_draw=True)}))
