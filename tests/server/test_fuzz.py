"""Random and malformed input causes no fault, and only its players change the position of a match."""

from __future__ import annotations

import functools
import itertools
import json
import random
import time
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)
from websockets.exceptions import ConnectionClosed

import acedrex
from tests.conftest import TIMEOUT
from tests.samples import sample
from tests.server.conftest import Person, Server, Talk

pytestmark = pytest.mark.slow

#: Visits of each route by schemathesis.
ROUNDS = sample(1, 10)
#: The maximum number of visits of a route that has not answered with success yet.
MAX_ROUNDS = 10 * ROUNDS
#: Requests per visit.
EXAMPLES = 6
#: Conversations of nonsense.
TALKS = 40


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    one = Server(tmp_path_factory.mktemp("fuzz"), "--tournaments", "everybody")
    yield one
    assert one.end() == 0
    assert one.faults() == []


def nonsense(chance: random.Random, number: int, moves: list[str]) -> str | bytes:
    """Return garbage, or a message that is nearly valid."""
    texts = [*moves, "e2e4", "end", "claim", "Ke2", "", "a1" * 20, "\x00", "é", "💥" * 8, "z" * 10_000]
    value = chance.choice(
        [None, True, -1, 0, number, 2**63, 1e308, [], {}, [[]], *texts, {"type": "move"}, ["x"] * 100]
    )
    messages: list[dict[str, Any]] = [
        {"type": "hello", "token": chance.choice([None, "x", value]), "after": value},
        {
            "type": "move",
            "move": chance.choice(texts),
            "number": chance.choice([number, number - 1, 0, 10**9]),
            "id": "a",
        },
        {"type": "move", "move": value, "number": number, "id": "a"},
        {"type": "undo", "number": number, "id": "a"},
        {"type": "setup", "name": chance.choice(texts), "number": number, "id": "a"},
        {"type": "offer", "what": chance.choice(["draw", "takeback", "rematch", value]), "id": "a"},
        {"type": "answer", "what": chance.choice(["draw", "takeback", "rematch"]), "accept": True, "id": "a"},
        {"type": "claim", "what": chance.choice(["draw", "left", value]), "id": "a"},
        {"type": chance.choice(["resign", "abort", "hint", "nothing"]), "id": chance.choice(["a", value])},
        {"type": "chat", "text": value, "id": "a"},
        {"type": "ping", "at": value, "rtt": value},
        {str(value): value},
    ]
    whole = json.dumps(chance.choice(messages))
    return chance.choice(
        [
            whole,
            whole,
            whole,
            whole[: chance.randrange(len(whole))],
            whole.encode(),
            bytes(chance.randrange(256) for _ in range(20)),
            "[" * 5_000,
            json.dumps(value),
            "",
        ]
    )


def test_nonsense_from_spectators_does_not_change_a_match(server: Server) -> None:
    ana, bo = Person(server, "Ana", "127.0.0.21"), Person(server, "Bo", "127.0.0.22")
    made = ana.match("chieftain", opponent={"kind": "friend"})
    bo.sit(made)
    white, black = ana.socket(made["match"]), bo.socket(made["match"])
    white.move(white.position["legal"][0]["move"])
    fen, number = white.position["fen"], white.number
    moves = [legal["move"] for legal in white.position["legal"]]
    chance = random.Random(1)
    for talk in range(TALKS):
        zoe = Person(server, "Zoe", f"127.0.1.{talk + 1}")
        watching = Talk(server, made["match"], chance.choice([zoe.token, None]), zoe.address)
        try:
            for _ in range(chance.randrange(5, 60)):
                watching.connection.send(nonsense(chance, number, moves))
            watching.say(type="ping", at=1)
            watching.hear("pong", "refused")
        except ConnectionClosed:
            pass
    assert ana.http.get(f"/api/matches/{made['match']}").json()["position"]["fen"] == fen
    # The players can continue.
    black.hear("update")
    white.move(white.position["legal"][0]["move"])
    assert black.hear("update")["number"] == number + 1
    assert server.faults() == []


