"""``acedrex puzzles``: puzzles in the terminal."""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import get_args

from acedrex import lessons
from acedrex.board import BLACK, Board
from acedrex.cli import common, terminal
from acedrex.cli.errors import CommandError
from acedrex.cli.hints import hint
from acedrex.cli.listener import Listener
from acedrex.cli.match import Match
from acedrex.cli.play import ask_game
from acedrex.cli.reader import Reader
from acedrex.cli.text import clean, count
from acedrex.cli.values import number
from acedrex.cli.view import View
from acedrex.cli.words import side
from acedrex.errors import Error
from acedrex.game import FEATURED, Game, load
from acedrex.lessons import THEMES, Difficulty, Puzzle
from acedrex.squares import square_name

__all__ = ["arguments", "run"]

HELP = [
    ("e4, Nf3, e2e4", "play a move, in algebraic notation or by its two squares"),
    ("a4a5,f2f3", "several moves of one turn"),
    ("hint, solution", "show which piece moves next; show the solution"),
    ("again, next", "start the puzzle again; go to the next one"),
    ("?e4", "show how the piece on e4 moves; ?N or ?Knight: any piece"),
    ("moves, moves e4", "list the legal moves: all, or those from e4"),
    ("fen, board, flip", "print the FEN; redraw the board; flip it"),
    ("quit", "leave"),
]


