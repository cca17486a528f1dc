"""The lobby, with and without listeners that do not read."""

from __future__ import annotations

import asyncio
import contextlib
import json
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from acedrex import load
from acedrex.server import wire
from acedrex.server.limits import edge
from acedrex.server.match import views
from acedrex.server.match.events import Seated
from acedrex.server.match.state import Match
from acedrex.server.play import lobby
from acedrex.server.play.listener import Listener
from acedrex.server.storage import cards
from tests.conftest import TIMEOUT
from tests.server.conftest import Person, Server
from tests.server.matches import START, created
from tests.server.strangers import Stranger
from tests.server.waiting import until

FISCHER = {"kind": "fischer", "initial_ms": 60_000, "increment_ms": 0}


def most_unsent(port: int) -> int:
    """Return the largest number of unsent bytes that the system buffers for a connection."""
    rows = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    return max(int(row[4].partition(":")[0], 16) for row in rows if row[1].endswith(f":{port:04X}"))


def test_listeners_that_do_not_read_delay_no_other(server: Server) -> None:
    for number in range(90):
        Person(server, "Ana", f"127.0.8.{number + 1}").match(opponent={"kind": "lobby"}, time=FISCHER)
    bo = Person(server, "Bo", "127.0.8.200")
    with contextlib.ExitStack() as stack:
        for number in range(60):
            deaf = stack.enter_context(Stranger(server.port, f"127.0.9.{number % 6 + 1}", buffer=4096))
            deaf.upgrade("/api/lobby/socket")
            for _ in range(39):
                deaf.say(type="hello", token=None, after=None)
        reading = server.connect("/api/lobby/socket", source_address=("127.0.9.10", 0))
        made = bo.match("magi", opponent={"kind": "lobby"}, time=FISCHER)["match"]
        began = time.monotonic()
        while made not in str(reading.recv(TIMEOUT)):
            pass
        # The server waits this long for those who do not read.
        assert time.monotonic() - began < edge.UNREAD_TIMEOUT_S
        assert most_unsent(server.port) < 256 * 1024
    assert server.faults() == []


def challenge(person: str) -> cards.Card:
    seated = Seated(at=START, side="white", person=person, name=person)
    return cards.card(Match(person, [created(opponent="lobby"), seated], load("chess")))


@pytest.fixture
def hub(
    monkeypatch: pytest.MonkeyPatch,
) -> tuple[Any, ...]:
    """A hub, the challenges, the challenges of each time it has read them, which takes 50 ms, and what it encoded."""
    written: list[wire.Lobby] = []
    found: list[cards.Card] = []
    taken: list[list[cards.Card]] = []

    async def read(_: object) -> list[cards.Card]:
        now = list(found)
        taken.append(now)
        await asyncio.sleep(0.05)
        return now

    def encode(said: wire.Lobby) -> bytes:
        written.append(said)
        return views.encode(said)

    monkeypatch.setattr(lobby, "challenges", read)
    monkeypatch.setattr(lobby, "encode", encode)
    monkeypatch.setattr(lobby, "GATHER", 0.02)

    async def no_rows(_: object) -> list[Any]:
        return []

    rooms = SimpleNamespace(store=SimpleNamespace(all=no_rows))
    return lobby.Lobby(cast("Any", rooms)), found, taken, written


def last(listener: Listener) -> list[dict[str, Any]]:
    """Return the challenges that were last sent to a listener."""
    while listener.outbox.qsize() > 1:
        listener.outbox.get_nowait()
    challenges: list[dict[str, Any]] = json.loads(str(listener.outbox.get_nowait()))["challenges"]
    return challenges


async def test_the_list_is_encoded_once_for_all_who_own_no_challenge(hub: Any) -> None:
    one, found, _, written = hub

    found.extend(challenge(person) for person in ("ana", "bo"))
    people = [Listener(f"person {number}") for number in range(50)] + [Listener(None), Listener("ana")]
    for listener in people:
        one._listeners.add(listener)
    one.changed()
    await until(lambda: all(listener.outbox.qsize() for listener in people))
    assert len(written) == 2
    assert [[card["mine"] for card in last(listener)] for listener in people[-2:]] == [[False] * 2, [True, False]]


async def test_a_change_while_the_challenges_are_read_is_sent(hub: Any) -> None:
    one, found, taken, _ = hub

    bo = Listener("bo")
    await one.join(bo)
    found.append(challenge("ana"))
    one.changed()
    await until(lambda: len(taken[-1]) == 1)
    found.append(challenge("zoe"))
    one.changed()
    await until(lambda: bo.outbox.qsize() and [card["by"] for card in last(bo)] == ["ana", "zoe"])
