"""The archive: finding finished matches, what is played first in them, taking them away and bringing some."""

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
from acedrex.server import cards, catalogue, importing, wire
from acedrex.server.api.bodies import content
from acedrex.server.api.limits import spend, visitor
from acedrex.server.api.lines import Lines
from acedrex.server.api.matches import written
from acedrex.server.api.routes import Routes, refused, text_body
from acedrex.server.api.services import Served, Services
from acedrex.server.api.tokens import allowed, holder
from acedrex.server.archive import EVERYBODY, folded, position_key, setup_key
from acedrex.server.catalogue import Catalogue
from acedrex.server.decide import Refusal
from acedrex.server.fair import FullError
from acedrex.server.moment import now
from acedrex.server.pool import LateError
from acedrex.server.state import SIDES
from acedrex.server.store import ConflictError, Store
from acedrex.server.tables import archive, guests, matches, openings
from acedrex.server.tokens import TokenHolder
from acedrex.server.visitor import Visitor

router = Routes("/api/archive", "archive")

PGN = "application/x-chess-pgn"
#: Matches of a page, and moves of a position that are told.
PAGE, MOST_OPENINGS = 30, 50
#: Files that are being written at once, one for each visitor, and seconds that one may take.
MOST_FILES, MOST_SECONDS = 8, 600
#: Matches that one person may have brought.
MOST_IMPORTED = 20_000
#: Records that are stored at once, so few that players need not wait.
TOGETHER = 8
#: Behind every name with the same beginning.
LAST = "\U0010ffff"

RESULTS = {"white": "1-0", "black": "0-1", "draw": "1/2-1/2", "unfinished": "*"}
Result = Literal["white", "black", "draw", "unfinished", "won", "lost"]


class TransferLimits:
    """Files that are being written, and the one of which records are being stored."""

    def __init__(self) -> None:
        """Begin without any."""
        self.writing: set[str] = set()
        self.storing = asyncio.Lock()


class MatchFilter(Struct, frozen=True):
    """Which matches are looked for, and by whom."""

    person: str | None
    conditions: tuple[Any, ...]


async def asked_by(request: Request, whose: wire.Whose = "public") -> str | None:
    """Say whose matches are asked for: one's own, or everybody's.

    :raises Refusal: if one's own are asked for and the asker may not.
    """
    found = await holder(request)
    if whose == "mine":
        if found is None:
            raise Refusal("unknown_guest", "your own matches need your token: send Authorization: Bearer TOKEN")
        if "archive:read" not in found.scopes:
            raise Refusal("missing_scope", "this needs a token with the scope archive:read")
        return found.person.id
    return None


By = Annotated[str | None, Depends(asked_by)]


async def wanted(
    services: Served,
    me: By,
    game: Annotated[str | None, Query(max_length=64)] = None,
    setup: Annotated[str | None, Query(max_length=80)] = None,
    result: Result | None = None,
    player: Annotated[str | None, Query(max_length=40)] = None,
    since: datetime.date | None = None,
    until: datetime.date | None = None,
    least: Annotated[int | None, Query(ge=0, le=1_000_000)] = None,
    most: Annotated[int | None, Query(ge=0, le=1_000_000)] = None,
) -> MatchFilter:
    """Read what is looked for: by game, setup, result, name of the player or opponent, day, and number of moves."""
    row = archive.c
    found: list[Any] = [row.plies > 0]
    if me is None:
        found.append(row.public)
    else:
        # Each by its own index: a person's matches are few, whatever the archive holds.
        own = (select(row.match).where(column == me) for column in (row.white, row.black, row.owner))
        found.append(row.match.in_(union(*own)))
    if game:
        found.append(row.game == game)
    if setup:
        found.append(_begun_with(services.catalogue, game, setup))
    if result in ("won", "lost"):
        mine, theirs = ("1-0", "0-1") if result == "won" else ("0-1", "1-0")
        found.append(or_(and_(row.white == me, row.result == mine), and_(row.black == me, row.result == theirs)))
    elif result is not None:
        found.append(row.result == RESULTS[result])
    if player and (name := folded(player.replace("\0", ""))):
        white, black = (and_(column >= name, column < name + LAST) for column in (row.white_name, row.black_name))
        # In one's own matches it is the opponent who is looked for.
        rival = or_(
            and_(row.white == me, black), and_(row.black == me, white), and_(row.owner == me, or_(white, black))
        )
        found.append(or_(white, black) if me is None else rival)
    if since is not None:
        found.append(row.at >= _midnight(since))
    if until is not None:
        found.append(row.at < _midnight(until) + 86_400_000)
    if least is not None:
        found.append(row.plies >= least)
    if most is not None:
        found.append(row.plies <= most)
    return MatchFilter(me, tuple(found))


