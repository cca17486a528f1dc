"""Values on the command line: parsers for ``argparse``."""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable
from contextlib import suppress
from urllib.parse import urlsplit

__all__ = ["GAME", "PLAYER", "clock", "depth", "number", "origin", "real", "seconds"]

#: What the help says about a game and a player.
GAME = "id of a game, or a definition file; options after a colon: magi:classic_ep=on,scoring=four_points"
PLAYER = (
    "a player, in quotation marks: acedrex (threads=N hash=MB level=N network=FILE), random, greedy, "
    "uci:COMMAND (option.NAME=VALUE variant=NAME); nodes=N, time=S or tc=BASE+INC gives it a time of its own"
)


def number(least: int, most: int) -> Callable[[str], int]:
    """Return a parser of whole numbers."""

    def read(text: str) -> int:
        if text.isascii() and text.isdigit() and len(text) < 16 and least <= int(text) <= most:
            return int(text)
        raise argparse.ArgumentTypeError(f"{text[:20]!r} is not a whole number from {least} to {most}")

    return read


def real(text: str) -> float:
    """Read a number."""
    with suppress(ValueError):
        if math.isfinite(value := float(text)):
            return value
    raise argparse.ArgumentTypeError(f"{text[:20]!r} is not a number")


def seconds(text: str) -> float:
    """Read a time."""
    if 0.001 <= (value := real(text)) <= 86_400:
        return value
    raise argparse.ArgumentTypeError(f"{text[:20]!r} is not a time from 0.001 to 86400 seconds")


def clock(text: str) -> tuple[float, float]:
    """Read a clock and its increment."""
    base, _, increment = text.partition("+")
    try:
        return seconds(base), seconds(increment) if increment.strip("0.") else 0.0
    except argparse.ArgumentTypeError as fault:
        raise argparse.ArgumentTypeError(
            f"{fault}; write seconds for the game and for each turn, like 60+0.5"
        ) from None


def origin(text: str) -> str:
    """Read the address of a site."""
    plain = text.lower().removesuffix("/")
    with suppress(ValueError):
        found = urlsplit(plain)
        if found.scheme in ("http", "https") and found.hostname and plain == f"{found.scheme}://{found.netloc}":
            return plain
    raise argparse.ArgumentTypeError(f"{text[:80]!r} is not a site's address; write it like https://example.org")


def depth(text: str) -> int:
    """Read a depth in half-moves."""
    if text.isascii() and text.isdigit() and len(text) < 4 and int(text) <= 100:
        return int(text)
    raise argparse.ArgumentTypeError(f"{text[:20]!r} is not a depth from 0 to 100")
