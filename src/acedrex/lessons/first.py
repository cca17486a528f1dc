"""The first game: positions in which a newcomer tries what orthodox chess does not have."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from acedrex._native import Reach
from acedrex.board import Board
from acedrex.errors import Error
from acedrex.game import Diagram, Game, Piece, PieceType, load
from acedrex.lessons.example import Example, examples
from acedrex.squares import square, square_distance, square_file, square_name, square_rank

#: The most positions of a first game. With a quarter of a minute for each, it takes about five minutes.
MOST = 16


def first_game(game: Game, *, shipped: bool = True) -> tuple[Example, ...]:
    """Return what to try before the first game: the pieces in play that chess does not have, then the special rules.

    There are at most 16 positions; if a game has more pieces, those that players meet first and most have one. The
    position of a piece without an example is generated: the piece can capture another at once. A piece for which no
    such position is found is left out. Only ``shipped`` games have examples.

    >>> [example.piece or example.rule for example in first_game(load("magi"))]
    ['W', 'A', 'D', 'first_move', 'en_passant', 'castling', 'bare_king']
    """
    written = examples(game.id) if shipped else ()
    own = {example.piece: example for example in reversed(written) if example.piece and not example.options}
    rules = [example for example in written if example.first_game]
    pieces = [own.get(piece.letter) or trial(game, piece) for piece in most_met(game, MOST - len(rules))]
    return (*(example for example in pieces if example), *rules)


def most_met(game: Game, most: int) -> list[PieceType]:
    """Return the new pieces that players meet first and most, in the order of the game.

    The pieces in front of the army come first, because they move first, then those that are most of its strength.
    """
    start = Board(game)
    front = max((square_rank(at) for at, piece in start.piece_map().items() if piece.color), default=0)

    def rank(piece: PieceType) -> tuple[bool, float]:
        squares = start.pieces(piece.letter, True)
        in_front = any(square_rank(at) == front for at in squares)
        return in_front, len(squares) * max(piece.values.values(), default=1)

    pieces = new_pieces(game)
    chosen = sorted(pieces, key=rank, reverse=True)[:most]
    return [piece for piece in pieces if piece in chosen]


def new_pieces(game: Game) -> list[PieceType]:
    """Return the kinds in play that move as no piece of orthodox chess does; Pawns differ only by rules."""
    known = load("chess").pieces
    moves = {(piece.move, piece.royal) for piece in known}
    pawns = {piece.art for piece in known if piece.is_soldier}
    return [
        piece
        for piece in game.pieces
        if piece.letter in game.in_play
        and (piece.move, piece.royal) not in moves
        and not (piece.is_soldier and piece.art in pawns)
    ]


def trial(game: Game, piece: PieceType) -> Example | None:
    """Find a playable position in which a white piece can capture a black one; prefer what is special about it."""
    shape = game.diagram(piece.letter)
    captures = sorted((reach for reach in shape.reach if reach.kind != "move"), key=lambda one: telling(shape, one))
    for at, reach in itertools.product(homes(game, piece), reversed(captures)):
        across, along = square_file(at) - square_file(shape.origin), square_rank(at) - square_rank(shape.origin)
        there = [reach.to] if reach.mount is None else [reach.to, reach.mount]
        shifted = [found for one in there if (found := away(game, one, across, along)) is not None]
        if len(shifted) < len(there):
            continue
        to, *mount = shifted
        move = square_name(at) + square_name(to)
        for board in positions(game, piece, at, [to, *mount]):
            try:
                board.parse_uci(move)
            except Error:
                continue
            return Example(piece=piece.letter, fen=board.fen(), moves=(move,), shows="hop" if mount else "move")
    return None


def telling(shape: Diagram, reach: Reach) -> tuple[int, bool, int, int, int]:
    """Rate how much a capture tells of a piece: its turns, a hop, its distance up to four squares, going forward."""
    across = square_file(reach.to) - square_file(shape.origin)
    along = square_rank(reach.to) - square_rank(shape.origin)
    far = max(abs(across), abs(along))
    return len(reach.legs), reach.mount is not None, far if far <= 4 else 0, along, across


def middle(game: Game) -> int:
    """Return the square in the middle of the board, or one that is nearest to it if there is a hole."""
    wanted = square((game.files - 1) // 2, (game.ranks - 1) // 2)
    return min(game.squares, key=lambda at: square_distance(at, wanted))


def away(game: Game, at: int, across: int, along: int) -> int | None:
    """Return the square that many files to the right and ranks up, or None if the board has no such square."""
    file, rank = square_file(at) + across, square_rank(at) + along
    inside = 0 <= file < game.files and 0 <= rank < game.ranks
    return found if inside and (found := square(file, rank)) in game.squares else None


def homes(game: Game, piece: PieceType) -> list[int]:
    """Return the squares to put a piece on: the middle, or those of the start if it may not leave its zone."""
    return [middle(game), *sorted(Board(game).pieces(piece.letter, True))]


def positions(game: Game, piece: PieceType, at: int, enemies: list[int]) -> Iterator[Board]:
    """Yield playable positions with White to move: the piece, enemies, and the royal pieces they need, far away."""
    targets = [kind for kind in game.pieces if kind.letter in game.in_play and not kind.royal]
    target = next((kind for kind in targets if kind.is_soldier), targets[-1] if targets else piece)
    royal = next((kind for kind in game.pieces if kind.royal), None)
    start = Board(game)
    corners = [square(file, rank) for rank in (0, game.ranks - 1) for file in (0, game.files - 1)]
    corners = [corner for corner in corners if corner in game.squares]
    near = [
        found
        for across, along in itertools.product((-3, 0, 3), (-3, 0))
        if (found := away(game, at, across, along)) is not None
    ]
    taken = {at, *enemies}
    for white, black in itertools.product(
        [None] if piece.royal or royal is None else [*corners, *near, *start.royals(True)],
        [None] if royal is None else [*reversed(corners), *start.royals(False)],
    ):
        placed = [one for one in (white, black) if one is not None]
        if len({*taken, *placed}) < len(taken) + len(placed):
            continue
        board = Board(game)
        board.clear()
        board.set_piece_at(at, Piece(piece.letter, True))
        for enemy in enemies:
            board.set_piece_at(enemy, Piece(target.letter, False))
        if white is not None and royal:
            board.set_piece_at(white, Piece(royal.letter, True))
        if black is not None and royal:
            board.set_piece_at(black, Piece(royal.letter, False))
        if board.is_valid() and not board.is_check():
            yield board
