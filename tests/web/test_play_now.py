"""House engines, and Play now: two people find each other, each of whom plays an engine meanwhile."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.web.conftest import STATIC, need
from tests.web.people import Person, Server, serving

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


@pytest.fixture
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Run a server of its own, with an empty lobby."""
    need((STATIC / "index.html").is_file(), "the web app is not built: make play builds it")
    with serving(tmp_path_factory.mktemp("server")) as here:
        yield here


def play_now(person: Person, choice: str) -> str:
    """Press a quick choice, and return the match that it opens."""
    person.go("/play").get_by_role("button", name=choice, exact=True).click()
    person.page.wait_for_url("**/match/**")
    return person.match


@pytest.mark.parametrize("device", [{}, PHONE], ids=["desktop", "phone"])
def test_whoever_waits_plays_an_engine_and_is_called(person: Callable[..., Person], device: dict[str, Any]) -> None:
    ann, ben = person(**device), person(**device)
    meanwhile = play_now(ann, "Magi, 10 min")
    ann.says("Caladrius")
    ann.says("Your challenge is in the lobby: Magi")
    ann.says("Your turn")
    # Somebody who wants another game is not taken for the opponent.
    other = person()
    play_now(other, "Metamachy, 10 min")
    other.says("Caladrius")
    ben.go("/play").get_by_role("button", name="Magi, 10 min", exact=True).click()
    ann.says("has accepted your challenge in Magi")
    together = ann.page.get_by_role("button", name="Join", exact=True)
    together.click()
    ann.page.wait_for_url(lambda url: meanwhile not in url)
    ben.page.wait_for_url(f"**/match/{ann.match}")
    assert {ann.state()["seat"], ben.state()["seat"]} == {"white", "black"}
    # The game with the engine was left without a loss.
    left = ann.server.ask(f"/api/matches/{meanwhile}", token=ann.token)
    assert (left["phase"], left["ending"]) == ("play", None)


def test_not_now_ends_the_game_before_it_begins(person: Callable[..., Person]) -> None:
    ann, ben = person(), person()
    meanwhile = play_now(ann, "Magi, 10 min")
    ann.says("Your challenge is in the lobby: Magi")
    ben.go("/play").get_by_role("button", name="Magi, 10 min", exact=True).click()
    ann.says("has accepted your challenge in Magi")
    ann.page.get_by_role("button", name="Not now", exact=True).click()
    expect(ann.page.get_by_role("button", name="Join", exact=True)).to_have_count(0)
    assert ann.match == meanwhile
    ben.page.wait_for_url("**/match/**")
    ben.says("Match aborted")
    assert ben.state()["ending"]["winner"] is None


def test_a_challenge_is_shown_to_whoever_plays_an_engine_and_can_be_dismissed(
    person: Callable[..., Person], server: Server
) -> None:
    token = server.guest("Ann")
    ann = person(token)
    made = server.match(token, "magi", {"kind": "engine", "level": 1})
    ann.go(f"/match/{made['match']}")
    ann.says("Your turn")
    ben = server.guest("Ben")
    time = {"kind": "correspondence", "days_per_turn": 3, "reserve_days": 0}
    for _ in range(2):
        server.match(ben, "metamachy", {"kind": "lobby"}, time=time)
    ann.says("Ben is looking for an opponent: Metamachy")
    notice = ann.page.locator(".news", has_text="Ben is looking")
    notice.get_by_role("button", name="Close").click()
    # The other challenge.
    notice.get_by_role("button", name="Close").click()
    expect(notice).to_have_count(0)
    server.match(ben, "chess", {"kind": "lobby"}, time=time)
    ann.says("Ben is looking for an opponent: Chess")
    notice.get_by_role("button", name="Accept").click()
    ann.page.wait_for_url(lambda url: made["match"] not in url)
    assert ann.state()["game"]["game"] == "chess"


def test_two_who_wait_at_the_same_time_see_each_other(person: Callable[..., Person], server: Server) -> None:
    ann = person()
    play_now(ann, "Magi, 10 min")
    ann.says("Your challenge is in the lobby: Magi")
    # Somebody who asked at the same moment has posted a challenge too.
    ben = server.guest("Ben")
    time = {"kind": "fischer", "initial_ms": 600_000, "increment_ms": 10_000}
    theirs = server.match(ben, "magi", {"kind": "lobby"}, time=time)["match"]
    notice = ann.page.locator(".news", has_text="Ben is looking")
    notice.get_by_role("button", name="Accept").click()
    ann.page.wait_for_url(f"**/match/{theirs}")
    # Her own challenge is gone, so that nobody sits down at an empty board.
    ann.until(lambda: server.ask("/api/lobby") == [])


def test_the_last_choice_is_one_tap(person: Callable[..., Person]) -> None:
    ann = person()
    play_now(ann, "Metamachy, 3 days")
    page = ann.go("/play")
    page.get_by_role("button", name="Play now Metamachy · 3 days").click()
    page.wait_for_url("**/match/**")
    assert ann.state()["game"]["game"] == "metamachy"
    # Her challenge of before still waits; there is no second one.
    assert len(ann.server.ask("/api/lobby")) == 1


def test_a_house_engine_is_challenged_from_the_lobby(person: Callable[..., Person]) -> None:
    ann = person()
    ann.go("/lobby").get_by_role("link", name="Challenge Zaraffa").click()
    ann.page.get_by_role("heading", name="Zaraffa", level=1).wait_for()
    ann.says("No finished games yet")
    ann.page.get_by_label("Game").select_option(label="Magi")
    ann.page.get_by_role("button", name="Challenge").click()
    ann.page.wait_for_url("**/match/**")
    ann.page.get_by_role("link", name="Zaraffa", exact=True).click()
    ann.page.get_by_role("heading", name="Latest games").or_(
        ann.page.get_by_text("No finished games yet")
    ).first.wait_for()