def test_nonsense_from_players_leaves_a_readable_match(server: Server) -> None:
    chance = random.Random(2)
    for talk in range(TALKS):
        ana = Person(server, "Ana", f"127.0.2.{talk + 1}")
        made = ana.match(chance.choice(["chess", "chieftain", "maasai"]))
        playing = ana.socket(made["match"])
        try:
            for _ in range(30):
                moves = [legal["move"] for legal in playing.position["legal"]]
                playing.connection.send(nonsense(chance, playing.number, moves))
                playing.say(type="ping", at=1)
                playing.hear("pong", "refused")
        except ConnectionClosed:
            pass
        shown = ana.http.get(f"/api/matches/{made['match']}")
        assert shown.status_code == 200
        board = ana.http.get(f"/api/matches/{made['match']}/pgn")
        assert board.status_code == 200
    assert server.faults() == []


@pytest.mark.parametrize("size", [20_000, 1_000_000])
@pytest.mark.parametrize("kind", [str, bytes])
def test_a_large_frame_closes_only_its_socket(server: Server, size: int, kind: type) -> None:
    ana = Person(server, "Ana", "127.0.0.23")
    made = ana.match()
    other, talk = ana.socket(made["match"]), ana.socket(made["match"])
    with pytest.raises(ConnectionClosed) as closed:  # noqa: PT012
        talk.connection.send("x" * size if kind is str else b"x" * size)
        while True:
            talk.connection.recv(TIMEOUT)
    assert closed.value.rcvd is None or closed.value.rcvd.code == 1009
    other.move("e2e4")
    assert len(ana.socket(made["match"]).snapshot["moves"]) == 1


def test_a_replayed_move_is_refused_as_stale(server: Server) -> None:
    ana = Person(server, "Ana", "127.0.0.24")
    talk = ana.socket(ana.match("chieftain")["match"])
    move = {"type": "move", "move": talk.position["legal"][0]["move"], "number": talk.number, "id": "a"}
    for _ in range(10):
        talk.say(**move)
    answers = [talk.hear("ack", "refused") for _ in range(10)]
    assert [answer["type"] for answer in answers] == ["ack"] + ["refused"] * 9
    assert {answer["error"]["code"] for answer in answers[1:]} == {"stale"}
    assert talk.position["ply"] == 1


def test_a_socket_that_sends_too_fast_is_closed(server: Server) -> None:
    ana = Person(server, "Ana", "127.0.0.25")
    talk = ana.socket(ana.match()["match"])
    with pytest.raises(ConnectionClosed) as closed:  # noqa: PT012
        for _ in range(2_000):
            talk.connection.send("x")
        while True:
            talk.connection.recv(TIMEOUT)
    assert closed.value.rcvd is None or closed.value.rcvd.code == 4429


# HTTP, as OpenAPI describes it.

START_FEN = acedrex.load("chess").start_fen
#: The checks of every answer.
CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]


#: Valid requests of the analysis board.
POSITION = {"game": "chess", "options": {}, "fen": START_FEN}
ANALYSES: dict[str, dict[str, Any]] = {
    "tree": {"game": "chess", "nodes": [{"parent": -1, "move": "e2e4"}]},
    "record": {"pgn": "1. e4 (1. d4) e5 *"},
    "pgn": {"game": "chess", "nodes": [{"parent": -1, "move": "e2e4"}], "tags": {"White": "Ana"}},
    "moves": {**POSITION, "moves": ["e4"]},
    "attacks": POSITION,
    "edit": POSITION,
    "picture": POSITION,
    "jobs": {**POSITION, "moves": ["e2e4"]},
}


@schemathesis.serializer("application/x-chess-pgn")
def pgn_as_it_is(context: Any, value: Any) -> bytes:
    return value if isinstance(value, bytes) else str(value).encode()


