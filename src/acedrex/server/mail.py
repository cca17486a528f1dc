"""Mails and what else is sent: an outbox in the database, so that a restart loses none, and the task that sends it.

Each kind of mail is written when it is sent, by a function that may also decide that nothing is to be sent any more.
So the outbox has no secrets, and a mail is about how things are then. Of several processes one sends a mail: the one
that moves the time at which it is due. If that process is killed, another one tries again when that time has come.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection, Sequence
from email.message import EmailMessage
from email.utils import formatdate
from functools import partial
from typing import Any, Protocol
from urllib.parse import unquote, urlsplit

import aiosmtplib
import structlog
from msgspec import Struct
from sqlalchemy import Row, bindparam, delete, insert, select, update

from acedrex.errors import Error
from acedrex.server import ids
from acedrex.server.poll import Poll
from acedrex.server.storage.store import BusyError, Step, Store
from acedrex.server.storage.tables import outbox
from acedrex.server.time_source import now

log = structlog.get_logger()

#: Milliseconds in which a process that sends a mail must be done; after the first failure, and at most, until it is
#: tried again; and after which a mail is given up.
LEASE, FIRST_RETRY, LAST_RETRY, GIVEN_UP = 300_000, 60_000, 3_600_000, 86_400_000
#: Seconds between two looks at what other processes have put there, and that a server of mails may take to answer.
POLL, SMTP_TIMEOUT_S = 5.0, 30
#: Rows that are read at once.
PORTION = 20


class DelayedError(Exception):
    """It cannot be sent now, but may be later."""


#: What happens to mails without a fault of this program.
DELAYS = (aiosmtplib.SMTPException, OSError, TimeoutError, BusyError, DelayedError)

NEW = insert(outbox)
#: Only the process whose update finds the old time sends the mail.
CLAIM = (
    update(outbox)
    .where(outbox.c.id == bindparam("_id"), outbox.c.due == bindparam("_due"))
    .values(due=bindparam("_until"), tries=outbox.c.tries + 1)
)
RETRY = update(outbox).where(outbox.c.id == bindparam("_id")).values(due=bindparam("_due"))
DONE = delete(outbox).where(outbox.c.id == bindparam("_id"))
DUE = (
    select(outbox)
    .where(outbox.c.due <= bindparam("moment"), outbox.c.kind.in_(bindparam("kinds", expanding=True)))
    .order_by(outbox.c.due)
    .limit(PORTION)
)


class Letter(Struct, frozen=True):
    """A mail as it is sent."""

    to: str
    subject: str
    text: str
    #: The URL that stops mails of this kind with one request, without a sign-in (RFC 8058).
    stop: str | None = None


class RefusedError(Exception):
    """The mail will never be accepted: trying again is of no use."""


#: Writes a mail of one kind, or returns ``None`` if it is not to be sent any more.
Write = Callable[[Row[Any]], Awaitable[Letter | None]]
#: Sends what is no mail, and returns the steps to store together with the fact that it was sent.
Send = Callable[[Row[Any]], Awaitable[Sequence[Step]]]


class Carrier(Protocol):
    """What sends a mail."""

    async def send(self, letter: Letter, id: str) -> None:
        """Send a mail; a mail that is sent again has the same id.

        :raises RefusedError: if it will never be accepted.
        """


class Smtp:
    """Sends mails by a server that speaks SMTP."""

    def __init__(self, url: str, sender: str) -> None:
        """Use a server, with the address from which the mails come.

        :raises Error: if the URL is not that of such a server.
        """
        parts = urlsplit(url)
        try:
            port = parts.port
        except ValueError:
            port = -1
        if parts.scheme not in ("smtp", "smtps") or not parts.hostname or port == -1:
            # The URL may have a password in it, so the message does not repeat it.
            raise Error("ACEDREX_SMTP_URL must be smtp://user:password@host:587 or smtps://user:password@host:465")
        if sender.count("@") != 1 or any(c.isspace() for c in sender):
            raise Error("ACEDREX_MAIL_FROM must be an address, such as chess@example.org")
        self._sender = sender
        is_local = parts.hostname in ("localhost", "127.0.0.1", "::1")
        self._options: dict[str, Any] = {
            "hostname": parts.hostname,
            "port": port,
            "use_tls": parts.scheme == "smtps",
            # A password is never sent in the clear over a network; without one, mails are encrypted where possible.
            "start_tls": True if parts.scheme == "smtp" and parts.username and not is_local else None,
            "username": unquote(parts.username) if parts.username else None,
            "password": unquote(parts.password) if parts.password else None,
            "timeout": SMTP_TIMEOUT_S,
        }

    async def send(self, letter: Letter, id: str) -> None:
        """Send a mail."""
        message = EmailMessage()
        message["From"], message["To"], message["Subject"] = self._sender, letter.to, letter.subject
        message["Date"] = formatdate(localtime=False)
        message["Message-ID"] = f"<{id}@{self._sender.partition('@')[2]}>"
        message["Auto-Submitted"] = "auto-generated"
        if letter.stop is not None:
            message["List-Unsubscribe"] = f"<{letter.stop}>"
            message["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
        message.set_content(letter.text)
        try:
            await aiosmtplib.send(message, sender=self._sender, recipients=[letter.to], **self._options)
        except aiosmtplib.SMTPRecipientsRefused as error:
            if all(500 <= one.code < 600 for one in error.recipients):
                raise RefusedError from None
            raise
        except aiosmtplib.SMTPDataError as error:
            if 500 <= error.code < 600:
                raise RefusedError from None
            raise


class Outbox:
    """The mails to send, and what else is sent once."""

    def __init__(self, store: Store, carrier: Carrier | None) -> None:
        """Use a store, and what sends mails, if the server sends any."""
        self._store = store
        self._carrier = carrier
        #: The functions that write mails, and those that send what is no mail, by kind.
        self.kinds: dict[str, Write] = {}
        self.senders: dict[str, Send] = {}
        # Neither waits for the other.
        kinds: list[Collection[str]] = [self.senders, *([self.kinds] if self.is_open else [])]
        self._polls = [Poll(partial(self._send_portion, each), POLL, "sending_failed") for each in kinds]

    @property
    def is_open(self) -> bool:
        """Whether the server sends mails."""
        return self._carrier is not None

    def step(self, kind: str, address: str, person: str | None = None, about: str = "", due: int | None = None) -> Step:
        """Return the step that puts a mail here, for a write with whatever it is about; then call :meth:`wake`.

        :param due: when it is sent, if that is not at once.
        """
        assert kind in self.kinds or kind in self.senders
        moment = now() if due is None else due
        row = {"id": ids.new_id(), "kind": kind, "person": person, "address": address, "about": about}
        return (NEW, {**row, "at": moment, "due": moment, "tries": 0})

    def wake(self) -> None:
        """Send what was put here without waiting for the next look."""
        for poll in self._polls:
            poll.wake()

    async def send_forever(self) -> None:
        """Send what is due, forever."""
        await asyncio.gather(*(poll.run_forever() for poll in self._polls))

    async def send_due(self) -> bool:
        """Send a portion of what is due, and return whether there was any."""
        return await self._send_portion({**self.senders, **({} if self._carrier is None else self.kinds)})

    async def _send_portion(self, kinds: Collection[str]) -> bool:
        # What a newer version has put here waits for that.
        rows = await self._store.all(DUE, moment=now(), kinds=list(kinds))
        for row in rows:
            claim = {"_id": row.id, "_due": row.due, "_until": now() + LEASE}
            if await self._store.change((CLAIM, claim)) == [1]:
                await self._send(row)
        return bool(rows)

    async def _send(self, row: Row[Any]) -> None:
        """Send what is this process's to send; note when it is tried again if that fails."""
        more: Sequence[Step] = ()
        try:
            async with asyncio.timeout(LEASE / 2_000):
                if row.kind in self.senders:
                    more = await self.senders[row.kind](row)
                elif (letter := await self.kinds[row.kind](row)) is not None:
                    assert self._carrier is not None
                    await self._carrier.send(letter, row.id)
                    log.info("mail_sent", kind=row.kind)
        except RefusedError:
            log.warning("mail_refused", kind=row.kind)
        except Exception as error:
            said = {"kind": row.kind, "error": type(error).__name__, "code": getattr(error, "code", None)}
            if not isinstance(error, DELAYS):
                log.error("sending_failed", exc_info=error)
            if now() - row.at < GIVEN_UP:
                log.warning("mail_delayed", **said)
                wait = min(FIRST_RETRY * 2**row.tries, LAST_RETRY)
                await self._store.change((RETRY, {"_id": row.id, "_due": now() + wait}))
                return
            log.error("mail_given_up", **said)
        await self._store.change((DONE, {"_id": row.id}), *more)
