"""How many steps environments make: batches of Acedrex, and the chess of OpenSpiel and PettingZoo in the same run.

A step is a random legal action in one game. *List* writes planes, legal actions, players, rewards and endings into
NumPy arrays; *mask* the mask of legal actions instead of their list; *bare* writes nothing. In these three, a step of
all games is a call of `sample` and one of `step`. *Inside* writes nothing either, but a call of `play_random` makes 64
moves in each game. Rust's own random play is `Board.playout` in threads, one game after the other: the outcome, the
list of legal moves, a random one of them made. Each number is the best of several runs, since other programs only slow
them down.

    python -m benches.env [--seconds 2] [--runs 3] [--games 256]
"""

from __future__ import annotations

import argparse
import json
import subprocess
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import numpy as np

import acedrex
from acedrex.env import Arrays, BatchBoards, aec

RIVALS = Path(__file__).resolve().parent / "rivals"
KINDS = ("list", "mask", "bare", "inside")
#: The moves of a call of `play_random`.
MOVES = 64


def batch(game: str, games: int, threads: int, arrays: str, seconds: float) -> float:
    """Return the steps a second of a batch; `arrays` is ``list``, ``mask``, ``bare`` or ``inside``."""
    boards = BatchBoards(
        game,
        games,
        autoreset="SameStep",
        seed=1,
        threads=threads,
        claim_draws=False,
        mask=arrays == "mask",
        arrays=Arrays() if arrays in ("bare", "inside") else None,
    )
    if arrays == "mask":
        boards.arrays.legal_actions = boards.arrays.legal_offsets = None
    actions, steps = np.zeros(games, np.int64), 0
    begun = time.perf_counter()
    while time.perf_counter() - begun < seconds:
        if arrays == "inside":
            boards.play_random(MOVES)
            steps += MOVES * games
        else:
            boards.step(boards.sample(actions))
            steps += games
    return steps / (time.perf_counter() - begun)


def playouts(game: str, threads: int, seconds: float) -> float:
    """Return the steps a second of random play in the core, in threads."""

    def play(seed: int) -> int:
        board, steps, begun = acedrex.Board(game), 0, time.perf_counter()
        while time.perf_counter() - begun < seconds:
            steps += board.playout(seed).plies
            seed += threads
        return steps

    begun = time.perf_counter()
    with ThreadPoolExecutor(threads) as pool:
        return sum(pool.map(play, range(threads))) / (time.perf_counter() - begun)


def two_player(game: str, seconds: float) -> float:
    """Return the steps a second of the PettingZoo environment."""
    env, steps = aec(game), 0
    env.reset(seed=1)
    begun = time.perf_counter()
    while time.perf_counter() - begun < seconds:
        for _ in range(100):
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.reset()
                continue
            env.step(env.action_space(env.agent_selection).sample(observation["action_mask"]))
        steps += 100
    return steps / (time.perf_counter() - begun)


def best(runs: int, measure: Callable[[], float]) -> float:
    return max(measure() for _ in range(runs))


def rivals(seconds: float, runs: int) -> dict[str, float]:
    """Return the steps a second of other environments; empty if they are not installed."""
    python = RIVALS / ".venv" / "bin" / "python"
    if not (RIVALS / ".venv" / ".environments").exists():
        print("no rivals: `make bench` installs them")
        return {}
    command = [str(python), str(RIVALS / "environments.py"), str(seconds)]
    found: dict[str, float] = {}
    for _ in range(runs):
        told = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
        found = {name: max(rate, found.get(name, 0.0)) for name, rate in told.items()}
    return found


def main() -> None:
    parser = argparse.ArgumentParser(prog="benches.env", description="Measure environments.")
    parser.add_argument("--seconds", type=float, default=2.0)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--games", type=int, default=256)
    arguments = parser.parse_args()
    games, seconds, runs = arguments.games, arguments.seconds, arguments.runs

    others = rivals(seconds, runs)
    own = best(runs, lambda: batch("chess", games, 1, "list", seconds))
    print(f"chess, one thread: {own:,.0f} steps/s with planes and legal actions")
    print(f"chess, PettingZoo environment of Acedrex: {best(runs, lambda: two_player('chess', seconds)):,.0f} steps/s")
    for name, rate in others.items():
        print(f"    {name}: {rate:,.0f} steps/s; the batch makes {own / rate:.1f} times as many")
    heads = "".join(f"{head:>12}" for head in (*KINDS, "random play", "bare/it", "inside/it"))
    print(f"\n{'two threads':14}{heads}")
    for game in acedrex.games():
        rates = [best(runs, partial(batch, game, games, 2, kind, seconds)) for kind in KINDS]
        core = best(runs, partial(playouts, game, 2, seconds))
        line = "".join(f"{rate:12,.0f}" for rate in (*rates, core))
        print(f"{game:14}{line}{rates[2] / core:12.2f}{rates[3] / core:12.2f}", flush=True)


if __name__ == "__main__":
    main()
