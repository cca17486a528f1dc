"""A fake engine, and what tests of the client share."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from acedrex.engine import Limit, UciEngine
from tests.server.waiting import wait_until

FAKE = Path(__file__).parents[1] / "data" / "fake_engine.py"


LIMIT = Limit(nodes=100)


Start = Callable[..., UciEngine]


def gone(pid: int) -> bool:
    """Whether a process has ended."""

    def is_gone() -> bool:
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return True
        return False

    return wait_until(is_gone)
