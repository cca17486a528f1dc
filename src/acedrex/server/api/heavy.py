"""Requests that may take long: a process of the pool runs large jobs, and small ones run at once."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TypeVar

from fastapi import Request

from acedrex.server.api.limits import visitor
from acedrex.server.api.routes import Encoded
from acedrex.server.api.services import services_of
from acedrex.server.pool import encoded

T = TypeVar("T")

#: Jobs of up to this many moves run at once: half a millisecond on the largest boards, about the cost of handing on.
FEW = 50
#: The nice value of the processes, as for engines, and seconds that one job may take.
NICE, PATIENCE = 10, 60.0
#: Jobs that may wait or run: in all, per address, per person.
MOST, MOST_ADDRESS, MOST_PERSON = 60, 12, 4


async def run(request: Request, moves: int, job: Callable[[], T]) -> T:
    """Run a job, in another process if it goes through many moves.

    :param moves: an upper bound of the moves that the job goes through.
    :raises FullError: if the queue is full.
    :raises LateError: if it takes too long.
    """
    return job() if moves <= FEW else await services_of(request).pool.run(visitor(request), job)


async def answer(request: Request, moves: int, job: Callable[[], T]) -> Encoded[T]:
    """Run a job as :func:`run` does, and return its result as JSON."""
    return Encoded(await run(request, moves, partial(encoded, job)))
