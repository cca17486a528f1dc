"""What the server answers over HTTP."""

from __future__ import annotations

import asyncio
import json
import re
import time
from collections import Counter
from collections.abc import Callable
from contextlib import AsyncExitStack, suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import httpx
import msgspec
import pytest

import acedrex
from acedrex.game import FEATURED
from acedrex.server import wire
from acedrex.server.api.limits import MOST_OPEN, admitted
from acedrex.server.budgets import Budgets
from tests.server.conftest import Person, Server, anyone, coming_from

ROOT = Path(__file__).parents[2]

#: A small game of our own.
GAME = (ROOT / "games" / "knightmate.toml").read_text().replace('id = "knightmate"', 'id = "ours"')


def problem(answer: httpx.Response, status: int, code: str) -> wire.Problem:
    assert answer.status_code == status, answer.text
    found = msgspec.json.decode(answer.content, type=wire.Problem)
    assert found.code == code and found.message
    return found


# Games and positions.


def test_games(server: Server) -> None:
    games = msgspec.json.decode(anyone.get(f"{server.base}/api/games").content, type=list[wire.GameSummary])
    assert [game.id for game in games][: len(FEATURED)] == [game.id for game in games if game.featured] == [*FEATURED]
    assert {game.id for game in games} == set(acedrex.games())
    for summary in games:
        game = msgspec.json.decode(anyone.get(f"{server.base}/api/games/{summary.id}").content, type=wire.Game)
        loaded = acedrex.load(summary.id)
        assert (game.rules_hash, len(game.pieces)) == (loaded.rules_hash, len(loaded.pieces))
        assert (game.setup is None) == (not loaded.setups)


def test_games_in_french(server: Server) -> None:
    french = anyone.get(f"{server.base}/api/games/maasai?lang=fr").json()
    english = anyone.get(f"{server.base}/api/games/maasai?lang=xx").json()
    assert french["rules_hash"] == english["rules_hash"]
    assert french["pieces"][0]["name"] != english["pieces"][0]["name"]
    assert french["rules"][0]["title"] != english["rules"][0]["title"]
    assert (
        anyone.get(f"{server.base}/api/games?lang=fr").json()[0]["summary"]
        != anyone.get(f"{server.base}/api/games").json()[0]["summary"]
    )


def test_setups(server: Server) -> None:
    base = f"{server.base}/api/games/maasai"
    game = anyone.get(base).json()
    assert game["setup"]["groups"][1]["only"] == {"K": ["f11", "g11"]}
    first = anyone.get(f"{base}/setups/1").json()
    assert anyone.get(f"{base}/setups/{first['name'].lower()}").json() == first
    assert first["fen"] == acedrex.load("maasai").setup_fen(first["name"])
    # The name is the letters on Black's squares.
    board = acedrex.Board("maasai", first["fen"])
    squares = [at for group in game["setup"]["groups"] for at in group["squares"]]
    letters = [piece.letter for at in squares if (piece := board.piece_at(acedrex.parse_square(at)))]
    assert "".join(letters) == first["name"].replace("-", "")
    assert anyone.get(f"{base}/setups/random").json()["number"] <= 288
    problem(anyone.get(f"{base}/setups/289"), 404, "no_such_setup")
    problem(anyone.get(f"{base}/setups/KKKK"), 404, "no_such_setup")
    problem(anyone.get(f"{server.base}/api/games/chess/setups/1"), 404, "no_such_setup")
    problem(anyone.get(f"{server.base}/api/games/nothing"), 404, "no_such_game")


@pytest.mark.parametrize("game", acedrex.games())
def test_positions_say_what_the_core_says(server: Server, game: str) -> None:
    board = acedrex.Board(game)
    moves: list[str] = []
    for number in range(30):
        moves.append(board.legal_moves[number * 7919 % len(board.legal_moves)].uci())
        board.push_uci(moves[-1])
    with httpx.Client(base_url=server.base, transport=coming_from("127.0.0.9")) as client:
        answer = client.post("/api/position", json={"game": game, "moves": moves})
        shown = msgspec.json.decode(answer.content, type=wire.Position)
        assert shown["fen"] == board.fen() and shown["ply"] == 30
        assert [move["move"] for move in shown["legal"]] == [move.uci() for move in board.legal_moves]
        assert len(shown["pieces"]) == len(board.piece_map())
        again = client.post("/api/position", json={"game": game, "fen": board.fen()}).json()
        assert again["legal"] == answer.json()["legal"]
        for piece in shown["pieces"][:10]:
            asked = {"game": game, "fen": board.fen(), "square": piece["square"]}
            reached = msgspec.json.decode(client.post("/api/reach", json=asked).content, type=list[wire.Reach])
            assert [r["to"] for r in reached] == [
                acedrex.square_name(r.to) for r in board.reach(acedrex.parse_square(piece["square"]))
            ]


