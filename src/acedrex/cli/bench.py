"""``acedrex bench``: the bench signature of the engine."""

from __future__ import annotations

import argparse

from acedrex.uci.bench import bench

__all__ = ["arguments", "run"]


def arguments(sub: argparse.ArgumentParser) -> None:
    """Add no arguments."""


def run(args: argparse.Namespace) -> int:
    """Search some positions of every shipped game and print the number of nodes."""
    bench(lambda line: print(line, flush=True))
    return 0
