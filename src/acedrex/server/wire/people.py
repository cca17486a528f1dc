"""People, and lists of matches."""

from __future__ import annotations

from msgspec import field

from acedrex.server.wire.matches import Ending, SideChoice, TimeControl
from acedrex.server.wire.ratings import Rating
from acedrex.server.wire.tournaments import TournamentCard
from acedrex.server.wire.vocabulary import Identifier, Name, PasskeyProof, Password, Phase, Request, Response


class NewGuest(Request):
    """A guest to create."""

    name: Name | None = None


class Rename(Request):
    """A new name."""

    name: Name


class Deletion(Request):
    """A confirmation that everything about a person is to be deleted.

    It has their id and, with an account, the password or what a passkey has signed.
    """

    id: Identifier
    password: Password | None = None
    passkey: PasskeyProof | None = None


class Kept(Response):
    """For how many days data is kept that is deleted by itself."""

    #: Challenges without an opponent, and matches that ended before the first move.
    unplayed: int
    #: Analyses of whole games.
    analyses: int
    #: Guests who have never played, imported, solved, written or created anything.
    unused: int
    #: Reports about people that a moderator has handled.
    reports: int


class Person(Response, omit_defaults=True):
    """A person, by default a guest; the token of the session is shown only once."""

    id: str
    name: str
    account: bool = False
    token: str | None = None


class CardGame(Response):
    """The game on a card."""

    id: str
    name: str
    files: int
    ranks: int


class Names(Response):
    """The players on a card."""

    white: str
    black: str


class Profiles(Response, omit_defaults=True):
    """The names of the players' accounts, for links to their profiles."""

    white: str | None = None
    black: str | None = None


class MatchCard(Response):
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
    rated: bool
    #: When the time of the side to move runs out.
    deadline: int | None = None
    profiles: Profiles = field(default_factory=Profiles)


class Here(Response):
    """Who is here."""

    #: People connected, or seen lately.
    people: int
    #: Public matches in progress, as many as the list to watch has.
    playing: int
    #: One of them.
    live: MatchCard | None
    #: A tournament that is played, or else the next.
    tournament: TournamentCard | None


class ChallengeGame(Response):
    """The game of a challenge."""

    game: str
    options: dict[str, str]
    name: str


class Challenge(Response):
    """An open challenge."""

    match: str
    by: str
    mine: bool
    game: ChallengeGame
    rated: bool
    #: The rating of who made it.
    rating: Rating | None
    side: SideChoice
    time: TimeControl
    at: int
    #: The name of the account of who made it.
    profile: str | None = None


class Lobby(Response, tag="lobby"):
    """The open challenges."""

    challenges: list[Challenge]
