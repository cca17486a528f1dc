"""Random ids and secrets. Secrets are stored only as hashes."""

from __future__ import annotations

import hashlib
import secrets
import string

LETTERS = string.ascii_letters + string.digits


def new_id(length: int = 12) -> str:
    """Return a random id that cannot be guessed."""
    return "".join(secrets.choice(LETTERS) for _ in range(length))


def new_secret() -> str:
    """Return a token or an invite of 32 random bytes."""
    return secrets.token_urlsafe(32)


def derived_id(key: str, text: str, length: int = 12) -> str:
    """Derive an id from a text: always the same, and impossible to guess without the key."""
    number = int.from_bytes(hashlib.blake2b(text.encode(), key=key.encode()[:64], digest_size=16).digest())
    return "".join(LETTERS[number // len(LETTERS) ** place % len(LETTERS)] for place in range(length))


def hashed(secret: str) -> str:
    """Return the hash of a secret. Secrets are long and random, so a plain hash cannot be reversed."""
    return hashlib.sha256(secret.encode()).hexdigest()


def reference(id: str) -> str:
    """Return what stands for an id in the log. Whoever has the id of a match can watch it; ``log_lookup`` finds it.

    >>> reference("qFm2Vs0PzL1x")
    '7194c6e8a309'
    """
    return hashlib.sha256(id.encode()).hexdigest()[:12]


def random_below(bound: int) -> int:
    """Return a random number from 0 to below a bound."""
    return secrets.randbelow(bound)
