"""The processes that do what takes long."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from acedrex import Board, Error, Limit
from acedrex.server import analysts as analysts_module
from acedrex.server.analysts import Analysts, SearchReport
from acedrex.server.decide import Refusal
from acedrex.server.fair import FullError
from acedrex.server.pool import LateError, Pool
from acedrex.server.visitor import Visitor

ANA, BO = Visitor("192.0.2.1"), Visitor("192.0.2.2")


def using(work: Callable[[Pool], Awaitable[Any]], processes: int = 1, patience: float = 10) -> Any:
    async def run() -> Any:
        pool = Pool(processes, 5, patience, most=4, most_address=3, most_person=2)
        try:
            return await work(pool)
        finally:
            pool.close()

    return asyncio.run(run())


def give_way() -> tuple[int, int]:
    return os.getpid(), os.nice(0)


def refuse(code: str) -> None:
    raise Refusal(code, "no", "here")


def test_jobs_are_done_elsewhere_and_give_way() -> None:
    async def work(pool: Pool) -> None:
        process, nice = await pool.run(ANA, give_way)
        assert process != os.getpid() and nice == os.nice(0) + 5
        assert (await pool.run(ANA, give_way))[0] == process

    using(work)


def test_what_is_wrong_is_told_as_it_would_be_here() -> None:
    async def work(pool: Pool) -> None:
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

    using(work)


def test_a_job_that_takes_too_long_ends_and_no_other_does() -> None:
    async def work(pool: Pool) -> None:
        slow = asyncio.create_task(pool.run(ANA, partial(time.sleep, 60)))
        await asyncio.sleep(3)
        beside = asyncio.create_task(pool.run(BO, partial(time.sleep, 2)))
        with pytest.raises(LateError):
            await slow
        await beside
        assert await pool.run(ANA, partial(int, 1)) == 1

    using(work, processes=2, patience=4)


def test_a_process_that_dies_is_begun_anew() -> None:
    async def work(pool: Pool) -> None:
        with pytest.raises(LateError):
            await pool.run(ANA, partial(os._exit, 1))
        assert await pool.run(ANA, partial(int, 1)) == 1

    using(work)


def test_so_many_wait_and_no_more() -> None:
    async def work(pool: Pool) -> None:
        people = [Visitor(ANA.address, f"person {number}") for number in range(4)]
        waiting = [asyncio.create_task(pool.run(person, partial(time.sleep, 0.2))) for person in people[:3]]
        await asyncio.sleep(0)
        with pytest.raises(FullError):
            await pool.run(people[3], partial(int, 1))
        assert await pool.run(BO, partial(int, 1)) == 1
        assert not waiting[2].done(), "who has asked for less comes first"
        await asyncio.gather(*waiting)
        assert pool.total == 0

    using(work)


def begin_and_wait(begun: Path, over: Path) -> None:
    begun.touch()
    while not over.exists():
        time.sleep(0.01)


def test_who_leaves_keeps_the_place_until_the_process_is_free(tmp_path: Path) -> None:
    begun, over = tmp_path / "begun", tmp_path / "over"

    async def work(pool: Pool) -> None:
        leaving = asyncio.create_task(pool.run(ANA, partial(begin_and_wait, begun, over)))
        while not begun.exists():
            await asyncio.sleep(0.01)
        leaving.cancel()
        with pytest.raises(asyncio.CancelledError):
            await leaving
        assert pool.total == 1
        following = asyncio.create_task(pool.run(BO, partial(int, 1)))
        await asyncio.sleep(0.3)
        assert not following.done()
        over.touch()
        await following
        assert pool.total == 0

    using(work)


def test_who_is_cancelled_while_a_search_ends_is_cancelled(monkeypatch: pytest.MonkeyPatch) -> None:
    async def work() -> None:
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
        # The time of every search is over at once.
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

    asyncio.run(work())
