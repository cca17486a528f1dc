"""Merges two edits of the same text so that the words of both are kept.

The app does the same while somebody types, in ``web/app/src/studies/merging.ts``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

_PARTS = re.compile(r"\s+|\S+")


def merged(before: str, mine: str, theirs: str) -> str:
    """Return a text with both edits of it.

    Each edit is one range that is replaced. Where the ranges overlap, what both have put there is kept, theirs first,
    and what one has deleted and the other has changed stays as changed.

    >>> merged("The Lion takes.", "The Lion takes twice.", "A Lion takes.")
    'A Lion takes twice.'
    >>> merged("one two three", "one three", "one 2 three")
    'one 2 three'
    """
    if mine in (before, theirs):
        return theirs
    if theirs == before:
        return mine
    found = _apart([*before], [*mine], [*theirs])
    if found is not None:
        return "".join(found)
    return "".join(_together(*(_PARTS.findall(text) for text in (before, mine, theirs))))


def _apart(before: Sequence[str], mine: Sequence[str], theirs: Sequence[str]) -> list[str] | None:
    """Return a text with both edits; ``None`` if they overlap."""
    my_start, my_end, my_words = _edit(before, mine)
    start, end, words = _edit(before, theirs)
    if end <= my_start:
        return [*before[:start], *words, *before[end:my_start], *my_words, *before[my_end:]]
    if my_end <= start:
        return [*before[:my_start], *my_words, *before[my_end:start], *words, *before[end:]]
    return None


def _together(before: Sequence[str], mine: Sequence[str], theirs: Sequence[str]) -> Sequence[str]:
    """Return a text with both edits, by whole words."""
    found = _apart(before, mine, theirs)
    if found is not None:
        return found
    my_start, my_end, my_words = _edit(before, mine)
    start, end, words = _edit(before, theirs)
    if not my_words:
        return theirs
    if not words:
        return mine
    return [*before[: min(start, my_start)], *words, *my_words, *before[max(end, my_end) :]]


def _edit(before: Sequence[str], after: Sequence[str]) -> tuple[int, int, Sequence[str]]:
    """Return the range of a text that an edit replaces, and what it puts there."""
    most = min(len(before), len(after))
    start = 0
    while start < most and before[start] == after[start]:
        start += 1
    same = 0
    while same < most - start and before[-1 - same] == after[-1 - same]:
        same += 1
    return start, len(before) - same, after[start : len(after) - same]
