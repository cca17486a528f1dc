"""Creates matches: from a request, and as the rematch of another match."""

from __future__ import annotations

import time
from functools import partial

from acedrex import Board, Error
from acedrex.game import Game, games
from acedrex.outcome import reason_text
from acedrex.server import ids, wire
from acedrex.server.games import catalogue
from acedrex.server.limits.pool import measured
from acedrex.server.match.events import Arranging, Created, Event, Seated
from acedrex.server.match.positions import position
from acedrex.server.match.state import SIDES, Match, other
from acedrex.server.people import house
from acedrex.server.refusal import Refusal
from acedrex.server.storage import cards
from acedrex.server.storage.store import Step
from acedrex.server.wire import Side

#: Seconds of processor time that listing the moves of a start may take: a match lists them after every move.
SLOW = 0.01


def make(
    game: Game,
    request: wire.NewMatch,
    person: wire.Person,
    at: int,
    friend: str | None = None,
    last: Side | None = None,
) -> tuple[Match, list[Step], str | None]:
    """Create a match, and return it with the steps that store it and, against a friend, the invite.

    :param game: the requested game, with its options.
    :param request: its FEN has passed :func:`check_start`.
    :param friend: the id of the friend, if only they may join.
    :param last: the side that the person had in their last rated match of this kind, to alternate.
    :raises Refusal: if the requested match cannot be played.
    """
    opponent = request.opponent
    engine = house.find(opponent.engine) if isinstance(opponent, wire.HouseOpponent) else None
    kind = "engine" if engine is not None else opponent.__struct_config__.tag
    if request.side == "opponent" and not isinstance(opponent, wire.FriendOpponent | wire.LobbyOpponent):
        raise Refusal("invalid", "only a person can choose the side; take one, or let it be drawn", "side")
    if request.rated:
        _check_rated(request)
    side = _side(request.side, last)
    if request.hints and isinstance(opponent, wire.FriendOpponent | wire.LobbyOpponent):
        raise Refusal("no_hints", "hints are only for matches against the engine or on one device", "hints")
    setup, arranging, fen = _start(game, request, side)
    created = Created(
        at=at,
        game=game.id,
        file=game.id if game.id in games() else game.file,
        options=game.chosen_options,
        definition=catalogue.definition(game)[0],
        rules_hash=game.rules_hash,
        opponent=kind,  # type: ignore[arg-type]
        time=request.time,
        side=request.side,
        setup=setup,
        arranging=arranging,
        hints=request.hints,
        fen=fen,
        rated=request.rated,
    )
    seats: list[Event] = [Seated(at=at, side=side, person=person.id, name=person.name)]
    if isinstance(opponent, wire.EngineOpponent):
        name = f"Acedrex {opponent.level}"
        seats.append(Seated(at=at, side=other(side), person=None, name=name, level=opponent.level))
    elif engine is not None:
        seats.append(Seated(at=at, side=other(side), person=engine.id, name=engine.name, level=engine.level))
    elif isinstance(opponent, wire.SelfOpponent):
        seats.append(Seated(at=at, side=other(side), person=person.id, name=person.name))
    match = Match(ids.new_id(), [created, *seats], game)
    invite = ids.new_secret() if isinstance(opponent, wire.FriendOpponent) and friend is None else None
    invite_hash = None if invite is None else ids.hashed(invite)
    steps = cards.first_steps(match, [created, *seats], person.id, invite=invite_hash, asked=friend)
    return match, steps, invite


def _side(choice: wire.SideChoice, last: Side | None) -> Side:
    """Return the side of the creator, who changes over if the opponent is to choose and chooses it."""
    if choice in SIDES:
        return choice
    return SIDES[ids.random_below(2)] if last is None else other(last)


