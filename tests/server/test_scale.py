"""Several processes of the server behind one address."""

from __future__ import annotations

import time
from collections.abc import Callable

import httpx
import pytest

from acedrex import Error
from acedrex.server import serve
from acedrex.server.limits.budgets import BUDGETS, SHARING
from acedrex.server.settings import Settings
from tests.conftest import TIMEOUT
from tests.server.conftest import Person, Server, anyone, coming_from
from tests.server.services import PostgreSQL


def test_several_workers_need_postgresql_and_redis(tmp_path: object) -> None:
    with pytest.raises(Error, match=r"ACEDREX_DATABASE_URL.*ACEDREX_REDIS_URL"):
        serve.check(Settings(database="sqlite+aiosqlite:///x.db", workers=2))
    with pytest.raises(Error, match="ACEDREX_REDIS_URL"):
        serve.check(Settings(database="postgresql+asyncpg://x", workers=2))
    serve.check(Settings(database="postgresql+asyncpg://x", redis="redis://x", workers=2))


def test_two_workers_serve_one_match(start: Callable[..., Server], postgresql: PostgreSQL, redis_url: str) -> None:
    server = start("--workers", "2", ACEDREX_DATABASE_URL=postgresql.migrated(), ACEDREX_REDIS_URL=redis_url)
    ana, bo = Person(server, "Ana"), Person(server, "Bo")
    made = ana.match(opponent={"kind": "friend"})
    bo.sit(made)
    # Enough sockets that each process has some.
    whites = [ana.socket(made["match"]) for _ in range(6)]
    blacks = [bo.socket(made["match"]) for _ in range(6)]
    for number in range(24):
        talks = blacks if number % 2 else whites
        mover = talks[number // 2 % 6]
        while mover.position["ply"] < number:
            mover.hear("update", "snapshot")
        mover.move(mover.position["legal"][number % 5]["move"])
    for talk in whites + blacks:
        while talk.position["ply"] < 24:
            talk.hear("update", "snapshot")
    assert len({talk.position["fen"] for talk in whites + blacks}) == 1
    engine = ana.match(opponent={"kind": "engine", "level": 1})
    talk = ana.socket(engine["match"])
    talk.move("e2e4")
    while talk.position["ply"] < 2:
        talk.hear("update", "snapshot")
    # The match continues after the server was killed.
    server.kill()
    server.opened.close()
    server.start()
    assert anyone.get(f"{server.base}/api/matches/{made['match']}").json()["position"]["ply"] == 24
    assert server.end() == 0
    assert server.faults() == []


def test_a_visitor_has_one_budget_and_not_one_with_each_worker(
    start: Callable[..., Server], postgresql: PostgreSQL, redis_url: str
) -> None:
    server = start("--workers", "2", ACEDREX_DATABASE_URL=postgresql.migrated(), ACEDREX_REDIS_URL=redis_url)
    at_once = int(BUDGETS["guests"].address.burst)
    made = 0
    with httpx.Client(base_url=server.base, transport=coming_from("127.0.7.1"), timeout=TIMEOUT) as client:
        # A connection for each request, so that both workers get some.
        client.headers["Connection"] = "close"
        for _ in range(2):
            made += sum(client.post("/api/guests", json={}).status_code == 201 for _ in range(at_once * 3 // 4))
            time.sleep(3 * SHARING)
    # Without sharing, the workers would have allowed all of them. Spending is shared every half second.
    assert at_once <= made <= at_once * 5 // 4 + 10
