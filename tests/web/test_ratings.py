"""Rated matches: two people with accounts play one, and see what it has done to their ratings."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.web.people import Person
from tests.web.test_account import FITS, PHONE, create, sign_in


def test_a_rated_match_moves_both_ratings_and_draws_a_curve(person: Callable[..., Person]) -> None:
    ann, ben = person(), person(**PHONE)
    create(ann, "Annabel_r")
    create(ben, "Benedict_r")
    page = ann.go("/new?game=magi&opponent=friend")
    # Without a clock it cannot be rated.
    assert page.get_by_label("Rated").count() == 0
    page.get_by_label("Clock").select_option("10+10")
    rated = page.get_by_label("Rated")
    assert rated.is_checked()
    assert page.get_by_role("radio", name="White").count() == 0
    page.get_by_role("radio", name="Opponent\u2019s choice").check()
    page.get_by_role("button", name="Create link").click()
    link = page.get_by_label("Link for your friend").input_value()
    ben.page.goto(link)
    ben.says("The match is rated.")
    ben.page.get_by_role("button", name="Play White").click()
    for who, squares in ((ben, ("e2", "e3")), (ann, ("e9", "e8"))):
        who.says("Your turn")
        assert who.page.locator(".who").get_by_text("1500?").count() == 2
        who.tap(squares[0])
        who.tap(squares[1])
    ann.page.get_by_role("button", name="Resign").click()
    ann.page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    for who in (ann, ben):
        who.says("+162")
        who.says("\u2212162")
        assert who.page.locator(".who").get_by_text("1662?").count() == 1
    # The phone's owner looks at the curve on a desktop.
    desktop = person()
    sign_in(desktop, "benedict_r", "a board of 12 by 12")
    desktop.says("You are signed in as Benedict_r.")
    for who, name in ((desktop, "Benedict_r"), (ben, "Benedict_r")):
        page = who.go("/ratings")
        own = page.get_by_role("region", name="Your ratings")
        own.get_by_role("button", name="Magi, live 1662?").click()
        curve = own.get_by_role("img")
        curve.wait_for()
        assert "to 1662" in str(curve.get_attribute("aria-label")), name
        page.get_by_label("Game").select_option("Magi, live (2)")
        who.says("All ratings of this kind are still provisional.")
        assert page.evaluate(FITS)


def test_guests_are_not_asked_whether_a_match_is_rated(person: Callable[..., Person]) -> None:
    me = person()
    page: Any = me.go("/new?game=magi&opponent=lobby")
    page.get_by_label("Clock").select_option("10+10")
    assert page.get_by_label("Rated").count() == 0
    me.go("/ratings")
    me.says("Rated matches need an account.")
