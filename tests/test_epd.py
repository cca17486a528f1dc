"""EPD: positions with operations, and suites of them."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest

import acedrex
from acedrex import Board, Error, IllegalMoveError, InvalidFenError, Move, epd
from benches.tactics import epd_suite
from tests.conftest import played, snapshot, walk

ROOKS = "4k3/8/8/8/8/8/8/R3K2R w KQ -"


@pytest.mark.parametrize("game", acedrex.games())
def test_positions_round_trip(game: str) -> None:
    for board in walk(game, 40):
        if board.turn_moves:
            with pytest.raises(Error, match="unfinished turn"):
                board.epd()
            continue
        text = board.epd(hmvc=board.halfmove_clock, fmvn=board.fullmove_number)
        assert text.split()[:4] == board.epd().split() == board.fen().split()[:4]
        other, operations = Board.from_epd(text, game)
        assert (other.fen(), operations) == (
            *(board.fen(), {"hmvc": board.halfmove_clock, "fmvn": board.fullmove_number}),
        )
        again = Board.empty(game)
        again.set_epd(board.epd())
        assert again.fen().split() == [*board.fen().split()[:4], "0", "1"]


def test_operations_round_trip() -> None:
    board = Board("chess", f"{ROOKS} 0 1")
    check, castling, step = (board.parse_san(san) for san in ("Ra8+", "O-O", "Kd2"))
    said: dict[str, Any] = {
        "bm": [check, castling],
        "am": [],
        "pv": [check, Move.from_uci("e8f7"), castling],
        "sm": step,
        "id": 'a "b"\\ c;\td\r\ne',
        "acd": -12,
        "ce": 1.5,
        "draw_offer": None,
    }
    text = board.epd(**said)
    assert text.isprintable()
    assert text.startswith(f'{ROOKS} bm O-O Ra8+; am; pv Ra8+ Kf7 O-O+; sm Kd2; id "a \\"b\\"\\\\ c;')
    other, operations = Board.from_epd(text)
    operations["bm"] = sorted(operations["bm"], key=[check, castling].index)  # type: ignore[arg-type]
    assert operations == said
    assert other == board


def test_a_position_with_best_moves_and_moves_to_avoid_asks_for_both() -> None:
    board, operations = Board.from_epd(f"{ROOKS} bm Ra8+ Kd2; am Kd2;")
    entry = epd.Entry(board, operations, 1)
    solved = [entry.is_solved_by(board.parse_san(san)) for san in ("Ra8+", "Kd2", "O-O")]
    assert solved == [True, False, False]


@pytest.mark.parametrize(
    ("text", "operations"),
    [
        ("", {}),
        (";", {}),
        (" ; ;", {}),
        ("- ", {}),
        ("- acd 3", {"acd": 3}),
        ("acd 3", {"acd": 3}),
        ("  acd  3 ;", {"acd": 3}),
        ("bm ; pv;am", {"bm": [], "pv": [], "am": []}),
        ("noop;resign ;", {"noop": None, "resign": None}),
        ('id "one"; id "two"', {"id": "two"}),
        ('id "one" acd 4;', {"id": "one", "acd": 4}),
        ('id "open', {"id": "open"}),
        ("ce +3;w -0.5;v 1e3", {"ce": 3, "w": -0.5, "v": 1000.0}),
        ("bm 0-0", {"bm": [Move.from_uci("e1g1")]}),
        ("pv -- e8d8 a1a8#", {"pv": [Move.null(), Move.from_uci("e8d8"), Move.from_uci("a1a8")]}),
        ("sm Ra8", {"sm": Move.from_uci("a1a8")}),
        ("bm Ra8+!", {"bm": [Move.from_uci("a1a8")]}),
    ],
)
def test_operations_are_read_in_every_common_form(text: str, operations: dict[str, object]) -> None:
    assert Board.from_epd(f"{ROOKS} {text}")[1] == operations


BAD = [
    (f"{ROOKS} bm Ra9;", Error, "EPD, bm"),
    (f"{ROOKS} bm Kd3;", IllegalMoveError, "EPD, bm: Kd3 is not legal"),
    (f"{ROOKS} pv Ra8+ Ra7;", IllegalMoveError, "EPD, pv"),
    (f"{ROOKS} pv Ra8+ --;", IllegalMoveError, "in check"),
    (f"{ROOKS} 0 1;", Error, "'0' is not an operation"),
    (f"{ROOKS} acd 1x;", Error, "not a number"),
    (f"{ROOKS} ce 1e999;", Error, "not a number"),
    (f"{ROOKS} hmvc -1;", InvalidFenError, "quiet moves"),
    (f'{ROOKS} fmvn "x";', InvalidFenError, "move number"),
    ("8/8 w - - bm Ra8;", InvalidFenError, "placement"),
    ("4k3/8 w", InvalidFenError, "fields"),
    ("", InvalidFenError, "fields"),
]


@pytest.mark.parametrize(("text", "error", "why"), BAD)
def test_invalid_epd_is_refused_with_a_reason_and_leaves_the_board_unchanged(
    text: str, error: type[Error], why: str
) -> None:
    board = played("chess", "e2e4 e7e5")
    snapped = snapshot(board)
    with pytest.raises(error, match=why):
        board.set_epd(text)
    assert snapshot(board) == snapped
    with pytest.raises(error, match=why):
        Board.from_epd(text)


def test_invalid_operations_are_refused_with_a_reason() -> None:
    board = Board("chess")
    legal = board.parse_san("e4")
    wrong: list[tuple[dict[str, Any], str]] = [
        ({"ce": float("nan")}, "not a number"),
        ({"ce": float("inf")}, "not a number"),
        ({"two words": 1}, "not an operation"),
        ({"-": None}, "not an operation"),
        ({"id": [legal]}, "take several moves"),
        ({"x": True}, "EPD, x: True is not an operand"),
        ({"x": b"x"}, "EPD, x: b'x' is not an operand"),
        ({"x": 10**5000}, "EPD, x: the number has too many digits"),
        ({"bm": 5}, "EPD, bm: 5 is not a Move"),
        ({"bm": ["e4"]}, "EPD, bm: 'e4' is not a Move"),
        ({"pv": [legal, None]}, "EPD, pv: None is not a Move"),
        ({"bm": [Move.from_uci("e2e5")]}, "not legal"),
        ({"pv": [legal, legal]}, "not legal"),
    ]
    for operations, why in wrong:
        with pytest.raises(Error, match=why):
            board.epd(**operations)


def test_epd_works_in_other_games() -> None:
    start = Board("chieftain").epd()
    board, operations = Board.from_epd(f"{start} pv a4a5,p4p5 end Ma8 end; bm Ma5;", "chieftain")
    assert [move.uci() for move in operations["pv"]] == ["a4a5", "p4p5", "end", "a9a8", "end"]  # type: ignore[union-attr]
    assert board.game.id == "chieftain"
    points, _ = Board.from_epd(Board("magi").epd(), "magi", scoring="four_points")
    assert points.game.spec == "magi:scoring=four_points"


SUITE = f"""# A suite.
{ROOKS} bm Ra8+ Rh8+; id "both";

