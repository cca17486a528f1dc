"""Programs that play on a server: the bot from the documentation, and UCI engines."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from acedrex import Board
from tests.server.bots import Bot
from tests.server.conftest import ROOT, Person, Server
from tests.server.waiting import wait_until


def phase_of(person: Person, match: str) -> str:
    return str(person.http.get(f"/api/matches/{match}").json()["phase"])


def program(request: pytest.FixtureRequest, *words: str) -> subprocess.Popen[str]:
    """Run a program, and end it after the test."""
    process = subprocess.Popen(
        [sys.executable, *words], cwd=ROOT, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )

    def end() -> None:
        process.kill()
        process.wait()
        assert process.stdout is not None
        process.stdout.close()

    request.addfinalizer(end)
    return process


def test_the_documented_bot_has_at_most_thirty_lines_and_plays(
    request: pytest.FixtureRequest, ana: Person, bo: Person, tmp_path: Path
) -> None:
    page = (ROOT / "docs" / "bots.md").read_text(encoding="utf-8")
    (text,) = re.findall(r"^```python\n(.*?)^```", page, re.DOTALL | re.MULTILINE)
    assert sum(bool(line.strip()) for line in text.splitlines()) <= 30
    path = tmp_path / "bot.py"
    path.write_text(text, encoding="utf-8")
    program(request, str(path), ana.server.base, Bot(bo).token["token"])
    asking = Bot(ana)
    for game in ("chess", "chieftain"):
        made = asking.post(f"/api/challenge/{bo.id}", variant=game, color="white")
        stream = asking.stream(f"/api/bot/game/stream/{made['id']}")
        full = stream.next("gameFull")
        board = Board(game, full["initialFen"])
        state = full["state"]
        while state["status"] == "created" or not state["moves"].startswith("x"):
            if state["status"] == "started":
                moves = state["moves"].split()
                for move in moves[board.ply() :]:
                    board.push_uci(move)
                if board.fullmove_number > 4 or board.is_game_over():
                    break
                if board.turn:
                    asking.post(f"/api/bot/game/{made['id']}/move/{board.legal_moves[0]}")
            message = stream.next("gameFull", "gameState")
            state = message.get("state", message)
        assert len(state["moves"].split()) >= 8
        asking.post(f"/api/bot/game/{made['id']}/resign")


def test_a_uci_engine_accepts_challenges_and_offers_matches(
    request: pytest.FixtureRequest, ana: Person, bo: Person, tmp_path: Path
) -> None:
    token = tmp_path / "token"
    token.write_text(Bot(bo).token["token"])
    words = ["--engine", f"{sys.executable} -m acedrex uci", "--server", ana.server.base, "--token", str(token)]
    words += ["--game", "chess", "--game", "chieftain", "--offer", "chieftain", "--clock", "60+1", "--think", "0.1"]
    process = program(request, "-m", "acedrex", "bot", *words)
    asking = Bot(ana)
    found = wait_until(lambda: ana.http.get("/api/lobby").json())
    assert found[0]["by"] == "Bo" and found[0]["game"]["game"] == "chieftain"
    # A game that it does not play, and one that it plays.
    declined = asking.post(f"/api/challenge/{bo.id}", variant="magi")
    made = asking.post(f"/api/challenge/{bo.id}", variant="chess", color="white", clock_limit=60)
    wait_until(lambda: phase_of(ana, made["id"]) == "play")
    wait_until(lambda: phase_of(ana, declined["id"]) == "over")
    assert ana.http.get(f"/api/matches/{declined['id']}").json()["ending"]["reason"] == "declined"
    # Let it play the fool's mate.
    stream = asking.stream(f"/api/bot/game/stream/{made['id']}")
    stream.next("gameFull")
    path = f"/api/bot/game/{made['id']}/move"
    asking.post(f"{path}/f2f3")
    while len(stream.next("gameState")["moves"].split()) < 2:
        pass
    asking.post(f"{path}/g2g4")
    while (state := stream.next("gameState"))["status"] == "started" and len(state["moves"].split()) < 4:
        pass
    if state["status"] == "started":
        asking.post(f"/api/bot/game/{made['id']}/resign")
    wait_until(lambda: phase_of(ana, made["id"]) == "over", 120)
    # It offers a match in the lobby again, and plays complete turns.
    found = wait_until(lambda: ana.http.get("/api/lobby").json())
    assert ana.http.post(f"/api/lobby/{found[0]['match']}/accept").status_code == 204
    talk = ana.socket(found[0]["match"])
    while talk.position["ply"] < 2 or talk.position["turn"] != talk.snapshot["seat"]:
        if talk.position["turn"] == talk.snapshot["seat"] and "move" in talk.snapshot["may"]:
            talk.move("end" if talk.position["turn_moves"] else talk.position["legal"][0]["move"])
        else:
            talk.hear("update", "snapshot")
    process.kill()
    assert process.stdout is not None
    said = process.stdout.read()
    assert "accepted Ana's challenge: Chess" in said and "declined Ana's challenge: Magi" in said


def test_a_bot_reconnects_after_the_server_restarts(
    request: pytest.FixtureRequest, start: Callable[..., Server], tmp_path: Path
) -> None:
    server = start()
    ana, bo = Person(server, "Ana"), Person(server, "Bo")
    token = tmp_path / "token"
    token.write_text(Bot(bo).token["token"])
    words = ["--engine", f"{sys.executable} -m acedrex uci", "--server", server.base, "--token", str(token)]
    program(request, "-m", "acedrex", "bot", *words, "--think", "0.1")
    asking = Bot(ana)
    made = asking.post(f"/api/challenge/{bo.id}", variant="chess", color="white")

    def moves_played() -> int:
        return len(ana.http.get(f"/api/matches/{made['id']}").json()["moves"])

    wait_until(lambda: phase_of(ana, made["id"]) == "play")
    asking.post(f"/api/bot/game/{made['id']}/move/e2e4")
    wait_until(lambda: moves_played() >= 2)
    server.kill()
    server.start()
    asking.post(f"/api/bot/game/{made['id']}/move/d2d3")
    wait_until(lambda: moves_played() >= 4)
