"""Hand-built cases, each with the sentence of the rules that it checks."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import acedrex

FOLDER = Path(__file__).parent / "data" / "cases"


def cases() -> list[Any]:
    """Every case of every file, named after both."""
    found = []
    for path in sorted(FOLDER.glob("*.json")):
        data = json.loads(path.read_text())
        for case in data["cases"]:
            found.append(pytest.param(case, id=f"{path.stem}: {case['name']}"))
    return found


def board_of(case: dict[str, Any]) -> acedrex.Board:
    spec = f"{case['game']}:{case.get('options', '')}"
    if "setup" in case:
        board = acedrex.Board(spec, setup=case["setup"])
        assert board.fen() == case["fen"]
        return board
    board = acedrex.Board(spec, fen=case.get("fen"))
    for move in case.get("plies", []):
        board.push_uci(move)
    return board


@pytest.mark.parametrize("case", cases())
def test_every_case_in_the_data_files_holds(case: dict[str, Any]) -> None:
    if case.get("error"):
        with pytest.raises(acedrex.InvalidFenError):
            board_of(case)
        return
    board = board_of(case)
    legal = sorted(move.uci() for move in board.legal_moves)
    assert len(board.legal_moves) == board.copy().legal_moves.count()
    if "legal" in case:
        assert legal == sorted(case["legal"])
    assert set(case.get("includes", [])) <= set(legal)
    assert not set(case.get("excludes", [])) & set(legal)
    if "check" in case:
        assert board.is_check() == case["check"]
    for move, gives_check in case.get("gives_check", {}).items():
        assert board.gives_check(acedrex.Move.from_uci(move)) == gives_check, move
    for move, san in case.get("san", {}).items():
        moves = board.parse_turn(move) if "," in move else [acedrex.Move.from_uci(move)]
        assert board.turn_san(moves) == san, move
        assert board.parse_turn(san)[: len(moves)] == moves if "," in san else board.parse_san(san) == moves[0]
    if "fen_after" in case:
        assert board.fen() == case["fen_after"]
    if "number" in case:
        assert board.game.setups.number(case["setup"]) == case["number"]
        assert board.setup_name() == case["setup"]
    if "claimable" in case:
        assert sorted(board.claimable()) == sorted(case["claimable"])
    if "outcome" in case and case["outcome"] is None:
        assert board.outcome() is None
    elif "outcome" in case:
        wanted = case["outcome"]
        outcome = board.outcome(claim_draw=wanted["reason"] in {"threefold_repetition", "fifty_moves"})
        if wanted["reason"] == "agreement":
            outcome = board.agreement()
        elif "loser" in case.get("by", {}):
            outcome = board.forfeit(acedrex.Termination(wanted["reason"]), case["by"]["loser"] == "w")
        assert outcome is not None
        assert outcome.termination.value == wanted["reason"]
        assert (outcome.result(), outcome.score) == (wanted["result"], wanted["score"])
