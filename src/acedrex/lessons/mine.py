"""Finds puzzles in random positions, and in games of the engine against itself.

python -m acedrex.lessons.mine GAME [--seed 1] [--games 40] [--only exercises | daily]
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import random
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from pathlib import Path

from acedrex._native import Move
from acedrex.board import Board
from acedrex.engine import Engine, Limit
from acedrex.errors import Error
from acedrex.game import Game, Piece, games, load
from acedrex.lessons.prove import TooLongError
from acedrex.lessons.puzzle import Goal, Puzzle, solve
from acedrex.squares import square, square_file, square_rank

#: The exercises of games that have files of them, from easy to hard: what each teaches, and its moves if more than one.
PLANS = {
    "metamachy": "L G C M promotion jump en_passant G:2 C:2 L:3",
    "zanzibar-s": "U F V W Z jump en_passant U:2 V:2 F:3",
    "maasai": "D O U A promotion jump en_passant O:2 D:2 G:3",
    "magi": "W A D promotion castling en_passant W:2 D:2 A:2 W:3",
    "chieftain": "H S N M C command:2 command:2 command:2 command:2 command:2",
}
#: The most positions of a proof: many when mining, few on a server.
PATIENCE, HASTE = 60_000, 3_000
#: The random positions tried for each exercise of a plan.
TRIES = 400_000


def taught(board: Board, line: list[Move]) -> str:
    """Return what a solution teaches: the piece that moves first, the piece that captures, or a rule."""
    if not board.game.has_check and len(line) > 1:
        return _taught_by_turn(board, line)
    move = line[0]
    info, piece = board.move_info(move), board.piece_at(move.from_square)
    assert piece
    if info.partner is not None:
        return "castling"
    if info.captured_on not in (None, move.to_square):
        return "en_passant"
    if move.promotion is not None:
        return "promotion"
    royal = board.game.piece(piece.letter).royal
    return "jump" if info.reach is None and royal else piece.letter


def _taught_by_turn(board: Board, line: list[Move]) -> str:
    after = board.copy(stack=False)
    for move in line[:-1]:
        after.push(move)
    first, captor = board.piece_at(line[0].from_square), after.piece_at(line[-1].from_square)
    assert first
    assert captor
    return "command" if board.game.piece(first.letter).royal and first != captor else captor.letter


class Placer:
    """Places a few pieces at random, White's near the enemy's royal piece."""

    def __init__(self, game: Game, chance: random.Random) -> None:
        """Create a placer for the kinds of pieces of the starting position."""
        self._game, self._random = game, chance
        start = Board(game)
        kinds = {piece.letter for piece in start.piece_map().values()}
        self._royal = next(piece.letter for piece in game.pieces if piece.royal)
        self.others = [piece.letter for piece in game.pieces if piece.letter in kinds and not piece.royal]
        self._rights = start.rights

    def place(self, teaches: str) -> Board | None:
        """Return a random position, usually with White to move; ``None`` if it cannot be played."""
        game, chance = self._game, self._random
        board = Board(game)
        board.clear()
        fixed = self._fixed(teaches)
        seen = next(iter(fixed), None)
        if seen is None:
            king = self._anywhere() if chance.random() < 0.25 or not game.has_check else self._edge()
        else:
            king = self._near(seen, 4)
        royals = 1 if game.has_check else chance.randint(2, 3)
        pieces = [(self._royal, False, 4) for _ in range(royals - 1)]
        pieces += [(self._royal, True, 5) for _ in range(royals) if Piece(self._royal, True) not in fixed.values()]
        letters = [teaches] if teaches in self.others else self._soldiers()[:1] if teaches == "promotion" else []
        letters += chance.choices(self.others, k=chance.randint(1, 4))
        pieces += [(letter, True, chance.randint(2, 7)) for letter in letters]
        pieces += [(letter, False, 3) for letter in chance.choices(self.others, k=chance.randint(0, 5))]
        fixed.setdefault(king, Piece(self._royal, False))
        for at, piece in fixed.items():
            board.set_piece_at(at, piece)
        for letter, white, distance in pieces:
            at = self._near(king, distance)
            if board.piece_at(at) is not None:
                return None
            board.set_piece_at(at, Piece(letter, white))
        board.turn = teaches != "en_passant"
        fen = board.fen().split(" ")
        for rights in self._rights_for(teaches):
            fen[2] = rights
            try:
                found = Board(game, " ".join(fen))
            except Error:
                continue
            return None if found.is_game_over() else found
        return None

    def _fixed(self, teaches: str) -> dict[int, Piece]:
        """Return the pieces that a rule needs on certain squares."""
        chance, game = self._random, self._game
        home = Board(game).king(True)
        if teaches in ("jump", "castling") and home is not None:
            rook = {square(chance.choice([0, game.files - 1]), 0): Piece("R", True)} if teaches == "castling" else {}
            return {home: Piece(self._royal, True), **rook}
        if teaches == "en_passant":
            victim = chance.choice(sorted(Board(game).pieces(self._soldiers()[0], False)))
            beside = square_file(victim) + chance.choice([-1, 1])
            if 0 <= beside < game.files:
                captor = square(beside, square_rank(victim) - 2)
                return {victim: Piece(self._soldiers()[0], False), captor: Piece(self._soldiers()[0], True)}
        return {}

    def _rights_for(self, teaches: str) -> list[str]:
        rights = "".join(right for right in self._rights if right.isupper())
        if teaches == "jump":
            return ["K"]
        if teaches == "castling":
            return ["K", "Q"] if "Q" in rights else [rights]
        return ["-"]

    def _soldiers(self) -> list[str]:
        return [p.letter for p in self._game.pieces if p.letter in self.others and p.is_soldier] or self.others

    def _anywhere(self) -> int:
        return square(self._random.randrange(self._game.files), self._random.randrange(self._game.ranks))

    def _edge(self) -> int:
        chance, game = self._random, self._game
        along = square(chance.randrange(game.files), chance.choice([0, 1, game.ranks - 1, game.ranks - 2]))
        across = square(chance.choice([0, game.files - 1]), chance.randrange(game.ranks))
        return chance.choice([along, along, across])

    def _near(self, at: int, distance: int) -> int:
        def beside(value: int, size: int) -> int:
            return min(max(value + self._random.randint(-distance, distance), 0), size - 1)

        return square(beside(square_file(at), self._game.files), beside(square_rank(at), self._game.ranks))


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


def after_double_step(board: Board, chance: random.Random) -> Board | None:
    """Return the position after a move of Black that allows a capture *en passant*; ``None`` if there is none."""
    moves = [move for move in board.legal_moves if move.special is None]
    chance.shuffle(moves)
    for move in moves:
        board.push(move)
        if board.fen().split(" ")[3] != "-":
            return Board(board.game, board.fen())
        board.pop()
    return None


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


def from_play(game: Game, chance: random.Random, games: int) -> Iterator[Puzzle]:
    """Let the engine play against itself, and yield puzzles from its games."""
    goal = goal_of(game)
    # Captures of royal pieces are missed by weak levels, throughout a game; mates are searched for only in the last
    # moves of a game.
    captures = goal == "capture"
    lengths = ((3, 3), (2, 2), (2, 1)) if captures else ((3, 1), (2, 1))
    levels: Iterable[int | None] = range(1, 6) if captures else [None]
    with ExitStack() as stack:
        engines = [Engine(hash_mb=16, level=level, seed=chance.randrange(2**32)) for level in levels]
        players = [stack.enter_context(engine) for engine in engines]
        for _ in range(games):
            board = Board(game, setup=chance.randint(1, len(game.setups)) if len(game.setups) else None)
            for _ in range(chance.randint(2, 8)):
                board.push(chance.choice(list(board.legal_moves)))
            for player in players:
                player.clear()
            while not board.is_game_over(claim_draw=True) and board.ply() < (1200 if captures else 400):
                limit = Limit(nodes=chance.choice([300, 1500, 4000]))
                for move in chance.choice(players).play(board, limit).moves:
                    board.push(move)
            found: list[Puzzle] = []
            for _ in range(board.ply() if captures else min(14, board.ply())):
                board.pop()
                if not board.turn_moves:
                    found += look(board, goal, lengths)
            # One puzzle per game is enough: the longest.
            yield from sorted(found, key=lambda puzzle: puzzle.moves)[-1:]


def look(board: Board, goal: Goal, lengths: Iterable[tuple[int, int]]) -> Iterator[Puzzle]:
    """Yield the puzzle of a position for the first pair of moves and captured royal pieces that has one."""
    for moves, takes in lengths:
        found = _solved(board, goal, moves, PATIENCE, takes)
        if found:
            yield Puzzle(fresh(found.fen), found.goal, found.line)
            return


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


def write(path: Path, game: str, puzzles: list[Puzzle]) -> None:
    """Write puzzles to a file, one per line."""
    lines = [
        json.dumps(
            {"fen": p.fen, "goal": p.goal, "line": " ".join(p.line)} | ({"teaches": p.teaches} if p.teaches else {})
        )
        for p in puzzles
    ]
    path.write_text(f'{{"game": "{game}", "puzzles": [\n' + ",\n".join(lines) + "\n]}\n", encoding="utf-8")


def difficulty(game: Game, puzzle: Puzzle) -> tuple[int, int]:
    """Return the difficulty of a puzzle: the moves to find, and the number of legal first moves."""
    return puzzle.moves, len(Board(game, puzzle.fen).legal_moves)


def from_suite(game: Game, path: Path) -> Iterator[Puzzle]:
    """Yield the puzzles of a tactical suite that have only one solution."""
    for entry in json.loads(path.read_text(encoding="utf-8"))["puzzles"]:
        if game.has_check and entry["proof_nodes"] < PATIENCE:
            yield from look(Board(game, entry["fen"]), "mate", [(int(entry["kind"].removeprefix("mate in ")), 1)])


def main() -> None:
    """Mine the puzzle files of a game."""
    parser = argparse.ArgumentParser(prog="acedrex.lessons.mine")
    parser.add_argument("game", choices=games())
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--only", choices=["exercises", "daily"])
    parser.add_argument("--suite", type=Path, help="a tactical suite to include in the daily puzzles")
    arguments = parser.parse_args()
    game, here = load(arguments.game), Path(__file__).parent
    chance = random.Random(arguments.seed)
    if arguments.only != "daily":
        found = printed(planned(game, chance) if game.id in PLANS else made(game))
        write(
            here / "exercises" / f"{game.id}.json", game.id, sorted(found, key=lambda puzzle: difficulty(game, puzzle))
        )
    if arguments.only != "exercises":
        puzzles = printed(from_play(game, chance, arguments.games))
        puzzles += printed(from_suite(game, arguments.suite)) if arguments.suite else []
        chance.shuffle(puzzles)
        write(here / "daily" / f"{game.id}.json", game.id, puzzles)


def printed(puzzles: Iterable[Puzzle]) -> list[Puzzle]:
    """Print puzzles as they are found, and return them."""
    found = []
    for puzzle in puzzles:
        found.append(puzzle)
        print(len(found), puzzle.teaches, puzzle.fen, *puzzle.line, flush=True)
    return found


if __name__ == "__main__":
    main()
