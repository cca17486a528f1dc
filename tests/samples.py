"""How much a test tries."""

from __future__ import annotations

import os
from typing import TypeVar

__all__ = ["sample"]

T = TypeVar("T")


def sample(short: T, long: T) -> T:
    """How much a test tries: little, or what takes long where `ACEDREX_NIGHTLY` is set, as `make nightly` does."""
    return long if os.environ.get("ACEDREX_NIGHTLY") else short
