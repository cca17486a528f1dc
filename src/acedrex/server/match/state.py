"""The state of a match, folded from its events: the same events give the same match, at any time and anywhere."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Self, assert_never

from msgspec import Struct, structs

from acedrex import BLACK, WHITE, Board, Game, Outcome, Termination
from acedrex.plain import move_path, side
from acedrex.server import wire
from acedrex.server.match import clock
from acedrex.server.match.events import (
    Aborted,
    Answered,
    Claimed,
    Created,
    Event,
    Flagged,
    MovePlayed,
    Offered,
    Paused,
    Recorded,
    Resigned,
    Seated,
    SetupChosen,
    Undone,
)
from acedrex.server.wire import NoTime, Phase, Side

SIDES: tuple[Side, Side] = ("white", "black")


def other(side: Side) -> Side:
    """Return the opponent's side."""
    return "black" if side == "white" else "white"


class Seat(Struct, frozen=True):
    """The player of a side; the engine has a level and no person."""

    person: str | None
    name: str
    level: int | None


def _turns(board: Board) -> int:
    return 2 * (board.fullmove_number - 1) + (not board.turn)


class Match:
    """A match: players, moves, clocks, offers, and how it ended."""

    def __init__(self, id: str, created: Created, game: Game) -> None:
        """Start with the first event.

        :param game: the game that the event names, with its options.
        """
        self.id = id
        self.created = created
        self.game = game
        self.number = 1
        #: The number of the last event that changed the position; a move must be based on it.
        self.moved = 1
        self.at = created.at
        self.phase: Phase = "open"
        self.seats: dict[Side, Seat] = {}
        self.setup = created.setup
        self.board = Board(game, created.fen, setup=created.setup)
        #: The turns that the starting position counts as finished.
        self.turns_before = _turns(self.board)
        self.moves: list[wire.MoveMade] = []
        self.paths: list[list[str]] = []
        #: The time that each side has again if the moves from this one on are taken back; ``None`` without a clock.
        self.restored: list[dict[Side, int] | None] = []
        self.clock: clock.Running | None = None
        self.offers: list[wire.Offer] = []
        #: Offers by side since the turn last passed.
        self.offered: set[tuple[Side, str]] = set()
        self.ending: wire.Ending | None = None
        self.rematch: str | None = None

    @classmethod
    def fold(cls, id: str, events: Iterable[Event], game: Game) -> Self:
        """Build a match from its events; the first is :class:`Created`."""
        first, *more = events
        assert isinstance(first, Created)
        match = cls(id, first, game)
        for event in more:
            match.apply(event)
        return match

    def copy(self) -> Self:
        """Copy the match, to apply events to the copy before they are stored."""
        other = object.__new__(type(self))
        vars(other).update(vars(self))
        other.board = self.board.copy()
        other.seats, other.moves, other.paths = dict(self.seats), list(self.moves), list(self.paths)
        other.restored = list(self.restored)
        other.offers, other.offered = list(self.offers), set(self.offered)
        if self.clock is not None:
            other.clock = structs.replace(self.clock, left=dict(self.clock.left))
        return other

    @property
    def turn(self) -> Side:
        """The side to move."""
        return side(self.board.turn)

    @property
    def turns(self) -> int:
        """The number of turns that were finished in this match."""
        return _turns(self.board) - self.turns_before

    @property
    def series(self) -> wire.Series:
        """The score of this match, if it has one, and of the earlier matches of its series."""
        before = self.created.series or wire.Series(0, 0, 0)
        if self.ending is None or self.ending.result == "*":
            return before
        white, black = (float(Fraction(points)) for points in self.ending.score.split("-"))
        return wire.Series(before.white + white, before.black + black, before.games + 1)

    def seat(self, person: str | None) -> frozenset[Side]:
        """Return the sides that a person plays."""
        if person is None:
            return frozenset()
        return frozenset(at for at, seat in self.seats.items() if seat.person == person)

    def engine(self) -> Side | None:
        """Return the side that the engine plays."""
        return next((at for at, seat in self.seats.items() if seat.level is not None), None)

    def engine_due(self) -> bool:
        """Return whether the engine must move or choose the setup."""
        if self.phase == "setup":
            return self.created.arranging == "engine"
        return self.phase == "play" and self.engine() == self.turn

    def apply(self, event: Event) -> None:
        """Apply the next event."""
        self.number += 1
        self.at = event.at
        match event:
            case Seated():
                self.seats[event.side] = Seat(event.person, event.name, event.level)
                if len(self.seats) == 2:
                    self._begin(event.at)
            case SetupChosen():
                self.setup = event.name
                self.board = Board(self.game, setup=event.name)
                self.moved = self.number
                self._play(event.at)
            case MovePlayed():
                self._move(event)
            case Undone():
                self._pop(1)
            case Offered():
                self.offers = [offer for offer in self.offers if offer.what != event.what]
                self.offers.append(wire.Offer(event.what, event.by, event.moves))
                self.offered.add((event.by, event.what))
            case Answered():
                self._answer(event)
            case Claimed(what="draw"):
                self._outcome(self.board.outcome(claim_draw=True), event.at)
            case Claimed():
                self._forfeit(Termination.ABANDONMENT, other(event.by), event.at)
            case Resigned():
                self._forfeit(Termination.RESIGNATION, event.by, event.at)
            case Flagged():
                self._forfeit(Termination.TIME, event.side, event.at)
            case Aborted():
                # Only the person challenged can abort without a seat: that declines the challenge.
                reason = "aborted" if event.by in self.seats else "declined"
                self._end(wire.Ending(reason, None, "*", "*"), event.at)
            case Recorded(result="*"):
                self._end(wire.Ending("unfinished", None, "*", "*"), event.at)
            case Recorded():
                loser = {"1-0": BLACK, "0-1": WHITE}.get(event.result)
                outcome = (
                    self.board.agreement() if loser is None else self.board.forfeit(Termination.RESIGNATION, loser)
                )
                self._outcome(outcome, event.at, "recorded")
            case Paused():
                if self.clock is not None:
                    self.clock.since = event.since
            case Created():
                raise AssertionError("a match is created only once")
            case _:
                assert_never(event)

    def _begin(self, at: int) -> None:
        """Start, once both seats are taken, with the setup or the first turn."""
        self.moved = self.number
        if self.created.arranging is None:
            self._play(at)
            return
        self.phase = "setup"
        control = self.created.time
        if not isinstance(control, NoTime):
            left = {"white": clock.initial(control), "black": clock.for_setup(control)}
            self.clock = clock.Running(left, running="black", since=at)  # type: ignore[arg-type]

    def _play(self, at: int) -> None:
        self.phase = "play"
        control = self.created.time
        if not isinstance(control, NoTime):
            self.clock = clock.Running(dict.fromkeys(SIDES, clock.initial(control)))
            self._run(at)

    def _run(self, at: int) -> None:
        """Start the clock of the side to move. Live clocks start after the first turn of each side."""
        if self.clock is not None:
            waits = self.turns < 2 and not isinstance(self.created.time, wire.Correspondence)
            self.clock.running = None if waits else self.turn
            self.clock.since = at

    def _move(self, event: MovePlayed) -> None:
        board, mover = self.board, self.turn
        move = board.parse_uci(event.move)
        self.moves.append(wire.MoveMade(event.move, board.san(move), mover, board.fullmove_number, event.spent))
        self.paths.append(move_path(board, move))
        board.push(move)
        self.moved = self.number
        self.offers = [offer for offer in self.offers if offer.what != "takeback" and offer.by == mover]
        restored = None
        if self.clock is not None:
            self.clock.left[mover] -= event.spent
            self.clock.used += event.spent
            self.clock.since = event.at
            mine = clock.before_move(self.created.time, self.clock.left[mover], self.clock.used)
            restored = {**self.clock.left, mover: mine}
        self.restored.append(restored)
        outcome = board.outcome()
        if self.turn != mover:
            self.offered.clear()
            if self.clock is not None:
                if self.clock.running is not None:
                    left = clock.after_turn(self.created.time, self.clock.left[mover], self.clock.used)
                    self.clock.left[mover] = left
                self.clock.used = 0
                self._run(event.at)
        if outcome is not None:
            self._outcome(outcome, event.at)

    def _pop(self, count: int) -> None:
        for _ in range(count):
            self.board.pop()
            self.moves.pop()
            self.paths.pop()
            self.restored.pop()
        self.moved = self.number

    def _answer(self, event: Answered) -> None:
        offer = next(offer for offer in self.offers if offer.what == event.what)
        self.offers.remove(offer)
        if not event.accept:
            return
        if event.what == "draw":
            self._outcome(self.board.agreement(), event.at)
        elif event.what == "rematch":
            self.rematch = event.rematch
        else:
            self._stop(event.at)
            self._pop(offer.moves or 0)
            self.offers = []
            self.offered.clear()
            if self.clock is not None:
                self.clock.left = dict(event.left or self.clock.left)
                self.clock.used = 0
            self._run(event.at)

    def _stop(self, at: int) -> None:
        if self.clock is not None and self.clock.running is not None:
            left = self.clock.left[self.clock.running]
            self.clock.left[self.clock.running] = max(0, left - clock.elapsed(self.clock, at))
            self.clock.running = None

    def _outcome(self, outcome: Outcome | None, at: int, reason: str | None = None) -> None:
        """End with an outcome, with its own reason or one that the board does not know."""
        assert outcome is not None
        winner = None if outcome.winner is None else side(outcome.winner)
        reason = reason or outcome.termination.value
        self._end(wire.Ending(reason, winner, outcome.score, outcome.result(), outcome.limit), at)  # type: ignore[arg-type]

    def _forfeit(self, termination: Termination, loser: Side, at: int) -> None:
        self._outcome(self.board.forfeit(termination, loser == "white"), at)

    def _end(self, ending: wire.Ending, at: int) -> None:
        self._stop(at)
        self.ending = ending
        self.phase = "over"
        self.offers = []
        self.offered.clear()
