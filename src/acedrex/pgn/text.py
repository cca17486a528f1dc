"""What text a record may hold, and how long: the limits that reading and writing share."""

from __future__ import annotations

import re

from acedrex.errors import Error

#: The most characters of a comment.
MAX_COMMENT = 64 * 1024
#: The most characters of a tag's name and of its value.
MAX_TAG_NAME, MAX_TAG_VALUE = 64, 8 * 1024
#: The most tags of a record.
MAX_TAGS = 256
#: The most characters of a turn.
MAX_TURN = 512
#: The most variations inside one another.
MAX_DEPTH = 100
#: The most turns of a record, those of variations included.
MAX_TURNS = 50_000
#: The most characters of all tags and comments of a record that is read.
MAX_TEXT = 4 * 1024 * 1024
#: The most errors that are listed for a record.
MAX_ERRORS = 100

_FORBIDDEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")


class PgnError(Error):
    """Something wrong in a PGN text: where, counted from 1, and what.

    Reading collects these in :attr:`Game.errors` and raises none.

    >>> str(PgnError(3, 14, "Qd9 is not legal here"))
    'line 3, column 14: Qd9 is not legal here'
    """

    def __init__(self, line: int, column: int, message: str) -> None:
        super().__init__(line, column, message)
        #: The line, from 1.
        self.line = line
        #: The column in characters, from 1.
        self.column = column
        #: What is wrong, a sentence for people.
        self.message = message

    def __str__(self) -> str:
        return f"line {self.line}, column {self.column}: {self.message}"

    def __repr__(self) -> str:
        return f"PgnError({self.line}, {self.column}, {self.message!r})"


def shorten(text: str) -> str:
    """Quote a text for a message: its first forty characters."""
    return repr(text if len(text) <= 40 else text[:37] + "...")


def checked_comment(text: str) -> str:
    r"""Return a comment as it will be kept, with every line break as ``\n``.

    :raises Error: if it is too long or holds a control character.
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if len(text) > MAX_COMMENT:
        raise Error(f"a comment of {len(text)} characters; at most {MAX_COMMENT}")
    if odd := _FORBIDDEN.search(text):
        raise Error(f"the character {odd[0]!r} has no place in a comment")
    return text


def checked_value(name: str, value: str) -> str:
    """Return a tag's value if it can be written.

    :raises Error: if it is too long, or holds a line break or another control character.
    """
    if len(value) > MAX_TAG_VALUE:
        raise Error(f"tag {name}: {len(value)} characters; at most {MAX_TAG_VALUE}")
    odd = _FORBIDDEN.search(value)
    if odd or "\n" in value or "\t" in value:
        raise Error(f"tag {name}: a value is one line without control characters")
    return value
