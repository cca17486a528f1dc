"""The text in a record, and the errors in it, shared by reading and writing."""

from __future__ import annotations

import re

from acedrex.errors import Error
from acedrex.limits import MAX_COMMENT, MAX_TAG_VALUE

#: The most of a line that is read at once, in characters or bytes.
CHUNK = 64 * 1024

_FORBIDDEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")


class PgnError(Error):
    """An error in a PGN text, with its line and column.

    Reading collects these errors in :attr:`Game.errors` instead of raising them.

    >>> str(PgnError(3, 14, "Qd9 is not legal here"))
    'line 3, column 14: Qd9 is not legal here'
    """

    def __init__(self, line: int, column: int, message: str) -> None:
        super().__init__(line, column, message)
        #: The line, from 1.
        self.line = line
        #: The column in characters, from 1.
        self.column = column
        #: The error message.
        self.message = message

    def __str__(self) -> str:
        return f"line {self.line}, column {self.column}: {self.message}"

    def __repr__(self) -> str:
        return f"PgnError({self.line}, {self.column}, {self.message!r})"


def shorten(text: str) -> str:
    """Quote a text for a message, cut to forty characters."""
    return repr(text if len(text) <= 40 else text[:37] + "...")


def checked_comment(text: str) -> str:
    r"""Return a comment as it is stored, with every line break as ``\n``.

    :raises Error: if it is too long or contains a control character.
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if len(text) > MAX_COMMENT:
        raise Error(f"a comment of {len(text)} characters; at most {MAX_COMMENT}")
    if forbidden := _FORBIDDEN.search(text):
        raise Error(f"the character {forbidden[0]!r} has no place in a comment")
    return text


def checked_value(name: str, value: str) -> str:
    """Return a tag's value if it can be written.

    :raises Error: if it is too long, or contains a line break or another control character.
    """
    if len(value) > MAX_TAG_VALUE:
        raise Error(f"tag {name}: {len(value)} characters; at most {MAX_TAG_VALUE}")
    if _FORBIDDEN.search(value) or "\n" in value or "\t" in value:
        raise Error(f"tag {name}: a value is one line without control characters")
    return value
