"""The widget without a page: messages from pages, and setups chosen on the board."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import acedrex
from acedrex import BLACK, WHITE, Error, Move, plain
from acedrex.widget import Board
from acedrex.widget.messages import read
from tests.conftest import squares
from tests.notebook.host import custom, make, refusals, say, shown, state, tell, wire

Make = Callable[..., Board]


# Messages from the page.


def test_a_move_from_the_page_is_made(board: Make) -> None:
    one = board("chess")
    make(one, "e2e4")
    assert one.board.move_stack == [Move.from_uci("e2e4")]
    assert state(one)["_position"]["ply"] == 1 and refusals(one) == []


def test_illegal_and_outdated_moves_are_refused_with_the_reason(board: Make) -> None:
    one = board("chess")
    make(one, "e2e5")
    make(one, "e2e4", at=3)
    assert one.board.ply() == 0
    illegal, late = refusals(one)
    assert "the Pawn on e2 cannot go to e5" in illegal
    assert late == "the board has changed; look again"


def test_typed_moves_are_parsed_for_the_page(board: Make) -> None:
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


def test_messages_must_have_valid_fields() -> None:
    assert read({"type": "move", "text": "x" * 100, "at": 2**31}) is not None
    assert read({"type": "move", "text": "x" * 101, "at": 0}) is None
    for at in (True, -1, 2**31 + 1, 1.0, "1", None):
        assert read({"type": "move", "text": "x", "at": at}) is None


@pytest.mark.parametrize("content", HOSTILE, ids=lambda content: repr(content)[:60])
def test_hostile_messages_from_the_page_are_refused(board: Make, content: object) -> None:
    one = board("chess")
    say(one, {"method": "custom", "content": content})
    assert one.board.ply() == 0 and len(refusals(one)) == 1
    assert len(refusals(one)[0]) < 300
    make(one, "e2e4")
    assert one.board.ply() == 1


def test_the_page_cannot_set_the_state(board: Make) -> None:
    one = board("chess")
    before = {name: getattr(one, name) for name in one.keys}
    told = len(wire(one).sent)
    wanted = {"_position": {}, "_game": {}, "_shown": {}, "_lines": {}, "_esm": "alert(1)", "flipped": True, "size": 1}
    say(one, {"method": "update", "state": wanted, "buffer_paths": []})
    assert {name: getattr(one, name) for name in one.keys} == before
    assert not one.flipped and one.size == 640 and len(wire(one).sent) == told


def test_the_page_can_ask_where_a_piece_goes(board: Make) -> None:
    one = board("maasai")
    tell(one, type="reach", text="f10", id="view.1")
    (answer,) = custom(one)
    (at,) = squares("f10")
    assert answer == {"type": "answer", "id": "view.1", "reach": plain.reaches(one.board, at)}
    assert [way["to"] for way in answer["reach"]] == ["f8"]
    tell(one, type="alone", text="R f10", id="view.2")
    alone = custom(one)[-1]["reach"]
    assert len({way["to"] for way in alone}) == 22


def test_the_page_can_ask_why_a_piece_has_no_moves(board: Make) -> None:
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


def test_special_moves_can_be_made_from_the_page(board: Make) -> None:
    magi = acedrex.load("magi", scoring="four_points")
    one = board(magi, fen="4k5/10/10/10/10/10/10/10/10/N4K4 w - - 0 1")
    assert [legal["move"] for legal in state(one)["_position"]["legal"]] == ["claim", "playon"]
    make(one, "claim")
    assert one.board.is_game_over() and shown(one)["seat"] is None
    assert shown(one)["status"] == "Bare King. White wins (3-1)."


def test_the_status_describes_the_state_of_the_game(board: Make) -> None:
    one = board("chess")
    one.push(*["Nf3", "Nf6", "Ng1", "Ng8"] * 2)
    assert shown(one)["status"] == "White to move. A draw can be claimed: threefold repetition."
    one.reset()
    one.push("e4", "f6", "Qh5+")
    assert shown(one)["status"] == "Black to move. Check."
    one.reset(fen="7k/8/6K1/8/8/5Q2/8/8 w - - 0 1")
    one.push("Qf7")
    assert shown(one)["status"] == "Draw: stalemate." and shown(one)["seat"] is None


# Setups.


def test_a_setup_can_be_chosen_on_the_board(board: Make) -> None:
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


def test_whoever_plays_black_chooses_the_setup(board: Make) -> None:
    first = board("metamachy", setup="choose", opponent=1)
    assert shown(first)["setup"] is None and first.board.setup_name() is not None
    second = board("metamachy", setup="choose", opponent=1, plays=BLACK)
    assert shown(second)["setup"] is not None and second.board.ply() == 0
    tell(second, type="setup", text=second.game.setups[2])
    assert second.wait(20) and second.board.ply() == 1
