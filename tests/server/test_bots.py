"""The bot API: tokens, challenges, streams, and bots on several processes."""

from __future__ import annotations

import time
from collections.abc import Callable

import httpx

from acedrex import Board
from acedrex.server import shutdown
from tests.server.bots import SCOPES, Bot
from tests.server.conftest import Person, Server, anyone
from tests.server.services import PostgreSQL
from tests.server.waiting import wait_until

# Tokens.


def test_tokens_are_created_listed_and_revoked(ana: Person, bo: Person) -> None:
    bot = Bot(ana, ["challenge:read", "bot:play", "bot:play"])
    secret = bot.token["token"]
    assert secret.startswith("acx_") and bot.token["scopes"] == ["bot:play", "challenge:read"]
    listed = ana.http.get("/api/me/tokens").json()
    assert [token["id"] for token in listed] == [bot.token["id"]] and "token" not in listed[0]
    assert bo.http.get("/api/me/tokens").json() == []
    assert bo.http.delete(f"/api/me/tokens/{bot.token['id']}").status_code == 404
    assert bot.http.get("/api/account").json() == {"id": ana.id, "username": "Ana", "title": "BOT"}
    # A token does not replace the guest: it cannot create tokens.
    assert bot.http.post("/api/me/tokens", json={"name": "x", "scopes": SCOPES}).status_code == 401
    assert ana.http.delete(f"/api/me/tokens/{bot.token['id']}").status_code == 204
    assert bot.http.get("/api/account").json()["code"] == "unknown_token"
    other = Bot(ana)
    assert other.http.delete("/api/token").status_code == 204
    assert other.http.get("/api/account").status_code == 401


def test_a_token_allows_only_what_its_scopes_include(ana: Person, bo: Person) -> None:
    reader = Bot(ana, ["challenge:read"])
    assert reader.http.get("/api/challenge").json() == {"in": [], "out": []}
    reader.post(f"/api/challenge/{bo.id}", "missing_scope")
    assert reader.http.get("/api/stream/event").json()["code"] == "missing_scope"
    assert anyone.get(f"{ana.server.base}/api/stream/event").status_code == 401


def test_the_tokens_of_a_person_are_limited(server: Server) -> None:
    ana = Person(server, "Ana", "127.0.0.31")
    for _ in range(20):
        Bot(ana)
    answer = ana.http.post("/api/me/tokens", json={"name": "x", "scopes": SCOPES})
    assert answer.status_code == 409 and answer.json()["code"] == "too_many"
    assert ana.http.post("/api/me/tokens", json={"name": "x", "scopes": ["all"]}).status_code == 400


def test_public_endpoints_show_a_token_what_its_scopes_allow(ana: Person) -> None:
    made = ana.match(opponent={"kind": "engine", "level": 1})["match"]
    waits = ana.match(opponent={"kind": "lobby"})["match"]
    plays, lists, finds = (Bot(ana, [scope]).http for scope in ("bot:play", "challenge:read", "archive:read"))

    # A match can be watched after its first move.
    move = next(one["move"] for one in plays.get(f"/api/matches/{made}").json()["position"]["legal"])
    assert plays.post(f"/api/bot/game/{made}/move/{move}").status_code == 200
    wait_until(lambda: len(plays.get(f"/api/matches/{made}").json()["moves"]) == 2)

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
    # No other person may take the seat.
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
    assert his.next("challenge")["challenge"]["id"] == made["id"], "open challenges come first"
    black.post(f"/api/challenge/{made['id']}/cancel", "no_such_challenge")
    black.post(f"/api/challenge/{made['id']}/decline")
    assert hers.next("challengeDeclined")["challenge"]["status"] == "declined"
    again = white.post(f"/api/challenge/{bo.id}")
    assert his.next("challenge")["challenge"]["timeControl"] == {"type": "unlimited"}
    white.post(f"/api/challenge/{again['id']}/cancel")
    assert his.next("challengeCanceled")["challenge"]["id"] == again["id"]
    black.post(f"/api/challenge/{again['id']}/accept", "no_such_challenge")


# Streams.


