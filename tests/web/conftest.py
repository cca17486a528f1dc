"""A server with the built app, and browsers that open it."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import Any
from zlib import crc32

import pytest

from tests.samples import sample
from tests.web.people import ROOT, Person, Server, serving
from tests.web.sites import Site, Visit

#: Parameters with which a test shows the same thing on another screen or in another language.
VARIANTS = {"device", "locale", "theme"}
STATIC = ROOT / "src" / "acedrex" / "server" / "static"


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Keep one variant of each test, which its name decides; `make nightly` shows all."""
    groups: defaultdict[tuple[object, ...], list[pytest.Function]] = defaultdict(list)
    for item in items:
        params = item.callspec.params if isinstance(item, pytest.Function) and hasattr(item, "callspec") else {}
        if "browser" in getattr(item, "fixturenames", ()) and VARIANTS & params.keys():
            others = [repr(value) for name, value in params.items() if name not in VARIANTS]
            groups[item.path, item.originalname, *others].append(item)
    left_out = set[pytest.Item]()
    for group in groups.values():
        kept = crc32(group[0].originalname.encode()) % len(group)
        left_out |= {item for number, item in enumerate(group) if number != sample(kept, number)}
    items[:] = [item for item in items if item not in left_out]
    config.hook.pytest_deselected(items=[*left_out])


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
