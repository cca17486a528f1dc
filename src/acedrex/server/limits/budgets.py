"""Budgets: how much an address and a person may use. The table in ``docs/server.md`` says the same."""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Iterable, Iterator
from typing import Literal

from msgspec import Struct

from acedrex.server.bus import Bus, Spent
from acedrex.server.limits.visitor import Visitor
from acedrex.server.refusal import Refusal


class Rate(Struct, frozen=True):
    """A sustained rate per second, and a burst."""

    second: float
    burst: float


class Budget(Struct, frozen=True):
    """What is counted, and the rates of an address and, if lower, of a person."""

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
    "accounts",
    "sign_ins",
    "guesses",
    "passkeys",
    "mails",
    "letters",
    "matches",
    "commands",
    "challenges",
    "chat",
    "private messages",
    "reports",
    "subscriptions",
    "work",
    "reviews",
    "downloads",
    "imports",
    "published",
    "games",
    "tournaments",
    "entries",
    "studies",
    "edits",
]

DAY = 86_400
#: Seconds between two reports to the other processes, and the most budgets of a message.
SHARING, PORTION = 0.5, 500

#: All people of a school or a company may share one address, so an address gets the budget of some dozens of people.
BUDGETS: dict[Kind, Budget] = {
    "connections": Budget("connections opened", Rate(50, 500)),
    "files": Budget("files of the app", Rate(200, 3_000)),
    "requests": Budget("requests to the API", Rate(30, 300)),
    "acting": Budget("requests with a token", Rate(30, 300), Rate(10, 100)),
    "sockets": Budget("sockets opened", Rate(5, 200)),
    "messages": Budget("messages over match sockets", Rate(200, 800), Rate(20, 80)),
    "guests": Budget("new guests", Rate(0.5, 200)),
    "accounts": Budget("new accounts", Rate(0.02, 40)),
    "sign_ins": Budget("passwords and codes tried", Rate(0.2, 60), Rate(1 / 36, 10)),
    "guesses": Budget("passwords tried for one name, from all addresses", Rate(1 / 36, 100)),
    "passkeys": Budget("uses of passkeys", Rate(0.5, 200), Rate(0.1, 30)),
    "mails": Budget("mails asked for", Rate(1 / 30, 20), Rate(1 / 300, 5)),
    "letters": Budget("mails asked for one address, or for one account, by all visitors", Rate(72 / DAY, 5)),
    "matches": Budget("new matches", Rate(0.5, 200), Rate(0.2, 60)),
    "commands": Budget("bot commands", Rate(100, 400), Rate(10, 40)),
    "challenges": Budget("bot challenges", Rate(1, 60), Rate(0.2, 20)),
    "chat": Budget("chat messages", Rate(3, 30), Rate(0.5, 5)),
    "private messages": Budget("private messages", Rate(1, 40), Rate(0.2, 10)),
    "reports": Budget("reports about people", Rate(0.05, 20), Rate(0.02, 10)),
    "subscriptions": Budget("browsers that are to show notifications", Rate(0.2, 40), Rate(1 / 60, 10)),
    "work": Budget(
        "milliseconds of work on positions, trees and PGN, at least one for each; a new picture of a link counts as 20",
        Rate(20, 200),
    ),
    "reviews": Budget("positions of whole-game analyses", Rate(1, 3_000), Rate(0.5, 1_500)),
    "downloads": Budget("files downloaded from the archive", Rate(0.1, 10)),
    "imports": Budget("kilobytes of PGN imported into the archive", Rate(3, 12_000)),
    "published": Budget("games published, and reports about them", Rate(0.05, 20), Rate(0.02, 10)),
    "games": Budget("new games published", Rate(10 / DAY, 10), Rate(3 / DAY, 5)),
    "tournaments": Budget("new tournaments", Rate(0.02, 40), Rate(20 / DAY, 10)),
    "entries": Budget("entries, byes, appointments and other changes of tournaments", Rate(5, 300), Rate(0.2, 30)),
    "studies": Budget("new studies, chapters and people in them", Rate(1, 200), Rate(0.2, 60)),
    "edits": Budget("edits of studies", Rate(100, 400), Rate(10, 60)),
}


#: A budget of somebody: what is counted, whether of an ``address`` or of a ``person``, and of which.
Place = tuple[Kind, str, str]


