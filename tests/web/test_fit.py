"""The layout of pages: elements are in their places, and nothing is cut off."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.web.people import Person, Server

SIDEWAYS = {"viewport": {"width": 740, "height": 360}, "has_touch": True, "is_mobile": True}
PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}


def box(page: Any, selector: str) -> dict[str, float]:
    """Return the box of an element."""
    place = page.locator(selector).first
    place.wait_for()
    found = place.bounding_box()
    assert found is not None
    return {**found, "bottom": found["y"] + found["height"], "right": found["x"] + found["width"]}


@pytest.mark.parametrize("game", ["maasai", "chieftain"])
def test_a_phone_in_landscape_shows_the_whole_board_and_the_menu(
    person: Callable[..., Person], server: Server, game: str
) -> None:
    token = server.guest()
    me = person(token, **SIDEWAYS)
    page = me.go(f"/match/{server.match(token, game, {'kind': 'self'})['match']}")
    me.says("White to move")

    def fits() -> bool:
        board, menu = box(page, ".viewport"), box(page, ".menu-button")
        return (
            board["y"] >= 0
            and board["bottom"] <= 360
            and page.evaluate("document.documentElement.scrollHeight") <= 360
            and board["right"] <= menu["x"]
            and menu["right"] <= 740
        )

    me.until(fits)
    page.locator(".menu-button").tap()
    page.get_by_role("link", name="Your matches").tap()
    page.get_by_role("heading", name="Your matches").wait_for()
    # On other pages the menu is in its usual place.
    me.until(lambda: box(page, ".header")["width"] == 740)


def test_the_evaluation_bar_is_beside_the_board(person: Callable[..., Person]) -> None:
    me = person()
    page = me.go("/analysis")
    page.get_by_role("button", name="Analyse", exact=True).click()
    page.locator(".engine-head").wait_for()
    me.until("document.querySelector('.viewport')?.getBoundingClientRect().height > 100")

    def beside() -> bool:
        bar, board = box(page, ".evaluation"), box(page, ".viewport")
        same_height = abs(bar["y"] - board["y"]) <= 1 and abs(bar["bottom"] - board["bottom"]) <= 1
        return same_height and bar["x"] >= 0 and 20 <= board["x"] - bar["right"] <= 40

    for width, height in ((1280, 800), (1000, 700), (1280, 800)):
        page.set_viewport_size({"width": width, "height": height})
        me.until(f"innerWidth === {width}")
        me.until(beside)


def test_captured_pieces_are_shown_above_the_captors_name(person: Callable[..., Person], server: Server) -> None:
    token = server.guest()
    me = person(token)
    page = me.go(f"/match/{server.match(token, 'chess', {'kind': 'self'})['match']}")
    for move in ("e4", "d5", "exd5"):
        me.says("to move")
        me.type_move(move)
        page.get_by_role("button", name=re.compile(f", {move}$")).wait_for(state="attached")

    def below() -> bool:
        taken, name = box(page, ".player.below .taken"), box(page, ".player.below .disc")
        return abs(taken["x"] - name["x"]) <= 1 and 0 <= name["y"] - taken["bottom"] <= 24

    me.until(below)
    seen = page.evaluate("getComputedStyle(document.querySelector('.taken')).backgroundColor")
    assert seen == "rgb(176, 138, 93)", "the colour of a dark square"


def test_the_setup_fits_on_a_phone(person: Callable[..., Person], server: Server) -> None:
    token = server.guest()
    made = server.match(token, "zanzibar-s", {"kind": "engine", "level": 1}, side="black", setup="choose")
    me = person(token, **PHONE)
    page = me.go(f"/match/{made['match']}")
    me.until(lambda: box(page, '[data-press="playSetup"]')["bottom"] <= box(page, ".match-bar")["y"])


def test_a_dialog_has_padding(person: Callable[..., Person], server: Server) -> None:
    token = server.guest()
    me = person(token)
    page = me.go(f"/match/{server.match(token, 'chess', {'kind': 'self'})['match']}")
    page.get_by_role("button", name="Abort").click()

    def roomy() -> bool:
        question, title = box(page, "dialog"), box(page, "dialog h2")
        return title["x"] - question["x"] >= 24 and title["y"] - question["y"] >= 24

    me.until(roomy)


def test_the_board_fills_the_height_and_keeps_its_size(person: Callable[..., Person], server: Server) -> None:
    token = server.guest()
    made = server.match(token, "metamachy", {"kind": "engine", "level": 1}, side="black", setup="choose")
    me = person(token, viewport={"width": 1440, "height": 900})
    page = me.go(f"/match/{made['match']}")
    page.locator('[data-press="shuffle"]').click()
    play = page.locator('[data-press="playSetup"]:enabled')
    play.wait_for()
    me.until(lambda: box(page, ".viewport")["height"] >= 770)
    during = box(page, ".viewport")
    play.click()
    me.says("Your turn")
    page.locator('.tools [data-press="inspect"]').click()
    me.tap("a12")
    me.says("Cannon")
    me.until(lambda: box(page, ".viewport") == during)

    # The logo, the board and the last link share the edges of the page.
    def aligned() -> bool:
        brand, rulers, panel = box(page, ".brand"), box(page, ".ruler.ranks"), box(page, ".panel")
        edge = page.locator(".header nav a").last.bounding_box()
        return abs(brand["x"] - rulers["x"]) <= 12 and abs(edge["x"] + edge["width"] - panel["right"]) <= 14

    me.until(aligned)


def test_the_front_page_has_one_primary_button_and_a_board_on_the_first_screen(person: Callable[..., Person]) -> None:
    phone = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
    me = person(**phone)
    page = me.go("/")
    me.until(lambda: box(page, ".mini .viewport")["bottom"] <= 844)
    expect(page.locator("main .primary:visible")).to_have_count(1)
    page.set_viewport_size({"width": 1440, "height": 900})

    def aligned() -> bool:
        boards = [seen for each in page.locator(".featured .card .viewport").all() if (seen := each.bounding_box())]
        texts = [seen for each in page.locator(".featured .card h2").all() if (seen := each.bounding_box())]
        if not 6 <= len(boards) == len(texts):
            return False
        # A board is aligned with its text, and with its neighbours at the top.
        columns = all(abs(board["x"] - text["x"]) <= 1 for board, text in zip(boards, texts, strict=True))
        return columns and abs(box(page, ".brand")["x"] - box(page, ".mini")["x"]) <= 1

    me.until(aligned)


#: Sums the layout shifts of a page, except those caused by user input.
SHIFTS = """
window.shifts = 0;
new PerformanceObserver((list) => {
  for (const shift of list.getEntries()) if (!shift.hadRecentInput) window.shifts += shift.value;
}).observe({ type: "layout-shift", buffered: true });
"""


STEADY = "/ /new /learn/metamachy /daily /lobby /archive /analysis /play /ratings /people /messages /engines/caladrius"


@pytest.mark.parametrize("path", STEADY.split())
def test_a_page_that_loads_slowly_does_not_shift(person: Callable[..., Person], server: Server, path: str) -> None:
    if path == "/lobby":
        for _ in range(3):
            server.match(server.guest(), "chess", {"kind": "lobby"})
    me = person(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True, service_workers="block")
    me.context.add_init_script(SHIFTS)
    session = me.context.new_cdp_session(me.page)
    session.send("Network.enable")
    slow = {"offline": False, "latency": 150, "downloadThroughput": 200_000, "uploadThroughput": 90_000}
    session.send("Network.emulateNetworkConditions", slow)
    page = me.go(path)
    page.wait_for_load_state("networkidle")
    page.wait_for_timeout(500)
    assert page.evaluate("window.shifts") < 0.05


def test_the_setup_field_is_not_covered_by_the_start_button(person: Callable[..., Person]) -> None:
    me = person(viewport={"width": 1440, "height": 700})
    page = me.go("/new?game=metamachy")
    page.get_by_role("radio", name="Choose a setup").check(force=True)
    page.get_by_label("Number (1 to 24)").wait_for()
    me.until(lambda: box(page, "input[type=number]")["bottom"] <= box(page, ".start")["y"])


def test_a_new_analysis_shows_the_whole_board_on_a_phone(person: Callable[..., Person]) -> None:
    me = person(**PHONE)
    me.go("/analysis")
    me.until(lambda: 300 < box(me.page, ".opening .squares")["width"] <= box(me.page, ".opening .viewport")["width"])


def test_option_labels_begin_with_a_capital_letter(person: Callable[..., Person]) -> None:
    label = person().go("/new?game=magi").locator("label[for=option-classic_ep]")
    expect(label).to_have_text("en passant as in chess")
    assert label.evaluate("(label) => getComputedStyle(label, '::first-letter').textTransform") == "uppercase"
