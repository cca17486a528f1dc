"""Personal access tokens: programs act by them in the name of somebody, within scopes, until they are revoked."""

from __future__ import annotations

from typing import cast, get_args

from msgspec import Struct
from sqlalchemy import bindparam, delete, func, insert, select

from acedrex.server import secret, wire
from acedrex.server.decide import Refusal
from acedrex.server.moment import now
from acedrex.server.store import Store
from acedrex.server.tables import guests, tokens

#: What such a token begins with, so that people and programs that look for lost secrets know it.
PREFIX = "acx_"
#: Most tokens of one person.
MOST = 20

NEW = insert(tokens)
REVOKED = delete(tokens).where(tokens.c.id == bindparam("_id"))
ALL: tuple[wire.Scope, ...] = get_args(wire.Scope)


class TokenHolder(Struct, frozen=True):
    """Whoever shows a token: the person, the token's id (none for a guest's own), and what it allows."""

    person: wire.Guest
    token: str | None
    scopes: tuple[str, ...]


class Tokens:
    """The tokens that are kept. They are looked up each time, so that a revoked one is refused from then on."""

    def __init__(self, store: Store) -> None:
        """Say where they are kept."""
        self._store = store

    async def make(self, person: wire.Guest, asked: wire.NewToken, name: str) -> wire.Token:
        """Make a token: its secret is told here and never again.

        :raises Refusal: if the person has too many.
        """
        count = await self._store.first(select(func.count()).where(tokens.c.person == person.id))
        if count is not None and count[0] >= MOST:
            raise Refusal("too_many", f"you can have at most {MOST} tokens; revoke one that you no longer need")
        text = PREFIX + secret.new_secret()
        scopes = [scope for scope in ALL if scope in asked.scopes]
        token = wire.Token(secret.new_id(), name, scopes, now(), text)
        row = {"id": token.id, "person": person.id, "name": name, "at": token.at, "scopes": " ".join(scopes)}
        await self._store.write((NEW, {**row, "token_hash": secret.hashed(text)}))
        return token

    async def of(self, person: str) -> list[wire.Token]:
        """List a person's tokens, the latest first."""
        wanted = select(tokens).where(tokens.c.person == person).order_by(tokens.c.at.desc())
        rows = await self._store.all(wanted)
        return [wire.Token(row.id, row.name, cast(list[wire.Scope], row.scopes.split()), row.at) for row in rows]

    async def revoke(self, person: str, id: str) -> None:
        """Revoke a token.

        :raises Refusal: if the person has no such token.
        """
        row = await self._store.first(select(tokens.c.id).where(tokens.c.id == id, tokens.c.person == person))
        if row is None:
            raise Refusal("no_such_token", "you have no such token; it may have been revoked already", "id")
        await self._store.write((REVOKED, {"_id": id}))

    async def find(self, text: str) -> TokenHolder | None:
        """Find who shows a token."""
        wanted = (
            select(tokens.c.id, tokens.c.scopes, guests.c.id.label("person"), guests.c.name)
            .join(guests, guests.c.id == tokens.c.person)
            .where(tokens.c.token_hash == secret.hashed(text))
        )
        row = await self._store.first(wanted)
        return row and TokenHolder(wire.Guest(row.person, row.name), row.id, tuple(row.scopes.split()))

    async def stands(self, holder: TokenHolder) -> bool:
        """Tell whether a token has not been revoked meanwhile."""
        if holder.token is None:
            return True
        return await self._store.first(select(tokens.c.id).where(tokens.c.id == holder.token)) is not None
