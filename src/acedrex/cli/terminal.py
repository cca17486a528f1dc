"""The capabilities of the terminal: colours, characters, size."""

from __future__ import annotations

import io
import os
import shutil
import sys
from contextlib import suppress
from dataclasses import dataclass
from typing import IO

from acedrex.cli.palette import INDEXED

__all__ = ["PLAIN", "Style", "height", "is_terminal", "prepare_streams", "style", "width"]


def prepare_streams() -> None:
    """Replace missing streams, and make all streams replace characters that they cannot encode."""
    sys.stdin = sys.stdin or io.StringIO()
    sys.stdout = sys.stdout or io.StringIO()
    sys.stderr = sys.stderr or io.StringIO()
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            with suppress(OSError, ValueError):
                reconfigure(errors="replace")
    if os.name == "nt":
        os.system("")  # makes the Windows console read colour codes


def is_terminal(stream: IO[str]) -> bool:
    """Return whether a stream is a terminal."""
    with suppress(ValueError, AttributeError):
        return stream.isatty()
    return False


def width() -> int:
    """Return the columns of the terminal, at least 40; 80 if there is none."""
    return max(shutil.get_terminal_size((80, 24)).columns, 40)


def height() -> int:
    """Return the rows of the terminal; 24 if there is none."""
    return shutil.get_terminal_size((80, 24)).lines


@dataclass(frozen=True)
class Style:
    """How text may look: the number of ``colors`` is 0, 256 or 2**24; ``unicode`` allows characters beyond ASCII."""

    colors: int
    unicode: bool

    def paint(self, text: str, ink: str = "", ground: str = "", bold: bool = False, underlined: bool = False) -> str:
        """Return a text with escape codes; colours are written ``RRGGBB``. Without colours the text is unchanged."""
        if not self.colors or not text:
            return text
        codes = ["1"] * bold + ["4"] * underlined
        codes += [f"38;{self._code(ink)}"] if ink else []
        codes += [f"48;{self._code(ground)}"] if ground else []
        return f"\x1b[{';'.join(codes)}m{text}\x1b[0m" if codes else text

    def _code(self, color: str) -> str:
        red, green, blue = bytes.fromhex(color)
        return (
            f"5;{INDEXED.get(color) or nearest(red, green, blue)}" if self.colors == 256 else f"2;{red};{green};{blue}"
        )


#: No colours, only ASCII.
PLAIN = Style(0, unicode=False)


def style(stream: IO[str], choice: str = "auto") -> Style:
    """Return how text written to a stream may look.

    :param choice: ``always``, ``never``, or ``auto``: colours on a terminal unless ``NO_COLOR`` is set.
    """
    try:
        "•▐▌…".encode(getattr(stream, "encoding", None) or "ascii")
        unicode = True
    except (UnicodeError, LookupError):
        unicode = False
    colors = color_count()
    if choice == "auto" and (os.environ.get("NO_COLOR") or not is_terminal(stream)):
        choice = "never"
    return Style(0 if choice == "never" else colors or 256 * (choice == "always"), unicode)


def color_count() -> int:
    """Return the number of colours by the environment: 0, 256 or 2**24."""
    term = os.environ.get("TERM", "")
    if term == "dumb":
        return 0
    if os.environ.get("COLORTERM", "").lower() in ("truecolor", "24bit") or "WT_SESSION" in os.environ:
        return 1 << 24
    return 0 if not term or term.startswith("vt") else 256


def nearest(red: int, green: int, blue: int) -> int:
    """Return the nearest of 256 colours: one of the 6x6x6 cube or of the 24 greys."""
    levels = (0, 95, 135, 175, 215, 255)
    wanted = (red, green, blue)
    cube = [min(range(6), key=lambda i, c=c: abs(levels[i] - c)) for c in wanted]  # type: ignore[misc]
    grey = min(range(24), key=lambda i: abs(8 + 10 * i - sum(wanted) / 3))

    def distance(color: tuple[int, ...]) -> int:
        return sum((a - b) ** 2 for a, b in zip(color, wanted, strict=True))

    near_cube = distance(tuple(levels[i] for i in cube))
    if distance((8 + 10 * grey,) * 3) < near_cube:
        return 232 + grey
    return 16 + 36 * cube[0] + 6 * cube[1] + cube[2]
