"""The best matches in progress, and the match of the day."""

from __future__ import annotations

from acedrex.server.wire.archive import Archived
from acedrex.server.wire.people import MatchCard
from acedrex.server.wire.vocabulary import Response


class Channel(Response):
    """The best match in progress of a kind: of a game, live or by correspondence."""

    #: As the pools of ratings: ``magi/live``.
    kind: str
    card: MatchCard
    #: The mean rating of its players; an engine without a name counts as none.
    rating: int


class DayMatch(Response):
    """The match of a day: the most dramatic of those that were finished the day before, or last."""

    day: str
    match: Archived
    #: How far the chances travelled.
    drama: float
