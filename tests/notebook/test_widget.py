"""The widget without a page: how it is created, and its methods."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest

import acedrex
import acedrex.svg
from acedrex import BLACK, Error, Move, plain
from acedrex.widget import Board
from tests.conftest import squares
from tests.notebook.host import make, shown, state, tell

Make = Callable[..., Board]


# Creation.


def test_a_widget_can_be_created_from_an_id_a_game_or_a_board(board: Make) -> None:
    given = acedrex.Board("magi")
    given.push_san("Nc3")
    for start in ("magi", acedrex.load("magi"), given):
        one = board(start)
        assert one.game == acedrex.load("magi")
        assert state(one)["_game"]["piece_types"] == plain.piece_types(one.game)
    assert one.board == given and one.board.move_stack == given.move_stack
    one.push(one.board.legal_moves[0])
    assert given.ply() == 1


def test_a_widget_accepts_a_position_or_a_setup(board: Make) -> None:
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
def test_impossible_settings_are_refused_with_the_reason(board: Make, settings: dict[str, Any], reason: str) -> None:
    with pytest.raises(Error, match=reason):
        board(**settings)


def test_an_opponent_must_be_a_level_or_an_engine(board: Make) -> None:
    with pytest.raises(TypeError, match="a level from 1 to 10 or an engine, not 'stockfish'"):
        board(opponent="stockfish")


def test_the_error_without_anywidget_names_the_missing_extra() -> None:
    code = "import sys; sys.modules['anywidget'] = None\nfrom acedrex import widget"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "(anywidget is missing): in a checkout pip install '.[notebook]' brings it" in done.stderr.splitlines()[-1]


def test_the_repr_describes_the_widget(board: Make) -> None:
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


def test_either_all_moves_are_pushed_or_none(board: Make) -> None:
    one = board("chess")
    with pytest.raises(acedrex.IllegalMoveError, match="Ke3"):
        one.push("e4", "e5", "Ke3")
    assert one.board.ply() == 0
    with pytest.raises(IndexError, match="no move to undo"):
        one.pop()


def test_a_whole_turn_can_be_pushed(board: Make) -> None:
    one = board("chieftain")
    assert len(one.push("Ccd3,Cnm3,Sg4,Sj4")) == 4
    assert one.board.turn is BLACK


def test_the_board_of_a_widget_is_a_copy(board: Make) -> None:
    one = board("chess")
    one.board.push_san("e4")
    assert one.board.ply() == 0


def test_a_widget_can_be_reset(board: Make) -> None:
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


def test_a_widget_can_be_flipped_and_resized(board: Make) -> None:
    one = board("chess")
    assert shown(one)["orientation"] == "white" and shown(one)["size"] == 640
    assert shown(one)["pieces"] == "art"
    one.flipped, one.size, one.pieces = True, 300, "geometric"
    assert shown(one)["orientation"] == "black" and shown(one)["size"] == 300 and shown(one)["pieces"] == "geometric"
    tell(one, type="flip")
    assert not one.flipped and shown(one)["orientation"] == "white"
    assert board("chess", plays=BLACK, opponent=1).flipped


def test_arrows_are_accepted_in_several_forms(board: Make) -> None:
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


def test_callbacks_are_called_for_every_move(board: Make) -> None:
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


def test_an_error_in_a_callback_is_shown_below_the_board(board: Make) -> None:
    one = board("chess")

    @one.on_move
    def count(move: Move) -> float:
        return 1 / 0

    make(one, "e2e4")
    assert one.board.ply() == 1
    assert shown(one)["status"] == "count failed: ZeroDivisionError: division by zero"
