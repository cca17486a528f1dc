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


def hashed(secret: str) -> str:
    """Give what is stored of a secret. It is long and random, so a plain hash cannot be turned back."""
    return hashlib.sha256(secret.encode()).hexdigest()


def below(bound: int) -> int:
    """Give a random number under a bound."""
    return secrets.randbelow(bound)
