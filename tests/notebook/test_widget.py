"""The widget without a page: its methods, and messages of pages."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest

import acedrex
import acedrex.svg
from acedrex import BLACK, WHITE, Engine, Error, Move, plain
from acedrex.engine import Analysis, PlayResult
from acedrex.engine.limit import Limit
from acedrex.widget import Board
from acedrex.widget.messages import read
from tests.conftest import squares
from tests.notebook.host import custom, say, state, tell, wire

Make = Callable[..., Board]
QUICK = Limit(nodes=200)


def shown(board: Board) -> dict[str, Any]:
    """What the page shows besides the position."""
    found: dict[str, Any] = state(board)["_shown"]
    return found


def refusals(board: Board) -> list[str]:
    return [message["text"] for message in custom(board) if message["type"] == "refused"]


def make(board: Board, text: str, at: int | None = None) -> None:
    tell(board, type="move", text=text, at=board.board.ply() if at is None else at)


# Creation.


def test_it_takes_a_game_by_id_a_game_and_a_board(board: Make) -> None:
    given = acedrex.Board("magi")
    given.push_san("Nc3")
    for start in ("magi", acedrex.load("magi"), given):
        one = board(start)
        assert one.game == acedrex.load("magi")
        assert state(one)["_game"]["kinds"] == plain.kinds(one.game)
    assert one.board == given and one.board.move_stack == given.move_stack
    one.push(one.board.legal_moves[0])
    assert given.ply() == 1


def test_it_takes_a_position_and_setups(board: Make) -> None:
    assert board("chess", fen="8/P6k/8/8/8/8/8/K7 w - - 0 1").board.legal_moves.count() == 7
    assert board("maasai", setup="UFDO-QKGL").board.setup_name() == "UFDO-QKGL"
    assert board("maasai", setup=250).board.setup_name() == "UFDO-QKGL"
    names = {board("maasai", setup="random").board.setup_name() for _ in range(9)}
    assert len(names) > 1 and None not in names


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ({"game": "nothing"}, "no such game"),
        ({"game": acedrex.Board("chess"), "fen": "8/8/8/8/8/8/8/8 w - - 0 1"}, "has its position already"),
        ({"game": "maasai", "fen": acedrex.Board("maasai").fen(), "setup": "choose"}, "not both"),
        ({"setup": "choose"}, "Chess has no setups"),
        ({"game": "maasai", "setup": "XXXX-XXXX"}, "no setup"),
        ({"opponent": 11}, "from 1 to 10"),
        ({"fen": "nonsense"}, "six, or seven"),
    ],
)
def test_what_cannot_be_is_told(board: Make, settings: dict[str, Any], reason: str) -> None:
    with pytest.raises(Error, match=reason):
        board(**settings)


def test_an_opponent_is_a_level_or_an_engine(board: Make) -> None:
    with pytest.raises(TypeError, match="a level from 1 to 10 or an engine, not 'stockfish'"):
        board(opponent="stockfish")


def test_without_the_extra_one_is_told_its_name() -> None:
    code = "import sys; sys.modules['anywidget'] = None\nfrom acedrex import widget"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "(anywidget is missing): in a checkout pip install '.[notebook]' brings it" in done.stderr.splitlines()[-1]


def test_it_says_what_it_is(board: Make) -> None:
    one = board("maasai")
    one.push("e6")
    assert repr(one) == "<widget of Maasai Chess, 12x12, after 1 move: Black to move>"
    assert one._repr_mimebundle_()[0]["text/plain"] == repr(one)


# Methods.


def test_moves_are_pushed_and_shown(board: Make) -> None:
    one = board("metamachy")
    made = one.push("Nd4", Move.from_uci("c11d9"))
    assert made == one.board.move_stack == [Move.from_uci("c2d4"), Move.from_uci("c11d9")]
    position = state(one)["_position"]
    assert position["fen"] == one.board.fen() and position["ply"] == 2 and position["last"] == ["c11", "d9"]
    assert [legal["move"] for legal in position["legal"]] == [move.uci() for move in one.board.legal_moves]
    assert one.pop() == made[1] and state(one)["_position"]["fen"] == one.board.fen()


def test_moves_are_pushed_all_or_none(board: Make) -> None:
    one = board("chess")
    with pytest.raises(acedrex.IllegalMoveError, match="Ke3"):
        one.push("e4", "e5", "Ke3")
    assert one.board.ply() == 0
    with pytest.raises(IndexError, match="no move to undo"):
        one.pop()


def test_a_whole_turn_is_pushed(board: Make) -> None:
    one = board("chieftain")
    assert len(one.push("Ccd3,Cnm3,Sg4,Sj4")) == 4
    assert one.board.turn is BLACK


def test_its_board_is_a_copy(board: Make) -> None:
    one = board("chess")
    one.board.push_san("e4")
    assert one.board.ply() == 0


def test_it_is_reset(board: Make) -> None:
    one = board("maasai", setup="UFDO-QKGL")
    start = one.board
    one.push("e6")
    one.arrows = ["e4e6"]
    one.reset()
    assert one.board == start and one.board.ply() == 0 and shown(one)["arrows"] == []
    one.reset("magi")
    assert state(one)["_game"]["files"] == 10 and state(one)["_position"]["fen"] == acedrex.Board("magi").fen()
    with pytest.raises(Error):
        one.reset(fen="nonsense")
    assert one.board == acedrex.Board("magi")


def test_it_is_turned_round_and_made_wider(board: Make) -> None:
    one = board("chess")
    assert shown(one)["orientation"] == "white" and shown(one)["size"] == 640
    assert shown(one)["pieces"] == "art"
    one.flipped, one.size, one.pieces = True, 300, "geometric"
    assert shown(one)["orientation"] == "black" and shown(one)["size"] == 300 and shown(one)["pieces"] == "geometric"
    tell(one, type="flip")
    assert not one.flipped and shown(one)["orientation"] == "white"
    assert board("chess", plays=BLACK, opponent=1).flipped


def test_arrows_are_written_as_people_like(board: Make) -> None:
    one = board("chess")
    e2, e4 = sorted(squares("e2 e4"))
    one.arrows = [Move.from_uci("e2e4"), "e2e4", ("e2", "e4"), (e2, e4, "gold"), ("e4", e4, "vermilion")]
    lapis = (e2, e4, "lapis")
    assert one.arrows == [lapis, lapis, lapis, (e2, e4, "gold"), (e4, e4, "vermilion")]
    assert shown(one)["arrows"][3] == {"from": "e2", "to": "e4", "colour": "gold", "faint": False}
    assert acedrex.svg.board(one.board, arrows=one.arrows).count("<polygon") > 0
    for wrong in ("e2", "end", ("e2",), ("e2", "e9"), ("e2", "e4", "pink"), (0, 300), 7):
        with pytest.raises((Error, TypeError)):
            one.arrows = [wrong]
    assert len(one.arrows) == 5


def test_whoever_wants_hears_of_moves(board: Make) -> None:
    one = board("chess")
    heard: list[Move] = []

    @one.on_move
    def hear(move: Move) -> None:
        heard.append(move)

    one.push("e4", "e5")
    make(one, "g1f3")
    assert heard == one.board.move_stack
    one.on_move(hear, remove=True)
    one.push("Nc6")
    assert len(heard) == 3


def test_what_a_hearer_raises_is_told_below_the_board(board: Make) -> None:
    one = board("chess")

    @one.on_move
    def count(move: Move) -> float:
        return 1 / 0

    make(one, "e2e4")
    assert one.board.ply() == 1
    assert shown(one)["status"] == "count failed: ZeroDivisionError: division by zero"


# Messages of the page.


def test_a_move_of_the_page_is_made(board: Make) -> None:
    one = board("chess")
    make(one, "e2e4")
    assert one.board.move_stack == [Move.from_uci("e2e4")]
    assert state(one)["_position"]["ply"] == 1 and refusals(one) == []


def test_moves_that_cannot_be_are_refused_with_the_reason(board: Make) -> None:
    one = board("chess")
    make(one, "e2e5")
    make(one, "e2e4", at=3)
    assert one.board.ply() == 0
    illegal, late = refusals(one)
    assert "the Pawn on e2 cannot go to e5" in illegal
    assert late == "the board has changed; look again"


def test_the_page_asks_what_was_typed(board: Make) -> None:
    one = board("chess")
    tell(one, type="typed", text="Nf3", id="view.1")
    tell(one, type="typed", text="Qh5", id="view.2")
    legal, illegal = custom(one)
    assert legal == {"type": "answer", "id": "view.1", "move": "g1f3", "why": None}
    assert (illegal["id"], illegal["move"]) == ("view.2", None) and "Qh5" in illegal["why"]
    assert one.board.ply() == 0


HOSTILE: list[object] = [
    None,
    "move",
    7,
    [],
    {},
    {"type": "move"},
    {"type": "move", "text": "e2e4"},
    {"type": "move", "text": "e2e4", "at": True},
    {"type": "move", "text": "e2e4", "at": -1},
    {"type": "move", "text": "e2e4", "at": 0.0},
    {"type": "move", "text": "e2e4", "at": 2**70},
    {"type": "move", "text": 7, "at": 0},
    {"type": "move", "text": None, "at": 0},
    {"type": "move", "text": "e" * 1_000_000, "at": 0},
    {"type": "move", "text": "e2e4", "at": 0, "more": 1},
    {"type": "move", "text": "", "at": 0},
    {"type": "move", "text": "e2e4\0", "at": 0},
    {"type": "move", "text": "a0p99=\N{GRINNING FACE}", "at": 0},
    {"type": "typed", "text": "e4", "at": 0},
    {"type": "undo", "at": 0},
    {"type": "back", "at": 0},
    {"type": ["move"], "text": "e2e4", "at": 0},
    {"type": "_play", "text": "e2e4", "at": 0},
    {"type": "close"},
    {"type": "reach", "text": "z99", "id": "1"},
    {"type": "reach", "text": "e2", "id": 1},
    {"type": "alone", "text": "e2", "id": "1"},
    {"type": "alone", "text": "? e2", "id": "1"},
    {"type": "alone", "text": "Q z99", "id": "1"},
    {"type": "arranged", "text": "QKGL", "id": "1"},
    {"type": "shuffle", "id": "1"},
    {"type": "setup", "text": "QKGL"},
]


def test_messages_have_one_shape() -> None:
    assert read({"type": "move", "text": "x" * 100, "at": 2**31}) is not None
    assert read({"type": "move", "text": "x" * 101, "at": 0}) is None
    for at in (True, -1, 2**31 + 1, 1.0, "1", None):
        assert read({"type": "move", "text": "x", "at": at}) is None


@pytest.mark.parametrize("content", HOSTILE, ids=lambda content: repr(content)[:60])
def test_nothing_of_the_page_is_trusted(board: Make, content: object) -> None:
    one = board("chess")
    say(one, {"method": "custom", "content": content})
    assert one.board.ply() == 0 and len(refusals(one)) == 1
    assert len(refusals(one)[0]) < 300
    make(one, "e2e4")
    assert one.board.ply() == 1


def test_the_page_sets_no_state(board: Make) -> None:
    one = board("chess")
    before = {name: getattr(one, name) for name in one.keys}
    told = len(wire(one).sent)
    wanted = {"_position": {}, "_game": {}, "_shown": {}, "_lines": {}, "_esm": "alert(1)", "flipped": True, "size": 1}
    say(one, {"method": "update", "state": wanted, "buffer_paths": []})
    assert {name: getattr(one, name) for name in one.keys} == before
    assert not one.flipped and one.size == 640 and len(wire(one).sent) == told


def test_the_page_asks_where_a_piece_goes(board: Make) -> None:
    one = board("maasai")
    tell(one, type="reach", text="f10", id="view.1")
    (answer,) = custom(one)
    (at,) = squares("f10")
    assert answer == {"type": "answer", "id": "view.1", "reach": plain.reaches(one.board, at)}
    assert [way["to"] for way in answer["reach"]] == ["f8"]
    tell(one, type="alone", text="R f10", id="view.2")
    alone = custom(one)[-1]["reach"]
    assert len({way["to"] for way in alone}) == 22


def test_the_page_asks_why_a_piece_has_no_move(board: Make) -> None:
    one = board("chess")
    tell(one, type="idle", text="a1", id="view.1")
    tell(one, type="idle", text="b1", id="view.2")
    assert custom(one) == [
        {
            "type": "answer",
            "id": "view.1",
            "reason": "This piece is blocked: there is no square that it can go to.",
        },
        {"type": "answer", "id": "view.2", "reason": None},
    ]
    tell(one, type="idle", text="z1", id="view.3")
    assert custom(one)[-1]["type"] == "refused"


def test_moves_of_a_turn_are_undone_one_by_one(board: Make) -> None:
    one = board("chieftain")
    for text in ("c1d3", "n1m3"):
        make(one, text)
    assert state(one)["_position"]["turn_moves"] == ["c1d3", "n1m3"]
    tell(one, type="undo", at=2)
    assert state(one)["_position"]["turn_moves"] == ["c1d3"] and one.board.turn is WHITE
    make(one, "end")
    assert one.board.turn is BLACK


def test_words_are_moves_too(board: Make) -> None:
    magi = acedrex.load("magi", scoring="four_points")
    one = board(magi, fen="4k5/10/10/10/10/10/10/10/10/N4K4 w - - 0 1")
    assert [legal["move"] for legal in state(one)["_position"]["legal"]] == ["claim", "playon"]
    make(one, "claim")
    assert one.board.is_game_over() and shown(one)["seat"] is None
    assert shown(one)["status"] == "White wins: bare king, 3-1."


def test_it_is_told_how_a_game_stands(board: Make) -> None:
    one = board("chess")
    one.push(*["Nf3", "Nf6", "Ng1", "Ng8"] * 2)
    assert shown(one)["status"] == "White to move. A draw can be claimed: threefold repetition."
    one.reset()
    one.push("e4", "f6", "Qh5+")
    assert shown(one)["status"] == "Black to move. Check."
    one.reset(fen="7k/8/6K1/8/8/5Q2/8/8 w - - 0 1")
    one.push("Qf7")
    assert shown(one)["status"] == "A draw: stalemate, 1/2-1/2." and shown(one)["seat"] is None


# Setups.


def test_a_setup_is_chosen_on_the_board(board: Make) -> None:
    one = board("maasai", setup="choose")
    assert shown(one)["setup"] == {"last": None} and shown(one)["seat"] is None
    assert state(one)["_game"]["setup"]["count"] == 288 and state(one)["_position"]["legal"] == []
    with pytest.raises(Error, match="the setup has not been chosen yet"):
        one.push("e6")
    with pytest.raises(Error, match="the setup has not been chosen yet"):
        one.pop()
    make(one, "e4e6")
    tell(one, type="arranged", text="UFDO-QKGL", id="1")
    tell(one, type="arranged", text="XXXX-QKGL", id="2")
    tell(one, type="shuffle", id="3")
    refused, right, wrong, other = custom(one)
    assert "not been chosen yet" in refused["text"]
    assert right == {"type": "answer", "id": "1", "name": "UFDO-QKGL", "number": 250, "problem": None}
    assert wrong["number"] is None and "XXXX-QKGL" in wrong["problem"]
    assert one.game.setups.number(other["name"]) == other["number"]
    tell(one, type="setup", text="XXXX-QKGL")
    assert "no setup" in refusals(one)[-1] and shown(one)["setup"] is not None
    tell(one, type="setup", text="UFDO-QKGL")
    assert one.board.setup_name() == "UFDO-QKGL" and shown(one)["setup"] is None and shown(one)["seat"] == "both"
    tell(one, type="setup", text="UFDO-QKGL")
    assert refusals(one)[-1] == "the setup has already been chosen"
    one.reset("maasai", setup="choose")
    assert shown(one)["setup"] == {"last": "UFDO-QKGL"}


def test_whom_black_is_played_by_arranges(board: Make) -> None:
    first = board("metamachy", setup="choose", opponent=1)
    assert shown(first)["setup"] is None and first.board.setup_name() is not None
    second = board("metamachy", setup="choose", opponent=1, plays=BLACK)
    assert shown(second)["setup"] is not None and second.board.ply() == 0
    tell(second, type="setup", text=second.game.setups[2])
    assert second.wait(20) and second.board.ply() == 1


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


def test_a_level_answers(board: Make) -> None:
    one = board("magi", opponent=2)
    assert shown(one)["seat"] == "white" and shown(one)["status"] == "White to move: your turn."
    heard: list[str] = []
    one.on_move(lambda move: heard.append(threading.current_thread().name))
    make(one, one.board.legal_moves[0].uci())
    assert one.wait(20) and one.board.ply() == 2
    assert heard[0] == threading.main_thread().name and heard[1] == "acedrex-widget"
    assert state(one)["_position"]["ply"] == 2 and shown(one)["seat"] == "white"


def test_waiting_is_for_those_who_hear_too(board: Make) -> None:
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


def test_an_engine_of_full_strength_answers_with_whole_turns(board: Make) -> None:
    with Engine(hash_mb=16) as engine:
        one = board("chieftain", opponent=engine, plays=BLACK, limit=QUICK)
        assert one.wait(20) and one.board.turn is BLACK and one.board.ply() > 1


def test_nobody_waits_for_an_opponent(board: Make) -> None:
    slow = Slow()
    one = board("chess", opponent=slow)
    one.push("e4")
    assert shown(one)["status"] == "Black is thinking…" and shown(one)["seat"] == "white"
    assert not one.wait(0.01)
    make(one, "e7e5")
    assert refusals(one) == ["it is not your turn"]
    slow.may.set()
    assert one.wait(20) and one.board.ply() == 2


def test_what_was_taken_back_is_not_answered(board: Make) -> None:
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


def test_take_back_goes_to_ones_own_turn(board: Make) -> None:
    one = board("chieftain", opponent=1)
    one.push("Ccd3,Cnm3,Sg4,Sj4")
    assert one.wait(20) and one.board.ply() > 4
    tell(one, type="back", at=one.board.ply())
    assert one.board.ply() == 0 and one.board.turn is WHITE and not shown(one)["back"]


@pytest.mark.parametrize("answer", ["e7e2", RuntimeError("out of order")])
def test_an_opponent_that_fails_is_told_and_played_for(board: Make, answer: str | Exception) -> None:
    slow = Slow(answer)
    slow.may.set()
    one = board("chess", opponent=slow)
    one.push("e4")
    assert one.wait(20) and one.board.ply() == 1
    assert shown(one)["status"].startswith("the opponent failed: ") and shown(one)["seat"] == "both"
    slow.answer = ""
    make(one, "e7e5")
    assert shown(one)["status"] == "White to move: your turn."


def test_a_closed_engine_is_told(board: Make) -> None:
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


def test_scores_are_those_that_white_sees(board: Make) -> None:
    one = board("chess", fen="7k/8/8/8/8/8/1q6/3K4 b - - 0 1")
    one.analyse(limit=Limit(depth=4), multipv=1)
    assert one.wait(20)
    assert state(one)["_lines"]["lines"][0]["score"].startswith(("\N{MINUS SIGN}", "#\N{MINUS SIGN}"))
    assert state(one)["_lines"]["chance"] < 0.2


def test_the_first_turn_of_a_line_is_drawn(board: Make) -> None:
    one = board("chieftain")
    one.analyse(limit=Limit(nodes=3000), multipv=1)
    assert one.wait(20)
    assert len(state(one)["_lines"]["lines"][0]["arrows"]) == 4


def test_analysis_goes_on_with_each_position(board: Make) -> None:
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


def test_lines_of_another_position_come_too_late(board: Make) -> None:
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


def test_opponents_do_not_analyse(board: Make) -> None:
    with Engine() as engine:
        one = board("chess", opponent=engine)
        with pytest.raises(Error, match="pass another engine"):
            one.analyse(engine)


def test_an_analysis_that_fails_is_told(board: Make) -> None:
    slow = Slow(RuntimeError("out of order"))
    slow.may.set()
    one = board("chess")
    one.analyse(slow)
    assert one.wait(20)
    assert shown(one)["status"] == "the analysis failed: RuntimeError: out of order"


def test_closing_ends_what_thinks(board: Make) -> None:
    one = board("chess", opponent=3)
    one.push("e4")
    one.analyse()
    one.close()
    threads_end()
