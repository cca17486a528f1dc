"""The app on a phone, by keyboard, offline, and in another language."""

from __future__ import annotations

import pathlib
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.web.people import Person, Server

PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
LEVEL_1 = {"kind": "engine", "level": 1}
PAGES = [
    "/",
    "/play",
    "/engines/aanca",
    "/new",
    "/lobby",
    "/watch",
    "/mine",
    "/settings",
    "/about",
    "/learn/maasai",
    "/nothing",
]


@pytest.mark.parametrize("game", ["maasai", "chieftain"])
def test_a_match_can_be_played_on_a_phone(person: Callable[..., Person], server: Server, game: str) -> None:
    me = person(**PHONE)
    page = me.go(f"/new?game={game}")
    page.get_by_role("button", name="Start game").tap()
    me.says("Your turn")
    # If squares are too small for fingers, the board is zoomed in at first.
    if game == "chieftain":
        page.get_by_role("button", name="Zoom out").tap()
    state = me.state()
    move = state["position"]["legal"][0]
    me.pick_up(move["from"])
    me.tap(move["to"])
    assert me.past(state["number"])["moves"][0]["move"] == move["move"]
    page.get_by_role("button", name="More").tap()
    page.get_by_role("tab", name="Match").tap()
    me.says("Spectator link")
    page.locator(".close-panel").tap()
    expect(page.locator(".panel")).to_be_hidden()


@pytest.mark.parametrize("path", PAGES)
def test_no_page_is_wider_than_a_phone(person: Callable[..., Person], path: str) -> None:
    me = person(**PHONE)
    me.go(path).wait_for_load_state("networkidle")
    me.until("document.documentElement.scrollWidth <= 360")


@pytest.mark.parametrize("width", [360, 768, 901, 1021, 1280])
@pytest.mark.parametrize("locale", ["en-GB", "fr-FR"])
def test_the_page_header_fits_on_one_line(person: Callable[..., Person], width: int, locale: str) -> None:
    me = person(viewport={"width": width, "height": 800}, locale=locale)
    header = me.go("/lobby").locator(".header")
    me.until(lambda: header.bounding_box()["height"] <= 56)


def test_a_match_can_be_played_by_keyboard_alone(person: Callable[..., Person]) -> None:
    me = person()
    page = me.go("/")

    def tab_to(name: str) -> None:
        for _ in range(60):
            page.keyboard.press("Tab")
            if name in page.evaluate("document.activeElement.closest('a, button')?.innerText ?? ''"):
                return
        raise AssertionError(f"no way to {name!r} by Tab")

    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.innerText") == "Skip to content"
    tab_to("Play\nMaasai Chess")  # the puzzle of the day may be of that game too
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="New game").wait_for()
    tab_to("Start game")
    page.keyboard.press("Enter")
    me.says("Your turn")
    page.locator("[role=gridcell]").first.wait_for()
    for _ in range(30):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.getAttribute('role')") == "gridcell":
            break
    # A piece is picked up and put down with arrows and Enter: d4 to d5 from any square.
    here = page.evaluate("document.activeElement.dataset.square")
    page.keyboard.press("Home")
    for key, times in (
        ("ArrowDown", 12),
        ("ArrowUp", 3),
        ("ArrowRight", 3),
        ("Enter", 1),
        ("ArrowUp", 1),
        ("Enter", 1),
    ):
        for _ in range(times):
            page.keyboard.press(key)
    page.get_by_role("button", name="Turn 1, White, d5").wait_for(state="attached")
    page.get_by_role("button", name="Turn 1, Black").wait_for(state="attached")
    assert here
    # A move can also be typed.
    me.type_move("e5")
    page.get_by_role("button", name="Turn 2, White, e5").wait_for(state="attached")
    tab_to("Resign")
    page.keyboard.press("Enter")
    page.get_by_role("dialog").wait_for()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    me.says("White resigned. You lost.")


def test_a_match_can_be_stepped_through_and_downloaded(person: Callable[..., Person], server: Server) -> None:
    token = server.guest()
    me = person(token)
    page = me.go(f"/match/{server.match(token, 'chess', {'kind': 'self'})['match']}")
    for move in ("e4", "e5", "Nf3"):
        me.says("Black to move" if move == "e5" else "White to move")
        page.locator('[data-square="a1"]').focus()
        me.type_move(move)
        page.get_by_role("button", name=re.compile(f", {move}$")).wait_for(state="attached")
    page.get_by_role("tab", name="Moves").focus()
    page.get_by_label("Previous move").click()
    me.says("After move 1 (Black)")
    page.get_by_label("Previous move").focus()
    page.keyboard.press("ArrowLeft")
    me.says("After move 1 (White)")
    expect(page.locator('[data-square="f3"]')).to_have_attribute("aria-label", "f3, empty")
    page.get_by_role("button", name="Turn 1, Black, e5").click()
    me.says("After move 1 (Black)")
    page.get_by_role("button", name="Back to the current position").click()
    me.says("Black to move")
    # A click on the board leaves the arrow keys to the page.
    me.tap("a8")
    page.keyboard.press("ArrowLeft")
    me.says("After move 1 (Black)")
    page.keyboard.press("ArrowRight")
    me.says("Black to move")
    with page.expect_download() as download:
        page.get_by_role("tab", name="Match").click()
        page.get_by_role("link", name="Download PGN").click()
    text = pathlib.Path(download.value.path()).read_text()
    assert "1. e4 e5 2. Nf3" in text


