"""Mates against a bare King, compared with known results and with a search of all moves of ``Board``."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from itertools import permutations
from pathlib import Path

import pytest

from acedrex import Board, Error, Game, InvalidFenError, _native, load
from acedrex.cli import main
from acedrex.lab import Job, Mates, Tally, run
from acedrex.lab.mates import Sets
from acedrex.lab.mates_page import Found, disagreements, verdict
from acedrex.lab.records import MatesClass, MatesReport

#: A tiny board with pieces that leap, slide, hop, bend and promote.
SMALL = """
[game]
id = "small"
name = "Small"
board = "BOARD"
start = "START w - - 0 1"

[pieces.K]
name = "King"
move = "K"
royal = true

[pieces.R]
name = "Rook"
move = "R"
value = 5

[pieces.N]
name = "Knight"
move = "N"
value = 3

[pieces.C]
name = "Cannon"
move = "mRcpR"
value = 4

[pieces.G]
name = "Eagle"
move = "FyafsF"

[pieces.P]
name = "Pawn"
move = "fmWfcF"
value = 1
promotes_to = "R"

[end]
goal = "checkmate"
stalemate = "STALEMATE"
dead_positions = true
"""


def small(files: int, stalemate: str = "draw") -> Game:
    start = "rknc/pppp/PPPP/RKNC" if files == 4 else "rkc/ppp/PPP/RKC"
    text = SMALL.replace("BOARD", f"{files}x4").replace("START", start)
    return Game(text.replace("STALEMATE", stalemate), "small.toml")


def solve(game: Game, letters: str) -> MatesReport:
    return _native.solve_mates(game, bytes(game.piece(letter).id for letter in letters), 1)


def longest(found: MatesClass) -> int:
    return len(found["by_moves"]) - 1


def by_hand(game: Game, letters: str) -> tuple[tuple[int, int], tuple[int, int], list[int]]:
    """Positions and wins with White and with Black to move, and White's wins by length, computed with ``Board``."""
    boards: dict[str, Board] = {}
    squares = game.files * game.ranks
    for places in permutations(range(squares), len(letters) + 2):
        cells = ["1"] * squares
        for place, letter in zip(places, (*letters, "K", "k"), strict=True):
            cells[place] = letter
        rows = ["".join(cells[first : first + game.files]) for first in range(0, squares, game.files)]
        if "P" in rows[-1]:  # no Pawn can stand on its first rank
            continue
        placement = re.sub("1+", lambda run: str(len(run[0])), "/".join(rows))
        for turn in "wb":
            try:
                board = Board(game, f"{placement} {turn} - - 0 1")
            except InvalidFenError:
                continue
            boards[key(board)] = board
    own, after = [*boards], dict[str, list[str]]()
    depths: dict[str, int] = {}
    while boards:
        name, board = boards.popitem()
        after[name] = []
        for move in board.legal_moves:
            board.push(move)
            child = key(board)
            after[name].append(child)
            if child not in after and child not in boards:
                boards[child] = board.copy()
            board.pop()
        if not after[name] and board.turn is False and (outcome := board.outcome()) and outcome.winner:
            depths[name] = 0
    white_left = {name for name in after if turn_of(name) == "w"}
    black_left = {name for name in after if turn_of(name) == "b" and after[name]}
    depth, wins = 0, {""}
    while wins:
        depth += 1
        wins = {name for name in white_left if any(child in depths for child in after[name])}
        depths.update(dict.fromkeys(wins, depth))
        losses = {name for name in black_left if all(child in depths for child in after[name])}
        depths.update(dict.fromkeys(losses, depth))
        white_left -= wins
        black_left -= losses
    white = [depths.get(name) for name in own if turn_of(name) == "w"]
    black = [depths.get(name) for name in own if turn_of(name) == "b"]
    won = [moves for moves in white if moves is not None]
    histogram = [won.count(moves) for moves in range(max(won, default=-1) + 1)]
    return (len(white), len(won)), (len(black), sum(moves is not None for moves in black)), histogram


def key(board: Board) -> str:
    return " ".join(board.fen().split()[:2])


def turn_of(name: str) -> str:
    return name.split()[1]


@pytest.mark.parametrize(
    ("files", "letters", "stalemate"),
    [(4, "R", "draw"), (4, "N", "loss"), (4, "P", "draw"), (4, "G", "loss"), (3, "CN", "draw"), (3, "CP", "draw")],
)
def test_every_position_of_a_small_board_is_solved_correctly(files: int, letters: str, stalemate: str) -> None:
    game = small(files, stalemate)
    [found] = solve(game, letters)["classes"]
    white, black, by_moves = by_hand(game, letters)
    assert (tuple(found["to_move"]), tuple(found["bare_to_move"]), found["by_moves"]) == (white, black, by_moves)
    assert white[1] > 0, "some positions are won"


