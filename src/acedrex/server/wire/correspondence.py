"""Correspondence: days off, conditional moves, and notes."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, field

from acedrex.server.wire.vocabulary import MoveText, Request, Response

#: The moves of one turn.
TurnMoves = Annotated[list[MoveText], Meta(min_length=1, max_length=8)]
#: Turns of the opponent and of one's own by turns, of which the first is the opponent's and the last one's own.
ConditionalLine = Annotated[list[TurnMoves], Meta(min_length=2, max_length=24)]


class DaysOff(Response):
    """Until when one has days off, and how many whole days one has left after them."""

    until: int | None
    left: int


class NewDaysOff(Request):
    """How many days off begin now."""

    days: Annotated[int, Meta(ge=1, le=30)]


class ConditionalMoves(Request):
    """Lines: what one plays if the opponent plays as expected."""

    lines: Annotated[list[ConditionalLine], Meta(max_length=20)] = field(default_factory=list)


class Note(Request):
    """What a player has noted about a match, for themselves."""

    text: Annotated[str, Meta(max_length=4_000)]
