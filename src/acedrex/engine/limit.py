"""How long an engine may think."""

from __future__ import annotations

import math
from dataclasses import dataclass

from acedrex.errors import Error

#: What is counted from 1, and what is measured from 0.
_COUNTS = {"depth", "nodes", "mate", "remaining_moves"}
_TIMES = {"time", "white_inc", "black_inc"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Limit:
    """What ends a search: whichever of several is reached first. None at all lets it go on until it is stopped.

    :raises Error: if a count is below 1, a time or an increment below 0, or a number is not finite. Clocks may have
        run out.

    >>> Limit(time=0.5)
    Limit(time=0.5)
    >>> Limit(white_clock=180, black_clock=175, white_inc=2, black_inc=2).clock(white=True)
    (180, 2)
    """

    time: float | None = None
    """Seconds for this turn."""
    depth: int | None = None
    """Plies to look ahead."""
    nodes: int | None = None
    """Positions to visit: exact with one thread."""
    mate: int | None = None
    """Turns within which a mate is looked for; found, the search ends."""
    white_clock: float | None = None
    """Seconds left on White's clock."""
    black_clock: float | None = None
    """Seconds left on Black's clock."""
    white_inc: float | None = None
    """Seconds that White gains a turn."""
    black_inc: float | None = None
    """Seconds that Black gains a turn."""
    remaining_moves: int | None = None
    """Turns until more time is given; by default it has to do for the whole game."""

    def __post_init__(self) -> None:
        """See that every number can be meant."""
        for name in self.__slots__:
            value = getattr(self, name)
            least = 1 if name in _COUNTS else 0 if name in _TIMES else -math.inf
            if value is not None and not (value >= least and math.isfinite(value)):
                what = "a number" if least < 0 else f"a number from {least} up"
                raise Error(f"{name}={value!r}: expected {what}")

    def clock(self, *, white: bool) -> tuple[float | None, float | None]:
        """Return a side's clock and its increment, in seconds."""
        return (self.white_clock, self.white_inc) if white else (self.black_clock, self.black_inc)

    def __repr__(self) -> str:
        """Show what is limited."""
        given = ((name, getattr(self, name)) for name in self.__slots__)
        return f"Limit({', '.join(f'{name}={value!r}' for name, value in given if value is not None)})"
