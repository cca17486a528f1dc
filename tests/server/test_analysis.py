"""The analysis API: trees, records, attacks, edited positions, pictures, engine lines and jobs."""

from __future__ import annotations

import io
import json
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest

import acedrex
from acedrex import Board, limits, pgn
from tests.conftest import TIMEOUT
from tests.server.conftest import Person, Server, anyone
from tests.server.test_api import problem
from tests.server.waiting import wait_until


def ask(server: Server, path: str, status: int = 200, **body: Any) -> Any:
    answer = anyone.post(f"{server.base}/api/analysis/{path}", json=body, timeout=TIMEOUT)
    assert answer.status_code == status, answer.text
    return answer.json() if "json" in answer.headers["content-type"] else answer.text


def nodes(tree: Any) -> list[dict[str, Any]]:
    """Return the nodes of a tree as a browser sends them."""
    return [{key: node[key] for key in ("parent", "move", "comment", "nags")} for node in tree["nodes"]]


# Trees and records.


def test_a_tree_of_variations_is_read(server: Server) -> None:
    walk = [(-1, "e2e4"), (0, "e7e5"), (1, "g1f3"), (0, "c7c5"), (-1, "d2d4")]
    sent = [{"parent": parent, "move": move} for parent, move in walk]
    tree = ask(server, "tree", game="chess", nodes=sent)
    assert [node["san"] for node in tree["nodes"]] == ["e4", "e5", "Nf3", "c5", "d4"]
    assert [(node["side"], node["turn"]) for node in tree["nodes"]][-2:] == [("black", 1), ("white", 1)]
    board = Board("chess")
    for move in ("e4", "c5"):
        board.push_san(move)
    assert tree["nodes"][3]["fen"] == board.fen()
    assert (tree["game"], tree["setup"], tree["start_fen"]) == ("chess", None, Board("chess").fen())


@pytest.mark.parametrize(
    ("sent", "where"),
    [
        ([{"parent": 3, "move": "e2e4"}], "nodes[0].parent"),
        (
            [{"parent": -1, "move": "e2e4"}, {"parent": -1, "move": "d2d4"}, {"parent": 0, "move": "e7e5"}],
            "nodes[2].parent",
        ),
        ([{"parent": -1, "move": "e2e5"}], None),
        ([{"parent": -1, "move": "nonsense"}], None),
    ],
)
def test_invalid_trees_are_refused(server: Server, sent: list[dict[str, Any]], where: str | None) -> None:
    answer = anyone.post(f"{server.base}/api/analysis/tree", json={"game": "chess", "nodes": sent})
    assert problem(answer, 400, "invalid").where == where


def test_a_tree_includes_its_setup_and_options(server: Server) -> None:
    tree = ask(server, "tree", game="maasai", setup="UFDO-QKGL")
    assert tree["setup"] == "UFDO-QKGL"
    assert ask(server, "tree", game="magi", options={"scoring": "four_points"})["options"] == {"scoring": "four_points"}


def test_a_tree_may_start_in_the_middle_of_a_turn(server: Server) -> None:
    board = Board("chieftain")
    board.push_uci("a4a5")
    tree = ask(server, "tree", game="chieftain", fen=board.fen(), nodes=[{"parent": -1, "move": "p4p5"}])
    assert tree["start_fen"] == board.fen()
    board.push_uci("p4p5")
    assert tree["nodes"][0]["fen"] == board.fen()


RECORDS = {
    "chess": '[White "Ana"]\n[Result "1-0"]\n\n{Begin.} 1. e4 e5 $6 {So.} (1... c5 {Or so.} 2. Nf3 (2. c3)) 2. Nf3 1-0',
    "magi": '[Variant "magi"]\n[Options "scoring=four_points"]\n\n1. d5 Nc8 {Solid.} *',
    # Two turns with the same first move share its node in the tree.
    "chieftain": '[Variant "chieftain"]\n\n1. Ma5,Mp5 {Both wings.} (1. Ma5,Mn5 {Nearer.}) 1... Ma8, *',
}


@pytest.mark.parametrize("game", RECORDS)
def test_a_record_survives_a_round_trip_through_a_tree(server: Server, game: str) -> None:
    tree = ask(server, "record", pgn=RECORDS[game])
    assert (tree["game"], tree["faults"]) == (game, [])
    sent = {key: tree[key] for key in ("game", "options", "comment", "tags")}
    text = ask(server, "pgn", **sent, fen=tree["start_fen"], nodes=nodes(tree))
    before, after = pgn.read_game(io.StringIO(RECORDS[game])), pgn.read_game(io.StringIO(text))
    assert before is not None and after is not None and not after.errors
    assert before.export(headers=False) == after.export(headers=False)
    assert before.headers["White"] == after.headers["White"]
    assert before.variant == after.variant


