"""Makes what this version of Acedrex leaves behind, which every later one must read: see tests/server/test_upgrade.py.

Run it once for each release, with a built checkout, and commit the folder: tools/make_upgrade_data.py NAME
"""

from __future__ import annotations

import gzip
import json
import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
from playwright.sync_api import Browser, Page, sync_playwright
from websockets.sync.client import ClientConnection, connect

ROOT = Path(__file__).parents[1]
DATA = ROOT / "tests" / "data" / "upgrade"
PORT = 8437
URL = f"http://127.0.0.1:{PORT}"
#: A game of the operator's, which extends a shipped one.
HOUSE = '[game]\nid = "house"\nname = "House"\nextends = "metamachy"\n[pieces.N]\nname = "Nightrider"\nmove = "NN"\n'
TIMES: tuple[dict[str, Any], ...] = (
    {"kind": "none"},
    {"kind": "fischer", "initial_ms": 600_000, "increment_ms": 5_000},
    {"kind": "byoyomi", "initial_ms": 60_000, "period_ms": 30_000, "periods": 3},
    {"kind": "correspondence", "days_per_turn": 3, "reserve_days": 4},
)
#: Moves of a match; the last match of each kind of end has fewer.
MOVES = 8
RECORD = "1. e4 {A comment.} e5 (1... c5 $1 2. Nf3 {Sicilian.}) 2. Nf3 Nc6 $5 1-0\n"


def main(name: str) -> None:
    """Make the data of a release."""
    folder = DATA / name
    folder.mkdir(parents=True)
    with tempfile.TemporaryDirectory() as work:
        data = Data(folder, Path(work))
        with data.serving():
            data.play_matches()
            data.use_browser()
            data.back_up()
        data.keep_database()
    make_job(folder / "job")
    networks = sorted(ROOT.glob("crates/engine/n*/*.net"), key=lambda path: path.stat().st_size)
    shutil.copy(networks[0], folder)
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    print(f"{folder.relative_to(ROOT)}: {size / 1024:.0f} KiB")


class Data:
    """What a server and a browser leave behind."""

    def __init__(self, folder: Path, work: Path) -> None:
        """Prepare a server in an empty folder."""
        self.folder, self.work = folder, work
        self.choose = random.Random(1)
        (work / "games").mkdir()
        (work / "games" / "house.toml").write_text(HOUSE)
        self.environment = {**os.environ, "ACEDREX_DATABASE_URL": f"sqlite:///{work / 'server.db'}"}

    @contextmanager
    def serving(self) -> Iterator[None]:
        """Run the server."""
        words = ["serve", "--port", str(PORT), "--games", str(self.work / "games")]
        process = subprocess.Popen([sys.executable, "-m", "acedrex", *words], env=self.environment)
        try:
            while True:
                with socket.socket() as probe:
                    if probe.connect_ex(("127.0.0.1", PORT)) == 0:
                        break
                time.sleep(0.1)
            yield
        finally:
            process.terminate()
            process.wait()

    def play_matches(self) -> None:
        """Play a match of every game, one of each opponent, and bring a record; write down how they stand."""
        self.ana, self.bo = (ask("/api/guests", {"name": name})["token"] for name in ("Ana", "Bo"))
        kept = []
        games = {game["id"]: game for game in ask("/api/games")}
        for at, game in enumerate(games.values()):
            match = self.new(game, {"kind": "self"}, TIMES[at % len(TIMES)])
            self.play(match, MOVES, resign=at % 3 == 0)
            kept.append(match)
        chess = games["chess"]
        engine = self.new(chess, {"kind": "engine", "level": 1}, TIMES[0])
        self.play(engine, 1)
        friend = self.new(chess, {"kind": "friend"}, TIMES[1], invite=True)
        with talking(friend, self.bo) as line:
            line.send(json.dumps({"type": "chat", "text": "Bonjour", "id": "x"}))
            next(heard for heard in messages(line) if heard["type"] == "chat")
        setup = self.new(games["maasai"], {"kind": "self"}, TIMES[0], setup="choose")
        kept += [engine, friend, setup]
        headers = {"Authorization": f"Bearer {self.ana}", "Content-Type": "application/x-chess-pgn"}
        httpx.post(f"{URL}/api/archive", content=RECORD, headers=headers).raise_for_status()
        time.sleep(3)  # The engine replies, and the archive takes the finished matches.
        states = [ask(f"/api/matches/{match}", token=self.ana) for match in kept]
        for state in states:
            state["position"] = state["position"]["fen"]
        write(self.folder / "matches.json", {"token": self.ana, "matches": states})
        records = [httpx.get(f"{URL}/api/matches/{match}/pgn").text for match in kept if match != setup]
        (self.folder / "games.pgn").write_text("\n\n".join(records), encoding="utf-8")

    def new(self, game: Any, opponent: Any, clock: Any, setup: str = "random", invite: bool = False) -> str:
        """Create a match, and return its id."""
        choice = setup if game["setups"] else None
        asked = {
            "game": {"game": game["id"], "options": {}},
            "opponent": opponent,
            "side": "white",
            "time": clock,
            "setup": choice,
        }
        made = ask("/api/matches", asked, self.ana)
        if invite:
            ask(f"/api/matches/{made['match']}/seat", {"invite": made["invite"]}, self.bo)
        return str(made["match"])

    def play(self, match: str, moves: int, *, resign: bool = False) -> None:
        """Make random moves in a match on one device."""
        with talking(match, self.ana) as line:
            for number in range(moves):
                state = ask(f"/api/matches/{match}", token=self.ana)
                legal = state["position"]["legal"]
                if not legal:
                    return
                move = self.choose.choice(legal)["move"]
                line.send(json.dumps({"type": "move", "move": move, "number": state["number"], "id": str(number)}))
                next(heard for heard in messages(line) if heard["type"] in ("update", "refused"))
                time.sleep(0.1)
            if resign:
                line.send(json.dumps({"type": "resign", "id": "r"}))
                next(heard for heard in messages(line) if heard["type"] == "update")

    def back_up(self) -> None:
        """Write a backup with the command for it."""
        command = [sys.executable, "-m", "acedrex", "backup", str(self.folder / "server.backup")]
        subprocess.run(command, env=self.environment, check=True)

    def keep_database(self) -> None:
        """Keep the database's file."""
        with gzip.open(self.folder / "server.db.gz", "wb") as file:
            file.write((self.work / "server.db").read_bytes())

    def use_browser(self) -> None:
        """Use the app, and keep what the browser has stored, and the links that were shared."""
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=shutil.which("chromium-headless-shell"))
            self._use(browser)
            browser.close()

    def _use(self, browser: Browser) -> None:
        context = browser.new_context(viewport={"width": 1280, "height": 800}, reduced_motion="reduce")
        identity = json.dumps(json.dumps({"token": self.ana, "name": "Ana"}))
        context.add_init_script(f"localStorage.setItem('acedrex.identity', {identity})")
        page = context.new_page()
        links = [analysed(page), shared_game(page)]
        play_here(page)
        write(self.folder / "browser.json", {"links": links, "storage": context.storage_state(indexed_db=True)})


