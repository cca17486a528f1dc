"""Passkeys: keys that stay in a device or a password manager, and sign what the server asks (WebAuthn)."""

from __future__ import annotations

import ipaddress
import secrets
from collections.abc import Sequence
from typing import Any
from urllib.parse import urlsplit

import msgspec
from msgspec import Struct
from sqlalchemy import bindparam, delete, exists, insert, or_, select, update
from webauthn import verify_authentication_response, verify_registration_response
from webauthn.helpers import base64url_to_bytes, bytes_to_base64url
from webauthn.helpers.structs import (
    AuthenticationCredential,
    AuthenticatorAssertionResponse,
    AuthenticatorAttestationResponse,
    RegistrationCredential,
)

from acedrex.server import ids, wire
from acedrex.server.refusal import Refusal
from acedrex.server.storage.store import ConflictError, Step, Store
from acedrex.server.storage.tables import accounts, passkey_challenges, passkeys
from acedrex.server.time_source import now

#: Milliseconds in which a challenge must be signed, its bytes, and the most passkeys of an account.
VALID_MS, CHALLENGE_BYTES, MAX_PASSKEYS = 5 * 60_000, 32, 20
#: The purpose of a challenge with which anybody may sign in.
SIGN_IN = "sign_in"

NEW_CHALLENGE = insert(passkey_challenges)
OLD_CHALLENGES = delete(passkey_challenges).where(passkey_challenges.c.until <= bindparam("_now"))
#: It is deleted as it is used, so of two requests only one can use it.
USE_CHALLENGE = delete(passkey_challenges).where(
    passkey_challenges.c.challenge_hash == bindparam("_challenge"),
    passkey_challenges.c.purpose == bindparam("_purpose"),
    passkey_challenges.c.person == bindparam("_person"),
    passkey_challenges.c.until > bindparam("_now"),
)
NEW = insert(passkeys)
#: Only if the count is the one that was checked.
USED = (
    update(passkeys)
    .where(passkeys.c.id == bindparam("_id"), passkeys.c.sign_count == bindparam("_before"))
    .values(sign_count=bindparam("_count"), used=bindparam("_used"))
)
RENAMED = (
    update(passkeys)
    .where(passkeys.c.id == bindparam("_id"), passkeys.c.person == bindparam("_person"))
    .values(name=bindparam("_name"))
)
#: Two that are removed at once wait for each other here, so that the second sees that the first is gone.
LOCK = update(accounts).where(accounts.c.person == bindparam("_person")).values(person=bindparam("_person"))
_other = passkeys.alias()
REMOVED = delete(passkeys).where(
    passkeys.c.id == bindparam("_id"),
    passkeys.c.person == bindparam("_person"),
    or_(
        exists().where(accounts.c.person == bindparam("_person"), accounts.c.password_hash.is_not(None)),
        exists().where(_other.c.person == bindparam("_person"), _other.c.id != bindparam("_id")),
    ),
)


class Site(Struct, frozen=True):
    """For whom passkeys are made: a host name, and the origins of pages that may use them."""

    name: str
    origins: Sequence[str]


def site_of(origins: Sequence[str]) -> Site:
    """Return the site of a server: the host name of its first origin that has one, otherwise this machine.

    >>> site_of(["https://chess.example.org", "http://127.0.0.1:8000"])
    Site(name='chess.example.org', origins=['https://chess.example.org'])
    >>> site_of(["http://127.0.0.1:8000"])
    Site(name='localhost', origins=['http://localhost:8000'])
    """
    named = {origin: name for origin in origins if (name := _host_name(origin))}
    if named:
        site = next(iter(named.values()))
        return Site(site, [origin for origin, name in named.items() if name == site or name.endswith(f".{site}")])
    ports = {port for origin in origins if (port := urlsplit(origin).port)}
    return Site("localhost", [f"http://localhost:{port}" for port in sorted(ports)])


def _host_name(origin: str) -> str | None:
    """Return the host name of an origin; passkeys are never for addresses."""
    name = urlsplit(origin).hostname
    try:
        ipaddress.ip_address(name or "")
    except ValueError:
        return name
    return None


def wrong_passkey() -> Refusal:
    """Return the refusal of what a passkey has signed."""
    return Refusal("wrong_passkey", "this passkey is not valid here, or it took too long; try again", "passkey")


class _ClientData(Struct):
    challenge: str


