"""Ids and secrets: made at random, and stored only as their hashes."""

from __future__ import annotations

import hashlib
import secrets
import string

LETTERS = string.ascii_letters + string.digits


def new_id(length: int = 12) -> str:
    """Make an id that nobody guesses."""
    return "".join(secrets.choice(LETTERS) for _ in range(length))


def new_secret() -> str:
    """Make a token or an invite: 32 bytes."""
    return secrets.token_urlsafe(32)


def derived_id(key: str, text: str, length: int = 12) -> str:
    """Make an id that is the same for the same text, and that nobody guesses who does not have the key."""
    number = int.from_bytes(hashlib.blake2b(text.encode(), key=key.encode()[:64], digest_size=16).digest())
    return "".join(LETTERS[number // len(LETTERS) ** place % len(LETTERS)] for place in range(length))


def hashed(secret: str) -> str:
    """Give what is stored of a secret. It is long and random, so a plain hash cannot be turned back."""
    return hashlib.sha256(secret.encode()).hexdigest()


def below(bound: int) -> int:
    """Give a random number under a bound."""
    return secrets.randbelow(bound)
