"""The API over HTTP."""

from __future__ import annotations

import json
import re
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
from acedrex.server.api.limits import MAX_OPEN, admitted
from acedrex.server.limits.budgets import Budgets
from tests.server.conftest import Person, Server, anyone, coming_from
from tests.server.waiting import wait_until

ROOT = Path(__file__).parents[2]

#: A small game with an id that is not shipped.
GAME = (ROOT / "games" / "knightmate.toml").read_text().replace('id = "knightmate"', 'id = "ours"')


def problem(answer: httpx.Response, status: int, code: str) -> wire.Problem:
    assert answer.status_code == status, answer.text
    found = msgspec.json.decode(answer.content, type=wire.Problem)
    assert found.code == code and found.message
    return found


# Games and positions.


def test_games_are_listed_with_the_featured_ones_first(server: Server) -> None:
    games = msgspec.json.decode(anyone.get(f"{server.base}/api/games").content, type=list[wire.GameSummary])
    assert [game.id for game in games][: len(FEATURED)] == [game.id for game in games if game.featured] == [*FEATURED]
    assert {game.id for game in games} == set(acedrex.games())
    for summary in games:
        game = msgspec.json.decode(anyone.get(f"{server.base}/api/games/{summary.id}").content, type=wire.Game)
        loaded = acedrex.load(summary.id)
        assert (game.rules_hash, len(game.pieces)) == (loaded.rules_hash, len(loaded.pieces))
        assert (game.setup is None) == (not loaded.setups)


def test_games_are_described_in_french(server: Server) -> None:
    french = anyone.get(f"{server.base}/api/games/maasai?lang=fr").json()
    english = anyone.get(f"{server.base}/api/games/maasai?lang=xx").json()
    assert french["rules_hash"] == english["rules_hash"]
    assert french["pieces"][0]["name"] != english["pieces"][0]["name"]
    assert french["rules"][0]["title"] != english["rules"][0]["title"]
    assert (
        anyone.get(f"{server.base}/api/games?lang=fr").json()[0]["summary"]
        != anyone.get(f"{server.base}/api/games").json()[0]["summary"]
    )


def test_setups_are_found_by_number_and_name(server: Server) -> None:
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
def test_positions_equal_those_of_the_library(server: Server, game: str) -> None:
    board = acedrex.Board(game)
    moves: list[str] = []
    for number in range(30):
        moves.append(board.legal_moves[number * 7919 % len(board.legal_moves)].uci())
        board.push_uci(moves[-1])
    # An address for each game: the questions about all of them are more than one visitor may ask at once.
    address = f"127.0.20.{acedrex.games().index(game) + 1}"
    with httpx.Client(base_url=server.base, transport=coming_from(address)) as client:
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
def test_invalid_positions_are_refused(server: Server, asked: Any, where: str | None) -> None:
    answer = anyone.post(f"{server.base}/api/position", json=asked)
    assert answer.status_code == 400
    assert msgspec.json.decode(answer.content, type=wire.Problem).where == where


def test_invalid_bodies_are_refused(server: Server) -> None:
    url = f"{server.base}/api/position"
    problem(anyone.post(url, content=b"{"), 400, "invalid")
    problem(anyone.post(url, content=b"[" * 50_000), 400, "invalid")
    problem(anyone.post(url, content=b"\xff\xfe"), 400, "invalid")
    problem(anyone.post(url, content=b" " * 100_000), 413, "too_large")
    problem(anyone.get(url), 404, "no_such_page")
    problem(anyone.post(f"{server.base}/api/games"), 405, "method_not_allowed")
    problem(anyone.get(f"{server.base}/api/nothing"), 404, "no_such_page")


# People and matches.


def test_guests_can_rename_themselves(server: Server, ana: Person) -> None:
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
def test_invalid_matches_are_refused(ana: Person, changes: dict[str, Any], code: str) -> None:
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


def test_a_match_has_no_seat_for_other_visitors(server: Server, ana: Person) -> None:
    problem(anyone.get(f"{server.base}/api/matches/nothing"), 404, "no_such_match")
    problem(anyone.get(f"{server.base}/api/matches/nothing/pgn"), 404, "no_such_match")
    match = ana.match()["match"]
    assert ana.http.get(f"/api/matches/{match}").json()["seat"] == "both"
    assert anyone.get(f"{server.base}/api/matches/{match}").json()["seat"] is None


# Files of games.


def definition_faults(server: Server) -> list[dict[str, Any]]:
    """Return the faults of definition files in the log of a server."""
    return [json.loads(line) for line in server.log.read_text().splitlines() if '"event": "definition_fault"' in line]


def test_games_from_files_are_reloaded_and_their_matches_keep_their_rules(
    start: Callable[..., Server], tmp_path: Path
) -> None:
    folder = tmp_path / "games"
    folder.mkdir()
    path = folder / "ours.toml"
    path.write_text(GAME)
    (folder / "wrong.toml").write_text('[game]\nid = "wrong"\nboard = 7\n')
    (folder / "wide.toml").write_text('[game]\nid = "wide"\nname = "Wide"\nextends = "chess"\nboard = "10x8"\n')
    (folder / "twice.toml").write_text(GAME.replace('id = "ours"', 'id = "chess"'))
    server = start("--games", str(folder))
    # Faults concern only the operator: visitors do not see the game, and the log has the line.
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
    # When the rules change during a match, it continues with those that it started with.
    path.write_text(GAME.replace('move = "K"', 'move = "B"'))
    wait_until(lambda: anyone.get(f"{server.base}/api/games/ours").json()["rules_hash"] != before)
    server.kill()
    server.start()
    talk = ana.socket(made["match"])
    assert talk.snapshot["game"]["rules_hash"] == before
    talk.move(talk.position["legal"][0]["move"])
    path.write_text("nonsense")
    wait_until(lambda: "ours" not in [game["id"] for game in anyone.get(f"{server.base}/api/games").json()])
    assert "ours.toml" in {line["file"] for line in definition_faults(server)}
    assert server.faults() == []


