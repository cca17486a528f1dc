"""Airplane mode: what a phone can do without a network after one visit, and how fast."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from datetime import date, timedelta
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from playwright.sync_api import expect

from acedrex import lessons
from tests.web.people import ROOT, Person, Server

#: A phone whose processor is four times slower than this machine's.
PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
PHONE |= {"service_workers": "allow"}
SLOWER = 4
#: The maximum time for an answer of level 9, in seconds.
MOST = 1.0

pytestmark = pytest.mark.skipif(
    not (ROOT / "web" / "core" / "compiled" / "core.js").is_file(),
    reason="the core is not compiled for browsers: tools/build_core does it",
)

Come = Callable[..., Person]


def visited(person: Come, **options: Any) -> Person:
    """Open the app once, keep everything for offline play, and go offline."""
    me = person(**{**PHONE, **options})
    page = me.go("/settings")
    me.until("navigator.serviceWorker.controller !== null")
    page.get_by_role("button", name="Keep for offline play").tap()
    me.says("Kept on this device")
    fly(me)
    return me


def fly(me: Person, off: bool = True) -> None:
    """Turn airplane mode on or off."""
    me.context.set_offline(off)
    me.until(f"navigator.onLine === {str(not off).lower()}")


def slow_down(me: Person) -> Any:
    """Slow down the page, and return the session that does; its own airplane mode overrides the context's."""
    session = me.context.new_cdp_session(me.page)
    session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    session.send("Network.enable")
    no_network = {"offline": True, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}
    session.send("Network.emulateNetworkConditions", no_network)
    return session


def begin(me: Person, path: str, **choices: str) -> None:
    """Start a game on this device, with choices by the labels of their radio buttons."""
    page = me.go(path)
    for label in choices.values():
        page.get_by_text(label, exact=True).tap()
    page.get_by_role("button", name="Start game").tap()
    page.wait_for_url("**/match/local-*")


def made(me: Person, turn: int, side: str) -> Any:
    """Wait for the move of a side in the list of moves, which a phone shows only in the panel."""
    move = me.page.locator(f'.moves [aria-label^="Turn {turn}, {side}, "]').first
    move.wait_for(state="attached")
    return move


#: Chromium slows down pages, but not their workers: this measures how long the worker takes for its last answer.
CLOCK = """
const Native = Worker;
window.Worker = class extends Native {
  postMessage(message) {
    const sent = performance.now();
    this.addEventListener("message", () => { window.thought = performance.now() - sent; }, { once: true });
    super.postMessage(message);
  }
};
"""
#: Measures from the next tap on the page to the appearance of a move in the list.
MEASURE = """label => {
  let tapped = 0;
  addEventListener("pointerup", () => { tapped = performance.now(); }, { capture: true, once: true });
  window.answered = new Promise((done) => {
    const look = () =>
      document.querySelector(`.moves [aria-label^="${label}"]`) && done([performance.now() - tapped, window.thought]);
    new MutationObserver(look).observe(document.body, { subtree: true, childList: true, attributes: true });
  });
}"""


def seconds_to_answer(me: Person, turn: int, start: str, end: str) -> float:
    """Make a move, and return the time to the answer, as it would be with a slower worker too."""
    me.pick_up(start)
    me.page.evaluate(MEASURE, f"Turn {turn}, Black, ")
    me.tap(end)
    answered, thought = me.page.evaluate("window.answered")
    return float(answered + (SLOWER - 1) * thought) / 1000


