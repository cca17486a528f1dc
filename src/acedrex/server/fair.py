"""A fair queue: a few places, given in turn to each address that waits, however many requests it has there."""

from __future__ import annotations

import asyncio
from collections import Counter, OrderedDict, deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from acedrex.server.visitor import Visitor


class FullError(Exception):
    """Too many wait, or too many of this visitor."""


class FairQueue:
    """Places, and those who wait for one."""

    def __init__(self, places: int, most: int, most_address: int, most_person: int) -> None:
        """Say how many have a place at once, and how many may wait or have one: in all, of an address, of a person."""
        self._free = places
        self._most, self._most_address, self._most_person = most, most_address, most_person
        self._waiting: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()
        self._addresses: Counter[str] = Counter()
        self._people: Counter[str] = Counter()

    @property
    def total(self) -> int:
        """How many wait or have a place."""
        return self._addresses.total()

    @property
    def waiting(self) -> bool:
        """Whether somebody waits."""
        return bool(self._waiting)

    def of(self, address: str) -> int:
        """Tell how many of an address wait or have a place."""
        return self._addresses[address]

    @asynccontextmanager
    async def place(self, visitor: Visitor) -> AsyncIterator[None]:
        """Wait for a place and hold it.

        :raises FullError: if too many wait.
        """
        await self.enter(visitor)
        try:
            yield
        finally:
            self.leave(visitor)

    async def enter(self, visitor: Visitor) -> None:
        """Wait for a place; whoever got it gives it back with :meth:`leave`.

        :raises FullError: if too many wait.
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
            if place.done() and not place.cancelled():
                self._pass_on()
            else:
                queue.remove(place)
                if not queue:
                    del self._waiting[visitor.address]
            raise

    def leave(self, visitor: Visitor) -> None:
        """Give a place back: the address that has waited longest for its turn gets it."""
        self._count(visitor, -1)
        self._pass_on()

    def _pass_on(self) -> None:
        if not self._waiting:
            self._free += 1
            return
        address, queue = self._waiting.popitem(last=False)
        queue.popleft().set_result(None)
        if queue:
            self._waiting[address] = queue

    def _count(self, visitor: Visitor, change: int) -> None:
        # Those who have not said who they are count as one person.
        for counter, key in (
            (self._addresses, visitor.address),
            (self._people, visitor.person or visitor.address),
        ):
            counter[key] += change
            if not counter[key]:
                del counter[key]
