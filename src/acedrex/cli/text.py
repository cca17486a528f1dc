"""Plain text: cleaning, wrapping, columns."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Sequence

__all__ = ["clean", "columns", "count", "join", "paragraphs", "quote", "wrap"]


#: Spaces at which lines are not wrapped, as before some punctuation in French.
NO_BREAK_SPACES = "\N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}"


def clean(text: str) -> str:
    """Replace unprintable characters, such as terminal control codes: definitions and records are not trusted."""
    return "".join(c if c.isprintable() or c in NO_BREAK_SPACES else "\N{REPLACEMENT CHARACTER}" for c in text)


def quote(text: str, longest: int = 40) -> str:
    """Return a text that a person typed in quotation marks, cut if it is long."""
    text = clean(text)
    return f'"{text}"' if len(text) <= longest else f'"{text[:longest]}..."'


def wrap(text: str, width: int, indent: str = "", first: str | None = None) -> list[str]:
    """Wrap a paragraph; ``first`` is the indent of the first line if it differs."""
    return textwrap.wrap(
        clean(re.sub(r"\s+", " ", text, flags=re.ASCII).strip(" ")),
        width,
        initial_indent=indent if first is None else first,
        subsequent_indent=indent,
        break_on_hyphens=False,
    )


def paragraphs(text: str, width: int, indent: str = "") -> list[str]:
    """Wrap a text with blank lines between its paragraphs."""
    lines: list[str] = []
    for paragraph in text.strip().split("\n\n"):
        lines += ([""] if lines else []) + wrap(paragraph, width, indent)
    return lines


def columns(items: Sequence[str], width: int) -> list[str]:
    """Arrange short texts in columns, read downwards."""
    if not items:
        return []
    wide = max(map(len, items)) + 2
    rows = -(-len(items) // max(1, (width + 2) // wide))
    return ["".join(f"{item:{wide}}" for item in items[row::rows]).rstrip() for row in range(rows)]


def count(number: int, word: str, words: str | None = None) -> str:
    """Return a number with its noun: ``1 move``, ``2 moves``."""
    return f"{number:,} {word if number == 1 else words or word + 's'}"


def join(words: Sequence[str], last: str = "and") -> str:
    """Join words with commas, and ``last`` before the last one."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} {last} {words[-1]}" if words else ""