@pytest.mark.nightly
def test_level_9_of_maasai_answers_within_a_second(person: Come, capsys: pytest.CaptureFixture[str]) -> None:
    me = visited(person)
    page = me.page
    page.add_init_script(CLOCK)
    slow_down(me)
    page = me.go("/new?game=maasai")
    page.locator("#level").fill("9")
    page.get_by_role("button", name="Start game").tap()
    me.says("Your turn")
    answers: list[float] = []
    starts: list[float] = []
    first: list[float] = []
    # Until the best time is good enough: the machine may be busy with something else.
    for turn, file in enumerate("acegik"):
        if turn > 3 and max(min(answers), min(first)) < MOST:
            break
        if turn > 0:
            # A cold start: nothing is in memory, everything is in the caches.
            me.kept("matches", f"saved.card.ply === {4 * turn}")
            url = page.url
            page.goto("about:blank")
            before = time.perf_counter()
            page.goto(url)
            made(me, 2 * turn, "Black")
            starts.append(time.perf_counter() - before)
            first.append(seconds_to_answer(me, 2 * turn + 1, f"{file}4", f"{file}5"))
        else:
            answers.append(seconds_to_answer(me, 1, f"{file}4", f"{file}5"))
        answers.append(seconds_to_answer(me, 2 * turn + 2, f"{file}5", f"{file}6"))
    with capsys.disabled():
        told = [", ".join(f"{second:.2f}" for second in seconds) for seconds in (answers, starts, first)]
        print(f"\nlevel 9 of Maasai answers in {told[0]} s; after cold starts of {told[1]} s in {told[2]} s")
    assert min(answers) < MOST
    assert min(first) < MOST