def test_a_page_that_is_not_cached_is_explained_when_offline(person: Callable[..., Person]) -> None:
    me = person(service_workers="allow")
    page = me.go("/")
    me.until("navigator.serviceWorker.controller !== null")
    me.context.set_offline(True)
    missing = page.get_by_text("This page is not kept on this device. It will load when you are back online.")
    for path in ("/lobby", "/match/somewhere", "/watch"):
        page.goto(me.server.url + path)
        missing.wait_for()
        # The page of a match has its own message about a lost connection.
        banner = page.get_by_text("You are offline.")
        expect(banner).to_have_count(0 if path.startswith("/match/") else 1)
        assert page.get_by_text("The server is not responding.").count() == 0
    me.context.set_offline(False)
    expect(missing).to_have_count(0)


@pytest.mark.parametrize(("path", "code"), [("/lobby", "lobby"), ("/match/local-1", "local-match")])
def test_a_page_whose_code_is_missing_asks_to_be_reloaded(person: Callable[..., Person], path: str, code: str) -> None:
    me = person()
    page = me.page
    gone = f"**/assets/{code}-*.js"
    page.route(gone, lambda route: route.fulfill(status=404))
    page.goto(me.server.url + path)
    unloaded = page.get_by_text("This page could not be loaded.", exact=True)
    unloaded.wait_for()
    page.get_by_text("There may be a new version of the app").wait_for()
    assert page.get_by_text("The server is not responding.").count() == 0
    page.unroute(gone)
    page.get_by_role("button", name="Reload").click()
    expect(unloaded).to_have_count(0)
    me.complaints = [text for text in me.complaints if "404" not in text]


@pytest.mark.parametrize("path", ["/nothing", "/match/%", "/match/../x", "/learn/nothing", "/new?game=%00"])
def test_an_invalid_address_shows_a_page_with_a_heading(person: Callable[..., Person], path: str) -> None:
    me = person()
    me.page.goto(me.server.url + path)
    me.page.locator("main h1").first.wait_for()
    me.complaints = [text for text in me.complaints if "404" not in text]


def test_the_app_is_shown_in_french_and_can_be_switched_to_english(person: Callable[..., Person]) -> None:
    me = person(locale="fr-FR")
    page = me.go("/new?game=maasai")
    me.says("Nouvelle partie")
    page.get_by_role("button", name="Commencer la partie").click()
    me.says("À vous de jouer")
    me.until("document.documentElement.lang === 'fr'")
    expect(page.locator('[data-square="a4"]')).to_have_attribute("aria-label", re.compile("des Blancs"))
    page.goto(me.server.url + "/settings")
    page.get_by_text("English", exact=True).click()
    me.says("Only this browser knows you")


def test_games_with_faults_are_hidden_from_visitors(person: Callable[..., Person], server: Server) -> None:
    (server.games / "broken.toml").write_text('[game]\nid = "broken"\nname = "Broken"\nextends = "chess"\nsumary = 1\n')
    (server.games / "sound.toml").write_text('[game]\nid = "sound"\nname = "Sound"\nextends = "chess"\n')
    me = person()
    me.until(lambda: any(game["id"] == "sound" for game in server.ask("/api/games")))
    me.go("/")
    me.says("Sound")
    assert "broken" not in me.page.content().lower()
    expect(me.go("/new").locator("#game")).to_contain_text("Sound")
    assert "Broken" not in me.page.locator("#game").inner_text()
    for path in server.games.glob("*.toml"):
        path.unlink()


def test_a_part_that_cannot_be_loaded_is_reported(person: Callable[..., Person]) -> None:
    """As in a tab that was open while the server was updated: the server has only the files of the new version."""
    me = person(service_workers="block")
    page = me.go("/settings")
    page.route("**/assets/fr-*.js", lambda route: route.fulfill(status=404))
    page.get_by_text("Français", exact=True).click()
    me.says("Part of this page could not be loaded.")
    page.unroute_all()
    page.get_by_role("button", name="Reload").click()
    me.says("Réglages")
    me.complaints[:] = [text for text in me.complaints if "404" not in text]
