"""Whether a program has accepted the turns that were sent to it.

UCI has no answer for that: a program that takes a turn for illegal plays on from an older position. Stockfish and its
relatives show their position when asked by ``d``; others betray themselves by moving for the other side.
"""

from __future__ import annotations

from acedrex.board import Board
from acedrex.engine.text import read_turn, turns

__all__ = ["find_fault", "find_stale_answer", "has_same_pieces"]


def has_same_pieces(fen: str, other: str) -> bool:
    """Return whether two FENs have the same pieces and side to move; programs write the other fields in many ways.

    >>> has_same_pieces("k7/8/8/8/8/8/8/K6Q~[] b - - 0 9", "k7/8/8/8/8/8/8/K6Q b K e3 3 9")
    True
    """
    return _pieces(fen) == _pieces(other)


def find_fault(board: Board, fen: str) -> tuple[str, str] | None:
    """Compare the position that a program has with ours.

    :param fen: its position; empty if it has none.
    :return: ``None`` if it is ours; otherwise the kind of incident and its text: ``rejected`` for an older position or
        none, ``differs`` for any other.
    """
    if has_same_pieces(fen, board.fen()):
        return None
    made = list(turns(board))
    replay, older = Board(board.game, board.root_fen), None
    for count, turn in enumerate(made):
        if has_same_pieces(fen, replay.fen()):
            older = count
        replay.push_turn(turn)
    if fen and older is None:
        return "differs", f"after {made[-1] if made else 'the start'} it has {fen} instead of {board.fen()}"
    refused = " ".join(made[-1:] if older is None else made[older:])
    return "rejected", f"it did not accept {refused}, and {f'plays on from {fen}' if fen else 'has no position'}"


def find_stale_answer(board: Board, answer: str) -> str | None:
    """Return what to say of an illegal answer that is legal before the last turn; ``None`` for any other."""
    made = list(turns(board))
    if not made:
        return None
    older = Board(board.game, board.root_fen)
    for turn in made[:-1]:
        older.push_turn(turn)
    if read_turn(older, answer) is None:
        return None
    return f"it did not accept {made[-1]}, and plays on from {older.fen()}: {answer}"


def _pieces(fen: str) -> list[str]:
    """Return the placement, without marks for promoted pieces and pieces in hand, and the side to move."""
    placement, *others = fen.split()[:2] or [""]
    return [placement.partition("[")[0].replace("~", ""), *others]
