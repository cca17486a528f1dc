"""Has the units of a job made by an executor, and writes their blocks."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, wait

from acedrex.errors import Error
from acedrex.lab.job import Job
from acedrex.lab.plan import MAX_UNITS, SignatureError, Tally, make

__all__ = ["run"]

#: How often a unit is tried before the job stops.
TRIES = 4
#: Seconds between reports.
TICK = 1.0


def run(
    job: Job,
    executors: Callable[[], Executor],
    *,
    window: int,
    seconds: float | None = None,
    report: Callable[[Tally], None] = lambda tally: None,
) -> Tally:
    """Make all units of a job that are missing or damaged.

    Only this process writes files. What was made is the same whatever made it and however often it was interrupted.

    :param executors: returns an executor, such as ``lambda: ThreadPoolExecutor(4)``; it is called again if the first
        one breaks.
    :param window: how many units are handed out at once; twice the workers, so that none waits.
    :param seconds: after how long to stop, even in the middle of units; without it, when the job is finished.
    :param report: called at the beginning, about once a second, and at the end.
    :return: the finished units.
    :raises Error: if a block cannot be written, a unit fails repeatedly, or the engine plays differently from the one
        that the job was made for.
    """
    end = None if seconds is None else time.monotonic() + seconds
    tally = job.repair()
    report(tally)
    tries = Counter[int]()
    while tally.needed is None and not _is_past(end):
        with executors() as executor:
            _Run(job, tally, executor, tries, report).work(window, end)
    if tally.needed is not None:
        job.trim(tally.needed)
    report(tally)
    return tally


class _Run:
    """The work of one executor, until the job is finished or the executor breaks."""

    def __init__(
        self,
        job: Job,
        tally: Tally,
        executor: Executor,
        tries: Counter[int],
        report: Callable[[Tally], None],
    ) -> None:
        self._job = job
        self._tally = tally
        self._executor = executor
        self._tries = tries
        self._report = report
        self._running: dict[Future[bytes], int] = {}

    def work(self, window: int, end: float | None) -> None:
        """Hand out units and take what was made, until some time at most."""
        try:
            while self._tally.needed is None and not _is_past(end):
                if not self._hand_out(window):
                    return
                wait(self._running, TICK, FIRST_COMPLETED)
                done = [future for future in self._running if future.done()]
                if sum(self._take(future) for future in done) < len(done):
                    return
                self._report(self._tally)
        finally:
            for future in self._running:
                future.cancel()

    def _hand_out(self, window: int) -> bool:
        """Submit the first units that are likely to be needed; return whether the executor can go on."""
        taken = self._tally.units.union(self._running.values())
        number = 0
        while len(self._running) < window and (number in taken or self._tally.wants(number)):
            if number >= MAX_UNITS:
                raise Error(f"{self._job.folder}: a job has at most {MAX_UNITS:,} units; start one with larger units")
            if number not in taken:
                try:
                    self._running[self._executor.submit(make, self._job.plan, number)] = number
                except BrokenExecutor as error:
                    self._failed(number, error)
                    return False
            number += 1
        return True

    def _take(self, future: Future[bytes]) -> bool:
        """Write what a unit has made; return whether the executor can go on."""
        number = self._running.pop(future)
        try:
            payload = future.result()
        except SignatureError:
            raise
        except Exception as error:
            self._failed(number, error)
            return not isinstance(error, BrokenExecutor)
        self._tally.add(number, self._job.add(number, payload))
        return True

    def _failed(self, number: int, error: Exception) -> None:
        """Count a failure of a unit.

        :raises Error: if it was one too many.
        """
        self._tries[number] += 1
        if self._tries[number] >= TRIES:
            raise Error(
                f"unit {number} failed {TRIES} times, at last with {type(error).__name__}: {error}; everything made so "
                f"far is kept, and acedrex lab resume {self._job.folder} tries again"
            ) from error


def _is_past(end: float | None) -> bool:
    return end is not None and time.monotonic() >= end
