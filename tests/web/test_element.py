"""The element <acedrex-board> on pages of another site."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.web.people import ROOT, Server
from tests.web.sites import Site, Visit
from tests.web.test_access import serious_violations

KNIGHTMATE = (ROOT / "games" / "knightmate.toml").read_text().replace('id = "knightmate"', 'id = "mine"')
HOSTILE = '<img src=x onerror="window.broken=1">'


def test_a_static_position_does_not_load_the_core(visit: Callable[..., Visit], site: Site, server: Server) -> None:
    one = visit()
    page = one.open('<acedrex-board game="maasai"></acedrex-board>')
    picture = page.get_by_role("img", name="Maasai Chess: White to move")
    picture.wait_for()
    expect(picture.locator(".piece")).to_have_count(96)
    # All drawings are there: none is a letter on a disc, and none refers to the page's own tree.
    symbols = picture.locator(".piece use").evaluate_all("all => all.map(use => use.getAttribute('href'))")
    assert all(re.fullmatch("#acedrex-[wb]-[a-z-]*[a-z]", symbol) and "--" not in symbol for symbol in symbols)
    inside = "board => all => all.every(id => board.shadowRoot.querySelector(id))"
    assert page.evaluate(f"({inside})(document.querySelector('acedrex-board'))({json.dumps(symbols)})")
    assert page.evaluate("document.querySelectorAll('svg').length") == 0
    paths = one.paths()
    assert not any(path.endswith((".wasm", ".net")) for path in paths)
    assert all(path.startswith((site.url, "/element/", "blob:")) for path in paths)


def test_a_game_can_be_played_by_the_rules_on_another_site(visit: Callable[..., Visit], site: Site) -> None:
    one = visit()
    page = one.open('<acedrex-board game="chess" interactive></acedrex-board>')
    page.evaluate("""() => {
        window.heard = [];
        for (const name of ["move", "outcome", "step"])
            document.addEventListener(name, (event) => window.heard.push([name, event.detail]));
    }""")
    one.said("White to move")
    for start, end in (("f2", "f3"), ("e7", "e5"), ("g2", "g4")):
        one.tap(start)
        one.tap(end)
    one.tap("g4")
    one.tap("g5")  # not Black's move
    one.tap("d8")
    one.tap("h4")
    one.said("2... Qh4# (4 of 4) · Checkmate. Black wins.")
    heard = page.evaluate("window.heard")
    assert [name for name, _ in heard] == ["move"] * 4 + ["outcome"]
    assert heard[3][1]["san"] == "Qh4#" and heard[3][1]["moves"] == ["f2f3", "e7e5", "g2g4", "d8h4"]
    assert (heard[4][1]["winner"], heard[4][1]["result"]) == ("black", "0-1")
    # Only files of the element were requested, without cookies or tokens.
    for request in one.asked:
        path = request.url.removeprefix(one.server.url)
        assert path.startswith((site.url, "/element/", "/assets/", "blob:")), path
        assert not {"authorization", "cookie"} & set(request.all_headers())


def test_moves_can_be_stepped_through_by_buttons_and_keys(visit: Callable[..., Visit]) -> None:
    one = visit()
    page = one.open('<acedrex-board game="magi" moves="1. f5 f6 2. Nh3" at="0"></acedrex-board>')
    one.said("White to move")
    page.get_by_role("button", name="Next move").click()
    one.said("1. f5 (1 of 3)")
    page.keyboard.press("ArrowRight")
    one.said("1... f6 (2 of 3)")
    page.keyboard.press("End")
    one.said("2. Nh3 (3 of 3)")
    expect(page.get_by_role("button", name="Next move")).to_be_disabled()
    page.get_by_role("button", name="Previous move").focus()
    page.keyboard.press("Home")
    one.said("White to move")
    # Further moves leave a reader who looks at an earlier position where they are.
    page.evaluate("document.querySelector('acedrex-board').setAttribute('moves', '1. f5 f6 2. Nh3 h6')")
    page.get_by_role("button", name="Next move").click()
    one.said("1. f5 (1 of 4)")
    page.keyboard.press("Home")
    one.said("White to move")
    # Moves cannot be made, but each piece shows how it moves.
    page.get_by_role("button", name="How pieces move").click()
    one.tap("g1")
    page.get_by_text("Wizard", exact=True).wait_for()


def test_a_pgn_is_shown_with_its_comments(visit: Callable[..., Visit]) -> None:
    text = '[Variant "maasai"]\n[White "x"]\n\n1. e6 { A start &lt;b&gt;. } 1... e8 *'
    one = visit()
    page = one.open(f'<acedrex-board lang="fr"><script type="text/plain" slot="pgn">{text}</script></acedrex-board>')
    one.said("1... e8 (2 sur 2)")
    page.get_by_role("button", name="Coup précédent").click()
    page.get_by_text("A start &lt;b&gt;.").wait_for()


def test_a_long_pgn_is_read_in_a_worker(visit: Callable[..., Visit]) -> None:
    text = '[Variant "maasai"]\n\n1. e6 ' + "(1. e5 e8 2. f6 f7) " * 3200
    one = visit()
    page = one.open('<acedrex-board id="a" game="chess"></acedrex-board>')
    page.evaluate(
        """(pgn) => {
            document.querySelector("#a").removeAttribute("game");
            document.querySelector("#a").setAttribute("pgn", pgn);
        }""",
        text,
    )
    one.said("1. e6 (1 of 1)")
    workers = [path for path in one.paths() if "worker" in path]
    # The time depends on the machine, so this checks where it was read: on the page's thread it took a second.
    assert workers


def test_a_pgn_of_a_custom_game_is_shown(visit: Callable[..., Visit]) -> None:
    one = visit()
    page = one.open(
        f'<acedrex-board game="mine"><script type="text/plain" slot="definition">{KNIGHTMATE}</script>'
        '<script type="text/plain" slot="pgn">1. e4 { First. } 1... e5 (1... d5 2. exd5) 2. d4 *</script>'
        "</acedrex-board>"
    )
    one.said("2. d4 (3 of 3)")
    for _ in range(2):
        page.get_by_role("button", name="Previous move").click()
    page.get_by_text("First.").wait_for()


def test_a_board_can_be_used_by_keyboard(visit: Callable[..., Visit]) -> None:
    one = visit()
    page = one.open('<acedrex-board game="chess" interactive></acedrex-board><p><a href="#">After</a></p>')
    one.said("White to move")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.shadowRoot.activeElement.getAttribute('role')") == "gridcell"
    for key in ("e", "2", "Enter", "ArrowUp", "ArrowUp", "Enter"):
        page.keyboard.press(key)
    one.said("1. e4 (1 of 1) · Black to move")
    expect(one.label("e4")).to_have_attribute("aria-label", "e4, white Pawn")


def test_a_board_fits_on_a_phone_and_can_be_tapped(visit: Callable[..., Visit]) -> None:
    one = visit(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True, device_scale_factor=2)
    page = one.open('<acedrex-board game="metamachy" setup="3" interactive></acedrex-board>')
    one.said("White to move")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    one.tap("e3")
    one.tap("e5")
    one.said("1. e5")
    small = page.locator("acedrex-board .controls button:visible").evaluate_all(
        "all => all.map(one => one.getBoundingClientRect()).filter(({width, height}) => width < 40 || height < 40)"
    )
    assert small == []


def test_boards_on_one_page_are_independent(visit: Callable[..., Visit]) -> None:
    one = visit(viewport={"width": 900, "height": 2200})
    page = one.open(
        '<acedrex-board id="a" game="chess" interactive></acedrex-board>'
        '<acedrex-board id="b" game="shako" interactive board="green" pieces="letters"></acedrex-board>'
    )
    one.said("White to move", "#a")
    one.said("White to move", "#b")
    one.tap("e2", "#a")
    one.tap("e4", "#a")
    one.said("1. e4", "#a")
    one.said("White to move", "#b")
    page.get_by_role("button", name="Flip board").last.click()
    one.tap("e3", "#b")
    one.tap("e5", "#b")
    one.said("1. e5", "#b")
    page.locator("#a").evaluate("board => board.remove()")
    page.get_by_role("button", name="Start again").click()
    one.said("White to move", "#b")
    wasm = [path for path in one.paths() if path.endswith(".wasm")]
    assert len(wasm) == 1, "boards share one core"


def test_the_engine_answers_a_move(visit: Callable[..., Visit]) -> None:
    one = visit()
    page = one.open('<acedrex-board game="shako" engine="3" orientation="black"></acedrex-board>')
    one.said("(1 of 1) · Black to move")
    one.tap("e8")
    one.tap("e6")
    one.said("(3 of 3) · Black to move")
    page.get_by_role("button", name="Start again").click()
    one.said("(1 of 1) · Black to move")
    assert [path for path in one.paths() if path.endswith(".net")] and "blob:" in str(one.paths())


def test_the_engine_answers_after_an_earlier_position_was_viewed(visit: Callable[..., Visit]) -> None:
    one = visit()
    page = one.open('<acedrex-board game="chess" engine="10"></acedrex-board>')
    one.said("White to move")
    one.tap("e2")
    one.tap("e4")
    one.said("Thinking")
    page.get_by_role("button", name="Previous move").click()
    one.said("White to move")
    page.get_by_role("button", name="Next move").click()
    one.said("(2 of 2) · White to move")


def test_moves_that_change_while_the_engine_thinks_are_shown(visit: Callable[..., Visit]) -> None:
    one = visit()
    page = one.open('<acedrex-board id="a" game="chess" engine="10" interactive></acedrex-board>')
    one.said("White to move")
    one.tap("e2")
    one.tap("e4")
    one.said("Thinking")
    page.evaluate("document.querySelector('#a').setAttribute('moves', 'd4 d5')")
    one.said("1... d5 (2 of 2) · White to move")
    one.tap("c2")
    one.tap("c4")
    one.said("(4 of 4) · White to move")


def test_a_custom_definition_can_be_embedded_or_linked(visit: Callable[..., Visit], site: Site, server: Server) -> None:
    site.files["/mine.toml"] = ("text/plain", KNIGHTMATE)
    one = visit(viewport={"width": 900, "height": 2000})
    one.open(
        f'<acedrex-board id="a" interactive><script type="text/plain" slot="definition">{KNIGHTMATE}</script>'
        "</acedrex-board>"
        '<acedrex-board id="b" definition="mine.toml" moves="e4 e5"></acedrex-board>'
        f'<acedrex-board id="c" definition="{server.url}/theme.js" interactive></acedrex-board>'
    )
    one.said("White to move", "#a")
    one.tap("e2", "#a")
    one.tap("e4", "#a")
    one.said("1. e4", "#a")
    one.said("1... e5 (2 of 2)", "#b")
    one.page.locator("#c").get_by_role("alert").get_by_text("is another site").wait_for()


def test_moves_that_change_while_the_core_loads_are_shown(visit: Callable[..., Visit]) -> None:
    page = visit().open('<acedrex-board id="a" game="chess" moves="zz"></acedrex-board>')
    page.evaluate(
        """() => new Promise((done) => {
            const board = document.querySelector("#a");
            const change = () => {
                if (!board.shadowRoot.querySelector(".controls button")) return requestAnimationFrame(change);
                board.setAttribute("moves", "e2e4 qq");
                done();
            };
            change();
        })"""
    )
    page.locator("#a").get_by_role("alert").get_by_text("qq").wait_for()


def test_names_are_never_markup(visit: Callable[..., Visit]) -> None:
    text = KNIGHTMATE.replace('name = "', f"name = '{HOSTILE}' # \"")
    one = visit()
    page = one.open(
        '<acedrex-board id="a" interactive></acedrex-board><acedrex-board id="b" moves="zz"></acedrex-board>'
    )
    page.evaluate(
        """([text, hostile]) => {
            const pre = document.createElement("pre");
            pre.slot = "definition";
            pre.hidden = true;
            pre.textContent = text;
            document.querySelector("#a").append(pre);
            document.querySelector("#a").setAttribute("game", hostile);
            document.querySelector("#b").setAttribute("moves", hostile);
        }""",
        [text, HOSTILE],
    )
    one.page.locator("#b").get_by_role("alert").get_by_text("<img").wait_for()
    one.page.locator("#a .said, #a [role=alert]").first.wait_for()
    page.wait_for_timeout(500)
    assert page.evaluate(
        "[...document.querySelectorAll('acedrex-board')].every(board => !board.shadowRoot.querySelector('img'))"
    )
    assert page.evaluate("window.broken") is None


@pytest.mark.parametrize(
    ("attributes", "sentence"),
    [
        ('game="nothing"', 'there is no game "nothing"'),
        ('game="__proto__"', "there is no game"),
        ('game="magi:x=y"', 'no option "x"'),
        ('game="chess" fen="8/8"', "is not a position of Chess"),
        ('game="chess" fen="8/8" interactive', "FEN"),
        ('game="chess" engine="99"', "engine: expected a number from 1 to 10"),
        ('game="chess" orientation="up"', "orientation: expected white, black"),
        ('game="chess" moves="e4 e4"', "e4 is not legal here"),
        ('game="chess" shown="e4"', "there is no piece on"),
        ('game="metamachy" setup="999" interactive', "has no setup"),
        ('pgn="1. zz *"', "pgn, line"),
    ],
)
def test_invalid_attributes_are_explained(visit: Callable[..., Visit], attributes: str, sentence: str) -> None:
    one = visit()
    page = one.open(f"<acedrex-board {attributes}></acedrex-board>")
    told = page.locator("acedrex-board").get_by_role("alert")
    told.wait_for()
    assert re.search(re.escape(sentence), told.inner_text(), re.IGNORECASE), told.inner_text()


def test_any_attributes_give_a_board_or_an_explanation(visit: Callable[..., Visit]) -> None:
    """All kinds of values, on many boards at once: in bounded time each shows one or the other, and nothing breaks."""
    chosen = random.Random(5)
    odd = ["", " ", "-1", "1e9", "\0", "\ud83d", HOSTILE, "x" * 5000, "__proto__", "constructor", "8/8", "9" * 400]
    odd += ["K" * 300 + " w - - 0 1", "1. e4 " + "(" * 500, '[Variant "magi"]\n\n1. f5 *', "//example.org/x", "data:,x"]
    odd += [
        "javascript:alert(1)",
        "blob:x",
        "http://[",
        "maasai",
        "magi:a=b,c",
        ":::",
        "white",
        "e4",
        "end",
        "fr-CA",
        "😀",
    ]
    names = [
        "game",
        "definition",
        "fen",
        "setup",
        "moves",
        "pgn",
        "at",
        "interactive",
        "engine",
        "orientation",
        "pieces",
    ]
    names += ["board", "coordinates", "shown", "lang", "theme", "slot", "dir"]
    boards = []
    for _ in range(60):
        given = {name: chosen.choice(odd) for name in chosen.sample(names, chosen.randint(1, 4))}
        boards.append({"game": "chess", **given})
    one = visit(viewport={"width": 300, "height": 900})
    page = one.open("")
    page.evaluate(
        """(boards) => {
            for (const given of boards) {
                const board = document.createElement("acedrex-board");
                for (const [name, value] of Object.entries(given)) board.setAttribute(name, value);
                document.querySelector("main").append(board);
            }
        }""",
        boards,
    )
    unclear = """() => {
        const left = [...document.querySelectorAll("acedrex-board")].filter(({ shadowRoot: root }) => {
            const told = root.querySelector(".failed")?.textContent ?? "";
            const waits = root.querySelector(".said").textContent === "Loading…";
            const drawn = root.querySelectorAll(".piece, [data-square]").length > 0 && !waits;
            return !drawn && told.length <= 20;
        });
        left[0]?.scrollIntoView();
        return left.map(({ attributes }) => [...attributes].map(({ name, value }) => `${name}=${value.slice(0, 60)}`));
    }"""
    # Boards load when they are nearly in view, so those that were scrolled past too early need another visit.
    for _ in range(300):
        left = page.evaluate(unclear)
        if not left:
            break
        page.wait_for_timeout(100)
    assert left == []
    assert page.evaluate("window.broken") is None
    # Only missing definitions may be reported in the console.
    one.complaints[:] = [text for text in one.complaints if "404 (Not Found)" not in text]
    assert not any("example.org" in request.url for request in one.asked)


@pytest.mark.parametrize("width", [390, 900])
@pytest.mark.parametrize("board", ['game="maasai"', 'game="chieftain" interactive', 'game="magi" moves="f5 f6"'])
def test_the_page_does_not_shift_when_a_board_appears(visit: Callable[..., Visit], board: str, width: int) -> None:
    one = visit(viewport={"width": width, "height": 1400})
    waiting: list[Any] = []
    one.page.route("**/view-*.js", lambda route: waiting.append(route))
    page = one.open(f"<acedrex-board {board}></acedrex-board><p id='after'>After</p>")
    page.wait_for_function("document.querySelector('acedrex-board').shadowRoot.querySelector('.place')", polling=50)
    top = "Math.round(document.querySelector('#after').getBoundingClientRect().top)"
    before = page.evaluate(top)
    for _ in range(750):
        if waiting:
            break
        page.wait_for_timeout(20)
    waiting[0].continue_()
    page.locator("acedrex-board .piece").first.wait_for()
    page.wait_for_timeout(1500)
    assert abs(page.evaluate(top) - before) <= 1


def test_a_board_follows_the_theme_of_the_page(visit: Callable[..., Visit]) -> None:
    one = visit()
    style = "<style>body { background: #111; color: #eee } #b { --square-light: #ff0000 }</style>"
    page = one.open(
        '<acedrex-board id="a" game="chess"></acedrex-board><acedrex-board id="b" theme="light" game="chess">'
        "</acedrex-board>",
        style,
    )
    page.locator("#b .piece").first.wait_for()
    ink = "board => getComputedStyle(board).getPropertyValue('--ink').trim()"
    assert page.locator("#a").evaluate(ink) == "#efe6d5"
    assert page.locator("#b").evaluate(ink) == "#2a2118"
    squares = page.locator("#b .squares .light").evaluate("squares => getComputedStyle(squares).fill")
    assert squares == "rgb(255, 0, 0)"
    page.evaluate("document.body.setAttribute('style', 'background: white; color: black')")
    dark = "getComputedStyle(document.querySelector('#a')).getPropertyValue('--ink').trim() === '#2a2118'"
    page.wait_for_function(dark, polling=50)


@pytest.mark.parametrize(
    ("color", "ink"),
    [("oklch(0.98 0.01 250)", "#efe6d5"), ("oklch(0.2 0.01 250)", "#2a2118"), ("color(display-p3 1 1 1)", "#efe6d5")],
)
def test_the_theme_is_derived_from_colours_that_are_not_rgb(visit: Callable[..., Visit], color: str, ink: str) -> None:
    page = visit().open('<acedrex-board game="chess"></acedrex-board>', f"<style>body {{ color: {color} }}</style>")
    painted = "getComputedStyle(document.querySelector('acedrex-board')).getPropertyValue('--ink').trim()"
    page.wait_for_function(f"{painted} === '{ink}'", polling=50)


def test_boards_have_no_serious_accessibility_violations(visit: Callable[..., Visit]) -> None:
    one = visit(viewport={"width": 900, "height": 3000})
    page = one.open(
        '<acedrex-board id="a" game="magi" moves="f5 f6"></acedrex-board><acedrex-board game="shako" interactive>'
        '</acedrex-board><acedrex-board game="maasai"></acedrex-board><acedrex-board game="nix"></acedrex-board>',
        '<meta name="color-scheme" content="light dark"><style>body { background: Canvas }</style>',
    )
    one.said("1... f6", "#a")
    page.locator("acedrex-board").nth(3).get_by_role("alert").wait_for()
    one.said("White to move", "acedrex-board:nth-of-type(2)")
    page.locator("acedrex-board").nth(2).locator(".piece").first.wait_for()
    assert serious_violations(page) == []
