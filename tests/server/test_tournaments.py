"""Tournaments on a server: creating, entering and playing them, and resuming them after a restart."""

from __future__ import annotations

import itertools
import json
import time
from collections.abc import Callable
from typing import Any

import httpx
import msgspec
import pytest
from icalendar import Calendar

from acedrex.server import wire
from tests.conftest import TIMEOUT
from tests.samples import sample
from tests.server.conftest import Person, Server, alter, anyone, coming_from
from tests.server.services import PostgreSQL
from tests.server.test_accounts import signed_up
from tests.server.test_api import problem
from tests.server.test_social import appoint
from tests.server.waiting import wait_until

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
        # Looking is paid from a budget.
        time.sleep(0.25)
    return found


def begin(person: Person, id: str) -> dict[str, Any]:
    act(person, "PUT", f"{id}/start", {"at": 0})
    return wait_for(person, id, lambda found: found["phase"] != "open")


def guests(server: Server, count: int, first: int = 0) -> list[Person]:
    return [Person(server, f"Player {number + 1}", f"127.0.91.{number + 1}") for number in range(first, first + count)]


def enter(people: list[Person], id: str) -> None:
    for person in people:
        act(person, "POST", f"{id}/entry")


def moves(person: Person, match: str) -> dict[str, Any]:
    answer = person.http.get(f"/api/matches/{match}")
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def play(people: dict[str, Person], match: str, result: str = "1-0") -> None:
    """Play a game: a move of each side, and a resignation or an agreed draw."""
    shown = moves(next(iter(people.values())), match)
    white, black = (people[shown["players"][side]["name"]].socket(match) for side in ("white", "black"))
    if shown["phase"] == "play":
        for ply, talk in enumerate((white, black)):
            # The other side may be connected to another process.
            while talk.position["ply"] < ply:
                talk.hear("update")
            if talk.position["ply"] == ply:
                talk.move(talk.position["legal"][0]["move"])
        if result == "1/2-1/2":
            assert white.do(type="offer", what="draw")["type"] == "ack"
            while not black.hear("update")["offers"]:
                pass
            assert black.do(type="answer", what="draw", accept=True)["type"] == "ack"
        else:
            assert (black if result == "1-0" else white).do(type="resign")["type"] == "ack"
    white.close()
    black.close()


def running(found: dict[str, Any]) -> list[str]:
    return [game["match"] for board in found["boards"] for game in board["games"] if game["points"] is None]


def named(people: list[Person]) -> dict[str, Person]:
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
    begun = begin(maker, id)
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


def test_a_restart_in_the_middle_of_a_round_loses_nothing(start: Callable[..., Server]) -> None:
    server = start()
    maker = organiser(server)
    id = make(maker, rounds=2)
    people = [maker, *guests(server, 5)]
    enter(people, id)
    begin(maker, id)
    found = wait_for(maker, id, lambda found: len(running(found)) == 3)
    play(named(people), running(found)[0])
    before = wait_for(maker, id, lambda found: len(running(found)) == 2)
    server.opened.close()
    server.kill()
    server.start()
    people = [again(server, person) for person in people]
    after = look(people[0], id)
    assert len(running(after)) == 2 and after["players"] == before["players"]
    over = play_out(named(people), id)
    assert over["phase"] == "over" and len(over["boards"]) == 6
    assert sum(player["points"] for player in over["players"]) == 6
    assert server.faults() == []


def again(server: Server, person: Person) -> Person:
    """Return a person with a new client, after a restart of the server."""
    other = Person.__new__(Person)
    other.server, other.token, other.id, other.address = server, person.token, person.id, person.address
    other.http = server.opened.enter_context(
        httpx.Client(base_url=server.base, timeout=TIMEOUT, transport=coming_from(person.address))
    )
    other.http.headers["Authorization"] = f"Bearer {person.token}"
    return other


# Every kind.


def test_a_round_robin_by_correspondence_begins_with_all_games_and_a_leaver_loses_theirs(server: Server) -> None:
    maker = organiser(server)
    id = make(maker, "round_robin", time=SLOW)
    people = [maker, *guests(server, 3, 20)]
    enter(people, id)
    begin(maker, id)
    wait_for(maker, id, lambda found: len(running(found)) == 6)
    act(people[1], "DELETE", f"{id}/entry")
    found = wait_for(maker, id, lambda found: len(running(found)) == 3)
    assert [player["active"] for player in found["players"]].count(False) == 1
    # Less than half of their games were played, so none of them counts.
    assert sum(player["points"] for player in found["players"]) == 0
    over = play_out(named(people), id)
    assert over["phase"] == "over" and len(over["boards"]) == 6
    text = Calendar.from_ical(maker.http.get(f"/api/calendars/tournaments/{id}.ics").text)
    assert [str(event["summary"]) for event in text.walk("VEVENT")] == ["A test"]


