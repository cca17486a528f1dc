"""Tournaments in browsers: a Swiss of eight, and an appointment that is kept."""

from __future__ import annotations

import json
import time
import urllib.request
from collections.abc import Callable
from typing import Any

import pytest
from websockets.sync.client import connect

from tests.conftest import TIMEOUT
from tests.web.people import Person, Server
from tests.web.test_access import serious_violations

LIVE = {"kind": "fischer", "initial_ms": 600_000, "increment_ms": 10_000}
#: What stands in a bracket where it is not known yet who will.
NOBODY = "\N{EN DASH}"
DEVICES = [
    {"viewport": {"width": 1280, "height": 900}},
    {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True},
]


def account(server: Server, name: str) -> str:
    """Return the token of somebody with an account."""
    token = server.guest(name)
    made = server.ask("/api/me/account", {"name": name, "password": "correct horse 42 battery"}, token)
    return str(made["person"]["token"] or token)


def change(server: Server, method: str, path: str, token: str, body: Any = None) -> None:
    """Do something in a tournament."""
    data = None if body is None else json.dumps(body).encode()
    headers = {"Content-Type": "application/json", "Authorization": f"Bearer {token}"}
    request = urllib.request.Request(f"{server.url}/api/tournaments/{path}", data, headers, method=method)
    urllib.request.urlopen(request, timeout=TIMEOUT).close()


def make(server: Server, token: str, name: str, **settings: Any) -> str:
    asked = {"game": {"game": "magi"}, "time": LIVE, "starts_at": int(time.time() * 1000) + 86_400_000, "pause_s": 0}
    body = {"name": name, "settings": {"kind": "swiss", **asked, **settings}}
    return str(server.ask("/api/tournaments", body, token)["tournament"])


def look(server: Server, id: str, what: Callable[[Any], Any]) -> Any:
    """Return a tournament as soon as something holds of it."""
    end = time.monotonic() + TIMEOUT
    while not what(found := server.ask(f"/api/tournaments/{id}")):
        assert time.monotonic() < end, found
        time.sleep(0.3)
    return found


def finish(server: Server, match: str, tokens: dict[str, str]) -> None:
    """Let each side of a game move over the API, and Black resign."""
    names = {side: player["name"] for side, player in server.ask(f"/api/matches/{match}")["players"].items()}
    for side in ("white", "black"):
        state = server.ask(f"/api/matches/{match}", token=tokens[names[side]])
        commands: list[dict[str, Any]] = []
        if "move" in state["may"] and len(state["moves"]) < 2:
            move = state["position"]["legal"][0]["move"]
            commands.append({"type": "move", "move": move, "number": state["number"], "id": "1"})
        if side == "black":
            commands.append({"type": "resign", "id": "2"})
        with connect(server.url.replace("http", "ws") + f"/api/matches/{match}/socket") as line:
            line.send(json.dumps({"type": "hello", "token": tokens[names[side]], "after": None}))
            for command in commands:
                line.send(json.dumps(command))
                while (heard := json.loads(line.recv(timeout=TIMEOUT)))["type"] not in ("ack", "refused"):
                    pass
                assert heard["type"] == "ack" or heard["problem"]["code"] == "over", heard


def running(found: Any) -> list[str]:
    return [game["match"] for board in found["boards"] for game in board["games"] if game["points"] is None]


@pytest.mark.parametrize("device", DEVICES, ids=["desktop", "phone"])
def test_a_swiss_of_eight_is_made_played_and_won_in_browsers(
    person: Callable[..., Person], server: Server, device: dict[str, Any]
) -> None:
    word = "Desk" if device is DEVICES[0] else "Phone"
    tokens = {f"{word}{letter}": account(server, f"{word}{letter}") for letter in "abcdefgh"}
    ana, bo, *others = tokens
    maker, guest = person(tokens[ana], **device), person(tokens[bo], **device)

    # Ana makes it on the page, and enters.
    page = maker.go("/tournaments/new")
    page.get_by_label("Name").fill(f"{word} cup")
    page.get_by_label("Game", exact=True).select_option("magi")
    # What is still loading draws the form anew, with the numbers from before.
    page.wait_for_load_state("networkidle")
    page.get_by_label("Rounds", exact=True).fill("2")
    page.get_by_label("Rounds", exact=True).blur()
    page.get_by_text("More options").click()
    page.get_by_label("Seconds between rounds").fill("0")
    page.get_by_label("Seconds between rounds").blur()
    assert page.get_by_label("Rounds", exact=True).input_value() == "2"
    page.get_by_role("button", name="Create tournament").click()
    maker.says("Nobody has entered yet.")
    id = page.url.rpartition("/")[2]
    page.get_by_role("button", name="Enter", exact=True).click()
    page.get_by_role("button", name="Withdraw").wait_for()

    # Bo finds it in the list and enters too; the others come over the API.
    other = guest.go("/tournaments")
    other.get_by_role("link", name=f"{word} cup").click()
    other.get_by_role("button", name="Enter", exact=True).click()
    other.get_by_role("button", name="Withdraw").wait_for()
    for name in others:
        change(server, "POST", f"{id}/entry", tokens[name])
    # Both see it at once.
    maker.says("8 of 32 places taken")
    page.get_by_text("Organise", exact=True).click()
    page.get_by_role("button", name="Start now").click()

    # Who waits on the page is taken to the game.
    for one in (page, other):
        one.wait_for_url("**/match/*")
    for round in (1, 2):
        found = look(server, id, lambda found, round=round: found["round"] == round and len(running(found)) == 4)
        for match in running(found):
            finish(server, match, tokens)
        if round == 1:
            maker.says("To the tournament").click()
            page.get_by_role("heading", name=f"{word} cup").wait_for()
    look(server, id, lambda found: found["phase"] == "over")
    page = maker.go(f"/tournaments/{id}")
    page.get_by_text("Finished", exact=True).wait_for()
    rows = page.locator(".standings tbody tr")
    assert rows.count() == 8
    points = [row.locator(".total").inner_text() for row in rows.all()]
    assert points == sorted(points, reverse=True) and points[0] == "2"
    assert rows.locator("nth=0").locator(".cell").count() == 2
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    with page.expect_download() as download:
        page.get_by_role("link", name="All games (PGN)").click()
    assert download.value.path().read_text(encoding="utf-8").count(f'[Event "{word} cup"]') == 8


