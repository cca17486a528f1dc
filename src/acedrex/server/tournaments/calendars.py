"""Calendars of tournaments and of people's appointments, in iCalendar."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import Any

from icalendar import Alarm, Calendar, Event
from msgspec import Struct
from sqlalchemy import bindparam, delete, select, text

from acedrex.server import ids
from acedrex.server.refusal import Refusal
from acedrex.server.storage.store import Store
from acedrex.server.storage.tables import calendars, entrants, tournaments
from acedrex.server.tournaments.state import MINUTE, Tournament
from acedrex.server.tournaments.store import Tournaments, read_card

#: How long something takes in a calendar, if nobody knows; minutes before an appointment of the reminders.
HOURS, REMINDERS = 2, (60, 10)
#: The most tournaments of a calendar.
MOST = 100

#: SQLite and PostgreSQL share this syntax.
SET = text(
    "INSERT INTO calendars (person, secret_hash) VALUES (:person, :secret_hash) "
    "ON CONFLICT (person) DO UPDATE SET secret_hash = excluded.secret_hash"
)
STOP = delete(calendars).where(calendars.c.person == bindparam("_person"))


class Entry(Struct, frozen=True):
    """Something in a calendar."""

    uid: str
    at: int
    ends_at: int | None
    title: str
    url: str
    description: str = ""
    reminds: bool = False
    cancelled: bool = False


def calendar(name: str, entries: Iterable[Entry], host: str) -> bytes:
    """Write a calendar.

    :param host: the name of the server, which makes the ids of its entries unique.
    """
    found = Calendar()
    found.add("prodid", "-//Acedrex//Acedrex//EN")
    found.add("version", "2.0")
    found.add("x-wr-calname", name)
    found.add("refresh-interval", timedelta(minutes=15), parameters={"VALUE": "DURATION"})
    for entry in entries:
        found.add_component(_event(entry, host))
    return bytes(found.to_ical())


def _event(entry: Entry, host: str) -> Event:
    event = Event()
    start = _moment(entry.at)
    event.add("uid", f"{entry.uid}@{host}")
    event.add("dtstamp", start)
    event.add("dtstart", start)
    event.add("dtend", start + timedelta(hours=HOURS) if entry.ends_at is None else _moment(entry.ends_at))
    event.add("summary", entry.title)
    event.add("url", entry.url)
    if entry.description:
        event.add("description", entry.description)
    event.add("status", "CANCELLED" if entry.cancelled else "CONFIRMED")
    for minutes in REMINDERS if entry.reminds else ():
        alarm = Alarm()
        alarm.add("action", "DISPLAY")
        alarm.add("description", entry.title)
        alarm.add("trigger", timedelta(minutes=-minutes))
        event.add_component(alarm)
    return event


def _moment(at: int) -> datetime:
    return datetime.fromtimestamp(at // 1000, UTC)


def tournament_entry(row: Any, home: str, *, reminds: bool = False) -> Entry:
    """Return the start of a tournament, whose row in the database is given."""
    card = read_card(row.card)
    return Entry(
        uid=row.id,
        at=row.starts_at,
        ends_at=None,
        title=row.name,
        url=f"{home}/tournaments/{row.id}",
        description=card.game,
        reminds=reminds,
        cancelled=row.phase == "cancelled",
    )


def appointments(t: Tournament, name: str, names: dict[int, str], home: str, player: int | None) -> list[Entry]:
    """Return the appointments of a tournament, of one player or of all."""
    found = []
    for board in t.boards:
        if board.appointment is None or (player is not None and player not in board.players):
            continue
        title = f"{names[board.first]} - {names[board.second]}"
        found.append(
            Entry(
                uid=f"{t.id}-{board.number}",
                at=board.appointment,
                ends_at=board.appointment + _length(t),
                title=title,
                url=f"{home}/tournaments/{t.id}",
                description=name,
                reminds=player is not None,
            )
        )
    return found


def _length(t: Tournament) -> int:
    time = t.settings.time
    initial = getattr(time, "initial_ms", HOURS * 30 * MINUTE)
    return max(30 * MINUTE, 2 * int(initial) * t.settings.games)


# People's own.


async def renew(store: Store, person: str) -> str:
    """Give somebody's calendar a new secret, and return it; the old one is worth nothing then."""
    secret = ids.new_secret()
    await store.write((SET, {"person": person, "secret_hash": ids.hashed(secret)}))
    return secret


async def stop(store: Store, person: str) -> None:
    """End somebody's calendar."""
    await store.write((STOP, {"_person": person}))


async def has_one(store: Store, person: str) -> bool:
    """Return whether somebody has a calendar."""
    return await store.first(select(calendars.c.person).where(calendars.c.person == person)) is not None


async def owner(store: Store, secret: str) -> str:
    """Return whose calendar has a secret.

    :raises Refusal: if nobody's has.
    """
    row = await store.first(select(calendars.c.person).where(calendars.c.secret_hash == ids.hashed(secret)))
    if row is None:
        raise Refusal("wrong_link", "this calendar has a new address; find it on your tournaments page", "secret")
    return str(row.person)


async def own_entries(kept: Tournaments, person: str, home: str) -> list[Entry]:
    """Return the tournaments in which somebody plays, and their appointments."""
    query = (
        select(tournaments, entrants.c.player)
        .join(entrants, entrants.c.tournament == tournaments.c.id)
        .where(entrants.c.person == person, tournaments.c.phase.in_(("open", "running")))
        .order_by(tournaments.c.starts_at)
        .limit(MOST)
    )
    found = []
    for row in await kept.store.all(query):
        found.append(tournament_entry(row, home, reminds=True))
        if not read_card(row.card).by_appointment:
            continue
        entered = await kept.entrants(row.id)
        async with kept.hold(row.id) as t:
            names = {player: who.name for player, who in entered.items()}
            found += appointments(t, row.name, names, home, row.player)
    return found
