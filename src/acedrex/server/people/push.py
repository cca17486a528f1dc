"""Push messages: where browsers receive them, and how they are sent, encrypted and signed (RFC 8291 and 8292)."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import msgspec
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from sqlalchemy import bindparam, delete, select, text

from acedrex.server import ids, wire
from acedrex.server.mail import DelayedError, Outbox, RefusedError
from acedrex.server.people import notice_texts
from acedrex.server.people.keys import ServerKeys
from acedrex.server.people.notice_texts import Notice
from acedrex.server.people.notices import Notices
from acedrex.server.people.sessions import Session
from acedrex.server.refusal import Refusal
from acedrex.server.storage.store import Step, Store
from acedrex.server.storage.tables import push_subscriptions
from acedrex.server.time_source import now

if TYPE_CHECKING:
    from requests import Response

#: The push services of browsers; those with a dot in front have hosts below that name. The server sends requests to no
#: others, since an endpoint is any URL that somebody likes.
SERVICES = ("fcm.googleapis.com", ".push.services.mozilla.com", ".push.apple.com", ".notify.windows.com")
#: Seconds that a push service may take to answer, and for which it keeps a message.
PUSH_TIMEOUT_S, KEPT_S = 15, 86_400
#: Answers of a push service that has no such subscription any more.
GONE = (404, 410)
#: The most browsers of a person.
MAX_BROWSERS = 20

#: SQLite and PostgreSQL share this syntax. A browser has one subscription, of whoever was signed in last.
SUBSCRIBE = text(
    "INSERT INTO push_subscriptions (id, person, session, endpoint, p256dh, auth_secret, language, at) "
    "VALUES (:id, :person, :session, :endpoint, :p256dh, :auth_secret, :language, :at) ON CONFLICT (id) DO UPDATE SET "
    "person = excluded.person, session = excluded.session, p256dh = excluded.p256dh, "
    "auth_secret = excluded.auth_secret, language = excluded.language"
)
UNSUBSCRIBE = delete(push_subscriptions).where(push_subscriptions.c.session == bindparam("_session"))
OTHERS = delete(push_subscriptions).where(
    push_subscriptions.c.session == bindparam("_session"), push_subscriptions.c.id != bindparam("_kept")
)
REMOVE = delete(push_subscriptions).where(push_subscriptions.c.id == bindparam("_id"))
_read = msgspec.json.Decoder(Notice).decode


class Pushing:
    """The push messages of the server."""

    def __init__(self, store: Store, outbox: Outbox, keys: ServerKeys, notices: Notices, contact: str) -> None:
        """Use a store, an outbox and keys.

        :param contact: where push services reach the operator, a `mailto:` or `https:` URL.
        """
        self._store = store
        self._keys = keys
        self._notices = notices
        self._contact = contact
        #: Push services besides those of browsers.
        self.services: tuple[str, ...] = ()
        outbox.senders["push"] = self._send

    async def public_key(self) -> str:
        """Return the key with which browsers subscribe, in URL-safe base64."""
        number = int.from_bytes(base64.urlsafe_b64decode(await self._private_key() + "="))
        public = ec.derive_private_key(number, ec.SECP256R1()).public_key()
        return _text(public.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint))

    async def _private_key(self) -> str:
        return await self._keys.get("push", _new_private_key)

    async def subscribe(self, session: Session, wanted: wire.NewSubscription) -> None:
        """Send push messages to a browser for as long as its session lasts.

        :raises Refusal: if it uses an unknown push service, or the person has too many browsers.
        """
        self._check(wanted.endpoint)
        try:
            point = base64.urlsafe_b64decode(wanted.p256dh.rstrip("=") + "=")
            ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), point)
        except ValueError:
            raise Refusal("invalid", "this is not the key of a browser", "p256dh") from None
        id = ids.hashed(wanted.endpoint)
        known = await self._store.all(
            select(push_subscriptions).where(push_subscriptions.c.person == session.person.id)
        )
        if len([one for one in known if one.session != session.id and one.id != id]) >= MAX_BROWSERS:
            raise Refusal("too_many", f"you already get notifications in {MAX_BROWSERS} browsers", "endpoint")
        row = {"id": id, "person": session.person.id, "session": session.id, "endpoint": wanted.endpoint}
        row |= {"p256dh": wanted.p256dh, "auth_secret": wanted.auth, "language": wanted.language}
        await self._store.write((OTHERS, {"_session": session.id, "_kept": id}), (SUBSCRIBE, {**row, "at": now()}))

    def _check(self, endpoint: str) -> None:
        """Check that an endpoint is that of a push service.

        :raises Refusal: if it is not.
        """
        try:
            parts = urlsplit(endpoint)
            host = parts.hostname or ""
        except ValueError:
            host = ""
        is_known = any(host == one or (one.startswith(".") and host.endswith(one)) for one in SERVICES)
        if endpoint.isascii() and is_known and parts.scheme == "https" and parts.netloc == host:
            return
        if not any(endpoint.startswith(f"{one}/") for one in self.services):
            raise Refusal("invalid", "this browser's push service is not known to the server", "endpoint")

    async def unsubscribe(self, session: Session) -> None:
        """Send no more push messages to the browser of a session."""
        await self._store.write((UNSUBSCRIBE, {"_session": session.id}))

    async def is_subscribed(self, session: Session) -> bool:
        """Return whether the browser of a session gets push messages."""
        query = select(push_subscriptions.c.id).where(push_subscriptions.c.session == session.id)
        return await self._store.first(query) is not None

    async def _send(self, row: Any) -> Sequence[Step]:
        notice, reach = _read(row.about), await self._notices.reach(row.person)
        target = await self._store.first(select(push_subscriptions).where(push_subscriptions.c.id == row.address))
        if reach is None or target is None or target.person != row.person or target.id not in reach.browsers:
            return []
        if not getattr(reach.settings, notice.kind).push or not await self._notices.is_current(row.person, notice):
            return []
        content = shown(notice, target.language, now())
        answer = await asyncio.to_thread(self._post, target, content, await self._private_key())
        if answer in GONE:
            return [(REMOVE, {"_id": target.id})]
        if answer == 429 or answer >= 500:
            raise DelayedError(f"the push service answered {answer}")
        if answer >= 300:
            raise RefusedError
        return []

    def _post(self, target: Any, content: bytes, key: str) -> int:
        """Send a message to a push service, and return the status of its answer."""
        import requests  # These load slowly, and not every server sends messages.
        from pywebpush import WebPushException, webpush

        class Direct(requests.Session):
            """Follows no redirection, which could lead anywhere."""

            def post(self, *words: Any, **options: Any) -> Response:
                return super().post(*words, **options, allow_redirects=False)

        keys = {"p256dh": target.p256dh, "auth": target.auth_secret}
        try:
            with Direct() as session:
                answer = webpush(
                    {"endpoint": target.endpoint, "keys": keys},
                    content.decode(),
                    vapid_private_key=key,
                    vapid_claims={"sub": self._contact},
                    timeout=PUSH_TIMEOUT_S,
                    ttl=KEPT_S,
                    headers={"Urgency": "normal"},
                    requests_session=session,
                )
            return int(answer.status_code)
        except WebPushException as error:
            return error.status_code or 500
        except requests.RequestException as error:
            raise DelayedError(type(error).__name__) from None


def shown(notice: Notice, language: str, moment: int) -> bytes:
    """Return what a push message says, as the service worker of the app reads it."""
    title, body = notice_texts.title(notice, language), notice_texts.body(notice, language, moment)
    return msgspec.json.encode({"title": title, "body": body, "path": notice.path, "tag": notice.match or notice.what})


def _new_private_key() -> str:
    number = ec.generate_private_key(ec.SECP256R1()).private_numbers().private_value
    return _text(number.to_bytes(32))


def _text(content: bytes) -> str:
    return base64.urlsafe_b64encode(content).rstrip(b"=").decode()
