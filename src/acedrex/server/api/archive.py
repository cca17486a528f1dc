"""The archive: searching finished matches, their openings, export and import."""

from __future__ import annotations

import asyncio
import datetime
from collections.abc import AsyncIterator
from contextlib import suppress
from functools import partial
from typing import Annotated, Any, Literal

from fastapi import Depends, Query, Request, Response
from msgspec import Struct
from sqlalchemy import ColumnElement, Row, and_, false, func, or_, select, tuple_, union

from acedrex import Board
from acedrex.game import split_spec
from acedrex.limits import MAX_IMPORT, MAX_IMPORT_GAMES
from acedrex.server import wire
from acedrex.server.api.bodies import content
from acedrex.server.api.limits import spend, visitor
from acedrex.server.api.lines import Lines
from acedrex.server.api.matches import match_pgn
from acedrex.server.api.routes import Routes, refused, text_body
from acedrex.server.api.tokens import require_scope, token_holder
from acedrex.server.archive import pgn_import, positions
from acedrex.server.archive.lab_openings import LAB
from acedrex.server.archive.search_index import EVERYBODY, folded, position_key, setup_key
from acedrex.server.games import catalogue
from acedrex.server.games.catalogue import Catalogue
from acedrex.server.limits.fair_queue import FullError
from acedrex.server.limits.pool import LateError
from acedrex.server.limits.transfers import MAX_EXPORTS
from acedrex.server.limits.visitor import Visitor
from acedrex.server.match.state import SIDES
from acedrex.server.people import relations
from acedrex.server.people.tokens import TokenHolder
from acedrex.server.refusal import Refusal
from acedrex.server.services import Served, Services
from acedrex.server.storage import cards
from acedrex.server.storage.store import ConflictError, Store
from acedrex.server.storage.tables import archive, matches, openings, people
from acedrex.server.time_source import now

router = Routes("/api/archive", "archive")

PGN = "application/x-chess-pgn"
#: Matches per page, and moves per position of the opening explorer.
PAGE, MAX_OPENINGS = 30, 50
#: Seconds that an export may take.
EXPORT_TIMEOUT_S = 600
#: Matches that one person may have imported.
MAX_IMPORTED = 20_000
#: Records stored at once, few enough that players need not wait.
BATCH_SIZE = 8
#: Sorts after every name with the same beginning.
LAST = "\U0010ffff"

RESULTS = {"white": "1-0", "black": "0-1", "draw": "1/2-1/2", "unfinished": "*"}
Result = Literal["white", "black", "draw", "unfinished", "won", "lost"]


class MatchFilter(Struct, frozen=True):
    """The conditions of a search, and the person whose own matches are searched, if any."""

    person: str | None
    conditions: tuple[Any, ...]


async def openings_scope(request: Request, whose: wire.WhoseOpenings = "public") -> str:
    """Return the scope of the openings that are requested.

    :raises Refusal: if the request is for the person's own matches and carries no token that allows that.
    """
    if whose == "lab":
        return LAB
    return await archive_owner(request, whose) or EVERYBODY


async def archive_owner(request: Request, whose: wire.Whose = "public") -> str | None:
    """Return the person whose own matches are requested, or ``None`` for the public archive.

    :raises Refusal: if the request is for the person's own matches and carries no token that allows that.
    """
    holder = await token_holder(request)
    if whose == "mine":
        if holder is None:
            raise Refusal("unknown_guest", "your own matches need your token: send Authorization: Bearer TOKEN")
        if "archive:read" not in holder.scopes:
            raise Refusal("missing_scope", "this needs a token with the scope archive:read")
        return holder.person.id
    return None


Owner = Annotated[str | None, Depends(archive_owner)]


async def match_filter(
    services: Served,
    me: Owner,
    game: Annotated[str | None, Query(max_length=400)] = None,
    setup: Annotated[str | None, Query(max_length=80)] = None,
    result: Result | None = None,
    player: Annotated[str | None, Query(max_length=40)] = None,
    since: datetime.date | None = None,
    until: datetime.date | None = None,
    least: Annotated[int | None, Query(ge=0, le=1_000_000)] = None,
    most: Annotated[int | None, Query(ge=0, le=1_000_000)] = None,
    fen: Annotated[str | None, Query(max_length=4096)] = None,
) -> MatchFilter:
    """Read a filter: game, setup, result, name of a player or of the opponent, days, number of moves, and a position.

    A position needs its game, with the options that it was played with: ``game=chieftain:scoring=four_points``.
    """
    game, chosen = (None, {}) if game is None else split_spec(game)
    row = archive.c
    conditions: list[Any] = [row.plies > 0]
    if me is None:
        conditions.append(row.public)
    else:
        # Three selects, each on its own index: a person has few matches, however large the archive is.
        own = (select(row.match).where(column == me) for column in (row.white, row.black, row.owner))
        conditions.append(row.match.in_(union(*own)))
    if game:
        conditions.append(row.game == game)
    if setup:
        conditions.append(await _with_setup(services.catalogue, game, setup))
    if result in ("won", "lost"):
        mine, theirs = ("1-0", "0-1") if result == "won" else ("0-1", "1-0")
        conditions.append(or_(and_(row.white == me, row.result == mine), and_(row.black == me, row.result == theirs)))
    elif result is not None:
        conditions.append(row.result == RESULTS[result])
    if player and (name := folded(player.replace("\0", ""))):
        white, black = (and_(column >= name, column < name + LAST) for column in (row.white_name, row.black_name))
        # In the person's own matches the name is that of the opponent.
        rival = or_(
            and_(row.white == me, black), and_(row.black == me, white), and_(row.owner == me, or_(white, black))
        )
        conditions.append(or_(white, black) if me is None else rival)
    if since is not None:
        conditions.append(row.at >= _midnight(since))
    if until is not None:
        conditions.append(row.at < _midnight(until) + 86_400_000)
    if least is not None:
        conditions.append(row.plies >= least)
    if most is not None:
        conditions.append(row.plies <= most)
    if fen is not None and fen.strip():
        if not game:
            raise Refusal("invalid", "say the game of the position", "game")
        found = await services.catalogue.game(game, chosen)
        conditions.append(row.match.in_(positions.with_position(found, Board(found, fen.strip()).fen())))
    return MatchFilter(me, tuple(conditions))


