"""Turns of several moves: their playback and marks, and pieces out of command."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from acedrex import Board, pgn, square_name
from tests.web.people import Person, Server
from tests.web.test_themes import played

LEVEL_1 = {"kind": "engine", "level": 1}
#: A phone on which the squares of Chieftain Chess are so small that the board is zoomed in at first.
PHONE: dict[str, Any] = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
DESKTOP: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}}
AGAIN = '[data-press="playback"]'
#: Records the numbers of moves that the board shows, and the texts of the button, as they change.
RECORD = """() => {
  const seen = window.seen = [];
  const look = () => {
    const numbers = document.querySelectorAll(".over text.number").length;
    const text = document.querySelector('[data-press="playback"]').innerText;
    const now = `${text}${numbers}`;
    if (seen.at(-1) !== now) seen.push(now);
  };
  new MutationObserver(look).observe(document.body, {
    subtree: true, childList: true, characterData: true, attributes: true,
  });
  look();
}"""


def begun(person: Callable[..., Person], server: Server, **options: Any) -> Person:
    """Open a match of Chieftain Chess against the weakest engine."""
    token = server.guest()
    match = server.match(token, "chieftain", LEVEL_1)["match"]
    me = person(token, **options)
    me.go(f"/match/{match}")
    me.says("Your turn")
    me.page.locator(".piece").first.wait_for()
    return me


def play_a_move(me: Person) -> Any:
    """Make a legal move on the board, and return the match after it."""
    state = me.state()
    move = next(move for move in Board("chieftain", state["position"]["fen"]).legal_moves if move.special is None)
    # The focus scrolls a square into view on a zoomed board.
    for square in (move.to_square, move.from_square):
        me.page.locator(f'[data-square="{square_name(square)}"]').focus()
    me.play(move)
    return me.past(state["number"])


def play_a_turn(me: Person) -> int:
    """Play one move, end the turn, and return how many moves the engine replies with."""
    count = len(play_a_move(me)["moves"])
    me.page.locator('[data-press="end"]').click()
    for _ in range(150):
        state = me.state()
        # The end of the turn may not have reached the server yet.
        if len(state["moves"]) > count and "move" in state["may"]:
            return sum(move["move"] != "end" for move in state["moves"][count:])
        me.page.wait_for_timeout(100)
    raise AssertionError("the engine does not answer")


def numbers(me: Person, count: int) -> None:
    """Wait until `count` moves on the board are numbered."""
    expect(me.page.locator(".over text.number")).to_have_count(count)


def played_back(me: Person, count: int) -> list[str]:
    """Wait until all moves are on the board, and return what it showed before."""
    me.until(f"window.seen.at(-1) === 'Show the turn again{count}'")
    seen: list[str] = me.page.evaluate("window.seen.splice(0)")
    return seen


@pytest.mark.parametrize("device", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_the_engines_turn_is_played_back(person: Callable[..., Person], server: Server, device: dict[str, Any]) -> None:
    me = begun(person, server, reduced_motion="no-preference", **device)
    me.page.evaluate(RECORD)
    while (count := play_a_turn(me)) < 2:
        pass
    shown = played_back(me, count)
    steps = [f"Skip replay{at}" for at in range(1, count)]
    assert [step for step in shown if step in steps] == steps
    # All its moves stay marked, with arrows.
    numbers(me, count)
    expect(me.page.locator(".under path.head.last")).to_have_count(count)
    # A phone's board is zoomed in, and has followed the moves.
    last = me.state()["position"]["last_turn"][-1]["path"][-1]

    def in_sight() -> bool:
        square = me.page.locator(f'[data-square="{last}"]').bounding_box()
        frame = me.page.locator(".viewport").bounding_box()
        across = frame["x"] - 1 <= square["x"] <= frame["x"] + frame["width"] - square["width"] + 1
        return across and frame["y"] - 1 <= square["y"] <= frame["y"] + frame["height"] - square["height"] + 1

    me.until(in_sight)

    again = me.page.get_by_role("button", name="Show the turn again")
    again.click()
    shown = played_back(me, count)
    assert [step for step in shown if step.startswith("Skip")] == ["Skip replay0", *steps]
    # A tap on the board ends the playback and does nothing else; so does a key.
    again.click()
    me.page.locator(AGAIN, has_text="Skip").wait_for()
    me.tap("k1" if device is DESKTOP else last)
    again.wait_for()
    numbers(me, count)
    assert me.page.locator('[role=gridcell][aria-selected="true"]').count() == 0
    again.click()
    me.page.locator(AGAIN, has_text="Skip").wait_for()
    me.page.keyboard.press("Escape")
    again.wait_for()
    # The marks disappear when the player moves.
    play_a_move(me)
    numbers(me, 1)


def test_reduced_motion_shows_the_marks_at_once(person: Callable[..., Person], server: Server) -> None:
    me = begun(person, server)
    me.page.evaluate(RECORD)
    while (count := play_a_turn(me)) < 2:
        pass
    assert not [step for step in played_back(me, count) if step.startswith("Skip")]
    numbers(me, count)


@pytest.mark.parametrize(
    ("locale", "legend", "reason"),
    [
        ("en-GB", "Pieces in a frame are in command.", "Out of command: there is no Chieftain within 3 squares"),
        (
            "fr-FR",
            "Les pièces encadrées peuvent être commandées.",
            "Hors de commandement\N{NO-BREAK SPACE}: aucune pièce royale (Chef)",
        ),
    ],
)
@pytest.mark.parametrize("device", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_a_piece_out_of_command_says_why(
    person: Callable[..., Person], server: Server, device: dict[str, Any], locale: str, legend: str, reason: str
) -> None:
    token = server.guest()
    match = server.match(token, "chieftain", LEVEL_1)["match"]
    me = person(token, locale=locale, **device)
    page = me.go(f"/match/{match}")
    page.locator(".piece").first.wait_for()
    state = me.state()
    # Only the Chieftain on c1 is near a4 and b1.
    page.locator('[data-square="a4"]').focus()
    me.pick_up("a4")
    expect(page.locator(".under path.command.gold")).to_have_count(1)
    me.tap("a5")
    state = me.past(state["number"])
    me.says(legend)
    expect(page.locator(".under rect.command")).to_have_count(len(state["position"]["in_command"]))
    me.tap("b1")
    me.says(reason)


@pytest.mark.parametrize("game", ["chieftain", "marseillais"])
def test_stepping_through_a_game_numbers_the_moves_of_each_turn(person: Callable[..., Person], game: str) -> None:
    board = Board(game)
    turns: list[int] = []
    while len(turns) < 7:
        turns.append(len(board.turn_moves) + 1)
        board.push(next(move for move in board.legal_moves if move.special is None))
    me = person(reduced_motion="no-preference")
    page = me.go("/analysis")
    page.locator("#pgn").fill(str(pgn.Game.from_board(board)))
    page.get_by_role("button", name="Import").click()
    page.locator(".tree").wait_for()
    page.keyboard.press("Home")
    me.until("!document.querySelector('.over text.number')")
    for turn in turns:
        page.keyboard.press("ArrowRight")
        me.until(f"document.querySelectorAll('.over text.number').length === {turn}")
        expect(page.locator(".over text.number")).to_have_text([str(number) for number in range(1, turn + 1)])


def test_a_finished_match_can_be_stepped_through_move_by_move(person: Callable[..., Person], server: Server) -> None:
    match, token = played(server, "chieftain", ["a4a5", "p4p5", "end", "a9a8", "end"])
    me = person(token, reduced_motion="no-preference")
    page = me.go(f"/match/{match}")
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("dialog").get_by_role("button").last.click()
    page.locator(".news.ending").wait_for()
    men = {"a4": "white", "a5": "white", "p5": "white", "a8": "black"}

    def shows(past: str, count: int, *squares: str) -> None:
        me.says(past)
        me.until(f"document.querySelectorAll('.over text.number').length === {count}")
        for square, side in men.items():
            label = page.locator(f'[data-square="{square}"]')
            expect(label).to_have_attribute("aria-label", re.compile(side if square in squares else "empty$"))

    steps = [
        ("After move 1 (Black)", 1, "a5", "p5", "a8"),
        ("After move 1 (White)", 2, "a5", "p5"),
        ("After move 1 (White)", 2, "a5", "p5"),
        ("After move 1 (White)", 1, "a5"),
        ("Starting position", 0, "a4"),
    ]
    for past, count, *squares in steps:
        page.keyboard.press("ArrowLeft")
        shows(past, count, *squares)
    for past, count, *squares in reversed(steps[:-1]):
        page.get_by_label("Next move").click()
        shows(past, count, *squares)
    page.get_by_role("button", name="Back to the current position").click()
    me.until("!document.body.textContent.includes('After move')")
    me.until("document.querySelectorAll('.over text.number').length === 1")


def test_small_squares_have_no_coordinates(person: Callable[..., Person], server: Server) -> None:
    me = begun(person, server, **PHONE)
    rulers = me.page.locator(".ruler").first
    # The board is zoomed in at first.
    expect(rulers).to_be_visible()
    me.page.locator('[data-press="zoom"]').tap()
    expect(rulers).to_be_hidden()


def test_a_takeback_inside_a_turn_is_confirmed_first(person: Callable[..., Person], server: Server) -> None:
    me = begun(person, server, **DESKTOP)
    play_a_turn(me)
    state = play_a_move(me)
    page = me.page
    take_back = page.get_by_role("button", name="Take back", exact=True)
    expect(take_back).to_have_count(1)
    take_back.click()
    page.get_by_role("dialog").get_by_role("button", name="Keep playing").click()
    assert len(me.state()["moves"]) == len(state["moves"])
    # Undo takes back one move of the turn, and then there is nothing to lose.
    page.get_by_role("button", name="Undo").click()
    me.until(lambda: len(me.state()["moves"]) == len(state["moves"]) - 1)
    play_a_move(me)
    take_back.click()
    page.get_by_role("dialog").get_by_role("button", name="Take back").click()
    me.until(lambda: me.state()["moves"] == [])
