"""Reviews on either database: they continue after a restart, and nothing is analysed twice."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from typing import Any

import pytest
from sqlalchemy import select, update

from acedrex import Board, Limit
from acedrex.server import wire
from acedrex.server.analysis import reviews as reviews_module
from acedrex.server.analysis.pool import Analysts, SearchFailedError, SearchReport
from acedrex.server.analysis.reviews import DELETE_JOB, JOB_DONE, NEW_FINDING, PORTION, TRIES, Reviews
from acedrex.server.limits.budgets import Budgets
from acedrex.server.limits.visitor import Visitor
from acedrex.server.refusal import Refusal
from acedrex.server.storage import store as store_module
from acedrex.server.storage.store import Store
from acedrex.server.storage.tables import findings, jobs
from tests.server.stores import disk_is_full
from tests.server.waiting import until

ANA, BO = Visitor("192.0.2.1", "ana"), Visitor("192.0.2.2", "bo")

MOVES = ("g1f3", "g8f6", "f3g1", "f6g8") * 3


class InstantAnalysts(Analysts):
    """Analysts that answer at once, and record what they were asked; after ``limit`` answers they hang."""

    def __init__(self, limit: int = 1_000) -> None:
        super().__init__(1)
        self.limit = limit
        self.asked: list[tuple[str, int]] = []

    async def analyse(self, visitor: str, board: Board, lines: int, limit: Limit) -> AsyncGenerator[SearchReport]:
        """Report a score that tells the position."""
        if len(self.asked) >= self.limit:
            await asyncio.sleep(1_000)
        self.asked.append((visitor, board.ply()))
        yield SearchReport(1, 5, 9, 9, [wire.Line({"cp": board.ply(), "mate": None, "chance": 0.5}, ["e2e4"], "e4")])


def board(first: str = MOVES[0]) -> Board:
    """A board after all moves, or after two if the first is another."""
    made = Board("chess")
    for move in MOVES if first == MOVES[0] else (first, MOVES[1]):
        made.push_uci(move)
    return made


async def finished(one: Reviews, id: str) -> wire.Job:
    while (told := await one.progress(id)).done < told.total:
        await asyncio.sleep(0.01)
    return told


async def test_a_job_continues_where_it_stopped(store: Store) -> None:
    first = InstantAnalysts(limit=PORTION + 3)
    one = Reviews(store, first, Budgets())
    await one.open()
    job = await one.begin(ANA, board())
    await until(lambda: len(first.asked) == first.limit)
    await one.close()
    second = InstantAnalysts()
    other = Reviews(store, second, Budgets())
    await other.open()
    told = await finished(other, job.job)
    assert [one.ply for one in told.found] == list(range(len(MOVES) + 1))
    assert [one.score["cp"] for one in told.found] == list(range(len(MOVES) + 1))
    assert second.asked[0][1] == PORTION + 3
    # Another visitor gets the finished job.
    assert (await other.begin(BO, board())).done == told.total
    await other.close()
    assert not await store.all(select(jobs.c.id).where(~jobs.c.done))


async def test_a_finished_job_keeps_the_person_but_no_address(store: Store) -> None:
    one = Reviews(store, InstantAnalysts(), Budgets())
    visitors = (Visitor("192.0.2.1", "ana"), Visitor("192.0.2.1"), Visitor("2001:db8::"))
    for visitor, first in zip(visitors, ("g1f3", "e2e4", "d2d4"), strict=True):
        await one.begin(visitor, board(first))
    kept = [row.visitor for row in await store.all(select(jobs.c.visitor).order_by(jobs.c.visitor))]
    assert kept == ["192.0.2.1", "2001:db8::", "ana"], "they limit how many one visitor can have"
    await one.open()
    while await store.all(select(jobs.c.id).where(~jobs.c.done)):
        await asyncio.sleep(0.01)
    await one.close()
    assert {row.visitor for row in await store.all(select(jobs.c.visitor))} == {"", "ana"}


async def test_closing_waits_for_the_finding_that_is_being_written(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    commit, writing = store_module._commit, asyncio.Event()

    async def slowly(connection: Any, group: Any) -> None:
        if any(statement is NEW_FINDING for write in group for statement, _ in write.steps):
            writing.set()
            await asyncio.sleep(0.3)
        await commit(connection, group)

    monkeypatch.setattr(store_module, "_commit", slowly)
    one = Reviews(store, InstantAnalysts(), Budgets())
    await one.open()
    job = await one.begin(ANA, board())
    await writing.wait()
    await one.close()
    assert (await one.progress(job.job)).done == 1


async def test_two_processes_do_not_do_the_same_job(store: Store) -> None:
    one, other = InstantAnalysts(), InstantAnalysts()
    here, elsewhere = Reviews(store, one, Budgets()), Reviews(store, other, Budgets())
    job = await here.begin(ANA, board())
    await asyncio.gather(here.open(), elsewhere.open())
    await finished(here, job.job)
    await here.close()
    await elsewhere.close()
    rows = await store.all(select(findings.c.ply).where(findings.c.job == job.job).order_by(findings.c.ply))
    assert [row.ply for row in rows] == list(range(len(MOVES) + 1))
    assert len(one.asked) + len(other.asked) < 2 * len(MOVES)


async def test_jobs_take_turns_and_are_limited_per_visitor(store: Store) -> None:
    analysts = InstantAnalysts()
    one = Reviews(store, analysts, Budgets())
    long = await one.begin(ANA, board())
    await one.begin(ANA, board("a2a3"))
    await one.begin(ANA, board("b2b3"))
    with pytest.raises(Refusal):
        await one.begin(ANA, board("c2c3"))
    await one.begin(BO, board("c2c3"))
    await one.open()
    await finished(one, long.job)
    order = [number for _, number in analysts.asked]
    beginnings = [place for place, number in enumerate(order) if number == 0]
    # The short game does not wait for the end of the long one.
    assert beginnings[1] < order.index(len(MOVES) - 1)
    await one.close()


async def test_a_complete_job_that_was_not_marked_as_done_ends_without_a_search(store: Store) -> None:
    one = Reviews(store, InstantAnalysts(), Budgets())
    await one.open()
    job = await one.begin(ANA, board())
    await finished(one, job.job)
    await one.close()
    await store.write((update(jobs).values(done=False), {}))
    analysts = InstantAnalysts()
    other = Reviews(store, analysts, Budgets())
    await other.open()
    while await store.all(select(jobs.c.id).where(~jobs.c.done)):
        await asyncio.sleep(0.01)
    await other.close()
    assert not analysts.asked


async def test_a_job_is_finished_although_some_writes_failed(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    commit, failures = store_module._commit, iter(range(2))

    async def failing(connection: Any, group: Any) -> None:
        statements = [statement for write in group for statement, _ in write.steps]
        if (NEW_FINDING in statements or JOB_DONE in statements) and next(failures, None) is not None:
            raise disk_is_full()
        await commit(connection, group)

    monkeypatch.setattr(store_module, "_commit", failing)
    one = Reviews(store, InstantAnalysts(), Budgets())
    await one.open()
    job = await one.begin(ANA, board())
    await finished(one, job.job)
    await one.close()


async def test_a_broken_job_that_cannot_be_deleted_does_not_block_others(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = Reviews(store, InstantAnalysts(), Budgets())
    job = await one.begin(ANA, board())
    await store.write((update(jobs).values(body="{}"), {}))
    commit, busy = store_module._commit, asyncio.Event()

    async def failing(connection: Any, group: Any) -> None:
        if not busy.is_set() and any(statement is DELETE_JOB for write in group for statement, _ in write.steps):
            busy.set()
            raise disk_is_full()
        await commit(connection, group)

    monkeypatch.setattr(store_module, "_commit", failing)
    await one.open()
    await busy.wait()
    other = await one.begin(ANA, board("a2a3"))
    await finished(one, other.job)
    assert other.job != job.job
    await one.close()


async def test_a_job_whose_search_always_fails_is_given_up(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    class FailingAnalysts(InstantAnalysts):
        async def analyse(self, visitor: str, board: Board, lines: int, limit: Limit) -> AsyncGenerator[SearchReport]:
            async for report in super().analyse(visitor, board, lines, limit):
                if board.ply() == PORTION + 1:
                    raise SearchFailedError
                yield report

    monkeypatch.setattr(reviews_module, "PAUSE", 0.01)
    analysts = FailingAnalysts()
    one = Reviews(store, analysts, Budgets())
    job = await one.begin(ANA, board())
    await one.open()
    with pytest.raises(Refusal, match="start it again"):
        await finished(one, job.job)
    assert [ply for _, ply in analysts.asked] == [*range(PORTION + 1), *[PORTION + 1] * TRIES]
    assert not await store.all(select(findings.c.job))
    await finished(one, (await one.begin(ANA, board("a2a3"))).job)
    await one.close()