Search = Annotated[MatchFilter, Depends(wanted)]


def _begun_with(games: Catalogue, game: str | None, setup: str) -> ColumnElement[bool]:
    """Look for a setup by its name; or by its number, which is another setup in each game."""
    row = archive.c
    if not (setup.isascii() and setup.isdigit()):
        return row.setup == setup.upper()
    found: list[ColumnElement[bool]] = [false()]
    for one in games.summaries():
        if one.setups >= int(setup[:9]) and game in (None, "", one.id):
            with suppress(Refusal):
                found.append(and_(row.game == one.id, row.setup == catalogue.setup(games.game(one.id), setup).name))
    return or_(*found)


def _midnight(day: datetime.date) -> int:
    return (day - importing.EPOCH).days * 86_400_000


@router.get("", responses=refused(401, 403))
async def search(
    request: Request,
    services: Served,
    search: Search,
    after: Annotated[str | None, Query(max_length=60)] = None,
) -> wire.ArchivePage:
    """Find finished matches, the latest first; ``next`` of one page is ``after`` of the page that follows."""
    spend(request, "work", 2)
    rows = await _page(services.store, search, after)
    return wire.ArchivePage([_told(row, search.person) for row in rows], _next(rows))


async def _page(store: Store, search: MatchFilter, after: str | None) -> list[Row[Any]]:
    conditions = list(search.conditions)
    if after is not None:
        at, _, match = after.partition(".")
        if not (at.removeprefix("-").isdecimal() and at.isascii() and len(at) < 16 and match.isalnum()):
            raise Refusal("invalid", "this is not from a page of the archive", "after")
        conditions.append(tuple_(archive.c.at, archive.c.match) < tuple_(int(at), match))
    columns = (archive, matches.c.card)
    found = select(*columns).join(matches, matches.c.id == archive.c.match).where(*conditions)
    return list(await store.all(found.order_by(archive.c.at.desc(), archive.c.match.desc()).limit(PAGE)))


def _next(rows: list[Row[Any]]) -> str | None:
    return f"{rows[-1].at}.{rows[-1].match}" if len(rows) == PAGE else None


def _told(row: Row[Any], person: str | None) -> wire.Archived:
    card = cards.read(row.card)
    seats = zip(SIDES, (row.white, row.black), strict=True)
    assert card.ending is not None
    return wire.Archived(
        match=row.match,
        game=card.game,
        players=card.players,
        side=next((side for side, who in seats if person is not None and who == person), None),
        setup=row.setup,
        moves=row.plies,
        fen=card.fen,
        ending=card.ending,
        imported=row.owner is not None,
        at=row.at,
    )


@router.get("/pgn", responses=refused(401, 403))
async def take_away(request: Request, services: Served, search: Search) -> Annotated[Response, PGN]:
    """Give all matches that are found as PGN, the latest first."""
    spend(request, "downloads")
    asker = visitor(request, search.person)
    writing = services.transfers.writing
    if asker.address in writing or len(writing) >= MOST_FILES:
        raise Refusal("busy", "another export is running; try again when it is done")
    headers = {"Content-Disposition": 'attachment; filename="acedrex.pgn"'}
    return Lines(_records(services, asker, search), PGN, MOST_SECONDS, headers=headers)


async def _records(services: Services, asker: Visitor, search: MatchFilter) -> AsyncIterator[str]:
    after: str | None = None
    services.transfers.writing.add(asker.address)
    try:
        while True:
            rows = await _page(services.store, search, after)
            for row in rows:
                try:
                    yield await _record(services, asker, row.match) + "\n\n"
                except Refusal as refusal:
                    yield f"; {row.match} is left out: {refusal.problem.message}\n\n"
                except LateError:
                    yield f"; {row.match} is left out: writing it takes too long\n\n"
            after = _next(rows)
            if after is None:
                return
    finally:
        services.transfers.writing.discard(asker.address)


