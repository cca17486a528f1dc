"""The client for other engines: what it sends, what it understands, and its searches."""

from __future__ import annotations

import asyncio
import pickle
import threading
import time
from types import SimpleNamespace

import pytest

from acedrex import Board, Move
from acedrex.engine import Analysis, EngineError, IllegalAnswerError, Limit, PlayResult, Score, client
from tests.conftest import TIMEOUT
from tests.engines.programs import LIMIT, Start
from tests.server.waiting import wait_until


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


async def test_searches_can_be_awaited(start: Start) -> None:
    engine = start()
    assert (await engine.play_async(Board("chess"), LIMIT)).move == Move.from_uci("a2a3")
    assert len(await engine.analyse_async(Board("chess"), LIMIT, multipv=2)) == 2
    assert [info.multipv async for info in engine.stream(Board("chess"), LIMIT, multipv=2)] == [1, 2]


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
