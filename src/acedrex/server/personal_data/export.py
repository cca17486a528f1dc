"""What the database has of a person: their own copy of it.

``SECTIONS`` names every table with data of people; all others are in ``IMPERSONAL``. A test compares both with the
schema, so that no table is forgotten here, and another one compares them with what ``deletion`` deletes.
"""

from __future__ import annotations

import itertools
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct
from sqlalchemy import Column, ColumnElement, CompoundSelect, Row, Table, and_, exists, or_, select, tuple_, union

from acedrex.server.storage.store import Store
from acedrex.server.storage.tables import (
    absences,
    accounts,
    archive,
    attempts,
    beats,
    blocks,
    calendars,
    chat,
    codes,
    comparisons,
    conditional_moves,
    conversations,
    dailies,
    days_off,
    definitions,
    deletions,
    entrants,
    events,
    findings,
    follows,
    invitations,
    jobs,
    mail_links,
    matches,
    messages,
    moderation,
    moderators,
    notes,
    notification_settings,
    openings,
    outbox,
    passkey_challenges,
    passkeys,
    people,
    positions,
    progress,
    push_subscriptions,
    puzzle_ratings,
    ratings,
    reports,
    results,
    sanctions,
    server_keys,
    sessions,
    studies,
    study_members,
    study_operations,
    tokens,
    tournament_events,
    tournaments,
)

#: Rows that are read at once; ids of matches that are read at once, and matches whose rows are read together.
PAGE, IDS, TOGETHER = 200, 500, 20
#: Columns with JSON.
JSON = {"body", "card"}
#: Columns of a match with the id of a person.
PEOPLE = ("white", "black", "creator", "asked")


class Section(Struct, frozen=True, kw_only=True):
    """The rows of a table that are about a person."""

    table: Table
    #: The condition for them; of a table with rows of matches, for those of one of the person's matches.
    where: Callable[[str], ColumnElement[bool]] | None = None
    #: The column with the id of a match, if the rows are those of the person's matches.
    match: Column[str] | None = None
    #: Columns that the person does not get: hashes of secrets.
    left_out: frozenset[str] = frozenset()
    #: Columns with ids of people, of whom the person gets the names.
    named: frozenset[str] = frozenset()


def _wrote(person: str) -> ColumnElement[bool]:
    """Return the condition for lines of chat from before their authors were stored: who sat at the side wrote them."""
    sides = or_(
        and_(matches.c.white == person, chat.c.by == "white"), and_(matches.c.black == person, chat.c.by == "black")
    )
    return and_(chat.c.person.is_(None), exists().where(matches.c.id == chat.c.match, sides))


