"""The archive in a browser, and tokens for programs."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import expect

from tests.web.people import Person, Server

RECORDS = """
[White "Ana"]
[Black "Bo"]
[Date "2024.05.01"]
[Variant "maasai"]
[Arrangement "UFDO-QKGL"]

1. e5 e8 1-0

[White "Bo"]
[Black "Ana"]
[Date "2024.05.02"]
[Variant "chess"]

1. e4 e5 2. Nf3 1/2-1/2

[White "Zoe"]
[Black "Ana"]
[Date "2024.05.03"]
[Variant "chess"]

1. e4 c5 0-1
"""


def test_matches_can_be_imported_searched_explored_and_downloaded(
    person: Callable[..., Person], server: Server, tmp_path: Path
) -> None:
    me = person(server.guest("Ana"))
    page = me.go("/archive?whose=mine")
    me.says("Your finished matches will be here.")
    path = tmp_path / "some.pgn"
    path.write_text(RECORDS + '\n[Variant "chess"]\n\n1. e4 e9 *\n')
    page.locator('input[type="file"]').set_input_files(path)
    me.says("3 matches imported.")
    me.says("Line 26, column 7")
    me.until("document.querySelectorAll('.found li').length === 3")
    page.get_by_label("Opponent").fill("zo")
    page.get_by_role("button", name="Search").click()
    me.until("document.querySelectorAll('.found li').length === 1")
    page.get_by_label("Opponent").fill("")
    page.get_by_label("Game", exact=True).select_option("chess")
    page.get_by_role("button", name="Search").click()
    me.until("document.querySelectorAll('.found li').length === 2")
    # The openings: by the table, then on the board.
    page.locator(".openings").get_by_role("button", name="e4").click()
    me.until("document.querySelectorAll('.openings tbody tr').length === 2")
    me.tap("e7")
    me.tap("e5")
    page.locator(".openings").get_by_role("button", name="Nf3").wait_for()
    page.get_by_role("button", name="Start over").click()
    page.locator(".openings").get_by_role("button", name="e4").wait_for()
    # In a game with setups they come first.
    page.get_by_label("Game", exact=True).select_option("maasai")
    page.locator(".openings").get_by_role("button", name="UFDO-QKGL").click()
    page.locator(".openings").get_by_role("button", name="e5").wait_for()
    page.get_by_label("Game", exact=True).select_option("")
    me.until("document.querySelectorAll('.found li').length === 3")
    with page.expect_download() as taken:
        page.get_by_role("button", name="Download all as PGN").click()
    assert Path(taken.value.path()).read_text().count("[Event ") == 3
    page.locator(".found li a").first.click()
    page.locator(".moves").wait_for()
    me.says("according to the PGN")


def test_a_search_is_kept_in_the_address(person: Callable[..., Person], server: Server) -> None:
    token = server.guest("Ana")
    server.bring(token, RECORDS)
    # In a time zone where it is still the day before in UTC.
    me = person(token, timezone_id="America/Los_Angeles")
    page = me.go("/archive?whose=mine")
    me.until("document.querySelectorAll('.found li').length === 3")
    me.says("May 1, 2024")
    # In imported matches the player has no side.
    page.get_by_label("Result").select_option("White won")
    page.get_by_role("button", name="Search").click()
    me.until("document.querySelectorAll('.found li').length === 1")
    page.get_by_text("Setup, dates and length").click()
    page.get_by_label("Setup name or number").fill("250")
    page.get_by_role("button", name="Search").click()
    me.until("location.search.includes('setup=250')")
    me.says("UFDO-QKGL")
    page.reload()
    me.until("document.querySelectorAll('.found li').length === 1")
    # A field that is in use is not collapsed.
    expect(page.get_by_label("Setup name or number")).to_be_visible()
    expect(page.get_by_label("Result")).to_have_value("white")
    # Choosing a game applies the other fields too, but clears the setup, which belongs to a game.
    page.get_by_label("Opponent").fill("zo")
    page.get_by_label("Result").select_option("")
    page.get_by_label("Game", exact=True).select_option("chess")
    me.until("document.querySelector('.found li')?.textContent.startsWith('Zoe')")
    expect(page.locator(".found li")).to_have_count(1)
    expect(page.get_by_label("Setup name or number")).to_have_value("")


def test_a_token_is_shown_once_and_can_be_revoked(person: Callable[..., Person], server: Server) -> None:
    me = person(server.guest("Ana"))
    page = me.go("/settings")
    page.get_by_role("link", name="API tokens").click()
    page.get_by_label("Token name").fill("My bot")
    page.get_by_role("button", name="Create token").click()
    secret = page.get_by_label("Token", exact=True).input_value()
    headers = {"Authorization": f"Bearer {secret}"}
    assert httpx.get(server.url + "/api/account", headers=headers).json()["username"] == "Ana"
    page.reload()
    page.get_by_role("button", name="Revoke My bot").click()
    me.says("No tokens yet.")
    assert httpx.get(server.url + "/api/account", headers=headers).status_code == 401
    assert page.get_by_label("Token", exact=True).count() == 0


@pytest.mark.parametrize(
    ("path", "text", "action", "leads_to"),
    [
        ("/archive?whose=mine", "Your finished matches will be here.", "Play", "/new"),
        ("/mine", "No matches yet.", "Play", "/new"),
        ("/lobby", "No open challenges.", "New challenge", "/new?opponent=lobby"),
    ],
)
def test_an_empty_list_says_what_to_do(
    person: Callable[..., Person], server: Server, path: str, text: str, action: str, leads_to: str
) -> None:
    me = person(server.guest(), service_workers="block")
    # Other tests may have left challenges.
    me.page.route("**/api/lobby", lambda route: route.fulfill(json=[]))
    me.page.route_web_socket(re.compile("/api/lobby/socket"), lambda socket: None)
    page = me.go(path)
    me.says(text)
    empty = page.locator(".nothing-yet")
    empty.locator(".acedrex-board use").first.wait_for(state="attached")
    expect(page.locator(".primary").locator("visible=true")).to_have_count(1)
    empty.get_by_role("link", name=action, exact=True).click()
    page.wait_for_url(f"**{leads_to}")


def test_a_search_without_results_is_not_shown_as_an_empty_archive(
    person: Callable[..., Person], server: Server
) -> None:
    me = person(server.guest())
    me.go("/archive?whose=mine&game=chess")
    me.says("None of your games match.")
    assert me.page.locator(".nothing-yet").count() == 0


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en-GB", "Game 2 (Ana \N{EN DASH} Bo), line 7, column 13: "),
        ("fr-FR", "Partie 2 (Ana \N{EN DASH} Bo), ligne 7, colonne 13\u00a0: "),
    ],
)
def test_a_bad_move_of_a_file_is_named_with_its_game_and_line(
    person: Callable[..., Person], server: Server, language: str, said: str
) -> None:
    text = '1. e4 e5 1-0\n\n[White "Ana"]\n[Black "Bo"]\n[Result "1-0"]\n\n1. e4 e5 2. Qxe6 1-0\n\n1. d4 d5 2. Qd8 *\n'
    me = person(server.guest(), locale=language)
    page = me.go("/archive?whose=mine")
    file = {"name": "games.pgn", "mimeType": "text/plain", "buffer": text.encode()}
    page.locator("input[type=file]").set_input_files([file])
    faults = page.locator(".fault")
    expect(faults).to_have_count(2)
    assert faults.nth(0).inner_text().startswith(said) and "Qxe6" in faults.nth(0).inner_text()
    # Its players are unknown.
    assert re.match(r"(Game|Partie) 3, (line|ligne) 9, .*Qd8", faults.nth(1).inner_text())
    # The analysis board reads only the first game, and says so.
    page = me.go("/analysis")
    page.locator("#pgn").fill(text.replace("1. e4 e5 1-0", "1. e4 e6 2. Qxe6 1-0"))
    page.locator("#pgn").locator("xpath=ancestor::section").get_by_role("button").first.click()
    page.locator(".news.refused summary").click()
    expect(page.locator(".news.refused li", has_text="Qxe6")).to_have_text(re.compile("^line 1, column 13: "))
