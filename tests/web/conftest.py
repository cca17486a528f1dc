"""A server of its own with the built app, and browsers that look at it."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.web.people import Person, Server

ROOT = Path(__file__).parents[2]
STATIC = ROOT / "src" / "acedrex" / "server" / "static"
CHROMIUM = "/usr/bin/chromium"


def need(there: bool, reason: str) -> None:
    """Skip, or fail where every test has to run."""
    if there:
        return
    if os.environ.get("ACEDREX_REQUIRE_WITNESSES"):
        pytest.fail(reason, pytrace=False)
    pytest.skip(reason)


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server on an empty database, with a folder of games of its own."""
    need((STATIC / "index.html").is_file(), "the web app is not built: make play builds it")
    folder = tmp_path_factory.mktemp("server")
    games = folder / "games"
    games.mkdir()
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "acedrex", "serve", "--port", str(port), "--games", str(games)]
    environment = {
        **os.environ,
        "ACEDREX_DATABASE_URL": f"sqlite:///{folder / 'test.db'}",
        "PYTHONPATH": str(ROOT / "src"),
    }
    log = (folder / "log").open("wb")
    process = subprocess.Popen(command, env=environment, stdout=log, stderr=log)
    here = Server(f"http://127.0.0.1:{port}", games)
    try:
        for _ in range(100):
            if process.poll() is not None:
                pytest.fail((folder / "log").read_text()[-2000:], pytrace=False)
            try:
                urllib.request.urlopen(here.url + "/healthz", timeout=1).close()
                break
            except OSError:
                time.sleep(0.1)
        yield here
    finally:
        process.terminate()
        process.wait(20)
        log.close()


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """Debian's Chromium."""
    need(Path(CHROMIUM).exists(), "chromium is not installed")
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def person(browser: Any, server: Server) -> Iterator[Callable[..., Person]]:
    """Let somebody open the app in a browser of their own. What the console complains of fails the test."""
    people: list[Person] = []

    def come(token: str | None = None, name: str = "", **options: Any) -> Person:
        settings = {"viewport": {"width": 1280, "height": 800}, "reduced_motion": "reduce", "locale": "en-GB"}
        context = browser.new_context(**{**settings, **options})
        context.set_default_timeout(15_000)
        if token:
            who = json.dumps(json.dumps({"token": token, "name": name}))
            context.add_init_script(f"localStorage.setItem('acedrex.identity', {who})")
        people.append(Person(context, server))
        return people[-1]

    yield come
    complaints = [complaint for one in people for complaint in one.complaints]
    for one in people:
        one.context.close()
    assert complaints == []
