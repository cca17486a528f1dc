"""Environments for reinforcement learning: batches of boards, PettingZoo and Gymnasium.

In a checkout: ``pip install ".[rl]"``. Batches need NumPy alone. Importing this module registers every game that ships
with Acedrex in Gymnasium, if that is installed:

>>> import gymnasium
>>> import acedrex.env
>>> env = gymnasium.make("acedrex/magi-v0", opponent="random", color="white")
>>> observation, info = env.reset(seed=1)
>>> int(observation["action_mask"].sum())
38
"""

from __future__ import annotations

import importlib.util
from typing import TYPE_CHECKING

from acedrex.env.arrays import Arrays
from acedrex.env.batch import ENDINGS, Autoreset, BatchBoards
from acedrex.env.tables import Actions, Planes
from acedrex.game import games

if TYPE_CHECKING:
    from acedrex.env.tables import AnyGame
    from acedrex.env.two_player import TwoPlayerEnv

__all__ = ["ENDINGS", "Actions", "Arrays", "Autoreset", "BatchBoards", "Planes", "aec"]


def aec(
    game: AnyGame, *, render_mode: str | None = None, max_moves: int | None = None, claim_draws: bool = True
) -> TwoPlayerEnv:
    """Return a PettingZoo environment of two agents, ``player_0`` (White) and ``player_1`` (Black).

    An agent stays selected as long as its turn lasts. Observations are dictionaries: ``observation`` has the planes as
    the agent sees them, ``action_mask`` (``int8``) a 1 for each legal action.

    >>> env = aec("chieftain")
    >>> env.reset(seed=1)
    >>> for _ in range(3):
    ...     observation, reward, terminated, truncated, info = env.last()
    ...     env.step(observation["action_mask"].argmax())  # the first legal action
    >>> env.agent_selection
    'player_0'

    :param game: the id of a game, with options such as ``magi:scoring=four_points``; the path of a definition; a game.
    :param render_mode: ``"rgb_array"``, ``"ansi"`` or ``None``.
    :param max_moves: the number of moves after which a game is truncated; by default none.
    :param claim_draws: whether a draw that the side to move may claim ends the game.
    :raises ModuleNotFoundError: if PettingZoo is not installed.
    :raises DefinitionError: if there is no such game or option, or the definition has faults.
    """
    from acedrex.env.two_player import TwoPlayerEnv

    return TwoPlayerEnv(game, render_mode=render_mode, max_moves=max_moves, claim_draws=claim_draws)


def _register() -> None:
    from gymnasium.envs.registration import register, registry

    for game in games():
        name = f"acedrex/{game}-v0"
        if name not in registry:
            register(name, entry_point="acedrex.env.opponent:OpponentEnv", kwargs={"game": game})


if importlib.util.find_spec("gymnasium") is not None:
    _register()
