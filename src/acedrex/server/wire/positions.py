"""Requests for positions. The responses are in :mod:`acedrex.plain`."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, field

from acedrex.server.wire.vocabulary import Fen, MoveText, Name, Request, Response, SetupName


class GameRequest(Request, kw_only=True):
    """The game of a position."""

    game: Annotated[str, Meta(min_length=1, max_length=400)]
    options: dict[Name, Name] = field(default_factory=dict)
    #: A match, whose game is meant as it was when the match began, with its options.
    match: Annotated[str, Meta(max_length=32)] | None = None


class PositionRequest(GameRequest, kw_only=True):
    """A position: a setup or a FEN, and moves from there."""

    setup: SetupName | None = None
    fen: Fen | None = None
    moves: Annotated[list[MoveText], Meta(max_length=1000)] = field(default_factory=list)


class SquareRequest(GameRequest, kw_only=True):
    """The piece on a square of a position."""

    fen: Fen
    square: Annotated[str, Meta(min_length=2, max_length=3)]


class ReachRequest(SquareRequest, kw_only=True):
    """The piece on a square of a position, whose reach is wanted."""

    #: Whether to include squares that the piece could reach only after a move of the opponent.
    premove: bool = False
    #: A piece as in FEN: where it could go if it stood alone on the board, captures included.
    alone: Annotated[str, Meta(min_length=1, max_length=2)] | None = None


class Idle(Response):
    """Why a piece has no legal move; ``None`` if it has one, or if its side is not to move."""

    reason: str | None
