"""Positions, pieces and setups as plain data, in the form that the web board expects.

The core knows all of it; this module only converts it. Squares are names (``g7``), and moves are written as by
:meth:`acedrex.Move.uci`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import TypedDict

from acedrex import _native
from acedrex._native import Move
from acedrex.board import Board
from acedrex.engine.result import Info, Score
from acedrex.game import Game, Piece
from acedrex.shapes import LegalMove, PieceType, Position, Reach, SetupGroup, SetupPhase, Side
from acedrex.squares import square, square_file, square_name, square_rank

__all__ = [
    "evaluation",
    "legal_moves",
    "move_path",
    "names",
    "piece_types",
    "position",
    "position_json",
    "premoves",
    "reaches",
    "rounds",
    "setup_phase",
    "side",
]

#: The names of all squares, by number.
NAMES = {at: square_name(at) for at in range(256)}
#: The most setups that are searched for the squares where pieces may be placed.
MAX_SEARCHED_SETUPS = 2_000


class Evaluation(TypedDict):
    """A score from White's point of view: centipawns or turns to mate, and White's expected score, from 0 to 1.

    ``mate`` is 0 if the position is checkmate; ``chance`` then tells who has won.
    """

    cp: int | None
    mate: int | None
    chance: float


def side(white: bool) -> Side:
    """Return the name of a side."""
    return "white" if white else "black"


def names(squares: Iterable[int]) -> list[str]:
    """Return the names of squares."""
    return [NAMES[at] for at in squares]


def move_path(board: Board, move: Move) -> list[str]:
    """Return the names of the squares that a legal move touches: its origin, its path and its destination.

    :raises IllegalMoveError: if the move is not legal.
    """
    if move.special is not None:
        return []
    reach = board.move_info(move).reach
    path = [move.to_square] if reach is None else reach.path
    return names(dict.fromkeys((move.from_square, *path, move.to_square)))


def position(board: Board, last: list[str] | None, *, legal: bool) -> Position:
    """Return a position.

    :param last: the squares that the last move touched, as :func:`move_path` returns them; by default as the board
        knows them.
    :param legal: whether to include the legal moves, which take most of the time.
    """
    data: Position = json.loads(position_json(board, last, legal=legal))
    return data


def position_json(board: Board, last: list[str] | None, *, legal: bool) -> str:
    """Return :func:`position` as JSON, which is much faster."""
    return _native.position(board, last, legal)


def legal_moves(board: Board) -> list[LegalMove]:
    """Return the legal moves and what each does; none if the game is over."""
    return position(board, [], legal=True)["legal"]


def reaches(board: Board, at: int) -> list[Reach]:
    """Return where the piece on a square could go by its own moves.

    :raises Error: if the number is not a square of the board.
    """
    return _native.reaches(board, at)


def premoves(board: Board, at: int) -> list[Reach]:
    """Return where the piece on a square might go after the next move of the other side.

    Besides what it reaches now, these are the captures that it could make if an enemy were on an empty square or had
    captured one of its own pieces, and its moves if it were its turn, such as castling. Legality is checked when the
    premove is played.

    :raises Error: if the number is not a square of the board.
    """
    return _native.premoves(board, at)


def reaches_alone(game: Game, piece: Piece, at: int) -> list[Reach]:
    """Return where a piece on a square could go on an empty board with the rights of the start, captures included.

    :raises Error: if the number is not a square of the board, or the game has no such piece.
    """
    return _native.reaches_alone(Board(game), piece.letter, piece.color, at)


def piece_types(game: Game) -> list[PieceType]:
    """Return a game's piece types, in the language of the game's texts."""
    return [
        {
            "id": piece.id,
            "letter": piece.letter,
            "name": piece.name,
            "also": piece.also,
            "help": piece.help,
            "art": piece.art,
            "emblem": game.emblems[piece.letter],
            "royal": piece.royal,
            "soldier": piece.is_soldier,
            "values": piece.values,
            "promotes_to": piece.promotes_to,
        }
        for piece in game.pieces
    ]


def setup_phase(game: Game) -> SetupPhase | None:
    """Return what the player who chooses the setup arranges; ``None`` if the game has no setups."""
    if not len(game.setups):
        return None
    board = Board(game, setup=1)
    groups: list[SetupGroup] = []
    for squares in game.setups.squares:
        mirrored = names(square(square_file(at), game.ranks - 1 - square_rank(at)) for at in squares)
        letters = [piece.letter for at in squares if (piece := board.piece_at(at))]
        groups.append({"squares": mirrored, "mirror": names(squares), "pieces": letters, "only": {}})
    if len(game.setups) <= MAX_SEARCHED_SETUPS:
        for group, squares in zip(groups, game.setups.squares, strict=True):
            group["only"] = _only(game, squares, group["squares"])
    return {"count": len(game.setups), "groups": groups}


def _only(game: Game, squares: list[int], shown: list[str]) -> dict[str, list[str]]:
    """Return the squares of each piece of a group that may not be placed on all squares of the group."""
    found: dict[str, list[str]] = {}
    for setup in game.setups:
        board = Board(game, setup=setup)
        for at, name in zip(squares, shown, strict=True):
            piece = board.piece_at(at)
            assert piece is not None
            places = found.setdefault(piece.letter, [])
            if name not in places:
                places.append(name)
    return {letter: places for letter, places in found.items() if len(places) < len(squares)}


def evaluation(score: Score, *, white: bool) -> Evaluation:
    """Return a score from White's point of view.

    :param score: the score from the point of view of the side to move.
    :param white: whether White is to move.
    """
    seen = score if white else -score
    if seen.mate is not None:
        chance = float(seen.mate > 0)
    else:
        # Other engines may report no chances.
        wins, draws, _ = seen.wdl or _native.chances(seen.cp or 0)
        chance = (wins + draws / 2) / 1000
    return {"cp": seen.cp, "mate": seen.mate, "chance": round(chance, 3)}


def rounds(infos: Iterable[Info]) -> Iterator[list[Info]]:
    """Yield the lines of a search after each round of MultiPV: the latest line of every rank, the best first."""
    found: dict[int, Info] = {}

    def lines() -> list[Info]:
        return [found[rank] for rank in sorted(found)]

    last = 0
    for info in infos:
        if info.bound is not None:
            continue
        if found and info.multipv <= last:
            yield lines()
        found[info.multipv] = info
        last = info.multipv
    if found:
        yield lines()
