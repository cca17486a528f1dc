"""Clock arithmetic: how much time a side has left, and what a finished turn adds.

The time left of a side is one number of milliseconds. Under byo-yomi it includes the periods left; in correspondence
the days of the turn and the reserve.
"""

from __future__ import annotations

from msgspec import Struct

from acedrex.server.wire import ByoYomi, Clock, Correspondence, Fischer, NoTime, Periods, Reserve, Side, TimeControl

DAY = 86_400_000
#: Milliseconds for choosing a setup in a match with live clocks.
SETUP = 180_000
#: The maximum lag compensation for one move, in milliseconds.
MAX_LAG = 500


class Running(Struct):
    """The clock of a match."""

    left: dict[Side, int]
    #: Spent by the side to move in the current turn.
    used: int = 0
    running: Side | None = None
    since: int = 0


def initial(control: TimeControl) -> int:
    """Return the time of a side at the start."""
    match control:
        case Fischer():
            return control.initial_ms
        case ByoYomi():
            return control.initial_ms + control.periods * control.period_ms
        case Correspondence():
            return (control.days_per_turn + control.reserve_days) * DAY
        case NoTime():
            return 0


def tag(control: TimeControl) -> str:
    """Return the value of the PGN tag ``TimeControl``, in seconds.

    The standard has no byo-yomi, nor a reserve of days: after the main time, each move has its period or its days.

    >>> tag(Fischer(300_000, 2_500)), tag(ByoYomi(600_000, 30_000, 5)), tag(Correspondence(2, 10)), tag(NoTime())
    ('300+2.5', '600:1/30', '1/172800', '-')
    """
    match control:
        case Fischer():
            return f"{control.initial_ms / 1000:g}+{control.increment_ms / 1000:g}"
        case ByoYomi():
            main = f"{control.initial_ms / 1000:g}:" if control.initial_ms else ""
            return f"{main}1/{control.period_ms / 1000:g}"
        case Correspondence():
            return f"1/{control.days_per_turn * DAY // 1000}"
        case NoTime():
            return "-"


def for_setup(control: TimeControl) -> int:
    """Return the time for choosing the setup."""
    return control.days_per_turn * DAY if isinstance(control, Correspondence) else SETUP


def after_turn(control: TimeControl, left: int, used: int) -> int:
    """Return what a side has left after a turn that took ``used`` in all."""
    match control:
        case Fischer():
            return left + control.increment_ms
        case ByoYomi():
            # A period that was started is renewed in full.
            in_periods = left <= control.periods * control.period_ms
            return -(-left // control.period_ms) * control.period_ms if in_periods else left
        case Correspondence():
            day = control.days_per_turn * DAY
            return day + min(left, left + used - day)
        case NoTime():
            return 0


def before_move(control: TimeControl, left: int, used: int) -> int:
    """Return what a side has again when a move is taken back that it made with ``left``, and ``used`` in its turn.

    No increment was earned, and the time for the move stays spent; but a turn's own time begins anew: the days of
    correspondence, and a period.
    """
    return left if isinstance(control, Fischer) else after_turn(control, left, used)


def elapsed(clock: Running, now: int, lag: int = 0) -> int:
    """Return the time that has run since the clock was started, less the lag."""
    if clock.running is None:
        return 0
    return max(0, now - clock.since - min(lag, MAX_LAG))


def deadline(clock: Running) -> int | None:
    """Return the moment at which the flag falls, unless the player moves."""
    return None if clock.running is None else clock.since + clock.left[clock.running]


def show(control: TimeControl, clock: Running, now: int) -> Clock:
    """Return the clock as a message: main time apart from periods, and the days of a turn apart from the reserve."""
    left = dict(clock.left)
    used = dict.fromkeys(left, 0)
    if clock.running is not None:
        gone = elapsed(clock, now)
        left[clock.running] = max(0, left[clock.running] - gone)
        used[clock.running] = clock.used + gone
    periods = reserve = None
    if isinstance(control, ByoYomi):
        shown_periods = {}
        for side, ms in left.items():
            periods_left = min(control.periods, -(-ms // control.period_ms))
            in_main = ms > control.periods * control.period_ms
            # The period that is running is shown as time, not as a period left.
            shown_periods[side] = periods_left if in_main else max(0, periods_left - 1)
            left[side] -= shown_periods[side] * control.period_ms
        periods = Periods(shown_periods["white"], shown_periods["black"])
    elif isinstance(control, Correspondence):
        days = {side: min(ms, max(0, control.days_per_turn * DAY - used[side])) for side, ms in left.items()}
        reserve = Reserve(left["white"] - days["white"], left["black"] - days["black"])
        left = days
    return Clock(left["white"], left["black"], clock.running, periods, reserve, now)
