"""Every page in both themes, checked by axe-core."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from tests.conftest import TIMEOUT
from tests.web.conftest import ROOT, need
from tests.web.people import Person, Server

AXE = ROOT / "node_modules" / "axe-core" / "axe.min.js"
PAGES = [
    "front",
    "play-now",
    "engine",
    "new",
    "lobby",
    "watch",
    "mine",
    "archive",
    "settings",
    "account",
    "about",
    "learn",
    "first",
    "try",
    "daily",
    "puzzles",
    "studio",
    "tournaments",
    "studies",
    "study",
    "study-exercise",
    "missing",
]
MATCHES = ["play", "setup", "open", "join", "over", "several"]


@pytest.mark.parametrize("name", PAGES + MATCHES)
def test_pages_have_no_serious_accessibility_violations(
    person: Callable[..., Person], server: Server, name: str
) -> None:
    token = server.guest()
    me = person(None if name == "join" else token)
    page = me.go(path(server, token, name))
    if name == "try":
        page.get_by_role("button", name="Next", exact=True).click()
    page.wait_for_load_state("networkidle")
    assert serious_violations(page) == []


def test_a_screen_reader_reads_squares_and_no_stray_letters(person: Callable[..., Person], server: Server) -> None:
    token = server.guest()
    page = person(token).go(path(server, token, "play"))
    page.get_by_role("gridcell", name="a1,").wait_for()
    assert "- text:" not in page.locator(".frame").aria_snapshot()


def serious_violations(page: Any) -> list[str]:
    """Return what axe-core finds on a page in both themes, once all fading has ended."""
    need(AXE.is_file(), "axe-core is not installed: npm ci installs it")
    page.evaluate(AXE.read_text())
    found = []
    # The themes differ in colours only.
    for theme, rules in (("light", {}), ("dark", {"runOnly": ["color-contrast"]})):
        page.emulate_media(color_scheme=theme)
        # Scripts hear of a new theme with the next frame.
        page.evaluate(
            """async () => {
              await new Promise((heard) => requestAnimationFrame(() => requestAnimationFrame(heard)));
              await Promise.allSettled(
                document.getAnimations()
                  .filter((one) => one.effect.getComputedTiming().endTime !== Infinity)
                  .map((one) => one.finished)
              );
            }"""
        )
        options = {"resultTypes": ["violations"], **rules}
        found += [
            f"{theme}: {one['id']}: {one['help']}: " + "; ".join(node["html"][:200] for node in one["nodes"][:3])
            for one in page.evaluate("options => axe.run(options)", options)["violations"]
            if one["impact"] in ("serious", "critical")
        ]
    return found


def path(server: Server, token: str, name: str) -> str:
    """Create what a page shows and return its path."""
    engine = {"kind": "engine", "level": 1}
    match name:
        case "front":
            return "/"
        case "play-now":
            return "/play"
        case "engine":
            return "/engines/zaraffa"
        case "learn":
            return "/learn/maasai"
        case "first" | "try":
            return "/learn/maasai/first"
        case "archive":
            server.bring(token, "1. e4 e5 2. Nf3 1-0")
            return "/archive?whose=mine&game=chess"
        case "study" | "study-exercise":
            nodes = [{"parent": -1, "move": "e2e4", "comment": "The centre.", "nags": [1]}]
            chapter = {"title": "The start", "game": "chess", "nodes": nodes}
            exercise = {**chapter, "mode": "exercise", "comment": "Which Pawn? [%cal Re2e4]"}
            owner = token if name == "study" else server.guest("Bo")
            body = {"title": "Openings", "access": "link", "chapter": chapter if name == "study" else exercise}
            return f"/study/{server.ask('/api/studies', body, owner)['study']}"
        case "missing":
            return "/nothing"
        case "play" | "over" | "mine" | "watch":
            made = server.match(
                token, "maasai", engine, time={"kind": "fischer", "initial_ms": 600000, "increment_ms": 5000}
            )
            if name == "over":
                abort(server, token, made["match"])
            return f"/match/{made['match']}" if name in ("play", "over") else f"/{name}"
        case "setup":
            return f"/match/{server.match(token, 'maasai', engine, side='black', setup='choose')['match']}"
        case "several":
            return f"/match/{server.match(token, 'chieftain', {'kind': 'self'})['match']}"
        case "open" | "join":
            made = server.match(token, "magi", {"kind": "friend"})
            return f"/match/{made['match']}" + (f"#invite={made['invite']}" if name == "join" else "")
        case "lobby":
            server.match(token, "magi", {"kind": "lobby"})
    return f"/{name}"


def abort(server: Server, token: str, match: str) -> None:
    """Abort a match."""
    from websockets.sync.client import connect

    with connect(server.url.replace("http", "ws") + f"/api/matches/{match}/socket") as socket:
        socket.send(json.dumps({"type": "hello", "token": token, "after": None}))
        socket.send(json.dumps({"type": "abort", "id": "1"}))
        while json.loads(socket.recv(timeout=TIMEOUT)).get("phase") != "over":
            pass
