"""The referee of matches: how games end, clocks, and players' mistakes."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from acedrex import Board, Move
from acedrex.engine import EngineError, Info, Limit, PlayResult, Score
from acedrex.match import Control, Goal, Standing, write_pgn
from acedrex.match import referee as referee_module
from acedrex.match.effort import Thought
from acedrex.match.referee import Played, StoppedError, play_game
from tests.matches import settings


class Clock:
    """A clock that runs only while a scripted player thinks."""

    now = 0.0

    def perf_counter(self) -> float:
        return Clock.now


class Scripted:
    """A player that returns what a function returns: a turn, a score, or an error."""

    def __init__(self, answer: Callable[[Board], Any], score: Score | None = None, seconds: float = 0.0) -> None:
        self.answer = answer
        self.score = score
        self.seconds = seconds
        self.limits: list[Limit] = []

    def begin(self, seed: str) -> None:
        pass

    def play(self, board: Board, limit: Limit, *, root_moves: Sequence[Move] = ()) -> PlayResult:
        self.limits.append(limit)
        Clock.now += self.seconds
        answer = self.answer(board)
        if isinstance(answer, Exception):
            raise answer
        score = self.score
        told = (
            None
            if score is None
            else Info(depth=1, seldepth=1, score=score, nodes=1, nps=1, time=0.0, hashfull=0, pv=(), pv_san="")
        )
        return PlayResult(moves=tuple(answer), info=told)

    def echo(self, board: Board) -> str | None:
        return None

    def thought(self) -> Thought | None:
        return None

    def stop(self) -> None:
        pass

    def close(self) -> None:
        pass


def shuffle(board: Board) -> list[Move]:
    """A quiet move that does not repeat a position, as long as there is one."""
    for move in sorted(board.legal_moves, key=lambda move: move.uci()):
        after = board.copy()
        after.push(move)
        if not board.is_capture(move) and after.outcome(claim_draw=True) is None:
            return [move]
    return [board.legal_moves[0]]


def game(one: Any, other: Any, number: int = 0, fen: str | None = None, **others: Any) -> Played:
    chosen = settings(**others)
    return play_game(chosen, number, Board(chosen.game, fen), {"first": one, "second": other})


def test_a_game_is_recorded_from_the_start_to_mate() -> None:
    mate = iter(["f2f3", "e7e5", "g2g4", "d8h4"])
    player = Scripted(lambda board: [Move.from_uci(next(mate))])
    played = game(player, player, number=1)
    assert played.white == "second" and played.turns == ["f2f3", "e7e5", "g2g4", "d8h4"]
    assert (played.termination, played.result, played.score, played.points) == ("checkmate", "0-1", "0-1", 1.0)
    assert Played.from_record(json.loads(json.dumps(played.record()))) == played


def test_a_threefold_repetition_is_claimed_as_a_draw() -> None:
    moves = iter(["g1f3", "g8f6", "f3g1", "f6g8"] * 3)
    player = Scripted(lambda board: [Move.from_uci(next(moves))])
    played = game(player, player)
    assert (played.termination, len(played.turns), played.points) == ("threefold_repetition", 8, 0.5)


@pytest.mark.parametrize("answer", [["e2e5"], [], ["e2e4", "e7e5"], ["a1a1"]])
def test_an_illegal_turn_loses(answer: list[str]) -> None:
    played = game(Scripted(lambda board: [Move.from_uci(uci) for uci in answer]), Scripted(shuffle))
    assert (played.termination, played.points, played.turns) == ("illegal_turn", 0.0, [])
    assert [(incident.player, incident.kind) for incident in played.incidents] == [("first", "illegal")]


def test_an_unfinished_turn_is_illegal() -> None:
    move = Board("chieftain").legal_moves[0]
    played = game(Scripted(lambda board: [move]), Scripted(shuffle), game="chieftain")
    assert played.termination == "illegal_turn"


def test_a_player_that_fails_loses() -> None:
    played = game(Scripted(shuffle), Scripted(lambda board: EngineError("gone")))
    assert (played.termination, played.result, played.points, len(played.turns)) == ("failed", "1-0", 1.0, 1)
    assert [(note.turn, note.player, note.kind, note.text) for note in played.incidents] == [
        (1, "second", "failed", "gone")
    ]
    four = game(Scripted(lambda board: EngineError("gone")), Scripted(shuffle), game="magi:scoring=four_points")
    assert (four.score, four.points) == ("0-4", 0.0)


def test_four_point_scores_count_in_quarters() -> None:
    stalemate = "k9/3Q6/1K8/10/10/10/10/10/10/10 w - - 0 1"
    player = Scripted(lambda board: [Move.from_uci("d9c9")])
    played = game(player, player, fen=stalemate, game="magi:scoring=four_points")
    assert (played.termination, played.result, played.score, played.points) == ("stalemate", "1-0", "3-1", 0.75)
    standing = Standing(settings("magi:scoring=four_points"), Goal(games=2))
    for number, points in enumerate((0.75, 0.25, 1.0, 0.75)):
        standing.add(Played(number, "first", "", [], points=points))
    assert standing.pairs == [0, 0, 0, 0, 1, 0, 0, 1, 0]


def test_reports_name_draws_by_the_limits_of_the_game() -> None:
    standing = Standing(settings("xiangqi"), Goal(games=2))
    for number, termination in enumerate(("seventyfive_moves", "fivefold_repetition")):
        standing.add(Played(number, "first", "", [], termination=termination))
    assert "Endings: 60-move rule 1, fivefold repetition 1; 0.0 turns a game" in standing.report()


def test_late_turns_are_recorded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(referee_module, "time", Clock())
    monkeypatch.setattr(referee_module, "MOST_TURNS", 3)
    slow, fast = Scripted(shuffle, seconds=1.125), Scripted(shuffle, seconds=1.0625)
    played = game(slow, fast, control=Control(time=1))
    assert slow.limits == [Limit(time=1)] * 2
    late = [(note.turn, note.player, note.kind, note.text) for note in played.incidents]
    text = "1.125 s where 1 s were given"
    assert late == [(1, "first", "late", text), (3, "first", "late", text)]
    assert (played.termination, played.points, played.seconds) == ("too_long", 0.5, [1.125, 1.062, 1.125])


def test_a_player_whose_clock_runs_out_loses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(referee_module, "time", Clock())
    slow, fast = Scripted(shuffle, seconds=4), Scripted(shuffle, seconds=0.5)
    played = game(fast, slow, control=Control(base=10, increment=0.75))
    assert (played.termination, played.points) == ("time_forfeit", 1.0)
    assert [(note.turn, note.player, note.kind, note.text) for note in played.incidents] == [
        (6, "second", "time", "over its time by 0.500 s")
    ]
    assert [(limit.white_clock, limit.black_clock) for limit in slow.limits] == [
        (10.25, 10.0),
        (10.5, 6.75),
        (10.75, 3.5),
    ]
    assert {(limit.white_inc, limit.black_inc) for limit in slow.limits} == {(0.75, 0.75)}


def test_the_clock_runs_on_while_a_player_is_asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(referee_module, "time", Clock())
    monkeypatch.setattr(referee_module, "MOST_TURNS", 1)
    answers = iter([lambda board: [], shuffle])
    slow = Scripted(lambda board: next(answers)(board), seconds=4)
    played = game(slow, Scripted(shuffle), control=Control(base=10), ask_again=True)
    assert [limit.white_clock for limit in slow.limits] == [10, 6]
    assert played.seconds == [8]
    assert [note.kind for note in played.incidents] == ["illegal"]


def test_time_odds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(referee_module, "time", Clock())
    monkeypatch.setattr(referee_module, "MOST_TURNS", 4)
    first, second = Scripted(shuffle, seconds=0.5), Scripted(shuffle, seconds=0.5)
    specs = {"first": "acedrex time=0.25", "second": "acedrex tc=10+2"}
    played = game(first, second, control=Control(nodes=7), **specs)
    assert first.limits == [Limit(time=0.25)] * 2
    assert second.limits == [Limit(black_clock=10, black_inc=2), Limit(black_clock=11.5, black_inc=2)]
    assert [(note.turn, note.player, note.text) for note in played.incidents] == [
        (1, "first", "0.500 s where 0.25 s were given"),
        (3, "first", "0.500 s where 0.25 s were given"),
    ]
    first, second = Scripted(shuffle, seconds=3), Scripted(shuffle, seconds=3)
    played = game(first, second, first="acedrex tc=4", second="acedrex tc=10+2")
    assert (played.termination, played.points, played.incidents[0].player) == ("time_forfeit", 0.0, "first")
    assert second.limits[0] == Limit(white_clock=1, black_clock=10, white_inc=0, black_inc=2)


@pytest.mark.parametrize(
    ("fen", "points"), [("k7/8/8/8/8/8/8/1QK5 w - - 0 1", 0.5), ("k7/p7/8/8/8/8/8/1QK5 w - - 0 1", 0.0)]
)
def test_a_lone_king_does_not_win_on_time(fen: str, points: float, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(referee_module, "time", Clock())
    slow = Scripted(shuffle, seconds=2)
    played = game(slow, slow, fen=fen, control=Control(base=1))
    assert (played.termination, played.points) == ("time_forfeit", points)


def test_a_node_limit_implies_a_time_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(referee_module, "MOST_TURNS", 1)
    player = Scripted(shuffle)
    game(player, player, control=Control(nodes=7))
    assert player.limits == [Limit(nodes=7, time=60.0)]


def test_games_are_adjudicated_by_score_if_enabled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(referee_module, "MOST_TURNS", 100)
    sure, lost = Scripted(shuffle, Score(mate=9)), Scripted(shuffle, Score(cp=-1000))
    played = game(lost, sure, adjudicate=True)
    assert (played.termination, played.result, len(played.turns)) == ("adjudicated_win", "0-1", 6)
    assert played.scores[:2] == ["-1000", "#9"]
    assert game(lost, sure).termination == "too_long"
    assert game(Scripted(shuffle, Score(cp=-999)), sure, adjudicate=True).termination == "too_long"
    even = Scripted(shuffle, Score(cp=10))
    played = game(even, even, adjudicate=True)
    assert (played.termination, len(played.turns)) == ("adjudicated_draw", 90)
    assert game(even, Scripted(shuffle), adjudicate=True).termination == "too_long"


def test_a_game_can_be_stopped() -> None:
    player = Scripted(shuffle)
    left = iter([False, False, True])
    with pytest.raises(StoppedError):
        play_game(settings(), 0, Board("chess"), {"first": player, "second": player}, lambda: next(left))
    assert len(player.limits) == 2


def test_a_game_lost_by_failure_is_written_to_pgn() -> None:
    played = game(Scripted(shuffle), Scripted(lambda board: EngineError("gone")))
    file = io.StringIO()
    write_pgn(settings(), [played], file)
    assert '[Termination "abandoned"]' in file.getvalue() and '[Result "1-0"]' in file.getvalue()


def test_the_clock_does_not_run_while_a_program_is_asked_for_its_position(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(referee_module, "time", Clock())
    monkeypatch.setattr(referee_module, "MOST_TURNS", 2)

    class Asked(Scripted):
        def echo(self, board: Board) -> str | None:
            Clock.now += 100
            return board.fen()

    played = game(Asked(shuffle, seconds=0.5), Asked(shuffle, seconds=0.5), control=Control(base=1))
    assert played.seconds == [0.5, 0.5] and not played.incidents


def test_a_program_without_a_position_has_rejected_a_turn() -> None:
    """Acedrex itself has none after a turn that it takes for illegal."""

    class Lost(Scripted):
        def echo(self, board: Board) -> str | None:
            return "" if board.ply() == 4 else board.fen()

    played = game(Lost(shuffle), Lost(shuffle))
    assert (played.termination, played.points, len(played.turns)) == ("rejected_turn", 0.0, 4)
    assert played.incidents[0].text == f"it did not accept {played.turns[-1]}, and has no position"


def test_a_game_lost_by_rejection_is_written_to_pgn() -> None:
    class Old(Scripted):
        def echo(self, board: Board) -> str | None:
            return Board("chess").fen()

    played = game(Old(shuffle), Old(shuffle))
    assert (played.termination, played.incidents[0].player) == ("rejected_turn", "second")
    file = io.StringIO()
    write_pgn(settings(), [played], file)
    assert '[Termination "rules infraction"]' in file.getvalue() and "rejected turn" in file.getvalue()
