"""The client for other engines: what it sends, what it understands, and what it survives."""

from __future__ import annotations

import asyncio
import os
import pickle
import shlex
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from types import SimpleNamespace

import pytest

from acedrex import Board, Move, load
from acedrex.engine import (
    Analysis,
    EngineError,
    IllegalAnswerError,
    Limit,
    PlayResult,
    Score,
    UciEngine,
    client,
    process,
)
from acedrex.engine.dialect import FAIRY_STOCKFISH, choose
from acedrex.engine.process import split_command
from acedrex.engine.text import ProgramOption, go, read_info, read_option, read_turn, turns
from tests.conftest import TIMEOUT
from tests.server.waiting import wait_until

FAKE = Path(__file__).parent / "data" / "fake_engine.py"
LIMIT = Limit(nodes=100)

Start = Callable[..., UciEngine]


@pytest.fixture
def log(tmp_path: Path) -> SimpleNamespace:
    """What the fake engine has heard."""
    path = tmp_path / "heard"
    lines = lambda: path.read_text().splitlines()  # noqa: E731
    return SimpleNamespace(path=path, lines=lines, pid=lambda: int(lines()[0].split()[1]))


@pytest.fixture
def start(log: SimpleNamespace) -> Iterator[Start]:
    """Starts a fake engine, and ends it after the test."""
    with ExitStack() as stack:

        def begin(mode: str = "good", **arguments: object) -> UciEngine:
            command = [sys.executable, str(FAKE), mode, str(log.path)]
            return stack.enter_context(UciEngine(command, **{"timeout": 30.0, **arguments}))  # type: ignore[arg-type]

        yield begin


def gone(pid: int) -> bool:
    """Whether a process has ended."""

    def is_gone() -> bool:
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return True
        return False

    return wait_until(is_gone)


# What it sends.


def test_the_handshake_sets_the_options(start: Start, log: SimpleNamespace) -> None:
    engine = start(options={"hash": 32, "Skill Level": "3", "Ponder": True, "Clear Hash": None})
    assert engine.name == "Fake 1.0"
    assert engine.options["UCI_Variant"].choices == ("chess", "chieftain", "magi", "xiangqi")
    assert log.lines()[1:] == [
        "uci",
        "setoption name Hash value 32",
        "setoption name Skill Level value 3",
        "setoption name Ponder value true",
        "setoption name Clear Hash",
        "isready",
    ]


def test_a_search_sends_the_position_and_limits_and_reads_the_answer(start: Start, log: SimpleNamespace) -> None:
    engine = start()
    board = Board("chess")
    board.push_san("e4")
    engine.clear()
    result = engine.play(board, Limit(time=0.5, depth=9), root_moves=[Move.from_uci("e7e5"), Move.from_uci("c7c5")])
    assert log.lines()[3:] == [
        "ucinewgame",
        "isready",
        "setoption name UCI_Variant value chess",
        "isready",
        f"position fen {board.root_fen} moves e2e4",
        "go movetime 500 depth 9 searchmoves e7e5 c7c5",
    ]
    assert result.moves == (Move.from_uci("a7a5"),) == (result.move,)
    assert result.ponder == ()
    info = result.info
    assert info is not None
    assert (info.depth, info.seldepth, info.nodes, info.nps, info.time) == (4, 6, 50, 900, 0.055)
    assert (info.score, info.bound, info.pv, info.pv_san) == (Score(cp=29), "upper", result.moves, "1...a5")
    assert board.ply() == 1


def test_limits_are_written_as_a_go_command() -> None:
    limit = Limit(white_clock=180, black_clock=0.0001, white_inc=2, black_inc=0.5, remaining_moves=10)
    assert go(limit) == "go wtime 180000 btime 1 winc 2000 binc 500 movestogo 10"
    assert go(Limit(mate=3)) == "go mate 3"
    assert go(Limit()) == "go infinite"


def test_turns_of_several_moves_are_sent_and_read(start: Start, log: SimpleNamespace) -> None:
    engine = start()
    board = Board("chieftain")
    board.push_turn("a4a5,f2f3")
    result = engine.play(board, LIMIT)
    assert log.lines()[-2] == f"position fen {board.root_fen} moves a4a5,f2f3"
    assert len(result.moves) == 3 and result.moves[2].special == "end"
    for move in result.moves:
        board.push(move)
    assert board.turn
    move = next(move for move in board.legal_moves if not move.special)
    board.push(move)
    engine.play(board, LIMIT)
    assert log.lines()[-2] == f"position fen {board.fen()}"
    assert board.fen().endswith(f" {move.uci()}")