def analysed(page: Page) -> str:
    """Analyse a game, which the browser stores, and return its link."""
    page.goto(f"{URL}/analysis")
    page.locator("#pgn").fill(RECORD)
    page.get_by_role("button", name="Import").click()
    page.locator(".tree").wait_for()
    page.get_by_role("tab", name="Share").click()
    return link_on(page)


def shared_game(page: Page) -> str:
    """Begin a game in the studio, which the browser stores, and return its link."""
    page.goto(f"{URL}/studio")
    page.get_by_role("button", name="Start with a small game").click()
    page.get_by_role("tab", name="Share").click()
    return link_on(page)


def link_on(page: Page) -> str:
    """Return the link that a page shows."""
    field = page.locator(".copy-link input").first
    while "#" not in field.input_value():
        page.wait_for_timeout(100)
    page.wait_for_timeout(2000)  # It is stored a moment later.
    return field.input_value().removeprefix(URL)


def play_here(page: Page) -> None:
    """Play a match on this device."""
    page.goto(f"{URL}/settings")
    page.wait_for_function("navigator.serviceWorker.controller !== null")
    page.get_by_role("button", name="Keep for offline play").click()
    page.get_by_text("Kept on this device").wait_for()
    page.context.set_offline(True)
    page.goto(f"{URL}/new?game=chess")
    page.get_by_text("Pass and play", exact=True).click()
    page.get_by_role("button", name="Start game").click()
    for square in ("e2", "e4"):
        page.locator(f'[data-square="{square}"]').click(force=True)
    page.locator(".moves button").first.wait_for(state="attached")
    page.context.set_offline(False)


def make_job(folder: Path) -> None:
    """Begin a job of the lab that is not finished."""
    words = ["lab", "selfplay", "chess", "--positions", "2000", "--nodes", "40", "--unit-games", "4", "--workers", "1"]
    job = subprocess.Popen([sys.executable, "-m", "acedrex", *words, "--out", str(folder)])
    while len(list(folder.rglob("*"))) < 6 and job.poll() is None:
        time.sleep(0.05)
    job.send_signal(signal.SIGINT)
    job.wait()


@contextmanager
def talking(match: str, token: str) -> Iterator[ClientConnection]:
    """Open the socket of a match as a person."""
    with connect(URL.replace("http", "ws") + f"/api/matches/{match}/socket") as line:
        line.send(json.dumps({"type": "hello", "token": token, "after": None}))
        next(heard for heard in messages(line) if heard["type"] == "snapshot")
        yield line


def messages(line: ClientConnection) -> Iterator[Any]:
    """Receive the messages of a socket."""
    while True:
        yield json.loads(line.recv(timeout=20))


def ask(path: str, body: Any = None, token: str | None = None) -> Any:
    """Call the API with GET, or with POST if there is a body, as slowly as it asks for."""
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    while True:
        answer = httpx.request("GET" if body is None else "POST", URL + path, json=body, headers=headers)
        if answer.status_code != 429:
            break
        time.sleep(1)
    answer.raise_for_status()
    return answer.json() if answer.content else None


def write(path: Path, value: Any) -> None:
    """Write JSON."""
    path.write_text(json.dumps(value, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1])
