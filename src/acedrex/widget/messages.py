"""What the page says. Nothing of it is trusted: what has not exactly one of these shapes is no message."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Message", "read"]

#: The most characters of a text, and the largest number: more than any move, square or setup has.
MOST_TEXT, MOST_NUMBER = 100, 2**31

#: What each kind of message has, besides its type.
FIELDS: dict[str, dict[str, type]] = {
    # A move was made on the board, when so many had been made.
    "move": {"text": str, "at": int},
    # Something was typed that the board does not know.
    "typed": {"text": str, "at": int},
    # The last move of an unfinished turn is taken back, or what one has played last.
    "undo": {"at": int},
    "back": {"at": int},
    "flip": {},
    # Questions, answered under their id: where a piece goes, what an arrangement is, another one at random.
    "reach": {"text": str, "id": str},
    "arranged": {"text": str, "id": str},
    "shuffle": {"id": str},
    # The arrangement to be played.
    "setup": {"text": str},
}


@dataclass(frozen=True, slots=True)
class Message:
    """A message: its kind, and what that kind has."""

    kind: str
    text: str = ""
    at: int = 0
    id: str = ""


def read(content: object) -> Message | None:
    """Read what came from the page.

    >>> read({"type": "move", "text": "e2e4", "at": 0})
    Message(kind='move', text='e2e4', at=0, id='')
    >>> read({"type": "move", "text": ["e2e4"], "at": 0}) is None
    True
    """
    if not isinstance(content, dict) or not isinstance(kind := content.get("type"), str) or kind not in FIELDS:
        return None
    fields = FIELDS[kind]
    if content.keys() != {"type", *fields}:
        return None
    if not all(_is(content[name], wanted) for name, wanted in fields.items()):
        return None
    return Message(kind, **{name: content[name] for name in fields})


def _is(value: object, wanted: type) -> bool:
    if wanted is int:
        return type(value) is int and 0 <= value <= MOST_NUMBER
    return isinstance(value, str) and len(value) <= MOST_TEXT
