"""Jobs on both databases: what is stored goes on, is not done twice, and belongs to one process at a time."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Coroutine
from typing import Any

import pytest
from sqlalchemy import select, update
from sqlalchemy.exc import OperationalError

from acedrex import Board, Limit
from acedrex.server import jobs as jobs_module
from acedrex.server import store as store_module
from acedrex.server import wire
from acedrex.server.analysts import Analysts, SearchFailedError, SearchReport
from acedrex.server.budgets import Budgets
from acedrex.server.decide import Refusal
from acedrex.server.jobs import DELETE_JOB, JOB_DONE, NEW_FINDING, PORTION, TRIES, Jobs
from acedrex.server.store import Store
from acedrex.server.tables import findings, jobs
from acedrex.server.visitor import Visitor

ANA, BO = Visitor("192.0.2.1", "ana"), Visitor("192.0.2.2", "bo")

MOVES = ("g1f3", "g8f6", "f3g1", "f6g8") * 3


class Thinkers(Analysts):
    """Analysts that know at once, and remember what they were asked; after some looks they think for ever."""

    def __init__(self, most: int = 1_000) -> None:
        super().__init__(1)
        self.most = most
        self.asked: list[tuple[str, int]] = []

    async def analyse(self, visitor: str, board: Board, lines: int, limit: Limit) -> AsyncGenerator[SearchReport]:
        """Say that all is even."""
        if len(self.asked) >= self.most:
            await asyncio.sleep(1_000)
        self.asked.append((visitor, board.ply()))
        yield SearchReport(1, 5, 9, 9, [wire.Line({"cp": board.ply(), "mate": None, "chance": 0.5}, ["e2e4"], "e4")])


def board(first: str = "g1f3") -> Board:
    made = Board("chess")
    for move in (first, *MOVES[1:2]):
        made.push_uci(move)
    for move in MOVES[2:] if first == "g1f3" else ():
        made.push_uci(move)
    return made


def run(database: str, work: Callable[[Store], Coroutine[Any, Any, None]]) -> None:
    async def whole() -> None:
        store = Store(database)
        await store.open()
        try:
            await asyncio.wait_for(work(store), 10)
        finally:
            await store.close()

    asyncio.run(whole())


async def finished(one: Jobs, id: str) -> wire.Job:
    while (told := await one.progress(id)).done < told.total:
        await asyncio.sleep(0.01)
    return told


def test_a_job_goes_on_where_it_stopped(database: str) -> None:
    async def work(store: Store) -> None:
        first = Thinkers(most=PORTION + 3)
        one = Jobs(store, first, Budgets())
        await one.open()
        begun = await one.begin(ANA, board())
        while len(first.asked) < first.most:
            await asyncio.sleep(0.01)
        await one.close()
        second = Thinkers()
        other = Jobs(store, second, Budgets())
        await other.open()
        told = await finished(other, begun.job)
        assert [one.ply for one in told.found] == list(range(len(MOVES) + 1))
        assert [one.score["cp"] for one in told.found] == list(range(len(MOVES) + 1))
        assert second.asked[0][1] == PORTION + 3
        # What is done is not begun again, by nobody.
        assert (await other.begin(BO, board())).done == told.total
        await other.close()
        assert not await store.all(select(jobs.c.id).where(~jobs.c.done))

    run(database, work)


def test_who_stops_waits_for_what_is_being_written(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def work(store: Store) -> None:
        commit, writing = store_module._commit, asyncio.Event()

        async def slowly(connection: Any, group: Any) -> None:
            if any(statement is NEW_FINDING for write in group for statement, _ in write.steps):
                writing.set()
                await asyncio.sleep(0.3)
            await commit(connection, group)

        monkeypatch.setattr(store_module, "_commit", slowly)
        one = Jobs(store, Thinkers(), Budgets())
        await one.open()
        begun = await one.begin(ANA, board())
        await writing.wait()
        await one.close()
        assert (await one.progress(begun.job)).done == 1

    run(database, work)


def test_of_two_processes_one_does_a_job(database: str) -> None:
    async def work(store: Store) -> None:
        one, other = Thinkers(), Thinkers()
        at_home, elsewhere = Jobs(store, one, Budgets()), Jobs(store, other, Budgets())
        begun = await at_home.begin(ANA, board())
        await asyncio.gather(at_home.open(), elsewhere.open())
        await finished(at_home, begun.job)
        await at_home.close()
        await elsewhere.close()
        rows = await store.all(select(findings.c.ply).where(findings.c.job == begun.job).order_by(findings.c.ply))
        assert [row.ply for row in rows] == list(range(len(MOVES) + 1))

    run(database, work)


def test_jobs_take_turns_and_are_few_for_each(database: str) -> None:
    async def work(store: Store) -> None:
        thinkers = Thinkers()
        one = Jobs(store, thinkers, Budgets())
        long = await one.begin(ANA, board())
        await one.begin(ANA, board("a2a3"))
        await one.begin(ANA, board("b2b3"))
        with pytest.raises(Refusal):
            await one.begin(ANA, board("c2c3"))
        await one.begin(BO, board("c2c3"))
        await one.open()
        await finished(one, long.job)
        order = [number for _, number in thinkers.asked]
        beginnings = [place for place, number in enumerate(order) if number == 0]
        # The short game does not wait for the end of the long one.
        assert beginnings[1] < order.index(len(MOVES) - 1)
        await one.close()

    run(database, work)


def test_a_job_that_was_killed_before_it_was_marked_as_done_ends(database: str) -> None:
    async def work(store: Store) -> None:
        one = Jobs(store, Thinkers(), Budgets())
        await one.open()
        begun = await one.begin(ANA, board())
        await finished(one, begun.job)
        await one.close()
        await store.write((update(jobs).values(done=False), {}))
        thinkers = Thinkers()
        other = Jobs(store, thinkers, Budgets())
        await other.open()
        while await store.all(select(jobs.c.id).where(~jobs.c.done)):
            await asyncio.sleep(0.01)
        await other.close()
        assert not thinkers.asked

    run(database, work)


def test_a_full_disk_ends_no_job_and_no_worker(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def work(store: Store) -> None:
        commit, failures = store_module._commit, iter(range(2))

        async def failing(connection: Any, group: Any) -> None:
            statements = [statement for write in group for statement, _ in write.steps]
            if (NEW_FINDING in statements or JOB_DONE in statements) and next(failures, None) is not None:
                raise OperationalError("INSERT", {}, Exception("database or disk is full"))
            await commit(connection, group)

        monkeypatch.setattr(store_module, "_commit", failing)
        one = Jobs(store, Thinkers(), Budgets())
        await one.open()
        begun = await one.begin(ANA, board())
        await finished(one, begun.job)
        await one.close()

    run(database, work)


def test_a_job_that_cannot_be_done_is_given_up_even_if_that_cannot_be_stored(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def work(store: Store) -> None:
        one = Jobs(store, Thinkers(), Budgets())
        begun = await one.begin(ANA, board())
        await store.write((update(jobs).values(body="{}"), {}))
        commit, busy = store_module._commit, asyncio.Event()

        async def failing(connection: Any, group: Any) -> None:
            if not busy.is_set() and any(statement is DELETE_JOB for write in group for statement, _ in write.steps):
                busy.set()
                raise OperationalError("DELETE", {}, Exception("database or disk is full"))
            await commit(connection, group)

        monkeypatch.setattr(store_module, "_commit", failing)
        await one.open()
        await busy.wait()
        other = await one.begin(ANA, board("a2a3"))
        await finished(one, other.job)
        assert other.job != begun.job
        await one.close()

    run(database, work)


def test_a_position_that_always_kills_the_engine_is_given_up(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    class Dying(Thinkers):
        async def analyse(self, visitor: str, board: Board, lines: int, limit: Limit) -> AsyncGenerator[SearchReport]:
            async for report in super().analyse(visitor, board, lines, limit):
                if board.ply() == PORTION + 1:
                    raise SearchFailedError
                yield report

    async def work(store: Store) -> None:
        thinkers = Dying()
        one = Jobs(store, thinkers, Budgets())
        begun = await one.begin(ANA, board())
        await one.open()
        with pytest.raises(Refusal, match="start it again"):
            await finished(one, begun.job)
        assert [ply for _, ply in thinkers.asked] == [*range(PORTION + 1), *[PORTION + 1] * TRIES]
        assert not await store.all(select(findings.c.job))
        await finished(one, (await one.begin(ANA, board("a2a3"))).job)
        await one.close()

    monkeypatch.setattr(jobs_module, "PAUSE", 0.01, raising=False)
    run(database, work)
