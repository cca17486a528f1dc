"""Tournaments: how they are made, and their state. Players are numbered in the order in which they enter."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, field

from acedrex.server.wire.matches import ByoYomi, Correspondence, Fischer, GameChoice
from acedrex.server.wire.ratings import Rating
from acedrex.server.wire.vocabulary import Fen, Moment, Request, Response, SetupName
from acedrex.shapes import Side

TournamentKind = Literal["arena", "swiss", "round_robin", "knockout", "simul"]
TournamentPhase = Literal["open", "running", "over", "cancelled"]
#: As FIDE's handbook names them: Buchholz, Buchholz cut 1, Sonneborn-Berger, direct encounter, number of wins, number
#: of games won, progressive score, Koya, and the points of all games where a pair plays several.
TieBreak = Literal["BH", "BH-C1", "SB", "DE", "WIN", "WON", "PS", "KS", "GP"]
PlayerCount = Annotated[int, Meta(ge=2, le=256)]
PlayerNumber = Annotated[int, Meta(ge=1, le=1_000)]
DayCount = Annotated[int, Meta(ge=1, le=60)]


class TournamentSettings(Request, kw_only=True):
    """How a tournament is played.

    A tournament with one ``setup``, or one starting position, is thematic.
    """

    kind: TournamentKind
    game: GameChoice
    time: Fischer | ByoYomi | Correspondence
    #: When it starts, or at the earliest.
    starts_at: Moment
    rated: bool = False
    #: A setup, or who chooses it, as for a match; in tournaments never the engine.
    setup: SetupName | None = None
    fen: Fen | None = None
    #: Games of each pair, with alternate colours; of a knockout the best of these.
    games: Annotated[int, Meta(ge=1, le=9)] = 1
    max_players: PlayerCount = 64
    #: Rounds of a Swiss.
    rounds: Annotated[int, Meta(ge=1, le=15)] = 5
    #: How often each pair of a round robin meets.
    cycles: Annotated[int, Meta(ge=1, le=2)] = 1
    #: The length of an arena.
    minutes: Annotated[int, Meta(ge=5, le=720)] = 60
    #: Seconds between two rounds.
    pause_s: Annotated[int, Meta(ge=0, le=3_600)] = 30
    #: The days in which the players of a pair agree on a time to play; without it, games begin with their round.
    appointment_days: DayCount | None = None
    #: The side of the host of a simul; with nothing it alternates from board to board.
    host_side: Side | None = None
    #: The number of players up to which house engines enter at the start.
    fill: Annotated[int, Meta(ge=0, le=16)] = 0
    #: Whether players may enter after the start, and how many rounds a player may sit out for half a point each.
    late_entry: bool = True
    byes: Annotated[int, Meta(ge=0, le=3)] = 1
    tie_breaks: Annotated[list[TieBreak], Meta(max_length=6)] = field(default_factory=list)


class NewTournament(Request, kw_only=True):
    """A tournament to make."""

    name: Annotated[str, Meta(min_length=3, max_length=60)]
    description: Annotated[str, Meta(max_length=1_000)] = ""
    settings: TournamentSettings


class TournamentMade(Response):
    """A tournament that was made."""

    tournament: str


class TournamentCard(Response):
    """A tournament in a list."""

    tournament: str
    name: str
    kind: TournamentKind
    #: The name of the game.
    game: str
    time: Fischer | ByoYomi | Correspondence
    by_appointment: bool
    rated: bool
    phase: TournamentPhase
    starts_at: int
    players: int
    max_players: int
    #: The round that is played, or 0 if all are played together, and how many there are; none in an arena.
    round: int
    rounds: int | None
    #: The name of the first, once it is over.
    winner: str | None
    #: Whether one takes part.
    mine: bool


class TournamentLimits(Response):
    """The most players of a kind of tournaments, and its usual tie-breaks, if it has any."""

    kind: TournamentKind
    max_players: int
    tie_breaks: list[TieBreak]


class TournamentList(Response):
    """The tournaments that are played, those to come, and the latest that are over; and what one may make."""

    running: list[TournamentCard]
    coming: list[TournamentCard]
    over: list[TournamentCard]
    more: bool
    may_make: bool
    kinds: list[TournamentLimits]
    tie_breaks: list[TieBreak]


class RoundResult(Response):
    """What a player did in a round, or in an arena in a game."""

    round: int
    #: Nobody without an opponent: after a bye, or who was not there.
    opponent: int | None
    side: Side | None
    #: What it was worth; nothing yet while it is played.
    points: float | None
    #: Whether nothing was played: a bye, or a game without a move of each side.
    unplayed: bool
    #: The board, for its games.
    board: int | None


class TournamentPlayer(Response):
    """A player and where they stand."""

    player: int
    name: str
    #: The name of the account, and the id of a house engine.
    profile: str | None
    house: str | None
    rating: Rating
    rank: int
    #: In a knockout the number of rounds that they have passed.
    points: float
    #: In the order of the tournament's tie-breaks.
    tie_breaks: list[float]
    #: Whether they still play.
    active: bool
    #: In an arena, whether they have won their last two games, so that points count double.
    on_fire: bool
    results: list[RoundResult]


class TournamentGame(Response):
    """A game of a pair, and its result as the first player's share of the points, once it is over."""

    match: str
    white: int
    points: float | None


