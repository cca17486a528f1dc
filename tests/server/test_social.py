"""Profiles, following, blocks, messages, reports and moderators."""

from __future__ import annotations

import itertools
import json
import time
from typing import Any

import pytest
from sqlalchemy import delete, insert
from websockets.exceptions import ConnectionClosed

from acedrex.cli import main
from acedrex.server import wire
from acedrex.server.bus import Bus, PeopleOnline
from acedrex.server.people import messages, moderation, profiles, relations
from acedrex.server.people.names import handle_of
from acedrex.server.people.presence import Presence
from acedrex.server.people.sessions import Sessions
from acedrex.server.play.closing import Closing
from acedrex.server.play.engines import Engines
from acedrex.server.play.rooms import Rooms
from acedrex.server.refusal import Refusal
from acedrex.server.storage.store import NEW_PERSON, Store
from acedrex.server.storage.tables import accounts, archive, follows, matches, outbox
from acedrex.server.time_source import now
from tests.server.conftest import Person, Server, alter, anyone
from tests.server.personal import ANA, BO, MOVES, NAMES, add, played, seated
from tests.server.test_accounts import PASSWORD, heard_all, post, signed_up
from tests.server.test_api import problem
from tests.server.waiting import wait_until

DAYS = {"kind": "correspondence", "days_per_turn": 3, "reserve_days": 0}
LOBBY = {"opponent": {"kind": "lobby"}, "time": DAYS}
FRIEND = {"opponent": {"kind": "friend"}, "time": DAYS}
numbers = itertools.count(100)


def member(server: Server, name: str) -> Person:
    """Return somebody with an account, at an address of their own."""
    return signed_up(server, f"{name}{next(numbers)}"[:20], f"127.0.40.{next(numbers) % 250}")[0]


def name_of(person: Person) -> str:
    return str(person.http.get("/api/me").json()["name"])


def play(white: Person, black: Person, *, over: bool = True, **how: Any) -> str:
    """Let two people play a match, which White wins."""
    made = white.match(**(how or LOBBY))
    if made["invite"] is None:
        assert black.http.post(f"/api/lobby/{made['match']}/accept").status_code == 204
    else:
        black.sit(made)
    one, other = white.socket(made["match"]), black.socket(made["match"])
    one.move("e2e4")
    other.hear("update")
    other.move("e7e5")
    if over:
        other.do(type="resign")
    one.close()
    other.close()
    return str(made["match"])


def profile(person: Person, of: Person | str) -> dict[str, Any]:
    answer = person.http.get(f"/api/people/{of if isinstance(of, str) else name_of(of)}")
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def test_a_profile_shows_what_is_public_and_counts_the_rest(server: Server) -> None:
    ana, bo = member(server, "Ana"), member(server, "Bo")
    public, private = play(ana, bo), play(ana, bo, **FRIEND)
    secret, shown = play(bo, ana, over=False, **FRIEND), play(bo, ana, over=False)
    alone = ana.match()["match"]

    def counted() -> dict[str, Any] | None:
        found = profile(bo, ana)
        return found if found["games"] and found["games"][0]["record"]["won"] == 2 else None

    found = wait_until(counted)
    assert found["games"] == [
        {"game": "chess", "name": "Chess", "record": {"won": 2, "drawn": 0, "lost": 0}, "engine": 0}
    ]
    assert found["streaks"] == {"longest": 2, "current": 2} and found["online"] and not found["own"]
    assert [one["match"] for one in found["finished"]] == [public]
    assert [one["match"] for one in found["running"]] == [shown]
    text = json.dumps(found)
    assert private not in text and secret not in text and alone not in text and ana.id not in text
    assert found["relation"]["record"] == {"won": 0, "drawn": 0, "lost": 2} and found["relation"]["writes"]
    assert found["running"][0]["profiles"] == {"white": name_of(bo), "black": name_of(ana)}
    assert found["seen"] % 3_600_000 == 0
    mine = profile(ana, ana)
    assert mine["own"] and mine["relation"] is None
    assert anyone.get(f"{server.base}/api/people/{name_of(ana)}").json()["relation"] is None