{ROOKS} am Kd1; id "not that";
{ROOKS} id "anything";
"""


def test_suites_are_read_line_by_line(tmp_path: Path) -> None:
    entries = list(epd.read(io.StringIO(SUITE)))
    assert [(entry.line, entry.operations["id"]) for entry in entries] == [
        (2, "both"),
        (4, "not that"),
        (5, "anything"),
    ]
    told = {
        san: [entry.is_solved_by(entry.board.parse_san(san)) for entry in entries] for san in ("Ra8+", "Kd1", "Rf1")
    }
    assert told == {"Ra8+": [True, True, True], "Kd1": [False, False, True], "Rf1": [False, True, True]}
    path = tmp_path / "suite.epd"
    path.write_text(SUITE, encoding="utf-8")
    puzzles = epd_suite(path, "chess")
    assert [puzzle.solutions for puzzle in puzzles[:1]] == [["a1a8", "h1h8"]]
    assert puzzles[0].is_solved_by([Move.from_uci("h1h8")])
    assert not puzzles[1].is_solved_by([Move.from_uci("e1d1")])
    read = epd.read(iter([f"{ROOKS}\n", "nonsense\n"]))
    assert next(read).operations == {}
    with pytest.raises(InvalidFenError, match="line 2: "):
        next(read)
    with pytest.raises(acedrex.DefinitionError):
        next(epd.read(["x"], "nowhere"))
