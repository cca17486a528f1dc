"""What people do in a tournament: each function returns the events of a command, or refuses it. Nothing is changed."""

from __future__ import annotations

from acedrex.server.refusal import Refusal
from acedrex.server.tournaments import events
from acedrex.server.tournaments.creation import AHEAD
from acedrex.server.tournaments.events import Event
from acedrex.server.tournaments.plan import EARLY
from acedrex.server.tournaments.state import Board, Tournament
from acedrex.server.wire import TournamentMay

#: Milliseconds from now at which an appointment may be at the earliest.
SOON = 5 * 60_000


def may(t: Tournament, player: int | None, *, is_maker: bool) -> list[TournamentMay]:
    """Return what a person may do now."""
    found: list[TournamentMay] = []
    if may_enter(t, player) is None:
        found.append("enter")
    me = None if player is None else t.players[player]
    if t.phase in ("open", "running") and me is not None and me.active and player != t.host:
        found.append("withdraw")
        if t.kind == "swiss" and _free_byes(t, me.number) > 0 and _rounds_for_byes(t):
            found.append("bye")
    if is_maker and t.phase in ("open", "running"):
        found.append("edit")
    return found


def may_enter(t: Tournament, player: int | None) -> Refusal | None:
    """Return why somebody may not enter, or enter again; ``None`` if they may."""
    me = None if player is None else t.players[player]
    if me is not None and me.active:
        return Refusal("entered", "you take part already")
    if me is not None and me.removed:
        return Refusal("removed", "the organiser has removed you from this tournament")
    if t.phase not in ("open", "running"):
        return Refusal("over", "the tournament is over")
    if t.phase == "running":
        is_late = t.kind in ("swiss", "arena") and t.settings.late_entry and (t.rounds is None or t.round < t.rounds)
        if not is_late and not (me is not None and t.kind in ("swiss", "arena")):
            return Refusal("started", "the tournament has started, and nobody can enter any more")
    if len(t.active()) >= t.settings.max_players:
        return Refusal("full", f"all {t.settings.max_players} places are taken")
    return None


def enter(t: Tournament, player: int | None, rating: int, provisional: bool, now: int) -> Event:
    """Enter, or enter again.

    :raises Refusal: if that is not possible.
    """
    refusal = may_enter(t, player)
    if refusal is not None:
        raise refusal
    if player is not None:
        return events.Returned(at=now, player=player)
    return events.Entered(at=now, player=len(t.players) + 1, rating=rating, provisional=provisional)


def withdraw(t: Tournament, player: int | None, now: int, *, removed: bool = False) -> Event:
    """Withdraw, or be removed by the organiser.

    :raises Refusal: if the player does not take part.
    """
    if player is None or player not in t.players or t.players[player].removed:
        raise Refusal("no_entry", "this player does not take part")
    if t.phase not in ("open", "running"):
        raise Refusal("over", "the tournament is over")
    if player == t.host:
        raise Refusal("host", "the host cannot leave a simul; cancel it instead")
    if not t.players[player].active and not removed:
        raise Refusal("no_entry", "you have withdrawn already")
    return events.Withdrew(at=now, player=player, removed=removed)


def _free_byes(t: Tournament, player: int) -> int:
    return t.settings.byes - len(t.players[player].byes)


def _rounds_for_byes(t: Tournament) -> range:
    """Return the rounds that players may sit out: not the last."""
    return range(t.round + 1, t.settings.rounds)


def bye(t: Tournament, player: int | None, round: int, now: int) -> Event:
    """Sit out a round for half a point.

    :raises Refusal: if that is not possible.
    """
    if player is None or not t.players[player].active or t.kind != "swiss" or t.phase not in ("open", "running"):
        raise Refusal("no_entry", "byes are for those who take part in a Swiss")
    if round not in _rounds_for_byes(t):
        raise Refusal("invalid", "you can sit out a round to come, but not the last", "round")
    if round in t.players[player].byes:
        raise Refusal("taken", "you sit out this round already")
    if _free_byes(t, player) <= 0:
        raise Refusal("too_many", f"a player can sit out {t.settings.byes} rounds at most")
    return events.ByeWanted(at=now, player=player, round=round)


