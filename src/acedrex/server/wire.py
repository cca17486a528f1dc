"""What the server and the browser say to each other.

Squares are names (``g7``), times are milliseconds, ids are short texts. A ply is its text as :meth:`acedrex.Move.uci`
writes it: ``f2h3``, ``end``, ``claim``.
"""

from __future__ import annotations

from typing import Annotated, Literal, Union

from msgspec import Meta, Struct, field

Side = Literal["white", "black"]
Phase = Literal["open", "setup", "play", "over"]
DotKind = Literal["move", "capture", "both", "hop"]
EventKind = Literal[
    "setup", "ply", "undo", "takeback", "offer", "answer", "claim", "resign", "abort", "flag", "seat", "pause"
]
Speaker = Literal["white", "black", "watcher"]
What = Literal["draw", "takeback", "rematch"]

Identifier = Annotated[str, Meta(min_length=1, max_length=64)]
Id = Annotated[str, Meta(max_length=64)]
Name = Annotated[str, Meta(min_length=1, max_length=40)]
PlyText = Annotated[str, Meta(min_length=1, max_length=24)]
SetupName = Annotated[str, Meta(min_length=1, max_length=80)]
Fen = Annotated[str, Meta(min_length=1, max_length=4096)]
Number = Annotated[int, Meta(ge=0, le=2**31)]
Moment = Annotated[int, Meta(ge=0, le=2**53)]


class Said(Struct):
    """What the server says."""


class Asked(Struct, forbid_unknown_fields=True):
    """What a browser says: anything unknown in it is refused."""


class Problem(Said):
    """What was wrong, for programs and for people, and where."""

    code: str
    message: str
    where: str | None = None


# Games.


class Fault(Said):
    """Something wrong in a definition file."""

    file: str
    line: int
    column: int
    key: str
    message: str


class PieceKind(Said):
    """A kind of piece."""

    id: int
    letter: str
    name: str
    also: list[str]
    help: str
    art: str | None
    royal: bool
    soldier: bool
    values: dict[str, float]
    promotes_to: list[str]


class SetupGroup(Said):
    """Pieces that are arranged on some squares: Black's, and White's in the same order."""

    squares: list[str]
    mirror: list[str]
    pieces: list[str]
    #: Pieces that may not stand everywhere, and where they may.
    only: dict[str, list[str]]


class SetupPhase(Said):
    """What the chooser arranges, and in how many ways."""

    count: int
    groups: list[SetupGroup]


class Setup(Said):
    """One arrangement."""

    name: str
    number: int
    fen: str


class RuleText(Said):
    """A special rule in words."""

    key: str
    title: str
    text: str


class OptionKind(Said):
    """A switch of a game."""

    name: str
    help: str
    values: list[str]
    default: str


class GameSummary(Said, kw_only=True):
    """A game in a list. With faults only ``id`` and ``name`` mean something."""

    id: str
    name: str
    author: str = ""
    year: int | None = None
    summary: str = ""
    files: int = 0
    ranks: int = 0
    piece_kinds: int = 0
    setups: int = 0
    turn_plies: int = 1
    start_fen: str = ""
    featured: bool = False
    origin: Literal["shipped", "file"] = "shipped"
    faults: list[Fault] = []


class Game(GameSummary, kw_only=True):
    """All that is told of a game."""

    link: str
    story: str
    rules: list[RuleText]
    scoring: str
    rules_hash: str
    has_check: bool
    options: list[OptionKind]
    pieces: list[PieceKind]
    setup: SetupPhase | None


# Positions.


class PieceOn(Said):
    """A piece on a square."""

    square: str
    letter: str
    side: Side


class Reach(Said):
    """A square that a piece reaches, and how."""

    to: str
    kind: DotKind
    mount: str | None
    path: list[str]
    legs: list[str]


class LegalPly(Said):
    """A legal ply and what it does."""

    ply: str
    from_: str | None = field(name="from")
    to: str | None
    promotion: str | None
    reach: Reach | None
    kind: DotKind
    captured_on: str | None
    partner: tuple[str, str] | None
    check: bool
    ends_turn: bool


class Position(Said):
    """A position and what may be done in it."""

    fen: str
    turn: Side
    ply: int
    pieces: list[PieceOn]
    turn_plies: list[str]
    plies_left: int
    moved: list[str]
    in_command: list[str] | None
    check: list[str]
    legal: list[LegalPly]
    last: list[str]
    claimable: list[str]


