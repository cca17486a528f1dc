"""A fair queue: places go in turn to each waiting address, however many requests it has waiting."""

from __future__ import annotations

import asyncio
from collections import Counter, OrderedDict, deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from acedrex.server.limits.visitor import Visitor


class FullError(Exception):
    """The queue is full, or has too many requests of this visitor."""


class FairQueue:
    """Places, and a queue of visitors for them."""

    def __init__(self, places: int, most: int, most_address: int, most_person: int) -> None:
        """Start with all places free.

        :param places: the number of places.
        :param most: how many may wait or have a place.
        :param most_address: the same for one address.
        :param most_person: the same for one person.
        """
        self._free = places
        self._most, self._most_address, self._most_person = most, most_address, most_person
        self._waiting: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()
        self._addresses: Counter[str] = Counter()
        self._people: Counter[str] = Counter()

    @property
    def total(self) -> int:
        """The number of requests that wait or have a place."""
        return self._addresses.total()

    @property
    def waiting(self) -> bool:
        """Whether requests are waiting."""
        return bool(self._waiting)

    def of(self, address: str) -> int:
        """Return the number of requests of an address that wait or have a place."""
        return self._addresses[address]

    @asynccontextmanager
    async def place(self, visitor: Visitor) -> AsyncIterator[None]:
        """Wait for a place and hold it.

        :raises FullError: if the queue is full.
        """
        await self.enter(visitor)
        try:
            yield
        finally:
            self.leave(visitor)

    async def enter(self, visitor: Visitor) -> None:
        """Wait for a place, which the caller must release with :meth:`leave`.

        :raises FullError: if the queue is full.
        """
        if (
            self.total >= self._most
            or self._addresses[visitor.address] >= self._most_address
            or self._people[visitor.person or visitor.address] >= self._most_person
        ):
            raise FullError
        self._count(visitor, 1)
        if self._free:
            self._free -= 1
            return
        place: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        queue = self._waiting.setdefault(visitor.address, deque())
        queue.append(place)
        try:
            await place
        except asyncio.CancelledError:
            self._count(visitor, -1)
            if not place.cancelled():
                self._pass_on()
            elif place in queue:
                queue.remove(place)
                if not queue:
                    del self._waiting[visitor.address]
            raise

    def leave(self, visitor: Visitor) -> None:
        """Release a place: the address whose turn is next gets it."""
        self._count(visitor, -1)
        self._pass_on()

    def _pass_on(self) -> None:
        while self._waiting:
            address, queue = self._waiting.popitem(last=False)
            place = queue.popleft()
            if queue:
                self._waiting[address] = queue
            # Who has been cancelled hears of it only when the loop comes round.
            if not place.cancelled():
                place.set_result(None)
                return
        self._free += 1

    def _count(self, visitor: Visitor, change: int) -> None:
        # Anonymous visitors of one address count as one person.
        for counter, key in (
            (self._addresses, visitor.address),
            (self._people, visitor.person or visitor.address),
        ):
            counter[key] += change
            if not counter[key]:
                del counter[key]
