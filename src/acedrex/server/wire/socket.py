"""The messages over the socket of a match."""

from __future__ import annotations

from typing import Annotated, Literal, Union

from msgspec import Meta

from acedrex.server.wire.matches import ChatLine, Clock, Ending, MoveMade, Offer, Series, Snapshot
from acedrex.server.wire.people import Lobby
from acedrex.server.wire.ratings import MatchRatings
from acedrex.server.wire.social import Unread
from acedrex.server.wire.vocabulary import Id, May, MoveText, Number, Phase, Problem, Request, Response, SetupName, What
from acedrex.shapes import Position


class Hello(Request, tag="hello"):
    """The first message: who connects, and the last event seen."""

    token: Annotated[str, Meta(max_length=200)] | None = None
    #: The number of the last event seen.
    after: Number | None = None


class MakeMove(Request, tag="move"):
    """Make a move."""

    #: In coordinates or SAN.
    move: MoveText
    #: The number of the last event seen, as in the other commands.
    number: Number
    id: Id


class Undo(Request, tag="undo"):
    """Take back the last move of one's own unfinished turn."""

    number: Number
    id: Id


class ChooseSetup(Request, tag="setup"):
    """Choose the setup."""

    name: SetupName
    number: Number
    id: Id


class MakeOffer(Request, tag="offer"):
    """Make an offer."""

    what: What
    id: Id


class Answer(Request, tag="answer"):
    """Answer an offer."""

    what: What
    accept: bool
    id: Id


class Claim(Request, tag="claim"):
    """Claim a draw, or a win because the opponent has left."""

    #: ``left``: the opponent has been offline for long enough.
    what: Literal["draw", "left"]
    id: Id


class Resign(Request, tag="resign"):
    """Resign."""

    id: Id


class Abort(Request, tag="abort"):
    """Abort the match before both sides have moved."""

    id: Id


class Hint(Request, tag="hint"):
    """Ask the engine for a hint."""

    id: Id


class Chat(Request, tag="chat"):
    """Send a chat message."""

    text: Annotated[str, Meta(min_length=1, max_length=300)]
    id: Id


class Ping(Request, tag="ping", forbid_unknown_fields=False):
    """Ask for the server's time. Pages of older versions send more fields, which are ignored."""

    at: Annotated[float, Meta(ge=0, le=2**53)]


#: The commands of a player in a match. Each is one of ``Command`` in ``crates/match``.
Command = Union[MakeMove, Undo, ChooseSetup, MakeOffer, Answer, Claim, Resign, Abort]  # noqa: UP007 - msgspec reads it
ToServer = Union[Hello, Command, Hint, Chat, Ping]  # noqa: UP007


class Update(Response, tag="update", kw_only=True):
    """The changes made by an event."""

    #: The number of the event.
    number: int
    #: The number of half-moves of the match, including the one made.
    ply: int
    made: MoveMade | None = None
    position: Position | None = None
    clock: Clock | None = None
    phase: Phase
    offers: list[Offer]
    ending: Ending | None = None
    rematch: str | None = None
    series: Series | None = None
    may: list[May]


class Rated(Response, tag="rated"):
    """The match has changed the ratings of its players."""

    ratings: MatchRatings


class ChatMessage(Response, tag="chat"):
    """A chat message."""

    line: ChatLine


class Presence(Response, tag="presence"):
    """Who is online, and from when the opponent may be claimed to have left."""

    white: bool
    black: bool
    watchers: int
    left_claim_at: int | None


class HintGiven(Response, tag="hint"):
    """The turn that the engine would play."""

    id: str
    moves: list[str]
    san: list[str]


class Ack(Response, tag="ack"):
    """The command was carried out and its event stored."""

    id: str
    number: int


class Refused(Response, tag="refused"):
    """The message was refused; nothing has changed."""

    id: str | None
    error: Problem


class Pong(Response, tag="pong"):
    """The server's time."""

    at: float
    now: int


#: Messages of the server over the socket of a match: first a snapshot, and another after a long disconnection.
FromServer = Union[Snapshot, Update, ChatMessage, Rated, Presence, HintGiven, Ack, Refused, Pong]  # noqa: UP007
#: Messages of the server over the socket of the lobby.
FromLobby = Union[Lobby, Unread, Refused]  # noqa: UP007
