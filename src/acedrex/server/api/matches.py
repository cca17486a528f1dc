"""Matches: making them, joining them, looking at them, taking them away as PGN."""

from __future__ import annotations

from functools import partial
from typing import Annotated

from fastapi import Depends, Path, Request, Response
from sqlalchemy import func, select

from acedrex.server import cards, catalogue, making, records, secret, wire
from acedrex.server.api.limits import spend, spend_on_match, visitor
from acedrex.server.api.people import CurrentGuest
from acedrex.server.api.routes import Encoded, Routes, refused
from acedrex.server.api.services import Served, Services
from acedrex.server.api.tokens import known
from acedrex.server.decide import Refusal, TakeSeat
from acedrex.server.events import Created
from acedrex.server.fair import FullError
from acedrex.server.moment import now
from acedrex.server.pool import LateError
from acedrex.server.rooms import Rooms
from acedrex.server.store import BusyError, whole
from acedrex.server.tables import matches
from acedrex.server.visitor import Visitor

router = Routes("/api", "matches")

MatchId = Annotated[str, Path(max_length=32)]

#: Milliseconds for which a match without moves counts as being played, and challenges stand.
LIVE, FRESH = 3_600_000, 14 * 86_400_000
#: Matches of one person that are not over.
MOST_UNDER_WAY = 200


#: Who asks, where a page tells its players what they may do, and where it tells people their own challenges.
Player = Annotated[str | None, Depends(known("bot:play"))]
Challenger = Annotated[str | None, Depends(known("challenge:read"))]


@router.post("/matches", status_code=201, responses=refused(401, 404))
async def new_match(request: Request, services: Served, who: CurrentGuest, asked: wire.NewMatch) -> wire.MatchCreated:
    """Begin a match. For a friend the answer has an invite: the link's fragment is the place for it."""
    await may_begin(request, services.rooms, who.id)
    match, steps, invite = making.make(asked, who, services.catalogue, now())
    await services.store.add_definition(catalogue.key(match.game), match.game.source)
    await services.store.write(*steps)
    if match.engine_due():
        (await services.rooms.get(match.id)).visitor = visitor(request, who.id)
    if match.created.opponent == "lobby":
        services.rooms.lobby_changed()
    services.rooms.match_made(match.id)
    return wire.MatchCreated(match.id, invite)


async def may_begin(request: Request, rooms: Rooms, person: str) -> None:
    """See whether somebody may begin one more match.

    :raises Refusal: if they have begun too many.
    """
    spend(request, "matches", person=person)
    own = (matches.c.creator == person, matches.c.phase.in_(("open", "setup", "play")))
    count = await rooms.store.first(select(func.count()).where(*own))
    if count is not None and count[0] >= MOST_UNDER_WAY:
        raise Refusal("too_many", f"you have {MOST_UNDER_WAY} matches in progress; finish or abort some first")


@router.get("/matches/{id}", responses=refused(401, 404, 409))
async def one_match(request: Request, services: Served, id: MatchId, who: Player) -> Encoded[wire.Snapshot]:
    """Tell everything of a match."""
    room = await services.rooms.get(id)
    spend_on_match(request, len(room.match.moves))
    return Encoded(await room.snapshot(who))


@router.post("/matches/{id}/seat", responses=refused(401, 403, 404, 409))
async def take_seat(services: Served, id: MatchId, who: CurrentGuest, asked: wire.Invite) -> None:
    """Take the free seat with the invite."""
    row = await services.store.first(select(matches.c.invite_hash).where(matches.c.id == id))
    if row is None:
        raise Refusal("no_such_match", "match not found", "match")
    if row.invite_hash is None or row.invite_hash != secret.hashed(asked.invite):
        raise Refusal("wrong_invite", "this invite is for another match; ask for the link again", "invite")
    await _sit(services.rooms, id, who)


@router.get("/lobby", responses=refused(401))
async def lobby(services: Served, who: Challenger) -> list[wire.Challenge]:
    """List the open challenges, the latest first."""
    return [card.challenge(who) for card in await challenges(services.rooms)]


async def challenges(rooms: Rooms) -> list[cards.Card]:
    """Read the open challenges."""
    wanted = (matches.c.phase == "open", matches.c.opponent == "lobby", matches.c.at > now() - FRESH)
    rows = await rooms.store.all(select(matches.c.card).where(*wanted).order_by(matches.c.at.desc()).limit(100))
    found = [cards.read(row.card) for row in rows]
    return [card for card in found if isinstance(card.time, wire.Correspondence) or card.at > now() - LIVE]


@router.post("/lobby/{id}/accept", responses=refused(401, 404, 409))
async def accept(services: Served, id: MatchId, who: CurrentGuest) -> None:
    """Accept an open challenge."""
    row = await services.store.first(select(matches.c.opponent).where(matches.c.id == id))
    if row is None or row.opponent != "lobby":
        raise Refusal("no_such_match", "challenge not found", "match")
    await _sit(services.rooms, id, who)


async def _sit(rooms: Rooms, id: str, who: wire.Guest) -> None:
    room = await rooms.get(id)
    side = "black" if "white" in room.match.seats else "white"
    await room.command(TakeSeat(who.id, who.name, side), frozenset())  # type: ignore[arg-type]


@router.get("/watch", responses=refused(401))
async def watch(services: Served, who: Player) -> list[wire.MatchCard]:
    """List matches that are being played, but for those behind a link."""
    wanted = (matches.c.phase == "play", matches.c.opponent.in_(("lobby", "engine")), matches.c.at > now() - FRESH)
    rows = await services.store.all(select(matches.c.card).where(*wanted).order_by(matches.c.at.desc()).limit(50))
    return [cards.read(row.card).told(who) for row in rows]


@router.get("/matches/{id}/pgn", responses=refused(404, 409))
async def record(request: Request, services: Served, id: MatchId) -> Annotated[Response, "text/plain"]:
    """Give the match as PGN."""
    spend(request, "work", 4)
    text = await written(services, id, visitor(request))
    headers = {"Content-Disposition": f'attachment; filename="acedrex-{id}.pgn"'}
    return Response(text, media_type="text/plain", headers=headers)


async def written(services: Services, id: str, who: Visitor) -> str:
    """Let a process write a match as PGN.

    :raises Refusal: if match not found, or it cannot be read.
    :raises FullError: if too many wait.
    :raises LateError: if it takes too long.
    """
    rows = await services.store.rows(id)
    if not rows:
        raise Refusal("no_such_match", "match not found", "match")
    try:
        (created,) = whole(rows[:1])
        assert isinstance(created, Created)
        definition = await services.store.definition(created.definition)
        return await services.pool.run(who, partial(records.written, id, rows, definition))
    except (Refusal, FullError, LateError, BusyError):
        raise
    except Exception:
        # Whoever opens a damaged match says so, and sets it aside.
        await services.rooms.load(id)
        raise
