"""Time controls."""

from __future__ import annotations

from dataclasses import dataclass, replace

from acedrex.engine.limit import Limit
from acedrex.errors import Error

__all__ = ["Clock"]

#: The assumed number of turns left in a game, if the clock is counted in nodes.
TURNS_LEFT = 30


@dataclass
class Clock:
    """The time control, as set by the GUI."""

    session: int = 0
    """Turns per session of ``level``; 0 for the whole game."""
    base: float = 300.0
    """Seconds per session."""
    increment: float = 0.0
    """Increment in seconds per turn."""
    per_turn: float | None = None
    """Seconds for each turn, instead of a clock."""
    depth: int | None = None
    """Search depth in half-moves."""
    rate: int = 0
    """Nodes that count as one second; 0 to use real time."""
    own: float | None = None
    """Seconds on the engine's clock."""
    other: float | None = None
    """Seconds on the opponent's clock."""

    def level(self, text: str) -> None:
        """Read ``level MPS BASE INC``: turns per session, minutes or minutes:seconds, seconds.

        :raises Error: if it has another form.
        """
        words = text.split()
        try:
            session, base, increment = words
            minutes, _, seconds = base.partition(":")
            self.session = number(session, 0, 10_000)
            self.base = number(minutes, 0, 100_000) * 60 + (number(seconds, 0, 59) if seconds else 0)
            self.increment = decimal(increment)
        except ValueError:
            raise Error("level is written: level TURNS MINUTES:SECONDS INCREMENT") from None
        self.per_turn = self.own = self.other = None

    def limit(self, *, white: bool, turns_made: int) -> Limit:
        """Return the limit of a search.

        :param white: whether the engine plays White.
        :param turns_made: turns that the engine has made under this time control.
        """
        left = self.session - turns_made % self.session if self.session else None
        own, other = (self.base if clock is None else clock for clock in (self.own, self.other))
        own = max(own, 0.001)
        if self.rate:
            share = own / (left or TURNS_LEFT) + self.increment if self.per_turn is None else self.per_turn
            return Limit(depth=self.depth, nodes=max(1, int(share * self.rate)))
        if self.per_turn is not None:
            return Limit(depth=self.depth, time=self.per_turn)
        limit = Limit(depth=self.depth, white_inc=self.increment, black_inc=self.increment, remaining_moves=left)
        white_clock, black_clock = (own, other) if white else (other, own)
        return replace(limit, white_clock=white_clock, black_clock=black_clock)


def number(text: str, least: int, most: int) -> int:
    """Read a whole number within bounds.

    :raises Error: if the text is not such a number.
    """
    if text.isascii() and text.isdigit() and len(text) < 10 and least <= int(text) <= most:
        return int(text)
    raise Error(f"{text[:40]!r} is not a number from {least} to {most}")


def decimal(text: str) -> float:
    """Read a number of seconds.

    :raises Error: if the text is not a number.
    """
    whole, _, part = text.partition(".")
    if (whole + part).isascii() and (whole + part).isdigit() and len(text) < 10:
        return float(text)
    raise Error(f"{text[:40]!r} is not a number of seconds")
