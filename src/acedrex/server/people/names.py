"""Cleans names and texts that people write."""

from __future__ import annotations

import unicodedata
from itertools import groupby

from acedrex.server.people import house
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
#: Small letters and signs that look like others, in some form: Cyrillic and Greek ones like Latin ones, ``i`` and ``1``
#: like ``l``, ``0`` like ``o``, ``-`` like ``_``.
CONFUSED = "авекмнорстухіјѕԁԛԝαβεηικνορτυχ-i10", "abekmhopctyxljsdqwabenlkvoptux_llo"
_skeleton: dict[int, int | str] = {**str.maketrans(*CONFUSED), 0: ""}
#: The maximum number of characters of a handle, which may have more of them than its name.
MAX_HANDLE = 80
#: Scripts that are used in one word.
JAPANESE = {"CJK", "IDEOGRAPHIC", "HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA"}
TOGETHER = (JAPANESE, {"CJK", "HANGUL"}, {"CJK", "BOPOMOFO"})
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


def handle_of(name: str) -> str:
    """Return what two names must not share: names that look alike have the same handle.

    >>> handle_of("Ana_1") == handle_of("\u0410n\u0430-1"), handle_of("Ana1") == handle_of("Ana_1")
    (True, False)
    """
    return unicodedata.normalize("NFKC", name).strip().casefold().translate(_skeleton)


def clean_account_name(name: str) -> str:
    """Clean the name of an account: 2 to 20 letters of one script, digits, ``_`` and ``-``.

    :raises Refusal: if it has anything else, or could be mistaken for a guest's or the server's.
    """
    name = unicodedata.normalize("NFC", clean_name(name))
    allowed = all(c.isalnum() or c in "_-" or _is_mark(c) for c in name)
    if not allowed or not 2 <= len(name) <= 20 or len(handle_of(name)) > MAX_HANDLE:
        raise Refusal("invalid", "the name of an account has 2 to 20 letters, digits, _ and -", "name")
    scripts = {unicodedata.name(c, "").partition(" ")[0] for c in name if c.isalpha()}
    if len(scripts) > 1 and not any(scripts <= together for together in TOGETHER):
        raise Refusal("invalid", "the letters of a name must be of one alphabet", "name")
    if is_reserved(name) or _stem(name) in GUESTS:
        raise Refusal("name_taken", "this name is reserved; choose another", "name")
    return name


#: Names that nobody may have, with or without digits, and those of guests, which accounts may not have.
RUNNING = ("admin", "administrator", "moderator", "system", "deleted", "nobody")
RESERVED = {*map(handle_of, (*RUNNING, *(engine.name for engine in house.ENGINES.values())))}
GUESTS = {*map(handle_of, ("", "guest", "invite", "invité", "anonymous"))}


def is_reserved(name: str) -> bool:
    """Return whether a name could be mistaken for that of those who run the server, or of a house engine."""
    return _stem(name) in RESERVED


def _stem(name: str) -> str:
    return handle_of(name.strip("0123456789_- "))


def _is_mark(character: str) -> bool:
    """Return whether a character is a combining mark."""
    return unicodedata.category(character).startswith("M")
