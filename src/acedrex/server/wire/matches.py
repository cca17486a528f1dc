"""Matches: how they are made, and what they look like."""

from __future__ import annotations

from typing import Annotated, Literal, Union

from msgspec import Meta, field

from acedrex.server.wire.vocabulary import Identifier, May, Name, Phase, Request, Response, SetupName, Speaker, What
from acedrex.shapes import Position, Side


class GameChoice(Request):
    """A game and its options."""

    game: Identifier
    options: Annotated[dict[Name, Name], Meta(max_length=32)] = field(default_factory=dict)


class NoTime(Request, tag="none", tag_field="kind"):
    """No clock."""


class Fischer(Request, tag="fischer", tag_field="kind"):
    """Time for the game, and more with every turn."""

    initial_ms: Annotated[int, Meta(ge=1_000, le=24 * 3_600_000)]
    increment_ms: Annotated[int, Meta(ge=0, le=600_000)]


class ByoYomi(Request, tag="byoyomi", tag_field="kind"):
    """Time for the game, then periods of which each lasts for a turn."""

    initial_ms: Annotated[int, Meta(ge=0, le=24 * 3_600_000)]
    period_ms: Annotated[int, Meta(ge=1_000, le=600_000)]
    periods: Annotated[int, Meta(ge=1, le=20)]


class Correspondence(Request, tag="correspondence", tag_field="kind"):
    """Days for every turn, and days for the match that are taken when those are over."""

    days_per_turn: Annotated[int, Meta(ge=1, le=30)]
    reserve_days: Annotated[int, Meta(ge=0, le=90)]


TimeControl = Union[NoTime, Fischer, ByoYomi, Correspondence]  # noqa: UP007 - msgspec reads it at run time


class EngineOpponent(Request, tag="engine", tag_field="kind"):
    """A level of the engine."""

    level: Annotated[int, Meta(ge=1, le=10)]


class FriendOpponent(Request, tag="friend", tag_field="kind"):
    """Whoever has the link."""


class LobbyOpponent(Request, tag="lobby", tag_field="kind"):
    """Whoever accepts the open challenge."""


class SelfOpponent(Request, tag="self", tag_field="kind"):
    """Two at one board."""


Opponent = Union[EngineOpponent, FriendOpponent, LobbyOpponent, SelfOpponent]  # noqa: UP007


class NewMatch(Request, kw_only=True):
    """A match to begin. ``setup`` is a name, or who arranges the pieces: ``choose``, ``random`` or ``engine``."""

    game: GameChoice
    opponent: Opponent
    side: Literal["white", "black", "random"] = "random"
    time: TimeControl
    setup: SetupName | None = None
    hints: bool = False


class MatchCreated(Response):
    """A match that has begun, and the secret that takes the other seat."""

    match: str
    #: It belongs in the fragment of the link: ``/match/ID#invite=...``.
    invite: str | None


class Invite(Request):
    """The secret that takes a seat."""

    invite: Identifier


class Player(Response):
    """Who sits on a side."""

    name: str
    kind: Literal["guest", "engine", "nobody"]
    level: int | None
    online: bool


class Periods(Response):
    """Periods of byo-yomi left."""

    white: int
    black: int


class Reserve(Response):
    """Milliseconds of correspondence on top of the days of a turn."""

    white: int
    black: int


class Clock(Response):
    """Time left at a moment."""

    white_ms: int
    black_ms: int
    running: Side | None
    periods: Periods | None
    #: In correspondence: what is used up when the days of the turn are over.
    reserve: Reserve | None
    at: int


class MoveMade(Response):
    """A move that was made."""

    move: str
    san: str
    side: Side
    turn: int
    spent_ms: int


class Ending(Response):
    """How a match ended."""

    reason: str
    winner: Side | None
    score: str
    result: Literal["1-0", "0-1", "1/2-1/2", "*"]
    #: Of a draw by repetition how often the position occurred, of one without progress how many moves there were.
    limit: int | None = None


class Offer(Response):
    """What a side has offered."""

    what: What
    by: Side
    #: How many moves a take-back takes back.
    moves: int | None = None


class ChatLine(Response):
    """What somebody wrote."""

    id: int
    by: Speaker
    name: str
    text: str
    at: int


class MatchGame(Response):
    """The game of a match."""

    game: str
    options: dict[str, str]
    name: str
    rules_hash: str
    #: By the reason of a draw, how often a position must occur, or how many moves must bring no progress.
    draw_limits: dict[str, int]


class Players(Response):
    """Who plays."""

    white: Player
    black: Player


class Snapshot(Response, tag="snapshot"):
    """Everything of a match, as the asker may see it."""

    match: str
    #: The number of the last event.
    number: int
    game: MatchGame
    phase: Phase
    #: How the match was made.
    opponent: Literal["engine", "friend", "lobby", "self", "import"]
    #: What the asker may play.
    seat: Literal["white", "black", "both"] | None
    players: Players
    time: TimeControl
    clock: Clock | None
    setup: str | None
    start_fen: str
    moves: list[MoveMade]
    position: Position
    offers: list[Offer]
    ending: Ending | None
    rematch: str | None
    chat: list[ChatLine]
    hints: bool
    watchers: int
    #: What the asker may do now.
    may: list[May]
