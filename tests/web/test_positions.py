"""Playing from a position: from the library, the editor, an analysis and a puzzle."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from acedrex import load
from tests.web.people import Person, Server

PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
ENDING = "4k3/8/8/8/8/8/4P3/4K3 b - - 3 40"


def begins(me: Person, fen: str, opponent: str = "Pass and play", start: str = "Start game") -> Any:
    """Start the match on the page, check that it has this position, and return its state."""
    me.page.wait_for_url("**/new?**")
    me.says("From a position")
    assert me.page.get_by_text("Play online", exact=True).count() == 0
    me.page.get_by_text(opponent, exact=True).click()
    me.page.get_by_role("button", name=start).click()
    me.page.wait_for_url("**/match/*")
    state = me.state()
    assert (state["start_fen"], state["from_position"]) == (fen, True)
    return state


@pytest.mark.parametrize("device", [{}, PHONE], ids=["desktop", "phone"])
def test_a_game_can_start_from_a_library_position(
    person: Callable[..., Person], server: Server, device: dict[str, Any]
) -> None:
    me = person(**device)
    me.go("/new?game=magi")
    me.page.get_by_role("link", name="Play from a position").click()
    me.says("Won endings")
    me.page.get_by_label("Game").select_option(label="Metamachy")
    me.says("White without Queen")
    found = server.ask("/api/games/metamachy/positions")
    expect(me.page.locator(".small-cards .card-link")).to_have_count(sum(len(found[part]) for part in found))
    second = me.page.locator(".small-cards .card-link").nth(1)
    assert found["endings"][1]["side"] == "black"
    expect(second.get_by_role("heading")).to_have_text(f"Black mates in {found['endings'][1]['moves']}.")
    second.click()
    me.says("Black to move")
    expect(me.page.get_by_label("Black", exact=True)).to_be_checked()
    state = begins(me, found["endings"][1]["fen"], "Engine")
    assert (state["seat"], state["opponent"]) == ("black", "engine")
    assert "move" in state["may"]


def test_a_friend_can_join_a_handicap_game(person: Callable[..., Person], server: Server) -> None:
    ann, ben = person(), person()
    ann.go("/positions?game=chess")
    ann.page.get_by_role("link", name="White without Rook").click()
    fen = next(one["fen"] for one in server.ask("/api/games/chess/positions")["handicaps"] if one["letter"] == "R")
    begins(ann, fen, "A friend (by link)", "Create link")
    link = ann.page.get_by_label("Link for your friend")
    expect(link).to_have_value(re.compile("#invite="))
    ben.page.goto(link.input_value())
    ben.page.get_by_role("button", name="Join game").click()
    ann.says("Your turn")
    expect(ben.page.locator('[data-square="a1"]')).to_have_attribute("aria-label", re.compile("empty$"))
    ann.page.get_by_role("tab", name="Match").click()
    ann.says("From a position")


def test_a_game_can_start_from_the_editor_and_the_next_from_the_start(person: Callable[..., Person]) -> None:
    me = person()
    me.go("/analysis/edit?game=chess")
    me.page.get_by_label("FEN").fill(ENDING)
    me.page.get_by_label("FEN").press("Enter")
    me.page.locator(f'a[href*="{ENDING.split("/", maxsplit=1)[0]}"]').wait_for()
    me.page.get_by_role("link", name="Play from here").click()
    begins(me, ENDING)
    me.tap("e8")
    me.tap("e7")
    me.past(3)
    # The same position is offered for the next game, and so is the game's start.
    me.page.get_by_role("button", name="Resign").click()
    me.page.get_by_role("dialog").get_by_role("button").last.click()
    me.page.get_by_role("link", name="New game").click()
    me.says("From a position")
    me.page.get_by_role("button", name="From the game's start").click()
    me.page.get_by_text("Pass and play", exact=True).click()
    me.page.get_by_role("button", name="Start game").click()
    me.page.wait_for_url("**/match/*")
    assert me.state()["start_fen"] == load("chess").start_fen


def test_a_finished_position_is_refused_with_an_explanation(person: Callable[..., Person]) -> None:
    me = person()
    me.go("/new?game=chess&fen=7k/5Q2/6K1/8/8/8/8/8 b - - 0 1")
    me.page.get_by_role("button", name="Start game").click()
    me.says("No game can begin from this position")
    me.complaints = [one for one in me.complaints if "400" not in one]


def test_a_game_can_start_from_an_analysis(person: Callable[..., Person]) -> None:
    me = person()
    me.go("/analysis")
    me.page.locator("#pgn").fill("1. e4 e5 *")
    me.page.get_by_role("button", name="Import").click()
    me.page.locator(".tree button").first.click()
    me.page.get_by_role("tab", name="Share").click()
    me.page.locator('a[href*="4P3"]', has_text="Play from here").click()
    state = begins(me, "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1")
    assert state["position"]["turn"] == "black"


def test_a_game_can_start_from_a_puzzle_once_it_is_over(person: Callable[..., Person], server: Server) -> None:
    me = person(**PHONE)
    me.go("/daily")
    assert me.page.get_by_role("link", name="Play from here").count() == 0
    me.page.get_by_role("button", name="Show").first.click()
    me.page.get_by_role("link", name="Play from here").first.click()
    begins(me, server.ask("/api/daily")["puzzle"]["fen"])
