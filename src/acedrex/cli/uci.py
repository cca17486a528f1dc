"""``acedrex uci``: the engine for GUIs that speak UCI."""

from __future__ import annotations

import argparse
import sys

from acedrex import __version__
from acedrex.cli import common
from acedrex.cli.load import load_game
from acedrex.engine import Engine
from acedrex.protocol.catalogue import Catalogue
from acedrex.uci import Session

__all__ = ["arguments", "run"]


def arguments(sub: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    common.definitions(sub)


def run(args: argparse.Namespace) -> int:
    """Run a session until the GUI ends it."""
    games = Catalogue(map(load_game, args.game))
    with Engine() as engine:
        Session(sys.stdin, sys.stdout, engine, games, __version__).run()
    return 0
