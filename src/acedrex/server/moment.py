"""The time, in milliseconds of the epoch.

It runs on evenly while the system's clock is set, and is read off that clock when the process starts.
"""

from __future__ import annotations

import time

_ahead = time.time_ns() - time.monotonic_ns()


def now() -> int:
    """Give the time. It never goes back within a process."""
    return (time.monotonic_ns() + _ahead) // 1_000_000


def keep_up(most: int) -> None:
    """Catch up with the system's clock if that is ahead by more than some milliseconds, as after the machine slept."""
    global _ahead
    ahead = time.time_ns() - time.monotonic_ns()
    if ahead - _ahead > most * 1_000_000:
        _ahead = ahead
