"""Personal access tokens, which let programs act for a person."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from acedrex.server.wire.vocabulary import Name, Request, Response

#: A permission of a token. The first three have the names that lichess uses.
Scope = Literal["bot:play", "challenge:read", "challenge:write", "archive:read", "archive:write"]


class NewToken(Request):
    """A token to create."""

    name: Name
    scopes: Annotated[list[Scope], Meta(min_length=1, max_length=5)]


class Token(Response, omit_defaults=True):
    """A token; its secret is shown only once."""

    id: str
    name: str
    scopes: list[Scope]
    at: int
    token: str | None = None
