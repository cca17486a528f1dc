"""The exceptions, each a :class:`ValueError`: what a caller passed is wrong, and the message says what and where."""

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
