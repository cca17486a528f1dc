"""The time, in milliseconds of the epoch.

It is monotonic: it starts from the system's clock when the process starts, and ignores later changes of that clock.
"""

from __future__ import annotations

import time

_ahead = time.time_ns() - time.monotonic_ns()


def now() -> int:
    """Return the time. It never goes back within a process."""
    return (time.monotonic_ns() + _ahead) // 1_000_000


def catch_up(most: int) -> None:
    """Catch up with the system's clock if it is more than ``most`` milliseconds ahead, as after the machine slept."""
    global _ahead
    ahead = time.time_ns() - time.monotonic_ns()
    if ahead - _ahead > most * 1_000_000:
        _ahead = ahead
