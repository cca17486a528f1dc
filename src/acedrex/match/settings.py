"""The settings of a match: the game, the players, their time, and when the match is over."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from acedrex.errors import Error
from acedrex.game import Game
from acedrex.match.control import Control
from acedrex.match.players import Spec

__all__ = ["Goal", "Settings"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The settings that stay the same from the first game of a match to the last."""

    game: Game
    first: Spec
    second: Spec
    control: Control
    """How long the players think that have no control of their own."""
    openings: int = 8
    """Random moves before the players begin."""
    balance: int = 0
    """The most centipawns by which an opening may favour a side, as judged by our engine; 0 accepts all openings."""
    seed: int = 1
    adjudicate: bool = False
    """Whether a game ends early when the scores of both players agree."""
    ask_again: bool = False
    """Whether a player is asked once more, with the legal moves, after an illegal turn."""

    @property
    def controls(self) -> dict[str, Control]:
        """How long each player thinks, ``first`` and ``second``."""
        return {"first": self.first.control or self.control, "second": self.second.control or self.control}

    @property
    def pace(self) -> str:
        """How long the players think, in words: ``0.8 s a turn against 0.1 s a turn`` if it differs."""
        first, second = self.controls.values()
        return first.pace if first == second else f"{first.pace} against {second.pace}"

    def record(self) -> dict[str, Any]:
        """Return the settings as a JSON object, by which the log recognizes its match."""
        values = {
            "game": self.game.spec,
            "rules_hash": self.game.rules_hash,
            "first": self.first.text,
            "second": self.second.text,
            "control": str(self.control),
            "openings": self.openings,
            "balance": self.balance,
            "seed": self.seed,
            "adjudicate": self.adjudicate,
            "ask_again": self.ask_again,
        }
        first, second = self.controls.values()
        if first != second:
            values["controls"] = {"first": str(first), "second": str(second)}
        return values


@dataclass(frozen=True, slots=True, kw_only=True)
class Goal:
    """When a match is over: after a number of games, or when an SPRT of two normalized Elo values has decided."""

    games: int | None = None
    sprt: tuple[float, float] | None = None

    def __post_init__(self) -> None:
        if self.games is None and self.sprt is None:
            raise Error(
                "a match needs an end: games, an even number such as 100, or sprt, two Elo values such as 0 and 5"
            )
        if self.games is not None and (self.games < 2 or self.games % 2):
            raise Error(f"{self.games} games: games are played in pairs, so the number must be even and at least 2")
        if self.sprt is not None and not self.sprt[0] < self.sprt[1]:
            raise Error(f"the first Elo value, {self.sprt[0]:g}, must be less than the second, {self.sprt[1]:g}")