def test_the_bracket_of_a_knockout_says_who_goes_on(person: Callable[..., Person], server: Server) -> None:
    tokens = {name: account(server, name) for name in ("Seed_a", "Seed_b", "Seed_c")}
    ana = tokens["Seed_a"]
    id = make(server, ana, "A knockout", kind="knockout")
    for token in tokens.values():
        change(server, "POST", f"{id}/entry", token)
    change(server, "PUT", f"{id}/start", ana, {"at": 0})
    found = look(server, id, running)
    page = person().go(f"/tournaments/{id}")
    semifinals, final = (page.locator(".bracket > li").nth(place) for place in (0, 1))
    final.wait_for()
    assert final.get_by_role("heading").inner_text() == "Final"
    assert semifinals.locator("p").all_inner_texts() == ["Seed_a", "Bye", "Seed_b", "Seed_c"]
    # Who had no opponent is in the final already, and who wins comes there while one looks.
    assert final.locator("p").all_inner_texts() == ["Seed_a", NOBODY]
    finish(server, running(found)[0], tokens)
    final.locator("p").nth(1).get_by_role("link").wait_for()
    (winner,) = [
        board["players"][board["points"].index(1)]
        for board in look(server, id, lambda f: f["round"] == 2)["boards"][:1]
    ]
    name = next(player["name"] for player in found["players"] if player["player"] == winner)
    assert final.locator("p").all_inner_texts() == ["Seed_a", name]
    assert serious_violations(page) == []


def test_an_appointment_is_proposed_agreed_and_kept(person: Callable[..., Person], server: Server) -> None:
    tokens = [account(server, name) for name in ("Appoint_a", "Appoint_b")]
    id = make(server, tokens[0], "By appointment", rounds=1, appointment_days=7)
    for token in tokens:
        change(server, "POST", f"{id}/entry", token)
    change(server, "PUT", f"{id}/start", tokens[0], {"at": 0})
    look(server, id, lambda found: found["boards"])
    one, two = (person(token) for token in tokens)
    page = one.go(f"/tournaments/{id}")
    # In ten minutes, by the browser's clock.
    soon = page.evaluate(
        "() => { const at = new Date(Date.now() + 600000 - new Date().getTimezoneOffset() * 60000);"
        " return at.toISOString().slice(0, 16) }"
    )
    page.get_by_label("Date and time").fill(soon)
    page.get_by_role("button", name="Add", exact=True).click()
    page.get_by_role("button", name="Send proposal").click()
    one.says("You proposed")
    other = two.go(f"/tournaments/{id}")
    two.says("can play at these times")
    other.locator(".times button").first.click()
    for each in (page, other):
        each.get_by_role("button", name="I am here").wait_for()
    page.get_by_role("button", name="I am here").click()
    one.says("Waiting for your opponent")
    two.says("Your opponent is here.")
    assert server.ask(f"/api/tournaments/{id}")["boards"][0]["games"] == []
    other.get_by_role("button", name="I am here").click()
    # The game begins, and both are taken to it.
    for each in (page, other):
        each.wait_for_url("**/match/*")
    assert one.match == two.match


@pytest.mark.parametrize("name", ["list", "new", "open", "swiss", "appointment"])
def test_pages_of_tournaments_have_no_serious_accessibility_violations(
    person: Callable[..., Person], server: Server, name: str
) -> None:
    token, other = (account(server, f"Axe_{name}_{letter}") for letter in "ab")
    id = make(server, token, f"Axe {name}", **({"appointment_days": 3} if name == "appointment" else {}))
    for one in (token, other):
        change(server, "POST", f"{id}/entry", one)
    if name in ("swiss", "appointment"):
        change(server, "PUT", f"{id}/start", token, {"at": 0})
        look(server, id, lambda found: found["boards"])
    path = {"list": "/tournaments", "new": "/tournaments/new"}.get(name, f"/tournaments/{id}")
    page = person(token).go(path)
    if name == "new":
        page.get_by_text("More options").click()
    page.wait_for_load_state("networkidle")
    assert serious_violations(page) == []
