"""Passkeys: accounts without a password, signing in without a name, and confirming what only the owner may do."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

import httpx
import msgspec
import pytest
from sqlalchemy import select

from acedrex.server import wire
from acedrex.server.people import passkeys as passkeys_module
from acedrex.server.people.accounts import Accounts
from acedrex.server.people.passkeys import MAX_PASSKEYS, SIGN_IN, VALID_MS, Passkeys, Site, site_of
from acedrex.server.people.people import People
from acedrex.server.people.sessions import Sessions
from acedrex.server.refusal import Refusal
from acedrex.server.storage.store import Store
from acedrex.server.storage.tables import passkey_challenges, passkeys
from acedrex.server.time_source import now
from tests.server.authenticator import PRESENT, Authenticator
from tests.server.conftest import Person, Server, anyone
from tests.server.test_accounts import PASSWORD, me, post, renew, signed_up
from tests.server.test_api import problem

pytestmark = pytest.mark.slow


def device(server: Server) -> Authenticator:
    return Authenticator(origin=f"http://localhost:{server.port}")


def asked(person: Person, purpose: str, **more: Any) -> dict[str, Any]:
    answer = person.http.post("/api/me/passkeys/challenge", json={"purpose": purpose, **more})
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def sign_in(server: Server, phone: Authenticator) -> httpx.Response:
    options = post(server, "sessions/passkey/challenge").json()
    return post(server, "sessions/passkey", passkey=phone.sign(options))


def without_password(server: Server, name: str) -> tuple[Person, Authenticator]:
    """Return a person whose account has a passkey and no password."""
    person, phone = Person(server, "Somebody"), device(server)
    passkey = phone.create(asked(person, "new_passkey", name=name))
    answer = person.http.post("/api/me/account", json={"name": name, "passkey": passkey})
    assert answer.status_code == 201, answer.text
    renew(person, answer.json()["person"])
    return person, phone


# Over HTTP.


def test_a_guest_makes_an_account_with_a_passkey_and_signs_in_without_a_name(server: Server) -> None:
    person, phone = without_password(server, "Petra")
    answer = sign_in(server, phone)
    assert answer.status_code == 201, answer.text
    assert (answer.json()["id"], answer.json()["name"], answer.json()["account"]) == (person.id, "Petra", True)
    assert me(server, answer.json()["token"]).status_code == 200
    problem(post(server, "sessions", name="Petra", password=""), 400, "invalid")
    problem(post(server, "sessions", name="Petra", password="nobody's"), 403, "wrong_password")
    found = person.http.get("/api/me/account").json()
    assert found["password"] is False and [one["name"] for one in found["passkeys"]] == ["My phone"]


def test_an_account_needs_a_password_or_a_passkey(server: Server) -> None:
    problem(Person(server).http.post("/api/me/account", json={"name": "Neither"}), 400, "invalid")


def test_a_name_that_is_taken_is_refused_before_the_passkey_is_made(server: Server) -> None:
    signed_up(server, "Quirin")
    body = {"purpose": "new_passkey", "name": "quirin"}
    problem(Person(server).http.post("/api/me/passkeys/challenge", json=body), 409, "name_taken")


def test_passkeys_are_added_named_and_removed_but_never_the_last_way_to_sign_in(server: Server) -> None:
    person, phone = without_password(server, "Romy")
    laptop = device(server)
    options = asked(person, "add_passkey")
    assert len(options["known"]) == 1
    body = {"passkey": laptop.create(options, "Laptop"), "confirmation": {}}
    problem(person.http.post("/api/me/passkeys", json=body), 403, "wrong_password")
    body["confirmation"] = {"passkey": phone.sign(asked(person, "add_passkey"))}
    answer = person.http.post("/api/me/passkeys", json=body)
    assert answer.status_code == 201, answer.text
    first, second = answer.json()
    assert (first["name"], second["name"]) == ("My phone", "Laptop")
    assert person.http.patch(f"/api/me/passkeys/{second['id']}", json={"name": "Old laptop"}).status_code == 204
    assert [one["name"] for one in person.http.get("/api/me/account").json()["passkeys"]][1] == "Old laptop"
    other = sign_in(server, laptop).json()["token"]
    confirmation = {"passkey": laptop.sign(asked(person, "remove_passkey"))}
    assert person.http.post(f"/api/me/passkeys/{first['id']}/removal", json=confirmation).status_code == 204
    # The device may be lost: all others are signed out.
    problem(me(server, other), 401, "unknown_guest")
    problem(sign_in(server, phone), 403, "wrong_passkey")
    confirmation = {"passkey": laptop.sign(asked(person, "remove_passkey"))}
    problem(person.http.post(f"/api/me/passkeys/{second['id']}/removal", json=confirmation), 409, "last_way")
    assert sign_in(server, laptop).status_code == 201
    # With a password the last passkey may go.
    body = {"password": PASSWORD, "current": {"passkey": laptop.sign(asked(person, "password"))}}
    renew(person, person.http.put("/api/me/password", json=body).raise_for_status().json())
    removal = person.http.post(f"/api/me/passkeys/{second['id']}/removal", json={"password": PASSWORD})
    assert removal.status_code == 204, removal.text
    assert post(server, "sessions", name="Romy", password=PASSWORD).status_code == 201


def test_only_ones_own_passkeys_can_be_renamed_and_removed(server: Server) -> None:
    hers, _ = without_password(server, "Selma")
    (passkey,) = hers.http.get("/api/me/account").json()["passkeys"]
    person, _ = signed_up(server, "Theo")
    path = f"/api/me/passkeys/{passkey['id']}"
    problem(person.http.patch(path, json={"name": "Mine"}), 404, "no_such_passkey")
    problem(person.http.post(f"{path}/removal", json={"password": PASSWORD}), 404, "no_such_passkey")
    problem(person.http.patch("/api/me/passkeys/%00", json={"name": "Mine"}), 404, "no_such_passkey")


def test_a_passkey_confirms_deletion_and_a_new_recovery_code(server: Server) -> None:
    person, phone = without_password(server, "Uma")
    proof = phone.sign(asked(person, "recovery"))
    # What was signed for one thing is of no use for another, and works once.
    problem(person.http.post("/api/me/deletion", json={"id": person.id, "passkey": proof}), 403, "wrong_passkey")
    assert person.http.post("/api/me/recovery", json={"passkey": proof}).status_code == 200
    problem(person.http.post("/api/me/recovery", json={"passkey": proof}), 403, "wrong_passkey")
    problem(person.http.post("/api/me/deletion", json={"id": person.id}), 403, "wrong_password")
    proof = phone.sign(asked(person, "deletion"))
    assert person.http.post("/api/me/deletion", json={"id": person.id, "passkey": proof}).status_code == 204
    problem(sign_in(server, phone), 403, "wrong_passkey")


def test_guests_have_no_passkeys(server: Server) -> None:
    guest = Person(server)
    problem(guest.http.post("/api/me/passkeys/challenge", json={"purpose": "add_passkey"}), 409, "no_account")
    problem(guest.http.get("/api/me/account"), 409, "no_account")
    for path in ("/api/me/passkeys/challenge", "/api/me/passkeys"):
        assert anyone.post(f"{server.base}{path}", json={}).status_code in (400, 401)


# In one process.


@pytest.fixture
async def here(store: Store) -> SimpleNamespace:
    """Ana, who has an account with a password and a phone with a passkey."""
    own, keys = Sessions(store), Passkeys(store, site_of(["http://127.0.0.1:8000"]))
    accounts, phone = Accounts(store, own, keys), Authenticator()
    guest = await People(store, own).make("Ana")
    made = phone.create(plain(await keys.challenge("new_passkey", guest.id)))
    new = wire.NewAccount("Ana", PASSWORD, msgspec.convert(made, wire.NewPasskey))
    ana = (await accounts.create(guest, new, "")).person
    return SimpleNamespace(people=People(store, own), accounts=accounts, keys=keys, phone=phone, ana=ana, sessions=own)


def plain(options: wire.PasskeyChallenge) -> dict[str, Any]:
    found: dict[str, Any] = msgspec.to_builtins(options)
    return found


async def signed(here: Any, purpose: str = SIGN_IN, person: str = "", **changes: Any) -> wire.PasskeyProof:
    proof = here.phone.sign(plain(await here.keys.challenge(purpose, person))) | changes
    return msgspec.convert(proof, wire.PasskeyProof)


async def refused(here: Any, proof: wire.PasskeyProof, purpose: str = SIGN_IN, person: str = "") -> None:
    with pytest.raises(Refusal, match="not valid here"):
        await here.keys.check(proof, purpose, person)


async def test_a_challenge_works_once_even_if_two_devices_use_it_at_once(here: Any) -> None:
    proof = await signed(here)
    found = await asyncio.gather(*(here.keys.check(proof, SIGN_IN) for _ in range(4)), return_exceptions=True)
    assert sum(not isinstance(one, Refusal) for one in found) == 1


async def test_a_challenge_is_bound_to_its_purpose_and_its_person(here: Any) -> None:
    bo = await here.people.make("Bo")
    await refused(here, await signed(here, "mail", here.ana.id), "deletion", here.ana.id)
    await refused(here, await signed(here, "mail", bo.id), "mail", here.ana.id)
    await refused(here, await signed(here, "mail", bo.id), "mail", bo.id)
    await refused(here, await signed(here), "mail", here.ana.id)
    await refused(here, await signed(here, "mail", here.ana.id))
    assert (await here.keys.check(await signed(here, "mail", here.ana.id), "mail", here.ana.id)).person == here.ana.id


async def test_a_challenge_is_valid_for_five_minutes(here: Any, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    proof, later = await signed(here), now() + VALID_MS
    monkeypatch.setattr(passkeys_module, "now", lambda: later + 1)
    await refused(here, proof)
    await here.keys.challenge(SIGN_IN)
    assert len(await store.all(select(passkey_challenges))) == 1, "expired ones are deleted"


async def test_a_challenge_of_ones_own_making_is_refused(here: Any) -> None:
    proof = here.phone.sign({"challenge": "b3duIG1ha2luZw", "user": here.ana.id})
    await refused(here, msgspec.convert(proof, wire.PasskeyProof))


@pytest.mark.parametrize(
    "change",
    [
        {"origin": "https://evil.example"},
        {"origin": "http://localhost:9000"},
        {"site": "evil.example"},
        {"flags": PRESENT},
        {"user": "somebody else"},
        {"id": b"unknown"},
        {"key": Authenticator().key},
        {"count": 0, "step": 0},
    ],
    ids=["site", "port", "party", "unverified", "user", "unknown", "key", "copy"],
)
async def test_what_another_site_or_key_has_signed_is_refused(here: Any, change: dict[str, Any]) -> None:
    for name, value in change.items():
        setattr(here.phone, name, value)
    await refused(here, await signed(here))


async def test_a_passkey_that_does_not_say_whose_it_is_can_only_confirm(here: Any) -> None:
    await refused(here, await signed(here, user_handle=None))
    proof = await signed(here, "mail", here.ana.id, user_handle=None)
    assert (await here.keys.check(proof, "mail", here.ana.id)).person == here.ana.id


@pytest.mark.parametrize("name", ["client_data", "authenticator_data", "signature", "user_handle", "id"])
@pytest.mark.parametrize("text", ["x", "!", "AAAA", "é", "A" * 4_000])
async def test_nonsense_is_refused(here: Any, name: str, text: str) -> None:
    await refused(here, msgspec.structs.replace(await signed(here), **{name: text}))


async def test_a_copy_of_a_passkey_is_noticed_by_its_count(here: Any) -> None:
    await here.keys.check(await signed(here), SIGN_IN)
    here.phone.count -= 1
    await refused(here, await signed(here))


async def test_a_passkey_that_does_not_count_can_be_used_again(here: Any, store: Store) -> None:
    synced = Authenticator(step=0)
    made = synced.create(plain(await here.keys.challenge("add_passkey", here.ana.id)))
    await here.keys.add(here.ana.id, msgspec.convert(made, wire.NewPasskey), "Synced")
    here.phone = synced
    for _ in range(2):
        assert (await here.accounts.sign_in_with_passkey(await signed(here), "")).id == here.ana.id


@pytest.mark.parametrize("change", [{"origin": "https://evil.example"}, {"site": "evil.example"}, {"flags": PRESENT}])
async def test_a_passkey_made_for_another_site_is_not_stored(here: Any, change: dict[str, Any]) -> None:
    made = Authenticator(**change).create(plain(await here.keys.challenge("add_passkey", here.ana.id)))
    with pytest.raises(Refusal, match="not valid here"):
        await here.keys.add(here.ana.id, msgspec.convert(made, wire.NewPasskey), "Bad")


@pytest.mark.parametrize("name", ["client_data", "attestation", "id"])
@pytest.mark.parametrize("text", ["x", "AAAA", "é", "o2NmbXQA"])
async def test_a_passkey_that_is_nonsense_is_not_stored(here: Any, name: str, text: str) -> None:
    made = Authenticator().create(plain(await here.keys.challenge("add_passkey", here.ana.id))) | {name: text}
    with pytest.raises(Refusal, match="not valid here"):
        await here.keys.add(here.ana.id, msgspec.convert(made, wire.NewPasskey), "Bad")


async def test_a_passkey_of_one_account_is_not_added_to_another(here: Any) -> None:
    bo = await here.people.make("Bo")
    made = here.phone.create(plain(await here.keys.challenge("add_passkey", bo.id)))
    with pytest.raises(Refusal, match="known already"):
        await here.keys.add(bo.id, msgspec.convert(made, wire.NewPasskey), "Stolen")


async def test_of_two_passkeys_removed_at_once_one_stays_if_there_is_no_password(here: Any, store: Store) -> None:
    bo, keys = await here.people.make("Bo"), [Authenticator(), Authenticator()]
    first = keys[0].create(plain(await here.keys.challenge("new_passkey", bo.id)))
    new = wire.NewAccount("Bo", None, msgspec.convert(first, wire.NewPasskey))
    await here.accounts.create(bo, new, "")
    second = keys[1].create(plain(await here.keys.challenge("add_passkey", bo.id)))
    await here.keys.add(bo.id, msgspec.convert(second, wire.NewPasskey), "Second")
    ids = [one.id for one in await here.keys.of(bo.id)]
    found = await asyncio.gather(*(here.keys.remove(bo.id, id) for id in ids), return_exceptions=True)
    assert [type(one) for one in found].count(Refusal) == 1
    assert len(await here.keys.of(bo.id)) == 1


async def test_a_sign_in_with_a_passkey_that_is_removed_meanwhile_fails(
    here: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    proof, begin = await signed(here), here.sessions.begin

    async def remove_first(*args: Any) -> str:
        (passkey,) = await here.keys.of(here.ana.id)
        await here.keys.remove(here.ana.id, passkey.id)
        return str(await begin(*args))

    monkeypatch.setattr(here.sessions, "begin", remove_first)
    with pytest.raises(Refusal, match="not valid here"):
        await here.accounts.sign_in_with_passkey(proof, "")
    assert await here.sessions.find(here.ana.token) is None


async def test_an_account_has_at_most_twenty_passkeys(here: Any) -> None:
    for number in range(MAX_PASSKEYS - 1):
        made = Authenticator().create(plain(await here.keys.challenge("add_passkey", here.ana.id)))
        await here.keys.add(here.ana.id, msgspec.convert(made, wire.NewPasskey), str(number))
    with pytest.raises(Refusal, match="at most"):
        await here.keys.add(here.ana.id, msgspec.convert(made, wire.NewPasskey), "too many")


async def test_no_secret_of_a_challenge_is_stored(here: Any, store: Store) -> None:
    options = await here.keys.challenge("mail", here.ana.id)
    rows = [row for table in (passkeys, passkey_challenges) for row in await store.all(select(table))]
    assert options.challenge not in str(rows)


@pytest.mark.parametrize(
    "origins, site",
    [
        (["http://127.0.0.1:8000"], Site("localhost", ["http://localhost:8000"])),
        (["http://[::1]:80", "http://10.0.0.2:90"], Site("localhost", ["http://localhost:80", "http://localhost:90"])),
        (
            ["https://example.org", "https://play.example.org", "https://other.example", "http://127.0.0.1:8000"],
            Site("example.org", ["https://example.org", "https://play.example.org"]),
        ),
        (["http://localhost:8080", "http://127.0.0.1:8080"], Site("localhost", ["http://localhost:8080"])),
        (["https://badexample.org", "https://example.org"], Site("badexample.org", ["https://badexample.org"])),
    ],
)
def test_the_site_of_passkeys_is_that_of_the_first_origin_with_a_name(origins: list[str], site: Site) -> None:
    assert site_of(origins) == site
