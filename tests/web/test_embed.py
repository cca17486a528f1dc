"""Pages that other sites show in frames."""

from __future__ import annotations

import base64
import json
import re
import zlib
from collections.abc import Callable
from typing import Any

from playwright.sync_api import expect
from websockets.sync.client import connect

from acedrex import lessons
from tests.web.people import Server
from tests.web.sites import Visit


def framed(one: Visit, path: str) -> Any:
    """Show a page of the server in a frame, and return the frame once its board is drawn."""
    page = one.open(f'<iframe src="{one.server.url}{path}" width="480" height="640"></iframe>')
    frame = page.frame_locator("iframe")
    frame.locator("acedrex-board .piece").first.wait_for()
    return frame


def test_a_framed_page_cannot_act_as_the_visitor(visit: Callable[..., Visit], server: Server) -> None:
    """A player visits a blog that shows their match in a frame: no token can be read, and none is sent."""
    one = visit()
    token = server.guest("Ann")
    match = server.match(token, "chess", {"kind": "self"})["match"]
    one.page.goto(server.url + "/about")
    who = json.dumps({"token": token, "name": ""})
    one.page.evaluate("who => localStorage.setItem('acedrex.identity', who)", who)
    # That page makes no more requests.
    one.page.goto("about:blank")
    one.asked.clear()
    framed(one, f"/embed/match/{match}")
    inside = one.page.frames[1]
    assert inside.evaluate("self.origin") == "null"
    for store in ("localStorage", "sessionStorage", "document.cookie"):
        read = f"(() => {{ try {{ return String({store}) }} catch (error) {{ return error.name }} }})()"
        assert inside.evaluate(read) == "SecurityError"
    # The browser refuses even requests that anyone may make.
    asked = "fetch('/api/matches').then(() => 'answered', (error) => error.name)"
    assert inside.evaluate(asked) == "TypeError"
    one.complaints.clear()
    assert all("authorization" not in request.all_headers() for request in one.asked)
    assert all("cookie" not in request.all_headers() for request in one.asked)


def test_a_match_in_a_frame_is_updated(visit: Callable[..., Visit], server: Server) -> None:
    one = visit()
    token = server.guest("Ann")
    match = server.match(token, "chess", {"kind": "self"})["match"]
    url = server.url.replace("http", "ws") + f"/api/matches/{match}/socket"
    with connect(url) as line:

        def make(move: str, id: str) -> None:
            state = server.ask(f"/api/matches/{match}", token=token)
            line.send(json.dumps({"type": "move", "move": move, "number": state["number"], "id": id}))

        line.send(json.dumps({"type": "hello", "token": token, "after": None}))
        make("e2e4", "1")
        while not server.ask(f"/api/matches/{match}")["moves"]:
            one.page.wait_for_timeout(50)
        frame = framed(one, f"/embed/match/{match}")
        frame.locator("acedrex-board .said", has_text="1. e4 (1 of 1)").wait_for()
        make("e7e5", "2")
        frame.locator("acedrex-board .said", has_text="1... e5 (2 of 2)").wait_for()
    expect(frame.get_by_role("link")).to_contain_text("Ann")


def test_a_puzzle_can_be_solved_in_a_frame(visit: Callable[..., Visit]) -> None:
    puzzle = next(one for one in lessons.puzzles("magi") if len(one.line) == 1 or len(one.line) == 3)
    number = lessons.puzzles("magi").index(puzzle) + 1
    one = visit()
    frame = framed(one, f"/embed/puzzles/magi/{number}")
    frame.locator("acedrex-board .said", has_text="to move").wait_for()

    def make(move: str) -> None:
        start, end = re.findall(r"[a-p]\d+", move)
        for square in (start, end):
            frame.locator(f'[data-square="{square}"]').evaluate("cell => cell.click()")

    for at, move in enumerate(puzzle.line[::2]):
        make(move)
        verdict = "Solved." if at == len(puzzle.line) // 2 else "Right."
        frame.locator(".told", has_text=verdict).wait_for()
        frame.locator("acedrex-board .said", has_text=f"({min(2 * at + 2, len(puzzle.line))} of").wait_for()


def test_a_diagram_in_a_frame_is_interactive(visit: Callable[..., Visit]) -> None:
    one = visit()
    frame = framed(one, "/embed/learn/metamachy?piece=L")
    frame.locator(".said", has_text="Can reach 24 squares").wait_for()
    frame.locator('[data-square="a1"]').evaluate("cell => cell.click()")
    frame.locator(".said", has_text="Can reach 8 squares").wait_for()


def test_an_analysis_can_be_stepped_through_in_a_frame(visit: Callable[..., Visit]) -> None:
    shared = {
        "v": 1,
        "game": "magi",
        "options": {"classic_ep": "on"},
        "fen": "rnbaqkwbnr/pppppppppp/d2p2p2d/10/10/10/10/D2P2P2D/PPPPPPPPPP/RNBAQKWBNR w KQkqDGdg - 0 1",
        "comment": "The start",
        "tags": {},
        "nodes": [["f2f5", -1, "Three squares <b>"], "f9f6", ["f2f4", -1, ""]],
        "at": 0,
        "orientation": "black",
        "job": None,
    }
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    packed = packer.compress(json.dumps(shared).encode()) + packer.flush()
    one = visit()
    frame = framed(one, f"/embed/analysis#a={base64.urlsafe_b64encode(packed).decode().rstrip('=')}")
    frame.locator(".told", has_text="Three squares <b>").wait_for()
    frame.get_by_role("button", name="Next move").click()
    frame.locator("acedrex-board .said", has_text="1... f6 (2 of 2)").wait_for()
    expect(frame.get_by_role("link")).to_have_attribute("href", re.compile("#a="))
