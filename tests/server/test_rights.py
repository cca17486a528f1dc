"""Who may do what: the table of the documentation, with a real request for each of its cells."""

from __future__ import annotations

import itertools
import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from acedrex.cli import main
from tests.conftest import TIMEOUT
from tests.server.conftest import Person, Server, Talk, alter
from tests.server.test_accounts import PASSWORD, renew
from tests.server.test_social import FRIEND, LOBBY, act, appoint, name_of, play

pytestmark = pytest.mark.slow

#: The cell of what cannot be asked.
NOTHING = "\u2013"
TABLE = Path(__file__).parents[2] / "docs" / "rights.md"


def table() -> tuple[list[str], dict[str, dict[str, str]]]:
    """Return the visitors of the table, and by action and visitor its cells."""
    lines = [line for line in TABLE.read_text(encoding="utf-8").splitlines() if line.startswith("|")]
    (_, *visitors), _, *rows = ([cell.strip() for cell in line.strip("|").split("|")] for line in lines)
    return visitors, {name: dict(zip(visitors, cells, strict=True)) for name, *cells in rows}


VISITORS, CELLS = table()
#: Does something as a visitor, and returns the answer, or whether it worked.
Action = Callable[["World", str], httpx.Response | bool]
#: What every request without a valid token is answered with, and what each action adds.
NO_TOKEN = {"unknown_guest", "unknown_token"}


class Visitor:
    """Somebody of the table."""

    def __init__(self, world: World, role: str) -> None:
        self.world, self.role = world, role
        number = next(world.numbers)
        # Of one length, so that no name is part of another's.
        self.name = f"Visitor{number:04}"
        self.person = Person(world.server, self.name, f"127.0.{60 + number // 250}.{number % 250 + 1}")
        self.http = self.person.http
        if role not in ("stranger", "guest", "muted guest", "spectator"):
            made = self.http.post("/api/me/account", json={"name": self.name, "password": PASSWORD})
            assert made.status_code == 201, made.text
            renew(self.person, made.json()["person"])
        if role == "stranger":
            del self.http.headers["Authorization"]
        if role.startswith("muted"):
            row = f"('{self.person.id}', 'muted', {2**52}, 'a test', 1, false)"
            alter(world.url, f"INSERT INTO sanctions (person, kind, until, reason, at, pending) VALUES {row}")
        if role == "moderator":
            appoint(world.server, self.person)

    @property
    def token(self) -> str | None:
        return None if self.role == "stranger" else self.person.token

    def ask(self, method: str, path: str, body: Any = None) -> httpx.Response:
        return self.http.request(method, f"/api/{path}", **({} if body is None else {"json": body}))


class World:
    """A server with Ana, a match of hers, and everybody of the table."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.url = server.environment["ACEDREX_DATABASE_URL"]
        self.numbers = itertools.count(2)
        self.visitors: dict[str, Visitor] = {}
        #: Ana's open challenge to a rated match, and her match in which replies are planned, if they are needed.
        self.rated = self.planned = ""
        #: A tournament of Ana's, if one is needed.
        self.tournament = ""
        #: Ana's studies, by who may read them.
        self.studies: dict[str, str] = {}
        self.ana = Visitor(self, "account").person
        self.ana_name = name_of(self.ana)
        self.chief = Visitor(self, "moderator").person
        player = self.visit("player").person
        self.over = play(self.ana, player)
        self.match = play(self.ana, player, over=False)
        for match in (self.over, self.match):
            talk = self.ana.socket(match)
            assert talk.do(type="chat", text="between us")["type"] == "ack"
            talk.close()
        self.line = self.ana.socket(self.match).snapshot["chat"][0]["id"]
        blocked = self.visit("blocked").person
        play(self.ana, blocked)
        self.with_blocked = play(self.ana, blocked, over=False)
        assert self.ana.http.put(f"/api/me/blocks/{name_of(blocked)}").status_code == 204
        closed = self.visit("closed").person
        assert act(self.chief, "close", closed).status_code == 204

    def visit(self, role: str, *, fresh: bool = False) -> Visitor:
        """Return a visitor; ``fresh`` is somebody who may be changed."""
        if fresh or role not in self.visitors:
            one = Visitor(self, role)
            if fresh and role == "closed":
                assert act(self.chief, "close", one.person).status_code == 204
            if fresh:
                return one
            self.visitors[role] = one
        return self.visitors[role]

    def somebody(self) -> Visitor:
        return Visitor(self, "account")

    def report(self) -> str:
        """Return a new report about somebody."""
        about = self.somebody()
        body = {"who": about.name, "reason": f"a test {about.name}"}
        assert self.somebody().ask("POST", "reports", body).status_code == 204
        found = self.chief.http.get("/api/moderation/reports").json()
        return next(str(one["id"]) for one in found if one["about"]["name"] == about.name)


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    """One world for all cells."""
    server = Server(tmp_path_factory.mktemp("rights"))
    yield World(server)
    server.opened.close()
    assert server.end() == 0
    assert server.faults() == []


def asks(method: str, path: str, body: Any = None, *, fresh: bool = False) -> Action:
    """Make one request; ``{}`` in its path is Ana's name."""

    def do(world: World, role: str) -> httpx.Response:
        return world.visit(role, fresh=fresh).ask(method, path.format(world.ana_name), body)

    return do


