"""Opens the board's demo in Chromium, with the library behind it: for tests and for measurements."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, Route, ViewportSize, sync_playwright

from acedrex import Board, Error, parse_square
from web.board.demo.scenes import position, reaches

BOARD = Path(__file__).parents[1]
ROOT = BOARD.parents[1]
DEMO = BOARD / "dist" / "demo"
#: What `npm ci` installs.
VITE = str(ROOT / "node_modules" / ".bin" / "vite")
ADDRESS = "http://board.test/"

#: The widths and heights that are looked at.
DESKTOP: ViewportSize = {"width": 1280, "height": 800}
PHONE: ViewportSize = {"width": 360, "height": 740}


def build() -> None:
    """Make the drawings, the scenes and the demo."""
    for command in (
        [sys.executable, "tools/make_pieces.py", "web/board/pieces.svg"],
        [sys.executable, "-m", "web.board.demo.scenes"],
        [VITE, "build", "--config", "web/board/vite.config.ts", "--logLevel", "warn"],
    ):
        subprocess.run(command, cwd=ROOT, check=True)


@contextmanager
def chromium() -> Iterator[Browser]:
    """Launch Chromium: its shell without windows, which needs half the processor, if that is installed."""
    program = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    # Pages that a test answers in the server's place count as foreign to this machine's network.
    args = ["--no-sandbox", "--disable-features=LocalNetworkAccessChecks"]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=args)
        yield browser
        browser.close()


def open_scene(page: Page, scene: str, **settings: object) -> None:
    """Open a scene of the demo, in which the library answers moves."""
    page.route(ADDRESS + "**", _file)
    for name, answer in (("rules", _rules), ("readMove", _read), ("reachOf", _reach), ("setupNumber", _number)):
        page.expose_function(name, answer)
    query = "".join(f"&{name}={value}" for name, value in settings.items())
    page.goto(f"{ADDRESS}index.html?scene={scene}{query}")
    page.wait_for_function("window.board !== undefined")


def _file(route: Route) -> None:
    path = DEMO / route.request.url.removeprefix(ADDRESS).partition("?")[0]
    if path.is_file():
        route.fulfill(path=path)
    else:
        route.fulfill(status=404)


def _rules(game: str, fen: str, moves: list[str]) -> dict[str, Any]:
    board = Board(game, fen)
    for move in moves:
        board.push_uci(move)
    return position(board)


def _read(game: str, fen: str, text: str) -> str | None:
    try:
        return Board(game, fen).parse_san(text).uci()
    except Error:
        return None


def _reach(game: str, fen: str, square: str) -> list[dict[str, Any]]:
    return reaches(Board(game, fen), parse_square(square))


def _number(game: str, name: str) -> int | None:
    try:
        return Board(game).game.setups.number(name)
    except Error:
        return None


def middle(page: Page, square: str) -> tuple[float, float]:
    """Return the centre of a square on the page."""
    box = page.locator(f'[data-square="{square}"]').bounding_box()
    assert box, square
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def heard(page: Page, what: str) -> list[Any]:
    """Return the calls of the board to its host."""
    return [value for name, value in page.evaluate("window.heard") if name == what]
