"""The collector of garbage: cycles go, and all objects are gone through only where it is due."""

from __future__ import annotations

import asyncio
import gc
import weakref

import pytest

from acedrex.server import garbage


class Knot:
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
def test_when_all_objects_are_gone_through(kept: int, now: int, quiet: bool, due: bool) -> None:
    assert garbage.is_due(kept, now, quiet=quiet) is due


def test_cycles_go_and_python_collects_again_afterwards(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(garbage, "YOUNG", 0.01)

    async def work() -> None:
        task = asyncio.create_task(garbage.collect_forever())
        await asyncio.sleep(0.02)
        assert not gc.isenabled()
        knot = weakref.ref(Knot())
        assert knot() is not None
        await asyncio.sleep(0.05)
        assert knot() is None
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    asyncio.run(work())
    assert gc.isenabled()
