"""Challenges in lichess's format: to a person, to everyone or to the engine."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any

from fastapi import Depends, Path, Request
from sqlalchemy import func, or_, select

from acedrex.game import Game, split_spec
from acedrex.server import wire
from acedrex.server.api import offload
from acedrex.server.api.bots import base_of
from acedrex.server.api.limits import spend, visitor
from acedrex.server.api.matches import MatchId, check_match_limit
from acedrex.server.api.routes import FORM, Routes, refused
from acedrex.server.api.tokens import require_scope
from acedrex.server.games import catalogue
from acedrex.server.match.state import SIDES
from acedrex.server.people import house, relations
from acedrex.server.people.tokens import TokenHolder
from acedrex.server.play import bots, joining, new_match
from acedrex.server.play.rooms import Rooms
from acedrex.server.refusal import Refusal
from acedrex.server.services import Served
from acedrex.server.storage.tables import matches, people
from acedrex.server.time_source import now
from acedrex.server.wire.bots import BotChallenge, Challenges, Done, NewChallenge

router = Routes("/api/challenge", "challenges")

#: The maximum number of open challenges of one person.
MAX_WAITING = 20

Reading = Annotated[TokenHolder, Depends(require_scope("challenge:read"))]
Writing = Annotated[TokenHolder, Depends(require_scope("challenge:write"))]


@router.get("", responses=refused(401, 403))
async def list_challenges(request: Request, services: Served, holder: Reading) -> Challenges:
    """List the open challenges to and from the bot."""
    me = holder.person.id
    mine = or_(matches.c.asked == me, matches.c.creator == me)
    conditions = (mine, matches.c.phase == "open", matches.c.opponent.in_(("friend", "lobby")))
    rows = await services.store.all(bots.rows(*conditions))
    found = [(row, bots.challenge(row, base_of(request))) for row in rows]
    incoming = [challenge for row, challenge in found if row.asked == me]
    return Challenges(incoming, [challenge for row, challenge in found if row.creator == me])


@router.post("/{to}", responses=refused(401, 403, 404, 409))
async def create(
    request: Request,
    services: Served,
    holder: Writing,
    to: Annotated[str, Path(max_length=32)],
    body: Annotated[NewChallenge, FORM],
) -> BotChallenge:
    """Challenge a person or a house engine by id, anyone who accepts (``open``), or the engine (``ai``) at a level.

    A house engine accepts at once.
    """
    spend(request, "challenges", person=holder.person.id)
    await check_match_limit(request, services.rooms, holder.person.id)
    waiting = select(func.count()).where(matches.c.creator == holder.person.id, matches.c.phase == "open")
    count = await services.store.first(waiting)
    if count is not None and count[0] >= MAX_WAITING:
        raise Refusal("too_fast", f"you already have {MAX_WAITING} open challenges; cancel some")
    friend = None
    opponent: wire.Opponent = wire.FriendOpponent()
    if to == "ai":
        opponent = wire.EngineOpponent(body.level)
    elif to == "open":
        opponent = wire.LobbyOpponent()
    elif to in house.ENGINES:
        await house.enrol(services.store, to)
        opponent = wire.HouseOpponent(to)
    else:
        friend = to
        if await services.store.first(select(people.c.id).where(people.c.id == to)) is None:
            raise Refusal("no_such_person", "no one on this server has this ID; you find yours in Settings", "to")
        if to == holder.person.id:
            raise Refusal("own_match", "you cannot challenge yourself", "to")
        closed = to not in await relations.known(services.store, [to])
        if closed or await relations.is_blocked(services.store, holder.person.id, [to]):
            raise Refusal("unavailable", "this player takes no challenge now", "to")
    id, options = split_spec("chess" if body.variant == "standard" else body.variant)
    game = await services.catalogue.game(id, options)
    asked = _new_match(body, opponent, game)
    if asked.fen is not None:
        await offload.run(request, game, offload.FEW + 1, partial(new_match.check_start, game, asked.fen))
    match, steps, _ = new_match.make(game, asked, holder.person, now(), friend)
    await services.store.add_definition(*catalogue.definition(match.game))
    await services.store.write(*steps)
    if match.engine_due:
        (await services.rooms.get(match.id)).visitor = visitor(request, holder.person.id)
    if to == "open":
        services.rooms.shared.lobby_changed()
    services.rooms.shared.match_made(match.id)
    (row,) = await services.store.all(bots.rows(matches.c.id == match.id))
    return bots.challenge(row, base_of(request))


def _new_match(body: NewChallenge, opponent: wire.Opponent, game: Game) -> wire.NewMatch:
    """Return the match that a challenge requests; without a setup, in a game that has several, it is random."""
    time: wire.TimeControl = wire.NoTime()
    if body.limit is not None:
        time = wire.Fischer(body.limit * 1000, body.increment * 1000)
    elif body.days is not None:
        time = wire.Correspondence(body.days, 0)
    fen = None if body.fen == "startpos" else body.fen
    setup = body.setup or ("random" if fen is None and len(game.setups) else None)
    choice = wire.GameChoice(game.id, dict(game.chosen_options))
    return wire.NewMatch(game=choice, opponent=opponent, side=body.color, time=time, setup=setup, fen=fen)


async def _check_open(rooms: Rooms, id: str, *conditions: Any) -> None:
    """Check that there is an open challenge that fulfils the conditions.

    :raises Refusal: if there is none.
    """
    row = await rooms.store.first(bots.rows(matches.c.id == id, matches.c.phase == "open", *conditions))
    if row is None:
        raise Refusal("no_such_challenge", "challenge not found; it may have been accepted or withdrawn", "id")


@router.post("/{id}/accept", responses=refused(401, 403, 404, 409))
async def accept(services: Served, id: MatchId, holder: Writing) -> Done:
    """Accept a challenge to the bot, or an open one."""
    await _check_open(services.rooms, id, or_(matches.c.asked == holder.person.id, matches.c.opponent == "lobby"))
    room = await services.rooms.get(id)
    if room.match.created.rated:
        raise Refusal("not_rated", "programs play matches that are not rated; accept another challenge", "id")
    await joining.join(room, holder.person)
    return Done(True)


@router.post("/{id}/decline", responses=refused(401, 403, 404, 409))
async def decline(services: Served, id: MatchId, holder: Writing) -> Done:
    """Decline a challenge to the bot."""
    await _check_open(services.rooms, id, matches.c.asked == holder.person.id)
    room = await services.rooms.get(id)
    free = frozenset(side for side in SIDES if side not in room.match.seats)
    await room.command(wire.Abort(""), free)
    return Done(True)


@router.post("/{id}/cancel", responses=refused(401, 403, 404, 409))
async def cancel(services: Served, id: MatchId, holder: Writing) -> Done:
    """Cancel a challenge of the bot."""
    await _check_open(services.rooms, id, matches.c.creator == holder.person.id)
    room = await services.rooms.get(id)
    await room.command(wire.Abort(""), room.match.seat(holder.person.id))
    return Done(True)
