"""Clocks as arithmetic: how much time a side has left, and what a finished turn gives back.

All that a side has left is one number of milliseconds. Under byo-yomi it holds the periods left; in correspondence the
days of the turn and the reserve.
"""

from __future__ import annotations

from msgspec import Struct

from acedrex.server.wire import ByoYomi, Clock, Correspondence, Fischer, NoTime, Periods, Reserve, Side, TimeControl

DAY = 86_400_000
#: What an arrangement of the pieces may take where there is a clock, in milliseconds.
SETUP = 180_000
#: The most that is given back for the way of one move.
MOST_LAG = 500


class Running(Struct):
    """The clock of a match."""

    left: dict[Side, int]
    #: Spent by the side to move in the turn under way.
    used: int = 0
    running: Side | None = None
    since: int = 0


def whole(control: TimeControl) -> int:
    """Give what a side begins with."""
    match control:
        case Fischer():
            return control.initial_ms
        case ByoYomi():
            return control.initial_ms + control.periods * control.period_ms
        case Correspondence():
            return (control.days_per_turn + control.reserve_days) * DAY
        case NoTime():
            return 0


def for_setup(control: TimeControl) -> int:
    """Give the time for the setup."""
    return control.days_per_turn * DAY if isinstance(control, Correspondence) else SETUP


def after_turn(control: TimeControl, left: int, used: int) -> int:
    """Give what a side has left once a turn is over that took ``used`` in all."""
    match control:
        case Fischer():
            return left + control.increment_ms
        case ByoYomi():
            # A period that has begun is whole again.
            in_periods = left <= control.periods * control.period_ms
            return -(-left // control.period_ms) * control.period_ms if in_periods else left
        case Correspondence():
            day = control.days_per_turn * DAY
            return day + min(left, left + used - day)
        case NoTime():
            return 0


def elapsed(clock: Running, now: int, lag: int = 0) -> int:
    """Give what has run off since the clock was started, less what the way took."""
    if clock.running is None:
        return 0
    return max(0, now - clock.since - min(lag, MOST_LAG))


def deadline(clock: Running) -> int | None:
    """Give the moment at which the flag falls, if nothing happens."""
    return None if clock.running is None else clock.since + clock.left[clock.running]


def show(control: TimeControl, clock: Running, now: int) -> Clock:
    """Write the clock as browsers want it: main time before periods, the days of a turn before the reserve."""
    left = dict(clock.left)
    used = dict.fromkeys(left, 0)
    if clock.running is not None:
        gone = elapsed(clock, now)
        left[clock.running] = max(0, left[clock.running] - gone)
        used[clock.running] = clock.used + gone
    periods = reserve = None
    if isinstance(control, ByoYomi):
        counted = {}
        for side, ms in left.items():
            whole_periods = min(control.periods, -(-ms // control.period_ms))
            in_main = ms > control.periods * control.period_ms
            # What is shown besides the time that runs: the period under way is not counted.
            counted[side] = whole_periods if in_main else max(0, whole_periods - 1)
            left[side] -= counted[side] * control.period_ms
        periods = Periods(counted["white"], counted["black"])
    elif isinstance(control, Correspondence):
        days = {side: min(ms, max(0, control.days_per_turn * DAY - used[side])) for side, ms in left.items()}
        reserve = Reserve(left["white"] - days["white"], left["black"] - days["black"])
        left = days
    return Clock(left["white"], left["black"], clock.running, periods, reserve, now)
