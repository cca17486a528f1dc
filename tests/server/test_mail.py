"""Mails: the outbox, addresses of accounts, and new passwords by mail, with a server of mails of the tests' own."""

from __future__ import annotations

import asyncio
import email
import json
import re
from collections.abc import Callable, Iterator
from email.message import Message
from email.policy import default
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import aiosmtplib
import pytest
from aiosmtpd.controller import Controller
from sqlalchemy import select

from acedrex.cli import main
from acedrex.errors import Error
from acedrex.server import mail as mail_module
from acedrex.server import wire
from acedrex.server.mail import FIRST_RETRY, GIVEN_UP, LEASE, Letter, Outbox, RefusedError, Smtp
from acedrex.server.people import addresses as addresses_module
from acedrex.server.people import letters
from acedrex.server.people.accounts import Accounts
from acedrex.server.people.addresses import CONFIRM_MS, MAX_LINKS, RECOVER_MS, Addresses, clean_address
from acedrex.server.people.passkeys import Passkeys, site_of
from acedrex.server.people.people import People
from acedrex.server.people.sessions import Sessions
from acedrex.server.refusal import Refusal
from acedrex.server.storage.store import BusyError, Store
from acedrex.server.storage.tables import mail_links, outbox
from acedrex.server.time_source import now
from tests.ports import free_port
from tests.server.conftest import Person, Server, alter, anyone
from tests.server.stores import opened
from tests.server.test_accounts import CURRENT, PASSWORD, me, post, renew
from tests.server.test_api import problem
from tests.server.waiting import until, wait_until

HOME = "https://chess.example.org"
LINK = re.compile(r"(\S+)/account#(confirm|recover)=(\S+)")


class Post:
    """A server of mails, which may refuse them."""

    def __init__(self) -> None:
        self.mails: list[Message] = []
        #: What it answers in place of accepting a mail.
        self.refusals: list[str] = []

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:  # noqa: N802 - aiosmtpd's name
        if self.refusals:
            return self.refusals.pop(0)
        self.mails.append(email.message_from_bytes(envelope.content, policy=default))
        return "250 OK"

    def text(self, place: int = -1) -> str:
        return str(self.mails[place].get_content())  # type: ignore[attr-defined]

    def secret(self, purpose: str) -> str:
        """Return the secret of the link in the latest mail."""
        found = LINK.search(self.text())
        assert found is not None and found[2] == purpose, self.text()
        return found[3]


@pytest.fixture
def mailbox() -> Iterator[tuple[Post, str]]:
    """A server of mails, and its URL."""
    here, port = Post(), free_port()
    controller = Controller(here, hostname="127.0.0.1", port=port)
    controller.start()
    yield here, f"smtp://127.0.0.1:{port}"
    controller.stop()


# Over HTTP.


@pytest.fixture
def sending(start: Callable[..., Server], mailbox: tuple[Post, str]) -> Server:
    return start("--origin", HOME, ACEDREX_SMTP_URL=mailbox[1], ACEDREX_MAIL_FROM="chess@example.org")


def signed_up(server: Server, name: str) -> Person:
    person = Person(server)
    answer = person.http.post("/api/me/account", json={"name": name, "password": PASSWORD})
    renew(person, answer.raise_for_status().json()["person"])
    return person


def with_address(person: Person, post: Post, address: str, language: str = "en") -> None:
    """Give an address and confirm it."""
    count = len(post.mails)
    body = {"address": address, "confirmation": {"password": PASSWORD}, "language": language}
    assert person.http.put("/api/me/mail", json=body).status_code == 204
    wait_until(lambda: len(post.mails) > count)
    confirmed = anyone.post(f"{person.server.base}/api/mail/confirmation", json={"secret": post.secret("confirm")})
    assert confirmed.status_code == 200, confirmed.text


