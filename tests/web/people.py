"""People who use the app in a browser, and those who only use the API."""

from __future__ import annotations

import json
import os
import re
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from websockets.sync.client import connect

from acedrex import Board, Engine, Limit, Move, load, square_name
from tests.conftest import TIMEOUT
from tests.forks import Fork
from tests.ports import free_port
from tests.server.stores import make_sqlite

ROOT = Path(__file__).parents[2]

#: Console messages about a lost network, which some tests cause; the last one if the service worker made the request.
EXPECTED = ("ERR_INTERNET_DISCONNECTED", "ERR_NETWORK_CHANGED", "net::ERR_FAILED")


@dataclass
class Server:
    """The server under test."""

    url: str
    games: Path

    def ask(self, path: str, body: Any = None, token: str | None = None) -> Any:
        """Call the API with GET, or with POST if there is a body; wait and try again if it is rate-limited."""
        headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, data, headers)
        waits = iter((1, 2, 4, 8))
        while True:
            try:
                with urllib.request.urlopen(request, timeout=TIMEOUT) as answer:
                    text = answer.read()
                return json.loads(text) if text else None
            except urllib.error.HTTPError as error:
                wait = next(waits, None)
                if error.code != 429 or wait is None:
                    raise
                time.sleep(wait)

    def guest(self, name: str = "Ann") -> str:
        """Create a guest and return the token."""
        return str(self.ask("/api/guests", {"name": name})["token"])

    def match(self, token: str, game: str, opponent: dict[str, Any], **changes: Any) -> dict[str, Any]:
        """Start a match."""
        wanted = {
            "game": {"game": game, "options": {}},
            "opponent": opponent,
            "side": "white",
            "time": {"kind": "none"},
            "setup": "random" if self.ask(f"/api/games/{game}")["setup"] else None,
        }
        made = self.ask("/api/matches", {**wanted, **changes}, token)
        assert isinstance(made, dict)
        return made

    def bring(self, token: str, records: str) -> Any:
        """Import a PGN file."""
        headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/x-chess-pgn"}
        request = urllib.request.Request(self.url + "/api/archive", records.encode(), headers)
        with urllib.request.urlopen(request, timeout=TIMEOUT) as answer:
            return json.load(answer)

    def play_until(self, match: str, token: str, thinker: Engine, is_late: Callable[[Board, Any], bool]) -> None:
        """Make the moves of the player with the token, with an engine, until the game is long enough."""
        url = self.url.replace("http", "ws") + f"/api/matches/{match}/socket"
        with connect(url) as line:
            line.send(json.dumps({"type": "hello", "token": token, "after": None}))
            state: dict[str, Any] = {}
            sent = 0
            while True:
                heard = json.loads(line.recv(timeout=TIMEOUT))
                assert heard["type"] != "refused", heard
                if heard["type"] not in ("snapshot", "update"):
                    continue
                state.update({key: value for key, value in heard.items() if value is not None})
                assert state["phase"] != "over", "the game was over before the browser came"
                if state["phase"] != "play" or "move" not in state["may"]:
                    continue
                board = Board(state_game(self, match), state["position"]["fen"])
                result = thinker.play(board, Limit(nodes=12_000))
                if not board.turn_moves and is_late(board, result):
                    return
                # The server accepts ten messages per second from one person.
                time.sleep(0.1)
                sent += 1
                move = {"type": "move", "move": result.moves[0].uci(), "number": state["number"], "id": str(sent)}
                line.send(json.dumps(move))


def state_game(server: Server, match: str) -> str:
    """Return the game of a match."""
    return str(server.ask(f"/api/matches/{match}")["game"]["game"])


@contextmanager
def serving(folder: Path, *words: str) -> Iterator[Server]:
    """Run a server on the database of a folder, or a new one, with more words on its command line."""
    games = folder / "games"
    games.mkdir()
    port = free_port()
    if not (folder / "test.db").exists():
        make_sqlite(folder / "test.db")
    environment = {**os.environ, "ACEDREX_DATABASE_URL": f"sqlite:///{folder / 'test.db'}"}
    here = Server(f"http://127.0.0.1:{port}", games)
    log = folder / "log"
    log.touch()
    process = Fork(["serve", "--port", str(port), "--games", str(games), *words], environment, log)
    try:
        for _ in range(10 * TIMEOUT):
            assert process.poll() is None, log.read_text()[-2000:]
            try:
                urllib.request.urlopen(here.url + "/healthz", timeout=1).close()
                break
            except OSError:
                time.sleep(0.1)
        yield here
    finally:
        process.terminate()
        process.wait(TIMEOUT)


