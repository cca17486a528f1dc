"""What players take for their turns: time, processor time and nodes."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

__all__ = ["Effort", "Meter", "Thought"]


@dataclass(slots=True)
class Thought:
    """What a turn took."""

    seconds: float = 0.0
    """The time from the command to the answer."""
    processor: float | None = None
    """The processor time used meanwhile, per thread; ``None`` where the system does not tell."""


@dataclass(slots=True)
class Effort:
    """What a player's turns took, in all."""

    seconds: float = 0.0
    """The time in which it thought."""
    processor: float | None = 0.0
    """The processor time that it had meanwhile, per thread; ``None`` where the system does not tell."""
    nodes: int = 0
    """The nodes that it reported."""
    probe_seconds: float = 0.0
    """The time of its trial searches between the games."""
    probe_nodes: int = 0
    """The nodes of these searches."""
    alone_nodes: float = 0.0
    """The nodes that it would have reached in them at the speed that it had before the first game."""

    def count(self, thought: Thought, nodes: int) -> None:
        """Count a turn."""
        self.seconds += thought.seconds
        self.processor = (
            None if self.processor is None or thought.processor is None else self.processor + thought.processor
        )
        self.nodes += nodes

    def add(self, other: Effort) -> None:
        """Add the effort of other turns."""
        self.count(Thought(other.seconds, other.processor), other.nodes)
        self.probe_seconds += other.probe_seconds
        self.probe_nodes += other.probe_nodes
        self.alone_nodes += other.alone_nodes

    def is_valid(self) -> bool:
        """Return whether all values are numbers as they can be."""
        values = [
            getattr(self, name) for name in self.__slots__ if getattr(self, name) is not None or name != "processor"
        ]
        return all(isinstance(value, int | float) and 0 <= value < math.inf for value in values)

    @property
    def share(self) -> float | None:
        """The share of a processor that it had while it thought; ``None`` if that is not known."""
        return None if self.processor is None or not self.seconds else self.processor / self.seconds

    @property
    def speed(self) -> float | None:
        """Its speed between the games in relation to that before the first one; ``None`` if that is not known.

        >>> Effort(probe_nodes=80, alone_nodes=100.0).speed
        0.8
        """
        return self.probe_nodes / self.alone_nodes if self.alone_nodes else None


class Meter:
    """Divides the processor time of this process among those who think in it at the same time.

    :param clock: the processor time of the process in seconds.
    """

    def __init__(self, clock: Callable[[], float] = time.process_time) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._last = 0.0
        #: The thoughts that are being thought, and their threads.
        self._running: dict[int, tuple[Thought, int]] = {}

    @contextmanager
    def thinking(self, threads: int) -> Iterator[Thought]:
        """Measure what a block takes; its thought is complete at its end."""
        thought, begun = Thought(processor=0.0), time.perf_counter()
        with self._lock:
            self._divide()
            self._running[id(thought)] = thought, threads
        try:
            yield thought
        finally:
            with self._lock:
                self._divide()
                del self._running[id(thought)]
            thought.seconds = time.perf_counter() - begun

    def _divide(self) -> None:
        now = self._clock()
        threads = sum(threads for _, threads in self._running.values())
        for thought, _ in self._running.values():
            thought.processor = (thought.processor or 0.0) + (now - self._last) / threads
        self._last = now
