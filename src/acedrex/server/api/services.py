"""What every route has at hand: all that lives as long as the server does."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated

from fastapi import Depends, Request
from starlette.requests import HTTPConnection

if TYPE_CHECKING:
    from acedrex.server.analysts import Analysts
    from acedrex.server.api.archive import TransferLimits
    from acedrex.server.api.health import Health
    from acedrex.server.api.lobby import Hub
    from acedrex.server.api.people import People
    from acedrex.server.budgets import Budgets
    from acedrex.server.catalogue import Catalogue
    from acedrex.server.jobs import Jobs
    from acedrex.server.pool import Pool
    from acedrex.server.rooms import Rooms
    from acedrex.server.settings import Settings
    from acedrex.server.store import Store
    from acedrex.server.streams import Streams
    from acedrex.server.tokens import Tokens


@dataclass(frozen=True, slots=True, kw_only=True)
class Services:
    """All of it."""

    settings: Settings
    store: Store
    budgets: Budgets
    catalogue: Catalogue
    people: People
    tokens: Tokens
    rooms: Rooms
    lobby: Hub
    streams: Streams
    pool: Pool
    analysts: Analysts
    jobs: Jobs
    transfers: TransferLimits
    health: Health
    #: How many sockets and streams are open, by address.
    held_open: Counter[str] = field(default_factory=Counter)


def services_of(connection: HTTPConnection) -> Services:
    """Give the services of the application that is asked."""
    found: Services = connection.app.state.services
    return found


# A dependency that is not asynchronous would be run in a thread.
async def _services(request: Request) -> Services:
    return services_of(request)


Served = Annotated[Services, Depends(_services)]
