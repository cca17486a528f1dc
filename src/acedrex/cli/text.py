"""Plain text: cleaning, wrapping, columns."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Sequence

__all__ = ["clean", "columns", "count", "join", "paragraphs", "quote", "wrap"]


#: Spaces that no line ends at, such as French puts before some marks.
NO_BREAK_SPACES = "\N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}"


def clean(text: str) -> str:
    """Replace characters that could steer a terminal or hide: definitions and records come from anywhere."""
    return "".join(c if c.isprintable() or c in NO_BREAK_SPACES else "\N{REPLACEMENT CHARACTER}" for c in text)


def quote(text: str, longest: int = 40) -> str:
    """Put something that a person typed in quotation marks, cut if it is long."""
    text = clean(text)
    return f'"{text}"' if len(text) <= longest else f'"{text[:longest]}..."'


def wrap(text: str, width: int, indent: str = "", first: str | None = None) -> list[str]:
    """Break one paragraph into lines; ``first`` is the first line's indent if it is another one."""
    return textwrap.wrap(
        clean(re.sub(r"\s+", " ", text, flags=re.ASCII).strip(" ")),
        width,
        initial_indent=indent if first is None else first,
        subsequent_indent=indent,
        break_on_hyphens=False,
    )


def paragraphs(text: str, width: int, indent: str = "") -> list[str]:
    """Break a text with blank lines between its paragraphs into lines."""
    lines: list[str] = []
    for paragraph in text.strip().split("\n\n"):
        lines += ([""] if lines else []) + wrap(paragraph, width, indent)
    return lines


def columns(items: Sequence[str], width: int) -> list[str]:
    """Set short words in columns, read downwards."""
    if not items:
        return []
    wide = max(map(len, items)) + 2
    rows = -(-len(items) // max(1, (width + 2) // wide))
    return ["".join(f"{item:{wide}}" for item in items[row::rows]).rstrip() for row in range(rows)]


def count(number: int, word: str, words: str | None = None) -> str:
    """Return a number with its noun: ``1 move``, ``2 moves``."""
    return f"{number:,} {word if number == 1 else words or word + 's'}"


def join(words: Sequence[str], last: str = "and") -> str:
    """Join words as a sentence does."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} {last} {words[-1]}" if words else ""
