"""Matches and tournaments for tests."""

from __future__ import annotations

import json
from typing import Any

from acedrex import Board, load
from acedrex.server import wire
from acedrex.server.games import catalogue
from acedrex.server.match.events import Created, Event, Seated
from acedrex.server.match.state import Match
from acedrex.server.tournaments import events as tournament_events

BOTH = frozenset({"white", "black"})
WHITE = frozenset({"white"})
BLACK = frozenset({"black"})
NOBODY: frozenset[Any] = frozenset()
DAY = 86_400_000
START = 1_800_000_000_000


def created(game: str = "chess", **changes: Any) -> Created:
    loaded = load(game)
    values: dict[str, Any] = {
        "at": START,
        "game": loaded.id,
        "file": loaded.id,
        "options": loaded.chosen_options,
        "definition": catalogue.definition(loaded)[0],
        "rules_hash": loaded.rules_hash,
        "opponent": "friend",
        "time": wire.NoTime(),
        "side": "white",
        "setup": None,
        "arranging": None,
        "hints": False,
    }
    return Created(**{**values, **changes})


def cup(at: int = START, **settings: Any) -> tournament_events.Created:
    """Return the first event of a tournament, by default of a Swiss of one round that starts a day later."""
    asked: dict[str, Any] = {"kind": "swiss", "time": wire.Fischer(60_000, 0), "starts_at": at + DAY, "rounds": 1}
    rules = wire.TournamentSettings(game=wire.GameChoice("chess"), **{**asked, **settings})
    return tournament_events.Created(at=at, settings=rules, file="chess", definition="", rules_hash="", game="Chess")


def started(game: str = "chess", *, engine: bool = False, **changes: Any) -> tuple[Match, list[Event]]:
    """Return a match whose seats are taken, and its events."""
    events: list[Event] = [
        created(game, **changes),
        Seated(at=START, side="white", person="ana", name="Ana"),
        Seated(at=START, side="black", person=None if engine else "bo", name="Bo", level=1 if engine else None),
    ]
    return Match("m", events, load(game)), events


def dump(match: Match) -> dict[str, Any]:
    """Return the whole state of a match, to compare."""
    values = {name: value for name, value in vars(match).items() if name not in ("core", "game", "_board")}
    board = Board._of_core(match.game, match.core.board)
    return values | {
        "moves": list(match.moves),
        "core": (match.core.state, match.core.moves(0), match.core.shown),
        "fen": board.fen(),
        "stack": board.move_stack,
        "root": board.root_fen,
        "may": [match.core.may(json.dumps(seats)) for seats in ([], ["white"], ["black"], ["white", "black"])],
    }