def says(how: Callable[[World, Visitor, Talk], bool], match: str = "match") -> Action:
    """Do something over the socket of a match."""

    def do(world: World, role: str) -> bool:
        one = world.visit(role)
        try:
            talk = Talk(world.server, getattr(world, match), one.token, one.person.address)
        except Exception as error:
            assert "4401" in str(error) or "refused" in str(error), error
            return False
        try:
            return how(world, one, talk)
        finally:
            talk.close()

    return do


def acts(action: str, undo: str | None = None, *, on: str = "account", **more: Any) -> Action:
    """Act on somebody as a moderator or, as the operator, by command."""

    def do(world: World, role: str) -> httpx.Response | bool:
        whom = world.visit(on, fresh=True)
        body = {"who": whom.name, "reason": "a test", **more}
        if "name" in more:
            body["name"] = f"Renamed{next(world.numbers)}"
        if role == "operator":
            words = {"hours": "--hours", "name": "--to"}
            given = [word for key, flag in words.items() if key in body for word in (flag, str(body[key]))]
            done = main(["moderate", action, whom.name, "--reason", "a test", *given]) == 0
            return done and (undo is None or main(["moderate", undo, whom.name, "--reason", "a test"]) == 0)
        visitor = world.visit(role)
        answer = visitor.ask("POST", "moderation/actions", {"action": action, **body})
        if undo is not None and answer.is_success:
            answer = visitor.ask("POST", "moderation/actions", {"action": undo, "who": whom.name, "reason": "a test"})
        return answer

    return do


def make_account(world: World, role: str) -> httpx.Response:
    body = {"name": f"New{next(world.numbers)}", "password": PASSWORD}
    return world.visit(role, fresh=True).ask("POST", "me/account", body)


def sign_in(world: World, role: str) -> httpx.Response:
    one = world.visit(role)
    return one.ask("POST", "sessions", {"name": one.name, "password": PASSWORD})


def change_password(world: World, role: str) -> httpx.Response:
    return world.visit(role, fresh=True).ask(
        "PUT", "me/password", {"current": {"password": PASSWORD}, "password": PASSWORD[::-1]}
    )


def delete_data(world: World, role: str) -> httpx.Response | bool:
    if role == "operator":
        return main(["forget", world.somebody().person.id]) == 0
    one = world.visit(role, fresh=True)
    return one.ask("POST", "me/deletion", {"id": one.person.id, "password": PASSWORD})


def see_followers(world: World, role: str) -> bool:
    """Look whether one learns that Ana follows and blocks one: in all that one can ask of oneself and of her."""
    one = world.visit(role, fresh=role != "closed")
    if role not in ("stranger", "guest", "muted guest", "spectator", "closed"):
        assert world.ana.http.put(f"/api/me/follows/{one.name}").status_code == 204
        assert world.ana.http.put(f"/api/me/blocks/{one.name}").status_code == 204
    paths = ("me/follows", "me/blocks", "me/news", "me/messages", "me/data")
    told = [one.ask("GET", path).text for path in paths]
    about = one.ask("GET", f"people/{world.ana_name}").json().get("relation") or {}
    return any(world.ana_name in text for text in told) or bool(about.get("follows") or about.get("blocks"))


def see_challenge(world: World, role: str) -> bool:
    made = world.ana.match(**LOBBY)["match"]
    answer = world.visit(role).ask("GET", "lobby")
    assert world.ana.http.get("/api/lobby").is_success
    return answer.is_success and made in {one["match"] for one in answer.json()}


