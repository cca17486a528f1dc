"""Correspondence: days off, conditional moves, notes, and the list of one's own matches."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from types import SimpleNamespace
from typing import Any

import pytest
from sqlalchemy import select

from acedrex import Board, load
from acedrex.server import wire
from acedrex.server.bus import Bus
from acedrex.server.match.decide import Absence, Context, DaysOff, ResumeAfterOutage, decide
from acedrex.server.match.events import Event, MovePlayed, Seated
from acedrex.server.match.state import Match
from acedrex.server.people import days_off
from acedrex.server.play import conditional, room
from acedrex.server.play.conditional import ConditionalMoves, checked
from acedrex.server.play.engines import Engines
from acedrex.server.play.rooms import Rooms
from acedrex.server.refusal import Refusal
from acedrex.server.storage.store import NEW_PERSON, Store
from acedrex.server.storage.tables import conditional_moves
from tests.server.conftest import Person, Server
from tests.server.matches import BLACK, DAY, NOBODY, START, WHITE, created, started
from tests.server.stores import opened, store_match
from tests.server.test_api import problem

HOUR = 3_600_000
THREE_DAYS = wire.Correspondence(3, 0)
SLOWLY = {"kind": "correspondence", "days_per_turn": 3, "reserve_days": 0}


# Days off in the rules of a match.


def play(match: Match, command: Any, at: int, seats: frozenset[Any] = NOBODY) -> list[Event]:
    """Carry out a command some milliseconds after the start."""
    found = decide(match, command, seats, Context(START + at))
    for event in found:
        match.apply(event)
    return found


def move(match: Match, text: str, at: int) -> None:
    play(match, wire.MakeMove(text, match.number, ""), at, WHITE if match.turn == "white" else BLACK)


def rest(match: Match, side: Any, since: int, until: int, at: int) -> None:
    play(match, DaysOff(side, Absence(START + since, START + until)), at)


def slow_match(**changes: Any) -> Match:
    return started(time=THREE_DAYS, **changes)[0]


def test_the_clock_of_the_side_to_move_stands_still_in_its_days_off() -> None:
    match = slow_match()
    rest(match, "white", DAY, 8 * DAY, DAY)
    assert match.deadline == START + 10 * DAY
    assert match.left_at(START + 5 * DAY) == {"white": 2 * DAY, "black": 3 * DAY}
    shown = match.clock_at(START + 5 * DAY)
    assert shown is not None
    assert shown.off == wire.OffUntil(START + 8 * DAY, None)
    after = match.clock_at(START + 8 * DAY)
    assert after is not None
    assert after.off == wire.OffUntil(None, None)


def test_whoever_moves_in_their_days_off_has_used_only_the_time_before_them() -> None:
    match = slow_match()
    rest(match, "white", DAY, 8 * DAY, DAY)
    move(match, "e2e4", 4 * DAY)
    assert match.left_at(START + 4 * DAY) == {"white": 3 * DAY, "black": 3 * DAY}
    assert match.deadline == START + 7 * DAY
    move(match, "e7e5", 5 * DAY)
    assert match.deadline == START + 11 * DAY, "their next turn begins after the days off"


def test_days_off_of_the_other_side_count_from_their_next_turn_on() -> None:
    match = slow_match()
    rest(match, "black", 0, 7 * DAY, 0)
    assert match.deadline == START + 3 * DAY
    move(match, "e2e4", DAY)
    assert match.deadline == START + 10 * DAY


def test_days_off_end_early_and_the_clock_goes_on() -> None:
    match = slow_match()
    rest(match, "white", DAY, 8 * DAY, DAY)
    rest(match, "white", DAY, 3 * DAY, 3 * DAY)
    assert match.deadline == START + 5 * DAY
    assert match.left_at(START + 4 * DAY) == {"white": DAY, "black": 3 * DAY}


def test_days_off_are_given_once_and_also_when_they_are_found_late() -> None:
    match = slow_match()
    rest(match, "white", DAY, 2 * DAY, 3 * DAY)
    assert match.deadline == START + 4 * DAY
    with pytest.raises(Refusal, match="known"):
        rest(match, "white", DAY, 2 * DAY, 3 * DAY + 1)
    with pytest.raises(Refusal, match="known"):
        rest(match, "black", 0, DAY, 3 * DAY + 1)


def test_time_that_ran_out_before_the_days_off_stays_lost() -> None:
    match = slow_match()
    with pytest.raises(Refusal, match="your time was up"):
        rest(match, "white", 4 * DAY, 9 * DAY, 5 * DAY)


def test_there_are_no_days_off_in_live_matches() -> None:
    match = started(time=wire.Fischer(60_000, 0))[0]
    with pytest.raises(Refusal, match="by correspondence"):
        rest(match, "white", 0, DAY, 0)


def test_an_outage_within_days_off_changes_nothing() -> None:
    match = slow_match()
    rest(match, "white", DAY, 8 * DAY, DAY)
    play(match, ResumeAfterOutage((Absence(START + 2 * DAY, START + 3 * DAY),)), 3 * DAY)
    assert match.deadline == START + 10 * DAY


def test_days_off_while_the_setup_is_chosen_last_into_the_first_turn() -> None:
    match = started("metamachy", time=THREE_DAYS, arranging="player")[0]
    rest(match, "black", 0, 5 * DAY, 0)
    rest(match, "white", 0, 4 * DAY, 0)
    assert match.deadline == START + 8 * DAY
    play(match, wire.ChooseSetup(id="", number=match.number, name=match.game.setups[0]), DAY, BLACK)
    assert match.deadline == START + 7 * DAY


# Days off of people.


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    one = SimpleNamespace(now=START)
    for module in (days_off, room):
        monkeypatch.setattr(module, "now", lambda: one.now)
    return one


@pytest.fixture
async def rooms(store: Store) -> AsyncIterator[Rooms]:
    one = Rooms(store, Engines(1), Bus())
    for person in ("ana", "bo"):
        await store.write((NEW_PERSON, {"id": person, "name": person, "import_key": person, "at": START}))
    yield one
    await one.close()


async def begin(store: Store, *moves: str, game: str = "chess", id: str = "m", **changes: Any) -> None:
    people = (("white", "ana"), ("black", "bo"))
    await store_match(
        store,
        id,
        [
            created(game, **{"time": THREE_DAYS, **changes}),
            *(Seated(at=START, side=side, person=person, name=person) for side, person in people),  # type: ignore[arg-type]
            *(MovePlayed(at=START, move=text, spent=0) for text in moves),
        ],
        game,
    )


async def test_days_off_are_saved_spent_and_earned(store: Store, rooms: Rooms, clock: SimpleNamespace) -> None:
    assert await days_off.read(store, "ana") == wire.DaysOff(None, 7)
    with pytest.raises(Refusal, match="you have 7 days off left"):
        await days_off.take(store, "ana", 8)
    await days_off.take(store, "ana", 5)
    assert await days_off.read(store, "ana") == wire.DaysOff(START + 5 * DAY, 2)
    with pytest.raises(Refusal, match="end them first"):
        await days_off.take(store, "ana", 1)
    clock.now += 2 * DAY
    await days_off.end(store, "ana")
    assert await days_off.read(store, "ana") == wire.DaysOff(None, 5)
    with pytest.raises(Refusal, match="no days off"):
        await days_off.end(store, "ana")
    clock.now += 24 * DAY
    assert await days_off.read(store, "ana") == wire.DaysOff(None, 7)
    clock.now += 1000 * DAY
    assert await days_off.read(store, "ana") == wire.DaysOff(None, 30)


async def test_a_match_that_nobody_has_touched_gives_the_days_off_when_it_is_opened(
    store: Store, rooms: Rooms, clock: SimpleNamespace
) -> None:
    await begin(store)
    await days_off.take(store, "ana", 2)
    clock.now += 4 * DAY
    one = await rooms.get("m")
    assert one.match.phase == "play"
    assert one.match.deadline == START + 5 * DAY
    clock.now = START + 5 * DAY + HOUR
    with pytest.raises(Refusal):
        await one.command(wire.MakeMove("e2e4", one.match.number, ""), WHITE)
    assert one.match.ending is not None
    assert one.match.ending.reason == "time"


# Conditional moves.


def test_lines_are_checked_move_by_move() -> None:
    board = Board(load("chess"))
    board.push_uci("e2e4")
    assert checked(board, [[["e7e5"], ["g1f3"]]] * 2) == [[["e7e5"], ["g1f3"]]]
    for lines, fault in (
        ([[["e7e5"], ["g1f3"], ["b8c6"]]], "does not end with a turn of yours"),
        ([[["e7e5"], ["e1e8"]]], "line 1: "),
        ([[["e7e5"], ["g1f3"]], [["e7e5"], ["f1c4"]]], "line 2 answers the same moves in another way"),
        ([[["e7e5", "g1f3"], ["g1f3"]]], "the turn is over before g1f3"),
    ):
        with pytest.raises(Refusal, match=fault):
            checked(board, lines)


async def leave(rooms: Rooms, person: str, *lines: str, id: str = "m") -> None:
    """Leave lines, in which turns are separated by spaces and their moves by commas."""
    turns = [[turn.split(",") for turn in line.split()] for line in lines]
    await conditional.store(rooms, id, person, turns)


async def make(rooms: Rooms, text: str, id: str = "m") -> None:
    one = await rooms.get(id)
    seats = WHITE if one.match.turn == "white" else BLACK
    await one.command(wire.MakeMove(text, one.match.number, ""), seats)


def moves_of(rooms: Rooms, id: str = "m") -> list[str]:
    return [made.move for made in rooms._open[id].match.moves]


async def test_the_expected_moves_are_answered_one_after_the_other(store: Store, rooms: Rooms) -> None:
    await begin(store, "e2e4")
    await leave(rooms, "ana", "e7e5 g1f3 b8c6 f1b5", "c7c5 g1f3")
    replies = ConditionalMoves(rooms)
    await replies.look()
    assert moves_of(rooms) == ["e2e4"]
    await make(rooms, "e7e5")
    await replies.look()
    assert moves_of(rooms) == ["e2e4", "e7e5", "g1f3"]
    assert (await conditional.read(rooms, "m", "ana")).lines == [[["b8c6"], ["f1b5"]]]
    await make(rooms, "b8c6")
    await replies.look()
    assert moves_of(rooms)[-1] == "f1b5"
    assert (await conditional.read(rooms, "m", "ana")).lines == []
    assert await store.all(select(conditional_moves)) == []


async def test_another_move_makes_the_lines_void(store: Store, rooms: Rooms) -> None:
    await begin(store, "e2e4")
    await leave(rooms, "ana", "e7e5 g1f3")
    await make(rooms, "e7e6")
    await ConditionalMoves(rooms).look()
    assert moves_of(rooms) == ["e2e4", "e7e6"]
    assert await store.all(select(conditional_moves)) == []


async def test_an_offer_does_not_make_the_lines_void(store: Store, rooms: Rooms) -> None:
    await begin(store, "e2e4")
    await leave(rooms, "ana", "e7e5 g1f3")
    replies = ConditionalMoves(rooms)
    await (await rooms.get("m")).command(wire.MakeOffer("draw", ""), BLACK)
    await replies.look()
    await make(rooms, "e7e5")
    await replies.look()
    assert moves_of(rooms)[-1] == "g1f3"


async def test_lines_are_void_after_a_takeback(store: Store, rooms: Rooms) -> None:
    await begin(store, "e2e4", time=wire.NoTime())
    await leave(rooms, "ana", "e7e5 g1f3")
    one = await rooms.get("m")
    await one.command(wire.MakeOffer("takeback", ""), WHITE)
    await one.command(wire.Answer("takeback", True, ""), BLACK)
    await ConditionalMoves(rooms).look()
    assert await store.all(select(conditional_moves)) == []


async def test_whole_turns_are_answered_in_whatever_order_their_moves_were_made(store: Store, rooms: Rooms) -> None:
    game = load("chieftain")
    board = Board(game)

    def some_turn() -> list[str]:
        side, made = board.turn, []
        while board.turn == side:
            ends = [one for one in board.legal_moves if board.san(one) and one.uci() == "end"]
            quiet = next((one for one in board.legal_moves if one.uci() != "end"), None)
            one = quiet if len(made) < 2 and quiet is not None else ends[0]
            made.append(one.uci())
            board.push(one)
        return made

    first, second, third = some_turn(), some_turn(), some_turn()
    await begin(store, *first, game="chieftain")
    await leave(rooms, "ana", f"{','.join(second)} {','.join(third)}")
    replies = ConditionalMoves(rooms)
    *moving, end = second
    for text in (*reversed(moving), end):
        await make(rooms, text)
        await replies.look()
    assert moves_of(rooms)[-len(third) :] == third


async def test_a_reply_that_was_due_when_the_server_stopped_is_made_after_the_start(
    store: Store, rooms: Rooms, database: str
) -> None:
    await begin(store, "e2e4")
    await leave(rooms, "ana", "e7e5 g1f3")
    await make(rooms, "e7e5")
    async with opened(Store(database)) as other_store:
        others = Rooms(other_store, Engines(1), Bus())
        # Of two processes one makes it.
        await asyncio.gather(*(ConditionalMoves(each).look() for each in (rooms, others)))
        await others.close()
    match = await rooms.load("m")
    assert match is not None
    assert [made.move for made in match.moves] == ["e2e4", "e7e5", "g1f3"]


async def test_replies_are_planned_in_the_opponents_turn_of_a_slow_match_by_its_players(
    store: Store, rooms: Rooms
) -> None:
    await begin(store)
    await begin(store, "e2e4", id="live", time=wire.Fischer(60_000, 0))
    for person, id, fault in (
        ("ana", "m", "opponent's turn"),
        ("cleo", "m", "only the players"),
        ("ana", "live", "by correspondence"),
    ):
        with pytest.raises(Refusal, match=fault):
            await leave(rooms, person, "e7e5 g1f3", id=id)


# Over HTTP.


def friends(server: Server) -> tuple[Person, Person, str]:
    """Return two people, and a match between them."""
    white, black = Person(server, "Ana"), Person(server, "Bo")
    made = white.match(opponent={"kind": "friend"}, time=SLOWLY)
    black.sit(made)
    return white, black, made["match"]


def test_a_reply_is_made_while_its_player_is_away_and_nobody_else_sees_it(server: Server) -> None:
    white, black, match = friends(server)
    line = white.socket(match)
    line.move("e2e4")
    line.close()
    path = f"/api/matches/{match}/conditional-moves"
    answer = white.http.put(path, json={"lines": [[["e7e5"], ["g1f3"]]]})
    assert answer.json() == {"lines": [[["e7e5"], ["g1f3"]]]}
    assert black.http.get(path).json() == {"lines": []}
    problem(Person(server, "Cleo").http.get(path), 403, "no_seat")
    theirs = black.socket(match)
    theirs.move("e7e5")
    while (made := theirs.hear("update")["made"]) is None or made["move"] != "g1f3":
        pass
    assert white.http.get(path).json() == {"lines": []}


def test_days_off_stop_the_clocks_at_once(server: Server) -> None:
    white, black, match = friends(server)
    before = black.http.get(f"/api/matches/{match}").json()["clock"]
    answer = white.http.post("/api/me/days-off", json={"days": 5})
    until = answer.json()["until"]
    shown = black.http.get(f"/api/matches/{match}").json()["clock"]
    assert shown["off"] == {"white": until, "black": None}
    assert shown["white_ms"] <= before["white_ms"]
    (card,) = white.http.get("/api/me/matches").json()
    assert card["deadline"] == until + shown["white_ms"]
    problem(white.http.post("/api/me/days-off", json={"days": 1}), 409, "days_off")
    assert white.http.delete("/api/me/days-off").json() == {"until": None, "left": 6}
    (card,) = white.http.get("/api/me/matches").json()
    assert card["deadline"] < until


def test_a_match_that_begins_in_days_off_waits_for_their_end(server: Server) -> None:
    white, black = Person(server, "Ana"), Person(server, "Bo")
    until = white.http.post("/api/me/days-off", json={"days": 2}).json()["until"]
    made = white.match(opponent={"kind": "friend"}, time=SLOWLY)
    black.sit(made)
    shown = black.http.get(f"/api/matches/{made['match']}").json()["clock"]
    assert shown["off"] == {"white": until, "black": None}
    assert shown["white_ms"] == 3 * DAY


def test_notes_are_for_their_writer_alone(server: Server) -> None:
    white, black, match = friends(server)
    path = f"/api/matches/{match}/note"
    assert white.http.get(path).json() == {"text": ""}
    assert white.http.put(path, json={"text": "attack on the left"}).status_code == 204
    assert white.http.put(path, json={"text": "attack on the right"}).status_code == 204
    assert white.http.get(path).json() == {"text": "attack on the right"}
    assert black.http.get(path).json() == {"text": ""}
    problem(Person(server, "Cleo").http.put(path, json={"text": "x"}), 403, "no_seat")
    problem(white.http.put("/api/matches/none/note", json={"text": "x"}), 404, "no_such_match")


def test_a_player_sees_when_the_other_one_was_last_here_and_spectators_do_not(server: Server) -> None:
    white, black, match = friends(server)
    path = f"/api/matches/{match}"
    seen = white.http.get(path).json()["players"]["black"]["seen"]
    assert seen % HOUR == 0
    assert abs(seen - time.time() * 1000) < 2 * HOUR
    assert black.http.get(path).json()["players"]["white"]["seen"] is not None
    stranger = Person(server, "Cleo").http.get(path).json()["players"]
    assert stranger["white"]["seen"] is None
    assert stranger["black"]["seen"] is None
