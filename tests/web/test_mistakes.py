"""Learning from mistakes, openings beside the analysis, and what is worth watching."""

from __future__ import annotations

from collections.abc import Callable

from tests.web.people import Person, Server

FOOL = '[White "Ann"]\n[Black "Bo"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n'


def imported(server: Server, token: str, text: str) -> str:
    assert server.bring(token, text)["stored"] == 1
    return str(server.ask("/api/archive?whose=mine", token=token)["matches"][0]["match"])


def test_a_player_looks_for_a_better_move_than_the_mistake(person: Callable[..., Person], server: Server) -> None:
    token = server.guest()
    one = person(token)
    page = one.go(f"/analysis?match={imported(server, token, FOOL)}&learn=")
    # The review begins by itself, and so does the lesson when it is done.
    lesson = page.get_by_role("region", name="Learn from your mistakes")
    lesson.wait_for()
    while "g4" not in lesson.inner_text():
        lesson.get_by_role("button", name="Next mistake").click()
    # The position is that before it, and nothing gives the answer away.
    assert page.locator(".engine").count() == 0
    one.tap("g2")
    one.tap("g4")
    lesson.get_by_text("That loses too much").wait_for()
    one.tap("e2")
    one.tap("e4")
    lesson.get_by_text("Good move").wait_for()
    page.locator(".tree li").get_by_role("button", name="e4").wait_for()
    lesson.get_by_role("button", name="Stop").click()
    page.locator(".engine").wait_for()


def test_a_phone_shows_what_to_look_for_without_a_menu(person: Callable[..., Person], server: Server) -> None:
    token = server.guest()
    phone = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
    page = person(token, **phone).go(f"/analysis?match={imported(server, token, FOOL)}&learn=")
    page.get_by_text("Find a better move for White than").wait_for()
    assert page.locator(".match-bar").bounding_box()["y"] > page.locator(".mistakes").bounding_box()["y"]


def test_openings_are_beside_the_analysis(person: Callable[..., Person], server: Server) -> None:
    token = server.guest()
    match = imported(server, token, "1. e4 e5 2. Nf3 1-0")
    one = person(token)
    page = one.go(f"/analysis?match={match}")
    page.get_by_role("tab", name="Openings").click()
    page.get_by_role("button", name="First move").click()
    page.get_by_text("Mine", exact=True).click()
    page.locator("table.openings").get_by_role("button", name="e4").click()
    page.locator("table.openings").get_by_role("button", name="e5").wait_for()
    page.get_by_role("link", name="Matches with this position").click()
    page.get_by_role("heading", name="Matches", exact=True).wait_for()
    assert "fen=" in page.url


def test_the_best_match_of_each_game_is_shown(person: Callable[..., Person], server: Server) -> None:
    token = server.guest()
    for game in ("magi", "metamachy"):
        time = {"kind": "fischer", "initial_ms": 600_000, "increment_ms": 5_000}
        server.match(token, game, {"kind": "engine", "level": 1}, side="black", time=time, setup=None)
    one = person(token)
    # Matches of other tests may be on the same server.
    one.until(lambda: {"magi/live", "metamachy/live"} <= {one["kind"] for one in server.ask("/api/tv")})
    page = one.go("/watch")
    section = page.locator("section", has=page.get_by_role("heading", name="Best now"))
    section.get_by_role("listitem").nth(1).wait_for()
