"""Values as definitions have them in TOML."""

from __future__ import annotations

import json
from collections.abc import Iterable

__all__ = ["quoted", "square_list"]


def quoted(value: str) -> str:
    r"""Return a text between quotation marks.

    >>> print(quoted('a "b"'))
    "a \"b\""
    """
    return json.dumps(value)


def square_list(squares: Iterable[tuple[int, int]], files: int, ranks: int) -> str:
    """Return squares, as files and ranks from 0, as a square list, with ranks where whole ranks are among them.

    >>> square_list([(0, 1), (1, 1), (2, 1), (0, 2)], 3, 3)
    'rank 2, a3'
    """
    rest = set(squares)
    parts = []
    for rank in range(ranks):
        whole = {(file, rank) for file in range(files)}
        if whole <= rest:
            parts.append(f"rank {rank + 1}")
            rest -= whole
    parts += [f"{chr(ord('a') + file)}{rank + 1}" for file, rank in sorted(rest)]
    return ", ".join(parts)
