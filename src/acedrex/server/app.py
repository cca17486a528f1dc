"""The application, assembled from its parts."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import structlog
from fastapi import FastAPI
from sqlalchemy import text
from sqlalchemy.exc import SQLAlchemyError

from acedrex import __version__
from acedrex.server import gc_schedule, heartbeat, logs, shutdown
from acedrex.server.analysis.fair_play import FairPlay
from acedrex.server.analysis.pool import Analysts
from acedrex.server.analysis.reviews import Reviews
from acedrex.server.api import (
    accounts,
    analysis,
    analysis_socket,
    archive,
    bots,
    calendars,
    challenges,
    correspondence,
    embed,
    engines,
    games,
    health,
    lessons,
    lobby,
    matches,
    messages,
    moderation,
    notifications,
    offload,
    pages,
    passkeys,
    people,
    personal,
    play,
    previews,
    problems,
    profiles,
    published,
    ratings,
    routes,
    shield,
    studies,
    study_socket,
    tokens,
    tournaments,
    tv,
)
from acedrex.server.archive import positions, search_index
from acedrex.server.bus import Bus, RedisBus
from acedrex.server.games.catalogue import Catalogue
from acedrex.server.games.publishing import Publishing
from acedrex.server.health import Health
from acedrex.server.limits import edge
from acedrex.server.limits.budgets import Budgets, share_forever
from acedrex.server.limits.pool import Pool
from acedrex.server.limits.transfers import TransferLimits
from acedrex.server.mail import Outbox, Smtp
from acedrex.server.people.accounts import Accounts
from acedrex.server.people.addresses import Addresses
from acedrex.server.people.hooks import Hooks
from acedrex.server.people.keys import ServerKeys
from acedrex.server.people.notices import Notices
from acedrex.server.people.passkeys import Passkeys, site_of
from acedrex.server.people.people import People
from acedrex.server.people.presence import Presence
from acedrex.server.people.progress import ProgressStore
from acedrex.server.people.push import Pushing
from acedrex.server.people.sessions import Sessions
from acedrex.server.people.tokens import Tokens
from acedrex.server.personal_data import retention
from acedrex.server.personal_data.deletion import Forgetting
from acedrex.server.personal_data.renaming import Renaming
from acedrex.server.play.closing import Closing
from acedrex.server.play.conditional import ConditionalMoves
from acedrex.server.play.engines import Engines
from acedrex.server.play.lobby import Lobby
from acedrex.server.play.match_notices import MatchNotices
from acedrex.server.play.rooms import Rooms
from acedrex.server.play.streams import Streams
from acedrex.server.ratings import results
from acedrex.server.ratings.puzzles import PuzzleRatings
from acedrex.server.services import Services
from acedrex.server.settings import Settings, exported
from acedrex.server.storage.store import Store
from acedrex.server.studies.store import Studies
from acedrex.server.tournaments.news import News
from acedrex.server.tournaments.notices import TournamentNotices
from acedrex.server.tournaments.presence import Audience
from acedrex.server.tournaments.runner import Runner
from acedrex.server.tournaments.store import Tournaments

log = structlog.get_logger()

#: Seconds within which database and Redis must answer at the start, and seconds per attempt.
START_TIMEOUT_S, ATTEMPT_TIMEOUT_S = 30.0, 5.0


def create() -> FastAPI:
    """Create the application in a worker process."""
    logs.begin()
    shutdown.watch()
    return make(exported())


async def _wait_for(what: str, connect: Callable[[], Awaitable[object]]) -> None:
    """Retry at the start while a service is down, since it may be starting too."""
    deadline = time.monotonic() + START_TIMEOUT_S
    while True:
        try:
            async with asyncio.timeout(ATTEMPT_TIMEOUT_S):
                await connect()
            return
        except Exception as error:
            # An error that the database itself reports will not go away.
            if isinstance(error, SQLAlchemyError) or time.monotonic() > deadline:
                raise
            log.warning("waiting", what=what, error=type(error).__name__)
            await asyncio.sleep(1)


async def _start(settings: Settings, stack: AsyncExitStack) -> Services:
    """Start all services; the stack closes them, those that were started last first."""
    store = Store(settings.database)
    await _wait_for("the database", lambda: store.first(text("SELECT 1")))
    await store.open()
    stack.push_async_callback(store.close)
    bus = RedisBus(settings.redis) if settings.redis else Bus()
    stack.push_async_callback(bus.close)

    processes = max(1, settings.engines // settings.workers)
    pool = Pool(
        processes,
        offload.NICE,
        offload.JOB_TIMEOUT_S,
        offload.MAX_JOBS,
        offload.MAX_JOBS_OF_ADDRESS,
        offload.MAX_JOBS_OF_PERSON,
    )
    stack.callback(pool.close)
    engines = Engines(processes)
    stack.callback(engines.close)

    folder = Path(settings.games) if settings.games else None
    catalogue = Catalogue(folder)
    await catalogue.refresh()
    publishing = Publishing(catalogue, folder, settings.publish, settings.publish_key)

    rooms = Rooms(store, engines, bus)
    stack.push_async_callback(rooms.close)
    lobby = Lobby(rooms)
    stack.callback(lobby.close)
    token_store, sessions, passkey_store = Tokens(store), Sessions(store), Passkeys(store, site_of(settings.origins))
    own_accounts = Accounts(store, sessions, passkey_store, settings.sign_ups)
    outbox = Outbox(store, Smtp(settings.smtp, settings.mail_from or "") if settings.smtp else None)
    home = (settings.origins[0] if settings.origins else "") + settings.root_path
    keys = ServerKeys(store)
    notices = Notices(store, outbox, keys, home)
    secure = [origin for origin in settings.origins if origin.startswith("https://")]
    contact = f"mailto:{settings.mail_from}" if settings.mail_from else [*secure, "mailto:operator@localhost"][0]
    hooks = Hooks(outbox, settings.hooks, home)
    pushing = Pushing(store, outbox, keys, notices, contact)
    pushing.services = settings.push_services
    streams = Streams(rooms, token_store)
    stack.callback(streams.close)

    kept, audience = Tournaments(rooms), Audience(bus)
    stack.callback(audience.close)
    study_store = Studies(store, bus)
    stack.callback(study_store.close)

    budgets, analysts = Budgets(shared=bus.shared), Analysts(processes)
    stack.push_async_callback(analysts.close)
    reviews = Reviews(store, analysts, budgets)
    stack.push_async_callback(reviews.close)

    services = Services(
        settings=settings,
        store=store,
        budgets=budgets,
        catalogue=catalogue,
        publishing=publishing,
        people=People(store, sessions),
        sessions=sessions,
        accounts=own_accounts,
        passkeys=passkey_store,
        outbox=outbox,
        addresses=Addresses(store, outbox, own_accounts, home),
        notices=notices,
        pushing=pushing,
        match_notices=MatchNotices(rooms, notices, hooks, outbox),
        progress=ProgressStore(store),
        puzzle_ratings=PuzzleRatings(store),
        tokens=token_store,
        rooms=rooms,
        lobby=lobby,
        streams=streams,
        pool=pool,
        analysts=analysts,
        reviews=reviews,
        transfers=TransferLimits(),
        health=Health(store),
        forgetting=Forgetting(rooms, publishing, study_store),
        closing=Closing(rooms),
        renaming=Renaming(rooms),
        presence=Presence(),
        tournaments=kept,
        tournament_news=News(kept, audience),
        tournament_audience=audience,
        tournament_notices=TournamentNotices(kept, notices, hooks, audience),
        tournament_runner=Runner(kept, audience, pool),
        studies=study_store,
    )
    _connect(services)
    await _wait_for("Redis", lambda: bus.open(rooms))
    await _wait_for("the database", lambda: heartbeat.start(rooms))
    await reviews.open()
    await stack.enter_async_context(
        _running(
            catalogue.watch(),
            share_forever(budgets, bus),
            heartbeat.beat_forever(rooms),
            heartbeat.check_forever(rooms),
            search_index.archive_forever(rooms),
            positions.index_forever(rooms),
            results.rate_forever(store, rooms.rated),
            retention.sweep_forever(rooms, publishing, study_store),
            services.forgetting.run_forever(),
            outbox.send_forever(),
            services.match_notices.run_forever(),
            services.closing.run_forever(),
            services.renaming.run_forever(),
            ConditionalMoves(rooms).run_forever(),
            services.presence.share_forever(bus),
            services.tournament_runner.run_forever(),
            audience.share_forever(),
            study_store.run_forever(),
            gc_schedule.collect_forever(),
            *([FairPlay(store, analysts).compare_forever()] if settings.fair_play else []),
        )
    )
    return services


def _connect(services: Services) -> None:
    """Tell services what others have to hear of."""
    rooms, budgets, streams = services.rooms, services.budgets, services.streams
    runner, studies = services.tournament_runner, services.studies

    def on_match(match: str) -> None:
        streams.changed(match)
        runner.wake()

    def refresh() -> None:
        streams.refresh()
        studies.refresh()

    rooms.shared.on_lobby, rooms.shared.on_match = services.lobby.changed, on_match
    rooms.on_tournament = services.tournament_news.changed
    rooms.on_tournament_audience = services.tournament_audience.note_elsewhere
    rooms.on_spent, rooms.on_refresh, rooms.on_study = budgets.spent_elsewhere, refresh, studies.receive
    rooms.on_sessions_ended = services.sessions_ended
    edge.connection_limits.budgets = budgets
    edge.connection_limits.max_of_address = edge.MAX_OF_ADDRESS // services.settings.workers
    services.sessions.gone = services.forgetting.gone
    services.sessions.on_ended = services.end_sessions
    services.forgetting.on_gone = services.close_connections
    services.closing.on_closed = services.end_sessions
    services.presence.connected = services.connected
    rooms.on_online, rooms.on_message = services.presence.note_elsewhere, services.lobby.tell


@asynccontextmanager
async def _running(*work: Coroutine[Any, Any, None]) -> AsyncIterator[None]:
    """Run what goes on as long as the server; one that fails stops no other."""
    tasks = [asyncio.create_task(one) for one in work]
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task


def make(settings: Settings) -> FastAPI:
    """Create the application."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        async with AsyncExitStack() as stack:
            services = app.state.services = await _start(settings, stack)
            loop = asyncio.get_running_loop()
            shutdown.enable_graceful_shutdown(lambda: loop.call_soon_threadsafe(services.streams.close))
            log.info("started")
            try:
                yield
            finally:
                await stack.aclose()
                log.info("stopped")

    app = FastAPI(
        title="Acedrex",
        version=__version__,
        description="Chess on large boards: games, positions and matches.",
        lifespan=lifespan,
        openapi_url=None,
        docs_url=None,
        redoc_url=None,
    )
    problems.add_to(app)
    documented = (
        people,
        accounts,
        passkeys,
        profiles,
        messages,
        notifications,
        moderation,
        personal,
        tokens,
        games,
        published,
        lessons,
        matches,
        correspondence,
        bots,
        challenges,
        engines,
        archive,
        ratings,
        tournaments,
        calendars,
        analysis,
        studies,
        tv,
        health,
    )
    for module in (*documented, lobby, play, analysis_socket, study_socket, embed, previews):
        app.include_router(module.router)
    app.include_router(tournaments.sockets)
    routes.describe(app, [module.router for module in documented], settings.root_path)
    pages.add_to(app, previews.head)
    shield.add_to(app, settings.origins)
    return app
