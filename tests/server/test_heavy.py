"""What costs much must not hold up other people's moves."""

from __future__ import annotations

import asyncio
import io
import itertools
import random
import re
import statistics
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any

import httpx
import pytest
from fastapi import FastAPI

from acedrex import Board, pgn
from acedrex.server import analysis, cards, catalogue, importing
from acedrex.server.api import health, problems
from acedrex.server.api.games import supported_language
from acedrex.server.app import make
from acedrex.server.events import MovePlayed
from acedrex.server.fair import FullError
from acedrex.server.migrate import migrate
from acedrex.server.pool import LateError
from acedrex.server.settings import Settings
from acedrex.server.state import Match
from acedrex.server.store import NEW_DEFINITION, Store
from tests.growth import growth, shuffled
from tests.server.conftest import Person, Server, anyone, coming_from
from tests.server.matches import START, begun
from tests.server.test_api import problem

#: The match that is taken away, and how long it is.
LONG, MOVES = "long", 2_480
#: The same with an event missing.
DAMAGED = "damaged"
#: Requests for what costs much that are under way at once.
MANY = 6


def long_game(game: str, plies: int) -> Board:
    """Play at random for a number of plies; whatever ends the game is taken back."""
    board, chance = Board(game), random.Random(1)
    while board.ply() < plies:
        moves = list(board.legal_moves)
        if not moves or board.is_game_over():
            for _ in range(20):
                board.pop()
            continue
        some = chance.sample(moves, min(8, len(moves)))
        board.push(next((move for move in some if not board.is_capture(move)), some[0]))
    return board


