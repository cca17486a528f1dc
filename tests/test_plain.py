"""Positions as plain data: what the core returns agrees with the board's methods."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest

import acedrex
from acedrex import Board, Move, plain, square_name
from acedrex.board import MoveInfo

SPECS = [*acedrex.games(), "marseillais:balanced=on", "chieftain:pass=on,bent=on", "magi:classic_ep=on"]


def way(origin: int, to: int) -> dict[str, str]:
    return {"from": square_name(origin), "to": square_name(to)}


def reach(info: MoveInfo) -> dict[str, Any] | None:
    if info.reach is None:
        return None
    mount = info.reach.mount
    return {
        "to": square_name(info.reach.to),
        "kind": info.reach.kind,
        "mount": None if mount is None else square_name(mount),
        "path": [square_name(at) for at in info.reach.path],
        "legs": [square_name(at) for at in info.reach.legs],
    }


def legal_move(board: Board, move: Move) -> dict[str, Any]:
    info = board.move_info(move)
    word = move.special is not None
    return {
        "move": move.uci(),
        "from": None if word else square_name(move.from_square),
        "to": None if word else square_name(move.to_square),
        "promotion": move.promotion,
        "reach": reach(info),
        "kind": info.reach.kind if info.reach else "move" if info.captured is None else "capture",
        "captured_on": None if info.captured_on is None else square_name(info.captured_on),
        "partner": None if info.partner is None else way(*info.partner),
        "check": info.gives_check,
        "ends_turn": info.ends_turn,
    }


def placement(board: Board) -> str:
    """Return the pieces like the first field of a FEN, but for the current position even in mid-turn."""
    ranks = []
    for rank in reversed(range(board.game.ranks)):
        places = [acedrex.square(file, rank) for file in range(board.game.files)]
        row = "".join(str(board.piece_at(at) or " ") if at in board.game.squares else "*" for at in places)
        ranks.append(re.sub(" +", lambda run: str(len(run[0])), row))
    return "/".join(ranks)


@pytest.mark.parametrize("spec", SPECS)
def test_plain_positions_agree_with_the_board(spec: str) -> None:
    board, chance = Board(spec), random.Random(spec)
    moved: list[str] = []
    last_turn: list[dict[str, Any]] = []
    for _ in range(150):
        told = plain.position(board, ["a1", "b2"], legal=True)
        king = board.king(board.turn)
        legal = [] if board.is_game_over() else [legal_move(board, move) for move in board.legal_moves]
        assert told == {
            "fen": board.fen(),
            "turn": "white" if board.turn else "black",
            "ply": board.ply(),
            "pieces": [
                {"square": square_name(at), "letter": piece.letter, "side": plain.side(piece.color)}
                for at, piece in board.piece_map().items()
            ],
            "turn_moves": [move.uci() for move in board.turn_moves],
            "moves_left": board.moves_left,
            "moved": moved,
            "in_command": plain.names(board.movable()) if board.game.turns_of_several_moves else None,
            "commanders": told["commanders"],
            "last_turn": last_turn if board.game.turns_of_several_moves else [],
            "check": [square_name(king)] if king is not None and board.is_check() else [],
            "legal": legal,
            "last": ["a1", "b2"],
            "claimable": board.claimable(),
        }
        assert plain.position(board, ["a1", "b2"], legal=False) == {**told, "legal": []}
        if not legal:
            break
        move = chance.choice(board.legal_moves)
        turn = board.turn
        if not board.turn_moves:
            last_turn = []
        if move.special is None:
            last_turn.append({"path": plain.move_path(board, move), "before": placement(board)})
        board.push(move)
        if board.turn != turn:
            moved = []
        elif move.special is None:
            origin = square_name(move.from_square)
            moved = [*(name for name in moved if name != origin), square_name(move.to_square)]


def commanders(board: Board) -> dict[str, list[str]]:
    return {each["square"]: each["by"] for each in plain.position(board, [], legal=False)["commanders"]}


def test_a_chieftain_can_command_until_it_has_certainly_been_used() -> None:
    board = Board("chieftain")
    told = commanders(board)
    assert told.keys() == {square_name(at) for at in board.movable()}
    assert (told["a4"], told["d1"], told["f1"]) == (["c1"], ["c1", "f1"], ["c1", "f1"])
    # One of the two commanded the Man on d4, but it is not decided which.
    board.push_uci("d4d5")
    assert (commanders(board)["a4"], commanders(board)["d1"]) == (["c1"], ["c1", "f1"])
    # Now it is certain: the one on c1 commanded this move, and the one on f1 the other.
    board.push_uci("a4a5")
    assert not commanders(board).keys() & {"c1", "d1", "f1"}
    assert commanders(Board("marseillais")) == {}


def test_the_last_turn_can_be_derived_from_a_mid_turn_fen() -> None:
    board = Board("chieftain")
    for text in ("d4d5", "a4a5", "end"):
        middle = Board("chieftain", board.fen())
        board.push_uci(text)
    middle.push_uci("end")
    told = plain.position(middle, [], legal=False)["last_turn"]
    assert told == plain.position(board, [], legal=False)["last_turn"]
    assert [move["path"] for move in told] == [["d4", "d5"], ["a4", "a5"]]


def premoves(board: Board, at: int) -> dict[str, str]:
    """Return where a piece might go after the opponent's next move, and how, computed with ordinary boards."""
    piece = board.piece_at(at)
    assert piece is not None
    found = {each["to"]: each["kind"] for each in plain.reaches(board, at)}
    captured = board.copy()
    captured.turn = piece.color
    for move in captured.legal_moves:
        if move.special is None and move.from_square == at:
            found.setdefault(square_name(move.to_square), "move")
    for place, other in board.piece_map().items():
        if place != at and other.color == piece.color:
            captured.set_piece_at(place, acedrex.Piece(other.letter, not piece.color))
    crowded = captured.copy()
    for place in board.game.squares:
        if not crowded.piece_at(place):
            crowded.set_piece_at(place, acedrex.Piece(piece.letter, not piece.color))
    for hypothetical in (captured, crowded):
        for each in plain.reaches(hypothetical, at):
            if each["kind"] != "move":
                found.setdefault(each["to"], each["kind"])
    return found


@pytest.mark.parametrize("spec", SPECS)
def test_premoves_are_the_moves_that_the_opponents_next_move_could_allow(spec: str) -> None:
    board, chance = Board(spec), random.Random(spec)
    for _ in range(8):
        for _ in range(7):
            if board.is_game_over():
                return
            board.push(chance.choice(board.legal_moves))
        for at in chance.sample(sorted(board.piece_map()), min(10, len(board.piece_map()))):
            told = plain.premoves(board, at)
            assert {each["to"]: each["kind"] for each in told} == premoves(board, at), (board.fen(), square_name(at))
            assert len({each["to"] for each in told}) == len(told)
