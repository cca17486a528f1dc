"""The npm package, installed into an empty project: the core in Node and in Chromium, compared with Python's."""

from __future__ import annotations

import functools
import http.server
import json
import os
import random
import re
import shutil
import subprocess
import threading
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

import acedrex
from acedrex import WHITE, PovScore, Score, _native, pgn
from acedrex.plain import move_path, names, position, reaches
from tests.records import assert_same, read
from tests.samples import sample
from tests.test_cases import FOLDER
from tests.test_pgn_hostile import HOSTILE
from tests.test_pgn_wild import WILD
from web.board.demo.browser import middle

pytestmark = pytest.mark.slow
ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "dist" / f"acedrex-{acedrex.__version__}.tgz"
DATA = ROOT / "tests" / "data"
SCRIPTS = ROOT / "tests" / "javascript"

#: Runs a check of `checks.mjs` with data and returns what it returns.
Run = Callable[[str, object], Any]


@pytest.fixture(scope="module")
def project(witness: Callable[[str], str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty project into which the package has been installed, and the scripts of these tests."""
    witness("node")
    if not PACKAGE.exists():
        pytest.skip("the npm package is missing; `make npm` makes it")
    folder = tmp_path_factory.mktemp("project")
    (folder / "package.json").write_text('{"private": true, "type": "module"}')
    command = ["npm", "install", "--offline", "--no-audit", "--no-fund", "--ignore-scripts", "--silent", str(PACKAGE)]
    subprocess.run(command, cwd=folder, check=True, timeout=120)
    for script in SCRIPTS.iterdir():
        shutil.copy(script, folder)
    return folder


class Server(http.server.SimpleHTTPRequestHandler):
    """Serves a folder with a strict policy: only its own scripts, and WebAssembly."""

    extensions_map = http.server.SimpleHTTPRequestHandler.extensions_map | {".mjs": "text/javascript"}

    def end_headers(self) -> None:
        """Send the policy with every file."""
        policy = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'"
        self.send_header("Content-Security-Policy", policy)
        super().end_headers()

    def log_message(self, format: str, *_: object) -> None:
        """Say nothing."""


@pytest.fixture(scope="module")
def site(project: Path) -> Iterator[str]:
    """The address of a site whose files are the project."""
    (project / "index.html").write_text("<!doctype html><title>Acedrex</title>")
    (project / "favicon.ico").touch()
    handler = functools.partial(Server, directory=str(project))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()


@pytest.fixture
def page(browser: Browser, site: str) -> Iterator[Page]:
    page = browser.new_page(viewport={"width": 1000, "height": 800})
    errors: list[object] = []
    page.on("pageerror", lambda error: errors.append(error))
    page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
    page.goto(f"{site}/index.html")
    yield page
    page.close()
    assert errors == []


@pytest.fixture
def in_node(project: Path) -> Run:
    def run(name: str, data: object = None) -> Any:
        command = ["node", "run.mjs", name]
        sent = json.dumps(data)
        done = subprocess.run(
            command, cwd=project, input=sent, capture_output=True, text=True, timeout=300, check=False
        )
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    return run


@pytest.fixture
def in_browser(page: Page) -> Run:
    script = """async ([name, data]) => {
        const acedrex = await import("/node_modules/acedrex/core/src/browser.js");
        return (await import("/checks.mjs"))[name](acedrex, data);
    }"""
    return lambda name, data=None: page.evaluate(script, [name, data])


NODE = pytest.param("in_node")
BROWSER = pytest.param("in_browser", marks=pytest.mark.browser)


@pytest.fixture(params=[NODE, BROWSER])
def run(request: pytest.FixtureRequest) -> Run:
    """Runs a check in Node, and in Chromium."""
    found: Run = request.getfixturevalue(request.param)
    return found


def usually(one: Any) -> pytest.MarkDecorator:
    """Run what takes many seconds in one of the two only, except in the nightly: both have the same core."""
    return pytest.mark.parametrize("run", sample([one], [NODE, BROWSER]), indirect=True)


def load_json(*parts: str) -> list[Any]:
    return [json.loads(path.read_text()) for folder in parts for path in sorted((DATA / folder).glob("*.json"))]


@usually(NODE)
def test_every_stored_vector_of_moves_checks_and_perft_holds(run: Run) -> None:
    done = run("positionsMatchVectors", load_json("vectors", "random", "perft"))
    assert done["wrong"] == []
    assert done["checked"] > 5000


@usually(NODE)
def test_every_case_in_the_data_files_holds(run: Run) -> None:
    files = [json.loads(path.read_text()) for path in sorted(FOLDER.glob("*.json"))]
    done = run("boardsMatchCases", [case for file in files for case in file["cases"]])
    assert done["wrong"] == []
    assert done["checked"] > 1000


@usually(BROWSER)
def test_the_engine_searches_the_same_nodes_as_in_python(run: Run) -> None:
    assert run("signature", None) == _native.bench(None)


def games() -> Iterator[tuple[str, acedrex.Board]]:
    """Boards after random moves, of every game that ships."""
    chosen = random.Random(4)
    for game in acedrex.games():
        for moves in (0, 1, 7, 40):
            board = acedrex.Board(game)
            for _ in range(moves):
                if board.is_game_over():
                    break
                board.push(chosen.choice(list(board.legal_moves)))
            yield game, board


def test_boards_agree_with_those_in_python(in_node: Run) -> None:
    wanted = list(games())
    asked = [{"game": game, "moves": [move.uci() for move in board.move_stack]} for game, board in wanted]
    found = in_node("describeBoards", asked)
    for (_, board), other in zip(wanted, found, strict=True):
        last: list[str] = []
        if board.move_stack:
            before = board.copy()
            last = move_path(before, before.pop())
        captured = {move.uci(): board.move_info(move).captured for move in board.legal_moves}
        edited = board.copy()
        first, second = list(edited.piece_map().items())[:2]
        edited.set_piece_at(first[0], None)
        edited.set_piece_at(second[0], acedrex.Piece(second[1].letter, acedrex.BLACK))
        edited.turn = not edited.turn
        edited.rights = "-"
        sides = (acedrex.WHITE, acedrex.BLACK)
        expected = {
            "limits": board.game.draw_limits,
            "rights": board.rights,
            "attackers": [sum(len(board.attackers(side, at)) for at in board.piece_map()) for side in sides],
            "edited": [edited.fen(), acedrex.Board.empty(board.game).fen(), 0],
            "fen": board.fen(),
            "key": str(board.key),
            "position": position(board, last, legal=True),
            "reach": {names([at])[0]: reaches(board, at) for at in board.piece_map()},
            "captured": {
                move: piece and {"letter": piece.letter, "side": "white" if piece.color else "black"}
                for move, piece in captured.items()
            },
            "san": board.variation_san(list(board.legal_moves)[:1]),
            "lan": [board.lan(move) for move in board.legal_moves],
            "repetitions": board.repetitions(),
            "left": board.moves_left,
        }
        assert other == expected


def test_untrusted_pgn_is_read_in_a_worker(run: Run) -> None:
    text = '[White "Ana"]\n\n1. e4 {A start.} e5 (1... c5 $6) 2. Ke3 *\n\n1. d4 *'
    told = run("listMoves", [text, '[Variant "none"]\n\n1. e4 *', " "])
    first, unknown, nothing = told["found"]
    moves = [(one["parent"], one["san"], one["comment"], one["nags"]) for one in first["moves"]]
    assert moves == [(-1, "e4", "A start.", []), (0, "e5", "", []), (0, "c5", "", [6])]
    assert (first["game"], first["headers"]["White"], first["more"]) == ("chess", "Ana", True)
    board = acedrex.Board("chess")
    for move in ("e4", "c5"):
        board.push_san(move)
    assert first["moves"][2]["fen"] == board.fen()
    assert [error.split(":")[0] for error in first["errors"]] == ["line 3, column 37"]
    assert unknown["game"] is None and unknown["moves"] == [] and "no game 'none'" in unknown["errors"][0]
    assert nothing is None
    assert told["few"][-1] == "the PGN has more than 1 moves; the rest was skipped"
    assert "took longer" in told["refused"][0] and "expected a text" in told["refused"][1]


def annotated(board: acedrex.Board, chosen: random.Random) -> pgn.Game:
    """Make a record of a board's moves with comments, glyphs and variations."""
    game = pgn.Game.from_board(board)
    game.headers["White"] = 'Ana "the \\Lion"'
    game.headers["Annotator"] = "Ünal"
    if chosen.random() < 0.5:
        game.comment = "Before\nthe first turn: a } in it"
    for node in list(game.mainline()):
        if chosen.random() < 0.3:
            node.comment = chosen.choice(["Good.", "Two\nlines", "a } brace", "long " * 40]).strip()
        if chosen.random() < 0.2:
            node.nags.add(chosen.choice([1, 2, 3, 4, 5, 6, 13, 146]))
        before = node.parent.board() if node.parent else None
        if before is not None and chosen.random() < 0.2 and not before.turn_moves:
            side, turn = before.turn, []
            while before.turn == side and not before.is_game_over():
                move = chosen.choice(list(before.legal_moves))
                before.push(move)
                turn.append(move)
            if tuple(turn) not in {tuple(child.moves) for child in node.parent.variations}:
                variation = node.parent.add_variation(turn)
                variation.starting_comment = chosen.choice(["", "Or this:"])
                variation.comment = chosen.choice(["", "worse"])
    return game


def tree(node: pgn.GameNode) -> list[dict[str, Any]]:
    return [
        {
            "moves": [move.uci() for move in child.moves],
            "san": child.san(),
            "unfinished": child.unfinished,
            "comment": child.comment,
            "starting": child.starting_comment,
            "nags": sorted(child.nags),
            "variations": tree(child),
        }
        for child in node.variations
    ]


def test_pgn_is_read_and_written_as_in_python(in_node: Run) -> None:
    chosen = random.Random(7)
    wanted = [annotated(board, chosen) for _, board in games() if not board.is_game_over() or board.move_stack]
    found = in_node("rewriteRecords", [game.export() for game in wanted])
    for game, other in zip(wanted, found, strict=True):
        assert other["errors"] == 0
        assert other["variations"] == tree(game)
        assert other["comment"] == game.comment
        assert other["end"] == game.end().board().fen()
        assert_same(game, read(other["written"]))


def test_annotations_are_read_and_written_as_in_python(in_node: Run) -> None:
    comments = [
        "",
        "Good.",
        "[%clk 0:05:00] [%eval 0.35,20]",
        "a [%eval #-4]  b [%clk 5:00]",
        "[%eval #0] [%clk 1:02:03.25]",
    ]
    found = in_node("annotateComments", comments)
    for comment, other in zip(comments, found, strict=True):
        node = pgn.Game().add_variation("e4", comment=comment)
        score = node.eval()
        white = score and score.white()
        assert other["clock"] == node.clock()
        assert other["evaluation"] == (white and {"cp": white.cp, "mate": white.mate, "depth": node.eval_depth()})
        for seconds, written in zip((298.5, None), other["timed"], strict=True):
            node.comment = comment
            node.set_clock(seconds)
            assert written == node.comment
        wanted = ((Score(cp=-25), 12), (Score(mate=-3), None), (None, None))
        for (score, depth), written in zip(wanted, other["evaluated"], strict=True):
            node.comment = comment
            node.set_eval(score and PovScore(score, WHITE), depth)
            assert written == node.comment


def test_long_pgn_is_read_quickly(project: Path) -> None:
    """A long game, and one with many variations: no turn copies the moves before it."""
    script = """
        import { Board, load, PgnGame, readPgn } from "acedrex";
        const board = new Board(await load("maasai"));
        for (let ply = 0; ply < 1200 && !board.isGameOver(); ply++) {
          const legal = board.legalMoves;
          board.push(legal[(ply * 7919) % legal.length]);
        }
        const begun = performance.now();
        const [game] = await readPgn(String(PgnGame.fromBoard(board)));
        const [many] = await readPgn("1. e4 " + "(d4) ".repeat(3000));
        const [one, none] = await readPgn("1. e4 *\\n\\n".repeat(9), { most: 1 });
        const found = [game.end().fen() === board.fen(), game.errors, many.variations.length, one.errors, none ?? null];
        console.log(JSON.stringify([performance.now() - begun, ...found]));
    """
    command = ["node", "--input-type=module", "-e", script]
    done = subprocess.run(command, cwd=project, capture_output=True, text=True, timeout=120, check=True)
    taken, *found = json.loads(done.stdout)
    assert found == [True, [], 3001, [], None]
    assert taken < 5000


def test_faults_in_pgn_are_counted_and_the_rest_is_read(in_node: Run) -> None:
    texts = [
        '1. e4 e5 2. Qz9 Nf6 (2. Nf3) *\n\n[Event "?"]\n1. d4 $300 (1. zz (1. c4)) d5 ) 1/2-1/2',
        '[Variant "no such game"]\n\n1. e4 *',
        '[Variant "chess"]\n[FEN "no fen"]\n\n1. e4 *',
        '[RulesHash "0000000000000000"]\n\n1. e4 { never ends',
        '[Variant "Magi"]\n[Options "scoring=four_points"]\n\n1... *',
    ]
    first, second, *others = in_node("rewriteRecords", texts)
    assert [turn["san"] for turn in first["variations"]] == ["e4"]
    assert [turn["san"] for turn in first["variations"][0]["variations"]] == ["e5"]
    assert first["errors"] == 1
    assert [turn["san"] for turn in second["variations"]] == ["d4"]
    assert (second["errors"], second["headers"]["Result"]) == (3, "1/2-1/2")
    assert [other["errors"] for other in others] == [1, 1, 2, 0]


def test_pgn_as_it_is_found_is_read_as_in_python(in_node: Run) -> None:
    """The same games, tags and errors as in tests/test_pgn_wild.py."""
    found = in_node("rewriteRecords", [case["text"] for case in WILD])
    expected = [game for case in WILD for game in case["games"]]
    for game, wanted in zip(found, expected, strict=True):
        line, variations = [], game["variations"]
        while variations:
            line.append(variations[0]["san"])
            variations = variations[0]["variations"]
        assert (" ".join(line), game["errors"]) == (wanted["moves"], wanted["errors"])
        tags = {"Result": wanted["result"], **wanted.get("tags", {})}
        assert {name: game["headers"][name] for name in tags} == tags


def test_hostile_text_does_not_break_the_package(run: Run) -> None:
    texts = {name: text if isinstance(text, str) else text.decode("latin-1") for name, text in HOSTILE.items()}
    done = run("hostileValuesThrowKnownErrors", {name: text[:20_000] for name, text in texts.items()})
    assert done["wrong"] == []
    assert done["called"] > 3000


def test_random_input_does_not_break_the_package(project: Path) -> None:
    """A few hundred rounds; `make fuzz` runs them for a minute."""
    script = """
        import * as acedrex from "acedrex";
        import { fuzz } from "./fuzz.mjs";
        const definitions = JSON.parse(await new Response(process.stdin).text());
        console.log(JSON.stringify(await fuzz(acedrex, { definitions, seed: 7, rounds: 600 })));
        process.exit();
    """
    definitions = [path.read_text() for path in sorted((ROOT / "games").glob("*.toml"))]
    command = ["node", "--input-type=module", "-e", script]
    done = subprocess.run(
        command, cwd=project, input=json.dumps(definitions), capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == {"rounds": 600, "wrong": []}


def test_the_engine_plays_analyses_and_stops(run: Run) -> None:
    found = run("tryEngine", None)
    assert found["repeated"][0] == found["repeated"][1]
    assert found["repeated"][0][2] == 3000
    assert [line[:2] for line in found["lines"]] == [[1, 4], [2, 4], [3, 4]]
    assert found["root"] == "a4a5"
    assert 290 < found["timed"] < 3000
    assert len(found["stopped"]) == 1
    assert 190 < found["stoppedAfter"] < 3000
    assert found["first"] < 3000
    assert found["streamed"] == 1
    stopped = "the search was stopped before it found a move"
    assert found["waiting"] in (["played", stopped], [stopped, stopped])
    assert found["mate"] == {"cp": None, "mate": -1, "wdl": [0, 0, 1000]}
    assert found["over"] == [{"move": None, "moves": [], "ponder": [], "info": None}, []]
    assert found["levels"][0] == found["levels"][1]
    assert len(set(found["levels"])) > 1
    assert found["turned"] == "black"
    assert found["closed"] == "the engine is closed; create another one"
    assert found["alien"][0].startswith("expected a file that begins with")
    assert found["alien"][1] == 1


def test_untrusted_definitions_are_compiled_refused_or_stopped(run: Run) -> None:
    good = (ROOT / "games" / "knightmate.toml").read_text()
    good = good.replace('id = "knightmate"', 'id = "mine"')
    bad = good.replace('"mine"', '"mine"\nfiles = "<img src=x>"')
    found = run("loadDefinitions", {"good": good, "bad": bad, "slow": (ROOT / "games" / "maasai.toml").read_text()})
    assert found["id"] == "mine"
    assert found["perft"] == acedrex.Board("knightmate").perft(3)
    with pytest.raises(acedrex.DefinitionError) as error:
        acedrex.Game(bad, "bad.toml")
    assert found["bad"]["name"] == "DefinitionError"
    assert found["bad"]["message"] == str(error.value)
    assert found["bad"]["faults"][0]["line"] == error.value.faults[0].line
    assert found["checked"] == found["bad"]["faults"]
    assert "took longer than 0.001 seconds" in found["slow"]


def test_a_definition_can_be_checked_and_played_inside_a_worker(run: Run) -> None:
    good = '[game]\nid = "mine"\nextends = "chess"\n[pieces.N]\nmove = "NN"\n'
    bad = good.replace('"NN"', '"NX"')
    found = run("tryRemote", {"good": good, "bad": bad, "slow": (ROOT / "games" / "maasai.toml").read_text()})
    game = acedrex.Game(good, "mine.toml")
    assert (found["faults"], found["board"], found["knight"]) == ([], "8x8", "N")
    assert found["letters"] == [piece.letter for piece in game.pieces]
    assert found["values"]["Q"] > found["values"]["N"] > found["values"]["P"] > 0
    assert found["bad"] == {"same": True, "game": None}
    board = acedrex.Board(game)
    for move in ("e2e4", "e7e5"):
        board.push_uci(move)
    legal = len(list(board.legal_moves))
    assert found["position"] == {"fen": board.fen(), "legal": legal, "san": "e5", "outcome": None}
    reached = acedrex.Board(game).reach(acedrex.parse_square("b1"))
    assert found["reach"] == sorted(acedrex.square_name(one.to) for one in reached)
    assert found["turn"] == 1 and len(found["games"]) == 2 and all(turns > 1 for turns, _ in found["games"])
    setup = acedrex.Board("metamachy", setup=acedrex.load("metamachy").setups[4])
    setup.push_uci("a3a4")
    assert found["setup"] == setup.fen() and found["started"] == 2
    assert found["zeroth"] == [f"setup: expected a whole number from 1 to {2**53 - 1}, not 0"] * 2
    assert found["illegal"] == "IllegalMoveError"
    assert found["stopped"] == ["stopped", 0]
    assert "closed" in found["closed"] and "took longer than 0.001 seconds" in found["slow"]


def test_a_panic_in_the_core_becomes_an_error(project: Path) -> None:
    """The package never calls the core like this: it searches a board of another game."""
    script = """
        import { load, Board } from "acedrex";
        import * as core from "./node_modules/acedrex/core/compiled/core.js";
        import { guard } from "./node_modules/acedrex/core/src/errors.js";
        const [chess, maasai] = [await load("chess"), await load("maasai")];
        const engine = new core.Engine(chess.core, 1);
        const board = new core.Board(maasai.core, undefined, false);
        const search = () => guard(() => engine.search(board, { depth: 5 }, 1, [], () => {}));
        for (const action of [search, search, () => new Board(chess)]) {
          try {
            action();
            console.log("no error");
          } catch (error) {
            console.log(error.name, error.message.replaceAll("\\n", " "));
          }
        }
    """
    command = ["node", "--input-type=module", "-e", script]
    done = subprocess.run(command, cwd=project, capture_output=True, text=True, timeout=60, check=False)
    lines = done.stdout.splitlines()
    assert re.match(r"AcedrexError the core has failed: panicked at \S*/engine/src/", lines[0]), done.stderr
    assert all("must be loaded anew" in line for line in lines[1:])
    assert len(lines) == 3


def test_the_package_has_strict_types(project: Path) -> None:
    """The types are checked as an editor would, in a project with strict settings."""
    (project / "typed.ts").write_text("""
        import { Board, Engine, type Info, load, type Outcome, PgnGame } from "acedrex";
        import { createBoard, type LegalMove } from "acedrex/board";
        const board: Board = new Board(await load("maasai", { options: { x: true } }), { setup: 250 });
        const nodes: number = board.perft(2);
        const outcome: Outcome | null = board.outcome();
        const lines: Info[] = await new Engine({ level: 3 }).analyse(board, { time: 1 }, { multipv: 2 });
        const pieceTypes = [...board.game.pieces];
        const shown = createBoard(document.body, { position: board.position(), pieceTypes });
        const legal: LegalMove[] = board.position().legal;
        // @ts-expect-error: a depth is a number.
        board.perft("2");
        // @ts-expect-error: no such limit.
        await new Engine().play(board, { seconds: 1 });
        export { nodes, outcome, lines, shown, legal, PgnGame };
    """)
    options = ["--noEmit", "--strict", "--target", "es2022", "--module", "nodenext", "--lib", "es2023,dom"]
    command = [str(ROOT / "node_modules" / ".bin" / "tsc"), *options, "typed.ts", "--ignoreConfig"]
    done = subprocess.run(command, cwd=project, capture_output=True, text=True, timeout=120, check=False)
    assert done.stdout == ""
    assert done.returncode == 0


def test_all_packages_have_the_same_version() -> None:
    package = json.loads((ROOT / "web" / "core" / "package.json").read_text())
    crate = tomllib.loads((ROOT / "crates" / "wasm" / "Cargo.toml").read_text())["package"]
    assert package["version"] == crate["version"] == acedrex.__version__


def test_the_documented_page_shows_a_playable_board(page: Page, site: str, project: Path) -> None:
    """The page of the documentation, but with its script in a file, since this site's policy forbids inline scripts."""
    text = (ROOT / "docs" / "javascript.md").read_text()
    (markup,) = re.findall(r"```html\n(.*?)```", text, re.DOTALL)
    head, script = re.fullmatch(r'(.*)<script type="module">(.*)</script>\n', markup, re.DOTALL).groups()
    (project / "board.js").write_text(script)
    (project / "board.html").write_text(f'{head}<script type="module" src="board.js"></script>')
    page.goto(f"{site}/board.html")
    page.wait_for_selector('[data-square="e4"]')
    for start, end in (("e4", "e6"), ("e9", "e7"), ("f4", "f5")):
        page.mouse.click(*middle(page, start))
        page.mouse.click(*middle(page, end))
        expect(page.locator(f'[data-square="{end}"]')).to_have_attribute("aria-label", re.compile("Pawn"))
    if folder := os.environ.get("ACEDREX_PICTURES"):
        page.screenshot(path=Path(folder) / "javascript-board.png")


def test_the_element_needs_only_the_files_of_the_package(page: Page, site: str, project: Path) -> None:
    """A page needs only the folder in the package: this site's policy allows only its own files."""
    shutil.copytree(project / "node_modules" / "acedrex" / "element", project / "boards", dirs_exist_ok=True)
    script = '<script type="module" src="boards/acedrex.js"></script>'
    (project / "element.html").write_text(f"{script}<acedrex-board game='shako' engine='2'></acedrex-board>")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{site}/element.html")
    said = page.locator("acedrex-board .said")
    expect(said).to_have_text("White to move", timeout=15_000)
    for square in ("e3", "e5"):
        box = page.locator(f'acedrex-board [data-square="{square}"]').bounding_box()
        assert box
        page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(said).to_have_text(re.compile(r"\(2 of 2\) · White to move"), timeout=15_000)
    assert all(url.startswith((f"{site}/element.html", f"{site}/boards/")) for url in asked)
