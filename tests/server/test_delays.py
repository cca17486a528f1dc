"""How long a move takes during expensive requests."""

from __future__ import annotations

import itertools
import math
import random
import statistics
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import httpx
import pytest

from tests.server.conftest import Person, Server, anyone, coming_from
from tests.server.long_match import LONG, server_with_long_match

pytestmark = pytest.mark.nightly
#: Concurrent expensive requests.
MANY = 6


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with server_with_long_match(tmp_path_factory.mktemp("delays")) as one:
        yield one


def moves(person: Person, enough: float = 0.0) -> float:
    """Play rounds at one board, and return the lowest median time of a move in seconds.

    There are five rounds, or fewer if one is faster than ``enough``.
    """
    # Other programs may disturb a round, but seldom all of them.
    best = math.inf
    for _ in range(5):
        best = min(best, play_round(person))
        if best < enough:
            break
    return best


def play_round(person: Person) -> float:
    talk = person.socket(person.match("maasai")["match"])
    took, chance = [], random.Random(1)
    for _ in range(12):
        began = time.perf_counter()
        talk.move(chance.choice(talk.position["legal"])["move"])
        took.append(time.perf_counter() - began)
        time.sleep(0.02)
    talk.close()
    return statistics.median(took)


def export_long_match(client: httpx.Client) -> None:
    client.get(f"/api/matches/{LONG}/pgn")


def import_faults(client: httpx.Client) -> None:
    token = client.post("/api/guests", json={"name": "Zoe"}).json()["token"]
    text = ('[Variant "maasai"]\n\n1. e6 ' + "(1. Qa9) " * 100 + "*\n\n") * 150
    client.post("/api/archive", content=text, headers={"Authorization": f"Bearer {token}"})


def send_brackets(client: httpx.Client) -> None:
    client.post("/api/analysis/record", json={"pgn": "(" * 240_000})


def read_metrics(client: httpx.Client) -> None:
    for _ in range(20):
        client.get("/metrics")
        time.sleep(0.05)


@pytest.fixture(scope="module")
def alone(server: Server) -> float:
    """The time of a move in seconds, without other requests."""
    return moves(Person(server, "Ana", "127.0.5.1"))


@pytest.mark.parametrize("asked", [export_long_match, import_faults, send_brackets, read_metrics])
def test_expensive_requests_delay_no_move(server: Server, alone: float, asked: Callable[[httpx.Client], None]) -> None:
    ana = Person(server, "Ana", "127.0.5.1")
    limit = max(0.015, 2.5 * alone)
    done = threading.Event()
    # Every request comes from another address, so that no limit per visitor applies.
    addresses = (f"127.0.{number // 250}.{number % 250 + 1}" for number in itertools.count(2_000))

    def repeat() -> None:
        while not done.is_set():
            transport = coming_from(next(addresses))
            with (
                suppress(httpx.TransportError),
                httpx.Client(base_url=server.base, timeout=60, transport=transport) as client,
            ):
                asked(client)

    with ThreadPoolExecutor(MANY) as pool:
        for _ in range(MANY):
            pool.submit(repeat)
        time.sleep(1)
        try:
            besieged = moves(ana, limit)
        finally:
            done.set()
    print(f"{asked.__name__}: a move takes {alone * 1000:.1f} ms alone, {besieged * 1000:.1f} ms besieged")
    assert besieged < limit


def test_a_flood_of_engine_requests_delays_no_move(start: Callable[..., Server]) -> None:
    server = start()
    people = [Person(server, f"Person {n}", f"127.0.4.{n + 1}") for n in range(25)]

    def quick(person: Person) -> list[float]:
        """Play at one board, and return the time of each move."""
        talk = person.socket(person.match("maasai")["match"])
        took, chance = [], random.Random(1)
        for _ in range(30):
            began = time.perf_counter()
            talk.move(chance.choice(talk.position["legal"])["move"])
            took.append(time.perf_counter() - began)
        return took

    alone = quick(people[0])
    hint = {"opponent": {"kind": "engine", "level": 10}, "hints": True}
    talks = [person.socket(person.match("maasai", **hint)["match"]) for person in people for _ in range(4)]
    for talk in talks:
        for _ in range(5):
            talk.say(type="hint", id="h")
    flooded = quick(people[0])
    metrics = anyone.get(f"{server.base}/metrics").text
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda talk: talk.hear("hint", "refused", seconds=60)["type"], talks[:8]))
    print(f"a move: {statistics.median(alone) * 1000:.1f} ms alone, {statistics.median(flooded) * 1000:.1f} ms flooded")
    assert "refused" in answers, "some requests are refused"
    assert statistics.median(flooded) < max(0.1, 5 * statistics.median(alone))
    assert "acedrex_refused_total" in metrics
    assert server.faults() == []
