"""Learn pages and the puzzle of the day in a browser."""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from acedrex import load
from acedrex.game import FEATURED
from acedrex.lessons import daily, examples, exercises
from tests.web.people import Person, Server

ONLY = {"mine.toml": '[game]\nid = "mine"\nname = "Mine"\nextends = "shako"\n'}


def tap(page: Any, place: Any, square: str) -> None:
    """Tap a square of one of several boards."""
    cell = place.locator(f'[data-square="{square}"]')
    cell.scroll_into_view_if_needed()
    box = cell.bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


def squares(move: str) -> tuple[str, str]:
    """Split a move into its squares."""
    at = next(index for index in range(1, len(move)) if move[index].isalpha())
    rest = move[at:]
    return move[:at], rest if rest[-1].isdigit() else rest[:-1]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_pieces_placed_on_a_diagram_change_its_moves(person: Callable[..., Person], theme: str) -> None:
    me = person(color_scheme=theme)
    page = me.go("/learn/metamachy")
    pieces = page.locator("#pieces")
    pieces.get_by_text("Rook", exact=True).click()
    me.says("Can reach 22 squares.")
    tap(page, pieces, "f8")
    me.says("Can reach 18 squares.")
    pieces.get_by_text("add a friendly piece").click()
    tap(page, pieces, "f8")
    me.says("Can reach 17 squares.")
    pieces.get_by_text("move the Rook").click()
    tap(page, pieces, "a1")
    me.says("Can reach 22 squares.")


def test_setups_are_shown_one_at_a_time(person: Callable[..., Person]) -> None:
    me = person()
    page = me.go("/learn/maasai")
    me.says("Setup 1 of 288")
    page.get_by_role("button", name="Previous setup").click()
    me.says("Setup 288 of 288")
    page.get_by_label("Setup number").fill("250")
    page.get_by_label("Setup number").press("Tab")
    me.says("Setup 250 of 288: UFDO-QKGL")
    expect(page.locator("#setup .picture")).to_have_count(1)


def test_the_example_of_a_rule_can_be_tried(person: Callable[..., Person]) -> None:
    me = person()
    page = me.go("/learn/magi")
    example = examples("magi")[1]
    figure = page.locator("figure", has_text=example.texts["en"])
    figure.scroll_into_view_if_needed()
    for move in example.moves:
        begin, end = squares(move)
        piece = figure.locator(f'[data-square="{begin}"]')
        piece.wait_for()
        me.until(
            f"[...document.querySelectorAll('figure')].some(one => one.textContent.includes({example.texts['en']!r})"
            f" && !/empty/.test(one.querySelector('[data-square=\"{begin}\"]')?.ariaLabel ?? 'empty'))"
        )
        tap(page, figure, begin)
        tap(page, figure, end)
        figure.locator(f'[data-square="{end}"]:not([aria-label*="empty"])').wait_for(state="attached")
    # Captured en passant: b5 is empty.
    figure.locator('[data-square="b5"][aria-label*="empty"]').wait_for(state="attached")
    figure.get_by_role("button", name="Reset").click()
    figure.locator('[data-square="b2"]:not([aria-label*="empty"])').wait_for(state="attached")


@pytest.mark.parametrize("game", FEATURED)
def test_columns_of_values_have_headings(person: Callable[..., Person], game: str) -> None:
    page = person().go(f"/learn/{game}")
    page.locator("#values thead th").first.wait_for()
    heads = page.locator("#values thead th").all_inner_texts()
    assert len(heads) > 1 and all(head[0].isupper() for head in heads), "a word of the definition's is no heading"


def test_special_moves_have_buttons_in_examples(person: Callable[..., Person]) -> None:
    page = person().go("/learn/magi")
    example = next(one for one in examples("magi") if one.moves == ("claim",))
    figure = page.locator("figure", has_text=example.texts["en"])
    figure.scroll_into_view_if_needed()
    figure.get_by_role("button", name="Play on").wait_for()
    figure.get_by_role("button", name="Claim the win").click()
    figure.get_by_role("button", name="Claim the win").wait_for(state="detached")
    figure.get_by_role("button", name="Reset").click()
    figure.get_by_role("button", name="Claim the win").wait_for()


def test_a_solved_exercise_is_remembered(person: Callable[..., Person]) -> None:
    me = person()
    page = me.go("/learn/magi")
    place = page.locator("#exercises")
    number = next(index for index, one in enumerate(exercises("magi"), 1) if one.moves == 2)
    place.get_by_role("button", name=f"Exercise {number}", exact=True).click()
    key, _, mate = exercises("magi")[number - 1].line
    place.get_by_text("mates in 2").wait_for()
    for move, text in ((key, "Correct. Keep going."), (mate, "Solved.")):
        for square in squares(move):
            tap(page, place, square)
        me.says(text)
    place.get_by_role("button", name="Next exercise").wait_for()
    page.reload()
    page.get_by_role("button", name=f"Exercise {number}, solved").wait_for()


def test_solving_the_puzzle_of_the_day_starts_a_streak(person: Callable[..., Person], server: Server) -> None:
    me = person(server.guest())
    page = me.go("/daily")
    me.says("to start a streak")
    day = datetime.datetime.now(datetime.UTC).date()
    game, puzzle = daily(day)
    main = page.locator("main")
    for index, move in enumerate(puzzle.line):
        if puzzle.goal == "capture" or index % 2 == 0:
            start, goal = squares(move)
            # The reply to the move before may still be on its way.
            me.pick_up(start)
            tap(page, main, goal)
            if move[-1].isalpha():
                name = load(game.id).piece(move[-1].upper()).name
                page.locator(".picker").get_by_role("button", name=name, exact=True).click()
            me.says("Solved." if index == len(puzzle.line) - 1 else "Correct. Keep going.")
    me.says("1-day streak")
    # Another browser with the same identity has it too.
    other = person(me.token)
    other.go("/daily")
    other.says("1-day streak")