def test_an_address_is_confirmed_by_a_link_and_lets_its_owner_back_in(
    sending: Server, mailbox: tuple[Post, str]
) -> None:
    here, _ = mailbox
    person = signed_up(sending, "Ana")
    body = {"address": "Ana@Example.org", "confirmation": {"password": "wrong"}, "language": "fr"}
    problem(person.http.put("/api/me/mail", json=body), 403, "wrong_password")
    body["confirmation"] = {"password": PASSWORD}
    # The link is to the server's own address, whatever a request says.
    headers = {"Host": "localhost", "X-Forwarded-Host": "evil.example"}
    assert person.http.put("/api/me/mail", json=body, headers=headers).status_code == 204
    wait_until(lambda: here.mails)
    assert here.mails[0]["To"] == "ana@example.org" and "Confirmez" in here.mails[0]["Subject"]
    assert f"{HOME}/account#confirm=" in here.text() and "Ana souhaite" in here.text()
    found = person.http.get("/api/me/account").json()
    assert (found["mail"], found["new_mail"]) == (None, "ana@example.org")
    # Before it is confirmed, it is used for nothing.
    assert post(sending, "recovery/mail", who="ana@example.org").status_code == 204
    secret = here.secret("confirm")
    problem(post(sending, "recovery/link", secret=secret, password="found it again"), 403, "wrong_link")
    confirmed = post(sending, "mail/confirmation", secret=secret)
    assert confirmed.json() == {"name": "Ana", "address": "ana@example.org"}
    problem(post(sending, "mail/confirmation", secret=secret), 403, "wrong_link")
    assert person.http.get("/api/me/account").json()["mail"] == "ana@example.org"
    assert post(sending, "recovery/mail", who="ana").status_code == 204
    wait_until(lambda: len(here.mails) == 2)
    assert "Choisissez" in here.mails[1]["Subject"]
    secret = here.secret("recover")
    problem(post(sending, "recovery/link", secret=secret, password="short"), 400, "weak_password")
    answer = post(sending, "recovery/link", secret=secret, password="found it again")
    assert answer.status_code == 201, answer.text
    made = answer.json()
    assert made["person"]["id"] == person.id and me(sending, made["person"]["token"]).status_code == 200
    problem(me(sending, person.token), 401, "unknown_guest")
    problem(post(sending, "recovery/link", secret=secret, password="once more"), 403, "wrong_link")
    assert post(sending, "sessions", name="Ana", password="found it again").status_code == 201
    wait_until(lambda: len(here.mails) == 3)
    assert "votre mot de passe a été changé" in here.text()
    assert sending.end() == 0 and sending.faults() == []
    for text in ("example.org", "Ana", secret):
        assert text not in sending.log.read_text()


def test_asking_for_a_mail_says_nothing_about_names_and_addresses(sending: Server, mailbox: tuple[Post, str]) -> None:
    here, _ = mailbox
    with_address(signed_up(sending, "Bo"), here, "bo@example.org")
    signed_up(sending, "Without")
    asked = ["Bo", "bo@example.org", "Nobody", "nobody@example.org", "Without", "\u0000", "Bo\u0000", "@", "é@é"]
    answers = [post(sending, "recovery/mail", who=who) for who in asked]
    assert {(answer.status_code, answer.text) for answer in answers} == {(204, "")}
    wait_until(lambda: len(here.mails) == 4)
    assert {str(mail["To"]) for mail in here.mails} == {"bo@example.org"}


def test_mails_to_one_address_are_limited_whoever_asks(sending: Server) -> None:
    answers = [post(sending, "recovery/mail", who=who) for who in ("Cleo", "CLEO", "cl-eo", " cleo") * 3]
    assert [answer.status_code for answer in answers].count(204) == 5 + 5 - 2
    problem(answers[-1], 429, "too_fast")


