"""Accounts: a guest who has chosen a name and a password can sign in elsewhere, and come back without the browser."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from functools import partial
from typing import TypeVar

from sqlalchemy import Row, bindparam, delete, insert, or_, select, update

from acedrex.server import ids, wire
from acedrex.server.people import passwords
from acedrex.server.people.names import clean_account_name, handle_of
from acedrex.server.people.sessions import Sessions
from acedrex.server.refusal import Refusal
from acedrex.server.storage.store import RENAME, ConflictError, Step, Store
from acedrex.server.storage.tables import accounts, codes, people
from acedrex.server.time_source import now

T = TypeVar("T")

#: Passwords that are hashed at once: each needs memory, and a core for some hundredths of a second.
AT_ONCE = 2
#: Letters of codes, without those that look alike, and the numbers of letters; milliseconds that a code for signing in
#: is valid.
LETTERS = "23456789ABCDEFGHJKMNPQRSTVWXYZ"
RECOVERY_LENGTH, SIGN_IN_LENGTH, SIGN_IN_MS = 20, 8, 5 * 60_000

NEW = insert(accounts)
NEW_PASSWORD = (
    update(accounts).where(accounts.c.person == bindparam("_person")).values(password_hash=bindparam("_password"))
)
NEW_RECOVERY = (
    update(accounts).where(accounts.c.person == bindparam("_person")).values(recovery_hash=bindparam("_recovery"))
)
NEW_CODE = insert(codes)
OLD_CODES = delete(codes).where(or_(codes.c.person == bindparam("_person"), codes.c.until < bindparam("_now")))
USED_CODE = delete(codes).where(codes.c.code_hash == bindparam("_code"))

WRONG = Refusal("wrong_password", "wrong name or password", "password")
WRONG_CODE = Refusal("wrong_code", "this code is not valid any more; ask the other device for a new one", "code")


def new_code(length: int) -> str:
    """Return a random code for people to read and to type, in groups of four."""
    letters = "".join(LETTERS[ids.random_below(len(LETTERS))] for _ in range(length))
    return "-".join(re.findall("....", letters))


def code_hash(code: str) -> str:
    """Return the hash of a code, however it was typed."""
    return ids.hashed(re.sub(r"[\s-]", "", code).upper())


class Accounts:
    """The accounts of all people."""

    def __init__(self, store: Store, sessions: Sessions) -> None:
        """Use a store."""
        self._store = store
        self._sessions = sessions
        self._turns = asyncio.Semaphore(AT_ONCE)

    async def create(self, person: wire.Person, name: str, password: str) -> wire.AccountCreated:
        """Make an account of a guest, who keeps everything. The recovery code is never returned again.

        :raises Refusal: if the name or the password is not allowed, the name is taken, or there is an account already.
        """
        name = clean_account_name(name)
        passwords.check(password, name)
        if person.account:
            raise Refusal("has_account", "you have an account already")
        if await self._account(handle_of(name)) is not None:
            raise Refusal("name_taken", "this name is taken; choose another", "name")
        recovery = new_code(RECOVERY_LENGTH)
        row = {
            "person": person.id,
            "handle": handle_of(name),
            "password_hash": await self._compute(partial(passwords.hashed, password)),
            "recovery_hash": code_hash(recovery),
            "at": now(),
        }
        try:
            await self._store.write((NEW, row), (RENAME, {"_id": person.id, "_name": name}))
        except ConflictError:  # Another request was faster.
            raise Refusal("name_taken", "this name is taken; choose another", "name") from None
        self._sessions.forget(person.id)
        return wire.AccountCreated(wire.Person(person.id, name, account=True), recovery)

    async def sign_in(self, name: str, password: str, device: str) -> wire.Person:
        """Begin a session of an account.

        :raises Refusal: if the name or the password is wrong.
        """
        row = await self._account(handle_of(name))
        if not await self._is_right(password, row) or row is None:
            raise WRONG
        return await self._begin(row.person, device)

    async def check_password(self, person: wire.Person, password: str) -> None:
        """Check the password of a person before something that only they may do.

        :raises Refusal: if it is wrong, or there is no account.
        """
        row = await self._store.first(ACCOUNT.where(accounts.c.person == person.id))
        if row is None:
            raise Refusal("no_account", "this needs an account; create one first")
        if not await self._is_right(password, row):
            raise WRONG

    async def change_password(self, session: str, person: wire.Person, current: str, password: str) -> None:
        """Change the password of an account, and end all its sessions but this one.

        :raises Refusal: if the current password is wrong, or the new one is not allowed.
        """
        await self.check_password(person, current)
        passwords.check(password, person.name)
        stored = await self._compute(partial(passwords.hashed, password))
        await self._store.write((NEW_PASSWORD, {"_person": person.id, "_password": stored}))
        await self._sessions.end_others(person.id, session)

    async def new_recovery_code(self, person: wire.Person, password: str) -> wire.RecoveryCode:
        """Return a new recovery code; the earlier one is no longer valid.

        :raises Refusal: if the password is wrong.
        """
        await self.check_password(person, password)
        recovery = new_code(RECOVERY_LENGTH)
        await self._store.write((NEW_RECOVERY, {"_person": person.id, "_recovery": code_hash(recovery)}))
        return wire.RecoveryCode(recovery)

    async def recover(self, name: str, code: str, password: str, device: str) -> wire.AccountCreated:
        """Choose a new password with the recovery code, which is replaced, and end all sessions.

        :raises Refusal: if the name or the code is wrong, or the password is not allowed.
        """
        row = await self._account(handle_of(name))
        if row is None or row.recovery_hash != code_hash(code):
            raise Refusal("wrong_code", "wrong name or recovery code", "code")
        passwords.check(password, name)
        recovery = new_code(RECOVERY_LENGTH)
        stored = await self._compute(partial(passwords.hashed, password))
        await self._store.write(
            (NEW_PASSWORD, {"_person": row.person, "_password": stored}),
            (NEW_RECOVERY, {"_person": row.person, "_recovery": code_hash(recovery)}),
        )
        await self._sessions.end_others(row.person, "")
        return wire.AccountCreated(await self._begin(row.person, device), recovery)

    async def sign_in_code(self, person: wire.Person) -> wire.SignInCode:
        """Return a code with which another device can sign in once, for some minutes; earlier ones are void."""
        code, until = new_code(SIGN_IN_LENGTH), now() + SIGN_IN_MS
        await self._store.write(
            (OLD_CODES, {"_person": person.id, "_now": now()}),
            (NEW_CODE, {"code_hash": code_hash(code), "person": person.id, "until": until}),
        )
        return wire.SignInCode(code, until)

    async def sign_in_with_code(self, code: str, device: str) -> wire.Person:
        """Begin a session with a code that another device shows.

        :raises Refusal: if there is no such code, or no longer.
        """
        key = code_hash(code)
        row = await self._store.first(select(codes).where(codes.c.code_hash == key, codes.c.until > now()))
        if row is None:
            raise WRONG_CODE
        try:
            # The code makes the session's id, so of two requests at once only one begins a session.
            return await self._begin(row.person, device, key[:12], (USED_CODE, {"_code": key}))
        except ConflictError:
            raise WRONG_CODE from None

    async def _begin(self, person: str, device: str, id: str | None = None, *steps: Step) -> wire.Person:
        query = (
            select(people.c.name, accounts.c.handle)
            .outerjoin(accounts, accounts.c.person == people.c.id)
            .where(people.c.id == person)
        )
        row = await self._store.first(query)
        if row is None:
            raise WRONG  # Deleted meanwhile.
        token = await self._sessions.begin(person, device, id, *steps)
        return wire.Person(person, row.name, account=row.handle is not None, token=token)

    async def _account(self, handle: str) -> Row[tuple[str, str, str]] | None:
        return await self._store.first(ACCOUNT.where(accounts.c.handle == handle))

    async def _is_right(self, password: str, row: Row[tuple[str, str, str]] | None) -> bool:
        return await self._compute(partial(passwords.is_right, password, None if row is None else row.password_hash))

    async def _compute(self, job: Callable[[], T]) -> T:
        async with self._turns:
            return await asyncio.to_thread(job)


ACCOUNT = select(accounts.c.person, accounts.c.password_hash, accounts.c.recovery_hash)
