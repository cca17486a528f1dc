"""What is said over the socket of a match."""

from __future__ import annotations

from typing import Annotated, Literal, Union

from msgspec import Meta

from acedrex.server.wire.matches import ChatLine, Clock, Ending, MoveMade, Offer, Snapshot
from acedrex.server.wire.people import Lobby
from acedrex.server.wire.vocabulary import Id, May, MoveText, Number, Phase, Problem, Request, Response, SetupName, What
from acedrex.shapes import Position


class Hello(Request, tag="hello"):
    """The first message: who is there, and the last event seen."""

    token: Annotated[str, Meta(max_length=200)] | None = None
    #: The number of the last event seen.
    after: Number | None = None


class MakeMove(Request, tag="move"):
    """Make a move."""

    #: Its text, or SAN.
    move: MoveText
    #: The number of the last event seen; so in the other commands.
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
    """Offer something."""

    what: What
    id: Id


class Answer(Request, tag="answer"):
    """Answer an offer."""

    what: What
    accept: bool
    id: Id


class Claim(Request, tag="claim"):
    """Claim a draw, or the match since the opponent has left."""

    #: ``left``: the opponent has been gone for long enough.
    what: Literal["draw", "left"]
    id: Id


class Resign(Request, tag="resign"):
    """Resign."""

    id: Id


class Abort(Request, tag="abort"):
    """Give the match up before it has begun in earnest."""

    id: Id


class Hint(Request, tag="hint"):
    """Ask the engine what it would play."""

    id: Id


class Chat(Request, tag="chat"):
    """Write to the others."""

    text: Annotated[str, Meta(min_length=1, max_length=300)]
    id: Id


class Ping(Request, tag="ping", forbid_unknown_fields=False):
    """Ask for the server's time. Pages of older versions say more in it, which counts for nothing."""

    at: Annotated[float, Meta(ge=0, le=2**53)]


#: What a player may do in a match. Each of them has a case in :func:`acedrex.server.decide.decide`.
Command = Union[MakeMove, Undo, ChooseSetup, MakeOffer, Answer, Claim, Resign, Abort]  # noqa: UP007 - msgspec reads it
ToServer = Union[Hello, Command, Hint, Chat, Ping]  # noqa: UP007


class Update(Response, tag="update", kw_only=True):
    """What an event changed."""

    #: The number of the event.
    number: int
    #: How many half-moves the match has now, with the one that was made.
    ply: int
    made: MoveMade | None = None
    position: Position | None = None
    clock: Clock | None = None
    phase: Phase
    offers: list[Offer]
    ending: Ending | None = None
    rematch: str | None = None
    may: list[May]


class ChatMessage(Response, tag="chat"):
    """Somebody wrote."""

    line: ChatLine


class Presence(Response, tag="presence"):
    """Who is there, and when one may claim that the opponent has left."""

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
    """The event was stored."""

    id: str
    number: int


class Refused(Response, tag="refused"):
    """Nothing has changed."""

    id: str | None
    error: Problem


class Pong(Response, tag="pong"):
    """The server's time."""

    at: float
    now: int


#: What the server says over the socket of a match: first a snapshot, and another after a connection lost for too long.
FromServer = Union[Snapshot, Update, ChatMessage, Presence, HintGiven, Ack, Refused, Pong]  # noqa: UP007
#: What the server says over the socket of the lobby.
FromLobby = Union[Lobby, Refused]  # noqa: UP007
