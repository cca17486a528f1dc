"""What a browser stored, and links that people shared, while earlier versions of the app were running."""

from __future__ import annotations

import gzip
import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from acedrex import Game, load
from tests.server.test_upgrade import DATA, RELEASES, expected
from tests.web.people import Person, Server, serving


@pytest.fixture(params=RELEASES)
def release(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def upgraded(release: str, tmp_path: Path) -> Iterator[Server]:
    """A server on the database of a release."""
    (tmp_path / "test.db").write_bytes(gzip.decompress((DATA / release / "server.db.gz").read_bytes()))
    with serving(tmp_path) as server:
        yield server


@pytest.fixture
def stored(release: str) -> Any:
    """What the browser stored."""
    return json.loads((DATA / release / "browser.json").read_text())


@pytest.fixture
def me(browser: Browser, upgraded: Server, stored: Any) -> Iterator[Person]:
    """The person whose browser it was."""
    for origin in stored["storage"]["origins"]:
        origin["origin"] = upgraded.url
    settings: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}, "locale": "en-GB"}
    context = browser.new_context(storage_state=stored["storage"], reduced_motion="reduce", **settings)
    one = Person(context, upgraded)
    yield one
    context.close()
    assert one.complaints == []


def records(stored: Any, store: str) -> list[Any]:
    """Return what a store of the browser's databases holds."""
    databases = [one for origin in stored["storage"]["origins"] for one in origin.get("indexedDB", [])]
    return [
        record["value"] for one in databases for it in one["stores"] if it["name"] == store for record in it["records"]
    ]


def test_what_a_browser_stored_is_still_there(me: Person, release: str, stored: Any) -> None:
    # The identity, and its matches on the server.
    told = next(one for one in expected(release) if one["phase"] == "play" and one["time"]["kind"] == "none")
    page = me.go(f"/match/{told['match']}")
    me.says("to move")
    state = me.state()
    assert (state["seat"], len(state["moves"])) == (told["seat"], len(told["moves"]))
    # The analyses.
    for analysis in records(stored, "analyses"):
        page = me.go(f"/analysis/{analysis['id']}")
        expect(page.locator(".tree")).to_contain_text("Sicilian.")
    # The drafts of games, and the matches on this device.
    if records(stored, "drafts"):
        page = me.go("/studio")
        page.get_by_role("link", name="My game").first.click()
        page.get_by_text("No errors. The game can be played.").wait_for()
    for match in records(stored, "matches"):
        page = me.go(f"/match/{match['id']}")
        page.locator(".moves button").first.wait_for(state="attached")
        for square in ("e7", "e5"):
            me.tap(square)
        expect(page.locator(".moves button")).to_have_count(2)


def test_shared_links_can_be_opened(me: Person, stored: Any) -> None:
    for link in stored["links"]:
        page = me.go(link)
        if link.startswith("/analysis"):
            expect(page.locator(".tree")).to_contain_text("Sicilian.")
        else:
            page.get_by_role("button", name="Save to drafts").click()
            page.get_by_text("No errors. The game can be played.").wait_for()


@pytest.fixture
def riders() -> Game:
    """Chess as another version could have defined it: Knights are Nightriders."""
    return Game.stored(load("chess").source.replace('move = "N"', 'move = "NN"'), "chess")


@pytest.mark.parametrize("release", RELEASES[-1:], indirect=True)
def test_matches_that_began_with_other_rules_keep_them_and_say_so(
    browser: Browser, release: str, stored: Any, riders: Game, tmp_path: Path
) -> None:
    told = next(one for one in expected(release) if one["game"]["game"] == "chess" and one["opponent"] == "friend")
    (tmp_path / "test.db").write_bytes(gzip.decompress((DATA / release / "server.db.gz").read_bytes()))
    with closing(sqlite3.connect(tmp_path / "test.db")) as database, database:
        database.execute("UPDATE definitions SET text = ? WHERE text LIKE '%id = \"chess\"%'", (riders.source,))
        database.execute("UPDATE events SET body = replace(body, ?, ?)", (load("chess").rules_hash, riders.rules_hash))
    [match] = records(stored, "matches")
    match |= {"source": riders.source, "rulesHash": riders.rules_hash}
    with serving(tmp_path) as server:
        for origin in stored["storage"]["origins"]:
            origin["origin"] = server.url
        me = Person(
            browser.new_context(storage_state=stored["storage"], viewport={"width": 1280, "height": 800}), server
        )
        said = "The rules of Chess have changed since this match began. This match keeps the rules it began with."
        page = me.go(f"/match/{told['match']}")
        me.says(said)
        for square in ("b1", "d5"):
            me.tap(square)
        expect(page.locator(".moves button")).to_have_count(1)
        page = me.go(f"/match/{match['id']}")
        me.says(said)
        for square in ("b8", "d4"):
            me.tap(square)
        expect(page.locator(".moves button")).to_have_count(2)
        me.context.close()
        assert me.complaints == []
