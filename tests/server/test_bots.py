"""The bot API: tokens, challenges, streams, and bots that play."""

from __future__ import annotations

import json
import queue
import re
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest

from acedrex import Board
from tests.server.conftest import ROOT, Person, Server, anyone, coming_from

SCOPES = ["bot:play", "challenge:read", "challenge:write"]


class Stream:
    """A stream of lines of JSON, read by a thread."""

    def __init__(self, bot: Bot, path: str) -> None:
        self.lines: queue.Queue[str | None] = queue.Queue()
        self.response = bot.server.opened.enter_context(bot.http.stream("GET", path))
        assert self.response.status_code == 200, self.response.read()
        assert self.response.headers["content-type"] == "application/x-ndjson"
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        try:
            for line in self.response.iter_lines():
                self.lines.put(line)
        except (httpx.HTTPError, httpx.StreamError):
            pass
        self.lines.put(None)

    def line(self, seconds: float = 10) -> str | None:
        return self.lines.get(timeout=seconds)

    def next(self, *types: str) -> dict[str, Any]:
        """Give the next message of a type."""
        while (line := self.line()) is not None:
            if line and (said := json.loads(line))["type"] in types:
                return dict(said)
        raise AssertionError(f"the stream has ended before {types}")

    def leave(self) -> None:
        """Hang up, although a thread waits for the next line."""
        self.response.extensions["network_stream"].get_extra_info("socket").shutdown(socket.SHUT_RDWR)

    def ends(self, seconds: float = 10) -> bool:
        end = time.monotonic() + seconds
        while self.line(max(0.01, end - time.monotonic())) is not None:
            if time.monotonic() > end:
                return False
        return True


class Bot:
    """A program that plays by a token."""

    def __init__(self, person: Person, scopes: list[str] = SCOPES) -> None:
        self.server = person.server
        self.id = person.id
        made = person.http.post("/api/me/tokens", json={"name": "test", "scopes": scopes})
        assert made.status_code == 201, made.text
        self.token = made.json()
        transport = coming_from(person.address)
        headers = {"Authorization": f"Bearer {self.token['token']}"}
        client = httpx.Client(base_url=person.server.base, timeout=20, transport=transport, headers=headers)
        self.http = person.server.opened.enter_context(client)

    def post(self, path: str, code: str | None = None, **fields: Any) -> dict[str, Any]:
        """Post a form; with a code it has to be refused."""
        answer = self.http.post(path, data={key.replace("_", "."): value for key, value in fields.items()})
        told: dict[str, Any] = answer.json()
        assert (told.get("code") if answer.status_code >= 400 else None) == code, answer.text
        return told

    def stream(self, path: str = "/api/stream/event") -> Stream:
        return Stream(self, path)


# Tokens.


def test_tokens_are_made_listed_and_revoked(ana: Person, bo: Person) -> None:
    bot = Bot(ana, ["challenge:read", "bot:play", "bot:play"])
    secret = bot.token["token"]
    assert secret.startswith("acx_") and bot.token["scopes"] == ["bot:play", "challenge:read"]
    listed = ana.http.get("/api/me/tokens").json()
    assert [token["id"] for token in listed] == [bot.token["id"]] and "token" not in listed[0]
    assert bo.http.get("/api/me/tokens").json() == []
    assert bo.http.delete(f"/api/me/tokens/{bot.token['id']}").status_code == 404
    assert bot.http.get("/api/account").json() == {"id": ana.id, "username": "Ana", "title": "BOT"}
    # A token is not the guest: it makes no tokens.
    assert bot.http.post("/api/me/tokens", json={"name": "x", "scopes": SCOPES}).status_code == 401
    assert ana.http.delete(f"/api/me/tokens/{bot.token['id']}").status_code == 204
    assert bot.http.get("/api/account").json()["code"] == "unknown_token"
    other = Bot(ana)
    assert other.http.delete("/api/token").status_code == 204
    assert other.http.get("/api/account").status_code == 401


def test_a_token_allows_what_its_scopes_say(ana: Person, bo: Person) -> None:
    reader = Bot(ana, ["challenge:read"])
    assert reader.http.get("/api/challenge").json() == {"in": [], "out": []}
    reader.post(f"/api/challenge/{bo.id}", "missing_scope")
    assert reader.http.get("/api/stream/event").json()["code"] == "missing_scope"
    assert anyone.get(f"{ana.server.base}/api/stream/event").status_code == 401


def test_tokens_are_few(server: Server) -> None:
    ana = Person(server, "Ana", "127.0.0.31")
    for _ in range(20):
        Bot(ana)
    answer = ana.http.post("/api/me/tokens", json={"name": "x", "scopes": SCOPES})
    assert answer.status_code == 400 and answer.json()["code"] == "too_many"
    assert ana.http.post("/api/me/tokens", json={"name": "x", "scopes": ["all"]}).status_code == 400


