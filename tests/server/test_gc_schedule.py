"""The schedule of the garbage collector: cycles are freed, and full collections run only when they are due."""

from __future__ import annotations

import asyncio
import gc
import weakref

import pytest

from acedrex.server import gc_schedule
from tests.server.waiting import until


class Cycle:
    def __init__(self) -> None:
        self.itself = self


@pytest.mark.parametrize(
    "kept, now, quiet, due",
    [
        (1_000_000, 1_300_000, True, False),
        (1_000_000, 1_400_000, True, True),
        (1_000_000, 4_900_000, False, False),
        (1_000_000, 5_100_000, False, True),
    ],
)
def test_a_full_collection_is_due_after_enough_growth(kept: int, now: int, quiet: bool, due: bool) -> None:
    assert gc_schedule.is_due(kept, now, quiet=quiet) is due


async def test_cycles_are_freed_and_pythons_schedule_is_restored(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gc_schedule, "YOUNG", 0.01)
    task = asyncio.create_task(gc_schedule.collect_forever())
    await asyncio.sleep(0.02)
    assert not gc.isenabled()
    cycle = weakref.ref(Cycle())
    assert cycle() is not None
    await until(lambda: cycle() is None)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    assert gc.isenabled()
