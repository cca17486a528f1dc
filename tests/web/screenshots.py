"""Takes the screenshots in docs/screenshots. Run `python -m tests.web.screenshots`."""

from __future__ import annotations

import base64
import random
import tempfile
from pathlib import Path
from typing import Any

from acedrex import Board, Engine, Limit, load
from acedrex.pgn import Game as Record
from tests.web.lichess import outline
from tests.web.people import ROOT, Person, Server, serving
from web.board.demo.browser import chromium

FOLDER = ROOT / "docs" / "screenshots"
DESKTOP: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}}
PHONE: dict[str, Any] = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
LEVEL_3 = {"kind": "engine", "level": 3}


class Studio:
    """A browser, a server and a folder for pictures."""

    def __init__(self, browser: Any, server: Server) -> None:
        """Keep the browser, the server and the folder."""
        self.browser, self.server = browser, server

    def person(self, theme: str, device: dict[str, Any], token: str = "", language: str = "en-GB") -> Person:
        """Open the app for a new person."""
        context = self.browser.new_context(**device, color_scheme=theme, locale=language, reduced_motion="reduce")
        return Person(context, self.server, token)

    def take(self, person: Person, name: str) -> None:
        """Take a picture once everything is loaded."""
        person.page.wait_for_load_state("networkidle")
        person.page.wait_for_timeout(500)
        path = FOLDER / f"{name}.png"
        person.page.screenshot(path=path)
        size = path.stat().st_size
        assert size < 250_000, f"{name}.png has {size} bytes"
        print(f"{size:7} {path.relative_to(ROOT)}")
        person.context.close()


def front(studio: Studio) -> None:
    """The five games."""
    person = studio.person("light", DESKTOP)
    person.go("/")
    studio.take(person, "front")


