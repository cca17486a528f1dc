"""Trees of moves, attacks, edited positions and pictures. The core answers in JSON, which passes as it is."""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import cast

from msgspec import Raw

from acedrex import Board, Piece, _native, parse_square, pgn, svg
from acedrex.game import Game
from acedrex.limits import MAX_TREE_MOVES
from acedrex.server import wire
from acedrex.server.games import catalogue
from acedrex.server.refusal import Refusal


def start_board(game: Game, request: wire.TreeRequest) -> Board:
    """Return a board with the starting position of a tree.

    :raises Refusal: if the game has no such setup.
    :raises Error: if the FEN is not a position of the game.
    """
    if request.setup is not None and request.fen is not None:
        raise Refusal("invalid", "give a FEN or a setup, not both", "setup")
    return Board(game, catalogue.setup(game, request.setup).fen if request.setup is not None else request.fen)


def read_tree(game: Game, request: wire.TreeRequest) -> wire.Tree:
    """Read a tree.

    :raises Error: if the FEN is not a position of the game, or a move is not legal.
    :raises Refusal: if the game has no such setup, or the moves are not in depth-first order.
    """
    with _in_order():
        tree = _native.tree(*_told(game, request))
    return cast(wire.Tree, Raw(tree.encode()))


def _told(
    game: Game, request: wire.TreeRequest
) -> tuple[Board, list[tuple[int, str, str, list[int]]], str, list[tuple[str, str]]]:
    """Return a tree as the core takes it."""
    nodes = [(node.parent, node.move, node.comment, node.nags) for node in request.nodes]
    return start_board(game, request), nodes, request.comment, [*request.tags.items()]


def make_moves(game: Game, fen: str, moves: list[str]) -> wire.MovesMade:
    """Make moves, in coordinates or SAN.

    :raises Error: if the FEN is not a position of the game, or a move is not legal.
    """
    return cast(wire.MovesMade, Raw(_native.moves_made(Board(game, fen), moves).encode()))


@contextmanager
def _in_order() -> Iterator[None]:
    """Refuse a tree whose moves are not in depth-first order."""
    try:
        yield
    except IndexError as error:
        index, message = error.args
        raise Refusal("invalid", message, f"nodes[{index}].parent") from None


def read_pgn(games: Mapping[str, Game], text: str) -> wire.Tree:
    """Read the first game of a PGN text; its errors are in the tree's faults.

    :param games: games besides the shipped ones.
    :raises Refusal: if the text has no game that can be read.
    """
    found = pgn.Reader(io.StringIO(text), games=games).tree(MAX_TREE_MOVES)
    if found is None:
        raise Refusal("invalid", "this text contains no game", "pgn")
    tree, errors = found
    if tree is None:
        raise Refusal("invalid", str(errors[0]), "pgn")
    return cast(wire.Tree, Raw(tree.encode()))


def write_pgn(game: Game, request: wire.TreeRequest) -> str:
    """Write a tree as PGN. PGN has nodes for whole turns, so comments on moves inside a turn come after the turn.

    :raises Error: if the FEN is not a position of the game, a move is not legal, or variations are nested too deeply.
    :raises Refusal: if the game has no such setup, or the moves are not in depth-first order.
    """
    with _in_order():
        return _native.tree_pgn(*_told(game, request))


def attacks(game: Game, fen: str) -> wire.Attacks:
    """Count the attackers of each square, and list the pieces that could be captured at a profit.

    That is a piece that nothing defends, or that a piece of less value attacks.

    :raises Error: if the FEN is not a position of the game.
    """
    return cast(wire.Attacks, Raw(_native.attack_report(Board(game, fen)).encode()))


def edited(game: Game, request: wire.EditRequest) -> wire.Edited:
    """Return an edited position, legal or not, without the rights whose pieces are missing.

    :raises Error: if the FEN cannot be read, or the game has no such square, piece or right.
    """
    board = Board(game)
    if request.fen is not None:
        board.set_fen(request.fen, playable=False)
    else:
        board.clear()
        for piece in request.pieces:
            board.set_piece_at(parse_square(piece.square), Piece(piece.letter, piece.side == "white"))
        board.turn = request.turn == "white"
        board.rights = _native.possible_rights(board, request.rights)
    return cast(wire.Edited, Raw(_native.edited(board).encode()))


def draw(game: Game, request: wire.PictureRequest) -> str:
    """Draw a position as SVG.

    :raises Error: if the FEN cannot be read, or there is no such square.
    :raises Refusal: if a colour is none.
    """
    board = Board(game)
    board.set_fen(request.fen, playable=False)
    last = [parse_square(name) for name in request.last]
    squares = {"square light": request.light_squares, "square dark": request.dark_squares}
    try:
        return svg.board(
            board,
            size=request.size,
            orientation=request.orientation == "white",
            pieces=request.pieces,
            theme=request.theme,
            colors={part: colour for part, colour in squares.items() if colour is not None},
            lastmove=(last[0], last[-1]) if last else False,
            arrows=[(parse_square(arrow.from_), parse_square(arrow.to), arrow.colour) for arrow in request.arrows],
        )
    except ValueError as error:
        raise Refusal("invalid", str(error)) from None
