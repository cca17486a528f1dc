"""The bot API: tokens, challenges, streams, and bots that play."""

from __future__ import annotations

import json
import queue
import threading
from typing import Any

import httpx

from acedrex import Board
from tests.server.conftest import Person, Server

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

    def ends(self, seconds: float = 10) -> bool:
        while self.line(seconds) is not None:
            pass
        return True


class Bot:
    """A program that plays by a token."""

    def __init__(self, person: Person, scopes: list[str] = SCOPES) -> None:
        self.server = person.server
        self.id = person.id
        made = person.http.post("/api/me/tokens", json={"name": "test", "scopes": scopes})
        assert made.status_code == 201, made.text
        self.token = made.json()
        transport = httpx.HTTPTransport(local_address=person.address)
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
    assert httpx.get(f"{ana.server.base}/api/stream/event").status_code == 401


def test_tokens_are_few(server: Server) -> None:
    ana = Person(server, "Ana", "127.0.0.31")
    for _ in range(20):
        Bot(ana)
    answer = ana.http.post("/api/me/tokens", json={"name": "x", "scopes": SCOPES})
    assert answer.status_code == 400 and answer.json()["code"] == "too_many"
    assert ana.http.post("/api/me/tokens", json={"name": "x", "scopes": ["all"]}).status_code == 400


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
    for bot, ply in ((white, "f2f3"), (black, "e7e5"), (white, "g2g4")):
        bot.post(f"{path}/move/{ply}")
        said = [stream.next("gameState") for stream in (one, two)]
        assert said[0]["moves"] == said[1]["moves"] and said[0]["moves"].endswith(ply)
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
