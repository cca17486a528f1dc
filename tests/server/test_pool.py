"""The processes for long jobs, and cancelled searches."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from acedrex import Board, Error, Limit
from acedrex.server.analysis import pool as analysts_module
from acedrex.server.analysis.pool import Analysts, SearchReport
from acedrex.server.limits.fair_queue import FullError
from acedrex.server.limits.pool import LateError, Pool
from acedrex.server.limits.visitor import Visitor
from acedrex.server.refusal import Refusal
from tests.server.waiting import until

ANA, BO = Visitor("192.0.2.1"), Visitor("192.0.2.2")


@pytest.fixture
async def pool(request: pytest.FixtureRequest) -> AsyncIterator[Pool]:
    """A pool of one process for jobs of 10 s, or of the processes and seconds of an indirect parameter."""
    processes, seconds = getattr(request, "param", (1, 10))
    one = Pool(processes, 5, seconds, most=4, most_address=3, most_person=2)
    yield one
    one.close()


def process_and_nice() -> tuple[int, int]:
    return os.getpid(), os.nice(0)


def refuse(code: str) -> None:
    raise Refusal(code, "no", "here")


async def test_jobs_run_in_another_process_with_lower_priority(pool: Pool) -> None:
    process, nice = await pool.run(ANA, process_and_nice)
    assert process != os.getpid() and nice == os.nice(0) + 5
    assert (await pool.run(ANA, process_and_nice))[0] == process


async def test_exceptions_of_jobs_are_raised_in_the_calling_process(pool: Pool) -> None:
    with pytest.raises(Refusal) as refused:
        await pool.run(ANA, partial(refuse, "no_such_game"))
    assert (refused.value.problem.code, refused.value.problem.where, str(refused.value)) == (
        "no_such_game",
        "here",
        "no",
    )
    with pytest.raises(Error, match="FEN"):
        await pool.run(ANA, partial(Board, "chess", "nonsense"))
    assert await pool.run(ANA, partial(int, 1)) == 1


@pytest.mark.parametrize("pool", [(2, 4)], indirect=True)
async def test_a_job_that_takes_too_long_is_killed_and_no_other(pool: Pool) -> None:
    slow = asyncio.create_task(pool.run(ANA, partial(time.sleep, 60)))
    await asyncio.sleep(3)
    beside = asyncio.create_task(pool.run(BO, partial(time.sleep, 2)))
    with pytest.raises(LateError):
        await slow
    await beside
    assert await pool.run(ANA, partial(int, 1)) == 1


async def test_a_process_that_dies_is_replaced(pool: Pool) -> None:
    with pytest.raises(LateError):
        await pool.run(ANA, partial(os._exit, 1))
    assert await pool.run(ANA, partial(int, 1)) == 1


async def test_a_visitor_with_too_many_jobs_is_refused(pool: Pool) -> None:
    people = [Visitor(ANA.address, f"person {number}") for number in range(4)]
    waiting = [asyncio.create_task(pool.run(person, partial(time.sleep, 0.2))) for person in people[:3]]
    await asyncio.sleep(0)
    with pytest.raises(FullError):
        await pool.run(people[3], partial(int, 1))
    assert await pool.run(BO, partial(int, 1)) == 1
    assert not waiting[2].done(), "an address that asked for less comes first"
    await asyncio.gather(*waiting)
    assert pool.total == 0


def start_and_wait(started: Path, proceed: Path) -> None:
    started.touch()
    while not proceed.exists():
        time.sleep(0.01)


async def test_a_cancelled_job_keeps_its_place_until_its_process_is_free(pool: Pool, tmp_path: Path) -> None:
    started, proceed = tmp_path / "started", tmp_path / "proceed"
    leaving = asyncio.create_task(pool.run(ANA, partial(start_and_wait, started, proceed)))
    await until(started.exists)
    leaving.cancel()
    with pytest.raises(asyncio.CancelledError):
        await leaving
    assert pool.total == 1
    following = asyncio.create_task(pool.run(BO, partial(int, 1)))
    await asyncio.sleep(0.3)
    assert not following.done()
    proceed.touch()
    await following
    assert pool.total == 0


async def test_cancelling_a_search_that_is_being_stopped_frees_its_analyst(monkeypatch: pytest.MonkeyPatch) -> None:
    analysts, ending = Analysts(1), asyncio.Event()
    (analyst,) = analysts._analysts

    async def begin(*asked: Any) -> None:
        pass

    async def receive() -> SearchReport:
        try:
            await asyncio.sleep(60)
        finally:
            ending.set()
            await asyncio.sleep(0.01)
        raise AssertionError

    monkeypatch.setattr(analyst, "begin", begin)
    monkeypatch.setattr(analyst, "receive", receive)
    # Every search is out of time at once.
    monkeypatch.setattr(analysts_module, "LONGEST", -60.0)

    async def analyse() -> None:
        async for _ in analysts.analyse(ANA, Board("chess"), 1, Limit(nodes=1)):
            pass

    analysing = asyncio.create_task(analyse())
    await ending.wait()
    analysing.cancel()
    with pytest.raises(asyncio.CancelledError):
        await analysing
    await asyncio.sleep(0.05)
    assert analysts._free == [analyst]
