"""The site that `make docs` builds: no warnings, every public name, self-contained, and usable in browsers."""

from __future__ import annotations

import functools
import http.server
import importlib
import os
import pkgutil
import re
import subprocess
import sys
import threading
import zlib
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from playwright.sync_api import Browser

import acedrex

pytestmark = pytest.mark.slow
ROOT = Path(__file__).parents[1]
#: Programs and their parts: they have pages elsewhere, and no public names.
PROGRAMS = {"__main__", "_native", "cli", "protocol", "server", "uci", "xboard"}
MODULES = ["acedrex", *(f"acedrex.{m.name}" for m in pkgutil.iter_modules(acedrex.__path__) if m.name not in PROGRAMS)]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built without a warning."""
    folder = tmp_path_factory.mktemp("site")
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1", "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)]
    built = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=600)
    assert built.returncode == 0, built.stderr
    return folder


class Tags(HTMLParser):
    """The anchors of a page, its links, and the files that it loads."""

    LOADING = ("audio", "embed", "iframe", "img", "input", "script", "source", "track", "video")

    def __init__(self, page: Path) -> None:
        super().__init__()
        self.anchors: set[str] = set()
        self.links: list[str] = []
        self.loads: list[str] = []
        self.feed(page.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        told = {key: value for key, value in attrs if value is not None}
        self.anchors |= {told[key] for key in ("id", "name") if key in told}
        if tag == "a" and "href" in told:
            self.links.append(told["href"])
        elif tag == "link":
            self.loads.append(told["href"])
        elif tag in self.LOADING and "src" in told:
            self.loads.append(told["src"])


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[Path, Tags]:
    return {page: Tags(page) for page in sorted(site.rglob("*.html")) if page.name != "404.html"}


# Content.


def inventory(site: Path) -> dict[str, str]:
    """Where each name is documented, as other sites look it up."""
    packed = (site / "objects.inv").read_bytes().split(b"\n", 4)[4]
    found = {}
    for line in zlib.decompress(packed).decode().splitlines():
        name, _, _, place, _ = line.split(" ", 4)
        found[name] = place.replace("$", name)
    return found


@pytest.mark.parametrize("module", MODULES)
def test_every_public_name_is_documented(module: str, site: Path, pages: dict[Path, Tags]) -> None:
    told = inventory(site)
    for name in getattr(importlib.import_module(module), "__all__", ()):
        page, _, anchor = told[f"{module}.{name}"].partition("#")
        assert anchor in pages[site / page].anchors
        text = (site / page).read_text(encoding="utf-8")
        entry = text[text.index(f'id="{anchor}"') :].split("doc-heading")[1]
        assert "<p>" in entry, f"{module}.{name} is not explained"


def test_docstrings_of_the_core_are_included(site: Path) -> None:
    text = (site / "api" / "boards.html").read_text(encoding="utf-8")
    assert "Reads a move in SAN or coordinates, makes it and returns it." in text
    assert "<code>IllegalMoveError</code>" in text or ">IllegalMoveError</" in text


def test_every_game_has_a_page_with_all_its_pieces(site: Path) -> None:
    for name in acedrex.games():
        game = acedrex.load(name)
        text = (site / "games" / f"{name}.html").read_text(encoding="utf-8")
        assert game.name in text
        for piece in game.pieces:
            assert f'"{name}/{piece.id}-light.svg' in text and f'"{name}/{piece.id}-dark.svg' in text
            assert (site / "games" / name / f"{piece.id}-dark.svg").read_text(encoding="utf-8").startswith("<svg ")


# Links and loaded files.


def test_internal_links_are_valid(site: Path, pages: dict[Path, Tags]) -> None:
    assert len(pages) > 40
    for page, tags in pages.items():
        for link in tags.links + tags.loads:
            parts = urlsplit(link)
            if parts.scheme in ("http", "https", "mailto", "data"):
                continue
            target = (page.parent / unquote(parts.path)).resolve() if parts.path else page
            target = target / "index.html" if target.is_dir() else target
            assert target.is_file() and target.is_relative_to(site), f"{page.relative_to(site)}: {link} leads nowhere"
            # A fragment after a picture chooses the theme; those of the site's own theme begin with `__`.
            if parts.fragment and target in pages and not parts.fragment.startswith("__"):
                assert unquote(parts.fragment) in pages[target].anchors, f"{page.relative_to(site)}: no {link}"


def test_pages_load_nothing_from_other_sites(site: Path, pages: dict[Path, Tags]) -> None:
    for page, tags in pages.items():
        assert [load for load in tags.loads if urlsplit(load).scheme not in ("", "data")] == [], page
    for sheet in site.rglob("*.css"):
        assert not re.search(r"""(url\(|@import)\s*["']?(https?:)?//""", sheet.read_text(encoding="utf-8")), sheet


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None: ...


@pytest.fixture(scope="module")
def address(site: Path) -> Iterator[str]:
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(site))) as server:
        threading.Thread(target=server.serve_forever).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def test_pages_fit_the_screen_and_can_be_searched(address: str, browser: Browser) -> None:
    """Pages also request nothing from other sites and print nothing to the console."""
    requested: list[str] = []
    printed: list[str] = []
    page = browser.new_page()
    page.on("request", lambda request: requested.append(request.url))
    page.on("console", lambda message: printed.append(message.text))
    for name in ("index", "tutorial", "games/maasai", "games/index", "api/boards", "format", "ladder"):
        page.emulate_media(color_scheme="light")
        page.set_viewport_size({"width": 1280, "height": 740})
        page.goto(f"{address}/{name}.html", wait_until="networkidle")
        assert page.evaluate("document.documentElement.scrollWidth") <= 1280, name
        page.set_viewport_size({"width": 360, "height": 740})
        page.emulate_media(color_scheme="dark")
        # A live board has the new size a frame later.
        page.wait_for_function("document.documentElement.scrollWidth <= 360")
    page.goto(f"{address}/index.html?q=Sorceress", wait_until="networkidle")
    page.locator(".md-search-result__item a").first.wait_for(state="attached")
    hosts = {urlsplit(url).netloc for url in requested if not url.startswith(("data:", "blob:"))}
    assert hosts == {urlsplit(address).netloc}
    assert printed == []


def test_boards_and_diagrams_are_interactive(address: str, site: Path, browser: Browser) -> None:
    """A game's board can be played on, and a click makes a diagram interactive. Without scripts both are pictures."""
    if not (site / "boards" / "acedrex.js").is_file():
        pytest.skip("the element is not built: make docs builds it")
    page = browser.new_page(viewport={"width": 1280, "height": 1000})
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{address}/games/magi.html")
    board = page.locator("acedrex-board").first
    board.locator(".said", has_text="White to move").wait_for()
    for square in ("f2", "f5"):
        board.locator(f'[data-square="{square}"]').evaluate("cell => cell.click()")
    board.locator(".said", has_text="1. f5").wait_for()
    page.get_by_title("Try this piece").nth(5).click()
    diagram = page.locator(".diagram acedrex-board")
    diagram.locator(".said", has_text="Can reach").wait_for()
    page.goto(f"{address}/index.html")
    page.locator("acedrex-board .said", has_text="Can reach").wait_for()
    assert {urlsplit(url).netloc for url in asked if not url.startswith("blob:")} == {urlsplit(address).netloc}
    plain = browser.new_context(java_script_enabled=False).new_page()
    plain.goto(f"{address}/games/magi.html")
    assert plain.get_by_alt_text("The start of Magi").locator("visible=true").count() == 1
    assert plain.get_by_alt_text("How the Wizard moves").locator("visible=true").count() == 1
