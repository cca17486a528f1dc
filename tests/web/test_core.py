"""The core in the browser: its answers have the shape of the server's, and where it is missing, the server is asked."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from acedrex import Board
from tests.web.people import ROOT, Person, Server

#: Builds an entry of the app into a folder; both are arguments.
BUILD = """
import { build } from "vite";
const [entry, outDir] = process.argv.slice(1);
await build({
  root: "web/app", configFile: "web/app/vite.config.ts", logLevel: "error", publicDir: false,
  build: { outDir, emptyOutDir: true, rollupOptions: {
    input: entry, preserveEntrySignatures: "strict", output: { entryFileNames: "entry.js" },
  } },
});
"""
#: Answers questions in a page with the core: each is a function of `answers.ts`, its arguments, and a game.
ANSWER = """async (questions) => {
  const { withCore } = await import("/entry/entry.js");
  const found = [];
  for (const [name, given, wanted] of questions) {
    const told = withCore(wanted, ({ answers }, game) => answers[name](game, ...given));
    found.push(await told.then((value) => [value], ({ code, message }) => ({ code, message })));
  }
  return found;
}"""
READ = """async (texts) => {
  const { withCore } = await import("/entry/entry.js");
  return withCore({ game: "chess" }, async ({ answers, load, readMoves }) => {
    const found = [];
    for (const text of texts) {
      const list = await readMoves(text);
      if (!list?.game) found.push(list?.errors[0] ?? "this text contains no game");
      else found.push(answers.record(await load(list.game, { options: list.options }), list));
    }
    return found;
  });
}"""
TEXTS = (
    '[Event "A"]\n[Date "????.??.??"]\n\n1. e4 {Good.} e5 $1 (1... c5 2. Nf3 (2. d4 d5) d6) 2. Ke3 Nc6 *\n\n1. d4 *',
    '[Variant "chieftain"]\n\n1. Me4,Mf4 (1. Me4,Mg4 {Shared.} $2) *',
    '[Variant "marseillais"]\n\n1. e4 e5,d5 (1... e5,c5 2. d4,c4) 2. Nf3,Nc3 *',
    "1. e4 -- 2. d4 *",
    " ",
    "1. Ke4 *",
)


@pytest.fixture
def page(person: Callable[..., Person], server: Server, tmp_path: Path) -> Any:
    """A page that can ask the core what the app asks it."""
    folder = tmp_path / "entry"
    command = ["node", "--input-type=module", "-e", BUILD, "--", "web/app/src/core/index.ts", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, timeout=120)
    page = person(service_workers="block").page
    page.route("**/entry/**", lambda route: route.fulfill(path=folder / route.request.url.split("/entry/")[1]))
    page.goto(server.url + "/about")
    return page


def questions(fen: str) -> list[tuple[str, list[Any], str, dict[str, Any]]]:
    """Questions about a position of Chieftain Chess: a function and its arguments here, a path and a body there."""
    nodes = [{"parent": -1, "move": "a4a5"}, {"parent": 0, "move": "p4p5", "comment": "a } brace", "nags": [4, 1]}]
    tree = {"fen": fen, "nodes": nodes, "comment": "The start.", "tags": {"White": "Ann", "Variant": "none"}}
    pieces = [{"square": "a1", "letter": "C", "side": "white"}]
    change = {"pieces": pieces, "turn": "black", "rights": "-"}
    return [
        ("position", [{"fen": fen}], "position", {"fen": fen}),
        ("moves", [{"fen": fen, "moves": ["a4a5", "Mp5"]}], "analysis/moves", {"fen": fen, "moves": ["a4a5", "Mp5"]}),
        ("attacks", [fen], "analysis/attacks", {"fen": fen}),
        ("edited", [{"fen": fen}], "analysis/edit", {"fen": fen}),
        ("edited", [change], "analysis/edit", change),
        ("tree", [tree], "analysis/tree", tree),
        ("pgn", [tree], "analysis/pgn", tree),
        ("reach", [fen, "a4", False, None], "reach", {"fen": fen, "square": "a4"}),
        ("reach", [fen, "a4", True, None], "reach", {"fen": fen, "square": "a4", "premove": True}),
        ("reach", [fen, "a4", False, "C"], "reach", {"fen": fen, "square": "a4", "alone": "C"}),
        ("idle", [fen, "a1"], "idle", {"fen": fen, "square": "a1"}),
    ]


def test_the_browser_answers_as_the_server_does(page: Any, server: Server) -> None:
    wanted = {"game": "chieftain"}
    asked = questions(Board("chieftain").fen())
    found = page.evaluate(ANSWER, [[name, given, wanted] for name, given, _, _ in asked])
    for (name, _, path, body), answer in zip(asked, found, strict=True):
        said = page.request.post(f"{server.url}/api/{path}", data={**wanted, **body})
        assert said.ok, said.text()
        assert answer == [said.text() if name == "pgn" else said.json()], name
    for text, answer in zip(TEXTS, page.evaluate(READ, TEXTS), strict=True):
        said = page.request.post(server.url + "/api/analysis/record", data={"pgn": text})
        assert answer == (said.json() if said.ok else said.json()["message"]), text
    # Errors have the same messages.
    start = Board("chess").fen()
    for name, path, body in (
        ("moves", "/api/analysis/moves", {"fen": start, "moves": ["e4", "Ke4"]}),
        ("moves", "/api/analysis/moves", {"fen": start, "moves": ["nonsense"]}),
        ("moves", "/api/analysis/moves", {"fen": "8/8 w - - 0 1", "moves": ["e4"]}),
        ("position", "/api/position", {"fen": start, "moves": ["e2e5"]}),
    ):
        (refused,) = page.evaluate(ANSWER, [[name, [body], {"game": "chess"}]])
        said = page.request.post(server.url + path, data={"game": "chess", **body})
        assert said.status == 400
        assert refused == {key: said.json()[key] for key in ("code", "message")}
    # What the core cannot answer is left to the server.
    unknown = [["position", [{}], {"game": "ours"}], ["reach", [start, "z9", False, None], {"game": "chess"}]]
    other = ["position", [{}], {"game": "chess", "rules_hash": "0" * 16}]
    assert page.evaluate(ANSWER, [*unknown, other]) == [[None]] * 3


def test_a_browser_without_webassembly_asks_the_server(person: Callable[..., Person]) -> None:
    """Positions, what is typed, lines: also while the core is not loaded yet."""
    me = person()
    me.page.add_init_script("delete self.WebAssembly")
    page, paths = me.page, me.asked()
    page.goto(me.server.url + "/analysis")
    page.locator("#pgn").fill("1. e4 e5 *")
    page.get_by_role("button", name="Import").click()
    page.locator(".lines li").first.wait_for()
    page.keyboard.press("End")
    me.until("document.querySelector('[data-square=\"e5\"]').getAttribute('aria-label').includes('Pawn')")
    page.locator('[data-square="a3"]').focus()
    me.type_move("Nf3")
    me.until("[...document.querySelectorAll('.tree button')].some((button) => button.textContent === 'Nf3')")
    assert {"/analysis/socket", "/position", "/analysis/moves"} <= set(paths)
    me.type_move("Ke5")
    me.says("Ke5 is not a legal move")
    me.complaints[:] = [text for text in me.complaints if "400" not in text]
