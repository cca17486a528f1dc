"""What players of tournaments are notified of, and that it is still true when it is sent."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from acedrex.server import wire
from acedrex.server.bus import Bus
from acedrex.server.people.notice_texts import Notice, body, title
from acedrex.server.play.engines import Engines
from acedrex.server.play.listener import Listener
from acedrex.server.play.rooms import Rooms
from acedrex.server.storage.store import NEW_PERSON, Step, Store
from acedrex.server.time_source import now
from acedrex.server.tournaments import commands, events
from acedrex.server.tournaments.notices import TournamentNotices
from acedrex.server.tournaments.presence import Audience
from acedrex.server.tournaments.state import DAY, MINUTE, Tournament
from acedrex.server.tournaments.store import Tournaments, entrant_step
from tests.server.matches import cup

#: No channels.
SILENT = SimpleNamespace(steps=lambda *_: [])
NAMES = {"ana": "Ana", "bo": "Bo"}


class Heard:
    """Stands for the notifications, and hears what would be sent to whom, and when."""

    def __init__(self) -> None:
        self.checks: dict[str, Any] = {}
        self.told: list[tuple[str, Notice, int | None]] = []

    async def steps(self, person: str, notice: Notice, *, due: int | None = None) -> list[Step]:
        self.told.append((person, notice, due))
        return []

    def take(self) -> list[tuple[str, str]]:
        found = [(person, notice.what) for person, notice, _ in self.told]
        self.told.clear()
        return found


class Club:
    """A tournament of two people by appointment."""

    def __init__(self, store: Store) -> None:
        self.kept = Tournaments(Rooms(store, Engines(1), Bus()))
        self.audience = Audience(self.kept.rooms.bus)
        self.heard = Heard()
        self.notices = TournamentNotices(self.kept, self.heard, SILENT, self.audience)  # type: ignore[arg-type]
        self.id = ""

    async def make(self, **settings: Any) -> None:
        self.id = await self.kept.make(wire.Person("ana", "Ana"), "The cup", "", cup(now(), **settings), None)
        for person, name in NAMES.items():
            row = {"id": person, "name": name, "at": now(), "import_key": person}
            await self.kept.store.write((NEW_PERSON, row))

            def decide(t: Tournament) -> events.Event:
                return commands.enter(t, None, 1500, True, now())

            def steps(event: events.Event, person: str = person, name: str = name) -> list[Step]:
                return [entrant_step(self.id, event.player, person, name)]  # type: ignore[union-attr]

            await self.kept.command(self.id, decide, steps)

    async def happen(self, *new: events.Event) -> None:
        async with self.kept.hold(self.id) as t:
            await self.kept.write(t, new)

    async def pair(self) -> None:
        await self.happen(events.Started(at=now(), order=[1, 2]), events.Paired(at=now(), round=1, pairs=[(1, 2)]))


@pytest.fixture
async def club(store: Store) -> Club:
    return Club(store)


async def test_players_are_reminded_of_the_start_and_again_if_it_is_moved(club: Club) -> None:
    await club.make()
    async with club.kept.hold(club.id) as t:
        await club.notices.start_steps(t, "ana")
    ((person, notice, due),) = club.heard.told
    assert (person, notice.what, due) == ("ana", "start", (notice.deadline or 0) - 15 * MINUTE)
    assert title(notice, "en") == "The cup starts soon" and notice.path == f"/tournaments/{club.id}"
    assert body(notice, "en", due or 0) == "Chess, in 15 min"
    assert await club.notices.is_current("ana", notice)
    assert not await club.notices.is_current("somebody", notice)
    club.heard.take()
    await club.happen(events.Moved(at=now(), starts_at=now() + 2 * DAY))
    assert not await club.notices.is_current("ana", notice)
    assert club.heard.take() == [("ana", "start"), ("bo", "start")]
    await club.happen(events.Withdrew(at=now(), player=1))
    assert not await club.notices.is_current("ana", notice)


async def test_who_does_not_look_at_the_tournament_hears_that_a_game_begins(club: Club) -> None:
    await club.make()
    await club.pair()
    club.audience.join(club.id, Listener("ana"))
    await club.happen(events.GameBegan(at=now(), board=0, match="m", white=1))
    ((person, notice, due),) = club.heard.told
    assert (person, notice.what, notice.by, notice.path, due) == ("bo", "round", "Ana", "/match/m", None)
    assert await club.notices.is_current("bo", notice)
    await club.happen(events.GameEnded(at=now(), board=0, match="m", points=1.0, played=True))
    assert not await club.notices.is_current("bo", notice)


async def test_players_hear_of_proposals_and_are_reminded_of_appointments(club: Club) -> None:
    await club.make(appointment_days=7)
    await club.pair()
    time = now() + DAY
    await club.happen(events.TimesProposed(at=now(), board=0, player=1, times=[time]))
    proposal = club.heard.told[0][1]
    assert club.heard.take() == [("bo", "times")]
    assert await club.notices.is_current("bo", proposal)
    await club.happen(events.TimeAgreed(at=now(), board=0, time=time))
    told = [*club.heard.told]
    assert sorted((person, notice.what, due and time - due) for person, notice, due in told if due) == [
        ("ana", "appointment", 10 * MINUTE),
        ("ana", "appointment", 60 * MINUTE),
        ("bo", "appointment", 10 * MINUTE),
        ("bo", "appointment", 60 * MINUTE),
    ]
    assert [(person, notice.what) for person, notice, due in told if due is None] == [("ana", "agreed")]
    assert not await club.notices.is_current("bo", proposal)
    assert all([await club.notices.is_current(person, notice) for person, notice, _ in told])
    # Another time is agreed on: the reminders of the first are not sent.
    await club.happen(events.TimeAgreed(at=now(), board=0, time=time + DAY))
    assert not any([await club.notices.is_current(person, notice) for person, notice, _ in told])
