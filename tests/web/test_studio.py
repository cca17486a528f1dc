"""The studio, in a browser: a game can be created by clicks alone and played, and no draft is lost."""

from __future__ import annotations

import base64
import re
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from acedrex import Board, Limit, load, parse_square
from acedrex import Engine as Thinker
from tests.web.people import Person, serving
from tests.web.test_access import serious_violations

TABLET: dict[str, Any] = {"viewport": {"width": 1024, "height": 768}, "has_touch": True, "is_mobile": True}


def begun(person: Callable[..., Person], **options: Any) -> Person:
    """Open the studio and start a small game."""
    me = person(**options)
    page = me.go("/studio")
    page.get_by_role("button", name="Start with a small game").click()
    page.get_by_role("tab", name="Board").wait_for()
    return me


def tab(me: Person, name: str) -> None:
    """Open a tab."""
    me.page.get_by_role("tab", name=name).click()


def written(me: Person) -> str:
    """Return the text of the definition."""
    tab(me, "Text")
    return str(me.page.get_by_role("textbox", name="Definition").input_value())


def sound(me: Person) -> None:
    """Wait until the text has no faults."""
    me.page.get_by_text("No errors. The game can be played.").wait_for()


def notation(me: Person, text: str) -> None:
    """Wait until these are the moves of the piece that is shown."""
    expect(me.page.get_by_label("Moves in Betza notation")).to_have_value(text)


def link(me: Person, text: str) -> str:
    """Return the link that shares the game, once a text is in it."""
    field = me.page.get_by_label("Link", exact=True)

    def has_text() -> bool:
        packed = field.input_value().partition("#g1.")[2]
        bytes_packed = base64.urlsafe_b64decode(packed + "=" * (-len(packed) % 4))
        return bool(packed) and text in zlib.decompress(bytes_packed, -zlib.MAX_WBITS).decode()

    me.until(has_text)
    return str(field.input_value())


def tap(me: Person, square: str) -> None:
    """Tap a square that may have to be scrolled to."""
    me.page.locator(f'[data-square="{square}"]').scroll_into_view_if_needed()
    me.tap(square)


@pytest.mark.parametrize("device", ["desktop", "tablet"])
def test_a_game_can_be_created_by_clicks_and_played(person: Callable[..., Person], device: str) -> None:
    me = begun(person, **(TABLET if device == "tablet" else {}))
    page = me.page
    page.get_by_label("Files").select_option("7")
    page.get_by_label("Ranks").select_option("7")
    # A new piece: it leaps like a Knight, and slides straight forward without capturing.
    tab(me, "Pieces")
    page.get_by_role("button", name="Add a piece").click()
    page.get_by_role("button", name="A new piece: draw its moves").click()
    me.until("document.querySelectorAll('.over .dot, .dot').length >= 4")
    tap(me, "e6")
    tap(me, "f7")
    notation(me, "N")
    page.get_by_text("Can reach 8 squares.").wait_for()
    page.get_by_text("a slide", exact=True).click()
    page.get_by_text("only move", exact=True).click()
    page.get_by_text("this one only", exact=True).click()
    tap(me, "e8")
    notation(me, "NfmR")
    page.get_by_text("Can reach 12 squares.").wait_for()
    page.locator("summary", has_text="Drawing").click()
    page.get_by_role("button", name="swan", exact=True).click()
    # It is placed on the board, for both sides.
    page.get_by_role("button", name="Place it").click()
    tap(me, "b1")
    tap(me, "g1")
    sound(me)
    text = written(me)
    assert 'board = "7x7"' in text and 'art = "swan"' in text
    assert 'start = "rx1k1rx/pppppp1/7/7/7/PPPPPP1/RX1K1RX w - - 0 1"' in text
    # The game is played against the engine.
    tab(me, "Play")
    page.get_by_text("White to move.").wait_for()
    tap(me, "b1")
    tap(me, "c3")
    page.locator(".studio-moves", has_text=re.compile(r"^Xc3 \S+$")).wait_for()
    page.get_by_text("White to move.").wait_for()
    page.get_by_role("button", name="Take back").click()
    me.until("!document.querySelector('.studio-moves')")


