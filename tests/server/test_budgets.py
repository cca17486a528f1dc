"""Budgets and fair queues: limits for an address, however many guests it creates."""

from __future__ import annotations

import asyncio
from collections import Counter
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from fastapi import Request
from hypothesis import example, given, settings
from hypothesis import strategies as st

from acedrex import Board, Limit
from acedrex.server.api import bodies
from acedrex.server.api.shield import AT_ONCE, Shield
from acedrex.server.limits import budgets as budgets_module
from acedrex.server.limits.budgets import BUDGETS, DAY, Budgets, Rate
from acedrex.server.limits.fair_queue import FairQueue, FullError
from acedrex.server.limits.visitor import Visitor, address_of
from acedrex.server.play.engines import Engines
from acedrex.server.refusal import Refusal

DOCS = Path(__file__).parents[2] / "docs" / "server.md"


def documented(rate: Rate) -> str:
    """Return a rate as the documentation writes it."""
    often = f"{rate.second:g} a second" if rate.second >= 1 else f"one in {1 / rate.second:g} seconds"
    if rate.second < 0.001:
        often = f"{rate.second * DAY:g} a day"
    return f"{often}, {rate.burst:,g} at once"


@pytest.mark.parametrize("kind", BUDGETS)
def test_the_documented_rates_are_those_of_the_code(kind: str) -> None:
    budget = BUDGETS[kind]  # type: ignore[index]
    row = f"| {budget.counted} | {documented(budget.address)} | {documented(budget.person) if budget.person else ''} |"
    assert row.replace("|  |", "| |") in DOCS.read_text(encoding="utf-8").splitlines()


def test_new_guests_share_the_budget_of_their_address(monkeypatch: pytest.MonkeyPatch) -> None:
    moment = [0.0]
    monkeypatch.setattr(budgets_module.time, "monotonic", lambda: moment[0])
    budgets = Budgets()
    own, of_all = int(BUDGETS["chat"].person.burst), int(BUDGETS["chat"].address.burst)  # type: ignore[union-attr]
    said = 0
    for number in range(100):
        fresh = Visitor("192.0.2.1", f"guest {number}")
        said += sum(budgets.take(fresh, "chat") for _ in range(own + 1))
    assert said == of_all
    # A person who comes from many addresses has still one budget.
    assert sum(budgets.take(Visitor(f"192.0.2.{n}", "ana"), "chat") for n in range(2, 90)) == own
    with pytest.raises(Refusal, match="chat messages"):
        budgets.spend(Visitor("192.0.2.90", "ana"), "chat")
    moment[0] += 1 / BUDGETS["chat"].person.second  # type: ignore[union-attr]
    budgets.spend(Visitor("192.0.2.90", "ana"), "chat")


def test_the_visitor_who_was_away_longest_is_forgotten_first() -> None:
    budgets = Budgets(most=2)
    most = BUDGETS["work"].address.burst
    first, second, third = (Visitor(f"192.0.2.{number}") for number in (1, 2, 3))
    for visitor in (first, second, first, third):
        budgets.charge(visitor, "work", most)
    assert not budgets.take(first, "work", most) and budgets.take(second, "work", most)


def test_a_request_that_costs_more_than_a_burst_costs_the_whole_burst() -> None:
    budgets = Budgets()
    who = Visitor("192.0.2.1")
    assert budgets.take(who, "work", 10_000)
    assert not budgets.take(who, "work")


def test_a_charge_leaves_a_debt_of_at_most_a_burst(monkeypatch: pytest.MonkeyPatch) -> None:
    moment = [0.0]
    monkeypatch.setattr(budgets_module.time, "monotonic", lambda: moment[0])
    budgets = Budgets()
    who, rate = Visitor("192.0.2.1"), BUDGETS["sockets"].address
    budgets.charge(who, "sockets", 10_000)
    moment[0] = rate.burst / rate.second
    assert not budgets.take(who, "sockets"), "the debt is a full burst at most"
    moment[0] += 1 / rate.second
    assert budgets.take(who, "sockets")


def test_the_number_of_remembered_visitors_is_limited() -> None:
    budgets = Budgets(most=10)
    for number in range(1_000):
        budgets.take(Visitor(f"192.0.2.{number}"), "requests")
    assert len(budgets._buckets) == 10


def test_ipv6_addresses_count_by_their_network() -> None:
    same = {address_of(f"2001:db8:1:2::{n:x}") for n in range(1, 50)}
    assert same == {"2001:db8:1:2::"}
    assert address_of("2001:db8:1:3::1") not in same
    assert address_of("fe80::1%eth0") == "fe80::"
    assert address_of(None) == address_of("") == "?"


