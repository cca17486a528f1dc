"""The positions that the app offers to start matches from."""

from __future__ import annotations

import pytest

from acedrex import Board, games, load
from acedrex.server.archive.starts import MAX_HANDICAPS, handicaps
from tests.server.conftest import Person
from tests.server.waiting import wait_until


@pytest.mark.parametrize("name", games())
def test_handicaps_are_the_start_without_one_white_piece(name: str) -> None:
    game = load(name)
    start = Board(game)
    found = handicaps(game)
    assert 0 < len(found) <= MAX_HANDICAPS
    for handicap in found:
        board = Board(game, handicap.fen)
        assert not board.status() and not board.is_game_over()
        removed = {square: piece for square, piece in start.piece_map().items() if board.piece_at(square) is None}
        (piece,) = removed.values()
        assert piece.letter == handicap.letter and piece.color and not game.piece(piece.letter).royal
        assert board.piece_map() | removed == start.piece_map()
        assert set(board.rights) <= set(start.rights)


def test_a_rook_handicap_removes_the_castling_right() -> None:
    (rook,) = (one for one in handicaps(load("chess")) if one.letter == "R")
    assert rook.fen == "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/1NBQKBNR w Kkq - 0 1"
    assert [one.letter for one in handicaps(load("metamachy"))][:3] == ["Q", "L", "G"]


@pytest.mark.parametrize("name", ["metamachy", "chieftain", "chess"])
def test_matches_can_start_from_endings_and_handicaps(ana: Person, name: str) -> None:
    found = ana.http.get(f"/api/games/{name}/positions").json()
    assert found["openings"] == [] and len(found["endings"]) == (0 if name == "chess" else 6)
    for position in [*found["endings"][:2], *found["handicaps"][:2]]:
        talk = ana.socket(ana.match(name, opponent={"kind": "self"}, setup=None, fen=position["fen"])["match"])
        assert talk.snapshot["from_position"] and talk.position["legal"]


def test_openings_are_the_most_played_ones(ana: Person) -> None:
    sides = {"side": "white", "opponent": {"kind": "lobby"}}
    bo = Person(ana.server, "Bo", "127.0.0.3")
    lines = (["e2e4", "e7e5", "g1f3"], ["e2e4", "e7e5", "b1c3"], ["d2d4", "d7d5"])
    for line in lines:
        match = ana.match("chess", **sides)["match"]
        bo.http.post(f"/api/lobby/{match}/accept")
        talks = [ana.socket(match), bo.socket(match)]
        for place, move in enumerate(line):
            while talks[place % 2].position["ply"] < place:
                talks[place % 2].hear("update")
            talks[place % 2].move(move)
        talks[0].do(type="resign")
    wait_until(lambda: len(ana.http.get("/api/archive").json()["matches"]) == 3)
    (opening,) = ana.http.get("/api/games/chess/positions").json()["openings"]
    assert (opening["san"], opening["games"], opening["setup"]) == ("1.e4 e5", 2, None)
    assert opening["fen"].startswith("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w")
