"""The texts below the board."""

from __future__ import annotations

from collections.abc import Sequence

from acedrex import plain
from acedrex.board import Board
from acedrex.engine import Info, Score
from acedrex.outcome import reason_text
from acedrex.widget.arrows import line_arrows
from acedrex.widget.messages import Line, Lines

__all__ = ["lines_data", "score_text", "status"]


def status(board: Board, *, thinking: bool, plays: bool | None) -> str:
    """Return the side to move, or how the game ended, as sentences.

    :param thinking: whether an engine is searching for a move.
    :param plays: the side that is played by hand; ``None`` if both are.

    >>> status(Board("chess"), thinking=False, plays=None)
    'White to move.'
    """
    outcome = board.outcome()
    if outcome is not None:
        return outcome.text()
    more = " Check." if board.is_check() else ""
    if claimable := board.claimable():
        more += f" A draw can be claimed: {reason_text(claimable[0], board.game.draw_limits[claimable[0]])}."
    if thinking:
        return f"{_name(board.turn)} is thinking…{more}"
    yours = ": your turn" if plays == board.turn else ""
    return f"{_name(board.turn)} to move{yours}.{more}"


def _name(white: bool) -> str:
    return "White" if white else "Black"


def score_text(score: Score, *, white: bool) -> str:
    """Return a score from White's point of view as text.

    >>> score_text(Score(cp=35), white=True), score_text(Score(mate=-3), white=False)
    ('+0.35', '#3')

    :param white: whether White is to move.
    """
    seen = plain.evaluation(score, white=white)
    cp, mate = seen["cp"], seen["mate"]
    text = f"#{mate}" if mate is not None else f"{(cp or 0) / 100:+.2f}" if cp else "0.00"
    return text.replace("-", "\u2212")


def lines_data(board: Board, infos: Sequence[Info], most: int, *, done: bool) -> Lines:
    """Return the lines of an engine for the page, the best first.

    :param most: the number of lines requested.
    :param done: whether the search has ended.
    """
    if not infos:
        return {
            "summary": "No legal moves." if done else "Thinking…",
            "chance": None,
            "most": most,
            "lines": [],
        }
    first = infos[0]
    lines: list[Line] = [
        {
            "score": score_text(info.score, white=board.turn),
            "san": info.pv_san,
            "arrows": line_arrows(board, info.pv, faint=rank > 0),
        }
        for rank, info in enumerate(infos)
    ]
    return {
        "summary": f"Depth {first.depth}, {_short(first.nodes)} positions{'; done' if done else ''}",
        "chance": plain.evaluation(first.score, white=board.turn)["chance"],
        "most": most,
        "lines": lines,
    }


def _short(number: int) -> str:
    """Return a number with thousands and millions abbreviated."""
    if number >= 1_000_000:
        return f"{number / 1_000_000:.1f} M"
    return f"{number // 1000} k" if number >= 1000 else str(number)
