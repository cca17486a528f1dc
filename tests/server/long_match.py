"""A server with a match of thousands of moves."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from acedrex import Board
from acedrex.server.games import catalogue
from acedrex.server.match.events import MovePlayed
from acedrex.server.match.state import Match
from acedrex.server.storage import cards
from acedrex.server.storage.migrate import migrate
from acedrex.server.storage.store import NEW_DEFINITION, Store
from tests.server.conftest import Server
from tests.server.matches import START, started

#: The id of the match, and its number of moves.
LONG, MOVES = "long", 2_480
#: The id of a copy that lacks an event.
DAMAGED = "damaged"


def long_game(game: str, plies: int) -> Board:
    """Play random moves, taking some back whenever the game ends, until there are ``plies``."""
    board, chance = Board(game), random.Random(1)
    while board.ply() < plies:
        moves = list(board.legal_moves)
        if not moves or board.is_game_over():
            for _ in range(20):
                board.pop()
            continue
        some = chance.sample(moves, min(8, len(moves)))
        board.push(next((move for move in some if not board.is_capture(move)), some[0]))
    return board


async def keep(url: str, board: Board) -> None:
    """Store an unfinished match and its damaged copy."""
    match, events = started(board.game.id)
    events += [MovePlayed(at=START, move=move.uci(), spent=0) for move in board.move_stack]
    match = Match(LONG, events, match.game)
    store = Store(url)
    await store.open()
    definition = dict(zip(("hash", "text"), catalogue.definition(match.game), strict=True))
    await store.write((NEW_DEFINITION, definition), *cards.first_steps(match, events, "ana"))
    match.id = DAMAGED
    steps = cards.first_steps(match, events, "ana")
    await store.write(*(step for step in steps if step[1].get("number") != MOVES // 2))
    await store.close()


@contextmanager
def server_with_long_match(folder: Path, *arguments: str) -> Iterator[Server]:
    url = f"sqlite+aiosqlite:///{folder}/server.db"
    migrate(url)
    asyncio.run(keep(url, long_game("maasai", MOVES)))
    server = Server(folder, *arguments)
    yield server
    assert server.end() == 0
    assert server.faults() == []
