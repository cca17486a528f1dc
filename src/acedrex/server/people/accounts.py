"""Accounts: a guest who has chosen a name and a password can sign in elsewhere, and come back without the browser."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar

from sqlalchemy import bindparam, delete, insert, or_, select, update

from acedrex.server import ids, wire
from acedrex.server.limits.fair_queue import FullError
from acedrex.server.people import passwords
from acedrex.server.people.names import clean_account_name, handle_of
from acedrex.server.people.sessions import Sessions, end_steps
from acedrex.server.refusal import Refusal
from acedrex.server.storage.store import RENAME, ConflictError, Step, Store
from acedrex.server.storage.tables import accounts, codes, people
from acedrex.server.time_source import now

T = TypeVar("T")

#: Passwords that are hashed at once: each needs memory, and a core for some hundredths of a second.
AT_ONCE = 2
#: Passwords that may wait for that or are hashed; those that follow are refused.
MAX_WAITING = 100
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


def wrong_password() -> Refusal:
    """Return the refusal of a name or a password, without telling which was wrong."""
    return Refusal("wrong_password", "wrong name or password", "password")


def wrong_code() -> Refusal:
    """Return the refusal of a code with which a device wants to sign in."""
    return Refusal("wrong_code", "this code is not valid any more; ask the other device for a new one", "code")


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
        self._waiting = 0
        self._recovering = asyncio.Lock()

    async def create(self, person: wire.Person, name: str, password: str, device: str) -> wire.AccountCreated:
        """Make an account of a guest, who keeps everything. The recovery code is never returned again.

        All sessions of the guest end and one begins: their tokens may have been copied, as it was the way to use
        another device.

        :raises Refusal: if the name or the password is not allowed, the name is taken, or there is an account already.
        """
        name = clean_account_name(name)
        if await self.has_account(person.id):
            raise Refusal("has_account", "you have an account already")
        if await self._account(name) is not None:
            raise Refusal("name_taken", "this name is taken; choose another", "name")
        recovery = new_code(RECOVERY_LENGTH)
        row = {
            "person": person.id,
            "handle": handle_of(name),
            "password_hash": await self._new_password(password, name),
            "recovery_hash": code_hash(recovery),
            "at": now(),
        }
        try:
            steps: list[Step] = [(NEW, row), (RENAME, {"_id": person.id, "_name": name})]
            token = await self._sessions.begin_anew(person.id, device, *steps)
        except ConflictError:  # Another request was faster.
            raise Refusal("name_taken", "this name is taken; choose another", "name") from None
        return wire.AccountCreated(wire.Person(person.id, name, account=True, token=token), recovery)

    async def has_account(self, person: str) -> bool:
        """Return whether a person has an account; a cached session may be from before it was made."""
        return await self._store.first(ACCOUNT.where(accounts.c.person == person)) is not None

    async def sign_in(self, name: str, password: str, device: str) -> wire.Person:
        """Begin a session of an account.

        :raises Refusal: if the name or the password is wrong.
        """
        row = await self._account(name)
        if not await self._is_right(password, row) or row is None:
            raise wrong_password()
        found = await self._begin(row.person, device)
        # Changed meanwhile: the sessions that were ended then may not have had this one among them.
        again = await self._account(name)
        if again is None or again.password_hash != row.password_hash:
            await self._store.write(*end_steps(row.person))
            self._sessions.on_ended(row.person)
            raise wrong_password()
        return found

    async def check_password(self, person: wire.Person, password: str) -> None:
        """Check the password of a person before something that only they may do.

        :raises Refusal: if it is wrong, or there is no account.
        """
        row = await self._store.first(ACCOUNT.where(accounts.c.person == person.id))
        if row is None:
            raise Refusal("no_account", "this needs an account; create one first")
        if not await self._is_right(password, row):
            raise wrong_password()

    async def change_password(self, person: wire.Person, current: str, password: str, device: str) -> wire.Person:
        """Change the password of an account; all its sessions end, and one begins.

        :raises Refusal: if the current password is wrong, or the new one is not allowed.
        """
        await self.check_password(person, current)
        stored = await self._new_password(password, person.name)
        step = (NEW_PASSWORD, {"_person": person.id, "_password": stored})
        token = await self._sessions.begin_anew(person.id, device, step)
        return wire.Person(person.id, person.name, account=True, token=token)

    async def new_recovery_code(self, person: wire.Person, password: str) -> wire.RecoveryCode:
        """Return a new recovery code; the earlier one is no longer valid.

        :raises Refusal: if the password is wrong.
        """
        await self.check_password(person, password)
        recovery = new_code(RECOVERY_LENGTH)
        await self._store.write((NEW_RECOVERY, {"_person": person.id, "_recovery": code_hash(recovery)}))
        return wire.RecoveryCode(recovery)

    async def recover(self, name: str, code: str, password: str, device: str) -> wire.AccountCreated:
        """Choose a new password with the recovery code, which is replaced; all sessions end, and one begins.

        :raises Refusal: if the name or the code is wrong, or the password is not allowed.
        """
        # One at a time, so that a code works once.
        async with self._recovering:
            row = await self._account(name)
            if row is None or row.recovery_hash != code_hash(code):
                raise Refusal("wrong_recovery", "wrong name or recovery code", "code")
            stored = await self._new_password(password, row.name)
            recovery = new_code(RECOVERY_LENGTH)
            steps: list[Step] = [
                (NEW_PASSWORD, {"_person": row.person, "_password": stored}),
                (NEW_RECOVERY, {"_person": row.person, "_recovery": code_hash(recovery)}),
            ]
            token = await self._sessions.begin_anew(row.person, device, *steps)
        return wire.AccountCreated(wire.Person(row.person, row.name, account=True, token=token), recovery)

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
            raise wrong_code()
        try:
            # The code makes the session's id, so of two requests at once only one begins a session.
            return await self._begin(row.person, device, key[:12], (USED_CODE, {"_code": key}))
        except ConflictError:
            raise wrong_code() from None

    async def _begin(self, person: str, device: str, id: str | None = None, *steps: Step) -> wire.Person:
        query = (
            select(people.c.name, accounts.c.handle)
            .outerjoin(accounts, accounts.c.person == people.c.id)
            .where(people.c.id == person)
        )
        row = await self._store.first(query)
        if row is None:
            raise wrong_password()  # Deleted meanwhile.
        token = await self._sessions.begin(person, device, id, *steps)
        return wire.Person(person, row.name, account=row.handle is not None, token=token)

    async def _account(self, name: str) -> Any:
        """Return the row of the account with a name, if there is one."""
        return await self._store.first(ACCOUNT.where(accounts.c.handle == handle_of(name)))

    async def _new_password(self, password: str, name: str) -> str:
        """Hash a password that somebody chooses.

        :raises Refusal: if it is not allowed.
        """

        def checked() -> str:
            passwords.check(password, name)
            return passwords.hashed(password)

        return await self._compute(checked)

    async def _is_right(self, password: str, row: Any) -> bool:
        return await self._compute(partial(passwords.is_right, password, None if row is None else row.password_hash))

    async def _compute(self, job: Callable[[], T]) -> T:
        """Run a job in a thread, in turn.

        :raises FullError: if too many wait.
        """
        if self._waiting >= MAX_WAITING:
            raise FullError
        self._waiting += 1
        try:
            async with self._turns:
                return await asyncio.to_thread(job)
        finally:
            self._waiting -= 1


ACCOUNT = select(accounts.c.person, accounts.c.password_hash, accounts.c.recovery_hash, people.c.name).join(
    people, people.c.id == accounts.c.person
)