async def test_an_address_with_few_requests_does_not_wait_for_one_with_many() -> None:
    queue = FairQueue(1, 1_000, 500, 500)
    done: list[str] = []

    async def ask(address: str, person: str) -> None:
        async with queue.place(Visitor(address, person)):
            await asyncio.sleep(0)
            done.append(address)

    many = [asyncio.create_task(ask("many", f"guest {number}")) for number in range(107)]
    await asyncio.sleep(0)
    few = [asyncio.create_task(ask(f"honest {number}", "ana")) for number in range(3)]
    await asyncio.gather(*many, *few)
    assert queue.total == 0 and not queue.waiting
    assert len(done) == 110
    assert max(done.index(f"honest {number}") for number in range(3)) <= 5, "after one of the many, and each other"


@settings(deadline=None)
@given(st.lists(st.tuples(st.sampled_from(["enter", "cancel", "leave", "let run"]), st.integers(0, 7)), max_size=60))
@example([("enter", 0), ("enter", 1), ("let run", 0), ("cancel", 0), ("leave", 0)])
async def test_no_place_is_lost_however_requests_enter_cancel_and_leave(steps: list[tuple[str, int]]) -> None:
    queue = FairQueue(1, 1_000, 500, 500)
    tasks: list[asyncio.Task[None]] = []
    holding: list[Visitor] = []

    async def enter(visitor: Visitor) -> None:
        await queue.enter(visitor)
        holding.append(visitor)

    async def settle() -> None:
        for _ in range(3):
            await asyncio.sleep(0)

    for step, number in steps:
        match step:
            case "enter":
                tasks.append(asyncio.create_task(enter(Visitor(f"address {number % 3}", f"guest {number}"))))
            case "cancel" if tasks:
                tasks[-1 - number % len(tasks)].cancel()
            case "leave" if holding:
                queue.leave(holding.pop(number % len(holding)))
            case "let run":
                await settle()
    await settle()
    while holding:
        queue.leave(holding.pop())
        await settle()
    assert all(task.done() and (task.cancelled() or task.exception() is None) for task in tasks)
    assert queue.total == 0 and not queue.waiting
    await asyncio.wait_for(queue.enter(Visitor("next")), 1)


async def test_cancelled_requests_leave_nothing_behind_in_the_queue() -> None:
    queue = FairQueue(1, 10, 3, 2)
    await queue.enter(Visitor("a", "1"))
    waiting = asyncio.create_task(queue.enter(Visitor("a", "1")))
    await asyncio.sleep(0)
    for crowded in (Visitor("a", "1"), Visitor("b", "1")):
        with pytest.raises(FullError):
            await queue.enter(crowded)
    other = asyncio.create_task(queue.enter(Visitor("a", "2")))
    await asyncio.sleep(0)
    with pytest.raises(FullError):
        await queue.enter(Visitor("a", "3"))
    waiting.cancel()
    await asyncio.gather(waiting, return_exceptions=True)
    assert queue.of("a") == 2
    # A place that was given to a request which has just been cancelled is passed on.
    queue.leave(Visitor("a", "1"))
    other.cancel()
    await asyncio.gather(other, return_exceptions=True)
    assert queue.total == 0
    await asyncio.wait_for(queue.enter(Visitor("c")), 1)
    queue.leave(Visitor("c"))
    assert queue.total == 0 and not queue.waiting


async def test_concurrent_engine_requests_of_an_address_share_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    engines = Engines(1)
    asked = []

    async def run(visitor: Visitor, job: Any) -> list[str]:
        asked.append(job.args[2].time)
        return []

    monkeypatch.setattr(engines._pool, "run", run)
    for crowd in (0, 1, 9):
        monkeypatch.setattr(engines._pool, "of", lambda address, crowd=crowd: crowd)
        await engines.turn(Visitor("192.0.2.1", "ana"), Board(), 10, Limit(time=3.0))
    assert asked == [3.0, 1.5, 0.3]


