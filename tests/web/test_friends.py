"""Two people, two browsers, one match."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Route, expect

from acedrex import load
from tests.web.people import Person, Server


def meet(person: Callable[..., Person], game: str = "Magi") -> tuple[Person, Person]:
    """Create a match with a friend as people do: on the page, with a link."""
    ann, ben = person(), person()
    page = ann.go("/new?opponent=friend")
    page.get_by_label("Game").select_option(label=game)
    page.get_by_label("Clock").select_option(label="20+15 (20 min + 15 s per turn)")
    page.get_by_role("button", name="Create link").click()
    link = page.get_by_label("Link for your friend")
    expect(link).to_have_value(re.compile("#invite="))
    ben.page.goto(link.input_value())
    ben.says("invites you to")
    ben.page.get_by_role("button", name="Join game").click()
    ann.says("Your turn")
    # Her page may show this before his does.
    ben.page.wait_for_url(lambda url: "#" not in url)
    return ann, ben


def made(person: Person, text: str) -> None:
    person.page.get_by_role("button", name=text, exact=True).wait_for(state="attached")


PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


@pytest.mark.parametrize("device", [{}, PHONE], ids=["desktop", "phone"])
def test_an_invitation_shows_the_side_the_setup_and_the_rules(
    person: Callable[..., Person], server: Server, device: dict[str, Any]
) -> None:
    token = server.guest("Ann")
    match = server.match(token, "metamachy", {"kind": "friend"}, setup="choose")
    ann, ben = person(token, **device), person(**device)
    ann.go(f"/match/{match['match']}")
    ann.says("You will play White.")
    ann.says("Black chooses the setup before the first move.")
    ben.go(f"/match/{match['match']}#invite={match['invite']}")
    ben.says("You will play Black.")
    ben.says("You choose the setup before the first move.")
    with ben.context.expect_page() as opened:
        ben.page.get_by_role("link", name="Rules and pieces of Metamachy").click()
    opened.value.get_by_role("heading", name="Metamachy").wait_for()
    opened.value.close()

    # He has not left the invitation, and can see how pieces move before he joins.
    assert "#invite=" in ben.page.url
    top = "document.querySelector('[data-square]').getBoundingClientRect().top + scrollY"
    before = ben.page.evaluate(top)
    how_pieces_move(ben)
    assert ben.page.evaluate(top) == before, "the board has moved"
    assert ben.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    ben.page.get_by_role("button", name="Close", exact=True).click()
    ben.page.get_by_role("button", name="Join game").click()
    ben.says("Choose the setup.")
    # Ann waits for the setup: every piece is shown on an empty board.
    ann.says("Black is choosing the setup.")
    ann.page.get_by_role("button", name="How pieces move").click()
    ann.tap("b2")
    ann.says(load("metamachy").piece("R").help)
    ann.until("document.querySelectorAll('.over .dot').length === 22")


def how_pieces_move(who: Person) -> None:
    """Ask how a Rook moves in this position, then on an empty board; then a Bishop, without pressing "?" again."""
    who.page.get_by_role("button", name="How pieces move").click()
    who.tap("b2")
    said = who.says("No moves from here.").bounding_box()
    bar = who.page.get_by_role("toolbar").bounding_box()
    assert said["y"] + said["height"] <= bar["y"], "what the board says is behind the buttons"
    who.page.get_by_role("button", name="On an empty board").click()
    who.until("document.querySelectorAll('.over .dot').length === 22")
    expect(who.page.get_by_text("No moves from here.")).to_have_count(0)
    who.tap("d2")
    who.says(load("metamachy").piece("B").help)
    who.until("document.querySelectorAll('.over .dot').length === 13")
    who.page.get_by_role("button", name="In this position").click()
    who.until("document.querySelectorAll('.over .dot').length === 2")


def test_a_random_setup_is_not_announced_as_a_choice(person: Callable[..., Person], server: Server) -> None:
    match = server.match(server.guest(), "metamachy", {"kind": "friend"}, setup="random", side="black")
    ben = person()
    ben.go(f"/match/{match['match']}#invite={match['invite']}")
    ben.says("You will play White.")
    assert ben.page.get_by_text("setup before the first move").count() == 0


def test_a_match_cannot_be_created_before_its_game_is_loaded(person: Callable[..., Person]) -> None:
    # Requests of a service worker cannot be held back.
    me = person(service_workers="block")
    page = me.go("/new?opponent=friend")
    held: list[Route] = []
    page.route(re.compile(r"/api/games/magi(\?|$)"), lambda route: held.append(route))
    page.get_by_label("Game").select_option(label="Magi")
    button = page.get_by_role("button", name="Create link")
    expect(button).to_be_disabled()
    me.until(lambda: bool(held))
    held[0].continue_()
    button.click()
    expect(page.get_by_label("Link for your friend")).to_have_value(re.compile("#invite="))


def test_a_match_survives_a_lost_connection(person: Callable[..., Person]) -> None:
    ann, ben = meet(person)
    ann.tap("e2")
    ann.tap("e3")
    made(ben, "Turn 1, White, e3")
    ben.says("Your turn")
    assert ben.page.title().startswith("Your turn")

    # Ben's network fails, but he plays on.
    ben.context.set_offline(True)
    before = ben.page.locator(".viewport").bounding_box()
    ben.says("Connection lost. Reconnecting")
    ben.until(lambda: ben.page.locator(".viewport").bounding_box() == before)
    ben.tap("e9")
    ben.tap("e8")
    ben.says("Your move will be sent when you are back online")
    ann.says("offline")
    ben.context.set_offline(False)
    made(ann, "Turn 1, Black, e8")
    made(ben, "Turn 1, Black, e8")

    # Now it fails while Ann plays: he sees her move when he is back.
    ben.context.set_offline(True)
    ann.tap("f2")
    ann.tap("f3")
    made(ann, "Turn 2, White, f3")
    ben.context.set_offline(False)
    made(ben, "Turn 2, White, f3")
    ben.tap("f9")
    ben.tap("f8")
    made(ann, "Turn 2, Black, f8")
    assert [move["move"] for move in ann.state()["moves"]] == [move["move"] for move in ben.state()["moves"]]
    assert len(ann.state()["moves"]) == 4


def test_players_can_chat_make_offers_resign_and_play_a_rematch(person: Callable[..., Person]) -> None:
    ann, ben = meet(person)
    ann.page.get_by_role("tab", name="Chat").click()
    ann.page.get_by_label("Message").fill("<b>hello</b>")
    ann.page.get_by_label("Send").click()
    ben.page.get_by_role("tab", name="Chat").click()
    ben.says("<b>hello</b>")
    ben.page.get_by_role("button", name="Mute").click()
    expect(ben.page.get_by_text("<b>hello</b>")).to_have_count(0)

    for who, move in ((ann, ("e2", "e3")), (ben, ("e9", "e8"))):
        who.says("Your turn")
        who.tap(move[0])
        who.tap(move[1])
    ann.says("Your turn")
    ben.page.get_by_role("button", name="Offer a draw").click()
    ann.page.get_by_role("button", name="Decline").click()
    ben.page.get_by_text("You offered a draw.").wait_for(state="detached")
    ben.says("declined the draw.")
    ben.page.get_by_role("button", name="Take back").click()
    ann.says("requests a takeback")
    ann.page.get_by_role("button", name="Accept").click()
    ben.says("Your turn")
    assert len(ben.state()["moves"]) == 1
    for who in (ann, ben):
        who.page.get_by_role("tab", name="Moves").click()
        made(who, "Turn 1, White, e3")
        expect(who.page.get_by_role("button", name="Turn 1, Black, e8", exact=True)).to_have_count(0)

    ben.page.get_by_role("button", name="Resign").click()
    ben.page.get_by_role("dialog").get_by_role("button", name="Keep playing").click()
    assert ben.state()["phase"] == "play"
    ben.page.get_by_role("button", name="Resign").click()
    ben.page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    ann.says("Black resigned. You won.")
    ben.says("Black resigned. You lost.")
    first = ann.match
    ann.page.get_by_role("button", name="Rematch").click()
    ben.page.get_by_role("button", name="Accept").click()
    for who in (ann, ben):
        who.page.wait_for_url(lambda url: first not in url)
        who.says("to move" if who is ann else "Your turn")
    assert (ann.match, ann.state()["seat"], ben.state()["seat"]) == (ben.match, "black", "white")


def test_a_visitor_without_an_invitation_can_only_watch(person: Callable[..., Person]) -> None:
    ann, ben = meet(person)
    eve = person()
    eve.go(f"/match/{ann.match}")
    eve.says("White to move")
    eve.tap("e2")
    eve.tap("e3")
    ann.tap("d3")
    ann.tap("d4")
    made(eve, "Turn 1, White, d4")
    assert eve.page.get_by_role("button", name="Resign").count() == 0
    assert len(ben.state()["moves"]) == 1


def test_two_tabs_of_a_player_stay_in_step(person: Callable[..., Person]) -> None:
    ann, ben = meet(person)
    other = ann.context.new_page()
    other.goto(ann.page.url)
    other.get_by_text("Your turn").first.wait_for()
    ann.tap("e2")
    ann.tap("e3")
    other.get_by_role("button", name="Turn 1, White, e3").wait_for(state="attached")
    made(ben, "Turn 1, White, e3")


def test_a_premove_can_recapture_where_the_players_own_pawn_stands(person: Callable[..., Person]) -> None:
    ann, ben = meet(person, "Chess")
    for who, move in ((ann, ("e2", "e4")), (ben, ("d7", "d5"))):
        who.says("Your turn")
        who.tap(move[0])
        who.tap(move[1])
    ann.says("Your turn")
    ben.pick_up("d8")
    ben.until("document.querySelectorAll('.over .dot').length > 0")
    ben.tap("d5")
    ann.tap("e4")
    ann.tap("d5")
    made(ann, "Turn 2, Black, Qxd5")


def test_a_challenge_in_the_lobby_can_be_accepted(person: Callable[..., Person], server: Server) -> None:
    ann, ben = person(server.guest("Ann of the lobby")), person()
    ben.go("/lobby")
    page = ann.go("/new?opponent=lobby&game=chess")
    page.get_by_role("button", name="Post challenge").click()
    ann.says("Your challenge is in the lobby")
    ben.page.get_by_role("button", name="Accept Chess, Ann of the lobby").click()
    ann.says("Your turn")
    ben.says("to move")
    assert {ann.state()["seat"], ben.state()["seat"]} == {"white", "black"}
