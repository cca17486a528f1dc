"""Who is here."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from acedrex.server.limits.visitor import Visitor
from acedrex.server.people import presence
from acedrex.server.people.presence import Presence
from tests.server.conftest import Person, Server
from tests.server.waiting import wait_until

GENTLEST = {"kind": "house", "engine": "caladrius"}


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    clock = SimpleNamespace(now=0.0)
    monkeypatch.setattr(presence, "time", SimpleNamespace(monotonic=lambda: clock.now))
    return clock


def test_a_person_with_two_tabs_counts_once(clock: SimpleNamespace) -> None:
    here = Presence()
    here.connected = lambda: {"ana", "3"}
    here.note_visitor(Visitor("4", "ana"))
    here.note_visitor(Visitor("3"))
    assert here.count() == 2


def test_somebody_who_has_left_counts_no_longer(clock: SimpleNamespace) -> None:
    here = Presence()
    here.note_visitor(Visitor("1"))
    clock.now = presence.ACTIVE_S / 2
    here.note_visitor(Visitor("2"))
    assert here.count() == 2
    clock.now = presence.ACTIVE_S + 1
    assert here.count() == 1
    clock.now *= 2
    assert here.count() == 0


def test_somebody_who_is_in_two_processes_counts_once_while_they_report(clock: SimpleNamespace) -> None:
    here = Presence()
    here.note_visitor(Visitor("1", "ana"))
    here.note_elsewhere(["ana", "bo"])
    assert here.count() == 2
    clock.now = presence.ELSEWHERE_S + 1
    assert here.count() == 1


def test_what_is_remembered_of_visitors_is_bounded(clock: SimpleNamespace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(presence, "MAX_PEOPLE", 10)
    here = Presence()
    for number in range(50):
        here.note_visitor(Visitor(str(number)))
    assert here.count() == 10


def test_the_front_page_learns_who_is_here_and_sees_a_match(server: Server) -> None:
    ana = Person(server, "Ana", "127.0.0.2")
    made = ana.match("magi", opponent=GENTLEST)["match"]
    talk = ana.socket(made)
    talk.move(talk.position["legal"][0]["move"])
    while talk.hear("update")["ply"] < 2:
        pass
    here = wait_until(lambda: (found := ana.http.get("/api/here").json())["live"] and found)
    assert here["people"] >= 1 and here["playing"] == 1 and here["live"]["match"] == made