def test_a_knockout_best_of_three_has_a_winner(server: Server) -> None:
    maker = organiser(server)
    id = make(maker, "knockout", games=3)
    people = [maker, *guests(server, 2, 30)]
    enter(people, id)
    begin(maker, id)
    over = play_out(named(people), id)
    assert over["phase"] == "over" and over["rounds"] == 2 and len(over["boards"]) == 2
    assert all(len(board["games"]) >= 2 for board in over["boards"])
    card = next(one for one in maker.http.get("/api/tournaments").json()["over"] if one["tournament"] == id)
    final = over["boards"][-1]
    winner = final["players"][final["points"].index(1.0)]
    assert card["winner"] == next(player["name"] for player in over["players"] if player["player"] == winner)
    first, last, end = over["bracket"]
    assert first == [1, None, 2, 3] and last[0] == 1 and {*last} == {*final["players"]} and end == [winner]


def test_a_simul_is_played_by_its_maker_against_everybody(server: Server) -> None:
    maker = organiser(server)
    id = make(maker, "simul", time=SLOW, host_side="white")
    others = guests(server, 3, 40)
    enter(others, id)
    problem(maker.http.delete(f"/api/tournaments/{id}/entry"), 409, "host")
    begin(maker, id)
    found = wait_for(maker, id, lambda found: len(running(found)) == 3)
    assert all(board["players"][0] == 1 for board in found["boards"])
    over = play_out(named([maker, *others]), id)
    assert over["phase"] == "over"


def test_every_pair_of_a_thematic_tournament_plays_both_sides_of_its_setup(server: Server) -> None:
    maker = organiser(server)
    setup = maker.http.get("/api/games/metamachy/setups/5").json()["name"]
    id = make(maker, "round_robin", game={"game": "metamachy"}, time=SLOW, setup="5", games=2)
    people = [maker, *guests(server, 1, 50)]
    enter(people, id)
    begin(maker, id)
    found = wait_for(maker, id, lambda found: len(running(found)) == 2)
    shown = [moves(maker, match) for match in running(found)]
    assert {one["setup"] for one in shown} == {setup}
    assert shown[0]["players"]["white"]["name"] == shown[1]["players"]["black"]["name"]


def test_a_drawn_setup_is_the_same_for_both_games_of_a_pair(server: Server) -> None:
    maker = organiser(server)
    id = make(maker, "round_robin", game={"game": "metamachy"}, time=SLOW, setup="random", games=2, cycles=2)
    people = [maker, *guests(server, 1, 52)]
    enter(people, id)
    begin(maker, id)
    found = wait_for(maker, id, lambda found: len(running(found)) == 4)
    setups = [[moves(maker, game["match"])["setup"] for game in board["games"]] for board in found["boards"]]
    assert all(len(set(pair)) == 1 for pair in setups)


def test_house_engines_fill_a_table_and_play_each_other(start: Callable[..., Server]) -> None:
    # A server of its own, for the engines go on thinking.
    server = start()
    maker = organiser(server)
    id = make(maker, "round_robin", time=SLOW, fill=3)
    enter([maker], id)
    begin(maker, id)
    found = wait_for(maker, id, lambda found: len(running(found)) == 3)
    engines = {player["player"] for player in found["players"] if player["house"]}
    assert len(found["players"]) == 3 and len(engines) == 2
    (between,) = [board for board in found["boards"] if engines == {*board["players"]}]
    match = between["games"][0]["match"]
    wait_until(lambda: len(moves(maker, match)["moves"]) > 2)
    players = moves(maker, match)["players"]
    assert {player["kind"] for player in players.values()} == {"engine"}


