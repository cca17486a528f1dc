"""Sentences about positions and outcomes."""

from __future__ import annotations

from collections.abc import Iterable

from acedrex.board import Board
from acedrex.cli.text import clean, join
from acedrex.game import PieceType
from acedrex.outcome import Outcome, Termination
from acedrex.rulebook import Describer
from acedrex.squares import square_name

__all__ = ["outcome_words", "piece_title", "score_words", "side", "squares", "turn_words", "values"]


def side(color: bool) -> str:
    """Return the name of a side."""
    return "White" if color else "Black"


def squares(numbers: Iterable[int]) -> str:
    """Return the names of squares in the order of files."""
    return " ".join(map(square_name, sorted(numbers, key=lambda at: (at % 16, at))))


def score_words(winner: bool | None, score: str) -> str:
    """Return who won and the score, as a sentence."""
    if winner is not None:
        return f"{side(winner)} wins, {score}."
    return "A draw, half a point each." if score == "1/2-1/2" else f"A draw, {score}."


def outcome_words(board: Board, outcome: Outcome) -> str:
    """Return why a game is over, who won, and the score, in sentences."""
    return f"{_why(board, outcome)} {score_words(outcome.winner, outcome.score)}"


def _why(board: Board, outcome: Outcome) -> str:
    us = side(board.turn)
    royal = clean(next((piece.name for piece in board.game.pieces if piece.royal), "King"))
    winner, loser = side(bool(outcome.winner)), side(not outcome.winner)
    describer, limit = Describer(board.game._facts, "en", {}), board.game.draw_limits.get(outcome.termination.value, 0)
    times = describer.times(limit)
    quiet = f"There have been {describer.moves(limit)} without {describer.progress()}"
    words = {
        Termination.CHECKMATE: f"Checkmate: {us}'s {royal} cannot escape.",
        Termination.STALEMATE: f"Stalemate: {us} is not in check and has no legal move.",
        Termination.ROYALS_CAPTURED: f"{loser}'s last {royal} is captured.",
        Termination.BARE_KING: f"{loser} has only the {royal} left, and {winner} claims.",
        Termination.BARE_KINGS: f"Only the two {royal}s are left.",
        Termination.DEAD_POSITION: "Checkmate is impossible.",
        Termination.THREEFOLD_REPETITION: f"The same position has occurred {times}, and {us} claims the draw.",
        Termination.FIVEFOLD_REPETITION: f"The same position has occurred {times}.",
        Termination.FIFTY_MOVES: f"{quiet}, and {us} claims the draw.",
        Termination.SEVENTYFIVE_MOVES: f"{quiet}.",
        Termination.DOUBLE_PASS: "Both sides passed.",
        Termination.NO_MOVES: f"{us} has no legal moves.",
        Termination.RESIGNATION: f"{loser} resigns.",
        Termination.TIME: f"{us} is out of time.",
        Termination.ABANDONMENT: f"{us} left the game.",
        Termination.AGREEMENT: "By agreement.",
    }
    return words[outcome.termination]


def turn_words(board: Board) -> str:
    """Return the side to move and whether it is in check, as a sentence."""
    words = f"{side(board.turn)} to move"
    if board.game.turns_of_several_moves:
        made = len(board.turn_moves)
        words += f" ({made + 1} of {made + board.moves_left})"
    return words + (", in check." if board.is_check() else ".")


def piece_title(piece: PieceType) -> str:
    """Return a piece's name with its other names."""
    others = f" ({', '.join(piece.also)})" if piece.also else ""
    return clean(piece.name + others)


def values(piece: PieceType, last: str = "or") -> str:
    """Return a piece's values with their sources, ``last`` between the last two."""
    numbers = {source: f"{value:g}" for source, value in piece.values.items()}
    return clean(join([n if source == "value" else f"{n} ({source})" for source, n in numbers.items()], last))
