"""Data for networks and matches, made in units on any number of processors and machines."""

from __future__ import annotations

from acedrex.lab.arrangements import SetupGames, unlike_setups
from acedrex.lab.block import Block, read_block
from acedrex.lab.data import Played, Positions, read_games, read_positions, write_pgn
from acedrex.lab.driver import run
from acedrex.lab.gauntlet import Gauntlet
from acedrex.lab.handicaps import Handicaps
from acedrex.lab.job import Job
from acedrex.lab.mates import Mates
from acedrex.lab.plan import Plan, SignatureError, Tally, signature
from acedrex.lab.processes import Processes
from acedrex.lab.selfplay import SelfPlay
from acedrex.lab.training import Progress, Recipe, Training

__all__ = [
    "Block",
    "Gauntlet",
    "Handicaps",
    "Job",
    "Mates",
    "Plan",
    "Played",
    "Positions",
    "Processes",
    "Progress",
    "Recipe",
    "SelfPlay",
    "SetupGames",
    "SignatureError",
    "Tally",
    "Training",
    "read_block",
    "read_games",
    "read_positions",
    "run",
    "signature",
    "unlike_setups",
    "write_pgn",
]
