"""The narrowest phone, 320 by 640: no page is wider than the screen, and nothing sticks out of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from acedrex import games
from tests.web.people import Person, Server
from tests.web.test_themes import played

NARROW: dict[str, Any] = {"viewport": {"width": 320, "height": 640}, "has_touch": True, "is_mobile": True}
LANGUAGES = ["en-GB", "fr-FR"]

#: A name that cannot be broken at a space.
LONG = "Bartholomew-Wolfgang" * 2

#: Returns what is wider than the page: the page itself, and what sticks out of it without being cut off by what
#: contains it, or is cut off there without a way to scroll to it.
WIDE = """() => {
  const found = [];
  const name = (one) => `${one.tagName.toLowerCase()}.${one.className.baseVal ?? one.className}`.slice(0, 80)
    + `: ${one.textContent.trim().slice(0, 40)}`;
  const wide = document.scrollingElement.scrollWidth;
  if (wide > 320) found.push(`the page is ${wide} wide`);
  const shown = (one) => one.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  // What only screen readers read is cut to nothing, and a board shows a part of itself when it is zoomed.
  const isKept = (one) => one.closest("input, textarea, .hidden, .live, .skip, .viewport, svg svg, symbol") !== null;
  for (const one of document.body.querySelectorAll("*")) {
    if (!shown(one) || isKept(one)) continue;
    const box = one.getBoundingClientRect();
    if (box.width > 0 && (box.right > 320 + 0.5 || box.left < -0.5)) found.push(name(one));
    const { overflowX, textOverflow } = getComputedStyle(one);
    const isCut = ["hidden", "clip"].includes(overflowX) && textOverflow !== "ellipsis";
    if (isCut && one.scrollWidth > one.clientWidth + 1) found.push(`cut off: ${name(one)}`);
  }
  return [...new Set(found)];
}"""


@pytest.fixture(params=LANGUAGES)
def locale(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def me(person: Callable[..., Person], server: Server, locale: str) -> Person:
    """A person with a long name at a narrow phone, with a finished match, one that goes on, and a challenge."""
    match, token = played(server, "chess", ["f3", "e5", "g4", "Qh4"])
    server.match(token, "zanzibar-s", {"kind": "engine", "level": 1}, side="black", setup="choose")
    server.match(
        token,
        "metamachy",
        {"kind": "lobby"},
        time={"kind": "byoyomi", "initial_ms": 3_600_000, "periods": 5, "period_ms": 60_000},
    )
    server.bring(token, f'[White "{LONG}"]\n[Black "{LONG}"]\n[Date "1924.03.18"]\n\n1. e4 e5 2. Nf3 1-0')
    server.match(server.guest(LONG), "terachess", {"kind": "lobby"})
    one = person(token, **NARROW, locale=locale)
    one.page.goto(server.url)
    one.page.evaluate(f"sessionStorage.finished = '{match}'")
    return one


def finished(me: Person) -> str:
    """Return the finished match."""
    return str(me.page.evaluate("sessionStorage.finished"))


PATHS = [
    "/",
    "/new",
    "/new?game=metamachy",
    "/new?game=chieftain&opponent=lobby",
    "/new?game=magi&opponent=friend",
    "/positions",
    "/lobby",
    "/watch",
    "/mine",
    "/archive?whose=mine",
    "/archive?whose=public&game=chess",
    "/settings",
    "/settings/tokens",
    "/daily",
    "/puzzles",
    "/puzzles?game=maasai",
    "/analysis",
    "/analysis/edit?game=magi",
    "/analysis/edit?game=chieftain",
    "/studio",
    "/about",
    "/nothing",
]


def test_every_page_fits(me: Person) -> None:
    wrong: list[tuple[str, str]] = []
    for path in PATHS:
        me.go(path)
        me.page.wait_for_load_state("networkidle")
        wrong += [(path, one) for one in me.page.evaluate(WIDE)]
    me.page.locator(".menu-button").tap()
    wrong += [("menu", one) for one in me.page.evaluate(WIDE)]
    assert not wrong, "\n".join(map(str, wrong))


def test_every_game_fits(me: Person) -> None:
    wrong: list[tuple[str, str]] = []
    for game in games():
        for path in (f"/learn/{game}", f"/learn/{game}/first"):
            me.go(path)
            me.page.wait_for_load_state("networkidle")
            wrong += [(path, one) for one in me.page.evaluate(WIDE)]
    assert not wrong, "\n".join(map(str, wrong))


def test_every_part_of_a_match_fits(me: Person, server: Server) -> None:
    wrong: list[tuple[str, str]] = []

    def look(where: str) -> None:
        me.page.wait_for_load_state("networkidle")
        wrong.extend((where, one) for one in me.page.evaluate(WIDE))

    clock = {"kind": "byoyomi", "initial_ms": 3_600_000, "periods": 5, "period_ms": 60_000}
    matches = {
        "over": finished(me),
        "setup": server.match(me.token, "maasai", {"kind": "engine", "level": 1}, side="black", setup="choose")[
            "match"
        ],
        "several": server.match(me.token, "chieftain", {"kind": "engine", "level": 1}, time=clock)["match"],
        "friend": server.match(me.token, "metamachy", {"kind": "friend"}, time=clock)["match"],
        "terachess": server.match(me.token, "terachess", {"kind": "self"})["match"],
        "xiangqi": server.match(me.token, "xiangqi", {"kind": "self"})["match"],
    }
    for where, match in matches.items():
        me.go(f"/match/{match}")
        me.page.locator(".piece").first.wait_for(state="attached")
        look(where)
        if where == "several":
            me.page.locator('[data-press="inspect"]').tap()
            me.tap("e2")
            look("how a piece moves")
        me.page.locator(".open-button").tap()
        for tab in me.page.locator(".panel [role=tab]").all():
            tab.tap()
            look(f"{where}, panel")
    assert not wrong, "\n".join(map(str, wrong))


def test_every_part_of_an_analysis_fits(me: Person) -> None:
    wrong: list[tuple[str, str]] = []
    page = me.go(f"/analysis?match={finished(me)}")
    page.locator(".match-status").wait_for()
    page.locator(".piece").first.wait_for(state="attached")

    def look(where: str) -> None:
        page.wait_for_load_state("networkidle")
        wrong.extend((where, one) for one in page.evaluate(WIDE))

    look("analysis")
    page.locator(".engine-head input, .engine-head button").first.click()
    look("with the engine")
    page.locator(".open-button").tap()
    for tab in page.locator(".panel [role=tab]").all():
        tab.tap()
        look("panel")
    assert not wrong, "\n".join(map(str, wrong))


def test_every_part_of_the_studio_fits(me: Person) -> None:
    wrong: list[tuple[str, str]] = []
    page = me.go("/studio")

    def look(where: str) -> None:
        page.wait_for_load_state("networkidle")
        page.wait_for_timeout(200)
        wrong.extend((where, one) for one in page.evaluate(WIDE))

    page.locator("main button").first.tap()
    page.locator("[role=tab]").first.wait_for()
    for tab in page.locator("[role=tab]").all():
        tab.tap()
        look(tab.inner_text())
        page.evaluate("for (const one of document.querySelectorAll('main details')) one.open = true")
        look(f"{tab.inner_text()}, unfolded")
    assert not wrong, "\n".join(map(str, wrong))


def test_puzzles_fit(me: Person) -> None:
    wrong: list[tuple[str, str]] = []
    page = me.go("/puzzles?game=zanzibar-s")

    def look(where: str) -> None:
        page.wait_for_load_state("networkidle")
        wrong.extend((where, one) for one in page.evaluate(WIDE))

    page.locator("main .primary").first.tap()
    page.locator(".piece").first.wait_for(state="attached")
    look("a puzzle")
    assert not wrong, "\n".join(map(str, wrong))
