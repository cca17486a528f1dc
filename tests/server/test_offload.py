"""Expensive requests: they are split into portions, limited, or refused."""

from __future__ import annotations

import io
import json
import re
import time
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import httpx
import pytest
from fastapi import FastAPI, Request

from acedrex import Game, load, pgn
from acedrex.server import ids, wire
from acedrex.server.analysis import trees
from acedrex.server.api import analysis_socket, health, offload, problems
from acedrex.server.api.games import supported_language
from acedrex.server.app import make
from acedrex.server.archive import pgn_import
from acedrex.server.limits.budgets import Budgets
from acedrex.server.limits.fair_queue import FullError
from acedrex.server.limits.pool import LateError
from acedrex.server.limits.visitor import Visitor
from acedrex.server.refusal import Refusal
from acedrex.server.settings import Settings
from acedrex.server.storage.store import BusyError
from tests.conftest import TIMEOUT
from tests.growth import growth, shuffled
from tests.server.conftest import Person, Server, anyone
from tests.server.long_match import DAMAGED, LONG, MOVES, long_game, server_with_long_match
from tests.server.test_api import problem
from tests.server.waiting import wait_until


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("heavy")
    games = folder / "games"
    games.mkdir()
    (games / "mine.toml").write_text('[game]\nid = "mine"\nname = "Mine"\nextends = "shako"\n', encoding="utf-8")
    with server_with_long_match(folder, "--games", str(games)) as one:
        yield one


def test_a_long_match_is_exported_completely(server: Server) -> None:
    answer = anyone.get(f"{server.base}/api/matches/{LONG}/pgn", timeout=TIMEOUT)
    record = pgn.read_game(io.StringIO(answer.text))
    assert record is not None and not record.errors and record.headers["White"] == "Ana"
    assert [*record.mainline_moves()] == long_game("maasai", MOVES).move_stack


def test_a_match_that_cannot_be_exported_is_set_aside(server: Server) -> None:
    problem(anyone.get(f"{server.base}/api/matches/nothing/pgn"), 404, "no_such_match")
    problem(anyone.get(f"{server.base}/api/matches/{DAMAGED}/pgn", timeout=TIMEOUT), 500, "broken_match")
    assert f'"match": "{ids.reference(DAMAGED)}"' in server.log.read_text()


def test_pool_processes_load_games_from_files(server: Server) -> None:
    ana = Person(server, "Ana", "127.0.5.2")
    board = long_game("shako", 80)
    moves = [move.uci() for move in board.move_stack]
    answer = ana.http.post("/api/position", json={"game": "mine", "moves": moves})
    assert answer.json()["fen"] == board.fen(), answer.text
    text = str(pgn.Game.from_board(board)).replace('"shako"', '"mine"')
    text = re.sub(r"\[RulesHash .*\]\n", "", text)
    tree = ana.http.post("/api/analysis/record", json={"pgn": text.replace('"mine"', '"\tmine"')}).json()
    assert (tree["game"], tree["faults"], tree["nodes"][-1]["fen"]) == ("mine", [], board.fen())
    made = ana.http.post("/api/analysis/moves", json={"game": "mine", "fen": tree["start_fen"], "moves": moves})
    assert made.json()["nodes"] == tree["nodes"]
    nodes = [{"parent": node["parent"], "move": node["move"]} for node in tree["nodes"]]
    asked = {"game": "mine", "nodes": nodes}
    assert ana.http.post("/api/analysis/tree", json=asked).json()["nodes"] == tree["nodes"]
    assert "mine" in ana.http.post("/api/analysis/pgn", json=asked).text
    told = ana.http.post("/api/archive", content=text).json()
    assert (told["stored"], told["faults"]) == (1, [])
    (match,) = ana.http.get("/api/archive", params={"whose": "mine"}).json()["matches"]
    assert '[Variant "mine"]' in ana.http.get(f"/api/matches/{match['match']}/pgn").text


# Limits.

GAMES = """\ufeff{A comment
that is not closed. (

[Event "First"]
[White "Ana"]

1. e4 e5 {[Event "no border"]}

[Event "Second"]

1. e4 Qd9 (
""".replace("\n", "\r\n")


def test_an_import_in_portions_equals_one_of_the_whole_file(monkeypatch: pytest.MonkeyPatch) -> None:
    data = "\n".join(GAMES + f'[Event "{number}"]\n\n1. d4 d5 (1... e5 2. Ke9) *\n' for number in range(20)).encode()

    def read(most: int) -> tuple[Any, ...]:
        records: list[Any] = []
        faults: list[Any] = []
        left_out = 0
        parts = [*pgn_import.portions(data)]
        for part, line in parts:
            found = pgn_import.read(part, line, most - len(records) - left_out, "ana", "k" * 32, {}, 0)
            records, faults, left_out = records + found.records, faults + found.faults, left_out + found.left_out
            if found.full:
                break
        return len(parts), records, left_out, faults

    for most in (7, 1_000):
        monkeypatch.setattr(pgn_import, "PORTION", len(data))
        whole = read(most)
        monkeypatch.setattr(pgn_import, "PORTION", 300)
        cut = read(most)
        assert (whole[0], whole[1:]) == (1, cut[1:]) and cut[0] > 5
        assert whole[1] or whole[3]


