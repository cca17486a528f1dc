"""The files of the web app, and its one page for all addresses that are not a file."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import AsyncIterator
from pathlib import Path
from types import SimpleNamespace

import httpx
import msgspec
import pytest
from fastapi import FastAPI

from acedrex.server import wire
from acedrex.server.api import pages, problems, shield
from acedrex.server.limits.budgets import Budgets


@pytest.fixture
def static(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a small web app."""
    folder = tmp_path / "static"
    (folder / "assets").mkdir(parents=True)
    (folder / "index.html").write_text('<base href="/" /><title>Acedrex</title>')
    (folder / "assets" / "index-1a2b3c.js").write_text("export {};")
    (folder / "theme.js").write_text("1;")
    (tmp_path / "secret.txt").write_text("secret")
    monkeypatch.setattr(pages, "STATIC", folder)
    return folder


@pytest.fixture
async def client(static: Path) -> AsyncIterator[httpx.AsyncClient]:
    """A client of a server that has only pages, behind a proxy under a path."""
    app = FastAPI(openapi_url=None)
    problems.add_to(app)
    pages.add_to(app)
    app.state.services = SimpleNamespace(budgets=Budgets())
    shield.add_to(app, origins=())

    transport = httpx.ASGITransport(app, root_path="/chess")
    async with httpx.AsyncClient(transport=transport, base_url="http://test") as one:
        yield one


@pytest.mark.parametrize("path", ["/", "/match/abc", "/learn/maasai", "/analysis", "/settings/", "/index.html"])
async def test_addresses_of_the_app_get_its_page(client: httpx.AsyncClient, path: str) -> None:
    answer = await client.get(path)
    assert answer.status_code == 200 and '<base href="/chess/"' in answer.text
    # A match may be private.
    assert answer.headers["cache-control"] == ("private, no-cache" if "match" in path else "no-cache")
    assert answer.headers["content-type"].startswith("text/html")


@pytest.mark.parametrize("path", ["/nothing", "/match", "/match/abc/more", "/learn/", "/games/maasai", "/new/x"])
async def test_other_addresses_get_the_page_that_says_so(client: httpx.AsyncClient, path: str) -> None:
    """A search engine must not keep them."""
    answer = await client.get(path)
    assert answer.status_code == 404 and '<base href="/chess/"' in answer.text


def test_the_server_knows_the_pages_of_the_app() -> None:
    app = (Path(__file__).parents[2] / "web" / "app" / "src" / "app.tsx").read_text(encoding="utf-8")
    routes = re.findall(r'<Route path=\{at\("/([^"]*)"\)\}', app)
    assert len(routes) > 15
    for route in routes:
        short = re.sub(r"/:\w+\?", "", route)
        for path in {re.sub(r":\w+\??", "x1", route), re.sub(r":\w+", "x1", short)}:
            assert pages.PAGES.fullmatch(path), path
    whole = pages.PAGES.pattern.replace("(/[^/]+)?", "/:x?").replace("[^/]+", ":x").split("|")
    assert sorted(whole) == sorted(re.sub(r":\w+", ":x", route) for route in routes)


async def test_files_with_a_hash_in_their_name_are_cached_forever(client: httpx.AsyncClient) -> None:
    answer = await client.get("/assets/index-1a2b3c.js")
    assert "immutable" in answer.headers["cache-control"] and "javascript" in answer.headers["content-type"]
    assert (await client.get("/theme.js")).headers["cache-control"] == "no-cache"


@pytest.mark.parametrize(
    "path",
    [
        "/assets/old.js",
        "/nothing.png",
        "/a%00.txt",
        "/" + "a" * 5000 + ".b",
        "/..%2fsecret.txt",
        "/assets/..%2f..%2fsecret.txt",
    ],
)
async def test_files_that_are_missing_or_outside_the_folder_are_not_found(client: httpx.AsyncClient, path: str) -> None:
    answer = await client.get(path)
    assert answer.status_code == 404 and "secret" not in answer.text
    assert msgspec.json.decode(answer.content, type=wire.Problem).code == "no_such_page"


async def test_without_the_web_app_the_page_says_how_to_build_it(client: httpx.AsyncClient, static: Path) -> None:
    (static / "index.html").unlink()
    answer = await client.get("/")
    assert answer.status_code == 503 and "make play" in answer.text


async def test_thirty_first_visits_from_one_address_get_all_files(client: httpx.AsyncClient) -> None:
    """Each loads thirty files."""
    statuses = Counter([(await client.get("/assets/index-1a2b3c.js")).status_code for _ in range(900)])
    assert statuses == {200: 900}
