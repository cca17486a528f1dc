"""Time controls as the tag ``TimeControl`` has them: ``40/7200:900+30``."""

from __future__ import annotations

import enum
import re
from dataclasses import dataclass

from acedrex.errors import Error
from acedrex.pgn.text import shorten

_PART = re.compile(r"(?:(\d{1,9})/)?(\d{1,9}(?:\.\d{1,9})?)(?:\+(\d{1,9}(?:\.\d{1,9})?)(d?))?", re.ASCII)
#: Up to how many seconds for sixty moves a game is fast; the limits are those of python-chess.
_PACES = ((180, "bullet"), (900, "blitz"), (3600, "rapid"))


class TimeControlType(enum.Enum):
    """How fast a time control is, by the seconds that a player has for sixty moves."""

    UNKNOWN = "unknown"
    UNLIMITED = "unlimited"
    STANDARD = "standard"
    RAPID = "rapid"
    BLITZ = "blitz"
    BULLET = "bullet"


@dataclass(frozen=True, slots=True)
class TimeControlPart:
    """One period: ``time`` seconds for ``moves`` moves, 0 for all that are left.

    ``increment`` is added for each move; for ``delay`` seconds of each move the clock does not run.
    """

    moves: int = 0
    time: float = 0
    increment: float = 0
    delay: float = 0


@dataclass(frozen=True, slots=True)
class TimeControl:
    """A time control: its kind and its periods."""

    parts: tuple[TimeControlPart, ...] = ()
    type: TimeControlType = TimeControlType.UNKNOWN


def parse_time_control(text: str) -> TimeControl:
    """Read a time control as the tag ``TimeControl`` has it.

    >>> control = parse_time_control("40/7200:900+30")
    >>> control.type, len(control.parts), control.parts[1]
    (<TimeControlType.STANDARD: 'standard'>, 2, TimeControlPart(moves=0, time=900, increment=30, delay=0))
    >>> parse_time_control("180+2").type
    <TimeControlType.BLITZ: 'blitz'>

    :param text: periods joined by colons, all in seconds, with a ``d`` after a delay; ``-`` for no limit, ``?`` or
        nothing if it is unknown.
    :raises Error: if it is not a time control.
    """
    if text in ("", "?"):
        return TimeControl()
    if text == "-":
        return TimeControl(type=TimeControlType.UNLIMITED)
    parts = []
    written = text.split(":")
    for number, period in enumerate(written):
        found = _PART.fullmatch(period)
        # What has no end is the last period, except before byo-yomi, whose periods are for one move each.
        if found is None or (found[1] is None and any(not after.startswith("1/") for after in written[number + 1 :])):
            raise Error(f"{shorten(text)} is not a time control; expected seconds such as 40/7200:900+30, - or ?")
        moves, time, bonus = (_number(value) for value in found.groups()[:3])
        increment, delay = (0, bonus) if found[4] else (bonus, 0)
        parts.append(TimeControlPart(int(moves), time, increment, delay))
    spent = parts[0].time + 60 * parts[0].increment
    pace = next((name for limit, name in _PACES if spent < limit), "standard")
    return TimeControl(tuple(parts), TimeControlType(pace))


def _number(text: str | None) -> float:
    """Return a whole number as such, for the sake of how it is written."""
    return float(text) if text and "." in text else int(text or 0)