def test_turns_with_the_same_first_moves_share_their_nodes(server: Server) -> None:
    tree = ask(server, "record", pgn=RECORDS["chieftain"])
    assert [(node["parent"], node["move"]) for node in tree["nodes"]][:2] == [(-1, "a4a5"), (0, "p4p5")]
    assert sum(node["parent"] == -1 for node in tree["nodes"]) == 1
    assert sum(node["parent"] == 0 for node in tree["nodes"]) == 2


def test_a_faulty_record_is_read_up_to_its_fault(server: Server) -> None:
    tree = ask(server, "record", pgn="1. e4 e5 2. Qd9 Nc6 *")
    assert [node["san"] for node in tree["nodes"]] == ["e4", "e5"]
    assert "Qd9" in tree["faults"][0]
    both = ask(server, "record", pgn="1. e4 * 1. d4 *")
    assert (both["more"], both["faults"]) == (True, [])
    assert ask(server, "record", pgn="1. e4 *\n\n")["faults"] == []


def test_a_pgn_may_be_as_long_as_in_the_browser(server: Server) -> None:
    comment = "{ " + "long " * 2_000 + "} "
    text = "1. e4 " + comment * 40
    assert len(text) > 400_000
    assert len(ask(server, "record", pgn=text)["nodes"]) == 1
    answer = anyone.post(f"{server.base}/api/analysis/record", json={"pgn": "1. e4 " + " " * limits.MAX_PGN})
    assert "1000000" in problem(answer, 400, "invalid").message


def test_a_record_of_an_unknown_game_is_refused(server: Server) -> None:
    answer = anyone.post(f"{server.base}/api/analysis/record", json={"pgn": '[Variant "nothing"]\n\n1. e4 *'})
    assert "nothing" in problem(answer, 400, "invalid").message


def test_null_moves_in_a_record_are_left_out(server: Server) -> None:
    tree = ask(server, "record", pgn="1. e4 e5 (1... -- 2. d4) 2. Nf3 -- 3. Bb5 *")
    assert [node["san"] for node in tree["nodes"]] == ["e4", "e5", "Nf3"]
    assert sorted(fault.split(":")[0] for fault in tree["faults"]) == ["move 1", "move 2"]


def test_moves_are_read_in_coordinates_and_in_san(server: Server) -> None:
    fen = Board("chess").fen()
    made = ask(server, "moves", game="chess", fen=fen, moves=["e4", "e7e5", "Nf3"])
    assert [node["move"] for node in made["nodes"]] == ["e2e4", "e7e5", "g1f3"]
    assert made["position"]["fen"] == made["nodes"][-1]["fen"]
    assert made["position"]["last"] == ["g1", "f3"]
    assert len(made["position"]["legal"]) == 29
    ask(server, "moves", 400, game="chess", fen=fen, moves=["Ke4"])


def test_a_turn_of_chieftain_is_entered_move_by_move(server: Server) -> None:
    board = Board("chieftain")
    made = ask(server, "moves", game="chieftain", fen=board.fen(), moves=["a4a5"])
    board.push_uci("a4a5")
    assert made["position"]["turn_moves"] == ["a4a5"]
    # The FEN includes the unfinished turn, so that the next move can be requested from it.
    again = ask(server, "moves", game="chieftain", fen=made["nodes"][0]["fen"], moves=["p4p5"])
    assert [again["nodes"][0]["side"], again["nodes"][0]["turn"]] == ["white", 1]


# Attacks, edited positions, pictures.


@pytest.mark.parametrize("game", acedrex.games())
def test_attack_counts_equal_those_of_the_library(server: Server, game: str) -> None:
    board = Board(game)
    told = ask(server, "attacks", game=game, fen=board.fen())
    squares = {one["square"]: one for one in told["squares"]}
    for at in board.piece_map():
        one = squares.get(acedrex.square_name(at), {"white": 0, "black": 0})
        assert (one["white"], one["black"]) == (len(board.attackers(True, at)), len(board.attackers(False, at)))
    assert told["threats"] == []


def test_threats_are_checks_and_captures_that_win_material(server: Server) -> None:
    # The Knight forks Queen and Rook.
    told = ask(server, "attacks", game="chess", fen="4k3/8/q3r1p1/2N2r2/8/8/6R1/4K3 w - - 0 1")
    assert {"from": "c5", "to": "a6"} in told["threats"]
    assert {"from": "c5", "to": "e6"} in told["threats"]
    assert {"from": "g2", "to": "g6"} not in told["threats"]  # the Rook on e6 guards it
    assert {"from": "e6", "to": "e1"} in told["threats"]


