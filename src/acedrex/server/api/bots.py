"""The bot API: what programs hear of their matches, and how they play."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import Depends, Path, Query, Request, Response

from acedrex.server import bots, catalogue, wire
from acedrex.server.api.limits import held_open, spend, visitor
from acedrex.server.api.lines import NDJSON, Lines
from acedrex.server.api.matches import MatchId
from acedrex.server.api.routes import FORM, Routes, refused
from acedrex.server.api.services import Served
from acedrex.server.api.tokens import allowed, holder
from acedrex.server.decide import Command, Refusal, Turn
from acedrex.server.listener import Listener
from acedrex.server.names import cleaned
from acedrex.server.room import Room
from acedrex.server.tokens import TokenHolder
from acedrex.server.wire.bots import Account, Done, Line, NowPlaying

router = Routes("/api", "bots")

#: Most moves of a turn in one request.
MOST_MOVES = 16

Stream = Annotated[Response, NDJSON]
Playing = Annotated[TokenHolder, Depends(allowed("bot:play"))]


@router.get("/account", responses=refused(401))
async def account(request: Request) -> Account:
    """Tell whose token it is."""
    found = await holder(request)
    if found is None:
        raise Refusal("unknown_token", "this needs a token: send Authorization: Bearer TOKEN")
    return Account(found.person.id, found.person.name, "BOT")


@router.get("/account/playing", responses=refused(401, 403))
async def playing(services: Served, who: Playing) -> NowPlaying:
    """List the matches that one plays, the latest first."""
    rows = await services.store.all(bots.rows(*bots.concerning(who.person.id)))
    going = [row for row in rows if row.phase != "open" and row.opponent != "self"]
    return NowPlaying([bots.game(row, who.person.id) for row in going])


@router.get("/stream/event", responses=refused(401, 403))
async def events(request: Request, services: Served, who: Playing) -> Stream:
    """Stream challenges to and of the bot, and the beginning and end of its matches; first those that stand.

    A line is a JSON object; an empty line comes every few seconds. A new stream of a bot ends its stream before.
    """
    return Lines(services.streams.events(who, base_of(request)), held=held_open(request))


@router.get("/bot/game/stream/{id}", responses=refused(401, 403, 404, 409))
async def game(request: Request, services: Served, id: MatchId, who: Playing) -> Stream:
    """Stream a match of the bot: first all of it, then every change, until it is over."""
    room = await services.rooms.get(id)
    if not room.match.seat(who.person.id):
        raise Refusal("no_seat", "only the players can read this stream; you are not one of them")
    if services.streams.is_full(who.person.id):
        raise Refusal("too_fast", "you have too many open streams; close those of finished matches")
    return Lines(services.streams.match(who, room), held=held_open(request))


# Commands.


async def room_of(request: Request, services: Served, id: MatchId, who: Playing) -> Room:
    """Open the room of a match in which the bot may act now."""
    spend(request, "commands", person=who.person.id)
    room = await services.rooms.get(id)
    if not room.match.seat(who.person.id):
        raise Refusal("no_seat", "only the players can do this; you are not one of them")
    room.visitor = visitor(request, who.person.id)
    return room


InRoom = Annotated[Room, Depends(room_of)]
COMMAND = refused(401, 403, 404, 409)


async def do(room: Room, who: TokenHolder, command: Command) -> Done:
    """Do what a command asks."""
    await room.command(command, room.match.seat(who.person.id))
    return Done(True)


@router.post("/bot/game/{id}/move/{move}", responses=COMMAND)
async def move(
    room: InRoom,
    who: Playing,
    move: Annotated[str, Path(max_length=400)],
    offering_draw: Annotated[bool, Query(alias="offeringDraw")] = False,
) -> Done:
    """Make a move, or the moves of a turn joined by commas: all of them or none."""
    moves = move.split(",")
    if len(moves) > MOST_MOVES:
        raise Refusal("invalid", f"a turn has at most {MOST_MOVES} moves", "move")
    done = await do(room, who, Turn(tuple(moves)))
    if offering_draw and room.match.phase == "play":
        await do(room, who, wire.MakeOffer("draw", ""))
    return done


@router.post("/bot/game/{id}/setup/{setup}", responses=COMMAND)
async def choose_setup(room: InRoom, who: Playing, setup: Annotated[str, Path(max_length=80)]) -> Done:
    """Choose the setup, as Black, by its name or number or at random."""
    if room.match.phase != "setup":
        raise Refusal("no_setup", "there is no setup to choose now")
    game = room.match.game
    name = catalogue.random_setup(game) if setup == "random" else catalogue.setup(game, setup).name
    return await do(room, who, wire.ChooseSetup(name, room.match.number, ""))


@router.post("/bot/game/{id}/resign", responses=COMMAND)
async def resign(room: InRoom, who: Playing) -> Done:
    """Resign."""
    return await do(room, who, wire.Resign(""))


@router.post("/bot/game/{id}/abort", responses=COMMAND)
async def abort(room: InRoom, who: Playing) -> Done:
    """Give the match up before both sides have played."""
    return await do(room, who, wire.Abort(""))


@router.post("/bot/game/{id}/claim-victory", responses=COMMAND)
async def claim_victory(room: InRoom, who: Playing) -> Done:
    """Claim the match of an opponent who has left."""
    return await do(room, who, wire.Claim("left", ""))


@router.post("/bot/game/{id}/claim-draw", responses=COMMAND)
async def claim_draw(room: InRoom, who: Playing) -> Done:
    """Claim a draw that the rules give."""
    return await do(room, who, wire.Claim("draw", ""))


async def offer(room: Room, who: TokenHolder, what: Literal["draw", "takeback"], accept: str) -> Done:
    """Answer an offer; where there is none and the answer is yes, make one."""
    seats = room.match.seat(who.person.id)
    stands = any(one.what == what and one.by not in seats for one in room.match.offers)
    if stands or accept != "yes":
        return await do(room, who, wire.Answer(what, accept == "yes", ""))
    return await do(room, who, wire.MakeOffer(what, ""))


YesOrNo = Annotated[Literal["yes", "no"], Path()]


@router.post("/bot/game/{id}/draw/{accept}", responses=COMMAND)
async def draw(room: InRoom, who: Playing, accept: YesOrNo) -> Done:
    """Offer, accept or decline a draw."""
    return await offer(room, who, "draw", accept)


@router.post("/bot/game/{id}/takeback/{accept}", responses=COMMAND)
async def takeback(room: InRoom, who: Playing, accept: YesOrNo) -> Done:
    """Ask for a take-back, allow or decline it."""
    return await offer(room, who, "takeback", accept)


@router.post("/bot/game/{id}/chat", responses=COMMAND)
async def chat(request: Request, room: InRoom, who: Playing, asked: Annotated[Line, FORM]) -> Done:
    """Write to everybody at the match."""
    spend(request, "chat", person=who.person.id)
    speaking = Listener(who.person.id, seats=room.match.seat(who.person.id))
    await room.say(speaking, who.person.name, cleaned(asked.text))
    return Done(True)


def base_of(request: Request) -> str:
    """Give the address at which the server is asked."""
    return str(request.base_url).rstrip("/")
