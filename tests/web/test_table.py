"""The match page, apart from moving pieces by hand."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.web.people import Person, Server


def test_a_move_can_be_typed_without_touching_the_board_first(person: Callable[..., Person], server: Server) -> None:
    token = server.guest()
    me = person(token)
    page = me.go(f"/match/{server.match(token, 'chess', {'kind': 'self'})['match']}")
    me.says("White to move")
    page.keyboard.type("Nf3")
    me.says("Typed: Nf3")
    page.keyboard.press("Enter")
    me.says("Black to move")
    # Keys in the chat are not moves.
    page.get_by_role("tab", name="Chat").click()
    page.get_by_label("Message").fill("")
    page.get_by_label("Message").type("e5")
    page.keyboard.press("Enter")
    me.says("e5")
    assert [move["san"] for move in me.state()["moves"]] == ["Nf3"]


def test_pass_and_play_allows_takebacks_and_confirms_a_draw(person: Callable[..., Person], server: Server) -> None:
    token = server.guest()
    me = person(token)
    page = me.go(f"/match/{server.match(token, 'chess', {'kind': 'self'})['match']}")
    me.says("White to move")
    me.tap("e2")
    me.tap("e4")
    me.says("Black to move")
    page.get_by_role("button", name="Take back").click()
    me.says("White to move")
    page.get_by_role("button", name="Declare a draw").click()
    page.get_by_role("dialog").get_by_role("button", name="Keep playing").click()
    assert me.state()["phase"] == "play"
    page.get_by_role("button", name="Declare a draw").click()
    page.get_by_role("dialog").get_by_role("button", name="Declare a draw").click()
    me.says("Draw: by agreement")


@pytest.mark.parametrize("width", [1280, 1024])
def test_the_resign_button_does_not_move(person: Callable[..., Person], server: Server, width: int) -> None:
    token = server.guest()
    me = person(token, viewport={"width": width, "height": 844})
    page = me.go(f"/match/{server.match(token, 'chess', {'kind': 'self'})['match']}")
    me.says("White to move")
    resign = page.get_by_role("button", name="Resign")
    before = resign.bounding_box()
    me.type_move("e4")
    # There is one more button now.
    page.get_by_role("button", name="Take back").wait_for()
    me.until(lambda: resign.bounding_box() == before)
    page.get_by_role("button", name="Take back").click()
    me.until("!document.querySelector('.actions').textContent.includes('Take back')")
    me.until(lambda: resign.bounding_box() == before)


def test_only_the_player_short_of_time_hears_a_warning(person: Callable[..., Person], server: Server) -> None:
    ann, ben = server.guest("Ann"), server.guest("Ben")
    time = {"kind": "fischer", "initial_ms": 11_500, "increment_ms": 0}
    made = server.match(ann, "chess", {"kind": "friend"}, time=time)
    server.ask(f"/api/matches/{made['match']}/seat", {"invite": made["invite"]}, ben)
    white, black = person(ann), person(ben)
    for one in (white, black):
        one.context.add_init_script(
            "window.heard = []; const own = AudioContext.prototype.createOscillator;"
            "AudioContext.prototype.createOscillator = function () {"
            " heard.push(document.querySelector('.clock.low') !== null); return own.call(this); };"
        )
        one.go(f"/match/{made['match']}")
    for who, move in ((white, ("e2", "e4")), (black, ("e7", "e5"))):
        who.says("Your turn")
        who.tap(move[0])
        who.tap(move[1])
    white.until("document.querySelector('.clock.low') !== null")
    white.until("heard.includes(true)")
    black.page.wait_for_timeout(500)
    assert not black.page.evaluate("heard.includes(true)"), "only whose time it is hears it"


def test_an_invitation_created_in_another_browser_is_explained(person: Callable[..., Person], server: Server) -> None:
    token = server.guest()
    me = person(token)
    me.go(f"/match/{server.match(token, 'magi', {'kind': 'friend'})['match']}")
    me.says("The invitation link is in the browser where you created it.")
    me.go(f"/match/{server.match(token, 'magi', {'kind': 'lobby'})['match']}")
    me.says("Your challenge is in the lobby.")


@pytest.mark.parametrize("width", [1440, 390, 320])
def test_correspondence_clocks_do_not_cut_off_names(person: Callable[..., Person], server: Server, width: int) -> None:
    names = ("Annabelle of the Twelve Towers", "Bartholomew Longname the Third")
    ann, ben = (server.guest(name) for name in names)
    time = {"kind": "correspondence", "days_per_turn": 14, "reserve_days": 30}
    made = server.match(ann, "chess", {"kind": "friend"}, time=time)
    server.ask(f"/api/matches/{made['match']}/seat", {"invite": made["invite"]}, ben)
    me = person(token=ann, viewport={"width": width, "height": 844})
    me.go(f"/match/{made['match']}")
    me.says("Your turn")
    for name in names:
        place = me.page.locator(".who strong", has_text=name)
        assert place.evaluate("one => one.scrollWidth <= one.clientWidth && one.scrollHeight <= one.clientHeight + 1")
        assert place.evaluate("one => getComputedStyle(one).textOverflow") != "ellipsis"
    for part in me.page.locator(".player *:visible").all():
        box = part.bounding_box()
        assert box is None or box["x"] + box["width"] <= width


def test_an_imported_match_shows_no_chat_and_nobody_as_offline(person: Callable[..., Person], server: Server) -> None:
    token = server.guest()
    server.bring(token, '[White "Anderssen"]\n[Black "Kieseritzky"]\n[Result "1-0"]\n\n1. e4 e5 1-0\n')
    me = person(token=token)
    found = server.ask("/api/archive?whose=mine", token=token)["matches"][0]
    page = me.go(f"/match/{found['match']}")
    me.says("Kieseritzky")
    expect(page.get_by_role("tab")).to_have_text(["Moves", "Match"])
    assert page.get_by_text("offline").count() == 0
