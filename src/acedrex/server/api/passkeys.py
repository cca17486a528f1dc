"""Passkeys over HTTP."""

from __future__ import annotations

from typing import Annotated

from fastapi import Path, Request

from acedrex.server import wire
from acedrex.server.api.limits import spend
from acedrex.server.api.people import CurrentPerson, CurrentSession, device
from acedrex.server.api.routes import Routes, refused
from acedrex.server.people.names import clean_text
from acedrex.server.people.passkeys import SIGN_IN
from acedrex.server.refusal import Refusal
from acedrex.server.services import Served

router = Routes("/api", "passkeys")

PasskeyId = Annotated[str, Path(max_length=64)]


@router.post("/sessions/passkey/challenge")
async def sign_in_challenge(request: Request, services: Served) -> wire.PasskeyChallenge:
    """Return what a passkey is to sign so that its person is signed in."""
    spend(request, "passkeys")
    return await services.passkeys.challenge(SIGN_IN)


@router.post("/sessions/passkey", status_code=201, responses=refused(403))
async def sign_in(request: Request, services: Served, body: wire.PasskeySignIn) -> wire.Person:
    """Sign in with a passkey, which says whose it is. The token is shown only once."""
    spend(request, "passkeys")
    return await services.accounts.sign_in_with_passkey(body.passkey, device(request))


@router.post("/me/passkeys/challenge", responses=refused(401, 403, 409))
async def challenge(
    request: Request, services: Served, person: CurrentPerson, body: wire.NewChallenge
) -> wire.PasskeyChallenge:
    """Return what a passkey of the person is to sign for one purpose."""
    spend(request, "passkeys", person=person.id)
    if body.purpose == "new_passkey":
        # Before the browser makes a passkey that would be of no use.
        await services.accounts.check_new(person, body.name or "", body.invitation)
    elif not await services.accounts.has_account(person.id):
        raise Refusal("no_account", "this needs an account; create one first")
    return await services.passkeys.challenge(body.purpose, person.id)


@router.post("/me/passkeys", status_code=201, responses=refused(401, 403, 409))
async def add(request: Request, services: Served, person: CurrentPerson, body: wire.AddedPasskey) -> list[wire.Passkey]:
    """Add a passkey to the account, and return all of them."""
    spend(request, "sign_ins", person=person.id)
    await services.accounts.confirm(person, body.confirmation, "add_passkey")
    notice = await services.accounts.notice(person.id, "passkey_added")
    await services.passkeys.add(person.id, body.passkey, clean_text(body.passkey.name), *notice)
    return await services.passkeys.of(person.id)


@router.patch("/me/passkeys/{id}", responses=refused(401, 404))
async def rename(services: Served, person: CurrentPerson, id: PasskeyId, body: wire.PasskeyName) -> None:
    """Rename a passkey."""
    await services.passkeys.rename(person.id, id, clean_text(body.name))


@router.post("/me/passkeys/{id}/removal", responses=refused(401, 403, 404, 409))
async def remove(
    request: Request, services: Served, session: CurrentSession, id: PasskeyId, body: wire.Confirmation
) -> None:
    """Remove a passkey; all sessions but that of the token end, for the device may be lost."""
    person = session.person
    spend(request, "sign_ins", person=person.id)
    await services.accounts.confirm(person, body, "remove_passkey")
    await services.passkeys.remove(person.id, id, *await services.accounts.notice(person.id, "passkey_removed"))
    await services.sessions.end_others(session)
