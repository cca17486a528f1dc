"""Addresses for mails: they are confirmed before they are used, and let their owners back into an account."""

from __future__ import annotations

import re
from typing import Any

from sqlalchemy import bindparam, delete, func, insert, select, update

from acedrex.server import ids, wire
from acedrex.server.mail import Letter, Outbox
from acedrex.server.people import letters
from acedrex.server.people.accounts import Accounts
from acedrex.server.people.names import handle_of, printed
from acedrex.server.refusal import Refusal
from acedrex.server.storage.store import Step, Store
from acedrex.server.storage.tables import accounts, mail_links, people
from acedrex.server.time_source import now

#: Milliseconds that links are valid: to confirm an address, and to choose a new password.
CONFIRM_MS, RECOVER_MS = 24 * 3_600_000, 3_600_000
#: The most links for new passwords of an account that are valid, and the most accounts that one mail is about.
MAX_LINKS, MAX_ACCOUNTS = 3, 5

NEW_LINK = insert(mail_links)
OLD_LINKS = delete(mail_links).where(mail_links.c.until <= bindparam("_now"))
USED_LINK = delete(mail_links).where(mail_links.c.link_hash == bindparam("_link"))
LINKS_OF = delete(mail_links).where(mail_links.c.person == bindparam("_person"))
LANGUAGE_AND_NEW = (
    update(accounts)
    .where(accounts.c.person == bindparam("_person"))
    .values(new_mail=bindparam("_address"), language=bindparam("_language"))
)
#: Only if it is still the address that the person wants.
CONFIRMED = (
    update(accounts)
    .where(accounts.c.person == bindparam("_person"), accounts.c.new_mail == bindparam("_address"))
    .values(mail=bindparam("_address"), new_mail=None)
)
REMOVED = update(accounts).where(accounts.c.person == bindparam("_person")).values(mail=None, new_mail=None)
ACCOUNT = select(accounts.c.person, accounts.c.mail, accounts.c.new_mail, accounts.c.language, people.c.name).join(
    people, people.c.id == accounts.c.person
)
ADDRESS = re.compile(r"[a-z0-9!#$%&'*+/=?^_`{|}~.-]{1,64}@([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}")


def clean_address(text: str) -> str:
    """Return an address as it is stored: in small letters, with the domain as the network knows it.

    :raises Refusal: if it is not an address.
    """
    local, _, domain = text.strip().lower().rpartition("@")
    try:
        address = f"{local}@{domain.encode('idna').decode()}"
    except UnicodeError:
        address = ""
    if not ADDRESS.fullmatch(address) or len(address) > 254:
        raise Refusal("invalid", "this is not an address for mails, such as ana@example.org", "address")
    return address


def wrong_link() -> Refusal:
    """Return the refusal of a link that is unknown, used or expired."""
    return Refusal("wrong_link", "this link is not valid any more; ask for a new one", "secret")


