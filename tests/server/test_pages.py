"""The files of the web app, and the one page for all addresses that are no file."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import httpx
import msgspec
import pytest
from fastapi import FastAPI

from acedrex.server import wire
from acedrex.server.api import pages, problems, shield
from acedrex.server.budgets import Budgets

Get = Callable[[str], httpx.Response]


@pytest.fixture
def get(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Get:
    """A server of pages alone, with a small web app in a folder, shown under a path by a proxy."""
    folder = tmp_path / "static"
    (folder / "assets").mkdir(parents=True)
    (folder / "index.html").write_text('<base href="/" /><title>Acedrex</title>')
    (folder / "assets" / "index-1a2b3c.js").write_text("export {};")
    (folder / "theme.js").write_text("1;")
    (tmp_path / "secret.txt").write_text("secret")
    monkeypatch.setattr(pages, "STATIC", folder)
    app = FastAPI(openapi_url=None)
    problems.add_to(app)
    pages.add_to(app)
    app.state.services = SimpleNamespace(budgets=Budgets())
    shield.add_to(app, origins=())

    def get(path: str) -> httpx.Response:
        async def ask() -> httpx.Response:
            async with httpx.AsyncClient(
                transport=httpx.ASGITransport(app, root_path="/chess"), base_url="http://test"
            ) as client:
                return await client.get(path)

        return asyncio.run(ask())

    return get


@pytest.mark.parametrize("path", ["/", "/match/abc", "/games/maasai", "/index.html"])
def test_addresses_of_the_app_are_its_page(get: Get, path: str) -> None:
    answer = get(path)
    assert answer.status_code == 200 and '<base href="/chess/"' in answer.text
    assert answer.headers["cache-control"] == "no-cache"
    assert answer.headers["content-type"].startswith("text/html")


def test_files_with_a_hash_are_kept_for_ever(get: Get) -> None:
    answer = get("/assets/index-1a2b3c.js")
    assert "immutable" in answer.headers["cache-control"] and "javascript" in answer.headers["content-type"]
    assert get("/theme.js").headers["cache-control"] == "no-cache"


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
def test_what_is_no_file_is_a_problem(get: Get, path: str) -> None:
    answer = get(path)
    assert answer.status_code == 404 and "secret" not in answer.text
    assert msgspec.json.decode(answer.content, type=wire.Problem).code == "no_such_page"


def test_a_class_behind_one_address_gets_the_files(get: Get) -> None:
    """Thirty first visits at once, of thirty files each."""
    statuses = Counter(get("/assets/index-1a2b3c.js").status_code for _ in range(900))
    assert statuses == {200: 900}
