"""Making matches: from what somebody asks for, and from the match before."""

from __future__ import annotations

from acedrex.game import Game, games
from acedrex.server import cards, catalogue, secret, wire
from acedrex.server.catalogue import Catalogue
from acedrex.server.decide import Refusal
from acedrex.server.events import Arranging, Created, Event, Seated
from acedrex.server.state import SIDES, Match, other
from acedrex.server.store import Step
from acedrex.server.wire import Side


def make(
    asked: wire.NewMatch, person: wire.Guest, known: Catalogue, at: int, friend: str | None = None
) -> tuple[Match, list[Step], str | None]:
    """Make a match: the match, what is to be written, and the invite if a friend is to come.

    :param friend: the id of the friend, if only they may come.
    :raises Refusal: if it is not a match that can be played.
    """
    game = known.game(asked.game.game, asked.game.options)
    opponent = asked.opponent
    kind = opponent.__struct_config__.tag
    side: Side = SIDES[secret.below(2)] if asked.side == "random" else asked.side
    if asked.hints and isinstance(opponent, wire.FriendOpponent | wire.LobbyOpponent):
        raise Refusal("no_hints", "hints are only for matches against the engine or on one device", "hints")
    setup, arranging = _setup(game, asked, side)
    created = Created(
        at=at,
        game=game.id,
        file=game.id if game.id in games() else game.file,
        options=game.chosen_options,
        definition=catalogue.key(game),
        rules_hash=game.rules_hash,
        opponent=kind,  # type: ignore[arg-type]
        time=asked.time,
        side=asked.side,
        setup=setup,
        arranging=arranging,
        hints=asked.hints,
    )
    seats: list[Event] = [Seated(at=at, side=side, person=person.id, name=person.name)]
    if isinstance(opponent, wire.EngineOpponent):
        name = f"Acedrex {opponent.level}"
        seats.append(Seated(at=at, side=other(side), person=None, name=name, level=opponent.level))
    elif isinstance(opponent, wire.SelfOpponent):
        seats.append(Seated(at=at, side=other(side), person=person.id, name=person.name))
    match = Match.fold(secret.new_id(), [created, *seats], game)
    invite = secret.new_secret() if isinstance(opponent, wire.FriendOpponent) and friend is None else None
    invite_hash = None if invite is None else secret.hashed(invite)
    steps = cards.first_steps(match, [created, *seats], person.id, invite=invite_hash, asked=friend)
    return match, steps, invite


def _setup(game: Game, asked: wire.NewMatch, side: Side) -> tuple[str | None, Arranging | None]:
    """Give the setup that is settled now, or else who arranges it."""
    if asked.setup is None:
        return None, None
    if not len(game.setups):
        raise Refusal("no_setups", f"{game.name} has only one starting position", "setup")
    if asked.setup == "random":
        return catalogue.random_setup(game), None
    if asked.setup == "engine":
        return None, "engine"
    if asked.setup == "choose":
        engine_is_black = isinstance(asked.opponent, wire.EngineOpponent) and side == "white"
        return None, "engine" if engine_is_black else "player"
    return catalogue.setup(game, asked.setup).name, None


def rematch(match: Match, at: int) -> list[Step]:
    """Make the match that the two have agreed on: sides change over, and with them the right to choose the setup."""
    assert match.rematch is not None
    old = match.created
    arranging = old.arranging
    setup = old.setup
    if match.engine() is not None and arranging is not None:
        arranging = "engine" if match.engine() == "white" else "player"
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
    )
    seats: list[Event] = [
        Seated(at=at, side=other(side), person=seat.person, name=seat.name, level=seat.level)
        for side, seat in match.seats.items()
    ]
    again = Match.fold(match.rematch, [created, *seats], match.game)
    creator = next(seat.person for seat in match.seats.values() if seat.person)
    return cards.first_steps(again, [created, *seats], creator or "")
