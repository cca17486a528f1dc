"""Themes of puzzles, and what a solution teaches, from the position and the moves."""

from __future__ import annotations

import functools
from typing import Literal, get_args

from acedrex._native import Move
from acedrex.board import Board
from acedrex.game import Game
from acedrex.lessons.puzzle import WITH_REPLIES, Puzzle

__all__ = ["THEMES", "Theme", "taught", "themes"]

#: What puzzles practise. ``capture``: win a piece, or capture royal pieces; ``save``: the only move, or turn, that does
#: not lose; ``special_rule``: the solution castles, captures *en passant*, promotes, jumps with the King, or moves a
#: royal piece first so that it commands the captor.
Theme = Literal["mate_in_2", "mate_in_3", "mate_in_4", "capture", "save", "special_rule"]
#: All themes.
THEMES: tuple[Theme, ...] = get_args(Theme)


@functools.lru_cache(maxsize=4096)
def themes(game: Game, puzzle: Puzzle) -> tuple[Theme, ...]:
    """Return the themes of a puzzle. A mate in one has none, unless it uses a special rule."""
    found = {"win": "capture", "capture": "capture", "defence": "save", "save": "save"}.get(
        puzzle.goal, f"mate_in_{puzzle.moves}"
    )
    special = _uses_special_rule(game, puzzle)
    return tuple(theme for theme in THEMES if theme == found or (theme == "special_rule" and special))


def _uses_special_rule(game: Game, puzzle: Puzzle) -> bool:
    board, line = Board(game, puzzle.fen), [Move.from_uci(move) for move in puzzle.line]
    if puzzle.goal == "capture" and len(line) > 1 and _taught_by_turn(board, line) == "command":
        return True
    for index, move in enumerate(line):
        if (puzzle.goal not in WITH_REPLIES or index % 2 == 0) and special_rule(board, move):
            return True
        board.push(move)
    return False


def taught(board: Board, line: list[Move]) -> str:
    """Return what a solution teaches: the piece that moves first, the piece that captures, or a rule."""
    if not board.game.has_check and len(line) > 1:
        return _taught_by_turn(board, line)
    piece = board.piece_at(line[0].from_square)
    assert piece
    return special_rule(board, line[0]) or piece.letter


def special_rule(board: Board, move: Move) -> str | None:
    """Return the key of the special rule that a move uses."""
    info, piece = board.move_info(move), board.piece_at(move.from_square)
    assert piece
    if info.partner is not None:
        return "castling"
    if info.captured_on not in (None, move.to_square):
        return "en_passant"
    if move.promotion is not None:
        return "promotion"
    return "jump" if info.reach is None and board.game.piece(piece.letter).royal else None


def _taught_by_turn(board: Board, line: list[Move]) -> str:
    after = board.copy(stack=False)
    for move in line[:-1]:
        after.push(move)
    first, captor = board.piece_at(line[0].from_square), after.piece_at(line[-1].from_square)
    assert first
    assert captor
    return "command" if board.game.piece(first.letter).royal and first != captor else captor.letter