def take_challenge(world: World, role: str) -> httpx.Response:
    made = world.ana.match(**LOBBY)["match"]
    return world.visit(role).ask("POST", f"lobby/{made}/accept")


def take_rated(world: World, role: str) -> httpx.Response:
    visitor = world.visit(role)
    world.rated = world.rated or world.ana.match(rated=True, side="random", **LOBBY)["match"]
    answer = visitor.ask("POST", f"lobby/{world.rated}/accept")
    if answer.is_success:
        world.rated = ""
    return answer


def take_seat(world: World, role: str) -> httpx.Response:
    made = world.ana.match(**FRIEND)
    return world.visit(role).ask("POST", f"matches/{made['match']}/seat", {"invite": made["invite"]})


def challenge(world: World, role: str) -> httpx.Response:
    return world.visit(role).ask("POST", f"challenge/{world.ana.id}", {"variant": "standard", "days": 3})


def make_match(world: World, role: str) -> httpx.Response:
    body = {"game": {"game": "chess", "options": {}}, "side": "white", "setup": None, **LOBBY}
    return world.visit(role).ask("POST", "matches", body)


def resign(world: World, role: str) -> bool:
    world.over_soon = play(world.ana, world.visit("player").person, over=False)  # type: ignore[attr-defined]
    return says(lambda _, __, talk: talk.do(type="resign")["type"] == "ack", "over_soon")(world, role) is True


def makes(**more: Any) -> Action:
    """Make a match with more than the usual."""
    game = {"game": {"game": "chess", "options": {}}, "side": "white", "setup": None, **LOBBY}
    return asks("POST", "matches", {**game, **more})


def plan(world: World, role: str) -> httpx.Response:
    world.planned = world.planned or play(world.ana, world.visit("player").person, over=False)
    lines = [[["g1f3"], ["b8c6"]]]
    return world.visit(role).ask("PUT", f"matches/{world.planned}/conditional-moves", {"lines": lines})


def note(world: World, role: str) -> httpx.Response:
    return world.visit(role).ask("PUT", f"matches/{world.match}/note", {"text": "a plan"})


def go_on(world: World, role: str) -> bool:
    """Move in the match that one plays with Ana."""
    if role == "closed":
        return says(lambda _, __, talk: bool(talk.snapshot["may"]))(world, role) is True
    match = world.with_blocked if role == "blocked" else world.match
    white, black = world.ana.socket(match), world.visit(role).person.socket(match)
    white.move(white.position["legal"][0]["move"])
    black.hear("update")
    return bool(black.move(black.position["legal"][0]["move"])["type"] == "ack")


def tournament(by: Person) -> str:
    """Make a tournament, in which its maker plays."""
    settings = {
        "kind": "swiss",
        "game": {"game": "chess"},
        "time": {"kind": "correspondence", "days_per_turn": 1, "reserve_days": 0},
        "starts_at": int(time.time() * 1000) + 86_400_000,
    }
    answer = by.http.post("/api/tournaments", json={"name": "A test", "settings": settings})
    assert answer.status_code == 201, answer.text
    made = str(answer.json()["tournament"])
    assert by.http.post(f"/api/tournaments/{made}/entry").status_code == 204
    return made


def make_tournament(world: World, role: str) -> httpx.Response:
    body = {
        "name": "Another",
        "settings": {
            "kind": "arena",
            "game": {"game": "chess"},
            "time": {"kind": "fischer", "initial_ms": 60_000, "increment_ms": 0},
            "starts_at": int(time.time() * 1000) + 86_400_000,
        },
    }
    return world.visit(role).ask("POST", "tournaments", body)


def in_tournament(method: str, path: str, body: Any = None, *, once: bool = False) -> Action:
    """Do something in a tournament of Ana's; ``once`` if it needs another one after it was done."""

    def do(world: World, role: str) -> httpx.Response:
        world.tournament = world.tournament or tournament(world.ana)
        answer = world.visit(role).ask(method, f"tournaments/{world.tournament}/{path}", body)
        if once and answer.is_success:
            world.ana.http.post(f"/api/tournaments/{world.tournament}/cancellation")
            world.tournament = ""
        return answer

    return do


def write_message(world: World, role: str) -> httpx.Response:
    return world.visit(role).ask("POST", f"me/messages/{world.ana_name}", {"text": "hello"})


