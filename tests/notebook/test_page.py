"""The widget on a page in Chromium, with the real module and styles, but without a real notebook."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from acedrex import BLACK, WHITE, Limit
from acedrex.widget import Board
from tests.notebook.host import Host, custom, state
from tests.web.test_turns import RECORD
from web.board.demo.browser import middle

Make = Callable[..., Board]
Show = Callable[..., Host]


@pytest.fixture
def show(browser: Browser) -> Iterator[Show]:
    """Return a function that shows a widget on its own page. Errors of the page fail the test."""
    pages: list[Page] = []
    errors: list[str] = []

    def show(widget: Board, **options: Any) -> Host:
        page = browser.new_page(**{"viewport": {"width": 800, "height": 1000}, **options})
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
        pages.append(page)
        return Host(page, widget)

    yield show
    for page in pages:
        page.close()
    assert errors == []


def click(host: Host, *squares: str) -> None:
    for square in squares:
        host.page.mouse.click(*middle(host.page, square))


def moves(widget: Board) -> list[str]:
    return [move.uci() for move in widget.board.move_stack]


def test_a_move_can_be_made_by_tapping(board: Make, show: Show) -> None:
    host = show(board("metamachy"), has_touch=True)
    for square in ("c2", "d4"):
        host.page.touchscreen.tap(*middle(host.page, square))
    host.until(lambda: moves(host.widget) == ["c2d4"])
    host.until(lambda: "Black to move." in host.text())
    assert host.label("d4") == "d4, white Knight"


def test_moves_can_be_made_by_dragging_by_keys_and_by_typing(board: Make, show: Show) -> None:
    host = show(board("chess"))
    mouse, keys = host.page.mouse, host.page.keyboard
    mouse.move(*middle(host.page, "e2"))
    mouse.down()
    mouse.move(*middle(host.page, "e4"), steps=5)
    mouse.up()
    host.until(lambda: moves(host.widget) == ["e2e4"])
    host.until(lambda: host.label("e4") == "e4, white Pawn")
    host.page.locator('[data-square="e7"]').focus()
    for key in ("Enter", "ArrowDown", "ArrowDown", "Enter"):
        keys.press(key)
    host.until(lambda: moves(host.widget) == ["e2e4", "e7e5"])
    host.until(lambda: "White to move." in host.text())
    keys.type("Nf3")
    keys.press("Enter")
    host.until(lambda: moves(host.widget)[2:] == ["g1f3"])


def test_a_mistyped_move_is_explained(board: Make, show: Show) -> None:
    host = show(board("chess"))
    host.page.locator('[data-square="e2"]').focus()
    host.page.keyboard.type("e9e5")
    host.page.keyboard.press("Enter")
    host.until(lambda: custom(host.widget))
    host.until(lambda: custom(host.widget)[0]["why"] in host.text())


def test_a_piece_without_moves_is_explained(board: Make, show: Show) -> None:
    host = show(board("chieftain"))
    click(host, "b5")
    host.until(lambda: "Out of command: there is no Chieftain within 3 squares" in host.text())


def test_the_piece_of_a_promotion_can_be_chosen(board: Make, show: Show) -> None:
    host = show(board("chess", fen="8/P6k/8/8/8/8/8/K7 w - - 0 1"))
    click(host, "a7", "a8")
    host.page.get_by_role("button", name="Knight").click()
    host.until(lambda: moves(host.widget) == ["a7a8n"])
    host.until(lambda: host.label("a8") == "a8, white Knight")


def test_a_turn_of_several_moves_can_be_made_undone_and_confirmed(board: Make, show: Show) -> None:
    host = show(board("chieftain"))
    click(host, "c1", "d3")
    host.until(lambda: "Moves left: 3" in host.text())
    click(host, "n1", "m3")
    host.until(lambda: "Moves left: 2" in host.text())
    host.page.get_by_role("button", name="Undo").click()
    host.until(lambda: "Moves left: 3" in host.text())
    host.widget.push("Cnm3", "Sg4")
    host.until(lambda: "Moves left: 1" in host.text())
    click(host, "m1", "j4")
    host.page.get_by_role("button", name="Confirm").click()
    host.until(lambda: host.widget.board.turn is BLACK and "Black to move." in host.text())
    host.page.get_by_role("button", name="Take back").click()
    host.until(lambda: host.widget.board.ply() == 3 and "Moves left: 1" in host.text())
    host.page.get_by_role("button", name="End turn").click()
    host.until(lambda: moves(host.widget)[3:] == ["end"])


def test_a_setup_can_be_arranged_on_the_page(board: Make, show: Show) -> None:
    host = show(board("maasai", setup="choose"))
    play = host.page.get_by_role("button", name="Use this setup")
    assert play.is_disabled() and "One of 288 setups" in host.text()
    host.page.get_by_role("button", name="Shuffle").click()
    host.until(play.is_enabled)

    def number() -> int | None:
        found = re.search(r"Setup (\d+) of 288", host.text())
        return found and int(found[1])

    first = number()
    assert first is not None
    # The two pieces swap places.
    click(host, "e12", "f12")
    host.until(lambda: number() not in (None, first) and play.is_enabled())
    second = number()
    play.click()
    host.until(lambda: "White to move." in host.text())
    name = host.widget.board.setup_name()
    assert name is not None and host.widget.game.setups.number(name) == second
    click(host, "e4", "e6")
    host.until(lambda: moves(host.widget) == ["e4e6"])


def test_the_page_shows_how_a_piece_moves(board: Make, show: Show) -> None:
    host = show(board("maasai"))
    host.page.locator('[data-square="f10"]').focus()
    host.page.keyboard.press("?")
    machine = host.widget.game.piece("W")
    host.until(lambda: machine.help in host.text())
    host.until(lambda: host.page.locator(".over .dot").count() == 1)


def test_changes_from_python_appear_on_the_page(board: Make, show: Show) -> None:
    host = show(board("chess"))
    host.widget.push("e4", "e5")
    host.until(lambda: host.label("e5") == "e5, black Pawn")
    host.widget.pop()
    host.until(lambda: host.label("e5") == "e5, empty")
    host.widget.arrows = ["g1f3", ("b1", "c3", "gold")]
    host.until(lambda: host.page.locator(".arrow").count() == 2)
    before = middle(host.page, "a1")
    host.page.get_by_role("button", name="Flip").click()
    host.until(lambda: host.widget.flipped and middle(host.page, "a1") != before)
    host.widget.reset("magi")
    host.until(lambda: host.page.locator(".cell").count() == 100)


def test_an_opponent_answers_on_the_page(board: Make, show: Show) -> None:
    host = show(board("magi", opponent=1))
    first = host.widget.board.legal_moves[0].uci()
    click(host, first[:2], first[2:])
    host.until(lambda: host.widget.board.ply() == 2)
    host.until(lambda: "White to move: your turn." in host.text())


def test_an_opponents_turn_is_played_back(board: Make, show: Show) -> None:
    host = show(board("chieftain", opponent=1))
    host.page.evaluate(RECORD)
    count = 0
    while count < 2:
        # The opponent may have answered before `push` returns.
        before = host.widget.board.ply()
        host.widget.push(next(move for move in host.widget.board.legal_moves if move.special is None), "end")
        host.until(lambda: host.widget.board.turn is WHITE)
        count = sum(move != "end" for move in moves(host.widget)[before + 2 :])
    host.until(lambda: host.page.evaluate("window.seen.at(-1)") == f"Show the turn again{count}")
    steps = [f"Skip replay{at}" for at in range(1, count)]
    assert [step for step in host.page.evaluate("window.seen") if step.startswith("Skip")][-len(steps) :] == steps


def test_engine_lines_are_shown_on_the_page(board: Make, show: Show) -> None:
    host = show(board("chess"))
    host.widget.analyse(limit=Limit(depth=4), multipv=2)
    host.until(lambda: "Depth 4, " in host.text() and "; done" in host.text())
    assert [item.split()[0] for item in host.page.locator("li").all_inner_texts()] == [
        line["score"] for line in state(host.widget)["_lines"]["lines"]
    ]
    assert host.page.locator(".arrow").count() == 2 and host.page.locator(".arrow.faint").count() == 1
    # Moves have figurines where the board has drawings, as in the web app.
    lines, (first, *_) = host.page.locator(".engine ol"), state(host.widget)["_lines"]["lines"]
    assert lines.locator(".figurine").count() > 0
    assert lines.locator("li > span").first.text_content() == first["san"]
    host.widget.pieces = "letters"
    host.until(lambda: lines.locator(".figurine").count() == 0)
    assert lines.locator("li > span").first.text_content() == first["san"]
    host.widget.stop()
    host.until(lambda: "Depth" not in host.text() and host.page.locator(".arrow").count() == 0)


def test_the_widget_follows_the_theme_and_width_of_the_notebook(board: Make, show: Show) -> None:
    host = show(board("maasai"))
    page, root = host.page, host.page.locator(".acedrex-notebook")
    assert root.get_attribute("data-theme") == "light"
    # Jupyter's declaration counts more than the background, as styles may still be loading.
    page.evaluate("document.body.style.background = '#fff'; document.body.dataset.jpThemeLight = 'false'")
    host.until(lambda: root.get_attribute("data-theme") == "dark")
    for background, theme in (("#fafafa", "light"), ("#222", "dark"), ("#fafafa", "light")):
        page.evaluate("delete document.body.dataset.jpThemeLight")
        page.evaluate("background => { document.body.style.background = background }", background)
        host.until(lambda theme=theme: root.get_attribute("data-theme") == theme)
    # The page around it keeps its own colours.
    assert page.evaluate("getComputedStyle(document.documentElement).getPropertyValue('--page')") == ""

    def width() -> float:
        box = page.locator(".acedrex-board .viewport").bounding_box()
        assert box
        return box["width"]

    assert 560 < width() <= 640
    page.set_viewport_size({"width": 360, "height": 740})
    host.until(lambda: width() <= 336)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    page.set_viewport_size({"width": 1200, "height": 1000})
    host.widget.size = 1000
    host.until(lambda: width() > 900)


def test_keys_on_the_board_do_not_trigger_notebook_commands(board: Make, show: Show) -> None:
    host = show(board("chess"))
    host.page.evaluate("window.heard = []; document.addEventListener('keydown', (event) => heard.push(event.key))")
    host.page.locator('[data-square="e2"]').focus()
    host.page.keyboard.press("d")
    assert host.page.evaluate("window.heard") == []
    # JupyterLab listens first, and looks for these attributes.
    assert host.page.locator("[data-lm-suppress-shortcuts] .cell").count() == 64


def test_a_closed_view_leaves_no_elements_or_listeners(board: Make, show: Show) -> None:
    host = show(board("chess"))
    assert host.page.evaluate("listeners()") == 4
    host.page.evaluate("window.root = document.querySelector('.acedrex-notebook'); leave()")
    host.page.evaluate("document.body.dataset.jpThemeLight = 'false'")
    assert host.page.evaluate("root.dataset.theme") == "light"
    assert host.page.evaluate("listeners()") == 0 and host.page.locator("#cell *").count() == 0


def test_a_move_that_is_refused_is_taken_back(board: Make, show: Show) -> None:
    host = show(board("chess"))
    # The page is out of date: it believes that a move has been made already.
    host.page.evaluate("model.get('_position').ply = 1")
    click(host, "e2", "e4")
    host.until(lambda: "the board has changed" in host.text())
    assert host.label("e2") == "e2, white Pawn" and host.label("e4") == "e4, empty"
    assert host.widget.board.ply() == 0
