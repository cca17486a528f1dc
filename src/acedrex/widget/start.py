"""What a widget begins with: a board, an opponent, and what the page has to know of the game."""

from __future__ import annotations

import os
import random
from typing import TypeAlias

from acedrex import plain
from acedrex.board import Board
from acedrex.engine import Engine
from acedrex.errors import Error
from acedrex.game import Game, load
from acedrex.widget import messages
from acedrex.widget.search import Player

__all__ = ["CHOOSE", "RANDOM", "Start", "begin", "game_told", "player", "setup_told"]

#: Setups that have no name: to be arranged on the board, and any.
CHOOSE, RANDOM = "choose", "random"

#: What a widget can be made of: a game's id or file, a game, or a board.
Start: TypeAlias = str | os.PathLike[str] | Game | Board


def begin(start: Start, fen: str | None, setup: str | int | None, *, by_hand: bool) -> tuple[Board, bool]:
    """Set up a board, and tell whether its setup is still to be chosen.

    :param by_hand: whether Black, who arranges the pieces, is played by hand; else the choice is made at random.
    :raises Error: as :class:`acedrex.Board`, or if the game has no setups to choose from.
    """
    if isinstance(start, Board):
        if fen is not None or setup is not None:
            raise Error("a board has its position already; give a game with a FEN or a setup")
        return start.copy(), False
    game = load(start)
    if setup not in (CHOOSE, RANDOM):
        return Board(game, fen, setup=setup), False
    if fen is not None:
        raise Error("give a FEN or a setup, not both")
    if not game.setups:
        raise Error(f"{game.name} has no setups to choose from")
    if setup == CHOOSE and by_hand:
        return Board(game), True
    return Board(game, setup=random.choice(game.setups)), False


def player(opponent: Player | int | None) -> Player | None:
    """Return an engine, made for a level.

    :raises Error: if there is no such level.
    :raises TypeError: if it is neither a level nor an engine.
    """
    if isinstance(opponent, int):
        return Engine(level=opponent)
    if opponent is not None and not (hasattr(opponent, "play") and hasattr(opponent, "stream")):
        raise TypeError(f"an opponent is a level from 1 to 10 or an engine, not {opponent!r:.60}")
    return opponent


def game_told(game: Game) -> messages.Game:
    """Tell what stays the same while a game is played."""
    setup = plain.setup_phase(game)
    return {"files": game.files, "ranks": game.ranks, "kinds": plain.kinds(game), "setup": setup}


def setup_told(game: Game, name: str | None, id: str) -> messages.SetupAnswer:
    """Answer a question with a setup's number, or what is wrong with an arrangement.

    :param name: letters in the order of the squares; ``None`` for a random setup.
    :param id: the question's.
    :raises Error: if the game has none.
    """
    if not game.setups:
        raise Error(f"{game.name} has no setups")
    name = random.choice(game.setups) if name is None else name
    try:
        return {"type": "answer", "id": id, "name": name, "number": game.setups.number(name), "problem": None}
    except Error as error:
        return {"type": "answer", "id": id, "name": name, "number": None, "problem": str(error)}
