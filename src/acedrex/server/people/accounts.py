"""Accounts: a guest who has chosen a name and a password can sign in elsewhere, and come back without the browser."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any, TypeVar

from sqlalchemy import bindparam, delete, insert, or_, select, update

from acedrex.server import wire
from acedrex.server.limits.fair_queue import FullError
from acedrex.server.people import invitations, passwords
from acedrex.server.people.codes import code_hash, new_code
from acedrex.server.people.names import clean_account_name, clean_text, handle_of
from acedrex.server.people.passkeys import SIGN_IN, Passkeys, wrong_passkey
from acedrex.server.people.sessions import Sessions, end_steps
from acedrex.server.refusal import Refusal
from acedrex.server.storage.store import RENAME, ConflictError, Step, Store
from acedrex.server.storage.tables import accounts, codes, mail_links, people
from acedrex.server.time_source import now

T = TypeVar("T")

#: Passwords that are hashed at once: each needs memory, and a core for some hundredths of a second.
AT_ONCE = 2
#: Passwords that may wait for that or are hashed; those that follow are refused.
MAX_WAITING = 100
#: The numbers of letters of codes; milliseconds that a code for signing in is valid.
RECOVERY_LENGTH, SIGN_IN_LENGTH, SIGN_IN_MS = 24, 8, 5 * 60_000

NEW = insert(accounts)
NEW_PASSWORD = (
    update(accounts).where(accounts.c.person == bindparam("_person")).values(password_hash=bindparam("_password"))
)
NEW_RECOVERY = (
    update(accounts).where(accounts.c.person == bindparam("_person")).values(recovery_hash=bindparam("_recovery"))
)
END_LINKS = delete(mail_links).where(mail_links.c.person == bindparam("_person"), mail_links.c.purpose == "recover")
NEW_CODE = insert(codes)
OLD_CODES = delete(codes).where(or_(codes.c.person == bindparam("_person"), codes.c.until < bindparam("_now")))
USED_CODE = delete(codes).where(codes.c.code_hash == bindparam("_code"))


def wrong_password() -> Refusal:
    """Return the refusal of a name or a password, without telling which was wrong."""
    return Refusal("wrong_password", "wrong name or password", "password")


def name_taken() -> Refusal:
    """Return the refusal of a name that another account has."""
    return Refusal("name_taken", "this name is taken; choose another", "name")


def wrong_recovery() -> Refusal:
    """Return the refusal of a name or a recovery code, without telling which was wrong."""
    return Refusal("wrong_recovery", "wrong name or recovery code", "code")


async def _no_notice(_: str, __: str) -> list[Step]:
    return []


def wrong_code() -> Refusal:
    """Return the refusal of a code with which a device wants to sign in."""
    return Refusal("wrong_code", "this code is not valid any more; ask the other device for a new one", "code")


class Accounts:
    """The accounts of all people."""

    def __init__(self, store: Store, sessions: Sessions, passkeys: Passkeys, sign_ups: wire.SignUps = "open") -> None:
        """Use a store.

        :param sign_ups: who can make an account.
        """
        self._store = store
        self._sessions = sessions
        self._passkeys = passkeys
        self.sign_ups = sign_ups
        self._turns = asyncio.Semaphore(AT_ONCE)
        self._waiting = 0
        #: Returns the steps that tell somebody by mail what has changed about the account.
        self.notice: Callable[[str, str], Awaitable[list[Step]]] = _no_notice

    async def create(self, person: wire.Person, new: wire.NewAccount, device: str) -> wire.AccountCreated:
        """Make an account of a guest, who keeps everything. The recovery code is never returned again.

        All sessions of the guest end and one begins: their tokens may have been copied, as it was the way to use
        another device.

        :raises Refusal: if nobody may make an account or the invitation is not valid, the name, the password or the
            passkey is not allowed, the name is taken, or there is an account already.
        """
        name, invitation = await self.check_new(person, new.name, new.invitation)
        if new.password is None and new.passkey is None:
            raise Refusal("invalid", "an account needs a password or a passkey", "password")
        recovery = new_code(RECOVERY_LENGTH)
        row = {
            "person": person.id,
            "handle": handle_of(name),
            "password_hash": None if new.password is None else await self._new_password(new.password, name),
            "recovery_hash": code_hash(recovery),
            "at": now(),
            "invitation_hash": invitation,
        }
        steps: list[Step] = [(NEW, row), (RENAME, {"_id": person.id, "_name": name})]
        if new.passkey is not None:
            called = clean_text(new.passkey.name)
            steps.append(await self._passkeys.new_step(person.id, new.passkey, called, "new_passkey"))
        if invitation is not None:
            steps.append(invitations.used(invitation))
        try:
            token = await self._sessions.begin_anew(person.id, device, *steps)
        except ConflictError:  # Another request was faster.
            if invitation is not None and await self._account(name) is None:
                raise invitations.wrong_invitation() from None
            raise name_taken() from None
        return wire.AccountCreated(wire.Person(person.id, name, account=True, token=token), recovery)

    async def check_new(self, person: wire.Person, name: str, invitation: str | None) -> tuple[str, str | None]:
        """Return the cleaned name of an account that a guest may make, and the hash of the invitation if one is needed.

        :raises Refusal: if nobody may make an account, the invitation is not valid, the name is not allowed or taken,
            or there is an account already.
        """
        if self.sign_ups == "closed":
            raise Refusal("sign_ups_closed", "nobody can create an account on this server at the moment")
        name = clean_account_name(name)
        if await self.has_account(person.id):
            raise Refusal("has_account", "you have an account already")
        key = await invitations.check(self._store, invitation) if self.sign_ups == "invitation" else None
        if await self._account(name) is not None:
            raise name_taken()
        return name, key

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
        found = await self._begin(row.person, device, wrong_password())
        # Changed meanwhile: the sessions that were ended then may not have had this one among them.
        again = await self._account(name)
        if again is None or again.password_hash != row.password_hash:
            await self._end_all(row.person)
            raise wrong_password()
        return found

    async def sign_in_with_passkey(self, proof: wire.PasskeyProof, device: str) -> wire.Person:
        """Begin a session of the account whose passkey has signed a challenge for that.

        :raises Refusal: if it is not valid.
        """
        row = await self._passkeys.check(proof, SIGN_IN)
        found = await self._begin(row.person, device, wrong_passkey())
        if not await self._passkeys.is_there(row.id):  # Removed meanwhile, as above.
            await self._end_all(row.person)
            raise wrong_passkey()
        return found

    async def _end_all(self, person: str) -> None:
        await self._store.write(*end_steps(person))
        self._sessions.on_ended(person)

    async def confirm(
        self, person: wire.Person, by: wire.Confirmation | wire.Deletion, purpose: wire.PasskeyUse
    ) -> None:
        """Check that it is the owner of an account who wants something, by the password or a passkey.

        :raises Refusal: if that is wrong, or there is no account.
        """
        row = await self._store.first(ACCOUNT.where(accounts.c.person == person.id))
        if row is None:
            raise Refusal("no_account", "this needs an account; create one first")
        if by.passkey is not None:
            await self._passkeys.check(by.passkey, purpose, person.id)
        elif not await self._is_right(by.password or "", row):
            raise wrong_password()

    async def change_password(
        self, person: wire.Person, current: wire.Confirmation, password: str, device: str
    ) -> wire.Person:
        """Change the password of an account; all its sessions end, and one begins.

        :raises Refusal: if the confirmation is wrong, or the new password is not allowed.
        """
        await self.confirm(person, current, "password")
        stored = await self._new_password(password, person.name)
        steps = await self._password_steps(person.id, stored)
        token = await self._sessions.begin_anew(person.id, device, *steps)
        return wire.Person(person.id, person.name, account=True, token=token)

    async def _password_steps(self, person: str, stored: str) -> list[Step]:
        """Return the steps of a new password; links in mails that would set another one are void."""
        changed = (NEW_PASSWORD, {"_person": person, "_password": stored})
        return [changed, (END_LINKS, {"_person": person}), *await self.notice(person, "password")]

    async def new_recovery_code(self, person: wire.Person, by: wire.Confirmation) -> wire.RecoveryCode:
        """Return a new recovery code; the earlier one is no longer valid.

        :raises Refusal: if the confirmation is wrong.
        """
        await self.confirm(person, by, "recovery")
        recovery = new_code(RECOVERY_LENGTH)
        step = (NEW_RECOVERY, {"_person": person.id, "_recovery": code_hash(recovery)})
        await self._store.write(step, *await self.notice(person.id, "recovery"))
        return wire.RecoveryCode(recovery)

    async def recover(self, name: str, code: str, password: str, device: str) -> wire.AccountCreated:
        """Choose a new password with the recovery code, which is replaced; all sessions end, and one begins.

        :raises Refusal: if the name or the code is wrong, or the password is not allowed.
        """
        row, key = await self._account(name), code_hash(code)
        if row is None or row.recovery_hash != key:
            raise wrong_recovery()
        return await self.reset(row, password, device, key, wrong_recovery())

    async def reset(self, row: Any, password: str, device: str, key: str, used: Refusal) -> wire.AccountCreated:
        """Choose a new password for an account; all sessions end, and one begins.

        :param row: the account's person and name.
        :param key: the hash of what allows it, which works once.
        :raises Refusal: ``used`` if that was used meanwhile; if the password is not allowed.
        """
        stored = await self._new_password(password, row.name)
        recovery = new_code(RECOVERY_LENGTH)
        changes: list[Step] = [
            (NEW_RECOVERY, {"_person": row.person, "_recovery": code_hash(recovery)}),
            *await self._password_steps(row.person, stored),
        ]
        try:
            # The key makes the session's id, so of two requests at once only one changes anything.
            token = await self._sessions.begin_anew(row.person, device, *changes, id=key[:12])
        except ConflictError:
            raise used from None
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
            return await self._begin(row.person, device, wrong_code(), key[:12], (USED_CODE, {"_code": key}))
        except ConflictError:
            raise wrong_code() from None

    async def methods(self, person: wire.Person) -> wire.SignInMethods:
        """Return how a person signs in, and where mails go.

        :raises Refusal: if there is no account.
        """
        columns = (accounts.c.password_hash, accounts.c.mail, accounts.c.new_mail)
        row = await self._store.first(select(*columns).where(accounts.c.person == person.id))
        if row is None:
            raise Refusal("no_account", "this needs an account; create one first")
        keys = await self._passkeys.of(person.id)
        return wire.SignInMethods(row.password_hash is not None, keys, row.mail, row.new_mail)

    async def _begin(self, person: str, device: str, gone: Refusal, id: str | None = None, *steps: Step) -> wire.Person:
        query = (
            select(people.c.name, accounts.c.handle)
            .outerjoin(accounts, accounts.c.person == people.c.id)
            .where(people.c.id == person)
        )
        row = await self._store.first(query)
        if row is None:
            raise gone  # Deleted meanwhile.
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