def test_an_arena_pairs_who_looks_at_it_again_and_again_until_it_ends(server: Server) -> None:
    maker = organiser(server)
    id = make(maker, "arena", minutes=5)
    people = guests(server, 3, 60)
    enter(people, id)
    begin(maker, id)
    # Two look at it, the third does not.
    sockets = [watch(server, id, person) for person in people[:2]]
    for game in range(3):
        found = wait_for(maker, id, lambda found, game=game: len(found["boards"]) == game + 1 and running(found))
        play(named(people), running(found)[0])
    found = wait_for(maker, id, lambda found: len(found["boards"]) >= 3 and found["boards"][2]["points"])
    assert all({*board["players"]} == {1, 2} for board in found["boards"])
    assert sum(player["points"] for player in found["players"]) >= 6
    # Somebody may enter late, but nobody plays who has paused.
    act(people[0], "DELETE", f"{id}/entry")
    late = guests(server, 1, 66)[0]
    act(late, "POST", f"{id}/entry")
    act(people[0], "POST", f"{id}/entry")
    heard = json.loads(sockets[0].recv(TIMEOUT))
    assert heard["type"] == "tournament"


def watch(server: Server, id: str, person: Person) -> Any:
    """Look at a tournament over its socket."""
    socket = server.connect(f"/api/tournaments/{id}/socket", source_address=(person.address, 0))
    socket.send(json.dumps({"type": "hello", "token": person.token, "after": None}))
    assert json.loads(socket.recv(TIMEOUT))["tournament"]["tournament"] == id
    return socket


def test_those_who_look_hear_what_has_changed_and_not_all_of_it_again(server: Server) -> None:
    maker = organiser(server)
    id = make(maker, rounds=2)
    people = [maker, *guests(server, 5, 90)]
    enter(people, id)
    socket = server.connect(f"/api/tournaments/{id}/socket", source_address=(maker.address, 0))
    socket.send(json.dumps({"type": "hello", "token": maker.token, "after": None}))
    news = json.loads(socket.recv(TIMEOUT))
    assert news["since"] is None and news["tournament"] == look(maker, id)
    here, changed = news["tournament"], []

    def hear() -> None:
        nonlocal here
        news = json.loads(socket.recv(TIMEOUT))
        assert news["since"] <= here["number"] <= news["tournament"]["number"]
        players = {one["player"]: one for one in here["players"] + news["tournament"]["players"]}
        boards = {one["board"]: one for one in here["boards"] + news["tournament"]["boards"]}
        changed.append(len(news["tournament"]["players"]))
        placed = zip(news["order"], news["ranks"], strict=True)
        here = {
            **news["tournament"],
            "players": [{**players[number], "rank": rank} for number, rank in placed],
            "boards": [boards[number] for number in news["listed"]],
        }

    def catch_up() -> None:
        while here["number"] < look(maker, id)["number"]:
            hear()
        assert here == look(maker, id)

    act(maker, "PUT", f"{id}/description", {"name": "Another name", "description": "now"})
    hear()
    assert here["name"] == "Another name" and changed == [0]
    begin(maker, id)
    first = running(wait_for(maker, id, lambda found: len(running(found)) == 3))
    catch_up()
    play(named(people), first[0])
    wait_for(maker, id, lambda found: len(running(found)) == 2)
    changed.clear()
    catch_up()
    assert max(changed) == 2, "those who have played"
    for match in first[1:]:
        play(named(people), match)
    wait_for(maker, id, lambda found: found["round"] == 2)
    catch_up()


# Appointments and calendars.


def test_an_appointment_is_arranged_in_private_and_kept(server: Server) -> None:
    maker = organiser(server)
    id = make(maker, rounds=1, appointment_days=7)
    one, other = guests(server, 2, 70)
    enter([one, other], id)
    begin(maker, id)
    found = wait_for(maker, id, lambda found: len(found["boards"]) == 1)
    assert running(found) == [] and found["boards"][0]["until"] > moment() + 6 * 86_400_000
    link = one.http.post("/api/me/calendar").json()["path"]
    soon, later = moment() + 600_000, moment() + 86_400_000
    problem(one.http.put(f"/api/tournaments/{id}/boards/0/times", json={"times": [moment()]}), 400, "invalid")
    act(one, "PUT", f"{id}/boards/0/times", {"times": [soon, later]})
    talk = other.http.get(f"/api/tournaments/{id}/me").json()["talks"]
    assert talk == [{"board": 0, "proposals": [{"player": 1, "times": [soon, later]}]}]
    # Nobody else learns when they could play.
    assert maker.http.get(f"/api/tournaments/{id}/me").json()["talks"] == []
    assert str(later) not in anyone.get(f"{server.base}/api/tournaments/{id}").text
    problem(one.http.put(f"/api/tournaments/{id}/boards/0/appointment", json={"at": soon}), 400, "stale")
    problem(maker.http.put(f"/api/tournaments/{id}/boards/0/appointment", json={"at": soon}), 403, "no_seat")
    act(other, "PUT", f"{id}/boards/0/appointment", {"at": soon})
    events = Calendar.from_ical(anyone.get(server.base + link).text).walk("VEVENT")
    (event,) = [one for one in events if "Player" in str(one["summary"])]
    assert int(event["dtstart"].dt.timestamp()) == soon // 1000
    assert [alarm["trigger"].dt.total_seconds() for alarm in event.walk("VALARM")] == [-3600, -600]
    # It begins when both are there.
    act(one, "POST", f"{id}/boards/0/arrival")
    assert look(maker, id)["boards"][0]["there"] == [1]
    act(other, "POST", f"{id}/boards/0/arrival")
    wait_for(maker, id, running)
    problem(one.http.post(f"/api/tournaments/{id}/boards/0/arrival"), 409, "no_appointment")


