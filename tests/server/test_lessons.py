"""Lessons over HTTP: examples, exercises judged move by move, and the puzzle of the day."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import Mock

import httpx
import pytest

from acedrex import Board, Game, parse_square
from acedrex.lessons import FIRST_DAY, Puzzle, daily, exercises, puzzles
from acedrex.server.api import lessons as api
from acedrex.server.games import checker
from acedrex.server.games.lessons import first_game_of, lessons_of, new_exercises
from tests.server.conftest import Person, Server, anyone


def test_a_game_has_diagrams_and_examples(server: Server) -> None:
    told = anyone.get(f"{server.base}/api/games/metamachy/lessons?lang=fr").json()
    diagrams = {one["letter"]: one for one in told["diagrams"]}
    assert len(diagrams) == 12
    assert diagrams["G"] == {"letter": "G", "square": "f6", "others": []}
    # The Cannon has four pieces to hop over and four to capture, the Pawn two to capture.
    assert len(diagrams["C"]["others"]) == 8
    assert diagrams["P"] == {"letter": "P", "square": "f6", "others": ["e7", "g7"]}
    jump = next(one for one in told["examples"] if one["rule"] == "jump")
    assert "Roi" in jump["text"]
    # A Pawn stands on its starting rank, to show its first move.
    magi = anyone.get(f"{server.base}/api/games/magi/lessons").json()
    assert next(one for one in magi["diagrams"] if one["letter"] == "P")["square"].endswith("2")
    assert anyone.get(f"{server.base}/api/games/nothing/lessons").status_code == 404


#: Chess around four holes in the middle, where diagrams and examples usually stand.
DOUGHNUT = """
[game]
id = "doughnut"
name = "Doughnut"
extends = "chess"
start = "rnbqkbnr/pppppppp/8/3**3/3**3/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"

