"""What a finished match offers, on every device and to everybody."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.web.people import Person, Server
from tests.web.test_fit import box

PHONES: dict[str, dict[str, Any]] = {
    f"{width}x{height} {language}": {
        "viewport": {"width": width, "height": height},
        "has_touch": True,
        "is_mobile": True,
        "locale": language,
    }
    for width, height, language in ((390, 844, "en-GB"), (360, 740, "fr-FR"), (740, 360, "fr-FR"), (820, 1180, "en-GB"))
}
MATE = ("f2f3", "e7e5", "g2g4", "d8h4")
NAMES = re.compile("Rematch|Revanche"), re.compile("Analys"), re.compile("New game|Nouvelle partie")


def mated(person: Callable[..., Person], server: Server, game: str = "chess") -> tuple[str, str]:
    """Play pass and play to a mate or a draw; return the match and the token of its player."""
    token = server.guest()
    me = person(token)
    match = server.match(token, game, {"kind": "self"})["match"]
    page = me.go(f"/match/{match}")
    if game == "chess":
        for number, move in enumerate(MATE):
            me.until(f"document.querySelectorAll('.moves button').length === {number}")
            me.type_move(move)
    else:
        me.says("White to move")
        number = me.state()["number"]
        me.type_move("e3e4" if game == "metamachy" else "e2e4")
        me.past(number)
        page.get_by_role("button", name="Declare a draw").click()
        page.get_by_role("dialog").get_by_role("button", name="Declare a draw").click()
    page.locator(".news.ending").wait_for()
    return match, token


@pytest.mark.parametrize("device", PHONES)
def test_a_phone_shows_what_comes_next_without_a_menu(
    person: Callable[..., Person], server: Server, device: str
) -> None:
    match, token = mated(person, server)
    me = person(token, **PHONES[device])
    page = me.go(f"/match/{match}")
    page.locator(".news.ending").wait_for()
    page.locator(".piece").first.wait_for()
    size = PHONES[device]["viewport"]
    # Beside the board in landscape, and otherwise above the bar that stays at the bottom.
    bar = size["height"] if size["width"] == 740 else box(page, ".match-bar")["y"]
    for name in NAMES:
        place = page.locator(".after-match").get_by_text(name)
        expect(place).to_be_visible()
        found = place.bounding_box()
        assert found is not None
        assert found["x"] >= 0 and found["x"] + found["width"] <= size["width"]
        assert found["y"] >= 0 and found["y"] + found["height"] <= bar and found["height"] >= 36
    assert page.evaluate("scrollY") == 0
    page.locator(".after-match").get_by_text(NAMES[0]).tap()
    page.wait_for_url(lambda url: match not in url)


def test_a_match_on_this_device_offers_the_same(person: Callable[..., Person]) -> None:
    me = person(**PHONES["390x844 en-GB"])
    page = me.go("/new?game=chess&opponent=self&device=on")
    page.get_by_label("Play on this device").check()
    page.get_by_role("button", name="Start game").click()
    me.says("White to move")
    for number, move in enumerate(MATE):
        me.until(f"document.querySelectorAll('.moves button').length === {number}")
        me.type_move(move)
    page.locator(".news.ending").wait_for()
    for name in NAMES:
        expect(page.locator(".after-match").get_by_text(name)).to_be_in_viewport()
    page.locator(".after-match").get_by_text("Analyse").tap()
    page.locator(".tree").wait_for(state="attached")


@pytest.mark.parametrize("game", ["chess", "metamachy"])
def test_the_analysis_of_a_finished_match_opens_for_others(
    person: Callable[..., Person], server: Server, game: str
) -> None:
    match, token = mated(person, server, game)
    me = person(token)
    page = me.go(f"/match/{match}")
    page.locator(".after-match").get_by_text("Analyse").click()
    page.locator(".tree").wait_for()
    address = page.url
    moves = page.locator(".tree").inner_text()
    other = person()
    there = other.page
    there.goto(address)
    there.locator(".tree").wait_for()
    assert there.locator(".tree").inner_text() == moves
    # It is this person's own from then on.
    there.reload()
    there.locator(".tree").wait_for()


def test_the_analysis_of_a_match_that_goes_on_or_is_unknown_says_why(
    person: Callable[..., Person], server: Server
) -> None:
    match = server.match(server.guest(), "chess", {"kind": "self"})["match"]
    me = person()
    me.go(f"/analysis/match-{match}")
    me.says("still in progress")
    me.go("/analysis/match-nothing")
    me.says("Match not found")
    me.go("/analysis/match-local-nothing")
    me.says("not in this browser")
    # The browser reports that the server knows no such match.
    me.complaints.clear()


@pytest.mark.parametrize("path", ["match", "analysis"])
def test_the_board_takes_the_width_of_a_tablet(person: Callable[..., Person], server: Server, path: str) -> None:
    match, token = mated(person, server)
    me = person(token, **PHONES["820x1180 en-GB"])
    page = me.go(f"/match/{match}" if path == "match" else f"/analysis?match={match}")
    page.locator(".piece").first.wait_for()
    me.until(lambda: box(page, ".viewport")["width"] >= 780)
    assert page.evaluate("document.scrollingElement.scrollWidth") == 820
    # Turned on its side, it has the column beside the board again.
    page.set_viewport_size({"width": 1180, "height": 820})
    me.until(lambda: box(page, ".viewport")["right"] <= box(page, ".panel")["x"])


def test_an_open_panel_does_not_cover_what_comes_next(person: Callable[..., Person], server: Server) -> None:
    ann, ben = server.guest("Ann"), server.guest("Ben")
    made = server.match(ann, "chess", {"kind": "friend"})
    server.ask(f"/api/matches/{made['match']}/seat", {"invite": made["invite"]}, ben)
    phone, other = person(ann, **PHONES["390x844 en-GB"]), person(ben)
    for one in (phone, other):
        one.go(f"/match/{made['match']}")
    phone.says("Your turn")
    phone.page.get_by_role("button", name="More").tap()
    expect(phone.page.locator(".panel")).to_be_visible()
    other.page.get_by_role("button", name=re.compile("Abort|Resign")).first.click()
    other.page.get_by_role("dialog").get_by_role("button", name=re.compile("Abort|Resign")).click()
    phone.page.locator(".news.ending").wait_for()
    expect(phone.page.locator(".panel")).not_to_be_visible()