def report(world: World, role: str) -> httpx.Response:
    return world.visit(role).ask("POST", "reports", {"who": world.ana_name, "reason": "a test"})


def report_line(world: World, role: str) -> httpx.Response:
    return world.visit(role).ask("POST", "reports", {"who": f"{world.match}.{world.line}", "reason": "a test"})


def dismiss(world: World, role: str) -> httpx.Response:
    body = {"action": "dismiss", "report": world.report(), "reason": "a test"}
    return world.visit(role).ask("POST", "moderation/actions", body)


def change_log(world: World, role: str) -> bool:
    """Try everything that could change an entry."""
    assert act(world.chief, "mute", world.somebody().person, hours=1).status_code == 204
    log = world.chief.http.get("/api/moderation/log").json()
    entry = log["entries"][0]
    for method, path in itertools.product(("PUT", "PATCH", "DELETE", "POST"), ("", f"/{entry['id']}")):
        answer = world.visit(role).ask(method, f"moderation/log{path}", {**entry, "reason": "another"})
        assert answer.status_code in (404, 405), answer.text
    return bool(world.chief.http.get("/api/moderation/log").json() != log)


def name_moderators(world: World, role: str) -> bool:
    whom = world.somebody()
    if role == "operator":
        return main(["moderators", "--add", whom.name]) == 0 and main(["moderators", "--remove", whom.name]) == 0
    one, body = world.visit(role), {"who": whom.name, "name": whom.name, "action": "appoint", "reason": "a test"}
    answers = [one.ask("POST", f"moderation/{path}", body) for path in ("actions", "moderators")]
    return any(answer.is_success for answer in answers) or whom.ask("GET", "moderation/log").is_success


def reads(match: str) -> Action:
    """Look whether one reads what Ana wrote to the other player."""

    def do(world: World, role: str) -> bool:
        answer = world.visit(role).ask("GET", f"matches/{getattr(world, match)}")
        return answer.is_success and "between us" in {line["text"] for line in answer.json()["chat"]}

    return do


EXERCISE = {"title": "A chapter", "game": "chess", "mode": "exercise", "nodes": [{"parent": -1, "move": "e2e4"}]}


def new_study(world: World, access: str = "public", *, fresh: bool = False) -> str:
    """Return a study of Ana's, with an exercise; ``fresh`` is one that may be changed."""
    if not fresh and access in world.studies:
        return world.studies[access]
    body = {"title": "A study", "access": access, "chapter": EXERCISE}
    made = world.ana.http.post("/api/studies", json=body)
    assert made.status_code == 201, made.text
    id = str(made.json()["study"])
    return id if fresh else world.studies.setdefault(access, id)


def on_study(method: str, path: str, body: Any = None) -> Action:
    """Make a request about a public study of Ana's."""

    def do(world: World, role: str) -> httpx.Response:
        return world.visit(role).ask(method, f"studies/{new_study(world)}{path}", body)

    return do


def reads_study(access: str) -> Action:
    return lambda world, role: world.visit(role).ask("GET", f"studies/{new_study(world, access)}")


def writes_in_study(*, added: bool) -> Action:
    """Look whether one can add a move to a study of Ana's."""

    def do(world: World, role: str) -> httpx.Response | bool:
        one, study = world.visit(role), new_study(world)
        if added and (refused := add(world, study, one)) is not None:
            return refused
        try:
            with world.server.connect(f"/api/studies/{study}/socket", source_address=(one.person.address, 0)) as talk:
                talk.send(json.dumps({"type": "hello", "token": one.token, "after": None}))
                assert json.loads(talk.recv(TIMEOUT))["type"] == "study"
                talk.send(json.dumps({"type": "add", "chapter": 1, "parent": 0, "moves": ["d4"], "id": "1"}))
                while (answer := json.loads(talk.recv(TIMEOUT)))["type"] not in ("ack", "refused"):
                    pass
        except Exception as error:
            assert "4401" in str(error) or "refused" in str(error) or role == "closed", error
            return False
        return bool(answer["type"] == "ack")

    return do


def add(world: World, study: str, one: Visitor) -> httpx.Response | None:
    """Have Ana add somebody to a study; return the refusal, if she cannot."""
    answer = world.ana.http.put(f"/api/studies/{study}/people/{one.name}", json={"role": "writer"})
    return None if answer.is_success else answer


