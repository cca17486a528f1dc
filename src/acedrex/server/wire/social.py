"""Profiles, whom people follow and block, their messages, and moderation."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from acedrex.server.wire.archive import Archived
from acedrex.server.wire.people import MatchCard
from acedrex.server.wire.vocabulary import Name, Request, Response

Reason = Annotated[str, Meta(min_length=1, max_length=300)]
MessageText = Annotated[str, Meta(min_length=1, max_length=1000)]
Hours = Annotated[int, Meta(ge=1, le=24 * 366)]


class PlayedRecord(Response):
    """Numbers of finished matches against people, from the view of one of them."""

    won: int
    drawn: int
    lost: int


class GameRecord(Response):
    """A person's matches of a game; ``engine`` counts those against the engine."""

    game: str
    name: str
    record: PlayedRecord
    engine: int


class FavouriteSetup(Response):
    """A setup that a person has played, and how often."""

    game: str
    name: str
    setup: str
    matches: int


class Streaks(Response):
    """Matches against people won in succession: the longest such series, and the current one."""

    longest: int
    current: int


class Relation(Response):
    """What the visitor has to do with a person: only the visitor learns of it."""

    follows: bool
    blocks: bool
    #: Whether the visitor may write to them.
    writes: bool
    #: The visitor's own matches against them.
    record: PlayedRecord


class Profile(Response):
    """A person with an account, as everybody sees them."""

    name: str
    #: When they first came.
    since: int
    #: When they were last here, to the hour; ``None`` if they are signed in nowhere.
    seen: int | None
    online: bool
    #: The most played first.
    games: list[GameRecord]
    setups: list[FavouriteSetup]
    streaks: Streaks
    #: Public matches in progress, and those that were finished last.
    running: list[MatchCard]
    finished: list[Archived]
    #: ``None`` without a token, and for oneself.
    relation: Relation | None
    #: Whether it is the visitor's own.
    own: bool


class Acquaintance(Response):
    """Somebody whom a person follows or has blocked."""

    #: By what requests name them: the name of an account, or ``~`` and a reference to a guest.
    who: str
    name: str
    account: bool
    online: bool
    #: Public matches that they play now.
    playing: list[str]


class Conversation(Response):
    """A conversation in a list."""

    who: str
    name: str
    account: bool
    online: bool
    #: The beginning of the last message.
    text: str
    at: int
    unread: bool


class Message(Response):
    """A message."""

    id: int
    mine: bool
    text: str
    at: int


class MessagePage(Response):
    """Messages of a conversation, the oldest first; ``more`` if there are older ones."""

    name: str
    account: bool
    online: bool
    messages: list[Message]
    more: bool
    #: Whether the visitor may write to them now.
    writes: bool
    blocks: bool


class NewMessage(Request):
    """A message to send."""

    text: MessageText


class Reception(Request):
    """Whether one takes messages."""

    messages: bool


class Notice(Response):
    """What a moderator has done to a person, why, and until when if it ends by itself."""

    kind: Literal["muted", "closed", "renamed"]
    reason: str
    until: int | None
    at: int


class News(Response):
    """What a person should know when they come."""

    #: Conversations with unread messages.
    unread: int
    #: Whether they take messages.
    messages: bool
    notices: list[Notice]
    #: Of a moderator the number of open reports; ``None`` for anybody else.
    reports: int | None


class Unread(Response, tag="unread"):
    """There is a new message for the person of the socket."""


class NewReport(Request):
    """A report about a person, a line of chat or a message."""

    #: As in paths: the name of an account, ``~`` and a reference, or a match with ``.white``, ``.black`` or a line.
    who: Annotated[str, Meta(min_length=1, max_length=80)]
    reason: Reason
    #: The id of a message of the conversation with them.
    message: Annotated[int, Meta(ge=0, le=2**62)] | None = None


class ReportedLine(Response):
    """A line of the text around what was reported."""

    name: str
    text: str
    at: int
    #: Whether the person who was reported wrote it, and whether it is what was reported.
    theirs: bool
    reported: bool


class Reported(Response):
    """The person whom a report is about."""

    name: str
    account: bool
    moderator: bool
    notices: list[Notice]


class Report(Response):
    """An open report."""

    id: str
    by: str
    about: Reported
    kind: Literal["person", "line", "message", "study"]
    reason: str
    #: What was reported, as it was then.
    text: str
    #: What stands around it now.
    context: list[ReportedLine]
    match: str | None
    at: int
    study: str | None = None


Sanction = Literal["mute", "unmute", "close", "reopen", "rename"]


class Action(Request):
    """What a moderator does about somebody: the person of an open report, or somebody with an account."""

    action: Literal["mute", "unmute", "close", "reopen", "rename", "dismiss"]
    reason: Reason
    report: Annotated[str, Meta(max_length=32)] | None = None
    who: Name | None = None
    #: For how long somebody is muted.
    hours: Hours | None = None
    #: The new name.
    name: Name | None = None


class Spread(Response):
    """How the numbers of all players spread."""

    lowest: float
    quarter: float
    median: float
    three_quarters: float
    highest: float


class Outlier(Response):
    """A player whose moves are closer to the engine's than those of nearly all others, and what that rests on."""

    name: str
    matches: int
    positions: int
    #: The part of the moves that were the engine's first choice, and the mean loss in centipawns.
    share: float
    loss: float


class FairPlayGame(Response):
    """The rated moves of a game: players with enough positions, how their numbers spread, and who is far from them."""

    game: str
    name: str
    players: int
    share: Spread
    loss: Spread
    outliers: list[Outlier]


class FairPlay(Response):
    """What moderators see of the comparisons with the engine, and whether new matches are compared."""

    on: bool
    games: list[FairPlayGame]


class LogEntry(Response):
    """What was done, by whom, to whom, and why; ``by`` is empty for the operator."""

    id: int
    by: str
    whom: str
    action: str
    reason: str
    until: int | None
    name: str | None
    at: int


class LogPage(Response):
    """Entries of the log, the latest first; ``more`` if there are older ones."""

    entries: list[LogEntry]
    more: bool
