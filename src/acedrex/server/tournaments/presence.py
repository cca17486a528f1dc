"""Who looks at which tournament, in all processes: by looking at it, players of an arena wait for a game."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Container

from acedrex.server.bus import Bus, TournamentAudience
from acedrex.server.play.listener import Listener

#: Seconds between two reports to other processes, and for which theirs count.
SHARING, ELSEWHERE_S = 1.0, 4.0


class Audience:
    """The listeners of tournaments."""

    def __init__(self, bus: Bus) -> None:
        """Start without any."""
        self._bus = bus
        self.listeners: dict[str, set[Listener]] = {}
        #: By process what it has reported, and when that was, by the monotonic clock.
        self._elsewhere: dict[str, tuple[float, dict[str, list[str]]]] = {}

    def join(self, id: str, listener: Listener) -> None:
        """Add a listener."""
        self.listeners.setdefault(id, set()).add(listener)

    def leave(self, id: str, listener: Listener) -> None:
        """Remove a listener."""
        here = self.listeners.get(id, set())
        here.discard(listener)
        if not here:
            self.listeners.pop(id, None)

    def _here(self, id: str) -> set[str]:
        return {one.person for one in self.listeners.get(id, ()) if one.person is not None and not one.is_gone}

    def of(self, id: str) -> set[str]:
        """Return the people who look at a tournament, in all processes."""
        fresh = time.monotonic() - ELSEWHERE_S
        there = (people.get(id, ()) for at, people in self._elsewhere.values() if at > fresh)
        return self._here(id).union(*there)

    def people(self) -> set[str]:
        """Return who is connected to this process: the ids of people, and the addresses of visitors without one."""
        return {one.person or one.address for here in self.listeners.values() for one in here}

    def end(self, people: Container[str | None]) -> None:
        """Disconnect some people."""
        for listener in [one for here in self.listeners.values() for one in here]:
            if listener.person in people:
                listener.disconnect()

    def close(self) -> None:
        """Disconnect all listeners."""
        for listener in [one for here in self.listeners.values() for one in here]:
            listener.disconnect()

    def note_elsewhere(self, process: str, people: dict[str, list[str]]) -> None:
        """Note who looks at tournaments in another process."""
        self._elsewhere[process] = time.monotonic(), people
        old = [one for one, (at, _) in self._elsewhere.items() if at < time.monotonic() - ELSEWHERE_S]
        for one in old:
            del self._elsewhere[one]

    async def share_forever(self) -> None:
        """Tell the other processes who looks at tournaments here, forever."""
        while self._bus.shared:
            await asyncio.sleep(SHARING)
            here = {id: sorted(found) for id in self.listeners if (found := self._here(id))}
            if here:
                self._bus.publish(TournamentAudience(self._bus.process, here))
