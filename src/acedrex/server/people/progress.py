"""What people with accounts have solved, on all their devices together."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import msgspec
from sqlalchemy import bindparam, insert, select, update

from acedrex.server import wire
from acedrex.server.storage.store import BusyError, ConflictError, Store
from acedrex.server.storage.tables import progress

T = TypeVar("T")

#: The most days, games, numbers of one game, puzzles that come back, and rushes that are kept.
MAX_DAYS, MAX_GAMES, MAX_NUMBERS, MAX_RETURNS, MAX_RUSHES = 400, 100, 2_000, 2_000, 400
#: How often it is tried to store what other devices change at the same time.
TRIES = 20

NEW = insert(progress)
#: Only if it is still what was read.
CHANGED = (
    update(progress)
    .where(progress.c.person == bindparam("_person"), progress.c.version == bindparam("_version"))
    .values(body=bindparam("_body"), version=bindparam("_version") + 1)
)


def merged(one: wire.Progress, other: wire.Progress) -> wire.Progress:
    """Return what two devices know together, in any order. Within the limits nothing that was solved is lost."""
    return wire.Progress(
        exercises=_joined(one.exercises, other.exercises, _numbers, MAX_GAMES),
        days=sorted({*one.days, *other.days})[-MAX_DAYS:],
        solved=_joined(one.solved, other.solved, _numbers, MAX_GAMES),
        returns=_joined(one.returns, other.returns, _later, MAX_RETURNS),
        best=_joined(one.best, other.best, max, MAX_RUSHES),
    )


def _joined(one: dict[str, T], other: dict[str, T], join: Callable[[T, T], T], most: int) -> dict[str, T]:
    found = {**one}
    for key, value in other.items():
        if key in found:
            found[key] = join(found[key], value)
        elif len(found) < most:
            found[key] = value
    return found


def _numbers(one: list[int], other: list[int]) -> list[int]:
    return sorted({*one, *other})[:MAX_NUMBERS]


def _later(one: wire.PuzzleReturn, other: wire.PuzzleReturn) -> wire.PuzzleReturn:
    """Return what was decided later; of two decisions at the same time any, but always the same."""

    def order(each: wire.PuzzleReturn) -> tuple[int, bool, int, bool]:
        return each.at, each.due is None, each.due or 0, each.last

    return max(one, other, key=order)


class ProgressStore:
    """The progress of all people."""

    def __init__(self, store: Store) -> None:
        """Use a store."""
        self._store = store

    async def add(self, person: str, more: wire.Progress) -> wire.Progress:
        """Add what a device knows, and return what all devices know.

        :raises BusyError: if too many devices do this at once.
        """
        for _ in range(TRIES):
            row = await self._store.first(select(progress).where(progress.c.person == person))
            before = wire.Progress() if row is None else msgspec.json.decode(row.body, type=wire.Progress)
            after = merged(before, more)
            if row is not None and after == before:
                return after
            body = msgspec.json.encode(after).decode()
            try:
                if row is None:
                    await self._store.write((NEW, {"person": person, "body": body, "version": 0}))
                    return after
                values = {"_person": person, "_version": row.version, "_body": body}
                if await self._store.change((CHANGED, values)) == [1]:
                    return after
            except ConflictError:
                pass  # Another device was faster, so this is added to what it has stored.
        raise BusyError
