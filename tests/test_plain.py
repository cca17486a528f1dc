"""Positions as plain data: what the core writes down is what boards tell."""

from __future__ import annotations

import random
from typing import Any

import pytest

import acedrex
from acedrex import Board, Move, plain, square_name
from acedrex.board import MoveInfo

SPECS = [*acedrex.games(), "marseillais:balanced=on", "chieftain:pass=on,bent=on", "magi:classic_ep=on"]


def way(origin: int, to: int) -> dict[str, str]:
    return {"from": square_name(origin), "to": square_name(to)}


def reach(info: MoveInfo) -> dict[str, Any] | None:
    if info.reach is None:
        return None
    mount = info.reach.mount
    return {
        "to": square_name(info.reach.to),
        "kind": info.reach.kind,
        "mount": None if mount is None else square_name(mount),
        "path": [square_name(at) for at in info.reach.path],
        "legs": [square_name(at) for at in info.reach.legs],
    }


def legal_move(board: Board, move: Move) -> dict[str, Any]:
    info = board.move_info(move)
    word = move.special is not None
    return {
        "move": move.uci(),
        "from": None if word else square_name(move.from_square),
        "to": None if word else square_name(move.to_square),
        "promotion": move.promotion,
        "reach": reach(info),
        "kind": info.reach.kind if info.reach else "move" if info.captured is None else "capture",
        "captured_on": None if info.captured_on is None else square_name(info.captured_on),
        "partner": None if info.partner is None else way(*info.partner),
        "check": info.gives_check,
        "ends_turn": info.ends_turn,
    }


@pytest.mark.parametrize("spec", SPECS)
def test_a_position_is_told_as_the_board_has_it(spec: str) -> None:
    board, chance = Board(spec), random.Random(spec)
    moved: list[str] = []
    for _ in range(150):
        told = plain.position(board, ["a1", "b2"], legal=True)
        king = board.king(board.turn)
        legal = [] if board.is_game_over() else [legal_move(board, move) for move in board.legal_moves]
        assert told == {
            "fen": board.fen(),
            "turn": "white" if board.turn else "black",
            "ply": board.ply(),
            "pieces": [
                {"square": square_name(at), "letter": piece.letter, "side": plain.side(piece.color)}
                for at, piece in board.piece_map().items()
            ],
            "turn_moves": [move.uci() for move in board.turn_moves],
            "moves_left": board.moves_left,
            "moved": moved,
            "in_command": plain.names(board.movable()) if board.game.turns_of_several_moves else None,
            "check": [square_name(king)] if king is not None and board.is_check() else [],
            "legal": legal,
            "last": ["a1", "b2"],
            "claimable": board.claimable(),
        }
        assert plain.position(board, ["a1", "b2"], legal=False) == {**told, "legal": []}
        if not legal:
            break
        move = chance.choice(board.legal_moves)
        turn = board.turn
        board.push(move)
        if board.turn != turn:
            moved = []
        elif move.special is None:
            origin = square_name(move.from_square)
            moved = [*(name for name in moved if name != origin), square_name(move.to_square)]
