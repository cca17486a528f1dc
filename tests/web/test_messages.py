"""Messages beside the board: they go when the turn does, and move neither the board nor the list of moves."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from acedrex import Board, square_name
from tests.web.people import Person, Server
from tests.web.test_fit import box
from tests.web.test_turns import play_a_move

#: In a narrow column every message is at its longest.
DEVICES: dict[str, dict[str, Any]] = {
    "desktop": {"viewport": {"width": 1280, "height": 800}},
    "narrow column": {"viewport": {"width": 1030, "height": 720}, "locale": "fr-FR"},
}
WAITS = {"en-GB": "Your turn", "fr-FR": "À vous de jouer"}


def places(me: Person) -> list[dict[str, float]]:
    """Return the boxes of what has to stay in its place."""
    return [box(me.page, one) for one in (".panel", ".panel-head", ".match-bar", ".viewport")]


def idle(game: str) -> str:
    """Return the square of a piece of White's that has no move at the start."""
    board = Board(game)
    movable = {move.from_square for move in board.legal_moves}
    return next(square_name(at) for at, piece in board.piece_map().items() if piece.color and at not in movable)


def notice(me: Person) -> str:
    """Return what the board says."""
    return str(me.page.locator(".dock .status").inner_text())


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("game", ["metamachy", "chieftain"])
def test_what_the_board_says_moves_nothing(
    person: Callable[..., Person], server: Server, game: str, device: str
) -> None:
    token = server.guest()
    me = person(token, **DEVICES[device])
    page = me.go(f"/match/{server.match(token, game, {'kind': 'engine', 'level': 1}, setup=None)['match']}")
    page.locator(".news.mine").wait_for()
    page.locator(".piece").first.wait_for()
    before = places(me)
    before_said = notice(me)
    me.tap(idle(game))
    me.until(lambda: notice(me) != before_said)
    assert places(me) == before
    page.locator('[data-press="inspect"]').click()
    me.tap(idle(game))
    page.locator('[data-press="alone"]').wait_for()
    assert places(me) == before
    page.locator('[data-press="inspect"]').click()
    if game == "chieftain":
        play_a_move(me)
        page.locator('.dock [data-press="undo"]').wait_for()
        assert places(me)[0] == before[0]


def test_a_notice_goes_with_the_turn(person: Callable[..., Person], server: Server) -> None:
    token = server.guest()
    me = person(token)
    me.go(f"/match/{server.match(token, 'chess', {'kind': 'self'})['match']}")
    me.says("White to move")
    me.tap("a1")
    me.until(lambda: notice(me) != "")
    me.tap("e2")
    me.tap("e4")
    me.says("Black to move")
    me.until(lambda: notice(me) == "")


@pytest.mark.parametrize("device", DEVICES)
def test_offers_and_refusals_move_nothing(person: Callable[..., Person], server: Server, device: str) -> None:
    ann, ben = server.guest("Ann"), server.guest("Ben")
    made = server.match(ann, "chess", {"kind": "friend"})
    server.ask(f"/api/matches/{made['match']}/seat", {"invite": made["invite"]}, ben)
    white, black = person(ann, **DEVICES[device]), person(ben)
    for one in (white, black):
        one.go(f"/match/{made['match']}")
    white.page.locator(".news.mine").wait_for()
    for who, move in ((white, "e4"), (black, "e5")):
        who.page.locator(".news.mine").wait_for()
        who.type_move(move)
        who.page.locator(".news.mine").wait_for(state="detached")
    white.page.locator(".news.mine").wait_for()
    before = places(white)
    black.page.get_by_role("button", name="Offer a draw").click()
    white.page.locator(".news.offered").wait_for()
    assert places(white)[0] == before[0]
    white.page.locator(".news.offered button").last.click()
    black.says("declined the draw")
    white.type_move("Nf3")
    white.page.locator(".news.mine").wait_for(state="detached")
    assert places(white)[0] == before[0]
    black.page.get_by_text("declined the draw").wait_for(state="detached")


def test_messages_of_the_analysis_board_move_nothing(person: Callable[..., Person]) -> None:
    me = person()
    page = me.go("/analysis")
    page.locator("#pgn").fill("1. e4 e5 2. Qh5 *")
    page.get_by_role("button", name="Import").click()
    page.locator(".tree").wait_for()
    page.locator(".piece").first.wait_for()
    before = places(me)
    me.tap("a1")
    me.until(lambda: notice(me) != "")
    assert places(me) == before
    page.get_by_role("button", name="Next move").click()
    me.until(lambda: notice(me) == "")
    assert places(me) == before


@pytest.mark.parametrize(
    ("language", "button", "nothing"),
    [
        ("en-GB", "Show threats", "No piece is under threat here."),
        ("fr-FR", "Montrer les menaces", "Aucune pièce n\N{RIGHT SINGLE QUOTATION MARK}est menacée ici."),
    ],
)
def test_threats_say_when_there_are_none(
    person: Callable[..., Person], language: str, button: str, nothing: str
) -> None:
    me = person(locale=language)
    page = me.go("/analysis")
    page.locator("#pgn").fill("1. e4 e5 2. Qh5 *")
    page.get_by_role("button", name=re.compile("^Import")).click()
    page.locator(".tree").wait_for()
    page.locator(".piece").first.wait_for()
    before = places(me)
    page.get_by_role("button", name=button).click()
    me.says(nothing)
    assert places(me) == before
    page.keyboard.press("End")
    # The Queen attacks a Pawn that nothing defends.
    page.locator(".over .arrow.vermilion").first.wait_for(state="attached")
    page.get_by_text(nothing).wait_for(state="detached")
    page.keyboard.press("Home")
    me.says(nothing)
    page.get_by_role("button", name=button).click()
    page.get_by_text(nothing).wait_for(state="detached")
