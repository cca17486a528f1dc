"""The Chess Engine Communication Protocol, for XBoard and WinBoard: ``acedrex xboard``."""

from acedrex.xboard.session import Session

__all__ = ["Session"]