def test_turns_are_written_without_a_final_end() -> None:
    board = Board("chieftain:pass=on")
    for turn in ("a4a5,f2f3", "end", "p4p5,k2k3"):
        board.push_turn(turn)
    assert list(turns(board)) == ["a4a5,f2f3", "end", "p4p5,k2k3"]


def test_a_finished_game_is_not_searched(start: Start, log: SimpleNamespace) -> None:
    engine = start()
    result = engine.play(Board("chess", "k7/2Q5/1K6/8/8/8/8/8 b - - 0 1"))
    assert result.moves == () and result.move is None and result.info is None
    assert not any(line.startswith("go") for line in log.lines())


def test_several_lines_are_requested_and_read(start: Start, log: SimpleNamespace) -> None:
    engine = start()
    found = engine.analyse(Board("chess"), LIMIT, multipv=2)
    assert [(info.multipv, info.score, info.pv_san) for info in found] == [
        (1, Score(cp=29), "1.a3"),
        (2, Score(cp=28), "1.a4"),
    ]
    assert len(engine.analyse(Board("chess"), LIMIT)) == 1
    assert [line for line in log.lines() if "MultiPV" in line] == [
        "setoption name MultiPV value 2",
        "setoption name MultiPV value 1",
    ]


# Running searches.


def test_an_infinite_search_lasts_until_it_is_stopped(start: Start) -> None:
    engine = start("wait")
    timer = threading.Timer(0.3, engine.stop)
    begun = time.monotonic()
    timer.start()
    assert engine.play(Board("chess")).move == Move.from_uci("a2a3")
    assert time.monotonic() - begun > 0.2
    timer.join()


def test_searches_run_one_at_a_time(start: Start) -> None:
    engine = start("wait")
    with engine.stream(Board("chess")) as first, engine.stream(Board("chess"), LIMIT) as second:
        first.stop()
        for analysis in (first, second):
            assert [info.multipv for info in analysis] == [1]
            assert analysis.wait().move == Move.from_uci("a2a3")
    assert engine.play(Board("chess"), LIMIT).move == Move.from_uci("a2a3")


def test_stop_also_ends_waiting_searches(start: Start) -> None:
    engine = start("wait")
    first = engine.stream(Board("chess"))
    streams = [first, engine.stream(Board("chess"))]
    time.sleep(0.2)
    engine.stop()
    for stream in streams:
        stream._thread.join(TIMEOUT)
        assert not stream._thread.is_alive()


def test_the_answer_of_an_aborted_search_is_not_taken_for_the_next(start: Start) -> None:
    """An exception in a listener aborts it, as Ctrl-C does."""

    class EnoughError(Exception):
        pass

    def told(_: object) -> None:
        raise EnoughError

    engine = start("eager")
    first, second = Board("chess"), Board("chess")
    second.push_san("e4")
    with pytest.raises(EnoughError):
        engine._search(first, Limit(), 1, (), engine._begin(ponder=False), told)
    assert engine.play(second, LIMIT).move in second.legal_moves


