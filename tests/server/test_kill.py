"""The server is killed at random moments during play, and nothing that was acknowledged is lost."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable
from typing import Any

from websockets.exceptions import ConnectionClosed

from tests.conftest import TIMEOUT
from tests.samples import sample
from tests.server.conftest import Person, Server, Talk

KILLS = sample(2, 50)
GAMES = ("chess", "maasai", "chieftain", "magi")


class Player(threading.Thread):
    """Plays a match against itself as fast as it can, and records what was acknowledged."""

    def __init__(self, talk: Talk, seed: int) -> None:
        super().__init__()
        self.talk = talk
        self.chance = random.Random(seed)
        self.acknowledged: list[tuple[int, str]] = []
        self.moves: list[str] = [made["move"] for made in talk.snapshot["moves"]]

    def run(self) -> None:
        try:
            while self.talk.position["legal"]:
                chosen = self.chance.choice(self.talk.position["legal"])["move"]
                answer = self.talk.do(type="move", move=chosen)
                assert answer["type"] == "ack", answer
                self.acknowledged.append((len(self.moves), chosen))
                self.moves.append(chosen)
        except (ConnectionClosed, TimeoutError, OSError):
            pass


def test_no_acknowledged_move_is_lost_when_the_server_is_killed(start: Callable[..., Server]) -> None:
    server = start()
    ana = Person(server)
    chance = random.Random(1)
    matches: list[dict[str, Any]] = [ana.match(game) for game in GAMES]
    acknowledged = 0
    for kill in range(KILLS):
        players = [Player(ana.socket(made["match"]), kill * 100 + n) for n, made in enumerate(matches)]
        for player in players:
            player.start()
        time.sleep(chance.uniform(0.02, 1.0))
        server.kill()
        for player in players:
            player.join(TIMEOUT)
            assert not player.is_alive()
        server.opened.close()
        server.start()
        ana.http = server.opened.enter_context(type(ana.http)(base_url=server.base, headers=ana.http.headers))
        for number, (made, player) in enumerate(zip(matches, players, strict=True)):
            answer = ana.http.get(f"/api/matches/{made['match']}")
            snapshot = answer.json()
            stored = [made["move"] for made in snapshot["moves"]]
            for place, move in player.acknowledged:
                assert stored[place] == move, (kill, place)
            # At most one more move was stored: the one that was not acknowledged yet.
            assert len(stored) - len(player.moves) in (0, 1)
            acknowledged += len(player.acknowledged)
            if snapshot["phase"] == "over":
                matches[number] = ana.match(GAMES[number])
    assert acknowledged > 10 * KILLS
    assert server.faults() == []
    print(f"{KILLS} kills, {acknowledged} moves acknowledged, none missing")
