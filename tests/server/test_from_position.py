"""Matches that start from a position, and the score of a series of rematches."""

from __future__ import annotations

from typing import Any

import pytest

from acedrex import Board, load
from acedrex.server.match.events import MovePlayed, Recorded, Resigned
from acedrex.server.match.state import Match
from acedrex.server.play.new_match import rematch
from acedrex.server.wire import Correspondence, Fischer, Series
from tests.server.conftest import Person, Talk
from tests.server.matches import START, started
from tests.server.waiting import wait_until

ENDING = "4k3/8/8/8/8/8/4P3/4K3 b - - 3 40"
FRIEND = {"kind": "friend"}


def agree_on_rematch(white: Talk, black: Talk) -> str:
    """Agree on a rematch, and return its id."""
    white.do(type="offer", what="rematch")
    black.do(type="answer", what="rematch", accept=True)
    while not (update := white.hear("update"))["rematch"]:
        pass
    return str(update["rematch"])


def test_a_match_and_its_rematch_start_from_a_position(ana: Person, bo: Person) -> None:
    made = ana.match("chess", opponent=FRIEND, fen=ENDING)
    bo.sit(made)
    white, black = ana.socket(made["match"]), bo.socket(made["match"])
    assert white.snapshot["start_fen"] == ENDING and white.snapshot["from_position"]
    assert black.snapshot["phase"] == "play" and {move["move"] for move in black.position["legal"]} >= {"e8e7"}
    assert "abort" in black.snapshot["may"]
    black.move("e8e7")
    white.hear("update")
    white.do(type="resign")
    record = ana.http.get(f"/api/matches/{made['match']}/pgn").text
    assert f'[FEN "{ENDING}"]' in record and '[SetUp "1"]' in record and "40... Ke7 0-1" in record
    again = agree_on_rematch(white, black)
    white, black = bo.socket(again), ana.socket(again)
    assert (white.snapshot["seat"], white.snapshot["start_fen"]) == ("white", ENDING)
    assert black.snapshot["seat"] == "black" and black.position["legal"]


def test_the_score_of_a_series_continues_in_rematches(ana: Person, bo: Person) -> None:
    made = ana.match("chess", opponent=FRIEND)
    bo.sit(made)
    white, black = ana.socket(made["match"]), bo.socket(made["match"])
    assert white.snapshot["series"] is None
    white.do(type="resign")
    again = agree_on_rematch(white, black)
    white, black = bo.socket(again), ana.socket(again)
    spectator = Talk(ana.server, again, None)
    assert spectator.snapshot["series"] == {"white": 1, "black": 0, "games": 1}
    white.move("e2e4")
    white.do(type="offer", what="draw")
    black.do(type="answer", what="draw", accept=True)
    while not (update := spectator.hear("update"))["ending"]:
        pass
    assert update["series"] == {"white": 1.5, "black": 0.5, "games": 2}
    third = agree_on_rematch(white, black)
    assert ana.socket(third).snapshot["series"] == {"white": 0.5, "black": 1.5, "games": 2}


def test_a_series_counts_the_points_of_its_game() -> None:
    _, events = started("magi")
    game = load("magi", scoring="four_points")
    match = Match("m", [*events, Resigned(at=START, by="white")], game)
    assert match.series == Series(0, 4, 1)
    assert Match("m", [*events, Recorded(at=START, result="*")], game).series == Series(0, 0, 0)


def test_a_match_against_oneself_has_no_series() -> None:
    match, _ = started("chess", opponent="self")
    match.apply(Resigned(at=START, by="white"))
    match.rematch = "again"
    steps = rematch(match, START)
    assert all('"series":null' in str(values["body"]) for _, values in steps if '"created"' in str(values.get("body")))


