"""The board editor, in a browser: pieces are dragged, the game changes, and an invalid FEN stays as it was typed."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.web.people import Person

PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


def label(me: Person, square: str) -> str:
    """Return the label of a square."""
    return str(me.page.locator(f'[data-square="{square}"]').get_attribute("aria-label"))


def shows(me: Person, square: str, text: str) -> None:
    """Wait until the label of a square contains a text."""
    me.until(f"""document.querySelector('[data-square="{square}"]')?.getAttribute('aria-label').includes('{text}')""")


def middle(found: Any) -> tuple[float, float]:
    """Return the middle of an element on the page."""
    box = found.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(me: Person, start: Any, end: tuple[float, float], *, touch: bool) -> None:
    """Drag from an element to a point with the mouse or a finger."""
    x, y = middle(start)
    if not touch:
        me.page.mouse.move(x, y)
        me.page.mouse.down()
        me.page.mouse.move((x + end[0]) / 2, (y + end[1]) / 2)
        me.page.locator(".carried svg").wait_for()
        me.page.mouse.move(*end)
        me.page.mouse.up()
        return
    client = me.context.new_cdp_session(me.page)
    for kind, places in (
        ("touchStart", [(x, y)]),
        ("touchMove", [((x + end[0]) / 2, (y + end[1]) / 2)]),
        ("touchMove", [end]),
        ("touchEnd", []),
    ):
        points = [{"x": at[0], "y": at[1]} for at in places]
        client.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})


@pytest.mark.parametrize("device", ["desktop", "phone"])
def test_pieces_can_be_dragged(person: Callable[..., Person], device: str) -> None:
    touch = device == "phone"
    me = person(**(PHONE if touch else {}))
    page = me.go("/analysis/edit?game=chess")
    shows(me, "e1", "King")
    queen = page.get_by_role("button", name="white Queen", exact=True)
    queen.scroll_into_view_if_needed()

    def at(name: str) -> Any:
        return page.locator(f'[data-square="{name}"]')

    drag(me, queen, middle(at("e4")), touch=touch)
    shows(me, "e4", "Queen")
    assert queen.get_attribute("aria-pressed") == "false", "a drag does not choose the piece for taps"
    drag(me, at("e4"), middle(at("d5")), touch=touch)
    shows(me, "d5", "Queen")
    assert "Queen" not in label(me, "e4")
    assert page.locator(".over .ring").count() == 0, "a piece that was dragged is not chosen for the next tap"
    drag(me, at("d5"), middle(page.locator(".editor-side .tray")), touch=touch)
    me.until("!document.querySelector('[data-square=\"d5\"]').getAttribute('aria-label').includes('Queen')")
    me.tap("b1")
    me.tap("c3")
    shows(me, "c3", "Knight")
    assert "Knight" not in label(me, "b1")
    page.get_by_role("button", name="black Rook", exact=True).click()
    me.tap("e4")
    shows(me, "e4", "Rook")
    assert "Rook" not in label(me, "c3")


def test_the_game_can_be_changed(person: Callable[..., Person]) -> None:
    me = person()
    page = me.go("/analysis/edit?game=chess")
    shows(me, "e1", "King")
    page.get_by_label("Game", exact=True).select_option("Magi")
    shows(me, "j1", "Rook")
    expect(page).to_have_url(re.compile("game=magi$"))
    expect(page.locator("#edited-fen")).to_have_value(re.compile("^rnbaqkwbnr/"))
    page.get_by_role("button", name="white Wizard", exact=True).wait_for()


def test_an_invalid_fen_stays_as_it_was_typed(person: Callable[..., Person]) -> None:
    me = person()
    page = me.go("/analysis/edit?game=chess")
    playable = page.get_by_text("This position is playable.")
    playable.wait_for()
    field = page.locator("#edited-fen")
    bad = "8/8/8/8/8/8/8 w - - 0 1"
    field.fill(bad)
    field.blur()
    page.get_by_text("This FEN cannot be read").wait_for()
    page.locator("#edited-status .fault", has_text="ranks").wait_for()
    assert field.input_value() == bad
    expect(playable).to_have_count(0)
    expect(page.get_by_role("button", name="Analyse", exact=True)).to_be_disabled()
    assert "King" in label(me, "e1")
    field.fill("4k3/8/8/8/8/8/8/4K2R w K - 0 1")
    field.blur()
    playable.wait_for()
    shows(me, "h1", "Rook")
    me.complaints[:] = [line for line in me.complaints if "422" not in line and "400" not in line]


@pytest.mark.parametrize(
    ("game", "language", "boxes"),
    [
        (
            "chess",
            "en-GB",
            ["White: king side", "White: queen side", "Black: king side", "Black: queen side"],
        ),
        (
            "chess",
            "fr-FR",
            [
                "Blancs\u00a0: petit roque",
                "Blancs\u00a0: grand roque",
                "Noirs\u00a0: petit roque",
                "Noirs\u00a0: grand roque",
            ],
        ),
        (
            "magi",
            "en-GB",
            [
                *("White: king side", "White: queen side"),
                *("White: first move from d3", "White: first move from g3"),
                *("Black: king side", "Black: queen side"),
                *("Black: first move from d8", "Black: first move from g8"),
            ],
        ),
        ("maasai", "en-GB", ["White: King may jump", "Black: King may jump"]),
    ],
)
def test_rights_are_boxes_in_words(person: Callable[..., Person], game: str, language: str, boxes: list[str]) -> None:
    me = person(locale=language)
    page = me.go(f"/analysis/edit?game={game}")
    found = page.locator("fieldset .check")
    expect(found).to_have_count(len(boxes))
    assert sorted(found.all_inner_texts()) == sorted(boxes)
    for name in boxes:
        expect(page.get_by_label(name)).to_be_checked()
    page.get_by_label(boxes[0]).uncheck()
    me.until("document.querySelector('#edited-fen').value.split(' ')[2].indexOf('K') < 0")
    for name in boxes[1:]:
        expect(page.get_by_label(name)).to_be_checked()
