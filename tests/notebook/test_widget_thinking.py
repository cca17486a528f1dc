"""The widget without a page: opponents and analysis."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

import pytest

import acedrex
from acedrex import BLACK, WHITE, Engine, Error, Move
from acedrex.engine import Analysis, PlayResult
from acedrex.engine.limit import Limit
from acedrex.widget import Board
from tests.notebook.host import make, refusals, shown, state, tell

Make = Callable[..., Board]
QUICK = Limit(nodes=200)


# An opponent.


def threads_end() -> None:
    """Wait until no engine is thinking."""
    for thread in threading.enumerate():
        if thread.name in ("acedrex-widget", "acedrex-search"):
            thread.join(20)
            assert not thread.is_alive()


class Slow:
    """An opponent that answers when the test allows it, with the moves that the test sets."""

    def __init__(self, answer: str | Exception = "") -> None:
        self.may = threading.Event()
        self.asked: list[str] = []
        self.answer = answer

    def play(self, board: acedrex.Board, limit: Limit = Limit()) -> PlayResult:
        return self.stream(board, limit).wait()

    def stream(self, board: acedrex.Board, limit: Limit = Limit(), *, multipv: int = 1) -> Analysis:
        self.asked.append(board.fen())

        def search(tell: object) -> PlayResult:
            assert self.may.wait(20)
            if isinstance(self.answer, Exception):
                raise self.answer
            moves = [Move.from_uci(self.answer)] if self.answer else board.legal_moves[:1]
            return PlayResult(moves=tuple(moves))

        return Analysis(search, self.may.set, lambda _: None)

    def stop(self) -> None:
        self.may.set()


def test_a_level_answers_a_move(board: Make) -> None:
    one = board("magi", opponent=2)
    assert shown(one)["seat"] == "white" and shown(one)["status"] == "White to move: your turn."
    heard: list[str] = []
    one.on_move(lambda move: heard.append(threading.current_thread().name))
    make(one, one.board.legal_moves[0].uci())
    assert one.wait(20) and one.board.ply() == 2
    assert heard[0] == threading.main_thread().name and heard[1] == "acedrex-widget"
    assert state(one)["_position"]["ply"] == 2 and shown(one)["seat"] == "white"


def test_wait_also_waits_for_callbacks(board: Make) -> None:
    slow = Slow()
    one = board("chess", opponent=slow)
    heard: list[str] = []

    @one.on_move
    def hear(move: Move) -> None:
        if threading.current_thread() is not threading.main_thread():
            # The function itself does not wait for its own end.
            assert one.wait(5)
            time.sleep(0.05)
        heard.append(move.uci())

    one.push("e4")
    slow.may.set()
    assert one.wait(20) and len(heard) == 2 and not one._error


def test_an_engine_at_full_strength_answers_with_whole_turns(board: Make) -> None:
    with Engine(hash_mb=16) as engine:
        one = board("chieftain", opponent=engine, plays=BLACK, limit=QUICK)
        assert one.wait(20) and one.board.turn is BLACK and one.board.ply() > 1


def test_push_does_not_wait_for_the_opponent(board: Make) -> None:
    slow = Slow()
    one = board("chess", opponent=slow)
    one.push("e4")
    assert shown(one)["status"] == "Black is thinking…" and shown(one)["seat"] == "white"
    assert not one.wait(0.01)
    make(one, "e7e5")
    assert refusals(one) == ["it is not your turn"]
    slow.may.set()
    assert one.wait(20) and one.board.ply() == 2


def test_a_move_that_was_taken_back_is_not_answered(board: Make) -> None:
    slow = Slow()
    one = board("chess", opponent=slow)
    one.push("e4")
    assert one.pop() == Move.from_uci("e2e4")
    threads_end()
    assert one.board.ply() == 0 and shown(one)["status"] == "White to move: your turn."
    one.push("e4", "e5", "d4")
    assert one.wait(20) and one.board.ply() == 4
    assert one.pop() and shown(one)["seat"] == "both"
    assert one.board.ply() == 3 and len(slow.asked) == 2


def test_take_back_returns_to_the_players_own_turn(board: Make) -> None:
    one = board("chieftain", opponent=1)
    one.push("Ccd3,Cnm3,Sg4,Sj4")
    assert one.wait(20) and one.board.ply() > 4
    tell(one, type="back", at=one.board.ply())
    assert one.board.ply() == 0 and one.board.turn is WHITE and not shown(one)["back"]


@pytest.mark.parametrize("answer", ["e7e2", RuntimeError("out of order")])
def test_a_failed_opponent_is_reported_and_can_be_played_for(board: Make, answer: str | Exception) -> None:
    slow = Slow(answer)
    slow.may.set()
    one = board("chess", opponent=slow)
    one.push("e4")
    assert one.wait(20) and one.board.ply() == 1
    assert shown(one)["status"].startswith("the opponent failed: ") and shown(one)["seat"] == "both"
    slow.answer = ""
    make(one, "e7e5")
    assert shown(one)["status"] == "White to move: your turn."


def test_a_closed_engine_is_reported(board: Make) -> None:
    engine = Engine()
    engine.close()
    one = board("chess", opponent=engine)
    one.push("e4")
    assert "the engine is closed" in shown(one)["status"]
    with pytest.raises(Error, match="the engine is closed"):
        one.analyse(engine=_closed())
    assert state(one)["_lines"] is None


def _closed() -> Engine:
    engine = Engine()
    engine.close()
    return engine


# Analysis.


def test_lines_are_shown_with_arrows(board: Make) -> None:
    one = board("maasai", setup="UFDO-QKGL")
    one.analyse(limit=Limit(depth=4), multipv=3)
    assert one.wait(20)
    lines = state(one)["_lines"]
    assert [line["san"] for line in lines["lines"]] == [info.pv_san for info in one.lines]
    assert len(one.lines) == 3 and lines["summary"].startswith("Depth 4, ") and lines["summary"].endswith("; done")
    assert 0 < lines["chance"] < 1
    best = one.lines[0].pv[0].uci()
    assert lines["lines"][0]["arrows"][0]["from"] + lines["lines"][0]["arrows"][0]["to"] == best
    assert [line["arrows"][0]["faint"] for line in lines["lines"]] == [False, True, True]


def test_scores_are_shown_from_whites_point_of_view(board: Make) -> None:
    one = board("chess", fen="7k/8/8/8/8/8/1q6/3K4 b - - 0 1")
    one.analyse(limit=Limit(depth=4), multipv=1)
    assert one.wait(20)
    assert state(one)["_lines"]["lines"][0]["score"].startswith(("\N{MINUS SIGN}", "#\N{MINUS SIGN}"))
    assert state(one)["_lines"]["chance"] < 0.2


def test_every_move_of_a_lines_first_turn_is_drawn(board: Make) -> None:
    one = board("chieftain")
    one.analyse(limit=Limit(nodes=3000), multipv=1)
    assert one.wait(20)
    assert len(state(one)["_lines"]["lines"][0]["arrows"]) == 4


def test_analysis_continues_with_each_new_position(board: Make) -> None:
    one = board("chess")
    with Engine() as engine:
        one.analyse(engine, Limit(depth=3))
        one.push("e4")
        assert one.wait(20)
        assert all(info.pv_san.startswith("1...") for info in one.lines)
        one.stop()
        assert one.lines == [] and state(one)["_lines"] is None
        one.analyse(engine)
        assert not one.wait(0.2) and one.lines
        one.reset(fen="7k/5Q2/6K1/8/8/8/8/8 b - - 0 1")
        assert state(one)["_lines"]["summary"] == "No legal moves."
        assert one.wait(20)


def test_late_lines_of_another_position_are_ignored(board: Make) -> None:
    one = board("chess")
    one.analyse()
    before = one._analysis
    assert before is not None and not one.wait(0.2)
    while not (old := one.lines):
        time.sleep(0.01)
    one.push("e4")
    one._show_lines(before, old)
    one._analysed(before, PlayResult(moves=()))
    assert one._analysis is not None and one.lines is not old and one.lines != old


def test_the_opponents_engine_cannot_analyse(board: Make) -> None:
    with Engine() as engine:
        one = board("chess", opponent=engine)
        with pytest.raises(Error, match="pass another engine"):
            one.analyse(engine)


def test_a_failed_analysis_is_reported(board: Make) -> None:
    slow = Slow(RuntimeError("out of order"))
    slow.may.set()
    one = board("chess")
    one.analyse(slow)
    assert one.wait(20)
    assert shown(one)["status"] == "the analysis failed: RuntimeError: out of order"


def test_closing_the_widget_ends_all_thinking(board: Make) -> None:
    one = board("chess", opponent=3)
    one.push("e4")
    one.analyse()
    one.close()
    threads_end()
