"""Sign-ups that are open, by invitation, or closed."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from sqlalchemy import select

from acedrex.cli import main
from acedrex.server import wire
from acedrex.server.people import invitations
from acedrex.server.people.accounts import Accounts
from acedrex.server.people.invitations import DAY, invite
from acedrex.server.people.passkeys import Passkeys, site_of
from acedrex.server.people.people import People
from acedrex.server.people.sessions import Sessions
from acedrex.server.refusal import Refusal
from acedrex.server.storage.store import Store
from acedrex.server.storage.tables import invitations as table
from acedrex.server.time_source import now
from tests.server.conftest import Person, Server, anyone
from tests.server.stores import opened
from tests.server.test_accounts import PASSWORD
from tests.server.test_api import problem


def sign_up(server: Server, name: str, **more: Any) -> Any:
    return Person(server, "Somebody").http.post("/api/me/account", json={"name": name, "password": PASSWORD, **more})


def test_an_invitation_makes_one_account(
    start: Callable[..., Server], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    server = start("--sign-ups", "invitation")
    assert anyone.get(f"{server.base}/api/accounts").json()["sign_ups"] == "invitation"
    monkeypatch.setenv("ACEDREX_DATABASE_URL", f"sqlite:///{tmp_path}/server.db")
    assert main(["invite", "2", "--origin", "https://chess.example.org"]) == 0
    links = capsys.readouterr().out.split()
    assert len(links) == 2 and all(one.startswith("https://chess.example.org/account?invitation=") for one in links)
    code = links[0].partition("=")[2]
    problem(sign_up(server, "Ana"), 403, "wrong_invitation")
    problem(sign_up(server, "Ana", invitation="AAAA-AAAA-AAAA-AAAA-AAAA"), 403, "wrong_invitation")
    # A name that is refused does not use it up.
    problem(sign_up(server, "admin", invitation=code), 409, "name_taken")
    assert sign_up(server, "Ana", invitation=f" {code.lower()} ").status_code == 201
    problem(sign_up(server, "Bo", invitation=code), 403, "wrong_invitation")
    # Nobody learns which invitations there are from the names that are taken, nor from the log.
    problem(sign_up(server, "Ana", invitation=code), 403, "wrong_invitation")
    assert code not in server.log.read_text()
    assert server.end() == 0 and server.faults() == []


def test_nobody_signs_up_where_that_is_closed_but_people_still_sign_in(start: Callable[..., Server]) -> None:
    server = start()
    assert sign_up(server, "Ana").status_code == 201
    server.end()
    server = start(ACEDREX_SIGN_UPS="closed")
    assert anyone.get(f"{server.base}/api/accounts").json()["sign_ups"] == "closed"
    problem(sign_up(server, "Bo"), 403, "sign_ups_closed")
    body = {"purpose": "new_passkey", "name": "Bo"}
    problem(Person(server, "Somebody").http.post("/api/me/passkeys/challenge", json=body), 403, "sign_ups_closed")
    signed_in = anyone.post(f"{server.base}/api/sessions", json={"name": "Ana", "password": PASSWORD})
    assert signed_in.status_code == 201


def test_a_setting_that_is_unknown_is_reported(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("ACEDREX_SIGN_UPS", "friends")
    assert main(["serve"]) == 1
    assert "ACEDREX_SIGN_UPS must be open, invitation or closed" in capsys.readouterr().err


def process(store: Store) -> SimpleNamespace:
    """Return what one process of a server has."""
    own = Sessions(store)
    return SimpleNamespace(
        people=People(store, own), accounts=Accounts(store, own, Passkeys(store, site_of([])), "invitation")
    )


async def test_of_two_requests_in_two_processes_one_uses_an_invitation(store: Store, database: str) -> None:
    (code,) = await asyncio.to_thread(invite, database, 1, 30)
    async with opened(Store(database)) as other:
        here, there = process(store), process(other)
        guests = [(one, await one.people.make(None)) for one in (here, there) for _ in range(3)]
        tries = (
            one.accounts.create(guest, wire.NewAccount(f"Player{place}", PASSWORD, invitation=code), "")
            for place, (one, guest) in enumerate(guests)
        )
        found = await asyncio.gather(*tries, return_exceptions=True)
    assert sum(isinstance(one, wire.AccountCreated) for one in found) == 1
    assert {one.problem.code for one in found if isinstance(one, Refusal)} == {"wrong_invitation"}
    assert await store.all(select(table)) == []


async def test_an_invitation_expires(store: Store, database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    (code,) = await asyncio.to_thread(invite, database, 1, 2)
    assert await invitations.check(store, code)
    later = now() + 2 * DAY
    monkeypatch.setattr(invitations, "now", lambda: later)
    with pytest.raises(Refusal, match="not valid any more"):
        await invitations.check(store, code)
    await asyncio.to_thread(invite, database, 3, 2)
    assert len(await store.all(select(table))) == 3, "expired ones are deleted"


async def test_where_sign_ups_are_open_an_invitation_is_not_used_up(store: Store, database: str) -> None:
    (code,) = await asyncio.to_thread(invite, database, 1, 30)
    here = process(store)
    here.accounts.sign_ups = "open"
    guest = await here.people.make(None)
    await here.accounts.create(guest, wire.NewAccount("Ana", PASSWORD, invitation=code), "")
    assert await invitations.check(store, code)
    assert code not in str(await store.all(select(table)))
