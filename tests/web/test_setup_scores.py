"""White's score from a setup, shown where setups are chosen or explained, and the study that measured it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from acedrex import Board, load
from acedrex.lessons import setup_scores
from tests.web.people import Person, Server

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


def text(game: str, setup: str) -> str:
    scores = setup_scores(load(game))
    assert scores is not None
    score = scores.scores[setup]
    return f"White scores {score.white:.0f}% ± {-int(-score.margin // 1)} from this setup."


@pytest.mark.parametrize("device", [{}, {**PHONE, "color_scheme": "dark"}], ids=["desktop", "phone"])
def test_learn_pages_show_whites_score_from_each_setup(person: Callable[..., Person], device: dict[str, Any]) -> None:
    me = person(**device)
    page = me.go("/learn/metamachy")
    setups = load("metamachy").setups
    me.says(text("metamachy", setups[0]))
    page.get_by_role("button", name="Next setup").click()
    me.says(text("metamachy", setups[1]))
    with me.context.expect_page() as opened:
        page.get_by_role("link", name="How this was measured").click()
    study = opened.value
    study.get_by_role("heading", name="The setups of Metamachy").wait_for()
    assert study.evaluate("getComputedStyle(document.body).maxWidth") != "none", "its style is not blocked"
    assert study.evaluate("document.documentElement.scrollWidth <= innerWidth")
    study.close()


def test_games_without_a_study_show_no_scores(person: Callable[..., Person]) -> None:
    me = person()
    me.go("/learn/chess")
    me.page.locator("#setup .picture").wait_for()
    assert me.page.get_by_text("White scores").count() == 0
    assert me.page.request.get(f"{me.server.url}/api/games/chess/study").status == 404


@pytest.mark.parametrize("device", [{}, PHONE], ids=["desktop", "phone"])
def test_the_score_of_the_setup_being_chosen_is_shown(
    person: Callable[..., Person], server: Server, device: dict[str, Any]
) -> None:
    token = server.guest("Ann")
    match = server.match(token, "metamachy", {"kind": "engine", "level": 1}, setup="choose", side="black")
    me = person(token, **device)
    page = me.go(f"/match/{match['match']}")
    me.says("Choose the setup.")
    assert page.get_by_text("White scores").count() == 0, "the board has no setup yet"
    page.get_by_role("button", name="Shuffle").click()
    said = me.says("White scores").inner_text()
    page.get_by_role("button", name="Use this setup").click()
    page.get_by_text("White scores").wait_for(state="hidden")
    setup = Board("metamachy", me.state()["start_fen"]).setup_name()
    assert setup is not None
    assert said.startswith(text("metamachy", setup))
