"""Lessons as the server tells them."""

from __future__ import annotations

import functools

from acedrex import WHITE, Board, lessons, square_file, square_name, square_rank
from acedrex.game import Game, Piece
from acedrex.lessons import Puzzle
from acedrex.lessons.mine import made
from acedrex.plain import side, way
from acedrex.server import positions, wire
from acedrex.squares import square


# Games are equal whatever their language, so it is named besides.
@functools.lru_cache(maxsize=256)
def told(game: Game, shipped: bool, language: str) -> wire.Lessons:
    """Tell the lessons of a game; definition files that are not ours have no examples."""
    found = lessons.examples(game.id) if shipped else ()
    return wire.Lessons(
        diagrams=[diagram(game, piece.letter) for piece in game.pieces],
        examples=[
            wire.Example(
                one.rule,
                one.piece,
                dict(one.options),
                one.fen,
                list(one.moves),
                one.texts.get(language, one.texts["en"]),
            )
            for one in found
        ],
    )


def new_exercises(game: Game) -> tuple[Puzzle, ...]:
    """Make exercises of a game that has no file of them, which takes some seconds."""
    return tuple(made(game))


def puzzle(game: Game, one: Puzzle) -> wire.Puzzle:
    """Tell a puzzle without its solution."""
    return wire.Puzzle(one.fen, side(Board(game, one.fen).turn), one.goal, one.moves, one.takes(game), one.teaches)


def tried(game: Game, one: Puzzle, asked: wire.Attempt) -> wire.AttemptResult:
    """Judge a try.

    :raises acedrex.Error: if a move is not legal.
    """
    result = lessons.AttemptResult("shown", one.line) if asked.show else one.tried(game, asked.moves)
    board = Board(game, one.fen)
    last: list[str] = []
    for text in result.moves:
        move = board.parse_uci(text)
        last = way(board, move)
        board.push(move)
    over = result.verdict in ("solved", "shown")
    return wire.AttemptResult(result.verdict, list(result.moves), positions.position(board, last, legal=not over))


def diagram(game: Game, letter: str) -> wire.PieceDiagram:
    """Find where a piece shows best what it does: in the middle, or where it begins if it does more there."""
    small = game.diagram(letter)
    middle = square((game.files - 1) // 2, (game.ranks - 1) // 2)
    homes = sorted(Board(game).pieces(letter, True), key=lambda at: abs(square_file(at) - square_file(middle)))
    best = max([middle, *homes[:1]], key=lambda at: _reached(game, letter, at))
    across = square_file(best) - square_file(small.origin)
    along = square_rank(best) - square_rank(small.origin)
    # Somebody to hop over, behind each somebody to take, and somebody wherever it only takes.
    others = [*small.others]
    others += {one.mount: one.to for one in small.reach if one.mount is not None}.values()
    others += [one.to for one in small.reach if one.kind == "capture"]
    moved = [(square_file(at) + across, square_rank(at) + along) for at in others]
    within = [square(file, rank) for file, rank in moved if 0 <= file < game.files and 0 <= rank < game.ranks]
    return wire.PieceDiagram(letter, square_name(best), [square_name(at) for at in within])


def _reached(game: Game, letter: str, at: int) -> int:
    board = Board(game)
    rights = board.rights
    board.clear()
    board.set_piece_at(at, Piece(letter, WHITE))
    return len(loose(game, board.fen().replace(" - ", f" {rights or '-'} ", 1)).reach(at))


def loose(game: Game, fen: str) -> Board:
    """Read a position that need not be playable."""
    board = Board(game)
    board.set_fen(fen, playable=False)
    return board
