"""PettingZoo: both sides are agents."""

from __future__ import annotations

from operator import index
from typing import TYPE_CHECKING, Any, SupportsInt

from gymnasium import spaces
from gymnasium.utils import seeding
from pettingzoo import AECEnv

from acedrex.env.episode import RENDER_MODES, Episode, Observation, render
from acedrex.errors import Error

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from acedrex.board import Board
    from acedrex.env.tables import AnyGame

__all__ = ["TwoPlayerEnv"]


class TwoPlayerEnv(AECEnv):
    """A game of two agents, ``player_0`` (White) and ``player_1`` (Black). :func:`acedrex.env.aec` makes it."""

    metadata: dict[str, Any] = {  # noqa: RUF012, as PettingZoo has it
        "name": "acedrex_v0",
        "render_modes": list(RENDER_MODES),
        "is_parallelizable": False,
        "render_fps": 2,
    }

    def __init__(self, game: AnyGame, *, render_mode: str | None, max_moves: int | None, claim_draws: bool) -> None:
        super().__init__()
        if render_mode not in (None, *RENDER_MODES):
            raise Error(f"render_mode={render_mode!r}; there are {', '.join(RENDER_MODES)}")
        self._episode = Episode(game, max_moves, claim_draws=claim_draws)
        self.render_mode = render_mode
        self.metadata = {**self.metadata, "name": f"acedrex_{self._episode.game.id}_v0"}
        self.possible_agents = ["player_0", "player_1"]
        self.agents = list(self.possible_agents)
        self.observation_spaces = dict.fromkeys(self.possible_agents, self._episode.space)
        self.action_spaces = {agent: spaces.Discrete(len(self._episode.actions)) for agent in self.possible_agents}
        self._random, _ = seeding.np_random()

    @property
    def board(self) -> Board:
        """The board; making moves on it changes the game."""
        return self._episode.board

    def observation_space(self, agent: str) -> spaces.Dict:
        """Return the space of observations, the same for both agents."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """Return the space of actions."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game.

        :param seed: the seed of random setups; by default the random numbers go on.
        :param options: ``setup``, the name of a setup, or ``fen``, a position; by default a random setup.
            Others are ignored.
        :raises Error: if there is no such setup, or the FEN is not a position that can be played on.
        """
        if seed is not None:
            self._random, _ = seeding.np_random(index(seed))
        self._episode.begin(options or {}, int(self._random.integers(2**32)))
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self._mover()

    def step(self, action: SupportsInt | None) -> None:
        """Make a move of the selected agent, which stays selected until its turn is over.

        An action that is not legal ends the game: the agent gets -1, the other 1, and ``infos`` has the reason.
        """
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise Error("an action is missing: only agents whose game is over step with None")
        self._cumulative_rewards[agent] = 0.0
        self._episode.act(int(action))
        self.rewards = dict(zip(self.possible_agents, self._episode.rewards, strict=True))
        self.terminations = dict.fromkeys(self.agents, self._episode.terminated)
        self.truncations = dict.fromkeys(self.agents, self._episode.truncated)
        self.infos = dict.fromkeys(self.agents, self._episode.info)
        self._accumulate_rewards()
        self.agent_selection = self._mover()

    def observe(self, agent: str) -> Observation:
        """Return what an agent sees; it has legal actions only if it is selected."""
        return self._episode.observe(white=agent == "player_0")

    def render(self) -> NDArray[np.uint8] | str | None:
        """Return the board as ``render_mode`` says: an array (height, width, 3) or text."""
        return render(self.board, self.render_mode)

    def close(self) -> None:
        """Do nothing: there is no window."""

    def _mover(self) -> str:
        return self.possible_agents[0 if self.board.turn else 1]

    def __str__(self) -> str:
        return str(self.metadata["name"])
