"""Asks python-chess about positions: FENs come as a list in JSON, answers go out as one."""

from __future__ import annotations

import json
import sys
from typing import Any

import chess


def names(squares: Any) -> list[str]:
    return sorted(chess.square_name(square) for square in squares)


def answer(fen: str) -> dict[str, Any]:
    """Tell of a position what both libraries have a name for."""
    board = chess.Board(fen)
    told: dict[str, Any] = {
        "epd": board.epd(),
        "insufficient": [board.has_insufficient_material(color) for color in (True, False)],
        "captures": sorted(move.uci() for move in board.generate_legal_captures()),
        "passing": sorted(move.uci() for move in board.generate_legal_ep()),
        "castling": sorted(move.uci() for move in board.generate_castling_moves()),
        "pseudo": sorted(move.uci() for move in board.pseudo_legal_moves if not board.is_en_passant(move)),
        "ep": board.ep_square is not None and board.has_legal_en_passant() and chess.square_name(board.ep_square),
        "checkers": names(board.checkers()),
        "moves": {},
        "pinned": {},
        "attacks": {chess.square_name(square): names(board.attacks(square)) for square in board.piece_map()},
    }
    king = board.king(board.turn)
    unblocked = chess.SquareSet(board.occupied) - chess.SquareSet([king])
    told["attackers"] = [
        [names(board.attackers(color, square, occupied)) for color in (True, False) for square in chess.SQUARES]
        for occupied in (None, unblocked, chess.SquareSet([king]))
    ]
    told["attacked"] = [board.is_attacked_by(not board.turn, square, unblocked) for square in chess.SQUARES]
    told["drawing"] = board.unicode(empty_square="_").splitlines()
    for move in board.legal_moves:
        kinds = (board.is_zeroing(move), board.is_irreversible(move), board.is_kingside_castling(move))
        told["moves"][move.uci()] = [board.san(move), board.lan(move), *kinds, board.is_queenside_castling(move)]
    for square, piece in board.piece_map().items():
        if board.is_pinned(piece.color, square):
            free = board.pin(piece.color, square) & board.attacks(square) - board.occupied_co[piece.color]
            told["pinned"][chess.square_name(square)] = names(free)
    if not board.is_check():
        board.push(chess.Move.null())
        told["null"] = board.fen()
    return told


json.dump([answer(fen) for fen in json.load(sys.stdin)], sys.stdout)
