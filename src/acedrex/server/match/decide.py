"""Decides what a command does to a match: the events that it causes, or a refusal. The match is not changed."""

from __future__ import annotations

from typing import Union, assert_never

from msgspec import Struct

from acedrex import Board, Error
from acedrex.server import wire
from acedrex.server.match import clock
from acedrex.server.match.events import (
    Aborted,
    Answered,
    Claimed,
    Event,
    Flagged,
    MovePlayed,
    Offered,
    Paused,
    Resigned,
    Seated,
    SetupChosen,
    Undone,
)
from acedrex.server.match.state import Match, other
from acedrex.server.refusal import Refusal
from acedrex.server.wire import May, Side, What

#: Milliseconds for which an opponent must be offline before the match may be claimed, by kind of time control.
GONE = {"fischer": 60_000, "byoyomi": 60_000, "none": 600_000}


#: The maximum number of events of a match. Only endless moving and undoing reaches it.
MAX_EVENTS = 20_000


class TakeSeat(Struct, frozen=True):
    """Take the free seat."""

    person: str | None
    name: str
    side: Side
    level: int | None = None


class ConfirmSetup(Struct, frozen=True):
    """Play the setup that the engine has chosen."""

    name: str


class CheckFlag(Struct, frozen=True):
    """Check whether a flag has fallen, or the time for the setup has run out; then ``setup`` is chosen."""

    setup: str | None = None


class Turn(Struct, frozen=True):
    """Make several moves of one turn: all or none."""

    moves: tuple[str, ...]


class Absence(Struct, frozen=True):
    """A period in which the server was down, in milliseconds of the epoch."""

    since: int
    until: int


class ResumeAfterOutage(Struct, frozen=True):
    """Give back the clock time that ran during absences; they are in order and do not overlap."""

    absences: tuple[Absence, ...]


Command = Union[wire.Command, Turn, TakeSeat, ConfirmSetup, CheckFlag, ResumeAfterOutage]  # noqa: UP007


class Context(Struct, frozen=True):
    """The input of a decision besides the match and the command.

    ``lag`` is the player's network lag, ``gone`` how long the opponent has been offline; both in milliseconds.
    ``rematch`` is the id for a rematch.
    """

    now: int
    lag: int = 0
    gone: int | None = None
    rematch: str | None = None


def decide(match: Match, command: Command, seats: frozenset[Side], context: Context) -> list[Event]:
    """Return the events of a command.

    :param seats: the sides that the sender plays; none for commands of the server itself.
    :raises Refusal: if the command is not allowed.
    """
    now = max(context.now, match.at)
    match command:
        case TakeSeat():
            return _take_seat(match, command, now)
        case ConfirmSetup():
            if match.phase != "setup" or match.created.arranging != "engine":
                raise Refusal("no_setup", "there is no setup to choose now")
            return [SetupChosen(at=now, name=command.name, by=None)]
        case CheckFlag():
            return _check_flag(match, command, now, context.lag)
        case ResumeAfterOutage():
            return _resume(match, command, now)
    if not seats:
        raise Refusal("no_seat", "only the players can do this; you are a spectator")
    acting = match.turn if len(seats) == 2 else next(iter(seats))
    if not isinstance(command, wire.MakeOffer | wire.Answer) or command.what != "rematch":
        _check_not_over(match)
        if _is_out_of_time(match, now, context.lag):
            raise Refusal("late", "your time is up")
    if match.number >= MAX_EVENTS and not isinstance(command, wire.Resign):
        raise Refusal("too_long", "this match has too many events; resign and start another")
    match command:
        case wire.MakeMove():
            return _move(match, command, seats, now, context.lag)
        case Turn():
            return _turn(match, command, seats, now, context.lag)
        case wire.Undo():
            return _undo(match, command, seats, now)
        case wire.ChooseSetup():
            return _setup(match, command, seats, now)
        case wire.MakeOffer():
            by = _takeback_side(match, seats) if command.what == "takeback" else acting
            return _offer(match, command, by, seats, context, now)
        case wire.Answer():
            return _answer(match, command, seats, context, now)
        case wire.Claim(what="draw"):
            return _claim_draw(match, seats, now)
        case wire.Claim():
            return _claim_left(match, acting, seats, context, now)
        case wire.Resign():
            if match.phase == "open":
                raise Refusal("not_begun", "the match has not started; abort it instead")
            return [Resigned(at=now, by=acting)]
        case wire.Abort():
            if not _may_abort(match):
                raise Refusal("too_late", "both sides have moved; resign or offer a draw instead")
            return [Aborted(at=now, by=acting)]
        case _:
            assert_never(command)