def test_guests_have_no_profile_and_are_not_linked(server: Server) -> None:
    ana, guest = member(server, "Ana"), Person(server, "Gustav", "127.0.40.3")
    made = guest.match(**LOBBY)["match"]
    problem(ana.http.get("/api/people/Gustav"), 404, "no_such_person")
    (challenge,) = [one for one in ana.http.get("/api/lobby").json() if one["match"] == made]
    assert challenge["profile"] is None
    assert ana.http.post(f"/api/lobby/{made}/accept").status_code == 204
    players = guest.http.get(f"/api/matches/{made}").json()["players"]
    assert sorted(str(player["profile"]) for player in players.values()) == sorted([name_of(ana), "None"])
    (card,) = ana.http.get("/api/me/matches").json()
    assert list(card["profiles"].values()) == [name_of(ana)]


async def test_streaks_and_records_are_counted_in_order(store: Store) -> None:
    await _matches(
        store, [("w", "lobby"), ("w", "friend"), ("l", "engine"), ("w", "lobby"), ("d", "lobby"), ("w", "lobby")]
    )
    found = await profiles.played(store, ANA)
    assert found.streaks == wire.Streaks(3, 1)
    assert found.games == [wire.GameRecord("chess", "chess", wire.PlayedRecord(4, 1, 0), 1)]
    assert await profiles.record_against(store, BO, ANA) == wire.PlayedRecord(0, 1, 4)
    assert (await profiles.played(store, "nobody")).streaks == wire.Streaks(0, 0)


async def _matches(store: Store, results: list[tuple[str, str]]) -> None:
    """Store finished matches of Ana, who plays White every other time, as rows alone."""
    for number, (result, opponent) in enumerate(results):
        id, white = f"m{number}", number % 2 == 0
        other = None if opponent == "engine" else BO
        sides = {"white": ANA if white else other, "black": other if white else ANA}
        score = {"w": ("0-1", "1-0"), "l": ("1-0", "0-1"), "d": ("1/2-1/2",) * 2}[result][white]
        row = {"id": id, "opponent": opponent, "phase": "over", "engine_due": False, "at": number, "card": "{}"}
        step = (insert(matches), {**row, **sides})
        names = {f"{side}_name": "acedrex 3" if one is None else "" for side, one in sides.items()}
        row = {"match": id, "game": "chess", "result": score, **names, "plies": 9}
        await store.write(step, (insert(archive), {**row, **sides, "at": number, "public": opponent != "friend"}))


def test_following_is_told_to_nobody_and_shows_who_plays(server: Server) -> None:
    ana, bo, zoe = (member(server, name) for name in ("Ana", "Bo", "Zoe"))
    match = play(bo, zoe, over=False)
    assert ana.http.put(f"/api/me/follows/{name_of(bo)}").status_code == 204
    assert ana.http.put(f"/api/me/follows/{name_of(bo)}").status_code == 204
    (found,) = ana.http.get("/api/me/follows").json()
    assert found == {
        "who": name_of(bo), "name": name_of(bo), "account": True, "online": True, "playing": [match]
    }  # fmt: skip
    assert profile(ana, bo)["relation"]["follows"]
    assert not profile(bo, ana)["relation"]["follows"] and bo.http.get("/api/me/follows").json() == []
    data = bo.http.get("/api/me/data").json()
    assert data["follows"] == [] and ana.id not in json.dumps(data)
    problem(ana.http.put(f"/api/me/follows/{name_of(ana)}"), 409, "yourself")
    problem(ana.http.put("/api/me/follows/nobody_here"), 404, "no_such_person")
    assert ana.http.delete(f"/api/me/follows/{name_of(bo)}").status_code == 204
    assert ana.http.get("/api/me/follows").json() == []


async def test_the_number_of_followed_people_is_bounded(store: Store) -> None:
    for number in range(3):
        await relations.add(store, follows, ANA, f"p{number}", 3)
    with pytest.raises(Refusal) as refused:
        await relations.add(store, follows, ANA, "one more", 3)
    assert refused.value.problem.code == "too_many"


