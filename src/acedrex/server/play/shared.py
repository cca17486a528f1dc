"""What the rooms of a process share: the database, the engines, other processes, and who is told of changes."""

from __future__ import annotations

from collections.abc import Callable

from acedrex.server.bus import Bus, LobbyChanged, MatchChanged
from acedrex.server.play.downtime import Downtime
from acedrex.server.play.engines import Engines
from acedrex.server.storage.store import Store


class Shared:
    """What every room needs besides its match."""

    def __init__(self, store: Store, engines: Engines, bus: Bus) -> None:
        """Start without anyone to tell in this process."""
        self.store = store
        self.engines = engines
        self.bus = bus
        self.downtime = Downtime()
        #: Called when the open challenges have changed.
        self.on_lobby: Callable[[], None] = lambda: None
        #: Called when a match was created, has begun or is over.
        self.on_match: Callable[[str], None] = lambda _: None

    def match_made(self, id: str) -> None:
        """Announce a new match in all processes."""
        self.on_match(id)
        self.bus.publish(MatchChanged(self.bus.process, id, 0, turned=True))

    def lobby_changed(self) -> None:
        """Announce in all processes that the open challenges have changed."""
        self.on_lobby()
        self.bus.publish(LobbyChanged(self.bus.process))
