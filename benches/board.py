"""How long the web's board takes: scripting, style and layout in headless Chromium, for a move and a pointer's move.

Maasai's 96 pieces are on the board at first. Needs Node and what `npm ci` installs, Playwright and Chromium.

    python -m benches.board
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from statistics import median, quantiles

from playwright.sync_api import Page

from acedrex import Board
from web.board.demo.browser import DESKTOP, build, chromium, middle, open_scene
from web.board.demo.scenes import position

MOVES = 150
MOVES = 300

#: What is counted of Chromium's metrics, in seconds.
COUNTED = ("ScriptDuration", "LayoutDuration", "RecalcStyleDuration")
FRAME = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"


def meter(page: Page) -> Callable[[Callable[[], object]], float]:
    """Return a function that measures the milliseconds Chromium spends on something."""
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable")

    def spent() -> float:
        metrics = session.send("Performance.getMetrics")["metrics"]
        return sum(float(metric["value"]) for metric in metrics if metric["name"] in COUNTED) * 1000

    def measured(act: Callable[[], object]) -> float:
        page.evaluate(FRAME)
        begun = spent()
        act()
        page.evaluate(FRAME)
        return spent() - begun

    return measured


def show(name: str, times: list[float], idle: float) -> None:
    times = [max(time - idle, 0) for time in times]
    p95 = quantiles(times, n=20)[-1]
    print(f"{name:<34}{median(times):>8.2f}{p95:>8.2f}{max(times):>8.2f}")


def main() -> None:
    build()
    board = Board("maasai")
    positions = [position(board)]
    for number in range(MOVES):
        board.push(board.legal_moves[number * 7919 % len(board.legal_moves)])
        positions.append(position(board))
    with chromium() as browser:
        page = browser.new_page(viewport=DESKTOP)
        open_scene(page, "setup")
        page.evaluate("positions => { window.positions = positions; delete window.rules; }", positions)
        page.evaluate("() => board.set({ setup: null, position: positions[0], orientation: 'white', seat: 'both' })")
        assert page.locator(".piece").count() == 96
        measured = meter(page)
        idle = median(measured(partial(page.evaluate, "0")) for _ in range(30))
        print(f"{'milliseconds':<34}{'median':>8}{'p95':>8}{'most':>8}")
        set_to = "at => board.set({ position: positions[at] })"
        show("a move comes in", [measured(partial(page.evaluate, set_to, at)) for at in range(MOVES)], idle)

        taps = []
        for at in range(MOVES):
            page.evaluate(set_to, at)
            move = next((move for move in positions[at]["legal"] if move["from"] and not move["promotion"]), None)
            if move is None:
                continue
            first, second = middle(page, move["from"]), middle(page, move["to"])
            taps.append(measured(partial(page.mouse.click, *first)))
            taps.append(measured(partial(page.mouse.click, *second)))
        show("a tap that takes up or makes a move", taps, idle)

        page.evaluate(set_to, 0)
        (x, y), (to_x, to_y) = middle(page, "e4"), middle(page, "e6")
        page.mouse.move(x, y)
        page.mouse.down()
        moves = []
        for step in range(MOVES):
            part = (step % 50) / 50
            place = (x + (to_x - x) * part, y + (to_y - y) * part + 5)
            moves.append(measured(partial(page.mouse.move, *place)))
        page.mouse.up()
        show("a pointer's move with a piece", moves, idle)


if __name__ == "__main__":
    main()
