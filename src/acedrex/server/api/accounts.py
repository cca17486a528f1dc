"""Accounts and sessions over HTTP."""

from __future__ import annotations

from typing import Annotated

from fastapi import Path, Request

from acedrex.server import wire
from acedrex.server.api.limits import spend, visitor
from acedrex.server.api.people import CurrentPerson, CurrentSession, device
from acedrex.server.api.routes import Routes, refused
from acedrex.server.limits.visitor import Visitor
from acedrex.server.people.names import handle_of
from acedrex.server.services import Served

router = Routes("/api", "accounts")


@router.post("/me/account", status_code=201, responses=refused(401, 409))
async def create(
    request: Request, services: Served, person: CurrentPerson, body: wire.NewAccount
) -> wire.AccountCreated:
    """Make an account of the guest of the token, who keeps everything. The recovery code is shown only once."""
    spend(request, "accounts")
    return await services.accounts.create(person, body.name, body.password, device(request))


@router.post("/sessions", status_code=201, responses=refused(403))
async def sign_in(request: Request, services: Served, body: wire.SignIn) -> wire.Person:
    """Sign in with name and password. The token is shown only once."""
    handle = handle_of(body.name)
    # A few tries for each address, so that a stranger does not keep the owner out; many for all of them.
    spend(request, "sign_ins", person=f"@{handle} {visitor(request).address}")
    services.budgets.spend(Visitor(f"@{handle}"), "guesses")
    return await services.accounts.sign_in(body.name, body.password, device(request))


@router.post("/sessions/code", status_code=201, responses=refused(403))
async def sign_in_with_code(request: Request, services: Served, body: wire.CodeSignIn) -> wire.Person:
    """Sign in with a code that another device shows. The token is shown only once."""
    spend(request, "sign_ins")
    return await services.accounts.sign_in_with_code(body.code, device(request))


@router.post("/recovery", status_code=201, responses=refused(403))
async def recover(request: Request, services: Served, body: wire.Recovery) -> wire.AccountCreated:
    """Choose a new password with the recovery code; all sessions end, and there is a new code."""
    spend(request, "sign_ins")
    return await services.accounts.recover(body.name, body.code, body.password, device(request))


@router.put("/me/password", responses=refused(401, 403, 409))
async def change_password(
    request: Request, services: Served, person: CurrentPerson, body: wire.NewPassword
) -> wire.Person:
    """Change the password: all sessions end, and one begins. Its token is shown only once."""
    spend(request, "sign_ins", person=person.id)
    return await services.accounts.change_password(person, body.current, body.password, device(request))


@router.post("/me/recovery", responses=refused(401, 403, 409))
async def new_recovery_code(
    request: Request, services: Served, person: CurrentPerson, body: wire.Confirmation
) -> wire.RecoveryCode:
    """Return a new recovery code in place of the earlier one."""
    spend(request, "sign_ins", person=person.id)
    return await services.accounts.new_recovery_code(person, body.password)


@router.post("/me/code", responses=refused(401))
async def sign_in_code(services: Served, person: CurrentPerson) -> wire.SignInCode:
    """Return a code with which another device can sign in once within five minutes, also as a guest."""
    return await services.accounts.sign_in_code(person)


@router.get("/me/sessions", responses=refused(401))
async def sessions(services: Served, session: CurrentSession) -> list[wire.Session]:
    """List where the person is signed in."""
    return await services.sessions.of(session)


@router.delete("/me/sessions", responses=refused(401))
async def end_other_sessions(services: Served, session: CurrentSession) -> None:
    """End all sessions but that of the token."""
    await services.sessions.end_others(session)


@router.delete("/me/sessions/{id}", responses=refused(401, 404, 409))
async def end_session(services: Served, session: CurrentSession, id: Annotated[str, Path(max_length=32)]) -> None:
    """End a session: ``current`` is that of the token, which signs out."""
    await services.sessions.end(session, session.id if id == "current" else id)
