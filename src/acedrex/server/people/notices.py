"""Who is notified of what, by which channel, and when: people's settings, and the mails."""

from __future__ import annotations

import hmac
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import msgspec
from msgspec import Struct
from sqlalchemy import bindparam, select, text, union, update

from acedrex.server import ids, wire
from acedrex.server.mail import Letter, Outbox
from acedrex.server.people import notice_texts, standing
from acedrex.server.people.keys import ServerKeys
from acedrex.server.people.notice_texts import Notice
from acedrex.server.refusal import Refusal
from acedrex.server.storage import cards
from acedrex.server.storage.store import Step, Store
from acedrex.server.storage.tables import (
    accounts,
    blocks,
    conversations,
    matches,
    notification_settings,
    people,
    push_subscriptions,
    sessions,
)
from acedrex.server.time_source import now

#: Milliseconds in which a message may be read before its recipient is notified of it, between two notices of
#: challenges in the lobby for one person, and before a deadline at which a notice must have come.
UNREAD, LOBBY_PAUSE, AHEAD = 60_000, 3_600_000, 1_800_000
#: Milliseconds before time runs out at which a player is reminded, and that are between two notices of one turn.
REMINDERS, APART = (86_400_000, 21_600_000, 3_600_000), 1_800_000
#: The most people who are notified of one challenge in the lobby.
MAX_LOBBY = 200

#: SQLite and PostgreSQL share this syntax.
SET = text(
    "INSERT INTO notification_settings (person, body, lobby, lobby_at) VALUES (:person, :body, :lobby, 0) "
    "ON CONFLICT (person) DO UPDATE SET body = excluded.body, lobby = excluded.lobby"
)
HEARD = (
    update(notification_settings)
    .where(notification_settings.c.person == bindparam("_person"))
    .values(lobby_at=bindparam("_at"))
)
_read = msgspec.json.Decoder(wire.NotificationSettings).decode
_read_notice = msgspec.json.Decoder(Notice).decode


class Reach(Struct, frozen=True):
    """How a person can be reached."""

    settings: wire.NotificationSettings
    mail: str | None
    language: str
    browsers: list[str]


