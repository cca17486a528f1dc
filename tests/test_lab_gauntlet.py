"""Matches in units: the same result however the work is distributed."""

from __future__ import annotations

import json
import os
import random
import re
import signal
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from acedrex import Error
from acedrex.game import Game
from acedrex.lab import Gauntlet, Job, Processes
from acedrex.lab.gauntlet import Games
from acedrex.lab.plan import make
from acedrex.match import Control, Goal, Standing, players, run
from tests.engines.programs import FAKE
from tests.lab import Now, Shuffled, contents, finish
from tests.matches import settings

pytestmark = pytest.mark.slow


def planned(goal: Goal, unit: int = 2, game: str = "shako", **others: Any) -> Gauntlet:
    return Gauntlet.plan(settings(game, **others), goal, unit=unit)


def uneven(goal: Goal, unit: int) -> Gauntlet:
    """The first player is better."""
    return planned(goal, unit, "chess", first="greedy", second="random")


def standing(job: Job) -> Standing:
    tally, wrong = job.status()
    assert wrong == [] and isinstance(tally, Games)
    return tally.standing


@pytest.mark.slow
def test_a_gauntlet_equals_the_match_with_the_same_settings(tmp_path: Path) -> None:
    job = Job.create(tmp_path, planned(Goal(games=14)))
    finish(job)
    assert [path.name for path in sorted((tmp_path / "units").iterdir())] == [f"{at:06}.match" for at in range(4)]
    assert [job.read(number).header["count"] for number in range(4)] == [2, 2, 2, 1]
    match = Standing(settings("shako"), Goal(games=14))
    run(match)
    for number, game in match.games.items():
        again = standing(job).games[number].record()
        assert {**game.record(), "date": "", "seconds": again["seconds"]} == again
    assert standing(job).record() == match.record()


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_an_sprt_is_decided_by_the_same_pairs_in_any_order(seed: int, tmp_path: Path) -> None:
    goal = Goal(games=400, sprt=(0, 250))
    one, other = (Job.create(tmp_path / name, uneven(goal, 1)) for name in "ab")
    executor = Now()
    finish(one, lambda: executor)
    assert standing(one).verdict == "H1" and 10 < len(standing(one).games) < 400
    assert executor.calls <= len(one.units()) + 2
    finish(other, lambda: Shuffled(seed), window=7)
    assert contents(one.folder) == contents(other.folder) and one.digest() == other.digest()
    assert any("Test in normalized Elo: 250 or more" in line for line in one.plan.report(one.status()[0]))


def test_the_unit_size_does_not_change_the_decision(tmp_path: Path) -> None:
    goal = Goal(sprt=(0, 250))
    decided = []
    for unit in (1, 5):
        job = Job.create(tmp_path / str(unit), uneven(goal, unit))
        finish(job, lambda: ThreadPoolExecutor(2), window=4)
        decided.append(standing(job).record())
        assert (len(job.units()) - 1) * unit < sum(standing(job).pairs) <= len(job.units()) * unit
    assert decided[0] == decided[1]


def test_processes_complete_an_unfinished_gauntlet_with_the_same_data(tmp_path: Path) -> None:
    plan = planned(Goal(games=12), first="acedrex hash=1", control=Control(nodes=20), openings=6, balance=300)
    whole, job = Job.create(tmp_path / "whole", plan), Job.create(tmp_path / "job", plan)
    finish(whole)
    job.add(1, plan.make(1))
    finish(Job.open(job.folder), lambda: Processes(2), window=4)
    assert contents(job.folder) == contents(whole.folder)


def test_an_interrupted_unit_leaves_no_program_or_file(tmp_path: Path) -> None:
    """The program hangs, so it does not notice that its client has ended."""
    heard = tmp_path / "heard"
    chosen = settings(first=f"uci:{sys.executable} {FAKE} hang {heard}", control=Control(nodes=10))
    with Processes(1) as executor:
        folder = Path(executor._folder.name)
        executor.submit(make, Gauntlet.plan(chosen, Goal(games=2), unit=1), 0)
        end = time.monotonic() + 60
        while time.monotonic() < end and not (heard.exists() and "go movetime" in heard.read_text()):
            time.sleep(0.05)
        assert [*folder.iterdir()]
    assert not folder.exists()
    pid = int(heard.read_text().split()[1])
    with pytest.raises(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)


