"""Games that people publish."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from acedrex import limits
from acedrex.server.wire.vocabulary import Request, Response


class WhoPublishes(Response):
    """Who can publish games on this server."""

    who: Literal["nobody", "tokens", "everybody"]


class NewPublished(Request):
    """A game to publish, or a new version of one."""

    definition: Annotated[str, Meta(max_length=limits.MAX_DEFINITION)]
    #: A publisher's token from the operator, where only they can publish.
    token: Annotated[str, Meta(max_length=100)] | None = None


class PublishedVersion(Response):
    """A version of a published game: the hash of its rules, and when it was published."""

    rules_hash: str
    at: int


class PublishedGame(Response):
    """A published game, with its versions, the latest last."""

    id: str
    name: str
    versions: list[PublishedVersion]


class Withdrawal(Request):
    """The withdrawal of a published game."""

    token: Annotated[str, Meta(max_length=100)] | None = None


class InventorsStudy(Request):
    """The study that is the inventor's page of a published game; ``None`` if it has none any more."""

    study: Annotated[str, Meta(min_length=1, max_length=32, pattern="^[A-Za-z0-9]+$")] | None
    token: Annotated[str, Meta(max_length=100)] | None = None


class InventorsPage(Response):
    """The study that is the inventor's page of a game."""

    study: str
    title: str


class GameReport(Request):
    """What is wrong with a published game."""

    reason: Annotated[str, Meta(min_length=1, max_length=500)]
