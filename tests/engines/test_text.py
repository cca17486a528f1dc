"""The text of the protocol."""

from __future__ import annotations

from acedrex import Board
from acedrex.engine import Limit, Score
from acedrex.engine.text import go, read_info, read_option, read_turn, turns


def test_limits_are_written_as_a_go_command() -> None:
    limit = Limit(white_clock=180, black_clock=0.0001, white_inc=2, black_inc=0.5, remaining_moves=10)
    assert go(limit) == "go wtime 180000 btime 1 winc 2000 binc 500 movestogo 10"
    assert go(Limit(mate=3)) == "go mate 3"
    assert go(Limit()) == "go infinite"


def test_turns_are_written_without_a_final_end() -> None:
    board = Board("chieftain:pass=on")
    for turn in ("a4a5,f2f3", "end", "p4p5,k2k3"):
        board.push_turn(turn)
    assert list(turns(board)) == ["a4a5,f2f3", "end", "p4p5,k2k3"]


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
