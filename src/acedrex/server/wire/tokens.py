"""Personal access tokens: what programs use in the name of somebody."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from acedrex.server.wire.vocabulary import Name, Request, Response

#: What a token allows. The names of the first three are those of lichess.
Scope = Literal["bot:play", "challenge:read", "challenge:write", "archive:read", "archive:write"]


class NewToken(Request):
    """A token to be."""

    name: Name
    scopes: Annotated[list[Scope], Meta(min_length=1, max_length=5)]


class Token(Response, omit_defaults=True):
    """A token; its secret is told once."""

    id: str
    name: str
    scopes: list[Scope]
    at: int
    token: str | None = None
