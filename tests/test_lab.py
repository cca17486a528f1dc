"""Jobs in units: the same data however the work is distributed, and whatever goes wrong."""

from __future__ import annotations

import errno
import json
import os
import re
import shutil
import zlib
from collections.abc import Callable
from concurrent.futures import Executor, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from acedrex import Error, Game, _native, load
from acedrex.lab import Job, Plan, Processes, SelfPlay, SignatureError, Tally, read_block, run
from acedrex.lab import plan as plans
from acedrex.lab.block import write_block
from tests.lab import Breaking, Now, Shuffled, contents, finish, make_or_die, small


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished job."""
    folder = tmp_path_factory.mktemp("whole") / "job"
    finish(Job.create(folder, small()))
    return folder


@pytest.fixture
def copied(whole: Path, tmp_path: Path) -> Job:
    return Job.open(Path(shutil.copytree(whole, tmp_path / "copied")))


def manifest(job: Job) -> dict[str, Any]:
    values: dict[str, Any] = json.loads((job.folder / "manifest.json").read_text())
    return values


# The data.


def test_a_finished_job_has_the_expected_units_and_headers(whole: Path) -> None:
    job = Job.open(whole)
    tally, wrong = job.status()
    assert wrong == [] and tally.needed == len(job.units()) > 4 and job.units() == [*range(tally.needed)]
    headers = [job.read(number).header for number in job.units()]
    positions = [header["positions"] for header in headers]
    assert sum(positions) >= 1500 > sum(positions[:-1]), "no more units than the positions need"
    assert [header["first"] for header in headers] == [2 * number for number in job.units()]
    block = job.read(2)
    assert block.payload == _native.self_play(load("chess"), None, 8, 8, 3, 4, 2)
    wanted = {
        "game": "chess",
        "options": {},
        "rules_hash": load("chess").rules_hash,
        "files": 8,
        "ranks": 8,
        "pieces": [piece.letter for piece in load("chess").pieces],
        "terminations": _native.endings(),
        "network": None,
        "nodes": 8,
        "opening": 8,
        "seed": 3,
        "count": 2,
        "games": 2,
        "size": len(block.payload),
    }
    assert wanted.items() <= block.header.items()
    assert {*block.header} == {*wanted, "version", "signature", "first", "positions", "sha256"}


def test_a_block_file_has_the_documented_format(whole: Path) -> None:
    first, header, data = (whole / "units" / "000001.games").read_bytes().split(b"\n", 2)
    assert first == b"acedrex games 1"
    assert len(zlib.decompress(data)) == json.loads(header)["size"]


@pytest.mark.parametrize("seed", range(4))
def test_the_order_of_the_work_does_not_change_the_data(whole: Path, tmp_path: Path, seed: int) -> None:
    job = Job.create(tmp_path / "job", small())
    finish(job, lambda: Shuffled(seed), window=5)
    assert contents(job.folder) == contents(whole)
    assert job.digest() == Job.open(whole).digest()


def test_processes_produce_the_same_data(whole: Path, tmp_path: Path) -> None:
    job = Job.create(tmp_path / "job", small())
    finish(job, lambda: Processes(2), window=4)
    assert contents(job.folder) == contents(whole)


def test_units_that_will_not_be_needed_are_not_started(whole: Path, tmp_path: Path) -> None:
    needed = len(Job.open(whole).units())
    executor = Now()
    finish(Job.create(tmp_path / "job", small()), lambda: executor, window=needed - 2)
    assert needed <= executor.calls <= needed + 2


def test_the_digest_depends_only_on_rules_recipe_and_data(whole: Path, tmp_path: Path) -> None:
    digests = {Job.open(whole).digest()}
    for number, other in enumerate(({"seed": 4}, {"nodes": 9}, {"opening": 6}, {"unit": 3}, {"game": "knightmate"})):
        job = Job.create(tmp_path / str(number), small(**other))
        finish(job)
        digests.add(job.digest())
    assert len(digests) == 6
    # More positions are wanted here, but the data is the same.
    enough = sum(Job.open(whole).read(number).header["positions"] for number in Job.open(whole).units())
    job = Job.create(tmp_path / "more", small(positions=enough))
    finish(job)
    assert job.digest() == Job.open(whole).digest()


def test_the_unit_size_depends_on_nothing_but_the_plan_unless_it_is_given() -> None:
    assert [small(unit=None, nodes=nodes).unit for nodes in (1, 150, 5_000, 10**9)] == [1000, 333, 10, 1]
    assert small(unit=None) == small(unit=None)
    assert small(unit=7).unit == 7


# Interruptions.


class StoppedError(Exception):
    """Stands for a kill."""


def stop_after(units: int) -> Callable[[Tally], None]:
    def report(tally: Tally) -> None:
        if len(tally.units) >= units:
            raise StoppedError

    return report


def test_a_job_can_be_interrupted_and_resumed_at_any_time(whole: Path, tmp_path: Path) -> None:
    folder = tmp_path / "job"
    for units in (1, 2, 3, 5):
        with pytest.raises(StoppedError):
            run(Job.create(folder, small()), lambda: ThreadPoolExecutor(2), window=3, report=stop_after(units))
    with pytest.raises(Error, match="is not finished; continue it with acedrex lab resume"):
        Job.open(folder).digest()
    finish(Job.open(folder))
    assert contents(folder) == contents(whole)
    executor = Now()
    finish(Job.open(folder), lambda: executor)
    assert executor.calls == 0, "there was nothing left to do"


def test_missing_units_are_recreated_and_surplus_ones_deleted(whole: Path, copied: Job) -> None:
    last = copied.units()[-1]
    for number in (0, 2, last):
        copied.path(number).unlink()
    for number in (last + 1, last + 5):
        copied.add(number, copied.plan.make(number))
    tally, wrong = copied.status()
    assert wrong == [] and tally.needed is None and tally.amount > 0
    finish(copied, lambda: Shuffled(1), window=3)
    assert contents(copied.folder) == contents(whole)


def altered(path: Path, change: Callable[[bytes], bytes]) -> None:
    path.write_bytes(change(path.read_bytes()))


def in_header(**values: Any) -> Callable[[bytes], bytes]:
    def change(data: bytes) -> bytes:
        first, header, rest = data.split(b"\n", 2)
        return b"\n".join([first, json.dumps({**json.loads(header), **values}).encode(), rest])

    return change


DAMAGE: dict[str, tuple[Callable[[bytes], bytes], str]] = {
    "empty": (lambda data: b"", "expected 'acedrex games 1' in line 1"),
    "other": (lambda data: b"acedrex match 1" + data[15:], "expected 'acedrex games 1' in line 1"),
    "no header": (lambda data: data[:100], ":2: expected a header"),
    "long header": (lambda data: data[:16] + b" " * (1 << 21) + data[16:], ":2: expected a header of at most"),
    "list": (lambda data: data[:16] + b"[]" + data[data.index(b"\n", 16) :], ":2: expected a JSON object"),
    "deep": (lambda data: data[:16] + b"[" * 100_000 + data[data.index(b"\n", 16) :], ":2: expected a JSON object"),
    "cut": (lambda data: data[:-20], "the file was cut short"),
    "one byte less": (lambda data: data[:-1], "the file was cut short"),
    "one byte more": (lambda data: data + b"x", "the data was altered"),
    "bit": (lambda data: data[:-50] + bytes([data[-50] ^ 4]) + data[-49:], "the data was altered"),
    "size": (in_header(size=True), "size: expected a whole number"),
    "bomb": (in_header(size=100), "the data was altered"),
    "large": (in_header(size=1 << 40), "size: expected a whole number from 0 to 268435456"),
    "sum": (in_header(sha256="00"), "the data was altered"),
    "seed": (in_header(seed=4), ":2: seed is 4, expected 3"),
    "first": (in_header(first=6), ":2: first is 6, expected 2"),
    "positions": (in_header(positions=9), ":2: positions is 9, expected"),
    "rules": (in_header(rules_hash=None), ":2: rules_hash is None, expected"),
}


@pytest.mark.parametrize("name", DAMAGE)
def test_damaged_blocks_are_reported_and_recreated(name: str, whole: Path, copied: Job) -> None:
    change, message = DAMAGE[name]
    path = copied.path(1)
    altered(path, change)
    damaged = path.read_bytes()
    tally, wrong = copied.status()
    assert len(wrong) == 1 and str(path) in wrong[0] and message in wrong[0]
    assert tally.needed is None and 1 not in tally.units
    with pytest.raises(Error, match=re.escape(message)):
        copied.digest()
    finish(copied)
    found = contents(copied.folder)
    assert found.pop("units/000001.games.damaged") == damaged
    assert found == contents(whole)


def test_a_payload_that_does_not_match_its_recipe_is_refused(copied: Job) -> None:
    """The checksum is right, and the header is that of the unit."""
    games = _native.self_play(load("chess"), None, 8, 8, 3, 0, 3)
    write_block(copied.path(1), "games", copied.read(1).header, games)
    assert "3 games, expected 2" in copied.status()[1][0]
    write_block(copied.path(1), "games", copied.read(0).header, b"nonsense")
    assert len(copied.status()[1]) == 1
    with pytest.raises(Error):
        copied.add(1, b"nonsense")


def test_a_full_disk_is_reported_and_the_job_can_be_resumed(
    whole: Path, copied: Job, monkeypatch: pytest.MonkeyPatch
) -> None:
    copied.path(3).unlink()
    before = contents(copied.folder)

    def full(number: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patch:
        patch.setattr("acedrex.lab.files.os.fsync", full)
        with pytest.raises(Error, match=r"cannot write .*000003\.games: No space left on device; free some space"):
            finish(copied)
    assert contents(copied.folder) == before
    finish(copied)
    assert contents(copied.folder) == contents(whole)


# Workers.


def test_workers_that_die_are_replaced(whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ACEDREX_TEST_DIED", str(tmp_path))
    monkeypatch.setattr("acedrex.lab.driver.make", make_or_die)
    job = Job.create(tmp_path / "job", small())
    finish(job, lambda: Processes(2), window=4)
    assert contents(job.folder) == contents(whole)
    assert (tmp_path / "1").exists() and (tmp_path / "4").exists()


def test_executors_that_break_are_replaced(whole: Path, tmp_path: Path) -> None:
    opened: list[Executor] = []

    def executors() -> Executor:
        opened.append(Breaking(2))
        return opened[-1]

    job = Job.create(tmp_path / "job", small())
    finish(job, executors, window=2)
    assert contents(job.folder) == contents(whole) and len(opened) > 2
    job = Job.create(tmp_path / "never", small())
    with pytest.raises(Error, match=r"unit 0 failed 4 times, at last with BrokenExecutor: broken; everything made so"):
        finish(job, lambda: Breaking(0))


@pytest.mark.parametrize(("times", "good"), [(3, True), (4, False)])
def test_a_unit_that_fails_is_retried_up_to_three_times(
    times: int, good: bool, whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    failures = [0]

    def failing(plan: Plan, number: int) -> bytes:
        if number == 2 and failures[0] < times:
            failures[0] += 1
            raise MemoryError("no memory")
        return plans.make(plan, number)

    monkeypatch.setattr("acedrex.lab.driver.make", failing)
    job = Job.create(tmp_path / "job", small())
    if good:
        finish(job)
        assert contents(job.folder) == contents(whole)
        return
    with pytest.raises(
        Error, match=f"unit 2 failed 4 times, at last with MemoryError: no memory; .* lab resume {job.folder}"
    ):
        finish(job)
    assert {0, 1} <= {*job.units()}


def test_an_engine_that_plays_differently_is_refused(copied: Job) -> None:
    values = {**manifest(copied), "signature": "0123456789abcdef", "version": "0.0.9"}
    (copied.folder / "manifest.json").write_text(json.dumps(values))
    shutil.rmtree(copied.folder / "units")
    job = Job.open(copied.folder)
    assert Job.create(copied.folder, small()).plan == job.plan, (
        "the job is the same; only this engine may not continue it"
    )
    for executors in (lambda: ThreadPoolExecutor(1), lambda: Processes(1)):
        with pytest.raises(
            SignatureError, match=r"signature [0-9a-f]{16}\) plays differently .* \(version 0\.0\.9, sign"
        ):
            finish(job, executors)


def test_the_signature_depends_on_game_and_version(monkeypatch: pytest.MonkeyPatch) -> None:
    first = plans.signature(load("chess"))
    assert first == plans.signature(load("chess")) != plans.signature(load("shako"))
    monkeypatch.setattr("acedrex.lab.plan.__version__", "9.9")
    plans.signature.cache_clear()
    assert plans.signature(load("chess")) != first
    plans.signature.cache_clear()


# Manifests.


def test_a_folder_with_another_job_is_refused(copied: Job) -> None:
    for other, message in {
        "game": ({"game": "knightmate"}, "game is 'chess' there, and 'knightmate' here"),
        "seed": ({"seed": 4}, "recipe.seed is 3 there, and 4 here"),
        "nodes": ({"nodes": 9}, "recipe.nodes is 8 there, and 9 here"),
        "positions": ({"positions": 3}, "goal.positions is 1500 there, and 3 here"),
        "unit": ({"unit": 3}, "unit is 2 there, and 3 here"),
    }.values():
        with pytest.raises(Error, match=re.escape(f"has another job: {message}; choose another folder")):
            Job.create(copied.folder, small(**other))
    before = contents(copied.folder)
    assert Job.create(copied.folder, small()).plan == copied.plan
    assert contents(copied.folder) == before


def test_the_options_of_a_game_are_stored_with_the_job(tmp_path: Path) -> None:
    first = SelfPlay.plan(load("magi", scoring="four_points"), positions=100, nodes=8, unit=1)
    job = Job.create(tmp_path, first)
    assert Job.open(tmp_path).plan.game.chosen_options == {"scoring": "four_points"}
    with pytest.raises(Error, match=r"options.scoring is 'four_points' there, and None here"):
        Job.create(tmp_path, SelfPlay.plan(load("magi"), positions=100, nodes=8, unit=1))
    finish(job)
    assert job.read(0).header["options"] == {"scoring": "four_points"}


def test_a_network_is_copied_into_the_job_and_checked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The copy is what plays."""
    used = []

    def play(game: Any, network: bytes | None, *numbers: int) -> bytes:
        used.append(network)
        return _native.self_play(game, None, *numbers)  # type: ignore[arg-type]

    class Recording:
        self_play = staticmethod(play)
        count_games, endings = staticmethod(_native.count_games), staticmethod(_native.endings)

    monkeypatch.setattr("acedrex.lab.selfplay._native", Recording)
    monkeypatch.setattr("acedrex.lab.plan._native", Recording)
    job = Job.create(tmp_path, small(network=b"weights"))
    assert (tmp_path / "network.net").read_bytes() == b"weights"
    job = Job.open(tmp_path)
    finish(job)
    assert {*used} == {b"weights"}
    assert job.read(0).header["network"] == manifest(job)["networks"]["network"]
    with pytest.raises(Error, match=r"networks.network is '\w+' there, and None here"):
        Job.create(tmp_path, small())
    (tmp_path / "network.net").write_bytes(b"others")
    with pytest.raises(Error, match=r"network.net is another network: its hash is \w+, not \w+"):
        Job.open(tmp_path)
    (tmp_path / "network.net").unlink()
    with pytest.raises(Error, match=r"cannot read .*network.net: No such file"):
        Job.open(tmp_path)


