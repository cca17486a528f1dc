"""UCI: conversations with the engine in a separate process."""

from __future__ import annotations

import io
import json
import os
import random
import re
import resource
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from acedrex import BLACK, Board, Engine, Limit, Move, _native, games
from acedrex.engine.strength import ELO
from acedrex.protocol.catalogue import Catalogue
from acedrex.protocol.conversation import LONGEST, read_lines
from acedrex.uci import Session
from acedrex.uci.words import read_go, turn_words

ROOT = Path(__file__).parents[1]
BESTMOVE = r"bestmove (\S+)(?: ponder (\S+))?"
Begin = Callable[..., Any]


def bestmove(lines: list[str]) -> str:
    found = re.fullmatch(BESTMOVE, lines[-1])
    assert found
    return found[1]


def best(uci: Any, go: str) -> str:
    return bestmove(uci.ask(go, BESTMOVE))


def numbers(line: str) -> dict[str, int]:
    return {key: int(value) for key, value in re.findall(r"(\w+) (-?\d+)", line)}


@pytest.fixture
def uci(talk: Begin) -> Any:
    return talk("uci")


# The beginning and the end.


def test_the_engine_introduces_itself(uci: Any) -> None:
    lines = uci.ask("uci", "uciok")
    assert lines[0].startswith("id name Acedrex ")
    options = dict(re.fullmatch(r"option name (.+?) type (.+)", line).groups() for line in lines if "option" in line)
    assert set(options) == {
        *("UCI_Variant", "Threads", "Hash", "Clear Hash", "EvalFile", "MultiPV", "Ponder"),
        *("Move Overhead", "Skill Level"),
        *("UCI_LimitStrength", "UCI_Elo", "UCI_AnalyseMode", "UCI_ShowWDL"),
    }
    default, *names = options["UCI_Variant"].split(" var ")
    assert default == "combo default chess"
    assert names == games()
    assert options["UCI_Elo"].endswith(f"min {min(ELO.values())} max {max(ELO.values())}")
    assert uci.ask("isready", "readyok") == ["readyok"]


@pytest.mark.parametrize("before", ["", "go infinite", "go ponder wtime 1000", "go perft 20"])
def test_the_engine_quits_on_command_and_at_the_end_of_input(before: str, talk: Begin) -> None:
    for end in ("quit", None):
        uci = talk("uci")
        uci.say(*filter(None, ["position startpos", before, end]))
        assert (uci.process.wait(10) if end else uci.end()) == 0


# Every game.


def test_the_session_ends_when_its_terminal_disappears() -> None:
    class Gone(io.StringIO):
        def readline(self, size: int | None = -1) -> str:  # type: ignore[override]
            raise OSError("Input/output error")

    with Engine() as engine:
        session = Session(Gone(), io.StringIO(), engine, Catalogue(), "1")
        running = threading.Thread(target=session.run, daemon=True)
        running.start()
        running.join(10)
        assert not running.is_alive()


def test_a_line_is_written_turn_by_turn() -> None:
    board = Board("magi:scoring=four_points", "10/10/10/4k5/10/6N3/10/10/4K5/10 w - - 7 61")
    line = [Move.from_uci(move) for move in ("playon", "g5f7", "e7f7")]
    assert turn_words(board, line) == ["playon,g5f7", "e7f7"]


@pytest.mark.parametrize("name", games())
def test_the_engine_plays_every_game(name: str, uci: Any) -> None:
    """It plays some turns against itself: each is one word, and legal."""
    board = Board(name)
    uci.say(f"setoption name UCI_Variant value {name}", "ucinewgame")
    turns: list[str] = []
    for _ in range(6):
        uci.say(" ".join(["position startpos moves", *turns] if turns else ["position startpos"]))
        lines = uci.ask("go nodes 300", BESTMOVE)
        pv = re.search(r" pv (.+)", lines[-2])
        assert pv
        line = board.copy()
        *whole, last = pv[1].split()
        for turn in whole:
            line.push_turn(turn)
        for move in last.split(","):
            line.push_uci(move)
        turn = bestmove(lines)
        color = board.turn
        board.push_turn(turn)
        assert board.turn != color
        turns.append(turn)
    uci.say(" ".join(["position startpos moves", *turns]))
    assert f"Fen: {board.fen()}" in uci.ask("d", "Key: .*")