def test_ctrl_c_while_a_search_starts_does_not_spoil_the_next(
    start: Start, log: SimpleNamespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    engine = start("eager", timeout=10.0)
    board = Board("chess")
    with monkeypatch.context() as patch:
        patch.setattr(client._Search, "_longest", interrupt)
        with pytest.raises(KeyboardInterrupt):
            engine.play(board, Limit())
    assert engine.play(board, LIMIT).move in board.legal_moves


def test_a_second_ctrl_c_ends_the_program(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise its late answer would be taken for that of the next search."""

    def interrupt(_: object) -> str:
        raise KeyboardInterrupt

    engine = start()
    with monkeypatch.context() as patch:
        patch.setattr(engine, "_hear", interrupt)
        with pytest.raises(KeyboardInterrupt):
            engine.play(Board("chess"), LIMIT)
    with pytest.raises(EngineError, match="ended"):
        engine.play(Board("chess"), LIMIT)


def test_leaving_the_with_block_stops_the_search(start: Start) -> None:
    engine = start("wait")
    for _ in range(20):  # before or after it has started
        with engine.stream(Board("chess")):
            pass
    assert engine.play(Board("chess"), LIMIT).move


def test_pondering_ends_after_the_ponder_hit(start: Start, log: SimpleNamespace) -> None:
    engine = start("wait")
    analysis = engine.stream(Board("chess"), Limit(), ponder=True)
    wait_until(lambda: log.lines()[-1] == "go ponder infinite")
    analysis.ponder_hit(Limit(time=0.1))
    assert analysis.wait().move


def test_a_ponder_hit_before_the_search_starts_limits_its_time(start: Start) -> None:
    engine = start("wait")
    engine.timeout = 0.3
    with engine._lock:  # so that the search has to wait
        analysis = engine.stream(Board("chess"), Limit(), ponder=True)
        analysis.ponder_hit(Limit(time=0.1))
    assert ended_within(TIMEOUT, analysis)


def test_a_ponder_hit_after_a_stop_gives_no_more_time(start: Start, log: SimpleNamespace) -> None:
    engine = start("hang")
    engine.timeout = 0.5
    analysis = engine.stream(Board("chess"), Limit(), ponder=True)
    wait_until(lambda: log.lines()[-1] == "go ponder infinite")
    analysis.stop()
    analysis.ponder_hit(Limit())
    assert ended_within(TIMEOUT, analysis)


def ended_within(seconds: float, analysis: Analysis) -> bool:
    """Whether a search ends by itself."""
    analysis._thread.join(seconds)
    return not analysis._thread.is_alive()


def test_lines_with_a_rank_below_1_are_ignored(start: Start) -> None:
    assert [info.multipv for info in start("ranks").analyse(Board("chess"), LIMIT)] == [1]


def test_an_illegal_answer_error_can_be_pickled(start: Start) -> None:
    with pytest.raises(IllegalAnswerError) as raised:
        start("illegal").play(Board("chess"), LIMIT)
    again = pickle.loads(pickle.dumps(raised.value))
    assert (again.answer, str(again)) == ("a1a1", str(raised.value))


@pytest.mark.parametrize(
    ("text", "posix", "windows"),
    [
        (r"C:\chess\fish.exe -x", [r"C:chessfish.exe", "-x"], [r"C:\chess\fish.exe", "-x"]),
        (r'uci:"C:\my fish\f.exe"  a="b c"', [r"uci:C:\my fish\f.exe", "a=b c"], [r"uci:C:\my fish\f.exe", "a=b c"]),
        ("fish '#1' #2", ["fish", "#1", "#2"], ["fish", "#1", "#2"]),
    ],
)
def test_commands_are_split_as_by_a_shell(text: str, posix: list[str], windows: list[str]) -> None:
    assert split_command(text, windows=False) == shlex.split(text) == posix
    assert split_command(text, windows=True) == windows


async def test_searches_can_be_awaited(start: Start) -> None:
    engine = start()
    assert (await engine.play_async(Board("chess"), LIMIT)).move == Move.from_uci("a2a3")
    assert len(await engine.analyse_async(Board("chess"), LIMIT, multipv=2)) == 2
    assert [info.multipv async for info in engine.stream(Board("chess"), LIMIT, multipv=2)] == [1, 2]


# What it survives.


def test_a_missing_program_is_reported() -> None:
    with pytest.raises(EngineError, match='cannot start "no-such-engine": No such file'):
        UciEngine("no-such-engine")
    with pytest.raises(EngineError, match="is empty"):
        UciEngine("")
    with pytest.raises(EngineError, match="cannot be read"):
        UciEngine('"open')


def test_a_program_that_does_not_answer_is_reported_and_killed(start: Start, log: SimpleNamespace) -> None:
    with pytest.raises(EngineError, match=r"python\S*: uciok was expected within 2 s; the last line was nothing"):
        start("mute", timeout=2)
    assert gone(log.pid())


def test_a_program_that_is_not_an_engine_is_reported() -> None:
    with pytest.raises(EngineError, match=r"ended \(exit status 3\) when uciok was expected; its last words: .*sorry"):
        UciEngine([sys.executable, "-c", "import sys; input(); print('sorry', file=sys.stderr); sys.exit(3)"])


@pytest.mark.parametrize("mode", ["hang", "chatter"])
def test_a_program_that_does_not_stop_is_killed(start: Start, log: SimpleNamespace, mode: str) -> None:
    engine = start(mode)
    engine.timeout = 1.0
    with pytest.raises(EngineError, match=r"Fake 1.0: a bestmove was expected within 1 s after it was told to stop"):
        engine.play(Board("chess"), Limit(time=0.1))
    assert gone(log.pid())


def test_a_program_that_does_not_quit_is_killed(start: Start, log: SimpleNamespace) -> None:
    engine = start("stubborn")
    engine.timeout = 0.2
    engine.close()
    assert gone(log.pid())


@pytest.mark.skipif(os.name == "nt", reason="Windows has no sessions")
def test_a_program_shares_our_session_but_not_our_ctrl_c(start: Start, log: SimpleNamespace) -> None:
    """Linux divides the processor among sessions first: in one of its own, a program would have more of it than we."""
    start()
    assert os.getsid(log.pid()) == os.getsid(0)
    assert os.getpgid(log.pid()) == log.pid() != os.getpgid(0)


DEAF = """
import sys, time
while (line := input()) != "isready":
    print("uciok")
print("readyok", flush=True)
time.sleep(60)
"""


@pytest.mark.skipif(os.name == "nt", reason="pipes of Windows always block")
def test_a_program_that_does_not_read_is_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "MAX_SENDING", 0.5)
    engine = UciEngine([sys.executable, "-uc", DEAF], timeout=30)
    engine.options["File"] = ProgramOption("File", "string", "", ())
    with pytest.raises(EngineError, match=r'did not read "setoption name File .*" within 0.5 s; it was killed'):
        engine.set_option("File", "x" * 1_000_000)
    with pytest.raises(EngineError, match="ended"):
        engine.clear()
    engine.close()


@pytest.mark.skipif(os.name == "nt", reason="pipes of Windows always block")
def test_a_program_that_reads_late_receives_everything() -> None:
    script = "import sys, time; time.sleep(0.3); print(len(input()), flush=True); input()"
    program = process.Program([sys.executable, "-c", script])
    program.send("x" * 1_000_000)
    program.wait_at_most(10)
    assert program.read("a number") == "1000000"
    program.close(2)


def test_a_crash_of_the_program_is_reported(start: Start) -> None:
    engine = start("die")
    with pytest.raises(EngineError, match=r"ended \(exit status 1\) when a bestmove .*: \"out of ideas\""):
        engine.play(Board("chess"), LIMIT)
    with pytest.raises(EngineError, match=r"ended \(exit status 1\)"):
        engine.play(Board("chess"), LIMIT)


def test_a_crash_in_the_middle_of_a_line_is_reported(start: Start) -> None:
    with pytest.raises(EngineError, match="out of ink"):
        start("cut").play(Board("chess"), LIMIT)


def test_iteration_works_after_an_asynchronous_wait_was_cancelled() -> None:
    stopped = threading.Event()

    def search(_: object) -> PlayResult:
        stopped.wait(10)
        return PlayResult(moves=())

    analysis = Analysis(search, stopped.set, lambda limit: None)

    async def listen() -> None:
        async for _ in analysis:
            pass

    # At its end the event loop waits for the thread that still waited for a line.
    with pytest.raises(asyncio.TimeoutError):
        asyncio.run(asyncio.wait_for(listen(), 0.1))
    reader = threading.Thread(target=lambda: list(analysis), daemon=True)
    reader.start()
    reader.join(10)
    assert not reader.is_alive()


def test_garbage_in_the_output_is_ignored(start: Start) -> None:
    engine = start("garbage")
    for _ in range(3):
        result = engine.play(Board("chess"), LIMIT)
        assert result.move == Move.from_uci("a2a3") and result.info is not None


def test_endless_output_does_not_fill_the_memory() -> None:
    script = "import sys\nwhile True: sys.stdout.write('uciok and on\\n' * 1000)"
    with pytest.raises(EngineError, match=r"uciok was expected within 0.5 s"):
        UciEngine([sys.executable, "-c", script], timeout=0.5)


def test_an_illegal_answer_is_reported_and_the_engine_stays_usable(start: Start) -> None:
    engine = start("illegal")
    board = Board("chess")
    with pytest.raises(IllegalAnswerError, match='a legal turn was expected; "a1a1" came at') as error:
        engine.play(board, LIMIT)
    assert error.value.answer == "a1a1"
    assert engine.play(board, LIMIT, root_moves=list(board.legal_moves)).move


def test_unknown_options_and_line_breaks_are_refused(start: Start) -> None:
    with pytest.raises(EngineError, match='has no option "Contempt"; it has "Hash, Skill Level'):
        start(options={"Contempt": 1})
    with pytest.raises(EngineError, match="line break"):
        start(options={"Hash": "1\nquit"})


def test_malformed_lines_are_ignored() -> None:
    board = Board("chess")
    assert read_option("option name X") is None
    for text in ("", "e4", "e2e4,e7e5", "e2e5", "(none)", "0000", "e2e4q", "É"):
        assert read_turn(board, text) is None, text
    for line in ("info", "info depth 1", "info score", "info score cp", "info score cp x", "info score wdl 1 2 3"):
        assert read_info(board, line) is None, line
    assert read_info(board, "info score cp 1 wdl 1 2") is None
    assert read_info(board, f"info score cp 1 time {'9' * 400}") is None
    info = read_info(board, "info score mate -2 wdl 1 2 997 lowerbound pv e2e4 e2e4 e7e5 string pv")
    assert info is not None
    assert (info.score, info.bound, info.pv_san, info.depth) == (Score(mate=-2), "lower", "1.e4", 0)
    assert info.score.wdl == (1, 2, 997)
    for impossible in ("0 0 0", "-1 500 501"):
        info = read_info(board, f"info score cp 5 wdl {impossible}")
        assert info is not None
        assert (info.score, info.score.wdl) == (Score(cp=5), None)


# Other programs' names.


#: What programs list as `UCI_Variant`, and what else tells them apart.
FAIRY = ("VariantPath", "chess", "grand", "shako")


@pytest.mark.parametrize(
    ("program", "lists", "game", "variant"),
    [
        ("Fairy-Stockfish 14", FAIRY, "shako", "shako"),
        ("Fairy-Stockfish 14", ("chess", "shako"), "shako", "shako"),
        ("Fairy-Stockfish 14", (*FAIRY, "magi"), "magi:classic_ep=on", "magi"),
        ("Fairy-Stockfish 14", (*FAIRY, "maasai"), "maasai", "maasai"),
        ("Somebody's fork 3", (*FAIRY, "magi"), "magi:classic_ep=on", "magi"),
        ("Acedrex 1.0", ("magi",), "magi", "magi"),
        ("Acedrex 1.0", ("magi",), "magi:scoring=four_points", "magi:scoring=four_points"),
        ("Merlin 2", ("chess", "magi"), "magi", "magi"),
        ("Merlin 2", ("Chess", "MAGI"), "magi", "MAGI"),
        ("Merlin 2", ("magi", "magi:classic_ep=on"), "magi:classic_ep=on", "magi:classic_ep=on"),
        ("Stockfish 17", None, "chess", None),
    ],
)
def test_games_are_named_as_the_program_lists_them(
    program: str, lists: tuple[str, ...] | None, game: str, variant: str | None
) -> None:
    assert choose(load(game), program, listing(lists)).variant == variant


@pytest.mark.parametrize(
    ("program", "lists", "game", "message"),
    [
        ("Fairy-Stockfish 14", (*FAIRY, "magi"), "magi", 'does not play magi; it plays "magi:classic_ep=on"'),
        ("Fork", (*FAIRY, "magi"), "magi:classic_ep=on,scoring=four_points", 'it plays "magi:classic_ep=on"'),
        ("Fairy-Stockfish 14", FAIRY, "maasai", 'does not play maasai; it plays "chess, grand, shako"'),
        ("Merlin 2", ("chess", "magi"), "magi:classic_ep=on", 'it plays "chess, magi". If .* add variant=NAME'),
        ("Stockfish 17", None, "magi", "no option UCI_Variant, .* If it plays magi and nothing else, add variant=none"),
        ("Secretive", (), "magi", "does not play magi; it lists no games. If .* add variant=NAME"),
    ],
)
def test_games_that_a_program_does_not_play_are_refused(
    program: str, lists: tuple[str, ...] | None, game: str, message: str
) -> None:
    with pytest.raises(EngineError, match=message):
        choose(load(game), program, listing(lists))


def listing(lists: tuple[str, ...] | None) -> dict[str, ProgramOption]:
    """The options of a program."""
    if lists is None:
        return {}
    variants = tuple(name for name in lists if name != "VariantPath")
    options = [ProgramOption("UCI_Variant", "combo", "chess" if lists else "", variants)]
    options += [ProgramOption("VariantPath", "string", "", ())] * ("VariantPath" in lists)
    return {option.name: option for option in options}


def test_a_variant_that_is_named_is_set_whatever_is_listed() -> None:
    merlin = listing(("chess",))
    assert choose(load("magi"), "Merlin 2", merlin, "Magi Chess").variant == "Magi Chess"
    assert choose(load("magi"), "Merlin 2", merlin, "none").variant is None
    assert choose(load("magi"), "Merlin 2", {}, "none").variant is None
    with pytest.raises(EngineError, match="Merlin 2 has no option UCI_Variant to set to magi; write variant=none"):
        choose(load("magi"), "Merlin 2", {}, "magi")


def test_a_variant_unknown_to_the_program_is_refused(start: Start) -> None:
    engine = start()
    with pytest.raises(EngineError, match=r"Fake 1.0 does not play maasai"):
        engine.play(Board("maasai"), LIMIT)
    assert engine.plays(load("magi")) and not engine.plays(load("maasai"))


def test_rights_unknown_to_fairy_stockfish_are_left_out(start: Start, log: SimpleNamespace) -> None:
    start("fairy").play(Board("magi:classic_ep=on"), LIMIT)
    assert " w KQkq - 0 1" in log.lines()[-2]


@pytest.mark.parametrize(("mode", "name"), [("good", "magi"), ("capital", "Magi")])
def test_a_program_that_lists_our_game_is_spoken_to_in_our_words(
    start: Start, log: SimpleNamespace, mode: str, name: str
) -> None:
    assert start(mode).play(Board("magi"), LIMIT).move
    assert f"setoption name UCI_Variant value {name}" in log.lines()
    assert f"position fen {Board('magi').fen()}" in log.lines() and "DGdg" in Board("magi").fen()


def test_a_program_that_plays_one_game_needs_no_variant(start: Start, log: SimpleNamespace) -> None:
    with pytest.raises(EngineError, match="add variant=none"):
        start("single").play(Board("magi"), LIMIT)
    assert start("single", variant="none").play(Board("magi"), LIMIT).move
    assert not any("UCI_Variant" in line for line in log.lines())


def test_games_of_a_file_are_known_once_it_is_named(start: Start) -> None:
    assert start("file", options={"variantpath": "x.ini"}).plays(load("maasai"))
    engine = start("file")
    assert not engine.plays(load("maasai"))
    engine.set_option("VariantPath", "x.ini")
    assert engine.play(Board("maasai"), LIMIT).move


def test_a_program_is_asked_for_its_position(start: Start) -> None:
    board = Board("chess")
    for move in ("e4", "e5", "Nf3"):
        board.push_san(move)
    assert start("good").echo(board) is None
    shown = start("picky").echo(board)
    board.pop()
    assert shown == board.fen()


# With a real engine.


def test_fairy_stockfish_shows_an_older_position_after_an_illegal_move(witness: Callable[[str], str]) -> None:
    board = Board("shako")
    board.push(board.legal_moves[0])
    with UciEngine(witness("fairy-stockfish"), options={"Hash": 1}) as engine:
        assert engine.echo(board) == board.fen()
        engine._program.send(f"position fen {board.fen()} moves a1a9")
        engine._program.send("d")
        assert f"Fen: {board.fen()}" in engine._synchronize()


@pytest.mark.parametrize("game", sorted(FAIRY_STOCKFISH.keys() - {"magi:classic_ep=on"}))
def test_fairy_stockfish_plays(game: str, witness: Callable[[str], str]) -> None:
    board = Board(game)
    with UciEngine(witness("fairy-stockfish"), options={"Hash": 1}) as engine:
        for _ in range(12):
            result = engine.play(board, Limit(nodes=200))
            assert result.info is not None and result.info.pv[:1] == result.moves
            for move in result.moves:
                board.push(move)
        lines = engine.analyse(board, Limit(depth=3), multipv=3)
        assert [info.multipv for info in lines] == [1, 2, 3]
        with engine.stream(board) as analysis:
            assert next(iter(analysis)).pv
