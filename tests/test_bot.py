"""Bots on a fake site; ``tests/server/test_bot_programs.py`` tests them on a server."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from acedrex.bot import Bot, BotError, Client, Offer, Settings
from acedrex.engine import EngineError
from tests.engines.programs import FAKE


def test_a_bot_declines_challenges_beyond_its_maximum_number_of_matches(tmp_path: Path) -> None:
    """Two are waiting when it connects: the second arrives before the first match has started."""
    over = threading.Event()
    posts: list[str] = []

    class Site(Client):
        def get(self, path: str) -> Any:
            if over.is_set():
                raise BotError("gone", "gone")
            return {"id": "bo"}

        def post(self, path: str, **fields: object) -> Any:
            posts.append(path)

        def lines(self, path: str) -> Iterator[dict[str, Any]]:
            over.wait(30)
            return iter(())

    engine = f"{sys.executable} {FAKE} good {tmp_path / 'heard'}"
    bot = Bot(Site("http://localhost", "token"), Settings(engine=engine), lambda line: None)
    for id in ("one", "two"):
        challenge = {"id": id, "challenger": {"id": "ana", "name": "Ana"}, "variant": {"key": "chess", "name": "Chess"}}
        bot._handle({"type": "challenge", "challenge": challenge}, "bo")
    over.set()
    assert posts == ["/api/challenge/one/accept", "/api/challenge/two/decline"]


def test_a_bot_posts_only_one_challenge_in_the_lobby(tmp_path: Path) -> None:
    """Two of its matches end while the server is slow to respond."""
    posts: list[str] = []

    class Site(Client):
        def post(self, path: str, **fields: object) -> Any:
            posts.append(path)
            time.sleep(0.2)
            return {"id": "offer", "variant": {"name": "Chess"}, "url": ""}

    engine = f"{sys.executable} {FAKE} good {tmp_path / 'heard'}"
    settings = Settings(engine=engine, matches=2, offer=Offer("chess"))
    bot = Bot(Site("http://localhost", "token"), settings, lambda line: None)
    bot._begin = lambda match: None  # type: ignore[method-assign]
    threads = [threading.Thread(target=bot._offer) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert posts == ["/api/challenge/open"]


def test_a_bot_plays_a_program_of_one_game(tmp_path: Path) -> None:
    engine = f"{sys.executable} {FAKE} single {tmp_path / 'heard'}"
    client = Client("http://localhost", "token")
    assert Bot(client, Settings(engine=engine), print).games == ("chess",)
    assert Bot(client, Settings(engine=engine, games=("magi",), variant="none"), print).games == ("magi",)
    with pytest.raises(EngineError, match="a bot with a variant plays one game; name it with --game"):
        Bot(client, Settings(engine=engine, variant="none"), print)
