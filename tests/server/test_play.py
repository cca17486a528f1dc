"""Matches over sockets."""

from __future__ import annotations

import time
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from tests.conftest import TIMEOUT
from tests.server.conftest import Person, Server, Talk, anyone
from tests.server.strangers import Stranger, frame

FISCHER = {"kind": "fischer", "initial_ms": 60_000, "increment_ms": 1_000}


def friends(ana: Person, bo: Person, game: str = "chess", **asked: Any) -> tuple[str, Talk, Talk]:
    made = ana.match(game, opponent={"kind": "friend"}, **asked)
    bo.sit(made)
    return made["match"], ana.socket(made["match"]), bo.socket(made["match"])


def test_two_friends_play_and_agree_on_a_draw(ana: Person, bo: Person) -> None:
    match, white, black = friends(ana, bo, time=FISCHER)
    assert white.snapshot["seat"] == "white" and black.snapshot["seat"] == "black"
    assert white.position["legal"] and not black.position["legal"]
    white.move("e2e4")
    update = black.hear("update")
    assert update["made"]["san"] == "e4" and update["position"]["last"] == ["e2", "e3", "e4"]
    assert "move" in update["may"] and len(update["position"]["legal"]) == 20
    refused = white.do(type="move", move="d2d4")
    assert refused["error"]["code"] == "not_your_turn"
    black.move("e5")
    white.hear("update")
    assert white.do(type="offer", what="draw")["type"] == "ack"
    assert black.hear("update")["offers"] == [{"what": "draw", "by": "white", "moves": None}]
    assert black.do(type="answer", what="draw", accept=True)["type"] == "ack"
    ending = white.hear("update", "snapshot")
    while ending["ending"] is None:
        ending = white.hear("update")
    assert ending["ending"]["reason"] == "agreement" and ending["phase"] == "over"
    record = anyone.get(f"{ana.server.base}/api/matches/{match}/pgn").text
    assert '[White "Ana"]' in record and "1. e4 { [%clk 0:01:00] } 1... e5 { [%clk 0:01:00] } 1/2-1/2" in record


def test_a_rematch_swaps_sides(ana: Person, bo: Person) -> None:
    _, white, black = friends(ana, bo, "maasai", setup="choose")
    assert black.do(type="setup", name="UFDO-QKGL")["type"] == "ack"
    assert white.hear("snapshot")["setup"] == "UFDO-QKGL"
    white.do(type="resign")
    black.do(type="offer", what="rematch")
    white.do(type="answer", what="rematch", accept=True)
    update = black.hear("update")
    while update["rematch"] is None:
        update = black.hear("update")
    again = ana.socket(update["rematch"])
    assert again.snapshot["seat"] == "black" and again.snapshot["phase"] == "setup"
    assert "setup" in again.snapshot["may"]


def test_a_player_can_reconnect_and_use_two_tabs(ana: Person, bo: Person) -> None:
    match, white, black = friends(ana, bo)
    tab = ana.socket(match)
    white.move("e2e4")
    assert tab.hear("update")["made"]["move"] == "e2e4"
    black.close()
    while white.hear("presence")["black"]:
        pass
    back = bo.socket(match)
    assert [made["move"] for made in back.snapshot["moves"]] == ["e2e4"]
    assert back.number == white.number == tab.number
    back.move("e7e5")
    assert tab.hear("update")["made"]["move"] == "e7e5"
    tab.move("g1f3")  # either tab can move
    assert [white.hear("update")["made"]["move"] for _ in range(2)] == ["e7e5", "g1f3"]
    assert white.number == tab.number and white.position["fen"] == tab.position["fen"]


def test_a_move_within_a_turn_can_be_undone(ana: Person) -> None:
    talk = ana.socket(ana.match("chieftain")["match"])
    start = talk.position
    assert start["moves_left"] == 4 and start["in_command"]
    first = next(move for move in start["legal"] if move["from"])
    talk.move(first["move"])
    assert talk.position["turn_moves"] == [first["move"]] and talk.position["moved"] == [first["to"]]
    assert talk.do(type="undo")["type"] == "ack"
    assert talk.position["fen"] == start["fen"]


def test_the_engine_plays_gives_hints_and_accepts_takebacks(ana: Person) -> None:
    made = ana.match(
        "maasai", opponent={"kind": "engine", "level": 1}, side="black", setup="engine", hints=True, time=FISCHER
    )
    talk = ana.socket(made["match"])
    while not talk.position["legal"]:
        talk.hear("update", "snapshot")
    assert talk.position["ply"] == 1
    talk.say(type="hint", id="h")
    hint = talk.hear("hint")
    talk.move(hint["moves"][0])
    while talk.position["ply"] < 3:
        talk.hear("update")
    assert talk.do(type="offer", what="takeback")["type"] == "ack"
    while talk.position["ply"] != 1:
        talk.hear("update")
    refused = talk.do(type="offer", what="draw")
    assert refused["error"]["code"] == "engine_declines"