def test_the_diagram_and_the_notation_stay_in_step(person: Callable[..., Person]) -> None:
    me = begun(person)
    page = me.page
    tab(me, "Pieces")
    field = page.get_by_label("Moves in Betza notation")
    page.get_by_text("Can reach 16 squares.").wait_for()
    field.fill("N")
    page.get_by_text("Can reach 8 squares.").wait_for()
    me.tap("f7")
    notation(me, "")
    field.fill("FX")
    page.get_by_text("The notation has a mistake.").wait_for()
    field.fill("mR")
    page.get_by_text("Can reach 16 squares.").wait_for()
    # A Cannon, with something to hop over.
    page.get_by_text("a hop and on", exact=True).click()
    page.get_by_text("only capture", exact=True).click()
    me.tap("e8")
    notation(me, "mRcpR")
    page.get_by_text("an enemy piece", exact=True).click()
    me.tap("e7")
    me.tap("e9")
    page.get_by_text("Can reach 14 squares.").wait_for()
    page.get_by_role("button", name="Undo").click()
    notation(me, "mR")
    page.get_by_role("button", name="Redo").click()
    page.get_by_text("Can reach 14 squares.").wait_for()
    # Leaps without a letter have two distances; nothing can block a leap of (1,3).
    page.get_by_text("a leap", exact=True).click()
    me.tap("a1")
    me.until("[...document.querySelectorAll('.studio-panel input')].some(({ value }) => value.endsWith('(4,4)'))")
    page.get_by_text("a leap that can be blocked", exact=True).click()
    me.tap("f8")
    page.get_by_text("There are no squares between that could block this leap.").wait_for()


def test_faults_are_shown_at_their_line(person: Callable[..., Person]) -> None:
    me = begun(person)
    page = me.page
    tab(me, "Text")
    area = page.get_by_role("textbox", name="Definition")
    text = str(area.input_value())
    area.fill(text.replace('move = "K"', 'move = "KX"'))
    fault = page.locator("#studio-problems button")
    fault.filter(has_text=re.compile("Line 9:.*pieces.K.move")).click()
    expect(page.locator(".studio-gutter .faulty")).to_have_text("9")
    selected = "(() => { const b = document.activeElement; return b.value.slice(b.selectionStart, b.selectionEnd) })()"
    me.until(f"""{selected} === 'move = "KX"'""")
    tab(me, "Play")
    page.get_by_text("The game cannot be played until").wait_for()
    # If the text is not valid TOML, the forms link back to it.
    tab(me, "Text")
    area.fill(text.replace('name = "My game"', 'name = "My game'))
    tab(me, "Pieces")
    page.get_by_role("button", name="Go to the text").click()
    fault.filter(has_text="Line 3:").wait_for()
    area.press("Control+z")
    area.press("Control+z")
    expect(area).to_have_value(text)
    sound(me)
    # How a piece moves in this game, from the start.
    page.get_by_role("button", name="How pieces move").click()
    me.tap("a2")
    me.until("document.querySelectorAll('.acedrex-board .dot').length >= 1")


def test_the_text_can_be_changed_while_the_core_is_missing(person: Callable[..., Person]) -> None:
    me = person()
    page = me.page
    asked: list[Any] = []
    page.route("**/core_bg-*.wasm", lambda route: asked.append(route))
    me.go("/studio").get_by_role("button", name="Start with a small game").click()
    page.get_by_role("tab", name="Board").wait_for()
    page.locator("#studio-tab").get_by_text("Loading").wait_for()
    tab(me, "Text")
    page.get_by_role("textbox", name="Definition").fill("[game")
    me.until(lambda: bool(asked))
    for waiting in asked:
        waiting.abort()
    page.get_by_text("The rules engine did not load").wait_for()
    me.complaints.clear()
    # The next change asks for the core again.
    page.unroute("**/core_bg-*.wasm")
    page.get_by_role("button", name="Undo").click()
    tab(me, "Pieces")
    page.get_by_label("Moves in Betza notation").wait_for()


def test_no_draft_is_lost(person: Callable[..., Person], tmp_path: Path) -> None:
    me = begun(person)
    page = me.page
    page.get_by_label("Name").fill("Ostrich chess")
    page.get_by_text("Saved", exact=True).wait_for()
    address = page.url
    page.reload()
    page.get_by_role("heading", name="Ostrich chess").wait_for()
    # Another tab's change arrives, and undo restores what was here.
    other = me.context.new_page()
    other.goto(address)
    other.get_by_label("Name").fill("Emu chess")
    page.get_by_role("heading", name="Emu chess").wait_for()
    page.get_by_role("button", name="Undo").click()
    page.get_by_role("heading", name="Ostrich chess").wait_for()
    page.get_by_text("Saved", exact=True).wait_for()
    other.close()
    # The version from before the visit is kept.
    tab(me, "Share")
    page.get_by_role("button", name="Go back to it").last.click()
    page.get_by_role("heading", name="My game").wait_for()
    page.get_by_role("button", name="Undo").click()
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save as a file").click()
    path = tmp_path / "my-game.toml"
    saved.value.save_as(path)
    assert saved.value.suggested_filename == "my-game.toml" and load(str(path)).name == "Ostrich chess"
    page.get_by_text("Saved", exact=True).wait_for()
    page.get_by_role("link", name="Your drafts").click()
    page.get_by_role("button", name="Move Ostrich chess to the bin").click()
    page.get_by_text("Bin", exact=True).click()
    page.get_by_role("button", name="Restore").click()
    page.get_by_role("link", name="Ostrich chess").click()
    page.get_by_role("heading", name="Ostrich chess").wait_for()
    me.go("/studio")
    page.locator("input[type=file]").set_input_files(path)
    page.get_by_role("heading", name="Ostrich chess").wait_for()
    expect(page).not_to_have_url(address)