def test_a_calendar_has_a_secret_address_that_can_be_changed(server: Server) -> None:
    ana = Person(server, "Ana", "127.0.92.1")
    assert ana.http.get("/api/me/calendar").json() == {"exists": False, "path": None}
    old = ana.http.post("/api/me/calendar").json()["path"]
    answer = anyone.get(server.base + old)
    assert answer.status_code == 200 and answer.headers["content-type"].startswith("text/calendar")
    new = ana.http.post("/api/me/calendar").json()["path"]
    problem(anyone.get(server.base + old), 403, "wrong_link")
    assert anyone.get(server.base + new).status_code == 200
    assert ana.http.delete("/api/me/calendar").status_code == 204
    problem(anyone.get(server.base + new), 403, "wrong_link")
    assert Calendar.from_ical(anyone.get(f"{server.base}/api/calendars/tournaments.ics").text)


# Who may do what, and what is refused.


def test_entries_follow_the_rules(server: Server) -> None:
    maker = organiser(server)
    id = make(maker, max_players=2, rated=True)
    guest = guests(server, 1, 80)[0]
    problem(guest.http.post(f"/api/tournaments/{id}/entry"), 409, "no_account")
    act(maker, "POST", f"{id}/entry")
    problem(maker.http.post(f"/api/tournaments/{id}/entry"), 409, "entered")
    act(organiser(server), "POST", f"{id}/entry")
    problem(organiser(server).http.post(f"/api/tournaments/{id}/entry"), 409, "full")
    act(maker, "DELETE", f"{id}/players/2")
    removed = look(maker, id)
    assert [player["active"] for player in removed["players"]].count(False) == 1
    problem(maker.http.post(f"/api/tournaments/{id}/byes", json={"round": 5}), 400, "invalid")
    act(maker, "POST", f"{id}/byes", {"round": 2})
    problem(maker.http.post(f"/api/tournaments/{id}/byes", json={"round": 3}), 409, "too_many")
    problem(anyone.get(f"{server.base}/api/tournaments/nothing"), 404, "no_such_tournament")


@pytest.mark.parametrize(
    ("kind", "settings", "where"),
    [
        ("arena", {"time": SLOW}, "settings.time"),
        ("arena", {"games": 2}, "settings.games"),
        ("simul", {"rated": True}, "settings.rated"),
        ("swiss", {"time": SLOW, "appointment_days": 3}, "settings.appointment_days"),
        ("swiss", {"setup": "random"}, "settings.setup"),
        ("swiss", {"starts_at": 0}, "settings.starts_at"),
        ("swiss", {"fen": "nothing"}, "fen"),
    ],
)
def test_a_tournament_that_cannot_be_played_is_refused(
    server: Server, kind: str, settings: dict[str, Any], where: str
) -> None:
    maker = organiser(server)
    asked = {"kind": kind, "game": {"game": "chess"}, "time": LIVE, "starts_at": moment() + 60_000, **settings}
    answer = maker.http.post("/api/tournaments", json={"name": "A test", "settings": asked})
    assert answer.status_code == 400 and answer.json()["where"] == where, answer.text


@pytest.mark.parametrize(("who", "guest", "account"), [("nobody", 403, 403), ("everybody", 201, 201)])
def test_the_operator_says_who_makes_tournaments_and_moderators_always_may(
    start: Callable[..., Server], who: str, guest: int, account: int
) -> None:
    server = start("--tournaments", who)
    somebody, member = Person(server, "Somebody"), organiser(server)
    asked = {"kind": "swiss", "game": {"game": "chess"}, "time": LIVE, "starts_at": moment() + 60_000}
    body = {"name": "A test", "settings": asked}
    assert somebody.http.post("/api/tournaments", json=body).status_code == guest
    assert member.http.post("/api/tournaments", json=body).status_code == account
    assert member.http.get("/api/tournaments").json()["may_make"] == (account == 201)
    appoint(server, member)
    assert member.http.post("/api/tournaments", json=body).status_code == 201


