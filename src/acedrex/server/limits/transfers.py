"""Limits on exports and imports of many matches."""

from __future__ import annotations

import asyncio

#: Exports at once, one per address.
MAX_EXPORTS = 8


class TransferLimits:
    """Running exports, and a lock that lets one import at a time store its records."""

    def __init__(self) -> None:
        """Start without any."""
        #: The addresses that are exporting.
        self.exporting: set[str] = set()
        self.storing = asyncio.Lock()
