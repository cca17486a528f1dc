"""Matches: creating, joining, viewing and exporting them."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Annotated

from fastapi import Depends, Path, Request, Response
from sqlalchemy import func, select

from acedrex.server import ids, wire
from acedrex.server.api import offload
from acedrex.server.api.games import Language
from acedrex.server.api.limits import spend, spend_on_match, visitor
from acedrex.server.api.people import CurrentPerson
from acedrex.server.api.routes import Encoded, Routes, refused
from acedrex.server.api.tokens import optional_person
from acedrex.server.archive import pgn_export
from acedrex.server.games import catalogue
from acedrex.server.limits.fair_queue import FullError
from acedrex.server.limits.pool import LateError
from acedrex.server.limits.visitor import Visitor
from acedrex.server.match.events import Created, decode_events
from acedrex.server.people import house, profiles, relations
from acedrex.server.play import joining
from acedrex.server.play.lobby import FRESH, challenges, ratings_of, visible
from acedrex.server.play.new_match import check_start, make
from acedrex.server.play.rooms import Rooms
from acedrex.server.ratings.results import last_side, pool_of, ratings_before
from acedrex.server.refusal import Refusal
from acedrex.server.services import Served, Services
from acedrex.server.storage import cards
from acedrex.server.storage.store import BusyError
from acedrex.server.storage.tables import matches
from acedrex.server.time_source import now
from acedrex.server.tournaments.news import next_one

router = Routes("/api", "matches")

MatchId = Annotated[str, Path(max_length=32)]

#: Milliseconds without a move after which a live match is left out of the list to watch, unless a player is connected.
ATTENDED = 10 * 60_000
#: Matches in the list to watch.
MAX_WATCHED = 50
#: The maximum number of unfinished matches of one person.
MAX_UNFINISHED = 200


#: The person who makes the request, if their token lets them play or see their own challenges.
Player = Annotated[str | None, Depends(optional_person("bot:play"))]
Challenger = Annotated[str | None, Depends(optional_person("challenge:read"))]


@router.post("/matches", status_code=201, responses=refused(401, 404))
async def new_match(
    request: Request, services: Served, person: CurrentPerson, body: wire.NewMatch
) -> wire.MatchCreated:
    """Create a match. For a friend the response has an invite, which belongs in the fragment of the link."""
    await check_match_limit(request, services.rooms, person.id)
    if isinstance(body.opponent, wire.HouseOpponent):
        await house.enrol(services.store, body.opponent.engine)
    game = await services.catalogue.game(body.game.game, body.game.options)
    if body.fen is not None:
        await offload.run(request, game, offload.FEW + 1, partial(check_start, game, body.fen))
    joining.check_rated(person, rated=body.rated)
    last = await last_side(services.store, person.id, pool_of(game.id, body.time)) if body.rated else None
    match, steps, invite = make(game, body, person, now(), last=last)
    await services.store.add_definition(*catalogue.definition(match.game))
    await services.store.write(*steps)
    if match.engine_due:
        (await services.rooms.get(match.id)).visitor = visitor(request, person.id)
    if match.created.opponent == "lobby":
        services.rooms.shared.lobby_changed()
    services.rooms.shared.match_made(match.id)
    return wire.MatchCreated(match.id, invite)


async def check_match_limit(request: Request, rooms: Rooms, person: str) -> None:
    """Check that a person may create one more match.

    :raises Refusal: if they have too many unfinished ones.
    """
    spend(request, "matches", person=person)
    own = (matches.c.creator == person, matches.c.phase.in_(("open", "setup", "play")))
    count = await rooms.store.first(select(func.count()).where(*own))
    if count is not None and count[0] >= MAX_UNFINISHED:
        raise Refusal("too_many", f"you have {MAX_UNFINISHED} matches in progress; finish or abort some first")


@router.get("/matches/{id}", responses=refused(401, 404, 409))
async def get_match(request: Request, services: Served, id: MatchId, person: Player) -> Encoded[wire.Snapshot]:
    """Return the current state of a match."""
    room = await services.rooms.get(id)
    spend_on_match(request, len(room.match.moves))
    return Encoded(await room.snapshot(person))


@router.get("/matches/{id}/game", responses=refused(401, 404, 409))
async def get_game_of_match(request: Request, services: Served, id: MatchId, lang: Language) -> Encoded[wire.Game]:
    """Return the game of a match as it was when the match began: its file may have been changed or removed since."""
    # The match may have to be read first.
    spend(request, "work", 4)
    match = (await services.rooms.get(id)).match
    game = await asyncio.to_thread(catalogue.plain_game, match.game)
    return await offload.tell(request, game, await services.catalogue.describing(game, lang))


@router.post("/matches/{id}/seat", responses=refused(401, 403, 404, 409))
async def take_seat(services: Served, id: MatchId, person: CurrentPerson, body: wire.Invite) -> None:
    """Join a match with its invite."""
    row = await services.store.first(select(matches.c.invite_hash).where(matches.c.id == id))
    if row is None:
        raise Refusal("no_such_match", "match not found", "match")
    if row.invite_hash is None or row.invite_hash != ids.hashed(body.invite):
        raise Refusal("wrong_invite", "this invite is for another match; ask for the link again", "invite")
    await joining.join(await services.rooms.get(id), person, body.side)


@router.get("/lobby", responses=refused(401))
async def lobby(services: Served, person: Challenger) -> list[wire.Challenge]:
    """List the open challenges, the latest first."""
    found, store = await challenges(services.rooms), services.store
    owners = {owner for card in found for owner in card.people if owner is not None}
    hidden = await relations.hidden(store, owners) if person is not None else {}
    shown = visible(found, hidden.get(person or "", set()))
    return await profiles.challenges(store, shown, person, await ratings_of(services.rooms, shown))


@router.post("/lobby/{id}/accept", responses=refused(401, 404, 409))
async def accept(services: Served, id: MatchId, person: CurrentPerson, side: wire.Side | None = None) -> None:
    """Accept an open challenge, with a side if its creator left that to the opponent."""
    row = await services.store.first(select(matches.c.opponent).where(matches.c.id == id))
    if row is None or row.opponent != "lobby":
        raise Refusal("no_such_match", "challenge not found", "match")
    await joining.join(await services.rooms.get(id), person, side)


@router.get("/watch", responses=refused(401))
async def watch(services: Served, person: Player) -> list[wire.MatchCard]:
    """List the public matches in progress: those of the lobby and against the engine.

    Left out are matches without a move, and live ones whose players have gone.
    """
    return await profiles.match_cards(services.store, await watched(services), person)


@router.get("/here", responses=refused(401))
async def here(request: Request, services: Served, person: Player) -> wire.Here:
    """Return how many people are here, how many public matches are in progress, and one of them to watch."""
    services.presence.note_visitor(visitor(request, person))
    found = await watched(services)
    live = await profiles.match_cards(services.store, found[:1], person)
    tournament = await next_one(services.tournaments, person)
    return wire.Here(services.presence.count(), len(found), live[0] if live else None, tournament)


async def watched(services: Services) -> list[cards.Card]:
    """Return the public matches in progress that are worth watching, those with the latest move first."""
    conditions = (matches.c.phase == "play", matches.c.opponent.in_(("lobby", "engine")), matches.c.at > now() - FRESH)
    query = select(matches.c.card).where(*conditions).order_by(matches.c.at.desc()).limit(4 * MAX_WATCHED)
    found = [cards.read(row.card) for row in await services.store.all(query)]
    worth_watching = [card for card in found if card.ply > 0 and _is_attended(card, services.rooms)]
    return worth_watching[:MAX_WATCHED]


def _is_attended(card: cards.Card, rooms: Rooms) -> bool:
    """Return whether somebody plays a match: in correspondence nobody needs to be online."""
    recent = card.at > now() - ATTENDED
    return recent or isinstance(card.time, wire.Correspondence) or rooms.has_player(card.match)


@router.get("/matches/{id}/pgn", responses=refused(404, 409))
async def export_match(request: Request, services: Served, id: MatchId) -> Annotated[Response, "text/plain"]:
    """Return the match as PGN."""
    spend(request, "work", 4)
    text = await match_pgn(services, id, visitor(request))
    headers = {"Content-Disposition": f'attachment; filename="acedrex-{id}.pgn"', "X-Robots-Tag": "noindex"}
    return Response(text, media_type="text/plain", headers=headers)


async def match_pgn(services: Services, id: str, requester: Visitor) -> str:
    """Write a match as PGN, in a process of the pool.

    :raises Refusal: if there is no such match, or it cannot be read.
    :raises FullError: if the queue is full.
    :raises LateError: if it takes too long.
    """
    rows = await services.store.rows(id)
    if not rows:
        raise Refusal("no_such_match", "match not found", "match")
    try:
        (created,) = decode_events(rows[:1])
        assert isinstance(created, Created)
        definition = await services.store.definition(created.definition)
        ratings = await ratings_before(services.store, id) if created.rated else (None, None)
        tags = await services.tournaments.tags(created.tournament, id) if created.tournament is not None else {}
        return await services.pool.run(requester, partial(pgn_export.match_pgn, id, rows, definition, ratings, tags))
    except (Refusal, FullError, LateError, BusyError):
        raise
    except Exception:
        # Opening a damaged match reports it and marks it as broken.
        await services.rooms.load(id)
        raise