def test_a_loaded_game_has_a_complete_learn_page(person: Callable[..., Person], server: Server) -> None:
    for name, text in ONLY.items():
        (server.games / name).write_text(text, encoding="utf-8")
    me = person(viewport={"width": 360, "height": 740})
    me.until(lambda: any(game["id"] == "mine" for game in server.ask("/api/games")))
    page = me.go("/learn/mine")
    page.locator("#pieces").wait_for()
    page.get_by_role("button", name="Exercise 10", exact=True).wait_for()
    parts = page.get_by_role("navigation", name="On this page")
    names = ["Pieces", "Rules", "Starting position", "Exercises", "Values"]
    expect(parts.get_by_role("link")).to_have_text(names)
    # Its definition has no texts for rules, so sentences are generated.
    for name in ("Castling", "Promotion", "End of the game", "Draws"):
        page.locator("#rules").get_by_role("heading", name=name, exact=True).wait_for()
    me.says("Checkmating the enemy King wins.")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


def in_sight(me: Person, id: str) -> None:
    """Wait until a part of the page is at the top of the window, and stays there, or the page ends."""
    top = f"document.getElementById('{id}')?.getBoundingClientRect().top"
    end = "innerHeight + scrollY >= document.documentElement.scrollHeight - 2"
    me.page.wait_for_load_state("networkidle")
    for _ in range(3):
        me.until(f"Math.abs({top} ?? 1e9) < 40 || (scrollY > 0 && {end} && {top} < innerHeight)")
        me.page.wait_for_timeout(150)


@pytest.mark.parametrize("device", [{}, PHONE], ids=["desktop", "phone"])
def test_every_part_of_the_page_has_an_address(person: Callable[..., Person], device: dict[str, Any]) -> None:
    me = person(**device)
    page = me.go("/learn/maasai#exercises")
    in_sight(me, "exercises")
    ids = page.locator(".learn-part").evaluate_all("all => all.map(one => one.id)")
    assert ids == ["pieces", "rules", "setup", "exercises", "values", "story"]
    parts = page.get_by_role("navigation", name="On this page")
    parts.get_by_role("link", name="Starting position").click()
    expect(page).to_have_url(re.compile("/learn/maasai#setup$"))
    in_sight(me, "setup")
    # A rule far down, and in another language.
    page.evaluate("localStorage.setItem('acedrex.settings', JSON.stringify({language: 'fr'}))")
    page.goto(me.server.url + "/learn/maasai#rule-promotion")
    page.reload()
    in_sight(me, "rule-promotion")
    expect(page.locator("#rule-promotion h3")).to_have_text("Promotion")
    expect(page.locator("html")).to_have_attribute("lang", "fr")


def test_a_piece_has_an_address(person: Callable[..., Person]) -> None:
    me = person()
    page = me.go("/learn/maasai#piece-D")
    me.says(load("maasai").piece("D").help)
    in_sight(me, "piece-D")
    page.locator("#pieces").get_by_text("Giraffe", exact=True).click()
    expect(page).to_have_url(re.compile("#piece-Z$"))
    page.evaluate("location.hash = 'piece-L'")
    me.says(load("maasai").piece("L").help)
    in_sight(me, "piece-L")


def test_promotions_are_shown_with_pictures(person: Callable[..., Person]) -> None:
    me = person()
    page = me.go("/learn/metamachy#piece-P")
    me.says("Promotes to")
    game = load("metamachy")
    pieces = page.locator("#pieces .facts .named")
    expect(pieces).to_have_text([game.piece(letter).name for letter in game.piece("P").promotes_to])
    expect(pieces.locator("svg use")).to_have_count(len(game.piece("P").promotes_to))
    pictures = pieces.locator("svg use").evaluate_all("all => all.map(one => one.getAttribute('href'))")
    assert pictures == [f"#acedrex-w-{game.piece(letter).art}" for letter in game.piece("P").promotes_to]
    assert all(box["width"] >= 24 for box in (one.bounding_box() for one in pieces.locator("svg").all()))


def test_pieces_that_need_an_option_are_marked(person: Callable[..., Person]) -> None:
    me = person()
    page = me.go("/learn/chieftain#piece-Z")
    me.says("5 piece types")
    me.says("In play only with the option “bending Heroes and Shamans”.")
    pieces = page.locator("#pieces label")
    marked = [text.split("(")[0].strip() for text in pieces.all_inner_texts() if "(by option)" in text]
    assert marked == ["Bent Hero", "Bent Shaman", "Knight-Ferz", "Knight-Wazir"]
    pieces.filter(has_text="Chieftain").click()
    expect(page.get_by_text("In play only with")).to_have_count(0)


def test_an_unknown_game_shows_page_not_found(person: Callable[..., Person]) -> None:
    me = person()
    page = me.go("/learn/nonsense")
    me.says("Page not found")
    page.get_by_role("link", name="Home").wait_for()
    assert page.get_by_role("button", name="Try again").count() == 0
    me.complaints = [text for text in me.complaints if "404" not in text]
