"""Accounts, sessions and addresses for mails over HTTP."""

from __future__ import annotations

from typing import Annotated

from fastapi import Path, Request

from acedrex.server import wire
from acedrex.server.api.limits import spend, visitor
from acedrex.server.api.people import CurrentPerson, CurrentSession, device
from acedrex.server.api.routes import Routes, refused
from acedrex.server.limits.visitor import Visitor
from acedrex.server.people.addresses import clean_address
from acedrex.server.people.names import handle_of
from acedrex.server.services import Served, Services

router = Routes("/api", "accounts")


@router.get("/accounts")
async def ways(services: Served) -> wire.Ways:
    """Say how one gets an account on this server, and gets back into it."""
    return wire.Ways(services.accounts.sign_ups, services.outbox.is_open, services.passkeys.site.name)


@router.post("/me/account", status_code=201, responses=refused(401, 403, 409))
async def create(
    request: Request, services: Served, person: CurrentPerson, body: wire.NewAccount
) -> wire.AccountCreated:
    """Make an account of the guest of the token, who keeps everything. The recovery code is shown only once."""
    spend(request, "accounts")
    return await services.accounts.create(person, body, device(request))


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
    """Change or set the password: all sessions end, and one begins. Its token is shown only once."""
    spend(request, "sign_ins", person=person.id)
    return await services.accounts.change_password(person, body.current, body.password, device(request))


@router.post("/me/recovery", responses=refused(401, 403, 409))
async def new_recovery_code(
    request: Request, services: Served, person: CurrentPerson, body: wire.Confirmation
) -> wire.RecoveryCode:
    """Return a new recovery code in place of the earlier one."""
    spend(request, "sign_ins", person=person.id)
    return await services.accounts.new_recovery_code(person, body)


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


@router.get("/me/account", responses=refused(401, 409))
async def methods(services: Served, person: CurrentPerson) -> wire.SignInMethods:
    """Say how the person signs in, and where mails go."""
    return await services.accounts.methods(person)


@router.put("/me/mail", responses=refused(401, 403, 409))
async def set_address(request: Request, services: Served, person: CurrentPerson, body: wire.NewAddress) -> None:
    """Send a link to an address, which is used for nothing before its owner has followed it."""
    services.addresses.check_open()
    address = clean_address(body.address)
    spend(request, "sign_ins", person=person.id)
    await services.accounts.confirm(person, body.confirmation, "mail")
    spend(request, "mails", person=person.id)
    _spend_letter(services, address)
    await services.addresses.set(person.id, address, body.language)


@router.post("/me/mail/removal", responses=refused(401, 403, 409))
async def remove_address(request: Request, services: Served, person: CurrentPerson, body: wire.Confirmation) -> None:
    """Remove the address for mails, or the one that is not confirmed yet."""
    spend(request, "sign_ins", person=person.id)
    await services.accounts.confirm(person, body, "mail")
    await services.addresses.remove(person.id)


@router.post("/mail/confirmation", responses=refused(403))
async def confirm_address(request: Request, services: Served, body: wire.MailLink) -> wire.ConfirmedAddress:
    """Confirm an address, with the secret of the link that was sent there."""
    spend(request, "sign_ins")
    return await services.addresses.confirm(body.secret)


@router.post("/recovery/mail", responses=refused(409))
async def ask_recovery(request: Request, services: Served, body: wire.RecoveryByMail) -> None:
    """Send a link for a new password to the address of an account. The answer is the same if there is none."""
    spend(request, "mails")
    _spend_letter(services, body.who.strip().lower() if "@" in body.who else handle_of(body.who))
    await services.addresses.ask_recovery(body.who)


@router.post("/recovery/link", status_code=201, responses=refused(403))
async def recover_by_mail(request: Request, services: Served, body: wire.NewPasswordByMail) -> wire.AccountCreated:
    """Choose a new password with the secret of a link; all sessions end, and there is a new recovery code."""
    spend(request, "sign_ins")
    return await services.addresses.recover(body.secret, body.password, device(request))


def _spend_letter(services: Services, whose: str) -> None:
    """Charge for a mail to an address, or to that of an account, whoever asks for it.

    :raises Refusal: if there were too many.
    """
    services.budgets.spend(Visitor(f"@{whose}"), "letters")
