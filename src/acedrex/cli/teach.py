"""Lessons on how a piece moves."""

from __future__ import annotations

import re
from dataclasses import dataclass

from acedrex.board import Board
from acedrex.cli.drawing import Marks
from acedrex.cli.errors import CommandError
from acedrex.cli.terminal import Style
from acedrex.cli.text import clean, join, quote, wrap
from acedrex.cli.words import piece_title, side, values
from acedrex.errors import Error
from acedrex.game import Game, Piece, PieceType
from acedrex.squares import parse_square, square_name

__all__ = ["SQUARE", "Lesson", "moved", "piece_lesson", "read_square", "square_lesson", "why_not"]

#: A text that looks like a square.
SQUARE = re.compile(r"[a-pA-P][0-9]{1,2}")


@dataclass(frozen=True)
class Lesson:
    """A board with marks, and the text next to it."""

    files: int
    ranks: int
    pieces: dict[int, Piece]
    marks: Marks
    text: list[str]

    def lines(self, width: int, style: Style) -> list[str]:
        """Return the text and the legend, wrapped."""
        dot = "•" if style.unicode else "o"
        legend = {
            "move": f" {dot}   moves",
            "capture": "( )  captures",
            "both": f"({dot})  moves or captures",
            "hop": "< >  hops over a piece",
            "mount": "| |  the piece hopped over",
        }
        used = {*self.marks.reach.values(), *(["mount"] if self.marks.mounts else [])}
        lines: list[str] = []
        for paragraph in self.text:
            lines += [*wrap(paragraph, width), ""]
        return lines + [words for kind, words in legend.items() if kind in used]


def read_square(game: Game, name: str) -> int:
    """Read a square of a game's board.

    :raises CommandError: if the text is not a square of the board.
    """
    try:
        at = parse_square(name.strip().lower())
    except Error:
        raise CommandError(f"{quote(name)} is not a square") from None
    if at % 16 >= game.files or at // 16 >= game.ranks:
        last = square_name((game.ranks - 1) * 16 + game.files - 1)
        raise CommandError(f"{square_name(at)} is not on this board; its squares are a1 to {last}")
    return at


def square_lesson(board: Board, name: str) -> Lesson:
    """Return a lesson on how the piece on a square moves from there.

    Empty squares are marked with what the piece could do there: move, capture an enemy, or both.

    :raises CommandError: if there is no such square, or no piece on it.
    """
    game = board.game
    at = read_square(game, name)
    pieces = board.piece_map()
    piece = pieces.get(at)
    if piece is None:
        raise CommandError(f"there is no piece on {square_name(at)}")
    reach: dict[int, str] = {}
    mounts: set[int] = set()
    attacked = board.attacks(at)
    for item in board.reach(at):
        reach[item.to] = "both" if item.kind == "move" and item.to in attacked else item.kind
        if item.mount is not None:
            mounts.add(item.mount)
    for to in attacked:
        if to not in pieces:
            reach.setdefault(to, "capture")
    legal = []
    if piece.color == board.turn:
        for move in board.legal_moves:
            if move.special is None and move.from_square == at:
                legal.append(board.san(move))
                info = board.move_info(move)
                if info.reach is None:
                    reach[move.to_square] = "move" if info.captured is None else "capture"
    kind = game.piece(piece.letter)
    text = [f"{square_name(at)}: {side(piece.color)}'s {piece_title(kind)}", *about(kind)]
    if piece.color == board.turn:
        text.append(f"Legal now: {' '.join(legal)}" if legal else f"Not now: {why_not(board, at)}.")
    marks = Marks(origin=at, reach=reach, mounts=frozenset(mounts))
    return Lesson(game.files, game.ranks, pieces, marks, text)


def piece_lesson(game: Game, wanted: str) -> Lesson:
    """Return a lesson on how a kind of piece moves, by its letter or name, on a separate board.

    :raises CommandError: if the game has no such piece.
    """
    word = " ".join(wanted.split())
    by_letter = [piece for piece in game.pieces if piece.letter == word.upper()]
    names = [piece for piece in game.pieces if word.lower() in (name.lower() for name in (piece.name, *piece.also))]
    if not by_letter and not names:
        letters = " ".join(piece.letter for piece in game.pieces)
        raise CommandError(f"{quote(word)} is neither a square nor a piece; the piece letters are {letters}")
    kind = (by_letter or names)[0]
    diagram = game.diagram(kind.letter)
    reach = {item.to: item.kind for item in diagram.reach}
    mounts = frozenset(diagram.others)
    pieces = {**diagram.others, diagram.origin: Piece(kind.letter, True)}
    marks = Marks(origin=diagram.origin, reach=reach, mounts=mounts)
    text = [f"{kind.letter}: {piece_title(kind)}", *about(kind)]
    return Lesson(diagram.files, diagram.ranks, pieces, marks, text)


def about(kind: PieceType) -> list[str]:
    """Return paragraphs about a kind of piece."""
    becomes = f" Becomes {join(kind.promotes_to, 'or')}." if kind.promotes_to else ""
    value = f"Value {values(kind)}." if kind.values else ""
    return [clean(text) for text in (kind.help + becomes, value) if text.strip()]


def why_not(board: Board, at: int) -> str:
    """Return why a piece of the side to move has no legal move."""
    if board.outcome() is not None:
        return "the game is over"
    if at in moved(board):
        return "it has already moved this turn"
    if at not in board.movable():
        return "no unused Chieftain is close enough to command it"
    return f"{side(board.turn)} is in check" if board.is_check() else "it is blocked"


def moved(board: Board) -> frozenset[int]:
    """Return the squares of the pieces that have moved in this turn."""
    squares: set[int] = set()
    for move in board.turn_moves:
        if move.special is None:
            squares.discard(move.from_square)
            squares.add(move.to_square)
    return frozenset(squares)
