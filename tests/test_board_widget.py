"""The web board in Chromium, with the library as its host: mouse, touch, keyboard and screen readers."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Browser, Page, expect

from web.board.demo.browser import DESKTOP, PHONE, VITE, build, heard, middle, open_scene


@pytest.fixture(scope="module", autouse=True)
def demo(witness: Callable[[str], str]) -> None:
    for program in ("node", VITE):
        witness(program)
    build()


@contextmanager
def no_errors(page: Page) -> Iterator[None]:
    errors: list[object] = []
    page.on("pageerror", lambda error: errors.append(error))
    yield
    assert errors == []


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    page = browser.new_page(viewport=DESKTOP)
    with no_errors(page):
        yield page
    page.close()


@pytest.fixture
def phone(browser: Browser) -> Iterator[Page]:
    page = browser.new_page(viewport=PHONE, has_touch=True, is_mobile=True, device_scale_factor=2)
    with no_errors(page):
        yield page
    page.close()


def drag(page: Page, start: tuple[float, float], end: tuple[float, float]) -> None:
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move((start[0] + end[0]) / 2, (start[1] + end[1]) / 2, steps=4)
    page.mouse.move(*end, steps=4)
    page.mouse.up()


def click(page: Page, square: str) -> None:
    page.mouse.click(*middle(page, square))


def tap(page: Page, square: str, beside: tuple[float, float] = (0, 0)) -> None:
    x, y = middle(page, square)
    page.touchscreen.tap(x + beside[0], y + beside[1])


def label(page: Page, square: str) -> str:
    return page.locator(f'[data-square="{square}"]').get_attribute("aria-label") or ""


def wait_for(page: Page, square: str, text: str) -> None:
    expect(page.locator(f'[data-square="{square}"]')).to_have_attribute("aria-label", text)


def marks(page: Page, kind: str) -> int:
    return page.locator(f".over .{kind}").count()


class Finger:
    """Fingers on a touch screen, moved step by step."""

    def __init__(self, page: Page) -> None:
        self.session = page.context.new_cdp_session(page)

    def touch(self, what: str, *points: tuple[float, float]) -> None:
        at = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(points)]
        self.session.send("Input.dispatchTouchEvent", {"type": f"touch{what}", "touchPoints": at})


# Making moves.


def test_dragging_a_piece_makes_a_move(page: Page) -> None:
    open_scene(page, "metamachy", seat="both", sound="on")
    start = page.evaluate("scene.position.legal.find(move => move.reach)")
    drag(page, middle(page, start["from"]), middle(page, start["to"]))
    page.wait_for_function("heard.some(([what]) => what === 'move')")
    assert heard(page, "move") == [start["move"]]
    wait_for(page, start["from"], f"{start['from']}, empty")


def test_a_piece_dropped_where_it_cannot_go_snaps_back(page: Page) -> None:
    open_scene(page, "cannon")
    drag(page, middle(page, "c2"), middle(page, "k10"))
    drag(page, middle(page, "c2"), (5, 5))
    assert heard(page, "move") == []
    assert label(page, "c2") == "c2, white Cannon"


def test_a_piece_dropped_on_its_own_square_stays_in_hand(page: Page) -> None:
    open_scene(page, "cannon", seat="white")
    page.mouse.move(*middle(page, "c2"))
    page.mouse.down()
    page.mouse.move(*middle(page, "f6"), steps=4)
    page.mouse.move(*middle(page, "c2"), steps=4)
    page.mouse.up()
    click(page, "a2")
    page.wait_for_function("heard.some(([what]) => what === 'move')")
    assert heard(page, "move") == ["c2a2"]


def test_two_taps_make_a_move_even_if_the_second_misses_slightly(phone: Page) -> None:
    open_scene(phone, "cannon", seat="white")
    tap(phone, "c2")
    assert marks(phone, "dot") > 0
    # Fourteen pixels beyond the last square that the Cannon reaches on this line, on a square that it does not reach.
    tap(phone, "a3", beside=(0, 14))
    phone.wait_for_function("heard.some(([what]) => what === 'move')")
    assert heard(phone, "move") == ["c2a2"]


def test_a_hop_marks_its_screen_and_a_bent_slider_its_path(page: Page) -> None:
    open_scene(page, "cannon")
    click(page, "c2")
    assert marks(page, "ring.gold") == 1
    assert marks(page, "tick.gold") == 1
    click(page, "j4")
    assert page.locator(".under .way.lapis").count() == 1
    assert marks(page, "ring.vermilion") == 1


def test_a_typed_move_is_made_on_enter(page: Page) -> None:
    open_scene(page, "cannon")
    page.locator('[data-square="c2"]').focus()
    page.keyboard.type("Ux")
    # The browser's own shortcuts are not typed.
    page.keyboard.press("Control+e")
    page.keyboard.type("e10")
    expect(page.locator(".status")).to_have_text("Typed: Uxe10")
    page.keyboard.press("Enter")
    page.wait_for_function("heard.some(([what]) => what === 'move')")
    assert heard(page, "move") == ["j4e10"]


#: Leaves typed text unread until the test answers with `told(move)`.
UNTOLD = "() => { window.readMove = () => new Promise((answer) => { window.told = answer; }); }"


def test_a_typed_move_survives_that_its_position_is_set_again_while_it_is_read(page: Page) -> None:
    open_scene(page, "chess")
    page.evaluate(UNTOLD)
    page.evaluate("board.type('e4')")
    page.evaluate("board.set({ position: { ...scene.position } })")
    page.evaluate("told(scene.position.legal[0].move)")
    page.wait_for_function("heard.some(([what]) => what === 'move')")


def test_a_typed_move_of_another_position_is_not_made(page: Page) -> None:
    open_scene(page, "chess")
    page.evaluate(UNTOLD)
    page.evaluate("board.type('e4')")
    page.evaluate(
        "board.set({ position: { ...scene.position, fen: scene.position.fen.replace(/ \\d+ \\d+$/, ' 9 9') } })"
    )
    page.evaluate("async () => { told(scene.position.legal[0].move); await new Promise(requestAnimationFrame); }")
    assert heard(page, "move") == []


def test_an_illegal_typed_move_is_reported(page: Page) -> None:
    open_scene(page, "chess")
    page.evaluate("board.type('O-O')")
    expect(page.locator(".status")).to_have_text("O-O is not a legal move")
    assert heard(page, "move") == []
    page.evaluate("board.type('e4')")
    page.wait_for_function("heard.some(([what]) => what === 'move')")
    assert heard(page, "move") == ["e2e4"]


def test_a_move_can_be_made_with_the_keyboard_alone(page: Page) -> None:
    open_scene(page, "chess")
    page.keyboard.press("Tab")
    while page.evaluate("!document.activeElement.dataset.square"):
        page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.dataset.square") == "a1"
    for key in ("ArrowUp", *("ArrowRight",) * 4, "Enter"):
        page.keyboard.press(key)
    assert label(page, "e4") == "e4, empty, can go here"
    for key in ("ArrowUp", "ArrowUp", " "):
        page.keyboard.press(key)
    page.wait_for_function("heard.some(([what]) => what === 'move')")
    assert heard(page, "move") == ["e2e4"]
    expect(page.locator(".live")).to_contain_text("white Pawn, e2 to e4")


def test_a_promotion_is_chosen_in_a_dialog_with_a_hint(page: Page) -> None:
    open_scene(page, "promotion")
    click(page, "c11")
    click(page, "c12")
    picker = page.get_by_role("dialog", name="Promote to")
    expect(picker).to_contain_text("good manners")
    assert picker.locator(".kinds button").all_inner_texts()[:2] == ["Queen", "Eagle"]
    page.keyboard.press("Escape")
    expect(picker).to_be_hidden()
    click(page, "c11")
    click(page, "c12")
    picker.get_by_role("button", name="Lion").click()
    page.wait_for_function("heard.some(([what]) => what === 'move')")
    assert heard(page, "move") == ["c11c12l"]
    wait_for(page, "c12", "c12, white Lion")


def test_a_premove_is_made_when_the_turn_comes(page: Page) -> None:
    open_scene(page, "chess", seat="black")
    click(page, "g8")
    expect(page.locator(".over .dot")).to_have_count(2)
    click(page, "f6")
    assert heard(page, "premove") == [{"from": "g8", "to": "f6"}]
    page.evaluate("answer('e2e4')")
    page.wait_for_function("heard.some(([what]) => what === 'move')")
    assert heard(page, "move") == ["g8f6"]
    assert heard(page, "premove")[-1] is None


# How pieces move.


def test_holding_alt_inspects_an_enemy_piece(page: Page) -> None:
    open_scene(page, "cannon")
    page.mouse.move(*middle(page, "c6"))
    page.keyboard.down("Alt")
    expect(page.locator(".status strong")).to_have_text("Cannon")
    expect(page.locator(".over .tick.gold")).to_have_count(1)
    page.keyboard.up("Alt")
    expect(page.locator(".status")).to_be_empty()
    assert heard(page, "inspect") == ["c6", None]


def test_inspecting_a_piece_without_moves_says_that_it_has_none(page: Page) -> None:
    open_scene(page, "terachess")
    page.mouse.move(*middle(page, "a1"))
    page.keyboard.down("Alt")
    expect(page.locator(".status")).to_contain_text("No moves from here.")
    page.keyboard.up("Alt")
    page.mouse.move(*middle(page, "a4"))
    page.keyboard.down("Alt")
    expect(page.locator(".status strong")).to_have_text("Pawn")
    expect(page.locator(".status")).not_to_contain_text("No moves")


def test_a_button_turns_inspection_on_and_off(page: Page) -> None:
    open_scene(page, "cannon")
    page.get_by_role("button", name="How pieces move").click()
    expect(page.locator(".status")).to_contain_text("Select a piece")
    click(page, "j4")
    expect(page.locator(".status")).to_contain_text("Rhinoceros One step along a file or rank")
    expect(page.locator(".under .way.lapis")).to_have_count(1)
    # It stays on until it is turned off, and no move is made in the meantime.
    click(page, "c2")
    expect(page.locator(".status strong")).to_have_text("Cannon")
    page.get_by_role("button", name="On an empty board").click()
    expect(page.locator(".piece:not(.faint)")).to_have_count(1)
    page.get_by_role("button", name="In this position").click()
    expect(page.locator(".piece.faint")).to_have_count(0)
    click(page, "a1")
    expect(page.locator(".status")).to_contain_text("Select a piece")
    page.get_by_role("button", name="Close").click()
    expect(page.locator(".under .way")).to_have_count(0)
    click(page, "c2")
    assert marks(page, "dot") > 0 and heard(page, "move") == []


def test_hovering_over_a_piece_shows_its_name(page: Page) -> None:
    open_scene(page, "cannon")
    page.mouse.move(*middle(page, "j4"))
    expect(page.locator(".viewport")).to_have_attribute("title", "Rhinoceros")
    page.mouse.move(*middle(page, "a1"))
    expect(page.locator(".viewport")).to_have_attribute("title", "")


def test_a_long_press_inspects_a_piece(phone: Page) -> None:
    open_scene(phone, "cannon")
    finger = Finger(phone)
    finger.touch("Start", middle(phone, "j4"))
    expect(phone.locator(".status strong")).to_have_text("Rhinoceros")
    finger.touch("End")
    expect(phone.locator(".status strong")).to_have_text("Rhinoceros")
    assert heard(phone, "move") == []


# Turns of several moves.


def test_moves_of_a_turn_are_counted_down_and_can_be_undone(page: Page) -> None:
    open_scene(page, "chieftain", seat="both")
    left = page.evaluate("scene.position.moves_left")
    expect(page.locator(".status")).to_contain_text(f"Moves left: {left}")
    assert page.locator(".piece.moved").count() == 2
    assert page.locator(".under .command").count() == len(page.evaluate("scene.position.in_command"))
    for number in range(left):
        move = page.evaluate(
            "async made => (await rules(scene.game, scene.position.fen, made)).legal.find(p => p.from)",
            heard(page, "move"),
        )
        click(page, move["from"])
        click(page, move["to"])
        if number < left - 1:
            expect(page.locator(".status")).to_contain_text(f"Moves left: {left - number - 1}")
    assert len(heard(page, "move")) == left - 1
    expect(page.locator(".status")).to_have_text("This move ends your turn.")
    click(page, move["to"])
    page.get_by_role("button", name="Undo").click()
    assert len(heard(page, "move")) == left - 1
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".status")).to_contain_text(f"Moves left: {left}")
    assert heard(page, "undo") == [None]


def test_a_move_is_made_only_when_it_is_confirmed(page: Page) -> None:
    open_scene(page, "chieftain", confirm="always")
    move = page.evaluate("scene.position.legal.find(move => move.from)")
    click(page, move["from"])
    click(page, move["to"])
    assert heard(page, "move") == []
    page.get_by_role("button", name="Confirm").click()
    assert heard(page, "move") == [move["move"]]


# The setup phase.


def test_arranging_a_setup_mirrors_the_pieces_live(page: Page) -> None:
    open_scene(page, "setup")
    play = page.get_by_role("button", name="Use this setup")
    expect(play).to_be_disabled()
    drag(page, _tray(page, "Duchess"), middle(page, "e12"))
    assert label(page, "e12").startswith("e12, black Duchess")
    assert label(page, "e1") == "e1, white Duchess"
    # The King may stand on only two squares; dropped elsewhere, it goes back, and what is said moves nothing.
    before = middle(page, "f11")
    drag(page, _tray(page, "King"), middle(page, "e11"))
    expect(page.locator(".status")).to_have_text("King: only on f11, g11")
    assert middle(page, "f11") == before
    assert label(page, "e11").startswith("e11, empty")
    # Two taps.
    page.mouse.click(*_tray(page, "King"))
    click(page, "f11")
    assert label(page, "f2") == "f2, white King"
    drag(page, middle(page, "e12"), middle(page, "g12"))
    assert label(page, "g1") == "g1, white Duchess"
    page.get_by_role("button", name="Clear").click()
    assert label(page, "g1") == "g1, empty"


def test_a_setup_is_chosen_and_confirmed(page: Page) -> None:
    open_scene(page, "setup")
    page.get_by_role("button", name="Shuffle").click()
    assert heard(page, "shuffle") == [None]
    page.get_by_role("button", name="Same as last time").click()
    expect(page.locator(".status strong")).to_have_text("Setup 1 of 288")
    drag(page, middle(page, "e12"), middle(page, "f12"))
    expect(page.locator(".status strong")).not_to_have_text("Setup 1 of 288")
    page.get_by_role("button", name="Use this setup").click()
    assert heard(page, "setup") == ["FDOU-GKLQ"]


def test_a_setup_can_be_arranged_with_the_keyboard(page: Page) -> None:
    open_scene(page, "setup")
    page.get_by_role("button", name="Sorceress").focus()
    page.keyboard.press("Enter")
    page.locator('[data-square="e12"]').focus()
    page.keyboard.press("Enter")
    assert label(page, "e12").startswith("e12, black Sorceress")


def _tray(page: Page, name: str) -> tuple[float, float]:
    box = page.locator(".tray").get_by_role("button", name=name).bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


# Arrows, views, phones.


def test_the_right_button_draws_arrows_and_rings(page: Page) -> None:
    open_scene(page, "chess")
    page.mouse.move(*middle(page, "e2"))
    page.mouse.down(button="right")
    page.mouse.move(*middle(page, "e4"))
    page.mouse.up(button="right")
    page.mouse.move(*middle(page, "d5"))
    page.keyboard.down("Shift")
    page.mouse.click(*middle(page, "d5"), button="right")
    page.keyboard.up("Shift")
    assert heard(page, "draw")[-1] == [
        {"from": "e2", "to": "e4", "colour": "lapis"},
        {"from": "d5", "to": "d5", "colour": "vermilion"},
    ]
    assert page.locator(".over .arrow").count() == 1
    click(page, "a5")
    assert heard(page, "draw")[-1] == []


@pytest.mark.parametrize("scene", ["maasai", "magi", "chieftain", "terachess"])
def test_every_square_has_a_grid_cell_and_every_piece_a_label(page: Page, scene: str) -> None:
    open_scene(page, scene)
    files, ranks = page.evaluate("[scene.files, scene.ranks]")
    assert page.get_by_role("grid").count() == 1
    assert page.get_by_role("row").count() == ranks
    assert page.get_by_role("gridcell").count() == files * ranks
    assert page.locator('.cell[tabindex="0"]').count() == 1
    assert page.locator(".piece").count() == len(page.evaluate("scene.position.pieces"))
    for piece in page.evaluate("scene.position.pieces.slice(0, 10)"):
        assert re.match(rf"{piece['square']}, {piece['side']} \w", label(page, piece["square"]))


def test_flipping_the_board_is_not_animated(page: Page) -> None:
    open_scene(page, "chess")
    before = middle(page, "a1")
    page.evaluate("board.set({ orientation: 'black' })")
    assert middle(page, "h8") == pytest.approx(before)
    assert page.locator(".piece.glide").count() == 0


def test_the_letters_piece_set_shows_letters(page: Page) -> None:
    open_scene(page, "cannon", pieceSet="letters")
    assert page.locator('.piece use[href="#acedrex-w--55"]').count() == 1
    assert page.locator("symbol#acedrex-w--55 text").inner_html() == "U"


def test_a_board_of_sixteen_files_starts_zoomed_in_on_a_phone(phone: Page) -> None:
    open_scene(phone, "terachess")
    box = phone.locator('[data-square="h1"]').bounding_box()
    assert box and box["width"] >= 36
    finger = Finger(phone)
    x, y = middle(phone, "h6")
    left = middle(phone, "h1")[0]
    finger.touch("Start", (x, y))
    for step in range(5):
        finger.touch("Move", (x + 20 * step, y))
    finger.touch("End")
    assert middle(phone, "h1")[0] == pytest.approx(left + 80, abs=2)
    phone.get_by_role("button", name="Zoom out").click()
    box = phone.locator('[data-square="p1"]').bounding_box()
    assert box and box["x"] + box["width"] <= PHONE["width"]


def test_a_wide_board_suggests_rotating_the_phone(phone: Page) -> None:
    open_scene(phone, "chieftain")
    offer = phone.locator(".offer")
    expect(offer).to_contain_text("Rotate your device")
    offer.get_by_role("button", name="Close").click()
    expect(offer).to_be_hidden()


def test_a_rotated_phone_shows_the_whole_board(phone: Page) -> None:
    open_scene(phone, "chieftain")
    tap(phone, "g4")
    phone.set_viewport_size({"width": PHONE["height"], "height": PHONE["width"]})
    expect(phone.get_by_role("button", name="Zoom out")).to_be_hidden()
    box = phone.locator(".viewport").bounding_box()
    assert box and box["width"] >= 16 * 28


def test_a_long_announcement_does_not_move_the_board(phone: Page) -> None:
    open_scene(phone, "terachess")
    before = middle(phone, "h1")
    finger = Finger(phone)
    x, y = middle(phone, "h6")
    finger.touch("Start", (x, y))
    finger.touch("Move", (x + 60, y))
    finger.touch("End")
    phone.evaluate("board.announce('A long text. '.repeat(20))")
    expect(phone.locator(".status")).to_contain_text("A long text")
    phone.wait_for_timeout(100)
    assert middle(phone, "h1") == pytest.approx((before[0] + 60, before[1]), abs=2)


def test_two_fingers_zoom_and_pan(phone: Page) -> None:
    open_scene(phone, "maasai")
    before = phone.locator(".stage").first.bounding_box()
    finger = Finger(phone)
    finger.touch("Start", (160, 300))
    finger.touch("Start", (160, 300), (200, 300))
    finger.touch("Move", (120, 300), (240, 300))
    finger.touch("End")
    after = phone.locator(".stage").first.bounding_box()
    assert before and after
    assert after["width"] > 2 * before["width"]
    # Two fingers that move together move the board.
    finger.touch("Start", (160, 300))
    finger.touch("Start", (160, 300), (200, 300))
    finger.touch("Move", (130, 300), (170, 300))
    finger.touch("End")
    moved = phone.locator(".stage").first.bounding_box()
    assert moved
    assert moved["x"] == pytest.approx(after["x"] - 30, abs=2)
    assert heard(phone, "move") == []


def test_dragging_on_small_squares_shows_a_magnifier(phone: Page) -> None:
    open_scene(phone, "cannon")
    (x, y), (to_x, to_y) = middle(phone, "j4"), middle(phone, "g7")
    finger = Finger(phone)
    finger.touch("Start", (x, y))
    for step in range(1, 6):
        finger.touch("Move", (x + (to_x - x) * step / 5, y + (to_y - y) * step / 5))
    expect(phone.locator(".loupe")).to_be_visible()
    finger.touch("End")
    expect(phone.locator(".loupe")).to_be_hidden()
    assert len(heard(phone, "move")) <= 1


def test_a_move_is_animated(page: Page) -> None:
    open_scene(page, "chess")
    page.evaluate("board.type('e2e4')")
    assert page.evaluate("getComputedStyle(document.querySelector('.glide')).transitionDuration") == "0.16s"


def test_reduced_motion_turns_animation_off(browser: Browser) -> None:
    page = browser.new_page(viewport=DESKTOP, reduced_motion="reduce")
    open_scene(page, "chess")
    page.evaluate("board.type('e2e4')")
    assert page.locator(".piece.glide").count() == 1
    assert page.evaluate("getComputedStyle(document.querySelector('.glide')).transitionDuration") == "0s"
    page.close()


def test_destroying_the_board_removes_its_elements(page: Page) -> None:
    open_scene(page, "chess")
    page.evaluate("board.destroy()")
    assert page.evaluate("document.getElementById('board').childElementCount") == 0
