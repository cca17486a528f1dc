"""Sessions: where people are signed in. The token of a session identifies its person."""

from __future__ import annotations

import re
import time
from collections import OrderedDict
from collections.abc import Callable, Container
from contextlib import suppress

from msgspec import Struct
from sqlalchemy import bindparam, delete, insert, select, update

from acedrex.server import ids, wire
from acedrex.server.people import standing
from acedrex.server.refusal import Refusal
from acedrex.server.storage.store import BusyError, Step, Store
from acedrex.server.storage.tables import accounts, codes, people, push_subscriptions, sessions
from acedrex.server.time_source import now

#: The number of sessions cached, which saves a query for each request, and seconds after which they are read again:
#: another process may have ended them.
CACHE_SIZE, CACHE_SECONDS = 20_000, 10.0
#: The maximum number of sessions of a person; a further one ends that which was not used for longest.
MAX_SESSIONS = 20
#: Milliseconds after which it is stored again that a session is used, and after which one of an account that was not
#: used is over; a guest's never is, since a guest could not sign in again.
SEEN, UNUSED = 3_600_000, 90 * 86_400_000

NEW = insert(sessions)
END = delete(sessions).where(sessions.c.person == bindparam("_person"), sessions.c.id == bindparam("_id"))
END_OTHERS = delete(sessions).where(sessions.c.person == bindparam("_person"), sessions.c.id != bindparam("_kept"))
#: Codes with which a device can sign in end with the sessions, one of which may have made them.
END_CODES = delete(codes).where(codes.c.person == bindparam("_person"))
#: A browser in which nobody is signed in any more shows no notifications.
END_PUSH = delete(push_subscriptions).where(
    push_subscriptions.c.person == bindparam("_person"), push_subscriptions.c.session == bindparam("_id")
)
END_OTHER_PUSH = delete(push_subscriptions).where(
    push_subscriptions.c.person == bindparam("_person"), push_subscriptions.c.session != bindparam("_kept")
)
USED = update(sessions).where(sessions.c.id == bindparam("_id")).values(seen=bindparam("_seen"))

#: What browsers and systems call themselves, those first that also claim to be others.
BROWSERS = {"Edg": "Edge", "OPR/": "Opera", "FxiOS": "Firefox", "Firefox/": "Firefox", "CriOS": "Chrome"}
BROWSERS |= {"Chrome/": "Chrome", "Safari/": "Safari"}
SYSTEMS = {"Android": "Android", "iPhone": "iPhone", "iPad": "iPad", "Windows": "Windows", "Mac OS X": "macOS"}
SYSTEMS |= {"CrOS": "ChromeOS", "Linux": "Linux"}


class Session(Struct, frozen=True):
    """A session: its id and its person."""

    id: str
    person: wire.Person


def device_of(user_agent: str) -> str:
    """Return what a browser is called in a list of sessions: nothing by which it could be recognised elsewhere.

    >>> device_of("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0")
    'Firefox, Linux'
    >>> device_of("my-program/1.0 (+https://example.org)")
    'my-program'
    """
    browser = next((name for mark, name in BROWSERS.items() if mark in user_agent), None)
    if browser is None:
        found = re.match(r"[\w.-]{1,40}", user_agent, re.ASCII)
        return found[0] if found else ""
    system = next((name for mark, name in SYSTEMS.items() if mark in user_agent), None)
    return browser if system is None else f"{browser}, {system}"


