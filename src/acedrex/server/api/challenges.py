"""Challenges in lichess's shape: asking somebody, everybody or the engine for a match."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Depends, Path, Request
from sqlalchemy import func, or_, select

from acedrex.game import split_spec
from acedrex.server import bots, catalogue, making, wire
from acedrex.server.api.bots import base_of
from acedrex.server.api.limits import spend, visitor
from acedrex.server.api.matches import MatchId, may_begin
from acedrex.server.api.routes import FORM, Routes, refused
from acedrex.server.api.services import Served
from acedrex.server.api.tokens import allowed
from acedrex.server.catalogue import Catalogue
from acedrex.server.decide import Refusal, TakeSeat
from acedrex.server.moment import now
from acedrex.server.rooms import Rooms
from acedrex.server.state import SIDES, other
from acedrex.server.tables import guests, matches
from acedrex.server.tokens import TokenHolder
from acedrex.server.wire.bots import BotChallenge, Challenges, Done, NewChallenge

router = Routes("/api/challenge", "challenges")

#: Most challenges of one person that wait.
MOST_WAITING = 20

Reading = Annotated[TokenHolder, Depends(allowed("challenge:read"))]
Writing = Annotated[TokenHolder, Depends(allowed("challenge:write"))]


@router.get("", responses=refused(401, 403))
async def list_challenges(request: Request, services: Served, who: Reading) -> Challenges:
    """List the challenges that stand: to the bot, and of the bot."""
    me = who.person.id
    mine = or_(matches.c.asked == me, matches.c.creator == me)
    wanted = (mine, matches.c.phase == "open", matches.c.opponent.in_(("friend", "lobby")))
    rows = await services.store.all(bots.rows(*wanted))
    told = [(row, bots.challenge(row, base_of(request))) for row in rows]
    incoming = [one for row, one in told if row.asked == me]
    return Challenges(incoming, [one for row, one in told if row.creator == me])


@router.post("/{to}", responses=refused(401, 403, 404, 409))
async def create(
    request: Request,
    services: Served,
    who: Writing,
    to: Annotated[str, Path(max_length=32)],
    asked: Annotated[NewChallenge, FORM],
) -> BotChallenge:
    """Ask for a match: somebody by id, whoever accepts (``open``), or the engine (``ai``) at a level."""
    spend(request, "challenges", person=who.person.id)
    await may_begin(request, services.rooms, who.person.id)
    waiting = select(func.count()).where(matches.c.creator == who.person.id, matches.c.phase == "open")
    count = await services.store.first(waiting)
    if count is not None and count[0] >= MOST_WAITING:
        raise Refusal("too_fast", f"you already have {MOST_WAITING} open challenges; cancel some")
    friend = None
    opponent: wire.Opponent = wire.FriendOpponent()
    if to == "ai":
        opponent = wire.EngineOpponent(asked.level)
    elif to == "open":
        opponent = wire.LobbyOpponent()
    else:
        friend = to
        if await services.store.first(select(guests.c.id).where(guests.c.id == to)) is None:
            raise Refusal("no_such_person", "no one on this server has this ID; you find yours in Settings", "to")
        if to == who.person.id:
            raise Refusal("own_match", "you cannot challenge yourself", "to")
    known = services.catalogue
    match, steps, _ = making.make(_match(asked, opponent, known), who.person, known, now(), friend)
    await services.store.add_definition(catalogue.key(match.game), match.game.source)
    await services.store.write(*steps)
    if match.engine_due():
        (await services.rooms.get(match.id)).visitor = visitor(request, who.person.id)
    if to == "open":
        services.rooms.lobby_changed()
    services.rooms.match_made(match.id)
    (row,) = await services.store.all(bots.rows(matches.c.id == match.id))
    return bots.challenge(row, base_of(request))


def _match(asked: NewChallenge, opponent: wire.Opponent, known: Catalogue) -> wire.NewMatch:
    """Say in our own way what is asked for; where nothing is said of the setup, it is drawn."""
    if asked.fen not in (None, "startpos"):
        raise Refusal("invalid", "matches start from the starting position or a setup, not from a FEN", "fen")
    id, options = split_spec("chess" if asked.variant == "standard" else asked.variant)
    time: wire.TimeControl = wire.NoTime()
    if asked.limit is not None:
        time = wire.Fischer(asked.limit * 1000, asked.increment * 1000)
    elif asked.days is not None:
        time = wire.Correspondence(asked.days, 0)
    setup = asked.setup or ("random" if len(known.game(id, options).setups) else None)
    choice = wire.GameChoice(id, options)
    return wire.NewMatch(game=choice, opponent=opponent, side=asked.color, time=time, setup=setup)


async def _waiting(rooms: Rooms, id: str, *wanted: Any) -> Any:
    """Find a challenge that waits."""
    row = await rooms.store.first(bots.rows(matches.c.id == id, matches.c.phase == "open", *wanted))
    if row is None:
        raise Refusal("no_such_challenge", "challenge not found; it may have been accepted or withdrawn", "id")
    return row


@router.post("/{id}/accept", responses=refused(401, 403, 404, 409))
async def accept(services: Served, id: MatchId, who: Writing) -> Done:
    """Accept a challenge to the bot, or one to everybody."""
    await _waiting(services.rooms, id, or_(matches.c.asked == who.person.id, matches.c.opponent == "lobby"))
    room = await services.rooms.get(id)
    side = other(next(iter(room.match.seats)))
    await room.command(TakeSeat(who.person.id, who.person.name, side), frozenset())
    return Done(True)


@router.post("/{id}/decline", responses=refused(401, 403, 404, 409))
async def decline(services: Served, id: MatchId, who: Writing) -> Done:
    """Decline a challenge to the bot."""
    await _waiting(services.rooms, id, matches.c.asked == who.person.id)
    room = await services.rooms.get(id)
    free = frozenset(side for side in SIDES if side not in room.match.seats)
    await room.command(wire.Abort(""), free)
    return Done(True)


@router.post("/{id}/cancel", responses=refused(401, 403, 404, 409))
async def cancel(services: Served, id: MatchId, who: Writing) -> Done:
    """Withdraw a challenge of the bot."""
    await _waiting(services.rooms, id, matches.c.creator == who.person.id)
    room = await services.rooms.get(id)
    await room.command(wire.Abort(""), room.match.seat(who.person.id))
    return Done(True)
