"""Asks the core what a command does to a match: the events that it causes, or a refusal. The match is not changed."""

from __future__ import annotations

from typing import Union

import msgspec
from msgspec import Struct, structs

from acedrex.server import wire
from acedrex.server.match.events import Event
from acedrex.server.match.state import Match
from acedrex.server.refusal import Refusal
from acedrex.server.wire import May, Side


class TakeSeat(Struct, frozen=True, tag="take_seat"):
    """Take the free seat."""

    person: str | None
    name: str
    side: Side
    level: int | None = None


class ConfirmSetup(Struct, frozen=True, tag="confirm_setup"):
    """Play the setup that the engine has chosen."""

    name: str


class CheckFlag(Struct, frozen=True, tag="check_flag"):
    """Check whether a flag has fallen, or the time for the setup has run out; then ``setup`` is chosen."""

    setup: str | None = None


class Turn(Struct, frozen=True, tag="turn"):
    """Make several moves of one turn: all or none."""

    moves: tuple[str, ...]


class Absence(Struct, frozen=True):
    """A period in which the server was down or a player away, in milliseconds of the epoch."""

    since: int
    until: int


class ResumeAfterOutage(Struct, frozen=True, tag="resume_after_outage"):
    """Give back the clock time that ran during absences; they are in order and do not overlap."""

    absences: tuple[Absence, ...]


class DaysOff(Struct, frozen=True, tag="days_off"):
    """Stop the clock of a side during its days off, which may end later."""

    side: Side
    off: Absence


Command = Union[wire.Command, Turn, TakeSeat, ConfirmSetup, CheckFlag, ResumeAfterOutage, DaysOff]  # noqa: UP007


class Context(Struct, frozen=True):
    """The input of a decision besides the match and the command.

    ``lag`` is the player's network lag, ``gone`` how long the opponent has been offline; both in milliseconds.
    ``rematch`` is the id for a rematch.
    """

    now: int
    lag: int = 0
    gone: int | None = None
    rematch: str | None = None


class _Asked(Struct, frozen=True):
    command: Command
    seats: frozenset[Side]
    context: Context


class _Decided(Struct, frozen=True):
    events: list[Event] = []
    refusal: wire.Problem | None = None


_encode = msgspec.json.Encoder().encode
_read_decided = msgspec.json.Decoder(_Decided).decode
_read_may = msgspec.json.Decoder(list[May]).decode


def decide(match: Match, command: Command, seats: frozenset[Side], context: Context) -> list[Event]:
    """Return the events of a command.

    :param seats: the sides that the sender plays; none for commands of the server itself.
    :raises Refusal: if the command is not allowed.
    """
    decided = _read_decided(match.core.decide(_encode(_Asked(command, seats, context)).decode()))
    if decided.refusal is not None:
        raise Refusal(*structs.astuple(decided.refusal))
    return decided.events


def may(match: Match, seats: frozenset[Side]) -> list[May]:
    """Return the commands that the player of some sides may send now; an offer has the name of what it offers."""
    return _read_may(match.core.may(_encode(seats).decode()))
