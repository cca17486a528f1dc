"""The setup phase: Black arranges the free pieces, and White's mirror them."""

from __future__ import annotations

import random

from acedrex.board import Board
from acedrex.cli.errors import CommandError
from acedrex.cli.load import setup_name
from acedrex.cli.reader import Reader
from acedrex.cli.text import columns, wrap
from acedrex.cli.view import View
from acedrex.cli.words import squares
from acedrex.game import Game

__all__ = ["choose"]

#: The most setups that are listed.
MAX_LISTED = 400

HELP = (
    "Type the name of a setup (the pieces on White's free squares in the order named), its number, or random, and "
    "see it on the board. Press Enter for the one shown; list lists all setups; quit leaves."
)


def choose(game: Game, reader: Reader, view: View, chance: random.Random) -> Board | None:
    """Let Black choose a setup; ``None`` if the player leaves."""
    name = Board(game).setup_name() or game.setups[0]
    message: list[str] | None = None
    while True:
        board = Board(game, setup=name)
        if message is None:
            view.setup(board, free_squares(game), description(game, name))
        else:
            print("\n".join(message))
        message = None
        line = reader.read(f"Setup [{name}]: ")
        word = (line or "").strip()
        if line is None or word in ("quit", "exit", "q"):
            return None
        if word.lower() in ("", "y", "yes"):
            return board
        if word in ("?", "help"):
            print()
            view.say(HELP)
            message = []
        elif word == "list":
            message = listing(game, view.width)
        else:
            try:
                name = setup_name(game, word, chance)
            except CommandError as failure:
                message = wrap(str(failure)[:1].upper() + str(failure)[1:] + ".", view.width)


def description(game: Game, name: str) -> list[str]:
    """Return what Black may choose and what is shown, as sentences."""
    setups = game.setups
    groups = [squares_in_order(group) for group in setups.squares]
    return [
        f"Black chooses the setup: the pieces on {' and on '.join(groups)}. White's mirror them.",
        f"Shown: number {setups.number(name)} of {len(setups)}, {name}.",
        "Type a name, a number or random; press Enter for the one shown.",
    ]


def squares_in_order(group: list[int]) -> str:
    """Return the names of squares in the order of the setup's name."""
    return " ".join(squares([at]) for at in group)


def free_squares(game: Game) -> frozenset[int]:
    """Return the squares of both sides that a setup fills."""
    own = {at for group in game.setups.squares for at in group}
    return frozenset(own | {(game.ranks - 1 - at // 16) * 16 + at % 16 for at in own})


def listing(game: Game, width: int) -> list[str]:
    """List the setups with their numbers."""
    setups = game.setups
    wide = len(str(min(len(setups), MAX_LISTED)))
    names = [f"{number:{wide}} {setups[number - 1]}" for number in range(1, min(len(setups), MAX_LISTED) + 1)]
    rest = [f"and so on, to number {len(setups)}"] if len(setups) > MAX_LISTED else []
    return columns(names, width) + rest
