"""What the channels of a club hear."""

# ruff: noqa: F811 - parameters have the names of fixtures.

from __future__ import annotations

import json
import threading
from collections.abc import AsyncIterator, Iterator
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from sqlalchemy import select

from acedrex.server import wire
from acedrex.server.match.events import Offered, Resigned, Seated
from acedrex.server.people import hooks
from acedrex.server.people.hooks import UnknownHookError
from acedrex.server.storage.cards import GRACE, UNANSWERED
from acedrex.server.storage.tables import outbox
from acedrex.server.tournaments import events as tournament_events
from acedrex.server.tournaments.notices import TournamentNotices
from acedrex.server.tournaments.presence import Audience
from acedrex.server.tournaments.store import Tournaments, entrant_step
from tests.server.matches import START, cup
from tests.server.notified import HOME, HOUR, Here, World, clock, here, moved, service  # noqa: F401 - fixtures


class Channel:
    """A channel of a club: it keeps what it hears, and may refuse it."""

    def __init__(self) -> None:
        channel = self
        self.heard: list[str] = []
        self.refuses = 0

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                said = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                status = 200
                if channel.refuses:
                    channel.refuses -= 1
                    status = 500
                else:
                    channel.heard.append(said["message"])
                self.send_response(status)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"json://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


@pytest.fixture
def channel() -> Iterator[Channel]:
    one = Channel()
    yield one
    one.close()


@pytest.fixture
async def club(here: Here, channel: Channel) -> AsyncIterator[Here]:
    """A process whose operator has a hook."""
    first, here.world = here.world, World(here.store, here.carrier, here.service.url, [channel.url])
    yield here
    await here.world.rooms.close()
    here.world = first


async def test_a_channel_hears_of_a_challenge_that_waits_and_of_the_result(club: Here, channel: Channel) -> None:
    await club.start(id="one", seats=("ana", ""), opponent="lobby")
    await club.at(UNANSWERED - 1)
    assert channel.heard == []
    await club.at(UNANSWERED)
    assert channel.heard == [f"Ana is looking for an opponent: Chess\n{HOME}/match/one"]
    await club.go_on(Seated(at=START + HOUR, side="black", person="bo", name="Bo"), id="one")
    await club.go_on(moved("e2e4", HOUR), Resigned(at=START + HOUR, by="black"), id="one")
    await club.at(HOUR + GRACE)
    await club.go_on(Offered(at=START + HOUR + GRACE, what="rematch", by="white"), id="one")
    await club.at(2 * HOUR)
    assert channel.heard[1:] == [f"Chess: Ana – Bo 1-0\n{HOME}/match/one"]  # noqa: RUF001


async def test_a_channel_hears_of_no_private_match(club: Here, channel: Channel) -> None:
    await club.start(Resigned(at=START, by="black"))
    await club.at(GRACE)
    assert channel.heard == []


async def test_a_channel_hears_of_one_challenge_of_a_person_at_a_time(club: Here, channel: Channel) -> None:
    for number in range(3):
        await club.start(id=f"m{number}", seats=("ana", ""), opponent="lobby")
    await club.at(UNANSWERED)
    assert len(channel.heard) == 1


async def test_a_channel_hears_of_a_tournament_and_its_winner_and_not_of_its_games(
    club: Here, channel: Channel
) -> None:
    world = club.world
    kept = Tournaments(world.rooms)
    TournamentNotices(kept, world.notices, world.hooks, Audience(world.rooms.bus))
    ana, made = wire.Person("ana", "Ana"), cup(START, starts_at=START + HOUR)
    id = await kept.make(ana, "The cup @everyone", "", made, None)
    await club.at(0)
    start = datetime.fromtimestamp((START + HOUR) / 1000, UTC)
    # A space of no width keeps a name from calling everyone.
    assert channel.heard == [
        f"New tournament: The cup @\u200beveryone. Chess, {start:%A %d %B, %H:%M} UTC\n{HOME}/tournaments/{id}"
    ]
    await kept.make(ana, "Another one at once", "", made, None)
    entrants = [entrant_step(id, number, *who) for number, who in enumerate((("ana", "Ana"), ("bo", "Bo")), start=1)]
    entered = [tournament_events.Entered(at=START, player=number, rating=1500, provisional=True) for number in (1, 2)]
    await club.start(Resigned(at=START, by="black"), id="one", opponent="lobby", tournament=id)
    async with kept.hold(id) as t:
        await kept.write(t, entered, entrants)
        began = [
            tournament_events.Started(at=START, order=[1, 2]),
            tournament_events.Paired(at=START, round=1, pairs=[(1, 2)]),
            tournament_events.GameBegan(at=START, board=0, match="one", white=1),
            tournament_events.GameEnded(at=START, board=0, match="one", points=1.0, played=True),
        ]
        await kept.write(t, began)
        await kept.write(t, [tournament_events.Finished(at=START)])
    await club.at(GRACE)
    title = "The cup @\u200beveryone"
    assert channel.heard[1:] == [f"{title} is over. Winner: Ana\n{HOME}/tournaments/{id}"]
    other = await kept.make(wire.Person("bo", "Bo"), "Nobody came", "", made, None)
    async with kept.hold(other) as t:
        await kept.write(t, [tournament_events.Cancelled(at=START)])
    await club.at(2 * GRACE)
    assert channel.heard[3:] == [f"Nobody came has been cancelled\n{HOME}/tournaments/{other}"]


async def test_what_a_channel_refuses_is_said_again(club: Here, channel: Channel) -> None:
    channel.refuses = 1
    await club.start(id="one", seats=("ana", ""), opponent="lobby")
    await club.at(UNANSWERED)
    assert channel.heard == []
    await club.at(HOUR)
    assert len(channel.heard) == 1


async def test_the_database_does_not_have_the_secrets_of_hooks(club: Here, channel: Channel) -> None:
    channel.refuses = 1
    await club.start(id="one", seats=("ana", ""), opponent="lobby")
    await club.at(UNANSWERED)
    (row,) = await club.store.all(select(outbox))
    assert channel.url not in str(row)


def test_a_hook_that_is_no_url_is_refused_at_the_start() -> None:
    hooks.check(["json://localhost", "discord://1234567890/abcdefgh"])
    with pytest.raises(UnknownHookError, match="hook 2 is not"):
        hooks.check(["json://localhost", "nonsense"])