def quiet_until(settings: wire.NotificationSettings, moment: int) -> int | None:
    """Return when the quiet hours end in which a moment lies, or ``None`` if it lies in none."""
    if settings.quiet is None:
        return None
    start, end = settings.quiet.start, settings.quiet.end
    here = datetime.fromtimestamp(moment / 1000, UTC).astimezone(ZoneInfo(settings.zone))
    minute = here.hour * 60 + here.minute
    if not (start <= minute < end if start <= end else minute >= start or minute < end):
        return None
    day = here.date() + timedelta(days=int(minute >= end))
    over = datetime(day.year, day.month, day.day, end // 60, end % 60, tzinfo=here.tzinfo)
    # An hour that the clocks skip is over when they have.
    return max(moment + 1, int(over.timestamp() * 1000))


def reminders(settings: wire.NotificationSettings, deadline: int) -> list[int]:
    """Return the moments at which a player is reminded that time runs out, the earliest first.

    Those in quiet hours are moved to their end, or, if time would have run out by then, to their beginning.
    """
    found = set()
    for before in REMINDERS:
        moment = deadline - before
        over = quiet_until(settings, moment)
        if over is not None and over > deadline - AHEAD:
            while quiet_until(settings, moment) is not None:
                moment -= 60_000
        else:
            moment = over or moment
        found.add(moment)
    return sorted(found)


class Notices:
    """The notifications of people."""

    def __init__(self, store: Store, outbox: Outbox, keys: ServerKeys, home: str) -> None:
        """Use a store, an outbox, keys, and the address of the server."""
        self._store = store
        self._outbox = outbox
        self._keys = keys
        self._home = home
        #: By kind, what else says whether a notice is still true.
        self.checks: dict[str, Callable[[str, Notice], Awaitable[bool]]] = {}
        outbox.kinds["notification"] = self._write_mail
        outbox.senders["message"] = self._plan_stored

    async def settings(self, person: str) -> wire.NotificationSettings:
        """Return a person's settings."""
        query = select(notification_settings.c.body).where(notification_settings.c.person == person)
        row = await self._store.first(query)
        return wire.NotificationSettings() if row is None else _read(row.body)

    async def set(self, person: str, wanted: wire.NotificationSettings) -> None:
        """Store a person's settings.

        :raises Refusal: if the time zone is unknown.
        """
        try:
            ZoneInfo(wanted.zone)
        except (ZoneInfoNotFoundError, ValueError, OSError):
            raise Refusal("invalid", "unknown time zone; use a name such as Europe/Madrid", "zone") from None
        lobby = wanted.lobby.push or wanted.lobby.mail
        body = msgspec.json.encode(wanted).decode()
        await self._store.write((SET, {"person": person, "body": body, "lobby": lobby}))

    async def reach(self, person: str) -> Reach | None:
        """Return how a person can be reached; ``None`` if they are gone, or their account is closed."""
        query = (
            select(notification_settings.c.body, accounts.c.mail, accounts.c.language)
            .select_from(people)
            .outerjoin(accounts, accounts.c.person == people.c.id)
            .outerjoin(notification_settings, notification_settings.c.person == people.c.id)
            .where(people.c.id == person, people.c.id.not_in(standing.closed()))
        )
        row = await self._store.first(query)
        if row is None:
            return None
        of_session = select(push_subscriptions.c.id).join(sessions, sessions.c.id == push_subscriptions.c.session)
        browsers = await self._store.all(of_session.where(push_subscriptions.c.person == person))
        settings = wire.NotificationSettings() if row.body is None else _read(row.body)
        mail = row.mail if self._outbox.is_open else None
        return Reach(settings, mail, row.language or "en", [one.id for one in browsers])

    async def steps(self, person: str, *notices: Notice, due: int | None = None) -> list[Step]:
        """Return the steps that notify a person of the first of some notices of which they want to hear.

        In quiet hours it waits for their end.

        :param due: when it is to be sent, by default at once.
        """
        reach = await self.reach(person)
        for notice in notices if reach is not None else ():
            assert reach is not None
            channels: wire.Channels = getattr(reach.settings, notice.kind)
            targets = [("push", one) for one in reach.browsers if channels.push]
            if channels.mail and reach.mail is not None:
                targets.append(("notification", reach.mail))
            if targets:
                about = msgspec.json.encode(notice).decode()
                moment = now() if due is None else due
                due = quiet_until(reach.settings, moment) or due
                return [self._outbox.step(kind, address, person, about, due) for kind, address in targets]
        return []

    def message_step(self, person: str, sender: wire.Person, id: int) -> Step:
        """Return the step that notifies a person of a message, unless they read it soon or another one follows."""
        notice = Notice("reply", sender.name, "message", sender=sender.id, message=id)
        about = msgspec.json.encode(notice).decode()
        return self._outbox.step("message", "", person, about, now() + UNREAD)

    async def _plan_stored(self, row: Any) -> list[Step]:
        notice = _read_notice(row.about)
        return await self.steps(row.person, notice) if await self.is_current(row.person, notice) else []

    async def lobby_steps(self, creator: str, notice: Notice) -> list[Step]:
        """Return the steps that tell those who want it that somebody waits in the lobby."""
        wants, moment = notification_settings.c, now()
        hidden = union(
            select(blocks.c.person).where(blocks.c.other == creator),
            select(blocks.c.other).where(blocks.c.person == creator),
        )
        query = (
            select(wants.person)
            .where(wants.lobby, wants.lobby_at < moment - LOBBY_PAUSE, wants.person != creator)
            .where(wants.person.not_in(hidden))
            .order_by(wants.lobby_at)
            .limit(MAX_LOBBY)
        )
        found: list[Step] = []
        for row in await self._store.all(query):
            found += [*await self.steps(row.person, notice), (HEARD, {"_person": row.person, "_at": moment})]
        return found

    async def is_current(self, person: str, notice: Notice) -> bool:
        """Return whether a notice is still true when it is sent."""
        if notice.kind in self.checks:
            return await self.checks[notice.kind](person, notice)
        if notice.match is None:
            own = conversations.c
            unread = select(own.person).where(own.person == person, own.other == notice.sender, own.last > own.read)
            return await self._store.first(unread.where(own.last == notice.message)) is not None
        row = await self._store.first(select(matches.c.card).where(matches.c.id == notice.match))
        if row is None:
            return False
        card = cards.read(row.card)
        if notice.kind in ("challenge", "lobby"):
            return card.phase == "open"
        if notice.kind == "reply":
            return notice.what in ("rematch", "over") or card.phase != "over"
        return card.acting is not None and card.player(card.acting) == person and card.turns == notice.turn

    # Mails.

    async def _write_mail(self, row: Any) -> Letter | None:
        notice, reach = _read_notice(row.about), await self.reach(row.person)
        is_wanted = reach is not None and reach.mail == row.address and getattr(reach.settings, notice.kind).mail
        if reach is None or not is_wanted or not await self.is_current(row.person, notice):
            return None
        stop = await self._stop_secret(row.person)
        return notice_texts.letter(notice, reach.language, now(), row.address, self._home, stop)

    async def _stop_secret(self, person: str) -> str:
        """Return the secret with which mails about notifications are stopped."""
        key = await self._keys.get("mail", ids.new_secret)
        return f"{person}.{hmac.new(key.encode(), person.encode(), 'sha256').hexdigest()}"

    async def stop_mails(self, secret: str) -> None:
        """Stop all mails about notifications for the person of a link.

        :raises Refusal: if the link is wrong.
        """
        person = secret.partition(".")[0]
        expected = await self._stop_secret(person)
        if not hmac.compare_digest(expected.encode(), secret.encode()):
            raise Refusal("wrong_link", "this link is incomplete; copy all of it from the mail", "secret")
        settings = await self.settings(person)
        kinds = msgspec.structs.asdict(settings).items()
        off = {name: wire.Channels(one.push, False) for name, one in kinds if isinstance(one, wire.Channels)}
        await self.set(person, msgspec.structs.replace(settings, **off))
