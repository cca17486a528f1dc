"""People, and lists of matches."""

from __future__ import annotations

from typing import Literal

from acedrex.server.wire.matches import Ending, TimeControl
from acedrex.server.wire.vocabulary import Asked, Name, Phase, Said


class NewGuest(Asked):
    """A guest to be."""

    name: Name | None = None


class Rename(Asked):
    """A new name."""

    name: Name


class Guest(Said, omit_defaults=True):
    """A guest; the token is told once."""

    id: str
    name: str
    token: str | None = None


class CardGame(Said):
    """The game on a card."""

    id: str
    name: str
    files: int
    ranks: int


class Names(Said):
    """The players on a card."""

    white: str
    black: str


class MatchCard(Said):
    """A match in a list."""

    match: str
    game: CardGame
    players: Names
    time: TimeControl
    phase: Phase
    ply: int
    fen: str
    your_turn: bool | None
    ending: Ending | None
    at: int


class ChallengeGame(Said):
    """The game of a challenge."""

    game: str
    options: dict[str, str]
    name: str


class Challenge(Said):
    """An open challenge."""

    match: str
    by: str
    mine: bool
    game: ChallengeGame
    side: Literal["white", "black", "random"]
    time: TimeControl
    at: int


class Lobby(Said, tag="lobby"):
    """The open challenges."""

    challenges: list[Challenge]
