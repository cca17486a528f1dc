"""Work that depends on what strangers send: charged by the processor time that it took.

A process of the pool runs large jobs, all jobs about games that strangers have published, and those of visitors who ask
much; the others run at once.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import TypeVar

from fastapi import Request
from starlette.requests import HTTPConnection

from acedrex.game import Game
from acedrex.server.api.limits import spend, visitor
from acedrex.server.api.routes import Encoded
from acedrex.server.games.catalogue import is_strangers
from acedrex.server.limits.fair_queue import FullError
from acedrex.server.limits.pool import encoded, measured
from acedrex.server.services import services_of

T = TypeVar("T")

#: Jobs of up to this many moves run at once: some milliseconds in the dearest positions of the largest boards.
FEW = 10
#: The nice value of the processes, as for engines, and seconds that one job may take.
NICE, JOB_TIMEOUT_S = 10, 60.0
#: The maximum number of milliseconds that are charged for a job. A process that was killed counts as late, and must
#: not keep its visitor out for an hour.
MAX_CHARGED = 2_000.0
#: Jobs that may wait or run: in all, per address, per person, who has as many requests at once.
MAX_JOBS, MAX_JOBS_OF_ADDRESS, MAX_JOBS_OF_PERSON = 60, 12, 6


async def run(connection: HTTPConnection, game: Game | None, moves: int, job: Callable[[], T]) -> T:
    """Run a job, in another process if it goes through many moves, its game is a stranger's, or its visitor asks much.

    It costs a unit of the budget ``work`` for each millisecond of processor time: one before, and the rest afterwards.

    :param game: ``None`` if no single game is concerned, and none of a stranger.
    :param moves: an upper bound of the moves that the job goes through.
    :raises Refusal: if the budget is spent.
    :raises FullError: if the queue is full.
    :raises LateError: if it takes too long.
    """
    spend(connection, "work")
    services, who = services_of(connection), visitor(connection)
    seconds = JOB_TIMEOUT_S
    try:
        is_small = moves <= FEW and not (game and is_strangers(game))
        if is_small and not services.budgets.is_low(who, "work"):
            done, seconds = measured(job, time.thread_time)
        else:
            done, seconds = await services.pool.run(who, partial(measured, job, time.process_time))
    except FullError:
        seconds = 0.0
        raise
    finally:
        services.budgets.charge(who, "work", min(MAX_CHARGED, max(0.0, seconds * 1000 - 1)))
    if isinstance(done, Exception):
        raise done
    return done


async def answer(connection: HTTPConnection, game: Game | None, moves: int, job: Callable[[], T]) -> Encoded[T]:
    """Run a job as :func:`run` does, and return its result as JSON."""
    return Encoded(await run(connection, game, moves, partial(encoded, job)))


async def tell(request: Request, game: Game, job: Callable[[], T]) -> Encoded[T]:
    """Tell what everybody may ask of a game, as JSON: nobody is charged for it, since it is kept for the next.

    :raises FullError: if the queue is full.
    :raises LateError: if it takes too long.
    """
    if is_strangers(game):
        return Encoded(await services_of(request).pool.run(visitor(request), partial(encoded, job)))
    return Encoded(encoded(job))