def test_a_blocked_person_cannot_challenge_or_write_and_does_not_learn_why(server: Server) -> None:
    ana, bo = member(server, "Ana"), member(server, "Bo")
    play(ana, bo)
    running = play(ana, bo, over=False)
    taken = ana.match(**LOBBY)["match"]
    assert Person(server, "Zoe", "127.0.40.4").http.post(f"/api/lobby/{taken}/accept").status_code == 204
    like_any_other = problem(bo.http.post(f"/api/lobby/{taken}/accept"), 409, "taken")
    challenge, invited = ana.match(**LOBBY)["match"], ana.match(**FRIEND)
    assert ana.http.put(f"/api/me/blocks/{name_of(bo)}").status_code == 204
    assert challenge not in {one["match"] for one in bo.http.get("/api/lobby").json()}
    assert challenge in {one["match"] for one in ana.http.get("/api/lobby").json()}
    assert problem(bo.http.post(f"/api/lobby/{challenge}/accept"), 409, "taken") == like_any_other
    seat = bo.http.post(f"/api/matches/{invited['match']}/seat", json={"invite": invited["invite"]})
    assert problem(seat, 409, "taken") == like_any_other
    problem(bo.http.post(f"/api/challenge/{ana.id}", json={}), 409, "unavailable")
    strangers = member(server, "Eve")
    refused = problem(bo.http.post(f"/api/me/messages/{name_of(ana)}", json={"text": "hello"}), 403, "no_messages")
    unknown = strangers.http.post(f"/api/me/messages/{name_of(ana)}", json={"text": "hello"})
    assert problem(unknown, 403, "no_messages") == refused
    assert not profile(bo, ana)["relation"]["blocks"] and profile(ana, bo)["relation"]["blocks"]
    # A match that has begun goes on; its chat is not shown to the one who blocked.
    white, black = ana.socket(running), bo.socket(running)
    assert black.do(type="chat", text="can you read me")["type"] == "ack"
    white.move("g1f3")
    black.hear("update")
    black.move("b8c6")
    black.do(type="resign")
    assert [one["type"] for one in heard_until_over(white)].count("chat") == 0
    assert ana.socket(running).snapshot["chat"] == []
    assert [line["text"] for line in bo.socket(running).snapshot["chat"]] == ["can you read me"]
    assert black.do(type="offer", what="rematch")["error"]["code"] == "no_rematch"
    (listed,) = ana.http.get("/api/me/blocks").json()
    assert ana.http.delete(f"/api/me/blocks/{listed['who']}").status_code == 204
    assert bo.http.post(f"/api/lobby/{challenge}/accept").status_code == 204


def heard_until_over(talk: Any) -> list[dict[str, Any]]:
    """Return what a player hears until the match is over, and what was sent at the same time."""
    found: list[dict[str, Any]] = []
    while not found or found[-1].get("phase") != "over":
        found.append(json.loads(talk.connection.recv(60)))
    talk.say(type="ping", at=1)
    while found[-1]["type"] != "pong":
        found.append(json.loads(talk.connection.recv(60)))
    return found


def test_a_guest_in_a_match_can_be_blocked_without_an_id(server: Server) -> None:
    ana, guest = member(server, "Ana"), Person(server, "Gustav", "127.0.40.5")
    match = play(ana, guest)
    assert ana.http.put(f"/api/me/blocks/{match}.black").status_code == 204
    (listed,) = ana.http.get("/api/me/blocks").json()
    assert listed["name"] == "Gustav" and not listed["account"] and guest.id not in json.dumps(listed)
    assert ana.http.delete(f"/api/me/blocks/{listed['who']}").status_code == 204
    assert ana.http.get("/api/me/blocks").json() == []


def test_messages_arrive_at_once_and_are_unread_until_they_are_read(server: Server) -> None:
    ana, bo = member(server, "Ana"), member(server, "Bo")
    problem(ana.http.post(f"/api/me/messages/{name_of(bo)}", json={"text": "hi"}), 403, "no_messages")
    play(ana, bo)
    wait_until(lambda: profile(ana, bo)["relation"]["writes"])
    lobby = bo.server.connect("/api/lobby/socket", source_address=(bo.address, 0))
    lobby.send(json.dumps({"type": "hello", "token": bo.token, "after": None}))
    for _ in range(2):
        assert json.loads(lobby.recv(60))["type"] == "lobby"
    sent = ana.http.post(f"/api/me/messages/{name_of(bo)}", json={"text": "good game"})
    assert sent.status_code == 201 and sent.json()["text"] == "good game"
    while json.loads(lobby.recv(60))["type"] != "unread":
        pass
    assert bo.http.get("/api/me/news").json()["unread"] == 1 and ana.http.get("/api/me/news").json()["unread"] == 0
    (talk,) = bo.http.get("/api/me/messages").json()
    assert (talk["who"], talk["text"], talk["unread"]) == (name_of(ana), "good game", True)
    page = bo.http.get(f"/api/me/messages/{talk['who']}").json()
    assert [(one["mine"], one["text"]) for one in page["messages"]] == [(False, "good game")] and page["writes"]
    assert bo.http.put(f"/api/me/messages/{talk['who']}/read").status_code == 204
    assert bo.http.get("/api/me/news").json()["unread"] == 0
    assert bo.http.post(f"/api/me/messages/{name_of(ana)}", json={"text": "thanks"}).status_code == 201
    assert ana.http.get("/api/me/news").json()["unread"] == 1
    # Bo takes none any more.
    assert bo.http.put("/api/me/messages", json={"messages": False}).status_code == 204
    problem(ana.http.post(f"/api/me/messages/{name_of(bo)}", json={"text": "hi"}), 403, "no_messages")


