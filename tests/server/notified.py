"""People who are notified: their mails, their browsers, and a clock of the tests' own."""

from __future__ import annotations

import base64
import json
import os
import threading
from collections.abc import AsyncIterator, Iterator, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import SimpleNamespace
from typing import Any

import http_ece
import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from sqlalchemy import insert

from acedrex.server import wire
from acedrex.server.bus import Bus
from acedrex.server.mail import Letter, Outbox
from acedrex.server.match.events import Event, MovePlayed, Seated
from acedrex.server.people import hooks, messages, notice_texts, notices, push
from acedrex.server.people.hooks import Hooks
from acedrex.server.people.keys import ServerKeys
from acedrex.server.people.notices import Notices
from acedrex.server.people.push import Pushing
from acedrex.server.people.sessions import Session
from acedrex.server.play import match_notices
from acedrex.server.play.engines import Engines
from acedrex.server.play.match_notices import MatchNotices
from acedrex.server.play.rooms import Rooms
from acedrex.server.storage import cards
from acedrex.server.storage.store import NEW_PERSON, Store
from acedrex.server.storage.tables import accounts, sessions
from tests.server.matches import START, created
from tests.server.stores import store_match
from tests.server.test_mail import Post, mailbox, sending, signed_up, with_address  # noqa: F401 - fixtures

HOME = "https://chess.example.org"
HOUR, MINUTE = 3_600_000, 60_000
THREE_DAYS = wire.Correspondence(3, 0)
SLOWLY = {"kind": "correspondence", "days_per_turn": 3, "reserve_days": 0}
NAMES = {"ana": "Ana", "bo": "Bo", "cleo": "Cleo"}


# A push service of the tests' own.


class Browser:
    """A browser that has subscribed to push messages."""

    def __init__(self, endpoint: str) -> None:
        self.endpoint = endpoint
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._secret = os.urandom(16)

    @property
    def subscription(self) -> dict[str, str]:
        point = self._key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        encode = lambda content: base64.urlsafe_b64encode(content).rstrip(b"=").decode()  # noqa: E731
        return {"endpoint": self.endpoint, "p256dh": encode(point), "auth": encode(self._secret)}

    def read(self, body: bytes) -> dict[str, str]:
        text = http_ece.decrypt(body, private_key=self._key, auth_secret=self._secret, version="aes128gcm")
        found: dict[str, str] = json.loads(text)
        return found


class PushService:
    """A push service, which may refuse messages."""

    def __init__(self) -> None:
        service = self
        self.received: list[tuple[str, dict[str, str], bytes]] = []
        #: What it answers in place of 201.
        self.answers: list[int] = []

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                headers = {name.lower(): value for name, value in self.headers.items()}
                service.received.append((self.path, headers, body))
                self.send_response(service.answers.pop(0) if service.answers else 201)
                self.send_header("Location", f"{service.url}/elsewhere")
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def browser(self, name: str = "1") -> Browser:
        return Browser(f"{self.url}/{name}")

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


@pytest.fixture
def service() -> Iterator[PushService]:
    one = PushService()
    yield one
    one.close()


# In one process, with a clock of the tests' own.


class Carrier:
    """Keeps the mails that it is to send."""

    def __init__(self) -> None:
        self.sent: list[Letter] = []

    async def send(self, letter: Letter, id: str) -> None:
        self.sent.append(letter)


class World:
    """A server's parts that notify people, on a store."""

    def __init__(self, store: Store, carrier: Carrier, service: str, hooks: Sequence[str] = ()) -> None:
        self.store = store
        self.outbox = Outbox(store, carrier)
        self.keys = ServerKeys(store)
        self.notices = Notices(store, self.outbox, self.keys, HOME)
        self.pushing = Pushing(store, self.outbox, self.keys, self.notices, HOME)
        self.pushing.services = (service,)
        self.rooms = Rooms(store, Engines(1), Bus())
        self.hooks = Hooks(self.outbox, hooks, HOME)
        self.match_notices = MatchNotices(self.rooms, self.notices, self.hooks, self.outbox)

    async def run(self) -> None:
        while await self.match_notices.look():
            pass
        while await self.outbox.send_due():
            pass


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    from acedrex.server import mail

    one = SimpleNamespace(now=START)
    for module in (notices, match_notices, mail, push, notice_texts, messages, hooks):
        if hasattr(module, "now"):
            monkeypatch.setattr(module, "now", lambda: one.now)
    return one