def test_an_address_is_removed_and_the_old_one_is_told(sending: Server, mailbox: tuple[Post, str]) -> None:
    here, _ = mailbox
    person = signed_up(sending, "Dora")
    with_address(person, here, "dora@example.org")
    with_address(person, here, "dora@new.example")
    wait_until(lambda: len(here.mails) == 3)
    assert here.mails[-1]["To"] == "dora@example.org" and "this address was removed" in here.text()
    assert post(sending, "recovery/mail", who="Dora").status_code == 204
    wait_until(lambda: len(here.mails) == 4)
    secret = here.secret("recover")
    problem(person.http.post("/api/me/mail/removal", json={}), 403, "wrong_password")
    assert person.http.post("/api/me/mail/removal", json={"password": PASSWORD}).status_code == 204
    problem(post(sending, "recovery/link", secret=secret, password="found it again"), 403, "wrong_link")
    assert person.http.get("/api/me/account").json()["mail"] is None
    wait_until(lambda: len(here.mails) == 5)
    assert here.mails[-1]["To"] == "dora@new.example"


def test_a_mail_is_sent_after_a_restart(sending: Server, mailbox: tuple[Post, str]) -> None:
    here, _ = mailbox
    here.refusals = ["451 busy"] * 100
    person = signed_up(sending, "Edda")
    body = {"address": "edda@example.org", "confirmation": {"password": PASSWORD}}
    assert person.http.put("/api/me/mail", json=body).status_code == 204
    wait_until(lambda: '"mail_delayed"' in sending.log.read_text())
    sending.kill()
    here.refusals = []
    sending.opened.close()
    alter(sending.environment["ACEDREX_DATABASE_URL"], "UPDATE outbox SET due = 0")
    sending.start()
    wait_until(lambda: here.mails)
    assert "confirm" in here.text()


def test_without_a_server_of_mails_there_are_no_mails(server: Server) -> None:
    assert anyone.get(f"{server.base}/api/accounts").json() == {
        "sign_ups": "open",
        "mail": False,
        "passkeys": "localhost",
    }
    person = signed_up(server, "Flora")
    body = {"address": "a@example.org", "confirmation": {"password": PASSWORD}}
    problem(person.http.put("/api/me/mail", json=body), 409, "no_mail")
    problem(post(server, "recovery/mail", who="Flora"), 409, "no_mail")