def test_public_pages_take_tokens_and_tell_what_their_scopes_allow(ana: Person) -> None:
    made = ana.match(opponent={"kind": "engine", "level": 1})["match"]
    waits = ana.match(opponent={"kind": "lobby"})["match"]
    plays, lists, finds = (Bot(ana, [scope]).http for scope in ("bot:play", "challenge:read", "archive:read"))

    # A match is watched once it has begun.
    move = next(one["move"] for one in plays.get(f"/api/matches/{made}").json()["position"]["legal"])
    assert plays.post(f"/api/bot/game/{made}/move/{move}").status_code == 200
    for _ in range(200):
        if len(plays.get(f"/api/matches/{made}").json()["moves"]) == 2:
            break
        time.sleep(0.1)

    def mine(http: httpx.Client) -> list[bool]:
        return [one["mine"] for one in http.get("/api/lobby").json() if one["match"] == waits]

    def turn(http: httpx.Client) -> list[bool | None]:
        return [one["your_turn"] for one in http.get("/api/watch").json() if one["match"] == made]

    for http, seat, own in ((plays, "white", False), (lists, None, True), (finds, None, False)):
        told = http.get(f"/api/matches/{made}").json()
        assert told["seat"] == seat and bool(told["position"]["legal"]) == (seat is not None)
        assert mine(http) == [own]
        assert turn(http) == [seat and True]
        assert http.get("/api/daily").json()["solved"] == []
        assert http.post("/api/analysis/jobs", json={"game": "chess", "fen": ""}).status_code == 400
    unknown = anyone.get(f"{ana.server.base}/api/lobby", headers={"Authorization": "Bearer acx_nobody"})
    assert (unknown.status_code, unknown.json()["code"]) == (401, "unknown_token")
    assert ana.http.post(f"/api/challenge/{waits}/cancel").status_code == 200


# Challenges.


def test_a_challenge_is_accepted_and_played(ana: Person, bo: Person) -> None:
    white, black = Bot(ana), Bot(bo)
    hears = black.stream()
    asked = {"variant": "chess", "color": "white", "clock_limit": 300, "clock_increment": 5}
    made = white.post(f"/api/challenge/{bo.id}", **asked)
    assert made["status"] == "created" and made["timeControl"] == {"type": "clock", "limit": 300, "increment": 5}
    assert (made["challenger"]["name"], made["destUser"]["id"]) == ("Ana", bo.id)
    heard = hears.next("challenge")["challenge"]
    assert heard == made
    assert black.http.get("/api/challenge").json()["in"] == [made]
    assert white.http.get("/api/challenge").json()["out"] == [made]
    # Nobody else may take the seat.
    zoe = Bot(Person(ana.server, "Zoe", "127.0.0.32"))
    zoe.post(f"/api/challenge/{made['id']}/accept", "no_such_challenge")
    black.post(f"/api/challenge/{made['id']}/accept")
    started = hears.next("gameStart")["game"]
    assert (started["id"], started["color"], started["isMyTurn"]) == (made["id"], "black", False)
    assert started["opponent"] == {"id": ana.id, "name": "Ana"}
    path = f"/api/bot/game/{made['id']}"
    one, two = white.stream(f"/api/bot/game/stream/{made['id']}"), black.stream(f"/api/bot/game/stream/{made['id']}")
    full = one.next("gameFull")
    assert full["variant"] == {"key": "chess", "name": "Chess", "options": {}}
    assert full["white"] == {"id": ana.id, "name": "Ana"} and full["speed"] == "rapid"
    assert full["state"]["moves"] == "" and full["state"]["wtime"] == 300_000 and full["state"]["winc"] == 5_000
    assert two.next("gameFull")["initialFen"] == Board("chess").fen()
    black.post(f"{path}/move/e7e5", "not_your_turn")
    white.post(f"{path}/move/e2e5", "illegal")
    for bot, move in ((white, "f2f3"), (black, "e7e5"), (white, "g2g4")):
        bot.post(f"{path}/move/{move}")
        said = [stream.next("gameState") for stream in (one, two)]
        assert said[0]["moves"] == said[1]["moves"] and said[0]["moves"].endswith(move)
    white.post(f"{path}/chat", room="player", text="well")
    assert two.next("chatLine") == {"type": "chatLine", "room": "player", "username": "Ana", "text": "well"}
    black.post(f"{path}/move/d8h4")
    over = two.next("gameState")
    assert (over["status"], over["winner"]) == ("mate", "black")
    assert two.ends() and one.ends()
    assert hears.next("gameFinish")["game"]["winner"] == "black"
    black.post(f"{path}/move/d8h4", "over")


