"""Cleans names and texts that people write."""

from __future__ import annotations

import unicodedata
from itertools import groupby

from acedrex.server.refusal import Refusal

#: Letters and symbols that are invisible.
BLANK = str.maketrans(dict.fromkeys("\u115f\u1160\u2800\u3164\uffa0\U0001d159", " "))
#: The name reserved for the engine, and look-alikes of its letters: Cyrillic, Greek and other letters, digits.
ENGINE = "acedrex"
ALIKE = {
    "a": "\u0430\u03b1\u0251\u1d004@",
    "c": "\u0441\u03f2\u1d04",
    "d": "\u0501\u0111\u00f0\u1d05",
    "e": "\u0435\u0454\u03b5\u1d07\u212e3",
    "r": "\u0433\u1d26\u0280",
    "x": "\u0445\u03c7\u00d7",
}
_plain = str.maketrans({like: letter for letter, several in ALIKE.items() for like in several})
#: Combining marks that a character may have: more of them draw over the lines above and below.
MAX_MARKS = 4


def printed(text: str) -> str:
    """Remove invisible characters, those that change the direction of the text around them, and heaped marks."""
    text = " ".join("".join(c for c in text if c.isprintable() or c.isspace()).split())
    return "".join("".join([*run][:MAX_MARKS] if is_mark else run) for is_mark, run in groupby(text, _is_mark))


def clean_text(text: str) -> str:
    """Keep of a text what :func:`printed` does.

    :raises Refusal: if nothing visible is left.
    """
    text = printed(text.translate(BLANK))
    if all(_is_mark(c) or c == " " for c in text):
        raise Refusal("invalid", "this text has no visible characters")
    return text


def clean_name(text: str) -> str:
    """Clean a name that a person chooses.

    :raises Refusal: if nothing visible is left, or it could be mistaken for the engine's name.
    """
    name = clean_text(text)
    letters = "".join(c for c in unicodedata.normalize("NFKD", name).casefold().translate(_plain) if c.isalnum())
    if ENGINE in letters:
        raise Refusal("invalid", "the name Acedrex is reserved for the engine; choose another", "name")
    return name


def _is_mark(character: str) -> bool:
    """Return whether a character is a combining mark."""
    return unicodedata.category(character).startswith("M")
