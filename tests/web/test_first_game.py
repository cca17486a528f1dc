"""The guided first game in a browser: new pieces and rules are tried on a board, then a game starts."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from acedrex import games, load
from acedrex.lessons import first_game
from tests.web.people import Person, Server

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
DESKTOP: dict[str, Any] = {}


def go_on(me: Person) -> None:
    me.page.get_by_role("button", name="Next", exact=True).click()


def step_to(me: Person, game: str, key: str) -> None:
    """Open the first game at the step of a piece or rule."""
    keys = [one.piece or one.rule for one in first_game(load(game))]
    # Not on the page of the first game, which might store its own step before it is left.
    me.go("/")
    me.page.evaluate(
        "([game, step]) => localStorage.setItem(`acedrex.first-game.${game}`, JSON.stringify({step, done: []}))",
        [game, keys.index(key) + 1 if key in keys else len(keys) + 1],
    )
    me.go(f"/learn/{game}/first")


def make(me: Person, move: str) -> None:
    """Make a move on the board with two taps."""
    at = next(index for index in range(1, len(move)) if move[index].isalpha())
    me.pick_up(move[:at])
    me.tap(move[at:])


@pytest.mark.parametrize("device", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_a_newcomer_tries_a_piece_and_starts_a_game(person: Callable[..., Person], device: dict[str, Any]) -> None:
    me = person(**device)
    page = me.go("/learn/magi")
    page.get_by_role("link", name="First game").click()
    me.says("Step 1 of 9")
    me.says("3 new pieces")
    go_on(me)
    me.says("Step 2 of 9")
    me.until("document.activeElement.textContent === 'Wizard'")
    me.says(load("magi").piece("W").help)
    me.says("capture the Pawn on g7 with the Wizard on e5")
    # The legal squares are shown before the piece is picked up.
    me.until(
        "document.querySelectorAll('.over .dot').length > 0 && document.querySelectorAll('.over .ring').length > 0"
    )
    make(me, "e5e6")
    me.says("That move is legal too")
    me.until("document.querySelector('[data-square=\"e5\"]').getAttribute('aria-label').includes('Wizard')")
    make(me, "e5g7")
    me.says("Done.")
    page.locator("button.primary", has_text=re.compile("^Next$")).wait_for()
    go_on(me)
    me.says("capture the Pawn on i9 with the Archbishop on e5")
    page.reload()
    me.says("Step 3 of 9")
    page.get_by_role("button", name="Back").click()
    me.says("Done before.")
    page.get_by_role("button", name="Skip to the game").click()
    me.says("Your first game")
    page.get_by_role("button", name="Start game").click()
    me.says("Your turn")
    state = me.state()
    assert (state["players"]["black"]["level"], state["hints"], state["game"]["game"]) == (1, True, "magi")
    me.says("Press and hold a piece" if device else "Point at a piece")
    page.get_by_role("button", name="Hint").locator("visible=true").click()
    me.until("document.querySelectorAll('.over .arrow').length > 0")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_special_rules_can_be_tried(person: Callable[..., Person]) -> None:
    me = person()
    page = me.page
    step_to(me, "magi", "en_passant")
    for move in ("b2b5", "a4b3"):
        me.says(f"from {move[:2]} to {move[2:]}")
        make(me, move)
    me.says("Done.")
    page.get_by_role("button", name="Reset").click()
    me.says("from b2 to b5")
    step_to(me, "magi", "bare_king")
    page.get_by_role("button", name="Claim the win").click()
    me.says("Done.")
    step_to(me, "chieftain", "turn")
    make(me, "c3c4")
    me.says("Next: end the turn.")
    page.locator('[data-press="end"]').click()
    me.says("Done.")
    step_to(me, "metamachy", "promotion")
    make(me, "e11e12")
    page.locator(".picker").get_by_role("button", name="Eagle").click()
    me.says("Done.")


def test_the_setup_can_be_tried(person: Callable[..., Person]) -> None:
    me = person()
    page = me.page
    step_to(me, "metamachy", "setup")
    me.says("place Black's pieces")
    page.get_by_role("button", name="Shuffle").click()
    page.locator('[data-press="playSetup"]:enabled').click()
    me.says("Done.")


def test_the_first_game_can_be_used_by_keyboard_alone(person: Callable[..., Person]) -> None:
    me = person()
    page = me.go("/learn/magi/first")
    page.get_by_role("button", name="Next", exact=True).focus()
    page.keyboard.press("Enter")
    me.says("Wizard on e5")
    page.locator('[data-square][tabindex="0"]').focus()
    me.type_move("e5g7")
    me.says("Done.")


@pytest.mark.parametrize("game", games())
def test_every_game_has_a_guided_first_game(person: Callable[..., Person], game: str) -> None:
    me = person()
    page = me.go(f"/learn/{game}/first")
    steps = len(first_game(load(game))) + 2 + bool(load(game).setups)
    me.says(f"Step 1 of {steps}")
    page.get_by_role("button", name="Skip to the game").click()
    page.get_by_role("button", name="Start game").wait_for()


def test_a_loaded_game_has_a_guided_first_game(person: Callable[..., Person], server: Server) -> None:
    text = '[game]\nid = "ours"\nname = "Ours"\nextends = "shako"\n'
    (server.games / "ours.toml").write_text(text, encoding="utf-8")
    me = person()
    me.until(lambda: any(game["id"] == "ours" for game in server.ask("/api/games")))
    me.go("/learn/ours/first")
    me.says("2 new pieces")
    go_on(me)
    make(me, first_game(load("shako"))[0].moves[0])
    me.says("Done.")