def test_a_custom_definition_is_stored_with_the_job(tmp_path: Path) -> None:
    text = load("knightmate").source.replace('id = "knightmate"', 'id = "mine"')
    path = tmp_path / "mine.toml"
    path.write_text(text, encoding="utf-8")
    job = Job.create(tmp_path / "job", SelfPlay.plan(load(path), positions=300, nodes=8, unit=2))
    path.unlink()
    job = Job.open(job.folder)
    assert job.plan.game.id == "mine"
    finish(job, lambda: Processes(1))
    assert job.read(0).header["game"] == "mine"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"format": 2}, "format 2 is newer than this program, which knows 1; use a newer Acedrex"),
        ({"format": "1"}, "format: expected a whole number"),
        ({"kind": "baking"}, "unknown kind 'baking'; there are selfplay, gauntlet"),
        ({"kind": ["selfplay"]}, "kind: expected a text"),
        ({"game": "halma"}, "no game 'halma' ships with this program"),
        ({"game": "shako"}, "the job is of other rules of shako: rules_hash"),
        ({"rules_hash": 1}, "the job is of other rules of chess: rules_hash 1 there"),
        ({"options": {"zzz": "on"}}, "zzz"),
        ({"options": []}, "options: expected a JSON object"),
        ({"definition": 5}, "definition: expected a JSON object or null"),
        ({"definition": {"file": "x.toml", "text": "zzz = 1"}}, "x.toml"),
        ({"definition": {"file": "x.toml", "text": "z" * 100_000}}, "text: expected a text of at most 65536"),
        ({"recipe": None}, "recipe: expected a JSON object"),
        ({"recipe": {"nodes": 8, "opening": 8}}, "seed: expected a whole number from 0"),
        ({"recipe": {"nodes": 0, "opening": 8, "seed": 3}}, "nodes: expected a whole number from 1"),
        ({"goal": {"positions": 1.5}}, "positions: expected a whole number"),
        ({"unit": 0}, "unit: expected a whole number from 1 to 100000"),
        ({"networks": {"../network": "00"}}, "'../network' is not the name of one"),
        ({"signature": None}, "signature: expected a text"),
    ],
)
def test_an_invalid_manifest_is_refused(change: dict[str, Any], message: str, copied: Job) -> None:
    (copied.folder / "manifest.json").write_text(json.dumps({**manifest(copied), **change}))
    with pytest.raises(Error, match=re.escape(message)) as error:
        Job.open(copied.folder)
    assert "manifest.json: " in str(error.value)


