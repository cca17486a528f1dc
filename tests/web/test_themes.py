"""Boards, sets of pieces and figurines, in a browser."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from itertools import combinations
from typing import Any

import pytest
from playwright.sync_api import expect
from websockets.sync.client import connect

from acedrex import Board, load
from acedrex.art import emblem_symbol
from tests.conftest import TIMEOUT
from tests.web.people import Person, Server

PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


def played(server: Server, game: str, moves: Iterable[str]) -> tuple[str, str]:
    """Play moves in a match of one person; return the match and the person's token."""
    token = server.guest()
    match = server.match(token, game, {"kind": "self"})["match"]
    with connect(server.url.replace("http", "ws") + f"/api/matches/{match}/socket") as line:
        line.send(json.dumps({"type": "hello", "token": token, "after": None}))
        state = json.loads(line.recv())
        for id, move in enumerate(moves):
            board = Board(game, state["position"]["fen"])
            uci = board.parse_san(move).uci()
            line.send(json.dumps({"type": "move", "move": uci, "number": state["number"], "id": str(id)}))
            while True:
                heard = json.loads(line.recv(timeout=TIMEOUT))
                assert heard["type"] != "refused", heard
                if heard["type"] == "update" and heard.get("position"):
                    state.update({key: value for key, value in heard.items() if value is not None})
                    break
    return match, token


def choose(page: Any, legend: str, label: str) -> None:
    """Choose a setting."""
    page.get_by_role("group", name=legend).get_by_role("radio", name=label, exact=True).check(force=True)


@pytest.mark.parametrize("device", ["desktop", "phone"])
def test_moves_are_shown_with_figurines_and_copied_with_letters(
    person: Callable[..., Person], server: Server, device: str
) -> None:
    match, token = played(server, "metamachy", ["e5", "e8", "Nd4"])
    me = person(token, **(PHONE if device == "phone" else {}))
    page = me.go(f"/match/{match}")
    if device == "phone":
        page.locator(".open-button").click()
    knight = page.locator(".moves button", has_text="Nd4")
    knight.wait_for()
    figurine = knight.locator(".figurine")
    expect(figurine.locator("use")).to_have_attribute("href", "#acedrex-figurine-knight")
    expect(figurine).to_have_attribute("title", "Knight")
    box = figurine.locator("svg").bounding_box()
    assert box["width"] >= 15 and box["height"] >= 15
    copied = "(() => { getSelection().selectAllChildren(document.querySelector('.moves li:last-child')); "
    assert page.evaluate(copied + "return getSelection().toString() })()").split() == ["2.", "Nd4"]
    assert knight.get_attribute("aria-label") == "Turn 2, White, Nd4"
    assert page.locator(".moves button", has_text="e5").locator(".figurine").count() == 0
    face = page.evaluate("getComputedStyle(document.querySelector('.moves')).fontFamily")
    assert "Verdana" in face

    page = me.go("/settings")
    choose(page, "Moves", "With letters")
    page = me.go(f"/match/{match}")
    page.locator(".moves").wait_for(state="attached")
    me.until("document.querySelector('.moves').textContent.includes('Nd4')")
    assert page.locator(".figurine").count() == 0


def test_the_tree_and_the_engine_lines_show_figurines(person: Callable[..., Person]) -> None:
    me = person()
    page = me.go("/analysis")
    page.locator("#pgn").fill("1. Nf3 Nc6 2. e4 *")
    page.get_by_role("button", name="Import").click()
    me.until("document.querySelectorAll('.tree .figurine use').length === 2")
    expect(page.locator(".tree").get_by_role("button", name="Nf3", exact=True)).to_have_count(1)
    me.until("document.querySelectorAll('.lines .figurine').length > 0")


def test_the_chosen_board_and_pieces_are_kept_and_applied_at_once(person: Callable[..., Person]) -> None:
    me = person()
    page = me.go("/settings")
    me.until("document.querySelectorAll('.sample use').length === 48")
    choose(page, "Board", "Slate")
    choose(page, "Pieces", "Diagrams")
    me.until("document.documentElement.dataset.board === 'slate'")
    # The samples of the other boards keep their colours.
    fills = page.evaluate(
        "[...document.querySelectorAll('[data-board] .dark')].slice(0, 3).map((one) => getComputedStyle(one).fill)"
    )
    assert len(set(fills)) == 3
    page = me.go("/learn/maasai")
    me.until("document.documentElement.dataset.board === 'slate'")
    me.until("document.querySelectorAll('.acedrex-board use[href*=\"--emblem-\"]').length > 20")
    assert page.locator('.acedrex-board use[href="#acedrex-w-lion"]').count() == 0


def test_the_emblems_of_maasai_differ_at_24_pixels(browser: Any) -> None:
    game = load("maasai")
    page = browser.new_page()
    page.set_content("<p></p>")
    pictures = {}
    for kind in game.pieces:
        symbol = emblem_symbol(game.emblems[kind.letter], True)
        drawing = (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="24" height="24"><defs>{symbol.symbol}</defs>'
            f'<rect width="24" height="24" fill="#b08a5d"/><use href="#{symbol.id}" width="24" height="24"/></svg>'
        )
        pictures[kind.name] = page.evaluate(
            """async (text) => {
              const image = new Image();
              image.src = "data:image/svg+xml," + encodeURIComponent(text);
              await image.decode();
              const canvas = new OffscreenCanvas(24, 24).getContext("2d");
              canvas.drawImage(image, 0, 0);
              return [...canvas.getImageData(0, 0, 24, 24).data].filter((_, at) => at % 4 === 1);
            }""",
            drawing,
        )
    page.close()
    for one, other in combinations(pictures, 2):
        strong = sum(abs(a - b) > 80 for a, b in zip(pictures[one], pictures[other], strict=True))
        assert strong >= 8, f"{one} and {other} differ in only {strong} pixels"
