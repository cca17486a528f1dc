"""Finds puzzles in random positions, and in games of the engine against itself.

python -m acedrex.lessons.mine GAME exercises [--seed 1]
python -m acedrex.lessons.mine GAME THEME [--seed 1] [--number 10] [--suite FILE]

Exercises are written anew. Puzzles of a theme are added to those that the game has, each as soon as it is found, until
there are as many as wanted; a run can be ended and started again at any time.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import random
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from acedrex._native import Move
from acedrex.board import Board
from acedrex.engine import Engine, Limit, Score
from acedrex.game import Game, games, load
from acedrex.lessons import puzzles
from acedrex.lessons.place import Placer, after_double_step, earlier
from acedrex.lessons.puzzle import Goal, Puzzle, TooLongError, solve
from acedrex.lessons.themes import THEMES, Theme, taught, themes

#: Where the files of exercises and puzzles are.
FOLDER = Path(__file__).parent
#: The exercises of games that have files of them, from easy to hard: what each teaches, and its moves if more than one.
PLANS = {
    "metamachy": "L G C M promotion jump en_passant G:2 C:2 L:3",
    "zanzibar-s": "U F V W Z jump en_passant U:2 V:2 F:3",
    "maasai": "D O U A promotion jump en_passant O:2 D:2 G:3",
    "magi": "W A D promotion castling en_passant W:2 D:2 A:2 W:3",
    "chieftain": "H S N M C command:2 command:2 command:2 command:2 command:2",
    "acedrex": "L U A G C promotion jump U:2 A:2 L:2",
    "omega": "C N B R promotion Q W:2 C:2 N:2 B:2",
    "zanzibar-xl": "D O U F V promotion jump en_passant D:2 O:2",
    "gigachess": "A H X O D L promotion jump U:2 F:2",
    "courier": "M B R N F W E R:2 B:2 M:2",
    "shatranj": "R N F E P R:2 N:2 F:2 E:2 R:3",
}
#: The most positions of a proof: many when mining, more for a puzzle of a suite, few on a server.
PATIENCE, MORE_PATIENCE, HASTE = 60_000, 4_000_000, 3_000
#: The fewest legal moves in a puzzle with only one defence.
FEWEST_DEFENCES = 5
#: The centipawns from which a mate is looked for.
WINNING = 600
#: The most moves of a game in which puzzles are looked for.
LONGEST_GAME = 1200
#: The random positions tried for each exercise of a plan.
TRIES = 400_000


def planned(game: Game, chance: random.Random) -> Iterator[Puzzle]:
    """Yield puzzles for a game's plan, from random positions."""
    placer, goal = Placer(game, chance), goal_of(game)
    for word in PLANS[game.id].split():
        teaches, _, moves = word.partition(":")
        for _ in range(TRIES):
            board = placer.place(teaches)
            if board is None:
                continue
            if teaches == "en_passant":
                board = after_double_step(board, chance)
                if board is None:
                    continue
            found = _solved(board, goal, int(moves or 1), PATIENCE)
            if found and found.teaches == teaches:
                yield found
                break


def _solved(board: Board, goal: Goal, moves: int, most: int, takes: int = 1) -> Puzzle | None:
    try:
        found = solve(board, goal, moves, most, takes)
    except TooLongError:
        return None
    if found is None:
        return None
    return dataclasses.replace(found, teaches=taught(board, [Move.from_uci(move) for move in found.line]))


def scattered(game: Game, chance: random.Random, moves: int) -> Iterator[Puzzle]:
    """Yield puzzles of any kind from random positions."""
    placer, goal = Placer(game, chance), goal_of(game)
    for _ in range(12_000):
        board = placer.place("")
        found = _solved(board, goal, moves, HASTE) if board else None
        if found:
            yield found


def goal_of(game: Game) -> Goal:
    """Return the goal of the puzzles of a game."""
    if not game.has_check:
        return "capture"
    return "turn_mate" if game.turns_of_several_moves else "mate"


