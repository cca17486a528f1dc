"""``acedrex bench``: the signature of how the engine plays."""

from __future__ import annotations

import argparse

from acedrex.uci.bench import bench

__all__ = ["run"]


def run(args: argparse.Namespace) -> int:
    """Search some positions of every shipped game and print how many were visited, as it comes."""
    bench(lambda line: print(line, flush=True))
    return 0
