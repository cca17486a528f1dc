"""The five games in a browser: the setup phase, and games against level 1 that end by their rules."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from acedrex import Board, Engine, load
from tests.samples import sample
from tests.web.people import Person, Server

LEVEL_1 = {"kind": "engine", "level": 1}


def near_mate(_board: Board, result: Any) -> bool:
    mate = result.info.score.mate
    return mate is not None and 0 < mate <= 3


def few_royals(board: Board, result: Any) -> bool:
    return near_mate(board, result) or sum(p.letter == "C" and not p.color for p in board.piece_map().values()) <= 1


def test_a_newcomer_starts_a_game_of_maasai_within_three_clicks(person: Callable[..., Person]) -> None:
    me = person()
    page = me.go("/")
    page.locator("li", has_text="Maasai Chess").get_by_role("link", name="Play").click()
    page.get_by_role("button", name="Start game").click()
    me.says("Your turn")
    state = me.state()
    assert (state["game"]["game"], state["phase"], state["players"]["black"]["kind"]) == ("maasai", "play", "engine")
    me.tap("e4")
    me.tap("e5")
    page.get_by_role("button", name="Turn 1, White, e5").wait_for(state="attached")


def test_a_game_of_magi_can_be_won_from_the_start(person: Callable[..., Person], server: Server) -> None:
    token = server.guest()
    me = person(token)
    me.go(f"/match/{server.match(token, 'magi', LEVEL_1)['match']}")
    with Engine() as thinker:
        ending = me.finish(thinker)
    assert "You won" in ending and "Checkmate" in ending, ending
    assert me.state()["ending"]["reason"] == "checkmate"


@pytest.mark.parametrize(
    ("game", "is_late"),
    [
        ("metamachy", near_mate),
        ("chieftain", few_royals),
        *sample([], [("zanzibar-s", near_mate), ("maasai", near_mate)]),
    ],
)
def test_a_game_started_elsewhere_can_be_played_to_its_end(
    person: Callable[..., Person], server: Server, game: str, is_late: Callable[[Board, Any], bool]
) -> None:
    token = server.guest()
    match = server.match(token, game, LEVEL_1)["match"]
    with Engine() as thinker:
        server.play_until(match, token, thinker, is_late)
        me = person(token)
        me.go(f"/match/{match}")
        ending = me.finish(thinker)
    reason = me.state()["ending"]["reason"]
    assert reason == ("royals_captured" if game == "chieftain" else "checkmate"), ending
    assert "You won" in ending


@pytest.mark.parametrize("game", ["maasai", *sample([], ["metamachy", "zanzibar-s"])])
def test_black_can_arrange_the_pieces(person: Callable[..., Person], server: Server, game: str) -> None:
    token = server.guest()
    me = person(token)
    match = server.match(token, game, LEVEL_1, side="black", setup="choose")["match"]
    page = me.go(f"/match/{match}")
    me.says("Choose the setup.")
    play = page.locator('[data-press="playSetup"]')
    expect(play).to_be_disabled()
    loaded = load(game)
    phase = server.ask(f"/api/games/{game}")["setup"]
    wanted = server.ask(f"/api/games/{game}/setups/17")["name"]
    for group, letters in zip(phase["groups"], wanted.split("-"), strict=True):
        for square, letter in zip(group["squares"], letters, strict=True):
            page.locator(f'.tray [data-tray="{letter}"]').click()
            me.tap(square)
            opposite = page.locator(f'[data-square="{square[0]}{loaded.ranks + 1 - int(square[1:])}"]')
            expect(opposite).to_have_attribute("aria-label", re.compile(f", white {loaded.piece(letter).name}"))
    me.says("Setup 17 of")
    play.click()
    page.get_by_role("button", name="Turn 1, White").wait_for(state="attached")
    assert me.state()["setup"] == wanted


def test_the_last_setup_can_be_used_again(person: Callable[..., Person], server: Server) -> None:
    token = server.guest()
    me = person(token)
    names = []
    for press in ("shuffle", "last"):
        match = server.match(token, "maasai", LEVEL_1, side="black", setup="choose")["match"]
        page = me.go(f"/match/{match}")
        page.locator(f'[data-press="{press}"]').click()
        page.locator('[data-press="playSetup"]:enabled').click()
        page.get_by_role("button", name="Turn 1, White").wait_for(state="attached")
        names.append(me.state()["setup"])
    assert names[0] == names[1]