def test_clocks_start_after_the_first_turns_from_a_position() -> None:
    live, _ = started("chess", fen=ENDING, time=Fischer(60_000, 0))
    assert live.turns == 0 and live.clock is not None and live.clock.running is None
    live.apply(MovePlayed(at=START, move="e8e7", spent=0))
    assert live.turns == 1 and live.clock.running is None
    live.apply(MovePlayed(at=START, move="e2e4", spent=0))
    assert live.left_at(START + 500) == {"white": 60_000, "black": 59_500}
    days, _ = started("chess", fen=ENDING, time=Correspondence(2, 0))
    assert days.clock is not None and days.clock.running == "black"


@pytest.mark.parametrize(
    ("changes", "code", "part"),
    [
        ({"fen": "nonsense"}, "bad_position", "FEN"),
        ({"fen": "4k3/8/8/8/8/8/4R3/4K3 w - - 0 1"}, "bad_position", "check"),
        ({"fen": "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"}, "bad_position", "stalemate"),
        ({"fen": ENDING, "setup": "random"}, "invalid", "setup"),
        ({"fen": ENDING, "opponent": {"kind": "lobby"}}, "invalid", "open challenges"),
        ({"fen": "8" * 5000}, "invalid", "4096"),
    ],
)
def test_invalid_start_positions_are_refused(ana: Person, changes: dict[str, Any], code: str, part: str) -> None:
    request = {"game": {"game": "chess"}, "opponent": {"kind": "self"}, "time": {"kind": "none"}, **changes}
    answer = ana.http.post("/api/matches", json=request)
    assert answer.status_code == 400 and answer.json()["code"] == code
    assert part in answer.json()["message"]


def test_a_start_position_within_a_turn_is_refused(ana: Person) -> None:
    board = Board("chieftain")
    board.push(board.legal_moves[0])
    request = {"game": {"game": "chieftain"}, "opponent": {"kind": "self"}, "time": {"kind": "none"}}
    answer = ana.http.post("/api/matches", json={**request, "fen": board.fen()})
    assert answer.json()["code"] == "bad_position" and "unfinished turn" in answer.json()["message"]


def test_the_usual_start_and_setups_are_recognised(ana: Person) -> None:
    game = load("maasai")
    setup = game.setups[7]
    start = ana.match("chess", opponent={"kind": "self"}, fen=Board("chess").fen())["match"]
    arranged = ana.match("maasai", opponent={"kind": "self"}, fen=game.setup_fen(setup))["match"]
    first, second = (ana.socket(match).snapshot for match in (start, arranged))
    assert (first["from_position"], second["from_position"], second["setup"]) == (False, False, setup)


def test_matches_from_a_position_do_not_count_as_openings(ana: Person) -> None:
    for fen in (ENDING, None):
        talk = ana.socket(ana.match("chess", opponent={"kind": "self"}, fen=fen)["match"])
        talk.move(talk.position["legal"][0]["move"])
        talk.do(type="resign")
    wait_until(lambda: len(ana.http.get("/api/archive?whose=mine").json()["matches"]) == 2)
    path = "/api/archive/openings?game=chess&whose=mine"
    assert sum(ana.http.get(path).json()["results"].values()) == 1
    assert ana.http.get(path, params={"game": "chess", "whose": "mine", "fen": ENDING}).json()["moves"] == []


def test_challenges_from_a_position_show_it_to_bots(ana: Person, bo: Person) -> None:
    made = bo.http.post("/api/challenge/" + ana.id, json={"variant": "chess", "color": "black", "fen": ENDING})
    assert made.status_code == 200 and made.json()["initialFen"] == ENDING
    assert "initialFen" not in bo.http.post("/api/challenge/" + ana.id, json={"fen": "startpos"}).json()
    waiting = ana.http.get("/api/challenge").json()["in"]
    assert [one.get("initialFen") for one in waiting if one["id"] == made.json()["id"]] == [ENDING]
    assert ana.http.post(f"/api/challenge/{made.json()['id']}/accept").status_code == 200
    assert bo.http.post(f"/api/bot/game/{made.json()['id']}/move/e8e7").status_code == 200
