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
from acedrex.server.bus import MessageSent, SessionsEnded
from acedrex.server.games.catalogue import Catalogue
from acedrex.server.games.link_pictures import Pictures
from acedrex.server.games.publishing import Publishing
from acedrex.server.health import Health
from acedrex.server.limits.budgets import Budgets
from acedrex.server.limits.pool import Pool
from acedrex.server.limits.transfers import TransferLimits
from acedrex.server.mail import Outbox
from acedrex.server.people.accounts import Accounts
from acedrex.server.people.addresses import Addresses
from acedrex.server.people.notices import Notices
from acedrex.server.people.passkeys import Passkeys
from acedrex.server.people.people import People
from acedrex.server.people.presence import Presence
from acedrex.server.people.progress import ProgressStore
from acedrex.server.people.push import Pushing
from acedrex.server.people.sessions import Sessions
from acedrex.server.people.tokens import Tokens
from acedrex.server.personal_data.deletion import Forgetting
from acedrex.server.personal_data.renaming import Renaming
from acedrex.server.play.closing import Closing
from acedrex.server.play.lobby import Lobby
from acedrex.server.play.match_notices import MatchNotices
from acedrex.server.play.rooms import Rooms
from acedrex.server.play.streams import Streams
from acedrex.server.ratings.puzzles import PuzzleRatings
from acedrex.server.settings import Settings
from acedrex.server.storage.store import Store
from acedrex.server.studies.store import Studies
from acedrex.server.tournaments.news import News
from acedrex.server.tournaments.notices import TournamentNotices
from acedrex.server.tournaments.presence import Audience
from acedrex.server.tournaments.runner import Runner
from acedrex.server.tournaments.store import Tournaments


@dataclass(frozen=True, slots=True, kw_only=True)
class Services:
    """All services of a server."""

    settings: Settings
    store: Store
    budgets: Budgets
    catalogue: Catalogue
    publishing: Publishing
    people: People
    sessions: Sessions
    accounts: Accounts
    passkeys: Passkeys
    outbox: Outbox
    addresses: Addresses
    notices: Notices
    pushing: Pushing
    match_notices: MatchNotices
    progress: ProgressStore
    puzzle_ratings: PuzzleRatings
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
    closing: Closing
    renaming: Renaming
    presence: Presence
    tournaments: Tournaments
    tournament_news: News
    tournament_audience: Audience
    tournament_notices: TournamentNotices
    tournament_runner: Runner
    studies: Studies
    #: Pictures of positions for links on other sites.
    pictures: Pictures = field(default_factory=Pictures)
    #: Bytes of unfinished bodies by address.
    arriving: Counter[str] = field(default_factory=Counter)
    #: Numbers of open sockets and streams by address.
    held_open: Counter[str] = field(default_factory=Counter)

    def close_connections(self, people: Container[str | None]) -> None:
        """Close the sockets and streams of some people; those who still may connect again."""
        self.lobby.end(people)
        self.tournament_audience.end(people)
        self.streams.end(people)
        self.studies.end(people)
        for room in self.rooms.open_rooms():
            for listener in list(room.listeners):
                if listener.person in people:
                    listener.disconnect()

    def sessions_ended(self, person: str) -> None:
        """Forget a person's sessions, some of which have ended, and close their connections."""
        self.sessions.forget(person)
        self.close_connections({person})

    def connected(self) -> set[str]:
        """Return who is connected to this process: the ids of people, and the addresses of visitors without one."""
        listeners = (listener for room in self.rooms.open_rooms() for listener in room.listeners)
        players = {listener.person or listener.address for listener in listeners}
        players |= self.tournament_audience.people() | self.studies.people()
        return players | self.lobby.people() | self.streams.people()

    def tell_of_message(self, person: str) -> None:
        """Tell a person in all processes that there is a new message."""
        self.lobby.tell(person)
        self.rooms.bus.publish(MessageSent(self.rooms.bus.process, person))

    def end_sessions(self, person: str) -> None:
        """The same, in all processes."""
        self.sessions_ended(person)
        self.rooms.bus.publish(SessionsEnded(self.rooms.bus.process, person))


def services_of(connection: HTTPConnection) -> Services:
    """Return the services of the application that handles a connection."""
    found: Services = connection.app.state.services
    return found


# FastAPI would run a dependency that is not asynchronous in a thread.
async def _services(request: Request) -> Services:
    return services_of(request)


Served = Annotated[Services, Depends(_services)]