def test_times_are_stored_only_in_timed_games(tmp_path: Path) -> None:
    games = [json.loads(line) for line in planned(Goal(games=2), unit=1).make(0).splitlines()]
    assert {second for game in games for second in game["seconds"]} == {0.0}
    timed = planned(Goal(games=2), unit=1, control=Control(time=0.01), second="acedrex hash=1")
    games = [json.loads(line) for line in timed.make(0).splitlines()]
    assert any(second > 0 for game in games for second in game["seconds"])
    job = Job.create(tmp_path, timed)
    assert Job.open(tmp_path).plan == job.plan


def test_the_networks_of_players_are_copied_into_the_job(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Workers read the copies, wherever they are."""
    read = []

    def make(game: Game, options: Any) -> players.Player:
        read.append(Path(options["network"]).read_bytes())
        return players.random_player(game, {})

    monkeypatch.setitem(players.KINDS, "acedrex", players.Kind(make, ("network", "hash")))
    for name in ("a", "b"):
        (tmp_path / name).write_bytes(name.encode() * 3)
    specs = {"first": f"acedrex hash=4 network={tmp_path / 'a'}", "second": f"acedrex network={tmp_path / 'b'}"}
    job = Job.create(tmp_path / "job", planned(Goal(games=4), **specs))
    (tmp_path / "a").unlink()
    (tmp_path / "b").unlink()
    job = Job.open(job.folder)
    finish(job)
    assert read == [b"aaa", b"bbb"]
    assert job.read(0).header["networks"] == {
        side: json.loads((job.folder / "manifest.json").read_text())["networks"][side] for side in ("first", "second")
    }
    with pytest.raises(Error, match=r"cannot read .*a: No such file"):
        planned(Goal(games=4), **specs)


def test_a_player_that_does_not_start_is_reported(tmp_path: Path) -> None:
    job = Job.create(tmp_path, planned(Goal(games=2), second="uci:no-such-engine"))
    with pytest.raises(Error, match=r"unit 0 failed 4 times, at last with EngineError: .*no-such-engine"):
        finish(job)


@pytest.mark.parametrize(
    ("part", "change", "message"),
    [
        ("recipe", {"first": "nobody"}, "unknown player 'nobody'"),
        ("recipe", {"second": None}, "second: expected a text"),
        ("recipe", {"nodes": None}, "nodes: expected a whole number"),
        ("recipe", {"nodes": None, "time": "1"}, "time: expected a number from 0.001 to 86400"),
        ("recipe", {"balance": -1}, "balance: expected a whole number"),
        ("goal", {"games": 3}, "the number must be even"),
        ("goal", {"games": None}, "a match needs an end"),
        ("goal", {"sprt": 5}, "sprt: expected two numbers or null"),
        ("goal", {"sprt": [0, "5"]}, "sprt: expected a number"),
        ("goal", {"sprt": [5, 0]}, "the first Elo value, 5, must be less"),
    ],
)
def test_an_invalid_manifest_is_refused(part: str, change: dict[str, Any], message: str, tmp_path: Path) -> None:
    Job.create(tmp_path, planned(Goal(games=4)))
    path = tmp_path / "manifest.json"
    values = json.loads(path.read_text())
    values[part] |= change
    path.write_text(json.dumps(values))
    with pytest.raises(Error, match=re.escape(message)):
        Job.open(tmp_path)


def test_wrong_or_damaged_games_of_a_unit_are_refused(tmp_path: Path) -> None:
    job = Job.create(tmp_path, planned(Goal(games=8)))
    good = job.plan.make(0)
    job.add(0, good)
    lines = good.splitlines(keepends=True)
    game = json.loads(lines[0])
    for wrong in (
        b"".join(lines[:3]),
        b"".join([*lines[:3], lines[2]]),
        job.plan.make(1),
        good + b"[]\n",
        b"".join([json.dumps({**game, "termination": []}).encode() + b"\n", *lines[1:]]),
        b"".join([json.dumps({**game, "points": 2}).encode() + b"\n", *lines[1:]]),
    ):
        with pytest.raises(Error):
            job.add(0, wrong)
    chance = random.Random(1)
    for _ in range(20):  # bytes changed at random
        data = bytearray(good)
        for _ in range(3):
            data[chance.randrange(len(data))] = chance.randrange(256)
        try:
            job.plan.counts(0, bytes(data))
        except Error:
            continue
