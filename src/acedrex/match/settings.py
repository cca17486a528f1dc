"""What a match is about: who plays what, how long they think, and when it is over."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from acedrex.engine.limit import Limit
from acedrex.errors import Error
from acedrex.game import Game
from acedrex.match.players import Spec

__all__ = ["LATE", "LONGEST", "Control", "Goal", "Settings"]

#: Seconds by which a turn may pass its time before that counts.
LATE = 0.1
#: Seconds that a turn may take where only nodes are counted: so long that just a program that hangs needs them.
LONGEST = 60.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Control:
    """How long players think: nodes a turn, seconds a turn, or a clock with an increment. Exactly one is given."""

    nodes: int | None = None
    time: float | None = None
    base: float | None = None
    increment: float = 0.0

    def limit(self, clocks: dict[bool, float]) -> Limit:
        """Return the limit of the next turn."""
        if self.nodes is not None:
            return Limit(nodes=self.nodes, time=LONGEST)
        if self.time is not None:
            return Limit(time=self.time)
        return Limit(
            white_clock=clocks[True], black_clock=clocks[False], white_inc=self.increment, black_inc=self.increment
        )

    @property
    def tag(self) -> str:
        """The value of PGN's tag ``TimeControl``: none for nodes, and each move's time as that of one move.

        >>> Control(base=60, increment=0.5).tag, Control(time=0.1).tag, Control(nodes=1000).tag
        ('60+0.5', '1/0.1', '-')
        """
        if self.nodes is not None:
            return "-"
        return str(self) if self.time is None else f"1/{self.time:g}"

    def __str__(self) -> str:
        if self.nodes is not None:
            return f"{self.nodes} nodes"
        return f"{self.time:g} s" if self.time is not None else f"{self.base:g}+{self.increment:g}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What a match has to keep from its first game to its last."""

    game: Game
    first: Spec
    second: Spec
    control: Control
    openings: int = 8
    """Random moves before the players begin."""
    balance: int = 0
    """Centipawns by which our engine may see a side ahead after an opening; 0 takes all openings."""
    seed: int = 1
    adjudicate: bool = False
    """Whether a game ends when both players' scores agree on how."""
    ask_again: bool = False
    """Whether a program whose turn is not legal is asked again, and told the legal moves."""

    def record(self) -> dict[str, Any]:
        """Write them down, so that nobody goes on with another match by mistake."""
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
    """When a match is over: after so many games, or when a test of two guesses in normalized Elo has decided."""

    games: int | None = None
    sprt: tuple[float, float] | None = None

    def __post_init__(self) -> None:
        if self.games is None and self.sprt is None:
            raise Error("a match needs an end: a number of games, or two Elo values for SPRT")
        if self.games is not None and (self.games < 2 or self.games % 2):
            raise Error(f"{self.games} games: games are played in pairs, so the number must be even and at least 2")
        if self.sprt is not None and not self.sprt[0] < self.sprt[1]:
            raise Error(f"the first Elo value, {self.sprt[0]:g}, must be less than the second, {self.sprt[1]:g}")
