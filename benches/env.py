"""How many steps environments make: batches of Acedrex, and the chess of OpenSpiel and PettingZoo in the same run.

A step is a random legal action in one game. *List* writes planes, legal actions, players, rewards and endings into
NumPy arrays; *mask* the mask of legal actions instead of their list; *bare* writes nothing. In these three, a step of
all games is a call of `sample` and one of `step`. *Inside* writes nothing either, but a call of `play_random` makes 64
moves in each game. Rust's own random play is `Board.playout` in threads, one game after the other: the outcome, the
list of legal moves, a random one of them made.

Other programs slow down the clock, so a second here is one in which a core worked, or both for two threads. All kinds
take turns; each number is the median of its turns, and so is each ratio to the random play measured in the same turn.
Batches play for a while before that: whole games, as random play plays them, have many quick positions with few pieces.

    python -m benches.env [--seconds 1] [--runs 5] [--games 256]
"""

from __future__ import annotations

import argparse
import json
import subprocess
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from statistics import median

import numpy as np

import acedrex
from acedrex.env import Arrays, BatchBoards, aec

RIVALS = Path(__file__).resolve().parent / "rivals"
KINDS = ("list", "mask", "bare", "inside")
#: The moves of a call of `play_random`.
MOVES = 64
#: The moves in each game before measuring.
BEFORE = 2_000


def measured(threads: int, seconds: float, work: Callable[[], int]) -> float:
    """Return the steps a second of work in so many threads; `work` makes some steps and returns their number."""
    begun, steps = time.process_time(), 0
    while (used := (time.process_time() - begun) / threads) < seconds:
        steps += work()
    return steps / used


def batch(game: str, games: int, threads: int, kind: str) -> Callable[[], int]:
    """Return work with a batch, of one of the kinds."""
    boards = BatchBoards(
        game,
        games,
        autoreset="SameStep",
        seed=1,
        threads=threads,
        claim_draws=False,
        mask=kind == "mask",
        arrays=Arrays() if kind in ("bare", "inside") else None,
    )
    if kind == "mask":
        boards.arrays.legal_actions = boards.arrays.legal_offsets = None
    boards.play_random(BEFORE)
    actions = np.zeros(games, np.int64)

    def step() -> int:
        boards.step(boards.sample(actions))
        return games

    def play() -> int:
        boards.play_random(MOVES)
        return MOVES * games

    return play if kind == "inside" else step


def playouts(game: str, threads: int) -> Callable[[], int]:
    """Return random play in the core: a game in each thread."""
    boards, seeds = [acedrex.Board(game) for _ in range(threads)], iter(range(1 << 60))
    pool = ThreadPoolExecutor(threads)

    def play(board: acedrex.Board) -> int:
        return sum(board.playout(next(seeds)).plies for _ in range(20))

    return lambda: sum(pool.map(play, boards))


def two_player(game: str) -> Callable[[], int]:
    """Return work with the PettingZoo environment."""
    env = aec(game)
    env.reset(seed=1)

    def play() -> int:
        for _ in range(100):
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.reset()
                continue
            env.step(env.action_space(env.agent_selection).sample(observation["action_mask"]))
        return 100

    return play


def rivals(seconds: float) -> dict[str, float]:
    """Return the steps a second of other environments; empty if they are not installed."""
    python = RIVALS / ".venv" / "bin" / "python"
    if not (RIVALS / ".venv" / ".environments").exists():
        return {}
    command = [str(python), str(RIVALS / "environments.py"), str(seconds)]
    found: dict[str, float] = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(prog="benches.env", description="Measure environments.")
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--games", type=int, default=256)
    parser.add_argument("--only", nargs="*", help="games of the table, instead of all")
    arguments = parser.parse_args()
    games, seconds, runs = arguments.games, arguments.seconds, arguments.runs

    own, env = batch("chess", games, 1, "list"), two_player("chess")
    turns = [(measured(1, seconds, own), measured(1, seconds, env), rivals(seconds)) for _ in range(runs)]
    rate = median(turn[0] for turn in turns)
    print(f"chess, one thread: {rate:,.0f} steps/s with planes and legal actions")
    print(f"chess, PettingZoo environment of Acedrex: {median(turn[1] for turn in turns):,.0f} steps/s")
    if not turns[0][2]:
        print("no rivals: `make bench` installs them")
    for name in turns[0][2]:
        other = median(turn[2][name] for turn in turns)
        times = median(turn[0] / turn[2][name] for turn in turns)
        print(f"    {name}: {other:,.0f} steps/s; the batch makes {times:.1f} times as many")
    heads = "".join(f"{head:>12}" for head in (*KINDS, "random play", "bare/it", "inside/it"))
    print(f"\n{'two threads':14}{heads}")
    for game in arguments.only or acedrex.games():
        works = [*(batch(game, games, 2, kind) for kind in KINDS), playouts(game, 2)]
        # The first turn does not count: on the way, a game finds out once which material cannot mate.
        rates = np.array([[measured(2, seconds, work) for work in works] for _ in range(1 + runs)])[1:]
        line = "".join(f"{rate:12,.0f}" for rate in np.median(rates, axis=0))
        bare, inside = np.median(rates[:, 2:4] / rates[:, 4:], axis=0)
        print(f"{game:14}{line}{bare:12.2f}{inside:12.2f}", flush=True)


if __name__ == "__main__":
    main()
