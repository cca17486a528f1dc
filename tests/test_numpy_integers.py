"""NumPy's integers are taken wherever Python's are."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from acedrex import Board, Engine, Limit, Move, load, pgn, svg
from acedrex.env import BatchBoards, aec
from acedrex.env.opponent import OpponentEnv
from acedrex.lab import SelfPlay

RECORD = "1. e4 (1. d4) e5 2. Nf3 *"


def turn(level: int, seed: int) -> Any:
    with Engine(level=level, seed=seed, threads=level // level, hash_mb=level) as engine:
        return engine.play(Board(), Limit(nodes=400)).moves


def record() -> pgn.Game:
    game = pgn.read_game(io.StringIO(RECORD))
    assert game is not None
    return game


def two_players(n: Any) -> Any:
    env = aec("maasai", max_moves=n)
    env.reset(seed=n)
    return env.observe("player_0")["observation"].tolist()


TAKEN: dict[str, Callable[[Any], Any]] = {
    "playout": lambda n: Board().playout(n, n),
    "setup": lambda n: Board("maasai", setup=n).fen(),
    "setups": lambda n: (load("maasai").setups[n], load("maasai").setups.name(n)),
    "squares": lambda n: (Board().piece_at(n), Board().attackers(True, n), Board().reach(n), Move(n, n + 8)),
    "perft": lambda n: Board().perft(n),
    "batch": lambda n: BatchBoards("maasai", n, seed=n, threads=n, max_moves=n).arrays.observations.tolist(),
    "reset": lambda n: BatchBoards("maasai", n).reset(seed=n).observations.tolist(),
    "random": lambda n: BatchBoards("chess", 2, seed=1).play_random(n).observations.tolist(),
    "board": lambda n: BatchBoards("chess", 4).board(n).fen(),
    "opponent": lambda n: OpponentEnv("chess", opponent=n, max_moves=n).reset(seed=n)[0]["observation"].tolist(),
    "two players": lambda n: two_players(n),
    "engine": lambda n: turn(n, n),
    "limit": lambda n: repr(Limit(depth=n, nodes=n, mate=n)),
    "node": lambda n: record().variation(n - 2).san() if n == 3 else None,
    "svg": lambda n: svg.board(Board(), dots=n, size=100 + n),
    "self-play": lambda n: SelfPlay.plan(load("chess"), positions=n, nodes=n, opening=n, seed=n, unit=n).recipe(),
}


@pytest.mark.parametrize("what", TAKEN)
@pytest.mark.parametrize("kind", [np.int64, np.uint8])
def test_a_numpy_integer_is_taken_like_a_python_integer(what: str, kind: type[np.integer[Any]]) -> None:
    assert TAKEN[what](kind(3)) == TAKEN[what](3)
