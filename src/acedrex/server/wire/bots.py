"""The messages to bots, in the format of lichess's bot API."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct, field

from acedrex import limits
from acedrex.server.wire.vocabulary import Fen, Name, Response, SetupName
from acedrex.shapes import Side

Color = Literal["white", "black", "random"]
ChallengeStatus = Literal["created", "accepted", "declined", "canceled"]
Speed = Literal["bullet", "blitz", "rapid", "classical", "correspondence"]


class BotResponse(Response, rename="camel", omit_defaults=True):
    """A message with lichess's names of fields; fields that do not apply are left out."""


class Done(BotResponse):
    """The request succeeded."""

    ok: Literal[True]


class Account(BotResponse):
    """The owner of a token."""

    id: str
    username: str
    title: Literal["BOT"]


class Variant(BotResponse, kw_only=True):
    """A game and its options."""

    key: str
    name: str
    options: dict[str, str]


class BotPlayer(BotResponse):
    """A player: a person with an id, or the engine at a level."""

    id: str | None
    name: str
    ai_level: int | None = None


class BotTimeControl(BotResponse):
    """A time control; times in seconds."""

    type: Literal["clock", "correspondence", "unlimited"]
    limit: int | None = None
    increment: int | None = None
    byoyomi: int | None = None
    periods: int | None = None
    days_per_turn: int | None = None


class BotChallenge(BotResponse, kw_only=True):
    """A challenge: a match that waits for its opponent."""

    id: str
    url: str
    status: ChallengeStatus
    challenger: BotPlayer
    dest_user: BotPlayer | None
    variant: Variant
    rated: bool
    speed: Speed
    time_control: BotTimeControl
    color: Color
    #: The starting position, if it is neither the standard one nor a setup.
    initial_fen: str | None = None


class Challenges(BotResponse):
    """A person's open challenges: those received, and those sent."""

    incoming: list[BotChallenge] = field(name="in")
    out: list[BotChallenge]


class Status(BotResponse):
    """The status of a match."""

    name: str


class BotGame(BotResponse, kw_only=True):
    """A match from a player's point of view."""

    game_id: str
    id: str
    color: Side
    fen: str
    is_my_turn: bool
    opponent: BotPlayer
    variant: Variant
    speed: Speed
    rated: bool
    source: str
    status: Status
    winner: Side | None = None


class NowPlaying(BotResponse):
    """Matches in progress of a person."""

    now_playing: list[BotGame]


class GameStart(BotResponse, tag="gameStart"):
    """A match has begun, or is in progress when the stream opens."""

    game: BotGame


class GameFinish(BotResponse, tag="gameFinish"):
    """A match is over."""

    game: BotGame


class ChallengeReceived(BotResponse, tag="challenge"):
    """A challenge was received."""

    challenge: BotChallenge


class ChallengeCanceled(BotResponse, tag="challengeCanceled"):
    """A challenge was withdrawn."""

    challenge: BotChallenge


class ChallengeDeclined(BotResponse, tag="challengeDeclined"):
    """A challenge was declined."""

    challenge: BotChallenge


class GameState(BotResponse, tag="gameState", kw_only=True):
    """The moves and the clocks of a match; times in milliseconds."""

    moves: str
    wtime: int
    btime: int
    winc: int
    binc: int
    wdraw: bool
    bdraw: bool
    wtakeback: bool
    btakeback: bool
    status: str
    reason: str | None = None
    winner: Side | None = None


class GameFull(BotResponse, tag="gameFull", kw_only=True):
    """A match in full: the first line of its stream, sent again once the setup has been chosen."""

    id: str
    variant: Variant
    rated: bool
    speed: Speed
    created_at: int
    white: BotPlayer
    black: BotPlayer
    clock: BotTimeControl
    setup: str | None = None
    initial_fen: str
    state: GameState


class BotChatMessage(BotResponse, tag="chatLine"):
    """A chat message."""

    room: Literal["player", "spectator"]
    username: str
    text: str


class OpponentGone(BotResponse, tag="opponentGone"):
    """The opponent has left, or has come back."""

    gone: bool
    claim_win_in_seconds: int | None = None


class NewChallenge(Struct, kw_only=True):
    """The terms of a challenge; other fields of lichess are ignored."""

    variant: Annotated[str, Meta(min_length=1, max_length=400)] = "chess"
    color: Color = "random"
    limit: Annotated[int, Meta(ge=1, le=86_400)] | None = field(default=None, name="clock.limit")
    increment: Annotated[int, Meta(ge=0, le=600)] = field(default=0, name="clock.increment")
    days: Annotated[int, Meta(ge=1, le=30)] | None = None
    setup: SetupName | None = None
    level: Annotated[int, Meta(ge=1, le=limits.MAX_LEVEL)] = 1
    #: A starting position of its own, or ``startpos``.
    fen: Fen | None = None


class Line(Struct, kw_only=True):
    """A line of chat."""

    text: Annotated[str, Meta(min_length=1, max_length=300)]
    room: Name = "player"
