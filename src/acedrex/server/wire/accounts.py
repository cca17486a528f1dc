"""Accounts, sessions, passkeys, and addresses for mails."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from acedrex.server.wire.people import Person
from acedrex.server.wire.vocabulary import (
    Address,
    Code,
    CredentialId,
    Identifier,
    Language,
    Name,
    PasskeyData,
    PasskeyProof,
    Password,
    Request,
    Response,
)

SignUps = Literal["open", "invitation", "closed"]
#: What a passkey may be asked to sign, each time for one thing.
PasskeyUse = Literal["new_passkey", "add_passkey", "remove_passkey", "password", "recovery", "mail", "deletion"]


class Ways(Response):
    """How one gets an account here, and gets back into it."""

    sign_ups: SignUps
    #: Whether the server sends mails.
    mail: bool
    #: The host name for which passkeys are made, here or above that of the page.
    passkeys: str


class NewPasskey(Request):
    """A passkey that a browser has made, as its credential has it: in URL-safe base64, without padding."""

    name: Name
    id: CredentialId
    client_data: PasskeyData
    attestation: PasskeyData


class NewAccount(Request):
    """An account to make of a guest, with a password, a passkey, or both."""

    name: Name
    password: Password | None = None
    passkey: NewPasskey | None = None
    #: Needed where accounts are by invitation.
    invitation: Code | None = None


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


class PasskeySignIn(Request):
    """What a passkey has signed, which says whose it is."""

    passkey: PasskeyProof


class Confirmation(Request):
    """The password once more, or a passkey, before something that only the owner may do."""

    password: Password | None = None
    passkey: PasskeyProof | None = None


class NewPassword(Request):
    """A new password, confirmed by the current one or a passkey."""

    password: Password
    current: Confirmation


class RecoveryCode(Response):
    """A recovery code, which is shown only once."""

    recovery: str


class Recovery(Request):
    """The recovery code of an account, and a new password."""

    name: Name
    code: Code
    password: Password


class NewChallenge(Request):
    """What a passkey is to sign something for. For a new account its name, which must be free, and the invitation."""

    purpose: PasskeyUse
    name: Name | None = None
    invitation: Code | None = None


class PasskeyChallenge(Response):
    """What a passkey is to sign within five minutes, once."""

    #: Bytes in URL-safe base64, as the ids below.
    challenge: str
    #: The host name for which passkeys are made.
    site: str
    #: The id of the person, whose passkey it is.
    user: str
    #: The ids of the credentials that the person has.
    known: list[str]


class Passkey(Response):
    """A passkey of an account."""

    id: str
    name: str
    at: int
    #: When it was last used.
    used: int


class AddedPasskey(Request):
    """A passkey to add to an account."""

    passkey: NewPasskey
    confirmation: Confirmation


class PasskeyName(Request):
    """A new name of a passkey."""

    name: Name


class SignInMethods(Response):
    """How the person signs in, and where mails go."""

    #: Whether the account has a password.
    password: bool
    passkeys: list[Passkey]
    mail: str | None
    #: An address whose owner has not followed the link yet.
    new_mail: str | None


class NewAddress(Request):
    """An address for mails, and the language of what is sent there."""

    address: Address
    confirmation: Confirmation
    language: Language = "en"


class MailLink(Request):
    """The secret of a link in a mail."""

    secret: Identifier


class ConfirmedAddress(Response):
    """Whose address was confirmed."""

    name: str
    address: str


class RecoveryByMail(Request):
    """The name or the address of an account, to which a mail is to be sent."""

    who: Annotated[str, Meta(min_length=1, max_length=254)]


class NewPasswordByMail(Request):
    """The secret of a link in a mail, and a new password."""

    secret: Identifier
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
