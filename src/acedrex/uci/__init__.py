"""The Universal Chess Interface, for every game: ``acedrex uci``."""

from acedrex.uci.session import Session

__all__ = ["Session"]