def test_a_shared_game_is_saved_only_after_confirmation(person: Callable[..., Person]) -> None:
    me = begun(person)
    page = me.page
    page.get_by_label("Name").fill('<img src=x onerror="x">')
    tab(me, "Share")
    address = link(me, "img src=x")
    friend = person()
    theirs = friend.page
    theirs.goto(address)
    dialog = theirs.get_by_role("dialog")
    dialog.get_by_text('<img src=x onerror="x">').first.wait_for()
    assert theirs.locator("dialog img").count() == 0
    dialog.get_by_role("button", name="No, thanks").click()
    assert theirs.locator(".saved").count() == 0
    theirs.goto("about:blank")
    theirs.goto(address)
    theirs.get_by_role("button", name="Save to drafts").click()
    theirs.get_by_role("tab", name="Board").wait_for()
    assert theirs.locator("#main img").count() == 0
    theirs.goto("about:blank")
    theirs.goto(address[:-30])
    theirs.get_by_text("This link is incomplete").wait_for()


def hostile() -> str:
    """Return a definition without faults that takes half a minute to check: many paths, for each value of an option."""
    letters = [letter + sign for letter in "ABCDEFGHIJLMNOPQRSTUVWXYZ" for sign in ("", "'")]
    pieces = "".join(f'[pieces."{letter}"]\nmove = "[K?K?K]"\n' for letter in letters)
    values = ", ".join(f'"v{number}"' for number in range(60))
    return (
        f'[game]\nid = "hostile"\nboard = "16x16"\nstart = "k15/{"16/" * 14}K15"\n'
        '[pieces.K]\nmove = "K"\nroyal = true\n'
        f'{pieces}[options.x]\nvalues = [{values}]\nset = "pieces.K.help"\n'
    )


def test_a_hostile_definition_does_not_freeze_the_page(person: Callable[..., Person]) -> None:
    me = begun(person)
    page = me.page
    tab(me, "Text")
    area = page.get_by_role("textbox", name="Definition")
    text = str(area.input_value())
    page.evaluate(
        """() => {
            window.longest = 0;
            let last = performance.now();
            setInterval(() => {
                window.longest = Math.max(window.longest, performance.now() - last);
                last = performance.now();
            }, 20);
        }"""
    )
    area.fill(hostile())
    page.get_by_text("takes too long to compile").wait_for()
    assert page.evaluate("window.longest") < 2000, "it took four seconds in the worker, and none here"
    # The maximum number of lines, and then one character more than the maximum.
    # Playwright would type them one by one.
    page.evaluate(
        """() => {
            const area = document.querySelector(".studio-text textarea");
            area.value = "\\n".repeat(3999);
            area.dispatchEvent(new Event("input", { bubbles: true }));
        }"""
    )
    page.locator("#studio-problems button").first.wait_for()
    area.fill("x" * 65_537)
    page.get_by_text("The text has 65537 bytes").wait_for()
    area.fill(text)
    sound(me)


def test_playing_100_games_reports_statistics(person: Callable[..., Person]) -> None:
    me = begun(person)
    page = me.page
    tab(me, "Play")
    page.get_by_role("combobox").last.select_option("1")
    page.get_by_role("button", name="Play 100 games").click()
    page.get_by_text(re.compile(r"After \d+ games?")).wait_for()
    page.get_by_role("button", name="Stop").click()
    facts = page.locator(".studio-facts")
    expect(facts).to_contain_text("Rook")
    page.get_by_role("button", name="Play 100 games").click()
    page.get_by_text("After 100 games").wait_for(timeout=60_000)
    for name in ("Length", "Draws", "First move", "Endings", "Estimated values"):
        expect(facts).to_contain_text(name)


