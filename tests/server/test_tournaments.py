"""Tournaments on a server: made, entered, played, and gone on with after a restart."""

from __future__ import annotations

import itertools
import json
import time
from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from acedrex.server import wire
from tests.conftest import TIMEOUT
from tests.samples import sample
from tests.server.conftest import Person, Server, anyone, coming_from
from tests.server.test_accounts import signed_up

LIVE = {"kind": "fischer", "initial_ms": 300_000, "increment_ms": 2_000}
SLOW = {"kind": "correspondence", "days_per_turn": 3, "reserve_days": 0}
KILLS = sample(2, 20)
numbers = itertools.count(1)


def moment() -> int:
    return int(time.time() * 1000)


def organiser(server: Server) -> Person:
    """Return somebody with an account, of an address of their own."""
    number = next(numbers)
    return signed_up(server, f"Organiser{number}", f"127.0.90.{number}")[0]


def make(person: Person, kind: str = "swiss", name: str = "A test", **settings: Any) -> str:
    asked = {"kind": kind, "game": {"game": "chess"}, "time": LIVE, "starts_at": moment() + 86_400_000, "pause_s": 0}
    body = {"name": name, "description": "for a test", "settings": {**asked, **settings}}
    answer = person.http.post("/api/tournaments", json=body)
    assert answer.status_code == 201, answer.text
    return str(answer.json()["tournament"])


def act(person: Person, method: str, path: str, body: Any = None) -> None:
    answer = person.http.request(method, f"/api/tournaments/{path}", **({} if body is None else {"json": body}))
    assert answer.status_code == 204, answer.text


def look(person: Person, id: str) -> dict[str, Any]:
    answer = person.http.get(f"/api/tournaments/{id}")
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    # The browser's types are generated from these.
    assert json.loads(msgspec.json.encode(msgspec.json.decode(answer.content, type=wire.Tournament))) == found
    return found


def wait_for(person: Person, id: str, what: Callable[[dict[str, Any]], Any]) -> dict[str, Any]:
    """Return a tournament as soon as something holds of it."""
    end = time.monotonic() + TIMEOUT
    while not what(found := look(person, id)):
        assert time.monotonic() < end, found
        time.sleep(0.1)
    return found


def start(person: Person, id: str) -> dict[str, Any]:
    act(person, "PUT", f"{id}/start", {"at": 0})
    return wait_for(person, id, lambda found: found["phase"] != "open")


def guests(server: Server, count: int, first: int = 0) -> list[Person]:
    return [Person(server, f"Player {number + 1}", f"127.0.91.{number + 1}") for number in range(first, first + count)]


def enter(people: list[Person], id: str) -> None:
    for person in people:
        act(person, "POST", f"{id}/entry")


def moves(person: Person, match: str) -> dict[str, Any]:
    found: dict[str, Any] = person.http.get(f"/api/matches/{match}").json()
    return found


def play(people: dict[str, Person], match: str, result: str = "1-0") -> None:
    """Play a game: a move of each side, and a resignation or an agreed draw."""
    shown = moves(next(iter(people.values())), match)
    white, black = (people[shown["players"][side]["name"]].socket(match) for side in ("white", "black"))
    if shown["phase"] == "play":
        for talk in (white, black):
            while talk.position["turn"] != talk.snapshot["seat"] or talk.position["ply"] >= 2:
                if talk.position["ply"] >= 2:
                    break
                talk.hear("update")
            else:
                talk.move(talk.position["legal"][0]["move"])
        if result == "1/2-1/2":
            assert white.do(type="offer", what="draw")["type"] == "ack"
            assert black.do(type="answer", what="draw", accept=True)["type"] == "ack"
        else:
            assert (black if result == "1-0" else white).do(type="resign")["type"] == "ack"
    white.close()
    black.close()


def running(found: dict[str, Any]) -> list[str]:
    return [game["match"] for board in found["boards"] for game in board["games"] if game["points"] is None]


def named(people: list[Person], names: list[str] | None = None) -> dict[str, Person]:
    return {person.http.get("/api/me").json()["name"]: person for person in people}


