"""Correspondence: planned replies, days off, notes, and the next match that waits."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from websockets.sync.client import connect

from tests.conftest import TIMEOUT
from tests.server.waiting import wait_until
from tests.web.people import Person, Server

DAYS = {"kind": "correspondence", "days_per_turn": 3, "reserve_days": 0}
DESKTOP: dict[str, Any] = {}
PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


def begun(server: Server, white: str, black: str) -> str:
    """Return a match between two people."""
    made = server.match(white, "chess", {"kind": "friend"}, time=DAYS)
    server.ask(f"/api/matches/{made['match']}/seat", {"invite": made["invite"]}, black)
    return str(made["match"])


def move(server: Server, match: str, token: str, text: str) -> None:
    """Make a move without a browser."""
    with connect(server.url.replace("http", "ws") + f"/api/matches/{match}/socket") as line:
        line.send(json.dumps({"type": "hello", "token": token, "after": None}))
        while (heard := json.loads(line.recv(TIMEOUT)))["type"] != "snapshot":
            pass
        line.send(json.dumps({"type": "move", "move": text, "number": heard["number"], "id": "1"}))
        while heard["type"] != "ack":
            heard = json.loads(line.recv(TIMEOUT))
            assert heard["type"] != "refused", heard


@pytest.mark.parametrize("device", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_a_planned_reply_is_made_while_its_player_is_away(
    person: Callable[..., Person], server: Server, device: dict[str, Any]
) -> None:
    ana, bo = server.guest("Ana"), server.guest("Bo")
    match = begun(server, ana, bo)
    move(server, match, ana, "e2e4")
    me = person(ana, **device)
    page = me.go(f"/match/{match}")
    page.get_by_role("link", name="Plan replies").click()
    me.says("Make the move that you expect, then your reply.")
    assert page.locator(".evaluation").count() == 0
    for start, end in (("e7", "e5"), ("g1", "f3")):
        page.locator(f'[data-square="{start}"]').wait_for()
        me.pick_up(start)
        me.tap(end)
    page.get_by_role("button", name="Reply like this").click()
    me.says("This reply is planned.")
    page.get_by_role("link", name="Back to the match").click()
    me.says("1 planned reply")
    page.close()
    move(server, match, bo, "e7e5")
    made = wait_until(lambda: server.ask(f"/api/matches/{match}")["moves"][2:])
    assert [one["move"] for one in made] == ["g1f3"]


def test_days_off_are_taken_and_the_opponent_sees_them(person: Callable[..., Person], server: Server) -> None:
    ana, bo = server.guest("Ana"), server.guest("Bo")
    match = begun(server, ana, bo)
    me = person(ana, **PHONE)
    page = me.go("/mine")
    page.get_by_label("From now on:").select_option("2 days")
    page.get_by_role("button", name="Take days off").click()
    me.says("Your clocks by correspondence stand still until")
    me.says("You have 5 days left.")
    other = person(bo)
    other.go(f"/match/{match}")
    other.says("Ana has days off until")
    page.get_by_role("button", name="End them now").click()
    page.get_by_role("button", name="Take days off").wait_for()


def test_a_key_opens_the_match_that_waits_with_the_least_time(person: Callable[..., Person], server: Server) -> None:
    ana, bo = server.guest("Ana"), server.guest("Bo")
    done, urgent, *_ = [begun(server, ana, bo) for _ in range(3)]
    move(server, done, ana, "e2e4")
    me = person(ana)
    page = me.go(f"/match/{done}")
    me.says("Next match (2 wait for you)")
    page.keyboard.press(".")
    page.wait_for_url(f"**/match/{urgent}")
    cards = me.go("/mine").locator(".card-link")
    cards.nth(2).wait_for(state="attached")
    assert cards.first.get_attribute("href") == f"/match/{urgent}"


def test_a_note_is_there_when_its_writer_comes_back(person: Callable[..., Person], server: Server) -> None:
    ana, bo = server.guest("Ana"), server.guest("Bo")
    match = begun(server, ana, bo)
    me = person(ana)
    page = me.go(f"/match/{match}")
    page.get_by_role("tab", name="Match").click()
    note = page.get_by_label("Your note, which only you see")
    note.fill("Castle on the left")
    # Whoever leaves at once loses nothing.
    page.get_by_role("tab", name="Moves").click()
    wait_until(lambda: server.ask(f"/api/matches/{match}/note", token=ana)["text"] == "Castle on the left")
    page = me.go(f"/match/{match}")
    page.get_by_role("tab", name="Match").click()
    note.wait_for()
    assert note.input_value() == "Castle on the left"
    # Neither does whoever leaves without a connection.
    me.context.set_offline(True)
    note.fill("Castle on the right")
    page.close()
    me.page = me.context.new_page()
    me.context.set_offline(False)
    page = me.go(f"/match/{match}")
    page.get_by_role("tab", name="Match").click()
    note = page.get_by_label("Your note, which only you see")
    wait_until(lambda: server.ask(f"/api/matches/{match}/note", token=ana)["text"] == "Castle on the right")
    assert note.input_value() == "Castle on the right"
