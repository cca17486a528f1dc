"""The core in the browser answers as the server does, and where it is missing, the server takes its place."""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec

import acedrex
from acedrex import Board, plain, square_name
from acedrex.server import analysis, positions, wire
from tests.server.test_analysis import RECORDS
from tests.web.conftest import need
from tests.web.people import ROOT, Person, Server

SPECS = [(name, {}) for name in acedrex.games()] + [
    ("magi", {"scoring": "four_points"}),
    ("chieftain", {"pass": "on", "bent": "on", "command_range": "1"}),
    ("marseillais", {"balanced": "on"}),
]
#: Builds an entry of the app into a folder; both are arguments.
BUILD = """
import { build } from "vite";
const [entry, outDir] = process.argv.slice(1);
await build({
  root: "web/app", configFile: "web/app/vite.config.ts", logLevel: "error", publicDir: false,
  build: {
    outDir, emptyOutDir: true,
    ...(entry && { rollupOptions: {
      input: entry, preserveEntrySignatures: "strict", output: { entryFileNames: "entry.js" },
    } }),
  },
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


def built(folder: Path, entry: str = "", **environment: str) -> Path:
    """Build the app, or an entry of it, into a folder."""
    need(shutil.which("node") is not None, "node is not installed")
    command = ["node", "--input-type=module", "-e", BUILD, "--", entry, str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, timeout=120, env={**os.environ, **environment})
    return folder


# The same answers.


def questions(spec: str, options: dict[str, str]) -> Iterator[tuple[tuple[str, list[Any], Any], Any]]:
    """Yield questions about random positions of a game, and what the server's own functions answer."""
    chance = random.Random(repr((spec, options)))
    game = acedrex.load(spec, **options)
    wanted = {"game": spec, "options": options}
    board = Board(game)
    played: list[str] = []

    def encoded(answer: Any) -> Any:
        return json.loads(msgspec.json.encode(answer))

    for _ in range(3):
        for _ in range(chance.randrange(1, 12)):
            if board.is_game_over():
                return
            move = chance.choice(board.legal_moves)
            played.append(move.uci())
            board.push(move)
        fen = board.fen()
        yield ("position", [{"moves": [*played]}], wanted), encoded(positions.after(game, None, played))
        yield ("position", [{"fen": fen}], wanted), encoded(positions.after(game, fen, []))
        legal = [] if board.is_game_over() else list(board.legal_moves)
        if legal:
            line, after = [], Board(game, fen)
            for _ in range(3):
                if after.is_game_over():
                    break
                move = chance.choice(after.legal_moves)
                line.append(chance.choice([move.uci(), after.san(move)]))
                after.push(move)
            made = analysis.make_moves(game, fen, line)
            yield ("moves", [{"fen": fen, "moves": line}], wanted), encoded(made)
        yield ("attacks", [fen], wanted), encoded(analysis.attacks(game, fen))
        yield ("edited", [{"fen": fen}], wanted), encoded(edited(game, fen=fen))
        pieces = [
            {"square": square_name(at), "letter": each.letter, "side": plain.side(each.color)}
            for at, each in board.piece_map().items()
            if chance.random() < 0.9
        ]
        change = {"pieces": pieces, "turn": chance.choice(["white", "black"]), "rights": acedrex.Board(game).rights}
        yield ("edited", [change], wanted), encoded(edited(game, **change))
        request = random_tree(chance, game, fen)
        asked = {key: value for key, value in encoded(request).items() if key not in ("game", "options")}
        yield ("tree", [asked], wanted), encoded(analysis.read_tree(game, request))
        yield ("pgn", [asked], wanted), analysis.write_pgn(game, request) + "\n"
        for at in chance.sample(sorted(board.piece_map()), 2):
            name, piece = square_name(at), board.piece_at(at)
            yield ("reach", [fen, name, False, None], wanted), plain.reaches(board, at)
            yield ("reach", [fen, name, True, None], wanted), plain.premoves(board, at)
            yield ("reach", [fen, name, False, str(piece)], wanted), plain.reaches_alone(game, piece, at)
            yield ("idle", [fen, name], wanted), {"reason": board.why_idle(at)}


def edited(game: acedrex.Game, **request: Any) -> wire.Edited:
    """Return the server's answer about an edited position."""
    return analysis.edited(game, msgspec.convert({"game": game.id, **request}, wire.EditRequest))


def random_tree(chance: random.Random, game: acedrex.Game, fen: str) -> wire.TreeRequest:
    """Return a tree of random moves with comments and NAGs, in depth-first order."""
    nodes: list[wire.TreeNode] = []

    def grow(board: Board, parent: int, depth: int) -> None:
        legal = list(board.legal_moves)
        if depth == 0 or board.is_game_over():
            return
        for move in chance.sample(legal, min(len(legal), chance.choice([1, 1, 2]))):
            comment, nags = chance.choice(["", "A } comment.", "Two\nlines"]), chance.choice([[], [1], [14, 4]])
            nodes.append(wire.TreeNode(parent=parent, move=move.uci(), comment=comment, nags=nags))
            after = board.copy()
            after.push(move)
            grow(after, len(nodes) - 1, depth - 1)

    grow(Board(game, fen), -1, 5)
    tags = {"White": "Ann", "Result": "1-0", "Variant": "none"}
    return wire.TreeRequest(game=game.id, fen=fen, nodes=nodes, comment="The start.", tags=tags)