#: Routes that random requests rarely reach: they need an offer, a challenge, a free seat, a token, or an opponent who
#: has left.
RARE = {
    f"POST /api/bot/game/{{id}}/{rest}"
    for rest in ("claim-draw", "claim-victory", "draw/{accept}", "takeback/{accept}")
}
RARE |= {f"POST /api/bot/game/{{id}}/{rest}" for rest in ("setup/{setup}", "abort", "resign", "move/{move}", "chat")}
RARE |= {f"POST /api/challenge/{{id}}/{rest}" for rest in ("accept", "decline", "cancel")}
RARE |= {
    "POST /api/lobby/{id}/accept",
    "POST /api/matches/{id}/seat",
    "DELETE /api/token",
    "DELETE /api/me/tokens/{id}",
}
#: Only the guest's own id confirms it; tests/server/test_own_data.py tests it.
RARE |= {"POST /api/me/deletion"}
#: They need a good name, a password or a code; tests/server/test_accounts.py tests them.
RARE |= {f"POST /api/{rest}" for rest in ("me/account", "me/recovery", "recovery", "sessions", "sessions/code")}
RARE |= {"PUT /api/me/password", "DELETE /api/me/sessions/{id}"}
#: They need an account, a passkey, or a link in a mail; test_passkeys.py, test_mail.py and test_progress.py test them.
RARE |= {f"POST /api/me/{rest}" for rest in ("passkeys", "passkeys/challenge", "passkeys/{id}/removal", "progress")}
RARE |= {"GET /api/me/account", "PATCH /api/me/passkeys/{id}", "PUT /api/me/mail", "POST /api/me/mail/removal"}
RARE |= {f"POST /api/{rest}" for rest in ("sessions/passkey", "mail/confirmation", "recovery/mail", "recovery/link")}
#: They need somebody with an account, a message or a moderator; tests/server/test_social.py tests them.
RARE |= {f"{method} /api/me/{rest}/{{who}}" for method in ("PUT", "DELETE") for rest in ("follows", "blocks")}
RARE |= {f"{rest} /api/me/messages/{{who}}" for rest in ("GET", "POST")} | {"PUT /api/me/messages/{who}/read"}
RARE |= {f"GET /api/people/{{name}}{rest}" for rest in ("", "/ratings", "/ratings/curve", "/ratings/puzzles")}
RARE |= {"POST /api/reports", "POST /api/moderation/actions"}
RARE |= {f"GET /api/moderation/{rest}" for rest in ("reports", "log", "fair-play")}
#: They need a browser, a mail, or a match over days; test_notifications.py and test_correspondence.py test them.
RARE |= {"PUT /api/me/push", "POST /api/mail/stop", "DELETE /api/me/days-off", "PUT /api/matches/{id}/note"}
RARE |= {f"{method} /api/matches/{{id}}/conditional-moves" for method in ("GET", "PUT")}
#: They end the tournament, or need one in another state; tests/server/test_tournaments.py tests them.
TOURNAMENT = "/api/tournaments/{id}"
ENDING = {f"POST {TOURNAMENT}/cancellation", f"PUT {TOURNAMENT}/start", f"DELETE {TOURNAMENT}/players/{{player}}"}
RARE |= ENDING | {f"POST {TOURNAMENT}/byes", "POST /api/tournaments"}
RARE |= {f"{rest[0]} {TOURNAMENT}/boards/{{board}}/{rest[1]}" for rest in (("POST", "ruling"), ("POST", "arrival"))}
RARE |= {f"PUT {TOURNAMENT}/boards/{{board}}/{rest}" for rest in ("times", "appointment")}
RARE |= {"GET /api/calendars/own/{secret}.ics"}
#: They need the owner of a study, another person or a moderator; test_studies.py and test_rights.py test them.
RARE |= {"DELETE /api/studies/{id}", "PATCH /api/studies/{id}", "POST /api/studies/{id}/withdrawal"}
RARE |= {f"{method} /api/studies/{{id}}/people/{{who}}" for method in ("PUT", "DELETE")}
RARE |= {"POST /api/studies/{id}/reports", "POST /api/studies/{id}/chapters", "POST /api/studies/{id}/pgn"}
#: It needs the id of a house engine; tests/server/test_house.py tests it.
RARE |= {"GET /api/engines/{engine}"}
#: Publishing is off here; tests/server/test_publishing.py tests it.
RARE |= {"POST /api/published", "POST /api/published/{id}/withdrawal", "POST /api/published/{id}/reports"}
RARE |= {"PUT /api/published/{id}/study"}


