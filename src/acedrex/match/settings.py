"""The settings of a match: the game, the players, their time, and when the match is over."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from acedrex.engine.limit import Limit
from acedrex.errors import Error
from acedrex.game import Game
from acedrex.match.players import Spec

__all__ = ["LATE", "LONGEST", "Control", "Goal", "Settings"]

#: The tolerance in seconds before a turn counts as late.
LATE = 0.1
#: The time limit of a turn in seconds if only nodes are limited; only a program that hangs reaches it.
LONGEST = 60.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Control:
    """How long players think: nodes per turn, seconds per turn, or a clock with an increment. Exactly one is set."""

    nodes: int | None = None
    time: float | None = None
    base: float | None = None
    increment: float = 0.0

    def limit(self, clocks: dict[bool, float]) -> Limit:
        """Return the limit of the next turn, given both clocks in seconds (White's is ``True``)."""
        if self.nodes is not None:
            return Limit(nodes=self.nodes, time=LONGEST)
        if self.time is not None:
            return Limit(time=self.time)
        return Limit(
            white_clock=clocks[True], black_clock=clocks[False], white_inc=self.increment, black_inc=self.increment
        )

    @property
    def tag(self) -> str:
        """The value of the PGN tag ``TimeControl``; ``-`` for nodes, and one move per period for a time per turn.

        >>> Control(base=60, increment=0.5).tag, Control(time=0.1).tag, Control(nodes=1000).tag
        ('60+0.5', '1/0.1', '-')
        """
        if self.nodes is not None:
            return "-"
        return str(self) if self.time is None else f"1/{self.time:g}"

    def __str__(self) -> str:
        if self.nodes is not None:
            return f"{self.nodes} node{'' if self.nodes == 1 else 's'}"
        return f"{self.time:g} s" if self.time is not None else f"{self.base:g}+{self.increment:g}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The settings that stay the same from the first game of a match to the last."""

    game: Game
    first: Spec
    second: Spec
    control: Control
    openings: int = 8
    """Random moves before the players begin."""
    balance: int = 0
    """The most centipawns by which an opening may favour a side, as judged by our engine; 0 accepts all openings."""
    seed: int = 1
    adjudicate: bool = False
    """Whether a game ends early when the scores of both players agree."""
    ask_again: bool = False
    """Whether a player is asked once more, with the legal moves, after an illegal turn."""

    def record(self) -> dict[str, Any]:
        """Return the settings as a JSON object, by which the log recognizes its match."""
        return {
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