class Sessions:
    """The sessions of all people."""

    def __init__(self, store: Store) -> None:
        """Start with an empty cache."""
        self._store = store
        self._cache: OrderedDict[str, tuple[Session, float]] = OrderedDict()
        #: How often sessions were forgotten: what was read before may be out of date.
        self._changes = 0
        #: The people whose data is being deleted; their tokens are not valid, even if one is cached.
        self.gone: Container[str] = frozenset()
        #: Called with a person some of whose sessions were ended.
        self.on_ended: Callable[[str], None] = self.forget

    def begin_step(self, person: str, device: str, id: str | None = None) -> tuple[Step, str]:
        """Return the step that stores a session, and its token."""
        token, moment, id = ids.new_secret(), now(), id or ids.new_id()
        row = {"id": id, "person": person, "token_hash": ids.hashed(token), "device": device}
        return (NEW, {**row, "at": moment, "seen": moment}), token

    async def begin(self, person: str, device: str, id: str | None = None, *steps: Step) -> str:
        """Begin a session together with other steps, and return its token, which is never returned again.

        :raises ConflictError: if there is a session with this id.
        :raises Refusal: if a moderator has closed the account.
        """
        await standing.check_open(self._store, person)
        step, token = self.begin_step(person, device, id)
        query = select(sessions.c.id).where(sessions.c.person == person).order_by(sessions.c.seen.desc())
        surplus = await self._store.all(query.offset(MAX_SESSIONS - 1))
        ended = [step for row in surplus for step in _end_steps(person, row.id)]
        await self._store.write(step, *steps, *ended)
        if surplus:
            self.on_ended(person)
        return token

    async def begin_anew(self, person: str, device: str, *steps: Step, id: str | None = None) -> str:
        """End all sessions of a person and begin one, together with other steps; return its token.

        :raises ConflictError: if there is a session with this id, or one of the steps fails because of a key that
            exists already.
        :raises Refusal: if a moderator has closed the account.
        """
        await standing.check_open(self._store, person)
        id = id or ids.new_id()
        step, token = self.begin_step(person, device, id)
        # Writes that share a commit are grouped by statement, so that this may end sessions after the new one began.
        await self._store.write(*steps, *end_steps(person, id), step)
        self.on_ended(person)
        return token

    async def find(self, token: str) -> Session | None:
        """Find the session of a token."""
        key = ids.hashed(token)
        cached = self._cache.get(key)
        if cached is not None and time.monotonic() - cached[1] < CACHE_SECONDS:
            return None if cached[0].person.id in self.gone else cached[0]
        changes = self._changes
        query = (
            select(sessions.c.id, sessions.c.person, sessions.c.seen, people.c.name, accounts.c.handle)
            .join(people, people.c.id == sessions.c.person)
            .outerjoin(accounts, accounts.c.person == sessions.c.person)
            .where(sessions.c.token_hash == key, sessions.c.person.not_in(standing.closed()))
        )
        row = await self._store.first(query)
        is_over = row is None or (row.handle is not None and row.seen < now() - UNUSED)
        if row is None or is_over or row.person in self.gone:
            self._cache.pop(key, None)
            return None
        found = Session(row.id, wire.Person(row.person, row.name, account=row.handle is not None))
        if changes == self._changes:
            self._cache[key] = found, time.monotonic()
            self._cache.move_to_end(key)
            if len(self._cache) > CACHE_SIZE:
                self._cache.popitem(last=False)
        if row.seen < now() - SEEN:
            # Whoever only reads needs no disk that can write.
            with suppress(BusyError):
                await self._store.write((USED, {"_id": row.id, "_seen": now()}))
        # Sessions that have ended meanwhile may be this one.
        return found if changes == self._changes else await self.find(token)

    async def of(self, session: Session) -> list[wire.Session]:
        """List the sessions of a session's person, the latest used first."""
        query = select(sessions).where(sessions.c.person == session.person.id).order_by(sessions.c.seen.desc())
        rows = await self._store.all(query)
        return [wire.Session(row.id, row.device, row.at, row.seen, row.id == session.id) for row in rows]

    async def end(self, session: Session, id: str) -> None:
        """End a session of the same person; their connections are closed, and those that are still signed in return.

        :raises Refusal: if there is none, or the person is a guest, who could never sign in again without one.
        """
        own = [one.id for one in await self.of(session)]
        if id not in own:
            raise Refusal("no_such_session", "you have no such session; it may have been ended already", "id")
        if len(own) == 1 and not session.person.account:
            raise Refusal("last_session", "a guest who signs out could never return; create an account first", "id")
        await self._store.write(*_end_steps(session.person.id, id), (END_CODES, {"_person": session.person.id}))
        self.on_ended(session.person.id)

    async def end_others(self, session: Session) -> None:
        """End all other sessions of a session's person."""
        await self._store.write(*end_steps(session.person.id, session.id))
        self.on_ended(session.person.id)

    def forget(self, person: str) -> None:
        """Remove a person's sessions from the cache, since they have changed."""
        self._changes += 1
        for key in [key for key, (session, _) in self._cache.items() if session.person.id == person]:
            del self._cache[key]


def _end_steps(person: str, id: str) -> list[Step]:
    return [(statement, {"_person": person, "_id": id}) for statement in (END, END_PUSH)]


def end_steps(person: str, kept: str = "") -> list[Step]:
    """Return the steps that end all sessions of a person but one, and make the codes of the person void."""
    others = [(statement, {"_person": person, "_kept": kept}) for statement in (END_OTHERS, END_OTHER_PUSH)]
    return [*others, (END_CODES, {"_person": person})]