class PositionAsked(Asked, kw_only=True):
    """Which position is asked for."""

    game: Annotated[str, Meta(min_length=1, max_length=400)]
    options: dict[Name, Name] = {}
    setup: SetupName | None = None
    fen: Fen | None = None
    plies: Annotated[list[PlyText], Meta(max_length=2000)] = []


class ReachAsked(Asked, kw_only=True):
    """Which piece's ways are asked for."""

    game: Annotated[str, Meta(min_length=1, max_length=400)]
    options: dict[Name, Name] = {}
    fen: Fen
    square: Annotated[str, Meta(min_length=2, max_length=3)]


# Matches.


class GameChoice(Asked):
    """A game and its options."""

    game: Identifier
    options: Annotated[dict[Name, Name], Meta(max_length=32)] = {}


class NoTime(Asked, tag="none", tag_field="kind"):
    """No clock."""


class Fischer(Asked, tag="fischer", tag_field="kind"):
    """Time for the game, and more with every turn."""

    initial_ms: Annotated[int, Meta(ge=1_000, le=24 * 3_600_000)]
    increment_ms: Annotated[int, Meta(ge=0, le=600_000)]


class ByoYomi(Asked, tag="byoyomi", tag_field="kind"):
    """Time for the game, then periods of which each lasts for a turn."""

    initial_ms: Annotated[int, Meta(ge=0, le=24 * 3_600_000)]
    period_ms: Annotated[int, Meta(ge=1_000, le=600_000)]
    periods: Annotated[int, Meta(ge=1, le=20)]


class Correspondence(Asked, tag="correspondence", tag_field="kind"):
    """Days for every turn, and days for the match that are taken when those are over."""

    days_per_turn: Annotated[int, Meta(ge=1, le=30)]
    reserve_days: Annotated[int, Meta(ge=0, le=90)]


TimeControl = Union[NoTime, Fischer, ByoYomi, Correspondence]  # noqa: UP007 - msgspec reads it at run time


class EngineOpponent(Asked, tag="engine", tag_field="kind"):
    """A level of the engine."""

    level: Annotated[int, Meta(ge=1, le=10)]


class Friend(Asked, tag="friend", tag_field="kind"):
    """Whoever has the link."""


class Anybody(Asked, tag="lobby", tag_field="kind"):
    """Whoever accepts the open challenge."""


class Oneself(Asked, tag="self", tag_field="kind"):
    """Two at one board."""


Opponent = Union[EngineOpponent, Friend, Anybody, Oneself]  # noqa: UP007


class NewMatch(Asked, kw_only=True):
    """A match to begin. ``setup`` is a name, or who chooses."""

    game: GameChoice
    opponent: Opponent
    side: Literal["white", "black", "random"] = "random"
    time: TimeControl
    setup: SetupName | None = None
    hints: bool = False


class MatchCreated(Said):
    """A match that has begun, and the secret that takes the other seat."""

    match: str
    invite: str | None


class Invite(Asked):
    """The secret that takes a seat."""

    invite: Identifier


class Player(Said):
    """Who sits on a side."""

    name: str
    kind: Literal["guest", "engine", "nobody"]
    level: int | None
    online: bool


class Periods(Said):
    """Periods of byo-yomi left."""

    white: int
    black: int


class Reserve(Said):
    """Milliseconds of correspondence on top of the days of a turn."""

    white: int
    black: int


class Clock(Said):
    """Time left at a moment."""

    white_ms: int
    black_ms: int
    running: Side | None
    periods: Periods | None
    reserve: Reserve | None
    at: int


class PlyMade(Said):
    """A ply that was made."""

    ply: str
    san: str
    side: Side
    turn: int
    spent_ms: int


class Ending(Said):
    """How a match ended."""

    reason: str
    winner: Side | None
    score: str
    result: Literal["1-0", "0-1", "1/2-1/2", "*"]


class Offer(Said):
    """What a side has offered."""

    what: What
    by: Side
    plies: int | None = None


class ChatLine(Said):
    """What somebody wrote."""

    id: int
    by: Speaker
    name: str
    text: str
    at: int


class MatchGame(Said):
    """The game of a match."""

    game: str
    options: dict[str, str]
    name: str
    rules_hash: str


class Players(Said):
    """Who plays."""

    white: Player
    black: Player


