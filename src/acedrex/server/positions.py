"""Positions as browsers want them. The core says all of it; here it is only written down."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress

from acedrex import Board, Error, Move, Piece, square_name
from acedrex.board import PlyInfo
from acedrex.server import wire
from acedrex.server.wire import Side

NAMES = {at: square_name(at) for at in range(256)}


def side(white: bool) -> Side:
    """Name a colour."""
    return "white" if white else "black"


def names(squares: Iterable[int]) -> list[str]:
    """Name squares."""
    return [NAMES[at] for at in squares]


def way(board: Board, move: Move) -> list[str]:
    """Name the squares that a legal move touches: from, on the way, to."""
    if move.word is not None:
        return []
    reach = board.ply_info(move).reach
    path = [move.to_square] if reach is None else reach.path
    return names(dict.fromkeys((move.from_square, *path, move.to_square)))


def position(board: Board, last: list[str], *, legal: bool) -> wire.Position:
    """Tell a position; its legal plies only if they are wanted, for they are most of the work."""
    king = board.king(board.turn) if board.is_check() else None
    several = board.game.turns_of_several_plies
    return wire.Position(
        fen=board.fen(),
        turn=side(board.turn),
        ply=board.ply(),
        pieces=[wire.PieceOn(NAMES[at], letter, side(white)) for at, letter, white in board._piece_tuples()],
        turn_plies=[move.uci() for move in board.turn_plies],
        plies_left=board.plies_left,
        moved=_moved(board.turn_plies),
        in_command=names(board.movable()) if several else None,
        check=[] if king is None else [NAMES[king]],
        legal=legal_plies(board) if legal else [],
        last=last,
        claimable=board.claimable(),
    )


def legal_plies(board: Board) -> list[wire.LegalPly]:
    """Tell the legal plies and what each does; none if the game is over."""
    if board.is_game_over():
        return []
    return [_legal_ply(move, board.ply_info(move)) for move in board.legal_moves]


def reaches(board: Board, at: int) -> list[wire.Reach]:
    """Tell where the piece on a square could go."""
    return [_reach(*values) for values in board._reach_tuples(at)]


def premoves(board: Board, at: int) -> list[wire.Reach]:
    """Tell where the piece on a square could go after some ply of the other side.

    Besides what it reaches now: what it could take if an enemy stood there, be it on a square that is empty or after
    one of its own pieces was taken, and what it could do if it were its turn, such as to castle. Whether it is legal
    is seen when the turn has come.
    """
    piece = board.piece_at(at)
    found = {reach.to: reach for reach in reaches(board, at)}
    if piece is None:
        return list(found.values())
    enemy = Piece(piece.letter, not piece.color)
    others = board.copy()
    others.turn = piece.color
    with suppress(Error):
        for to in {move.to_square for move in others.legal_moves if move.word is None and move.from_square == at}:
            found.setdefault(NAMES[to], _reach(to, "move", None, [to], [to]))
    for square, other in board.piece_map().items():
        if square != at and other.color == piece.color:
            others.set_piece_at(square, Piece(other.letter, enemy.color))
    crowd = others.copy()
    for square in range(256):
        if square % 16 < board.game.files and square // 16 < board.game.ranks and crowd.piece_at(square) is None:
            crowd.set_piece_at(square, enemy)
    for each in (others, crowd):
        for reach in reaches(each, at):
            if reach.kind != "move":
                found.setdefault(reach.to, reach)
    return list(found.values())


def _legal_ply(move: Move, info: PlyInfo) -> wire.LegalPly:
    word = move.word is not None
    reach = info.reach
    return wire.LegalPly(
        ply=move.uci(),
        from_=None if word else NAMES[move.from_square],
        to=None if word else NAMES[move.to_square],
        promotion=move.promotion,
        reach=None if reach is None else _reach(reach.to, reach.kind, reach.mount, reach.path, reach.legs),
        kind=("move" if info.captured is None else "capture") if reach is None else reach.kind,  # type: ignore[arg-type]
        captured_on=None if info.captured_on is None else NAMES[info.captured_on],
        partner=None if info.partner is None else (NAMES[info.partner[0]], NAMES[info.partner[1]]),
        check=info.gives_check,
        ends_turn=info.ends_turn,
    )


def _reach(to: int, kind: str, mount: int | None, path: list[int], legs: list[int]) -> wire.Reach:
    return wire.Reach(NAMES[to], kind, None if mount is None else NAMES[mount], names(path), names(legs))  # type: ignore[arg-type]


def _moved(plies: list[Move]) -> list[str]:
    """Name where the pieces stand that have moved in this turn."""
    squares: dict[int, None] = {}
    for move in plies:
        if move.word is None:
            squares.pop(move.from_square, None)
            squares[move.to_square] = None
    return names(squares)
