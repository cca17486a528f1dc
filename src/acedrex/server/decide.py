"""What a command does to a match: the events that it makes happen, or why it makes none. The match is not changed."""

from __future__ import annotations

from typing import Union, assert_never

from msgspec import Struct

from acedrex import Board, Error
from acedrex.server import clock, wire
from acedrex.server.events import (
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
from acedrex.server.state import Match, other
from acedrex.server.wire import May, Problem, Side, What

#: Milliseconds that an opponent has to be gone for until the match may be claimed, by what is played with.
GONE = {"fischer": 60_000, "byoyomi": 60_000, "none": 600_000}


#: Most events of a match. Games end long before; only doing and undoing without end comes so far.
MOST_EVENTS = 20_000


class Refusal(Exception):  # noqa: N818 - a refusal is no error of ours
    """Why a command does nothing."""

    def __init__(self, code: str, message: str, where: str | None = None) -> None:
        """Say it for programs and for people."""
        super().__init__(code, message, where)
        self.problem = Problem(code, message, where)

    def __str__(self) -> str:
        return self.problem.message


class TakeSeat(Struct, frozen=True):
    """Take the free seat."""

    person: str | None
    name: str
    side: Side
    level: int | None = None


class ConfirmSetup(Struct, frozen=True):
    """Let the engine's choice of a setup stand."""

    name: str


class CheckFlag(Struct, frozen=True):
    """See whether a flag has fallen, or the time for the setup is over; ``setup`` is chosen then."""

    setup: str | None = None


class Turn(Struct, frozen=True):
    """Make some moves of one turn, all or none."""

    moves: tuple[str, ...]


class Absence(Struct, frozen=True):
    """The server was away from one moment until another, in milliseconds of the epoch."""

    since: int
    until: int


class ResumeAfterOutage(Struct, frozen=True):
    """Give back what ran off during absences; they are in order and do not overlap."""

    absences: tuple[Absence, ...]


Command = Union[wire.Command, Turn, TakeSeat, ConfirmSetup, CheckFlag, ResumeAfterOutage]  # noqa: UP007


class Context(Struct, frozen=True):
    """What a decision needs besides the match and the command.

    ``lag`` is what the way from the player takes, ``gone`` how long the opponent has been away; both in milliseconds.
    ``rematch`` is the id that a rematch would get.
    """

    now: int
    lag: int = 0
    gone: int | None = None
    rematch: str | None = None


def decide(match: Match, command: Command, seats: frozenset[Side], context: Context) -> list[Event]:
    """Give the events of a command.

    :param seats: the sides that whoever commands may play; none for what the server itself does.
    :raises Refusal: if it makes none happen.
    """
    now = max(context.now, match.at)
    match command:
        case TakeSeat():
            return _sit(match, command, now)
        case ConfirmSetup():
            if match.phase != "setup" or match.created.arranging != "engine":
                raise Refusal("no_setup", "there is no setup to choose now")
            return [SetupChosen(at=now, name=command.name, by=None)]
        case CheckFlag():
            return _flag(match, command, now, context.lag)
        case ResumeAfterOutage():
            return _go_on(match, command, now)
    if not seats:
        raise Refusal("no_seat", "only the players can do this; you are a spectator")
    acting = match.turn if len(seats) == 2 else next(iter(seats))
    if not isinstance(command, wire.MakeOffer | wire.Answer) or command.what != "rematch":
        _check_going(match)
        if _time_is_over(match, now, context.lag):
            raise Refusal("late", "your time is up")
    if match.number >= MOST_EVENTS and not isinstance(command, wire.Resign):
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
            by = _taking_back(match, seats) if command.what == "takeback" else acting
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
    """Name the commands that whoever plays these sides may give now; offers are named by what is offered."""
    commands: list[May] = ["chat"]
    if not seats:
        return commands
    acting = match.turn if len(seats) == 2 else next(iter(seats))
    whats: list[What] = []
    if match.phase == "over":
        aborted = match.ending is not None and match.ending.reason == "aborted"
        whats = ["rematch"] if match.rematch is None and not aborted else []
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
        whats = ["takeback"] * bool(_moves_back(match, _taking_back(match, seats)))
        whats += ["draw"] * (match.engine() is None)
    standing = {offer.what: offer for offer in match.offers}
    if any(offer.by not in seats for offer in match.offers):
        commands.append("answer")
    by = {"takeback": _taking_back(match, seats)}
    return commands + [
        what for what in whats if what not in standing and (by.get(what, acting), what) not in match.offered
    ]


def _may_abort(match: Match) -> bool:
    return match.phase in ("open", "setup") or (match.phase == "play" and match.turns < 2)


def _check_going(match: Match) -> None:
    if match.phase == "over":
        raise Refusal("over", "the match is over")


def _check_play(match: Match) -> None:
    if match.phase != "play":
        standing = {"open": "waiting for an opponent", "setup": "waiting for the setup", "over": "over"}[match.phase]
        raise Refusal("not_playing", f"the match is {standing}")


def _check_seen(match: Match, number: int) -> None:
    if not match.moved <= number <= match.number:
        raise Refusal("stale", f"the match has changed since event {number}; the latest is {match.number}", "number")


def _time_is_over(match: Match, now: int, lag: int) -> bool:
    clocked = match.clock
    if clocked is None or clocked.running is None:
        return False
    return clock.elapsed(clocked, now, lag) > clocked.left[clocked.running]


def _sit(match: Match, command: TakeSeat, now: int) -> list[Event]:
    if match.phase != "open":
        raise Refusal("taken", "both seats are taken, or the match was withdrawn")
    if command.side in match.seats:
        raise Refusal("taken", f"{command.side} is taken")
    if command.person is not None and match.seat(command.person):
        raise Refusal("own_match", "you are already in this match; send the link to someone else")
    return [Seated(at=now, side=command.side, person=command.person, name=command.name, level=command.level)]


def _flag(match: Match, command: CheckFlag, now: int, lag: int) -> list[Event]:
    if match.phase == "over" or match.clock is None or not _time_is_over(match, now, lag):
        raise Refusal("in_time", "neither side is out of time")
    if match.phase == "setup" and command.setup is not None:
        return [SetupChosen(at=now, name=command.setup, by=None)]
    assert match.clock.running is not None
    return [Flagged(at=now, side=match.clock.running)]


def _go_on(match: Match, command: ResumeAfterOutage, now: int) -> list[Event]:
    running = match.clock
    if running is None or running.running is None:
        raise Refusal("no_clock", "no clock is running")
    # What has happened since the end of an absence has given it back already.
    missed = [absence for absence in command.absences if absence.until > match.at]
    if not missed:
        raise Refusal("not_away", "the server has not been away since the last event")
    if isinstance(match.created.time, wire.Correspondence):
        away = sum(absence.until - max(absence.since, running.since) for absence in missed)
        return [Paused(at=now, since=min(now, running.since + away))]
    # A live clock is put back to the last event; days are too long for that.
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
    """Read a move, in coordinates or in SAN.

    :raises Refusal: if it is not legal; the core says why.
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


def _moves_back(match: Match, by: Side) -> int:
    """Count the moves that a take-back takes back: to before the side's last finished turn."""
    moves, at = match.moves, len(match.moves) - (len(match.board.turn_moves) if match.turn == by else 0)
    while at and moves[at - 1].side != by:
        at -= 1
    if not at:
        return 0
    turn = moves[at - 1].turn
    while at and moves[at - 1].turn == turn and moves[at - 1].side == by:
        at -= 1
    return len(moves) - at


def _taking_back(match: Match, seats: frozenset[Side]) -> Side:
    """The side whose turn is taken back: one's own, and of two at one board the one that moved last."""
    if len(seats) == 1:
        return next(iter(seats))
    return match.moves[-1].side if match.moves else match.turn


def _offer(
    match: Match, command: wire.MakeOffer, by: Side, seats: frozenset[Side], context: Context, now: int
) -> list[Event]:
    what = command.what
    moves = None
    if what == "rematch":
        if "rematch" not in may(match, seats) and not match.offers:
            raise Refusal("no_rematch", "a rematch can be offered once, after the match")
    else:
        _check_play(match)
        if what == "takeback":
            moves = _moves_back(match, by)
            if not moves:
                raise Refusal("nothing_to_take_back", "you have not moved yet")
    if any(offer.what == what for offer in match.offers):
        raise Refusal("offered", f"a {what} has already been offered; answer it or wait for the answer")
    if (by, what) in match.offered:
        raise Refusal("offered", "you have already offered this; wait until your next turn")
    alone = len(seats) == 2 or match.engine() is not None
    if what == "draw" and match.engine() is not None:
        raise Refusal("engine_declines", "the engine does not accept draws; claim one if the rules allow it")
    offered: list[Event] = [Offered(at=now, what=what, by=by, moves=moves)]
    if alone:
        rematch = context.rematch if what == "rematch" else None
        offered.append(Answered(at=now, what=what, by=other(by), accept=True, rematch=rematch))
    return offered


def _answer(match: Match, command: wire.Answer, seats: frozenset[Side], context: Context, now: int) -> list[Event]:
    offer = next((offer for offer in match.offers if offer.what == command.what), None)
    if offer is None:
        raise Refusal("no_offer", f"no {command.what} has been offered")
    if offer.by in seats:
        raise Refusal("own_offer", "only the other side can answer this")
    rematch = context.rematch if command.what == "rematch" and command.accept else None
    return [Answered(at=now, what=command.what, by=other(offer.by), accept=command.accept, rematch=rematch)]


def _claim_draw(match: Match, seats: frozenset[Side], now: int) -> list[Event]:
    _check_play(match)
    if match.turn not in seats:
        raise Refusal("not_your_turn", "only the side to move can claim a draw")
    if match.board.turn_moves or not match.board.claimable():
        raise Refusal("no_claim", "there is no draw to claim in this position")
    return [Claimed(at=now, what="draw", by=match.turn)]


def _claim_left(match: Match, by: Side, seats: frozenset[Side], context: Context, now: int) -> list[Event]:
    wait = gone_for(match)
    if match.phase == "open" or wait is None or len(seats) == 2 or match.engine() is not None:
        raise Refusal("no_claim", "you cannot claim here: this is a correspondence match, or you have no opponent")
    if context.gone is None or context.gone < wait:
        raise Refusal("not_gone", f"your opponent must be gone for {wait // 1000} seconds")
    return [Claimed(at=now, what="left", by=by)]


def gone_for(match: Match) -> int | None:
    """Give how long an opponent has to be gone, in milliseconds; nothing in correspondence."""
    return GONE.get(match.created.time.__struct_config__.tag)  # type: ignore[arg-type]