def candidates(game: Game, theme: Theme, chance: random.Random) -> Iterator[Iterable[tuple[Board, Goal, int, int]]]:
    """Yield groups of positions, each with a goal, a number of moves, and royal pieces to capture, without end.

    One puzzle of a group is enough: a group has one random position, or the positions of one game.
    """
    placer, goal = Placer(game, chance), goal_of(game)
    rules = [rule for rule in ("promotion", "jump", "castling", "en_passant") if rule in game.rules]
    with played(game, chance) as games, Engine(hash_mb=1) as engine:
        while True:
            if theme.startswith("mate_in_"):
                shorter = [
                    puzzle.fen for puzzle in puzzles(game.id) if puzzle.goal == goal == "mate" and puzzle.moves > 2
                ]
                if shorter and chance.random() < 0.5:
                    board = earlier(Board(game, chance.choice(shorter)), chance)
                else:
                    board = placer.place("")
                yield [(board, goal, int(theme[-1]), 1)] if board and _may_mate(engine, board, int(theme[-1])) else []
            elif theme == "special_rule" and game.has_check:
                teaches = chance.choice(rules)
                board = placer.place(teaches)
                if board and teaches == "en_passant":
                    board = after_double_step(board, chance)
                yield [(board, chance.choice(("mate", "win")), 2, 1)] if board else []
            elif theme == "save" and chance.random() < 0.98:
                board = placer.place("", attacked=True)
                yield [(board, "defence" if game.has_check else "save", chance.choice((1, 2)), 1)] if board else []
            elif theme == "save":
                yield [(board, "defence" if game.has_check else "save", 1, 1) for board in next(games)[:20]]
            elif game.has_check:
                positions = next(games)
                chance.shuffle(positions)
                yield [(board, "win", 2, 1) for board in positions]
            else:
                yield [(board, goal, *way) for board in next(games) for way in ((3, 3), (2, 2), (2, 1))]


def themed(game: Game, theme: Theme, chance: random.Random) -> Iterator[Puzzle]:
    """Yield puzzles of a theme, without end."""
    for group in candidates(game, theme, chance):
        for board, goal, moves, takes in group:
            if goal == "defence" and len(board.legal_moves) < FEWEST_DEFENCES:
                continue
            found = _solved(board, goal, moves, PATIENCE, takes)
            if found and theme in themes(game, found) and not (goal == "win" and _ends_in_mate(game, found)):
                yield Puzzle(fresh(found.fen), found.goal, found.line)
                break


def _ends_in_mate(game: Game, puzzle: Puzzle) -> bool:
    board = Board(game, puzzle.fen)
    for move in puzzle.line:
        board.push_uci(move)
    return board.is_checkmate()


@contextmanager
def played(game: Game, chance: random.Random) -> Iterator[Iterator[list[Board]]]:
    """Yield games between weak levels of the engine: the positions at the start of turns, latest first."""
    with ExitStack() as stack:
        engines = [Engine(hash_mb=16, level=level, seed=chance.randrange(2**32)) for level in range(1, 6)]
        players = [stack.enter_context(engine) for engine in engines]

        def games() -> Iterator[list[Board]]:
            while True:
                board = Board(game, setup=chance.randint(1, len(game.setups)) if len(game.setups) else None)
                for _ in range(chance.randint(2, 8)):
                    board.push(chance.choice(list(board.legal_moves)))
                for player in players:
                    player.clear()
                positions: list[Board] = []
                while not board.is_game_over(claim_draw=True) and board.ply() < LONGEST_GAME:
                    positions.insert(0, Board(game, board.fen()))
                    for move in chance.choice(players).play(board).moves:
                        board.push(move)
                yield positions

        yield games()


def _may_mate(engine: Engine, board: Board, moves: int) -> bool:
    """Return whether a quick search finds a mate in this number of moves."""
    # Most random positions are not worth a longer search: hardly anything is won, or mate is nearer.
    for nodes in (200, 400 * moves**2):
        found = engine.analyse(board, Limit(nodes=nodes))
        if not found or found[0].score < Score(cp=WINNING) or found[0].score > Score(mate=moves):
            return False
    return found[0].score == Score(mate=moves)


