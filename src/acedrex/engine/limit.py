"""Limits of a search."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from operator import index

from acedrex.errors import Error

#: The fields that must be at least 1, with the highest numbers that the core reads, and those that must be at least 0.
_COUNTS = {"depth": 2**31 - 1, "nodes": 2**63 - 1, "mate": 2**31 - 1, "remaining_moves": 2**31 - 1}
_TIMES = {"time", "white_inc", "black_inc"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Limit:
    """When a search ends: at the first limit reached. Without any limit it runs until it is stopped.

    :raises Error: if a count is below 1 or has more than 31 bits (63 for ``nodes``), a time or an increment is below 0,
        or a number is not finite. Clocks may be negative.

    >>> Limit(time=0.5)
    Limit(time=0.5)
    >>> Limit(white_clock=180, black_clock=175, white_inc=2, black_inc=2).clock(white=True)
    (180, 2)
    """

    time: float | None = None
    """Seconds for this turn."""
    depth: int | None = None
    """Search depth in half-moves; at Chieftain Chess, which is searched by whole turns, in rounds of the search."""
    nodes: int | None = None
    """Positions to visit; exact with one thread."""
    mate: int | None = None
    """End the search once a mate within this number of turns is found."""
    white_clock: float | None = None
    """Seconds left on White's clock."""
    black_clock: float | None = None
    """Seconds left on Black's clock."""
    white_inc: float | None = None
    """White's increment in seconds per turn."""
    black_inc: float | None = None
    """Black's increment in seconds per turn."""
    remaining_moves: int | None = None
    """Turns until the next time control; by default the clock is for the whole game."""

    def __post_init__(self) -> None:
        """Check that every number is in its range."""
        for name in self.__slots__:
            value = getattr(self, name)
            least = 1 if name in _COUNTS else 0 if name in _TIMES else -sys.float_info.max
            most = _COUNTS.get(name, sys.float_info.max)
            if value is not None and not least <= value <= most:
                what = "a number" if least < 0 else f"a number from {least} {f'to {most}' if least else 'up'}"
                raise Error(f"{name}={value!r}: expected {what}")
            if value is not None and name in _COUNTS:
                object.__setattr__(self, name, index(value))

    def clock(self, *, white: bool) -> tuple[float | None, float | None]:
        """Return a side's clock and its increment, in seconds."""
        return (self.white_clock, self.white_inc) if white else (self.black_clock, self.black_inc)

    def __repr__(self) -> str:
        """Show only the limits that are set."""
        given = ((name, getattr(self, name)) for name in self.__slots__)
        return f"Limit({', '.join(f'{name}={value!r}' for name, value in given if value is not None)})"