def move(t: Tournament, starts_at: int, now: int) -> Event:
    """Choose another time for the start, now or later.

    :raises Refusal: if the tournament has started, or the time is too far ahead.
    """
    if t.phase != "open":
        raise Refusal("started", "the tournament has started already")
    if starts_at > now + AHEAD:
        raise Refusal("invalid", "a tournament starts within a year from now", "at")
    return events.Moved(at=now, starts_at=max(now, starts_at))


def cancel(t: Tournament, now: int) -> Event:
    """Cancel the tournament.

    :raises Refusal: if it is over.
    """
    if t.phase not in ("open", "running"):
        raise Refusal("over", "the tournament is over")
    return events.Cancelled(at=now)


# Appointments.


def _board(t: Tournament, number: int, player: int | None) -> Board:
    board = t.boards[number] if 0 <= number < len(t.boards) else None
    if board is None:
        raise Refusal("no_such_board", "there is no such board", "board")
    if player is not None and player not in board.players:
        raise Refusal("no_seat", "only the two players can do this")
    return board


def _open_board(t: Tournament, number: int, player: int | None) -> tuple[Board, int]:
    """Return a board that waits for an appointment, and the player.

    :raises Refusal: if it does not, or the person is not one of its players.
    """
    if player is None:
        raise Refusal("no_seat", "only the two players can do this")
    board = _board(t, number, player)
    if not t.by_appointment or board.games or t.points(board) is not None or t.phase != "running":
        raise Refusal("no_appointment", "this board does not wait for an appointment")
    return board, player


def propose(t: Tournament, number: int, player: int | None, times: list[int], now: int) -> Event:
    """Propose times to play.

    :raises Refusal: if that is not possible.
    """
    board, me = _open_board(t, number, player)
    until = t.until(board)
    assert until is not None
    if any(not now + SOON <= time <= until for time in times):
        raise Refusal("invalid", "propose times from five minutes ahead to the end of the round", "times")
    return events.TimesProposed(at=now, board=number, player=me, times=sorted(set(times)))


def agree(t: Tournament, number: int, player: int | None, time: int, now: int) -> Event:
    """Accept a time that the opponent has proposed.

    :raises Refusal: if that is not possible.
    """
    board, me = _open_board(t, number, player)
    if time not in board.proposals.get(board.other(me), ()):
        raise Refusal("stale", "your opponent has not proposed this time, or no longer", "at")
    if time < now:
        raise Refusal("stale", "this time has passed; propose others", "at")
    return events.TimeAgreed(at=now, board=number, time=time)


def arrive(t: Tournament, number: int, player: int | None, now: int) -> Event | None:
    """Say that one is there for an appointment; nothing follows from saying it again.

    :raises Refusal: if it is too early, or there is no appointment.
    """
    board, me = _open_board(t, number, player)
    if board.appointment is None:
        raise Refusal("no_appointment", "you have not agreed on a time yet")
    if now < board.appointment - EARLY:
        raise Refusal("early", f"come back {EARLY // 60_000} minutes before the appointment")
    return None if me in board.there else events.Arrived(at=now, board=number, player=me)


def rule(t: Tournament, number: int, winner: int | None, now: int) -> Event:
    """Decide, as the organiser, a pair that was not played.

    :raises Refusal: if it is decided or played, or the winner is none of its players.
    """
    board = _board(t, number, None)
    if t.phase != "running" or t.points(board) is not None or board.games:
        raise Refusal("over", "only a pair without a game can be decided")
    if winner is not None and winner not in board.players:
        raise Refusal("invalid", "the winner must be one of the two players", "winner")
    return events.Decided(at=now, board=number, winner=winner)
