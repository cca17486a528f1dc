"""The application, assembled from its parts."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import structlog
from fastapi import FastAPI
from sqlalchemy import text
from sqlalchemy.exc import SQLAlchemyError

from acedrex import __version__
from acedrex.server import gc_schedule, heartbeat, logs, shutdown
from acedrex.server.analysis.pool import Analysts
from acedrex.server.analysis.reviews import Jobs
from acedrex.server.api import (
    analysis,
    analysis_socket,
    bots,
    challenges,
    embed,
    games,
    health,
    lessons,
    lobby,
    matches,
    offload,
    pages,
    people,
    personal,
    play,
    previews,
    problems,
    published,
    routes,
    shield,
    tokens,
)
from acedrex.server.api import archive as archived
from acedrex.server.archive import search_index
from acedrex.server.bus import Bus, RedisBus
from acedrex.server.games.catalogue import Catalogue
from acedrex.server.games.publishing import Publishing
from acedrex.server.limits import edge
from acedrex.server.limits.budgets import Budgets, share_forever
from acedrex.server.limits.pool import Pool
from acedrex.server.people.tokens import Tokens
from acedrex.server.personal_data import deletion, retention
from acedrex.server.play.engines import Engines
from acedrex.server.play.rooms import Rooms
from acedrex.server.play.streams import Streams
from acedrex.server.services import Services
from acedrex.server.settings import Settings, exported
from acedrex.server.storage.store import Store

log = structlog.get_logger()

#: Seconds within which database and Redis must answer at the start, and seconds per attempt.
PATIENCE, ATTEMPT = 30.0, 5.0


def create() -> FastAPI:
    """Create the application in a worker process."""
    logs.begin()
    shutdown.watch()
    return make(exported())


async def _wait_for(what: str, connect: Callable[[], Awaitable[object]]) -> None:
    """Retry at the start while a service is down, since it may be starting too."""
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            async with asyncio.timeout(ATTEMPT):
                await connect()
            return
        except Exception as error:
            # An error that the database itself reports will not go away.
            if isinstance(error, SQLAlchemyError) or time.monotonic() > deadline:
                raise
            log.warning("waiting", what=what, error=type(error).__name__)
            await asyncio.sleep(1)


def make(settings: Settings) -> FastAPI:
    """Create the application."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        store = Store(settings.database)
        await _wait_for("the database", lambda: store.first(text("SELECT 1")))
        await store.open()
        processes = max(1, settings.engines // settings.workers)
        engines = Engines(processes)
        bus = RedisBus(settings.redis) if settings.redis else Bus()
        folder = Path(settings.games) if settings.games else None
        catalogue = Catalogue(folder)
        await catalogue.refresh()
        rooms = Rooms(store, engines, bus)
        budgets, analysts, token_store = Budgets(shared=bus.shared), Analysts(processes), Tokens(store)
        publishing = Publishing(catalogue, folder, settings.publish, settings.publish_key)
        services = app.state.services = Services(
            settings=settings,
            store=store,
            budgets=budgets,
            catalogue=catalogue,
            publishing=publishing,
            people=people.People(store),
            tokens=token_store,
            rooms=rooms,
            lobby=lobby.Hub(rooms),
            streams=Streams(rooms, token_store),
            pool=Pool(
                processes, offload.NICE, offload.PATIENCE, offload.MOST, offload.MOST_ADDRESS, offload.MOST_PERSON
            ),
            analysts=analysts,
            jobs=Jobs(store, analysts, budgets),
            transfers=archived.TransferLimits(),
            health=health.Health(store),
            forgetting=deletion.Forgetting(rooms, publishing),
        )
        rooms.on_lobby = services.lobby.changed
        rooms.on_spent = budgets.spent_elsewhere
        edge.connection_limits.budgets = budgets
        edge.connection_limits.most_of_address = edge.MOST_OF_ADDRESS // settings.workers
        rooms.on_match, rooms.on_refresh = services.streams.changed, services.streams.refresh
        services.people.gone = services.forgetting.gone
        services.forgetting.on_gone = services.close_connections
        await _wait_for("Redis", lambda: bus.open(rooms))
        await _wait_for("the database", lambda: heartbeat.start(rooms))
        await services.jobs.open()
        tasks = [
            asyncio.create_task(work)
            for work in (
                catalogue.watch(),
                share_forever(budgets, bus),
                heartbeat.beat_forever(rooms),
                heartbeat.check_forever(rooms),
                search_index.archive_forever(rooms),
                retention.sweep_forever(rooms, publishing),
                services.forgetting.run_forever(),
                gc_schedule.collect_forever(),
            )
        ]
        loop = asyncio.get_running_loop()
        shutdown.enable_graceful_shutdown(lambda: loop.call_soon_threadsafe(services.streams.close))
        log.info("began")
        try:
            yield
        finally:
            for task in tasks:
                task.cancel()
                with suppress(asyncio.CancelledError):
                    await task
            await services.jobs.close()
            await analysts.close()
            services.streams.close()
            await rooms.close()
            services.lobby.close()
            engines.close()
            services.pool.close()
            await bus.close()
            await store.close()
            log.info("ended")

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
        personal,
        tokens,
        games,
        published,
        lessons,
        matches,
        bots,
        challenges,
        archived,
        analysis,
        health,
    )
    for module in (*documented, lobby, play, analysis_socket, embed, previews):
        app.include_router(module.router)
    routes.describe(app, [module.router for module in documented], settings.root_path)
    pages.add_to(app, previews.head)
    shield.add_to(app, settings.origins)
    return app
