"""Bots controlled by a test over the bot API, and their streams."""

from __future__ import annotations

import json
import queue
import socket
import threading
import time
from typing import Any

import httpx

from tests.conftest import TIMEOUT
from tests.server.conftest import Person, coming_from

SCOPES = ["bot:play", "challenge:read", "challenge:write"]


class Stream:
    """A stream of lines of JSON, read by a thread."""

    def __init__(self, bot: Bot, path: str) -> None:
        self.lines: queue.Queue[str | None] = queue.Queue()
        self.response = bot.server.opened.enter_context(bot.http.stream("GET", path))
        assert self.response.status_code == 200, self.response.read()
        assert self.response.headers["content-type"] == "application/x-ndjson"
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        try:
            for line in self.response.iter_lines():
                self.lines.put(line)
        except (httpx.HTTPError, httpx.StreamError):
            pass
        self.lines.put(None)

    def line(self, seconds: float = 10) -> str | None:
        return self.lines.get(timeout=seconds)

    def next(self, *types: str) -> dict[str, Any]:
        """Return the next message of one of these types."""
        while (line := self.line()) is not None:
            if line and (said := json.loads(line))["type"] in types:
                return dict(said)
        raise AssertionError(f"the stream has ended before {types}")

    def leave(self) -> None:
        """Disconnect, although a thread is waiting for the next line."""
        self.response.extensions["network_stream"].get_extra_info("socket").shutdown(socket.SHUT_RDWR)

    def ends(self, seconds: float = 10) -> bool:
        end = time.monotonic() + seconds
        while self.line(max(0.01, end - time.monotonic())) is not None:
            if time.monotonic() > end:
                return False
        return True


class Bot:
    """A program that plays with a token."""

    def __init__(self, person: Person, scopes: list[str] = SCOPES) -> None:
        self.server = person.server
        self.id = person.id
        made = person.http.post("/api/me/tokens", json={"name": "test", "scopes": scopes})
        assert made.status_code == 201, made.text
        self.token = made.json()
        transport = coming_from(person.address)
        headers = {"Authorization": f"Bearer {self.token['token']}"}
        client = httpx.Client(base_url=person.server.base, timeout=TIMEOUT, transport=transport, headers=headers)
        self.http = person.server.opened.enter_context(client)

    def post(self, path: str, code: str | None = None, **fields: Any) -> dict[str, Any]:
        """Post a form; given a code, it must be refused with that."""
        answer = self.http.post(path, data={key.replace("_", "."): value for key, value in fields.items()})
        told: dict[str, Any] = answer.json()
        assert (told.get("code") if answer.status_code >= 400 else None) == code, answer.text
        return told

    def stream(self, path: str = "/api/stream/event") -> Stream:
        return Stream(self, path)
