"""The first minutes of a newcomer: a mini-game on the front page, then a first whole game."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.web.people import Person
from tests.web.test_access import serious_violations

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
LION = ("f6h8", "f5h6", "i9j7")


def make(me: Person, move: str) -> None:
    """Make a move on the board of the mini-game."""
    me.page.locator(f'.mini [data-square="{move[:2]}"][aria-label*="white"]').wait_for()
    me.pick_up(move[:2])
    me.tap(move[2:])


@pytest.mark.parametrize("device", [{}, PHONE], ids=["desktop", "phone"])
def test_a_newcomer_plays_a_mini_game_and_then_a_first_game(
    person: Callable[..., Person], device: dict[str, Any]
) -> None:
    me = person(**device)
    page = me.go("/")
    me.says("Tap the Lion")
    board = page.locator(".mini .viewport").bounding_box()
    viewport = page.viewport_size
    assert board["y"] + board["height"] <= viewport["height"], "the board is not on the first screen"
    for number, move in enumerate(LION, 1):
        make(me, move)
        if number < len(LION):
            page.get_by_role("button", name=f"Next, {number + 1} of 3").click()
    me.says("You see like a Lion.")
    assert serious_violations(page) == []
    # What was done is remembered, and the next visit begins with the next game.
    page.reload()
    me.says("The Cannon shoots over one piece")
    page.get_by_role("button", name="1 The Lion takes in one: which?, done").click()
    for number, move in enumerate(LION, 1):
        make(me, move)
        if number < len(LION):
            page.get_by_role("button", name=f"Next, {number + 1} of 3").click()
    page.get_by_role("button", name="Play a whole game of Magi").click()
    page.wait_for_url("**/match/**")
    me.says("Your turn")
    state = me.state()
    assert state["players"]["black"]["house"] == "caladrius" and state["hints"]
    me.says("Press and hold a piece" if device else "Point at a piece")


def test_a_move_that_takes_nothing_is_put_back_and_explained(person: Callable[..., Person]) -> None:
    me = person()
    page = me.go("/")
    make(me, "f6f7")
    me.says("That takes nothing. Count one or two squares")
    expect(page.locator('.mini [data-square="f6"]')).to_have_attribute("aria-label", "f6, white Lion")
    for number, move in enumerate(LION, 1):
        make(me, move)
        if number < len(LION):
            page.get_by_role("button", name=f"Next, {number + 1} of 3").click()
    # Praise without a mistake is kept for those who made none.
    me.says("You know the Lion now.")


@pytest.mark.parametrize("number", [2, 3])
def test_the_other_mini_games_can_be_solved(person: Callable[..., Person], number: int) -> None:
    moves = {2: ("f3f9", "d5j5", "i9d9"), 3: ("c7b8", "d7e8", "c7d8")}[number]
    me = person()
    page = me.go("/")
    page.get_by_role("navigation", name="Games of one minute").get_by_role("button").nth(number - 1).click()
    for place, move in enumerate(moves, 1):
        make(me, move)
        if place < len(moves):
            page.get_by_role("button", name=f"Next, {place + 1} of 3").click()
    me.says("Three shots, three hits." if number == 2 else "Nothing gets past you")


def test_an_army_can_be_arranged(person: Callable[..., Person]) -> None:
    me = person()
    page = me.go("/")
    page.get_by_role("button", name="Arrange your army").click()
    me.says("there are 24 setups")
    page.locator('.mini [data-press="shuffle"]').click()
    page.locator('.mini [data-press="playSetup"]:enabled').click()
    me.says("No opening book helps against it.")


def test_the_lion_can_be_played_by_keyboard_and_in_french(person: Callable[..., Person]) -> None:
    me = person(locale="fr-FR")
    page = me.go("/")
    me.says("Touchez le Lion")
    square = page.locator('.mini [data-square="f6"][aria-label*="Lion"]')
    # The moves of the position come after its pieces.
    page.wait_for_load_state("networkidle")
    square.focus()
    for key in ("Enter", "ArrowRight", "ArrowRight", "ArrowUp", "ArrowUp", "Enter"):
        page.keyboard.press(key)
    me.says("Deux pas de côté, deux en avant")
    # The focus is on the way onward.
    expect(page.get_by_role("button", name="Suivant, 2 sur 3")).to_be_focused()
    page.keyboard.press("Enter")
    me.says("Prenez une pièce quand même")


def test_who_is_here_and_how_long_games_take(person: Callable[..., Person]) -> None:
    me = person()
    me.go("/")
    me.says("online")
    me.says("About 90 moves, easy to begin")
    first = me.page.locator(".featured h2").first
    expect(first).to_have_text("Magi")
