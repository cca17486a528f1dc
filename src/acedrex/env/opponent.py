"""Gymnasium: one agent against an opponent."""

from __future__ import annotations

from operator import index
from typing import TYPE_CHECKING, Any, SupportsIndex, SupportsInt

import gymnasium
from gymnasium import spaces

from acedrex.engine import Engine
from acedrex.env.episode import RENDER_MODES, Episode, Observation, render
from acedrex.errors import Error
from acedrex.limits import MAX_LEVEL

if TYPE_CHECKING:
    from collections.abc import Sequence

    from acedrex._native import Move
    from acedrex.board import Board
    from acedrex.env.tables import AnyGame

__all__ = ["OpponentEnv"]

#: The highest level that searches a fixed number of positions, and so needs no limit.
MAX_FIXED_LEVEL = MAX_LEVEL - 1


class OpponentEnv(gymnasium.Env[Any, SupportsInt]):
    """A game of an agent against an opponent. ``gymnasium.make`` makes it.

    :param game: the id of a game, with options such as ``magi:scoring=four_points``; the path of a definition; a game.
    :param opponent: ``"random"``, or a level of the engine from 1 to 9.
    :param color: the side of the agent, ``"white"`` or ``"black"``; by default drawn at each reset.
    :param render_mode: ``"rgb_array"``, ``"ansi"`` or ``None``.
    :param max_moves: the number of moves of both sides after which the game is stopped, though not before the agent has
        moved; by default none.
    :param claim_draws: whether a draw that the side to move may claim ends the game.
    :raises Error: if an argument is not one of these.
    :raises DefinitionError: if there is no such game or option, or the definition has faults.
    """

    metadata: dict[str, Any] = {"render_modes": list(RENDER_MODES), "render_fps": 2}  # noqa: RUF012, as Gymnasium has it

    def __init__(
        self,
        game: AnyGame,
        *,
        opponent: str | int = "random",
        color: str | None = None,
        render_mode: str | None = None,
        max_moves: int | None = None,
        claim_draws: bool = True,
    ) -> None:
        if render_mode not in (None, *RENDER_MODES):
            raise Error(f"render_mode={render_mode!r}; there are {', '.join(RENDER_MODES)}")
        if color not in (None, "white", "black"):
            raise Error(f"color={color!r}; expected 'white', 'black' or None")
        level = index(opponent) if isinstance(opponent, SupportsIndex) else None
        if opponent != "random" and (level is None or not 1 <= level <= MAX_FIXED_LEVEL):
            raise Error(f"opponent={opponent!r}; expected 'random' or a level from 1 to {MAX_FIXED_LEVEL}")
        self._episode = Episode(game, max_moves, claim_draws=claim_draws)
        self._engine = None if level is None else Engine(hash_mb=16, level=level)
        self._color = color
        self._white = color != "black"
        self.render_mode = render_mode
        self.observation_space = self._episode.space
        self.action_space: spaces.Space[Any] = spaces.Discrete(len(self._episode.actions))

    @property
    def board(self) -> Board:
        """The board; making moves on it changes the game."""
        return self._episode.board

    @property
    def white(self) -> bool:
        """Whether the agent plays White in this game."""
        return self._white

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin a game; if the opponent has the first move, it is made.

        :param seed: the seed of setups, of sides, and of the opponent; by default the random numbers go on.
        :param options: ``setup``, the name of a setup, or ``fen``, a position; by default a random setup.
            Others are ignored.
        :raises Error: if there is no such setup, the FEN is not a position that can be played on, or the
            opponent ends the game there before the agent can move.
        """
        super().reset(seed=None if seed is None else index(seed))
        setup, white, engine = (int(number) for number in self.np_random.integers(2**32, size=3))
        self._episode.begin(options or {}, setup)
        self._white = white % 2 == 0 if self._color is None else self._color == "white"
        if self._engine is not None:
            self._engine.clear()
            self._engine.seed(engine)
        self._reply(limited=False)
        if self._episode.is_over():
            raise Error(
                f"the opponent's first turn ended the game ({self._episode.ending}), so the agent cannot move; "
                f"begin from another position, or with color={'black' if self._white else 'white'!r}"
            )
        return self._observation(), self._info()

    def step(self, action: SupportsInt) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Make a move of the agent, and those of the opponent if the agent's turn is over.

        The reward is 1 for a win, -1 for a loss, 0 for a draw or while the game goes on. An action that is not legal
        loses, and ``info`` has the reason.

        :raises Error: if the game is over.
        """
        if self._episode.is_over():
            raise Error("the game is over; call reset()")
        self._episode.act(int(action))
        self._reply()
        episode = self._episode
        reward = episode.rewards[0 if self._white else 1]
        return self._observation(), reward, episode.terminated, episode.truncated, self._info()

    def render(self) -> Any:
        """Return the board as ``render_mode`` says: an array (height, width, 3) or text."""
        return render(self.board, self.render_mode)

    def close(self) -> None:
        """Free the memory of the engine."""
        if self._engine is not None:
            self._engine.close()

    def _reply(self, *, limited: bool = True) -> None:
        while not self._episode.is_over() and self.board.turn != self._white:
            for move in self._choose():
                if not self._episode.is_over():
                    action = self._episode.actions.action(move, white=not self._white)
                    self._episode.act(action, limited=limited)

    def _choose(self) -> Sequence[Move]:
        """Return the moves of the opponent: a turn of the engine, or one random move."""
        if self._engine is not None:
            return self._engine.play(self.board).moves
        legal = self.board.legal_moves
        return [legal[int(self.np_random.integers(len(legal)))]]

    def _observation(self) -> Observation:
        return self._episode.observe(white=self._white)

    def _info(self) -> dict[str, Any]:
        return self._episode.info
