"""The analysis board, in a browser."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect
from websockets.sync.client import connect

from acedrex import Board, pgn
from tests.conftest import TIMEOUT
from tests.web.people import Person, Server
from tests.web.test_access import serious_violations

PHONE: dict[str, Any] = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
RECORD = """[White "Ana"]
[Black "Bo"]
[Result "0-1"]

1. f3 e5 {Good.} (1... d5 2. e4) 2. g4 Qh4# 0-1
"""


def opened(person: Callable[..., Person], record: str = RECORD, **options: Any) -> Person:
    """Open a PGN on the analysis board."""
    me = person(**options)
    page = me.go("/analysis")
    page.locator("#pgn").fill(record)
    page.get_by_role("button", name="Import").click()
    page.locator(".tree").wait_for()
    return me


def texts(page: Any, selector: str) -> list[str]:
    """Return the texts of some elements."""
    return [text.strip() for text in page.locator(selector).all_inner_texts()]


def moves(me: Person, count: int) -> list[str]:
    """Wait until the tree has `count` moves, and return them."""
    me.until(f"document.querySelectorAll('.tree button').length === {count}")
    return texts(me.page, ".tree button")


def saved(page: Any, press: str) -> bytes:
    """Press a button and return the file that it downloads."""
    return pressed(page, page.get_by_role("button", name=press, exact=True))


def pressed(page: Any, place: Any) -> bytes:
    """Press a button or link and return the file that it downloads."""
    with page.expect_download() as download:
        place.click()
    return Path(download.value.path()).read_bytes()


def downloaded(page: Any, place: Any) -> pgn.Game:
    """Press a button or link and return the record that it downloads."""
    record = pgn.read_game(io.StringIO(pressed(page, place).decode()))
    assert record is not None
    return record


def test_a_finished_match_can_be_analysed(person: Callable[..., Person], server: Server) -> None:
    token = server.guest()
    made = server.match(token, "chess", {"kind": "self"})
    with connect(server.url.replace("http", "ws") + f"/api/matches/{made['match']}/socket") as line:
        line.send(json.dumps({"type": "hello", "token": token, "after": None}))
        number = json.loads(line.recv(TIMEOUT))["number"]
        for move in ("f2f3", "e7e6", "g2g4", "d8h4"):
            line.send(json.dumps({"type": "move", "move": move, "number": number, "id": move}))
            while (heard := json.loads(line.recv(TIMEOUT))).get("type") != "ack":
                assert heard["type"] != "refused", heard
            number = heard["number"]
    me = person(token)
    page = me.go(f"/match/{made['match']}")
    page.locator(".after-match").get_by_role("link", name="Analyse").click()
    assert moves(me, 4) == ["f3", "e6", "g4", "Qh4#"]
    expect(page.locator(".subject")).to_contain_text("0-1")
    # The match has only one analysis, no matter how often it is opened.
    address = page.url
    me.go(f"/analysis?match={made['match']}")
    me.until(f"location.href === {json.dumps(address)}")
    # The review of the match is in the PGN that its page downloads.
    page.get_by_role("button", name="Analyse the whole game").click()
    page.locator(".review .of-white").wait_for(timeout=60_000)
    me.kept("analyses", "saved.job")
    me.go(f"/match/{made['match']}")
    record = downloaded(page, page.locator(".actions").get_by_role("link", name="PGN"))
    played = list(record.mainline())
    assert [node.san() for node in played] == ["f3", "e6", "g4", "Qh4#"]
    assert 4 in played[2].nags and all(node.eval() is not None for node in played[:-1])
    assert record.headers["Date"] != "????.??.??" and record.headers["Result"] == "0-1"
    # Other browsers do not have the review.
    other = person(server.guest("Bo")).go(f"/match/{made['match']}")
    record = downloaded(other, other.locator(".actions").get_by_role("link", name="PGN"))
    assert not any(node.nags or node.comment for node in record.mainline())


def test_moves_and_comments_can_be_added_and_survive_a_reload(person: Callable[..., Person]) -> None:
    me = opened(person)
    page = me.page
    page.get_by_role("button", name="f3", exact=True).click()
    page.get_by_role("combobox", name="Lines").select_option("3")
    me.until("document.querySelectorAll('.lines li').length === 3")
    me.until("document.querySelectorAll('.acedrex-board .arrow').length >= 3")
    expect(page.locator(".evaluation")).to_have_attribute("aria-label", re.compile("winning chances"))
    # A move that the tree does not have becomes a variation; one by hand, one of the engine's, one typed.
    me.until("document.querySelector('[data-square=\"d7\"]').getAttribute('aria-label').includes('Pawn')")
    me.tap("d7")
    me.tap("d6")
    assert "d6" in moves(me, 7)
    page.get_by_label("Comment on this position").fill("Slower.")
    page.get_by_role("button", name="Annotate with ?!").click()
    page.locator(".lines button").first.click()
    assert "d6?!" in moves(me, 8)
    page.get_by_role("button", name="Delete from here").click()
    moves(me, 7)
    # The start is a node too.
    me.kept("analyses", "Object.keys(saved.tree).length === 8")
    page.reload()
    assert "d6?!" in moves(me, 7)
    assert "Slower." in texts(page, ".tree .comment")
    expect(page.get_by_label("Comment on this position")).to_have_value("Slower.")
    # Any line can be made the main line.
    page.get_by_role("button", name="Make main line").click()
    me.until("document.querySelectorAll('.tree button')[1].textContent === 'd6?!'")


def test_the_page_says_that_only_the_first_of_several_games_was_read(person: Callable[..., Person]) -> None:
    me = opened(person, '1. e4 e5 *\n\n[White "Ana"]\n\n1. d4 *')
    page = me.page
    notice = page.get_by_text("Only the first game was read")
    notice.wait_for()
    assert page.get_by_text("in the PGN").count() == 0, "that is no error"
    page.get_by_role("button", name="Close").click()
    notice.wait_for(state="detached")
    me.kept("analyses", "saved.more === false")


def test_the_review_of_a_game_survives_a_reload_and_can_be_shared(person: Callable[..., Person]) -> None:
    me = opened(person)
    page = me.page
    page.get_by_role("button", name="Engine").click()
    page.get_by_role("button", name="Analyse the whole game").click()
    page.locator("progress").wait_for()
    me.kept("analyses", "saved.job")
    page.reload()
    blunder = page.locator(".tree .blunder", has_text="g4??")
    blunder.wait_for(timeout=60_000)
    # Mistakes are counted by player, at the end of the review, while a move without a mark is shown.
    page.keyboard.press("Home")
    white, black = (page.locator(f".review .of-{side}") for side in ("white", "black"))
    expect(white).to_have_text(re.compile(r": [12] blunders?,"), timeout=60_000)
    expect(black).to_contain_text(": 0 blunders")
    blunder.click()
    verdict = page.locator(".verdict").inner_text()
    first = re.search(r"Best: (\S+)", verdict)[1].rstrip(".")
    expect(page.locator(".graph i.blunder").first).to_be_attached()
    page.get_by_role("button", name="Show", exact=True).click()
    me.until("document.querySelectorAll('.tree button').length > 6")
    # The first move of the better line is shown, not its last.
    expect(page.locator(".tree [aria-current]")).to_have_text(re.compile("^" + re.escape(first)))
    # The PGN has the marks and the evaluations.
    page.get_by_role("tab", name="Share").click()
    record = downloaded(page, page.get_by_role("button", name="PGN", exact=True))
    played = list(record.mainline())
    assert 4 in next(node for node in played if node.san() == "g4").nags
    assert all(node.eval() is not None for node in played[:-1])
    page.get_by_role("tab", name="Share").click()
    me.until("document.querySelector('.copy-link input').value.includes('#a=')")
    link = page.locator(".copy-link input").first.input_value()
    details = page.evaluate("document.querySelector('.export dl').innerText")
    # Another person sees all of it, including the marks.
    other = person(**PHONE)
    other.page.goto(link)
    other.page.locator(".open-button").click()
    other.page.locator(".tree .blunder").first.wait_for()
    other.page.get_by_role("tab", name="Share").click()
    assert other.page.evaluate("document.querySelector('.export dl').innerText") == details


def test_pgn_and_pictures_can_be_downloaded(person: Callable[..., Person]) -> None:
    me = opened(person)
    page = me.page
    page.get_by_role("tab", name="Share").click()
    record = downloaded(page, page.get_by_role("button", name="PGN", exact=True))
    before = pgn.read_game(io.StringIO(RECORD))
    assert record is not None and before is not None
    assert record.export(headers=False) == before.export(headers=False)
    assert record.headers["White"] == "Ana"
    assert saved(page, "SVG").startswith(b"<svg ")
    assert saved(page, "PNG").startswith(b"\x89PNG")
    expect(page.get_by_label("FEN")).to_have_value(Board("chess").fen())
    # The pictures have the colours of the board that was chosen.
    page.evaluate("""localStorage.setItem('acedrex.settings', '{"board": "green", "theme": "dark"}')""")
    page.reload()
    page.get_by_role("tab", name="Share").click()
    assert all(colour in saved(page, "SVG") for colour in (b'"#b7bd97"', b'"#5e744f"'))


def test_turns_of_chieftain_chess_are_stepped_through_move_by_move(person: Callable[..., Person]) -> None:
    me = opened(person, '[Variant "chieftain"]\n\n1. Ma5,Mp5 (1. Ma5,Mn5) 1... Ma8, *')
    page = me.page
    made = moves(me, 6)
    assert made[:2] == ["Ma5", "Mp5"]
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    page.locator(".acedrex-board").get_by_text("Moves left").first.wait_for()
    page.keyboard.press("ArrowRight")
    me.until("document.querySelector('[data-square=\"p5\"]').getAttribute('aria-label').includes('white')")


def test_threats_and_attacker_counts_are_shown(person: Callable[..., Person]) -> None:
    me = opened(person, '[SetUp "1"]\n[FEN "4k3/8/q3r3/2N5/8/8/8/4K3 w - - 0 1"]\n\n*')
    page = me.page
    page.get_by_role("button", name="Engine").click()
    page.get_by_role("button", name="Show threats").click()
    me.until("document.querySelectorAll('.acedrex-board .arrow.vermilion').length >= 2")
    page.get_by_role("button", name="Count attackers").click()
    me.until("document.querySelectorAll('.acedrex-board text.count').length > 20")


def test_the_editor_says_why_a_position_is_not_legal(person: Callable[..., Person]) -> None:
    me = person()
    page = me.go("/analysis/edit?game=maasai")
    me.until("document.getElementById('edited-game')?.value === 'maasai'")
    me.until("document.querySelector('[data-square=\"f2\"]')?.getAttribute('aria-label').includes('King')")
    page.get_by_text("This position is playable.").wait_for()
    page.get_by_role("button", name="Erase").click()
    me.tap("f2")
    page.get_by_text("White: royal piece missing").wait_for()
    expect(page.get_by_role("button", name="Analyse", exact=True)).to_be_disabled()
    page.get_by_role("button", name="white King", exact=True).click()
    me.tap("e7")
    page.get_by_text("This position is playable.").wait_for()
    page.get_by_role("radio", name="Black").check(force=True)
    page.get_by_role("button", name="Analyse", exact=True).click()
    page.locator(".tree").wait_for()
    me.until("document.querySelector('[data-square=\"e7\"]').getAttribute('aria-label').includes('King')")


@pytest.mark.parametrize(
    ("moves", "game", "last"),
    [
        ("1. e6 e7 2. a5", "maasai", "a5"),
        ("1. e4 e5 2. Nf3", "chess", "Nf3"),
        ('[White "Ana"]\n\n1. e4 e5', "chess", "e5"),
    ],
)
def test_moves_without_tags_are_of_the_game_on_the_screen(
    person: Callable[..., Person], moves: str, game: str, last: str
) -> None:
    """Unless they fit chess better. The analysis opens at the last move if that is asked for."""
    me = person()
    page = me.go("/analysis")
    page.locator("#game").select_option("maasai")
    page.locator("#pgn").fill(moves)
    page.get_by_label("Open at the last move").check()
    page.get_by_role("button", name="Import").click()
    page.locator(".tree").wait_for()
    me.kept("analyses", f"saved.game === '{game}' && saved.faults.length === 0")
    expect(page.locator(".tree [aria-current]")).to_contain_text(last)


def test_a_typed_move_waits_for_the_legal_moves(person: Callable[..., Person]) -> None:
    me = person(service_workers="block")
    # Without the core, the server is asked, which may be slow.
    me.page.add_init_script("delete self.WebAssembly")
    page = me.go("/analysis")
    page.locator("#pgn").fill(RECORD)
    page.get_by_role("button", name="Import").click()
    page.locator(".tree").wait_for()
    held: list[Any] = []
    page.route("**/api/position", lambda route: held.append(route))

    def enter(move: str) -> None:
        me.until(lambda: bool(held))
        page.locator('[data-square="a4"]').focus()
        me.type_move(move)
        page.wait_for_timeout(300)
        assert page.get_by_text("is not a legal move").count() == 0
        me.says(f"Typed: {move}")
        held.pop().continue_()

    page.keyboard.press("ArrowRight")
    enter("Nc6")
    assert "Nc6" in moves(me, 7)
    page.get_by_role("button", name="e5", exact=True).click()
    enter("Ke4")
    me.says("Ke4 is not a legal move")
    me.complaints[:] = [text for text in me.complaints if "400" not in text]


def test_analysis_pages_have_no_serious_accessibility_violations(person: Callable[..., Person]) -> None:
    me = opened(person)
    desk = me.page.url.removeprefix(me.server.url)
    for path, last in (
        ("/analysis", "#pgn"),
        ("/analysis/edit?game=chess", "#edited-status"),
        (desk, ".lines li"),
        (f"{desk}#export", ".copy-link input"),
    ):
        page = me.go(path.removesuffix("#export"))
        if path.endswith("#export"):
            page.get_by_role("tab", name="Share").click()
        page.locator(last).first.wait_for()
        assert serious_violations(page) == [], path


def test_a_suspended_tab_reads_what_another_tab_has_saved(person: Callable[..., Person]) -> None:
    me = opened(person)
    asleep = me.context.new_page()
    # A suspended tab receives nothing.
    asleep.add_init_script("BroadcastChannel.prototype.addEventListener = () => undefined")
    asleep.goto(me.page.url)
    asleep.locator(".tree .move").first.wait_for()
    me.page.get_by_label("Comment on this position").fill("found in the other tab")
    me.kept("analyses", "Object.values(saved.tree).some(({ comment }) => comment === 'found in the other tab')")
    assert asleep.get_by_text("found in the other tab").count() == 0
    asleep.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    asleep.locator(".comment", has_text="found in the other tab").wait_for()
