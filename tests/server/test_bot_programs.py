"""Programs that play on a server: the bot of the documentation, and UCI engines."""

from __future__ import annotations

import re
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from acedrex import Board
from tests.server.bots import Bot
from tests.server.conftest import ROOT, Person, Server


def wait(truth: Callable[[], bool], seconds: float = 30) -> None:
    """Wait until something holds."""
    end = time.monotonic() + seconds
    while not truth():
        assert time.monotonic() < end
        time.sleep(0.1)


def wait_until_over(person: Person, match: str, seconds: float = 120) -> dict[str, Any]:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        told: dict[str, Any] = person.http.get(f"/api/matches/{match}").json()
        if told["phase"] == "over":
            return told
        time.sleep(0.3)
    raise AssertionError(f"after {seconds} s: {told['moves'][-3:]}")


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


def test_the_bot_of_thirty_lines(request: pytest.FixtureRequest, ana: Person, bo: Person, tmp_path: Path) -> None:
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


def test_a_uci_engine_joins(request: pytest.FixtureRequest, ana: Person, bo: Person, tmp_path: Path) -> None:
    token = tmp_path / "token"
    token.write_text(Bot(bo).token["token"])
    words = ["--engine", f"{sys.executable} -m acedrex uci", "--server", ana.server.base, "--token", str(token)]
    words += ["--game", "chess", "--game", "chieftain", "--offer", "chieftain", "--clock", "60+1", "--think", "0.1"]
    process = program(request, "-m", "acedrex", "bot", *words)
    asking = Bot(ana)
    for _ in range(200):
        if found := ana.http.get("/api/lobby").json():
            break
        time.sleep(0.1)
    assert found[0]["by"] == "Bo" and found[0]["game"]["game"] == "chieftain"
    # Somebody asks for a game that it does not play, and for one that it does.
    declined = asking.post(f"/api/challenge/{bo.id}", variant="magi")
    made = asking.post(f"/api/challenge/{bo.id}", variant="chess", color="white", clock_limit=60)
    told = None
    for _ in range(200):
        told = ana.http.get(f"/api/matches/{made['id']}").json()
        if told["phase"] == "play":
            break
        time.sleep(0.1)
    assert told is not None and told["phase"] == "play"
    assert ana.http.get(f"/api/matches/{declined['id']}").json()["ending"]["reason"] == "declined"
    # Fool's mate is too good to be missed.
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
    wait_until_over(ana, made["id"])
    # It is back in the lobby, and plays whole turns.
    for _ in range(200):
        if found := ana.http.get("/api/lobby").json():
            break
        time.sleep(0.1)
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


def test_a_bot_comes_back_after_the_server(
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

    def bot_has_played(moves: int) -> bool:
        return len(ana.http.get(f"/api/matches/{made['id']}").json()["moves"]) >= moves

    wait(lambda: ana.http.get(f"/api/matches/{made['id']}").json()["phase"] == "play")
    asking.post(f"/api/bot/game/{made['id']}/move/e2e4")
    wait(lambda: bot_has_played(2))
    server.kill()
    server.start()
    asking.post(f"/api/bot/game/{made['id']}/move/d2d3")
    wait(lambda: bot_has_played(4))
