"""Names that both libraries have mean the same: python-chess is asked about the same chess positions."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from acedrex import BLACK, WHITE, Board, Move, SquareSet, square_name
from tests.test_docs import DOCS, files
from tests.witness.peer_suite import FOLDER

ROOT = Path(__file__).parents[1]
PYTHON = ROOT / "benches" / "rivals" / ".venv" / "bin" / "python"
#: Positions that random games rarely reach.
RARE = [
    "r3k2r/8/8/8/2pP4/8/8/R3K2R b KQkq d3 0 1",
    "8/8/8/K2pP2r/8/8/8/4k3 w - d6 0 1",
    "4k3/8/8/8/8/8/8/N3K3 w - - 0 1",
    "4kb2/8/8/8/8/8/8/B3K3 w - - 0 1",
    "4k3/4r3/8/b7/8/2N5/3BP3/r2NK3 w - - 0 1",
    "4k3/P7/8/8/8/8/p7/4K3 w - - 99 80",
]


def names(squares: Iterable[int]) -> list[str]:
    return sorted(square_name(square) for square in squares)


def positions() -> Iterator[str]:
    yield from RARE
    for seed in range(8):
        chance, board = random.Random(seed), Board("chess")
        for number in range(120):
            if board.is_game_over():
                break
            if number % 3 == 0:
                yield board.fen()
            board.push(chance.choice(list(board.legal_moves)))


def answer(fen: str) -> dict[str, Any]:
    board = Board("chess", fen)
    told: dict[str, Any] = {
        "epd": board.epd(),
        "captures": sorted(move.uci() for move in board.generate_legal_captures()),
        "passing": sorted(move.uci() for move in board.generate_legal_ep()),
        "castling": sorted(move.uci() for move in board.generate_castling_moves()),
        "pseudo": sorted(move.uci() for move in board.pseudo_legal_moves if move.to_square not in board.ep_squares),
        "ep": board.ep_square is not None and square_name(board.ep_square),
        "checkers": names(board.checkers()),
        "moves": {},
        "pinned": {},
        "attacks": {square_name(square): names(board.attacks(square)) for square in board.piece_map()},
    }
    king = board.king(board.turn)
    assert king is not None
    unblocked = SquareSet(board.piece_map()) - [king]
    told["attackers"] = [
        [names(board.attackers(color, square, occupied)) for color in (WHITE, BLACK) for square in board.game.squares]
        for occupied in (None, unblocked, [king])
    ]
    told["attacked"] = [board.is_attacked_by(not board.turn, square, unblocked) for square in board.game.squares]
    told["drawing"] = [line[3:] for line in board.unicode(empty_square="_").splitlines()[:-1]]
    for move in board.legal_moves:
        kinds = (board.is_zeroing(move), board.is_irreversible(move), board.is_kingside_castling(move))
        told["moves"][move.uci()] = [board.san(move), board.lan(move), *kinds, board.is_queenside_castling(move)]
    for square, piece in board.piece_map().items():
        if board.is_pinned(piece.color, square):
            own = [at for at, other in board.piece_map().items() if other.color == piece.color]
            free = board.pin(piece.color, square) & board.attacks(square) - own
            told["pinned"][square_name(square)] = names(free)
    if not board.is_check():
        board.push(Move.null())
        told["null"] = board.fen()
    return told


def test_python_chess_gives_the_same_answers(witness: Callable[[str], str]) -> None:
    fens = list(positions())
    run = subprocess.run(
        [witness(str(PYTHON)), ROOT / "tests" / "witness" / "python_chess.py"],
        input=json.dumps(fens),
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    heard = json.loads(run.stdout)
    assert len(heard) == len(fens) > 200
    for fen, its in zip(fens, heard, strict=True):
        # Acedrex says less often that a side cannot win, but never wrongly.
        for color, cannot in zip((WHITE, BLACK), its.pop("insufficient"), strict=True):
            assert cannot or not Board("chess", fen).has_insufficient_material(color), fen
        mine = answer(fen)
        for key, value in its.items():
            assert mine[key] == value, (fen, key)
        assert mine.keys() == its.keys()
    assert any(its["pinned"] for its in heard)
    assert any(its["passing"] for its in heard)


def test_the_page_says_how_many_of_its_own_tests_pass() -> None:
    if not FOLDER.exists():
        pytest.skip("its tests are missing; `python -m tests.witness.peer_suite` downloads them")
    command = [sys.executable, "-m", "tests.witness.peer_suite"]
    told = subprocess.run(command, capture_output=True, text=True, timeout=120, cwd=ROOT, check=True).stdout
    rows = [line for line in told.splitlines() if line.startswith("|")]
    assert len(rows) > 10
    assert "\n".join(rows) in (DOCS / "coming-from-python-chess.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def tour() -> str:
    return files(DOCS / "coming-from-python-chess.md")["tour.py"]


def run(python: str, script: str) -> str:
    ran = subprocess.run([python, "-c", script], capture_output=True, text=True, timeout=60)
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


def test_the_script_on_the_page_runs_with_acedrex(tour: str) -> None:
    said = run(sys.executable, tour).splitlines()
    assert len(said) > 25
    assert said[-1] == "True True"


def test_the_script_on_the_page_prints_the_same_with_python_chess(tour: str, witness: Callable[[str], str]) -> None:
    theirs = tour.replace("import acedrex as chess\nfrom acedrex import", "import chess\nfrom chess import")
    assert "acedrex" not in theirs
    assert run(witness(str(PYTHON)), theirs) == run(sys.executable, tour)