async def test_full_queues_and_late_jobs_are_answered_with_503() -> None:
    app = FastAPI()
    problems.add_to(app)

    @app.get("/full")
    async def full() -> None:
        raise FullError

    @app.get("/late")
    async def late() -> None:
        raise LateError

    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://test") as client:
        answers = [await client.get(path) for path in ("/full", "/late")]
    assert [(answer.status_code, answer.json()["code"]) for answer in answers] == [(503, "busy"), (503, "too_long")]


@pytest.mark.parametrize("error, code", [(FullError(), "busy"), (LateError(), "too_long"), (BusyError(), "busy")])
async def test_the_analysis_board_hears_of_full_queues_and_late_jobs(
    monkeypatch: pytest.MonkeyPatch, error: Exception, code: str
) -> None:
    sent: list[Any] = []

    async def send(text: str) -> None:
        sent.append(json.loads(text))

    async def chess(*_: Any) -> Game:
        return load("chess")

    async def fail(*_: Any) -> None:
        raise error

    monkeypatch.setattr(analysis_socket, "services_of", lambda _: None)
    monkeypatch.setattr(analysis_socket, "chosen_game", chess)
    monkeypatch.setattr(offload, "run", fail)
    session = analysis_socket.Session(SimpleNamespace(client=None, send_text=send))  # type: ignore[arg-type]
    await session._analyse(wire.AnalysePosition(id="1", game="chess", fen=""))
    assert [(one["type"], one["id"], one["error"]["code"]) for one in sent] == [("refused", "1", code)]


def test_unknown_http_methods_are_counted_as_one(server: Server) -> None:
    for method in ("MKCOL", "PROPFIND"):
        anyone.request(method, f"{server.base}/")
    counted = 'acedrex_requests_total{method="other",status="405"} 2.0'
    # The metrics may be a second old.
    wait_until(lambda: counted in anyone.get(f"{server.base}/metrics").text)
    assert "MKCOL" not in anyone.get(f"{server.base}/metrics").text


async def test_metrics_are_generated_at_most_once_a_second(monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[bytes] = []
    monkeypatch.setattr(health, "generate_latest", lambda: written.append(b"") or b"fine")
    began = time.monotonic()
    for _ in range(1_000):
        await health.metrics()
    assert len(written) <= time.monotonic() - began + 2


async def test_the_openapi_description_is_encoded_once() -> None:
    app = make(Settings(database="sqlite+aiosqlite:///nothing.db"))
    (route,) = [route for route in app.routes if getattr(route, "path", "") == "/api/openapi.json"]
    first, second = [(await route.endpoint()).body for _ in range(2)]  # type: ignore[attr-defined]
    assert first is second


def test_the_time_to_read_a_record_grows_linearly() -> None:
    texts = [str(pgn.Game.from_board(shuffled("chess", ["g1f3", "g8f6", "f3g1", "f6g8"], n))) for n in (1_000, 4_000)]
    assert growth(lambda text: trees.read_pgn({}, text), *texts) < 9


async def test_unknown_languages_are_ignored() -> None:
    assert [await supported_language(language) for language in ("fr", "xx", None)] == ["fr", None, None]


async def test_the_jobs_of_a_visitor_who_asks_much_run_in_other_processes() -> None:
    class Elsewhere:
        asked = 0

        async def run(self, visitor: Visitor, job: Callable[[], Any]) -> Any:
            self.asked += 1
            return job()

    budgets, pool = Budgets(), Elsewhere()
    app = SimpleNamespace(state=SimpleNamespace(services=SimpleNamespace(budgets=budgets, pool=pool)))
    request = Request({"type": "http", "client": ("192.0.2.1", 1), "app": app})
    game, crowd = load("chess"), Game(load("chess").source.replace('"chess"', '"mine"'), "published/mine.toml")
    assert await offload.run(request, game, 0, lambda: 1) == 1 and not pool.asked
    assert await offload.run(request, game, 100, lambda: 2) == 2 and pool.asked == 1
    assert await offload.run(request, crowd, 0, lambda: 3) == 3 and pool.asked == 2
    budgets.charge(Visitor("192.0.2.1"), "work", 120)
    assert await offload.run(request, game, 0, lambda: 4) == 4 and pool.asked == 3
    # What a job took is charged, also if it fails.
    with pytest.raises(ZeroDivisionError):
        await offload.run(request, game, 0, lambda: sum(range(20_000_000)) / 0)
    with pytest.raises(Refusal, match="milliseconds"):
        await offload.run(request, game, 0, lambda: 5)


async def test_a_process_that_dies_keeps_its_visitor_out_for_two_minutes_at_most() -> None:
    class Dead:
        async def run(self, visitor: Visitor, job: Callable[[], Any]) -> Any:
            raise LateError

    budgets = Budgets()
    app = SimpleNamespace(state=SimpleNamespace(services=SimpleNamespace(budgets=budgets, pool=Dead())))
    request = Request({"type": "http", "client": ("192.0.2.1", 1), "app": app})
    with pytest.raises(LateError):
        await offload.run(request, None, 100, lambda: 1)
    bucket = budgets._bucket(("work", "address", "192.0.2.1"))
    assert 0 > bucket.tokens > -120 * bucket.rate
