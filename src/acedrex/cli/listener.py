"""A console about a board: what every such console understands."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar

from acedrex.board import Board
from acedrex.cli.errors import CommandError
from acedrex.cli.reader import Reader
from acedrex.cli.teach import SQUARE, piece_lesson, read_square, square_lesson, why_not
from acedrex.cli.text import clean, columns
from acedrex.cli.view import View
from acedrex.cli.words import side
from acedrex.errors import Error
from acedrex.squares import square_name

__all__ = ["Listener"]


class Listener(ABC):
    """Reads lines and acts on them, until the player leaves."""

    #: What can be typed, and what it does.
    help_lines: ClassVar[Sequence[tuple[str, str]]]

    def __init__(self, view: View, reader: Reader) -> None:
        self.view = view
        self.reader = reader
        #: Messages to print once the board has been drawn.
        self.notes: list[str] = []
        self.leaving = False
        self.stale = True

    @property
    @abstractmethod
    def board(self) -> Board:
        """The board."""

    @abstractmethod
    def refresh(self) -> None:
        """Draw the board if it is stale."""

    @abstractmethod
    def prompt(self) -> str:
        """Return the prompt."""

    @abstractmethod
    def check_running(self) -> None:
        """Check that a move can be made.

        :raises CommandError: if it is over.
        """

    @abstractmethod
    def play(self, line: str) -> None:
        """Play the move or turn in a line.

        :raises CommandError: or :exc:`Error`, if it cannot be played.
        """

    @property
    def commands(self) -> Mapping[str, Callable[[], None]]:
        """What each command without arguments does."""
        return {
            "help": self.help,
            "flip": self.flip,
            "board": self.redraw,
            "fen": self.fen,
            "quit": self.quit,
            "exit": self.quit,
            "q": self.quit,
        }

    def listen(self) -> None:
        """Handle what is typed until the player leaves."""
        while not self.leaving:
            self.refresh()
            self.stale = False
            for note in self.notes:
                self.view.say(note)
            self.notes.clear()
            line = self.reader.read(self.prompt())
            if line is None:
                break
            if line.strip():
                try:
                    self.act(line.strip())
                except (CommandError, Error) as error:
                    self.notes.append(sentence(str(error)))

    def act(self, line: str) -> None:
        """Handle a line.

        :raises CommandError: or :exc:`Error`, if it cannot be done.
        """
        word, _, rest = line.partition(" ")
        if line.startswith("?"):
            self.teach(line[1:].strip())
        elif word == "moves":
            self.moves(rest.strip())
        elif line.lower() in self.commands:
            self.commands[line.lower()]()
        else:
            self.play(line)

    def teach(self, what: str) -> None:
        """Show how a piece moves, or the help."""
        if not what:
            self.help()
            return
        lesson = square_lesson(self.board, what) if SQUARE.fullmatch(what) else piece_lesson(self.board.game, what)
        self.view.lesson(self.board, lesson)

    def help(self) -> None:
        """Print what can be typed."""
        print()
        for words, meaning in self.help_lines:
            print(f"  {words:18} {meaning}")
        print("\n  Capital letters are White's pieces, small letters Black's.")

    def moves(self, origin: str) -> None:
        """List the legal moves."""
        self.check_running()
        board = self.board
        moves = list(board.legal_moves)
        if origin:
            at = read_square(board.game, origin)
            moves = [move for move in moves if move.special is None and move.from_square == at]
            if not moves:
                piece = board.piece_map().get(at)
                mine = piece is not None and piece.color == board.turn
                why = why_not(board, at) if mine else f"{side(board.turn)} has no piece there"
                raise CommandError(f"no legal move from {square_name(at)}: {why}")
        print("\n".join(columns([board.san(move) for move in moves], self.view.width)))

    def flip(self) -> None:
        """Flip the board."""
        self.view.flipped = not self.view.flipped
        self.stale = True

    def redraw(self) -> None:
        """Draw the board again."""
        self.stale = True

    def fen(self) -> None:
        """Print the position."""
        print(self.board.fen())

    def quit(self) -> None:
        """Leave."""
        self.leaving = True


def sentence(text: str) -> str:
    """Return a message as a sentence, capitalized unless it begins with what was typed."""
    text = " ".join(map(clean, text.splitlines()))
    first = text.split(" ")[0]
    if first.isalpha() and first.islower():
        text = text[0].upper() + text[1:]
    return text if text.endswith((".", "?")) else f"{text}."