async def _record(services: Services, asker: Visitor, match: str) -> str:
    """Write a match. Where too many wait a file waits too: it has begun, so that nobody can be told to come back."""
    while True:
        with suppress(FullError):
            return await written(services, match, asker)
        await asyncio.sleep(1)


@router.get("/openings", responses=refused(401, 403, 404))
async def played(
    request: Request,
    services: Served,
    me: By,
    game: Annotated[str, Query(min_length=1, max_length=400)],
    fen: Annotated[str | None, Query(min_length=1, max_length=4096)] = None,
) -> wire.Openings:
    """Tell what was played in a position of the first moves, and how it ended.

    Without a FEN it is the start; in a game with setups, which of them was chosen.
    """
    spend(request, "work")
    id, options = split_spec(game)
    chosen = services.catalogue.game(id, options)
    setups = fen is None and len(chosen.setups) > 0
    board = Board(chosen, fen)
    key = setup_key(chosen) if setups else position_key(chosen, board.fen())
    row = openings.c
    total = row.white + row.draws + row.black
    here = (row.scope == (EVERYBODY if me is None else me), row.position == key)
    rows = await services.store.all(select(openings).where(*here).order_by(total.desc(), row.ply).limit(MOST_OPENINGS))
    sums = (func.coalesce(func.sum(column), 0) for column in (row.white, row.draws, row.black))
    whole = await services.store.first(select(*sums).where(*here))
    assert whole is not None
    moves = [
        wire.Opening(
            one.ply,
            one.ply if setups else board.san(board.parse_uci(one.ply)),
            wire.Results(one.white, one.draws, one.black),
        )
        for one in rows
    ]
    return wire.Openings(wire.Results(*map(int, whole)), moves, setups)


@router.post("", responses=refused(401, 403), openapi_extra=text_body(PGN))
async def bring(
    request: Request, services: Served, who: Annotated[TokenHolder, Depends(allowed("archive:write"))]
) -> wire.Imported:
    """Store the records of a PGN file as finished matches of one's own. Those with faults are left out and told."""
    # A file costs something before it is read, and what it holds afterwards.
    spend(request, "imports", 0)
    data = await content(request, importing.MOST_BYTES)
    spend(request, "imports", len(data) / 1_000)
    row = await services.store.first(select(guests.c.token_hash).where(guests.c.id == who.person.id))
    assert row is not None
    count = await services.store.first(select(func.count()).where(archive.c.owner == who.person.id))
    if count is not None and count[0] + importing.MOST_RECORDS > MOST_IMPORTED:
        raise Refusal("too_many", f"you can import at most {MOST_IMPORTED} matches")
    known = services.catalogue.named_in(data.decode("latin-1"))
    told = wire.Imported(0, 0, 0, [])
    at = now()
    for part, line in importing.portions(data):
        most = importing.MOST_RECORDS - told.stored - told.known - told.left_out
        job = partial(importing.read, part, line, most, who.person.id, row.token_hash, known, at)
        found = await services.pool.run(visitor(request, who.person.id), job)
        async with services.transfers.storing:
            stored = await _store_all(services.store, found)
        told.stored += stored
        told.known += len(found.records) - stored
        told.left_out += found.left_out
        told.faults += found.faults[: importing.MOST_FAULTS - len(told.faults)]
        if found.full:
            break
    return told


async def _store_all(store: Store, found: importing.Batch) -> int:
    """Store the records of a portion; tell how many are new."""
    for key, text in found.definitions.items():
        await store.add_definition(key, text)
    stored = 0
    for first in range(0, len(found.records), TOGETHER):
        some = found.records[first : first + TOGETHER]
        stored += sum(await asyncio.gather(*(_store(store, record) for record in some)))
    return stored


async def _store(store: Store, record: importing.Record) -> bool:
    """Store a record; tell whether it is new."""
    try:
        await store.write(*importing.steps(record))
    except ConflictError:
        return False
    return True
