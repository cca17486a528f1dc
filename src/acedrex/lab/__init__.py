"""Data for networks and matches, made in units on any number of processors and machines."""

from __future__ import annotations

from acedrex.lab.block import Block, read_block
from acedrex.lab.driver import run
from acedrex.lab.gauntlet import Gauntlet
from acedrex.lab.job import Job
from acedrex.lab.plan import Plan, SignatureError, Tally, signature
from acedrex.lab.processes import Processes
from acedrex.lab.selfplay import SelfPlay

__all__ = [
    "Block",
    "Gauntlet",
    "Job",
    "Plan",
    "Processes",
    "SelfPlay",
    "SignatureError",
    "Tally",
    "read_block",
    "run",
    "signature",
]
