"""What the terminal can do: colours, signs, width."""

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
    """Make sure that no stream is missing, and that no character stops one: what it cannot take is replaced."""
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
    """Return whether a person sits at the other end."""
    with suppress(ValueError, AttributeError):
        return stream.isatty()
    return False


def width() -> int:
    """The columns of the terminal; 80 if there is none."""
    return max(shutil.get_terminal_size((80, 24)).columns, 40)


def height() -> int:
    """The rows of the terminal; 24 if there is none."""
    return shutil.get_terminal_size((80, 24)).lines


@dataclass(frozen=True)
class Style:
    """How text may look: ``colors`` is 0 for none, 256 or 2**24; ``unicode`` tells whether signs beyond ASCII show."""

    colors: int
    unicode: bool

    def paint(self, text: str, ink: str = "", ground: str = "", bold: bool = False, underlined: bool = False) -> str:
        """Colour a text; colours are written ``RRGGBB``. Without colours the text stays as it is."""
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


#: No colours, and nothing but ASCII.
PLAIN = Style(0, unicode=False)


def style(stream: IO[str], choice: str = "auto") -> Style:
    """Find out how text written to a stream may look.

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
    """How many colours the environment promises: 0, 256 or 2**24."""
    term = os.environ.get("TERM", "")
    if term == "dumb":
        return 0
    if os.environ.get("COLORTERM", "").lower() in ("truecolor", "24bit") or "WT_SESSION" in os.environ:
        return 1 << 24
    return 0 if not term or term.startswith("vt") else 256


def nearest(red: int, green: int, blue: int) -> int:
    """Return the colour of the 256 that comes nearest: one of the 6x6x6 cube or of the 24 greys."""
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
