"""Threads: separate boards in parallel, and what happens when two threads share one."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

import acedrex
from acedrex import Board, Move

WORK = [("metamachy", 2), ("zanzibar-s", 2), ("maasai", 3), ("magi", 3), ("chieftain", 2), ("xiangqi", 3)] * 2


def work(task: tuple[str, int]) -> tuple[object, ...]:
    """Use everything that a board of this thread offers."""
    spec, depth = task
    board = Board(spec)
    for number in range(40):
        if board.is_game_over():
            break
        board.push(board.legal_moves[number * 31 % len(board.legal_moves)])
    sans = [board.san(move) for move in board.legal_moves]
    return board.fen(), board.key, sans, Board(spec).perft(depth), board.divide(1), board.playout(3), str(board)


def test_boards_give_the_same_results_in_parallel_threads() -> None:
    alone = [work(task) for task in WORK]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(work, WORK)) == alone


def test_threads_can_share_a_game_and_load_games_in_parallel() -> None:
    game = acedrex.load("maasai")
    specs = ["magi:classic_ep=on", "chieftain:bent=on", "maasai", "terachess", "menagerie"] * 4
    with ThreadPoolExecutor(4) as pool:
        hashes = list(pool.map(lambda spec: acedrex.Game(acedrex.load(spec).source, "x.toml").rules_hash, specs))
        names = list(pool.map(lambda number: Board(game, setup=number).setup_name(), range(1, 100)))
    assert hashes[:5] * 4 == hashes
    assert names == game.setups[:99]


@pytest.fixture
def polite() -> Iterator[None]:
    """Let each thread run until it waits or releases the interpreter's lock itself."""
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1000)
    yield
    sys.setswitchinterval(interval)


CALLS: dict[str, Callable[[Board], object]] = {
    "perft": lambda board: board.perft(4),
    "divide": lambda board: board.divide(4),
    "playout": lambda board: [board.playout(seed) for seed in range(60)],
}


@pytest.mark.parametrize("name", CALLS)
def test_perft_divide_and_playout_let_other_threads_run(name: str, polite: None) -> None:
    board, done, counted = Board("metamachy"), threading.Event(), [0]

    def count() -> None:
        while not done.is_set():
            counted[0] += 1
            time.sleep(0)

    thread = threading.Thread(target=count)
    thread.start()
    # Nothing here waits: if the call held the lock, the other thread could not continue to count.
    before = counted[0]
    between = counted[0]
    CALLS[name](board)
    after = counted[0]
    done.set()
    thread.join()
    assert between == before
    assert after - between > 10


SHARED: dict[str, Callable[[Board], object]] = {
    "len": lambda board: len(board.legal_moves),
    "index": lambda board: board.legal_moves[0],
    "iterate": lambda board: list(board.legal_moves),
    "repr of the moves": lambda board: repr(board.legal_moves),
    "count": lambda board: board.legal_moves.count(),
    "bool": lambda board: bool(board.legal_moves),
    "in": lambda board: Move.from_uci("c2d4") in board.legal_moves,
    "push": lambda board: board.push(Move.from_uci("c2d4")),
    "push_uci": lambda board: board.push_uci("c2d4"),
    "push_san": lambda board: board.push_san("Nd4"),
    "push_turn": lambda board: board.push_turn("Nd4"),
    "pop": lambda board: board.pop(),
    "set_fen": lambda board: board.set_fen(board.fen()),
    "reset": lambda board: board.reset(),
    "clear": lambda board: board.clear(),
    "edit": lambda board: board.set_piece_at(0, None),
    "turn": lambda board: setattr(board, "turn", False),
    "fen": lambda board: board.fen(),
    "copy": lambda board: board.copy(),
    "mirror": lambda board: board.mirror(),
    "equality": lambda board: board == board.copy(),
    "perft": lambda board: board.perft(1),
    "outcome": lambda board: board.outcome(claim_draw=True),
    "checkmate": lambda board: board.is_checkmate(),
    "reach": lambda board: board.reach(0),
}


@pytest.fixture(scope="module")
def positions() -> int:
    return Board("metamachy").perft(4)


@pytest.mark.parametrize("name", SHARED)
def test_using_a_busy_board_from_another_thread_works_or_raises_an_ordinary_error(
    name: str, polite: None, positions: int
) -> None:
    board = Board("metamachy")
    finished: list[int] = []
    counting = threading.Thread(target=lambda: finished.append(board.perft(4)))
    counting.start()
    # The other thread holds the interpreter's lock until it counts, so it counts now.
    refused = []
    while not finished and len(refused) < 20:
        try:
            SHARED[name](board)
        except (RuntimeError, acedrex.Error, IndexError) as error:
            refused.append(error)
        except BaseException as error:
            counting.join()
            pytest.fail(f"{type(error).__mro__}: {error}")
        time.sleep(0.001)
    counting.join()
    assert finished == [positions]
