"""``acedrex lab``: what it prints, and how it ends."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from acedrex.cli import main
from acedrex.cli.lab import Progress, duration
from acedrex.lab import Job
from tests.lab import contents, finish, small

pytestmark = pytest.mark.slow

WORDS = ["lab", "selfplay", "chess", "--nodes", "8", "--seed", "3", "--unit-games", "2"]

posix = pytest.mark.skipif(os.name != "posix", reason="needs POSIX signals")


def test_self_play_can_be_run_verified_and_resumed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = str(tmp_path / "job")
    words = [*WORDS, "--positions", "1500", "--out", folder]
    assert main([*words, "--workers", "2"]) == 0
    out = capsys.readouterr().out
    assert re.fullmatch(r"\d+ units, 1,\d+ of 1,500 positions\n", out)
    reference = Job.create(tmp_path / "reference", small())
    finish(reference)
    assert contents(tmp_path / "job") == contents(tmp_path / "reference")
    # Without --unit-games the units stay as they are.
    assert main([*words[:7], *words[9:]]) == 0 and capsys.readouterr().out == out
    assert main(["lab", "digest", folder]) == 0
    assert capsys.readouterr().out == f"{reference.digest()}\n"
    assert main(["lab", "status", folder]) == 0
    assert capsys.readouterr().out == f"selfplay of chess, finished\n{out}"
    assert main(["lab", "verify", folder]) == 0
    assert re.fullmatch(r"\d+ blocks good, 0 damaged\n", capsys.readouterr().out)
    assert main([*words, "--nodes", "9"]) == 1
    assert "recipe.nodes is 8 there, and 9 here" in capsys.readouterr().err

    block = tmp_path / "job" / "units" / "000001.games"
    block.write_bytes(block.read_bytes()[:-9])
    assert main(["lab", "verify", folder]) == 1
    captured = capsys.readouterr()
    assert re.fullmatch(r".*000001\.games: the file was cut short\n\d+ blocks good, 1 damaged\n", captured.out)
    assert captured.err == f"acedrex lab resume {folder} makes them again\n"
    assert main(["lab", "status", folder]) == 0
    assert "unfinished" in (said := capsys.readouterr().out) and "damaged: " in said
    assert main(["lab", "digest", folder]) == 1
    assert main(["lab", "resume", folder, "--workers", "1"]) == 0
    assert main(["lab", "verify", folder]) == 0


def test_a_gauntlet_prints_its_result_and_refuses_a_changed_plan(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["lab", "gauntlet", "magi:scoring=four_points", "--first", "greedy", "--second", "random", "--nodes", "1"]
    words += ["--games", "8", "--balance", "0", "--unit-games", "4", "--workers", "1", "--out", str(tmp_path)]
    assert main(words) == 0
    out = capsys.readouterr().out
    assert "magi:scoring=four_points: greedy against random, 1 node a turn\n8/8 games" in out
    assert main(["lab", "status", str(tmp_path)]) == 0
    assert capsys.readouterr().out == f"gauntlet of magi:scoring=four_points, finished\n{out}"
    assert main([*words, "--unit-games", "3"]) == 1
    assert "--unit-games 3: games are played in pairs" in capsys.readouterr().err
    assert main([*words, "--sprt", "0", "5"]) == 1
    assert "goal.sprt is None there, and [0.0, 5.0] here" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "status", "message"),
    [
        ([], 2, "the following arguments are required: COMMAND"),
        (["nothing"], 2, "invalid choice"),
        (["status"], 2, "required: DIR"),
        (["status", "/no/such/folder"], 1, "/no/such/folder is not a job: it has no manifest.json"),
        (["selfplay", "chess", "--out", "x"], 2, "required: --positions"),
        (["selfplay", "chess", "--positions", "0", "--out", "x"], 2, "'0' is not a whole number from 1"),
        (["selfplay", "halma", "--positions", "9", "--out", "x"], 1, 'there is no game "halma"'),
        (["selfplay", "chess", "--positions", "9", "--out", "x", "--network", "/no/net"], 1, "cannot read /no/net"),
        (["selfplay", "chess", "--positions", "9", "--unit-games", "1", "--out", "/proc/x"], 1, "cannot write /proc/x"),
        (["gauntlet", "chess", "--first", "random", "--second", "random", "--nodes", "1", "--out", "x"], 1, "an end"),
        (
            ["gauntlet", "chess", "--first", "random", "--second", "random", "--out", "x"],
            2,
            "--nodes --time is required",
        ),
    ],
)
def test_wrong_arguments_are_reported(
    words: list[str],
    status: int,
    message: str,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["lab", *words]) == status
    assert message in capsys.readouterr().err


def test_a_missing_ray_package_is_reported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    monkeypatch.delitem(sys.modules, "acedrex.lab.ray", raising=False)
    words = [*WORDS, "--positions", "100", "--out", str(tmp_path), "--ray", "ray://nowhere:1"]
    assert main(words) == 1
    assert '--ray needs ray: in a checkout pip install ".[ray]" brings it' in capsys.readouterr().err


def test_progress_is_printed_rarely_except_on_a_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    now = [100.0]
    monkeypatch.setattr("acedrex.cli.lab.time.monotonic", lambda: now[0])
    job = Job.create(tmp_path, small(positions=4000))
    tally = job.plan.tally()
    tally.add(0, job.add(0, job.plan.make(0)))
    progress = Progress(job)
    progress.count(tally)
    assert capsys.readouterr().err == "", "nothing yet, since this is not a terminal"
    before = tally.amount
    tally.add(1, job.add(1, job.plan.make(1)))
    now[0] += 61
    progress.count(tally)
    rate = (tally.amount - before) / 61
    left = duration((4000 - tally.amount) / rate)
    line = f"2 units, {tally.amount} of 4,000 positions, {rate:.1f} positions/s, {left} left\n"
    assert capsys.readouterr().err == line
    progress.count(tally)
    assert capsys.readouterr().err == ""
    monkeypatch.setattr("acedrex.cli.lab.is_terminal", lambda stream: True)
    shown = Progress(job)
    shown.count(tally)
    assert capsys.readouterr().err.startswith("\r2 units")
    assert [duration(seconds) for seconds in (-1, 59.6, 61, 3600, 90_000)] == [
        *("0 s", "1 min 0 s", "1 min 1 s", "1 h 0 min", "25 h 0 min")
    ]


# Interruptions.


def begin(folder: Path, positions: int) -> subprocess.Popen[str]:
    """Start a job in a separate process, and wait until it has some units."""
    process = subprocess.Popen(
        [
            sys.executable,
            "-m",
            "acedrex",
            *WORDS,
            "--positions",
            str(positions),
            "--out",
            str(folder),
            "--workers",
            "2",
        ],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        # A shell may have made what it starts ignore Ctrl-C.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler) and None,
        start_new_session=True,
    )
    while process.poll() is None and len([*folder.glob("units/*.games")]) < 3:
        time.sleep(0.01)
    return process


def wait_for_group(group: int) -> None:
    """Wait until no process of a group is left."""
    end = time.monotonic() + 60
    while time.monotonic() < end:
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return
        time.sleep(0.05)
    pytest.fail("workers are left behind")


@posix
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_a_job_survives_interrupts_and_kills(how: signal.Signals, tmp_path: Path) -> None:
    folder = tmp_path / "job"
    with begin(folder, 10**7) as process:
        if how == signal.SIGINT:  # as from a terminal: to all processes
            os.killpg(process.pid, how)
        else:
            process.send_signal(how)
        status = process.wait()
        assert process.stderr is not None
        said = process.stderr.read()
        wait_for_group(process.pid)
    if how == signal.SIGINT:
        assert status == 130 and f"stopped; acedrex lab resume {folder} continues" in said
        assert "Traceback" not in said
    job = Job.open(folder)
    tally, wrong = job.status()
    assert wrong == [] and len(tally.units) >= 3
    for number in job.units():
        assert job.read(number).payload == job.plan.make(number)
    # The same job with fewer positions, so that it can be finished.
    values = json.loads((folder / "manifest.json").read_text())
    values["goal"]["positions"] = 1500
    (folder / "manifest.json").write_text(json.dumps(values))
    assert main(["lab", "resume", str(folder), "--workers", "1"]) == 0
    reference = Job.create(tmp_path / "reference", small())
    finish(reference)
    assert Job.open(folder).digest() == reference.digest()
