"""Personal access tokens: creating and revoking them, and the dependencies that check them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Annotated

from fastapi import Depends, Path, Request

from acedrex.server import wire
from acedrex.server.api.people import CurrentPerson, current_session, token_of
from acedrex.server.api.routes import Routes, refused
from acedrex.server.people.names import clean_text
from acedrex.server.people.tokens import ALL, PREFIX, TokenHolder
from acedrex.server.refusal import Refusal
from acedrex.server.services import Served, services_of

router = Routes("/api", "tokens")


async def token_holder(request: Request) -> TokenHolder | None:
    """Return the holder of a request's token: that of a session, which allows everything, or one with scopes.

    :raises Refusal: if the token is unknown.
    """
    text = token_of(request)
    if text is None:
        return None
    if text.startswith(PREFIX):
        found = await services_of(request).tokens.find(text)
    else:
        found = TokenHolder((await current_session(request)).person, None, ALL)
    if found is None:
        raise Refusal("unknown_token", "unknown token; it may have been revoked")
    return found


def require_scope(scope: wire.Scope) -> Callable[[Request], Awaitable[TokenHolder]]:
    """Return a dependency that requires a token with a scope."""

    async def check(request: Request) -> TokenHolder:
        found = await token_holder(request)
        if found is None:
            raise Refusal("unknown_token", "this needs a token: send Authorization: Bearer TOKEN")
        if scope not in found.scopes:
            raise Refusal("missing_scope", f"this needs a token with the scope {scope}")
        return found

    return check


def optional_person(scope: wire.Scope | None = None) -> Callable[[Request], Awaitable[str | None]]:
    """Return a dependency for routes that are open to everyone: the id of the person of the token, if there is one.

    Such a route accepts any personal access token, but tells its owner more than others only if the token has the
    scope; without it the owner counts as anonymous.
    """

    async def find(request: Request) -> str | None:
        found = await token_holder(request)
        return found.person.id if found is not None and (found.token is None or scope in found.scopes) else None

    return find


#: The person who makes the request, on routes for which a personal access token needs no scope.
OptionalPerson = Annotated[str | None, Depends(optional_person())]


@router.get("/me/tokens", responses=refused(401))
async def list_tokens(services: Served, person: CurrentPerson) -> list[wire.Token]:
    """List one's own personal access tokens, without their secrets."""
    return await services.tokens.of(person.id)


@router.post("/me/tokens", status_code=201, responses=refused(401))
async def new_token(services: Served, person: CurrentPerson, body: wire.NewToken) -> wire.Token:
    """Create a personal access token. Its secret is shown only once."""
    return await services.tokens.make(person, body, clean_text(body.name))


@router.delete("/me/tokens/{id}", responses=refused(401, 404))
async def revoke(services: Served, person: CurrentPerson, id: Annotated[str, Path(max_length=32)]) -> None:
    """Revoke a token: its requests are refused at once, and its streams end within seconds."""
    await services.tokens.revoke(person.id, id)


@router.delete("/token", responses=refused(401))
async def revoke_self(request: Request, services: Served) -> None:
    """Revoke the token of this request, as in lichess's API."""
    found = await token_holder(request)
    if found is None or found.token is None:
        raise Refusal("unknown_token", "this revokes the personal access token that the request carries")
    await services.tokens.revoke(found.person.id, found.token)
