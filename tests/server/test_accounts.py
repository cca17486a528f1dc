"""Accounts and sessions: signing up, in and out, on several devices, and coming back without any."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
import pytest
from sqlalchemy import delete, select, update
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection

from acedrex.server import wire
from acedrex.server.app import make
from acedrex.server.bus import Bus
from acedrex.server.limits.edge import ROUND_TRIP
from acedrex.server.people import accounts as accounts_module
from acedrex.server.people import passwords
from acedrex.server.people.accounts import Accounts
from acedrex.server.people.codes import code_hash, new_code
from acedrex.server.people.names import clean_account_name, handle_of
from acedrex.server.people.passkeys import Passkeys, site_of
from acedrex.server.people.people import People
from acedrex.server.people.sessions import MAX_SESSIONS, SEEN, UNUSED, Session, Sessions, device_of
from acedrex.server.personal_data import retention
from acedrex.server.play.engines import Engines
from acedrex.server.play.listener import Listener
from acedrex.server.play.lobby import Lobby
from acedrex.server.play.room import Room
from acedrex.server.play.rooms import Rooms
from acedrex.server.refusal import Refusal
from acedrex.server.settings import Settings
from acedrex.server.storage.migrate import migrate
from acedrex.server.storage.store import BusyError, Store
from acedrex.server.storage.tables import accounts, codes, sessions
from acedrex.server.studies.room import Study
from acedrex.server.time_source import now
from tests.conftest import TIMEOUT
from tests.server.conftest import Person, Server, anyone, coming_from
from tests.server.services import PostgreSQL
from tests.server.test_api import problem
from tests.server.waiting import until

pytestmark = pytest.mark.slow

PASSWORD = "a board of 12 by 12"
CURRENT = wire.Confirmation(PASSWORD)
FIREFOX = "Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0"


def post(server: Server, path: str, token: str | None = None, **body: Any) -> httpx.Response:
    headers = {"User-Agent": FIREFOX} | ({"Authorization": f"Bearer {token}"} if token else {})
    return anyone.post(f"{server.base}/api/{path}", json=body, headers=headers)


def me(server: Server, token: str) -> httpx.Response:
    return anyone.get(f"{server.base}/api/me", headers={"Authorization": f"Bearer {token}"})


def signed_up(server: Server, name: str, address: str = "127.0.0.1") -> tuple[Person, str]:
    """Return a person with an account, and the recovery code."""
    person = Person(server, "Somebody", address)
    answer = person.http.post("/api/me/account", json={"name": name, "password": PASSWORD})
    assert answer.status_code == 201, answer.text
    made = answer.json()
    renew(person, made["person"])
    assert made["person"] == {"id": person.id, "name": name, "account": True, "token": person.token}
    return person, made["recovery"]


def renew(person: Person, told: dict[str, Any]) -> None:
    """Take the token of a new session, which differs from the old one."""
    assert told["token"] != person.token
    person.token = told["token"]
    person.http.headers["Authorization"] = f"Bearer {person.token}"


def heard_all(connection: ClientConnection) -> None:
    while True:
        connection.recv(TIMEOUT)


# Over HTTP.


def test_a_guest_with_an_account_keeps_everything_and_signs_in_elsewhere(server: Server) -> None:
    person = Person(server, "Ana")
    match, copied = person.match()["match"], person.token
    made = person.http.post("/api/me/account", json={"name": "Ana_12", "password": PASSWORD}).raise_for_status()
    renew(person, made.json()["person"])
    problem(me(server, copied), 401, "unknown_guest")
    assert me(server, person.token).json() == {"id": person.id, "name": "Ana_12", "account": True}
    answer = post(server, "sessions", name="ana-12", password=PASSWORD)
    assert answer.status_code == 201, answer.text
    other = answer.json()
    assert (other["id"], other["name"], other["account"]) == (person.id, "Ana_12", True)
    listed = anyone.get(f"{server.base}/api/me/matches", headers={"Authorization": f"Bearer {other['token']}"}).json()
    assert [card["match"] for card in listed] == [match]
    # New matches have the new name.
    again = person.match()["match"]
    assert person.http.get(f"/api/matches/{again}").json()["players"]["white"]["name"] == "Ana_12"


def test_wrong_names_and_passwords_get_the_same_answer(server: Server) -> None:
    signed_up(server, "Berta")
    wrong = post(server, "sessions", name="Berta", password="another one")
    nobody = post(server, "sessions", name="Nobody_at_all", password=PASSWORD)
    assert problem(wrong, 403, "wrong_password") == problem(nobody, 403, "wrong_password")
    odd = post(server, "sessions", name="Ber\u0000ta\U0001f600", password=PASSWORD)
    problem(odd, 403, "wrong_password")


def test_sessions_are_listed_and_ended_at_once(server: Server) -> None:
    person, _ = signed_up(server, "Cleo")
    other = post(server, "sessions", name="Cleo", password=PASSWORD).json()["token"]
    here, there = sorted(person.http.get("/api/me/sessions").json(), key=lambda one: not one["current"])
    assert here["current"] and not there["current"] and there["device"] == "Firefox, Android"
    talk = person.socket(person.match()["match"])
    elsewhere = server.connect("/api/lobby/socket")
    elsewhere.send(f'{{"type":"hello","token":"{other}","after":null}}')
    for _ in range(2):  # The lobby as a stranger sees it, and as she does.
        elsewhere.recv(TIMEOUT)
    assert person.http.delete(f"/api/me/sessions/{there['id']}").status_code == 204
    problem(me(server, other), 401, "unknown_guest")
    # Sockets are closed on both devices; the one that is still signed in connects again.
    for connection in (talk.connection, elsewhere):
        with pytest.raises(ConnectionClosed) as closed:
            heard_all(connection)
        assert closed.value.rcvd is not None and closed.value.rcvd.code == 1012
    assert person.socket(talk.match).snapshot["seat"] == "both"
    problem(person.http.delete(f"/api/me/sessions/{there['id']}"), 404, "no_such_session")
    assert person.http.delete("/api/me/sessions/current").status_code == 204
    problem(me(server, person.token), 401, "unknown_guest")


async def test_a_session_that_ends_while_it_is_read_is_not_found(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    own = Sessions(store)
    person = await People(store, own).make("Ana", "en", "Firefox")
    first = store.first

    async def end_meanwhile(*words: Any, **values: Any) -> Any:
        found = await first(*words, **values)
        monkeypatch.undo()
        await store.write((delete(sessions), {}))
        own.forget(person.id)
        return found

    monkeypatch.setattr(store, "first", end_meanwhile)
    assert await own.find(str(person.token)) is None


@pytest.mark.parametrize("where", ["lobby", "match", "study"])
async def test_a_socket_whose_session_ends_while_it_joins_is_closed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    settings = Settings(database=f"sqlite+aiosqlite:///{tmp_path / 'test.db'}")
    await asyncio.to_thread(migrate, settings.database)
    app = make(settings)
    joined: Any = {"lobby": Lobby, "match": Room, "study": Study}[where]
    join, sent = joined.join, list[Any]()
    async with app.router.lifespan_context(app):
        services = app.state.services
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://127.0.0.1") as client:
            person = (await client.post("/api/guests", json={"name": "Ana"})).json()
            headers = {"Authorization": f"Bearer {person['token']}"}
            asked = {"game": {"game": "chess", "options": {}}, "opponent": {"kind": "self"}, "side": "white"}
            asked |= {"time": {"kind": "none"}, "setup": None}
            made = (await client.post("/api/matches", json=asked, headers=headers)).json()
            study = (await client.post("/api/studies", json={"title": "A study"}, headers=headers)).json()

        async def join_late(self: Any, listener: Listener) -> None:
            if listener.person is not None:
                await services.store.write((delete(sessions), {}))
                services.end_sessions(person["id"])
            await join(self, listener)

        monkeypatch.setattr(joined, "join", join_late)
        hello = json.dumps({"type": "hello", "token": person["token"], "after": None})
        received = iter([{"type": "websocket.connect"}, {"type": "websocket.receive", "text": hello}])

        async def receive() -> Any:
            return next(received, None) or await asyncio.Event().wait()

        async def send(message: Any) -> None:
            sent.append(message)

        paths = {"lobby": "lobby", "match": f"matches/{made['match']}", "study": f"studies/{study['study']}"}
        scope = {
            "type": "websocket",
            "path": f"/api/{paths[where]}/socket",
            "headers": [(b"host", b"127.0.0.1")],
            "query_string": b"",
        }
        scope |= {"client": ("127.0.0.1", 1), "subprotocols": [], "extensions": {ROUND_TRIP: lambda: 0.0}}
        socket = asyncio.create_task(app(scope, receive, send))
        await until(lambda: sent and sent[-1]["type"] == "websocket.close")
        socket.cancel()
        await asyncio.wait([socket])
    assert sent[-1]["code"] == 1012


def test_a_guest_cannot_sign_out_but_can_sign_in_elsewhere_with_a_code(server: Server) -> None:
    guest = Person(server, "Dora")
    problem(guest.http.delete("/api/me/sessions/current"), 409, "last_session")
    code = guest.http.post("/api/me/code").json()["code"]
    answer = post(server, "sessions/code", code=f" {code.lower().replace('-', ' ')} ")
    assert answer.status_code == 201, answer.text
    assert answer.json()["id"] == guest.id and me(server, answer.json()["token"]).json()["name"] == "Dora"
    problem(post(server, "sessions/code", code=code), 403, "wrong_code")
    # A new code replaces one that was not used.
    first = guest.http.post("/api/me/code").json()["code"]
    second = guest.http.post("/api/me/code").json()["code"]
    problem(post(server, "sessions/code", code=first), 403, "wrong_code")
    assert post(server, "sessions/code", code=second).status_code == 201
    assert guest.http.delete("/api/me/sessions/current").status_code == 204


def test_a_new_password_ends_all_sessions_and_makes_codes_void(server: Server) -> None:
    person, _ = signed_up(server, "Edda")
    other = post(server, "sessions", name="Edda", password=PASSWORD).json()["token"]
    new = {"current": {"password": PASSWORD}, "password": "no longer the same"}
    wrong = {**new, "current": {"password": "wrong"}}
    problem(person.http.put("/api/me/password", json=wrong), 403, "wrong_password")
    problem(person.http.put("/api/me/password", json={**new, "password": "short"}), 400, "weak_password")
    code, before = person.http.post("/api/me/code").json()["code"], person.token
    renew(person, person.http.put("/api/me/password", json=new).raise_for_status().json())
    for token in (other, before):
        problem(me(server, token), 401, "unknown_guest")
    problem(post(server, "sessions/code", code=code), 403, "wrong_code")
    assert me(server, person.token).status_code == 200
    problem(post(server, "sessions", name="Edda", password=PASSWORD), 403, "wrong_password")
    assert post(server, "sessions", name="Edda", password=new["password"]).status_code == 201


def test_the_recovery_code_works_once_and_ends_all_sessions(server: Server) -> None:
    person, recovery = signed_up(server, "Flora")
    asked = {"name": "flora", "code": recovery, "password": "found it again"}
    problem(post(server, "recovery", **{**asked, "code": new_code(20)}), 403, "wrong_recovery")
    problem(post(server, "recovery", **{**asked, "password": "password"}), 400, "weak_password")
    made = post(server, "recovery", **asked).json()
    assert made["person"]["id"] == person.id and me(server, made["person"]["token"]).status_code == 200
    problem(me(server, person.token), 401, "unknown_guest")
    problem(post(server, "recovery", **asked), 403, "wrong_recovery")
    # A code may be replaced with the password.
    token = made["person"]["token"]
    problem(post(server, "me/recovery", token, password="wrong"), 403, "wrong_password")
    newest = post(server, "me/recovery", token, password="found it again").json()["recovery"]
    problem(post(server, "recovery", **{**asked, "code": made["recovery"]}), 403, "wrong_recovery")
    assert post(server, "recovery", **{**asked, "code": newest}).status_code == 201


def test_names_of_accounts_are_taken_for_accounts_and_guests(server: Server) -> None:
    person, _ = signed_up(server, "Greta")
    other = Person(server, "Someone")
    for name in ("GRETA", "gr\u0435ta"):
        body = {"name": name, "password": PASSWORD}
        assert other.http.post("/api/me/account", json=body).json()["code"] in ("name_taken", "invalid")
        problem(other.http.patch("/api/me", json={"name": name}), 409, "name_taken")
        problem(anyone.post(f"{server.base}/api/guests", json={"name": name}), 409, "name_taken")
    problem(person.http.post("/api/me/account", json={"name": "Other", "password": PASSWORD}), 409, "has_account")
    problem(person.http.patch("/api/me", json={"name": "Other"}), 409, "has_account")
    problem(other.http.post("/api/me/recovery", json={"password": PASSWORD}), 409, "no_account")


def test_passwords_can_be_tried_only_some_times(server: Server) -> None:
    _, recovery = signed_up(server, "Hedda")
    answers = [post(server, "sessions", name="Hedda", password=f"guess {number}") for number in range(12)]
    assert {answer.status_code for answer in answers} == {403, 429}
    # Others are not kept out, nor the owner at another address, nor with the recovery code.
    signed_up(server, "Ida")
    assert post(server, "sessions", name="Ida", password=PASSWORD).status_code == 201
    with httpx.Client(base_url=server.base, transport=coming_from("127.0.9.1"), timeout=TIMEOUT) as elsewhere:
        assert elsewhere.post("/api/sessions", json={"name": "Hedda", "password": PASSWORD}).status_code == 201
    body = {"name": "Hedda", "code": recovery, "password": "found it again"}
    assert post(server, "recovery", **body).status_code == 201


def test_all_addresses_together_have_a_hundred_tries_for_a_name(server: Server) -> None:
    signed_up(server, "Nora")
    found = set()
    for number in range(15):
        with httpx.Client(base_url=server.base, transport=coming_from(f"127.0.8.{number + 1}")) as client:
            for _ in range(8):
                found.add(client.post("/api/sessions", json={"name": "Nora", "password": "guess"}).status_code)
    assert found == {403, 429}


def test_the_data_of_an_account_is_deleted_only_with_its_password(server: Server) -> None:
    person, _ = signed_up(server, "Jana")
    problem(person.http.post("/api/me/deletion", json={"id": person.id}), 403, "wrong_password")
    body = {"id": person.id, "password": PASSWORD}
    assert person.http.post("/api/me/deletion", json=body).status_code == 204
    problem(me(server, person.token), 401, "unknown_guest")
    problem(post(server, "sessions", name="Jana", password=PASSWORD), 403, "wrong_password")
    assert signed_up(server, "Jana")[0].id != person.id


@pytest.mark.slow
def test_a_session_that_was_ended_in_one_process_is_over_in_all(
    start: Callable[..., Server], postgresql: PostgreSQL, redis_url: str
) -> None:
    server = start("--workers", "2", ACEDREX_DATABASE_URL=postgresql.migrated(), ACEDREX_REDIS_URL=redis_url)
    person, _ = signed_up(server, "Karla")
    other = post(server, "sessions", name="Karla", password=PASSWORD).json()["token"]
    # Both processes know the session.
    assert {me(server, other).status_code for _ in range(20)} == {200}
    assert person.http.delete("/api/me/sessions").status_code == 204
    end = time.monotonic() + 5  # less than the time for which sessions are cached
    while time.monotonic() < end:
        answers = {me(server, other).status_code for _ in range(20)}
        if answers == {401}:
            return
    pytest.fail(f"still {answers}")


# In one process.


@pytest.fixture
def here(store: Store) -> SimpleNamespace:
    own = Sessions(store)
    accounts = Accounts(store, own, Passkeys(store, site_of([])))
    return SimpleNamespace(sessions=own, people=People(store, own), accounts=accounts)


async def test_of_two_requests_for_a_name_or_with_a_code_only_one_succeeds(here: Any, store: Store) -> None:
    ana, bo = await here.people.make("Ana"), await here.people.make("Bo")
    made = await asyncio.gather(
        *(here.accounts.create(person, wire.NewAccount("Queen", PASSWORD), "") for person in (ana, bo)),
        return_exceptions=True,
    )
    assert sorted(type(one).__name__ for one in made) == ["AccountCreated", "Refusal"]
    code = (await here.accounts.sign_in_code(ana)).code
    made = await asyncio.gather(*(here.accounts.sign_in_with_code(code, "") for _ in range(5)), return_exceptions=True)
    assert sum(isinstance(one, wire.Person) for one in made) == 1
    assert len(await store.all(select(sessions).where(sessions.c.person == ana.id))) == 2
    queen = ana if await here.accounts.has_account(ana.id) else bo
    recovery = (await here.accounts.new_recovery_code(queen, CURRENT)).recovery
    made = await asyncio.gather(
        *(here.accounts.recover("Queen", recovery, f"password of {n}", "") for n in range(3)), return_exceptions=True
    )
    assert sum(isinstance(one, wire.AccountCreated) for one in made) == 1


async def test_a_new_session_survives_what_others_write_at_the_same_time(here: Any) -> None:
    ana = await here.people.make("Ana")
    made = (await here.accounts.create(ana, wire.NewAccount("Ana", PASSWORD), "")).person
    # The guest's session comes first, and writes that share a commit are grouped by statement.
    _, token = await asyncio.gather(here.people.make(None), here.sessions.begin_anew(made.id, ""))
    assert await here.sessions.find(token) is not None


async def test_a_sign_in_that_began_with_the_old_password_fails(here: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    ana = await here.people.make("Ana")
    made = await here.accounts.create(ana, wire.NewAccount("Ana", PASSWORD), "")
    begin = here.sessions.begin

    async def change_first(*args: Any) -> str:
        await here.accounts.change_password(made.person, CURRENT, "another password", "")
        return str(await begin(*args))

    monkeypatch.setattr(here.sessions, "begin", change_first)
    with pytest.raises(Refusal, match="wrong name or password"):
        await here.accounts.sign_in("Ana", PASSWORD, "")
    monkeypatch.undo()
    assert (await here.accounts.sign_in(" ana ", "another password", "")).id == ana.id


async def test_a_session_that_ends_while_it_is_read_is_not_remembered(
    here: Any, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    ana = await here.people.make("Ana")
    session = await here.sessions.find(ana.token)
    await here.sessions.begin(ana.id, "")
    here.sessions.forget(ana.id)
    first = store.first

    async def ended_meanwhile(*args: Any) -> Any:
        row = await first(*args)
        monkeypatch.undo()
        await here.sessions.end(session, session.id)
        return row

    monkeypatch.setattr(store, "first", ended_meanwhile)
    await here.sessions.find(ana.token)
    assert await here.sessions.find(ana.token) is None


async def test_a_guests_name_written_late_does_not_replace_that_of_the_account(here: Any) -> None:
    ana = await here.people.make("Ana")
    made = await here.accounts.create(ana, wire.NewAccount("Annabel", PASSWORD), "")
    # Another process may think that she is still a guest.
    with pytest.raises(Refusal, match="cannot be changed"):
        await here.people.rename(ana, "Somebody")
    found = await here.sessions.find(made.person.token)
    assert found.person.name == "Annabel"


async def test_sessions_of_accounts_end_when_they_are_not_used(here: Any, store: Store) -> None:
    guest, ana = await here.people.make("Gustav"), await here.people.make("Ana")
    made = await here.accounts.create(ana, wire.NewAccount("Ana", PASSWORD), "")
    long_ago = now() - UNUSED - 1
    await store.write((update(sessions).values(seen=long_ago), {}))
    assert await here.sessions.find(made.person.token) is None and await here.sessions.find(guest.token) is not None
    await store.write((update(sessions).values(seen=long_ago), {}))
    await retention.sweep(Rooms(store, Engines(1), Bus()))
    assert [row.person for row in await store.all(select(sessions))] == [guest.id]


async def test_people_are_recognised_although_the_disk_is_full(
    here: Any, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    ana = await here.people.make("Ana")
    await store.write((update(sessions).values(seen=0), {}))

    async def full(*_: Any) -> None:
        raise BusyError

    monkeypatch.setattr(store, "write", full)
    assert await here.sessions.find(ana.token) is not None


async def test_passwords_that_wait_for_others_are_limited(here: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(accounts_module, "MAX_WAITING", 3)
    tries = [here.accounts.sign_in("nobody", "x", "") for _ in range(5)]
    found = await asyncio.gather(*tries, return_exceptions=True)
    assert sorted(type(one).__name__ for one in found) == ["FullError"] * 2 + ["Refusal"] * 3


async def test_a_code_is_valid_for_five_minutes(here: Any, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    ana = await here.people.make("Ana")
    made = await here.accounts.sign_in_code(ana)
    monkeypatch.setattr(accounts_module, "now", lambda: made.until)
    with pytest.raises(Refusal, match="not valid"):
        await here.accounts.sign_in_with_code(made.code, "")
    # Codes that were never used go when somebody asks for another one.
    monkeypatch.setattr(accounts_module, "now", lambda: made.until + 1)
    await here.accounts.sign_in_code(await here.people.make("Bo"))
    assert [row.person for row in await store.all(select(codes))] != [ana.id]


async def test_secrets_are_stored_as_hashes(here: Any, store: Store) -> None:
    ana = await here.people.make("Ana")
    made = await here.accounts.create(ana, wire.NewAccount("Ana", PASSWORD), "")
    code = await here.accounts.sign_in_code(made.person)
    rows = [row for table in (accounts, codes, sessions) for row in await store.all(select(table))]
    for secret in (PASSWORD, made.recovery, made.recovery.replace("-", ""), code.code, ana.token):
        assert secret not in str(rows)
    assert "$argon2id$" in str(rows)


async def test_a_person_has_at_most_twenty_sessions(here: Any) -> None:
    ana = await here.people.make("Ana")
    made = await here.accounts.create(ana, wire.NewAccount("Ana", PASSWORD), "")
    ended: list[str] = []
    here.sessions.on_ended = ended.append
    tokens = [made.person.token, *[await here.sessions.begin(ana.id, "") for _ in range(MAX_SESSIONS)]]
    found = [await here.sessions.find(token) for token in tokens]
    assert sum(one is not None for one in found) == MAX_SESSIONS and found[-1] is not None
    assert ended == [ana.id]


async def test_the_use_of_a_session_is_stored_to_the_hour(here: Any, store: Store, monkeypatch: Any) -> None:
    ana = await here.people.make("Ana")

    async def seen() -> int:
        here.sessions.forget(ana.id)
        session = await here.sessions.find(ana.token)
        assert session is not None
        return (await here.sessions.of(session))[0].seen

    first = await seen()
    assert await seen() == first
    monkeypatch.setattr("acedrex.server.people.sessions.now", lambda: first + SEEN + 1)
    assert await seen() == first + SEEN + 1


async def test_only_the_persons_own_sessions_can_be_ended(here: Any) -> None:
    ana, bo = await here.people.make("Ana"), await here.people.make("Bo")
    (hers,) = await here.sessions.of(Session("", ana))
    with pytest.raises(Refusal, match="no such session"):
        await here.sessions.end(Session("", bo), hers.id)
    assert await here.sessions.find(ana.token) is not None


# Names, passwords, devices.


@pytest.mark.parametrize(
    "name",
    ["Ana", "ana_12", "Zoë-1", "Дмитрий", "漢字かな", "佐々木", "ユーザー", "한글漢字", "हिन्दी", "42nd", "Lola", "Oli"],
)
def test_names_of_one_script_are_allowed(name: str) -> None:
    assert clean_account_name(name) == name


@pytest.mark.parametrize(
    "name",
    ["A", "a" * 21, "Ana Maria", "Ana\u0410", "Guest 1", "guest12", "_", "admin", "acedrex1", "\U0001f600" * 2, "a.b"],
)
def test_other_names_are_refused(name: str) -> None:
    with pytest.raises(Refusal):
        clean_account_name(name)


def test_names_that_look_alike_have_the_same_handle() -> None:
    same = [
        "Pascal",
        "PASCAL",
        "Pasca1",
        "PascaI",
        "\u0420\u0410sc\u0410l",
        "pascal\u0000",
        "\uff50ascal",
    ]
    assert len({handle_of(name) for name in same}) == 1
    assert handle_of("a-b") == handle_of("a_b") != handle_of("ab")


@pytest.mark.parametrize(
    "password", ["short", "password1", "PASSWORD1", "aaaaaaaaaa", "abababababab", "acedrex2026", "ana99999", "x" * 129]
)
def test_passwords_that_anybody_would_guess_are_refused(password: str) -> None:
    with pytest.raises(Refusal):
        passwords.check(password, "Ana1")


def test_other_passwords_are_accepted_however_their_letters_are_composed() -> None:
    for password in ("a board of 12 by 12", "Tr0ub4dor&3", "x" * 100 + "yz", "пароль-шахматы"):
        passwords.check(password, "Ana")
    stored = passwords.hashed("caf\u00e9 caf\u00e9")
    assert passwords.is_right("cafe\u0301 cafe\u0301", stored)
    assert not passwords.is_right("cafe cafe", stored) and not passwords.is_right("cafe cafe", None)
    assert not passwords.is_right("nobody's", None) and not passwords.is_right("x", "damaged")


def test_codes_are_read_however_they_are_typed() -> None:
    code = new_code(20)
    assert len(code) == 24 and code_hash(code) == code_hash(code.lower()) == code_hash(f" {code.replace('-', ' ')}")


@pytest.mark.parametrize(
    "agent, device",
    [
        (FIREFOX, "Firefox, Android"),
        (
            "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Safari/604.1",
            "Safari, iPhone",
        ),
        (
            "Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/140.0 Safari/537.36 Edg/140.0",
            "Edge, Windows",
        ),
        ("python-httpx/0.28", "python-httpx"),
        ("\u0000<script>", ""),
        ("", ""),
    ],
)
def test_a_device_has_a_name_of_two_words(agent: str, device: str) -> None:
    assert device_of(agent) == device
