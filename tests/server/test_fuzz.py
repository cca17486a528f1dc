"""Whatever is said to it, the server has no fault, and no position changes but by its players' plies."""

from __future__ import annotations

import json
import os
import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, settings
from websockets.exceptions import ConnectionClosed

from tests.server.conftest import Person, Server, Talk

#: Requests that schemathesis makes in all; 2,000 in a release.
EXAMPLES = int(os.environ.get("ACEDREX_EXAMPLES", "2000"))
#: Conversations of nonsense.
TALKS = 40


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    one = Server(tmp_path_factory.mktemp("fuzz"))
    yield one
    assert one.end() == 0
    assert one.faults() == []


def nonsense(chance: random.Random, number: int, plies: list[str]) -> str | bytes:
    """Something that should not be said: garbage, or a message that is nearly right."""
    texts = [*plies, "e2e4", "end", "claim", "Ke2", "", "a1" * 20, "\x00", "é", "💥" * 8, "z" * 10_000]
    value = chance.choice(
        [None, True, -1, 0, number, 2**63, 1e308, [], {}, [[]], *texts, {"type": "ply"}, ["x"] * 100]
    )
    messages: list[dict[str, Any]] = [
        {"type": "hello", "token": chance.choice([None, "x", value]), "after": value},
        {"type": "ply", "ply": chance.choice(texts), "number": chance.choice([number, number - 1, 0, 10**9]), "id": "a"},
        {"type": "ply", "ply": value, "number": number, "id": "a"},
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


def test_nonsense_over_sockets(server: Server) -> None:
    """Those who only watch say all they like: the players' match stays as it is."""
    ana, bo = Person(server, "Ana", "127.0.0.21"), Person(server, "Bo", "127.0.0.22")
    made = ana.match("chieftain", opponent={"kind": "friend"})
    bo.sit(made)
    white, black = ana.socket(made["match"]), bo.socket(made["match"])
    white.ply(white.position["legal"][0]["ply"])
    fen, number = white.position["fen"], white.number
    plies = [legal["ply"] for legal in white.position["legal"]]
    chance = random.Random(1)
    for talk in range(TALKS):
        zoe = Person(server, "Zoe", f"127.0.1.{talk + 1}")
        watching = Talk(server, made["match"], chance.choice([zoe.token, None]), zoe.address)
        try:
            for _ in range(chance.randrange(5, 60)):
                watching.connection.send(nonsense(chance, number, plies))
            watching.say(type="ping", at=1)
            watching.hear("pong", "refused")
        except ConnectionClosed:
            pass
    assert ana.http.get(f"/api/matches/{made['match']}").json()["position"]["fen"] == fen
    # And the room plays on.
    black.hear("update")
    white.ply(white.position["legal"][0]["ply"])
    assert black.hear("update")["number"] == number + 1
    assert server.faults() == []


def test_players_who_say_nonsense_break_nothing(server: Server) -> None:
    """Those who play may spoil their own match, but what is stored is always a match that can be played again."""
    chance = random.Random(2)
    for talk in range(TALKS):
        ana = Person(server, "Ana", f"127.0.2.{talk + 1}")
        made = ana.match(chance.choice(["chess", "chieftain", "maasai"]))
        playing = ana.socket(made["match"])
        try:
            for _ in range(30):
                plies = [legal["ply"] for legal in playing.position["legal"]]
                playing.connection.send(nonsense(chance, playing.number, plies))
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
def test_large_frames_end_the_socket_and_nothing_else(server: Server, size: int, kind: type) -> None:
    ana = Person(server, "Ana", "127.0.0.23")
    made = ana.match()
    other, talk = ana.socket(made["match"]), ana.socket(made["match"])
    with pytest.raises(ConnectionClosed) as closed:  # noqa: PT012
        talk.connection.send("x" * size if kind is str else b"x" * size)
        while True:
            talk.connection.recv(10)
    assert closed.value.rcvd is None or closed.value.rcvd.code == 1009
    other.ply("e2e4")
    assert len(ana.socket(made["match"]).snapshot["plies"]) == 1


def test_replays(server: Server) -> None:
    ana = Person(server, "Ana", "127.0.0.24")
    talk = ana.socket(ana.match("chieftain")["match"])
    ply = {"type": "ply", "ply": talk.position["legal"][0]["ply"], "number": talk.number, "id": "a"}
    for _ in range(10):
        talk.say(**ply)
    answers = [talk.hear("ack", "refused") for _ in range(10)]
    assert [answer["type"] for answer in answers] == ["ack"] + ["refused"] * 9
    assert {answer["error"]["code"] for answer in answers[1:]} == {"stale"}
    assert talk.position["ply"] == 1


def test_who_hurries_is_slowed_down(server: Server) -> None:
    ana = Person(server, "Ana", "127.0.0.25")
    talk = ana.socket(ana.match()["match"])
    with pytest.raises(ConnectionClosed) as closed:  # noqa: PT012
        for _ in range(2_000):
            talk.connection.send("x")
        while True:
            talk.connection.recv(10)
    assert closed.value.rcvd is None or closed.value.rcvd.code == 4429


# HTTP, by what OpenAPI tells.


def test_schemathesis(server: Server, start: Callable[..., Server]) -> None:
    """Requests of all kinds, one leading to the next, from people who are somebody and from those who are nobody."""
    people = [Person(server, f"Person {n}", f"127.0.3.{n + 1}") for n in range(4)]
    addresses = iter(range(10**9))
    made = [people[0].match("maasai", opponent={"kind": "friend"}), people[1].match(opponent={"kind": "lobby"})]
    made += [people[2].match(), people[3].match("chieftain", opponent={"kind": "engine", "level": 1})]
    statuses: dict[int, int] = {}
    chance = random.Random(1)
    schema = schemathesis.openapi.from_url(f"{server.base}/api/openapi.json")
    requests = 0

    @schema.hook
    def map_path_parameters(context: Any, value: dict[str, Any] | None) -> dict[str, Any] | None:
        if value and "id" in value and chance.random() < 0.8:
            games = "games" in context.operation.path
            known = ["maasai", "chess", "magi"] if games else [one["match"] for one in made]
            value["id"] = chance.choice(known)
        return value

    machine = schema.as_state_machine()

    class Visits(machine):  # type: ignore[misc, valid-type]
        def get_call_kwargs(self, case: Any) -> dict[str, Any]:
            # Somebody else each time, from another address, or nobody.
            number = next(addresses)
            headers = {"X-Forwarded-For": f"10.{number // 2500 % 200}.{number // 50 % 50}.1"}
            if (who := chance.randrange(6)) < len(people):
                headers["Authorization"] = f"Bearer {people[who].token}"
            elif who == len(people):
                headers["Authorization"] = "Bearer nobody"
            return {"headers": headers}

        def validate_response(self, response: Any, case: Any, **more: Any) -> None:
            nonlocal requests
            requests += 1
            statuses[response.status_code] = statuses.get(response.status_code, 0) + 1
            assert response.status_code < 500 or response.status_code == 503, (case.as_curl_command(), response.text)
            if response.status_code >= 400:
                problem = response.json()
                assert problem["code"] and problem["message"], response.text

    schemathesis_settings = settings(
        max_examples=max(1, EXAMPLES // 10),
        stateful_step_count=10,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
        derandomize=True,
        database=None,
    )
    Visits.run(settings=schemathesis_settings)
    print(f"{requests} requests, answers {dict(sorted(statuses.items()))}")
    assert requests >= EXAMPLES * 0.5
    assert server.faults() == []