def leave_study(world: World, role: str) -> httpx.Response:
    one, study = world.visit(role), new_study(world)
    return add(world, study, one) or one.ask("DELETE", f"studies/{study}/people/{one.name}")


def add_to_study(world: World, role: str) -> httpx.Response:
    path = f"studies/{new_study(world)}/people/{world.somebody().name}"
    return world.visit(role).ask("PUT", path, {"role": "reader"})


def see_exercise(world: World, role: str) -> bool:
    answer = world.visit(role).ask("GET", f"studies/{new_study(world)}/chapters/1")
    return answer.is_success and len(answer.json()["nodes"]) > 1


def withdraw_study(world: World, role: str) -> httpx.Response:
    study = new_study(world, fresh=True)
    answer = world.visit(role).ask("POST", f"studies/{study}/withdrawal", {"reason": "a test"})
    if answer.is_success:
        assert world.somebody().ask("GET", f"studies/{study}").status_code == 404
        assert world.ana.http.patch(f"/api/studies/{study}", json={"access": "public"}).json()["code"] == "withdrawn"
        assert world.ana.http.get(f"/api/studies/{study}").status_code == 200
    return answer


ACTIONS: dict[str, Action] = {
    "see Ana's profile": asks("GET", "people/{}"),
    "become a guest": asks("POST", "guests", {}),
    "change one's name": asks("PATCH", "me", {"name": "Another"}),
    "make an account": make_account,
    "sign in with the password": sign_in,
    "change the password": change_password,
    "get a new recovery code": asks("POST", "me/recovery", {"password": PASSWORD}, fresh=True),
    "store what one has solved": asks("POST", "me/progress", {}),
    "see where one is signed in": asks("GET", "me/sessions"),
    "get a code for another device": asks("POST", "me/code"),
    "make a token for a program": asks("POST", "me/tokens", {"name": "bot", "scopes": ["bot:play"]}),
    "get a copy of one's data": asks("GET", "me/data"),
    "delete one's data": delete_data,
    "follow Ana": asks("PUT", "me/follows/{}"),
    "block Ana": asks("PUT", "me/blocks/{}", fresh=True),
    "see who follows or blocks one": see_followers,
    "see the lobby": asks("GET", "lobby"),
    "see Ana's challenge in the lobby": see_challenge,
    "make a match": make_match,
    "make a rated match": makes(rated=True, side="random"),
    "challenge a house engine": makes(opponent={"kind": "house", "engine": "caladrius"}),
    "take Ana's rated challenge": take_rated,
    "take Ana's open challenge": take_challenge,
    "take a seat with Ana's invite": take_seat,
    "challenge Ana from a program": challenge,
    "watch a match": lambda world, role: world.visit(role).ask("GET", f"matches/{world.match}"),
    "plan replies in a match with Ana": plan,
    "note something about a match with Ana": note,
    "take days off": asks("POST", "me/days-off", {"days": 1}, fresh=True),
    "resign a match with Ana": resign,
    "go on with a match that has begun": go_on,
    "write in the chat of a match": says(lambda _, __, talk: talk.do(type="chat", text="hello")["type"] == "ack"),
    "read the players' chat of a match that is played": reads("match"),
    "read all chat of a match that is over": reads("over"),
    "see the tournaments": asks("GET", "tournaments"),
    "make a tournament": make_tournament,
    "enter Ana's tournament": in_tournament("POST", "entry"),
    "make Ana's tournament start": in_tournament("PUT", "start", {"at": 0}, once=True),
    "rename Ana's tournament": in_tournament("PUT", "description", {"name": "Renamed", "description": ""}),
    "remove a player from Ana's tournament": in_tournament("DELETE", "players/1", once=True),
    "cancel Ana's tournament": in_tournament("POST", "cancellation", once=True),
    "get a calendar of one's own": asks("POST", "me/calendar"),
    "write a message to Ana": write_message,
    "read one's messages": asks("GET", "me/messages"),
    "turn messages on or off": asks("PUT", "me/messages", {"messages": True}, fresh=True),
    "choose one's notifications": asks("PUT", "me/notifications", {"zone": "Europe/Madrid"}, fresh=True),
    "report Ana": report,
    "report a line of the players' chat": report_line,
    "read a public study": reads_study("public"),
    "read Ana's study by its link": reads_study("link"),
    "read Ana's private study": reads_study("private"),
    "make a private study": asks("POST", "studies", {"title": "A study"}),
    "make a public study": asks("POST", "studies", {"title": "A study", "access": "public"}),
    "write in a study of Ana's": writes_in_study(added=False),
    "write in a study to which Ana has added one": writes_in_study(added=True),
    "leave such a study": leave_study,
    "change the access of Ana's study": on_study("PATCH", "", {"access": "public"}),
    "add people to Ana's study": add_to_study,
    "delete Ana's study": on_study("DELETE", ""),
    "try an exercise of a public study": on_study("POST", "/chapters/1/attempts", {"moves": ["e2e4"]}),
    "see the moves of an exercise without trying": see_exercise,
    "report a study": on_study("POST", "/reports", {"reason": "a test"}),
    "withdraw a study": withdraw_study,
    "see open reports": asks("GET", "moderation/reports"),
    "dismiss a report": dismiss,
    "mute somebody, and lift that": acts("mute", "unmute", hours=1),
    "close an account, and reopen it": acts("close", "reopen"),
    "rename somebody": acts("rename", name=""),
    "act on a moderator": acts("mute", on="moderator", hours=1),
    "see how players compare with the engine": asks("GET", "moderation/fair-play"),
    "read the log of moderation": asks("GET", "moderation/log"),
    "change the log of moderation": change_log,
    "name moderators": name_moderators,
}
#: The refusals of what somebody with a token may not do.
REFUSALS: dict[str, set[str]] = {
    "get a new recovery code": {"no_account"},
    "store what one has solved": {"no_account"},
    "make a rated match": {"no_account"},
    "take Ana's rated challenge": {"no_account", "taken"},
    "plan replies in a match with Ana": {"no_seat"},
    "note something about a match with Ana": {"no_seat"},
    "change one's name": {"has_account"},
    "make an account": {"has_account"},
    "sign in with the password": {"account_closed"},
    "change the password": {"no_account"},
    "take Ana's open challenge": {"taken"},
    "take a seat with Ana's invite": {"taken"},
    "challenge Ana from a program": {"unavailable"},
    "make a tournament": {"may_not_make", "muted"},
    "enter Ana's tournament": {"full"},
    "make Ana's tournament start": {"no_maker"},
    "rename Ana's tournament": {"no_maker"},
    "remove a player from Ana's tournament": {"no_maker"},
    "cancel Ana's tournament": {"no_maker"},
    "write a message to Ana": {"no_messages", "muted"},
    "report a line of the players' chat": {"no_such_line"},
    "read Ana's private study": {"no_such_study"},
    "make a public study": {"muted"},
    "write in a study to which Ana has added one": {"no_such_person"},
    "leave such a study": {"no_such_person"},
    "change the access of Ana's study": {"no_owner"},
    "add people to Ana's study": {"no_owner"},
    "delete Ana's study": {"no_owner"},
    "withdraw a study": {"no_moderator"},
    "see open reports": {"no_moderator"},
    "dismiss a report": {"no_moderator"},
    "mute somebody, and lift that": {"no_moderator"},
    "close an account, and reopen it": {"no_moderator"},
    "rename somebody": {"no_moderator"},
    "see how players compare with the engine": {"no_moderator"},
    "read the log of moderation": {"no_moderator"},
    "act on a moderator": {"no_moderator", "is_moderator"},
}


def test_the_table_has_every_action() -> None:
    assert list(CELLS) == list(ACTIONS)
    assert {cell for cells in CELLS.values() for cell in cells.values()} == {"yes", "no", NOTHING}


@pytest.mark.parametrize(
    ("action", "visitor"),
    [(action, visitor) for action, cells in CELLS.items() for visitor, cell in cells.items() if cell != NOTHING],
)
def test_a_visitor_may_do_what_the_table_says(
    world: World, monkeypatch: pytest.MonkeyPatch, action: str, visitor: str
) -> None:
    monkeypatch.setenv("ACEDREX_DATABASE_URL", world.url)
    answer = ACTIONS[action](world, visitor)
    if isinstance(answer, httpx.Response):
        assert answer.status_code < 500, answer.text
        if not answer.is_success:
            code = json.loads(answer.text)["code"]
            assert code in NO_TOKEN | REFUSALS.get(action, set()), answer.text
        answer = answer.is_success
    assert answer == (CELLS[action][visitor] == "yes"), (action, visitor)