async def test_concurrent_requests_of_an_address_are_limited_however_they_end() -> None:
    running: list[str] = []
    proceed = {path: asyncio.Event() for path in ("/api/stream", "/api/heavy", "/api/light", "/api/fault")}
    for path in ("/api/light", "/api/fault"):
        proceed[path].set()
    start = {"type": "http.response.start", "status": 200, "headers": []}

    async def app(scope: Any, receive: Any, send: Any) -> None:
        path = scope["path"]
        running.append(path)
        if path == "/api/stream":
            await send(start)
        await proceed[path].wait()
        if path == "/api/fault":
            raise ZeroDivisionError
        if path != "/api/stream":
            await send(start)

    async def send(message: Any) -> None:
        pass

    shield = Shield(app, ())
    state = SimpleNamespace(state=SimpleNamespace(services=SimpleNamespace(budgets=Budgets())))

    def ask(path: str) -> asyncio.Task[None]:
        scope = {"type": "http", "method": "GET", "path": path, "headers": [], "client": ("192.0.2.1", 1)}
        return asyncio.create_task(shield({**scope, "app": state}, send, send))

    stream = ask("/api/stream")
    await ask("/api/light")
    heavy = [ask("/api/heavy") for _ in range(AT_ONCE)]
    await asyncio.sleep(0.01)
    # The stream ends; it gave its turn back when its answer started.
    proceed["/api/stream"].set()
    await stream
    heavy += [ask("/api/heavy") for _ in range(AT_ONCE)]
    await asyncio.sleep(0.01)
    assert running.count("/api/heavy") == AT_ONCE
    proceed["/api/heavy"].set()
    await asyncio.gather(*heavy)
    with pytest.raises(ZeroDivisionError):
        await ask("/api/fault")
    assert not shield._turns


async def test_slow_bodies_take_no_turn_from_others_of_their_address() -> None:
    arrived = asyncio.Event()
    done: list[str] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        if scope["method"] == "POST":
            await receive()
        done.append(scope["method"])
        await send({"type": "http.response.start", "status": 200, "headers": []})

    async def receive() -> Any:
        await arrived.wait()
        return {"type": "http.request", "body": b"{}", "more_body": False}

    async def send(message: Any) -> None:
        pass

    shield = Shield(app, ())
    state = SimpleNamespace(state=SimpleNamespace(services=SimpleNamespace(budgets=Budgets())))
    scope = {"type": "http", "path": "/api/x", "headers": [], "client": ("192.0.2.1", 1), "app": state}
    slow = [asyncio.create_task(shield({**scope, "method": "POST"}, receive, send)) for _ in range(2 * AT_ONCE)]
    await asyncio.sleep(0.01)
    await shield({**scope, "method": "GET"}, receive, send)
    assert done == ["GET"]
    # One whose client leaves holds nothing either.
    slow.pop().cancel()
    arrived.set()
    await asyncio.gather(*slow)
    assert done.count("POST") == 2 * AT_ONCE - 1 and not shield._turns


async def test_the_bytes_of_the_bodies_that_an_address_sends_are_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bodies, "MAX_ARRIVING", 1_000)
    services = SimpleNamespace(arriving=Counter())
    state = SimpleNamespace(state=SimpleNamespace(services=services))
    more = asyncio.Event()

    def body(address: str) -> asyncio.Task[bytes]:
        pieces = iter([{"type": "http.request", "body": b"x" * 700, "more_body": True}])

        async def receive() -> Any:
            for piece in pieces:
                return piece
            await more.wait()
            return {"type": "http.request", "body": b"", "more_body": False}

        scope = {"type": "http", "method": "POST", "headers": [], "client": (address, 1), "app": state}
        return asyncio.create_task(bodies.content(Request(scope, receive)))

    first = body("192.0.2.1")
    await asyncio.sleep(0.01)
    with pytest.raises(Refusal, match="too much at once"):
        await body("192.0.2.1")
    other = body("192.0.2.2")
    more.set()
    assert len(await first) == len(await other) == 700
    assert not services.arriving


def test_what_is_spent_in_one_process_is_spent_in_the_other() -> None:
    here, elsewhere, alone = Budgets(shared=True), Budgets(shared=True), Budgets()
    ana = Visitor("192.0.2.1", "ana")
    assert here.take(ana, "chat", 5) and not here.take(ana, "chat") and alone.take(ana, "chat")
    here.charge(ana, "work", 150)
    spent = here.take_spent()
    assert sorted(spent) == [
        ("chat", "address", "192.0.2.1", 5),
        ("chat", "person", "ana", 5),
        ("work", "address", "192.0.2.1", 150),
    ]
    assert here.take_spent() == alone.take_spent() == []
    elsewhere.spent_elsewhere([*spent, ("of a later version", "address", "192.0.2.1", 1)])
    assert not elsewhere.take(ana, "chat") and not elsewhere.take(ana, "work", 60) and elsewhere.take(ana, "work", 40)
    assert elsewhere.take_spent() == [("work", "address", "192.0.2.1", 40)]