#: Texts to read as trees: with errors, with variations that share the start of a turn, and without a game.
TEXTS = (
    *RECORDS.values(),
    '[Event "A"]\n[Date "????.??.??"]\n\n1. e4 {Good.} e5 $1 (1... c5 2. Nf3 (2. d4 d5) d6) 2. Ke3 Nc6 *\n\n1. d4 *',
    '[Variant "chieftain"]\n\n1. Me4,Mf4 (1. Me4,Mg4 {Shared.} $2) *',
    '[Variant "marseillais"]\n\n1. e4 e5,d5 (1... e5,c5 2. d4,c4) 2. Nf3,Nc3 *',
    " ",
    "1. Ke4 *",
)
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


def test_the_browser_answers_as_the_server_does(
    core: None, person: Callable[..., Person], server: Server, tmp_path: Path
) -> None:
    folder = built(tmp_path / "entry", "web/app/src/core/index.ts")
    page = person(service_workers="block").page
    page.route("**/entry/**", lambda route: route.fulfill(path=folder / route.request.url.split("/entry/")[1]))
    page.goto(server.url + "/about")
    for spec, options in SPECS:
        pairs = list(questions(spec, options))
        found = page.evaluate(ANSWER, [question for question, _ in pairs])
        for (question, wanted), answer in zip(pairs, found, strict=True):
            assert answer == [wanted], question
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


# Without the core.


NO_WEBASSEMBLY = "delete self.WebAssembly"


def lines_of_the_server(me: Person) -> list[str]:
    """Open a PGN, wait for the lines that the server sends, and return what the page asks of it."""
    page, paths = me.page, me.asked()
    page.goto(me.server.url + "/analysis")
    page.locator("#pgn").fill("1. e4 e5 *")
    page.get_by_role("button", name="Import").click()
    page.locator(".lines li").first.wait_for()
    assert "/analysis/socket" in paths
    return paths


def served(me: Person) -> None:
    """Analyse with the server: positions, what is typed, lines."""
    paths = lines_of_the_server(me)
    page = me.page
    page.keyboard.press("End")
    me.until("document.querySelector('[data-square=\"e5\"]').getAttribute('aria-label').includes('Pawn')")
    page.locator('[data-square="a3"]').focus()
    me.type_move("Nf3")
    me.until("[...document.querySelectorAll('.tree button')].some((button) => button.textContent === 'Nf3')")
    assert {"/position", "/analysis/moves"} <= set(paths)
    me.type_move("Ke5")
    me.says("Ke5 is not a legal move")


def test_a_browser_without_webassembly_asks_the_server(person: Callable[..., Person]) -> None:
    me = person()
    me.page.add_init_script(NO_WEBASSEMBLY)
    served(me)
    me.complaints[:] = [text for text in me.complaints if "400" not in text]


def test_a_build_without_the_core_asks_the_server(person: Callable[..., Person], tmp_path: Path) -> None:
    folder = built(tmp_path / "static", ACEDREX_WITHOUT_CORE="1")
    names = {path.name for path in (folder / "assets").iterdir()}
    assert not [name for name in names if name.endswith((".wasm", ".net")) or name.startswith("worker-")]
    me = person(service_workers="block")

    def file(route: Any) -> None:
        name = route.request.url.rsplit("/", 1)[1]
        if name in names:
            route.fulfill(path=folder / "assets" / name)
        elif route.request.resource_type == "document":
            route.fulfill(response=route.fetch(), body=(folder / "index.html").read_text())
        else:
            route.fallback()

    me.page.route("**/*", file)
    served(me)
    me.complaints[:] = [text for text in me.complaints if "400" not in text]


def test_make_reports_that_the_core_could_not_be_built(tmp_path: Path) -> None:
    need(shutil.which("make") is not None, "make is not installed")
    shutil.copy(ROOT / "Makefile", tmp_path)
    for name in ("tools/build_core", "tools/bindgen/Cargo.lock", "tools/bindgen/src/main.rs", ".cargo/config.toml"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    for name in ("Cargo.toml", "Cargo.lock", "pyproject.toml"):
        (tmp_path / name).write_text('version = "0"\n')
    for name in ("crates", "games", "web/core/compiled"):
        (tmp_path / name).mkdir(parents=True, exist_ok=True)
    (tmp_path / "tools" / "build_core").write_text("#!/bin/sh\nexit 1\n")
    (tmp_path / "tools" / "build_core").chmod(0o755)
    command = ["make", "web/core/.tried"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    assert "built without the core in the browser, and asks the server instead" in done.stdout
    assert not (tmp_path / "web" / "core" / "compiled").exists()
