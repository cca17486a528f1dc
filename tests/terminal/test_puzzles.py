"""Puzzles in the terminal."""

from __future__ import annotations

import functools
import io
import sys

import pytest

from acedrex import Board, lessons, load
from acedrex.cli import main
from acedrex.cli.puzzles import task
from acedrex.game import FEATURED
from tests.terminal.conftest import sentences

GOALS = ("mate", "win", "defence", "capture", "save")


@pytest.fixture
def solve(talk):
    return functools.partial(talk, command="puzzles")


def find(goal: str, moves: int) -> tuple[str, int, lessons.Puzzle]:
    """The first puzzle with a goal and a number of moves."""
    return next(
        (name, number, puzzle)
        for name in FEATURED
        for number, puzzle in enumerate(lessons.puzzles(name), 1)
        if puzzle.goal == goal and puzzle.moves == moves
    )


@pytest.mark.parametrize(("goal", "moves"), [("mate", 2), ("win", 2), ("defence", 1), ("capture", 2), ("save", 2)])
def test_a_puzzle_can_be_solved_in_coordinates(solve, goal, moves):
    name, number, puzzle = find(goal, moves)
    out = solve(name, "--number", number, lines="\n".join(puzzle.solution) + "\nfen\n")
    assert out.count(f"Puzzle {number}, {puzzle.difficulty}: {task(load(name), puzzle)}") == 1 + moves
    assert out.count("Correct. Keep going.") == moves - 1
    assert out.count("Solved.") == 1
    # The replies of the other side are on the board.
    board = Board(name, puzzle.fen)
    for move in puzzle.line:
        board.push_uci(move)
    assert f"next, again or quit: fen\n{board.fen()}\n" in out
    # The solver's side is below.
    below = [line.split()[0] for line in out.split("\n") if line[:2].strip().isdigit()][board.game.ranks - 1]
    assert below == ("1" if Board(name, puzzle.fen).turn else str(board.game.ranks))


def test_a_puzzle_can_be_solved_in_san_and_by_whole_turns(solve):
    out = solve("magi", "--number", "1", lines="Kh2\nAf5\nAi2\n")
    assert out.count("Correct. Keep going.") == 2
    assert "Checkmate" in out
    assert "Solved." in out
    out = solve("chieftain", "--number", "1", lines="Mxc6,Mxl7\n")
    assert "Solved." in out
    out = solve("chieftain", "--number", "1", lines="Mxl7\nMxc6\n")
    assert "Correct. Keep going." in out
    assert "Solved." in out


def test_a_wrong_move_is_reported_and_can_be_retried(solve):
    out = sentences(solve("magi", "--number", "1", lines="Kh3\nKh9\nkh2\nKh2,Af5\nfen\n"))
    assert "Kh3 is not the solution. Try another move." in out
    assert "Kh9 is not legal here" in out
    assert "The turn ends before Af5." in out
    assert 'Did you mean "Kh2"?' in out
    assert " b - - 0 2" in out  # once Kh2 was played, j3 replied
    out = solve("chieftain", "--number", "1", lines="Mxc6,a3a4,Mxl7\nMxl7\n")
    assert "Ma4 is not the solution. Try another move." in out
    assert "Solved." in out


def test_hints_lead_to_the_solution(solve):
    for goal in GOALS:
        name, number, puzzle = find(goal, 1 if goal == "defence" else 2)
        lines = []
        for move in puzzle.solution:
            lines += ["hint", move]
        out = solve(name, "--number", number, lines="\n".join(lines) + "\n")
        assert out.count("Move the ") == puzzle.moves
        if goal in ("mate", "win", "defence"):
            assert all(f" on {move[: 3 if move[2].isdigit() else 2]}." in out for move in puzzle.solution)
        assert "Solved." in out


def test_showing_the_solution_ends_a_puzzle(solve):
    out = solve("magi", "--number", "1", lines="Kh2\nsolution\nhint\nKh2\nagain\nKh2\n")
    assert "The solution: 1...Kh2 2.j3 Af5+ 3.Kj2 Ai2#" in out
    assert sentences(out).count("The puzzle is over; next shows another one, again starts this one again.") == 2
    assert out.count("Correct. Keep going.") == 2
    assert "Solved." not in out


def test_next_goes_through_the_list_and_starts_again(solve):
    easy = lessons.puzzles("chieftain", "save", "easy")
    every = lessons.puzzles("chieftain")
    numbers = [number for number, puzzle in enumerate(every, 1) if puzzle in easy]
    options = ("chieftain", "--theme", "save", "--difficulty", "easy")
    out = solve(*options, "--number", numbers[-2], lines="next\nnext\nquit\nnext\n")
    shown = [int(line.split(",")[0][7:]) for line in out.splitlines() if line.startswith("Puzzle ")]
    assert shown == [*numbers[-2:], numbers[0]]
    # Without a number, one of them comes first.
    out = solve(*options)
    assert int(out.split("\nPuzzle ")[1].split(",")[0]) in numbers


def test_the_usual_commands_work_in_puzzles(solve):
    out = solve("magi", "--number", "1", lines="?\n?i3\n?Archer\nmoves i3\nflip\nboard\nFEN\nbest\n")
    assert "hint, solution" in out
    assert "i3: Black's King" in out
    assert out.count(" a  b  c  d  e  f  g  h  i  j\n") == 2
    assert f"\n{lessons.puzzles('magi')[0].fen}\n" in out
    assert '"best" is not a move' in out


def test_the_game_is_asked_for_if_none_is_given(solve):
    out = solve(lines="nothing\nmagi\n")
    assert "Which game? [metamachy] " in out
    assert "Puzzle " in out
    assert "chess " not in out.split("Which game?")[0]
    assert "Puzzle " not in solve()


@pytest.mark.parametrize(
    ("argv", "lines", "sentence"),
    [
        (("magi", "--number", "900"), "", "Magi has no puzzle 900; its puzzles are numbered from 1 to 177"),
        (
            ("magi", "--number", "1", "--theme", "save"),
            "",
            "puzzle 1 of Magi is not of theme save; give only its number",
        ),
        (
            ("maasai", "--theme", "mate_in_4", "--difficulty", "medium"),
            "",
            "Maasai Chess has no puzzles of theme mate_in_4 and difficulty medium; choose another theme or difficulty",
        ),
        (
            (),
            "chess\n",
            "there are no puzzles of chess; there are puzzles of metamachy, maasai, zanzibar-s, magi, chie",
        ),
    ],
)
def test_puzzles_that_do_not_exist_are_reported(monkeypatch, capsys, argv, lines, sentence):
    monkeypatch.setattr(sys, "stdin", io.StringIO(lines))
    assert main(["puzzles", *argv]) == 1
    assert sentence in capsys.readouterr().err


@pytest.mark.parametrize("name", FEATURED)
def test_every_puzzle_has_a_task(name):
    game = load(name)
    tasks = {puzzle.goal: task(game, puzzle) for puzzle in lessons.puzzles(name)}
    assert all(text.split()[0] in ("White", "Black") for text in tasks.values())


def test_tasks_state_what_to_find():
    chieftain, magi = load("chieftain"), load("magi")
    puzzles = lessons.puzzles("chieftain")
    assert task(chieftain, puzzles[0]) == "White captures 2 Chieftains this turn, in 2 moves."
    assert task(chieftain, puzzles[1]) == "White captures a Chieftain this turn, in 2 moves."
    exercise = next(puzzle for puzzle in lessons.exercises("magi") if puzzle.moves == 1)
    assert task(magi, exercise).endswith("mates in 1.")
