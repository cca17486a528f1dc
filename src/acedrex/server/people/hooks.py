"""Hooks: what a club's channel in Discord, Matrix, Slack or elsewhere hears of public matches and tournaments."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, Literal

import msgspec
from msgspec import Struct

from acedrex.server import ids
from acedrex.server.mail import DelayedError, Outbox
from acedrex.server.storage.store import Step
from acedrex.server.time_source import now

#: Milliseconds between two challenges, or two tournaments, of one person of which the channels hear, and how many
#: people are remembered.
PAUSE, MAX_PEOPLE = 600_000, 10_000

#: The URLs of hooks are read by Apprise, which knows some hundred services: https://github.com/caronc/apprise
TEXTS = {
    "challenge": "{white} is looking for an opponent: {game}",
    "result": "{game}: {white} – {black} {result}",  # noqa: RUF001 - as names are joined everywhere
    "tournament": "New tournament: {name}. {game}, {start}",
    "over": "{name} is over",
    "won": "{name} is over. Winner: {winner}",
    "cancelled": "{name} has been cancelled",
}
#: What services read as a mention or a link gets a space of no width: names come from strangers.
PLAIN = str.maketrans({sign: f"{sign}\u200b" for sign in "@:]"})


class News(Struct, frozen=True, omit_defaults=True):
    """Something that a channel hears of: a public challenge, the result of a public match, or a tournament."""

    kind: Literal["challenge", "result", "tournament", "over", "won", "cancelled"]
    match: str = ""
    game: str = ""
    white: str = ""
    black: str = ""
    result: str = ""
    tournament: str = ""
    name: str = ""
    #: When a tournament starts, and who has won it.
    starts_at: int = 0
    winner: str = ""

    def text(self, home: str) -> str:
        """Return what a channel hears, and the address of what it is about."""
        parts = {name: str(value).translate(PLAIN) for name, value in msgspec.structs.asdict(self).items()}
        start = datetime.fromtimestamp(self.starts_at / 1000, UTC)
        line = TEXTS[self.kind].format(**parts, start=f"{start:%A %d %B, %H:%M} UTC")
        return f"{line}\n{home}/" + (f"match/{self.match}" if self.match else f"tournaments/{self.tournament}")


_read = msgspec.json.Decoder(News).decode


class UnknownHookError(Exception):
    """The URL of a hook cannot be read."""


def check(urls: Sequence[str]) -> None:
    """Check the URLs of hooks.

    :raises UnknownHookError: if one is not that of a known service; it names its place, since URLs have secrets.
    """
    if not urls:
        return
    from apprise import Apprise  # It loads slowly, and not every server has hooks.

    for place, url in enumerate(urls, start=1):
        if Apprise.instantiate(url) is None:
            raise UnknownHookError(f"hook {place} is not the URL of a service that Apprise knows")


class Hooks:
    """The hooks of the operator."""

    def __init__(self, outbox: Outbox, urls: Sequence[str], home: str) -> None:
        """Use an outbox.

        :param home: the address of the server.
        """
        self._outbox = outbox
        #: By a hash, as they are named in the database: the URLs have secrets.
        self._urls = {ids.hashed(url): url for url in urls}
        self._home = home
        self._heard: OrderedDict[str, int] = OrderedDict()
        outbox.senders["hook"] = self._send

    def steps(self, news: News, creator: str | None = None) -> list[Step]:
        """Return the steps that tell all channels something.

        :param creator: who has made a challenge or a tournament; of several soon after each other the channels hear of
            one.
        """
        if not self._urls or (creator is not None and not self._is_first(f"{news.kind} {creator}")):
            return []
        about = msgspec.json.encode(news).decode()
        return [self._outbox.step("hook", key, about=about) for key in self._urls]

    def _is_first(self, what: str) -> bool:
        moment = now()
        if moment - self._heard.get(what, -PAUSE) < PAUSE:
            return False
        self._heard[what] = moment
        self._heard.move_to_end(what)
        if len(self._heard) > MAX_PEOPLE:
            self._heard.popitem(last=False)
        return True

    async def _send(self, row: Any) -> Sequence[Step]:
        url = self._urls.get(row.address)
        if url is None:  # The operator has removed it.
            return []
        if not await asyncio.to_thread(_notify, url, _read(row.about).text(self._home)):
            raise DelayedError("the hook did not take it")
        return []


def _notify(url: str, text: str) -> bool:
    from apprise import Apprise, AppriseAsset

    sender = Apprise(asset=AppriseAsset(app_id="Acedrex", async_mode=False))
    return bool(sender.add(url) and sender.notify(body=text, body_format="text"))