Search = Annotated[MatchFilter, Depends(match_filter)]


async def _with_setup(games: Catalogue, game: str | None, setup: str) -> ColumnElement[bool]:
    """Match a setup by its name, or by its number, which means another setup in each game."""
    row = archive.c
    if not (setup.isascii() and setup.isdigit()):
        return row.setup == setup.upper()
    conditions: list[ColumnElement[bool]] = [false()]
    for summary in games.summaries():
        if summary.setups >= int(setup[:9]) and game in (None, "", summary.id):
            with suppress(Refusal):
                name = catalogue.setup(await games.game(summary.id), setup).name
                conditions.append(and_(row.game == summary.id, row.setup == name))
    return or_(*conditions)


def _midnight(day: datetime.date) -> int:
    return (day - pgn_import.EPOCH).days * 86_400_000


@router.get("", responses=refused(401, 403))
async def search(
    request: Request,
    services: Served,
    search: Search,
    after: Annotated[str | None, Query(max_length=60)] = None,
) -> wire.ArchivePage:
    """Search finished matches, the latest first; ``next`` of a page is ``after`` of the following page."""
    spend(request, "work", 2)
    rows = await _page(services.store, search, after)
    return wire.ArchivePage(await _archived(services.store, rows, search.person), _next(rows))


async def archived_page(
    store: Store, conditions: tuple[Any, ...], person: str | None, most: int
) -> list[wire.Archived]:
    """Return the latest of the finished matches that fulfil some conditions, as seen by a person."""
    rows = await _page(store, MatchFilter(person, conditions), None, most)
    return await _archived(store, rows, person)


async def _page(store: Store, search: MatchFilter, after: str | None, most: int = PAGE) -> list[Row[Any]]:
    conditions = list(search.conditions)
    if after is not None:
        at, _, match = after.partition(".")
        if not (at.removeprefix("-").isdecimal() and at.isascii() and len(at) < 16 and match.isalnum()):
            raise Refusal("invalid", "this is not from a page of the archive", "after")
        conditions.append(tuple_(archive.c.at, archive.c.match) < tuple_(int(at), match))
    columns = (archive, matches.c.card)
    query = select(*columns).join(matches, matches.c.id == archive.c.match).where(*conditions)
    return list(await store.all(query.order_by(archive.c.at.desc(), archive.c.match.desc()).limit(most)))


def _next(rows: list[Row[Any]]) -> str | None:
    return f"{rows[-1].at}.{rows[-1].match}" if len(rows) == PAGE else None


async def _archived(store: Store, rows: list[Row[Any]], person: str | None) -> list[wire.Archived]:
    named = await relations.profiles(store, (player for row in rows for player in (row.white, row.black)))
    return [_one(row, person, wire.Profiles(named.get(row.white), named.get(row.black))) for row in rows]


def _one(row: Row[Any], person: str | None, profiles: wire.Profiles) -> wire.Archived:
    card = cards.read(row.card)
    seats = zip(SIDES, (row.white, row.black), strict=True)
    assert card.ending is not None
    return wire.Archived(
        match=row.match,
        game=card.game,
        players=card.players,
        side=next((side for side, player in seats if person is not None and player == person), None),
        setup=row.setup,
        moves=row.plies,
        fen=card.fen,
        ending=card.ending,
        imported=row.owner is not None,
        at=row.at,
        profiles=profiles,
    )


@router.get("/pgn", responses=refused(401, 403))
async def export_pgn(request: Request, services: Served, search: Search) -> Annotated[Response, PGN]:
    """Export all matches of a search as PGN, the latest first."""
    spend(request, "downloads")
    requester = visitor(request, search.person)
    exporting = services.transfers.exporting
    if requester.address in exporting or len(exporting) >= MAX_EXPORTS:
        raise Refusal("busy", "another export is running; try again when it is done")
    headers = {"Content-Disposition": 'attachment; filename="acedrex.pgn"'}
    return Lines(_records(services, requester, search), PGN, EXPORT_TIMEOUT_S, headers=headers)


