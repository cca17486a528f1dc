"""Matches: how they are created, and their state."""

from __future__ import annotations

from typing import Annotated, Literal, Union

from msgspec import Meta, field

from acedrex import limits
from acedrex.server.wire.ratings import MatchRatings
from acedrex.server.wire.vocabulary import (
    Fen,
    Identifier,
    May,
    Name,
    Phase,
    Request,
    Response,
    SetupName,
    Speaker,
    What,
)
from acedrex.shapes import Position, Side

#: The side of who creates a match, or who chooses it.
SideChoice = Literal["white", "black", "random", "opponent"]


class GameChoice(Request):
    """A game and its options."""

    game: Identifier
    options: Annotated[dict[Name, Name], Meta(max_length=32)] = field(default_factory=dict)


class NoTime(Request, tag="none", tag_field="kind"):
    """No clock."""


class Fischer(Request, tag="fischer", tag_field="kind"):
    """Time for the game, and an increment for every turn."""

    initial_ms: Annotated[int, Meta(ge=1_000, le=24 * 3_600_000)]
    increment_ms: Annotated[int, Meta(ge=0, le=600_000)]


class ByoYomi(Request, tag="byoyomi", tag_field="kind"):
    """Time for the game, then byo-yomi periods, each for one turn."""

    initial_ms: Annotated[int, Meta(ge=0, le=24 * 3_600_000)]
    period_ms: Annotated[int, Meta(ge=1_000, le=600_000)]
    periods: Annotated[int, Meta(ge=1, le=20)]


class Correspondence(Request, tag="correspondence", tag_field="kind"):
    """Days for every turn, and a reserve of days for the match, used when the days of a turn have run out."""

    days_per_turn: Annotated[int, Meta(ge=1, le=30)]
    reserve_days: Annotated[int, Meta(ge=0, le=90)]


TimeControl = Union[NoTime, Fischer, ByoYomi, Correspondence]  # noqa: UP007 - msgspec reads it at run time


class EngineOpponent(Request, tag="engine", tag_field="kind"):
    """The engine at a level."""

    level: Annotated[int, Meta(ge=1, le=limits.MAX_LEVEL)]


class HouseOpponent(Request, tag="house", tag_field="kind"):
    """A house engine, by its id."""

    engine: Identifier


class FriendOpponent(Request, tag="friend", tag_field="kind"):
    """Anyone who has the link."""


class LobbyOpponent(Request, tag="lobby", tag_field="kind"):
    """Anyone who accepts the open challenge."""


class SelfOpponent(Request, tag="self", tag_field="kind"):
    """Two players on one device."""


Opponent = Union[EngineOpponent, HouseOpponent, FriendOpponent, LobbyOpponent, SelfOpponent]  # noqa: UP007


class NewMatch(Request, kw_only=True):
    """A match to create. ``setup`` is a name, or how the setup is chosen: ``choose``, ``random`` or ``engine``.

    With a ``fen`` the match begins from that position, which must be playable, and there is no setup.
    """

    game: GameChoice
    opponent: Opponent
    side: SideChoice = "random"
    time: TimeControl
    setup: SetupName | None = None
    fen: Fen | None = None
    hints: bool = False
    #: Whether it changes the players' ratings, for which both need accounts.
    rated: bool = False


class MatchCreated(Response):
    """A match that was created, and the invite for the other seat."""

    match: str
    #: A secret that goes into the fragment of the link: ``/match/ID#invite=...``.
    invite: str | None


class Invite(Request):
    """The secret that admits a player to the free seat."""

    invite: Identifier
    #: The side, if it may be chosen.
    side: Side | None = None


class Player(Response):
    """The player of a side."""

    name: str
    kind: Literal["guest", "engine", "nobody"]
    level: int | None
    online: bool
    #: The name of the player's account.
    profile: str | None = None
    #: The id of a house engine.
    house: str | None = None
    #: The hour in which the player was last here, for the other one, in a match without a live clock.
    seen: int | None = None


class Periods(Response):
    """Byo-yomi periods left."""

    white: int
    black: int


class Reserve(Response):
    """Milliseconds of correspondence reserve left."""

    white: int
    black: int


class OffUntil(Response):
    """Until when each side has days off, in milliseconds of the epoch."""

    white: int | None
    black: int | None


class Clock(Response):
    """The clocks at a moment."""

    white_ms: int
    black_ms: int
    running: Side | None
    periods: Periods | None
    #: In correspondence: the time used when the days of the turn have run out.
    reserve: Reserve | None
    #: Until when each side has days off, in which its clock does not run.
    off: OffUntil
    at: int


class MoveMade(Response):
    """A move of a match."""

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
    #: In a draw by repetition, how often the position occurred; in one without progress, the number of moves.
    limit: int | None = None


class Offer(Response):
    """An offer of a side."""

    what: What
    by: Side
    #: The number of moves that a takeback undoes.
    moves: int | None = None


class ChatLine(Response):
    """A chat message."""

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
    #: Whether the match began under an earlier version of a shipped game with other rules, by which it goes on.
    outdated: bool
    #: By reason of a draw: how often a position must occur, or the number of moves without progress.
    draw_limits: dict[str, int]


class Players(Response):
    """The players of both sides."""

    white: Player
    black: Player


class Series(Response):
    """The score of a match and its rematches: the points of who plays White and Black now, and the finished games."""

    white: float
    black: float
    games: int


class Snapshot(Response, tag="snapshot"):
    """The whole state of a match, as the requester may see it."""

    match: str
    #: The number of the last event.
    number: int
    game: MatchGame
    phase: Phase
    #: How the match was created.
    opponent: Literal["engine", "friend", "lobby", "self", "import"]
    #: The side that the requester plays.
    seat: Literal["white", "black", "both"] | None
    players: Players
    time: TimeControl
    clock: Clock | None
    setup: str | None
    start_fen: str
    #: Whether the match began from a position that is neither the standard one nor a setup.
    from_position: bool
    moves: list[MoveMade]
    position: Position
    offers: list[Offer]
    ending: Ending | None
    rematch: str | None
    #: From the first rematch on.
    series: Series | None
    chat: list[ChatLine]
    hints: bool
    rated: bool
    #: The tournament to which it belongs.
    tournament: str | None
    #: How the sides are chosen: with ``opponent``, whoever joins may choose theirs.
    side: SideChoice
    #: In rated matches, once both seats are taken.
    ratings: MatchRatings | None
    watchers: int
    #: The commands that the requester may send now.
    may: list[May]