def test_a_shipped_game_can_be_copied_and_changed(person: Callable[..., Person]) -> None:
    me = person()
    page = me.go("/studio")
    page.get_by_label("Or change a copy of a game").select_option("maasai")
    page.get_by_role("button", name="Copy").click()
    sound(me)
    page.get_by_role("heading", name="Maasai Chess (copy)").wait_for()
    tab(me, "Pieces")
    expect(page.locator(".studio-kinds").first.get_by_role("button")).to_have_count(21)
    # This game inherits the piece: the change creates a section for it.
    page.get_by_role("button", name="Rook", exact=True).click()
    move = page.get_by_label("Moves in Betza notation")
    expect(move).not_to_have_value("")
    move.fill("KNAD")
    sound(me)
    text = written(me)
    assert text.rstrip().endswith('[pieces.R]\nmove = "KNAD"') or '[pieces.R]\nmove = "KNAD"\n' in text
    assert "# Great pieces ---" in text
    tab(me, "Rules")
    page.get_by_label("Stalemate").select_option("1")
    assert '[end]\nstalemate = "loss"\n' in written(me)
    sound(me)


def copied(person: Callable[..., Person], game: str) -> Person:
    """Copy a game that ships, and start to play it."""
    me = person()
    page = me.go("/studio")
    page.get_by_label("Or change a copy of a game").select_option(game)
    page.get_by_role("button", name="Copy").click()
    sound(me)
    tab(me, "Play")
    page.get_by_text("White to move.").wait_for()
    return me


def stands_on(me: Person, board: Board, name: str) -> None:
    """Wait until a square has the piece that it has on a board."""
    piece = board.piece_at(parse_square(name))
    assert piece is not None
    kind = next(kind.name for kind in board.game.pieces if kind.letter == piece.letter)
    me.until(f"document.querySelector('[data-square=\"{name}\"]').getAttribute('aria-label').includes('{kind}')")


def test_a_game_can_be_played_with_options(person: Callable[..., Person]) -> None:
    me = copied(person, "chieftain")
    page = me.page
    assert page.get_by_role("group", name="Setup").count() == 0
    page.locator("summary", has_text="Options").click()
    page.locator("#option-bent").select_option("on")
    board = Board(load("chieftain", bent="on"))
    for name in ("b1", "d1"):
        stands_on(me, board, name)
    me.tap("b1")
    me.until("document.querySelectorAll('.acedrex-board .dot').length > 0")


def test_a_game_can_be_played_from_a_chosen_setup(person: Callable[..., Person]) -> None:
    me = copied(person, "maasai")
    page = me.page
    page.get_by_role("group", name="Setup").get_by_text("Choose a setup").click()
    page.get_by_label("Number (1 to 288)").fill("200")
    page.get_by_label("Number (1 to 288)").blur()
    game = load("maasai")
    board = Board(game, setup=game.setups[199])
    for name in ("e1", "f1", "g1", "h1", "e2", "h12"):
        stands_on(me, board, name)
    tap(me, "f4")
    tap(me, "f5")
    me.until("/^f5 [^ ]+$/.test(document.querySelector('.studio-moves')?.textContent ?? '')")
    # The 100 games start from the same setup.
    page.get_by_role("button", name="Play 100 games").click()
    page.get_by_text(re.compile(r"After \d+ games?")).wait_for(timeout=60_000)


def test_rules_from_the_form_are_accepted_by_the_core(person: Callable[..., Person], tmp_path: Path) -> None:
    me = begun(person)
    page = me.page
    page.get_by_label("Files").select_option("8")
    tab(me, "Rules")
    page.get_by_role("button", name="Add castling as in chess").click()
    page.get_by_label("Compulsory on").fill("ranks 5-6")
    page.get_by_label("Moves per turn").select_option("1")
    page.get_by_label("Check ends the turn").check()
    page.get_by_text("A turn may end early").click()
    sound(me)
    text = written(me)
    path = tmp_path / "rules.toml"
    path.write_text(text)
    board = Board(load(str(path)))
    assert 'king = "d1 b1"' in text and board.fen().split(" ")[2] == "Qq" and board.turn_moves == []
    assert Thinker().play(board, Limit(nodes=100)).moves