def _check_rated(request: wire.NewMatch) -> None:
    """Check that a match can be rated: neither player may have chosen what favours them.

    :raises Refusal: if it cannot be rated.
    """
    if not isinstance(request.opponent, wire.FriendOpponent | wire.LobbyOpponent | wire.HouseOpponent):
        message = "rated matches are against a person or a house engine; choose a friend, the lobby or one of these"
        raise Refusal("not_rated", message, "opponent")
    if request.hints:
        raise Refusal("no_hints", "there are no hints in rated matches", "hints")
    if isinstance(request.time, wire.NoTime):
        raise Refusal("not_rated", "a rated match needs a clock", "time")
    if request.fen is not None:
        raise Refusal("not_rated", "a rated match begins from the game's start", "fen")
    named = request.setup not in (None, "choose", "random")
    if request.side in SIDES or (named and request.side != "opponent"):
        message = "in a rated match sides are drawn, or you choose the setup and your opponent the side"
        raise Refusal("not_rated", message, "side")


def _start(game: Game, request: wire.NewMatch, side: Side) -> tuple[str | None, Arranging | None, str | None]:
    """Return the setup if it is known already, or who chooses it, or the FEN of another starting position."""
    if request.fen is None:
        return (*_setup(game, request, side), None)
    if request.setup is not None:
        raise Refusal("invalid", "give a FEN or a setup, not both", "setup")
    if isinstance(request.opponent, wire.LobbyOpponent):
        message = "open challenges begin from the game's start; play a position with a friend, the engine or yourself"
        raise Refusal("invalid", message, "fen")
    setup, fen = catalogue.start_of(Board(game, request.fen))
    return setup, None, fen


def check_start(game: Game, fen: str) -> None:
    """Check that a match may begin from a position.

    :raises Refusal: if it is not a position of the game, if the game is over, or if listing its moves takes so long
        that other matches would have to wait.
    """
    try:
        board = Board(game, fen)
    except Error as error:
        raise Refusal("bad_position", str(error), "fen") from None
    if board.turn_moves:
        raise Refusal("bad_position", "a match begins with a turn; leave out the moves of the unfinished turn", "fen")
    outcome = board.outcome()
    if outcome is not None:
        reason = reason_text(outcome.termination.value)
        raise Refusal("bad_position", f"the game is over in this position: {reason}", "fen")
    # A busy machine may hold up one attempt.
    if min(seconds for _, seconds in (measured(partial(_list, game, fen), time.thread_time) for _ in range(3))) > SLOW:
        raise Refusal("bad_position", "this position has too many moves for a match here; remove some pieces", "fen")


def _list(game: Game, fen: str) -> wire.Position:
    return position(Board(game, fen), [], legal=True)


def _setup(game: Game, request: wire.NewMatch, side: Side) -> tuple[str | None, Arranging | None]:
    """Return the setup if it is known already, or else who chooses it."""
    if request.setup is None:
        return None, None
    if not len(game.setups):
        raise Refusal("no_setups", f"{game.name} has only one starting position", "setup")
    if request.setup == "random":
        return catalogue.random_setup(game), None
    if request.setup == "engine":
        return None, "engine"
    if request.setup == "choose":
        engine_is_black = isinstance(request.opponent, wire.EngineOpponent | wire.HouseOpponent) and side == "white"
        return None, "engine" if engine_is_black else "player"
    return catalogue.setup(game, request.setup).name, None


def rematch(match: Match, at: int) -> list[Step]:
    """Create the rematch of a match: the players swap sides, and the right to choose the setup swaps with them."""
    assert match.rematch is not None
    old, score = match.created, match.series
    arranging = old.arranging
    setup = old.setup
    if match.engine is not None and arranging is not None:
        arranging = "engine" if match.engine == "white" else "player"
    if setup is not None:
        setup = catalogue.random_setup(match.game)
    created = Created(
        at=at,
        game=old.game,
        file=old.file,
        options=old.options,
        definition=old.definition,
        rules_hash=old.rules_hash,
        opponent=old.opponent,
        time=old.time,
        side=old.side,
        setup=setup,
        arranging=arranging,
        hints=old.hints,
        fen=old.fen,
        series=None if old.opponent == "self" else wire.Series(score.black, score.white, score.games),
        rated=old.rated,
    )
    seats: list[Event] = [
        Seated(at=at, side=other(side), person=seat.person, name=seat.name, level=seat.level)
        for side, seat in match.seats.items()
    ]
    new_match = Match(match.rematch, [created, *seats], match.game)
    creator = next(seat.person for seat in match.seats.values() if seat.person and seat.level is None)
    return cards.first_steps(new_match, [created, *seats], creator or "")
