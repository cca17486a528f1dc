"""Who is online: those who are connected to any process, and those who were active a moment ago."""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable

from acedrex.server.bus import Bus, PeopleOnline
from acedrex.server.limits.visitor import Visitor

#: Seconds after a request for which a person counts as online, and for which what other processes say does.
ACTIVE_S, ELSEWHERE_S = 120.0, 30.0
#: Seconds between two reports to the other processes, and the most people of a message.
SHARING, PORTION = 10.0, 500
#: The most people who are remembered.
MAX_PEOPLE = 50_000


class Presence:
    """Who is online: the ids of people, and the addresses of visitors without one."""

    def __init__(self) -> None:
        """Start with nobody."""
        self._until: OrderedDict[str, float] = OrderedDict()
        #: Returns those who are connected to this process.
        self.connected: Callable[[], set[str]] = set

    def note_visitor(self, visitor: Visitor) -> None:
        """Note that a visitor is here."""
        self.note(visitor.person or visitor.address)

    def note(self, person: str, seconds: float = ACTIVE_S) -> None:
        """Note that a person is here, and for how long that counts."""
        self._until[person] = max(time.monotonic() + seconds, self._until.get(person, 0.0))
        self._until.move_to_end(person)
        if len(self._until) > MAX_PEOPLE:
            self._until.popitem(last=False)

    def note_elsewhere(self, people: Iterable[str]) -> None:
        """Note that some people are connected to another process, or active there."""
        for person in people:
            self.note(person, ELSEWHERE_S)

    def online(self, people: Iterable[str]) -> set[str]:
        """Return those of some people who are online."""
        moment, connected = time.monotonic(), self.connected()
        return {one for one in people if one in connected or self._until.get(one, 0.0) > moment}

    def count(self) -> int:
        """Return how many people are online."""
        moment = time.monotonic()
        return len(self.connected().union(one for one, until in self._until.items() if until > moment) - {""})

    async def share_forever(self, bus: Bus) -> None:
        """Tell the other processes who is connected to this one or was active here, forever."""
        while bus.shared:
            await asyncio.sleep(SHARING)
            active = time.monotonic() + ELSEWHERE_S
            people = sorted(self.connected() | {one for one, until in self._until.items() if until > active})
            for first in range(0, len(people), PORTION):
                bus.publish(PeopleOnline(bus.process, people[first : first + PORTION]))
