"""An open study: its commands are handled one at a time, and sent to everybody who has it open."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

import msgspec
from msgspec import structs
from sqlalchemy import bindparam, delete, insert, select, update

from acedrex.server import wire
from acedrex.server.bus import Bus, StudyTouched
from acedrex.server.people import relations, standing
from acedrex.server.play.listener import Listener
from acedrex.server.refusal import Refusal
from acedrex.server.storage.store import BusyError, ConflictError, Step, Store
from acedrex.server.storage.tables import studies, study_members, study_operations
from acedrex.server.studies import decide, state
from acedrex.server.studies.chapters import Draft
from acedrex.server.studies.state import SNAPSHOT, Contents, Operation
from acedrex.server.time_source import now

#: How many times a command is decided when another process keeps storing operations first.
TRIES = 5
#: Operations that are kept behind the stored study, so that a process that is late meets their keys.
KEPT = 1_000

NEW_OPERATION = insert(study_operations)
NEW_ROW = {
    name: update(studies).where(studies.c.id == bindparam("_id")).values({key: bindparam(f"_{key}") for key in keys})
    for name, keys in (
        ("touched", ("changed", "chapters", "size", "game")),
        ("stored", ("number", "body", "authors")),
        ("titled", ("title", "access")),
    )
}
OLD = delete(study_operations).where(
    study_operations.c.study == bindparam("_study"), study_operations.c.number < bindparam("_number")
)
OPERATIONS = (
    select(study_operations)
    .where(study_operations.c.study == bindparam("study"), study_operations.c.number > bindparam("number"))
    .order_by(study_operations.c.number)
)
ROW = select(studies).where(studies.c.id == bindparam("id"))
MEMBERS = (
    select(study_members.c.person, study_members.c.role)
    .where(study_members.c.study == bindparam("study"))
    .order_by(study_members.c.at, study_members.c.person)
)

_encode = msgspec.json.Encoder().encode


def encode(message: wire.FromStudy) -> str:
    """Write a message to somebody who has a study open."""
    return _encode(message).decode()


def no_such_study() -> Refusal:
    """Return the refusal of a study that is not there, or that the visitor may not read."""
    return Refusal("no_such_study", "study not found; it may be private: ask its owner to add you", "study")


class Study:
    """A study and those who have it open."""

    def __init__(self, store: Store, bus: Bus, row: Any, members: Sequence[Any]) -> None:
        """Start with the study as it is stored, without the operations after that."""
        self._store, self._bus = store, bus
        self.id: str = row.id
        self.listeners: set[Listener] = set()
        self.idle_since = now()
        self._lock = asyncio.Lock()
        self._is_gone = False
        self._set_row(row, members)
        self._set_contents(row)

    def _set_row(self, row: Any, members: Sequence[Any]) -> None:
        self.owner: str = row.owner
        self.title: str = row.title
        self.access: wire.Access = row.access
        self.withdrawn: bool = row.withdrawn
        self.members: dict[str, wire.Role] = {member.person: member.role for member in members}

    def _set_contents(self, row: Any) -> None:
        self.contents: Contents = state.decode(row.body)
        self.contents.number = row.number
        self.authors: list[str] = msgspec.json.decode(row.authors, type=list[str])

    # Who may do what.

    def role(self, person: str | None) -> wire.Role | None:
        """Return what somebody may do; ``None`` if they may not read it."""
        if person is not None and person == self.owner:
            return "owner"
        if person is not None and person in self.members:
            return self.members[person]
        return "visitor" if self.access != "private" and not self.withdrawn else None

    def check_reads(self, person: str | None) -> wire.Role:
        """Check that somebody may read it, and return what they may do.

        :raises Refusal: if not, as if there were no such study.
        """
        role = None if self._is_gone else self.role(person)
        if role is None:
            raise no_such_study()
        return role

    async def check_writes(self, person: str | None) -> str:
        """Check that somebody may write in it.

        :raises Refusal: if not, or if a moderator has muted them and others read the study.
        """
        if self.check_reads(person) not in ("owner", "writer") or person is None:
            raise Refusal("no_writer", "only the owner and the writers of a study can change it; ask its owner")
        if self.access != "private" or self.members:
            await standing.check_may_write(self._store, person)
        return person

    def check_owns(self, person: str) -> None:
        """Check that somebody is the owner.

        :raises Refusal: if not.
        """
        if self.check_reads(person) != "owner":
            raise Refusal("no_owner", "only the owner of a study can do this")

    def writes(self, person: str | None) -> bool:
        """Return whether somebody sees the solutions of exercises, as those who write do."""
        return self.role(person) in ("owner", "writer")

    # What people see.

    async def told(self, person: str | None) -> wire.Study:
        """Return the study as somebody sees it.

        :raises Refusal: if they may not read it.
        """
        role = self.check_reads(person)
        # Visitors see only who has written it.
        shown = [self.owner, *(one for one, kind in self.members.items() if role != "visitor" or kind == "writer")]
        found = await relations.known(self._store, shown, closed=True)
        members = [
            wire.StudyMember(one.who, one.name, one.account, "owner" if id == self.owner else self.members[id])
            for id in shown
            if (one := found.get(id)) is not None and (id == self.owner or id in self.members)
        ]
        return wire.Study(
            study=self.id,
            title=self.title,
            access=self.access,
            role=role,
            withdrawn=self.withdrawn,
            members=members,
            chapters=[chapter.info for chapter in self.contents.chapters],
            number=self.contents.number,
        )

    def chapter(self, person: str | None, id: int) -> wire.StudyChapter:
        """Return a chapter as somebody sees it: readers find the moves of an exercise.

        :raises Refusal: if there is none.
        """
        found = decide.chapter(self.contents, id)
        return state.told(found, hidden=found.info.mode == "exercise" and not self.writes(person))

    # Changes.

    async def command(self, person: str | None, command: wire.StudyCommand, made: Sequence[wire.NodeMade] = ()) -> int:
        """Carry out a command, and return the number of the last operation.

        :param made: the moves to add, as the core has made them.
        :raises Refusal: if it cannot be done.
        :raises BusyError: if the database does not answer.
        """
        who = await self.check_writes(person)
        return await self._do(who, lambda: decide.decide(self.contents, command, self._author(who), made))

    async def add(self, person: str, drafts: Sequence[Draft]) -> list[int]:
        """Add chapters, and return their numbers.

        :raises Refusal: if there is no room for them.
        :raises BusyError: if the database does not answer.
        """
        await self.check_writes(person)
        for draft in drafts:
            await self._store.add_definition(draft.stored.definition, draft.definition)
        added: list[int] = []

        def add() -> list[Operation]:
            if len(self.contents.chapters) + len(drafts) > wire.MAX_CHAPTERS:
                raise Refusal("too_many", f"a study has at most {wire.MAX_CHAPTERS} chapters; begin another one")
            decide.check_room(self.contents, None, max(len(draft.chapter.nodes) - 1 for draft in drafts))
            decide.check_total(self.contents, sum(len(draft.chapter.nodes) - 1 for draft in drafts))
            added[:] = range(self.contents.next, self.contents.next + len(drafts))
            return [
                Operation(wire.ChapterAdded(_numbered(draft.chapter, id)), draft.stored)
                for id, draft in zip(added, drafts, strict=True)
            ]

        await self._do(person, add)
        return added

    async def entitle(self, person: str, title: str | None, access: wire.Access | None) -> None:
        """Give the study another title or other access.

        :raises Refusal: if the person is not its owner, or a moderator has withdrawn it.
        """
        self.check_owns(person)
        if access is not None and access != "private":
            if self.withdrawn:
                raise Refusal("withdrawn", "a moderator has withdrawn this study; write to the operator of this server")
            await standing.check_may_write(self._store, person)
        change = wire.Titled(title or self.title, access or self.access)
        if (change.title, change.access) != (self.title, self.access):
            await self._do(person, lambda: [Operation(change)], _row("titled", self.id, structs.asdict(change)))
            await self._reread()
            self._publish("people")

    async def forget(self, person: str) -> None:
        """Remove what somebody alone has written in comments, and their name."""
        if person not in self.authors:
            return
        place = self.authors.index(person)
        await self._do(None, lambda: [Operation(wire.Forgotten(place))], forget=person)

    def _author(self, person: str) -> int:
        """Return the number that stands for a person in the contents, also of one who will get it now."""
        return self.authors.index(person) if person in self.authors else len(self.authors)

    async def _do(
        self, person: str | None, make: Callable[[], list[Operation]], *more: Step, forget: str | None = None
    ) -> int:
        async with self._lock:
            for attempt in range(TRIES):
                # Another process may have stored operations whose message is on its way.
                if attempt > 0 or self._bus.shared:
                    await self._catch_up()
                if self._is_gone:
                    raise no_such_study()
                operations = make()
                if not operations:
                    return self.contents.number
                try:
                    await self._store_all(person, operations, more, forget)
                except ConflictError:
                    continue
                return self.contents.number
        raise BusyError

    async def _store_all(
        self, person: str | None, operations: Sequence[Operation], more: Sequence[Step], forget: str | None
    ) -> None:
        """Store operations, change the study, and send them to everybody."""
        first, at = self.contents.number + 1, now()
        contents = state.copied(self.contents)
        authors = [*self.authors]
        steps: list[Step] = []
        hidden = []
        for number, operation in enumerate(operations, first):
            hidden.append(state.is_hidden(operation.change, contents))
            state.apply(contents, number, self._place(authors, person), operation)
            hidden[-1] = hidden[-1] or state.is_hidden(operation.change, contents)
            body = state.encode_operation(operation).decode()
            row = {"study": self.id, "number": number, "person": person, "at": at, "body": body}
            steps.append((NEW_OPERATION, row))
        if forget is not None:
            authors = ["" if one == forget else one for one in authors]
        game = contents.chapters[0].info.name if contents.chapters else ""
        row = {"changed": at, "chapters": len(contents.chapters), "size": state.size(contents), "game": game[:64]}
        steps.append(_row("touched", self.id, row))
        if forget is not None or contents.number // SNAPSHOT > self.contents.number // SNAPSHOT:
            body, names = state.encode(contents).decode(), _encode(authors).decode()
            steps.append(_row("stored", self.id, {"number": contents.number, "body": body, "authors": names}))
            steps.append((OLD, {"_study": self.id, "_number": contents.number - KEPT}))
        await self._store.write(*steps, *more)
        self.contents, self.authors = contents, authors
        self._publish("operation")
        for number, (operation, is_hidden) in enumerate(zip(operations, hidden, strict=True), first):
            self._send(number, operation.change, is_hidden=is_hidden)

    def _place(self, authors: list[str], person: str | None) -> int:
        """Return the number of an author, who gets one if they have none."""
        if person is None:
            return -1
        if person not in authors:
            authors.append(person)
        return authors.index(person)

    def _send(self, number: int, change: wire.StudyChange, *, is_hidden: bool) -> None:
        """Send a change to everybody who has the study open; readers do not see the moves of exercises."""
        text = encode(wire.StudyChanged(number, change))
        for listener in list(self.listeners):
            writes = self.writes(listener.person)
            if isinstance(change, wire.ChapterAdded) and not writes and change.chapter.info.mode == "exercise":
                shown = structs.replace(change.chapter, nodes=change.chapter.nodes[:1], hidden=True)
                listener.send(encode(wire.StudyChanged(number, wire.ChapterAdded(shown))))
            elif writes or not is_hidden:
                listener.send(text)
            if isinstance(change, wire.ChapterChanged) and not writes:
                # It may have become an exercise, or be none any more.
                shown = self.chapter(listener.person, change.chapter)
                listener.send(encode(wire.ChapterSent(shown, number)))

    def _publish(self, what: Any) -> None:
        self._bus.publish(StudyTouched(self._bus.process, self.id, what))

    # What other processes, or other requests, have changed.

    async def catch_up(self) -> None:
        """Read the operations that other processes have stored, and send them."""
        async with self._lock:
            await self._catch_up()

    async def _catch_up(self) -> None:
        row = await self._store.first(ROW, id=self.id)
        if row is None:
            self.close()
            return
        if row.number > self.contents.number:
            self._set_contents(row)
            self.refresh()
        for stored in await self._store.all(OPERATIONS, study=self.id, number=self.contents.number):
            operation = state.decode_operation(stored.body)
            is_hidden = state.is_hidden(operation.change, self.contents)
            state.apply(self.contents, stored.number, self._place(self.authors, stored.person), operation)
            is_hidden = is_hidden or state.is_hidden(operation.change, self.contents)
            self._send(stored.number, operation.change, is_hidden=is_hidden)

    async def reread(self) -> None:
        """Read anew who may do what, and tell everybody who has it open; who may not read it any more is shut out."""
        async with self._lock:
            await self._reread()

    async def _reread(self) -> None:
        row = await self._store.first(ROW, id=self.id)
        if row is None:
            self.close()
            return
        self._set_row(row, await self._store.all(MEMBERS, study=self.id))
        for listener in list(self.listeners):
            try:
                listener.send(encode(await self.told(listener.person)))
            except Refusal:
                listener.disconnect()

    async def people_changed(self) -> None:
        """Tell all processes that somebody may do something else now."""
        await self.reread()
        self._publish("people")

    def refresh(self) -> None:
        """Have everybody connect again, since they may have missed something."""
        for listener in self.listeners:
            listener.disconnect()

    def close(self, *, publish: bool = False) -> None:
        """Shut everybody out of a study that is gone."""
        self._is_gone = True
        self.refresh()
        if publish:
            self._publish("gone")

    # Listeners.

    async def join(self, listener: Listener) -> None:
        """Add a listener, which gets the study and then all changes.

        :raises Refusal: if its person may not read the study.
        """
        async with self._lock:
            text = encode(await self.told(listener.person))
            self.listeners.add(listener)
            listener.send(text)

    def leave(self, listener: Listener) -> None:
        """Remove a listener."""
        self.listeners.discard(listener)
        self.idle_since = now()

    def busy(self) -> bool:
        """Return whether the study is in use."""
        return bool(self.listeners) or self._lock.locked()


def _row(what: str, id: str, values: dict[str, Any]) -> Step:
    return NEW_ROW[what], {"_id": id, **{f"_{name}": value for name, value in values.items()}}


def _numbered(chapter: wire.StudyChapter, id: int) -> wire.StudyChapter:
    return structs.replace(chapter, info=structs.replace(chapter.info, id=id))
