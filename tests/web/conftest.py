"""A server with the built app, and browsers that open it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.web.people import ROOT, Person, Server, serving
from tests.web.sites import Site, Visit

STATIC = ROOT / "src" / "acedrex" / "server" / "static"


def need(there: bool, reason: str) -> None:
    """Skip, or fail where every test has to run."""
    if there:
        return
    if os.environ.get("ACEDREX_REQUIRE_WITNESSES"):
        pytest.fail(reason, pytrace=False)
    pytest.skip(reason)


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Run a server on an empty database, with its own folder of games."""
    need((STATIC / "index.html").is_file(), "the web app is not built: make play builds it")
    with serving(tmp_path_factory.mktemp("server")) as here:
        yield here


@pytest.fixture
def person(browser: Any, server: Server) -> Iterator[Callable[..., Person]]:
    """Return a function that opens the app in a browser for a person. Errors in its console fail the test."""
    people: list[Person] = []

    def come(token: str | None = None, **options: Any) -> Person:
        # The service worker would load everything else into its caches, for pages that live a second.
        settings = {"service_workers": "block", "viewport": {"width": 1280, "height": 800}, "locale": "en-GB"}
        settings |= {"reduced_motion": "reduce"}
        context = browser.new_context(**{**settings, **options})
        people.append(Person(context, server, token))
        return people[-1]

    yield come
    complaints = [complaint for one in people for complaint in one.complaints]
    for one in people:
        one.context.close()
    assert complaints == []


@pytest.fixture
def site(server: Server) -> Iterator[Site]:
    need((STATIC / "element" / "acedrex.js").is_file(), "the element for other pages is not built: make web builds it")
    # The app and the element share it.
    assert len(list((STATIC / "assets").glob("core_bg-*.wasm"))) == 1
    site = Site(server)
    yield site
    site.http.shutdown()
    site.http.server_close()


@pytest.fixture
def visit(browser: Any, site: Site, server: Server) -> Iterator[Callable[..., Visit]]:
    contexts = []
    visits: list[Visit] = []

    def begin(**options: Any) -> Visit:
        settings = {"viewport": {"width": 900, "height": 900}, "reduced_motion": "reduce"}
        contexts.append(browser.new_context(**{**settings, **options}))
        visits.append(Visit(contexts[-1].new_page(), site, server))
        return visits[-1]

    yield begin
    complaints = [complaint for one in visits for complaint in one.complaints]
    for context in contexts:
        context.close()
    assert complaints == []