class Addresses:
    """The addresses of all accounts, and what is sent there about them."""

    def __init__(self, store: Store, outbox: Outbox, accounts: Accounts, home: str) -> None:
        """Use a store.

        :param home: the address of the server's front page, without a slash at the end.
        """
        self._store = store
        self._outbox = outbox
        self._accounts = accounts
        self._home = home
        outbox.kinds |= {"confirm": self._confirm, "recover": self._recover, "notice": self._notice}
        accounts.notice = self.notice_steps

    def check_open(self) -> None:
        """Check that the server sends mails.

        :raises Refusal: if it does not.
        """
        if not self._outbox.is_open:
            raise Refusal("no_mail", "this server sends no mails")

    async def set(self, person: str, address: str, language: wire.Language) -> None:
        """Send a link to an address, with which its owner confirms that the person may use it.

        :param address: one that was cleaned.
        """
        self.check_open()
        values = {"_person": person, "_address": address, "_language": language}
        await self._store.write((LANGUAGE_AND_NEW, values), self._outbox.step("confirm", address, person))
        self._outbox.wake()

    async def confirm(self, secret: str) -> wire.ConfirmedAddress:
        """Use a link that confirms an address.

        :raises Refusal: if it is not valid any more, or the person wants another address by now.
        """
        link = await self._link(secret, "confirm")
        row = await self._store.first(ACCOUNT.where(accounts.c.person == link.person))
        used = (USED_LINK, {"_link": link.link_hash})
        confirmed = (CONFIRMED, {"_person": link.person, "_address": link.address})
        if row is None or await self._store.change(used, confirmed) != [1, 1]:
            raise wrong_link()
        if row.mail is not None and row.mail != link.address:
            await self._store.write(self._notice_step(row, "address"))
            self._outbox.wake()
        return wire.ConfirmedAddress(row.name, link.address)

    async def remove(self, person: str) -> None:
        """Remove the address of an account; links that were sent there are void."""
        steps: list[Step] = [(REMOVED, {"_person": person}), (LINKS_OF, {"_person": person})]
        await self._store.write(*await self.notice_steps(person, "address"), *steps)

    async def ask_recovery(self, who: str) -> None:
        """Send a link for a new password to the address of an account, if there is one.

        Whether there is one is looked up when the mail is sent, so that nobody learns it from how long this takes.

        :param who: a name, or an address.
        """
        self.check_open()
        await self._store.write(self._outbox.step("recover", printed(who)))
        self._outbox.wake()

    async def recover(self, secret: str, password: str, device: str) -> wire.AccountCreated:
        """Choose a new password with a link; all sessions end, and one begins.

        :raises Refusal: if the link is not valid any more, or the password is not allowed.
        """
        link = await self._link(secret, "recover")
        row = await self._store.first(ACCOUNT.where(accounts.c.person == link.person, accounts.c.mail == link.address))
        if row is None:
            raise wrong_link()
        return await self._accounts.reset(row, password, device, link.link_hash, wrong_link())

    async def notice_steps(self, person: str, what: str) -> list[Step]:
        """Return the step that tells a person by mail what has changed, if the account has an address."""
        row = await self._store.first(ACCOUNT.where(accounts.c.person == person))
        if row is None or row.mail is None or not self._outbox.is_open:
            return []
        return [self._notice_step(row, what)]

    def _notice_step(self, row: Any, what: str) -> Step:
        return self._outbox.step("notice", row.mail, row.person, what)

    async def _link(self, secret: str, purpose: str) -> Any:
        """Return the row of a link that is valid.

        :raises Refusal: if there is none.
        """
        query = select(mail_links).where(
            mail_links.c.link_hash == ids.hashed(secret), mail_links.c.purpose == purpose, mail_links.c.until > now()
        )
        row = await self._store.first(query)
        if row is None:
            raise wrong_link()
        return row

    # What the mails say.

    async def _confirm(self, mail: Any) -> Letter | None:
        row = await self._store.first(ACCOUNT.where(accounts.c.person == mail.person))
        if row is None or row.new_mail != mail.address:
            return None  # The person wants another address by now.
        link = await self._new_link(row.person, "confirm", mail.address, CONFIRM_MS)
        return letters.confirm(row.language, mail.address, row.name, link, self._home)

    async def _recover(self, mail: Any) -> Letter | None:
        who = mail.address
        whose = accounts.c.mail == who.lower() if "@" in who else accounts.c.handle == handle_of(who)
        rows = await self._store.all(ACCOUNT.where(whose, accounts.c.mail.is_not(None)).limit(MAX_ACCOUNTS))
        links = []
        for row in rows:
            valid = select(func.count()).where(mail_links.c.person == row.person, mail_links.c.purpose == "recover")
            count = await self._store.first(valid.where(mail_links.c.until > now()))
            if count is not None and count[0] < MAX_LINKS:
                links.append((row.name, await self._new_link(row.person, "recover", row.mail, RECOVER_MS)))
        return letters.recover(rows[0].language, rows[0].mail, links, self._home) if links else None

    async def _notice(self, mail: Any) -> Letter | None:
        row = await self._store.first(ACCOUNT.where(accounts.c.person == mail.person))
        return row and letters.notice(row.language, mail.address, row.name, mail.about, self._home)

    async def _new_link(self, person: str, purpose: str, address: str, valid: int) -> str:
        """Return a new link. Its secret is behind the `#`, which browsers send to no server."""
        secret = ids.new_secret()
        row = {"link_hash": ids.hashed(secret), "person": person, "purpose": purpose, "address": address}
        await self._store.write((OLD_LINKS, {"_now": now()}), (NEW_LINK, {**row, "until": now() + valid}))
        return f"{self._home}/account#{purpose}={secret}"
