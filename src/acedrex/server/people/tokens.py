"""Personal access tokens: they let programs act for a person, within scopes, until they are revoked."""

from __future__ import annotations

from typing import cast, get_args

from msgspec import Struct
from sqlalchemy import bindparam, delete, func, insert, select

from acedrex.server import ids, wire
from acedrex.server.people import standing
from acedrex.server.refusal import Refusal
from acedrex.server.storage.store import Store
from acedrex.server.storage.tables import people, sanctions, tokens
from acedrex.server.time_source import now

#: The prefix of such a token, by which people and secret scanners recognise it.
PREFIX = "acx_"
#: The maximum number of tokens of one person.
MAX_TOKENS = 20

NEW = insert(tokens)
REVOKED = delete(tokens).where(tokens.c.id == bindparam("_id"))
ALL: tuple[wire.Scope, ...] = get_args(wire.Scope)


class TokenHolder(Struct, frozen=True):
    """The holder of a token: the person, the token's id (``None`` for that of a session), and its scopes."""

    person: wire.Person
    token: str | None
    scopes: tuple[str, ...]


class Tokens:
    """The stored tokens. They are looked up each time, so that a revoked one is refused at once."""

    def __init__(self, store: Store) -> None:
        """Use the tokens in a store."""
        self._store = store

    async def make(self, person: wire.Person, request: wire.NewToken, name: str) -> wire.Token:
        """Create a token. Its secret is returned here and never again.

        :raises Refusal: if the person has too many.
        """
        count = await self._store.first(select(func.count()).where(tokens.c.person == person.id))
        if count is not None and count[0] >= MAX_TOKENS:
            raise Refusal("too_many", f"you can have at most {MAX_TOKENS} tokens; revoke one that you no longer need")
        text = PREFIX + ids.new_secret()
        scopes = [scope for scope in ALL if scope in request.scopes]
        token = wire.Token(ids.new_id(), name, scopes, now(), text)
        row = {"id": token.id, "person": person.id, "name": name, "at": token.at, "scopes": " ".join(scopes)}
        await self._store.write((NEW, {**row, "token_hash": ids.hashed(text)}))
        return token

    async def of(self, person: str) -> list[wire.Token]:
        """List a person's tokens, the latest first."""
        query = select(tokens).where(tokens.c.person == person).order_by(tokens.c.at.desc())
        rows = await self._store.all(query)
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
        """Find the holder of a token."""
        query = (
            select(tokens.c.id, tokens.c.scopes, people.c.id.label("person"), people.c.name)
            .join(people, people.c.id == tokens.c.person)
            .where(tokens.c.token_hash == ids.hashed(text), tokens.c.person.not_in(standing.closed()))
        )
        row = await self._store.first(query)
        return row and TokenHolder(wire.Person(row.person, row.name), row.id, tuple(row.scopes.split()))

    async def is_valid(self, holder: TokenHolder) -> bool:
        """Return whether a token has not been revoked, nor its person deleted, nor their account closed."""
        gone = standing.closed().where(sanctions.c.person == holder.person.id)
        if await self._store.first(gone) is not None:
            return False
        if holder.token is None:
            return await self._store.first(select(people.c.id).where(people.c.id == holder.person.id)) is not None
        return await self._store.first(select(tokens.c.id).where(tokens.c.id == holder.token)) is not None
