"""Private matches: their ids are secrets of those who have the link, and no cache of others may keep them."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from fastapi.routing import APIRoute, APIWebSocketRoute

from acedrex.cli import main
from acedrex.server.api import pages
from acedrex.server.app import make
from acedrex.server.settings import Settings
from tests.server.conftest import Person, Server, Talk, alter, anyone

FRIEND = {"kind": "friend"}
#: Texts that stand for ids in the paths of requests.
MARK = "S3cretMark12"


def lines(server: Server) -> Iterator[dict[str, Any]]:
    """Yield the lines of a server's log."""
    for line in server.log.read_text().splitlines():
        if line.startswith("{"):
            yield json.loads(line)


def paths() -> list[tuple[str, str]]:
    """List methods and paths of all routes that have parameters."""
    parts = make(Settings(database="sqlite+aiosqlite:///")).routes
    # FastAPI wraps the routers that were included.
    routes = [
        route for part in parts for route in getattr(part, "original_router", SimpleNamespace(routes=[part])).routes
    ]
    found = [(method, one.path) for one in routes if isinstance(one, APIRoute) for method in sorted(one.methods or ())]
    sockets = [("GET", one.path) for one in routes if isinstance(one, APIWebSocketRoute)]
    return [one for one in [*found, *sockets] if "{" in one[1]]


def test_the_log_has_templates_of_paths_and_no_ids(start: Callable[..., Server]) -> None:
    server = start()
    asked = paths()
    assert len(asked) > 40 and ("GET", "/api/matches/{id}") in asked
    others = ["/match/{id}", "/match/{id}/more", "/{id}", "/api/{id}", "/{id}.png", "/settings/{id}", "/analysis/{id}"]
    for method, path in [*asked, *(("GET", path) for path in others), ("PUT", "/api/matches/{id}")]:
        filled = re.sub(r"\{[^}]*\}", MARK, path)
        anyone.request(method, f"{server.base}{filled}?url={MARK}", headers={"Authorization": f"Bearer {MARK}"})
    # Refused before it is known what the path means.
    anyone.get(f"{server.base}/api/matches/{MARK}", headers={"Host": f"{MARK}.example"})
    anyone.get(f"{server.base}/theme.js")
    assert server.end() == 0
    assert MARK not in server.log.read_text()
    logged = {line["path"] for line in lines(server) if line["event"] == "request"}
    assert {"/api/matches/{id}", "/match/{id}", "/{path}", "/api/*", "/embed/match/{id}"} <= logged, (
        server.log.read_text()
    )
    if (pages.STATIC / "theme.js").is_file():
        assert "/theme.js" in logged


def test_faults_are_logged_without_the_id_and_the_operator_finds_the_match(
    start: Callable[..., Server],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    server = start()
    ana = Person(server)
    made = ana.match(opponent=FRIEND)
    talk = ana.socket(made["match"])
    other = ana.match()["match"]
    url = f"sqlite:///{tmp_path}/server.db"
    alter(url, "ALTER TABLE chat RENAME TO chat_gone")
    assert "fault" in str(talk.do(type="chat", text="hello"))
    alter(url, "ALTER TABLE chat_gone RENAME TO chat", f"DELETE FROM events WHERE match = '{other}' AND number = 2")
    server.end()
    server.start()
    for path in (f"/api/matches/{other}", f"/api/matches/{other}/pgn", f"/match/{other}"):
        anyone.get(f"{server.base}{path}")
    assert server.end() == 0
    log = server.log.read_text()
    assert made["match"] not in log and other not in log and made["invite"] not in log
    references = {line["event"]: line["match"] for line in lines(server) if "match" in line}
    assert references.keys() == {"fault", "match_set_aside"}
    monkeypatch.setenv("ACEDREX_DATABASE_URL", url)
    assert main(["lookup", *references.values(), "0123456789ab"]) == 1
    said = capsys.readouterr()
    assert said.out.splitlines() == [
        f"{references['fault']} match {made['match']}",
        f"{references['match_set_aside']} match {other}",
    ]
    assert "0123456789ab" in said.err


@pytest.fixture
def private(ana: Person, bo: Person) -> dict[str, Any]:
    """A match by link, in which players and spectators have chatted."""
    made = ana.match(opponent=FRIEND)
    bo.sit(made)
    white, black = ana.socket(made["match"]), bo.socket(made["match"])
    white.move("e2e4")
    black.hear("update")
    black.move("e7e5")
    assert white.do(type="chat", text="between us players")["type"] == "ack"
    spectator = Talk(ana.server, made["match"], Person(ana.server, "Zoe").token)
    assert spectator.do(type="chat", text="between us spectators")["type"] == "ack"
    return made


def told(server: Server, match: str) -> dict[str, Any]:
    """Ask for everything that tells of a match without a token."""
    asked = {
        "page": f"/match/{match}",
        "embed": f"/embed/match/{match}",
        "moves": f"/embed/match/{match}/moves",
        "picture": f"/preview.png?of=/match/{match}",
        "oembed": f"/oembed?url={server.base}/match/{match}",
        "snapshot": f"/api/matches/{match}",
        "game": f"/api/matches/{match}/game",
        "pgn": f"/api/matches/{match}/pgn",
    }
    found = {name: anyone.get(f"{server.base}{path}") for name, path in asked.items()}
    assert {answer.status_code for answer in found.values()} == {200}, found
    return found


def test_nobody_else_may_cache_what_is_told_of_a_private_match(
    server: Server, ana: Person, private: dict[str, Any]
) -> None:
    for name, answer in told(server, private["match"]).items():
        allowed = answer.headers["cache-control"].split(", ")
        assert "no-store" in allowed or "private" in allowed, name
        assert "public" not in allowed, name
        if name in ("page", "embed", "picture", "oembed", "pgn"):
            assert answer.headers["x-robots-tag"] == "noindex", name
    assert told(server, private["match"])["oembed"].json()["cache_age"] == 0
    # Nor of what may be one: nobody knows yet.
    assert "private" in anyone.get(f"{server.base}/match/nothing").headers["cache-control"]
    public = ana.match(opponent={"kind": "engine", "level": 1})["match"]
    answers = told(server, public)
    assert answers["picture"].headers["cache-control"].startswith("public")
    assert answers["page"].headers["cache-control"] == answers["embed"].headers["cache-control"] == "no-cache"
    assert "x-robots-tag" not in answers["page"].headers and answers["oembed"].json()["cache_age"] > 0


def test_previews_of_a_private_match_show_no_more_than_a_spectator_sees(
    server: Server, ana: Person, bo: Person, private: dict[str, Any]
) -> None:
    answers = told(server, private["match"])
    spectator = Talk(server, private["match"], None).snapshot
    assert spectator["players"]["white"]["name"] in answers["page"].text
    secrets = [private["invite"], ana.token, bo.token, ana.id, bo.id, "between us players"]
    for name, answer in answers.items():
        assert not [text for text in secrets if text in answer.text], name
        if name not in ("snapshot", "game"):
            assert "between us" not in answer.text, name
    assert '<meta name="robots" content="noindex">' in answers["page"].text


def test_a_challenge_by_link_shows_what_the_invited_may_know(server: Server, ana: Person) -> None:
    made = ana.match(
        "maasai", opponent=FRIEND, setup="choose", time={"kind": "fischer", "initial_ms": 60_000, "increment_ms": 0}
    )
    answers = told(server, made["match"])
    assert "Ana - ?" in answers["page"].text and "Maasai" in answers["page"].text
    for name, answer in answers.items():
        assert not [text for text in (made["invite"], ana.token, ana.id) if text in answer.text], name
