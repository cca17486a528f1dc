"""How many puzzles of the tactical suites the engine solves in a given time, or in a given number of nodes.

A mate is solved by a first move that forces it. A turn that has to take a Chieftain, or the last one, is solved if one
fewer or none is left; one that has to save all Chieftains, if none of all turns of the enemy could then capture one.

    python -m benches.tactics [GAME ...] [--time 1 | --nodes 100000] [--threads 1] [--failed]
    python -m benches.tactics chess --epd SUITE.epd

A suite in EPD, of a single game, says by `bm` what solves a position, or by `am` what does not.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from acedrex import Board, Engine, Limit, Move, _native, epd

SUITES = Path(__file__).resolve().parents[1] / "tests" / "data" / "tactics"


@dataclass(frozen=True, slots=True, kw_only=True)
class Puzzle:
    """One position of a suite."""

    game: str
    fen: str
    kind: str
    themes: list[str]
    solutions: list[str]
    proof_nodes: int

    def board(self) -> Board:
        """Set it up."""
        return Board(self.game, self.fen)

    def is_solved_by(self, moves: Iterable[Move]) -> bool:
        """Check whether a turn does what is asked."""
        board = self.board()
        if self.kind.startswith(("mate", "best move")):
            return next(iter(moves)).uci() in self.solutions
        us = board.turn
        before = len(board.royals(not us))
        for move in moves:
            board.push(move)
        left = len(board.royals(not us))
        match self.kind:
            case "take a chieftain":
                return left < before
            case "take the last chieftain":
                return left == 0
            case _:
                return not _native.captures_royal(board)


def suite(game: str) -> list[Puzzle]:
    """Read the suite of a game."""
    file = json.loads((SUITES / f"{game}.json").read_text(encoding="utf-8"))
    return [Puzzle(game=game, **puzzle) for puzzle in file["puzzles"]]


def epd_suite(path: Path, game: str) -> list[Puzzle]:
    """Read a suite in EPD: whatever legal move is best, and not to be avoided, solves a position."""
    with path.open(encoding="utf-8") as file:
        return [
            Puzzle(
                game=game,
                fen=entry.board.fen(),
                kind="best move",
                themes=[],
                solutions=[move.uci() for move in entry.board.legal_moves if entry.is_solved_by(move)],
                proof_nodes=0,
            )
            for entry in epd.read(file, game)
        ]


def solved(engine: Engine, puzzles: Iterable[Puzzle], limit: Limit) -> Iterator[tuple[Puzzle, bool]]:
    """Make the engine solve every puzzle, each as a new game."""
    for puzzle in puzzles:
        engine.clear()
        yield puzzle, puzzle.is_solved_by(engine.play(puzzle.board(), limit).moves)


def main() -> None:
    games = sorted(path.stem for path in SUITES.glob("*.json"))
    parser = argparse.ArgumentParser(prog="benches.tactics", description="Let the engine solve the tactical suites.")
    parser.add_argument("games", nargs="*", metavar="GAME", help=", ".join(games))
    parser.add_argument("--epd", type=Path, metavar="FILE", help="a suite in EPD, of the one GAME that is named")
    parser.add_argument("--time", type=float, default=1.0, help="seconds for each puzzle")
    parser.add_argument("--nodes", type=int, help="nodes for each puzzle, instead of seconds")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--failed", action="store_true", help="show every puzzle that was not solved")
    arguments = parser.parse_args()
    if arguments.epd and len(arguments.games) != 1:
        parser.error("--epd takes one GAME, of which its positions are")
    if unknown := [] if arguments.epd else sorted(set(arguments.games) - set(games)):
        parser.error(f"there is no suite of {', '.join(unknown)}; there are {', '.join(games)}")
    limit = Limit(nodes=arguments.nodes) if arguments.nodes else Limit(time=arguments.time)
    with Engine(threads=arguments.threads) as engine:
        for game in arguments.games or games:
            right, all_of = Counter[str](), Counter[str]()
            puzzles = epd_suite(arguments.epd, game) if arguments.epd else suite(game)
            for puzzle, is_solved in solved(engine, puzzles, limit):
                names = [puzzle.kind, *(f"  {puzzle.kind}: {theme}" for theme in puzzle.themes)]
                all_of.update(names)
                right.update(names if is_solved else ())
                if arguments.failed and not is_solved:
                    print(f"{game}: {puzzle.kind}, {puzzle.fen}: {' or '.join(puzzle.solutions)}", flush=True)
            print(f"\n{game}")
            for name in sorted(all_of, key=lambda name: (name.strip(), name)):
                print(f"{name:<44}{right[name]:>4} of {all_of[name]:>3}", flush=True)


if __name__ == "__main__":
    main()
