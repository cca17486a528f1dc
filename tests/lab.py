"""Small jobs, and executors that do not do as they should."""

from __future__ import annotations

import functools
import os
import random
import threading
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Executor, Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

from acedrex import load
from acedrex.lab import Job, Plan, SelfPlay, run
from acedrex.lab.plan import make


def small(game: str = "chess", **others: Any) -> SelfPlay:
    """A plan of some ten quick units."""
    return SelfPlay.plan(load(game), **{"positions": 1500, "nodes": 8, "unit": 2, "seed": 3, **others})


def finish(job: Job, executors: Callable[[], Executor] = lambda: ThreadPoolExecutor(1), window: int = 2) -> None:
    run(job, executors, window=window)


def contents(folder: Path) -> dict[str, bytes]:
    """The files of a job."""
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


class Now(Executor):
    """Does everything at once, and counts it."""

    def __init__(self) -> None:
        self.calls = 0

    def submit(self, function: Callable[..., Any], /, *args: Any, **keywords: Any) -> Future[Any]:
        self.calls += 1
        future = Future[Any]()
        try:
            future.set_result(function(*args, **keywords))
        except Exception as error:
            future.set_exception(error)
        return future


class Shuffled(Executor):
    """Does what it was given in random order, and forgets the rest at the end."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.waiting: list[tuple[Future[Any], Callable[[], Any]]] = []
        self.threads: list[threading.Timer] = []
        self.lock = threading.Lock()

    def submit(self, function: Callable[..., Any], /, *args: Any, **keywords: Any) -> Future[Any]:
        future = Future[Any]()
        self.waiting.append((future, functools.partial(function, *args)))
        self.threads.append(threading.Timer(0.01, self._work))
        self.threads[-1].start()
        return future

    def _work(self) -> None:
        # Another thread may take one between the count and the choice.
        with self.lock:
            future, call = self.waiting.pop(self.chance.randrange(len(self.waiting)))
        if future.set_running_or_notify_cancel():
            future.set_result(call())

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        for thread in self.threads:
            thread.join()


class Breaking(Now):
    """Breaks after some calls."""

    def __init__(self, good: int) -> None:
        super().__init__()
        self.good = good

    def submit(self, function: Callable[..., Any], /, *args: Any, **keywords: Any) -> Future[Any]:
        if self.calls >= self.good:
            raise BrokenExecutor("broken")
        return super().submit(function, *args, **keywords)


def make_or_die(plan: Plan, number: int) -> bytes:
    """Work as a process that dies at units 1 and 4 the first time that it tries them."""
    marker = Path(os.environ["ACEDREX_TEST_DIED"]) / str(number)
    if number in (1, 4) and not marker.exists():
        marker.touch()
        os._exit(9)
    return make(plan, number)
