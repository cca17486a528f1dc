"""The exceptions, each a :class:`ValueError`: something that a caller passed is wrong; the message says what and where."""

from __future__ import annotations

from acedrex._native import (
    AmbiguousMoveError,
    DefinitionError,
    Error,
    IllegalMoveError,
    InvalidFenError,
    InvalidMoveError,
)

__all__ = [
    "AmbiguousMoveError",
    "DefinitionError",
    "Error",
    "IllegalMoveError",
    "InvalidFenError",
    "InvalidMoveError",
]