def test_missing_and_unreadable_manifests_are_refused(copied: Job) -> None:
    path = copied.folder / "manifest.json"
    for text, message in {
        b"": "expected a JSON object",
        b"[]": "expected a JSON object",
        b"\xff": "expected a JSON object",
        b"[" * 100_000: "expected a JSON object",
        b" " * (1 << 21): "is larger than the 1,048,576 bytes",
    }.items():
        path.write_bytes(text)
        with pytest.raises(Error, match=message):
            Job.open(copied.folder)
    path.unlink()
    with pytest.raises(Error, match=r"is not a job: it has no manifest\.json"):
        Job.open(copied.folder)
    with pytest.raises(Error, match=r"has units but no manifest\.json; restore it, or choose another folder"):
        Job.create(copied.folder, small())
    path.mkdir()
    with pytest.raises(Error, match="cannot read"):
        Job.open(copied.folder)


def test_a_block_can_be_read_without_its_job(whole: Path) -> None:
    block = read_block(whole / "units" / "000000.games", "games")
    assert _native.count_games(load("chess"), block.payload) == (2, block.header["positions"])
    with pytest.raises(Error, match=r"cannot read .*000099\.games: No such file"):
        read_block(whole / "units" / "000099.games", "games")


def test_self_play_from_an_unplayable_setup_is_refused() -> None:
    # On b1 the leaper would check the King on a5.
    text = '[game]\nid = "check"\nboard = "3x5"\nstart = "rk1/3/3/3/RK1"\n[pieces.R]\nmove = "fl(1,4)"\n'
    setup = '[setup]\ngroups = [{ squares = "a1 b1", pieces = "RK" }]\n'
    game = Game(text + '[pieces.K]\nmove = "K"\nroyal = true\n' + setup, "check.toml")
    with pytest.raises(Error, match=r"the setup KR cannot be played: .* check"):
        _native.self_play(game, None, 1, 0, 1, 0, 20)
