"""Checks how a tournament is to be played, and makes the matches of its pairs."""

from __future__ import annotations

import random

from msgspec import Struct, structs

from acedrex import Board, Error
from acedrex.game import Game, games
from acedrex.server import ids, wire
from acedrex.server.games import catalogue
from acedrex.server.match import events as match_events
from acedrex.server.match.events import Event as MatchEvent
from acedrex.server.match.state import SIDES, Match
from acedrex.server.people import house
from acedrex.server.refusal import Refusal
from acedrex.server.storage import cards
from acedrex.server.storage.store import Step
from acedrex.server.tournaments import events
from acedrex.server.tournaments.state import Board as Pair
from acedrex.server.tournaments.state import Tournament
from acedrex.server.wire import Correspondence, TournamentSettings

#: The most players of each kind; in those with a game of each player against all it is small.
MOST: dict[wire.TournamentKind, int] = {"swiss": 256, "arena": 256, "round_robin": 24, "knockout": 128, "simul": 40}
#: The longest time of a game of an arena, in milliseconds for a side, and the longest wait for a start, in days.
LONGEST, AHEAD = 30 * 60_000, 366 * 86_400_000
#: How long before it is created a tournament may start, since clocks of browsers differ.
BEHIND = 600_000


def check(settings: TournamentSettings, game: Game, now: int) -> None:
    """Check that a tournament can be played as it is wanted; ``fen`` has passed ``check_start``.

    :raises Refusal: if it cannot.
    """
    kind, time = settings.kind, settings.time
    if not now - BEHIND <= settings.starts_at <= now + AHEAD:
        raise Refusal("invalid", "a tournament starts within a year from now", "settings.starts_at")
    if kind == "arena":
        _check_arena(settings)
    if settings.appointment_days is not None and (
        isinstance(time, Correspondence) or kind not in ("swiss", "round_robin", "knockout")
    ):
        message = "appointments are for live games of a Swiss, a round robin or a knockout"
        raise Refusal("invalid", message, "settings.appointment_days")
    if kind in ("arena", "simul") and settings.games != 1:
        raise Refusal("invalid", "in an arena and a simul a pair plays one game", "settings.games")
    if kind == "simul" and settings.rated:
        raise Refusal("not_rated", "a simul is not rated: one player has many games at once", "settings.rated")
    _check_start(settings, game)


def _check_arena(settings: TournamentSettings) -> None:
    time = settings.time
    if isinstance(time, Correspondence) or time.initial_ms > LONGEST:
        message = f"in an arena the clocks are live, with {LONGEST // 60_000} minutes at most"
        raise Refusal("invalid", message, "settings.time")


def _check_start(settings: TournamentSettings, game: Game) -> None:
    setup = settings.setup
    if settings.fen is not None:
        if setup is not None:
            raise Refusal("invalid", "give a FEN or a setup, not both", "settings.setup")
        if settings.rated:
            raise Refusal("not_rated", "a rated match begins from the game's start", "settings.fen")
    if setup is None:
        return
    if not len(game.setups):
        raise Refusal("no_setups", f"{game.name} has only one starting position", "settings.setup")
    if setup == "engine":
        message = "in a tournament Black chooses the setup, or it is drawn, or the same for all"
        raise Refusal("invalid", message, "settings.setup")
    if setup not in ("choose", "random"):
        catalogue.setup(game, setup)


def created(settings: TournamentSettings, game: Game, at: int) -> events.Created:
    """Return the first event of a tournament, which has no more players than its kind allows."""
    most = min(settings.max_players, MOST[settings.kind])
    return events.Created(
        at=at,
        settings=structs.replace(settings, max_players=most),
        file=file_of(game),
        definition=catalogue.definition(game)[0],
        rules_hash=game.rules_hash,
        game=game.name,
    )


def file_of(game: Game) -> str:
    """Return the name under which a game is restored."""
    return game.id if game.id in games() else game.file


class Entrant(Struct, frozen=True):
    """Who a player is: a person, or nobody if their data was deleted, and a name."""

    person: str | None
    name: str
    account: str | None = None
    closed: bool = False


def match_of(t: Tournament, pair: Pair, game: Game, white: int, entrants: dict[int, Entrant], at: int) -> list[Step]:
    """Return the steps that make the next game of a pair, with its id in the last event.

    :raises Refusal: if the match cannot begin.
    """
    players = dict(zip(SIDES, (white, pair.other(white)), strict=True))
    engines = {side: t.players[player].engine for side, player in players.items()}
    setup, arranging = _setup(t, pair, game, engines["black"] is not None)
    settings = t.settings
    first = match_events.Created(
        at=at,
        game=game.id,
        file=t.created.file,
        options=game.chosen_options,
        definition=t.created.definition,
        rules_hash=t.created.rules_hash,
        opponent="engine" if any(engines.values()) else "lobby",
        time=settings.time,
        side="white",
        setup=setup,
        arranging=arranging,
        hints=False,
        fen=_fen(settings, game),
        rated=settings.rated,
        tournament=t.id,
    )
    seats: list[MatchEvent] = []
    for side, player in players.items():
        engine = house.ENGINES.get(engines[side] or "")
        who = entrants[player]
        level = None if engine is None else engine.level
        seats.append(match_events.Seated(at=at, side=side, person=who.person, name=who.name, level=level))
    try:
        match = Match(ids.new_id(), [first, *seats], game)
    except Error as error:
        raise Refusal("bad_position", str(error)) from None
    return cards.first_steps(match, [first, *seats], "")


def _fen(settings: TournamentSettings, game: Game) -> str | None:
    return None if settings.fen is None else catalogue.start_of(Board(game, settings.fen))[1]


def _setup(
    t: Tournament, pair: Pair, game: Game, engine_is_black: bool
) -> tuple[str | None, match_events.Arranging | None]:
    """Return the setup of the next game of a pair, or who chooses it.

    One that is drawn is the same for two games of a pair, so that each plays both sides.
    """
    wanted = t.settings.setup
    if wanted == "choose":
        return None, "engine" if engine_is_black else "player"
    if wanted == "random":
        chance = random.Random(f"{t.id} {pair.number} {pair.at} {len(pair.games) // 2}")
        return game.setups[chance.randrange(len(game.setups))], None
    if wanted is not None:
        return catalogue.setup(game, wanted).name, None
    if t.settings.fen is not None:
        return catalogue.start_of(Board(game, t.settings.fen))[0], None
    return None, None
