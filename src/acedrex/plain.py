"""Positions, pieces and setups as plain data, in the shapes that the board of the web takes.

The core says all of it; here it is only written down. Squares are names (``g7``), a move is its text as
:meth:`acedrex.Move.uci` writes it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import TypedDict

from acedrex import _native
from acedrex._native import Move
from acedrex.board import Board
from acedrex.engine.result import Info, Score
from acedrex.errors import Error
from acedrex.game import Game, Piece
from acedrex.shapes import LegalMove, PieceKind, Position, Reach, SetupGroup, SetupPhase, Side
from acedrex.squares import square, square_file, square_name, square_rank

__all__ = [
    "evaluation",
    "kinds",
    "legal_moves",
    "names",
    "position",
    "position_json",
    "premoves",
    "reaches",
    "rounds",
    "setup_phase",
    "side",
    "way",
]

#: The names of all squares, by number.
NAMES = {at: square_name(at) for at in range(256)}
#: Most setups that are looked through for where pieces may stand.
MOST_LOOKED_THROUGH = 2_000


class Evaluation(TypedDict):
    """A score as White sees it: hundredths or turns to mate, and what White may expect, from 0 to 1.

    A mate in 0 is on the board; whose it is ``chance`` tells.
    """

    cp: int | None
    mate: int | None
    chance: float


def side(white: bool) -> Side:
    """Name a colour."""
    return "white" if white else "black"


def names(squares: Iterable[int]) -> list[str]:
    """Name squares."""
    return [NAMES[at] for at in squares]


def way(board: Board, move: Move) -> list[str]:
    """Name the squares that a legal move touches: from, on the way, to."""
    if move.special is not None:
        return []
    reach = board.move_info(move).reach
    path = [move.to_square] if reach is None else reach.path
    return names(dict.fromkeys((move.from_square, *path, move.to_square)))


def position(board: Board, last: list[str], *, legal: bool) -> Position:
    """Tell a position; its legal moves only if they are wanted, for they are most of the work.

    :param last: the squares that the last move touched.
    """
    told: Position = json.loads(position_json(board, last, legal=legal))
    return told


def position_json(board: Board, last: list[str], *, legal: bool) -> str:
    """Write in JSON what :func:`position` tells, which is quicker by far."""
    return _native.position(board, last, legal)


def legal_moves(board: Board) -> list[LegalMove]:
    """Tell the legal moves and what each does; none if the game is over."""
    return position(board, [], legal=True)["legal"]


def reaches(board: Board, at: int) -> list[Reach]:
    """Tell where the piece on a square could go.

    :raises Error: if the number is no square of the board.
    """
    return _native.reaches(board, at)


def premoves(board: Board, at: int) -> list[Reach]:
    """Tell where the piece on a square could go after some move of the other side.

    Besides what it reaches now: what it could take if an enemy stood there, be it on a square that is empty or after
    one of its own pieces was taken, and what it could do if it were its turn, such as to castle. Whether it is legal
    is seen when the turn has come.
    """
    piece = board.piece_at(at)
    found = {reach["to"]: reach for reach in reaches(board, at)}
    if piece is None:
        return list(found.values())
    enemy = Piece(piece.letter, not piece.color)
    others = board.copy()
    others.turn = piece.color
    with suppress(Error):
        for to in {move.to_square for move in others.legal_moves if move.special is None and move.from_square == at}:
            name = NAMES[to]
            found.setdefault(name, {"to": name, "kind": "move", "mount": None, "path": [name], "legs": [name]})
    for place, other in board.piece_map().items():
        if place != at and other.color == piece.color:
            others.set_piece_at(place, Piece(other.letter, enemy.color))
    crowd = others.copy()
    for place in NAMES:
        if (
            square_file(place) < board.game.files
            and square_rank(place) < board.game.ranks
            and not crowd.piece_at(place)
        ):
            crowd.set_piece_at(place, enemy)
    for each in (others, crowd):
        for reach in reaches(each, at):
            if reach["kind"] != "move":
                found.setdefault(reach["to"], reach)
    return list(found.values())


def kinds(game: Game) -> list[PieceKind]:
    """Tell a game's kinds of pieces, in the language of the game's texts."""
    return [
        {
            "id": piece.id,
            "letter": piece.letter,
            "name": piece.name,
            "also": piece.also,
            "help": piece.help,
            "art": piece.art,
            "royal": piece.royal,
            "soldier": piece.is_soldier,
            "values": piece.values,
            "promotes_to": piece.promotes_to,
        }
        for piece in game.pieces
    ]


def setup_phase(game: Game) -> SetupPhase | None:
    """Tell what the chooser of a setup arranges; ``None`` where the game has no setups."""
    if not len(game.setups):
        return None
    board = Board(game, setup=1)
    groups: list[SetupGroup] = []
    for squares in game.setups.squares:
        mirrored = names(square(square_file(at), game.ranks - 1 - square_rank(at)) for at in squares)
        letters = [piece.letter for at in squares if (piece := board.piece_at(at))]
        groups.append({"squares": mirrored, "mirror": names(squares), "pieces": letters, "only": {}})
    if len(game.setups) <= MOST_LOOKED_THROUGH:
        for group, squares in zip(groups, game.setups.squares, strict=True):
            group["only"] = _only(game, squares, group["squares"])
    return {"count": len(game.setups), "groups": groups}


def _only(game: Game, squares: list[int], shown: list[str]) -> dict[str, list[str]]:
    """Find the pieces of a group that may not stand on all of its squares, and where they may."""
    found: dict[str, list[str]] = {}
    for name in game.setups:
        made = Board(game, setup=name)
        for at, told in zip(squares, shown, strict=True):
            piece = made.piece_at(at)
            assert piece is not None
            places = found.setdefault(piece.letter, [])
            if told not in places:
                places.append(told)
    return {letter: places for letter, places in found.items() if len(places) < len(squares)}


def evaluation(score: Score, *, white: bool) -> Evaluation:
    """Tell a score as White sees it.

    :param white: whether White is to move.
    """
    seen = score if white else -score
    wdl = seen.wdl
    if seen.mate is not None or wdl is None:
        # Engines of others may tell no chances; then a Pawn is worth as much as it is in any game.
        chance = float(seen.mate > 0) if seen.mate is not None else 1 / (1 + 10 ** (-(seen.cp or 0) / 400))
    else:
        chance = (wdl.wins + wdl.draws / 2) / 1000
    return {"cp": seen.cp, "mate": seen.mate, "chance": round(chance, 3)}


def rounds(told: Iterable[Info]) -> Iterator[list[Info]]:
    """Gather the lines of a search by depth: all that are known each time, the best first."""
    found: dict[int, Info] = {}

    def known() -> list[Info]:
        return [found[rank] for rank in sorted(found)]

    last = 0
    for info in told:
        if info.bound is not None:
            continue
        if found and info.multipv <= last:
            yield known()
        found[info.multipv] = info
        last = info.multipv
    if found:
        yield known()