class Bucket:
    """A token bucket: ``rate`` tokens a second, at most ``burst``."""

    __slots__ = ("burst", "filled", "rate", "tokens")

    def __init__(self, rate: float, burst: float) -> None:
        """Start with a full bucket."""
        self.rate, self.burst = rate, burst
        self.tokens, self.filled = burst, time.monotonic()

    def has(self, cost: float) -> bool:
        """Return whether there are enough tokens now."""
        moment = time.monotonic()
        self.tokens = min(self.burst, self.tokens + (moment - self.filled) * self.rate)
        self.filled = moment
        return self.tokens >= cost

    def take(self, cost: float = 1) -> bool:
        """Take tokens, and return whether there were enough."""
        if not self.has(cost):
            return False
        self.tokens -= cost
        return True


class Budgets:
    """The budgets of all visitors. Those not used for longest are forgotten first."""

    def __init__(self, most: int = 200_000, *, shared: bool = False) -> None:
        """Start without visitors.

        :param most: the maximum number of buckets kept.
        :param shared: whether to report spending to the other processes.
        """
        self.shared = shared
        self._most = most
        self._buckets: OrderedDict[Place, Bucket] = OrderedDict()
        #: What was spent here since the last report to the other processes.
        self._spent: dict[Place, float] = {}

    def spend(self, visitor: Visitor, kind: Kind, amount: float = 1) -> None:
        """Charge a visitor. An amount larger than the burst costs the whole burst.

        :raises Refusal: if the budget does not cover it.
        """
        if not self.take(visitor, kind, amount):
            raise Refusal("too_fast", f"too many at once ({BUDGETS[kind].counted}); wait a moment")

    def take(self, visitor: Visitor, kind: Kind, amount: float = 1) -> bool:
        """Charge a visitor, both the address and the person, and return whether the budgets cover it."""
        costs: list[tuple[Place, float, Bucket]] = []
        for place in _places(visitor, kind):
            bucket = self._bucket(place)
            cost = min(amount, bucket.burst)
            if not bucket.has(cost):
                return False
            costs.append((place, cost, bucket))
        for place, cost, bucket in costs:
            bucket.tokens -= cost
            self._note(place, cost)
        return True

    def charge(self, visitor: Visitor, kind: Kind, amount: float) -> None:
        """Charge a visitor's address for what it has used already, down to a debt of one burst or of this amount."""
        place = (kind, "address", visitor.address)
        self._charge(place, amount)
        self._note(place, amount)

    def is_low(self, visitor: Visitor, kind: Kind) -> bool:
        """Return whether a visitor's address has spent more than half of what it may spend at once."""
        bucket = self._bucket((kind, "address", visitor.address))
        return not bucket.has(bucket.burst / 2)

    def _charge(self, place: Place, amount: float) -> None:
        bucket = self._bucket(place)
        bucket.has(0)
        bucket.tokens = max(-bucket.burst, -amount, bucket.tokens - amount)

    def _note(self, place: Place, amount: float) -> None:
        if self.shared:
            self._spent[place] = self._spent.get(place, 0.0) + amount

    def take_spent(self) -> list[tuple[str, str, str, float]]:
        """Return what was spent here since the last call, if budgets are shared."""
        spent, self._spent = self._spent, {}
        return [(*place, amount) for place, amount in spent.items()]

    def spent_elsewhere(self, amounts: Iterable[tuple[str, str, str, float]]) -> None:
        """Charge visitors for what they have spent in another process; budgets of other versions are skipped."""
        for kind, whose, key, amount in amounts:
            if kind in BUDGETS and whose in ("address", "person"):
                self._charge((kind, whose, key), amount)

    def _bucket(self, place: Place) -> Bucket:
        bucket = self._buckets.get(place)
        if bucket is None:
            kind, whose, _ = place
            budget = BUDGETS[kind]
            rate = budget.person if whose == "person" and budget.person is not None else budget.address
            bucket = self._buckets[place] = Bucket(rate.second, rate.burst)
            if len(self._buckets) > self._most:
                self._buckets.popitem(last=False)
        else:
            self._buckets.move_to_end(place)
        return bucket


def _places(visitor: Visitor, kind: Kind) -> Iterator[Place]:
    """Yield the budgets that a visitor pays from: that of the address, and that of the person if there is one."""
    yield kind, "address", visitor.address
    if BUDGETS[kind].person is not None and visitor.person is not None:
        yield kind, "person", visitor.person


async def share_forever(budgets: Budgets, bus: Bus) -> None:
    """Tell the other processes what visitors spend here, forever: a visitor has one budget, not one in each."""
    while budgets.shared:
        await asyncio.sleep(SHARING)
        spent = budgets.take_spent()
        for first in range(0, len(spent), PORTION):
            bus.publish(Spent(bus.process, spent[first : first + PORTION]))
