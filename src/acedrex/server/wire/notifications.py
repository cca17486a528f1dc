"""Of what people are notified, and how."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, field

from acedrex.server.wire.vocabulary import Language, Request, Response

#: It is my turn, my time runs out, somebody challenges me, somebody waits in the lobby, and: my challenge was accepted,
#: or there is an offer or a message; and what happens in tournaments that I play.
NotificationKind = Literal["your_turn", "time_low", "challenge", "lobby", "reply", "tournament"]
Minute = Annotated[int, Meta(ge=0, le=1439)]
Zone = Annotated[str, Meta(min_length=1, max_length=64)]


class Channels(Request):
    """How one is notified of something; mails need an address that was confirmed."""

    push: bool = True
    mail: bool = False


class QuietHours(Request):
    """The minutes of the day from and until which notifications wait."""

    start: Minute
    end: Minute


class NotificationSettings(Request):
    """Of what one is notified, how, and when not."""

    your_turn: Channels = field(default_factory=Channels)
    time_low: Channels = field(default_factory=Channels)
    challenge: Channels = field(default_factory=Channels)
    lobby: Channels = field(default_factory=lambda: Channels(False))
    reply: Channels = field(default_factory=Channels)
    tournament: Channels = field(default_factory=Channels)
    quiet: QuietHours | None = None
    #: The time zone of the quiet hours, as IANA names it.
    zone: Zone = "UTC"


class Notifications(Response):
    """The settings, and which channels there are."""

    settings: NotificationSettings
    #: The key with which browsers subscribe to push messages, in URL-safe base64.
    key: str
    #: Whether the session of the request has subscribed, and how many sessions of the person have.
    here: bool
    browsers: int
    #: The confirmed address for mails.
    mail: str | None
    #: Whether the server sends mails.
    mails: bool


class NewSubscription(Request):
    """Where a browser receives push messages: its push service, and keys in URL-safe base64."""

    endpoint: Annotated[str, Meta(min_length=1, max_length=1_000)]
    p256dh: Annotated[str, Meta(pattern="^[A-Za-z0-9_-]{87}=?$")]
    auth: Annotated[str, Meta(pattern="^[A-Za-z0-9_-]{22}(==)?$")]
    language: Language = "en"
