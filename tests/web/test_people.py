"""Profiles, messages and moderation in the app: two players meet again, and a rude one is muted."""

from __future__ import annotations

import contextlib
import json
import sqlite3
from collections.abc import Callable
from typing import Any

from websockets.sync.client import connect

from tests.conftest import TIMEOUT
from tests.web.people import Person, Server
from tests.web.test_account import FITS, PHONE, create, section

DAYS = {"kind": "correspondence", "days_per_turn": 3, "reserve_days": 0}


def play(server: Server, white: str, black: str) -> str:
    """Let two people begin a match, who both move and write a line."""
    match = str(server.match(white, "chess", {"kind": "lobby"}, time=DAYS)["match"])
    server.ask(f"/api/lobby/{match}/accept", {}, black)
    for token, move, text in ((white, "e2e4", "Hello"), (black, "e7e5", "Buy my boards")):
        with connect(server.url.replace("http", "ws") + f"/api/matches/{match}/socket") as line:
            line.send(json.dumps({"type": "hello", "token": token, "after": None}))
            number = json.loads(line.recv(TIMEOUT))["number"]
            line.send(json.dumps({"type": "move", "move": move, "number": number, "id": "1"}))
            line.send(json.dumps({"type": "chat", "text": text, "id": "2"}))
            while (heard := json.loads(line.recv(TIMEOUT))).get("id") != "2":
                assert heard["type"] != "refused", heard
            assert heard["type"] == "ack", heard
    return match


def appoint(server: Server, person: Person) -> None:
    """Make somebody a moderator."""
    id = server.ask("/api/me", token=person.token)["id"]
    with contextlib.closing(sqlite3.connect(server.games.parent / "test.db")) as database, database:
        database.execute("INSERT INTO moderators (person, at) VALUES (?, 1)", (id,))


def write(page: Any, text: str) -> None:
    page.get_by_role("textbox", name="Write a message").fill(text)
    page.get_by_role("button", name="Send").click()


def test_players_find_follow_and_write_to_each_other(person: Callable[..., Person], server: Server) -> None:
    ana, bo = person(), person(**PHONE)
    create(ana, "Adelina")
    create(bo, "Bertrand")
    match = play(server, ana.token, bo.token)
    page = ana.go(f"/match/{match}")
    page.get_by_role("link", name="Bertrand").first.click()
    ana.says("online")
    section(page, "Playing now").get_by_role("link", name="Bertrand", exact=True).wait_for()
    page.get_by_role("button", name="Follow", exact=True).click()
    page.get_by_role("button", name="Unfollow").wait_for()
    page.get_by_role("link", name="Message").click()
    write(page, "Shall we play Magi next?")
    page.get_by_role("log").get_by_text("Shall we play Magi next?").wait_for()
    # It is in the header of the other, who answers; the answer arrives without a reload.
    phone = bo.go("/people")
    phone.get_by_role("button", name="Menu").click()
    phone.get_by_role("link", name="1 conversation with new messages").click()
    phone.get_by_role("heading", name="Messages", exact=True).wait_for()
    phone.get_by_role("link", name="Adelina", exact=True).click()
    phone.get_by_text("Shall we play Magi next?").wait_for()
    assert phone.evaluate(FITS)
    write(phone, "With pleasure")
    page.get_by_role("log").get_by_text("With pleasure").wait_for()
    own = ana.go("/people")
    followed = section(own, "Players you follow")
    followed.get_by_role("link", name="Bertrand").wait_for()
    followed.get_by_role("link", name="Playing: watch").wait_for()
    phone = bo.go("/people/Adelina")
    assert phone.evaluate(FITS)
    phone.get_by_role("button", name="Block").click()
    bo.says("You have blocked this player")
    page = ana.go("/messages/Bertrand")
    ana.says("You can write to people whom you have played")
    assert page.get_by_role("textbox", name="Write a message").count() == 0


def test_a_moderator_mutes_who_was_reported_and_who_learns_why(person: Callable[..., Person], server: Server) -> None:
    ana, bo, mo = person(), person(), person(**PHONE)
    for one, name in ((ana, "Amandine"), (bo, "Bonaventure"), (mo, "Monique")):
        create(one, name)
    appoint(server, mo)
    match = play(server, ana.token, bo.token)
    page = ana.go(f"/match/{match}")
    page.get_by_role("tab", name="Chat").click()
    page.get_by_role("button", name="Report or block").click()
    dialog = page.get_by_role("dialog", name="Report Bonaventure")
    dialog.get_by_label("Reason").fill("Advertising")
    dialog.get_by_role("button", name="Send to the moderators").click()
    dialog.get_by_text("A moderator will look at it.").wait_for()
    phone = mo.go("/moderation")
    report = phone.get_by_role("article").filter(has_text="Bonaventure")
    report.get_by_text("Amandine reported: Advertising").wait_for()
    assert report.locator(".reported").inner_text() == "Bonaventure Buy my boards"
    assert phone.evaluate(FITS)
    report.get_by_label("Action").select_option("Mute")
    report.get_by_label("Reason").fill("No advertising here")
    report.get_by_role("button", name="Mute").click()
    section(phone, "Log").get_by_text("Monique muted Bonaventure").wait_for()
    report.wait_for(state="detached")
    bo.go("/people")
    bo.says("No advertising here")


def test_moderators_see_whose_moves_are_far_from_those_of_others(person: Callable[..., Person], server: Server) -> None:
    mo, suspect = person(**PHONE), person()
    create(mo, "Mathilde")
    create(suspect, "Surprising")
    appoint(server, mo)
    id = server.ask("/api/me", token=suspect.token)["id"]
    shares = [(f"p{number}", 30 + number, 4000 + 50 * number) for number in range(5)]
    with contextlib.closing(sqlite3.connect(server.games.parent / "test.db", timeout=30)) as database, database:
        for whom, first, loss in [*shares, (id, 92, 310)]:
            row = (f"match of {whom}", "white", whom, "magi", 100, first, loss, 0)
            database.execute("INSERT INTO comparisons VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)
    for theme in ("light", "dark"):
        mo.page.emulate_media(color_scheme=theme)
        page = mo.go("/moderation")
        shown = section(page, "Fair play")
        shown.get_by_text("1 player is far from the others. Compared: 6 players.").wait_for()
        cells = shown.get_by_role("row").filter(has_text="Surprising").get_by_role("cell").all_inner_texts()
        assert cells == ["1 (100)", "92%", "3"]
        medians = shown.get_by_role("row").filter(has_text="median").get_by_role("cell").all_inner_texts()
        assert medians == ["", "33%", "41"]
        assert page.evaluate(FITS)


def test_only_moderators_see_the_page_of_moderators(person: Callable[..., Person], server: Server) -> None:
    guest = person(server.guest("Curious"))
    guest.expected.append("status of 403")
    guest.go("/moderation")
    guest.says("Only moderators can open this page.")
