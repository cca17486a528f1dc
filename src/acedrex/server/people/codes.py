"""Codes for people to read and to type."""

from __future__ import annotations

import re

from acedrex.server import ids

#: Letters of codes, without those that look alike.
LETTERS = "23456789ABCDEFGHJKMNPQRSTVWXYZ"


def new_code(length: int) -> str:
    """Return a random code for people to read and to type, in groups of four."""
    letters = "".join(LETTERS[ids.random_below(len(LETTERS))] for _ in range(length))
    return "-".join(re.findall("....", letters))


def code_hash(code: str) -> str:
    """Return the hash of a code, however it was typed."""
    return ids.hashed(re.sub(r"[\s-]", "", code).upper())
