"""Matches and challenges for bots, in lichess's format."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Select, or_, select

from acedrex.server import wire
from acedrex.server.match.state import SIDES, Match, other
from acedrex.server.storage import cards
from acedrex.server.storage.tables import matches, people
from acedrex.server.wire import ByoYomi, Correspondence, Fischer, Side, TimeControl, bots
from acedrex.server.wire.bots import BotGame, BotPlayer, BotTimeControl, GameFull, GameState, Variant

#: The clock time of a match without clocks, as in lichess.
NEVER = 2**31 - 1
#: Lichess's names of endings; all others are draws or ``variantEnd``.
STATUS = {
    "checkmate": "mate",
    "stalemate": "stalemate",
    "resignation": "resign",
    "time": "outoftime",
    "abandonment": "timeout",
    "aborted": "aborted",
    "declined": "aborted",
}
#: The maximum number of matches read for one person.
MAX_LISTED = 200


def time_control(time: TimeControl) -> BotTimeControl:
    """Return a time control in lichess's format."""
    match time:
        case Fischer():
            return BotTimeControl("clock", time.initial_ms // 1000, time.increment_ms // 1000)
        case ByoYomi():
            return BotTimeControl(
                "clock", time.initial_ms // 1000, 0, byoyomi=time.period_ms // 1000, periods=time.periods
            )
        case Correspondence():
            return BotTimeControl("correspondence", days_per_turn=time.days_per_turn)
        case _:
            return BotTimeControl("unlimited")


def speed(time: TimeControl) -> bots.Speed:
    """Return the speed of a time control, by the time for 40 turns."""
    match time:
        case Fischer():
            seconds = (time.initial_ms + 40 * time.increment_ms) // 1000
        case ByoYomi():
            seconds = (time.initial_ms + 25 * time.period_ms) // 1000
        case _:
            return "correspondence"
    names: tuple[tuple[int, bots.Speed], ...] = ((180, "bullet"), (480, "blitz"), (1500, "rapid"))
    return next((name for most, name in names if seconds < most), "classical")


def game_state(match: Match, now: int) -> GameState:
    """Return the moves and clocks of a match."""
    time = match.created.time
    left = (None if match.phase == "setup" else match.left_at(now)) or dict.fromkeys(SIDES, NEVER)
    increment = time.increment_ms if isinstance(time, Fischer) else 0
    offers = {(offer.what, offer.by) for offer in match.offers}
    ending = match.ending
    return GameState(
        moves=" ".join(made.move for made in match.moves),
        wtime=left["white"],
        btime=left["black"],
        winc=increment,
        binc=increment,
        wdraw=("draw", "white") in offers,
        bdraw=("draw", "black") in offers,
        wtakeback=("takeback", "white") in offers,
        btakeback=("takeback", "black") in offers,
        status=_status(match.phase, ending),
        reason=None if ending is None else ending.reason,
        winner=None if ending is None else ending.winner,
    )


def _status(phase: wire.Phase, ending: wire.Ending | None) -> str:
    """Return the status of a match: lichess's names, and ``setup`` while the setup is chosen."""
    if ending is None:
        return {"open": "created", "setup": "setup"}.get(phase, "started")
    return STATUS.get(ending.reason) or ("draw" if ending.winner is None else "variantEnd")


def game_full(match: Match, now: int) -> GameFull:
    """Return a match in full."""
    created = match.created
    seats = {side: match.seats.get(side) for side in SIDES}
    white, black = (
        BotPlayer(seat.person, seat.name, seat.level) if seat else BotPlayer(None, "") for seat in seats.values()
    )
    return GameFull(
        id=match.id,
        variant=Variant(key=match.game.id, name=match.game.name, options=created.options),
        rated=created.rated,
        speed=speed(created.time),
        created_at=created.at,
        white=white,
        black=black,
        clock=time_control(created.time),
        setup=match.setup,
        initial_fen=match.board.root_fen,
        state=game_state(match, now),
    )


# For lists and streams of events, from the cards of matches.


def rows(*conditions: Any) -> Select[Any]:
    """Select the rows of matches that fulfil some conditions, with the name of the person challenged."""
    columns = (matches.c.id, matches.c.opponent, matches.c.creator, matches.c.asked, matches.c.card, matches.c.phase)
    query = select(*columns, people.c.name).outerjoin(people, people.c.id == matches.c.asked)
    return query.where(*conditions).order_by(matches.c.at.desc()).limit(MAX_LISTED)


def concerning(person: str) -> tuple[Any, ...]:
    """Return the conditions for the unfinished matches that a person plays or is challenged to."""
    mine = or_(matches.c.white == person, matches.c.black == person, matches.c.asked == person)
    return mine, matches.c.phase.in_(("open", "setup", "play"))


def people_of(row: Any) -> set[str]:
    """Return the players of a match and the person challenged."""
    return {person for person in (*cards.read(row.card).people, row.asked) if person is not None}


def challenge(row: Any, base: str) -> bots.BotChallenge:
    """Return the challenge of a row.

    :param base: the URL of the server.
    """
    card = cards.read(row.card)
    status: bots.ChallengeStatus = "created" if card.phase == "open" else "accepted"
    if card.ending is not None and card.ending.reason in ("aborted", "declined"):
        status = "declined" if card.ending.reason == "declined" else "canceled"
    name = next((name for id, name in zip(card.people, _names(card), strict=True) if id == row.creator), "")
    return bots.BotChallenge(
        id=row.id,
        url=f"{base}/match/{row.id}",
        status=status,
        challenger=BotPlayer(row.creator, name),
        dest_user=None if row.asked is None else BotPlayer(row.asked, row.name or ""),
        variant=_variant(card),
        rated=card.rated,
        speed=speed(card.time),
        time_control=time_control(card.time),
        color="random" if card.side == "opponent" else card.side,
        initial_fen=card.start_fen,
    )


def game(row: Any, person: str) -> BotGame:
    """Return the match of a row as seen by one of its players."""
    card = cards.read(row.card)
    side: Side = SIDES[card.people.index(person)]
    place = SIDES.index(other(side))
    id, name = card.people[place], _names(card)[place]
    return BotGame(
        game_id=row.id,
        id=row.id,
        color=side,
        fen=card.fen,
        is_my_turn=bool(card.match_card(person).your_turn),
        opponent=BotPlayer(id, name),
        variant=_variant(card),
        speed=speed(card.time),
        rated=card.rated,
        source="ai" if row.opponent == "engine" else row.opponent,
        status=bots.Status(_status(card.phase, card.ending)),
        winner=None if card.ending is None else card.ending.winner,
    )


def _names(card: cards.Card) -> tuple[str, str]:
    return card.players.white, card.players.black


def _variant(card: cards.Card) -> Variant:
    return Variant(key=card.game.id, name=card.game.name, options=card.options)
