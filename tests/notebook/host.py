"""Stand-ins for a notebook: channels that record what widgets send, and a page that shows one widget in Chromium."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from comm.base_comm import BaseComm
from playwright.sync_api import Error as PageError
from playwright.sync_api import Page, Route

from acedrex.widget import Board
from acedrex.widget.board import STATIC

ADDRESS = "http://notebook.test/"

#: A model like the one that anywidget passes to a view, with what is used of it, and one view of it.
PAGE = """<!doctype html>
<html><head><link rel="stylesheet" href="board.css"></head>
<body data-jp-theme-light="true"><div id="cell"></div>
<style>
  body { margin: 0; padding: 12px; background: #fff }
  body[data-jp-theme-light="false"] { background: #111 }
</style>
<script type="module">
import widget from "./board.js";
const state = await (await fetch("state.json")).json();
const heard = {};
window.model = {
  get: (key) => state[key],
  on: (event, call) => (heard[event] ??= new Set()).add(call),
  off: (event, call) => heard[event]?.delete(call),
  send: (content) => window.say(JSON.stringify(content)),
};
const tell = (event, ...values) => [...(heard[event] ?? [])].forEach((call) => call(...values));
window.hear = (data) => {
  if (data.method === "update") {
    const changed = Object.keys(data.state);
    Object.assign(state, data.state);
    for (const key of changed) tell(`change:${key}`);
  } else if (data.method === "custom") tell("msg:custom", data.content);
};
window.listeners = () => Object.values(heard).reduce((sum, calls) => sum + calls.size, 0);
window.leave = widget.render({ model: window.model, el: document.getElementById("cell") });
</script></body></html>
"""


class Wire(BaseComm):
    """The channel between a widget and its page, which records what is sent."""

    def __init__(self, *args: Any, **more: Any) -> None:
        self.sent: list[dict[str, Any]] = []
        super().__init__(*args, **more)

    def publish_msg(self, msg_type: str, data: Any = None, *_: Any, **__: Any) -> None:
        # Through text and back, as in a real notebook: only JSON gets through.
        self.sent.append(json.loads(json.dumps(data)))


def wire(widget: Board) -> Wire:
    comm = widget.comm
    assert isinstance(comm, Wire)
    return comm


def say(widget: Board, data: object) -> None:
    """Send any content to a widget, even what no page would send."""
    wire(widget).handle_msg({"content": {"data": data}, "buffers": []})


def tell(widget: Board, **content: object) -> None:
    """Send a message of the page to a widget."""
    say(widget, {"method": "custom", "content": content})


def custom(widget: Board) -> list[dict[str, Any]]:
    """Return the messages that a widget has sent, without its state."""
    return [data["content"] for data in wire(widget).sent if data.get("method") == "custom"]


def state(widget: Board) -> dict[str, Any]:
    """Return the state of a page that has received everything that was sent."""
    known: dict[str, Any] = {}
    for data in wire(widget).sent:
        if "state" in data:
            known |= data["state"]
    return known


def shown(board: Board) -> dict[str, Any]:
    """Return what the page shows besides the position."""
    found: dict[str, Any] = state(board)["_shown"]
    return found


def refusals(board: Board) -> list[str]:
    """Return the reasons why messages of the page were refused."""
    return [message["text"] for message in custom(board) if message["type"] == "refused"]


def make(board: Board, text: str, at: int | None = None) -> None:
    """Make a move as the page does."""
    tell(board, type="move", text=text, at=board.board.ply() if at is None else at)


class Host:
    """A page that shows a widget. Messages between both are passed on by :meth:`until`, in the test's thread."""

    def __init__(self, page: Page, widget: Board) -> None:
        self.page, self.widget = page, widget
        self.sent_by_page: list[str] = []
        page.route(ADDRESS + "**", self._serve)
        page.expose_function("say", lambda text: self.sent_by_page.append(text))
        page.goto(ADDRESS)
        page.wait_for_selector(".acedrex-board .cell")

    def _serve(self, route: Route) -> None:
        name = route.request.url.removeprefix(ADDRESS)
        if name == "":
            route.fulfill(body=PAGE, content_type="text/html")
        elif name == "state.json":
            self._carried = len(wire(self.widget).sent)
            route.fulfill(json=state(self.widget))
        elif name in ("board.js", "board.css"):
            route.fulfill(path=STATIC / name)
        else:
            # Nothing else is fetched: that would be an error of the page.
            route.abort()

    def carry(self) -> None:
        """Pass on the messages sent so far."""
        while self.sent_by_page:
            tell(self.widget, **json.loads(self.sent_by_page.pop(0)))
        sent = wire(self.widget).sent
        while self._carried < len(sent):
            self.page.evaluate("data => hear(data)", sent[self._carried])
            self._carried += 1

    def until(self, is_so: Callable[[], Any], seconds: float = 10) -> None:
        """Pass on messages until a condition holds."""
        end = time.monotonic() + seconds
        while True:
            self.carry()
            with suppress(PageError):
                if is_so():
                    return
            assert time.monotonic() < end, "waited in vain"
            self.page.wait_for_timeout(10)

    def label(self, square: str) -> str:
        return self.page.locator(f'[data-square="{square}"]').get_attribute("aria-label") or ""

    def text(self) -> str:
        return self.page.locator(".acedrex-notebook").inner_text()
