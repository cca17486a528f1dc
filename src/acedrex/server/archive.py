"""The archive: what is kept of finished matches, so that they are found, and what was played first in them."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Iterator

import structlog
from sqlalchemy import bindparam, insert, select, text, update

from acedrex import Board, Game
from acedrex.server.decide import Refusal
from acedrex.server.rooms import Rooms
from acedrex.server.state import SIDES, Match
from acedrex.server.store import BusyError, ConflictError, Step
from acedrex.server.tables import archive, matches

log = structlog.get_logger()

#: Moves from the start that the openings know.
MOST_MOVES = 30
#: What stands for everybody in the openings.
EVERYBODY = ""
#: Matches against whom are public; those behind a link, at one board or of a file are not.
PUBLIC = ("lobby", "engine")
#: Most characters of a name that one can look for.
MOST_NAME = 80
#: Seconds between looks for matches that have finished, and how many are taken in at once.
PAUSE, PORTION = 1.0, 50

NEW = insert(archive)
ARCHIVED = update(matches).where(matches.c.id == bindparam("_id")).values(archived=True)
FINISHED = (
    select(matches.c.id)
    .where(matches.c.phase == "over", matches.c.archived.is_(None))
    .order_by(matches.c.at)
    .limit(PORTION)
)
#: SQLite and PostgreSQL say this in the same words.
PLAYED = text(
    "INSERT INTO openings (scope, position, ply, white, draws, black) "
    "VALUES (:scope, :position, :ply, :white, :draws, :black) ON CONFLICT (scope, position, ply) DO UPDATE SET "
    "white = openings.white + excluded.white, draws = openings.draws + excluded.draws, "
    "black = openings.black + excluded.black"
)


def folded(name: str) -> str:
    """Give a name as it is looked for."""
    return " ".join(name.casefold().split())[:MOST_NAME]


def position_key(game: Game, fen: str) -> str:
    """Give the key of a position, however it came about: its FEN without the counters, under the game's rules."""
    fields = fen.split()
    return _hash(game, " ".join([*fields[:4], *fields[6:]]))


def setup_key(game: Game) -> str:
    """Give the key under which a game's setups are counted, as if they were moves before the first."""
    return _hash(game, "setup")


def _hash(game: Game, rest: str) -> str:
    return hashlib.blake2b(f"{game.rules_hash} {rest}".encode(), digest_size=12).hexdigest()


def first_moves(match: Match) -> Iterator[tuple[str, str]]:
    """Give the positions of the first moves, and what was played in each; the setup counts as the first."""
    board = Board(match.game, match.board.root_fen)
    name = setup_of(match)
    if name is not None:
        yield setup_key(match.game), name
    for made in match.moves[:MOST_MOVES]:
        yield position_key(match.game, board.fen()), made.move
        board.push_uci(made.move)


def setup_of(match: Match) -> str | None:
    """Name the setup that a match began with, also if its record gave only the position."""
    if match.setup is not None or not len(match.game.setups):
        return match.setup
    start = Board(match.game, match.board.root_fen)
    name = start.setup_name()
    return name if name is not None and match.game.setup_fen(name) == start.fen() else None


def steps(match: Match, owner: str | None = None) -> list[Step]:
    """Give what is written when a finished match goes into the archive.

    :param owner: who has brought it, if it was not played here.
    """
    people = [seat.person if (seat := match.seats.get(side)) else None for side in SIDES]
    names = [folded(seat.name) if (seat := match.seats.get(side)) else "" for side in SIDES]
    result = "*" if match.ending is None else match.ending.result
    public = match.created.opponent in PUBLIC and bool(match.moves)
    row = {"match": match.id, "game": match.game.id, "setup": setup_of(match), "result": result, "owner": owner}
    row |= {"white": people[0], "black": people[1], "white_name": names[0], "black_name": names[1]}
    found: list[Step] = [(NEW, {**row, "plies": len(match.moves), "at": match.at, "public": public})]
    counts = {"white": result == "1-0", "draws": result == "1/2-1/2", "black": result == "0-1"}
    if not any(counts.values()) or not match.moves:
        return found
    scopes = {EVERYBODY} if public else set()
    scopes |= {person for person in (*people, owner) if person is not None}
    for position, move in dict.fromkeys(first_moves(match)):
        for scope in sorted(scopes):
            counted = {name: int(value) for name, value in counts.items()}
            found.append((PLAYED, {"scope": scope, "position": position, "ply": move, **counted}))
    return found


async def keep(rooms: Rooms) -> None:
    """Take finished matches into the archive, for ever."""
    while True:
        try:
            taken = await take_some(rooms)
        except BusyError:
            taken = 0
        except Exception as error:
            log.error("archive_failed", exc_info=error)
            taken = 0
        if taken < PORTION:
            await asyncio.sleep(PAUSE)


async def take_some(rooms: Rooms) -> int:
    """Take in matches that have finished; gives how many."""
    rows = await rooms.store.all(FINISHED)
    for row in rows:
        await _take(rooms, row.id)
    return len(rows)


async def _take(rooms: Rooms, id: str) -> None:
    done: Step = (ARCHIVED, {"_id": id})
    try:
        match = await rooms.load(id)
        assert match is not None
        await rooms.store.write(*steps(match), done)
    except ConflictError:
        # Another process has it already; or it came with an old copy of the database.
        await rooms.store.write(done)
    except Refusal as refusal:
        log.warning("cannot_archive", match=id, problem=refusal.problem.message)
        await rooms.store.write(done)