def test_an_edited_position_is_built_and_checked(server: Server) -> None:
    pieces = [
        {"square": "e1", "letter": "K", "side": "white"},
        {"square": "h1", "letter": "R", "side": "white"},
        {"square": "e8", "letter": "R", "side": "black"},
    ]
    made = ask(server, "edit", game="chess", pieces=pieces, turn="black", rights="KQ")
    assert made["fen"] == "4r3/8/8/8/8/8/8/4K2R b K - 0 1"
    assert [one["name"] for one in made["problems"]] == ["no_royal"]
    king = {"square": "a8", "letter": "K", "side": "black"}
    whole = ask(server, "edit", game="chess", pieces=[*pieces, king], turn="black")
    assert [one["name"] for one in whole["problems"]] == ["opposite_check"]
    possible = {right["letter"]: right["possible"] for right in made["known_rights"]}
    assert possible == {"K": True, "Q": False, "k": False, "q": False}
    rights = {right["letter"]: (right["side"], right["what"], right["square"]) for right in made["known_rights"]}
    assert rights["K"] == ("white", "kingside", "h1") and rights["q"] == ("black", "queenside", "a8")
    magi = ask(server, "edit", game="magi", fen=Board("magi").fen())["known_rights"]
    assert {"letter": "d", "side": "black", "what": "first_move", "square": "d8", "possible": True} in magi
    assert ask(server, "edit", game="maasai", fen=Board("maasai").fen())["known_rights"][0]["what"] == "jump"
    assert ask(server, "edit", game="chess", fen=made["fen"])["problems"] == made["problems"]
    assert ask(server, "edit", game="chess", fen=Board("chess").fen())["problems"] == []
    ask(server, "edit", 400, game="chess", pieces=[{"square": "z9", "letter": "K", "side": "white"}])
    ask(server, "edit", 400, game="chess", pieces=[{"square": "e1", "letter": "!", "side": "white"}])
    ask(server, "edit", 400, game="chess", fen="nonsense")


def test_a_picture_has_the_requested_marks_and_colours(server: Server) -> None:
    arrows = [{"from": "e2", "to": "e4", "colour": "gold"}]
    drawn = ask(server, "picture", game="chess", fen=Board("chess").fen(), arrows=arrows, last=["e2", "e4"])
    assert drawn.startswith("<svg ") and "<polygon" in drawn
    assert "--emblem-" in ask(server, "picture", game="magi", fen=Board("magi").fen(), pieces="geometric")
    ask(server, "picture", 400, game="chess", fen=Board("chess").fen(), last=["p16"])
    drawn = ask(server, "picture", game="chess", fen=Board("chess").fen(), dark_squares="#7f9a66")
    assert '"#7f9a66"' in drawn and "#B08A5D" not in drawn and '"#EADCC0"' in drawn
    for colour in ('red" onload="', "#12", "url(#a)", "#7f9a66\n"):
        ask(server, "picture", 400, game="chess", fen=Board("chess").fen(), light_squares=colour)


# The engine.


def look(server: Server, **asked: Any) -> list[dict[str, Any]]:
    """Request lines, and return all messages up to depth 8 or the end of the search."""
    line = server.connect("/api/analysis/socket")
    line.send(json.dumps({"type": "look", "id": "1", "game": "chess", "fen": Board("chess").fen(), **asked}))
    heard: list[dict[str, Any]] = []
    while not heard or (heard[-1]["type"] == "lines" and not heard[-1]["done"] and heard[-1]["depth"] < 8):
        heard.append(json.loads(line.recv(TIMEOUT)))
    line.close()
    return heard


def test_engine_lines_are_sent_as_they_are_found(server: Server) -> None:
    heard = look(server, moves=["e2e4"], lines=3)
    assert len(heard) > 2 and [one["depth"] for one in heard] == sorted(one["depth"] for one in heard)
    best = heard[-1]["lines"]
    assert len(best) == 3
    board = Board("chess")
    board.push_san("e4")
    for line in best:
        # The whole line is legal.
        assert abs(line["score"]["cp"]) < 200 and 0.3 < line["score"]["chance"] < 0.7
        trial = board.copy()
        for move in line["moves"]:
            trial.push_uci(move)
        assert line["san"].startswith("1...")


