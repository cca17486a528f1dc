"""What is found in the moves of finished matches: their positions, by which they are found, and how dramatic they were.

It is worked out in the background, once for each match, also for those that were archived by older versions.
"""

from __future__ import annotations

import asyncio
import hashlib
import itertools
from collections.abc import Iterator, Sequence
from datetime import date, timedelta

import structlog
from sqlalchemy import Select, bindparam, select, text, update

from acedrex import Board, _native
from acedrex.game import Game
from acedrex.server.archive.pgn_import import EPOCH
from acedrex.server.archive.search_index import position_key
from acedrex.server.match.state import Match
from acedrex.server.play.rooms import Rooms
from acedrex.server.refusal import Refusal
from acedrex.server.storage.store import BusyError, Step, Store
from acedrex.server.storage.tables import archive, matches, positions

log = structlog.get_logger()

#: The most positions of a match by which it is found.
MAX_POSITIONS = 400
#: Seconds between two looks for matches that are not indexed yet, between two of them, and how many are read at once.
PAUSE, BREATH, PORTION = 2.0, 0.02, 20
#: Moves that a game of the day has at least, and days back in which one is looked for.
LEAST_MOVES, DAYS = 20, 60
#: Hundredths of a Pawn by which the odds of a win grow tenfold.
TENFOLD = 400
DAY = 86_400_000

TO_INDEX = (
    select(matches.c.id)
    .join(archive, archive.c.match == matches.c.id)
    .where(matches.c.archived, matches.c.indexed.is_(None))
    .limit(PORTION)
)
INDEXED = update(matches).where(matches.c.id == bindparam("_id")).values(indexed=True)
DRAMA = update(archive).where(archive.c.match == bindparam("_id")).values(drama=bindparam("_drama"))
#: SQLite and PostgreSQL share this syntax.
NEW = text(
    "INSERT INTO positions (position, match) VALUES (:position, :match) ON CONFLICT (position, match) DO NOTHING"
)


def number_of(game: Game, fen: str) -> int:
    """Return the number of a position, however it was reached: 63 bits of its key."""
    digest = hashlib.blake2b(position_key(game, fen).encode(), digest_size=8).digest()
    return int.from_bytes(digest) >> 1


def with_position(game: Game, fen: str) -> Select[tuple[str]]:
    """Select the matches in which a position occurred."""
    return select(positions.c.match).where(positions.c.position == number_of(game, fen))


def drama(leads: Sequence[float]) -> float:
    """Return how dramatic a match was: how far the chances travelled, as the material tells them.

    A lead of four Pawns makes a win ten times as likely as a loss. The chances are read once in a full move, so that an
    exchange counts for nothing; from even chances to a certain win they travel half a unit.

    >>> drama([0, 0, 0]), round(drama([0, 400, 400]), 2), round(drama([0, 400, 0, -400]), 2)
    (0.0, 0.41, 1.23)

    :param leads: White's lead in hundredths of a Pawn, after each full move.
    """
    chances = [1 / (1 + 10 ** (-lead / TENFOLD)) for lead in leads]
    return sum(abs(after - before) for before, after in itertools.pairwise(chances))


def looked_through(match: Match) -> Iterator[tuple[int, float | None]]:
    """Yield the numbers of a match's positions, with White's lead where White is to move and a turn begins."""
    game = match.game
    values = _native.piece_values(game)
    worth = {piece.letter: values[place] for place, piece in enumerate(game.pieces)}
    board = Board(game, match.board.root_fen)
    for made in [None, *match.moves[:MAX_POSITIONS]]:
        if made is not None:
            board.push_uci(made.move)
        full = board.turn and not board.turn_moves
        yield number_of(game, board.fen()), _lead(board, worth) if full else None


def _lead(board: Board, worth: dict[str, int]) -> float:
    pieces = board.piece_map().values()
    return float(sum(worth.get(piece.letter, 0) * (1 if piece.color else -1) for piece in pieces))


def steps(match: Match) -> list[Step]:
    """Return the steps that store what is found in the moves of a match."""
    found = [*looked_through(match)] if match.moves else []
    leads = [lead for _, lead in found if lead is not None]
    stored: list[Step] = [
        (NEW, {"position": number, "match": match.id}) for number in dict.fromkeys(number for number, _ in found)
    ]
    return [*stored, (DRAMA, {"_id": match.id, "_drama": drama(leads)}), (INDEXED, {"_id": match.id})]


async def index_forever(rooms: Rooms) -> None:
    """Look through finished matches, forever."""
    while True:
        try:
            count = await index_portion(rooms)
        except BusyError:
            count = 0
        except Exception as error:
            log.error("index_failed", exc_info=error)
            count = 0
        if count < PORTION:
            await asyncio.sleep(PAUSE)


async def index_portion(rooms: Rooms) -> int:
    """Look through some finished matches, and return how many."""
    rows = await rooms.store.all(TO_INDEX)
    for row in rows:
        try:
            match = await rooms.load(row.id)
            done = [(INDEXED, {"_id": row.id})] if match is None else await asyncio.to_thread(steps, match)
        except Refusal:  # a match that cannot be read
            done = [(INDEXED, {"_id": row.id})]
        await rooms.store.write(*done)
        await asyncio.sleep(BREATH)
    return len(rows)


def day_before(at: int) -> date:
    """Return the last day that was over at a moment."""
    return EPOCH + timedelta(days=at // DAY - 1)


async def most_dramatic(store: Store, day: date) -> str | None:
    """Return the most dramatic public match that was finished on a day, or else on the last day before with any."""
    row, end = archive.c, ((day - EPOCH).days + 1) * DAY
    shown = (row.public, row.plies >= LEAST_MOVES, row.drama.is_not(None), row.at < end, row.at >= end - DAYS * DAY)
    last = await store.first(select(row.at).where(*shown).order_by(row.at.desc()).limit(1))
    if last is None:
        return None
    on_day = row.at >= last.at // DAY * DAY
    best = await store.first(select(row.match).where(*shown, on_day).order_by(row.drama.desc(), row.match).limit(1))
    return None if best is None else str(best.match)
