"""Decisions about commands: a refused command changes nothing, and the stored events are the whole match."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from acedrex import Error, _native, load
from acedrex.server import wire
from acedrex.server.match import events, views
from acedrex.server.match.decide import (
    Absence,
    CheckFlag,
    Command,
    ConfirmSetup,
    Context,
    ResumeAfterOutage,
    TakeSeat,
    decide,
    may,
)
from acedrex.server.match.events import Event
from acedrex.server.match.state import MAX_LAG, Match
from acedrex.server.play import bots
from acedrex.server.refusal import Refusal
from tests.server.matches import BLACK, BOTH, DAY, NOBODY, START, WHITE, created, dump, started

GAMES = ("chess", "magi:scoring=four_points", "chieftain", "chieftain:pass=on", "marseillais", "maasai")
TIMES: list[wire.TimeControl] = [
    wire.NoTime(),
    wire.Fischer(60_000, 2_000),
    wire.ByoYomi(10_000, 5_000, 3),
    wire.Correspondence(1, 2),
]
SEATS = (WHITE, BLACK, BOTH, NOBODY)
WORDS = ("move", "move", "move", "move", "undo", "draw", "takeback", "rematch", "answer", "claim", "left", "resign")
MORE = ("abort", "garbage", "stale", "flag", "go_on", "setup", "arrange", "sit")


def command(match: Match, word: str, choose: random.Random) -> Any:
    moves = list(match.board.legal_moves)
    number = match.number
    return {
        "move": lambda: wire.MakeMove(choose.choice(moves).uci() if moves else "a1a1", number, "i"),
        "garbage": lambda: wire.MakeMove(choose.choice(["a1a1", "Zz9", "end", "", "playon", "0-0-0-0"]), number, "i"),
        "stale": lambda: wire.MakeMove(choose.choice(moves).uci() if moves else "a1a1", max(0, match.moved - 1), "i"),
        "undo": lambda: wire.Undo(number, "i"),
        "answer": lambda: wire.Answer(choose.choice(["draw", "takeback", "rematch"]), choose.random() < 0.7, "i"),
        "claim": lambda: wire.Claim("draw", "i"),
        "left": lambda: wire.Claim("left", "i"),
        "resign": lambda: wire.Resign("i"),
        "abort": lambda: wire.Abort("i"),
        "flag": lambda: CheckFlag("UFDO-QKGL"),
        "go_on": lambda: ResumeAfterOutage((Absence(match.at - 1_000, match.at + choose.randrange(100_000)),)),
        "setup": lambda: wire.ChooseSetup(choose.choice(["UFDO-QKGL", "nonsense"]), number, "i"),
        "arrange": lambda: ConfirmSetup("UFDO-QKGL"),
        "sit": lambda: TakeSeat("zoe", "Zoe", choose.choice(["white", "black"])),
    }.get(word, lambda: wire.MakeOffer(word, "i"))()


@settings(max_examples=150, deadline=None)
@given(
    game=st.sampled_from(GAMES),
    time=st.sampled_from(TIMES),
    engine=st.booleans(),
    seed=st.integers(0, 2**32),
    script=st.lists(
        st.tuples(st.sampled_from(WORDS + MORE), st.sampled_from(SEATS), st.integers(0, 4_000), st.integers(0, 900)),
        max_size=120,
    ),
)
def test_random_commands_change_a_match_only_by_stored_events(
    game: str, time: wire.TimeControl, engine: bool, seed: int, script: list[tuple[str, frozenset[Any], int, int]]
) -> None:
    choose = random.Random(seed)
    arranging = "player" if game == "maasai" else None
    match, stored = started(game, time=time, engine=engine, arranging=arranging, rated=choose.random() < 0.3)
    now = START
    # The moves as a browser knows them, which receives only updates.
    heard: list[str] = []
    for word, seats, wait, lag in script:
        now += wait
        before = dump(match)
        position = match.moved
        asked = command(match, word, choose)
        try:
            new = decide(match, asked, seats, Context(now, lag, gone=wait * 300, rematch="again"))
        except Refusal as refusal:
            assert refusal.problem.message
            assert dump(match) == before
            continue
        assert dump(match) == before, "a decision changes nothing"
        assert new
        assert seats or isinstance(asked, CheckFlag | ResumeAfterOutage | TakeSeat | ConfirmSetup)
        # With no other player, an offer is answered at once.
        acting = match.turn
        assert not (match.created.rated and word == "takeback")
        for event in new:
            match.apply(event)
            if not isinstance(event, views.BEGINNINGS):
                update = json.loads(views.updates(match, event, {NOBODY}, now)[NOBODY])
                made = [update["made"]["move"]] if update["made"] else []
                heard = heard[: update["ply"] - len(made)] + made
        assert heard == [made.move for made in match.moves]
        if isinstance(asked, wire.MakeMove):
            assert acting in seats and asked.number >= position
        stored += new
        assert match.number == len(stored)
    rows = [(number, events.encode(event).decode()) for number, event in enumerate(stored, start=1)]
    again = Match("m", events.decode_events(rows), match.game)
    assert dump(again) == dump(match)
    if match.clock is not None:
        assert all(left >= 0 for left in match.clock.left.values())
    if match.ending is not None:
        assert match.phase == "over" and (match.clock is None or match.clock.running is None)
        assert {offer.what for offer in match.offers} <= {"rematch"}


@settings(max_examples=60, deadline=None)
@given(game=st.sampled_from(GAMES[:5]), seed=st.integers(0, 2**32), moves=st.integers(0, 60))
def test_commands_are_accepted_if_and_only_if_they_are_allowed(game: str, seed: int, moves: int) -> None:
    choose = random.Random(seed)
    match, _ = started(game)
    samples = {
        "move": lambda: command(match, "move", choose),
        "undo": lambda: wire.Undo(match.number, "i"),
        "claim": lambda: wire.Claim("draw", "i"),
        "resign": lambda: wire.Resign("i"),
        "abort": lambda: wire.Abort("i"),
        "draw": lambda: wire.MakeOffer("draw", "i"),
        "takeback": lambda: wire.MakeOffer("takeback", "i"),
        "rematch": lambda: wire.MakeOffer("rematch", "i"),
    }
    for _ in range(moves):
        for seats in (WHITE, BLACK, BOTH):
            allowed = may(match, seats)
            for word, sample in samples.items():
                try:
                    decide(match, sample(), seats, Context(START))
                    possible = True
                except Refusal:
                    possible = False
                assert possible == (word in allowed), (word, seats, allowed)
        if match.phase == "over":
            break
        play(match, command(match, "move", choose))


def play(match: Match, asked: Any, seats: frozenset[Any] = BOTH, now: int = START, **context: Any) -> list[Event]:
    new = decide(match, asked, seats, Context(now, **context))
    for event in new:
        match.apply(event)
    return new


def move(match: Match, text: str, seats: frozenset[Any] = BOTH, now: int = START, lag: int = 0) -> None:
    play(match, wire.MakeMove(text, match.number, "i"), seats, now, lag=lag)


def refused(code: str, match: Match, asked: Any, seats: frozenset[Any] = BOTH, now: int = START, **more: Any) -> None:
    with pytest.raises(Refusal) as caught:
        play(match, asked, seats, now, **more)
    assert caught.value.problem.code == code


@pytest.mark.parametrize("begins", ["white", "black"])
def test_a_takeback_that_was_offered_before_an_undo_takes_back_no_more_than_before(begins: str) -> None:
    fen = "4k3/8/8/8/8/8/8/4K2R b - - 0 1" if begins == "black" else None
    match, _ = started("marseillais", fen=fen)
    sides = (WHITE, BLACK) if begins == "white" else (BLACK, WHITE)
    while match.turns < 2:
        move(match, match.board.legal_moves[0].uci())
    own = sum(made.side == begins for made in match.moves)
    move(match, match.board.legal_moves[0].uci(), sides[0])
    play(match, wire.MakeOffer("takeback", "i"), sides[1])
    play(match, wire.Undo(match.number, "i"), sides[0])
    play(match, wire.Answer("takeback", True, "i"), sides[0])
    assert match.board.turn == (begins != "white") and not match.board.turn_moves
    assert {made.side for made in match.moves} == {begins}
    assert len(match.moves) == own


def test_events_that_cannot_be_are_refused_with_their_place() -> None:
    _, stored = started()
    offer = events.Offered(at=START, what="takeback", by="white", moves=1)
    with pytest.raises(Error, match="event 4: more moves are to be taken back than were made"):
        Match("m", [*stored, offer], load("chess"))
    texts = [json.loads(events.encode(event)) for event in stored]
    for text, message in (
        ({"type": "claim", "at": 0, "what": "wat", "by": "white"}, "4: what: expected draw or left"),
        ({"type": "zz", "at": 0}, '4: expected the type of an event, not "zz"'),
        ({"type": "undo", "at": "x"}, "4: at: expected a whole number from"),
    ):
        with pytest.raises(Error, match=message):
            _native.Match(json.dumps([*texts, text]), load("chess"))
    texts[0]["time"] = {"kind": "byoyomi", "initial_ms": 0, "period_ms": 0, "periods": 3}
    with pytest.raises(Error, match="1: time: period_ms: expected a number from 1 to"):
        _native.Match(json.dumps(texts), load("chess"))


def is_known(ask: Callable[[], object]) -> bool:
    """Return whether the core knows a type; it may name fields that are missing."""
    try:
        ask()
    except Error as error:
        return "expected the type of" not in str(error)
    return True


def test_the_core_knows_every_command_and_event() -> None:
    match, stored = started()
    texts = [json.loads(events.encode(event)) for event in stored]

    def decided(tag: str) -> bool:
        asked = {"command": {"type": tag}, "seats": ["white"], "context": {"now": START}}
        return is_known(lambda: match.core.decide(json.dumps(asked)))

    def folded(tag: str) -> bool:
        return is_known(lambda: _native.Match(json.dumps([*texts, {"type": tag, "at": START}]), match.game))

    for known, kinds in ((decided, get_args(Command)), (folded, get_args(Event))):
        tags = {kind.__struct_config__.tag for kind in kinds}
        assert {tag for tag in tags if not known(tag)} == set()
        assert not known("nonsense")


# Clocks.


def shown_at(match: Match, now: int) -> wire.Clock:
    shown = match.clock_at(now)
    assert shown is not None
    return shown


def left(match: Match) -> tuple[int, int]:
    assert match.clock is not None
    return match.clock.left["white"], match.clock.left["black"]


def test_allowed_actions_have_the_names_of_their_commands() -> None:
    said = {kind.__struct_config__.tag for kind in (*get_args(wire.Command), wire.Hint, wire.Chat)}
    assert {*get_args(wire.May)} == (said - {"offer"}) | {*get_args(wire.What)}


def test_a_fischer_clock_starts_after_the_first_turns() -> None:
    match, _ = started(time=wire.Fischer(60_000, 2_000))
    move(match, "e2e4", now=START + 30_000)
    move(match, "e7e5", now=START + 50_000)
    assert left(match) == (60_000, 60_000)
    move(match, "g1f3", now=START + 60_000)
    assert left(match) == (52_000, 60_000)
    assert match.moves[-1].spent_ms == 10_000


def test_increments_are_added_per_turn_not_per_move() -> None:
    match, _ = started("marseillais", time=wire.Fischer(60_000, 2_000))
    now = START
    while match.turns < 2:
        move(match, match.board.legal_moves[0].uci(), now=now)
    turn = match.turn
    moves = 0
    while match.turn == turn:
        now += 5_000
        move(match, match.board.legal_moves[0].uci(), now=now)
        moves += 1
    assert moves == 2
    assert match.clock is not None and match.clock.left[turn] == 60_000 - 10_000 + 2_000


def test_a_byo_yomi_period_is_restored_after_each_turn() -> None:
    control = wire.ByoYomi(10_000, 5_000, 3)
    match, _ = started(time=control)
    move(match, "e2e4")
    move(match, "e7e5")
    assert match.clock is not None
    shown = shown_at(match, START + 12_000)
    assert shown.white_ms == 3_000 and shown.periods == wire.Periods(2, 3)
    move(match, "g1f3", now=START + 12_000)  # 2 s of the first period, which is restored
    assert match.clock is not None and match.clock.left["white"] == 15_000
    shown = shown_at(match, START + 12_000)
    assert (shown.white_ms, shown.black_ms) == (5_000, 10_000)
    assert shown.periods == wire.Periods(2, 3)
    move(match, "b8c6", now=START + 12_000)
    move(match, "f1c4", now=START + 19_000)  # 7 s, which uses up a period
    shown = shown_at(match, START + 19_000)
    assert shown.white_ms == 5_000 and shown.periods == wire.Periods(1, 3)
    move(match, "a7a6", now=START + 19_000)
    refused("in_time", match, CheckFlag(), NOBODY, START + 29_000)
    play(match, CheckFlag(), NOBODY, START + 29_001)
    assert match.ending == wire.Ending("time", "black", "0-1", "0-1")


def test_bots_are_told_the_time_that_is_left_now() -> None:
    match, _ = started(time=wire.Fischer(60_000, 0))
    move(match, "e2e4")
    move(match, "e7e5")
    move(match, "g1f3", now=START + 10_000)
    state = bots.game_state(match, START + 25_000)
    assert (state.wtime, state.btime) == (50_000, 45_000)


def test_correspondence_days_are_restored_each_turn_but_the_reserve_is_not() -> None:
    control = wire.Correspondence(2, 3)
    match, _ = started(time=control)
    day = DAY
    move(match, "e2e4", now=START + day)  # within the days: the reserve is untouched
    assert left(match) == (5 * day, 5 * day)
    move(match, "e7e5", now=START + day + 3 * day)  # a day of the reserve
    assert left(match) == (5 * day, 4 * day)
    shown = shown_at(match, START + 4 * day)
    assert (shown.white_ms, shown.black_ms) == (2 * day, 2 * day)
    assert shown.reserve == wire.Reserve(3 * day, 2 * day)
    shown = shown_at(match, START + 7 * day)
    assert shown.white_ms == 0 and shown.reserve == wire.Reserve(2 * day, 2 * day)


def test_lag_is_compensated_up_to_a_limit() -> None:
    match, _ = started(time=wire.Fischer(60_000, 0))
    move(match, "e2e4")
    move(match, "e7e5")
    move(match, "g1f3", now=START + 1_000, lag=300)
    assert left(match) == (59_300, 60_000)
    move(match, "b8c6", now=START + 3_000, lag=60_000)
    assert left(match) == (59_300, 60_000 - 2_000 + MAX_LAG)
    # A move that was sent in time is accepted.
    refused("in_time", match, CheckFlag(), NOBODY, START + 3_000 + 59_300 + 400, lag=400)
    move(match, "f1c4", now=START + 3_000 + 59_300 + 400, lag=400)


def test_a_move_after_the_flag_fell_changes_nothing() -> None:
    match, _ = started(time=wire.Fischer(60_000, 0))
    move(match, "e2e4")
    move(match, "e7e5")
    before = dump(match)
    refused("late", match, wire.MakeMove("g1f3", match.number, "i"), WHITE, START + 60_001)
    assert dump(match) == before


def test_downtime_of_the_server_costs_players_no_time() -> None:
    match, _ = started(time=wire.Fischer(60_000, 0))
    move(match, "e2e4")
    move(match, "e7e5", now=START + 1)
    hour = START + 3_600_000
    play(match, ResumeAfterOutage((Absence(START + 2_000, hour),)), NOBODY, hour)
    refused("not_away", match, ResumeAfterOutage((Absence(START + 2_000, hour),)), NOBODY, hour + 1_000)
    refused("in_time", match, CheckFlag(), NOBODY, START + 3_650_000)
    move(match, "g1f3", now=START + 3_600_500)
    assert left(match)[0] == 59_500
    slow, _ = started(time=wire.Correspondence(1, 0))
    # Two downtimes; half a day of each is within the match.
    half = DAY // 2
    away = (Absence(START - half, START + half), Absence(START + 2 * half, START + 3 * half))
    play(slow, ResumeAfterOutage(away), NOBODY, START + 3 * half + 1_000)
    assert slow.deadline == START + 2 * DAY


def test_a_lone_king_does_not_win_on_time() -> None:
    match, _ = started(time=wire.Fischer(60_000, 0), fen="7k/8/8/8/8/8/8/KQ6 w - - 0 2")
    move(match, "Ka2")
    move(match, "Kg8")
    play(match, CheckFlag(), NOBODY, START + 60_001)
    assert match.ending is not None and match.ending.winner is None


# The setup.


def test_a_setup_not_chosen_in_time_is_chosen_at_random() -> None:
    match, _ = started("maasai", time=wire.Fischer(60_000, 0), arranging="player")
    assert match.phase == "setup" and match.clock is not None and match.clock.running == "black"
    refused("not_your_turn", match, wire.ChooseSetup("UFDO-QKGL", match.number, "i"), WHITE)
    refused("no_such_setup", match, wire.ChooseSetup("QQQQ", match.number, "i"), BLACK)
    refused("not_playing", match, wire.MakeMove("e4e5", match.number, "i"), WHITE)
    refused("no_setup", match, ConfirmSetup("UFDO-QKGL"), NOBODY)
    play(match, CheckFlag("UFDO-QKGL"), NOBODY, START + 180_000 + 1)
    assert match.phase == "play" and match.setup == "UFDO-QKGL" and match.board.setup_name() == "UFDO-QKGL"
    assert left(match) == (60_000, 60_000) and match.clock.running is None


def test_black_chooses_the_setup() -> None:
    match, _ = started("maasai", arranging="player")
    play(match, wire.ChooseSetup("ufdo-qkgl", match.number, "i"), BLACK)
    assert match.phase == "play" and match.setup == "UFDO-QKGL"


def test_the_engine_chooses_the_setup() -> None:
    match, _ = started("maasai", arranging="engine")
    assert match.engine_due
    refused("no_setup", match, wire.ChooseSetup("UFDO-QKGL", match.number, "i"), BLACK)
    play(match, ConfirmSetup("UFDO-QKGL"), NOBODY)
    assert match.phase == "play" and not match.engine_due


# Seats, offers, claims.


def test_seats_are_taken_once_and_only_their_players_may_move() -> None:
    match = Match("m", [created()], started()[0].game)
    play(match, TakeSeat("ana", "Ana", "white"), NOBODY)
    refused("own_match", match, TakeSeat("ana", "Ana", "black"), NOBODY)
    refused("taken", match, TakeSeat("bo", "Bo", "white"), NOBODY)
    refused("not_begun", match, wire.Resign("i"), WHITE)
    play(match, TakeSeat("bo", "Bo", "black"), NOBODY)
    assert match.phase == "play"
    refused("taken", match, TakeSeat("zoe", "Zoe", "white"), NOBODY)
    refused("no_seat", match, wire.Resign("i"), NOBODY)
    refused("not_your_turn", match, wire.MakeMove("e2e4", match.number, "i"), BLACK)
    move(match, "e2e4", WHITE)
    refused("not_your_turn", match, wire.MakeMove("d2d4", match.number, "i"), WHITE)


def test_a_repeated_move_is_refused_as_stale() -> None:
    match, _ = started("chieftain")
    first = wire.MakeMove(match.board.legal_moves[0].uci(), match.number, "i")
    play(match, first)
    refused("stale", match, first)
    assert match.turn == "white" and len(match.moves) == 1


def test_a_move_sent_before_an_offer_arrived_is_accepted() -> None:
    match, _ = started()
    seen = match.number
    play(match, wire.MakeOffer("draw", "i"), BLACK)
    play(match, wire.MakeMove("e2e4", seen, "i"), WHITE)
    assert not match.offers, "a move declines the offer"


def test_moves_are_read_in_san_too() -> None:
    match, _ = started()
    move(match, "Nf3")
    assert match.moves[-1].move == "g1f3" and match.moves[-1].san == "Nf3"
    refused("illegal", match, wire.MakeMove("Ke5", match.number, "i"))


def test_moves_can_be_undone_only_within_the_current_turn() -> None:
    match, _ = started("chieftain")
    fen = match.board.fen()
    refused("nothing_to_undo", match, wire.Undo(match.number, "i"), WHITE)
    move(match, match.board.legal_moves[0].uci())
    refused("nothing_to_undo", match, wire.Undo(match.number, "i"), BLACK)
    play(match, wire.Undo(match.number, "i"), WHITE)
    assert match.board.fen() == fen and not match.moves
    move(match, match.board.legal_moves[0].uci())
    move(match, "end")
    refused("nothing_to_undo", match, wire.Undo(match.number, "i"), WHITE)


def test_a_takeback_needs_the_consent_of_the_opponent() -> None:
    match, _ = started("chieftain")
    start = match.board.fen()
    move(match, match.board.legal_moves[0].uci())
    move(match, match.board.legal_moves[0].uci())
    refused("nothing_to_take_back", match, wire.MakeOffer("takeback", "i"), WHITE)
    move(match, "end")
    move(match, match.board.legal_moves[0].uci())
    play(match, wire.MakeOffer("takeback", "i"), WHITE)
    refused("own_offer", match, wire.Answer("takeback", True, "i"), WHITE)
    refused("no_offer", match, wire.Answer("draw", True, "i"), BLACK)
    play(match, wire.Answer("takeback", True, "i"), BLACK)
    assert match.board.fen() == start and match.turn == "white" and not match.offers


def take_back(match: Match, now: int) -> None:
    """White requests a takeback, and Black accepts."""
    play(match, wire.MakeOffer("takeback", "i"), WHITE, now)
    play(match, wire.Answer("takeback", True, "i"), BLACK, now)


def test_a_takeback_restores_the_clocks_of_both_sides() -> None:
    match, _ = started(time=wire.Fischer(30_000, 5_000))
    move(match, "e2e4")
    move(match, "e7e5")
    now = START
    # Neither does anybody gain by repeating it.
    for repetition in range(1, 5):
        move(match, "g1f3", now=now + 1_000)
        assert left(match) == (35_000 - repetition * 1_000, 30_000)
        now += 10_000
        take_back(match, now)
        assert match.clock is not None and match.clock.since == now
        assert left(match) == (30_000 - repetition * 1_000, 30_000)
    # A takeback after the opponent's turn restores the opponent's clock too.
    move(match, "g1f3", now=now)
    move(match, "b8c6", now=now + 4_000)
    assert left(match) == (31_000, 31_000)
    take_back(match, now + 6_000)
    assert left(match) == (26_000, 30_000)


def test_a_takeback_begins_the_days_of_a_turn_anew() -> None:
    match, _ = started(time=wire.Correspondence(1, 2))
    hour = DAY // 24
    now = START
    for _ in range(2):
        move(match, "e2e4", now=now)
        take_back(match, now + 20 * hour)
        now += 20 * hour
        assert left(match) == (72 * hour, 72 * hour)
    move(match, "e2e4", now=now)
    for black, white in (("e7e5", "g1f3"), ("b8c6", "f1c4")):
        assert match.clock is not None
        assert shown_at(match, now).black_ms == 24 * hour
        move(match, black, now=now)
        move(match, white, now=now)
    # What the move itself took of the reserve stays spent, as does a period.
    move(match, "f8c5", now=now)
    move(match, "d2d3", now=now + 30 * hour)
    take_back(match, now + 31 * hour)
    assert left(match) == (66 * hour, 72 * hour)
    control = wire.ByoYomi(10_000, 5_000, 3)
    match, _ = started(time=control)
    move(match, "e2e4")
    move(match, "e7e5")
    move(match, "g1f3", now=START + 17_000)
    take_back(match, START + 18_000)
    shown = shown_at(match, START + 18_000)
    assert (shown.white_ms, shown.periods) == (5_000, wire.Periods(1, 3))


@settings(max_examples=100, deadline=None)
@given(
    game=st.sampled_from(("chess", "chieftain", "marseillais")),
    script=st.lists(st.tuples(st.sampled_from("mmmut"), st.integers(0, 3_000)), max_size=60),
)
def test_nobody_has_more_than_the_initial_time_and_an_increment_for_each_turn_on_the_board(
    game: str, script: list[tuple[str, int]]
) -> None:
    match, _ = started(game, time=wire.Fischer(60_000, 2_000))
    now = START
    for what, wait in script:
        now += wait
        try:
            if what == "t":
                take_back(match, now)
            elif what == "u":
                play(match, wire.Undo(match.number, "i"), BOTH, now)
            else:
                move(match, match.board.legal_moves[-1].uci(), now=now)
        except Refusal:
            continue
        if match.clock is None or match.phase == "over":
            return
        for side, seconds in match.clock.left.items():
            turns = len({made.turn for made in match.moves if made.side == side})
            assert seconds <= 60_000 + turns * 2_000


def test_a_declined_takeback_cannot_be_requested_again_before_the_next_move() -> None:
    match, _ = started()
    move(match, "e2e4")
    play(match, wire.MakeOffer("takeback", "i"), WHITE)
    play(match, wire.Answer("takeback", False, "i"), BLACK)
    refused("offered", match, wire.MakeOffer("takeback", "i"), WHITE)
    move(match, "e7e5")
    play(match, wire.MakeOffer("takeback", "i"), WHITE)


def test_the_engine_accepts_takebacks_and_declines_draws() -> None:
    match, _ = started(engine=True)
    move(match, "e2e4", WHITE)
    refused("engine_declines", match, wire.MakeOffer("draw", "i"), WHITE)
    assert [type(event).__name__ for event in play(match, wire.MakeOffer("takeback", "i"), WHITE)] == [
        "Offered",
        "Answered",
    ]
    assert not match.moves


def test_players_can_agree_on_a_draw() -> None:
    match, _ = started("magi:scoring=four_points")
    play(match, wire.MakeOffer("draw", "i"), WHITE)
    play(match, wire.Answer("draw", True, "i"), BLACK)
    assert match.ending == wire.Ending("agreement", None, "2-2", "1/2-1/2")


def test_a_match_can_be_resigned_or_at_its_start_aborted() -> None:
    match, _ = started("magi:scoring=four_points")
    play(match, wire.Resign("i"), WHITE)
    assert match.ending == wire.Ending("resignation", "black", "0-4", "0-1")
    refused("over", match, wire.Resign("i"), BLACK)
    match, _ = started()
    move(match, "e2e4")
    move(match, "e7e5")
    refused("too_late", match, wire.Abort("i"), WHITE)
    match, _ = started()
    play(match, wire.Abort("i"), BLACK)
    assert match.ending is not None and match.ending.result == "*"
    refused("no_rematch", match, wire.MakeOffer("rematch", "i"), BLACK)


def test_draws_can_be_claimed_by_the_rules_of_the_game() -> None:
    match, _ = started()
    refused("no_claim", match, wire.Claim("draw", "i"), WHITE)
    for text in ("Nf3", "Nf6", "Ng1", "Ng8") * 2:
        move(match, text)
    refused("not_your_turn", match, wire.Claim("draw", "i"), BLACK)
    play(match, wire.Claim("draw", "i"), WHITE)
    assert match.ending is not None and (match.ending.reason, match.ending.limit) == ("threefold_repetition", 3)
    shown = views.snapshot(match, WHITE, 0, online=frozenset(), watchers=0, chat=[], ratings=None)
    assert shown.game.draw_limits["fifty_moves"] == 100


def test_a_live_match_can_be_claimed_a_minute_after_the_opponent_left() -> None:
    match, _ = started(time=wire.Fischer(60_000, 0))
    refused("not_gone", match, wire.Claim("left", "i"), WHITE, gone=None)
    refused("not_gone", match, wire.Claim("left", "i"), WHITE, gone=59_999)
    play(match, wire.Claim("left", "i"), WHITE, gone=60_000)
    assert match.ending is not None and match.ending.winner == "white"
    match, _ = started(time=wire.Correspondence(1, 0))
    refused("no_claim", match, wire.Claim("left", "i"), WHITE, gone=10**9)


def test_a_claim_is_made_as_a_move_in_magi() -> None:
    match, _ = started("magi:scoring=four_points", fen="k9/10/1K8/3N6/10/10/10/10/10/10 w - - 0 2")
    move(match, "claim")
    assert match.ending is not None and (match.ending.score, match.ending.winner) == ("3-1", "white")


def test_two_passes_end_the_game_where_passing_is_allowed() -> None:
    match, _ = started("chieftain:pass=on")
    move(match, "end", WHITE)
    move(match, "end", BLACK)
    assert match.ending is not None and match.ending.reason == "double_pass"


def test_a_rematch_can_be_agreed_on_only_once() -> None:
    match, _ = started()
    refused("no_rematch", match, wire.MakeOffer("rematch", "i"), WHITE)
    play(match, wire.Resign("i"), WHITE)
    play(match, wire.MakeOffer("rematch", "i"), WHITE)
    play(match, wire.Answer("rematch", True, "i"), BLACK, rematch="again")
    assert match.rematch == "again"
    refused("no_rematch", match, wire.MakeOffer("rematch", "i"), WHITE)


def test_a_rematch_cannot_be_offered_before_the_end() -> None:
    match, _ = started()
    play(match, wire.MakeOffer("draw", "i"), WHITE)
    refused("no_rematch", match, wire.MakeOffer("rematch", "i"), WHITE)


def test_a_takeback_at_one_board_needs_no_consent() -> None:
    match, _ = started(opponent="self")
    assert "takeback" not in may(match, BOTH)
    for number, move in enumerate(("e2e4", "e7e5", "g1f3")):
        play(match, wire.MakeMove(move, match.number, str(number)), BOTH)
    for left in (2, 1, 0):
        assert "takeback" in may(match, BOTH)
        play(match, wire.MakeOffer("takeback", "i"), BOTH)
        assert len(match.moves) == left
    refused("nothing_to_take_back", match, wire.MakeOffer("takeback", "i"), BOTH)


# Tournaments.


def test_a_match_of_a_tournament_cannot_be_aborted_and_has_no_takebacks_and_no_rematch() -> None:
    match, _ = started(time=wire.Fischer(60_000, 0), tournament="t")
    assert "abort" not in may(match, WHITE)
    for asked, code in ((wire.Abort("i"), "too_late"), (wire.MakeOffer("takeback", "i"), "rated")):
        with pytest.raises(Refusal) as refused:
            decide(match, asked, WHITE, Context(START))
        assert refused.value.problem.code == code
    for side, move in ((WHITE, "e2e4"), (BLACK, "e7e5")):
        for event in decide(match, wire.MakeMove(move, match.number, "i"), side, Context(START)):
            match.apply(event)
    assert not {"takeback", "abort"} & {*may(match, WHITE)}
    for event in decide(match, wire.Resign("i"), WHITE, Context(START)):
        match.apply(event)
    assert "rematch" not in may(match, BLACK)
    with pytest.raises(Refusal):
        decide(match, wire.MakeOffer("rematch", "i"), BLACK, Context(START, rematch="again"))


def test_the_clock_of_a_tournament_runs_from_the_first_turn() -> None:
    for tournament, running in ((None, None), ("t", "white")):
        match, _ = started(time=wire.Fischer(60_000, 0), tournament=tournament)
        assert match.clock is not None and match.clock.running == running
    (event,) = decide(match, CheckFlag(None), NOBODY, Context(START + 60_001))
    match.apply(event)
    assert match.ending is not None and match.ending.winner == "black"


def test_two_engines_play_each_other() -> None:
    stored: list[Event] = [
        created(opponent="engine"),
        events.Seated(at=START, side="white", person="one", name="One", level=1),
        events.Seated(at=START, side="black", person="two", name="Two", level=2),
    ]
    match = Match("m", stored, load("chess"))
    for side, move in (("white", "e2e4"), ("black", "e7e5"), ("white", "g1f3")):
        assert match.engine == side and match.engine_due
        made = wire.MakeMove(move, match.number, "i")
        for event in decide(match, made, frozenset({side}), Context(START)):  # type: ignore[arg-type]
            match.apply(event)
