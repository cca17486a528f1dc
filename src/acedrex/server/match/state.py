"""The state of a match, folded from its events: the same events give the same match, at any time and anywhere.

The rules of a match are in the core (``crates/match``). Here they have the types of messages and stored events.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Self, get_type_hints

import msgspec
from msgspec import Struct, structs

from acedrex import Board, Game, _native
from acedrex.server import wire
from acedrex.server.match.events import Created, Event, encode
from acedrex.server.wire import Phase, Side

SIDES: tuple[Side, Side] = ("white", "black")
#: The maximum lag compensation for one move, in milliseconds.
MAX_LAG = _native.Match.MAX_LAG


def other(side: Side) -> Side:
    """Return the opponent's side."""
    return "black" if side == "white" else "white"


class Seat(Struct, frozen=True):
    """The player of a side; an engine has a level, and a person only if it is a house engine."""

    person: str | None
    name: str
    level: int | None


class Running(Struct, frozen=True):
    """The clock of a match.

    The time left of a side is one number of milliseconds. Under byo-yomi it includes the periods left; in
    correspondence the days of the turn and the reserve.
    """

    left: dict[Side, int]
    #: Spent by the side to move in the current turn.
    used: int
    running: Side | None
    #: Since when, or from when on, if days off have to end first.
    since: int
    #: Until when each side's days off last, or lasted.
    off: dict[Side, int | None]


class Match:
    """A match: players, moves, clocks, offers, and how it ended."""

    # What the core writes after every event.
    number: int
    #: The number of the last event that changed the position; a move must be based on it.
    moved: int
    at: int
    phase: Phase
    seats: dict[Side, Seat]
    setup: str | None
    #: The side to move.
    turn: Side
    #: The number of turns that were finished in this match.
    turns: int
    clock: Running | None
    offers: list[wire.Offer]
    ending: wire.Ending | None
    rematch: str | None
    #: The score of this match, if it has one, and of the earlier matches of its series.
    series: wire.Series
    #: The side that the engine plays.
    engine: Side | None
    #: Whether the engine must move or choose the setup.
    engine_due: bool

    def __init__(self, id: str, events: Sequence[Event], game: Game) -> None:
        """Build a match from its events; the first is :class:`Created`.

        :param game: the game that the first event names, with its options.
        :raises acedrex.Error: if they are not the events of a match.
        """
        created = events[0]
        assert isinstance(created, Created)
        self.id = id
        self.created = created
        self.game = game
        self.moves: list[wire.MoveMade] = []
        self.core = _native.Match(encode(events).decode(), game)
        self._read()

    def apply(self, event: Event) -> None:
        """Apply the next event.

        :raises acedrex.Error: if it is not the event of this match; then the match must not be used any more.
        """
        self.core.apply(encode(event).decode())
        self._read()

    def _read(self) -> None:
        vars(self).update(structs.asdict(_read_state(self.core.state)))
        del self.moves[self.core.made :]
        self.moves += _read_moves(self.core.moves(len(self.moves)))
        self._board: Board | None = None

    def copy(self) -> Self:
        """Copy the match, to apply events to the copy before they are stored."""
        other = copy.copy(self)
        other.core, other.moves = self.core.copy(), list(self.moves)
        return other

    @property
    def board(self) -> Board:
        """The position with its history; whoever changes it takes a copy."""
        if self._board is None:
            self._board = Board._of_core(self.game, self.core.board)
        return self._board

    @property
    def deadline(self) -> int | None:
        """The moment at which the flag falls, unless the player moves."""
        return self.core.deadline

    @property
    def claim_delay(self) -> int | None:
        """For how many milliseconds an opponent must be offline before a claim; ``None`` in correspondence."""
        return self.core.claim_delay

    def clock_at(self, now: int) -> wire.Clock | None:
        """Return the clock: main time apart from periods, and the days of a turn apart from the reserve.

        While the setup is chosen, it shows the time left for that as Black's.
        """
        shown = self.core.clock(now)
        return None if shown is None else _read_clock(shown)

    def left_at(self, now: int) -> dict[Side, int] | None:
        """Return what each side has left; ``None`` without a clock."""
        left = self.core.left(now)
        return None if left is None else dict(zip(SIDES, left, strict=True))

    def seat(self, person: str | None) -> frozenset[Side]:
        """Return the sides that a person plays."""
        if person is None:
            return frozenset()
        return frozenset(at for at, seat in self.seats.items() if seat.person == person)


_read_state = msgspec.json.Decoder(msgspec.defstruct("State", list(get_type_hints(Match).items()))).decode
_read_moves = msgspec.json.Decoder(list[wire.MoveMade]).decode
_read_clock = msgspec.json.Decoder(wire.Clock).decode
