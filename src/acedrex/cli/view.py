"""What a player sees: the board, and next to it the last turns and the state of the game."""

from __future__ import annotations

import functools
from collections.abc import Callable

from acedrex.board import Board
from acedrex.cli import palette, terminal
from acedrex.cli.drawing import SMALL, Drawing, Marks, Size, beside, figures, fitting, longest_symbol
from acedrex.cli.match import Match, Turn, last_turn, recent_turns
from acedrex.cli.teach import Lesson, moved
from acedrex.cli.text import clean, wrap
from acedrex.cli.words import side, squares
from acedrex.game import Game, Piece

__all__ = ["View"]

#: The fewest columns for the text next to the board.
PANEL = 24
#: Columns between the board and the text.
GAP = 3


class View:
    """Draws boards with text next to them, in place on a terminal, otherwise one after another."""

    def __init__(self, style: terminal.Style, *, unicode: bool, in_place: bool) -> None:
        self.style = style
        self.unicode = unicode
        self.in_place = in_place and bool(style.colors)
        self.flipped = False
        if self.in_place:
            print("\n" * terminal.height(), end="")  # scrolls the earlier output up

    @property
    def width(self) -> int:
        """The width of text in columns."""
        return min(terminal.width(), 100)

    def match(self, match: Match) -> None:
        """Show a game."""
        board = match.board
        self._draw(board, match_marks(match), lambda width: self._about(match, width))
        ending = match.ending
        if ending is not None:
            print()
            self.say(ending.words)

    def setup(self, board: Board, free: frozenset[int], text: list[str]) -> None:
        """Show a setup with its free squares."""

        def panel(width: int) -> list[str]:
            lines = [self.style.paint(clean(board.game.name), bold=True), ""]
            for paragraph in text:
                lines += [*wrap(paragraph, width), ""]
            return lines

        self._draw(board, Marks(setup=free), panel)

    def lesson(self, board: Board, lesson: Lesson) -> None:
        """Show how a piece moves."""

        def panel(width: int) -> list[str]:
            title, *rest = lesson.lines(width, self.style)
            return [self.style.paint(title, bold=True), *rest]

        self._draw(board, lesson.marks, panel, lesson)

    def say(self, sentence: str) -> None:
        """Print a sentence below the board."""
        print("\n".join(wrap(sentence, self.width)))

    def _draw(
        self, board: Board, marks: Marks, panel: Callable[[int], list[str]], lesson: Lesson | None = None
    ) -> None:
        """Draw a board, or that of a lesson, with the panel next to it, or below it on a narrow terminal."""
        game = board.game
        letters = figures(game, self.style) if self.unicode else {}
        letters[Piece("", False)] = "o"  # stands for any piece in diagrams
        drawing = Drawing(
            lesson.pieces if lesson else board.piece_map(),
            lesson.files if lesson else game.files,
            lesson.ranks if lesson else game.ranks,
            self.style,
            marks,
            letters,
            longest_symbol(game),
            self.flipped,
            frozenset() if lesson else ~game.squares,
        )
        size = self._size(game.files, game.ranks)
        spare = terminal.width() - drawing.width(size) - GAP - 1
        lines = drawing.lines(size)
        print("\x1b[H\x1b[J" if self.in_place else "\n", end="")
        if spare >= PANEL:
            print("\n".join(beside(lines, panel(min(spare, 48)), drawing.width(size), GAP)))
        else:
            print("\n".join([*lines, "", *panel(self.width)]))

    def _size(self, files: int, ranks: int) -> Size:
        """Return the size of squares that leaves room for the panel and the console."""
        if not self.in_place:
            return SMALL
        return fitting(files, ranks, terminal.width() - PANEL - GAP - 1, terminal.height() - 4)

    def _about(self, match: Match, width: int) -> list[str]:
        board = match.board
        game, style = board.game, self.style
        lines = [style.paint(clean(game.name), bold=True)]
        options = ", ".join(f"{name}={value}" for name, value in game.chosen_options.items())
        for fact in (options, setup_words(game, board.root_fen)):
            lines += [style.paint(line, palette.MUTED) for line in wrap(fact, width)]
        lines += ["", *turn_lines(board, width), ""] if board.ply() else [""]
        if match.ending is not None:
            return lines
        lines += [style.paint(line, palette.GOLD, bold=True) for line in wrap(who(match), width)]
        if board.is_check():
            lines += [style.paint(f"{side(board.turn)} is in check.", palette.VERMILION, bold=True)]
        for sentence in turn_sentences(match):
            lines += wrap(sentence, width)
        return lines