def test_idle_streams_send_keepalives_until_they_are_replaced_or_revoked(ana: Person, bo: Person) -> None:
    bot = Bot(ana)
    made = bot.post("/api/challenge/open", variant="chess", color="white")
    bo.http.post(f"/api/lobby/{made['id']}/accept")
    events, match = bot.stream(), bot.stream(f"/api/bot/game/stream/{made['id']}")
    assert events.next("gameStart") and match.next("gameFull")
    began = time.monotonic()
    while events.line() or match.line():
        pass
    assert time.monotonic() - began > 4
    # A new stream replaces the previous one; revoking a token ends all its streams.
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
    assert events.ends() and match.ends() and time.monotonic() - began < shutdown.WORKER_TIMEOUT_S
    assert server.faults() == []


def test_a_bot_without_a_seat_cannot_stream_a_match(ana: Person, bo: Person) -> None:
    made = ana.match(opponent={"kind": "friend"})
    bot = Bot(bo)
    for path in (f"stream/{made['match']}", "stream/nothing"):
        assert bot.http.get(f"/api/bot/game/{path}").status_code in (403, 404)
    bot.post(f"/api/bot/game/{made['match']}/resign", "no_seat")


def test_a_bot_whose_stream_ends_is_shown_as_offline(ana: Person, bo: Person) -> None:
    bot = Bot(ana)
    made = bot.post("/api/challenge/open", color="white")
    bo.http.post(f"/api/lobby/{made['id']}/accept")
    stream = bot.stream(f"/api/bot/game/stream/{made['id']}")
    stream.next("gameFull")
    talk = bo.socket(made["id"])
    assert talk.hear("presence")["white"]
    stream.leave()
    while talk.hear("presence")["white"]:
        pass


# Playing.


def test_a_turn_of_several_moves_is_played_completely_or_not_at_all(ana: Person, bo: Person) -> None:
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


def test_bots_choose_setups_and_agree_on_takebacks_and_draws(ana: Person, bo: Person) -> None:
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


def test_invalid_challenges_are_refused(ana: Person) -> None:
    bot = Bot(ana)
    bot.post("/api/challenge/nobody", "no_such_person")
    bot.post(f"/api/challenge/{ana.id}", "own_match")
    bot.post("/api/challenge/open", "no_such_game", variant="nothing")
    bot.post("/api/challenge/open", "no_such_option", variant="chess:x=y")
    bot.post("/api/challenge/open", "invalid", clock_limit="soon")
    bot.post("/api/challenge/open", "invalid", fen="8/8/8/8/8/8/4P3/K6k w - - 0 1")
    answer = bot.http.post("/api/challenge/ai", json={"variant": "standard", "level": 1, "color": "black"})
    assert answer.status_code == 200 and answer.json()["variant"]["key"] == "chess"
    playing = bot.http.get("/api/account/playing").json()["nowPlaying"]
    assert [(one["id"], one["opponent"]["name"]) for one in playing] == [(answer.json()["id"], "Acedrex 1")]


def test_moves_and_challenges_are_rate_limited(server: Server) -> None:
    bot = Bot(Person(server, "Ana", "127.0.0.33"))
    made = bot.http.post("/api/challenge/ai").json()
    start = time.monotonic()
    answers = [bot.http.post(f"/api/bot/game/{made['id']}/move/e2e5") for _ in range(80)]
    refused = [answer for answer in answers if answer.status_code == 429]
    # 40 at once and 10 a second: on a slow machine more of them.
    assert 40 <= len(answers) - len(refused) <= 41 + 10 * (time.monotonic() - start)
    assert all(answer.headers["retry-after"] for answer in refused)
    codes = [bot.http.post("/api/challenge/nobody").json()["code"] for _ in range(30)]
    assert codes[-1] == "too_fast"


# On several processes.


def test_a_bot_gets_the_events_of_both_processes(
    start: Callable[..., Server], postgresql: PostgreSQL, redis_url: str
) -> None:
    """The bot streams from one process, and others connect to either."""
    server = start("--workers", "2", ACEDREX_DATABASE_URL=postgresql.migrated(), ACEDREX_REDIS_URL=redis_url)
    ana, bo = Person(server, "Ana"), Person(server, "Bo")
    hears = Bot(bo)
    events = hears.stream()
    asked, heard = set(), set()
    for _ in range(8):
        # A new connection each time, so that both processes get requests.
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
