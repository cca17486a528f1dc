"""Accounts and sessions."""

from __future__ import annotations

from acedrex.server.wire.people import Person
from acedrex.server.wire.vocabulary import Code, Name, Password, Request, Response


class NewAccount(Request):
    """An account to make of a guest."""

    name: Name
    password: Password


class AccountCreated(Response):
    """An account that was created or recovered. The recovery code is shown only once."""

    person: Person
    recovery: str


class SignIn(Request):
    """A name and a password."""

    name: Name
    password: Password


class CodeSignIn(Request):
    """A code that another device shows."""

    code: Code


class SignInCode(Response):
    """A code with which another device can sign in once, until a moment."""

    code: str
    until: int


class NewPassword(Request):
    """A new password."""

    current: Password
    password: Password


class Confirmation(Request):
    """The password once more, before something that only its owner may do."""

    password: Password


class RecoveryCode(Response):
    """A recovery code, which is shown only once."""

    recovery: str


class Recovery(Request):
    """The recovery code of an account, and a new password."""

    name: Name
    code: Code
    password: Password


class Session(Response):
    """Where a person is signed in."""

    id: str
    #: The kind of browser, or the name of a program; empty if unknown.
    device: str
    at: int
    #: When it was last used, to the hour.
    seen: int
    #: Whether it is the session that asks.
    current: bool