def arguments(sub: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    sub.add_argument(
        "game",
        metavar="GAME",
        nargs="?",
        choices=FEATURED,
        help=f"{', '.join(FEATURED[:-1])} or {FEATURED[-1]}; you are asked if it is missing",
    )
    sub.add_argument("--theme", choices=THEMES, help="only puzzles of a theme")
    sub.add_argument("--difficulty", choices=get_args(Difficulty), help="only puzzles of a difficulty")
    first = "number of the first puzzle, as in the web app (default: a random one)"
    sub.add_argument("--number", metavar="N", type=number(1, 1_000_000), help=first)
    common.looks(sub)


def run(args: argparse.Namespace) -> int:
    """Show puzzles until the person leaves."""
    reader = Reader()
    name = args.game or ask_game(reader, FEATURED)
    if name is None:
        return 0
    if name not in FEATURED:
        raise CommandError(f"there are no puzzles of {clean(name)}; there are puzzles of {', '.join(FEATURED)}")
    game = load(name)
    found = chosen(game, args)
    numbers = [number for number, _ in found]
    start = numbers.index(args.number) if args.number else random.randrange(len(found))
    view = View(terminal.style(sys.stdout, args.color), unicode=args.unicode, in_place=reader.interactive)
    PuzzleConsole(game, found[start:] + found[:start], view, reader).listen()
    return 0


def chosen(game: Game, args: argparse.Namespace) -> list[tuple[int, Puzzle]]:
    """Return the puzzles of the theme and difficulty on the command line, with their numbers.

    :raises CommandError: if there are none, or the numbered one is not among them.
    """
    every = lessons.puzzles(game.id)
    wanted = set(lessons.puzzles(game.id, args.theme, args.difficulty))
    found = [(number, puzzle) for number, puzzle in enumerate(every, 1) if puzzle in wanted]
    kind = " and ".join(f"{name} {value}" for name in ("theme", "difficulty") if (value := getattr(args, name)))
    if not found:
        raise CommandError(f"{game.name} has no puzzles of {kind}; choose another theme or difficulty")
    if args.number and args.number > len(every):
        raise CommandError(f"{game.name} has no puzzle {args.number}; its puzzles are numbered from 1 to {len(every)}")
    if args.number and every[args.number - 1] not in wanted:
        raise CommandError(f"puzzle {args.number} of {game.name} is not of {kind}; give only its number")
    return found


class PuzzleConsole(Listener):
    """Shows puzzles one after another, and judges the moves that a person types."""

    help_lines = HELP

    def __init__(self, game: Game, puzzles: Sequence[tuple[int, Puzzle]], view: View, reader: Reader) -> None:
        """Show the first of some numbered puzzles; after the last one the first follows."""
        super().__init__(view, reader)
        self.game = game
        self.puzzles = puzzles
        self.place = 0
        self.over = False
        self.again()

    @property
    def board(self) -> Board:
        """The board with the moves made so far."""
        return self.match.board

    @property
    def puzzle(self) -> Puzzle:
        """The puzzle shown."""
        return self.puzzles[self.place][1]

    @property
    def commands(self) -> Mapping[str, Callable[[], None]]:
        """What each command without arguments does."""
        return {
            **super().commands,
            "hint": self.hint,
            "solution": self.solution,
            "again": self.again,
            "next": self.next,
        }

    def refresh(self) -> None:
        """Show the puzzle, and what is to be found."""
        if not self.stale:
            return
        self.view.match(self.match)
        number, puzzle = self.puzzles[self.place]
        print()
        self.view.say(f"Puzzle {number}, {puzzle.difficulty}: {task(self.game, puzzle)}")

    def prompt(self) -> str:
        """Return the prompt."""
        return "next, again or quit: " if self.over else f"{side(self.board.turn)} (? for help): "

    def check_running(self) -> None:
        """Check that the puzzle is not over.

        :raises CommandError: if it is over.
        """
        if self.over:
            raise CommandError("the puzzle is over; next shows another one, again starts this one again")

    def play(self, line: str) -> None:
        """Play moves joined by commas, up to the first that is not part of the solution."""
        self.check_running()
        turn = self.board.turn, self.board.fullmove_number
        for word in line.split(","):
            if (self.board.turn, self.board.fullmove_number) != turn or self.over:
                raise CommandError(f"the turn ends before {word.strip()}")
            try:
                move = self.board.parse_san(word.strip())
            except Error as error:
                raise CommandError(f"{error}{hint(self.board, word.strip(), error)}") from None
            made = [move.uci() for move in self.board.move_stack]
            result = self.puzzle.attempt(self.game, [*made, move.uci()])
            self.stale = True
            if result.verdict == "wrong":
                self.notes = [f"{self.board.san(move)} is not the solution. Try another move."]
                return
            self.over = result.verdict == "solved"
            self.notes = ["Solved." if self.over else "Correct. Keep going."]
            for text in result.moves[len(made) :]:
                self.board.push_uci(text)

    def hint(self) -> None:
        """Say which piece moves next."""
        self.check_running()
        made = [move.uci() for move in self.board.move_stack]
        following = next(
            move
            for move in self.board.legal_moves
            if move.uci() in self.puzzle.line and self.puzzle.attempt(self.game, [*made, move.uci()]).verdict != "wrong"
        )
        piece = self.board.piece_at(following.from_square)
        assert piece is not None
        name = clean(self.game.piece(piece.letter).name)
        self.notes.append(f"Move the {name} on {square_name(following.from_square)}.")

    def solution(self) -> None:
        """Start again, and play the solution."""
        self.check_running()
        self.again()
        start = self.board.copy()
        for text in self.puzzle.line:
            self.board.push_uci(text)
        self.over = True
        self.notes = [f"The solution: {clean(start.variation_san(self.board.move_stack))}"]

    def again(self) -> None:
        """Start the puzzle again."""
        board = Board(self.game, self.puzzle.fen)
        self.match = Match(board, {True: "human", False: "human"}, random.Random())
        self.view.flipped = board.turn == BLACK
        self.over = False
        self.stale = True

    def next(self) -> None:
        """Go to the next puzzle."""
        self.place = (self.place + 1) % len(self.puzzles)
        self.again()


def task(game: Game, puzzle: Puzzle) -> str:
    """Return what is to be found in a puzzle, as a sentence."""
    who, moves = side(Board(game, puzzle.fen).turn), count(puzzle.moves, "move")
    royal = clean(next(piece.name for piece in game.pieces if piece.royal))
    takes = puzzle.takes(game)
    goals = {
        "mate": f"{who} mates in {puzzle.moves}.",
        "win": f"{who} wins a piece in {moves}.",
        "defence": f"{who} to move: only one move avoids mate in two.",
        "turn_mate": f"{who} mates this turn, in {moves}.",
        "capture": f"{who} captures {f'{takes} {royal}s' if takes > 1 else f'a {royal}'} this turn, in {moves}.",
        "save": f"{who} saves every {royal} in {moves}.",
    }
    return goals[puzzle.goal]