[pieces.N]
name = "Nightrider"
move = "NN"
"""


def test_lessons_and_checks_of_a_game_leave_out_the_holes_of_its_board(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checker, "RANDOM_GAMES", 1)
    assert checker._slow("doughnut.toml", DOUGHNUT) is None
    game = Game(DOUGHNUT, "doughnut.toml")
    told = lessons_of(game, shipped=False, language="en")
    assert [one.letter for one in told.diagrams] == [piece.letter for piece in game.pieces]
    assert {parse_square(name) for one in told.diagrams for name in (one.square, *one.others)} <= {*game.squares}
    examples = first_game_of(game, shipped=False, language="en")
    assert [one.piece for one in examples if one.piece] == ["N"]
    assert new_exercises(game)


def test_reach_needs_no_kings_on_the_board(server: Server) -> None:
    asked = {"game": "metamachy", "fen": "12/12/12/12/5p6/12/5C6/12/12/12/12/12 w - - 0 1", "square": "f6"}
    reach = anyone.post(f"{server.base}/api/reach", json=asked).json()
    assert next(one for one in reach if one["to"] == "f7")["kind"] == "move"
    assert not any(one["to"] == "f8" for one in reach)
    hop = {**asked, "fen": "12/12/5r6/12/5p6/12/5C6/12/12/12/12/12 w - - 0 1"}
    reach = anyone.post(f"{server.base}/api/reach", json=hop).json()
    assert next(one for one in reach if one["to"] == "f10") == {
        "to": "f10", "kind": "hop", "mount": "f8", "path": ["f7", "f8", "f9", "f10"], "legs": ["f8", "f10"]
    }  # fmt: skip


def test_reach_of_a_piece_alone_on_the_board_includes_captures(server: Server) -> None:
    start = anyone.get(f"{server.base}/api/games/metamachy").json()["start_fen"]
    asked = {"game": "metamachy", "fen": start, "square": "b2"}
    assert anyone.post(f"{server.base}/api/reach", json=asked).json() == []
    alone = anyone.post(f"{server.base}/api/reach", json={**asked, "alone": "R"}).json()
    assert len({one["to"] for one in alone}) == 22
    # A black Pawn's captures are shown although there is nothing to capture.
    pawn = anyone.post(f"{server.base}/api/reach", json={**asked, "square": "f6", "alone": "p"}).json()
    assert {one["to"]: one["kind"] for one in pawn} == {"f5": "move", "f4": "move", "e5": "capture", "g5": "capture"}
    refused = anyone.post(f"{server.base}/api/reach", json={**asked, "alone": "7"})
    assert (refused.status_code, "not a piece" in refused.json()["message"]) == (400, True)


def test_a_first_game_explains_pieces_and_rules(server: Server) -> None:
    told = anyone.get(f"{server.base}/api/games/metamachy/first-game?lang=fr").json()
    assert [one["piece"] or one["rule"] for one in told[:3]] == ["G", "L", "C"]
    assert (told[0]["text"], told[0]["moves"]) == ("", ["f6g10"])
    assert "Canon" in told[2]["text"]
    assert anyone.get(f"{server.base}/api/games/nothing/first-game").status_code == 404


def test_piece_types_of_options_are_counted_separately(server: Server) -> None:
    told = anyone.get(f"{server.base}/api/games/chieftain").json()
    assert told["piece_kinds"] == 5
    assert told["not_in_play"] == {"Z": "bent", "Y": "bent", "F": "augmented", "W": "augmented"}
    assert anyone.get(f"{server.base}/api/games/maasai").json()["not_in_play"] == {}


def test_an_exercise_is_solved_move_by_move(server: Server) -> None:
    told = anyone.get(f"{server.base}/api/games/metamachy/exercises").json()
    assert len(told) == 10
    assert [one["line"] for one in told] == [list(one.line) for one in exercises("metamachy")]
    number = next(index for index, one in enumerate(told, 1) if one["moves"] == 2)
    key, reply, mate = exercises("metamachy")[number - 1].line
    wrong = next(move.uci() for move in Board("metamachy", told[number - 1]["fen"]).legal_moves if move.uci() != key)

    def attempt(*moves: str, show: bool = False, number: int = number) -> httpx.Response:
        path = f"{server.base}/api/games/metamachy/exercises/{number}"
        return anyone.post(path, json={"moves": moves, "show": show})

    assert attempt(wrong).json()["verdict"] == "wrong"
    assert attempt(wrong).json()["position"]["fen"].split()[0] == told[number - 1]["fen"].split()[0]
    right = attempt(key).json()
    assert (right["verdict"], right["moves"]) == ("right", [key, reply])
    assert right["position"]["last"][0] == reply[:2].rstrip("0") or reply.startswith(right["position"]["last"][0])
    assert any(move["move"] == mate for move in right["position"]["legal"])
    assert attempt(key, reply, mate).json()["verdict"] == "solved"
    assert attempt(show=True).json()["moves"] == [key, reply, mate]
    assert attempt("a1a1").status_code == 400
    assert attempt(*["a1a2"] * 40).status_code == 400
    assert attempt(number=11).json()["code"] == "no_such_puzzle"


def test_puzzles_are_filtered_by_theme_and_difficulty(server: Server) -> None:
    path = f"{server.base}/api/games/magi/puzzles"
    every = anyone.get(path).json()
    assert [one["number"] for one in every] == list(range(1, len(puzzles("magi")) + 1))
    saves = anyone.get(path, params={"theme": "save"}).json()
    assert saves == [one for one in every if "save" in one["themes"]]
    hard = anyone.get(path, params={"theme": "mate_in_3", "difficulty": "hard"}).json()
    assert hard == [one for one in every if "mate_in_3" in one["themes"] and one["difficulty"] == "hard"]
    assert hard
    assert anyone.get(path, params={"theme": "nonsense"}).status_code == 400
    assert anyone.get(f"{server.base}/api/games/shako/puzzles").json() == []


def test_a_puzzle_of_every_goal_is_solved_over_http(server: Server) -> None:
    for game, theme in (("magi", "mate_in_2"), ("magi", "capture"), ("magi", "save"), ("chieftain", "save")):
        source = puzzles(game, theme)[0]
        number = puzzles(game).index(source) + 1
        path = f"{server.base}/api/games/{game}/puzzles/{number}"
        told = anyone.get(path).json()
        assert (told["fen"], told["goal"], told["moves"]) == (source.fen, source.goal, source.moves)
        assert told["line"] == list(source.line)
        done: list[str] = []
        while len(done) < len(source.line):
            result = anyone.post(path, json={"moves": [*done, source.line[len(done)]]}).json()
            assert result["verdict"] == ("right" if len(result["moves"]) < len(source.line) else "solved")
            done = result["moves"]
        wrong = next(move.uci() for move in Board(game, source.fen).legal_moves if move.uci() not in source.line)
        assert anyone.post(path, json={"moves": [wrong]}).json()["verdict"] == "wrong"
    assert anyone.get(f"{server.base}/api/games/magi/puzzles/9999").json()["code"] == "no_such_puzzle"
    assert anyone.get(f"{server.base}/api/games/shako/puzzles/1").status_code == 404


def test_the_puzzle_of_the_day_is_counted_once_for_who_solved_it(server: Server) -> None:
    ana = Person(server)
    told = ana.http.get("/api/daily").json()
    today = told["today"]
    assert (told["date"], told["solved"]) == (today, [])
    game, puzzle = daily(datetime.date.fromisoformat(today))
    assert (told["game"], told["puzzle"]["fen"]) == (game.id, puzzle.fen)
    # A solution that was shown does not count; a solved puzzle counts once, and only for this person.
    assert ana.http.post(f"/api/daily/{today}", json={"show": True}).json()["verdict"] == "shown"
    assert ana.http.get("/api/daily").json()["solved"] == []
    for _ in range(2):
        assert ana.http.post(f"/api/daily/{today}", json={"moves": puzzle.line}).json()["verdict"] == "solved"
    assert ana.http.get("/api/daily").json()["solved"] == [today]
    assert anyone.get(f"{server.base}/api/daily").json()["solved"] == []
    assert Person(server).http.get("/api/daily").json()["solved"] == []


def test_past_puzzles_do_not_count_and_future_ones_are_not_found(server: Server) -> None:
    ana = Person(server)
    first = FIRST_DAY.isoformat()
    _, puzzle = daily(FIRST_DAY)
    assert ana.http.get("/api/daily", params={"date": first}).json()["puzzle"]["fen"] == puzzle.fen
    assert ana.http.post(f"/api/daily/{first}", json={"moves": puzzle.line}).json()["verdict"] == "solved"
    assert ana.http.get("/api/daily").json()["solved"] == []
    for day in ("2999-01-01", "2026-10-31", "tomorrow", "2026-1-1"):
        answer = ana.http.get("/api/daily", params={"date": day})
        assert (answer.status_code, answer.json()["code"]) == (404, "no_such_puzzle")


def test_a_game_from_a_file_has_lessons_and_exercises(start: Callable[..., Server], tmp_path: Path) -> None:
    folder = tmp_path / "games"
    folder.mkdir()
    (folder / "mine.toml").write_text('[game]\nid = "mine"\nname = "Mine"\nextends = "shako"\n', encoding="utf-8")
    server = start("--games", str(folder))
    told = anyone.get(f"{server.base}/api/games/mine/lessons").json()
    assert told["examples"] == []
    assert {one["letter"] for one in told["diagrams"]} == set("KQRBNCEP")
    found = anyone.get(f"{server.base}/api/games/mine/exercises", timeout=60).json()
    assert len(found) == 10
    shown = anyone.post(f"{server.base}/api/games/mine/exercises/1", json={"show": True}).json()
    assert shown["verdict"] == "shown"
    assert shown["position"]["legal"] == []


async def test_the_number_of_games_with_cached_exercises_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    class Generator:
        async def run(self, *asked: Any) -> tuple[Puzzle, ...]:
            return ()

    monkeypatch.setattr(api, "services_of", lambda _: SimpleNamespace(pool=Generator()))
    monkeypatch.setattr(api, "visitor", lambda _: None)
    monkeypatch.setattr(api, "MAX_GENERATED", 3)
    monkeypatch.setattr(api, "_generated", {})
    for number in range(5):
        text = f'[game]\nid = "mine"\nname = "Mine"\nextends = "chess"\n[pieces.N]\nmove = "({number},3)"\n'
        await api.exercises_of(Mock(), Game(text, "mine.toml"))
    assert len(api._generated) == 3
