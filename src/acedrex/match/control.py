"""How long a player thinks."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from acedrex.engine.limit import Limit
from acedrex.errors import Error

__all__ = ["CONTROLS", "LATE", "LONGEST", "Control", "limit", "read_control"]

#: The tolerance in seconds before a turn counts as late.
LATE = 0.1
#: The time limit of a turn in seconds if only nodes are limited; only a program that hangs reaches it.
LONGEST = 60.0
#: The turns on which a player spends its clock, about.
TURNS = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class Control:
    """How long a player thinks: nodes per turn, seconds per turn, or a clock with an increment. Exactly one is set."""

    nodes: int | None = None
    time: float | None = None
    base: float | None = None
    increment: float = 0.0

    @property
    def turn(self) -> float:
        """About how many seconds a turn takes; with a limit of nodes, the most that it may take.

        >>> Control(base=60, increment=0.5).turn
        2.0
        """
        if self.nodes is not None:
            return LONGEST
        return self.time or (self.base or 0.0) / TURNS + self.increment

    @property
    def tag(self) -> str:
        """The value of the PGN tag ``TimeControl``; ``-`` for nodes, and one move per period for a time per turn.

        >>> Control(base=60, increment=0.5).tag, Control(time=0.1).tag, Control(nodes=1000).tag
        ('60+0.5', '1/0.1', '-')
        """
        if self.nodes is not None:
            return "-"
        return str(self) if self.time is None else f"1/{self.time:g}"

    @property
    def pace(self) -> str:
        """The control with its unit.

        >>> Control(base=60).pace, Control(time=0.1).pace
        ('60+0 a game', '0.1 s a turn')
        """
        return f"{self} a {'game' if self.base is not None else 'turn'}"

    def __str__(self) -> str:
        if self.nodes is not None:
            return f"{self.nodes} node{'' if self.nodes == 1 else 's'}"
        return f"{self.time:g} s" if self.time is not None else f"{self.base:g}+{self.increment:g}"


def limit(controls: Mapping[bool, Control], clocks: Mapping[bool, float], color: bool) -> Limit:
    """Return the limit of a side's next turn; White's is ``True``.

    :param controls: how long each side thinks.
    :param clocks: the seconds left, for the sides that have a clock.
    """
    own, white, black = controls[color], controls[True], controls[False]
    if own.nodes is not None:
        return Limit(nodes=own.nodes, time=LONGEST)
    if own.time is not None:
        return Limit(time=own.time)
    return Limit(
        white_clock=None if white.base is None else clocks[True],
        black_clock=None if black.base is None else clocks[False],
        white_inc=None if white.base is None else white.increment,
        black_inc=None if black.base is None else black.increment,
    )


#: The controls by the name of their option, and what they expect.
CONTROLS = {
    "nodes": "nodes per turn, a whole number from 1",
    "time": "seconds per turn, from 0.001 to 86400",
    "tc": "seconds per game + seconds per turn, like 60+0.5",
}


def read_control(name: str, text: str) -> Control:
    """Read a control.

    >>> read_control("tc", "60+0.5")
    Control(nodes=None, time=None, base=60.0, increment=0.5)

    :param name: ``nodes``, ``time`` or ``tc``.
    :raises Error: if the text is not such a control.
    """
    base, _, increment = text.partition("+")
    if name == "nodes" and text.isascii() and text.isdigit() and 0 < len(text) < 13 and int(text):
        return Control(nodes=int(text))
    if name == "time" and (seconds := _seconds(text)):
        return Control(time=seconds)
    if name == "tc" and (seconds := _seconds(base)) and (not increment.strip("0.") or _seconds(increment)):
        return Control(base=seconds, increment=_seconds(increment) or 0.0)
    raise Error(f"{name}={text[:40]}: expected {CONTROLS[name]}")


def _seconds(text: str) -> float | None:
    """Read a time from a millisecond to a day; ``None`` for anything else."""
    try:
        seconds = float(text)
    except ValueError:
        return None
    return seconds if math.isfinite(seconds) and 0.001 <= seconds <= 86_400 else None