class Person:
    """A person at a browser."""

    def __init__(self, context: Any, server: Server, token: str | None = None) -> None:
        """Open a browser, with the identity of the token."""
        context.set_default_timeout(TIMEOUT * 1000)
        if token:
            who = json.dumps(json.dumps({"token": token, "name": ""}))
            context.add_init_script(f"localStorage.setItem('acedrex.identity', {who})")
        self.context = context
        self.server = server
        self.page = context.new_page()
        self.complaints: list[str] = []
        #: What the console may say.
        self.expected = [*EXPECTED]
        self.page.on("console", self._hear)
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))

    def _hear(self, message: Any) -> None:
        # An address that no page has is answered with 404, and with the page that says so.
        is_no_page = "404" in message.text and message.location["url"].endswith("/nothing")
        if message.type == "error" and not is_no_page and not any(text in message.text for text in self.expected):
            self.complaints.append(message.text)

    def go(self, path: str) -> Any:
        """Open a page and wait for its heading."""
        self.page.goto(self.server.url + path)
        self.page.locator("h1").first.wait_for(state="attached")
        return self.page

    def asked(self) -> list[str]:
        """Return a list that will collect what the page requests from the server: API paths and sockets."""
        paths: list[str] = []

        def hear(address: str) -> None:
            if "/api/" in address:
                paths.append(re.sub(r".*/api", "", address))

        self.page.on("request", lambda request: hear(request.url))
        self.page.on("websocket", lambda socket: hear(socket.url))
        return paths

    @property
    def token(self) -> str:
        """The token that this browser stores."""
        return str(json.loads(self.page.evaluate("localStorage.getItem('acedrex.identity')"))["token"])

    @property
    def match(self) -> str:
        """The match on the page."""
        return str(self.page.url.split("/match/")[1].split("#")[0])

    def state(self) -> Any:
        """The match on the page, as the server sends it to this person."""
        return self.server.ask(f"/api/matches/{self.match}", token=self.token)

    def tap(self, square: str) -> None:
        """Tap a square."""
        box = self.page.locator(f'[data-square="{square}"]').bounding_box()
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        if self.context.pages and self.page.evaluate("navigator.maxTouchPoints") > 0:
            self.page.touchscreen.tap(x, y)
        else:
            self.page.mouse.click(x, y)

    def pick_up(self, square: str) -> None:
        """Tap a piece until it is in hand: the list of moves may be drawn a moment before the board."""
        for _ in range(10):
            self.tap(square)
            for _ in range(10):
                if self.page.locator(f'[data-square="{square}"]').get_attribute("aria-selected") == "true":
                    return
                self.page.wait_for_timeout(50)
        raise AssertionError(f"{square} was never in hand")

    def type_move(self, text: str) -> None:
        """Type a move and press Enter, once there is a board that listens."""
        self.page.locator(".acedrex-board .piece").first.wait_for(state="attached")
        self.page.keyboard.type(text)
        self.page.keyboard.press("Enter")

    def play(self, move: Move) -> None:
        """Make a move on the board with two taps, and confirm it if necessary."""
        if move.special is not None:
            self.page.locator('[data-press="end"]').click()
            return
        state = self.state()
        self.pick_up(square_name(move.from_square))
        self.tap(square_name(move.to_square))
        if move.promotion:
            kind = load(state["game"]["game"]).piece(move.promotion.upper()).name
            self.page.locator(".picker").get_by_role("button", name=kind, exact=True).click()
        made = next(legal for legal in state["position"]["legal"] if legal["move"] == move.uci())
        if made["ends_turn"] and state["position"]["in_command"] is not None:
            self.page.locator('[data-press="confirm"]').click()

    def says(self, text: str) -> Any:
        """Wait for a visible text."""
        found = self.page.get_by_text(text).locator("visible=true").first
        found.wait_for()
        return found

    def finish(self, thinker: Engine) -> str:
        """Play to the end and return the reason that the page shows."""
        state = self.state()
        while state["phase"] != "over":
            if "move" in state["may"]:
                number = state["number"]
                board = Board(state["game"]["game"], state["position"]["fen"])
                for move in thinker.play(board, Limit(nodes=12_000)).moves:
                    self.play(move)
                    state = self.past(number)
                    number = state["number"]
                    if state["phase"] == "over":
                        break
            else:
                self.page.wait_for_timeout(100)
                state = self.state()
        ending = self.page.locator(".news.ending")
        ending.wait_for()
        return str(ending.inner_text())

    def until(self, truth: str | Callable[[], bool]) -> None:
        """
        Wait until a condition holds: in JavaScript, on the page, whose security policy forbids Playwright's own method,
        or in Python.
        """
        for _ in range(10 * TIMEOUT):
            if truth() if callable(truth) else self.page.evaluate(truth):
                return
            self.page.wait_for_timeout(100)
        raise AssertionError(f"never true: {truth}")

    def kept(self, store: Literal["analyses", "matches"], truth: str) -> None:
        """Wait until the browser has stored what is on the page, and a condition on it, as `saved`, is true."""
        database = {"analyses": "acedrex", "matches": "acedrex.matches"}[store]
        self.until(
            f"""new Promise((done, failed) => {{
              const opened = indexedDB.open("{database}");
              // The page has not made it yet.
              opened.onupgradeneeded = () => opened.transaction.abort();
              opened.onerror = () => done(false);
              opened.onsuccess = async () => {{
                const all = opened.result;
                try {{
                  const id = location.pathname.split("/").at(-1);
                  const read = all.transaction("{store}").objectStore("{store}").get(id);
                  await new Promise((success, error) => Object.assign(read, {{ onsuccess: success, onerror: error }}));
                  const saved = read.result;
                  done(Boolean(saved && {truth}));
                }} catch (error) {{
                  failed(error);
                }} finally {{
                  all.close();
                }}
              }};
            }})"""
        )

    def past(self, number: int) -> Any:
        """Wait until the match has passed an event."""
        for _ in range(10 * TIMEOUT):
            state = self.state()
            if state["number"] > number:
                # The page has to show the server's state too.
                self.until(f"document.querySelectorAll('.moves button').length >= {len(state['moves'])}")
                return state
            self.page.wait_for_timeout(100)
        raise AssertionError(f"nothing came after event {number}: {state['may']}")
