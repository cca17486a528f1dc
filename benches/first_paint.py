"""How soon a game page is painted: Chromium slowed four times, an empty cache, a server of this machine.

Run it as `python -m benches.first_paint`, after `make play` has built the app. First contentful paint is the frame of
the page; the board is there when its pieces have been drawn.
"""

from __future__ import annotations

import statistics
import tempfile
from pathlib import Path
from typing import Any

from tests.web.people import Server, serving
from web.board.demo.browser import chromium

ROUNDS = 7
SLOWDOWN = 4
#: Both times are counted from when the browser begins to open the page.
WATCH = """
new MutationObserver((_, self) => {
  if (document.querySelectorAll(".board-box .piece").length > 60) {
    self.disconnect();
    requestAnimationFrame(() => setTimeout(() => { window.boardAt = performance.now(); }));
  }
}).observe(document, { childList: true, subtree: true });
"""


def measure(browser: Any, server: Server, match: str) -> tuple[float, float]:
    context = browser.new_context(viewport={"width": 1280, "height": 800}, service_workers="block")
    context.add_init_script(WATCH)
    page = context.new_page()
    context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": SLOWDOWN})
    page.goto(f"{server.url}/match/{match}")
    while page.evaluate("window.boardAt ?? null") is None:
        page.wait_for_timeout(50)
    first = page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime")
    board = page.evaluate("window.boardAt")
    context.close()
    return first, board


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, serving(Path(folder)) as server, chromium() as browser:
        match = server.match(server.guest(), "maasai", {"kind": "engine", "level": 1})["match"]
        measure(browser, server, match)
        times = [measure(browser, server, match) for _ in range(ROUNDS)]
    for name, values in zip(("first contentful paint", "board drawn"), zip(*times, strict=True), strict=True):
        print(f"{name:24} median {statistics.median(values):5.0f} ms, worst {max(values):5.0f} ms of {ROUNDS}")


if __name__ == "__main__":
    main()