def make_plausible(case: Any, match: dict[str, Any], chance: random.Random) -> None:
    """Replace parts of a request by existing things: a match, a game, an invite."""
    path = case.path_parameters or {}
    if "/analysis/" in case.operation.path:
        if "id" in path:
            path["id"] = match["job"]
        elif isinstance(case.body, dict):
            case.body = case.body | ANALYSES[case.operation.path.split("/")[-1]]
        return
    if "/studies/" in case.operation.path:
        if case.operation.method.upper() != "DELETE":
            path["id"] = match["study"]
        if "chapter" in path:
            path["chapter"] = 1
        return
    if "/tournaments/" in case.operation.path:
        if case.operation.label not in ENDING:
            path["id"] = chance.choice(match["tournaments"])
        if "board" in path:
            path["board"] = chance.choice([0, path["board"]])
        return
    # Requests that end matches keep random ids: the matches are needed further.
    if "id" in path and not case.operation.path.endswith(("/abort", "/resign", "/cancel")):
        path["id"] = (
            chance.choice(["maasai", "metamachy", "zanzibar-s"]) if "games" in case.operation.path else match["match"]
        )
    if "number" in path:
        path["number"] = chance.choice([1, path["number"]])
    if "setup" in path:
        path["setup"] = chance.choice(["random", "1"])
    if "move" in path:
        path["move"] = chance.choice(["e2e4", "e7e5", "a4a5,p4p5,end", path["move"]])
    if "to" in path:
        path["to"] = chance.choice(["ai", "open", path["to"]])
        case.body = chance.choice([{"variant": "standard", "level": 1}, case.body])
    query = case.query or {}
    if "game" in query:
        query["game"] = chance.choice(["chess", "maasai:", query["game"]])
    if "fen" in query:
        query["fen"] = chance.choice([START_FEN, query["fen"]])
    if case.operation.label == "POST /api/archive":
        case.body = chance.choice([b"1. e4 e5 *", b"1. e4 e9 1-0", case.body])
    if "date" in path:
        path["date"] = chance.choice(["2026-11-01", "2999-01-01"])
    if "moves" in (case.body if isinstance(case.body, dict) else {}) and "game" not in case.body:
        case.body["moves"] = chance.choice([[], case.body["moves"]])
    if not isinstance(case.body, dict):
        return
    if "invite" in case.body:
        case.body["invite"] = match["invite"] or "none"
    if isinstance(case.body.get("game"), dict):
        case.body["game"] = {"game": chance.choice(["chess", "maasai", "chieftain"]), "options": {}}
    elif "game" in case.body:
        case.body |= {"game": "chess", "options": {}}
        if "square" in case.body:
            case.body |= {"fen": chance.choice([START_FEN, case.body.get("fen", "")]), "square": "b1"}
        elif chance.randrange(2):
            case.body = {"game": "chess", "moves": chance.choice([["e2e4"], case.body.get("moves", [])])}


def tournament(people: list[Person], **settings: Any) -> str:
    """Let one person make a tournament, and others enter it."""
    asked = {
        "kind": "swiss",
        "game": {"game": "chess"},
        "time": {"kind": "fischer", "initial_ms": 60_000, "increment_ms": 0},
    }
    asked |= {"starts_at": int(time.time() * 1000) + 86_400_000, "rounds": 3, **settings}
    answer = people[0].http.post("/api/tournaments", json={"name": "The cup", "description": "", "settings": asked})
    assert answer.status_code == 201, answer.text
    id = str(answer.json()["tournament"])
    for person in people[:2]:
        assert person.http.post(f"/api/tournaments/{id}/entry").status_code == 204
    return id