def test_a_turn_in_progress_is_completed(uci: Any) -> None:
    board = Board("chieftain")
    board.push_uci("a4a5")
    uci.say("setoption name UCI_Variant value chieftain", f"position fen {board.fen()}")
    assert len(board.fen().split()) == 7
    turn = best(uci, "go nodes 500")
    for move in turn.split(","):
        board.push_uci(move)
    assert board.turn == BLACK


def test_games_with_options_and_from_files_can_be_selected(talk: Begin, tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('[game]\nid = "mine"\nname = "Mine"\nextends = "magi"\nsummary = "Mine."\n')
    uci = talk("uci", "--game", str(path))
    assert any(" var mine" in line for line in uci.ask("uci", "uciok"))
    # A single step from d8 can be captured en passant only by the full rule.
    moves = "position startpos moves c2c5 b9b8 c5c6 b8b7 c6c7 d8d7"
    counts = {}
    for spec in ("mine", "magi", "magi:classic_ep=on"):
        uci.say(f"setoption name UCI_Variant value {spec}", moves)
        assert f"Game: {spec}" in uci.ask("d", "Key: .*")
        lines = uci.ask("go perft 1", "Nodes searched: .*")
        counts[spec] = "c7d8: 1" in lines
    assert counts == {"mine": True, "magi": True, "magi:classic_ep=on": False}


@pytest.mark.parametrize("name", ["checkers", "magi:classic_ep=perhaps", "magi:game=x", "./x.toml", "", "chess\x00"])
def test_unknown_games_are_reported(name: str, uci: Any) -> None:
    uci.say(f"setoption name UCI_Variant value {name}", "isready")
    lines = uci.hear("readyok")
    assert lines[0].startswith("info string ")
    assert best(uci, "go depth 1") in {move.uci() for move in Board("chess").legal_moves}


# Searching.


@pytest.mark.parametrize(
    "go",
    [
        *("depth 3", "nodes 100", "movetime 30", "wtime 100 btime 100", "wtime -5 btime 5 winc 10 movestogo 2"),
        # A limit that cannot be understood does not allow an endless search.
        *("movetime -5", "depth x", "depth", "nodes -5", "foo bar", "btime 1000", "wtime x btime 1000", "perft x"),
    ],
)
def test_a_search_with_any_limit_ends_by_itself(go: str, uci: Any) -> None:
    uci.ask("isready", "readyok")
    assert best(uci, f"go {go}") != "0000"


def test_a_search_reports_its_lines_scores_and_mates(uci: Any) -> None:
    uci.say("setoption name MultiPV value 3", "setoption name UCI_ShowWDL value true")
    lines = [line for line in uci.ask("go depth 4", BESTMOVE) if line.startswith("info depth")]
    assert {numbers(line)["multipv"] for line in lines} == {1, 2, 3}
    last = [line for line in lines if line.startswith("info depth 4 ") and "bound" not in line][-3:]
    for line in last:
        found = numbers(line)
        assert {"depth", "seldepth", "cp", "nodes", "nps", "hashfull", "time"} <= set(found)
        wdl = re.search(r" wdl (\d+) (\d+) (\d+) ", line)
        assert wdl
        assert sum(map(int, wdl.groups())) == 1000
    assert len({line.split(" pv ")[1].split()[0] for line in last}) == 3
    uci.say("position fen 6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1")
    lines = uci.ask("go depth 5", BESTMOVE)
    assert "score mate 1 " in lines[-2 if "multipv 1 " in lines[-2] else -4]
    assert bestmove(lines) == "a1a8"
    uci.say("setoption name MultiPV value 1")
    assert best(uci, "go mate 1") == "a1a8"


def test_searchmoves_restricts_the_search(uci: Any) -> None:
    assert best(uci, "go depth 3 searchmoves a2a3 nonsense h2h3") in {"a2a3", "h2h3"}
    assert best(uci, "go searchmoves a2a3 depth 3") == "a2a3"


@pytest.mark.nightly
def test_stop_ends_a_search_at_once(uci: Any) -> None:
    uci.say("setoption name UCI_Variant value maasai")
    waits = []
    for _ in range(10):
        uci.say("position startpos", "go infinite")
        uci.hear("info depth 2 .*")
        time.sleep(0.1)
        start = time.monotonic()
        uci.ask("stop", BESTMOVE)
        waits.append(time.monotonic() - start)
    # The best of ten: other programs may be running on this machine.
    assert min(waits) < 0.02


@pytest.mark.parametrize("end", ["stop", "ponderhit"])
def test_pondering_continues_until_stop_or_ponderhit(end: str, uci: Any) -> None:
    uci.say("position startpos moves e2e4", "go ponder movetime 50")
    assert uci.quiet(0.4, BESTMOVE)
    assert bestmove(uci.ask(end, BESTMOVE, 5)) != "0000"


def test_a_finished_infinite_search_waits_for_stop(uci: Any) -> None:
    uci.say("go infinite depth 1")
    uci.hear("info depth 1 .*")
    assert uci.quiet(0.3, BESTMOVE)
    assert bestmove(uci.ask("stop", BESTMOVE)) != "0000"
    uci.say("position fen k7/2Q5/1K6/8/8/8/8/8 b - - 0 1", "go infinite")
    assert uci.quiet(0.3, BESTMOVE)
    assert uci.ask("stop", BESTMOVE) == ["info depth 0 score cp 0", "bestmove 0000"]
    uci.say("stop", "isready")
    assert uci.hear("readyok") == ["readyok"]


def test_bestmove_is_0000_without_a_legal_move_or_position(uci: Any) -> None:
    uci.say("position fen R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1")
    assert uci.ask("go depth 3", BESTMOVE) == ["info depth 0 score mate 0", "bestmove 0000"]
    for position in ("fen nonsense", "startpos moves e2e4 e2e4", "somewhere", "fen 8/8/8/8/8/8/8/8 w - - 0 1"):
        uci.say("position startpos", f"position {position}")
        lines = uci.ask("go depth 1", BESTMOVE)
        assert lines[0].startswith("info string ")
        assert bestmove(lines) == "0000"


DRAWN = {
    "seventy-five moves": "fen 4k3/8/8/8/8/8/8/R3K3 w - - 150 100",
    "fivefold repetition": "startpos moves" + " g1f3 g8f6 f3g1 f6g8" * 4,
    "dead position": "fen 4k3/8/8/8/8/8/8/4K3 w - - 0 1",
    "a long turn": "fen 14c1/16/16/16/16/16/16/16/16/16/16/1C1C12 w - - 151 100",
}


@pytest.mark.parametrize("drawn", DRAWN)
def test_a_position_drawn_by_the_rules_is_answered_with_a_legal_turn(uci: Any, drawn: str) -> None:
    game = "chieftain" if drawn == "a long turn" else "chess"
    uci.say(f"setoption name UCI_Variant value {game}", f"position {DRAWN[drawn]}")
    start, _, moves = DRAWN[drawn].partition(" moves ")
    board = Board(game, None if start == "startpos" else start.removeprefix("fen "))
    for move in moves.split():
        board.push_uci(move)
    assert board.outcome() is not None
    first = board.legal_moves[-1]
    for searched in ("", f" searchmoves {first.uci()}" if game == "chess" else ""):
        lines = uci.ask(f"go nodes 100{searched}", BESTMOVE)
        assert lines[-2] == "info depth 0 score cp 0"
        copy = board.copy()
        copy.push_turn(bestmove(lines))
        assert copy.turn != board.turn
        assert not searched or bestmove(lines) == first.uci()


def test_any_white_space_may_be_between_words(uci: Any) -> None:
    uci.say("position\tstartpos  moves \t e2e4   e7e5", "setoption\tname  Hash \t value  8")
    lines = uci.ask("d", "Key: .*")
    assert any(line.startswith("Fen: rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq") for line in lines)
    assert bestmove(uci.ask("go\tdepth\t 1", BESTMOVE)) != "0000"
    uci.say("position \tfen\t4k3/8/8/8/8/8/8/R3K3   w\t- - 0 1\tmoves\ta1a2")
    assert "Fen: 4k3/8/8/8/8/8/R7/4K3 b - - 1 1" in uci.ask("d", "Key: .*")


def test_a_new_search_ends_the_old_one(uci: Any) -> None:
    uci.say("go infinite", "go depth 1")
    uci.hear(BESTMOVE)
    uci.hear(BESTMOVE)
    uci.say("go infinite", "setoption name Hash value 8", "ucinewgame", "isready")
    assert any(re.fullmatch(BESTMOVE, line) for line in uci.hear("readyok"))


def test_levels_and_elo_limit_the_search(uci: Any) -> None:
    def nodes() -> int:
        lines = uci.ask("go depth 8", BESTMOVE)
        assert bestmove(lines) in {move.uci() for move in Board("chess").legal_moves}
        # A level that overlooks the replies reports no line.
        return numbers(lines[-2])["nodes"] if len(lines) > 1 else 0

    full = nodes()
    uci.say("setoption name Skill Level value 1")
    weak = max(nodes() for _ in range(20))
    uci.say("setoption name UCI_LimitStrength value true", "setoption name UCI_Elo value 2000")
    middling = max(nodes() for _ in range(5))
    assert weak < middling < full
    uci.say("setoption name UCI_LimitStrength value false", "setoption name Skill Level value 9")
    told = [numbers(line)["multipv"] for _ in range(20) for line in uci.ask("go", BESTMOVE)[:-1]]
    assert set(told) == {1}, "one line was asked for"
    uci.say("setoption name UCI_LimitStrength value true")
    uci.say("setoption name UCI_Elo value 800", "setoption name UCI_AnalyseMode value true", "ucinewgame")
    assert nodes() == full


def test_a_level_waits_for_stop_like_full_strength(uci: Any) -> None:
    uci.say("setoption name Skill Level value 3", "position startpos", "go infinite searchmoves a2a3")
    assert uci.quiet(0.4, BESTMOVE)
    assert bestmove(uci.ask("stop", BESTMOVE)) == "a2a3"
    uci.say("position startpos moves e2e4", "go ponder wtime 1000 btime 1000")
    assert uci.quiet(0.4, BESTMOVE)
    uci.ask("ponderhit", BESTMOVE, 2)


def test_perft_counts_moves_and_can_be_stopped(uci: Any) -> None:
    board = Board("chess")
    lines = uci.ask("go perft 3", "Nodes searched: .*")
    assert lines[-1] == f"Nodes searched: {board.perft(3)}"
    assert sorted(lines[:-2]) == sorted(f"{move.uci()}: {count}" for move, count in board.divide(3))
    uci.say("go perft 30", "stop", "isready")
    assert uci.hear("readyok", 5)[-1] == "readyok"


@pytest.mark.slow
def test_bench_counts_the_nodes_of_every_game(uci: Any) -> None:
    lines = uci.ask("bench", "Nodes/second: .*", 60)
    *counted, _, total, _ = lines
    core: list[tuple[str, int]] = []
    nodes = _native.bench(lambda *counted: core.append(counted))
    assert counted == [f"{game}: {nodes}" for game, nodes in core]
    assert [game for game, _ in core] == games()
    assert total == f"Nodes searched: {nodes}"


def test_every_option_can_be_set(uci: Any) -> None:
    for line in uci.ask("uci", "uciok"):
        found = re.fullmatch(r"option name (.+) type (\w+)(?: default (\S+))?.*", line)
        if found:
            name, kind, default = found.groups()
            uci.say(f"setoption name {name.upper()}" + ("" if kind == "button" else f" value {default}"), "isready")
            assert uci.hear("readyok") == ["readyok"], name
    for wrong in ("Hash value 0", "Hash value x", "Ponder value 1", "Nothing value 1", "Threads", "Threads value 1 1"):
        uci.say(f"setoption name {wrong}", "isready")
        assert uci.hear("readyok")[0].startswith("info string "), wrong


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux limits another process")
def test_a_hash_larger_than_the_memory_is_reported_at_once(uci: Any) -> None:
    resource.prlimit(uci.process.pid, resource.RLIMIT_AS, (32 << 30, 32 << 30))
    assert uci.ask("setoption name Hash value 65536\nisready", "readyok")[0].startswith("info string hash_mb=65536: ")
    assert best(uci, "go depth 2") != "0000"


# Untrusted input.


def test_the_engine_survives_garbage(uci: Any) -> None:
    rng = random.Random(1)
    text = (
        "go depth 1 nodes -1 infinitely position startpos fen moves e2e4 0000 setoption name value Hash UCI_Variant "
        "magi stop ponderhit searchmoves mate perft 1 99999999999999999999 \x00 \x1b[2J é ♔ , ; ' % \t wtime btime"
    )
    words = text.split(" ")
    lines = ["".join(chr(rng.randrange(1, 0x300)) for _ in range(50)).replace("\n", "") for _ in range(50)]
    lines += [" ".join(rng.choices(words, k=rng.randrange(8))) for _ in range(300)]
    lines += [f"go {key} {10**25} nodes 50" for key in ("depth", "mate", "movestogo", "movetime", "wtime", "winc")]
    lines += [
        "position fen " + "8/" * 5000,
        "x" * (2 * LONGEST),
        "go nodes " + "9" * 5000,
        "go depth 0",
        "go mate 0",
    ]
    lines = [line for line in lines if "infinite" not in line and "perft" not in line]
    uci.say(*lines, "stop", "setoption name UCI_Variant value chess", "position startpos", "isready")
    heard = uci.hear("readyok", 60)
    assert all(re.match(r"info |bestmove |$", line) for line in heard[:-1]), heard
    assert all(line.isprintable() for line in heard)
    assert not [line for line in heard if "Error" in line or "Exception" in line]
    assert best(uci, "go depth 2") != "0000"


def test_lines_that_are_too_long_are_skipped() -> None:
    for length in (LONGEST - 1, LONGEST, LONGEST + 1, 2 * LONGEST, 3 * LONGEST - 1):
        lines = list(read_lines(io.StringIO(f"a\n{'x' * length}\n b \r\nc")))
        assert [line for line in lines if "x" not in line] == ["a", "b", "c"]
        assert [len(line) for line in lines if "x" in line] == [length] * (length < LONGEST)


def test_the_arguments_of_go_are_parsed_and_checked() -> None:
    text = "depth 3 infinite movetime 20 wtime x btime 100 winc 5 movestogo 0 searchmoves a2a3 nodes"
    go = read_go(text.split())
    assert go.turns == ["a2a3"]
    assert go.flags == {"infinite"}
    assert go.limit(white=True) == Limit(time=0.02, depth=3, black_clock=0.1, white_inc=0.005, black_inc=0.0)
    assert go.faults == ["wtime needs a number, not 'x'", "nodes needs a number, not ''"]


# Another program.


@pytest.mark.slow
def test_python_chess_plays_a_game_with_the_engine(witness: Callable[[str], str]) -> None:
    """The engine of python-chess drives ours through a game of chess, and understands its options and lines."""
    python = ROOT / "benches" / "rivals" / ".venv" / "bin" / "python"
    run = subprocess.run(
        [witness(str(python)), ROOT / "tests" / "witness" / "uci_game.py", sys.executable, "-m", "acedrex", "uci"],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
    )
    assert run.returncode == 0, run.stderr
    told = json.loads(run.stdout)
    board = Board("chess")
    for move in told["moves"]:
        board.push_uci(move)
    assert len(told["moves"]) > 10
    assert board.fen().split()[:2] == told["fen"].split()[:2]
    assert board.result(claim_draw=True) == told["result"] != "*"