def test_the_front_page_hears_of_the_next_tournament(start: Callable[..., Server]) -> None:
    server = start()
    assert anyone.get(f"{server.base}/api/here").json()["tournament"] is None
    maker = organiser(server)
    late = make(maker, name="Late", starts_at=moment() + 10**8)
    soon = make(maker, name="Soon", starts_at=moment() + 10**7)
    assert anyone.get(f"{server.base}/api/here").json()["tournament"]["tournament"] == soon
    act(maker, "POST", f"{soon}/cancellation")
    assert anyone.get(f"{server.base}/api/here").json()["tournament"]["tournament"] == late


# Kills, and several processes.


def test_a_swiss_of_64_survives_kills(start: Callable[..., Server]) -> None:
    server = start()
    maker = organiser(server)
    rounds = sample(3, 6)
    id = make(maker, rounds=rounds, max_players=64)
    people = [Person(server, f"P{number}", f"127.0.93.{number + 1}") for number in range(64)]
    enter(people, id)
    act(maker, "PUT", f"{id}/start", {"at": 0})
    kills, games = 0, 0
    everybody = named(people)
    while True:
        found = wait_for(maker, id, lambda found: found["phase"] == "over" or running(found))
        if found["phase"] == "over":
            break
        for match in running(found):
            play(everybody, match, "1-0" if games % 2 else "0-1")
            games += 1
            if kills < KILLS and games >= (kills + 1) * 32 * rounds // (KILLS + 1):
                kills += 1
                server.opened.close()
                server.kill()
                server.start()
                maker, *people = (again(server, person) for person in (maker, *people))
                everybody = dict(zip(everybody, people, strict=True))
                break
    assert kills == KILLS
    assert found["round"] == rounds and len(found["boards"]) == 32 * rounds
    assert all(len(board["games"]) == 1 and board["points"] for board in found["boards"])
    assert sum(player["points"] for player in found["players"]) == 32 * rounds
    # Nobody meets twice, and each game is in one place.
    pairs = [frozenset(board["players"]) for board in found["boards"]]
    matches = [game["match"] for board in found["boards"] for game in board["games"]]
    assert len({*pairs}) == len(pairs) and len({*matches}) == len(matches)
    assert server.faults() == []


def test_with_two_processes_one_of_them_pairs_a_round(
    start: Callable[..., Server], postgresql: PostgreSQL, redis_url: str
) -> None:
    server = start("--workers", "2", ACEDREX_DATABASE_URL=postgresql.migrated(), ACEDREX_REDIS_URL=redis_url)
    maker = organiser(server)
    id = make(maker, rounds=3)
    people = [maker, *guests(server, 5)]
    enter(people, id)
    begin(maker, id)
    over = play_out(named(people), id)
    assert over["phase"] == "over" and len(over["boards"]) == 9
    assert all(len(board["games"]) == 1 for board in over["boards"])
    assert sum(player["points"] for player in over["players"]) == 9
    # Who looks at an arena is known to both.
    arena = make(maker, "arena", minutes=5)
    enter(people[1:5], arena)
    sockets = [watch(server, arena, person) for person in people[1:5]]
    begin(maker, arena)
    found = wait_for(maker, arena, lambda found: len(found["boards"]) == 2)
    assert len(sockets) == 4 and len({player for board in found["boards"] for player in board["players"]}) == 4
    assert server.faults() == []


def test_a_damaged_tournament_holds_up_no_other(start: Callable[..., Server]) -> None:
    server = start()
    maker = organiser(server)
    broken, sound = make(maker), make(maker)
    people = guests(server, 2)
    enter(people, broken)
    enter(people, sound)
    url = server.environment["ACEDREX_DATABASE_URL"]
    alter(url, f"UPDATE tournament_events SET body = '{{}}' WHERE tournament = '{broken}' AND number = 2")
    server.opened.close()
    server.kill()
    server.start()
    maker, *people = (again(server, person) for person in (maker, *people))
    alter(url, f"UPDATE tournaments SET next_at = 0 WHERE id = '{broken}'")
    begin(maker, sound)
    assert len(wait_for(maker, sound, running)["boards"]) == 1
    assert maker.http.get(f"/api/tournaments/{broken}").status_code == 500
