"""Puzzles by theme and difficulty, the rush, and repetition, in a browser."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from acedrex import Board, load, square_name
from acedrex.lessons import Puzzle, puzzles
from acedrex.lessons.puzzle import WITH_REPLIES
from tests.web.people import Person
from tests.web.test_account import create

DESKTOP: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}}
PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "has_touch": True}
DAY_MS = 86_400_000


def solve(me: Person, game: str, puzzle: Puzzle) -> None:
    """Make the moves of the solution on the board."""
    for index, text in enumerate(puzzle.line):
        if puzzle.goal not in WITH_REPLIES or index % 2 == 0:
            play(me, game, text)
            if index < len(puzzle.line) - 1:
                me.says("Correct. Keep going.")


def play(me: Person, game: str, text: str) -> None:
    """Make a move, given as a text."""
    at = next(index for index in range(1, len(text)) if text[index].isalpha())
    to = text[at:].rstrip("abcdefghijklmnopqrstuvwxyz'!")
    me.pick_up(text[:at])
    me.tap(to)
    if len(to) < len(text[at:]):
        kind = load(game).piece(text[at + len(to) :].upper()).name
        me.page.locator(".picker").get_by_role("button", name=kind, exact=True).click()


def wrong_move(game: str, puzzle: Puzzle) -> str:
    """Return a move that is neither in the solution nor a promotion."""
    moves = Board(game, puzzle.fen).legal_moves
    wrong = next(
        move for move in moves if move.special is None and not move.promotion and move.uci() not in puzzle.line
    )
    return f"{square_name(wrong.from_square)}{square_name(wrong.to_square)}"


def on_page(me: Person, game: str, puzzle: Puzzle) -> None:
    """Wait until the page shows a puzzle."""
    number = puzzles(game).index(puzzle) + 1
    expect(me.page).to_have_url(re.compile(rf"[?&]number={number}(&|$)"))
    me.page.locator('[data-square="a1"]').wait_for()


def stored(me: Person) -> Any:
    """Return what the browser stores about puzzles."""
    return json.loads(me.page.evaluate("localStorage.getItem('acedrex.puzzles')"))


@pytest.mark.parametrize("device", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_puzzles_can_be_chosen_and_solved_and_are_counted(
    person: Callable[..., Person], device: dict[str, Any]
) -> None:
    me = person(**device)
    page = me.go("/")
    if device is PHONE:
        page.get_by_role("button", name="Menu").click()
    page.get_by_role("link", name="Puzzles", exact=True).click()
    page.locator("label", has_text="Magi").click()
    page.locator("label", has_text="Defence").click()
    page.locator("label", has_text="Easy").click()
    wanted = puzzles("magi", "save", "easy")
    me.says(f"0 of {len(wanted)} solved")
    page.get_by_role("button", name="Solve puzzles").click()
    on_page(me, "magi", wanted[0])
    me.says("only one move avoids mate in two")
    solve(me, "magi", wanted[0])
    me.says("Solved.")
    if device is PHONE:
        page.get_by_role("button", name="Next puzzle").tap()
    else:
        # Enter opens the next puzzle.
        me.until("document.activeElement?.textContent === 'Next puzzle'")
        page.keyboard.press("Enter")
    me.until("!document.body.textContent.includes('Solved.')")
    on_page(me, "magi", wanted[1])
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.get_by_role("button", name="Choose puzzles").click()
    me.says(f"1 of {len(wanted)} solved")
    expect(page).to_have_url(re.compile("theme=save"))
    # A solved puzzle does not come back.
    page.get_by_role("button", name="Solve puzzles").click()
    on_page(me, "magi", wanted[1])
    page.get_by_role("button", name="Choose puzzles").click()
    page.get_by_role("link", name="Puzzle of the day").click()
    me.says("to start a streak")


@pytest.mark.parametrize("device", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_a_failed_puzzle_comes_back_after_a_day_and_a_week(
    person: Callable[..., Person], device: dict[str, Any]
) -> None:
    me = person(**device)
    me.page.clock.install()
    failing = puzzles("magi", "save", "easy")[0]
    number = puzzles("magi").index(failing) + 1
    page = me.go(f"/puzzles?game=magi&theme=save&number={number}")
    play(me, "magi", wrong_move("magi", failing))
    me.says("Not the solution.")
    me.says("This puzzle comes back tomorrow.")
    # Solved after a mistake, it still comes back.
    solve(me, "magi", failing)
    me.says("Solved.")
    me.until(lambda: stored(me)["solved"] == {})
    me.go("/puzzles")
    me.says("Puzzles that you missed come back on")
    assert page.get_by_role("button", name="Try again").count() == 0
    for days in (1, 7):
        page.clock.fast_forward(days * DAY_MS + 60_000)
        me.go("/puzzles")
        me.says("1 puzzle that you missed is back.")
        page.get_by_role("button", name="Try again").click()
        on_page(me, "magi", failing)
        solve(me, "magi", failing)
        me.says("No more puzzles to try again for now.")
    # It is noted that it is over, for other devices.
    me.until(lambda: [one["due"] for one in stored(me)["returns"].values()] == [None])
    assert stored(me)["solved"] == {"magi": [number]}


@pytest.mark.parametrize("device", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_a_rush_ends_after_three_mistakes_or_when_time_runs_out(
    person: Callable[..., Person], device: dict[str, Any]
) -> None:
    me = person(**device)
    me.page.clock.install()
    page = me.go("/puzzles?game=magi")
    asked: list[int] = []
    page.on("request", lambda request: asked.extend(map(int, re.findall(r"/magi/puzzles/(\d+)$", request.url))))
    page.get_by_role("button", name="3 minutes").click()

    def shown() -> Puzzle:
        page.locator('[data-square="a1"]').wait_for()
        return puzzles("magi")[asked[-1] - 1]

    expect(page.get_by_role("timer")).to_have_text(re.compile(r"3:00|2:[45]\d"))
    first = shown()
    assert first.difficulty == "easy"
    # The board has the focus.
    me.until("document.activeElement?.dataset.square !== undefined")
    solve(me, "magi", first)
    me.says("Solved: 1")
    for mistakes in (1, 2, 3):
        play(me, "magi", wrong_move("magi", shown()))
        me.says("Rush over: 1 solved" if mistakes == 3 else f"Mistakes: {mistakes} of 3")
    me.says("Your best so far.")
    me.until(lambda: len(stored(me)["returns"]) == 3)
    page.get_by_role("button", name="New rush").click()
    me.says("Solved: 0")
    shown()
    page.clock.fast_forward(181_000)
    me.says("Rush over: 0 solved")
    assert page.get_by_text("Your best so far.").count() == 0
    page.get_by_role("button", name="Choose puzzles").click()
    page.get_by_role("button", name="3 minutes Best: 1").wait_for()


@pytest.mark.parametrize("device", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_with_an_account_the_first_attempt_moves_ratings_and_the_next_puzzle_is_near(
    person: Callable[..., Person], device: dict[str, Any]
) -> None:
    me = person(**device)
    name = "Petra_phone" if device is PHONE else "Petra_desk"
    create(me, name)
    first = puzzles("magi", "save", "easy")[0]
    page = me.go("/puzzles?game=magi&theme=save&difficulty=easy")
    assert page.get_by_text("Your rating in").count() == 0
    page.get_by_role("button", name="Solve puzzles").click()
    on_page(me, "magi", first)
    play(me, "magi", wrong_move("magi", first))
    me.says("Not the solution.")
    change = page.locator(".puzzle-rating")
    expect(change).to_contain_text(re.compile(r"\d+\? \u2212\d+ Puzzle: \d+"))
    before = change.inner_text()
    # Solved after a mistake it counts no second time.
    solve(me, "magi", first)
    me.says("Solved.")
    assert change.inner_text() == before
    rating = int(re.findall(r"\d+", before)[0])
    listed = me.server.ask("/api/games/magi/puzzles?theme=save")
    near = min((one for one in listed if one["number"] != puzzles("magi").index(first) + 1),
               key=lambda one: abs(one["rating"] - rating))  # fmt: skip
    me.go("/puzzles?game=magi&theme=save")
    me.says("Your rating in this theme:")
    page.get_by_role("button", name="Solve puzzles").click()
    expect(page).to_have_url(re.compile(rf"[?&]number={near['number']}(&|$)"))
    page.locator('[data-square="a1"]').wait_for()
    solve(me, "magi", puzzles("magi")[near["number"] - 1])
    expect(change).to_contain_text(re.compile(r"\d+\? \+\d+ Puzzle: \d+"))
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    for path in ("/ratings", f"/people/{name}"):
        page = me.go(path)
        shown = page.get_by_role("region", name="Puzzles")
        shown.get_by_text("Defence").wait_for()
        shown.get_by_role("img").wait_for()
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
