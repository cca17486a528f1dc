"""Measures how hard puzzles are: the first step of a ladder of engines that solves them.

python -m acedrex.lessons.levels GAME [--all]

Measures the puzzles of a game that have not been measured yet, or all of them, and writes the steps to its file. The
result is the same on every machine.
"""

from __future__ import annotations

import argparse
import dataclasses

from acedrex import _native
from acedrex.board import Board
from acedrex.engine import Engine, Limit
from acedrex.game import Game, load
from acedrex.lessons import puzzles
from acedrex.lessons.mine import FOLDER, write
from acedrex.lessons.puzzle import WITH_REPLIES, Puzzle
from acedrex.limits import MAX_LEVEL

#: The ladder: the levels 1 to 9, which are weakened, then full strength with this many nodes, then with more.
LEVELS, NODES = range(1, MAX_LEVEL), (1_000, 4_000, 16_000)
#: A level solves a puzzle if it solves it in this many of so many tries; full strength plays alike in every try.
NEEDED, TRIES = 2, 5


def first_step(game: Game, puzzle: Puzzle) -> int:
    """Return the first step of the ladder that solves a puzzle: from 1 to 12, or 13 if none does."""
    for level in LEVELS:
        solved = 0
        for seed in range(TRIES):
            # Every try begins with an empty hash table, so that it depends on nothing but its seed.
            with Engine(hash_mb=1, level=level, seed=seed) as engine:
                solved += is_solved(engine, game, puzzle, Limit())
            if solved == NEEDED:
                return level
    for step, nodes in enumerate(NODES, LEVELS.stop):
        with Engine(hash_mb=16) as engine:
            if is_solved(engine, game, puzzle, Limit(nodes=nodes)):
                return step
    return LEVELS.stop + len(NODES)


def is_solved(engine: Engine, game: Game, puzzle: Puzzle, limit: Limit) -> bool:
    """Return whether an engine finds every move of the solution, or a turn that reaches the goal."""
    board = Board(game, puzzle.fen)
    if puzzle.goal in WITH_REPLIES:
        for index, move in enumerate(puzzle.line):
            if index % 2 == 0 and engine.play(board, limit).moves[0].uci() != move:
                return False
            board.push_uci(move)
        return True
    us = board.turn
    royals = len(board.royals(not us))
    for made in engine.play(board, limit).moves:
        board.push(made)
    if puzzle.goal == "save":
        return not _native.captures_royal(board)
    return royals - len(board.royals(not us)) >= puzzle.takes(game) or board.is_checkmate()


def main() -> None:
    """Measure the puzzles of a game."""
    parser = argparse.ArgumentParser(prog="acedrex.lessons.levels")
    parser.add_argument("game")
    parser.add_argument("--all", action="store_true", help="measure those that have been measured again")
    arguments = parser.parse_args()
    game = load(arguments.game)
    measured = [
        dataclasses.replace(one, step=first_step(game, one)) if arguments.all or not one.step else one
        for one in puzzles(game.id)
    ]
    write(FOLDER / "puzzles" / f"{game.id}.json", game.id, measured)


if __name__ == "__main__":
    main()
