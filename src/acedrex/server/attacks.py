"""Attacks and threats in a position, and edited positions."""

from __future__ import annotations

from acedrex import Board, InvalidFenError, Piece, parse_square
from acedrex.board import BLACK, WHITE
from acedrex.game import Game
from acedrex.plain import NAMES, side
from acedrex.server import wire


def attacks(game: Game, fen: str) -> wire.Attacks:
    """Count the attackers of each square, and list the pieces that could be captured at a profit.

    That is a piece that nothing defends, or that a piece of less value attacks.

    :raises Error: if the FEN is not a position of the game.
    """
    board = Board(game, fen)
    squares = [rank * 16 + file for rank in range(game.ranks) for file in range(game.files)]
    attacked = []
    for square in squares:
        white, black = len(board.attackers(WHITE, square)), len(board.attackers(BLACK, square))
        if white or black:
            attacked.append(wire.AttackedSquare(NAMES[square], white, black))
    values = _values(board)
    threats = []
    for square, piece in board.piece_map().items():
        attackers = board.attackers(not piece.color, square)
        defended = bool(attackers) and board.is_attacked_by(piece.color, square)
        for origin in sorted(attackers):
            attacker = board.piece_at(origin)
            assert attacker is not None
            if not defended or values[attacker.letter] < values[piece.letter]:
                threats.append(wire.Threat(NAMES[origin], NAMES[square]))
    return wire.Attacks(attacked, threats)


def _values(board: Board) -> dict[str, float]:
    """Return each kind's value, from the first of the game's lists that has it; a royal piece is worth most."""
    return {
        kind.letter: float("inf") if kind.royal else next(iter(kind.values.values()), 0.0) for kind in board.game.pieces
    }


def edited(game: Game, request: wire.EditRequest) -> wire.Edited:
    """Return an edited position, legal or not, without the rights whose pieces are missing.

    :raises Error: if the FEN cannot be read, or the game has no such square, piece or right.
    """
    board = Board(game)
    start = board.copy()
    if request.fen is not None:
        board.set_fen(request.fen, playable=False)
    else:
        board.clear()
        for piece in request.pieces:
            board.set_piece_at(parse_square(piece.square), Piece(piece.letter, piece.side == "white"))
        board.turn = request.turn == "white"
        board.rights = "".join(letter for letter in request.rights if can_have(board, letter)) or "-"
    letters = {*start.rights, *board.rights}
    return wire.Edited(
        fen=board.fen(),
        pieces=[
            {"square": NAMES[square], "letter": each.letter, "side": side(each.color)}
            for square, each in board.piece_map().items()
        ],
        turn=side(board.turn),
        rights=board.rights,
        known_rights=[
            wire.Right(letter, side(white), what, None if square is None else NAMES[square], can_have(board, letter))  # type: ignore[arg-type]
            for letter, white, what, square in board.game._rights
            if letter in letters
        ],
        problems=[wire.EditProblem(problem.name, problem.message) for problem in board.status()],
    )


def can_have(board: Board, letter: str) -> bool:
    """Return whether the pieces that a right needs are in place; if not, the core refuses the right."""
    trial = board.copy(stack=False)
    try:
        trial.rights = letter
    except InvalidFenError:
        return False
    return letter != "-"
