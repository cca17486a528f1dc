"""Personal access tokens: making and revoking them, and what every route asks of them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Annotated

from fastapi import Depends, Path, Request

from acedrex.server import wire
from acedrex.server.api.people import CurrentGuest, guest, token_of
from acedrex.server.api.routes import Routes, refused
from acedrex.server.api.services import Served, services_of
from acedrex.server.decide import Refusal
from acedrex.server.names import cleaned
from acedrex.server.tokens import ALL, PREFIX, TokenHolder

router = Routes("/api", "tokens")


async def holder(request: Request) -> TokenHolder | None:
    """Tell who asks: by a guest's own token, which allows everything, or by one with scopes.

    :raises Refusal: if the token is nobody's.
    """
    text = token_of(request)
    if text is None:
        return None
    if text.startswith(PREFIX):
        found = await services_of(request).tokens.find(text)
    else:
        found = TokenHolder(await guest(request), None, ALL)
    if found is None:
        raise Refusal("unknown_token", "unknown token; it may have been revoked")
    return found


def allowed(scope: wire.Scope) -> Callable[[Request], Awaitable[TokenHolder]]:
    """Make a dependency: somebody whose token allows something."""

    async def check(request: Request) -> TokenHolder:
        found = await holder(request)
        if found is None:
            raise Refusal("unknown_token", "this needs a token: send Authorization: Bearer TOKEN")
        if scope not in found.scopes:
            raise Refusal("missing_scope", f"this needs a token with the scope {scope}")
        return found

    return check


def known(scope: wire.Scope | None = None) -> Callable[[Request], Awaitable[str | None]]:
    """Make a dependency of pages that are for everybody: the id of who asks, if they say who they are.

    A personal access token is welcome there, but its owner is known only if it has the scope for what such a page tells
    its owner besides; without it the page is that of nobody in particular.
    """

    async def find(request: Request) -> str | None:
        found = await holder(request)
        return found.person.id if found is not None and (found.token is None or scope in found.scopes) else None

    return find


#: Who asks, where no scope of a personal access token allows more than everybody has.
Asker = Annotated[str | None, Depends(known())]


@router.get("/me/tokens", responses=refused(401))
async def list_tokens(services: Served, who: CurrentGuest) -> list[wire.Token]:
    """List one's personal access tokens, without their secrets."""
    return await services.tokens.of(who.id)


@router.post("/me/tokens", status_code=201, responses=refused(401))
async def new_token(services: Served, who: CurrentGuest, asked: wire.NewToken) -> wire.Token:
    """Make a personal access token. Its secret is told once."""
    return await services.tokens.make(who, asked, cleaned(asked.name))


@router.delete("/me/tokens/{id}", responses=refused(401, 404))
async def revoke(services: Served, who: CurrentGuest, id: Annotated[str, Path(max_length=32)]) -> None:
    """Revoke a token: what asks with it is refused at once, and its streams end within seconds."""
    await services.tokens.revoke(who.id, id)


@router.delete("/token", responses=refused(401))
async def revoke_self(request: Request, services: Served) -> None:
    """Revoke the token that this request carries, as lichess has it."""
    found = await holder(request)
    if found is None or found.token is None:
        raise Refusal("unknown_token", "this revokes the personal access token that the request carries")
    await services.tokens.revoke(found.person.id, found.token)