@pytest.mark.parametrize(
    "asked, where",
    [
        ({"game": "chess", "fen": "nonsense"}, None),
        ({"game": "chess", "moves": ["e2e5"]}, None),
        ({"game": "magi", "options": {"scoring": "nine"}}, "options.scoring"),
        ({"game": "magi", "options": {"nothing": "on"}}, "options.nothing"),
        ({"game": "chess", "moves": [7]}, "moves[0]"),
        ({"game": "maasai", "setup": "UFDO-QKGL", "fen": "x"}, "setup"),
        ({"moves": []}, None),
        ([], None),
    ],
)
def test_wrong_positions(server: Server, asked: Any, where: str | None) -> None:
    answer = anyone.post(f"{server.base}/api/position", json=asked)
    assert answer.status_code == 400
    assert msgspec.json.decode(answer.content, type=wire.Problem).where == where


def test_wrong_bodies(server: Server) -> None:
    url = f"{server.base}/api/position"
    problem(anyone.post(url, content=b"{"), 400, "invalid")
    problem(anyone.post(url, content=b"[" * 50_000), 400, "invalid")
    problem(anyone.post(url, content=b"\xff\xfe"), 400, "invalid")
    problem(anyone.post(url, content=b" " * 100_000), 413, "too_large")
    problem(anyone.get(url), 404, "no_such_page")
    problem(anyone.post(f"{server.base}/api/games"), 405, "method_not_allowed")
    problem(anyone.get(f"{server.base}/api/nothing"), 404, "no_such_page")


# People and matches.


def test_people(server: Server, ana: Person) -> None:
    assert ana.http.get("/api/me").json() == {"id": ana.id, "name": "Ana"}
    assert ana.http.patch("/api/me", json={"name": "  Ana \t Lucía "}).json()["name"] == "Ana Lucía"
    assert ana.http.get("/api/me").json()["name"] == "Ana Lucía"
    problem(ana.http.patch("/api/me", json={"name": "\u200b"}), 400, "invalid")
    problem(ana.http.patch("/api/me", json={"name": "x" * 41}), 400, "invalid")
    problem(anyone.get(f"{server.base}/api/me"), 401, "unknown_guest")
    problem(anyone.get(f"{server.base}/api/me", headers={"Authorization": "Bearer x"}), 401, "unknown_guest")
    problem(anyone.get(f"{server.base}/api/lobby", headers={"Authorization": "Bearer x"}), 401, "unknown_guest")


@pytest.mark.parametrize(
    "changes, code",
    [
        ({"game": {"game": "nothing"}}, "no_such_game"),
        ({"game": {"game": "magi", "options": {"scoring": "x"}}}, "no_such_option"),
        ({"opponent": {"kind": "engine", "level": 11}}, "invalid"),
        ({"opponent": {"kind": "king"}}, "invalid"),
        ({"time": {"kind": "fischer", "initial_ms": 1, "increment_ms": 0}}, "invalid"),
        ({"setup": "choose"}, "no_setups"),
        ({"game": {"game": "maasai"}, "setup": "KKKK"}, "no_such_setup"),
        ({"opponent": {"kind": "friend"}, "hints": True}, "no_hints"),
        ({"side": "green"}, "invalid"),
        ({"more": 1}, "invalid"),
    ],
)
def test_wrong_matches(ana: Person, changes: dict[str, Any], code: str) -> None:
    asked = {
        "game": {"game": "chess"},
        "opponent": {"kind": "self"},
        "side": "white",
        "time": {"kind": "none"},
        "setup": None,
        **changes,
    }
    answer = ana.http.post("/api/matches", json=asked)
    assert answer.status_code in (400, 404)
    problem(answer, answer.status_code, code)


def test_matches_are_private_to_those_who_may(server: Server, ana: Person) -> None:
    problem(anyone.get(f"{server.base}/api/matches/nothing"), 404, "no_such_match")
    problem(anyone.get(f"{server.base}/api/matches/nothing/pgn"), 404, "no_such_match")
    match = ana.match()["match"]
    assert ana.http.get(f"/api/matches/{match}").json()["seat"] == "both"
    assert anyone.get(f"{server.base}/api/matches/{match}").json()["seat"] is None


# Files of games.


