"""Tournaments: making them, taking part, and watching them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from functools import partial
from typing import Annotated, Any, get_args

import msgspec
from fastapi import APIRouter, Path, Query, Request, Response, WebSocket
from sqlalchemy import func, select

from acedrex.server import wire
from acedrex.server.api import offload
from acedrex.server.api.archive import EXPORT_TIMEOUT_S, PGN, record
from acedrex.server.api.bodies import parse
from acedrex.server.api.limits import admitted, spend, visitor
from acedrex.server.api.lines import Lines
from acedrex.server.api.people import CurrentPerson
from acedrex.server.api.routes import Routes, refused
from acedrex.server.api.sending import refusing, sending
from acedrex.server.api.tokens import OptionalPerson
from acedrex.server.games import catalogue
from acedrex.server.limits.transfers import MAX_EXPORTS
from acedrex.server.limits.visitor import Visitor
from acedrex.server.people import moderation, relations, standing
from acedrex.server.people.names import clean_text, printed
from acedrex.server.play.joining import check_rated
from acedrex.server.play.listener import Listener
from acedrex.server.play.new_match import check_start
from acedrex.server.ratings.results import pool_of, shown, standings
from acedrex.server.refusal import Refusal
from acedrex.server.services import Served, Services, services_of
from acedrex.server.storage.store import ConflictError, Step
from acedrex.server.storage.tables import tournaments
from acedrex.server.time_source import now
from acedrex.server.tournaments import commands, creation, events, news, views
from acedrex.server.tournaments.events import Event
from acedrex.server.tournaments.standings import DEFAULT
from acedrex.server.tournaments.state import Tournament
from acedrex.server.tournaments.store import entrant_step, row_of

router = Routes("/api", "tournaments")
sockets = APIRouter()
decoder = msgspec.json.Decoder(wire.Hello)

#: Tournaments of a page of those that are over, and of those to come; the unfinished ones of one person.
PAGE, MAX_LISTED, MAX_OPEN = 20, 50, 5

Id = Annotated[str, Path(max_length=32)]
Number = Annotated[int, Path(ge=0, le=100_000)]
Player = Annotated[int, Path(ge=1, le=1_000)]


async def _may_make(services: Services, person: wire.Person | None) -> bool:
    """Return whether somebody may make tournaments: whom the operator lets, and moderators."""
    if person is None:
        return False
    who = services.settings.tournaments
    if who == "everybody" or (who == "accounts" and person.account):
        return True
    return await moderation.is_moderator(services.store, person.id)


async def _person(services: Services, id: str | None) -> wire.Person | None:
    """Return a person as a request has them."""
    found = None if id is None else (await relations.known(services.store, [id])).get(id)
    return None if found is None else wire.Person(found.id, found.name, found.account)


# Lists.


@router.get("/tournaments", responses=refused(401))
async def listed(
    request: Request,
    services: Served,
    me: OptionalPerson,
    before: Annotated[int | None, Query(ge=0, le=2**53)] = None,
) -> wire.TournamentList:
    """List the tournaments that are played, those to come, and those that are over, the latest first.

    :param before: the last one's start, for the next page of those that are over.
    """
    spend(request, "work", 2)
    by_start = tournaments.c.starts_at
    over = select(tournaments).where(tournaments.c.phase == "over").order_by(by_start.desc())
    if before is not None:
        over = over.where(by_start < before)
    running = select(tournaments).where(tournaments.c.phase == "running").order_by(by_start.desc())
    coming = select(tournaments).where(tournaments.c.phase == "open").order_by(by_start)
    finished = await services.store.all(over.limit(PAGE + 1))
    tell = partial(news.cards, services.tournaments, person=me)
    return wire.TournamentList(
        await tell(await services.store.all(running.limit(MAX_LISTED))),
        await tell(await services.store.all(coming.limit(MAX_LISTED))),
        await tell(finished[:PAGE]),
        len(finished) > PAGE,
        await _may_make(services, await _person(services, me)),
        [wire.TournamentLimits(kind, most, DEFAULT[kind]) for kind, most in creation.MOST.items()],
        [*get_args(wire.TieBreak)],
    )


@router.get("/tournaments/{id}", responses=refused(404))
async def get(request: Request, services: Served, id: Id) -> wire.Tournament:
    """Return a tournament: its rules, players, standings and boards."""
    spend(request, "work", 2)
    return await services.tournament_news.view(id)


@router.get("/tournaments/{id}/me", responses=refused(401, 404))
async def own(services: Served, me: CurrentPerson, id: Id) -> wire.OwnTournament:
    """Return what one is and may do in a tournament."""
    is_maker = await _is_maker(services, me, await row_of(services.store, id))
    player = await services.tournaments.player_of(id, me.id)
    async with services.tournaments.hold(id) as t:
        return views.own(t, player, is_maker=is_maker)


# Making.


@router.post("/tournaments", status_code=201, responses=refused(401, 403, 404, 409))
async def make(request: Request, services: Served, me: CurrentPerson, body: wire.NewTournament) -> wire.TournamentMade:
    """Make a tournament. Whoever makes a simul is its host."""
    if not await _may_make(services, me):
        message = "on this server only some people may make tournaments; ask the operator"
        raise Refusal("may_not_make", message)
    await standing.check_may_write(services.store, me.id)
    spend(request, "tournaments", person=me.id)
    unfinished = (tournaments.c.creator == me.id, tournaments.c.phase.in_(("open", "running")))
    row = await services.store.first(select(func.count()).where(*unfinished))
    if row is not None and row[0] >= MAX_OPEN and not await moderation.is_moderator(services.store, me.id):
        raise Refusal("too_many", f"you have {MAX_OPEN} tournaments that are not over; finish or cancel some first")
    settings, at = body.settings, now()
    game = await services.catalogue.game(settings.game.game, settings.game.options)
    if settings.fen is not None:
        await offload.run(request, game, offload.FEW + 1, partial(check_start, game, settings.fen))
    creation.check(settings, game, at)
    host = None
    if settings.kind == "simul":
        rating = await _rating(services, settings, me.id)
        host = events.Entered(at=at, player=1, rating=rating.rating, provisional=rating.provisional)
    await services.store.add_definition(*catalogue.definition(game))
    created = creation.created(settings, game, at)
    name, description = clean_text(body.name), printed(body.description)
    return wire.TournamentMade(await services.tournaments.make(me, name, description, created, host))


async def _rating(services: Services, settings: wire.TournamentSettings, person: str) -> wire.Rating:
    pool = pool_of(settings.game.game, settings.time)
    return shown((await standings(services.store, [(person, pool)]))[person, pool])


async def _is_maker(services: Services, me: wire.Person, row: Any) -> bool:
    """Return whether somebody may change a tournament: who has made it, and moderators."""
    return bool(row.creator == me.id) or await moderation.is_moderator(services.store, me.id)


async def _check_maker(services: Services, me: wire.Person, id: str) -> Any:
    row = await row_of(services.store, id)
    if not await _is_maker(services, me, row):
        raise Refusal("no_maker", "only the organiser and moderators may do this")
    return row


async def _log_steps(services: Services, me: wire.Person, row: Any, what: str) -> list[Step]:
    """Return the step that writes into the log what a moderator did to somebody else's tournament."""
    known = await relations.known(services.store, [row.creator] if row.creator else [], closed=True)
    if row.creator == me.id or row.creator not in known:
        return []
    return [moderation.entry(me, known[row.creator], "tournament", f"{what}: {row.name}")]


