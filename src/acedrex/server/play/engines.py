"""Engines in processes of their own, with lower priority and a bounded queue in which addresses take turns."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TypeVar

from acedrex import Board, Engine, Limit, Move
from acedrex.engine import Score
from acedrex.game import Game
from acedrex.server.limits.fair_queue import FullError
from acedrex.server.limits.pool import LateError, Pool
from acedrex.server.limits.visitor import Visitor
from acedrex.server.people.house import Opening

T = TypeVar("T")

#: The maximum number of jobs that wait or run: in all, per address, per person.
MAX_JOBS, MAX_JOBS_OF_ADDRESS, MAX_JOBS_OF_PERSON = 400, 40, 3
#: Seconds that the engine may think for a job, and that the whole job may take.
DEADLINE = 10.0
JOB_TIMEOUT_S = 30.0
NICE = 10
#: Setups that the engine compares when it chooses one, and nodes that it searches for each.
SETUPS, SETUP_NODES = 16, 3_000
#: Nodes and lines that are searched for a taste in openings, and the centipawns that it may cost.
TASTE_NODES, TASTE_LINES, TASTE_MARGIN = 6_000, 12, 40


class EngineBusyError(Exception):
    """The engine's queue is full, or its process failed."""


class Engines:
    """Processes in which the engine thinks."""

    def __init__(self, processes: int) -> None:
        """Prepare a number of processes, each of which is started when it is needed."""
        self._pool = Pool(processes, NICE, JOB_TIMEOUT_S, MAX_JOBS, MAX_JOBS_OF_ADDRESS, MAX_JOBS_OF_PERSON)

    @property
    def waiting(self) -> int:
        """The number of jobs that wait or run."""
        return self._pool.total

    async def turn(self, visitor: Visitor, board: Board, level: int, limit: Limit, taste: Opening = "any") -> list[str]:
        """Return the moves of the turn that the engine chooses at a level, to its taste if it has any.

        Several jobs of one address share the thinking time, so that an address gets no more of it than others.

        :raises EngineBusyError: if the queue is full, or the process failed.
        """
        if limit.time is not None:
            limit = replace(limit, time=limit.time / (1 + self._pool.of(visitor.address)))
        return await self._run(visitor, partial(_turn, board, level, limit, taste))

    async def setup(self, visitor: Visitor, game: Game) -> str:
        """Return the setup that the engine chooses as Black.

        :raises EngineBusyError: if the queue is full, or the process failed.
        """
        return await self._run(visitor, partial(_setup, game))

    async def _run(self, visitor: Visitor, job: Callable[[], T]) -> T:
        try:
            return await self._pool.run(visitor, job)
        except (FullError, LateError):
            raise EngineBusyError from None

    def close(self) -> None:
        """End the processes."""
        self._pool.close()


def _turn(board: Board, level: int, limit: Limit, taste: Opening) -> list[str]:
    roots = _to_taste(board, taste)
    with Engine(hash_mb=16, level=level) as engine:
        timer = threading.Timer(DEADLINE, engine.stop)
        timer.start()
        try:
            return [move.uci() for move in engine.play(board, limit, root_moves=roots).moves]
        finally:
            timer.cancel()


def _to_taste(board: Board, taste: Opening) -> list[Move]:
    """Return the moves to a taste if the best of them is hardly worse than the best of all; none for no preference.

    The level chooses among all of them, so that a taste makes no engine stronger.
    """
    if taste == "any" or board.is_check() or board.game.turns_of_several_moves:
        return []
    soldiers = {piece.letter for piece in board.game.pieces if piece.is_soldier}

    def suits(move: Move) -> bool:
        piece = None if move.special is not None else board.piece_at(move.from_square)
        return piece is not None and (piece.letter in soldiers) == (taste == "soldiers")

    with Engine(hash_mb=16) as engine:
        lines = engine.analyse(board, Limit(nodes=TASTE_NODES, time=0.5), multipv=TASTE_LINES)
    best = max((info.score for info in lines), default=None)
    close = [info for info in lines if best is not None and _is_close(info.score, best) and suits(info.pv[0])]
    return [move for move in board.legal_moves if suits(move)] if close else []


def _is_close(score: Score, best: Score) -> bool:
    """Return whether a score is hardly worse than the best; a mate is never close to anything else."""
    return score.cp is not None and best.cp is not None and score.cp >= best.cp - TASTE_MARGIN


def _setup(game: Game) -> str:
    """Search some setups briefly, and return the one that is worst for White."""
    numbers = random.sample(range(len(game.setups)), min(SETUPS, len(game.setups)))

    def score(engine: Engine, name: str) -> int:
        engine.clear()
        (info,) = engine.analyse(Board(game, setup=name), Limit(nodes=SETUP_NODES, time=0.5))
        return info.score.cp if info.score.cp is not None else 10_000 * (1 if (info.score.mate or 0) > 0 else -1)

    with Engine(hash_mb=16) as engine:
        return min((game.setups[number] for number in numbers), key=lambda name: score(engine, name))
