"""The dearest known position of every game through every public route: none holds up the matches of others.

``tests/data/dearest.json`` has the positions, found by climbing to ever more bytes of legal moves.
"""

from __future__ import annotations

import itertools
import json
import struct
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from acedrex import Board, load, pgn, square_name
from tests.server.conftest import ROOT, Person, Server, anyone

pytestmark = pytest.mark.slow

POSITIONS: dict[str, str] = json.loads((ROOT / "tests" / "data" / "dearest.json").read_text(encoding="utf-8"))
#: Seconds of processor time for which a request may hold the loop.
MOST = 0.01
#: What is too long is tried so often: caches are filled, and a busy machine may hold up one attempt.
TRIES = 3
#: Paths of the API that no position goes through.
OTHERS = (
    *(
        "/api/account",
        "/api/bot/",
        "/api/calendars/",
        "/api/challenge",
        "/api/daily",
        "/api/engines",
        "/api/guests",
        "/api/here",
        "/api/lobby",
        "/api/mail/",
        "/api/me",
        "/api/moderation/",
        "/api/people/",
        "/api/publish",
        "/api/ratings",
    ),
    *(
        "/api/privacy",
        "/api/recovery",
        "/api/reports",
        "/api/sessions",
        "/api/stream",
        "/api/token",
        "/api/tournaments",
        "/api/watch",
        "/healthz",
        "/metrics",
        "/api/archive/pgn",
    ),
    *("/api/games/{id}/puzzles", "/api/games/{id}/exercises", "/api/games/{id}/setups", "/api/games/{id}/study"),
    *("/api/studies/{id}/people/{who}", "/api/studies/{id}/reports", "/api/studies/{id}/withdrawal"),
    *("/api/matches/{id}/seat", "/api/analysis/jobs/{id}", "/api/matches/{id}/note"),
)


class Measured(Server):
    """A server that measures how long its loop is held."""

    def __init__(self, folder: Path) -> None:
        self.file = folder / "held"
        self.file.write_bytes(bytes(8))
        super().__init__(folder)

    def launch(self, words: list[str]) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "tests.server.held_loop", str(self.file), *words]
        with self.log.open("a") as log:
            return subprocess.Popen(
                command, env=self.environment, stdout=log, stderr=log, cwd=ROOT, start_new_session=True
            )

    def held(self, work: Callable[[], Any]) -> float:
        """Return for how long some work has held the loop, in seconds of processor time."""
        with self.file.open("r+b") as file:
            file.write(bytes(8))
        work()
        # The end of a response is after its last byte.
        time.sleep(0.01)
        found: float = struct.unpack("d", self.file.read_bytes())[0]
        return found


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Measured]:
    one = Measured(tmp_path_factory.mktemp("measured"))
    yield one
    assert one.end() == 0
    assert one.faults() == []


def routes(server: Measured, person: Person, game: str) -> Iterator[tuple[str, Callable[[], Any]]]:
    """Yield paths, and what asks them about the game's dearest position."""
    fen = POSITIONS[game]
    board = Board(load(game), fen)
    move = max(board.legal_moves, key=lambda move: len(board.san(move))).uci()
    squares = [square_name(at) for at in board.piece_map()]
    record = pgn.Game(board.game)
    record.setup(board)
    record.add_variation(board.parse_uci(move)) if not board.game.turns_of_several_moves else None
    match = ""

    def post(path: str, **body: Any) -> tuple[str, Callable[[], Any]]:
        def ask() -> Any:
            answer = person.http.post(path, json=body)
            assert answer.status_code in (200, 201), answer.text
            return answer

        return path, ask

    def get(path: str, template: str = "", /, **params: str) -> tuple[str, Callable[[], Any]]:
        def ask() -> Any:
            answer = person.http.get(path, params=params)
            assert answer.status_code == 200, answer.text
            return answer

        return template or path, ask

    asked = {"game": game, "fen": fen}
    nodes = [{"parent": -1, "move": each.uci()} for each in itertools.islice(board.legal_moves, 10)]
    yield post("/api/position", **asked)
    yield post("/api/position", **asked, moves=[move])
    yield post("/api/idle", **asked, square=squares[0])
    yield post("/api/reach", **asked, square=squares[-1], premove=True)
    yield post("/api/analysis/tree", **asked, nodes=nodes)
    yield post("/api/analysis/pgn", **asked, nodes=nodes)
    yield post("/api/analysis/record", pgn=str(record))
    yield post("/api/analysis/moves", **asked, moves=[move])
    yield post("/api/analysis/attacks", **asked)
    yield post("/api/analysis/edit", **asked)
    yield post("/api/analysis/picture", **asked)
    yield post("/api/analysis/jobs", **asked, moves=[move])
    yield get(f"/api/games/{game}", "/api/games/{id}")
    yield get("/api/games")
    yield get(f"/api/games/{game}/lessons", "/api/games/{id}/lessons")
    yield get(f"/api/games/{game}/first-game", "/api/games/{id}/first-game")
    yield get(f"/api/games/{game}/positions", "/api/games/{id}/positions")
    yield get("/api/archive/openings", game=game, fen=fen)

    def new_match() -> None:
        nonlocal match
        match = person.match(game, fen=fen)["match"]

    yield "/api/matches", new_match
    yield get(f"/api/matches/{match}", "/api/matches/{id}")
    yield get(f"/api/matches/{match}/game", "/api/matches/{id}/game")
    yield get(f"/api/matches/{match}/pgn", "/api/matches/{id}/pgn")
    yield get(f"/match/{match}", "/match/{id}")
    yield get(f"/embed/match/{match}", "/embed/match/{id}")
    yield get(f"/embed/match/{match}/moves", "/embed/match/{id}/moves")
    yield get("/oembed", url=f"{server.base}/match/{match}")
    yield get("/preview.png", of=f"match/{match}")

    def play() -> None:
        talk = person.socket(match)
        talk.move(move)
        talk.do(type="undo")
        talk.do(type="resign")
        talk.close()

    yield "/api/matches/{id}/socket", play
    yield "/api/archive", lambda: person.http.post("/api/archive", content=str(record))

    def look() -> None:
        socket = server.connect("/api/analysis/socket", source_address=(person.address, 0))
        socket.send(json.dumps({"type": "look", "id": "1", **asked}))
        while json.loads(socket.recv(30))["type"] != "lines":
            pass
        socket.close()

    yield "/api/analysis/socket", look
    yield get("/api/tv")
    yield get("/api/match-of-the-day")
    yield from in_study(person, game, fen, nodes[0]["move"])
    yield "/api/matches/{id}/conditional-moves", planning(server, person, board)