@router.put("/tournaments/{id}/description", responses=refused(401, 403, 404))
async def describe(
    request: Request, services: Served, me: CurrentPerson, id: Id, body: wire.TournamentDescription
) -> None:
    """Change the name and the description of a tournament, as its organiser or as a moderator."""
    row = await _check_maker(services, me, id)
    await standing.check_may_write(services.store, me.id)
    spend(request, "entries", person=me.id)
    name, description = clean_text(body.name), printed(body.description)
    steps = await _log_steps(services, me, row, "renamed")
    await services.tournaments.describe(id, name, description, *steps)


@router.put("/tournaments/{id}/start", responses=refused(401, 403, 404, 409))
async def move(request: Request, services: Served, me: CurrentPerson, id: Id, body: wire.TournamentStart) -> None:
    """Choose another time for the start of a tournament; one that has passed starts it at once."""
    await _check_maker(services, me, id)
    spend(request, "entries", person=me.id)
    await services.tournaments.command(id, lambda t: commands.move(t, body.at, now()))


@router.post("/tournaments/{id}/cancellation", responses=refused(401, 403, 404, 409))
async def cancel(request: Request, services: Served, me: CurrentPerson, id: Id) -> None:
    """Cancel a tournament; games that have begun go on, and count for ratings."""
    row = await _check_maker(services, me, id)
    spend(request, "entries", person=me.id)
    steps = await _log_steps(services, me, row, "cancelled")
    await services.tournaments.command(id, lambda t: commands.cancel(t, now()), lambda _: steps)


@router.delete("/tournaments/{id}/players/{player}", responses=refused(401, 403, 404, 409))
async def remove(request: Request, services: Served, me: CurrentPerson, id: Id, player: Player) -> None:
    """Remove a player from a tournament, who cannot enter it again."""
    await _check_maker(services, me, id)
    spend(request, "entries", person=me.id)
    await services.tournaments.command(id, lambda t: commands.withdraw(t, player, now(), removed=True))


@router.post("/tournaments/{id}/boards/{board}/ruling", responses=refused(401, 403, 404, 409))
async def rule(
    request: Request, services: Served, me: CurrentPerson, id: Id, board: Number, body: wire.BoardRuling
) -> None:
    """Decide a pair that was not played."""
    await _check_maker(services, me, id)
    spend(request, "entries", person=me.id)
    await services.tournaments.command(id, lambda t: commands.rule(t, board, body.winner, now()))


# Taking part.


