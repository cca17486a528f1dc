"""The arguments that matches and gauntlets have in common."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from acedrex.cli import common
from acedrex.cli.values import PLAYER, number, real, seconds

if TYPE_CHECKING:
    from argparse import _MutuallyExclusiveGroup

__all__ = ["contest"]


def contest(sub: argparse.ArgumentParser) -> _MutuallyExclusiveGroup:
    """Add them; return the group that limits how long players think."""
    common.game(sub)
    sub.add_argument("--first", metavar="PLAYER", required=True, help=PLAYER)
    sub.add_argument("--second", metavar="PLAYER", required=True, help="its opponent")
    sub.add_argument("--games", metavar="N", type=number(2, 10_000_000), help="games to play, an even number")
    sub.add_argument(
        "--sprt",
        metavar=("ELO0", "ELO1"),
        nargs=2,
        type=real,
        help="stop when SPRT decides between these normalized Elo values",
    )
    control = sub.add_mutually_exclusive_group(required=True)
    control.add_argument("--nodes", metavar="N", type=number(1, 10**12), help="nodes per turn")
    control.add_argument("--time", metavar="S", type=seconds, help="seconds per turn")
    sub.add_argument("--openings", metavar="MOVES", type=number(0, 100), default=8, help="random opening moves (8)")
    sub.add_argument(
        "--balance",
        metavar="CP",
        type=number(0, 10_000),
        default=150,
        help="most centipawns an opening may favour a side by (150); 0: any",
    )
    sub.add_argument("--adjudicate", action="store_true", help="end games early when both players' scores agree")
    sub.add_argument(
        "--ask-again", action="store_true", help="after an illegal turn, send the legal moves and ask again once"
    )
    return control
