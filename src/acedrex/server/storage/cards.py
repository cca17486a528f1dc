"""Cards: the summary of a match for lists, stored beside its events."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import Struct

from acedrex.server import wire
from acedrex.server.match import events
from acedrex.server.match.state import SIDES, Match
from acedrex.server.storage.store import NEW_EVENT, NEW_MATCH, UPDATE_MATCH, Step
from acedrex.server.wire import Phase, Side, SideChoice, TimeControl

#: Milliseconds in which players connect to a match before they are notified of it, and in which an open challenge may
#: be accepted before others are.
GRACE, UNANSWERED = 3_000, 20_000


class Card(Struct, frozen=True):
    """The summary of a match, for all requesters."""

    match: str
    game: wire.CardGame
    options: dict[str, str]
    players: wire.Names
    people: tuple[str | None, str | None]
    time: TimeControl
    side: SideChoice
    phase: Phase
    turn: Side
    ply: int
    fen: str
    ending: wire.Ending | None
    at: int
    #: The starting position, if it is neither the standard one nor a setup.
    start_fen: str | None = None
    rated: bool = False
    #: The number of turns that were finished.
    turns: int = 0
    #: When the time of the side to move runs out.
    deadline: int | None = None

    def match_card(self, person: str | None) -> wire.MatchCard:
        """Return the card as seen by a person."""
        yours = None
        if person is not None and person in self.people:
            seats = {side for side, player in zip(SIDES, self.people, strict=True) if player == person}
            yours = self.acting in seats
        return wire.MatchCard(
            self.match,
            self.game,
            self.players,
            self.time,
            self.phase,
            self.ply,
            self.fen,
            yours,
            self.ending,
            self.at,
            self.rated,
            self.deadline,
        )

    @property
    def is_live(self) -> bool:
        """Whether the players are to be there until it is over."""
        return not isinstance(self.time, wire.Correspondence | wire.NoTime)

    @property
    def acting(self) -> Side | None:
        """The side that must move, or choose the setup, if one must."""
        return {"setup": "black", "play": self.turn}.get(self.phase)

    def player(self, side: Side) -> str | None:
        """Return the id of the player of a side."""
        return self.people[SIDES.index(side)]

    @property
    def by(self) -> str | None:
        """The person who made an open challenge."""
        return self.people[0] or self.people[1]

    def challenge(self, person: str | None, rating: wire.Rating | None) -> wire.Challenge:
        """Return the open challenge as seen by a person."""
        by = self.players.white or self.players.black
        game = wire.ChallengeGame(self.game.id, self.options, self.game.name)
        mine = person is not None and person in self.people
        return wire.Challenge(self.match, by, mine, game, self.rated, rating, self.side, self.time, self.at)


_encode = msgspec.json.Encoder().encode
read = msgspec.json.Decoder(Card).decode


def card(match: Match) -> Card:
    """Return the card of a match."""
    game, created = match.game, match.created
    white, black = (match.seats.get(side) for side in SIDES)
    return Card(
        match.id,
        wire.CardGame(game.id, game.name, game.files, game.ranks),
        created.options,
        wire.Names(white.name if white else "", black.name if black else ""),
        (white.person if white else None, black.person if black else None),
        created.time,
        created.side,
        match.phase,
        match.turn,
        len(match.moves),
        match.board.fen(),
        match.ending,
        match.at,
        created.fen,
        created.rated,
        match.turns,
        match.deadline,
    )


def renamed(text: str, person: str, id: str | None, name: str) -> str:
    """Return a stored card in which a person has another id and name; an empty object for one that is damaged."""
    try:
        found = read(text)
    except msgspec.MsgspecError:
        return "{}"
    white, black = (id == person for id in found.people)
    players = wire.Names(name if white else found.players.white, name if black else found.players.black)
    one, two = found.people
    people = (id if white else one, id if black else two)
    return _encode(msgspec.structs.replace(found, players=players, people=people)).decode()


def _row(match: Match) -> dict[str, Any]:
    white, black = (match.seats.get(side) for side in SIDES)
    return {
        "white": white and white.person,
        "black": black and black.person,
        "phase": match.phase,
        "deadline": match.deadline,
        "engine_due": match.engine_due,
        "number": match.number,
        "at": match.at,
        "card": _encode(card(match)).decode(),
        "notify_at": _notify_at(match),
    }


def _notify_at(match: Match) -> int | None:
    """Return when to consider whom to notify of a match between people, after its last event.

    Players of a live match are there from the second turn on.
    """
    created = match.created
    if created.opponent not in ("friend", "lobby"):
        return None
    if match.phase == "open":
        return match.at + UNANSWERED
    if match.phase == "over":
        return match.at + GRACE
    is_slow = isinstance(created.time, wire.Correspondence | wire.NoTime)
    return match.at + GRACE if is_slow or match.turns < 2 else None


def steps(match: Match, new: list[events.Event]) -> list[Step]:
    """Return the steps that store new events, which are the last of a match."""
    row = {f"_{name}": value for name, value in _row(match).items()}
    return [*_event_steps(match, new), (UPDATE_MATCH, {"_id": match.id, **row})]


def first_steps(
    match: Match,
    new: list[events.Event],
    creator: str,
    *,
    invite: str | None = None,
    asked: str | None = None,
    archived: bool | None = None,
) -> list[Step]:
    """Return the steps that store a new match.

    :param creator: the id of the person who creates it.
    :param invite: the hash of the invite.
    :param asked: the id of the only person who may take the free seat.
    :param archived: whether it is in the archive from the start.
    """
    row: dict[str, Any] = {
        "id": match.id,
        "opponent": match.created.opponent,
        "creator": creator,
        "invite_hash": invite,
    }
    row |= {"asked": asked, "archived": archived, "to_rate": match.created.rated or None}
    tournament = match.created.tournament
    row |= {"tournament": tournament, "to_report": None if tournament is None else True}
    return [*_event_steps(match, new), (NEW_MATCH, {**row, **_row(match)})]


def _event_steps(match: Match, new: list[events.Event]) -> list[Step]:
    first = match.number - len(new) + 1
    return [
        (NEW_EVENT, {"match": match.id, "number": first + place, "body": events.encode(event).decode()})
        for place, event in enumerate(new)
    ]