def may(match: Match, seats: frozenset[Side]) -> list[May]:
    """Return the commands that the player of some sides may send now; an offer has the name of what it offers."""
    commands: list[May] = [] if match.created.opponent == "import" else ["chat"]
    if not seats:
        return commands
    acting = match.turn if len(seats) == 2 else next(iter(seats))
    offers: list[What] = []
    if match.phase == "over":
        aborted = match.ending is not None and match.ending.reason == "aborted"
        left = any(seat.person is None and seat.level is None for seat in match.seats.values())
        offers = ["rematch"] if match.rematch is None and not aborted and not left else []
    if _may_abort(match):
        commands.append("abort")
    if match.phase in ("setup", "play"):
        commands.append("resign")
    if match.phase == "setup" and "black" in seats and match.created.arranging == "player":
        commands.append("setup")
    if match.phase == "play":
        if match.turn in seats:
            commands.append("move")
            if match.board.turn_moves:
                commands.append("undo")
            elif match.board.claimable():
                commands.append("claim")
            if match.created.hints:
                commands.append("hint")
        offers = ["takeback"] * bool(_takeback_length(match, _takeback_side(match, seats)))
        offers += ["draw"] * (match.engine() is None)
    pending = {offer.what for offer in match.offers}
    if any(offer.by not in seats for offer in match.offers):
        commands.append("answer")
    by = {"takeback": _takeback_side(match, seats)}
    return commands + [
        what for what in offers if what not in pending and (by.get(what, acting), what) not in match.offered
    ]


def _may_abort(match: Match) -> bool:
    return match.phase in ("open", "setup") or (match.phase == "play" and match.turns < 2)


def _check_not_over(match: Match) -> None:
    if match.phase == "over":
        raise Refusal("over", "the match is over")


def _check_play(match: Match) -> None:
    if match.phase != "play":
        state = {"open": "waiting for an opponent", "setup": "waiting for the setup", "over": "over"}[match.phase]
        raise Refusal("not_playing", f"the match is {state}")


def _check_seen(match: Match, number: int) -> None:
    if not match.moved <= number <= match.number:
        raise Refusal("stale", f"the match has changed since event {number}; the latest is {match.number}", "number")


def _is_out_of_time(match: Match, now: int, lag: int) -> bool:
    running = match.clock
    if running is None or running.running is None:
        return False
    return clock.elapsed(running, now, lag) > running.left[running.running]


def _take_seat(match: Match, command: TakeSeat, now: int) -> list[Event]:
    if match.phase != "open":
        raise Refusal("taken", "both seats are taken, or the match was withdrawn")
    if command.side in match.seats:
        raise Refusal("taken", f"{command.side} is taken")
    if command.person is not None and match.seat(command.person):
        raise Refusal("own_match", "you are already in this match; send the link to someone else")
    return [Seated(at=now, side=command.side, person=command.person, name=command.name, level=command.level)]


def _check_flag(match: Match, command: CheckFlag, now: int, lag: int) -> list[Event]:
    if match.phase == "over" or match.clock is None or not _is_out_of_time(match, now, lag):
        raise Refusal("in_time", "neither side is out of time")
    if match.phase == "setup" and command.setup is not None:
        return [SetupChosen(at=now, name=command.setup, by=None)]
    assert match.clock.running is not None
    return [Flagged(at=now, side=match.clock.running)]


def _resume(match: Match, command: ResumeAfterOutage, now: int) -> list[Event]:
    running = match.clock
    if running is None or running.running is None:
        raise Refusal("no_clock", "no clock is running")
    # An absence that ended before the last event was given back then.
    missed = [absence for absence in command.absences if absence.until > match.at]
    if not missed:
        raise Refusal("not_away", "there was no downtime since the last event")
    if isinstance(match.created.time, wire.Correspondence):
        away = sum(absence.until - max(absence.since, running.since) for absence in missed)
        return [Paused(at=now, since=min(now, running.since + away))]
    # A live clock goes back to its state at the last event; in correspondence that would give back days.
    return [Paused(at=now, since=min(now, missed[-1].until))]


def _move(match: Match, command: wire.MakeMove, seats: frozenset[Side], now: int, lag: int) -> list[Event]:
    _check_play(match)
    if match.turn not in seats:
        raise Refusal("not_your_turn", f"it is {match.turn}'s turn")
    _check_seen(match, command.number)
    return [MovePlayed(at=now, move=read_move(match.board, command.move), spent=_spent(match, now, lag))]


def _turn(match: Match, command: Turn, seats: frozenset[Side], now: int, lag: int) -> list[Event]:
    _check_play(match)
    if match.turn not in seats:
        raise Refusal("not_your_turn", f"it is {match.turn}'s turn")
    board = match.board.copy()
    made: list[Event] = []
    for text in command.moves:
        if board.turn != match.board.turn or board.is_game_over():
            raise Refusal("illegal", f"{text}: the turn ends before this move", "move")
        move = read_move(board, text)
        board.push_uci(move)
        made.append(MovePlayed(at=now, move=move, spent=0 if made else _spent(match, now, lag)))
    return made


def read_move(board: Board, text: str) -> str:
    """Parse a move in coordinates or SAN.

    :raises Refusal: if it is not legal, with the core's reason.
    """
    try:
        return board.parse_uci(text).uci()
    except Error as error:
        try:
            return board.parse_san(text).uci()
        except Error:
            raise Refusal("illegal", str(error), "move") from None


