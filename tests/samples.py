"""How much a test tries."""

from __future__ import annotations

import os

__all__ = ["sample"]


def sample(short: int, long: int) -> int:
    """How much a test tries: little, or what takes long where `ACEDREX_NIGHTLY` is set, as `make nightly` does."""
    return long if os.environ.get("ACEDREX_NIGHTLY") else short
