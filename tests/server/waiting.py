"""Waits for conditions."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import TypeVar

from tests.conftest import TIMEOUT

T = TypeVar("T")


def wait_until(condition: Callable[[], T], seconds: float = TIMEOUT) -> T:
    """Wait until a condition holds, and return its value."""
    end = time.monotonic() + seconds
    while not (value := condition()):
        assert time.monotonic() < end, f"the condition did not hold within {seconds} s; its last value: {value!r}"
        time.sleep(0.1)
    return value


async def until(condition: Callable[[], T], seconds: float = TIMEOUT) -> T:
    """Wait until a condition holds while the event loop runs, and return its value."""
    end = time.monotonic() + seconds
    while not (value := condition()):
        assert time.monotonic() < end, f"the condition did not hold within {seconds} s; its last value: {value!r}"
        await asyncio.sleep(0.001)
    return value