@pytest.mark.slow
def test_random_requests_are_answered_as_openapi_describes(server: Server) -> None:
    """Valid and invalid requests, by several people, about the matches that they create."""
    people = [Person(server, f"Person {n}", f"127.0.3.{n + 1}") for n in range(4)]
    made = [people[0].match("maasai", opponent={"kind": "friend"}), people[1].match(opponent={"kind": "lobby"})]
    made += [people[2].match(), people[3].match("chieftain", opponent={"kind": "engine", "level": 1})]
    job = people[0].http.post("/api/analysis/jobs", json=ANALYSES["jobs"]).json()["job"]
    chapter = {"title": "A", "game": "chess", "mode": "exercise", "nodes": [{"parent": -1, "move": "e2e4"}]}
    body = {"title": "A", "access": "public", "chapter": chapter}
    study = people[0].http.post("/api/studies", json=body).json()["study"]
    tournaments = [tournament(people, appointment_days=days) for days in (None, 7)]
    people[0].http.put(f"/api/tournaments/{tournaments[1]}/start", json={"at": 0})
    schema = schemathesis.openapi.from_url(f"{server.base}/api/openapi.json")
    # Streams do not end: tests/server/test_bots.py tests them.
    operations = [found.ok() for found in schema.get_all_operations() if "/stream/" not in found.ok().path]
    assert len(operations) > 15
    statuses: Counter[tuple[str, int]] = Counter()
    visits = itertools.count()

    # Not from hypothesis, since there is more to choose from as the test goes on.
    chance = random.Random(3)

    def headers() -> dict[str, str]:
        number = next(visits)  # every few requests come from another address
        found = {"X-Forwarded-For": f"10.{number // 2500 % 200}.{number // 20 % 125}.1"}
        who = chance.choice([*(person.token for person in people), "nobody", None])
        return found if who is None else {**found, "Authorization": f"Bearer {who}"}

    by_label = {operation.label: operation for operation in operations}
    told = set(by_label)
    assert told >= RARE
    reached: set[str] = set()

    @functools.cache
    def requests(label: str, mode: GenerationMode) -> st.SearchStrategy[Any]:
        return by_label[label].as_strategy(generation_mode=mode)

    def visit(operation: Any, number: int) -> None:
        @seed(number)
        @settings(
            max_examples=EXAMPLES,
            deadline=None,
            suppress_health_check=list(HealthCheck),
            database=None,
            phases=[Phase.generate],
        )
        @given(data=st.data())
        def ask(data: st.DataObject) -> None:
            modes = [GenerationMode.POSITIVE] * 3
            if operation.body or operation.query or operation.path_parameters:  # else nothing can be wrong
                modes.append(GenerationMode.NEGATIVE)
            case = data.draw(requests(operation.label, data.draw(st.sampled_from(modes))))
            if chance.randrange(5):
                make_plausible(
                    case, {**chance.choice(made), "job": job, "study": study, "tournaments": tournaments}, chance
                )
            response = case.call(headers=headers())
            case.validate_response(response, checks=CHECKS)
            statuses[operation.label, response.status_code] += 1
            if response.status_code < 300:
                reached.add(operation.label)
            if response.status_code >= 400:
                problem = response.json()
                assert problem["code"] and problem["message"], response.text
            elif operation.label == "POST /api/matches":
                made.append(response.json())

        ask()

    for number in range(MAX_ROUNDS):
        routes = sorted(told if number < ROUNDS else told - RARE - reached)
        for label in chance.sample(routes, len(routes)):
            visit(by_label[label], number)
    for (label, status), count in sorted(statuses.items()):
        print(f"{count:6} {status} {label}")
    assert reached >= told - RARE
    assert server.faults() == []
