"""The tactical suites: what counts as solved, and how much the engine solves in few nodes."""

from __future__ import annotations

import pytest

from acedrex import Board, Engine, Limit, Move, _native
from benches.tactics import Puzzle, solved, suite

GAMES = ["chieftain", "maasai", "magi", "metamachy", "zanzibar-s"]


def turn(text: str) -> list[Move]:
    return [Move.from_uci(word) for word in text.split(",")]


def some(game: str, step: int) -> list[Puzzle]:
    return suite(game)[::step]


@pytest.mark.parametrize("game", GAMES)
def test_only_solutions_are_accepted(game: str) -> None:
    for puzzle in (
        puzzle for puzzle in some(game, 6) if puzzle.kind != "save all chieftains" or puzzle.proof_nodes < 300
    ):
        board = puzzle.board()
        assert puzzle.is_solved_by(turn(puzzle.solutions[0])), puzzle
        if puzzle.kind.startswith(("mate", "take")):
            # In Chieftain Chess no single move is enough.
            others = [move for move in board.legal_moves if move.uci() not in puzzle.solutions]
            assert not puzzle.is_solved_by(others[:1]), puzzle


@pytest.mark.parametrize(
    ("rank", "found"),
    [
        ("C2H2c9", True),
        # Out of command, until another Chieftain commands one to come nearer.
        ("C4H2c7", False),
        ("CC3H2c7", True),
        # Both squares between are occupied, until a Man moves.
        ("C2HMMc9", False),
        ("CC1HMMc9", True),
    ],
)
def test_the_prover_tries_every_turn_to_capture_a_royal_piece(rank: str, found: bool) -> None:
    board = Board("chieftain", f"c15/16/16/16/16/16/16/16/16/16/16/{rank} w - - 0 1")
    assert _native.captures_royal(board, 100_000) is found


def mates(board: Board, moves: int) -> bool:
    return any(
        forces_mate(board, move, moves) for move in list(board.legal_moves) if moves > 1 or board.gives_check(move)
    )


def forces_mate(board: Board, key: Move, moves: int) -> bool:
    board.push(key)
    replies = list(board.legal_moves) if moves > 1 else []
    forced = board.is_checkmate() or (replies != [] and all(answered(board, reply, moves - 1) for reply in replies))
    board.pop()
    return forced


def answered(board: Board, reply: Move, moves: int) -> bool:
    board.push(reply)
    found = mates(board, moves)
    board.pop()
    return found


@pytest.mark.parametrize("game", [game for game in GAMES if game != "chieftain"])
def test_an_independent_search_finds_the_same_solutions(game: str) -> None:
    for puzzle in some(game, 10):
        moves = int(puzzle.kind.removeprefix("mate in "))
        if moves <= 3 and puzzle.proof_nodes < 20_000:
            board = puzzle.board()
            assert [key.uci() for key in list(board.legal_moves) if forces_mate(board, key, moves)] == puzzle.solutions
            assert not mates(board, moves - 1)


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_the_engine_solves_at_least_60_percent_in_few_nodes(game: str) -> None:
    # All mates in 2; for the rest, the bar is well below its usual results, so that only real faults fail. The
    # benchmark says more.
    with Engine(hash_mb=16) as engine:
        results = list(solved(engine, some(game, 4), Limit(nodes=50_000)))
    assert [puzzle for puzzle, right in results if puzzle.kind == "mate in 2" and not right] == []
    assert sum(right for _, right in results) >= 0.6 * len(results)