def definition_faults(server: Server) -> list[dict[str, Any]]:
    """The faults of definition files in the log of a server."""
    return [json.loads(line) for line in server.log.read_text().splitlines() if '"event": "definition_fault"' in line]


def test_files_of_games(start: Callable[..., Server], tmp_path: Path) -> None:
    folder = tmp_path / "games"
    folder.mkdir()
    path = folder / "ours.toml"
    path.write_text(GAME)
    (folder / "wrong.toml").write_text('[game]\nid = "wrong"\nboard = 7\n')
    (folder / "wide.toml").write_text('[game]\nid = "wide"\nname = "Wide"\nextends = "chess"\nboard = "10x8"\n')
    (folder / "twice.toml").write_text(GAME.replace('id = "ours"', 'id = "chess"'))
    server = start("--games", str(folder))
    # Faults concern the operator alone: visitors see no game, the log has the line.
    files = [game for game in anyone.get(f"{server.base}/api/games").json() if game["origin"] == "file"]
    assert [game["id"] for game in files] == ["ours"] and "wrong.toml" not in json.dumps(files)
    faults = {(line["file"], line["line"], line["key"]): line["message"] for line in definition_faults(server)}
    assert ("wrong.toml", 3, "game.board") in faults
    assert ("wide.toml", "chess.toml") in {(line["definition"], line["file"]) for line in definition_faults(server)}
    assert any("chess" in message for (file, *_), message in faults.items() if file == "twice.toml")
    ana = Person(server)
    made = ana.match("ours")
    talk = ana.socket(made["match"])
    before = talk.snapshot["game"]["rules_hash"]
    # The rules change under a match: it goes on as it began.
    path.write_text(GAME.replace('move = "Q"', 'move = "R"'))
    for _ in range(100):
        if anyone.get(f"{server.base}/api/games/ours").json()["rules_hash"] != before:
            break
        time.sleep(0.1)
    server.kill()
    server.start()
    talk = ana.socket(made["match"])
    assert talk.snapshot["game"]["rules_hash"] == before
    talk.move(talk.position["legal"][0]["move"])
    path.write_text("nonsense")
    for _ in range(100):
        files = {game["id"]: game for game in anyone.get(f"{server.base}/api/games").json()}
        if "ours" not in files:
            break
        time.sleep(0.1)
    assert "ours.toml" in {line["file"] for line in definition_faults(server)}
    assert server.faults() == []


# What browsers are told.


@pytest.mark.parametrize(
    ("language", "reason"),
    [
        (
            "en",
            "Out of command: there is no Chieftain within 3 squares that has not commanded a move in this turn.",
        ),
        ("fr", "Hors de commandement\N{NO-BREAK SPACE}: aucune pièce royale (Chef) à 3 cases au plus"),
    ],
)
def test_a_piece_without_moves_is_explained(server: Server, language: str, reason: str) -> None:
    board = acedrex.Board("chieftain")
    board.push_uci("a4a5")
    asked = {"game": "chieftain", "fen": board.fen()}

    def told(square: str) -> str | None:
        answer = anyone.post(f"{server.base}/api/idle?lang={language}", json={**asked, "square": square})
        assert answer.status_code == 200, answer.text
        said: str | None = answer.json()["reason"]
        return said

    assert (told("b1") or "").startswith(reason)
    assert (told("d4"), told("a9"), told("h7")) == (None, None, None)


def test_a_premove_may_reach_what_the_next_move_makes_possible(server: Server) -> None:
    fen = "rnbqkbnr/pppppppp/8/8/8/5NP1/PPPPPPBP/RNBQK2R b KQkq - 0 1"

    def reached(square: str, **asked: Any) -> set[str]:
        answer = anyone.post(f"{server.base}/api/reach", json={"game": "chess", "fen": fen, "square": square, **asked})
        assert answer.status_code == 200, answer.text
        found = [reach["to"] for reach in answer.json()]
        assert len(found) == len(set(found))
        return set(found)

    assert reached("e1") == {"f1"}
    assert reached("e1", premove=True) == {"f1", "g1", "d1", "d2", "e2", "f2"}, "to castle, and to take back"
    assert reached("g2", premove=True) == {"f1", "h3", "f3", "h1"}, "but not through a piece"
    assert reached("e2", premove=True) == {"e3", "e4", "d3", "f3"}, "soldiers take what may come"
    assert reached("e7", premove=True) == {"e6", "e5", "d6", "f6"}