# What browsers get.


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
def test_the_reason_why_a_piece_has_no_moves_is_explained(server: Server, language: str, reason: str) -> None:
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


def test_premoves_include_what_the_next_move_may_make_possible(server: Server) -> None:
    fen = "rnbqkbnr/pppppppp/8/8/8/5NP1/PPPPPPBP/RNBQK2R b KQkq - 0 1"

    def reached(square: str, **asked: Any) -> set[str]:
        answer = anyone.post(f"{server.base}/api/reach", json={"game": "chess", "fen": fen, "square": square, **asked})
        assert answer.status_code == 200, answer.text
        found = [reach["to"] for reach in answer.json()]
        assert len(found) == len(set(found))
        return set(found)

    assert reached("e1") == {"f1"}
    assert reached("e1", premove=True) == {"f1", "g1", "d1", "d2", "e2", "f2"}, "castling, and recaptures"
    assert reached("g2", premove=True) == {"f1", "h3", "f3", "h1"}, "but not through a piece"
    assert reached("e2", premove=True) == {"e3", "e4", "d3", "f3"}, "Pawns may capture what comes to their squares"
    assert reached("e7", premove=True) == {"e6", "e5", "d6", "f6"}


def test_responses_have_security_headers(server: Server) -> None:
    for path in ("/", "/api/games", "/api/nothing", "/healthz"):
        headers = anyone.get(server.base + path).headers
        policy = headers["content-security-policy"]
        assert "script-src 'self' 'wasm-unsafe-eval';" in policy and "frame-ancestors 'none'" in policy
        assert "unsafe" not in policy.replace("'wasm-unsafe-eval'", "")
        assert headers["x-content-type-options"] == "nosniff"
        assert "server" not in headers


def test_health_and_metrics_are_served(server: Server, ana: Person) -> None:
    assert anyone.get(f"{server.base}/healthz").text == "fine\n"
    talk = ana.socket(ana.match()["match"])
    talk.move("e2e4")
    text = anyone.get(f"{server.base}/metrics").text
    assert float(re.search(r"^acedrex_moves_total (\S+)", text, re.MULTILINE)[1]) >= 1  # type: ignore[index]
    assert "acedrex_storing_seconds_bucket" in text


def test_openapi_describes_every_route(server: Server) -> None:
    schema = anyone.get(f"{server.base}/api/openapi.json").json()
    assert "/api/matches/{id}" in schema["paths"] and "Snapshot" in json.dumps(schema["components"])
    for path, operations in schema["paths"].items():
        for operation in operations.values():
            if path.startswith("/api"):
                assert "Problem" in json.dumps(operation["responses"]["400"]), path


def test_the_server_works_behind_a_proxy_under_a_path(start: Callable[..., Server]) -> None:
    server = start("--root-path", "/chess/")
    ana = Person(server)
    talk = ana.socket(ana.match()["match"])
    talk.move("e2e4")
    assert anyone.get(f"{server.base}/api/openapi.json").json()["servers"] == [{"url": "/chess"}]
    forwarded = {"X-Forwarded-For": "192.0.2.7"}
    answers = [anyone.post(f"{server.base}/api/guests", json={}, headers=forwarded) for _ in range(400)]
    assert {answer.status_code for answer in answers} == {201, 429}
    assert ana.http.post("/api/guests", json={}).status_code == 201, "visitors are distinguished by the proxy's header"


def test_a_proxy_may_forward_paths_with_their_prefix(start: Callable[..., Server]) -> None:
    server = start("--root-path", "/chess")
    server.base += "/chess"
    ana = Person(server)
    ana.socket(ana.match()["match"]).move("e2e4")
    assert anyone.get(f"{server.base}/api/games").status_code == 200


def test_requests_are_rate_limited(server: Server) -> None:
    with httpx.Client(base_url=server.base, transport=coming_from("127.0.0.77")) as client:
        answers = [client.post("/api/guests", json={}) for _ in range(400)]
    assert {answer.status_code for answer in answers} == {201, 429}
    refused = next(answer for answer in answers if answer.status_code == 429)
    problem(refused, 429, "too_fast")
    assert refused.headers["retry-after"]


# Sockets.


class Visit:
    """A WebSocket as a page opens it."""

    def __init__(self, sockets: Counter[str], origin: str = "http://here") -> None:
        settings = SimpleNamespace(origins=(), workers=1)
        services = SimpleNamespace(held_open=sockets, budgets=Budgets(), settings=settings)
        self.app = SimpleNamespace(state=SimpleNamespace(services=services))
        self.client = SimpleNamespace(host="1.2.3.4")
        self.headers = {"origin": origin, "host": "here"}
        self.accepted = self.closed = 0

    async def accept(self) -> None:
        self.accepted += 1

    async def close(self, code: int, _: str) -> None:
        self.closed = code


async def test_the_sockets_of_a_visitor_are_limited() -> None:
    sockets: Counter[str] = Counter()
    async with AsyncExitStack() as stack:
        for _ in range(MAX_OPEN):
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
    assert not sockets
