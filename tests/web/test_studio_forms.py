"""The studio's forms for long leaps, custom drawings, zones, endings and setups, in a browser."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.web.people import Person, serving
from tests.web.test_studio import begun, link, notation, sound, tab, tap, written

#: A picture with all known attacks on pages, around a harmless shape.
HOSTILE = b"""<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>
<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 45 45"
 onload="window.hurt = 1">
<script>window.hurt = 2</script><style>@import url(https://hurt.example/a.css);* { fill: url(//hurt.example/b) }
</style>
<a xlink:href="javascript:window.hurt=3"><text>&b;</text></a><image href="https://hurt.example/c.png" onerror="hurt=4"/>
<use href="https://hurt.example/d.svg#x"/>
<foreignObject><iframe src="javascript:parent.hurt=5"></iframe></foreignObject>
<animate attributeName="href" to="javascript:window.hurt=6"/>
<g fill="#fff" stroke="#000" style="background:url(https://hurt.example/e)" onclick="window.hurt = 7">
<path d="M9 39h27v-3h-27z"/><path d="M12 36v-20h21v20z"/><circle cx="22" cy="10" r="5" onmouseover="hurt = 8"/>
<path fill="#000" stroke="none" d="M20 20h4v8h-4z"/></g></svg>"""


@pytest.fixture
def publishing(browser: Any, tmp_path: Path) -> Iterator[tuple[Person, Person]]:
    """Two people on a server where everybody may publish."""
    with serving(tmp_path, "--publish", "everybody") as server:
        people = tuple(Person(browser.new_context(locale="en-GB", reduced_motion="reduce"), server) for _ in range(2))
        yield people[0], people[1]
        for one in people:
            one.context.close()


def test_leaps_of_up_to_six_squares_can_be_added_by_clicks(person: Callable[..., Person]) -> None:
    me = begun(person)
    page = me.page
    tab(me, "Pieces")
    page.get_by_role("button", name="Add a piece").click()
    page.get_by_role("button", name="A new piece: draw its moves").click()
    me.until("document.querySelectorAll('.dot').length >= 4")
    # The edge of the small diagram is four squares away.
    tap(me, "f9")
    notation(me, "W(1,4)")
    page.get_by_text("Can reach 12 squares.").wait_for()
    page.get_by_label("Larger diagram, for leaps of up to six squares").check()
    me.until("document.querySelectorAll('[data-square]').length === 169")
    tap(me, "i13")
    notation(me, "W(1,4)(2,6)")
    page.get_by_text("Can reach 20 squares.").wait_for()
    # It stays large while there is such a leap, and another click removes the leap.
    expect(page.get_by_label("Larger diagram, for leaps of up to six squares")).to_have_count(0)
    tap(me, "i13")
    notation(me, "W(1,4)")
    tab(me, "Board")
    tap(me, "a3")
    assert "(1,4)" in written(me)


def test_a_custom_drawing_is_sanitized(person: Callable[..., Person]) -> None:
    me = begun(person)
    page = me.page
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    tab(me, "Pieces")
    page.locator(".studio-kinds button", has_text="Rook").click()
    page.locator("summary", has_text="Drawing").click()
    chosen = page.locator("input[type=file]")
    chosen.set_input_files({"name": "rook.svg", "mimeType": "image/svg+xml", "buffer": b"<svg><text>no</text></svg>"})
    page.get_by_text("This picture has no shapes to draw.").wait_for()
    chosen.set_input_files({"name": "rook.svg", "mimeType": "image/svg+xml", "buffer": HOSTILE})
    page.get_by_text("Left out of the file: a, animate, foreignobject, image, script, style, use.").wait_for()
    sound(me)
    # It is in the text as path data only, and on the board for both sides.
    (art,) = re.findall(r'^art = "(.*)"$', written(me), re.MULTILINE)
    assert re.fullmatch(r"M[MLQCZ0-9 .|-]+", art) and art.count("|") == 2
    tab(me, "Board")
    me.until("document.querySelectorAll('.acedrex-board use[href*=\"--own-\"]').length === 4")
    shown = page.evaluate(
        """() => [...document.querySelectorAll('symbol[id*="--own-"] *')].map((one) =>
        [one.tagName, ...one.getAttributeNames()].join())"""
    )
    assert set(shown) == {"path,d,fill,stroke,stroke-width,stroke-linejoin,stroke-linecap"}
    # The link contains it, and it is drawn in a game.
    tab(me, "Share")
    address = link(me, 'art = "M')
    tab(me, "Play")
    me.until("document.querySelectorAll('.acedrex-board use[href*=\"--own-\"]').length === 4")
    theirs = person()
    theirs.page.goto(address)
    theirs.page.get_by_role("button", name="Save").click()
    theirs.until("document.querySelectorAll('.acedrex-board use[href*=\"--own-\"]').length === 4")
    assert page.evaluate("window.hurt") is None and theirs.page.evaluate("window.hurt") is None
    assert not [url for url in asked if "hurt.example" in url]


def test_a_published_drawing_is_shown_to_others(publishing: tuple[Person, Person]) -> None:
    me, friend = publishing
    page = me.go("/studio")
    page.get_by_role("button", name="Start with a small game").click()
    tab(me, "Pieces")
    page.locator(".studio-kinds button", has_text="Rook").click()
    page.locator("summary", has_text="Drawing").click()
    page.locator("input[type=file]").set_input_files(
        {"name": "rook.svg", "mimeType": "image/svg+xml", "buffer": HOSTILE}
    )
    sound(me)
    tab(me, "Share")
    page.get_by_role("button", name="Publish", exact=True).click()
    page.get_by_role("link", name="Play it with a friend").wait_for()
    friend.go("/learn/my-game")
    friend.until("document.querySelectorAll('use[href*=\"--own-\"]').length > 0")
    # The server sends it too.
    game = friend.page.evaluate("fetch('/api/games/my-game').then((answer) => answer.json())")
    (art,) = (kind["art"] for kind in game["pieces"] if kind["name"] == "Rook")
    assert re.fullmatch(r"M[MLQCZ0-9 .|-]+", art)
    # The server refuses a definition that the studio would not produce.
    hurt = 'M0 0\\"/><script>alert(1)</script>'
    bad = page.evaluate(
        """(art) => fetch('/api/published', { method: 'POST', headers: { 'Content-Type': 'application/json',
        Authorization: 'Bearer ' + JSON.parse(localStorage.getItem('acedrex.identity') ?? '{}').token },
        body: JSON.stringify({ token: null, definition: '[game]\\nid = "hurt"\\nboard = "3x3"\\nstart = "2k/3/K2"\\n' +
        '[pieces.K]\\nmove = "K"\\nroyal = true\\nart = "' + art + '"' }) }).then((answer) => answer.status)""",
        hurt,
    )
    assert bad in (400, 401, 422)


def test_zones_can_be_chosen_on_the_board(person: Callable[..., Person]) -> None:
    me = begun(person)
    page = me.page
    tab(me, "Rules")
    page.get_by_label("Name of a new zone").fill("Palace")
    page.get_by_role("button", name="Add a zone").click()
    for square in ("c1", "d1", "c2", "d2"):
        tap(me, square)
    me.until("document.querySelectorAll('.acedrex-board [class*=gold]').length >= 4")
    page.get_by_role("button", name="Done").click()
    expect(page.get_by_label(re.compile("Squares of “palace”"))).to_have_value("c1-d2")
    tab(me, "Pieces")
    page.locator(".studio-kinds button", has_text="King").click()
    page.locator("summary", has_text="More").click()
    page.get_by_label("Stays within a zone").select_option("palace")
    tab(me, "Rules")
    page.get_by_text("Stays there: King.").wait_for()
    sound(me)
    text = written(me)
    assert 'palace = "c1-d2"' in text and 'within = "palace"' in text
    tab(me, "Rules")
    page.get_by_role("button", name="Remove the zone “palace”").click()
    assert "palace = " not in written(me)


def test_conditions_that_end_the_game_can_be_written_in_a_form(person: Callable[..., Person]) -> None:
    me = begun(person)
    page = me.page
    tab(me, "Rules")
    page.get_by_role("button", name="Add a condition").click()
    first = page.get_by_role("group", name="Condition 1")
    first.get_by_label("Pieces (letters, or all)").fill("K")
    first.get_by_role("button", name=re.compile("end.conditions.0.reach")).click()
    for square in ("c3", "d3"):
        tap(me, square)
    page.get_by_role("button", name="Done").click()
    first.get_by_label("The other side may answer").check()
    sound(me)
    assert 'conditions = [{ reach = "a6 b6 c6 d6 e6 f6 c3 d3", pieces = "K", answer = true }]' in written(me)
    tab(me, "Rules")
    first.get_by_label("A side", exact=True).select_option("checks")
    first.get_by_label("Checks").fill("5")
    page.get_by_role("button", name="Add a condition").click()
    second = page.get_by_role("group", name="Condition 2")
    second.get_by_label("A side", exact=True).select_option("extinct")
    second.get_by_label("Left at most").fill("1")
    second.get_by_label("Then it").select_option("draw")
    second.get_by_label("For", exact=True).select_option("black")
    sound(me)
    assert (
        'conditions = [{ checks = 5 }, { extinct = "all", at_most = 1, result = "draw", side = "black" }]'
        in written(me)
    )
    tab(me, "Rules")
    page.get_by_role("button", name="Remove condition 1").click()
    page.get_by_role("button", name="Remove condition 1").click()
    page.get_by_label("A side that can capture must capture").check()
    sound(me)
    assert "conditions" not in written(me) and "must_capture = true" in written(me)


def test_a_piece_may_promote_in_ways_of_its_own(person: Callable[..., Person]) -> None:
    me = begun(person)
    page = me.page
    tab(me, "Pieces")
    page.get_by_role("button", name="Rook", exact=True).click()
    page.get_by_text("More rules for this piece").click()
    page.get_by_role("button", name="Add a way to promote").click()
    first = page.get_by_role("group", name="Way 1")
    first.get_by_label("To (letters)").fill("P")
    first.get_by_label("Coming from").fill("ranks 1-4")
    first.get_by_label("By", exact=True).select_option("capture")
    first.get_by_label("For", exact=True).select_option("black")
    sound(me)
    way = '{ to = "P", optional = "last rank", from = "ranks 1-4", by = "capture", side = "black" }'
    assert f"promotion = [{way}]" in written(me)
    tab(me, "Pieces")
    page.get_by_role("button", name="Rook", exact=True).click()
    page.get_by_text("More rules for this piece").click()
    page.get_by_role("button", name="Remove way 1").click()
    sound(me)
    assert "by = " not in written(me)


def test_holes_are_made_and_filled_on_the_board(person: Callable[..., Person]) -> None:
    me = begun(person)
    page = me.page
    tab(me, "Board")
    page.get_by_role("button", name="Hole").click()
    for square in ("b4", "e3"):
        tap(me, square)
    me.until("document.querySelector('.squares .rim')")
    expect(page.locator('[data-square="b3"]')).to_have_attribute("aria-label", "b3, hole")
    sound(me)
    assert "1*2*1/1*2*1" in written(me)
    tab(me, "Board")
    page.get_by_role("button", name="Erase").click()
    tap(me, "b3")
    sound(me)
    assert "4*1/4*1" in written(me)


def test_setups_can_be_defined_on_the_board(person: Callable[..., Person]) -> None:
    me = begun(person)
    page = me.page
    tab(me, "Rules")
    page.get_by_role("button", name="Add pieces to arrange").click()
    page.get_by_text("Choose two to eight squares with White\u2019s pieces.").wait_for()
    # An empty square is not added.
    for square in ("a1", "a3", "d1", "f1"):
        tap(me, square)
    page.get_by_role("button", name="Done").click()
    page.locator("summary", has_text="Only on some of these squares").click()
    sound(me)
    text = written(me)
    (group,) = re.findall(r"^groups = (.*)$", text, re.MULTILINE)
    assert re.fullmatch(r'\[\{ squares = "a1 d1 f1", pieces = "\w \w \w" \}\]', group)
    tab(me, "Rules")
    page.get_by_text(re.compile(r"^\d+ setups$")).wait_for()
    page.locator("summary", has_text="Only on some of these squares").click()
    page.get_by_label(re.compile("Rook")).last.fill("a1 f1")
    sound(me)
    assert 'only = { R = "a1 f1" }' in written(me)
    tab(me, "Rules")
    page.get_by_role("button", name="Remove group 1").click()
    assert "groups" not in written(me)
