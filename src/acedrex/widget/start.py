"""The start of a widget: its board, its opponent, and the data of the game for the page."""

from __future__ import annotations

import os
import random
from typing import SupportsIndex, TypeAlias

from acedrex import plain
from acedrex.board import Board
from acedrex.engine import Engine
from acedrex.errors import Error
from acedrex.game import Game, Piece, load
from acedrex.squares import parse_square
from acedrex.widget import messages
from acedrex.widget.search import Player

__all__ = ["CHOOSE", "RANDOM", "Start", "begin", "game_data", "player", "setup_answer"]

#: Special values of ``setup``: to be arranged on the board, and a random one.
CHOOSE, RANDOM = "choose", "random"

#: What a widget can be created from: a game's id or file, a game, or a board.
Start: TypeAlias = str | os.PathLike[str] | Game | Board


def begin(start: Start, fen: str | None, setup: str | int | None, *, by_hand: bool) -> tuple[Board, bool]:
    """Return a board, and whether its setup is still to be chosen.

    :param by_hand: whether Black, who arranges the pieces, is played by hand; otherwise a random setup is chosen.
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
    """Return the engine of an opponent, creating one for a level.

    :raises Error: if there is no such level.
    :raises TypeError: if it is neither a level nor an engine.
    """
    if isinstance(opponent, SupportsIndex):
        return Engine(level=opponent)
    if opponent is not None and not (hasattr(opponent, "play") and hasattr(opponent, "stream")):
        raise TypeError(f"an opponent is a level from 1 to 10 or an engine, not {opponent!r:.60}")
    return opponent


def game_data(game: Game) -> messages.Game:
    """Return the data that stay the same while a game is played."""
    setup = plain.setup_phase(game)
    return {"files": game.files, "ranks": game.ranks, "piece_types": plain.piece_types(game), "setup": setup}


def answer(board: Board, message: messages.Message) -> messages.Answer:
    """Answer a question of the page.

    :raises Error: if the question names no square or piece.
    """
    if message.kind == "reach":
        return {"type": "answer", "id": message.id, "reach": plain.reaches(board, parse_square(message.text))}
    if message.kind == "idle":
        return {"type": "answer", "id": message.id, "reason": board.why_idle(parse_square(message.text))}
    if message.kind == "alone":
        symbol, _, name = message.text.partition(" ")
        alone = plain.reaches_alone(board.game, Piece.from_symbol(symbol), parse_square(name))
        return {"type": "answer", "id": message.id, "reach": alone}
    if message.kind == "typed":
        return move_answer(board, message.text, message.id)
    return setup_answer(board.game, None if message.kind == "shuffle" else message.text, message.id)


def move_answer(board: Board, text: str, id: str) -> messages.MoveAnswer:
    """Return the legal move that a text means, or why it means none, as the answer to a question."""
    try:
        return {"type": "answer", "id": id, "move": board.parse_san(text).uci(), "why": None}
    except Error as error:
        return {"type": "answer", "id": id, "move": None, "why": str(error)}


def setup_answer(game: Game, name: str | None, id: str) -> messages.SetupAnswer:
    """Return the number of a setup, or why an arrangement is not a setup, as the answer to a question.

    :param name: letters in the order of the squares; ``None`` for a random setup.
    :param id: the id of the question.
    :raises Error: if the game has no setups.
    """
    if not game.setups:
        raise Error(f"{game.name} has no setups")
    name = random.choice(game.setups) if name is None else name
    try:
        return {"type": "answer", "id": id, "name": name, "number": game.setups.number(name), "problem": None}
    except Error as error:
        return {"type": "answer", "id": id, "name": name, "number": None, "problem": str(error)}
