"""The tags of a record."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, MutableMapping

from acedrex.errors import Error
from acedrex.limits import MAX_TAG_NAME, MAX_TAGS
from acedrex.pgn.text import checked_value, shorten

#: The Seven Tag Roster: the tags that every record has, with their values for "unknown".
ROSTER = {
    "Event": "?",
    "Site": "?",
    "Date": "????.??.??",
    "Round": "?",
    "White": "?",
    "Black": "?",
    "Result": "*",
}
#: The tags of the game and its starting position. They are derived from the starting position.
START_TAGS = ("Variant", "Options", "Arrangement", "RulesHash", "FEN", "SetUp")
RESULTS = ("1-0", "0-1", "1/2-1/2", "*")

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_+#=:-]*")


class Headers(MutableMapping[str, str]):
    """The tags of a record, in the order in which they are written.

    The Seven Tag Roster comes first and exists unless it has been removed; deleting one of its tags resets it. The tags
    of the game and its start (``Variant``, ``Options``, ``Arrangement``, ``RulesHash``, ``FEN``, ``SetUp``) come next
    and are read-only: :meth:`Game.setup` writes them. All others follow in the order in which they were added.

    >>> headers = Headers({"White": "Ana", "Annotator": "Alfonso"})
    >>> headers["White"], headers["Black"], headers.get("Score")
    ('Ana', '?', None)
    >>> headers["Result"] = "2-0"
    Traceback (most recent call last):
        ...
    acedrex.Error: tag Result: '2-0' where 1-0, 0-1, 1/2-1/2 or * was expected
    """

    __slots__ = ("_values",)

    def __init__(self, values: Mapping[str, str] | None = None) -> None:
        self._values = dict(ROSTER)
        self.update(values or {})

    def __getitem__(self, name: str) -> str:
        return self._values[name]

    def __setitem__(self, name: str, value: str) -> None:
        """Set a tag.

        :raises Error: if the name or the value cannot be written, the result is invalid, or the tag is read-only.
        """
        if name in START_TAGS:
            raise Error(f"tag {name} follows from the start position: use Game.setup")
        self.put(name, value)

    def put(self, name: str, value: str) -> None:
        """Set any tag, even a read-only one, as needed to read and set up records.

        :raises Error: if the name or the value cannot be written, or the result is invalid.
        """
        if not isinstance(value, str):
            raise Error(f"tag {shorten(name)}: a value is text, not {type(value).__name__}")
        if len(name) > MAX_TAG_NAME or not _NAME.fullmatch(name):
            raise Error(f"{shorten(name)} is not a tag; a name has up to {MAX_TAG_NAME} letters, digits and _+#=:-")
        if name == "Result" and value not in RESULTS:
            raise Error(f"tag Result: {shorten(value)} where 1-0, 0-1, 1/2-1/2 or * was expected")
        if name not in self._values and len(self._values) >= MAX_TAGS:
            raise Error(f"tag {name}: a record has at most {MAX_TAGS} tags")
        self._values[name] = checked_value(name, value)

    def __delitem__(self, name: str) -> None:
        if name in START_TAGS:
            raise Error(f"tag {name} follows from the start position: use Game.setup")
        self.drop(name)

    def drop(self, name: str) -> None:
        """Delete any tag, even a read-only one; a tag of the Seven Tag Roster is reset.

        :raises KeyError: if there is no such tag.
        """
        if name in ROSTER and name in self._values:
            self._values[name] = ROSTER[name]
        else:
            del self._values[name]

    def remove_roster(self) -> None:
        """Remove the Seven Tag Roster, as :meth:`Game.without_tag_roster` needs."""
        for name in ROSTER:
            self._values.pop(name, None)

    def __iter__(self) -> Iterator[str]:
        first = [name for name in (*ROSTER, *START_TAGS) if name in self._values]
        yield from first
        yield from (name for name in self._values if name not in first)

    def __len__(self) -> int:
        return len(self._values)

    def copy(self) -> Headers:
        """Return a copy of the tags."""
        copied = Headers()
        copied._values = dict(self._values)
        return copied

    __copy__ = copy

    def __repr__(self) -> str:
        return f"Headers({dict(self)!r})"
