"""Takes the free seat of a match."""

from __future__ import annotations

from acedrex.server import wire
from acedrex.server.match.decide import TakeSeat
from acedrex.server.match.state import other
from acedrex.server.play.room import Room
from acedrex.server.refusal import Refusal


async def join(room: Room, person: wire.Person, side: wire.Side | None = None) -> None:
    """Let a person take the free seat, or the side of their choice if the creator left that to the opponent.

    :raises Refusal: if the match is rated and the person has no account, if the side may not be chosen, or if the seat
        is not free.
    """
    match = room.match
    check_rated(person, rated=match.created.rated)
    taken: wire.Side = next(iter(match.seats), "white")
    await room.command(TakeSeat(person.id, person.name, side or other(taken)), frozenset())


def check_rated(person: wire.Person, *, rated: bool) -> None:
    """Check that a person may play a match, if it is rated.

    :raises Refusal: if they have no account.
    """
    if rated and not person.account:
        raise Refusal("no_account", "rated matches need an account; create one first", "rated")
