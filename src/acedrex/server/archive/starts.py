"""Positions to begin a match from: won endings, handicaps, and the openings that are played most."""

from __future__ import annotations

import functools

from sqlalchemy import select

from acedrex import Board, _native, lessons, square_file
from acedrex.game import Game
from acedrex.server import wire
from acedrex.server.archive.search_index import EVERYBODY, position_key, setup_key
from acedrex.server.games.lessons import puzzle
from acedrex.server.storage.store import Store
from acedrex.server.storage.tables import openings

#: The most valuable piece types for which there is a handicap.
MAX_HANDICAPS = 8
#: Opening lines, the moves of the longest, and the games in which each of its moves must have been played.
MAX_LINES, MAX_MOVES, LEAST_GAMES = 6, 12, 2


@functools.lru_cache(maxsize=512)
def endings(game: Game, shipped: bool) -> list[wire.Puzzle]:
    """Return won endings, proved by exhaustive search; only shipped games have any."""
    return [puzzle(game, ending) for ending in lessons.endings(game.id)] if shipped else []


@functools.lru_cache(maxsize=512)
def handicaps(game: Game) -> list[wire.Handicap]:
    """Return the starting position without one white piece, for each of the most valuable piece types."""
    kinds = [kind for kind in game.pieces if not kind.royal and not kind.is_soldier]
    kinds.sort(key=lambda kind: -max(kind.values.values(), default=0.0))
    found = (_handicap(game, kind.letter) for kind in kinds)
    return [handicap for handicap in found if handicap is not None][:MAX_HANDICAPS]


def _handicap(game: Game, letter: str) -> wire.Handicap | None:
    """Remove the piece that is farthest to the left, as is the custom, with the rights that need it."""
    board = Board(game)
    squares = board.pieces(letter, True)
    if not squares:
        return None
    rights = board.rights
    board.rights = "-"
    board.remove_piece_at(min(squares, key=square_file))
    board.rights = _native.possible_rights(board, rights)
    if board.status() or board.is_game_over():
        return None
    return wire.Handicap(board.fen(), letter)


async def most_played(store: Store, game: Game) -> list[wire.OpeningLine]:
    """Return the most frequent first moves or setups of public matches, each with the moves played most after it."""
    found = []
    if len(game.setups):
        for row, games in await _moves(store, setup_key(game), MAX_LINES):
            found.append(await _line(store, Board(game, setup=row), games, row))
    else:
        start = Board(game)
        for row, games in await _moves(store, position_key(game, start.fen()), MAX_LINES):
            board = start.copy()
            board.push_uci(row)
            found.append(await _line(store, board, games, None))
    return [line for line in found if line is not None]


async def _line(store: Store, board: Board, games: int, setup: str | None) -> wire.OpeningLine | None:
    """Follow the moves played most, to the end of a turn; ``None`` if there are none."""
    length = 0 if board.turn_moves else len(board.move_stack)
    while len(board.move_stack) < MAX_MOVES:
        rows = await _moves(store, position_key(board.game, board.fen()), 1)
        if not rows:
            break
        board.push_uci(rows[0][0])
        if not board.turn_moves:
            length, games = len(board.move_stack), rows[0][1]
    while len(board.move_stack) > length:
        board.pop()
    if not length or board.is_game_over():
        return None
    san = Board(board.game, board.root_fen).variation_san(board.move_stack)
    return wire.OpeningLine(board.fen(), setup, san, games)


async def _moves(store: Store, position: str, most: int) -> list[tuple[str, int]]:
    """Return the moves that were played often enough in a position, with the numbers of games."""
    row = openings.c
    games = row.white + row.draws + row.black
    query = select(row.ply, games.label("games")).where(row.scope == EVERYBODY, row.position == position)
    rows = await store.all(query.where(games >= LEAST_GAMES).order_by(games.desc(), row.ply).limit(most))
    return [(row.ply, row.games) for row in rows]
