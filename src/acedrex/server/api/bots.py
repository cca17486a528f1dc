"""The bot API: streams of matches for programs, and the commands by which they play."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import Depends, Path, Query, Request, Response

from acedrex.server import wire
from acedrex.server.api.limits import held_open, spend, visitor
from acedrex.server.api.lines import NDJSON, Lines
from acedrex.server.api.matches import MatchId
from acedrex.server.api.routes import FORM, Routes, refused
from acedrex.server.api.tokens import require_scope, token_holder
from acedrex.server.games import catalogue
from acedrex.server.match.decide import Command, Turn
from acedrex.server.people.names import clean_text
from acedrex.server.people.tokens import TokenHolder
from acedrex.server.play import bots
from acedrex.server.play.listener import Listener
from acedrex.server.play.room import Room
from acedrex.server.refusal import Refusal
from acedrex.server.services import Served
from acedrex.server.wire.bots import Account, Done, Line, NowPlaying

router = Routes("/api", "bots")

#: The maximum number of moves in one request.
MAX_MOVES = 16

Stream = Annotated[Response, NDJSON]
Playing = Annotated[TokenHolder, Depends(require_scope("bot:play"))]


@router.get("/account", responses=refused(401))
async def account(request: Request) -> Account:
    """Return the owner of the token."""
    holder = await token_holder(request)
    if holder is None:
        raise Refusal("unknown_token", "this needs a token: send Authorization: Bearer TOKEN")
    return Account(holder.person.id, holder.person.name, "BOT")


@router.get("/account/playing", responses=refused(401, 403))
async def playing(services: Served, holder: Playing) -> NowPlaying:
    """List the bot's matches in progress, the latest first."""
    rows = await services.store.all(bots.rows(*bots.concerning(holder.person.id)))
    begun = [row for row in rows if row.phase != "open" and row.opponent != "self"]
    return NowPlaying([bots.game(row, holder.person.id) for row in begun])


@router.get("/stream/event", responses=refused(401, 403))
async def events(request: Request, services: Served, holder: Playing) -> Stream:
    """Stream challenges to and from the bot, and starts and ends of its matches, beginning with the current ones.

    A line is a JSON object; an empty line is sent every few seconds. A new stream of a bot ends its previous one.
    """
    return Lines(services.streams.events(holder, base_of(request)), held=held_open(request))


@router.get("/bot/game/stream/{id}", responses=refused(401, 403, 404, 409))
async def game(request: Request, services: Served, id: MatchId, holder: Playing) -> Stream:
    """Stream a match of the bot: first its full state, then every change, until it is over."""
    room = await services.rooms.get(id)
    if not room.match.seat(holder.person.id):
        raise Refusal("no_seat", "only the players can read this stream; you are not one of them")
    if services.streams.is_full(holder.person.id):
        raise Refusal("too_fast", "you have too many open streams; close those of finished matches")
    return Lines(services.streams.match(holder, room), held=held_open(request))


# Commands.


async def room_of(request: Request, services: Served, id: MatchId, holder: Playing) -> Room:
    """Return the room of a match that the bot plays."""
    spend(request, "commands", person=holder.person.id)
    room = await services.rooms.get(id)
    if not room.match.seat(holder.person.id):
        raise Refusal("no_seat", "only the players can do this; you are not one of them")
    room.visitor = visitor(request, holder.person.id)
    return room


InRoom = Annotated[Room, Depends(room_of)]
COMMAND = refused(401, 403, 404, 409)


async def do(room: Room, holder: TokenHolder, command: Command) -> Done:
    """Carry out a command."""
    await room.command(command, room.match.seat(holder.person.id))
    return Done(True)


@router.post("/bot/game/{id}/move/{move}", responses=COMMAND)
async def move(
    room: InRoom,
    holder: Playing,
    move: Annotated[str, Path(max_length=400)],
    offering_draw: Annotated[bool, Query(alias="offeringDraw")] = False,
) -> Done:
    """Make a move, or several moves of a turn joined by commas: all of them or none."""
    moves = move.split(",")
    if len(moves) > MAX_MOVES:
        raise Refusal("invalid", f"a turn has at most {MAX_MOVES} moves", "move")
    done = await do(room, holder, Turn(tuple(moves)))
    if offering_draw and room.match.phase == "play":
        await do(room, holder, wire.MakeOffer("draw", ""))
    return done


@router.post("/bot/game/{id}/setup/{setup}", responses=COMMAND)
async def choose_setup(room: InRoom, holder: Playing, setup: Annotated[str, Path(max_length=80)]) -> Done:
    """Choose the setup, as Black, by name, by number or at random."""
    if room.match.phase != "setup":
        raise Refusal("no_setup", "there is no setup to choose now")
    game = room.match.game
    name = catalogue.random_setup(game) if setup == "random" else catalogue.setup(game, setup).name
    return await do(room, holder, wire.ChooseSetup(name, room.match.number, ""))


@router.post("/bot/game/{id}/resign", responses=COMMAND)
async def resign(room: InRoom, holder: Playing) -> Done:
    """Resign."""
    return await do(room, holder, wire.Resign(""))


@router.post("/bot/game/{id}/abort", responses=COMMAND)
async def abort(room: InRoom, holder: Playing) -> Done:
    """Abort the match before both sides have moved."""
    return await do(room, holder, wire.Abort(""))


@router.post("/bot/game/{id}/claim-victory", responses=COMMAND)
async def claim_victory(room: InRoom, holder: Playing) -> Done:
    """Claim a win because the opponent has left."""
    return await do(room, holder, wire.Claim("left", ""))


@router.post("/bot/game/{id}/claim-draw", responses=COMMAND)
async def claim_draw(room: InRoom, holder: Playing) -> Done:
    """Claim a draw by the rules."""
    return await do(room, holder, wire.Claim("draw", ""))


async def offer(room: Room, holder: TokenHolder, what: Literal["draw", "takeback"], accept: str) -> Done:
    """Answer an offer of the opponent; if there is none and the answer is yes, make one."""
    seats = room.match.seat(holder.person.id)
    is_offered = any(offer.what == what and offer.by not in seats for offer in room.match.offers)
    if is_offered or accept != "yes":
        return await do(room, holder, wire.Answer(what, accept == "yes", ""))
    return await do(room, holder, wire.MakeOffer(what, ""))


YesOrNo = Annotated[Literal["yes", "no"], Path()]


@router.post("/bot/game/{id}/draw/{accept}", responses=COMMAND)
async def draw(room: InRoom, holder: Playing, accept: YesOrNo) -> Done:
    """Offer, accept or decline a draw."""
    return await offer(room, holder, "draw", accept)


@router.post("/bot/game/{id}/takeback/{accept}", responses=COMMAND)
async def takeback(room: InRoom, holder: Playing, accept: YesOrNo) -> Done:
    """Request, accept or decline a takeback."""
    return await offer(room, holder, "takeback", accept)


@router.post("/bot/game/{id}/chat", responses=COMMAND)
async def chat(request: Request, room: InRoom, holder: Playing, body: Annotated[Line, FORM]) -> Done:
    """Send a chat message to the match."""
    spend(request, "chat", person=holder.person.id)
    speaker = Listener(holder.person.id, seats=room.match.seat(holder.person.id))
    await room.say(speaker, holder.person.name, clean_text(body.text))
    return Done(True)


def base_of(request: Request) -> str:
    """Return the URL under which the request reached the server."""
    return str(request.base_url).rstrip("/")