async def keep(url: str, board: Board) -> None:
    """Store a match that is still being played, whole and damaged."""
    match, events = begun(board.game.id)
    events += [MovePlayed(at=START, move=move.uci(), spent=0) for move in board.move_stack]
    match = Match.fold(LONG, events, match.game)
    store = Store(url)
    await store.open()
    definition = {"hash": catalogue.key(match.game), "text": match.game.source}
    await store.write((NEW_DEFINITION, definition), *cards.first_steps(match, events, "ana"))
    match.id = DAMAGED
    steps = cards.first_steps(match, events, "ana")
    await store.write(*(step for step in steps if step[1].get("number") != MOVES // 2))
    await store.close()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with a long match."""
    folder = tmp_path_factory.mktemp("heavy")
    url = f"sqlite+aiosqlite:///{folder}/server.db"
    migrate(url)
    asyncio.run(keep(url, long_game("maasai", MOVES)))
    games = folder / "games"
    games.mkdir()
    (games / "mine.toml").write_text('[game]\nid = "mine"\nname = "Mine"\nextends = "shako"\n', encoding="utf-8")
    one = Server(folder, "--games", str(games))
    yield one
    assert one.end() == 0
    assert one.faults() == []


def moves(person: Person) -> float:
    """Play at one board; gives the median of what a move takes, in seconds, in the best of some rounds."""
    # Other programs on this machine are busy too, but seldom all the time.
    return min(a_round(person) for _ in range(5))


def a_round(person: Person) -> float:
    talk = person.socket(person.match("maasai")["match"])
    took, chance = [], random.Random(1)
    for _ in range(12):
        began = time.perf_counter()
        talk.move(chance.choice(talk.position["legal"])["move"])
        took.append(time.perf_counter() - began)
        time.sleep(0.02)
    talk.close()
    return statistics.median(took)


def take_away(client: httpx.Client) -> None:
    client.get(f"/api/matches/{LONG}/pgn")


def bring_faults(client: httpx.Client) -> None:
    token = client.post("/api/guests", json={"name": "Zoe"}).json()["token"]
    text = ('[Variant "maasai"]\n\n1. e6 ' + "(1. Qa9) " * 100 + "*\n\n") * 400
    client.post("/api/archive", content=text, headers={"Authorization": f"Bearer {token}"})


def send_brackets(client: httpx.Client) -> None:
    client.post("/api/analysis/record", json={"pgn": "(" * 240_000})


def look_at_metrics(client: httpx.Client) -> None:
    for _ in range(20):
        client.get("/metrics")
        time.sleep(0.05)


@pytest.fixture(scope="module")
def alone(server: Server) -> float:
    """What a move takes while nobody else asks for anything, in seconds."""
    return moves(Person(server, "Ana", "127.0.5.1"))


@pytest.mark.alone
@pytest.mark.parametrize("asked", [take_away, bring_faults, send_brackets, look_at_metrics])
def test_what_costs_much_delays_no_move(server: Server, alone: float, asked: Callable[[httpx.Client], None]) -> None:
    ana = Person(server, "Ana", "127.0.5.1")
    done = threading.Event()
    # No limit of one visitor's helps: every request comes from an address of its own.
    addresses = (f"127.0.{number // 250}.{number % 250 + 1}" for number in itertools.count(2_000))

    def go_on() -> None:
        while not done.is_set():
            transport = coming_from(next(addresses))
            with (
                suppress(httpx.TransportError),
                httpx.Client(base_url=server.base, timeout=60, transport=transport) as client,
            ):
                asked(client)

    with ThreadPoolExecutor(MANY) as pool:
        for _ in range(MANY):
            pool.submit(go_on)
        time.sleep(2)
        try:
            besieged = moves(ana)
        finally:
            done.set()
    print(f"{asked.__name__}: a move takes {alone * 1000:.1f} ms alone, {besieged * 1000:.1f} ms besieged")
    assert besieged < max(0.015, 2.5 * alone)


def test_a_long_match_is_written_whole(server: Server) -> None:
    answer = anyone.get(f"{server.base}/api/matches/{LONG}/pgn", timeout=30)
    record = pgn.read_game(io.StringIO(answer.text))
    assert record is not None and not record.errors and record.headers["White"] == "Ana"
    assert [*record.mainline_moves()] == long_game("maasai", MOVES).move_stack


def test_a_match_that_cannot_be_written_is_told_and_set_aside(server: Server) -> None:
    problem(anyone.get(f"{server.base}/api/matches/nothing/pgn"), 404, "no_such_match")
    problem(anyone.get(f"{server.base}/api/matches/{DAMAGED}/pgn", timeout=30), 500, "broken_match")
    assert f'"match": "{DAMAGED}"' in server.log.read_text()


def test_games_of_files_are_known_there(server: Server) -> None:
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


# What is cut, and what is refused.

GAMES = """\ufeff{A comment
that is not closed. (

[Event "First"]
[White "Ana"]

1. e4 e5 {[Event "no border"]}

[Event "Second"]

1. e4 Qd9 (
""".replace("\n", "\r\n")


def test_portions_say_what_the_whole_file_says(monkeypatch: pytest.MonkeyPatch) -> None:
    data = "\n".join(GAMES + f'[Event "{number}"]\n\n1. d4 d5 (1... e5 2. Ke9) *\n' for number in range(20)).encode()

    def read(most: int) -> tuple[Any, ...]:
        records: list[Any] = []
        faults: list[Any] = []
        left_out = 0
        parts = [*importing.portions(data)]
        for part, line in parts:
            found = importing.read(part, line, most - len(records) - left_out, "ana", "k" * 32, {}, 0)
            records, faults, left_out = records + found.records, faults + found.faults, left_out + found.left_out
            if found.full:
                break
        return len(parts), records, left_out, faults

    for most in (7, 1_000):
        monkeypatch.setattr(importing, "PORTION", len(data))
        whole = read(most)
        monkeypatch.setattr(importing, "PORTION", 300)
        cut = read(most)
        assert (whole[0], whole[1:]) == (1, cut[1:]) and cut[0] > 5
        assert whole[1] or whole[3]


def test_what_cannot_be_done_now_is_refused() -> None:
    app = FastAPI()
    problems.add_to(app)

    @app.get("/full")
    async def full() -> None:
        raise FullError

    @app.get("/late")
    async def late() -> None:
        raise LateError

    async def ask() -> list[tuple[int, str]]:
        transport = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=transport, base_url="http://test") as client:
            answers = [await client.get(path) for path in ("/full", "/late")]
        return [(answer.status_code, answer.json()["code"]) for answer in answers]

    assert asyncio.run(ask()) == [(503, "busy"), (503, "too_long")]


def test_methods_that_visitors_think_of_are_counted_as_one(server: Server) -> None:
    for method in ("MKCOL", "PROPFIND"):
        anyone.request(method, f"{server.base}/")
    counted = 'acedrex_requests_total{method="other",status="405"} 2.0'
    for _ in range(100):  # what is told may be a second old
        told = anyone.get(f"{server.base}/metrics").text
        if counted in told:
            break
        time.sleep(0.1)
    assert counted in told
    assert "MKCOL" not in told


def test_metrics_are_written_once_a_second(monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[bytes] = []
    monkeypatch.setattr(health, "generate_latest", lambda: written.append(b"") or b"fine")
    began = time.monotonic()
    for _ in range(1_000):
        asyncio.run(health.metrics())
    assert len(written) <= time.monotonic() - began + 2


def test_the_description_of_the_api_is_written_once() -> None:
    app = make(Settings(database="sqlite+aiosqlite:///nothing.db"))
    (route,) = [route for route in app.routes if getattr(route, "path", "") == "/api/openapi.json"]
    first, second = (asyncio.run(route.endpoint()).body for _ in range(2))  # type: ignore[attr-defined]
    assert first is second


def test_four_times_the_moves_are_read_in_four_times_the_time() -> None:
    texts = [str(pgn.Game.from_board(shuffled("chess", ["g1f3", "g8f6", "f3g1", "f6g8"], n))) for n in (1_000, 4_000)]
    assert growth(lambda text: analysis.read_pgn({}, text), *texts) < 9


def test_languages_that_there_are_not_cost_nothing() -> None:
    assert [asyncio.run(supported_language(language)) for language in ("fr", "xx", None)] == ["fr", None, None]
