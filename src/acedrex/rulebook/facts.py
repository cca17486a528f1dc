"""The facts about a game's special rules that the core provides."""

from __future__ import annotations

from typing import TypedDict

__all__ = ["Castling", "Facts", "KindFacts", "SetupGroup", "Step", "Turn"]


class Turn(TypedDict):
    """The moves of a turn; ``moves`` is the most of them, ``None`` for one per royal piece."""

    moves: int | None
    first: int | None
    may_end: bool
    may_pass: bool
    once_each: bool
    ends_on_check: bool
    #: The range of command, and whether royal pieces command each other.
    command: tuple[int, bool] | None


class Castling(TypedDict):
    """Where the King and its partner go from and to."""

    king: tuple[int, int]
    rook: tuple[int, int]
    partner: str


class SetupGroup(TypedDict):
    """Pieces that are arranged on given squares."""

    squares: list[int]
    pieces: list[str]
    only: list[tuple[str, list[int]]]


class Step(TypedDict):
    """A move limited to some squares or to the piece's first move, or that allows a capture en passant."""

    notation: str
    squares: list[int]
    initial: bool
    first: bool
    track: bool
    #: Whether it leads exactly two squares along a rank, file or diagonal.
    double: bool
    #: The shortest and longest distance straight ahead without capturing, and whether it leaps.
    ahead: tuple[int, int, bool] | None


class KindFacts(TypedDict):
    """A kind of piece."""

    letter: str
    name: str
    royal: bool
    soldier: bool
    promotes_to: list[str]
    promotes_by: str
    takes_en_passant: bool
    zone: str
    within: list[int]
    sees: str
    steps: list[Step]


class Facts(TypedDict):
    """What a definition states in addition to how pieces move. Squares are White's."""

    files: int
    ranks: int
    royals: int
    has_check: bool
    several: bool
    turn: Turn
    four_points: bool
    stalemate_loses: bool
    dead_positions: bool
    repetition: tuple[int, int]
    quiet: tuple[int, int]
    bare_king: tuple[list[str], list[str]]
    promotion_at: list[int]
    promotion_optional: list[int]
    promotion_limited: bool
    en_passant_left: list[int]
    castlings: list[Castling]
    jump: list[tuple[int, int]] | None
    setup: list[SetupGroup]
    kinds: list[KindFacts]