def test_challenges_are_declined_and_canceled(ana: Person, bo: Person) -> None:
    white, black = Bot(ana), Bot(bo)
    made = white.post(f"/api/challenge/{bo.id}", days=3, variant="magi:scoring=four_points")
    assert made["variant"]["options"] == {"scoring": "four_points"}
    assert made["timeControl"] == {"type": "correspondence", "daysPerTurn": 3}
    hers, his = white.stream(), black.stream()
    assert his.next("challenge")["challenge"]["id"] == made["id"], "what stands is told first"
    black.post(f"/api/challenge/{made['id']}/cancel", "no_such_challenge")
    black.post(f"/api/challenge/{made['id']}/decline")
    assert hers.next("challengeDeclined")["challenge"]["status"] == "declined"
    again = white.post(f"/api/challenge/{bo.id}")
    assert his.next("challenge")["challenge"]["timeControl"] == {"type": "unlimited"}
    white.post(f"/api/challenge/{again['id']}/cancel")
    assert his.next("challengeCanceled")["challenge"]["id"] == again["id"]
    black.post(f"/api/challenge/{again['id']}/accept", "no_such_challenge")


# Streams.


def test_quiet_streams_show_that_they_live(ana: Person, bo: Person) -> None:
    bot = Bot(ana)
    made = bot.post("/api/challenge/open", variant="chess", color="white")
    bo.http.post(f"/api/lobby/{made['id']}/accept")
    events, match = bot.stream(), bot.stream(f"/api/bot/game/stream/{made['id']}")
    assert events.next("gameStart") and match.next("gameFull")
    began = time.monotonic()
    while events.line() or match.line():
        pass
    assert 4 < time.monotonic() - began < 15
    # A new stream ends the one before; a revoked token ends all of its streams.
    again = bot.stream()
    assert events.ends()
    ana.http.delete(f"/api/me/tokens/{bot.token['id']}")
    assert again.ends(20) and match.ends(20)


def test_streams_end_with_the_server(start: Callable[..., Server]) -> None:
    server = start()
    bot = Bot(Person(server, "Ana"))
    made = bot.post("/api/challenge/ai", color="white")
    events, match = bot.stream(), bot.stream(f"/api/bot/game/stream/{made['id']}")
    match.next("gameFull")
    began = time.monotonic()
    assert server.end() == 0
    assert events.ends() and match.ends() and time.monotonic() - began < 8
    assert server.faults() == []


def test_who_has_no_seat_hears_nothing(ana: Person, bo: Person) -> None:
    made = ana.match(opponent={"kind": "friend"})
    bot = Bot(bo)
    for path in (f"stream/{made['match']}", "stream/nothing"):
        assert bot.http.get(f"/api/bot/game/{path}").status_code in (403, 404)
    bot.post(f"/api/bot/game/{made['match']}/resign", "no_seat")


def test_a_bot_that_leaves_is_gone(ana: Person, bo: Person) -> None:
    bot = Bot(ana)
    made = bot.post("/api/challenge/open", color="white")
    bo.http.post(f"/api/lobby/{made['id']}/accept")
    stream = bot.stream(f"/api/bot/game/stream/{made['id']}")
    stream.next("gameFull")
    talk = bo.socket(made["id"])
    assert talk.hear("presence")["white"]
    stream.leave()
    while talk.hear("presence", seconds=5)["white"]:
        pass


# Playing.


def test_a_turn_of_several_moves_is_made_whole_or_not_at_all(ana: Person, bo: Person) -> None:
    bot = Bot(ana)
    made = bot.post(f"/api/challenge/{bo.id}", variant="chieftain", color="white")
    Bot(bo).post(f"/api/challenge/{made['id']}/accept")
    path = f"/api/bot/game/{made['id']}/move"
    for wrong in ("a4a5,a4a5,end", "a4a5,end,a9a8", "end,end", ",", "a4a5,", ",".join(["end"] * 17)):
        answer = bot.http.post(f"{path}/{wrong}")
        assert answer.status_code == 400, answer.text
    assert ana.http.get(f"/api/matches/{made['id']}").json()["moves"] == []
    bot.post(f"{path}/a4a5,p4p5,end")
    told = ana.http.get(f"/api/matches/{made['id']}").json()
    assert [move["move"] for move in told["moves"]] == ["a4a5", "p4p5", "end"] and told["position"]["turn"] == "black"


