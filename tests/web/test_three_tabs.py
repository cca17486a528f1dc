"""Both players and a spectator: at every step each tab shows the moves that the server has."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import expect

from tests.web.people import Person
from tests.web.test_friends import meet

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
LISTED = "[...document.querySelectorAll('.moves button')].map((button) => button.getAttribute('aria-label'))"


def agree(people: tuple[Person, ...], *expected: str) -> None:
    """Wait until every tab lists exactly the moves of the server, which are the expected ones."""
    for _ in range(150):
        moves = people[0].state()["moves"]
        if [move["san"] for move in moves] == list(expected):
            break
        people[0].page.wait_for_timeout(100)
    server = [f"Turn {move['turn']}, {move['side'].title()}, {move['san']}" for move in moves]
    assert [move["san"] for move in moves] == list(expected)
    for person in people:
        for _ in range(150):
            listed = person.page.evaluate(LISTED)
            if listed == server:
                break
            person.page.wait_for_timeout(100)
        assert listed == server


def move(person: Person, start: str, end: str) -> None:
    """Make a move on the board, when it is the person's turn."""
    person.says("Your turn")
    person.pick_up(start)
    person.tap(end)


def replay(people: tuple[Person, ...], squares: dict[str, str]) -> None:
    """Step back to the start and forward again in every tab; `squares` gives the pieces at the end."""
    for person in people:
        label = """document.querySelector('.board-box [data-square="{}"]').ariaLabel.includes('{}')"""
        person.page.keyboard.press("Home")
        person.says("Starting position")
        # The board follows the text a moment later.
        for square in squares:
            person.until(label.format(square, "empty"))
        person.page.keyboard.press("End")
        person.page.get_by_text("Starting position").wait_for(state="detached")
        for square, piece in squares.items():
            person.until(label.format(square, piece))


def test_three_tabs_follow_a_takeback_a_rematch_and_a_replay(person: Callable[..., Person]) -> None:
    ann, ben = meet(person, "Chess")
    eve = person(**PHONE)
    eve.go(f"/match/{ann.match}")
    tabs = (ann, ben, eve)
    move(ann, "e2", "e4")
    agree(tabs, "e4")
    move(ben, "e7", "e5")
    agree(tabs, "e4", "e5")
    move(ann, "g1", "f3")
    agree(tabs, "e4", "e5", "Nf3")

    # Ben takes his move back, and with it Ann's answer.
    ben.page.get_by_role("button", name="Take back").click()
    ann.page.get_by_role("button", name="Accept").click()
    agree(tabs, "e4")
    move(ben, "c7", "c5")
    agree(tabs, "e4", "c5")
    replay(tabs, {"e4": "white Pawn", "c5": "black Pawn"})
    agree(tabs, "e4", "c5")

    # The players can read the spectators' messages after the game.
    eve.page.get_by_role("button", name="More").click()
    eve.page.get_by_role("tab", name="Chat").click()
    eve.page.get_by_role("button", name="Chat as a guest").click()
    eve.says("The players read this when the game is over.")
    eve.page.get_by_label("Message").fill("Sicilian")
    eve.page.get_by_label("Send").click()
    eve.says("Sicilian")
    ann.page.get_by_role("tab", name="Chat").click()
    ann.says("Spectators read this when the game is over.")
    assert ann.page.get_by_text("Sicilian").count() == 0
    ben.page.get_by_role("button", name="Resign").click()
    ben.page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    ann.says("Sicilian")
    ann.says("spectator")
    ann.page.get_by_role("tab", name="Moves").click()
    eve.page.get_by_role("tab", name="Moves").click()
    agree(tabs, "e4", "c5")

    # The rematch: sides change, and the score of the series is shown to all three.
    first = ann.match
    ann.page.get_by_role("button", name="Rematch").click()
    ben.page.get_by_role("button", name="Accept").click()
    eve.page.get_by_role("button", name="More").click()
    eve.page.get_by_role("link", name="To the rematch").click()
    for tab in tabs:
        tab.page.wait_for_url(lambda url: first not in url)
    assert {tab.match for tab in tabs} == {ann.match}
    agree(tabs)
    for tab in tabs:
        points = {side: tab.page.get_by_label(side, exact=True).locator(".points") for side in ("White", "Black")}
        for side, score in (("White", "0 : 1"), ("Black", "1 : 0")):
            expect(points[side]).to_have_text(re.compile(f"{score}$"))
    move(ben, "d2", "d4")
    agree(tabs, "d4")
    move(ann, "g8", "f6")
    agree(tabs, "d4", "Nf6")
    ann.page.get_by_role("button", name="Take back").click()
    ben.page.get_by_role("button", name="Accept").click()
    agree(tabs, "d4")
    move(ann, "d7", "d5")
    agree(tabs, "d4", "d5")
    for tab in tabs:
        tab.page.reload()
    agree(tabs, "d4", "d5")
    replay(tabs, {"d4": "white Pawn", "d5": "black Pawn"})