def test_a_pass_and_play_game_survives_closing_the_tab(person: Come) -> None:
    me = visited(person)
    begin(me, "/new?game=chess", opponent="Pass and play")
    moves = [("f2", "f3"), ("e7", "e5"), ("g2", "g4"), ("d8", "h4")]
    for number, (start, end) in enumerate(moves):
        me.pick_up(start)
        me.tap(end)
        made(me, number // 2 + 1, "Black" if number % 2 else "White")
        if number == 1:
            me.kept("matches", "saved.card.ply === 2")
            url = me.page.url
            me.page.close()
            me.page = me.context.new_page()
            me.page.goto(url)
            made(me, 1, "Black")
    me.says("Checkmate. Black wins.")
    me.page.get_by_role("button", name="More").tap()
    expect(me.page.get_by_role("button", name="Add to the archive")).to_be_disabled()
    me.page.get_by_role("tab", name="Match").tap()
    me.says("This match is on this device")
    assert me.page.get_by_text("Spectator link").count() == 0


def test_the_clock_of_a_pass_and_play_game_runs_while_the_page_is_closed(person: Come) -> None:
    me = visited(person)
    page = me.go("/new?game=chess")
    page.get_by_text("Pass and play", exact=True).tap()
    page.get_by_label("Clock").select_option("byoyomi")
    for label, value in (("Minutes", "0"), ("Periods", "1"), ("Seconds per period", "5")):
        page.get_by_label(label).fill(value)
    page.get_by_role("button", name="Start game").tap()
    page.wait_for_url("**/match/local-*")
    for number, (start, end) in enumerate([("e2", "e4"), ("e7", "e5"), ("g1", "f3")]):
        me.pick_up(start)
        me.tap(end)
        made(me, number // 2 + 1, "Black" if number % 2 else "White")
    expect(page.locator(".clock")).to_have_count(2)
    page.locator(".player.turn .clock.runs").wait_for()
    me.kept("matches", "saved.card.ply === 3")
    # The clock runs on while the page is closed.
    url = page.url
    page.goto("about:blank")
    time.sleep(6)
    page.goto(url)
    me.says("Black ran out of time. White wins.")
    page.get_by_role("button", name="Rematch").tap()
    page.wait_for_url(lambda address: "/match/local-" in address and address != url)
    page.locator(".clock").first.wait_for()


def test_takeback_hint_resignation_and_rematch_work_against_the_engine(person: Come) -> None:
    me = visited(person)
    begin(me, "/new?game=chess")
    me.says("Your turn")
    me.tap("e2")
    me.tap("e4")
    made(me, 1, "Black")
    page = me.page
    page.get_by_role("button", name="More").tap()
    page.get_by_role("button", name="Take back").tap()
    page.locator(".moves button").first.wait_for(state="detached")
    page.get_by_role("button", name="More").tap()
    page.get_by_role("button", name="Hint").tap()
    page.locator(".board-box .arrow, .board-box [class*=hint], .board-box marker").first.wait_for(state="attached")
    page.get_by_role("button", name="More").tap()
    page.get_by_role("button", name="Resign").tap()
    page.get_by_role("dialog").get_by_role("button", name="Resign").tap()
    me.says("You lost")
    first = page.url
    page.get_by_role("button", name="Rematch").tap()
    page.wait_for_url(lambda url: "/match/local-" in url and url != first)
    # The sides are swapped, so the engine starts.
    made(me, 1, "White")
    expect(page.locator(".player .points").last).to_contain_text("0 : 1")


def test_black_can_choose_the_setup_offline(person: Come) -> None:
    me = visited(person)
    begin(me, "/new?game=zanzibar-s", side="Black", setup="Black chooses")
    me.says("Choose the setup.")
    page = me.page
    page.get_by_role("button", name="Shuffle").tap()
    page.get_by_role("button", name="Use this setup").tap()
    made(me, 1, "White")
    me.says("Your turn")


def test_learn_pages_and_recent_puzzles_of_the_day_work_offline(person: Come) -> None:
    me = visited(person)
    page = me.go("/learn/magi")
    me.says("You are offline.")
    page.get_by_role("heading", name="Rules", exact=True).wait_for()
    exercise = lessons.exercises("magi")[0]
    solve(me, exercise.line)
    me.says("Solved.")
    page = me.go("/daily")
    daily = page.evaluate("fetch('/api/daily').then(answer => answer.json())")
    assert daily["solved"] == []
    page.get_by_role("button", name="Show the solution").tap()
    me.says("This is the solution.")
    expect(page.locator(".verdict")).to_contain_text(" ".join(daily["puzzle"]["line"]))
    # The puzzles of the last days work too.
    before = date.fromisoformat(daily["today"]) - timedelta(days=5)
    assert before.isoformat() >= daily["first"]
    page = me.go(f"/daily?date={before}")
    page.get_by_role("button", name="Show the solution").tap()
    me.says("This is the solution.")
    # Pages that were never opened are not available.
    page = me.go("/lobby")
    me.says("This page is not kept on this device.")


def test_a_pgn_can_be_imported_reviewed_and_exported_offline(person: Come) -> None:
    me = visited(person)
    page = me.go("/analysis")
    page.locator("#pgn").fill('[White "Ana"]\n\n1. f3 e5 (1... d5 {Also good.}) 2. g4 Qh4# 0-1')
    page.get_by_role("button", name="Import").tap()
    page.wait_for_url("**/analysis/*")
    page.locator(".lines li").first.wait_for()
    open_panel(me)
    expect(page.locator(".tree button")).to_have_text(["f3", "e5", "d5", "g4", "Qh4#"])
    page.get_by_role("button", name="Analyse the whole game").tap()
    page.get_by_text("Ana: 1 blunder").wait_for(timeout=60_000)
    # The review is kept, and goes into the PGN.
    me.kept("analyses", "saved.job.found.length > 0")
    page.reload()
    open_panel(me)
    page.get_by_text("Ana: 1 blunder").wait_for()
    page.get_by_role("tab", name="Share").tap()
    with page.expect_download() as saved:
        page.get_by_role("button", name="PGN").tap()
    text = " ".join(Path(saved.value.path()).read_text().split())
    assert "2. g4 $4" in text and "{ Also good. }" in text and "[%eval" in text
    # Pictures are drawn offline too, with every piece.
    with page.expect_download() as saved:
        page.get_by_role("button", name="SVG").tap()
    root = ElementTree.fromstring(Path(saved.value.path()).read_text())
    ids = {one.attrib["id"] for one in root.iter() if "id" in one.attrib}
    uses = [one.attrib["{http://www.w3.org/1999/xlink}href"] for one in root.iter("{http://www.w3.org/2000/svg}use")]
    assert {use.removeprefix("#") for use in uses} <= ids
    assert len([use for use in uses if "acedrex-w-" in use or "acedrex-b-" in use]) == 32
    with page.expect_download() as saved:
        page.get_by_role("button", name="PNG").tap()
    assert Path(saved.value.path()).read_bytes().startswith(b"\x89PNG")


def test_a_review_does_not_overwrite_changes_from_another_tab(person: Come) -> None:
    me = visited(person)
    page = me.go("/analysis")
    page.locator("#pgn").fill("1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. c3 Nf6 5. d3 d6 6. O-O O-O 7. Re1 a6 8. Bb3 Ba7 *")
    page.get_by_role("button", name="Import").tap()
    page.wait_for_url("**/analysis/*")
    open_panel(me)
    page.get_by_role("button", name="Analyse the whole game").tap()
    stored = """(id) => new Promise((done) => {
        indexedDB.open("acedrex").onsuccess = (opened) => {
            const request = opened.target.result.transaction("analyses").objectStore("analyses").get(id);
            request.onsuccess = () => done({
                found: request.result.job?.found.length ?? 0,
                comments: Object.values(request.result.tree).map((node) => node.comment).join(""),
            });
        };
    })"""
    id = page.url.split("/analysis/")[1].split("#")[0]

    def wait(condition: Callable[[Any], bool]) -> Any:
        for _ in range(300):
            if condition(now := page.evaluate(stored, id)):
                return now
            page.wait_for_timeout(50)
        raise AssertionError(now)

    wait(lambda now: now["found"] > 0)
    other = me.context.new_page()
    other.goto(page.url)
    other.get_by_role("button", name="More").tap()
    for text in ("first", "second", "third"):
        other.get_by_label("Comment on this position").fill(text)
        found = wait(lambda now, text=text: now["comments"] == text)["found"]
        now = wait(lambda now, found=found: now["found"] > found + 1)
        assert now["comments"] == text


def test_positions_can_be_edited_and_attackers_counted_offline(person: Come) -> None:
    me = visited(person)
    page = me.go("/analysis/edit?game=chess")
    me.says("This position is playable.")
    page.get_by_role("button", name="Erase").tap()
    me.tap("e8")
    me.says("This position is not playable:")
    page.get_by_role("button", name="Starting position").tap()
    me.says("This position is playable.")
    page.get_by_role("button", name="Analyse").tap()
    page.wait_for_url("**/analysis/*")
    page.get_by_role("button", name="Count attackers").tap()
    me.until("document.querySelectorAll('.acedrex-board .count').length > 30")


def open_panel(me: Person) -> None:
    """Open the panel of an analysis, which covers the page of a phone."""
    me.page.get_by_role("button", name="More").tap()
    me.page.locator(".tree button").first.wait_for()


def test_opening_the_puzzle_of_the_day_caches_those_of_the_week(person: Come) -> None:
    me = person(**PHONE)
    page = me.go("/")
    me.until("navigator.serviceWorker.controller !== null")
    page = me.go("/daily")
    daily = page.evaluate("fetch('/api/daily').then(answer => answer.json())")
    week = [str(date.fromisoformat(daily["today"]) - timedelta(days=days)) for days in range(7)]
    kept = "Promise.all({}.map(day => caches.match(`/api/daily?date=${{day}}`))).then(all => all.every(Boolean))"
    me.until(kept.format(json.dumps(week)))
    game = page.evaluate("day => caches.match(`/api/daily?date=${day}`).then(day => day.json())", week[-1])["game"]
    me.until(f"caches.match('/api/games/{game}?lang=en').then(Boolean)")
    fly(me)
    for day in week[1:]:
        page = me.go(f"/daily?date={day}")
        page.locator(".learn .acedrex-board .piece").first.wait_for()


def solve(me: Person, line: tuple[str, ...]) -> None:
    """Make the only move of the first exercise."""
    (move,) = line
    me.page.locator("#exercises .acedrex-board").scroll_into_view_if_needed()
    for square in (move[:2], move[2:]):
        box = me.page.locator(f'#exercises [data-square="{square}"]').bounding_box()
        me.page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


def test_finished_matches_are_added_to_the_archive_only_once(person: Come) -> None:
    me = visited(person)
    page = me.page
    for _ in range(2):
        begin(me, "/new?game=chess", opponent="Pass and play")
        me.tap("e2")
        me.tap("e4")
        made(me, 1, "White")
        page.get_by_role("button", name="More").tap()
        page.get_by_role("button", name="Resign").tap()
        page.get_by_role("dialog").get_by_role("button", name="Resign").tap()
        me.says("Black resigned. White wins.")
    fly(me, off=False)
    page.get_by_role("button", name="More").tap()
    page.get_by_role("button", name="Add to the archive").tap()
    page.get_by_role("link", name="In your archive").wait_for()
    page = me.go("/mine")
    page.get_by_role("button", name="Add 1 match on this device to the archive").tap()
    page.get_by_role("button", name="Add 1 match").wait_for(state="detached")
    kept = me.server.ask("/api/archive?whose=mine", token=me.token)["matches"]
    assert [(one["imported"], one["ending"]["result"], one["moves"]) for one in kept] == [(True, "1-0", 1)] * 2
    # The browser no longer knows what it has sent, but the archive does.
    page.evaluate(
        """() => new Promise((done) => {
          indexedDB.open("acedrex.matches").onsuccess = ({ target }) => {
            const store = target.result.transaction("matches", "readwrite").objectStore("matches");
            store.getAll().onsuccess = ({ target }) => {
              for (const match of target.result) store.put({ ...match, archived: false });
              store.transaction.oncomplete = done;
            };
          };
        })"""
    )
    page = me.go("/mine")
    page.get_by_role("button", name="Add 2 matches on this device to the archive").tap()
    page.get_by_role("button", name="Add 2 matches").wait_for(state="detached")
    assert len(me.server.ask("/api/archive?whose=mine", token=me.token)["matches"]) == 2


#: What the service worker keeps: paths, searches and answers.
KEPT = """async () => {
  const cache = await caches.open("answers");
  const all = (await cache.keys()).map(async (request) => {
    const { pathname, search } = new URL(request.url);
    return [pathname, search, await (await cache.match(request)).json()];
  });
  return Promise.all(all);
}"""


def test_personal_answers_are_not_cached(person: Come, server: Server) -> None:
    token = server.guest()
    daily = server.ask("/api/daily", token=token)
    server.ask(f"/api/daily/{daily['date']}", {"moves": daily["puzzle"]["line"]}, token)
    me = person(token, **PHONE)
    page = me.go("/")
    me.until("navigator.serviceWorker.controller !== null")
    for path in ("/lobby", "/watch", "/mine", "/archive", "/new?game=magi", "/daily"):
        me.go(path)
        page.wait_for_load_state("networkidle")
    assert server.ask("/api/daily", token=token)["solved"] == [daily["date"]]
    kept: list[Any] = []

    def has_all() -> bool:
        # Answers are cached a moment after they were shown.
        kept[:] = page.evaluate(KEPT)
        days = {search for path, search, _ in kept if path == "/api/daily"}
        paths = {path for path, _, _ in kept}
        return paths >= {"/api/games", "/api/games/magi"} and days >= {"", f"?date={daily['date']}"}

    me.until(has_all)
    assert all(path.startswith(("/api/games", "/api/daily")) for path, _, _ in kept), kept
    assert not any(answer["solved"] for path, _, answer in kept if path == "/api/daily")


def test_after_viewing_a_match_games_can_be_started_offline_from_the_front_page(person: Come, server: Server) -> None:
    token = server.guest()
    match = server.match(token, "magi", {"kind": "engine", "level": 1})
    me = person(token, **PHONE)
    page = me.go(f"/match/{match['match']}")
    me.until("navigator.serviceWorker.controller !== null")
    # The worker caches the core only if it controls the page that loads it.
    page.reload()
    me.until("caches.open('core').then(core => core.keys()).then(keys => keys.length > 0)")
    fly(me)
    me.go("/").get_by_role("link", name="Play Metamachy").tap()
    page.get_by_role("button", name="Start game").tap()
    page.wait_for_url("**/match/local-*")
    me.says("Your turn")


def test_a_game_can_be_started_on_the_device_in_french(person: Come) -> None:
    me = person(**PHONE, locale="fr-FR")
    page = me.go("/new?game=magi")
    me.until("navigator.serviceWorker.controller !== null")
    page.get_by_text("Jouer sur cet appareil").tap()
    page.get_by_role("button", name="Commencer la partie").tap()
    me.says("À vous de jouer")
    assert "/match/local-" in page.url