class Passkeys:
    """The passkeys of all accounts."""

    def __init__(self, store: Store, site: Site) -> None:
        """Use a store, for a site."""
        self._store = store
        self.site = site

    async def challenge(self, purpose: str, person: str = "") -> wire.PasskeyChallenge:
        """Return what a passkey is to sign for a purpose; without a person, to sign in."""
        challenge = secrets.token_bytes(CHALLENGE_BYTES)
        text = bytes_to_base64url(challenge)
        row = {"challenge_hash": ids.hashed(text), "purpose": purpose, "person": person, "until": now() + VALID_MS}
        await self._store.write((OLD_CHALLENGES, {"_now": now()}), (NEW_CHALLENGE, row))
        known = await self._store.all(select(passkeys.c.credential).where(passkeys.c.person == person))
        return wire.PasskeyChallenge(text, self.site.name, person, [row.credential for row in known])

    async def new_step(self, person: str, new: wire.NewPasskey, name: str, purpose: str) -> Step:
        """Return the step that stores a passkey that a browser has just made.

        :raises Refusal: if the passkey was not made for this, or is known already.
        """
        challenge = await self._used_challenge(new.client_data, purpose, person)
        try:
            response = AuthenticatorAttestationResponse(
                base64url_to_bytes(new.client_data), base64url_to_bytes(new.attestation)
            )
            found = verify_registration_response(
                credential=RegistrationCredential(new.id, base64url_to_bytes(new.id), response),
                expected_challenge=challenge,
                expected_rp_id=self.site.name,
                expected_origin=[*self.site.origins],
                require_user_verification=True,
            )
        except Exception:  # What a stranger sends can fail in any way.
            raise wrong_passkey() from None
        if found.credential_id != base64url_to_bytes(new.id):
            raise wrong_passkey()
        key, moment = ids.hashed(new.id), now()
        if await self._store.first(select(passkeys.c.id).where(passkeys.c.id == key)) is not None:
            raise known_passkey()
        row = {"id": key, "person": person, "name": name, "credential": new.id, "at": moment, "used": moment}
        public_key = bytes_to_base64url(found.credential_public_key)
        return (NEW, {**row, "public_key": public_key, "sign_count": found.sign_count})

    async def check(self, proof: wire.PasskeyProof, purpose: str, person: str = "") -> Any:
        """Check what a passkey has signed, and return its row.

        :param person: whose it must be; without one, anybody's.
        :raises Refusal: if it is not valid.
        """
        challenge = await self._used_challenge(proof.client_data, purpose, person)
        row = await self._store.first(select(passkeys).where(passkeys.c.id == ids.hashed(proof.id)))
        if row is None or (person and row.person != person):
            raise wrong_passkey()
        try:
            # It says whose the passkey is, and may be left out only where that is known.
            handle = base64url_to_bytes(proof.user_handle or "")
            if handle != row.person.encode() and (handle or not person):
                raise wrong_passkey()
            response = AuthenticatorAssertionResponse(
                base64url_to_bytes(proof.client_data),
                base64url_to_bytes(proof.authenticator_data),
                base64url_to_bytes(proof.signature),
            )
            found = verify_authentication_response(
                credential=AuthenticationCredential(proof.id, base64url_to_bytes(proof.id), response),
                expected_challenge=challenge,
                expected_rp_id=self.site.name,
                expected_origin=[*self.site.origins],
                credential_public_key=base64url_to_bytes(row.public_key),
                credential_current_sign_count=row.sign_count,
                require_user_verification=True,
            )
        except Exception:  # What a stranger sends can fail in any way.
            raise wrong_passkey() from None
        used = {"_id": row.id, "_before": row.sign_count, "_count": found.new_sign_count, "_used": now()}
        if await self._store.change((USED, used)) != [1]:
            raise wrong_passkey()  # Used at the same time, or removed.
        return row

    async def _used_challenge(self, client_data: str, purpose: str, person: str) -> bytes:
        """Return the challenge in a browser's data, which can never be used again.

        :raises Refusal: if it is not one of this server's for this purpose and person, or too old.
        """
        try:
            text = msgspec.json.decode(base64url_to_bytes(client_data), type=_ClientData).challenge
            challenge = base64url_to_bytes(text)
        except Exception:  # As above.
            raise wrong_passkey() from None
        key = ids.hashed(bytes_to_base64url(challenge))
        values = {"_challenge": key, "_purpose": purpose, "_person": person, "_now": now()}
        if await self._store.change((USE_CHALLENGE, values)) != [1]:
            raise wrong_passkey()
        return challenge

    async def of(self, person: str) -> list[wire.Passkey]:
        """List the passkeys of a person, the oldest first."""
        rows = await self._store.all(select(passkeys).where(passkeys.c.person == person).order_by(passkeys.c.at))
        return [wire.Passkey(row.id, row.name, row.at, row.used) for row in rows]

    async def is_there(self, id: str) -> bool:
        """Return whether a passkey was not removed."""
        return await self._store.first(select(passkeys.c.id).where(passkeys.c.id == id)) is not None

    async def add(self, person: str, new: wire.NewPasskey, name: str, *steps: Step) -> None:
        """Add a passkey to an account, together with other steps.

        :raises Refusal: if it is not valid, or the account has too many.
        """
        if len(await self.of(person)) >= MAX_PASSKEYS:
            raise Refusal("too_many", f"an account has at most {MAX_PASSKEYS} passkeys; remove one that you do not use")
        step = await self.new_step(person, new, name, "add_passkey")
        try:
            await self._store.write(step, *steps)
        except ConflictError:
            raise known_passkey() from None

    async def rename(self, person: str, id: str, name: str) -> None:
        """Rename a passkey.

        :raises Refusal: if the person has no such passkey.
        """
        await self._check_own(person, id)
        await self._store.write((RENAMED, {"_id": id, "_person": person, "_name": name}))

    async def remove(self, person: str, id: str, *steps: Step) -> None:
        """Remove a passkey, together with other steps.

        :raises Refusal: if the person has no such passkey, or no other way to sign in.
        """
        await self._check_own(person, id)
        changed = await self._store.change((LOCK, {"_person": person}), (REMOVED, {"_id": id, "_person": person}))
        if changed != [1, 1]:
            raise Refusal("last_way", "this is your only way to sign in; add a password or another passkey first", "id")
        await self._store.write(*steps)

    async def _check_own(self, person: str, id: str) -> None:
        if id not in [one.id for one in await self.of(person)]:
            raise Refusal("no_such_passkey", "you have no such passkey; it may have been removed already", "id")


def known_passkey() -> Refusal:
    """Return the refusal of a passkey that an account has."""
    return Refusal("known_passkey", "this passkey is known already; sign in with it", "passkey")