class Snapshot(Said, tag="snapshot"):
    """Everything of a match, as the asker may see it."""

    match: str
    number: int
    game: MatchGame
    phase: Phase
    seat: Literal["white", "black", "both"] | None
    players: Players
    time: TimeControl
    clock: Clock | None
    setup: str | None
    start_fen: str
    plies: list[PlyMade]
    position: Position
    offers: list[Offer]
    ending: Ending | None
    rematch: str | None
    chat: list[ChatLine]
    hints: bool
    watchers: int
    may: list[str]


# The socket of a match.


class Hello(Asked, tag="hello"):
    """The first message: who is there, and the last event seen."""

    token: Annotated[str, Meta(max_length=200)] | None = None
    after: Number | None = None


class Ply(Asked, tag="ply"):
    """Make a ply."""

    ply: PlyText
    number: Number
    id: Id


class Undo(Asked, tag="undo"):
    """Take back the last ply of one's own unfinished turn."""

    number: Number
    id: Id


class ChooseSetup(Asked, tag="setup"):
    """Choose the setup."""

    name: SetupName
    number: Number
    id: Id


class MakeOffer(Asked, tag="offer"):
    """Offer something."""

    what: What
    id: Id


class Answer(Asked, tag="answer"):
    """Answer an offer."""

    what: What
    accept: bool
    id: Id


class Claim(Asked, tag="claim"):
    """Claim a draw, or the match since the opponent has left."""

    what: Literal["draw", "left"]
    id: Id


class Resign(Asked, tag="resign"):
    """Resign."""

    id: Id


class Abort(Asked, tag="abort"):
    """Give the match up before it has begun in earnest."""

    id: Id


class Hint(Asked, tag="hint"):
    """Ask the engine what it would play."""

    id: Id


class Chat(Asked, tag="chat"):
    """Write to the others."""

    text: Annotated[str, Meta(min_length=1, max_length=300)]
    id: Id


class Ping(Asked, tag="ping"):
    """Ask for the server's time, and tell how long the last answer took."""

    at: Annotated[float, Meta(ge=0, le=2**53)]
    rtt: Annotated[float, Meta(ge=0, le=3_600_000)] | None = None


ToServer = Union[  # noqa: UP007
    Hello, Ply, Undo, ChooseSetup, MakeOffer, Answer, Claim, Resign, Abort, Hint, Chat, Ping
]


class Update(Said, tag="update", kw_only=True):
    """What an event changed."""

    number: int
    event: EventKind
    made: PlyMade | None = None
    position: Position | None = None
    clock: Clock | None = None
    phase: Phase
    offers: list[Offer]
    ending: Ending | None = None
    rematch: str | None = None
    may: list[str]


class ChatSaid(Said, tag="chat"):
    """Somebody wrote."""

    line: ChatLine


class Presence(Said, tag="presence"):
    """Who is there, and when one may claim that the opponent has left."""

    white: bool
    black: bool
    watchers: int
    left_claim_at: int | None


class HintGiven(Said, tag="hint"):
    """The turn that the engine would play."""

    id: str
    plies: list[str]
    san: list[str]


class Ack(Said, tag="ack"):
    """The event was stored."""

    id: str
    number: int


class Refused(Said, tag="refused"):
    """Nothing has changed."""

    id: str | None
    error: Problem


class Pong(Said, tag="pong"):
    """The server's time."""

    at: float
    now: int


# People, lobby, watching.


class NewGuest(Asked):
    """A guest to be."""

    name: Name | None = None


class Rename(Asked):
    """A new name."""

    name: Name


class Guest(Said, omit_defaults=True):
    """A guest; the token is told once."""

    id: str
    name: str
    token: str | None = None


class CardGame(Said):
    """The game on a card."""

    id: str
    name: str
    files: int
    ranks: int


class Names(Said):
    """The players on a card."""

    white: str
    black: str


class MatchCard(Said):
    """A match in a list."""

    match: str
    game: CardGame
    players: Names
    time: TimeControl
    phase: Phase
    ply: int
    fen: str
    your_turn: bool | None
    ending: Ending | None
    at: int


class ChallengeGame(Said):
    """The game of a challenge."""

    game: str
    options: dict[str, str]
    name: str


class Challenge(Said):
    """An open challenge."""

    match: str
    by: str
    mine: bool
    game: ChallengeGame
    side: Literal["white", "black", "random"]
    time: TimeControl
    at: int


class Lobby(Said, tag="lobby"):
    """The open challenges."""

    challenges: list[Challenge]