def _spent(match: Match, now: int, lag: int) -> int:
    return 0 if match.clock is None else clock.elapsed(match.clock, now, lag)


def _undo(match: Match, command: wire.Undo, seats: frozenset[Side], now: int) -> list[Event]:
    _check_play(match)
    if match.turn not in seats or not match.board.turn_moves:
        raise Refusal("nothing_to_undo", "you can only undo moves of your unfinished turn; request a takeback")
    _check_seen(match, command.number)
    return [Undone(at=now)]


def _setup(match: Match, command: wire.ChooseSetup, seats: frozenset[Side], now: int) -> list[Event]:
    if match.phase != "setup" or match.created.arranging != "player":
        raise Refusal("no_setup", "there is no setup to choose now")
    if "black" not in seats:
        raise Refusal("not_your_turn", "Black chooses the setup")
    name = command.name.upper()
    if name not in match.game.setups:
        raise Refusal("no_such_setup", f"{match.game.name} has no setup {command.name!r}", "name")
    return [SetupChosen(at=now, name=name, by="black")]


def _takeback_length(match: Match, by: Side) -> int:
    """Count the moves that a takeback undoes, back to before the side's last finished turn."""
    moves, at = match.moves, len(match.moves) - (len(match.board.turn_moves) if match.turn == by else 0)
    while at and moves[at - 1].side != by:
        at -= 1
    if not at:
        return 0
    turn = moves[at - 1].turn
    while at and moves[at - 1].turn == turn and moves[at - 1].side == by:
        at -= 1
    return len(moves) - at


def _takeback_side(match: Match, seats: frozenset[Side]) -> Side:
    """Return the side whose turn a takeback undoes: the player's own or, with both sides, the one that moved last."""
    if len(seats) == 1:
        return next(iter(seats))
    return match.moves[-1].side if match.moves else match.turn


def _offer(
    match: Match, command: wire.MakeOffer, by: Side, seats: frozenset[Side], context: Context, now: int
) -> list[Event]:
    what = command.what
    moves = None
    if what == "rematch":
        if match.phase != "over" or ("rematch" not in may(match, seats) and not match.offers):
            raise Refusal("no_rematch", "a rematch can be offered once, after the match")
    else:
        _check_play(match)
        if what == "takeback":
            moves = _takeback_length(match, by)
            if not moves:
                raise Refusal("nothing_to_take_back", "you have not moved yet")
    if any(offer.what == what for offer in match.offers):
        raise Refusal("offered", f"a {what} has already been offered; answer it or wait for the answer")
    if (by, what) in match.offered:
        raise Refusal("offered", "you have already offered this; wait until your next turn")
    answers_itself = len(seats) == 2 or match.engine() is not None
    if what == "draw" and match.engine() is not None:
        raise Refusal("engine_declines", "the engine does not accept draws; claim one if the rules allow it")
    offered: list[Event] = [Offered(at=now, what=what, by=by, moves=moves)]
    if answers_itself:
        rematch = context.rematch if what == "rematch" else None
        left = match.restored[-moves] if moves else None
        offered.append(Answered(at=now, what=what, by=other(by), accept=True, rematch=rematch, left=left))
    return offered


def _answer(match: Match, command: wire.Answer, seats: frozenset[Side], context: Context, now: int) -> list[Event]:
    offer = next((offer for offer in match.offers if offer.what == command.what), None)
    if offer is None:
        raise Refusal("no_offer", f"no {command.what} has been offered")
    if offer.by in seats:
        raise Refusal("own_offer", "only the other side can answer this")
    rematch = context.rematch if command.what == "rematch" and command.accept else None
    left = match.restored[-offer.moves] if offer.moves and command.accept else None
    return [Answered(at=now, what=command.what, by=other(offer.by), accept=command.accept, rematch=rematch, left=left)]


def _claim_draw(match: Match, seats: frozenset[Side], now: int) -> list[Event]:
    _check_play(match)
    if match.turn not in seats:
        raise Refusal("not_your_turn", "only the side to move can claim a draw")
    if match.board.turn_moves or not match.board.claimable():
        raise Refusal("no_claim", "there is no draw to claim in this position")
    return [Claimed(at=now, what="draw", by=match.turn)]


def _claim_left(match: Match, by: Side, seats: frozenset[Side], context: Context, now: int) -> list[Event]:
    wait = claim_delay(match)
    if match.phase == "open" or len(seats) == 2 or match.engine() is not None:
        raise Refusal("no_claim", "you have no opponent who could leave")
    if wait is None:
        raise Refusal("no_claim", "in correspondence opponents may be offline; wait until their time has run out")
    if context.gone is None or context.gone < wait:
        raise Refusal("not_gone", f"your opponent must be gone for {wait // 1000} seconds")
    return [Claimed(at=now, what="left", by=by)]


def claim_delay(match: Match) -> int | None:
    """Return for how many milliseconds an opponent must be offline before a claim; ``None`` in correspondence."""
    return GONE.get(match.created.time.__struct_config__.tag)  # type: ignore[arg-type]
