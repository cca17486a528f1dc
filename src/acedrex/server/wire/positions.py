"""Positions: what stands where, and what may be done."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, field

from acedrex.server.wire.vocabulary import Asked, DotKind, Fen, Name, PlyText, Said, SetupName, Side


class PieceOn(Said):
    """A piece on a square."""

    square: str
    letter: str
    side: Side


class Reach(Said):
    """A square that a piece reaches, and how."""

    to: str
    kind: DotKind
    mount: str | None
    path: list[str]
    legs: list[str]


class LegalPly(Said):
    """A legal ply and what it does."""

    ply: str
    from_: str | None = field(name="from")
    to: str | None
    promotion: str | None
    reach: Reach | None
    kind: DotKind
    captured_on: str | None
    partner: tuple[str, str] | None
    check: bool
    ends_turn: bool


class Position(Said):
    """A position and what may be done in it."""

    fen: str
    turn: Side
    ply: int
    pieces: list[PieceOn]
    turn_plies: list[str]
    plies_left: int
    moved: list[str]
    in_command: list[str] | None
    check: list[str]
    legal: list[LegalPly]
    last: list[str]
    claimable: list[str]


class PositionAsked(Asked, kw_only=True):
    """Which position is asked for."""

    game: Annotated[str, Meta(min_length=1, max_length=400)]
    options: dict[Name, Name] = field(default_factory=dict)
    setup: SetupName | None = None
    fen: Fen | None = None
    plies: Annotated[list[PlyText], Meta(max_length=1000)] = field(default_factory=list)


class ReachAsked(Asked, kw_only=True):
    """Which piece's ways are asked for."""

    game: Annotated[str, Meta(min_length=1, max_length=400)]
    options: dict[Name, Name] = field(default_factory=dict)
    fen: Fen
    square: Annotated[str, Meta(min_length=2, max_length=3)]
    #: Whether squares count that the piece could reach only after a ply of the other side.
    premove: bool = False