def test_the_engine_plays_turns_of_several_moves(ana: Person) -> None:
    made = ana.match("marseillais", opponent={"kind": "engine", "level": 1}, side="white")
    talk = ana.socket(made["match"])
    for _ in range(12):
        while not talk.position["legal"] and talk.snapshot["phase"] == "play":
            if talk.hear("update")["ending"]:
                return
        talk.move(talk.position["legal"][0]["move"])


def test_a_challenge_is_accepted_in_the_lobby_and_its_match_watched(ana: Person, bo: Person) -> None:
    lobby = ana.server.connect("/api/lobby/socket")
    assert '"challenges"' in str(lobby.recv(TIMEOUT))
    made = ana.match("magi", opponent={"kind": "lobby"}, time=FISCHER)
    assert made["match"] in str(lobby.recv(TIMEOUT))
    assert made["match"] in [challenge["match"] for challenge in bo.http.get("/api/lobby").json()]
    assert next(c for c in ana.http.get("/api/lobby").json() if c["match"] == made["match"])["mine"] is True
    assert ana.http.post(f"/api/lobby/{made['match']}/accept").status_code == 409
    assert bo.http.post(f"/api/lobby/{made['match']}/accept").status_code == 204
    assert ana.http.post(f"/api/lobby/{made['match']}/accept").status_code == 409
    assert made["match"] not in str(lobby.recv(TIMEOUT))
    watcher = Talk(ana.server, made["match"], None)
    assert watcher.snapshot["seat"] is None and not watcher.position["legal"]
    assert watcher.do(type="resign")["error"]["code"] == "no_seat"
    assert watcher.do(type="chat", text="hello")["error"]["code"] == "no_seat"
    white = ana.socket(made["match"])
    white.move(white.position["legal"][0]["move"])
    assert watcher.hear("update")["position"]["ply"] == 1
    assert made["match"] in [card["match"] for card in anyone.get(f"{ana.server.base}/api/watch").json()]
    cards = {card["match"]: card for card in bo.http.get("/api/me/matches").json()}
    assert cards[made["match"]]["your_turn"] is True


def test_an_invite_lets_one_opponent_take_the_seat(ana: Person, bo: Person) -> None:
    made = ana.match(opponent={"kind": "friend"})
    seat = f"/api/matches/{made['match']}/seat"
    assert bo.http.post(seat, json={"invite": "guess"}).status_code == 403
    assert anyone.post(ana.server.base + seat, json={"invite": made["invite"]}).status_code == 401
    assert ana.http.post(seat, json={"invite": made["invite"]}).status_code == 409
    assert bo.http.get(f"/api/matches/{made['match']}").json()["seat"] is None
    assert bo.http.post(seat, json={"invite": made["invite"]}).status_code == 204
    assert bo.http.get(f"/api/matches/{made['match']}").json()["seat"] == "black"
    assert Person(ana.server, "Zoe").http.post(seat, json={"invite": made["invite"]}).status_code == 409


def test_secrets_are_stored_as_hashes(ana: Person) -> None:
    made = ana.match(opponent={"kind": "friend"})
    folder = ana.server.log.parent
    stored = b"".join(path.read_bytes() for path in folder.glob("server.db*"))
    assert made["match"].encode() in stored
    assert ana.token.encode() not in stored and made["invite"].encode() not in stored


def test_chat_messages_are_cleaned_stored_and_rate_limited(ana: Person, bo: Person) -> None:
    match, white, black = friends(ana, bo)
    assert white.do(type="chat", text="<b>good</b>\u202e luck\n")["type"] == "ack"
    line = black.hear("chat")["line"]
    assert (line["by"], line["name"], line["text"]) == ("white", "Ana", "<b>good</b> luck")
    assert bo.socket(match).snapshot["chat"] == [line]
    assert white.do(type="chat", text="\n\u200b")["error"]["code"] == "invalid"
    codes = {white.do(type="chat", text="again")["type"] for _ in range(8)}
    assert codes == {"ack", "refused"}


def test_chats_of_players_and_spectators_are_separate_until_the_end(ana: Person, bo: Person) -> None:
    match, white, black = friends(ana, bo)
    zoe = Person(ana.server, "Zoe", "127.0.0.4")
    spectator = zoe.socket(match)
    spectator.do(type="chat", text="g4 wins")
    white.do(type="chat", text="good luck")
    spectator.do(type="chat", text="indeed")
    assert black.hear("chat")["line"]["text"] == "good luck"
    assert [line["text"] for line in bo.socket(match).snapshot["chat"]] == ["good luck"]
    assert [line["text"] for line in zoe.socket(match).snapshot["chat"]] == ["g4 wins", "indeed"]
    black.do(type="resign")
    said = [("g4 wins", "watcher"), ("indeed", "watcher")]
    assert [((line := white.hear("chat")["line"])["text"], line["by"]) for _ in said] == said
    assert spectator.hear("chat")["line"]["text"] == "good luck"
    white.do(type="chat", text="thank you")
    assert spectator.hear("chat")["line"]["text"] == "thank you"
    texts = ["g4 wins", "good luck", "indeed", "thank you"]
    for person in (bo, zoe):
        assert [line["text"] for line in person.socket(match).snapshot["chat"]] == texts


