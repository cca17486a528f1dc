"""Reports, and what moderators do about people. Everything that they do is added to a log, which nothing changes.

A moderator acts on nobody who is a moderator too; the operator does, with a command.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import and_, bindparam, delete, func, insert, select, text, update

from acedrex.server import ids, wire
from acedrex.server.people import relations, standing
from acedrex.server.people.messages import pair
from acedrex.server.people.names import clean_account_name, clean_name, clean_text, handle_of
from acedrex.server.people.relations import Known
from acedrex.server.people.sessions import end_steps
from acedrex.server.refusal import Refusal
from acedrex.server.storage.store import RENAME, ConflictError, Step, Store
from acedrex.server.storage.tables import accounts, chat, messages, moderation, moderators, reports, sanctions
from acedrex.server.time_source import now

#: Open reports of one person; open reports that are listed; lines on each side of what was reported; entries of a page.
MAX_REPORTS, MAX_LISTED, AROUND, PAGE = 20, 50, 8, 50
HOUR = 3_600_000
#: The name of the operator in the log.
OPERATOR = ""

NEW_REPORT = insert(reports)
DONE = update(reports).where(reports.c.id == bindparam("_id")).values(done=True)
SETTLED = update(reports).where(reports.c.study == bindparam("_study"), reports.c.done.is_(False)).values(done=True)
NEW_ENTRY = insert(moderation)
NEW_MODERATOR = insert(moderators)
OLD_MODERATOR = delete(moderators).where(moderators.c.person == bindparam("_person"))
#: SQLite and PostgreSQL share this syntax.
SANCTIONED = text(
    "INSERT INTO sanctions (person, kind, until, reason, at, pending) "
    "VALUES (:person, :kind, :until, :reason, :at, :pending) ON CONFLICT (person, kind) DO UPDATE SET "
    "until = excluded.until, reason = excluded.reason, at = excluded.at, pending = excluded.pending"
)
LIFTED = delete(sanctions).where(sanctions.c.person == bindparam("_person"), sanctions.c.kind == bindparam("_kind"))
NEW_HANDLE = update(accounts).where(accounts.c.person == bindparam("_person")).values(handle=bindparam("_handle"))


async def is_moderator(store: Store, person: str) -> bool:
    """Return whether a person is a moderator."""
    return await store.first(select(moderators.c.at).where(moderators.c.person == person)) is not None


async def named(store: Store) -> list[Known]:
    """Return the moderators."""
    found = await relations.known(store, (row.person for row in await store.all(select(moderators.c.person))))
    return sorted(found.values(), key=lambda one: one.name.casefold())


async def appoint(store: Store, person: Known, on: bool) -> None:
    """Make somebody a moderator, or end that. Only the operator does this.

    :raises Refusal: if they are or are not one already.
    """
    if await is_moderator(store, person.id) == on:
        raise Refusal("nothing_to_do", f"{person.name} is {'already' if on else 'not'} a moderator")
    step: Step = (NEW_MODERATOR, {"person": person.id, "at": now()}) if on else (OLD_MODERATOR, {"_person": person.id})
    await store.write(step, entry(None, person, "appoint" if on else "remove", "by the operator"))


# Reports.


async def report(
    store: Store,
    me: str,
    about: Known,
    reason: str,
    match: str | None,
    line: Any,
    words: str,
    *,
    study: str | None = None,
) -> None:
    """Store a report.

    :param match: that of a line of chat.
    :param line: the id of a line of chat or of a message.
    :param words: what was reported.
    :param study: the id of a study.
    :raises Refusal: if the person has too many open ones.
    """
    own = and_(reports.c.reporter == me, reports.c.done.is_(False))
    count = await store.first(select(func.count()).where(own))
    if count is not None and count[0] >= MAX_REPORTS:
        raise Refusal("too_many", f"{MAX_REPORTS} of your reports are still open; wait for a moderator")
    row = {"id": ids.new_id(), "reporter": me, "about": about.id, "match": match, "line": line, "text": words}
    row |= {"study": study}
    await store.write((NEW_REPORT, {**row, "reason": clean_text(reason), "at": now(), "done": False}))


async def count_open(store: Store) -> int:
    """Return how many reports are open."""
    row = await store.first(select(func.count()).where(reports.c.done.is_(False)))
    return 0 if row is None else int(row[0])


async def open_reports(store: Store) -> list[wire.Report]:
    """Return the open reports, the oldest first, with what stands around what was reported."""
    rows = await store.all(select(reports).where(reports.c.done.is_(False)).order_by(reports.c.at).limit(MAX_LISTED))
    people = await relations.known(store, {one for row in rows for one in (row.reporter, row.about)}, closed=True)
    chiefs = {row.person for row in await store.all(select(moderators.c.person))}
    found = []
    for row in rows:
        about = people.get(row.about)
        if about is None:
            continue  # Deleted a moment ago.
        kind: Any = "person" if row.line is None else "message" if row.match is None else "line"
        kind = kind if row.study is None else "study"
        by = people[row.reporter].name if row.reporter in people else ""
        notices = await standing.notices(store, row.about)
        told = wire.Reported(about.name, about.account, about.id in chiefs, notices)
        context = await _context(store, row, people)
        found.append(wire.Report(row.id, by, told, kind, row.reason, row.text, context, row.match, row.at, row.study))
    return found


async def _context(store: Store, row: Any, people: dict[str, Known]) -> list[wire.ReportedLine]:
    """Return the lines around a reported line of chat or message; those who are deleted have taken theirs along."""
    if row.line is None:
        return []
    if row.match is not None:
        table, author, place = chat, chat.c.person, chat.c.match == row.match
    else:
        low, high = pair(row.reporter, row.about)
        table, author = messages, messages.c.sender
        place = and_(messages.c.low == low, messages.c.high == high)
    before = select(table).where(place, table.c.id <= row.line).order_by(table.c.id.desc()).limit(AROUND + 1)
    after = select(table).where(place, table.c.id > row.line).order_by(table.c.id).limit(AROUND)
    lines = [*reversed(await store.all(before)), *await store.all(after)]

    def told(line: Any) -> wire.ReportedLine:
        who = line._mapping[author.name]
        name = getattr(line, "name", "") or (people[who].name if who in people else "")
        return wire.ReportedLine(name, line.text, line.at, who == row.about, line.id == row.line)

    return [told(line) for line in lines]


# What moderators do.


async def whom(store: Store, action: wire.Action) -> tuple[str | None, Known]:
    """Return the open report that an action is about, and the person.

    :raises Refusal: if there is none.
    """
    if action.report is not None:
        row = await store.first(select(reports).where(reports.c.id == action.report, reports.c.done.is_(False)))
        found = row and (await relations.known(store, [row.about], closed=True)).get(row.about)
        if not found:
            raise Refusal("no_such_report", "there is no such open report; another moderator may have handled it")
        return action.report, found
    return None, await relations.with_account(store, action.who or "", closed=True)


async def act(store: Store, by: wire.Person | None, action: wire.Action) -> Known:
    """Do something about somebody, and write it into the log; return whom.

    :param by: the moderator, or nobody for the operator.
    :raises Refusal: if the person is a moderator or there is no such report or person, or something is missing.
    """
    report, person = await whom(store, action)
    if by is not None:
        await check_may_act(store, by, person, is_dismissal=action.action == "dismiss")
    reason = clean_text(action.reason)
    until, name, steps = None, None, []
    match action.action:
        case "mute":
            if action.hours is None:
                raise Refusal("invalid", "say for how many hours", "hours")
            until = now() + action.hours * HOUR
            steps = [_sanction(person, "muted", reason, until)]
        case "unmute":
            steps = [(LIFTED, {"_person": person.id, "_kind": "muted"})]
        case "close":
            steps = [_sanction(person, "closed", reason, pending=True), *end_steps(person.id)]
        case "reopen":
            steps = [(LIFTED, {"_person": person.id, "_kind": "closed"})]
        case "rename":
            name = await _new_name(store, person, action.name)
            steps = [(RENAME, {"_id": person.id, "_name": name}), _sanction(person, "renamed", reason)]
            steps.append(_sanction(person, standing.RENAMING, reason, pending=True))
            if person.account:
                steps.append((NEW_HANDLE, {"_person": person.id, "_handle": handle_of(name)}))
        case _:
            if report is None:
                raise Refusal("invalid", "say which report to dismiss", "report")
    if report is not None:
        steps.append((DONE, {"_id": report}))
    try:
        await store.write(*steps, entry(by, person, action.action, reason, until, name))
    except ConflictError:  # Somebody else has just taken the name.
        raise Refusal("name_taken", "this name is taken; choose another", "name") from None
    return person


async def check_may_act(store: Store, by: wire.Person, person: Known, *, is_dismissal: bool = False) -> None:
    """Check that a moderator may act on somebody.

    :raises Refusal: if it is the moderator, or another one.
    """
    if person.id == by.id:
        raise Refusal("yourself", "that is you; ask another moderator")
    if not is_dismissal and await is_moderator(store, person.id):
        raise Refusal("is_moderator", "this person is a moderator; only the operator can act on them")


async def withdrawn(store: Store, by: wire.Person, owner: Known, study: str, reason: str, *steps: Step) -> None:
    """Note that a moderator has withdrawn a study, which settles the reports about it.

    :param steps: what withdraws it.
    """
    await store.write(*steps, (SETTLED, {"_study": study}), entry(by, owner, "withdraw", clean_text(reason)))


def _sanction(person: Known, kind: str, reason: str, until: int | None = None, *, pending: bool = False) -> Step:
    row = {"person": person.id, "kind": kind, "until": until, "reason": reason, "at": now(), "pending": pending}
    return SANCTIONED, row


def entry(
    by: wire.Person | None, person: Known, action: str, reason: str, until: int | None = None, name: str | None = None
) -> Step:
    """Return the step that writes into the log what a moderator, or nobody for the operator, has done to somebody."""
    at = now()
    # Ids must grow with time in every process, and need no more order than that.
    row = {
        "id": at * 1000 + ids.random_below(1000),
        "moderator": by and by.id,
        "moderator_name": by.name if by else OPERATOR,
    }
    row |= {"person": person.id, "person_name": person.name, "action": action, "reason": reason, "until": until}
    return NEW_ENTRY, {**row, "name": name, "at": at}


async def _new_name(store: Store, person: Known, name: str | None) -> str:
    """Check the new name of somebody.

    :raises Refusal: if it is not allowed, or taken by somebody else.
    """
    if name is None:
        raise Refusal("invalid", "say the new name", "name")
    name = clean_account_name(name) if person.account else clean_name(name)
    taken = select(accounts.c.person).where(accounts.c.handle == handle_of(name), accounts.c.person != person.id)
    if await store.first(taken) is not None:
        raise Refusal("name_taken", "this name is taken; choose another", "name")
    return name


async def log(store: Store, before: int | None = None) -> wire.LogPage:
    """Return what was done, the latest first."""
    query = select(moderation).order_by(moderation.c.id.desc())
    if before is not None:
        query = query.where(moderation.c.id < before)
    rows = await store.all(query.limit(PAGE + 1))
    entries = [
        wire.LogEntry(row.id, row.moderator_name, row.person_name, row.action, row.reason, row.until, row.name, row.at)
        for row in rows[:PAGE]
    ]
    return wire.LogPage(entries, len(rows) > PAGE)
