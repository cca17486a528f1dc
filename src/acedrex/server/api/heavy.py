"""Requests that may take long: processes of the pool do what is much, and what is little is done at once."""

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

#: Moves that are gone through at once: half a millisecond on the largest boards, as much as handing them on costs.
FEW = 50
#: How far the processes give way, as those of engines do, and seconds that one job may take.
NICE, PATIENCE = 10, 60.0
#: Jobs that may wait or run: in all, of an address, of a person.
MOST, MOST_ADDRESS, MOST_PERSON = 60, 12, 4


async def run(request: Request, moves: int, job: Callable[[], T]) -> T:
    """Do a job of which it is known how many moves it goes through at most.

    :raises FullError: if too many wait.
    :raises LateError: if it takes too long.
    """
    return job() if moves <= FEW else await services_of(request).pool.run(visitor(request), job)


async def answer(request: Request, moves: int, job: Callable[[], T]) -> Encoded[T]:
    """Answer with what a job gives; as :func:`run`."""
    return Encoded(await run(request, moves, partial(encoded, job)))