def fresh(fen: str) -> str:
    """Return a FEN with the half-move clock reset."""
    fields = fen.split(" ")
    return " ".join([*fields[:4], "0", *fields[5:]])


def made(game: Game) -> list[Puzzle]:
    """Return up to ten exercises for any game, the same each time."""
    if not any(piece.royal for piece in game.pieces):
        return []
    chance = random.Random(game.rules_hash)
    found: list[Puzzle] = []
    for moves, number in ((1, 7), (2, 10)):
        for puzzle in scattered(game, chance, moves):
            if [other.teaches for other in found].count(puzzle.teaches) < 2:
                found.append(puzzle)
            if len(found) == number:
                break
    return sorted(found, key=lambda puzzle: difficulty(game, puzzle))


def write(path: Path, game: str, found: Iterable[Puzzle]) -> None:
    """Write puzzles to a file, one per line."""
    lines = [
        json.dumps(
            {"fen": one.fen, "goal": one.goal, "line": " ".join(one.line)}
            | ({"teaches": one.teaches} if one.teaches else {})
            | ({"step": one.step} if one.step else {})
        )
        for one in found
    ]
    path.write_text(f'{{"game": "{game}", "puzzles": [\n' + ",\n".join(lines) + "\n]}\n", encoding="utf-8")


def difficulty(game: Game, puzzle: Puzzle) -> tuple[int, int]:
    """Return the difficulty of an exercise: the moves to find, and the number of legal first moves."""
    return puzzle.moves, len(Board(game, puzzle.fen).legal_moves)


def from_suite(game: Game, theme: Theme, path: Path) -> Iterator[Puzzle]:
    """Yield the mates of a theme in a tactical suite that have only one solution."""
    for entry in json.loads(path.read_text(encoding="utf-8"))["puzzles"]:
        if entry["kind"].replace(" ", "_") == theme:
            found = _solved(Board(game, fresh(entry["fen"])), "mate", int(theme[-1]), MORE_PATIENCE)
            if found:
                yield dataclasses.replace(found, teaches="")


def add(game: Game, theme: Theme, number: int, found: Iterator[Puzzle]) -> None:
    """Add puzzles to the file of a game until it has ``number`` of a theme."""
    stored = list(puzzles(game.id))
    placements = {puzzle.fen.split(" ")[0] for puzzle in stored}
    count = sum(theme in themes(game, puzzle) for puzzle in stored)
    while count < number and (puzzle := next(found, None)):
        placement = puzzle.fen.split(" ")[0]
        if placement not in placements:
            placements.add(placement)
            stored.append(puzzle)
            count += 1
            write(FOLDER / "puzzles" / f"{game.id}.json", game.id, stored)
            print(count, theme, puzzle.fen, *puzzle.line, flush=True)


def main() -> None:
    """Mine puzzles or exercises of a game."""
    parser = argparse.ArgumentParser(prog="acedrex.lessons.mine")
    parser.add_argument("game", choices=games())
    parser.add_argument("what", choices=["exercises", *THEMES])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--number", type=int, default=10, help="the puzzles of the theme that the game shall have")
    parser.add_argument("--suite", type=Path, help="a tactical suite to take mates from")
    arguments = parser.parse_args()
    game, chance, theme = load(arguments.game), random.Random(arguments.seed), arguments.what
    if theme == "exercises":
        made_now = planned(game, chance) if game.id in PLANS else made(game)
        ordered = sorted(made_now, key=lambda puzzle: difficulty(game, puzzle))
        write(FOLDER / "exercises" / f"{game.id}.json", game.id, ordered)
    elif arguments.suite:
        add(game, theme, arguments.number, from_suite(game, theme, arguments.suite))
    else:
        add(game, theme, arguments.number, themed(game, theme, chance))


if __name__ == "__main__":
    main()
