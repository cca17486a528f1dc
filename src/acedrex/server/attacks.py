"""What attacks what, and positions made by hand, as the core tells them."""

from __future__ import annotations

from acedrex import Board, InvalidFenError, Piece, parse_square
from acedrex.board import BLACK, WHITE
from acedrex.plain import NAMES, side
from acedrex.server import wire


def attacks(board: Board) -> wire.Attacks:
    """Count who attacks each square, and name the pieces that could be taken at a profit.

    A piece can be if nothing guards it, or if what attacks it is worth less.
    """
    game = board.game
    squares = [rank * 16 + file for rank in range(game.ranks) for file in range(game.files)]
    counted = []
    for at in squares:
        white, black = len(board.attackers(WHITE, at)), len(board.attackers(BLACK, at))
        if white or black:
            counted.append(wire.AttackedSquare(NAMES[at], white, black))
    worth = _worth(board)
    threats = []
    for at, piece in board.piece_map().items():
        attackers = board.attackers(not piece.color, at)
        guarded = bool(attackers) and board.is_attacked_by(piece.color, at)
        for enemy in sorted(attackers):
            taker = board.piece_at(enemy)
            assert taker is not None
            if not guarded or worth[taker.letter] < worth[piece.letter]:
                threats.append(wire.Threat(NAMES[enemy], NAMES[at]))
    return wire.Attacks(counted, threats)


def _worth(board: Board) -> dict[str, float]:
    """Give each kind's value in the first of the game's lists that knows it; a royal piece is worth more than all."""
    return {
        kind.letter: float("inf") if kind.royal else next(iter(kind.values.values()), 0.0) for kind in board.game.pieces
    }


def edited(board: Board, asked: wire.EditRequest) -> wire.Edited:
    """Tell a position made by hand, legal or not. Rights whose pieces are missing are left out.

    :raises Error: if the FEN cannot be read, or a square, a piece or a right is none of the game.
    """
    start = board.copy()
    if asked.fen is not None:
        board.set_fen(asked.fen, playable=False)
    else:
        board.clear()
        for put in asked.pieces:
            board.set_piece_at(parse_square(put.square), Piece(put.letter, put.side == "white"))
        board.turn = asked.turn == "white"
        board.rights = "".join(letter for letter in asked.rights if _may_have(board, letter)) or "-"
    letters = dict.fromkeys(letter for letter in start.rights + board.rights if letter != "-")
    return wire.Edited(
        fen=board.fen(),
        pieces=[
            {"square": NAMES[at], "letter": piece.letter, "side": side(piece.color)}
            for at, piece in board.piece_map().items()
        ],
        turn=side(board.turn),
        rights=board.rights,
        known_rights=[wire.Right(letter, _may_have(board, letter)) for letter in letters],
        problems=[wire.EditProblem(problem.name, problem.message) for problem in board.status()],
    )


def _may_have(board: Board, letter: str) -> bool:
    """Tell whether what a right needs stands there; the core refuses it if not."""
    trial = board.copy(stack=False)
    try:
        trial.rights = letter
    except InvalidFenError:
        return False
    return letter != "-"
