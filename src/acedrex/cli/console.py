"""The console of a game."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable, Mapping

from acedrex.board import Board
from acedrex.cli.errors import CommandError
from acedrex.cli.hints import hint
from acedrex.cli.listener import Listener
from acedrex.cli.load import command_spec
from acedrex.cli.match import Match
from acedrex.cli.opponents import Opponents
from acedrex.cli.reader import Reader
from acedrex.cli.record import load_record, save_record
from acedrex.cli.text import clean, count
from acedrex.cli.view import View
from acedrex.cli.words import side
from acedrex.errors import Error

__all__ = ["Console"]

HELP = [
    ("e4, Nf3, e2e4", "play a move, in algebraic notation or by its two squares"),
    ("a4a5,f2f3", "several moves of one turn"),
    ("end, pass", "end a turn early or skip it, where the game allows it"),
    ("claim, playon", "claim the win against a bare King, or play on"),
    ("?e4", "show how the piece on e4 moves; ?N or ?Knight: any piece"),
    ("moves, moves e4", "list the legal moves: all, or those from e4"),
    ("best", "ask the engine for its best move"),
    ("undo", "undo a move; against a program, back to your turn"),
    ("fen, board, flip", "print the FEN; redraw the board; flip it"),
    ("save FILE.pgn", "save the game to a new file; overwrite: replace a file"),
    ("load FILE.pgn", "continue the first game of a file"),
    ("claim draw, draw", "claim a draw by rule; offer a draw"),
    ("resign, new, quit", "resign; start a new game; leave"),
]


class Console(Listener):
    """Reads the lines that a person types during a game, and acts on them."""

    help_lines = HELP

    def __init__(self, match: Match, given: str, view: View, reader: Reader, start: Callable[[], Match | None]) -> None:
        super().__init__(view, reader)
        self.match = match
        #: The game on the command line.
        self.given = given
        self.start = start
        self.opponents = Opponents(match.chance)
        #: The files that this console has written; they may be overwritten.
        self.saved: set[str] = set()

    @property
    def board(self) -> Board:
        """The board of the game."""
        return self.match.board

    @property
    def commands(self) -> Mapping[str, Callable[[], None]]:
        """What each command without arguments does."""
        return {
            **super().commands,
            "undo": self.undo,
            "resign": self.resign,
            "draw": self.draw,
            "claim draw": self.claim_draw,
            "claim a draw": self.claim_draw,
            "best": self.best,
            "new": self.new,
        }

    def watch(self) -> None:
        """Let two programs play to the end, and show the result."""
        while self.match.ending is None:
            self.let_play()
        self.view.match(self.match)
        self.view.say(f"{count(self.match.board.ply(), 'move')} played.")
        print(f"FEN: {self.match.board.fen()}")

    def converse(self) -> None:
        """Play with a person; at the end, print how to continue."""
        try:
            self.listen()
        except KeyboardInterrupt:
            print()
            raise
        finally:
            self.farewell()

    def refresh(self) -> None:
        """Let programs play until a person is to move, and show the game."""
        while self.match.ending is None and not self.match.human_turn:
            self.let_play()
            self.stale = True
        if self.stale:
            self.view.match(self.match)

    def let_play(self) -> None:
        """Let the program to move play; show the board while the engine thinks."""
        board = self.match.board
        player = self.match.players[board.turn]
        if player == "engine":
            self.view.match(self.match)
            self.view.say(f"{side(board.turn)} is thinking...")
            sys.stdout.flush()
        self.opponents.play(board, player)

    def prompt(self) -> str:
        """Return the prompt."""
        if self.match.ending is not None:
            return "Game over (new, undo, save FILE, quit): "
        board = self.match.board
        return f"{side(board.turn)}: " if board.ply() else f"{side(board.turn)} (? for help): "

    def farewell(self) -> None:
        """Print how to continue an unfinished game."""
        board = self.match.board
        if self.match.ending is None and board.ply():
            self.view.say("The game is not over. To continue from here:")
            programs = [f" --{side(c).lower()} {name}" for c, name in self.match.players.items() if name != "human"]
            spec = command_spec(board.game, self.given)
            print(f"acedrex play {shlex.quote(clean(spec))} --fen {shlex.quote(board.fen())}{''.join(programs)}")

    def act(self, line: str) -> None:
        """Handle a line.

        :raises CommandError: or :exc:`Error`, if it cannot be done.
        """
        word, _, rest = line.partition(" ")
        if word in ("save", "overwrite", "load"):
            self.file(word, rest.strip())
        else:
            super().act(line)

    def check_running(self) -> None:
        """Check that the game is not over.

        :raises CommandError: if it is over.
        """
        if self.match.ending is not None:
            raise CommandError("the game is over; undo takes back the last move, new starts another game")

    def play(self, line: str) -> None:
        """Play the move or turn in a line."""
        self.check_running()
        try:
            self.match.play(line)
        except Error as error:
            raise CommandError(f"{error}{hint(self.match.board, line, error)}") from None
        self.stale = True

    def file(self, word: str, name: str) -> None:
        """Save or load a game."""
        if not name:
            raise CommandError(f'"{word}" needs a file name, such as {word} game.pgn')
        if word != "load":
            save_record(self.match, name, replace=word == "overwrite" or name in self.saved)
            self.saved.add(name)
            self.notes.append(f"Saved as {clean(name)}.")
            return
        record = load_record(name, self.match.board.game)
        self.match = Match(record.board, self.match.players, self.match.chance, record.agreed)
        self.notes.append(f"{clean(name)} loaded" + (f", but: {record.fault}." if record.fault else "."))
        self.stale = True

    def undo(self) -> None:
        """Take back a move."""
        self.match.undo()
        self.stale = True

    def resign(self) -> None:
        """Resign for the side to move."""
        self.check_running()
        self.match.resign()
        self.stale = True

    def draw(self) -> None:
        """Offer a draw, and let the other side answer."""
        self.check_running()
        self.match.judge_offer()
        turn = self.match.board.turn
        opponent = self.match.players[not turn]
        if opponent == "human":
            answer = self.reader.read(f"{side(turn)} offers a draw. {side(not turn)}, do you accept? (yes or no) ")
            accepted = (answer or "").strip().lower() in ("y", "yes")
        else:
            accepted = self.opponents.accepts_draw(self.match.board, opponent)
        if accepted:
            self.match.agree_draw()
            self.stale = True
        else:
            self.notes.append(f"{side(not turn)} declines the draw.")

    def claim_draw(self) -> None:
        """Claim a draw by rule."""
        self.check_running()
        self.match.claim_draw()
        self.stale = True

    def best(self) -> None:
        """Print the engine's best turn."""
        self.check_running()
        self.notes.append(f"The engine suggests {self.opponents.best(self.match.board)}.")

    def new(self) -> None:
        """Start another game."""
        match = self.start()
        if match is None:
            self.leaving = True
        else:
            self.match = match
            self.stale = True