@pytest.mark.parametrize(
    "url, sender, said",
    [
        ("http://host", "a@b.c", "ACEDREX_SMTP_URL must be"),
        ("smtp://", "a@b.c", "ACEDREX_SMTP_URL must be"),
        ("smtp://u:secret@host:x", "a@b.c", "ACEDREX_SMTP_URL must be"),
        ("smtp://host", "", "ACEDREX_MAIL_FROM must be"),
        ("smtp://host", "a@b.c\nBcc: d@e.f", "ACEDREX_MAIL_FROM must be"),
        ("smtp://host", "a@b.c", "ACEDREX_SMTP_URL needs --origin"),
    ],
)
def test_settings_that_are_wrong_are_reported_without_the_password(
    url: str, sender: str, said: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("ACEDREX_SMTP_URL", url)
    monkeypatch.setenv("ACEDREX_MAIL_FROM", sender)
    assert main(["serve"]) == 1
    found = capsys.readouterr().err
    assert said in found and "secret" not in found


# The outbox, in one process.


class Carrier:
    """Keeps mails, and fails when it is to."""

    def __init__(self) -> None:
        self.sent: list[tuple[Letter, str]] = []
        self.failures: list[Exception] = []

    async def send(self, letter: Letter, id: str) -> None:
        if self.failures:
            raise self.failures.pop(0)
        await asyncio.sleep(0)
        self.sent.append((letter, id))


def outbox_of(store: Store, carrier: Carrier) -> Outbox:
    one = Outbox(store, carrier)

    async def write(row: Any) -> Letter | None:
        return None if row.about == "nothing" else Letter(row.address, "Subject", row.about)

    one.kinds["test"] = write
    return one


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """A clock that the test sets."""
    time = SimpleNamespace(now=now())
    for module in (mail_module, addresses_module):
        monkeypatch.setattr(module, "now", lambda: time.now)
    return time


async def test_of_several_processes_one_sends_a_mail(store: Store, database: str) -> None:
    carrier = Carrier()
    async with opened(Store(database)) as other:
        boxes = [outbox_of(each, carrier) for each in (store, other, store)]
        for number in range(10):
            await store.write(boxes[0].step("test", "a@example.org", about=str(number)))
        await asyncio.gather(*(box.send_due() for box in boxes))
    assert sorted(letter.text for letter, _ in carrier.sent) == [str(number) for number in range(10)]
    assert await store.all(select(outbox)) == []


async def test_a_mail_that_fails_is_tried_again_later_and_later(store: Store, clock: Any) -> None:
    carrier = Carrier()
    box = outbox_of(store, carrier)
    await store.write(box.step("test", "a@example.org"))
    carrier.failures = [aiosmtplib.SMTPConnectError("no"), TimeoutError(), OSError("no")]
    waits = []
    while not carrier.sent:
        await box.send_due()
        rows = await store.all(select(outbox))
        if rows:
            waits.append(rows[0].due - clock.now)
            assert not await box.send_due(), "not before it is due"
            clock.now = rows[0].due
    assert waits == [FIRST_RETRY, 2 * FIRST_RETRY, 4 * FIRST_RETRY]


async def test_a_mail_is_given_up_after_a_day(
    store: Store, clock: Any, caplog: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    carrier = Carrier()
    box = outbox_of(store, carrier)
    await store.write(box.step("test", "a@example.org"))
    tries = 0
    while rows := await store.all(select(outbox)):
        clock.now = max(clock.now, rows[0].due)
        carrier.failures = [aiosmtplib.SMTPServerDisconnected("a@example.org")]
        await box.send_due()
        tries += 1
    assert GIVEN_UP <= clock.now - now() + 60_000 < GIVEN_UP + 3_700_000 and tries > 20
    assert carrier.sent == []
    said = capsys.readouterr().out
    assert "mail_given_up" in said and "a@example.org" not in said


async def test_a_mail_that_is_refused_for_good_is_not_tried_again(store: Store) -> None:
    carrier = Carrier()
    box = outbox_of(store, carrier)
    await store.write(box.step("test", "a@example.org"))
    carrier.failures = [RefusedError()]
    await box.send_due()
    assert await store.all(select(outbox)) == [] and carrier.sent == []


async def test_a_mail_of_a_process_that_was_killed_is_sent_by_another(store: Store, clock: Any) -> None:
    carrier = Carrier()
    box = outbox_of(store, carrier)
    await store.write(box.step("test", "a@example.org"))

    class Killed(BaseException):
        pass

    carrier.failures = [Killed()]  # type: ignore[list-item]
    with pytest.raises(Killed):
        await box.send_due()
    clock.now += LEASE - 1
    assert not await box.send_due()
    clock.now += 1
    await box.send_due()
    assert len(carrier.sent) == 1


async def test_a_mail_about_what_is_over_is_not_sent(store: Store) -> None:
    carrier = Carrier()
    box = outbox_of(store, carrier)
    await store.write(box.step("test", "a@example.org", about="nothing"))
    await box.send_due()
    assert carrier.sent == [] and await store.all(select(outbox)) == []


async def test_what_fails_unexpectedly_stops_no_other_mail(store: Store) -> None:
    carrier = Carrier()
    box = outbox_of(store, carrier)
    await store.write(box.step("test", "a@example.org", about="first"))
    await store.write(box.step("test", "a@example.org", about="second"))
    carrier.failures = [ValueError("a fault of ours")]
    await box.send_due()
    (left,) = await store.all(select(outbox))
    assert [letter.text for letter, _ in carrier.sent] == [({"first", "second"} - {left.about}).pop()]


async def test_what_is_put_there_is_sent_at_once(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mail_module, "POLL", 1_000.0)
    carrier = Carrier()
    box = outbox_of(store, carrier)
    sending = asyncio.create_task(box.send_forever())
    for number in range(3):
        await store.write(box.step("test", "a@example.org", about=str(number)))
        box.wake()
        await until(lambda count=number: len(carrier.sent) > count)
    sending.cancel()


async def test_smtp_says_which_failures_are_for_good(mailbox: tuple[Post, str]) -> None:
    here, url = mailbox
    smtp = Smtp(url, "chess@example.org")
    here.refusals = ["550 no such user", "451 later"]
    with pytest.raises(RefusedError):
        await smtp.send(Letter("a@example.org", "Sübject", "Text"), "id1")
    with pytest.raises(aiosmtplib.SMTPException):
        await smtp.send(Letter("a@example.org", "Sübject", "Text"), "id1")
    await smtp.send(Letter("a@example.org", "Sübject", "Été"), "id1")
    (mail,) = here.mails
    assert mail["Message-ID"] == "<id1@example.org>" and mail["Subject"] == "Sübject"
    assert mail["Auto-Submitted"] == "auto-generated" and here.text().strip() == "Été"


async def test_a_password_is_not_sent_in_the_clear_over_a_network() -> None:
    smtp = Smtp("smtp://user:p%40ss@mail.example.org:587", "chess@example.org")
    assert smtp._options["start_tls"] is True and smtp._options["password"] == "p@ss"
    assert Smtp("smtps://user:pass@mail.example.org", "chess@example.org")._options["use_tls"] is True
    with pytest.raises(Error):
        Smtp("ftp://mail.example.org", "chess@example.org")


# Addresses, in one process.


@pytest.fixture
async def here(store: Store) -> SimpleNamespace:
    own, carrier = Sessions(store), Carrier()
    accounts = Accounts(store, own, Passkeys(store, site_of([])))
    box = Outbox(store, carrier)  # type: ignore[arg-type]
    guests = People(store, own)
    ana = (await accounts.create(await guests.make("Ana"), wire.NewAccount("Ana", PASSWORD), "")).person
    addresses = Addresses(store, box, accounts, HOME)
    return SimpleNamespace(
        accounts=accounts, addresses=addresses, box=box, carrier=carrier, ana=ana, people=guests, sessions=own
    )


async def secret(here: Any) -> str:
    """Send what is due, and return the secret of the link in the last mail."""
    await here.box.send_due()
    found = LINK.search(here.carrier.sent[-1][0].text)
    assert found is not None
    return found[3]


async def confirmed(here: Any, address: str = "ana@example.org") -> None:
    await here.addresses.set(here.ana.id, address, "en")
    await here.addresses.confirm(await secret(here))


async def test_a_link_for_an_address_is_void_when_another_one_is_wanted(here: Any) -> None:
    await here.addresses.set(here.ana.id, "first@example.org", "en")
    first = await secret(here)
    await here.addresses.set(here.ana.id, "second@example.org", "en")
    with pytest.raises(Refusal, match="not valid any more"):
        await here.addresses.confirm(first)
    assert (await here.addresses.confirm(await secret(here))).address == "second@example.org"


async def test_links_expire(here: Any, clock: Any, store: Store) -> None:
    await here.addresses.set(here.ana.id, "ana@example.org", "en")
    old = await secret(here)
    clock.now += CONFIRM_MS
    with pytest.raises(Refusal, match="not valid any more"):
        await here.addresses.confirm(old)
    await confirmed(here)
    await here.addresses.ask_recovery("Ana")
    old = await secret(here)
    clock.now += RECOVER_MS
    with pytest.raises(Refusal, match="not valid any more"):
        await here.addresses.recover(old, "found it again", "")
    await here.addresses.ask_recovery("Ana")
    await secret(here)
    assert len(await store.all(select(mail_links))) == 1, "expired ones are deleted"


async def test_a_link_for_a_password_works_once_in_all_processes(here: Any, store: Store, database: str) -> None:
    await confirmed(here)
    await here.addresses.ask_recovery("ANA@example.org")
    link = await secret(here)
    async with opened(Store(database)) as other:
        own = Sessions(other)
        there = Addresses(other, Outbox(other, None), Accounts(other, own, Passkeys(other, site_of([]))), HOME)
        tries = [one.recover(link, f"password of {n}", "") for n, one in enumerate((here.addresses, there) * 2)]
        found = await asyncio.gather(*tries, return_exceptions=True)
    assert sum(isinstance(one, wire.AccountCreated) for one in found) == 1
    assert {one.problem.code for one in found if isinstance(one, Refusal)} == {"wrong_link"}


async def test_a_new_password_makes_links_void(here: Any) -> None:
    await confirmed(here)
    await here.addresses.ask_recovery("Ana")
    link = await secret(here)
    await here.accounts.change_password(here.ana, CURRENT, "another password", "")
    with pytest.raises(Refusal, match="not valid any more"):
        await here.addresses.recover(link, "found it again", "")


async def test_an_account_has_only_some_links_at_once(here: Any, store: Store) -> None:
    await confirmed(here)
    for _ in range(MAX_LINKS + 2):
        await here.addresses.ask_recovery("Ana")
        await here.box.send_due()
    assert len(here.carrier.sent) == 1 + MAX_LINKS


async def test_one_mail_has_links_for_all_accounts_of_an_address(here: Any) -> None:
    await confirmed(here)
    guest = await here.people.make("Bo")
    bo = (await here.accounts.create(guest, wire.NewAccount("Bo", PASSWORD), "")).person
    await here.addresses.set(bo.id, "ana@example.org", "en")
    await here.addresses.confirm(await secret(here))
    count = len(here.carrier.sent)
    await here.addresses.ask_recovery("ana@example.org")
    await here.box.send_due()
    (last,) = here.carrier.sent[count:]
    assert len(LINK.findall(last[0].text)) == 2 and "Ana:" in last[0].text and "Bo:" in last[0].text


async def test_the_outbox_has_no_secrets(here: Any, store: Store) -> None:
    await here.addresses.set(here.ana.id, "ana@example.org", "en")
    rows = str(await store.all(select(outbox)))
    link = await secret(here)
    assert link not in rows and link not in str(await store.all(select(mail_links)))


async def test_asking_does_the_same_work_whether_there_is_an_account_or_not(
    here: Any, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    await confirmed(here)
    asked: list[tuple[str, ...]] = []

    async def counted(*steps: Any) -> None:
        asked.append(tuple(str(statement) for statement, _ in steps))

    async def never(*_: Any, **__: Any) -> None:
        raise BusyError

    monkeypatch.setattr(store, "write", counted)
    monkeypatch.setattr(store, "first", never)
    monkeypatch.setattr(store, "all", never)
    for who in ("Ana", "ana@example.org", "Nobody", "nobody@example.org"):
        await here.addresses.ask_recovery(who)
    assert len(asked) == 4 and len(set(asked)) == 1


@pytest.mark.parametrize(
    "text, address",
    [
        (" Ana@Example.ORG ", "ana@example.org"),
        ("a.b+c@mail.example.org", "a.b+c@mail.example.org"),
        ("ana@échecs.example", "ana@xn--checs-9ra.example"),
    ],
)
def test_addresses_are_stored_in_one_form(text: str, address: str) -> None:
    assert clean_address(text) == address


@pytest.mark.parametrize(
    "text",
    [
        "ana",
        "@example.org",
        "ana@",
        "ana@localhost",
        "a b@example.org",
        "ana@example.org\nBcc: bo@example.org",
        "ana@example.org, bo@example.org",
        "<ana@example.org>",
        "ana@exam..ple.org",
        "\u0131ana@example.org",
        "ana@" + "a" * 260 + ".org",
        "a" * 65 + "@example.org",
        "ana@example.org\u0000",
    ],
)
def test_what_is_not_an_address_is_refused(text: str) -> None:
    with pytest.raises(Refusal, match="not an address"):
        clean_address(text)


def test_mails_say_the_same_in_all_languages() -> None:
    keys = {language: set(texts) for language, texts in letters.TEXTS.items()}
    assert keys["en"] == keys["fr"]
    locale = Path(__file__).parents[2] / "web" / "app" / "src" / "locale"
    assert {*keys} == {file.stem for file in locale.glob("*.json")}
    for file in locale.glob("*.json"):
        assert json.loads(file.read_text(encoding="utf-8"))