@pytest.fixture(scope="module")
def chess(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A job for chess whose time ran out after some sets."""
    folder = tmp_path_factory.mktemp("mates") / "job"
    job = Job.create(folder, Mates.plan(load("chess")))
    for number in range(9):
        job.add(number, job.plan.make(number))
    return folder


def found_in(folder: Path) -> dict[str, MatesReport]:
    tally, wrong = Job.open(folder).status()
    assert wrong == [] and isinstance(tally, Sets)
    return {"".join(letters): report for letters, report in tally.reports()}


def test_chess_results_match_the_published_ones(chess: Path) -> None:
    found = found_in(chess)
    assert [*found] == ["B", "N", "R", "Q", "P", "BB", "BN", "NN", "RB"]
    moves = {letters: [longest(part) for part in report["classes"]] for letters, report in found.items()}
    assert moves == {
        "B": [-1],
        "N": [-1],
        "R": [16],
        "Q": [10],
        "P": [28],
        "BB": [-1, 19],
        "BN": [33],
        "NN": [1],
        "RB": [16],
    }
    verdicts = {letters: [verdict(part) for part in report["classes"]] for letters, report in found.items()}
    assert verdicts["R"] == verdicts["Q"] == ["always"] and verdicts["BB"] == ["cannot", "nearly always"]
    assert verdicts["P"] == ["mostly"] and verdicts["NN"] == ["cannot"]
    assert all(report["checked"] >= 4000 for report in found.values())
    example = Board(load("chess"), found["R"]["classes"][0]["longest"])
    assert example.is_valid() and example.turn


def test_the_page_lists_solved_dead_and_unsolved_sets(chess: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lab", "mates", "chess", "--hours", "0", "--out", str(chess)]) == 0
    out, err = capsys.readouterr()
    assert "9 of 20 sets\n" in out and "R: always, at most 16 moves\n" in out and "time is up" in err
    page = (chess / "page.md").read_text()
    assert "| Bishop and Bishop (different colours) | nearly always | 19 | 99.97 % | 81.11 % |" in page
    assert "dead, a draw at once: Bishop; Knight; Bishop and Bishop (same colour)." in page
    assert "Not solved yet, in the order of work: Rook and Knight; Rook and Rook;" in page
    assert main(["lab", "verify", str(chess)]) == 0


def test_a_disagreement_with_the_core_is_reported(chess: Path) -> None:
    report = found_in(chess)["R"]
    [found] = report["classes"]
    dead: MatesReport = {"checked": 0, "classes": [{**found, "dead": (10, 10)}]}
    nothing: MatesReport = {"checked": 0, "classes": [{**found, "dead": (0, 0), "mates": 0, "to_move": (5, 0)}]}
    solved = [(("R",), dead), (("N",), nothing), (("R",), report)]
    said = disagreements(Found(load("chess"), "1", solved, [], {}, 3))
    assert (
        len(said) == 2 and said[0].startswith("Rook: 10 positions are dead") and said[1].startswith("Knight: no mate")
    )


def test_a_job_ends_when_its_time_is_up(chess: Path) -> None:
    seen: list[int] = []

    def report(tally: Tally) -> None:
        seen.append(tally.amount)

    tally = run(Job.open(chess), lambda: ThreadPoolExecutor(1), window=1, seconds=0.0, report=report)
    assert tally.needed is None and seen == [9, 9]


def test_damaged_and_foreign_reports_are_refused(chess: Path) -> None:
    plan = Job.open(chess).plan
    assert isinstance(plan, Mates)
    for payload in (b"", b"{}", b'{"checked":1,"classes":[{}]}', b'{"checked":-1,"classes":[]}', b"[" * 100_000):
        with pytest.raises(Error):
            plan.counts(0, payload)
    with pytest.raises(Error, match="expected those that this program plans"):
        Mates.from_record({"sets": ["Q Q Q"]}, {}, game=plan.game, unit=1)


@pytest.mark.parametrize(
    ("game", "reason"),
    [
        (load("chieftain"), "can be captured"),
        (load("marseillais"), "several moves"),
        (load("magi", scoring="four_points"), "choose scoring=classic"),
        (load("xiangqi"), "a King can check a King"),
    ],
)
def test_games_without_mates_against_a_bare_king_are_refused(game: Game, reason: str) -> None:
    with pytest.raises(Error, match=reason):
        Mates.plan(game)


@pytest.mark.slow
def test_sets_that_are_too_large_are_left_out() -> None:
    plan = Mates.plan(load("terachess"))
    assert ("Q",) in plan.sets and plan.left_out["Q", "R"].startswith("two pieces are studied on at most 144")
    assert all(len(letters) == 1 for letters in plan.sets)