def test_guests_get_messages_only_if_they_want_them(server: Server) -> None:
    ana, guest = member(server, "Ana"), Person(server, "Gustav", "127.0.40.6")
    match = play(ana, guest)
    wait_until(lambda: guest.http.get("/api/archive?whose=mine").json()["matches"])
    problem(ana.http.post(f"/api/me/messages/{match}.black", json={"text": "hi"}), 403, "no_messages")
    problem(guest.http.post(f"/api/me/messages/{name_of(ana)}", json={"text": "hi"}), 403, "no_messages")
    assert guest.http.put("/api/me/messages", json={"messages": True}).status_code == 204
    assert ana.http.post(f"/api/me/messages/{match}.black", json={"text": "hi"}).status_code == 201
    (talk,) = ana.http.get("/api/me/messages").json()
    assert talk["who"].startswith("~")
    assert [one["text"] for one in ana.http.get(f"/api/me/messages/{talk['who']}").json()["messages"]] == ["hi"]
    assert guest.http.post(f"/api/me/messages/{name_of(ana)}", json={"text": "hello"}).status_code == 201


async def test_a_long_conversation_is_read_in_pages(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    await _two(store)
    await add(store, "m", [*seated(ANA, BO, opponent="lobby"), *played(*MOVES)])
    monkeypatch.setattr(messages, "PAGE", 3)
    for number in range(5):
        who = (ANA, BO) if number % 2 else (BO, ANA)
        await messages.send(store, *who, f"line {number}", lambda _: (delete(outbox), {}))
    latest, more = await messages.page(store, ANA, BO, None)
    assert [one.text for one in latest] == ["line 2", "line 3", "line 4"] and more
    older, more = await messages.page(store, ANA, BO, latest[0].id)
    assert [one.text for one in older] == ["line 0", "line 1"] and not more


async def _two(store: Store) -> None:
    for person in (ANA, BO):
        await store.write((NEW_PERSON, {"id": person, "name": NAMES[person], "import_key": person, "at": now()}))
        row = {
            "person": person,
            "handle": handle_of(NAMES[person]),
            "password_hash": "",
            "recovery_hash": "",
            "at": now(),
        }
        await store.write((insert(accounts), row))


# Moderators.


@pytest.fixture
def moderator(server: Server) -> Person:
    one = member(server, "Mo")
    appoint(server, one)
    return one


def appoint(server: Server, person: Person) -> None:
    row = f"INSERT INTO moderators (person, at) VALUES ('{person.id}', 1)"
    alter(server.environment["ACEDREX_DATABASE_URL"], row)


def act(moderator: Person, action: str, whom: Person | None = None, **more: Any) -> Any:
    who = {} if whom is None else {"who": name_of(whom)}
    return moderator.http.post("/api/moderation/actions", json={"action": action, "reason": "spam", **who, **more})


def test_a_reported_line_is_shown_in_context_and_its_author_is_muted(server: Server, moderator: Person) -> None:
    ana, bo = member(server, "Ana"), member(server, "Bo")
    match = play(ana, bo, over=False)
    white, black = ana.socket(match), bo.socket(match)
    for talk, text in ((white, "hello"), (black, "buy my boards"), (white, "no")):
        assert talk.do(type="chat", text=text)["type"] == "ack"
    line = ana.socket(match).snapshot["chat"][1]["id"]
    problem(bo.http.post("/api/reports", json={"who": f"{match}.{line}", "reason": "x"}), 409, "yourself")
    stranger = member(server, "Eve").http.post("/api/reports", json={"who": f"{match}.{line}", "reason": "x"})
    problem(stranger, 404, "no_such_line")
    told = ana.http.post("/api/reports", json={"who": f"{match}.{line}", "reason": "advertising"})
    assert told.status_code == 204, told.text
    assert moderator.http.get("/api/me/news").json()["reports"] >= 1
    (report,) = [one for one in moderator.http.get("/api/moderation/reports").json() if one["match"] == match]
    assert (report["by"], report["about"]["name"], report["text"]) == (name_of(ana), name_of(bo), "buy my boards")
    assert [(one["text"], one["theirs"], one["reported"]) for one in report["context"]] == [
        ("hello", False, False), ("buy my boards", True, True), ("no", False, False)
    ]  # fmt: skip
    assert act(moderator, "mute", report=report["id"], hours=24).status_code == 204
    problem(act(moderator, "mute", report=report["id"], hours=24), 404, "no_such_report")
    refused = black.do(type="chat", text="still here")
    assert refused["error"]["code"] == "muted" and "spam" in refused["error"]["message"]
    problem(bo.http.post(f"/api/me/messages/{name_of(ana)}", json={"text": "me again"}), 403, "muted")
    (notice,) = bo.http.get("/api/me/news").json()["notices"]
    assert (notice["kind"], notice["reason"]) == ("muted", "spam") and notice["until"] > time.time() * 1000
    assert act(moderator, "unmute", bo).status_code == 204
    assert black.do(type="chat", text="sorry")["type"] == "ack"
    entries = moderator.http.get("/api/moderation/log").json()["entries"]
    assert [(one["by"], one["whom"], one["action"], one["reason"]) for one in entries[:2]] == [
        (name_of(moderator), name_of(bo), "unmute", "spam"), (name_of(moderator), name_of(bo), "mute", "spam")
    ]  # fmt: skip


def test_a_closed_account_ends_everywhere_and_its_owner_learns_why(server: Server, moderator: Person) -> None:
    ana, bo = member(server, "Ana"), member(server, "Bo")
    name = name_of(bo)
    token = bo.http.post("/api/me/tokens", json={"name": "bot", "scopes": ["bot:play"]}).json()["token"]
    begun, running = bo.match(**LOBBY)["match"], play(ana, bo, over=False)
    opened = bo.match(**LOBBY)["match"]
    assert ana.http.post(f"/api/lobby/{begun}/accept").status_code == 204
    talk = bo.socket(running)
    assert act(moderator, "close", bo).status_code == 204
    with pytest.raises(ConnectionClosed):
        heard_all(talk.connection)
    problem(bo.http.get("/api/me"), 401, "unknown_guest")
    bot = anyone.get(f"{server.base}/api/account", headers={"Authorization": f"Bearer {token}"})
    problem(bot, 401, "unknown_token")
    told = problem(post(server, "sessions", name=name, password=PASSWORD), 403, "account_closed")
    assert "spam" in told.message
    problem(post(server, "sessions", name=name, password="not the password"), 403, "wrong_password")
    problem(ana.http.get(f"/api/people/{name}"), 404, "no_such_person")

    def reasons() -> dict[str, str]:
        found = {id: ana.http.get(f"/api/matches/{id}").json()["ending"] for id in (begun, running, opened)}
        return {id: ending["reason"] for id, ending in found.items() if ending}

    ended = {begun: "aborted", running: "resignation", opened: "aborted"}
    wait_until(lambda: reasons() == ended)
    again = moderator.http.post(
        "/api/moderation/actions", json={"action": "reopen", "reason": "a mistake", "who": name}
    )
    assert again.status_code == 204, again.text
    assert post(server, "sessions", name=name, password=PASSWORD).status_code == 201


def test_an_improper_name_is_changed_and_its_owner_sees_it(server: Server, moderator: Person) -> None:
    bo = member(server, "Rude")
    old, new = name_of(bo), f"Kind{next(numbers)}"
    problem(act(moderator, "rename", bo, name=name_of(moderator)), 409, "name_taken")
    assert act(moderator, "rename", bo, name=new).status_code == 204
    assert name_of(bo) == new
    (notice,) = bo.http.get("/api/me/news").json()["notices"]
    assert notice["kind"] == "renamed"
    assert bo.http.delete("/api/me/news/renamed").status_code == 204
    assert bo.http.get("/api/me/news").json()["notices"] == []
    assert post(server, "sessions", name=new, password=PASSWORD).status_code == 201
    problem(post(server, "sessions", name=old, password=PASSWORD), 403, "wrong_password")


def test_an_improper_name_disappears_from_matches_too(server: Server, moderator: Person) -> None:
    ana, bo = member(server, "Ana"), member(server, "Ruder")
    old, new = name_of(bo), f"Kinder{next(numbers)}"
    over, running = play(ana, bo), play(ana, bo, over=False)
    talk = bo.socket(over)
    assert talk.do(type="chat", text="hello")["type"] == "ack"
    talk.close()
    alone = bo.match(opponent={"kind": "self"})["match"]

    def told() -> str:
        """Return everything that shows the players of the matches."""
        pages = [f"matches/{over}", f"matches/{running}", f"matches/{over}/pgn", "archive?whose=mine"]
        texts = [ana.http.get(f"/api/{page}").text for page in (*pages, "watch")]
        socket = ana.socket(over)
        texts += [json.dumps(socket.snapshot)]
        socket.close()
        return " ".join(texts)

    wait_until(lambda: find_archived(ana, old) == [over])
    assert old in told()
    assert act(moderator, "rename", bo, name=new).status_code == 204
    wait_until(lambda: old not in told())
    assert find_archived(ana, new) == [over]
    for match in (over, running):
        assert ana.http.get(f"/api/matches/{match}").json()["players"]["black"]["name"] == new
    both = bo.http.get(f"/api/matches/{alone}").json()["players"].values()
    assert [player["name"] for player in both] == [new, new]
    # The match goes on.
    talk = ana.socket(running)
    talk.move("g1f3")
    talk.close()


def find_archived(person: Person, player: str) -> list[str]:
    """Return the finished matches of a person against somebody."""
    found = person.http.get("/api/archive", params={"whose": "mine", "player": player}).json()
    return [one["match"] for one in found["matches"]]


def test_no_moderator_acts_on_a_moderator_but_the_operator_does(
    server: Server, moderator: Person, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    other = member(server, "Max")
    name = name_of(other)
    monkeypatch.setenv("ACEDREX_DATABASE_URL", server.environment["ACEDREX_DATABASE_URL"])
    assert main(["moderators", "--add", name]) == 0
    assert name in capsys.readouterr().out
    for action in ("close", "mute", "rename"):
        problem(act(moderator, action, other, hours=1, name="Another"), 403, "is_moderator")
    talk = other.socket(other.match()["match"])
    assert main(["moderate", "close", name, "--reason", "the operator's"]) == 0
    with pytest.raises(ConnectionClosed):
        heard_all(talk.connection)
    problem(post(server, "sessions", name=name, password=PASSWORD), 403, "account_closed")
    assert main(["moderators", "--remove", name]) == 0
    assert main(["moderators", "--remove", name]) == 1
    assert main(["moderate", "mute", name, "--reason", "r"]) == 1
    assert "hours" in capsys.readouterr().err
    entries = moderator.http.get("/api/moderation/log").json()["entries"]
    assert [(one["by"], one["action"]) for one in entries[:3]] == [("", "remove"), ("", "close"), ("", "appoint")]


async def test_closing_goes_on_after_a_restart(store: Store) -> None:
    await _two(store)
    await add(store, "m", [*seated(ANA, BO, opponent="lobby"), *played(*MOVES)])
    await moderation.act(store, None, wire.Action("close", "spam", who=NAMES[ANA]))
    rooms = Rooms(store, Engines(1), Bus())
    closing, closed = Closing(rooms), list[str]()
    closing.on_closed = closed.append
    await closing.look()
    assert closed == [ANA]
    match = await rooms.load("m")
    assert match is not None and match.ending is not None and match.ending.reason == "resignation"
    await closing.look()
    assert closed == [ANA]
    with pytest.raises(Refusal, match="closed"):
        await Sessions(store).begin(ANA, "")
    await rooms.close()


# Several processes.


async def test_who_is_online_elsewhere_counts_and_messages_are_told_there(store: Store) -> None:
    rooms, presence = Rooms(store, Engines(1), Bus()), Presence()
    told = list[str]()
    rooms.on_online, rooms.on_message = presence.note_elsewhere, told.append
    rooms.receive(PeopleOnline("another", ["bo"]))
    assert presence.online(["ana", "bo"]) == {"bo"}
    presence.connected = lambda: {"ana"}
    assert presence.online(["ana"]) == {"ana"}
    await rooms.close()