def test_a_game_can_have_french_texts(person: Callable[..., Person]) -> None:
    me = begun(person)
    page = me.page
    tab(me, "Text")
    page.get_by_text("French texts", exact=True).click()
    page.get_by_label("Rook pieces.R.name").fill("Tour")
    page.get_by_label("My game game.name").fill("Mon jeu")
    area = page.get_by_role("textbox", name="French texts")
    french = '[pieces.R]\nname = "Tour"\n\n[game]\nname = "Mon jeu"\n'
    me.until(lambda: area.input_value().strip() == french.strip())
    sound(me)
    area.fill(french + '[pieces.Z]\nname = "Rien"\n')
    page.locator("#studio-problems button", has_text=re.compile("Line [67]:.*pieces.Z")).wait_for()
    # The definition itself can still be played.
    tab(me, "Play")
    page.get_by_text("White to move.").wait_for()
    page.get_by_role("button", name="Undo").click()
    tab(me, "Share")
    theirs = person(locale="fr-FR")
    theirs.page.goto(link(me, "Mon jeu"))
    theirs.page.get_by_role("button", name="Enregistrer").click()
    theirs.page.get_by_role("tab", name="Jouer").click()
    theirs.until("document.querySelector('[data-square=\"a1\"]')?.getAttribute('aria-label').includes('Tour')")


def test_a_game_can_be_published_and_played_with_a_friend(browser: Any, tmp_path: Path) -> None:
    with serving(tmp_path, "--publish", "everybody") as server:
        me, friend = (Person(browser.new_context(locale="en-GB", reduced_motion="reduce"), server) for _ in range(2))
        page = me.go("/studio")
        page.get_by_role("button", name="Start with a small game").click()
        page.get_by_label("Name").fill("Ostrich chess")
        sound(me)
        tab(me, "Share")
        page.get_by_role("button", name="Publish", exact=True).click()
        page.get_by_role("link", name="Play it with a friend").click()
        page.locator("#game option:checked", has_text="Ostrich chess").wait_for(state="attached")
        page.get_by_label("A friend (by link)").check()
        page.get_by_role("button", name=re.compile("Create|Start|Play|Invite")).last.click()
        me.until("location.pathname.startsWith('/match/')")
        me.until("document.querySelector('.copy-link input')?.value.includes('#invite=')")
        invitation = str(page.locator(".copy-link input").first.input_value())
        theirs = friend.page
        theirs.goto(invitation)
        theirs.get_by_role("button", name="Join game").click()
        me.until("document.querySelectorAll('[data-square]').length === 36")
        # The game is reported, and withdrawn during the match: the page of the match still shows it.
        friend.go("/learn/my-game")
        theirs.get_by_role("link", name="Report this game").click()
        theirs.get_by_label("What is wrong with it?").fill("No ostriches.")
        theirs.get_by_role("button", name="Send").click()
        theirs.get_by_text("The operator will see your report.").wait_for()
        address = page.url
        me.go("/studio")
        page.get_by_role("link", name="Ostrich chess").click()
        tab(me, "Share")
        page.get_by_role("button", name="Withdraw").click()
        page.get_by_text("Withdrawn: no new matches").wait_for()
        page.goto(address)
        me.until("document.querySelector('[data-square=\"a1\"]')?.getAttribute('aria-label').includes('Rook')")
        complaints = [line for line in me.complaints + friend.complaints if "404" not in line]
        for one in (me, friend):
            one.context.close()
        assert complaints == []


@pytest.mark.parametrize("locale", ["en-GB", "fr-FR"])
def test_every_tab_is_visible_on_a_phone(person: Callable[..., Person], locale: str) -> None:
    me = person(viewport={"width": 360, "height": 640}, has_touch=True, is_mobile=True, locale=locale)
    page = me.go("/studio")
    page.get_by_role("button", name=re.compile("small game|petit jeu")).click()
    expect(page.get_by_role("tab")).to_have_count(6)
    boxes = [one.bounding_box() for one in page.get_by_role("tab").all()]
    assert [box for box in boxes if not box or box["x"] + box["width"] > 360] == []
    undo, redo = (page.get_by_role("button", name=re.compile(name)) for name in ("^Undo|^Annuler", "^Redo|^Rétablir"))
    assert undo.bounding_box()["y"] == redo.bounding_box()["y"]


def test_every_tab_is_accessible(person: Callable[..., Person]) -> None:
    me = begun(person)
    sound(me)
    for name, last in (
        ("Board", ".piece"),
        ("Pieces", ".dot"),
        ("Rules", ".piece"),
        ("Text", "textarea"),
        ("Play", ".piece"),
        ("Share", ".copy-link input"),
    ):
        tab(me, name)
        me.page.locator(f".studio {last}, #main {last}").first.wait_for(state="attached")
        assert serious_violations(me.page) == [], name
