"""Ratings."""

from __future__ import annotations

from typing import Literal

from acedrex.server.wire.lessons import PuzzleTheme
from acedrex.server.wire.vocabulary import Response

#: Each speed has ratings of its own.
Speed = Literal["live", "correspondence"]


class Rating(Response):
    """A rating as it is shown."""

    rating: int
    #: Whether it is too uncertain to say much.
    provisional: bool


class RatingChanges(Response):
    """By how many points a match has changed the ratings of its players."""

    white: int
    black: int


class MatchRatings(Response):
    """The ratings of the players of a match, and by how much it has changed them; those of guests who left are gone."""

    white: Rating | None
    black: Rating | None
    #: Once the match has been rated.
    changes: RatingChanges | None


class PoolRating(Response):
    """Somebody's rating in one pool, and the results behind it."""

    #: The game, or nothing for the rating over all.
    game: str | None
    name: str
    speed: Speed | None
    rating: int
    deviation: int
    provisional: bool
    wins: int
    draws: int
    losses: int


class RatingPoint(Response):
    """A rating after the last match of a day."""

    at: int
    rating: int


class PuzzlesRating(Response):
    """Somebody's rating in puzzles of a theme, or of all, and how many they have solved or failed at first."""

    theme: PuzzleTheme | None
    rating: int
    deviation: int
    provisional: bool
    solved: int
    failed: int


class PersonRatings(Response):
    """The ratings of a person, the most played first."""

    name: str
    pools: list[PoolRating]
    #: The first is that of all puzzles.
    puzzles: list[PuzzlesRating]


class Pool(Response):
    """A game and a speed in which people have ratings."""

    game: str | None
    name: str
    speed: Speed | None
    #: People with a rating, provisional ones too.
    people: int


class Ranked(Response):
    """A person in a list of the highest ratings."""

    place: int
    name: str
    rating: int
    deviation: int
    games: int
    you: bool
    #: The id of a house engine.
    house: str | None
