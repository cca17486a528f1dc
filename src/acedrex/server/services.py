"""The services that every route can use; they live as long as the server."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container
from dataclasses import dataclass, field
from typing import Annotated

from fastapi import Depends, Request
from starlette.requests import HTTPConnection

from acedrex.server.analysis.pool import Analysts
from acedrex.server.analysis.reviews import Reviews
from acedrex.server.games.catalogue import Catalogue
from acedrex.server.games.link_pictures import Pictures
from acedrex.server.games.publishing import Publishing
from acedrex.server.health import Health
from acedrex.server.limits.budgets import Budgets
from acedrex.server.limits.pool import Pool
from acedrex.server.limits.transfers import TransferLimits
from acedrex.server.people.guests import People
from acedrex.server.people.tokens import Tokens
from acedrex.server.personal_data.deletion import Forgetting
from acedrex.server.play.lobby import Lobby
from acedrex.server.play.rooms import Rooms
from acedrex.server.play.streams import Streams
from acedrex.server.settings import Settings
from acedrex.server.storage.store import Store


@dataclass(frozen=True, slots=True, kw_only=True)
class Services:
    """All services of a server."""

    settings: Settings
    store: Store
    budgets: Budgets
    catalogue: Catalogue
    publishing: Publishing
    people: People
    tokens: Tokens
    rooms: Rooms
    lobby: Lobby
    streams: Streams
    pool: Pool
    analysts: Analysts
    reviews: Reviews
    transfers: TransferLimits
    health: Health
    forgetting: Forgetting
    #: Pictures of positions for links on other sites.
    pictures: Pictures = field(default_factory=Pictures)
    #: Bytes of unfinished bodies by address.
    arriving: Counter[str] = field(default_factory=Counter)
    #: Numbers of open sockets and streams by address.
    held_open: Counter[str] = field(default_factory=Counter)

    def close_connections(self, people: Container[str | None]) -> None:
        """Close the sockets of the lobby and the streams of some people."""
        self.lobby.end(people)
        self.streams.end(people)


def services_of(connection: HTTPConnection) -> Services:
    """Return the services of the application that handles a connection."""
    found: Services = connection.app.state.services
    return found


# FastAPI would run a dependency that is not asynchronous in a thread.
async def _services(request: Request) -> Services:
    return services_of(request)


Served = Annotated[Services, Depends(_services)]
