"""What people may call themselves, and what can be seen of a text."""

from __future__ import annotations

import unicodedata

from acedrex.server.decide import Refusal

#: Letters and symbols that print nothing.
BLANK = str.maketrans(dict.fromkeys("\u115f\u1160\u2800\u3164\uffa0\U0001d159", " "))
#: The name that the engine alone has, and what passes for its letters: Cyrillic, Greek and other letters, digits.
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


def cleaned(text: str) -> str:
    """Take out of a text what cannot be seen, or what turns the text around it.

    :raises Refusal: if nothing is left that can be seen.
    """
    text = text.translate(BLANK)
    text = " ".join("".join(c for c in text if c.isprintable() or c.isspace()).split())
    if all(_is_mark(c) or c == " " for c in text):
        raise Refusal("invalid", "this text has no visible characters")
    return text


def named(text: str) -> str:
    """Clean a name that somebody wants to have.

    :raises Refusal: if nothing of it can be seen, or if it could be taken for the engine's.
    """
    name = cleaned(text)
    letters = "".join(c for c in unicodedata.normalize("NFKD", name).casefold().translate(_plain) if c.isalnum())
    if ENGINE in letters:
        raise Refusal("invalid", "the name Acedrex is reserved for the engine; choose another", "name")
    return name


def _is_mark(character: str) -> bool:
    """Tell whether a character only changes the one before it."""
    return unicodedata.category(character).startswith("M")
