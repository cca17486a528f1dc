"""The exceptions. Each is a :class:`ValueError` whose message says what is wrong and where."""

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
