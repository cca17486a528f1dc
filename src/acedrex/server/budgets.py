"""Budgets: what an address and a person may ask for, and how often. The table of ``docs/server.md`` says the same."""

from __future__ import annotations

import time
from collections import OrderedDict
from typing import Literal

from msgspec import Struct

from acedrex.server.decide import Refusal
from acedrex.server.visitor import Visitor


class Rate(Struct, frozen=True):
    """So many a second, and so many at once."""

    second: float
    burst: float


class Budget(Struct, frozen=True):
    """What is counted, and how much of it an address may have; and a person, where that is less."""

    counted: str
    address: Rate
    person: Rate | None = None


Kind = Literal[
    "connections",
    "files",
    "requests",
    "acting",
    "sockets",
    "messages",
    "guests",
    "matches",
    "commands",
    "challenges",
    "chat",
    "work",
    "reviews",
    "downloads",
    "imports",
]

#: A school or a company comes from one address: it may have what some dozens of people have.
BUDGETS: dict[Kind, Budget] = {
    "connections": Budget("connections opened", Rate(50, 500)),
    "files": Budget("files of the app", Rate(200, 3_000)),
    "requests": Budget("requests to the API", Rate(30, 300)),
    "acting": Budget("requests with a token", Rate(30, 300), Rate(10, 100)),
    "sockets": Budget("sockets opened", Rate(5, 200)),
    "messages": Budget("messages over match sockets", Rate(200, 800), Rate(20, 80)),
    "guests": Budget("new guests", Rate(0.5, 200)),
    "matches": Budget("new matches", Rate(0.5, 200), Rate(0.2, 60)),
    "commands": Budget("bot commands", Rate(100, 400), Rate(10, 40)),
    "challenges": Budget("bot challenges", Rate(1, 60), Rate(0.2, 20)),
    "chat": Budget("chat messages", Rate(3, 30), Rate(0.5, 5)),
    "work": Budget("positions; long lines, long matches and large PGNs count as several", Rate(20, 200)),
    "reviews": Budget("positions of whole-game analyses", Rate(1, 3_000), Rate(0.5, 1_500)),
    "downloads": Budget("files downloaded from the archive", Rate(0.1, 10)),
    "imports": Budget("kilobytes of PGN imported into the archive", Rate(3, 12_000)),
}


class Bucket:
    """A bucket of tokens that fills up again: ``rate`` a second, at most ``burst``."""

    __slots__ = ("burst", "filled", "rate", "tokens")

    def __init__(self, rate: float, burst: float) -> None:
        """Begin full."""
        self.rate, self.burst = rate, burst
        self.tokens, self.filled = burst, time.monotonic()

    def has(self, cost: float) -> bool:
        """Tell whether there are so many tokens now."""
        moment = time.monotonic()
        self.tokens = min(self.burst, self.tokens + (moment - self.filled) * self.rate)
        self.filled = moment
        return self.tokens >= cost

    def take(self, cost: float = 1) -> bool:
        """Take tokens, if there are so many."""
        if not self.has(cost):
            return False
        self.tokens -= cost
        return True


class Budgets:
    """What everybody has left of every budget. Those who were here longest ago are forgotten."""

    def __init__(self, most: int = 200_000) -> None:
        """Begin with nobody, and remember at most so many."""
        self._most = most
        self._buckets: OrderedDict[tuple[Kind, str, str], Bucket] = OrderedDict()

    def spend(self, visitor: Visitor, kind: Kind, amount: float = 1) -> None:
        """Let a visitor have something. What is more than all that one may have at once costs just that.

        :raises Refusal: if they have had too much of it.
        """
        if not self.take(visitor, kind, amount):
            raise Refusal("too_fast", f"too many at once ({BUDGETS[kind].counted}); wait a moment")

    def take(self, visitor: Visitor, kind: Kind, amount: float = 1) -> bool:
        """Let a visitor have something, and tell whether they may: it counts for the address and for the person."""
        budget = BUDGETS[kind]
        paying = [(self._bucket(kind, "address", visitor.address, budget.address), budget.address)]
        if budget.person is not None and visitor.person is not None:
            paying.append((self._bucket(kind, "person", visitor.person, budget.person), budget.person))
        costs = [(bucket, min(amount, rate.burst)) for bucket, rate in paying]
        if not all(bucket.has(cost) for bucket, cost in costs):
            return False
        for bucket, cost in costs:
            bucket.tokens -= cost
        return True

    def charge(self, visitor: Visitor, kind: Kind, amount: float) -> None:
        """Count what the address of a visitor has had already, up to a debt of all that it may have at once."""
        rate = BUDGETS[kind].address
        bucket = self._bucket(kind, "address", visitor.address, rate)
        bucket.has(0)
        bucket.tokens = max(-rate.burst, bucket.tokens - amount)

    def _bucket(self, kind: Kind, whose: str, key: str, rate: Rate) -> Bucket:
        place = (kind, whose, key)
        bucket = self._buckets.get(place)
        if bucket is None:
            bucket = self._buckets[place] = Bucket(rate.second, rate.burst)
            if len(self._buckets) > self._most:
                self._buckets.popitem(last=False)
        else:
            self._buckets.move_to_end(place)
        return bucket