def test_draws_takebacks_and_setups(ana: Person, bo: Person) -> None:
    white, black = Bot(ana), Bot(bo)
    made = white.post(f"/api/challenge/{bo.id}", variant="maasai", color="white", setup="choose")
    black.post(f"/api/challenge/{made['id']}/accept")
    path = f"/api/bot/game/{made['id']}"
    stream = black.stream(f"/api/bot/game/stream/{made['id']}")
    assert stream.next("gameFull")["state"]["status"] == "setup"
    white.post(f"{path}/setup/random", "not_your_turn")
    black.post(f"{path}/setup/289", "no_such_setup")
    black.post(f"{path}/setup/5")
    full = stream.next("gameFull")
    assert full["state"]["status"] == "started" and full["initialFen"] == Board("maasai", setup=5).fen()
    move = Board("maasai", full["initialFen"]).legal_moves[0].uci()
    white.http.post(f"{path}/move/{move}?offeringDraw=true")
    while not (state := stream.next("gameState"))["wdraw"]:
        pass
    assert state["moves"] == move
    black.post(f"{path}/draw/no")
    white.post(f"{path}/takeback/yes")
    black.post(f"{path}/takeback/yes")
    while (state := stream.next("gameState"))["moves"]:
        pass
    white.post(f"{path}/draw/yes")
    black.post(f"{path}/draw/yes")
    while (state := stream.next("gameState"))["status"] == "started":
        pass
    assert (state["status"], state["reason"], "winner" in state) == ("draw", "agreement", False)
    black.post(f"{path}/draw/no", "over")


def test_wrong_challenges(ana: Person) -> None:
    bot = Bot(ana)
    bot.post("/api/challenge/nobody", "no_such_person")
    bot.post(f"/api/challenge/{ana.id}", "own_match")
    bot.post("/api/challenge/open", "no_such_game", variant="nothing")
    bot.post("/api/challenge/open", "no_such_option", variant="chess:x=y")
    bot.post("/api/challenge/open", "invalid", clock_limit="soon")
    bot.post("/api/challenge/open", "invalid", fen="8/8/8/8/8/8/8/K6k w - - 0 1")
    answer = bot.http.post("/api/challenge/ai", json={"variant": "standard", "level": 1, "color": "black"})
    assert answer.status_code == 200 and answer.json()["variant"]["key"] == "chess"
    playing = bot.http.get("/api/account/playing").json()["nowPlaying"]
    assert [(one["id"], one["opponent"]["name"]) for one in playing] == [(answer.json()["id"], "Acedrex 1")]


def test_who_hurries_is_slowed_down(server: Server) -> None:
    bot = Bot(Person(server, "Ana", "127.0.0.33"))
    made = bot.http.post("/api/challenge/ai").json()
    answers = [bot.http.post(f"/api/bot/game/{made['id']}/move/e2e5") for _ in range(80)]
    refused = [answer for answer in answers if answer.status_code == 429]
    assert 20 < len(refused) <= 40 and refused[0].headers["retry-after"]
    codes = [bot.http.post("/api/challenge/nobody").json()["code"] for _ in range(30)]
    assert codes[-1] == "too_fast"


# Programs.


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


def test_bots_on_two_processes(start: Callable[..., Server], postgresql: Callable[[], str], redis_url: str) -> None:
    """Whatever process one speaks to, the bot hears of it in its own."""
    server = start("--workers", "2", ACEDREX_DATABASE_URL=postgresql(), ACEDREX_REDIS_URL=redis_url)
    ana, bo = Person(server, "Ana"), Person(server, "Bo")
    hears = Bot(bo)
    events = hears.stream()
    asked, heard = set(), set()
    for _ in range(8):
        # A connection of its own each time, so that both processes are asked.
        made = Bot(ana).post(f"/api/challenge/{bo.id}", color="white")
        asked.add(made["id"])
        heard.add(events.next("challenge")["challenge"]["id"])
    assert heard == asked
    Bot(bo).post(f"/api/challenge/{made['id']}/accept")
    assert events.next("gameStart")["game"]["id"] == made["id"]
    path = f"/api/bot/game/stream/{made['id']}"
    streams = [Bot(ana).stream(path) for _ in range(6)]
    for stream in streams:
        stream.next("gameFull")
    Bot(ana).post(f"/api/bot/game/{made['id']}/move/e2e4")
    for stream in streams:
        while stream.next("gameState")["moves"] != "e2e4":
            pass
    Bot(bo).post(f"/api/bot/game/{made['id']}/resign")
    assert events.next("gameFinish")["game"]["winner"] == "white"


def wait(truth: Callable[[], bool], seconds: float = 30) -> None:
    """Wait until something holds."""
    end = time.monotonic() + seconds
    while not truth():
        assert time.monotonic() < end
        time.sleep(0.1)
