"""Random games of chess in the environments of others: how many steps, with observation and legal actions.

    .venv/bin/python environments.py SECONDS

Prints JSON: steps a second of processor time. Runs in the environment of the rivals, without Acedrex.
"""

from __future__ import annotations

import importlib.metadata
import json
import random
import sys
import time

import numpy as np


def open_spiel(seconds: float) -> tuple[str, float]:
    """A state's observation tensor and its legal actions before every move."""
    import pyspiel

    game, rng, steps = pyspiel.load_game("chess"), random.Random(1), 0
    begun, state = time.process_time(), game.new_initial_state()
    while time.process_time() - begun < seconds:
        for _ in range(100):
            if state.is_terminal():
                state = game.new_initial_state()
            np.asarray(state.observation_tensor(), np.float32)
            state.apply_action(rng.choice(state.legal_actions()))
        steps += 100
    name = f"OpenSpiel {importlib.metadata.version('open_spiel')}"
    return name, steps / (time.process_time() - begun)


def pettingzoo(seconds: float) -> tuple[str, float]:
    """The loop of the documentation: `last`, a random action by the mask, `step`."""
    from pettingzoo.classic import chess_v6

    env, steps = chess_v6.env(), 0
    env.reset(seed=1)
    begun = time.process_time()
    while time.process_time() - begun < seconds:
        for _ in range(20):
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.reset()
                continue
            env.step(env.action_space(env.agent_selection).sample(observation["action_mask"]))
        steps += 20
    return f"PettingZoo {importlib.metadata.version('pettingzoo')} chess_v6", steps / (time.process_time() - begun)


if __name__ == "__main__":
    seconds = float(sys.argv[1])
    found = {}
    for rival in (open_spiel, pettingzoo):
        try:
            name, rate = rival(seconds)
            found[name] = rate
        except ImportError as error:
            print(f"{rival.__name__}: {error}", file=sys.stderr)
    print(json.dumps(found))