def maasai(studio: Studio) -> None:
    """A match against the engine, and how an enemy piece moves."""
    token = studio.server.guest("Alfonso")
    match = studio.server.match(token, "maasai", LEVEL_3, setup="UFDO-QKGL", hints=True)["match"]
    with Engine() as thinker:
        studio.server.play_until(match, token, thinker, lambda board, _: board.fullmove_number > 12)
    person = studio.person("dark", DESKTOP, token)
    person.go(f"/match/{match}")
    person.says("Your turn")
    board = Board("maasai", person.state()["position"]["fen"])
    square = max(board.piece_map(), key=lambda at: len(board.reach(at)) if board.piece_at(at).letter == "G" else 0)  # type: ignore[union-attr]
    name = "abcdefghijklmnop"[square % 16] + str(square // 16 + 1)
    person.page.locator('[data-press="inspect"]').click()
    person.tap(name)
    studio.take(person, "maasai")


def setup(studio: Studio) -> None:
    """Black arranges the pieces, on a phone."""
    token = studio.server.guest("Alfonso")
    match = studio.server.match(token, "zanzibar-s", LEVEL_3, side="black", setup="choose")["match"]
    person = studio.person("light", PHONE, token)
    person.go(f"/match/{match}")
    for letter, square in (("K", "f12"), ("Q", "g12"), ("G", "f11")):
        person.page.locator(f'.tray [data-tray="{letter}"]').tap()
        person.tap(square)
    studio.take(person, "setup")


def chieftain(studio: Studio) -> None:
    """A turn of several moves, on a phone in landscape."""
    token = studio.server.guest("Alfonso")
    match = studio.server.match(token, "chieftain", LEVEL_3)["match"]
    person = studio.person("dark", {**PHONE, "viewport": {"width": 740, "height": 360}}, token)
    person.go(f"/match/{match}")
    person.says("Your turn")
    for _ in range(2):
        state = person.state()
        move = next(move for move in state["position"]["legal"] if move["from"] and move["from"][0] in "gj")
        person.tap(move["from"])
        person.tap(move["to"])
        person.past(state["number"])
    studio.take(person, "chieftain")


def friends(studio: Studio) -> None:
    """Two people, with clocks."""
    ann, ben = studio.server.guest("Ann"), studio.server.guest("Ben")
    time = {"kind": "fischer", "initial_ms": 1_200_000, "increment_ms": 15_000}
    made = studio.server.match(ann, "magi", {"kind": "friend"}, time=time)
    studio.server.ask(f"/api/matches/{made['match']}/seat", {"invite": made["invite"]}, ben)
    white = studio.person("light", DESKTOP, ann)
    black = studio.person("light", DESKTOP, ben)
    for person in (white, black):
        person.go(f"/match/{made['match']}")
    with Engine(level=4) as thinker:
        for number in range(9):
            person = (white, black)[number % 2]
            person.says("Your turn")
            state = person.state()
            board = Board("magi", state["position"]["fen"])
            person.play(thinker.play(board).moves[0])
            person.past(state["number"])
    black.page.get_by_role("button", name="Offer a draw").click()
    white.says("offers a draw")
    studio.take(white, "friends")
    black.context.close()


def new_game(studio: Studio) -> None:
    """A new game, in French."""
    person = studio.person("dark", PHONE, language="fr-FR")
    person.go("/new?game=metamachy")
    studio.take(person, "new-game")


def first_game(studio: Studio) -> None:
    """The first move with an Eagle, on a phone."""
    person = studio.person("light", PHONE)
    page = person.go("/learn/maasai/first")
    page.get_by_role("button", name="Next").tap()
    person.says("Your move")
    studio.take(person, "first-game")


def puzzles(studio: Studio) -> None:
    """Puzzles of Zanzibar-S, to be chosen by theme."""
    person = studio.person("dark", DESKTOP)
    page = person.go("/puzzles")
    page.get_by_text("Zanzibar-S", exact=True).click()
    studio.take(person, "puzzles")


def positions(studio: Studio) -> None:
    """Positions of Metamachy to play from."""
    person = studio.person("light", DESKTOP)
    person.go("/positions?game=metamachy")
    studio.take(person, "positions")


def learn(studio: Studio) -> None:
    """How the Sorceress of Maasai Chess hops."""
    person = studio.person("light", DESKTOP)
    person.go("/learn/maasai")
    pieces = person.page.locator("#pieces")
    pieces.get_by_text("Sorceress", exact=True).click()
    person.says("Can reach 18 squares.")
    pieces.locator(".beside-board").evaluate("board => scrollTo(0, board.offsetTop - 24)")
    studio.take(person, "learn")


def archive(studio: Studio) -> None:
    """Finished matches, and their openings."""
    token = studio.server.guest("Ann")
    chance = random.Random(4)
    setups = load("metamachy").setups
    records = []
    for day in range(1, 29):
        board = Board("metamachy", setup=setups[chance.choice((0, 0, 1, 5))])
        with Engine(level=3, seed=day % 9) as thinker:
            while board.ply() < 24 and not board.is_game_over():
                for move in thinker.play(board, Limit(nodes=300)).moves:
                    board.push(move)
        record = Record.from_board(board)
        record.headers.update({"White": "Ann", "Black": chance.choice(("Ben", "Zoe")), "Date": f"2026.05.{day:02}"})
        if record.headers["Result"] == "*":
            record.headers["Result"] = chance.choice(("1-0", "0-1", "1/2-1/2"))
        records.append(str(record))
    studio.server.bring(token, "\n\n".join(records))
    person = studio.person("light", DESKTOP, token)
    page = person.go("/archive?whose=mine&game=metamachy")
    page.locator(".openings button").first.click()
    page.locator(".openings button", has_text="GKQL").wait_for(state="detached")
    page.mouse.move(0, 0)
    page.evaluate("scrollTo(0, 0)")
    studio.take(person, "archive")


def analysis(studio: Studio) -> None:
    """A game of Magi that the engine has reviewed, with two of its lines."""
    board = Board("magi")
    for level in (3, 5) * 18:
        with Engine(level=level, seed=board.ply()) as thinker:
            board.push(thinker.play(board, Limit(nodes=400)).moves[0])
    record = Record.from_board(board)
    record.headers.update({"White": "Ann", "Black": "Ben", "Date": "2026.05.04"})
    person = studio.person("light", DESKTOP)
    page = person.go("/analysis")
    page.locator("#pgn").fill(str(record))
    page.get_by_role("button", name="Import").click()
    page.get_by_label("Lines").select_option("2")
    page.get_by_role("button", name="Analyse the whole game").click()
    page.locator(".graph").wait_for(timeout=30_000)
    page.locator(".progress").wait_for(state="detached", timeout=120_000)
    page.locator(".tree .blunder, .tree .mistake, .tree .inaccuracy").first.click()
    page.locator(".lines button").nth(1).wait_for()
    page.mouse.move(0, 0)
    page.wait_for_timeout(3000)
    studio.take(person, "analysis")


def own_game(studio: Studio) -> None:
    """The studio: a piece that leaps and slides, on its diagram."""
    person = studio.person("light", DESKTOP)
    page = person.go("/studio")
    page.get_by_role("button", name="Start with a small game").click()
    page.get_by_role("tab", name="Pieces").click()
    page.get_by_role("button", name="Add a piece").click()
    page.get_by_role("button", name="A new piece: draw its moves").click()
    page.get_by_label("Moves in Betza notation").fill("NfmRcpB")
    page.get_by_label("Name").fill("Swan")
    page.get_by_text("an enemy piece", exact=True).click()
    person.tap("g7")
    person.tap("h8")
    page.get_by_text("Can reach").wait_for()
    page.evaluate("scrollTo(0, 0)")
    studio.take(person, "studio")


def look(studio: Studio) -> None:
    """One sheet: lichess's page to scale above a match, the front page and a learn page, by device and theme."""
    token = studio.server.guest("Alfonso")
    match = studio.server.match(token, "maasai", LEVEL_3, setup="UFDO-QKGL")["match"]
    with Engine() as thinker:
        studio.server.play_until(match, token, thinker, lambda board, _: board.fullmove_number > 12)
    sizes = ((1440, 900), (390, 844))
    pictures = [outline(*size, theme) for theme in ("light", "dark") for size in sizes]
    for path in (f"/match/{match}", "/", "/learn/maasai"):
        for theme in ("light", "dark"):
            for (width, height), more in zip(sizes, ({}, PHONE), strict=True):
                device = {**more, "viewport": {"width": width, "height": height}}
                person = studio.person(theme, device, token)
                person.go(path)
                person.page.wait_for_load_state("networkidle")
                person.page.wait_for_timeout(500)
                picture = base64.b64encode(person.page.screenshot()).decode()
                pictures.append(f'<img src="data:image/png;base64,{picture}">')
                person.context.close()
    page = studio.browser.new_page(viewport={"width": 1730, "height": 1000})
    page.set_content(SHEET + "".join(pictures))
    page.screenshot(path=FOLDER / "look.jpg", type="jpeg", quality=80, full_page=True)


#: The style of the sheet: pictures of the same height, four to a row.
SHEET = (
    "<style>body { display: flex; flex-wrap: wrap; gap: 12px; background: #777 }"
    "img, svg { height: 400px; width: auto }</style>"
)
PICTURES = (
    front,
    maasai,
    setup,
    chieftain,
    friends,
    new_game,
    first_game,
    learn,
    puzzles,
    positions,
    archive,
    analysis,
    own_game,
)


def main() -> None:
    """Take them all."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, serving(Path(folder)) as server, chromium() as browser:
        studio = Studio(browser, server)
        for picture in PICTURES:
            picture(studio)
        look(studio)


if __name__ == "__main__":
    main()
