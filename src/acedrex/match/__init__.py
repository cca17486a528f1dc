"""Matches between players, and estimates of their relative strength."""

from __future__ import annotations

from acedrex.match.control import Control
from acedrex.match.log import Log
from acedrex.match.players import KINDS, Kind, Player, Spec, parse_spec
from acedrex.match.record import write_pgn
from acedrex.match.referee import Played
from acedrex.match.runner import run
from acedrex.match.settings import Goal, Settings
from acedrex.match.sprt import Estimate, Sprt, estimate
from acedrex.match.standing import Standing

__all__ = [
    "KINDS",
    "Control",
    "Estimate",
    "Goal",
    "Kind",
    "Log",
    "Played",
    "Player",
    "Settings",
    "Spec",
    "Sprt",
    "Standing",
    "estimate",
    "parse_spec",
    "run",
    "write_pgn",
]