def test_a_match_can_be_watched_after_its_first_move(ana: Person, bo: Person) -> None:
    def watched() -> set[str]:
        return {card["match"] for card in anyone.get(f"{ana.server.base}/api/watch").json()}

    made = ana.match("chess", opponent={"kind": "lobby"}, time=FISCHER)["match"]
    bo.http.post(f"/api/lobby/{made}/accept")
    assert made not in watched()
    ana.socket(made).move("e2e4")
    assert made in watched()


def test_a_win_can_be_claimed_only_some_time_after_the_opponent_left(ana: Person, bo: Person) -> None:
    _, white, black = friends(ana, bo, time=FISCHER)
    assert white.do(type="claim", what="left")["error"]["code"] == "not_gone"
    black.close()
    presence = white.hear("presence")
    while presence["black"]:
        presence = white.hear("presence")
    assert presence["left_claim_at"] > time.time() * 1000 + 30_000


def test_a_player_who_runs_out_of_time_loses(ana: Person, bo: Person) -> None:
    _, white, black = friends(ana, bo, time={"kind": "fischer", "initial_ms": 1_000, "increment_ms": 0})
    white.move("e2e4")
    black.hear("update")
    began = time.monotonic()
    black.move("e7e5")
    update = black.hear("update")
    while update["ending"] is None:
        update = black.hear("update")
    assert (update["ending"]["reason"], update["ending"]["winner"]) == ("time", "black")
    assert time.monotonic() - began > 0.8


def test_pings_are_answered_with_the_time_of_the_server(ana: Person) -> None:
    talk = ana.socket(ana.match()["match"])
    # Pages of older versions send the round-trip time of the last ping.
    talk.say(type="ping", at=12.5, rtt=40)
    pong = talk.hear("pong", "refused")
    assert pong["at"] == 12.5 and abs(pong["now"] - time.time() * 1000) < 2_000


@pytest.mark.parametrize("late", [0, 0.3, 0.8])
def test_lag_is_measured_by_the_server_and_not_taken_from_the_client(ana: Person, bo: Person, late: float) -> None:
    made = ana.match(opponent={"kind": "friend"}, time={**FISCHER, "increment_ms": 0})
    bo.sit(made)
    asked = time.monotonic()
    with Stranger(ana.server.port, ana.address) as white:
        white.upgrade(f"/api/matches/{made['match']}/socket")
        # The server sends a ping at once.
        kind, question = white.hear()
        assert kind == 0x9
        time.sleep(late)
        white.send(frame(0xA, question))
        white.say(type="hello", token=ana.token, after=None)
        black = bo.socket(made["match"])
        white.say(type="ping", at=1, rtt=500)
        white.say(type="move", move="e2e4", number=black.number, id="1")
        black.hear("update")
        # The lag that the server can have measured is a range, since everything takes longer on a busy machine.
        lag = late, time.monotonic() - asked
        began = time.monotonic()
        black.move("e7e5")
        moved = time.monotonic()
        time.sleep(1)
        thought = time.monotonic() - moved
        white.say(type="move", move="g1f3", number=black.number, id="2")
        while (update := black.hear("update"))["made"]["move"] != "g1f3":
            pass  # the update of e7e5 may arrive after its acknowledgement
        spent = 60 - update["clock"]["white_ms"] / 1000
        given_back = thought - spent, time.monotonic() - began - spent
    assert given_back[0] - 0.15 < min(lag[1], 0.5) and min(lag[0], 0.5) < given_back[1] + 0.15


@pytest.mark.parametrize(
    "first, code",
    [
        ('{"type":"hello","token":"nobody","after":null}', 4401),
        ('{"type":"resign","id":"x"}', 4400),
        ("garbage", 4400),
        ('{"type":"hello","token":null,"after":null}', 4404),
    ],
)
def test_a_socket_with_a_wrong_first_message_is_closed(server: Server, first: str, code: int) -> None:
    connection = server.connect("/api/matches/nothing/socket")
    connection.send(first)
    assert '"refused"' in str(connection.recv(TIMEOUT))
    with pytest.raises(ConnectionClosed) as closed:
        connection.recv(TIMEOUT)
    assert closed.value.rcvd is not None and closed.value.rcvd.code == code


def test_pages_of_other_sites_may_not_open_sockets(server: Server, ana: Person) -> None:
    path = f"/api/matches/{ana.match()['match']}/socket"
    with pytest.raises(Exception, match="403"):
        server.connect(path, origin="https://elsewhere.example")
    server.connect(path, origin=server.base)