def in_study(person: Person, game: str, fen: str, move: Any) -> Iterator[tuple[str, Callable[[], Any]]]:
    """Yield paths of studies, and what asks them about a position."""
    chapter = {"title": "Dear", "game": game, "fen": fen, "mode": "exercise", "nodes": [{"parent": -1, "move": move}]}
    study = ""

    def make() -> None:
        nonlocal study
        answer = person.http.post("/api/studies", json={"title": "Dear", "access": "link", "chapter": chapter})
        assert answer.status_code == 201, answer.text
        study = answer.json()["study"]

    def ask(method: str, path: str, body: Any = None) -> tuple[str, Callable[[], Any]]:
        def request() -> None:
            answer = person.http.request(method, path.format(id=study, chapter=1), json=body)
            assert answer.is_success, answer.text

        return path, request

    yield "/api/studies", make
    yield ask("GET", "/api/studies/{id}")
    yield ask("GET", "/api/studies/{id}/pgn")
    yield ask("POST", "/api/studies/{id}/chapters", chapter)
    yield ask("GET", "/api/studies/{id}/chapters/{chapter}")
    yield ask("POST", "/api/studies/{id}/chapters/{chapter}/attempts", {"moves": [move]})


def planning(server: Measured, person: Person, board: Board) -> Callable[[], None]:
    """Return what plans a reply in a match from a position."""
    clock = {"kind": "correspondence", "days_per_turn": 3, "reserve_days": 0}
    side = "black" if board.turn else "white"
    made = person.match(board.game.id, fen=board.fen(), opponent={"kind": "friend"}, side=side, time=clock)
    Person(server, "Bo", person.address).sit(made)
    position, line = board.copy(), list[list[str]]()
    while len(line) < 2 and position.outcome() is None:
        turn = position.turn
        line.append([])
        while position.turn == turn and position.outcome() is None:
            moves = {move.uci(): move for move in position.legal_moves}
            move = moves.get("end") or next(iter(moves.values()))
            line[-1].append(move.uci())
            position.push(move)

    def plan() -> None:
        answer = person.http.put(f"/api/matches/{made['match']}/conditional-moves", json={"lines": [line]})
        assert answer.status_code in (200, 400), answer.text

    return plan


@pytest.mark.parametrize("game", sorted(POSITIONS))
def test_the_dearest_position_of_a_game_holds_up_nothing(server: Measured, game: str) -> None:
    number = sorted(POSITIONS).index(game)
    least: dict[str, float] = {}
    for attempt in range(TRIES):
        # Each from another address, for this is not about budgets.
        person = Person(server, "Ana", f"127.0.{20 + attempt}.{number + 1}")
        for path, ask in routes(server, person, game):
            least[path] = min(least.get(path, 1.0), server.held(ask))
        if all(seconds < MOST for seconds in least.values()):
            break
    assert {path: seconds for path, seconds in least.items() if seconds >= MOST} == {}


@pytest.mark.slow
def test_no_route_is_forgotten(server: Measured) -> None:
    known = set(json.loads(anyone.get(f"{server.base}/api/openapi.json").text)["paths"])
    asked = {path for path, _ in routes(server, Person(server), "chess")}
    assert {path for path in known - asked if not path.startswith(OTHERS)} == set()
