"""Whether both players of a match have their processor and their speed."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from acedrex import Board, Error, Move
from acedrex.cli import main
from acedrex.engine import EngineError, Info, Limit, PlayResult, Score
from acedrex.engine.process import Program
from acedrex.engine.text import ProgramOption
from acedrex.match import Control, Goal, Log, Settings, Standing, fairness, run, runner
from acedrex.match.effort import Effort, Meter, Thought
from acedrex.match.fairness import is_measured, measure_alone
from acedrex.match.players import count_threads, parse_spec
from acedrex.match.referee import Played
from benches.ladder import HEAD, row
from tests.matches import settings

TIMED = Control(time=0.5)


class Runner:
    """A player with a speed of its own, which has a share of the processor and of its speed in play."""

    made = 0

    def __init__(self, speed: int, share: float | None = 1.0, slowed: float = 1.0, deaf: bool = False) -> None:
        self.speed, self.share, self.slowed, self.deaf = speed, share, slowed, deaf
        self.begun: list[str] = []
        self.limits: list[Limit] = []
        self.closed = False
        self.alone = True
        #: The part of its processor that it has in trial searches before the first game.
        self.loaded = 1.0

    def begin(self, seed: str) -> None:
        self.begun.append(seed)

    def play(self, board: Board, limit: Limit, *, root_moves: Sequence[Move] = ()) -> PlayResult:
        if self.deaf and self.begun[-1:] == ["probe"]:
            raise EngineError("deaf")
        self.limits.append(limit)
        nodes = round(self.speed * (limit.time or 1) * board.legal_moves.count() * (1.0 if self.alone else self.slowed))
        info = Info(depth=1, seldepth=1, score=Score(0), nodes=nodes, nps=1, time=0.0, hashfull=0, pv=(), pv_san="")
        return PlayResult(moves=(sorted(board.legal_moves, key=lambda move: move.uci())[0],), info=info)

    def echo(self, board: Board) -> str | None:
        return None

    def thought(self) -> Thought:
        time, share = self.limits[-1].time or 1.0, 1.0 if self.alone and self.share else self.share
        return Thought(time / self.loaded, None if share is None else time * share)

    def stop(self) -> None:
        pass

    def close(self) -> None:
        self.closed = True


def seat(monkeypatch: pytest.MonkeyPatch, **runners: Runner) -> Settings:
    """Let runners play where the engine would, with hash=1 and hash=2."""

    def make(alone: bool) -> object:
        def made(spec: object, game: object) -> Runner:
            player = runners["first" if "hash=1" in str(spec) else "second"]
            player.alone = alone
            return player

        return made

    monkeypatch.setattr(fairness, "make", make(True))
    monkeypatch.setattr(runner, "make", make(False))
    return settings(first="acedrex hash=1", second="acedrex hash=2", control=TIMED, adjudicate=True)


def play(chosen: Settings, games: int = 4, log: Log | None = None) -> Standing:
    standing = Standing(chosen, Goal(games=games), log.games if log else ())
    run(standing, log=log)
    return standing


def test_only_players_whose_play_depends_on_their_speed_are_measured() -> None:
    def measured(spec: str, control: Control = TIMED) -> bool:
        return is_measured(settings(first=spec, control=control), "first")

    assert measured("acedrex") and measured("acedrex level=10") and measured("uci:x")
    assert measured("uci:x", Control(base=10)) and measured("uci:x time=1", Control(nodes=5))
    assert not any(measured(spec) for spec in ("random", "greedy", "acedrex level=9", "uci:x nodes=5"))
    assert not measured("acedrex", Control(nodes=5))


def test_a_fair_match_tells_the_speed_of_each_side(monkeypatch: pytest.MonkeyPatch) -> None:
    standing = play(seat(monkeypatch, first=Runner(1000), second=Runner(200, 0.95)))
    facts = standing.record()["fairness"]
    assert (facts["first"]["processor"], facts["second"]["processor"]) == (1.0, 0.95)
    assert (facts["first"]["speed"], facts["second"]["speed"]) == (1.0, 1.0)
    assert facts["first"]["nodes_per_second"] > 4 * facts["second"]["nodes_per_second"] > 0
    assert standing.unfair == standing.record()["unfair"] == [] and standing.incidents() == {"first": {}, "second": {}}
    lines = [line for line in standing.report() if line.startswith("Speed of the second")]
    assert len(lines) == 1
    assert "100% of those alone; 95% of its processor; late 0" in lines[0]
    assert not any("UNFAIR" in line for line in standing.report())


def test_a_player_without_its_processor_is_treated_unfairly(monkeypatch: pytest.MonkeyPatch) -> None:
    standing = play(seat(monkeypatch, first=Runner(1000), second=Runner(1000, 0.48)))
    assert standing.unfair == ["second"] and standing.record()["unfair"] == ["second"]
    assert standing.incidents() == {"first": {}, "second": {"slow": 4}}
    assert standing.games[0].incidents[0].text == "it had 48% of its processor"
    assert any("UNFAIR: the second had less than 90%" in line for line in standing.report())


def test_a_player_that_is_slowed_down_is_treated_unfairly(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its processor is its own, but slower than it was alone. Nothing follows from few searches."""
    chosen = seat(monkeypatch, first=Runner(1000, None, 0.85), second=Runner(1000, None, 0.95))
    standing = play(chosen)
    assert standing.unfair == ["first"] and standing.record()["fairness"]["first"]["speed"] == 0.85
    assert standing.record()["fairness"]["first"]["processor"] is None
    early = Standing(chosen, Goal(games=4), [standing.games[0]])
    assert early.record()["fairness"]["first"]["speed"] == 0.85 and early.unfair == []