@functools.lru_cache(maxsize=16)
def setup_words(game: Game, fen: str) -> str:
    """Return the setup that a game started from, as text; empty if there is none."""
    name = Board(game, fen).setup_name() if len(game.setups) else None
    return f"Setup {game.setups.number(name)} of {len(game.setups)}: {name}" if name else ""


def who(match: Match) -> str:
    """Return the side to move, as a sentence."""
    color = side(match.board.turn)
    return f"Your turn: {color}." if match.humans == 1 and match.human_turn else f"{color} to move."


def match_marks(match: Match) -> Marks:
    """Return the marks for the board of a game."""
    board = match.board
    last: set[int] = set()
    for move in last_turn(board):
        if move.special is None:
            last |= {move.from_square, move.to_square}
    check = frozenset(board.royals(board.turn)) if board.is_check() else frozenset()
    if not board.game.turns_of_several_moves or match.ending is not None:
        return Marks(last=frozenset(last), check=check)
    ready = frozenset(board.movable()) if idle(board) else frozenset()
    return Marks(frozenset(last), check, ready=ready, moved=moved(board))


def idle(board: Board) -> set[int]:
    """Return the pieces that have not moved in this turn and may not, because no piece commands them."""
    own = {at for at, piece in board.piece_map().items() if piece.color == board.turn}
    return own - moved(board) - set(board.movable())


def turn_sentences(match: Match) -> list[str]:
    """Return what a turn of several moves still allows, and what has to be decided, as sentences."""
    board = match.board
    words = [move.special for move in board.legal_moves if move.special]
    sentences = []
    if board.game.turns_of_several_moves:
        left, made = board.moves_left, len(board.turn_moves)
        end = '; "end" ends the turn' if "end" in words and made else '; "pass" skips it' if "end" in words else ""
        sentences.append(f"Moves left: {left} of {left + made}{end}.")
        ready, done, rest = board.movable(), moved(board), idle(board)
        if done:
            sentences.append(f"Moved: {squares(done)}.")
        if rest:
            few = len(rest) <= len(ready)
            sentences.append(f"In command: all but {squares(rest)}." if few else f"In command: {squares(ready)}.")
    if "claim" in words:
        sentences.append(
            'The enemy King is bare. "claim" wins 3-1; "playon" plays for mate and 4-0, and cannot be undone.'
        )
    return sentences


def turn_lines(board: Board, width: int) -> list[str]:
    """Return the last turns: two per line if a turn is one move, otherwise one per line."""
    if board.game.turns_of_several_moves:
        lines = []
        for turn in recent_turns(board, 3):
            number = f"{turn.number}.{'' if turn.color else '..'}"
            lines += wrap(turn.san.replace(",", ", "), width, " " * 6, f"{number:6}")
        return lines
    rows: dict[int, dict[bool, Turn]] = {}
    for turn in recent_turns(board, 12):
        rows.setdefault(turn.number, {})[turn.color] = turn
    lines = []
    for move_number, pair in list(rows.items())[-6:]:
        white, black = (pair[color].san if color in pair else "" for color in (True, False))
        lines.append(f"{move_number:3}. {white or '..':10}{black}".rstrip())
    return lines
