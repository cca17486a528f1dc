"""Null moves: they are for analysis, never legal, and not passes."""

from __future__ import annotations

import copy
import io
import pickle
from collections.abc import Callable

import pytest

import acedrex
from acedrex import Board, Engine, IllegalMoveError, Limit, Move, pgn
from acedrex.engine import client
from acedrex.engine.dialect import Dialect
from tests.conftest import Talk, played, snapshot, walk

NULL = Move.null()
TEXTS = ("0000", "--", "Z0", "@@@@")


def test_the_null_move_equals_only_itself() -> None:
    assert NULL == Move.null() == Move.from_uci("0000") == pickle.loads(pickle.dumps(NULL)) == eval(repr(NULL))
    assert hash(NULL) == hash(Move.null())
    assert (NULL.uci(), str(NULL), NULL.special, bool(NULL)) == ("0000", "0000", "null", False)
    assert (NULL.from_square, NULL.to_square, NULL.promotion) == (0, 0, None)
    assert Move(0, 0) != NULL
    assert all(bool(Move.from_uci(text)) for text in ("a1a1", "e2e4", "end", "claim", "playon"))


@pytest.mark.parametrize("game", acedrex.games())
def test_a_null_move_is_never_legal_but_can_be_pushed_to_skip_a_turn(game: str) -> None:
    for board in walk(game, 30):
        assert (board.is_legal(NULL), NULL in board.legal_moves, NULL in board.pseudo_legal_moves) == (False,) * 3
        snapped = snapshot(board)
        if board.is_check() or board.turn_moves:
            with pytest.raises(IllegalMoveError, match=r"in check|the turn has already started"):
                board.push(NULL)
            assert snapshot(board) == snapped
            continue
        assert (board.san(NULL), board.lan(NULL), board.uci(NULL), board.turn_san([NULL])) == ("--", "--", "0000", "--")
        info = board.move_info(NULL)
        assert (info.captured, info.reach, info.gives_check, info.ends_turn) == (None, None, False, True)
        kinds = (board.is_capture(NULL), board.is_castling(NULL), board.is_en_passant(NULL), board.is_zeroing(NULL))
        assert kinds == (False,) * 4
        fields, turn = board.fen().split(), board.turn
        board.push(NULL)
        after = board.fen().split()
        assert (after[0], board.turn, after[3], int(after[4])) == (fields[0], not turn, "-", int(fields[4]) + 1)
        assert int(after[5]) == int(fields[5]) + (not turn)
        assert board.peek() == NULL
        for other in (board.copy(), copy.deepcopy(board), pickle.loads(pickle.dumps(board))):
            assert snapshot(other) == snapshot(board)
        assert board.pop() == NULL
        assert snapshot(board) == snapped


@pytest.mark.parametrize(
    ("board", "why"),
    [
        (played("chess", "e2e4 f7f6 d1h5"), "Black is in check"),
        (played("chieftain", "a4a5"), "the turn has already started"),
        (played("marseillais", "e2e4"), "the turn has already started"),
        (Board("magi", "10/10/10/4k5/10/6N3/10/10/4K5/10 w - - 7 61", scoring="four_points"), "claim or playon"),
        (
            played("magi:scoring=four_points", "playon", "10/10/10/4k5/10/6N3/10/10/4K5/10 w - - 7 61"),
            "has already started",
        ),
        (Board("chieftain", "16/16/16/16/16/16/16/16/16/16/16/1C14 b - - 0 1"), "the game is over"),
    ],
    ids=["check", "turn", "second move", "claim", "played on", "over"],
)
def test_an_impossible_null_move_is_refused_with_the_reason(board: Board, why: str) -> None:
    snapped = snapshot(board)
    for act in (board.push, board.san, board.move_info, board.is_zeroing):
        with pytest.raises(IllegalMoveError, match=why):
            act(NULL)
    assert snapshot(board) == snapped


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("method", ["push_uci", "push_san", "push_turn", "parse_uci", "parse_san", "parse_turn"])
@pytest.mark.parametrize("game", ["chess", "chieftain:pass=on"])
def test_text_from_players_never_makes_a_null_move(game: str, method: str, text: str) -> None:
    """These methods read what people and programs send, so a null move would allow cheating. Nor is it a pass."""
    board = Board(game)
    with pytest.raises(acedrex.Error):
        getattr(board, method)(text)
    assert board.ply() == 0


def test_a_null_move_is_not_a_pass_where_passing_is_legal() -> None:
    board = Board("chieftain", **{"pass": "on"})
    for _ in range(4):
        board.push(NULL)
    assert (board.outcome(), board.rights) == (None, "-")
    board.push_san("pass")
    board.push(NULL)
    board.push_san("pass")
    assert board.outcome() is None
    board.push_san("pass")
    assert board.outcome() is not None
    assert [board.copy(stack=False).rights, played("chieftain:pass=on", "end").rights] == ["p", "p"]


def test_a_null_move_clears_the_en_passant_square() -> None:
    board = Board("chess", "4k3/8/8/8/2pP4/8/8/4K3 b - d3 0 1")
    assert board.ep_square == acedrex.parse_square("d3")
    board.push(NULL)
    board.push(NULL)
    assert board.ep_square is None


@pytest.mark.parametrize("text", TEXTS)
def test_pgn_can_contain_null_moves(text: str) -> None:
    game = pgn.read_game(io.StringIO(f"1. e4 {text} 2. d4 (2. {text} e5) 2... d5 *"))
    assert game is not None
    assert game.errors == []
    assert [node.uci() for node in game.mainline()] == ["e2e4", "0000", "d2d4", "d7d5"]
    assert game.export(headers=False) == "1. e4 -- 2. d4 ( 2. -- e5 ) 2... d5 *".replace("( ", "(").replace(" )", ")")
    assert str(pgn.Game.from_board(game.end().board())).endswith("1. e4 -- 2. d4 d5 *")
    node = game.add_variation("d4").add_variation(NULL)
    assert (node.san(), node.moves, node.board().turn) == ("--", [NULL], True)
    wrong = pgn.read_game(io.StringIO(f"1. e4 f6 2. Qh5+ {text} *"))
    assert wrong is not None
    [error] = wrong.errors
    assert (error.line, "Black is in check" in error.message) == (1, True)


def test_other_programs_receive_the_position_after_a_null_move() -> None:
    board = played("chess", "e2e4 e7e5")
    board.push(NULL)
    behind = board.fen()
    assert client._position(board, Dialect("chess")) == [behind]
    board.push_san("Nf6")
    assert client._position(board, Dialect("chess")) == [behind, "moves", "g8f6"]


def test_the_engine_searches_after_a_null_move(talk: Callable[..., Talk]) -> None:
    board = played("chess", "e2e4 e7e5")
    board.push(NULL)
    with Engine(hash_mb=16) as engine:
        assert engine.play(board, Limit(depth=2)).move in board.legal_moves
    uci = talk("uci")
    uci.say("position startpos moves e2e4 0000 d2d4", "d")
    assert any(line.startswith("Fen: ") and " b " in line for line in uci.hear("Key: .*"))
    uci.say("position startpos moves e2e4 f7f6 d1h5 0000", "isready")
    assert any("Black is in check" in line for line in uci.hear("readyok"))
