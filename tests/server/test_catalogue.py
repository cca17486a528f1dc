"""The folder of definition files while it changes."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from acedrex import Error, Game
from acedrex.server.games import catalogue, checker
from acedrex.server.games.catalogue import Catalogue
from acedrex.server.games.checker import CheckResult
from tests.server.waiting import until

SWIFT = '[game]\nid = "swift"\nname = "Swift"\nextends = "chess"\n[pieces.N]\nmove = "NN"\n'


def ids(games: Catalogue) -> set[str]:
    """Return the ids of the games from files."""
    return {summary.id for summary in games.summaries() if summary.origin == "file"}


async def test_an_unreadable_folder_is_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    games, failed = Catalogue(tmp_path), asyncio.Event()

    def failing(path: Path, pattern: str) -> Any:
        failed.set()
        raise OSError(24, "Too many open files")

    monkeypatch.setattr(Path, "glob", failing)
    watching = asyncio.create_task(games.watch())
    await failed.wait()
    monkeypatch.undo()
    (tmp_path / "swift.toml").write_text(SWIFT)
    await until(lambda: "swift" in ids(games), 10)
    watching.cancel()


async def test_a_new_name_is_shown_although_the_rules_are_the_same(tmp_path: Path) -> None:
    games = Catalogue(tmp_path)
    for name in ("Quick", "Faster"):
        (tmp_path / "swift.toml").write_text(SWIFT.replace('"Swift"', f'"{name}"'))
        await games.refresh()
        assert name in {summary.name for summary in games.summaries()}
        assert (await games.game("swift")).name == name


async def test_a_check_that_was_killed_is_repeated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    games, start, kills = Catalogue(tmp_path), asyncio.create_subprocess_exec, iter([True, False, True, False])

    async def start_or_kill(*command: str, **pipes: Any) -> asyncio.subprocess.Process:
        process = await start(*command, **pipes)
        if next(kills):
            process.kill()
        return process

    monkeypatch.setattr(asyncio, "create_subprocess_exec", start_or_kill)
    (tmp_path / "swift.toml").write_text(SWIFT)
    found = []
    for name in ("Swift", "Faster"):
        (tmp_path / "swift.toml").write_text(SWIFT.replace('"Swift"', f'"{name}"'))
        for _ in range(2):
            await games.refresh()
            found.append([summary.name for summary in games.summaries() if summary.origin == "file"])
    assert found == [[], ["Swift"], ["Swift"], ["Faster"]]


async def test_a_check_that_timed_out_is_repeated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    games = Catalogue(tmp_path)
    (tmp_path / "swift.toml").write_text(SWIFT)
    # As if the process had had no time to compile anything.
    monkeypatch.setattr(checker, "SECONDS", 0.001)
    await games.refresh()
    assert ids(games) == set()
    monkeypatch.undo()
    await games.refresh()
    assert ids(games) == {"swift"}


async def test_a_file_may_be_removed_while_another_is_checked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    games, reading, proceed = Catalogue(tmp_path), asyncio.Event(), asyncio.Event()

    async def slowly(definitions: Sequence[tuple[str, str]]) -> list[CheckResult]:
        reading.set()
        await proceed.wait()
        return [CheckResult([]) for _ in definitions]

    monkeypatch.setattr(catalogue, "check", slowly)
    for name in ("a.toml", "b.toml"):
        (tmp_path / name).write_text(SWIFT)
    watching = asyncio.create_task(games.refresh())
    await reading.wait()
    (tmp_path / "a.toml").unlink()
    withdrawing = asyncio.create_task(games.refresh())
    await asyncio.sleep(0.05)
    proceed.set()
    await asyncio.gather(watching, withdrawing)
    assert set(games._files) == {"b.toml"}


@pytest.mark.parametrize("bent", ["F?{}R", "W?{}B"])
def test_a_bent_slide_that_was_stored_when_it_went_in_all_directions_is_read_so(bent: str) -> None:
    def text(directions: str) -> str:
        return SWIFT.replace('"NN"', f'"[{bent.format(directions)}]"')

    before, today = Game(text("fsbs"), "swift.toml"), Game(text(""), "swift.toml")
    assert today.rules_hash == Game(text("fs"), "swift.toml").rules_hash != before.rules_hash
    for game in (before, today):
        assert catalogue.restore(text(""), "swift.toml", {}, game.rules_hash).rules_hash == game.rules_hash
    with pytest.raises(Error, match="other rules"):
        catalogue.restore(text(""), "swift.toml", {}, "0" * 16)