def test_headers_keep_browsers_safe(server: Server) -> None:
    for path in ("/", "/api/games", "/api/nothing", "/healthz"):
        headers = anyone.get(server.base + path).headers
        policy = headers["content-security-policy"]
        assert "script-src 'self' 'wasm-unsafe-eval';" in policy and "frame-ancestors 'none'" in policy
        assert "unsafe" not in policy.replace("'wasm-unsafe-eval'", "")
        assert headers["x-content-type-options"] == "nosniff"
        assert "server" not in headers


def test_without_the_web_app_it_says_how_to_build_it(server: Server) -> None:
    if not (ROOT / "src/acedrex/server/static/index.html").exists():
        answer = anyone.get(server.base)
        assert answer.status_code == 503 and "make play" in answer.text


def test_health_and_metrics(server: Server, ana: Person) -> None:
    assert anyone.get(f"{server.base}/healthz").text == "fine\n"
    talk = ana.socket(ana.match()["match"])
    talk.move("e2e4")
    text = anyone.get(f"{server.base}/metrics").text
    assert float(re.search(r"^acedrex_moves_total (\S+)", text, re.MULTILINE)[1]) >= 1  # type: ignore[index]
    assert "acedrex_storing_seconds_bucket" in text


def test_openapi_tells_every_route(server: Server) -> None:
    schema = anyone.get(f"{server.base}/api/openapi.json").json()
    assert "/api/matches/{id}" in schema["paths"] and "Snapshot" in json.dumps(schema["components"])
    for path, operations in schema["paths"].items():
        for operation in operations.values():
            if path.startswith("/api"):
                assert "Problem" in json.dumps(operation["responses"]["400"]), path


def test_behind_a_proxy_under_a_path(start: Callable[..., Server]) -> None:
    server = start("--root-path", "/chess/")
    ana = Person(server)
    talk = ana.socket(ana.match()["match"])
    talk.move("e2e4")
    assert anyone.get(f"{server.base}/api/openapi.json").json()["servers"] == [{"url": "/chess"}]
    forwarded = {"X-Forwarded-For": "192.0.2.7"}
    answers = [anyone.post(f"{server.base}/api/guests", json={}, headers=forwarded) for _ in range(400)]
    assert {answer.status_code for answer in answers} == {201, 429}
    assert ana.http.post("/api/guests", json={}).status_code == 201, "visitors are told apart by the proxy"


def test_a_proxy_may_hand_on_whole_paths(start: Callable[..., Server]) -> None:
    server = start("--root-path", "/chess")
    server.base += "/chess"
    ana = Person(server)
    ana.socket(ana.match()["match"]).move("e2e4")
    assert anyone.get(f"{server.base}/api/games").status_code == 200


def test_rates_are_limited(server: Server) -> None:
    with httpx.Client(base_url=server.base, transport=coming_from("127.0.0.77")) as client:
        answers = [client.post("/api/guests", json={}) for _ in range(400)]
    assert {answer.status_code for answer in answers} == {201, 429}
    refused = next(answer for answer in answers if answer.status_code == 429)
    problem(refused, 429, "too_fast")
    assert refused.headers["retry-after"]


# Sockets.


class Visit:
    """A socket as a page opens it."""

    def __init__(self, sockets: Counter[str], origin: str = "http://here") -> None:
        services = SimpleNamespace(held_open=sockets, budgets=Budgets(), settings=SimpleNamespace(origins=()))
        self.app = SimpleNamespace(state=SimpleNamespace(services=services))
        self.client = SimpleNamespace(host="1.2.3.4")
        self.headers = {"origin": origin, "host": "here"}
        self.accepted = self.closed = 0

    async def accept(self) -> None:
        self.accepted += 1

    async def close(self, code: int, _: str) -> None:
        self.closed = code


def test_a_visitor_has_so_many_sockets() -> None:
    sockets: Counter[str] = Counter()

    async def come() -> None:
        async with AsyncExitStack() as stack:
            for _ in range(MOST_OPEN):
                assert await stack.enter_async_context(admitted(cast("Any", Visit(sockets))))
            one_more, elsewhere = Visit(sockets), Visit(Counter(), "http://there")
            async with admitted(cast("Any", one_more)) as may:
                assert not may
            async with admitted(cast("Any", elsewhere)) as may:
                assert not may
            assert (one_more.closed, elsewhere.closed) == (4429, 4403)
            assert not one_more.accepted + elsewhere.accepted
        with suppress(RuntimeError):
            async with admitted(cast("Any", Visit(sockets))) as may:
                assert may
                raise RuntimeError

    asyncio.run(come())
    assert not sockets