@router.post("/tournaments/{id}/entry", responses=refused(401, 404, 409))
async def enter(request: Request, services: Served, me: CurrentPerson, id: Id) -> None:
    """Enter a tournament, or go on after having withdrawn."""
    spend(request, "entries", person=me.id)
    async with services.tournaments.hold(id) as t:
        settings = t.settings
        reminders = await services.tournament_notices.start_steps(t, me.id)
    check_rated(me, rated=settings.rated)
    row = await row_of(services.store, id)
    if row.creator is not None and await relations.is_blocked(services.store, me.id, [row.creator]):
        raise Refusal("full", "nobody else can enter this tournament")
    rating = await _rating(services, settings, me.id)
    player = await services.tournaments.player_of(id, me.id)

    def decide(t: Tournament) -> Event:
        return commands.enter(t, player, rating.rating, rating.provisional, now())

    def steps(event: Event) -> list[Step]:
        if not isinstance(event, events.Entered):
            return reminders
        return [entrant_step(id, event.player, me.id, me.name), *reminders]

    with suppress(ConflictError):  # They have entered in another window a moment ago.
        await services.tournaments.command(id, decide, steps)


@router.delete("/tournaments/{id}/entry", responses=refused(401, 404, 409))
async def withdraw(request: Request, services: Served, me: CurrentPerson, id: Id) -> None:
    """Withdraw from a tournament. In a Swiss and an arena one may come back."""
    await _command(request, services, me, id, lambda t, player: commands.withdraw(t, player, now()))


@router.post("/tournaments/{id}/byes", responses=refused(401, 404, 409))
async def bye(request: Request, services: Served, me: CurrentPerson, id: Id, body: wire.ByeWish) -> None:
    """Sit out a round of a Swiss for half a point."""
    await _command(request, services, me, id, lambda t, player: commands.bye(t, player, body.round, now()))


@router.put("/tournaments/{id}/boards/{board}/times", responses=refused(401, 403, 404, 409))
async def propose(
    request: Request, services: Served, me: CurrentPerson, id: Id, board: Number, body: wire.TimesProposed
) -> None:
    """Propose times to play to the opponent, in place of earlier ones."""
    await _command(request, services, me, id, lambda t, player: commands.propose(t, board, player, body.times, now()))


@router.put("/tournaments/{id}/boards/{board}/appointment", responses=refused(401, 403, 404, 409))
async def agree(
    request: Request, services: Served, me: CurrentPerson, id: Id, board: Number, body: wire.TimeAccepted
) -> None:
    """Accept a time that the opponent has proposed."""
    await _command(request, services, me, id, lambda t, player: commands.agree(t, board, player, body.at, now()))


@router.post("/tournaments/{id}/boards/{board}/arrival", responses=refused(401, 403, 404, 409))
async def arrive(request: Request, services: Served, me: CurrentPerson, id: Id, board: Number) -> None:
    """Say that one is there for an appointment: the game begins when both are."""
    await _command(request, services, me, id, lambda t, player: commands.arrive(t, board, player, now()))


async def _command(
    request: Request,
    services: Services,
    me: wire.Person,
    id: str,
    decide: Callable[[Tournament, int | None], Event | None],
) -> None:
    spend(request, "entries", person=me.id)
    player = await services.tournaments.player_of(id, me.id)
    await services.tournaments.command(id, lambda t: decide(t, player))


# Files.


@router.get("/tournaments/{id}/pgn", responses=refused(404))
async def pgn(request: Request, services: Served, id: Id) -> Annotated[Response, "application/x-chess-pgn"]:
    """Download all games of a tournament as PGN, in the order in which they began."""
    async with services.tournaments.hold(id) as t:
        found = [game.match for board in t.boards for game in board.games]
    requester, exporting = visitor(request), services.transfers.exporting
    if requester.address in exporting or len(exporting) >= MAX_EXPORTS:
        raise Refusal("too_fast", "too many downloads at once; wait until one has finished")
    spend(request, "downloads")
    headers = {"Content-Disposition": f'attachment; filename="acedrex-tournament-{id}.pgn"'}
    return Lines(_records(services, requester, found), PGN, EXPORT_TIMEOUT_S, headers=headers)


async def _records(services: Services, requester: Visitor, found: list[str]) -> AsyncIterator[str]:
    services.transfers.exporting.add(requester.address)
    try:
        for match in found:
            yield await record(services, requester, match)
    finally:
        services.transfers.exporting.discard(requester.address)


# The socket.


@sockets.websocket("/api/tournaments/{id}/socket")
async def tournament_socket(websocket: WebSocket, id: str) -> None:
    """Watch a tournament. A hello with a token says who is there: in an arena they are paired."""
    async with admitted(websocket) as is_admitted:
        if not is_admitted:
            return
        services = services_of(websocket)
        listener = Listener(None, visitor(websocket).address)
        audience = services.tournament_audience
        try:
            async with refusing(websocket), sending(websocket, listener):
                await row_of(services.store, id)
                audience.join(id, listener)
                while True:
                    hello = parse(decoder, await websocket.receive_text())
                    spend(websocket, "work", 2)
                    session = await services.sessions.find(hello.token) if hello.token else None
                    listener.person = None if session is None else session.person.id
                    await services.tournament_news.greet(id, listener)
                    services.tournaments.on_due()
        finally:
            audience.leave(id, listener)
            services.tournament_news.forget(id)
