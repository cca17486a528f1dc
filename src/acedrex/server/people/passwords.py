"""Passwords: which are accepted, and how they are stored: as argon2id hashes."""

from __future__ import annotations

import unicodedata
from functools import cache

from argon2 import PasswordHasher
from argon2.exceptions import Argon2Error, InvalidHashError

from acedrex.server.refusal import Refusal

#: The number of characters of a password.
MIN_LENGTH, MAX_LENGTH = 8, 128
#: OWASP's parameters for servers: 19 MiB and two passes.
HASHER = PasswordHasher(time_cost=2, memory_cost=19_456, parallelism=1)


@cache
def _common() -> frozenset[str]:
    # Imported when it is needed: it has tens of thousands of words.
    from zxcvbn.frequency_lists import FREQUENCY_LISTS

    return frozenset(word for word in FREQUENCY_LISTS["passwords"] if len(word) >= MIN_LENGTH)


def check(password: str, name: str) -> None:
    """Check that a password may be chosen.

    :param name: that of the account.
    :raises Refusal: if it is too short or too long, or among the first that anybody would guess.
    """
    if not MIN_LENGTH <= len(password) <= MAX_LENGTH:
        raise Refusal("weak_password", f"a password has {MIN_LENGTH} to {MAX_LENGTH} characters", "password")
    folded = password.casefold()
    own = {"acedrex", name.casefold(), name.casefold().strip("0123456789")}
    if folded in _common() or len(set(folded)) < 3 or own & {folded, folded.strip("0123456789")}:
        raise Refusal("weak_password", "this password is easily guessed; choose another", "password")


def hashed(password: str) -> str:
    """Hash a password, with the parameters and the salt in the text. It takes some hundredths of a second."""
    return HASHER.hash(unicodedata.normalize("NFC", password))


def is_right(password: str, stored: str | None) -> bool:
    """Return whether a password has a hash. Without one it takes as long, so that nobody learns which names exist."""
    try:
        return HASHER.verify(stored or _nobodys(), unicodedata.normalize("NFC", password)) and stored is not None
    except (Argon2Error, InvalidHashError):
        return False


@cache
def _nobodys() -> str:
    return HASHER.hash("nobody's")
