"""The studies of a server: those that are open in this process, lists of them, and how one is made and deleted."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Any

from sqlalchemy import Select, and_, bindparam, delete, func, insert, or_, select, tuple_, update

from acedrex.server import ids, wire
from acedrex.server.bus import Bus, StudyTouched
from acedrex.server.people import relations, standing
from acedrex.server.people.relations import Known
from acedrex.server.refusal import Refusal
from acedrex.server.storage.store import Step, Store
from acedrex.server.storage.tables import studies, study_members, study_operations
from acedrex.server.studies import state
from acedrex.server.studies.room import MEMBERS, ROW, Study, no_such_study
from acedrex.server.time_source import now

#: Studies of one owner, and studies of a page.
MAX_OWN, PAGE = 100, 30
#: Seconds between two looks for studies that nobody has open, and milliseconds after which they are closed.
PAUSE, IDLE = 20.0, 60_000

NEW = insert(studies)
NEW_MEMBER = insert(study_members)
NEW_ROLE = (
    update(study_members)
    .where(study_members.c.study == bindparam("_study"), study_members.c.person == bindparam("_person"))
    .values(role=bindparam("_role"))
)
OLD_MEMBER = delete(study_members).where(
    study_members.c.study == bindparam("_study"), study_members.c.person == bindparam("_person")
)
NEW_OWNER = update(studies).where(studies.c.id == bindparam("_study")).values(owner=bindparam("_person"))
WITHDRAWN = update(studies).where(studies.c.id == bindparam("_study")).values(withdrawn=True)
DELETE = [
    delete(column.table).where(column == bindparam("_study"))
    for column in (studies.c.id, study_members.c.study, study_operations.c.study)
]
#: Operations that are in the stored study are no longer read: what they said goes with their author's data.
EMPTY_OPERATION = (
    update(study_operations)
    .where(study_operations.c.study == bindparam("_study"), study_operations.c.person == bindparam("_person"))
    .values(person=None, body="{}")
)


def delete_steps(study: str) -> list[Step]:
    """Return the steps that delete a study."""
    return [(statement, {"_study": study}) for statement in DELETE]


class Studies:
    """The studies of a server."""

    def __init__(self, store: Store, bus: Bus) -> None:
        """Start with none open."""
        self._store, self._bus = store, bus
        self._open: dict[str, Study] = {}
        self._opening = asyncio.Lock()

    async def get(self, id: str) -> Study:
        """Return a study, opening it if necessary.

        :raises Refusal: if there is none.
        """
        async with self._opening:
            study = self._open.get(id)
            if study is None:
                row = await self._store.first(ROW, id=id)
                if row is None:
                    raise no_such_study()
                study = Study(self._store, self._bus, row, await self._store.all(MEMBERS, study=id))
                await study.catch_up()
                self._open[id] = study
                return study
            study.idle_since = now()
        if self._bus.is_cut_off:
            await study.reread()
            await study.catch_up()
        return study

    async def make(self, owner: str, title: str, access: wire.Access) -> Study:
        """Make a study without chapters.

        :raises Refusal: if the owner has too many, or is muted and others could read it.
        """
        if access != "private":
            await standing.check_may_write(self._store, owner)
        count = await self._store.first(select(func.count()).where(studies.c.owner == owner))
        if count is not None and count[0] >= MAX_OWN:
            raise Refusal("too_many", f"you have {MAX_OWN} studies; delete one first")
        at, id = now(), ids.new_id()
        row = {"id": id, "owner": owner, "title": title, "access": access, "withdrawn": False, "at": at, "changed": at}
        row |= {"chapters": 0, "size": 0, "game": "", "number": 0, "authors": "[]"}
        await self._store.write((NEW, {**row, "body": state.encode(state.Contents()).decode()}))
        return await self.get(id)

    async def delete(self, study: Study) -> None:
        """Delete a study, and shut everybody out of it."""
        await self._store.write(*delete_steps(study.id))
        self._open.pop(study.id, None)
        study.close(publish=True)

    # People.

    async def add(self, study: Study, person: Known, role: wire.Role) -> None:
        """Add somebody to a study, or give them another role.

        :raises Refusal: if the study has too many people, or one has blocked the other.
        """
        if person.id in study.members:
            await self._store.write((NEW_ROLE, {"_study": study.id, "_person": person.id, "_role": role}))
        else:
            await standing.check_may_write(self._store, study.owner)
            if await relations.is_blocked(self._store, study.owner, [person.id]):
                # As if they were not there: nobody learns of a block.
                raise relations.no_such_person()
            if len(study.members) >= wire.MAX_MEMBERS:
                raise Refusal("too_many", f"a study has at most {wire.MAX_MEMBERS} people besides its owner")
            row = {"study": study.id, "person": person.id, "role": role, "at": now()}
            await self._store.write((NEW_MEMBER, row))
        await study.people_changed()

    async def remove(self, study: Study, person: str) -> None:
        """Remove somebody from a study."""
        await self._store.write((OLD_MEMBER, {"_study": study.id, "_person": person}))
        await study.people_changed()

    # Lists.

    async def listed(self, person: str | None, *, mine: bool, after: str | None) -> wire.StudyPage:
        """List public studies, or those of a person: their own, and those in which they take part."""
        query = select(studies)
        if mine:
            taking_part = select(study_members.c.study).where(study_members.c.person == person)
            query = query.where(or_(studies.c.owner == person, studies.c.id.in_(taking_part)))
        else:
            shown = (studies.c.access == "public", studies.c.withdrawn.is_(False), studies.c.size > 0)
            query = query.where(*shown, studies.c.owner.not_in(standing.closed()))
        rows = await self._store.all(_after(query, after).limit(PAGE))
        return wire.StudyPage(
            await self._cards(rows, person), f"{rows[-1].changed}.{rows[-1].id}" if len(rows) == PAGE else None
        )

    async def _cards(self, rows: Any, person: str | None) -> list[wire.StudyCard]:
        owners = await relations.known(self._store, {row.owner for row in rows}, closed=True)
        taking_part = select(study_members).where(study_members.c.person == person)
        in_these = taking_part.where(study_members.c.study.in_([row.id for row in rows]))
        roles = {row.study: row.role for row in await self._store.all(in_these)} if person is not None else {}
        return [
            wire.StudyCard(
                study=row.id,
                title=row.title,
                access=row.access,
                owner=owner.name if (owner := owners.get(row.owner)) else "",
                profile=owner.name if owner and owner.account else None,
                role="owner" if row.owner == person else roles.get(row.id, "visitor"),
                chapters=row.chapters,
                game=row.game,
                changed=row.changed,
            )
            for row in rows
        ]

    # What goes on by itself.

    async def receive(self, message: StudyTouched) -> None:
        """Take over what another process has changed."""
        study = self._open.get(message.study)
        if study is None:
            return
        match message.what:
            case "operation":
                await study.catch_up()
            case "people":
                await study.reread()
            case _:
                self._open.pop(message.study, None)
                study.close()

    def refresh(self) -> None:
        """Have everybody connect again to what is stored: messages of other processes may have been missed."""
        self.close()
        self._open.clear()

    def end(self, people: Any) -> None:
        """Disconnect some people."""
        for study in self._open.values():
            for listener in list(study.listeners):
                if listener.person in people:
                    listener.disconnect()

    def people(self) -> set[str]:
        """Return who has a study open: the ids of people, and the addresses of visitors without one."""
        return {one.person or one.address for study in self._open.values() for one in study.listeners}

    async def run_forever(self) -> None:
        """Close the studies that nobody uses any more, forever."""
        while True:
            await asyncio.sleep(PAUSE)
            for id, study in list(self._open.items()):
                if not study.busy() and now() - study.idle_since > IDLE:
                    del self._open[id]

    def close(self) -> None:
        """Disconnect everybody."""
        for study in self._open.values():
            study.refresh()

    # Deletion of somebody's data.

    async def forget(self, person: str) -> None:
        """Delete a person's studies, and their name and comments from those of others.

        A study in which others write goes to the first of them, for what they wrote is theirs.
        """
        for row in await self._store.all(select(studies.c.id).where(studies.c.owner == person)):
            with suppress(Refusal):
                study = await self.get(row.id)
                await study.reread()
                heir = next((one for one, role in study.members.items() if role == "writer" and one != person), None)
                if heir is None:
                    await self.delete(study)
                    continue
                member = {"_study": study.id, "_person": heir}
                await self._store.write((NEW_OWNER, member), (OLD_MEMBER, member))
                await study.people_changed()
        for row in await self._store.all(select(studies.c.id).where(studies.c.authors.contains(f'"{person}"'))):
            with suppress(Refusal):
                await (await self.get(row.id)).forget(person)
        written = select(study_operations.c.study).where(study_operations.c.person == person).distinct()
        for row in await self._store.all(written):
            with suppress(Refusal):
                await (await self.get(row.study)).forget(person)
            await self._store.write((EMPTY_OPERATION, {"_study": row.study, "_person": person}))
        for row in await self._store.all(select(study_members.c.study).where(study_members.c.person == person)):
            await self._store.write((OLD_MEMBER, {"_study": row.study, "_person": person}))
            if row.study in self._open:
                await self._open[row.study].people_changed()


def _after(query: Select[Any], after: str | None) -> Select[Any]:
    """Select what follows a page, those that were changed last first."""
    if after is not None:
        at, _, id = after.partition(".")
        if not (at.isdecimal() and at.isascii() and len(at) < 16 and id.isalnum()):
            raise Refusal("invalid", "this is not from a page of studies", "after")
        query = query.where(tuple_(studies.c.changed, studies.c.id) < tuple_(int(at), id))
    return query.order_by(studies.c.changed.desc(), studies.c.id.desc())


def empty(at: int) -> Any:
    """Return the condition for studies in which nobody had written anything at a moment."""
    return and_(studies.c.size == 0, studies.c.changed < at)
