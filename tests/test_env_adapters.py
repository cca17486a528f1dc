"""The environments for PettingZoo and Gymnasium, checked with the test functions of both libraries."""

from __future__ import annotations

import warnings
from pathlib import Path

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, seed_test

import acedrex
import acedrex.env

GAMES = acedrex.games()


@pytest.mark.parametrize("game", GAMES)
def test_pettingzoo_accepts_the_environment(game: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        api_test(acedrex.env.aec(game, max_moves=200), num_cycles=60)
    seed_test(lambda: acedrex.env.aec(game, max_moves=60), num_cycles=30)


@pytest.mark.parametrize("game", GAMES)
def test_gymnasium_accepts_the_environment(game: str) -> None:
    env = gymnasium.make(f"acedrex/{game}-v0", opponent="random", render_mode="rgb_array")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        check_env(env.unwrapped)
    env.close()


def test_an_illegal_action_ends_the_episode_with_a_reason() -> None:
    env = acedrex.env.aec("magi")
    env.reset(seed=1)
    observation = env.last()[0]
    env.step(int(np.flatnonzero(observation["action_mask"] == 0)[0]))
    assert all(env.terminations.values())
    assert env.rewards == {"player_0": -1.0, "player_1": 1.0}
    assert all("illegal" in str(info) for info in env.infos.values())


def test_an_illegal_action_loses_against_an_opponent() -> None:
    env = gymnasium.make("acedrex/magi-v0", opponent="random", color="black")
    observation, _ = env.reset(seed=1, options={"setup": "random"})
    illegal = int(np.flatnonzero(observation["action_mask"] == 0)[0])
    _, reward, terminated, truncated, info = env.step(illegal)
    assert (reward, terminated, truncated) == (-1, True, False)
    assert info["ending"] == "illegal_action"
    assert "not legal" in info["reason"] or "not possible" in info["reason"]
    env.close()


def test_a_reset_never_returns_a_game_that_is_over() -> None:
    env = gymnasium.make("acedrex/chess-v0", color="black", max_moves=1)
    observation, info = env.reset(seed=1)
    assert not info
    _, _, terminated, truncated, _ = env.step(int(np.flatnonzero(observation["action_mask"])[0]))
    assert (terminated, truncated) == (False, True)
    # White's only move is to capture the Queen.
    with pytest.raises(acedrex.Error, match=r"first turn ended the game \(.*\), .* or with color='white'"):
        env.reset(options={"fen": "k7/8/8/8/8/8/1q6/K7 w - - 0 1"})
    env.close()


def test_an_agent_makes_all_moves_of_its_turn() -> None:
    env = acedrex.env.aec("chieftain")
    env.reset(seed=1)
    selected = []
    for _ in range(40):
        selected.append(env.agent_selection)
        env.step(env.action_space(env.agent_selection).sample(env.last()[0]["action_mask"]))
    assert "player_0 player_0" in " ".join(selected)
    assert set(selected) == {"player_0", "player_1"}


def test_an_engine_level_can_be_the_opponent() -> None:
    env = gymnasium.make("acedrex/magi-v0", opponent=1, color="black", render_mode="ansi")
    observation, _ = env.reset(seed=4)
    picture = env.render()
    assert isinstance(picture, str)
    assert len(picture.splitlines()) >= 10
    legal = np.flatnonzero(observation["action_mask"])
    _, reward, terminated, truncated, _ = env.step(int(legal[0]))
    assert (reward, terminated, truncated) == (0, False, False)
    env.close()


def test_the_documentation_states_the_sizes() -> None:
    text = (Path(__file__).parent.parent / "docs" / "environments.md").read_text(encoding="utf-8")
    for game in GAMES:
        shape = ", ".join(map(str, acedrex.env.Planes(game).shape))
        row = f"| {acedrex.load(game).name} | {len(acedrex.env.Actions(game)):,} | {shape} |"
        assert row in text
