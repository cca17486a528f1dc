"""When the server was down, or its machine asleep: nobody may be flagged for that."""

from __future__ import annotations

import structlog

from acedrex.server import time_source
from acedrex.server.match.decide import Absence
from acedrex.server.time_source import now

log = structlog.get_logger()

#: Milliseconds without a heartbeat that count as an absence, which is given back before anyone is flagged.
ABSENCE = 5_000


class Downtime:
    """The absences of the server, as far as this process knows."""

    def __init__(self) -> None:
        """Start awake, without absences."""
        #: When the server was last known to be awake.
        self.awake = now()
        #: In order and without overlap.
        self.absences: list[Absence] = []

    def detect_suspension(self) -> None:
        """Check whether the process was suspended, as when the machine slept."""
        time_source.catch_up(ABSENCE)
        if now() - self.awake > ABSENCE:
            log.warning("downtime_recorded", milliseconds=now() - self.awake)
            self.add(Absence(self.awake, now()))

    def add(self, absence: Absence) -> None:
        """Record an absence, merging it with those that it overlaps."""
        while self.absences and self.absences[-1].until >= absence.since:
            last = self.absences.pop()
            absence = Absence(min(last.since, absence.since), max(last.until, absence.until))
        self.absences.append(absence)
        self.awake = max(self.awake, absence.until)