class Here(SimpleNamespace):
    """One process, with the people of the tests, who have mails and browsers."""

    world: World
    store: Store
    carrier: Carrier
    service: PushService
    clock: SimpleNamespace
    browsers: dict[str, Browser]

    async def want(self, person: str, **changes: Any) -> None:
        settings = await self.world.notices.settings(person)
        await self.world.notices.set(person, msgspec.structs.replace(settings, **changes))

    async def start(self, *more: Event, id: str = "m", seats: tuple[str, str] = ("ana", "bo"), **changes: Any) -> None:
        """Store a match, by default one that Ana has made and that Bo has joined some time ago."""
        changes = {"time": THREE_DAYS, "opponent": "friend", **changes}
        sitting = [
            Seated(at=START, side=side, person=person, name=NAMES[person])
            for side, person in zip(("white", "black"), seats, strict=True)
            if person
        ]
        await store_match(self.store, id, [created(**changes), *sitting, *more])

    async def go_on(self, *new: Event, id: str = "m") -> None:
        """Store more events of a match."""
        match = await self.world.rooms.load(id)
        assert match is not None
        for event in new:
            match.apply(event)
        await self.store.write(*cards.steps(match, list(new)))

    async def at(self, milliseconds: int) -> None:
        """Look at what is due some milliseconds after the beginning."""
        self.clock.now = START + milliseconds
        await self.world.run()

    def told(self) -> list[tuple[str, str]]:
        """Return who has been told what since the last time, by push messages and by mail."""
        found = [
            (letter.to.partition("@")[0], letter.subject.removesuffix(" · Acedrex")) for letter in self.carrier.sent
        ]
        for path, _, body in self.service.received:
            person = path.strip("/")
            found.append((f"{person}'s browser", self.browsers[person].read(body)["title"]))
        self.carrier.sent.clear()
        self.service.received.clear()
        return sorted(found)


@pytest.fixture
async def here(store: Store, service: PushService, clock: SimpleNamespace) -> AsyncIterator[Here]:
    carrier = Carrier()
    world = World(store, carrier, service.url)
    one = Here(world=world, store=store, carrier=carrier, service=service, clock=clock, browsers={})
    for person, name in NAMES.items():
        await store.write((NEW_PERSON, {"id": person, "name": name, "import_key": person, "at": START}))
        row = {"id": f"s{person}", "person": person, "token_hash": person, "device": "", "at": START, "seen": START}
        await store.write((insert(sessions), row))
        row = {"person": person, "handle": person, "recovery_hash": "", "at": START, "mail": f"{person}@example.org"}
        await store.write((insert(accounts), {**row, "language": "en"}))
    yield one
    await world.rooms.close()


BY_MAIL, BY_PUSH, OFF = wire.Channels(False, True), wire.Channels(True, False), wire.Channels(False, False)


async def by_mail(here: Here, *people: str) -> None:
    """Let some people want mails about everything."""
    for person in people:
        await here.want(person, your_turn=BY_MAIL, time_low=BY_MAIL, challenge=BY_MAIL, reply=BY_MAIL)


async def subscribed(here: Here, person: str) -> Browser:
    browser = here.browsers[person] = here.service.browser(person)
    session = Session(f"s{person}", wire.Person(person, NAMES[person]))
    await here.world.pushing.subscribe(session, wire.NewSubscription(**browser.subscription))
    return browser


def moved(move: str, at: int) -> MovePlayed:
    return MovePlayed(at=START + at, move=move, spent=0)