SECRET = frozenset(
    {
        *("token_hash", "password_hash", "recovery_hash", "code_hash", "import_key"),
        *("invitation_hash", "challenge_hash", "link_hash", "secret_hash"),
    }
)
SECTIONS = (
    Section(table=people, where=lambda person: people.c.id == person, left_out=SECRET),
    Section(table=sessions, where=lambda person: sessions.c.person == person, left_out=SECRET),
    Section(table=accounts, where=lambda person: accounts.c.person == person, left_out=SECRET),
    Section(table=codes, where=lambda person: codes.c.person == person, left_out=SECRET),
    Section(table=tokens, where=lambda person: tokens.c.person == person, left_out=SECRET),
    Section(table=passkeys, where=lambda person: passkeys.c.person == person),
    Section(table=passkey_challenges, where=lambda person: passkey_challenges.c.person == person, left_out=SECRET),
    Section(table=mail_links, where=lambda person: mail_links.c.person == person, left_out=SECRET),
    Section(table=outbox, where=lambda person: outbox.c.person == person),
    Section(table=notification_settings, where=lambda person: notification_settings.c.person == person),
    Section(table=push_subscriptions, where=lambda person: push_subscriptions.c.person == person),
    Section(table=progress, where=lambda person: progress.c.person == person),
    Section(table=sanctions, where=lambda person: sanctions.c.person == person),
    Section(table=moderators, where=lambda person: moderators.c.person == person),
    Section(
        table=moderation,
        where=lambda person: or_(moderation.c.person == person, moderation.c.moderator == person),
        named=frozenset({"moderator", "person"}),
    ),
    Section(table=reports, where=lambda person: reports.c.reporter == person, named=frozenset({"about"})),
    Section(table=follows, where=lambda person: follows.c.person == person, named=frozenset({"other"})),
    Section(table=blocks, where=lambda person: blocks.c.person == person, named=frozenset({"other"})),
    Section(table=conversations, where=lambda person: conversations.c.person == person, named=frozenset({"other"})),
    Section(table=messages, where=lambda person: messages.c.sender == person, named=frozenset({"low", "high"})),
    # The authors of a study are in a column of their own.
    Section(table=studies, where=lambda person: studies.c.owner == person, left_out=frozenset({"authors"})),
    Section(table=study_operations, where=lambda person: study_operations.c.person == person),
    Section(table=study_members, where=lambda person: study_members.c.person == person),
    Section(table=matches, match=matches.c.id, left_out=frozenset({"invite_hash"})),
    Section(table=events, match=events.c.match),
    Section(table=chat, where=lambda person: chat.c.person == person),
    Section(table=chat, where=_wrote, match=chat.c.match),
    Section(table=archive, match=archive.c.match),
    Section(table=openings, where=lambda person: openings.c.scope == person),
    Section(table=ratings, where=lambda person: ratings.c.person == person),
    Section(table=results, match=results.c.match),
    Section(table=attempts, where=lambda person: attempts.c.person == person),
    Section(table=comparisons, where=lambda person: comparisons.c.person == person),
    Section(table=days_off, where=lambda person: days_off.c.person == person),
    Section(table=conditional_moves, where=lambda person: conditional_moves.c.person == person),
    Section(table=notes, where=lambda person: notes.c.person == person),
    Section(table=tournaments, where=lambda person: tournaments.c.creator == person),
    Section(table=entrants, where=lambda person: entrants.c.person == person),
    Section(
        table=tournament_events,
        where=lambda person: tournament_events.c.tournament.in_(
            select(entrants.c.tournament).where(entrants.c.person == person)
        ),
    ),
    Section(table=calendars, where=lambda person: calendars.c.person == person, left_out=SECRET),
    Section(table=dailies, where=lambda person: dailies.c.guest == person),
    Section(table=jobs, where=lambda person: jobs.c.visitor == person),
    Section(
        table=findings,
        where=lambda person: findings.c.job.in_(select(jobs.c.id).where(jobs.c.visitor == person)),
    ),
)
#: Tables without data of people, or of people who have no token any more.
IMPERSONAL = (positions, definitions, absences, beats, deletions, invitations, puzzle_ratings, server_keys)


def _own(person: str) -> CompoundSelect[Any]:
    """Select the ids of all matches of a person: played, requested of them, and imported."""
    columns = (matches.c.white, matches.c.black, matches.c.asked)
    played = (select(matches.c.id.label("id")).where(column == person) for column in columns)
    return union(*played, select(archive.c.match.label("id")).where(archive.c.owner == person))


async def matches_of(store: Store, person: str) -> AsyncIterator[Sequence[str]]:
    """Yield the ids of all matches of a person, in portions."""
    own = _own(person).subquery()
    after = ""
    while True:
        query = select(own.c.id).where(own.c.id > after).order_by(own.c.id).limit(IDS)
        ids = [row.id for row in await store.all(query)]
        if not ids:
            return
        yield ids
        after = ids[-1]