def play_out(people: dict[str, Person], id: str) -> dict[str, Any]:
    """Play all games of a tournament to its end; White wins, but on every third board."""
    one = next(iter(people.values()))
    done: set[str] = set()
    while True:
        found = wait_for(one, id, lambda found: found["phase"] in ("over", "cancelled") or {*running(found)} - done)
        if found["phase"] in ("over", "cancelled"):
            return found
        for match in running(found):
            if match not in done:
                play(people, match, ("1-0", "1/2-1/2", "0-1")[len(done) % 3])
                done.add(match)


def test_a_swiss_of_eight_is_played_from_registration_to_the_standings(server: Server) -> None:
    maker = organiser(server)
    id = make(maker, rounds=3, name="Friday Swiss")
    people = [maker, *guests(server, 7)]
    enter(people, id)
    before = look(maker, id)
    assert (before["phase"], before["round"], len(before["players"])) == ("open", 0, 8)
    assert maker.http.get(f"/api/tournaments/{id}/me").json()["may"] == ["withdraw", "bye", "edit"]
    begun = wait_for(maker, id, lambda _: True) if False else start(maker, id)
    first = wait_for(maker, id, lambda found: len(running(found)) == 4)
    assert begun["phase"] == "running" and first["round"] == 1
    shown = moves(maker, running(first)[0])
    # Nobody aborts a game of a tournament or takes moves back, and the clock runs from the start.
    assert shown["clock"]["running"] == "white"
    assert not {"abort", "takeback", "rematch"} & {*maker.http.get(f"/api/matches/{running(first)[0]}").json()["may"]}
    over = play_out(named(people), id)
    assert over["phase"] == "over" and over["round"] == 3 and len(over["boards"]) == 12
    points = [player["points"] for player in over["players"]]
    assert sum(points) == 12 and points == sorted(points, reverse=True)
    assert all(len(player["tie_breaks"]) == len(over["tie_breaks"]) for player in over["players"])
    assert all(len(player["results"]) == 3 for player in over["players"])
    card = next(one for one in maker.http.get("/api/tournaments").json()["over"] if one["tournament"] == id)
    assert card["mine"] and card["players"] == 8
    # All games as PGN, with the name of the tournament and the round.
    text = maker.http.get(f"/api/tournaments/{id}/pgn").text
    assert text.count('[Event "Friday Swiss"]') == 12 and '[Round "3.4"]' in text
    # They are ordinary matches: the archive has them.
    assert anyone.get(f"{server.base}/api/matches/{running(first)[0]}").json()["phase"] == "over"


def test_a_restart_in_the_middle_of_a_round_loses_nothing(start_server: Callable[..., Server]) -> None:
    server = start_server()
    maker = organiser(server)
    id = make(maker, rounds=2)
    people = [maker, *guests(server, 5)]
    enter(people, id)
    start(maker, id)
    found = wait_for(maker, id, lambda found: len(running(found)) == 3)
    play(named(people), running(found)[0])
    wait_for(maker, id, lambda found: len(running(found)) == 2)
    # A game that ends while nobody hears of it.
    server.opened.close()
    server.kill()
    server.start()
    people = [again(server, person) for person in people]
    after = look(people[0], id)
    assert after["boards"] == found["boards"] or len(running(after)) == 2
    over = play_out(named(people), id)
    assert over["phase"] == "over" and len(over["boards"]) == 6
    assert sum(player["points"] for player in over["players"]) == 6
    assert server.faults() == []


def again(server: Server, person: Person) -> Person:
    """Return a person with a new client, after a restart of the server."""
    import httpx

    other = Person.__new__(Person)
    other.server, other.token, other.id, other.address = server, person.token, person.id, person.address
    other.http = server.opened.enter_context(
        httpx.Client(base_url=server.base, timeout=TIMEOUT, transport=coming_from(person.address))
    )
    other.http.headers["Authorization"] = f"Bearer {person.token}"
    return other


@pytest.fixture
def start_server(request: pytest.FixtureRequest) -> Callable[..., Server]:
    found: Callable[..., Server] = request.getfixturevalue("start")
    return found
