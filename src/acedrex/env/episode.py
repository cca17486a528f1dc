"""One game of an environment: what both kinds of environments for single games share."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
from gymnasium import spaces

from acedrex.board import Board
from acedrex.env.batch import RANDOM, begin_fen
from acedrex.env.tables import Actions, AnyGame, Planes
from acedrex.errors import Error
from acedrex.game import load

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from acedrex.outcome import Outcome

__all__ = ["RENDER_MODES", "Episode", "Observation", "render"]

#: The ways to show a board: an array of pixels, or text.
RENDER_MODES = ("rgb_array", "ansi")

#: What an agent sees: ``observation``, planes, and ``action_mask``, 1 for each action that is legal for it now.
Observation = dict[str, "NDArray[np.uint8] | NDArray[np.int8]"]


class Episode:
    """A board that is played by actions until the game is over."""

    def __init__(self, game: AnyGame, max_moves: int | None, *, claim_draws: bool) -> None:
        if max_moves is not None and max_moves < 1:
            raise Error(f"max_moves={max_moves}: expected a number from 1 up")
        self.game = load(game)
        self.actions, self.planes = Actions(self.game), Planes(self.game)
        self.board = Board(self.game)
        self._max_moves, self._claim_draws = max_moves, claim_draws
        self.space = spaces.Dict(
            {
                "observation": spaces.Box(0, 255, self.planes.shape, dtype=np.uint8),
                "action_mask": spaces.MultiBinary(len(self.actions)),
            }
        )
        #: How the game ended, the rewards of White and Black, and why, in words; "" while it goes on.
        self.ending = ""
        self.rewards = (0.0, 0.0)
        self.reason = ""

    def is_over(self) -> bool:
        """Return whether the game ended."""
        return bool(self.ending)

    @property
    def truncated(self) -> bool:
        """Whether the game was stopped at its greatest length."""
        return self.ending == "length_limit"

    @property
    def terminated(self) -> bool:
        """Whether the game ended otherwise."""
        return bool(self.ending) and not self.truncated

    @property
    def info(self) -> dict[str, Any]:
        """How the game ended, if it did."""
        return {"ending": self.ending, "reason": self.reason} if self.ending else {}

    def begin(self, options: Mapping[str, Any], setup: int) -> None:
        """Begin a game by the options ``setup`` and ``fen``; if they are left out, with the setup of this number.

        Other options are ignored, as the checks of PettingZoo and Gymnasium want it.

        :raises Error: if there is no such setup, or the FEN is not a position that can be played on.
        """
        name, setups = options.get("setup", RANDOM), self.game.setups
        if name == RANDOM and len(setups):
            name = setups[setup % len(setups)]
        board = Board(self.game, begin_fen(self.game, name, options.get("fen")))
        if outcome := board.outcome(claim_draw=self._claim_draws):
            raise Error(f"the game is over in the position to begin from: {outcome.termination.value}")
        self.board, self.ending, self.reason, self.rewards = board, "", "", (0.0, 0.0)

    def act(self, action: int, *, limited: bool = True) -> None:
        """Make the move of an action; one that is not legal ends the game.

        :param limited: whether the greatest length stops the game.
        """
        try:
            self.board.push_uci(self.actions.move(action, white=self.board.turn).uci())
        except Error as error:
            lost = (-1.0, 1.0) if self.board.turn else (1.0, -1.0)
            self._end("illegal_action", str(error), lost)
            return
        if outcome := self.board.outcome(claim_draw=self._claim_draws):
            self._end(outcome.termination.value, outcome.text(), rewards(outcome))
        elif limited and self._max_moves is not None and self.board.ply() >= self._max_moves:
            self._end("length_limit", f"stopped after {self._max_moves} moves", (0.0, 0.0))

    def _end(self, ending: str, reason: str, rewards: tuple[float, float]) -> None:
        self.ending, self.reason, self.rewards = ending, reason, rewards

    def observe(self, *, white: bool) -> Observation:
        """Return what a side sees; a side that is not to move has no legal actions."""
        mask = self.actions.legal_actions_mask(self.board)
        if self.ending or white != self.board.turn:
            mask[:] = 0
        return {"observation": self.planes.of(self.board, white=white), "action_mask": mask}


def rewards(outcome: Outcome) -> tuple[float, float]:
    """Return the rewards of White and Black, from -1 to 1."""
    white, black = (Fraction(points) for points in outcome.score.split("-"))
    share = float((white - black) / (white + black))
    return share, -share


def render(board: Board, mode: str | None) -> NDArray[np.uint8] | str | None:
    """Return the board as pixels, as text, or not at all."""
    if mode == "ansi":
        return board.unicode()
    if mode == "rgb_array":
        from acedrex.env.picture import pixels

        return pixels(board)
    return None