async def document(store: Store, person: str, at: int, more: dict[str, Any]) -> AsyncIterator[str]:
    """Write everything that is stored of a person as one JSON object, in small parts.

    :param at: the time, in milliseconds of the epoch.
    :param more: what is stored outside the database.
    """
    yield _text({"acedrex": "personal data", "version": 1, "at": at, "person": person, **more})[:-1]
    for table, sections in itertools.groupby(SECTIONS, key=lambda section: section.table):
        yield f",\n{_text(str(table.name))}:["
        first = True
        for section in sections:
            async for rows in _rows(store, section, person):
                yield ("" if first else ",") + "\n" + ",\n".join(map(_text, rows))
                first = False
        yield "]"
    yield "}\n"


async def _rows(store: Store, section: Section, person: str) -> AsyncIterator[list[dict[str, Any]]]:
    """Yield the rows of a section, in pages."""
    if section.match is None:
        assert section.where is not None
        async for page in _pages(store, section, section.where(person)):
            names = await _names(store, section, page)
            yield [_plain(row, section, set(), names) for row in page]
        return
    async for ids in matches_of(store, person):
        for some in _portions(ids):
            others = await _others(store, some, person)
            condition: ColumnElement[bool] = section.match.in_(some)
            if section.where is not None:
                condition = and_(condition, section.where(person))
            async for page in _pages(store, section, condition):
                yield [_plain(row, section, others.get(getattr(row, section.match.name), set())) for row in page]


def _portions(ids: Sequence[str]) -> Iterator[Sequence[str]]:
    for first in range(0, len(ids), TOGETHER):
        yield ids[first : first + TOGETHER]


async def _pages(store: Store, section: Section, condition: ColumnElement[bool]) -> AsyncIterator[Sequence[Row[Any]]]:
    key = [*section.table.primary_key]
    query = select(section.table).where(condition).order_by(*key).limit(PAGE)
    after: tuple[Any, ...] | None = None
    while True:
        page = await store.all(query if after is None else query.where(tuple_(*key) > tuple_(*after)))
        if page:
            yield page
        if len(page) < PAGE:
            return
        after = tuple(getattr(page[-1], column.name) for column in key)


async def _others(store: Store, ids: Sequence[str], person: str) -> dict[str, set[str]]:
    """Return the ids of the other people of some matches: they are not the person's to know."""
    columns = [matches.c[name] for name in PEOPLE]
    rows = await store.all(select(matches.c.id, *columns).where(matches.c.id.in_(ids)))
    found: dict[str, set[str]] = {}
    for row in rows:
        people: set[str | None] = {row._mapping[name] for name in PEOPLE}
        found[row.id] = {one for one in people if one is not None and one != person}
    return found


async def _names(store: Store, section: Section, page: Sequence[Row[Any]]) -> dict[str, str]:
    """Return the names of the people whose ids are in some rows."""
    found = {row._mapping[column] for row in page for column in section.named} - {None}
    if not found:
        return {}
    rows = await store.all(select(people.c.id, people.c.name).where(people.c.id.in_(found)))
    return {row.id: row.name for row in rows}


def _plain(row: Row[Any], section: Section, others: set[str], names: Mapping[str, str] | None = None) -> dict[str, Any]:
    """Return a row as it is written, without the ids of other people."""
    found: dict[str, Any] = {}
    for name, value in row._mapping.items():
        if name in section.left_out:
            continue
        if name in section.named:
            found[str(name)] = (names or {}).get(value)
            continue
        if isinstance(value, str) and name in JSON:
            for other in others:
                value = value.replace(f'"{other}"', "null")
            value = _raw(value)
        elif isinstance(value, str) and value in others:
            value = None
        found[str(name)] = value
    return found


def _raw(text: str) -> msgspec.Raw | str:
    """Return JSON as it is, and a text that is damaged as a text."""
    try:
        return msgspec.json.decode(text, type=msgspec.Raw).copy()
    except msgspec.MsgspecError:
        return text


def _text(value: Any) -> str:
    return msgspec.json.encode(value).decode()