def test_other_work_before_the_first_game_does_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise a player would have a low mark to reach: it searches half as fast then, for twice the time."""
    first = Runner(1000)
    chosen = seat(monkeypatch, first=first, second=Runner(1000))
    quiet = measure_alone(chosen).nodes["first"]
    first.loaded = 0.5
    assert measure_alone(chosen).nodes["first"] == quiet


def test_trial_searches_are_about_as_long_as_turns_and_begin_with_an_empty_table(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    first, second = Runner(1000), Runner(1000)
    chosen = seat(monkeypatch, first=first, second=second)
    alone = measure_alone(chosen)
    assert first.closed and len(alone.positions) == 4 and set(alone.nodes) == {"first", "second"}
    assert first.begun == ["probe"] * len(first.limits) and {limit.time for limit in first.limits} == {0.5}
    assert sum(limit.time or 0 for limit in first.limits) == 2.5
    assert len({board.fen() for board in alone.positions}) == 4
    play(chosen, 2)
    assert first.begun[-4:] == ["probe", "1 0 first", "probe", "1 1 first"]


@pytest.mark.parametrize(
    ("control", "time"),
    [(Control(time=0.001), 0.01), (Control(time=0.02), 0.02), (Control(base=20, increment=0.1), 0.5)],
)
def test_trial_searches_have_a_shortest_and_a_longest_time(
    monkeypatch: pytest.MonkeyPatch, control: Control, time: float
) -> None:
    first = Runner(1000)
    seat(monkeypatch, first=first, second=Runner(1))
    measure_alone(settings(first="acedrex hash=1", control=control))
    assert {limit.time for limit in first.limits} == {time}
    assert 0.9 < sum(limit.time or 0 for limit in first.limits) < 3


def test_a_player_that_fails_in_trial_searches_plays_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    standing = play(seat(monkeypatch, first=Runner(1000, deaf=True), second=Runner(1000, 0.5)))
    assert standing.record()["fairness"]["first"]["speed"] is None and standing.unfair == ["second"]
    assert {game.termination for game in standing.games.values()}.isdisjoint({"failed"})


def test_nothing_is_measured_where_speed_does_not_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    def make(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr(fairness, "make", make)
    standing = Standing(settings("chess", "acedrex hash=1", "random", control=Control(nodes=10)), Goal(games=2))
    run(standing)
    assert "fairness" not in standing.record() and standing.unfair == []
    assert "efforts" not in standing.games[0].record()


def test_a_resumed_match_counts_both_parts(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    path = tmp_path / "match.jsonl"
    slow = seat(monkeypatch, first=Runner(1000), second=Runner(1000, 0.5, 0.5))
    with Log(path, slow, resume=False) as log:
        play(slow, 2, log)
    with Log(path, slow, resume=True) as log:
        chosen = seat(monkeypatch, first=Runner(1000), second=Runner(1000))
        standing = play(chosen, 4, log)
    [half, whole] = [standing.games[number].efforts["second"] for number in (0, 2)]
    assert (half.share, half.speed, whole.share, whole.speed) == (0.5, 0.5, 1.0, 1.0)
    share = standing.record()["fairness"]["second"]["processor"]
    assert 0.5 < share < 1 and standing.unfair == ["second"]


@pytest.mark.parametrize("value", ['"many"', "-1", "NaN", "[]", "true and false"])
def test_efforts_in_a_log_are_checked(value: str) -> None:
    played = Played(0, "first", "", [], efforts={"first": Effort(1.0, 0.9, 100)})
    assert Played.from_record(json.loads(json.dumps(played.record()))) == played
    text = json.dumps(played.record()).replace('"nodes": 100', f'"nodes": {value}')
    with pytest.raises((Error, ValueError)):
        Played.from_record(json.loads(text))


def test_the_command_marks_an_unfair_match(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "m.json"
    words = ["match", "chess", "--first", "acedrex hash=1", "--second", "acedrex hash=2", "--time", "0.5"]
    words += ["--games", "2", "--adjudicate", "--out", str(out)]
    seat(monkeypatch, first=Runner(1000), second=Runner(1000))
    assert main([*words[:-1], str(tmp_path / "fair.json")]) == 0
    assert "UNFAIR" not in capsys.readouterr().out
    seat(monkeypatch, first=Runner(1000), second=Runner(1000, 0.5))
    assert main(words) == 3
    assert "UNFAIR: the second had less than 90%" in capsys.readouterr().out
    assert json.loads(out.read_text())["unfair"] == ["second"]
    log = [json.loads(line) for line in out.with_suffix(".jsonl").read_text().splitlines()]
    assert [game["incidents"][0]["kind"] for game in log[1:]] == ["slow", "slow"]
    assert log[1]["efforts"]["second"]["processor"] == log[1]["efforts"]["second"]["seconds"] / 2


def test_the_ladder_prints_a_row_of_a_match(monkeypatch: pytest.MonkeyPatch) -> None:
    standing = play(seat(monkeypatch, first=Runner(1000), second=Runner(200, 0.5)), 2)
    line = row(json.loads(json.dumps(standing.record())), "Rival 1.0", "467982")
    cells = line.strip("| ").split(" | ")
    assert cells[:4] == ["chess", "Rival 1.0", "467982", "2"] and len(cells) == HEAD.count("|") - 1
    assert cells[-2:] == ["100% and 50%", "0 and 0, **unfair**"]


# Processor time.


def test_processor_time_is_divided_among_those_who_think() -> None:
    now = 0.0
    meter = Meter(lambda: now)
    now = 5.0
    with meter.thinking(1) as one:
        now += 2
        with meter.thinking(3) as two:
            now += 8
        now += 1
    now += 7
    with meter.thinking(2) as three:
        now += 4
    # Per thread: 8 s were divided among four threads.
    assert (one.processor, two.processor, three.processor) == (5.0, 2.0, 2.0)


BURN = """
import time
input()
while time.process_time() < 0.2:
    pass
print("done", flush=True)
input()
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells")
@pytest.mark.parametrize("wrapped", [False, True])
def test_the_processor_time_of_a_program_includes_what_it_started(wrapped: bool) -> None:
    command = [sys.executable, "-c", BURN]
    if wrapped:
        command = ["sh", "-c", '"$0" "$@"; true', *command]
    program = Program(command)
    before = program.processor_time()
    program.send("go")
    program.wait_at_most(60)
    assert program.read("done") == "done"
    after = program.processor_time()
    assert before is not None and after is not None and after >= 0.2
    program.kill()
    assert program.processor_time() is None


def test_threads_are_those_that_the_program_is_given() -> None:
    offered = {"threads": ProgramOption("threads", "spin", "2", ())}
    assert count_threads(offered, parse_spec("uci:x option.Threads=4").options) == 4
    assert count_threads(offered, {}) == 2 and count_threads({}, {}) == 1
    assert count_threads({}, {"Threads": "many"}) == 1
