"""The archive: an index of finished matches for searches, and statistics of their openings."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from functools import partial
from itertools import islice

import structlog
from sqlalchemy import bindparam, insert, select, text, update

from acedrex import Board, Game
from acedrex.server.games import catalogue
from acedrex.server.match.state import SIDES, Match
from acedrex.server.play.rooms import Rooms
from acedrex.server.poll import Poll
from acedrex.server.refusal import Refusal
from acedrex.server.storage.store import ConflictError, Step
from acedrex.server.storage.tables import archive, matches

log = structlog.get_logger()

#: The number of moves from the start that the openings cover.
MAX_MOVES = 30
#: The scope of the openings of all public matches.
EVERYBODY = ""
#: Kinds of opponents whose matches are public; those with a friend, on one device or imported are private.
PUBLIC = ("lobby", "engine")
#: The maximum number of characters of a name that are indexed.
MAX_NAME = 80
#: Seconds between checks for finished matches, and how many are archived at once.
PAUSE, PORTION = 1.0, 50

NEW = insert(archive)
ARCHIVED = update(matches).where(matches.c.id == bindparam("_id")).values(archived=True)
FINISHED = (
    select(matches.c.id)
    .where(matches.c.phase == "over", matches.c.archived.is_(None))
    .order_by(matches.c.at)
    .limit(PORTION)
)
#: SQLite and PostgreSQL share this syntax.
PLAYED = text(
    "INSERT INTO openings (scope, position, ply, white, draws, black) "
    "VALUES (:scope, :position, :ply, :white, :draws, :black) ON CONFLICT (scope, position, ply) DO UPDATE SET "
    "white = openings.white + excluded.white, draws = openings.draws + excluded.draws, "
    "black = openings.black + excluded.black"
)


def folded(name: str) -> str:
    """Normalise a name for searches: case-folded, with single spaces."""
    return " ".join(name.casefold().split())[:MAX_NAME]


def position_key(game: Game, fen: str) -> str:
    """Return the key of a position, however it was reached: its FEN without the counters, under the game's rules."""
    fields = fen.split()
    return _hash(game, " ".join([*fields[:4], *fields[6:]]))


def setup_key(game: Game) -> str:
    """Return the key under which a game's setups are counted, as if choosing one were the first move."""
    return _hash(game, "setup")


def _hash(game: Game, rest: str) -> str:
    return hashlib.blake2b(f"{game.rules_hash} {rest}".encode(), digest_size=12).hexdigest()


def first_moves(board: Board, setup: str | None, moves: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield the keys of the opening positions, and the move played in each; the setup counts as the first.

    :param board: the start, which is changed.
    """
    if setup is not None:
        yield setup_key(board.game), setup
    for move in islice(moves, MAX_MOVES):
        yield position_key(board.game, board.fen()), move
        board.push_uci(move)


def setup_of(match: Match) -> str | None:
    """Return the setup that a match began with, even if an imported game gave only the position."""
    if match.setup is not None or not len(match.game.setups):
        return match.setup
    return catalogue.start_of(Board(match.game, match.board.root_fen))[0]


def steps(match: Match, owner: str | None = None) -> list[Step]:
    """Return the steps that put a finished match into the archive.

    A match that began from a position of its own adds nothing to the openings.

    :param owner: the person who imported it, if it was not played here.
    """
    people = [seat.person if (seat := match.seats.get(side)) else None for side in SIDES]
    names = [folded(seat.name) if (seat := match.seats.get(side)) else "" for side in SIDES]
    result = "*" if match.ending is None else match.ending.result
    public = match.created.opponent in PUBLIC and bool(match.moves)
    row = {"match": match.id, "game": match.game.id, "setup": setup_of(match), "result": result, "owner": owner}
    row |= {"white": people[0], "black": people[1], "white_name": names[0], "black_name": names[1]}
    found: list[Step] = [(NEW, {**row, "plies": len(match.moves), "at": match.at, "public": public})]
    counts = {"white": result == "1-0", "draws": result == "1/2-1/2", "black": result == "0-1"}
    if not any(counts.values()) or not match.moves or match.created.fen is not None:
        return found
    scopes = {EVERYBODY} if public else set()
    scopes |= {person for person in (*people, owner) if person is not None}
    start = Board(match.game, match.board.root_fen)
    for position, move in dict.fromkeys(first_moves(start, row["setup"], (made.move for made in match.moves))):
        for scope in sorted(scopes):
            counted = {name: int(value) for name, value in counts.items()}
            found.append((PLAYED, {"scope": scope, "position": position, "ply": move, **counted}))
    return found


async def archive_forever(rooms: Rooms) -> None:
    """Archive finished matches, forever."""
    await Poll(partial(archive_portion, rooms), PAUSE, "archive_failed").run_forever()


async def archive_portion(rooms: Rooms) -> int:
    """Archive some finished matches, and return how many."""
    rows = await rooms.store.all(FINISHED)
    for row in rows:
        await _archive(rooms, row.id)
    return len(rows)


async def _archive(rooms: Rooms, id: str) -> None:
    done: Step = (ARCHIVED, {"_id": id})
    try:
        match = await rooms.load(id)
        if match is None:
            return  # somebody has had it deleted meanwhile
        await rooms.store.write(*steps(match), done)
    except ConflictError:
        # Another process has archived it already, or it came with an old backup of the database.
        await rooms.store.write(done)
    except Refusal as refusal:
        log.warning("cannot_archive", match=id, problem=refusal.problem.message)
        await rooms.store.write(done)