def test_mate_scores_are_from_whites_point_of_view(server: Server) -> None:
    # Black to move mates in one.
    heard = look(server, fen="6k1/8/8/8/8/7r/6r1/K7 b - - 0 1")
    assert heard[-1]["lines"][0]["score"] == {"cp": None, "mate": -1, "chance": 0.0}


def test_a_new_search_replaces_the_previous_one_of_its_socket(server: Server) -> None:
    line = server.connect("/api/analysis/socket")
    fen = Board("maasai").fen()
    for number in range(8):
        line.send(json.dumps({"type": "look", "id": str(number), "game": "maasai", "fen": fen, "lines": 2}))
    while (heard := json.loads(line.recv(TIMEOUT)))["id"] != "7":
        pass
    assert heard["type"] == "lines", heard
    line.send(json.dumps({"type": "stop"}))
    line.send(json.dumps({"type": "ping", "at": 1}))
    while json.loads(line.recv(TIMEOUT))["type"] != "pong":
        pass
    line.send(json.dumps({"type": "look", "id": "x", "game": "maasai", "fen": "nonsense"}))
    assert json.loads(line.recv(TIMEOUT))["error"]["code"] == "invalid"
    line.send("garbage")
    assert json.loads(line.recv(TIMEOUT))["error"]["code"] == "invalid"


def test_the_concurrent_searches_of_a_visitor_are_limited(server: Server) -> None:
    fen = Board("maasai").fen()
    lines = [server.connect("/api/analysis/socket") for _ in range(4)]
    for one in lines:
        one.send(json.dumps({"type": "look", "id": "1", "game": "maasai", "fen": fen}))
    # One of the four is refused; the others get lines or wait for them.
    end, refused = time.monotonic() + TIMEOUT, None
    while refused is None and time.monotonic() < end:
        for one in lines:
            with suppress(TimeoutError):
                heard = json.loads(one.recv(0.05))
                refused = heard if heard["type"] == "refused" else refused
    assert refused and refused["error"]["code"] == "engine_busy"


# Jobs.

MATE = ["f2f3", "e7e5", "g2g4", "d8h4"]


def wait_for_findings(server: Server, job: str, count: int) -> Any:
    """Wait until a job has this many findings, and return it."""

    def job_with_findings() -> Any:
        told = anyone.get(f"{server.base}/api/analysis/jobs/{job}").json()
        return told if told["done"] >= count else None

    return wait_until(job_with_findings, 60)


def test_every_position_of_a_game_is_analysed(server: Server) -> None:
    fen = Board("chess").fen()
    job = ask(server, "jobs", 201, game="chess", fen=fen, moves=MATE)
    assert (job["total"], job["done"]) == (5, 0)
    told = wait_for_findings(server, job["job"], 5)
    assert [one["ply"] for one in told["found"]] == [0, 1, 2, 3, 4]
    assert told["found"][3]["best"] == ["d8h4"]
    assert told["found"][3]["score"]["mate"] == -1
    assert told["found"][4]["score"] == {"cp": None, "mate": 0, "chance": 0.0}
    # Requested again, the job is done already, and its findings can be read in parts.
    assert ask(server, "jobs", 201, game="chess", fen=fen, moves=MATE)["done"] == 5
    later = anyone.get(f"{server.base}/api/analysis/jobs/{job['job']}?behind=2").json()
    assert [one["ply"] for one in later["found"]] == [3, 4]
    problem(anyone.get(f"{server.base}/api/analysis/jobs/nothing"), 404, "no_such_job")


def test_a_job_continues_after_the_server_was_killed(start: Callable[..., Server]) -> None:
    server = start()
    moves = [move for _ in range(3) for move in ("g1f3", "g8f6", "f3g1", "f6g8")]
    fen = Board("chess").fen().replace("0 1", "9 1")
    job = ask(server, "jobs", 201, game="chess", fen=fen, moves=moves)
    before = wait_for_findings(server, job["job"], 2)
    server.kill()
    server.start()
    told = wait_for_findings(server, job["job"], len(moves) + 1)
    assert [one["ply"] for one in told["found"]] == list(range(len(moves) + 1))
    assert told["found"][: len(before["found"])] == before["found"]


def test_the_unfinished_jobs_of_a_visitor_are_limited(server: Server, ana: Person) -> None:
    codes = []
    for first in ("a3", "b3", "c3", "d3"):
        board = Board("chess")
        moves = [board.push_san(move).uci() for move in (first, "e5", "e3", "d5", "h3", "h6")]
        body = {"game": "chess", "fen": Board("chess").fen(), "moves": moves}
        codes.append(ana.http.post("/api/analysis/jobs", json=body).status_code)
    assert codes == [201, 201, 201, 503]