async def _records(services: Services, requester: Visitor, search: MatchFilter) -> AsyncIterator[str]:
    after: str | None = None
    services.transfers.exporting.add(requester.address)
    try:
        while True:
            rows = await _page(services.store, search, after)
            for row in rows:
                yield await record(services, requester, row.match)
            after = _next(rows)
            if after is None:
                return
    finally:
        services.transfers.exporting.discard(requester.address)


async def record(services: Services, requester: Visitor, match: str) -> str:
    """Return a match as PGN for a file of many, or a comment that says why it is left out."""
    try:
        return await _record(services, requester, match) + "\n\n"
    except Refusal as refusal:
        return f"; {match} is left out: {refusal.problem.message}\n\n"
    except LateError:
        return f"; {match} is left out: writing it takes too long\n\n"


async def _record(services: Services, requester: Visitor, match: str) -> str:
    """Write a match as PGN. If the queue is full, wait: an export that has begun can no longer be refused."""
    while True:
        with suppress(FullError):
            return await match_pgn(services, match, requester)
        await asyncio.sleep(1)


@router.get("/openings", responses=refused(401, 403, 404))
async def list_openings(
    request: Request,
    services: Served,
    scope: Annotated[str, Depends(openings_scope)],
    game: Annotated[str, Query(min_length=1, max_length=400)],
    fen: Annotated[str | None, Query(min_length=1, max_length=4096)] = None,
) -> wire.Openings:
    """List the moves played in an opening position, with their results.

    Without a FEN it is the starting position; in a game with setups, the list is of setups.
    """
    spend(request, "work")
    id, options = split_spec(game)
    chosen = await services.catalogue.game(id, options)
    setups = fen is None and len(chosen.setups) > 0
    board = Board(chosen, fen)
    key = setup_key(chosen) if setups else position_key(chosen, board.fen())
    row = openings.c
    total = row.white + row.draws + row.black
    here = (row.scope == scope, row.position == key)
    rows = await services.store.all(select(openings).where(*here).order_by(total.desc(), row.ply).limit(MAX_OPENINGS))
    sums = (func.coalesce(func.sum(column), 0) for column in (row.white, row.draws, row.black))
    sum_row = await services.store.first(select(*sums).where(*here))
    assert sum_row is not None
    moves = [
        wire.Opening(
            found.ply,
            found.ply if setups else board.san(board.parse_uci(found.ply)),
            wire.Results(found.white, found.draws, found.black),
        )
        for found in rows
    ]
    of_lab = await services.store.first(select(row.scope).where(row.scope == LAB).limit(1))
    return wire.Openings(wire.Results(*map(int, sum_row)), moves, setups, of_lab is not None)


@router.post("", responses=refused(401, 403), openapi_extra=text_body(PGN))
async def import_pgn(
    request: Request, services: Served, holder: Annotated[TokenHolder, Depends(require_scope("archive:write"))]
) -> wire.Imported:
    """Import the games of a PGN file as finished matches of one's own. Games with faults are skipped and reported."""
    # Refuse at once a visitor whose budget is spent; what the file costs is known when it has been read.
    spend(request, "imports", 0)
    data = await content(request, MAX_IMPORT)
    spend(request, "imports", len(data) / 1_000)
    row = await services.store.first(select(people.c.import_key).where(people.c.id == holder.person.id))
    assert row is not None
    count = await services.store.first(select(func.count()).where(archive.c.owner == holder.person.id))
    if count is not None and count[0] + MAX_IMPORT_GAMES > MAX_IMPORTED:
        raise Refusal("too_many", f"you can import at most {MAX_IMPORTED} matches")
    games = await services.catalogue.named_in(data.decode("latin-1"))
    report = wire.Imported(0, 0, 0, [])
    at = now()
    for part, line in pgn_import.portions(data):
        most = MAX_IMPORT_GAMES - report.stored - report.known - report.left_out
        job = partial(pgn_import.read, part, line, most, holder.person.id, row.import_key, games, at)
        batch = await services.pool.run(visitor(request, holder.person.id), job)
        async with services.transfers.storing:
            stored = await _store_all(services.store, batch)
        report.stored += stored
        report.known += len(batch.records) - stored
        report.left_out += batch.left_out
        report.faults += batch.faults[: pgn_import.MAX_FAULTS - len(report.faults)]
        if batch.full:
            break
    return report


async def _store_all(store: Store, batch: pgn_import.Batch) -> int:
    """Store the records of a batch, and return how many are new."""
    for key, text in batch.definitions.items():
        await store.add_definition(key, text)
    stored = 0
    for first in range(0, len(batch.records), BATCH_SIZE):
        group = batch.records[first : first + BATCH_SIZE]
        stored += sum(await asyncio.gather(*(_store(store, record) for record in group)))
    return stored


async def _store(store: Store, record: pgn_import.Record) -> bool:
    """Store a record, and return whether it is new."""
    try:
        await store.write(*pgn_import.steps(record))
    except ConflictError:
        return False
    return True