class TournamentBoard(Response):
    """A pair of a round and its games."""

    board: int
    round: int
    players: list[int]
    games: list[TournamentGame]
    #: The points of the pair, once it is decided.
    points: list[float] | None
    #: By appointment: when they play, as soon as they have agreed; by when they must; and who of them is there.
    appointment: int | None
    until: int | None
    there: list[int]


class Tournament(Response):
    """A tournament as everybody sees it."""

    tournament: str
    #: The number of the last event.
    number: int
    name: str
    description: str
    #: Who made it, and hosts a simul; nobody if they are gone.
    by: str | None
    profile: str | None
    settings: TournamentSettings
    #: The name of the game.
    game: str
    phase: TournamentPhase
    starts_at: int
    #: When an arena ends.
    ends_at: int | None
    round: int
    rounds: int | None
    #: When the next round is paired.
    next_round_at: int | None
    #: In order of their places.
    players: list[TournamentPlayer]
    #: In an arena only those in progress and the latest.
    boards: list[TournamentBoard]
    #: Of a knockout: who is in which place before each round, as far as that is known, and at the end the winner.
    #: Neighbours meet; in the first round nobody stands for a bye.
    bracket: list[list[int | None]]
    tie_breaks: list[TieBreak]


class ProposedTimes(Response):
    """When a player could play."""

    player: int
    times: list[int]


class BoardTalk(Response):
    """What the players of a pair have proposed to each other."""

    board: int
    proposals: list[ProposedTimes]


TournamentMay = Literal["enter", "withdraw", "bye", "edit"]


class OwnTournament(Response):
    """What a person is and may do in a tournament."""

    player: int | None
    may: list[TournamentMay]
    #: The rounds that one sits out for half a point.
    byes: list[int]
    talks: list[BoardTalk]


class ByeWish(Request):
    """A round that one wants to sit out for half a point."""

    round: Annotated[int, Meta(ge=1, le=15)]


class TimesProposed(Request):
    """When one could play the games of a pair."""

    times: Annotated[list[Moment], Meta(min_length=1, max_length=5)]


class TimeAccepted(Request):
    """A time that the opponent has proposed."""

    at: Moment


class BoardRuling(Request):
    """How the organiser decides a pair that was not played: who gets the point, or nobody."""

    winner: PlayerNumber | None


class TournamentDescription(Request):
    """A new name and description."""

    name: Annotated[str, Meta(min_length=3, max_length=60)]
    description: Annotated[str, Meta(max_length=1_000)]


class TournamentStart(Request):
    """When a tournament is to start."""

    at: Moment


class OwnCalendar(Response):
    """Whether one has a calendar of one's own; and its address with a secret, when it is made."""

    exists: bool
    path: str | None


class TournamentNews(Response, tag="tournament"):
    """A tournament has changed."""

    #: With ``since``, it has only the players and boards that have changed, apart from the players' ranks.
    tournament: Tournament
    #: The number of the event after which they changed.
    since: int | None
    #: With ``since``, all players by place and their ranks, and all boards that are listed.
    order: list[int]
    ranks: list[int]
    listed: list[int]
