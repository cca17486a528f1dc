"""The programs that people play against, and the engine's advice."""

from __future__ import annotations

import random

from acedrex.board import Board
from acedrex.engine import Engine, Limit
from acedrex.limits import MAX_LEVEL

__all__ = ["PLAYERS", "Opponents", "title"]

LEVELS = tuple(map(str, range(1, MAX_LEVEL)))

#: The players on the command line; ``10`` is another name of ``engine``.
PLAYERS = ("human", "random", "engine", *LEVELS, str(MAX_LEVEL))

TURN = Limit(time=1)
ADVICE = Limit(time=0.5)
#: The search before the engine answers a draw offer.
OFFER = Limit(nodes=20_000)


def title(player: str) -> str:
    """Return the name of a player for records; ``?`` for a person."""
    if player in LEVELS:
        return f"Acedrex level {player}"
    return {"human": "?", "random": "Random mover"}.get(player, "Acedrex")


class Opponents:
    """Plays for the programs. Engines are created on first use."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self._engines: dict[str, Engine] = {}

    def play(self, board: Board, player: str) -> None:
        """Play a random move, or a turn of an engine."""
        if player == "random":
            moves = board.legal_moves
            board.push(moves[self.chance.randrange(len(moves))])
            return
        for move in self._engine(player).play(board, TURN).moves:
            board.push(move)

    def best(self, board: Board) -> str:
        """Return the turn that the engine would play, in SAN."""
        return board.turn_san(self._engine("engine").play(board, ADVICE).moves)

    def accepts_draw(self, board: Board, player: str) -> bool:
        """Return whether an engine accepts the draw that the side to move offers: unless the engine stands better."""
        score = self._engine(player).analyse(board, OFFER)[0].score
        return score.mate > 0 if score.mate is not None else score.cp is not None and score.cp >= 0

    def _engine(self, player: str) -> Engine:
        if player not in self._engines:
            # Each has its own hash table and seed: no engine may influence how another plays.
            self._engines[player] = (
                Engine(level=int(player), seed=self.chance.getrandbits(64)) if player in LEVELS else Engine()
            )
        return self._engines[player]
