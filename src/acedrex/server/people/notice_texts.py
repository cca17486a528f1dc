"""What notifications say, in the languages of the app."""

# ruff: noqa: RUF001 - French has typographic apostrophes.

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from acedrex.server.mail import Letter
from acedrex.server.wire import NotificationKind

#: What a reply is about.
What = Literal[
    "", "accepted", "over", "draw", "takeback", "rematch", "message", "start", "round", "times", "agreed", "appointment"
]

TEXTS = {
    "en": {
        "your_turn": "Your turn",
        "time_low": "Your time is running out",
        "challenge": "{by} challenges you",
        "lobby": "{by} is looking for an opponent",
        "reply.accepted": "{by} accepted your challenge",
        "reply.over": "The match against {by} is over",
        "reply.draw": "{by} offers a draw",
        "reply.takeback": "{by} requests a takeback",
        "reply.rematch": "{by} offers a rematch",
        "reply.message": "New message from {by}",
        "tournament.start": "{by} starts soon",
        "tournament.round": "Your game against {by} begins",
        "tournament.times": "{by} proposes times for your game",
        "tournament.agreed": "{by} agreed to play at your time",
        "tournament.appointment": "Your appointment with {by}",
        "in": "{game}, in {left}",
        "against": "{game} against {by}",
        "left": "{game} against {by}, {left} left",
        "mail": "{line}\n\n{link}\n\nTo stop these mails, open this link:\n{stop}\n",
    },
    "fr": {
        "your_turn": "À vous de jouer",
        "time_low": "Votre temps s’épuise",
        "challenge": "{by} vous défie",
        "lobby": "{by} cherche un adversaire",
        "reply.accepted": "{by} a accepté votre défi",
        "reply.over": "La partie contre {by} est terminée",
        "reply.draw": "{by} propose la nulle",
        "reply.takeback": "{by} demande à reprendre un coup",
        "reply.rematch": "{by} propose une revanche",
        "reply.message": "Nouveau message de {by}",
        "tournament.start": "{by} commence bientôt",
        "tournament.round": "Votre partie contre {by} commence",
        "tournament.times": "{by} propose des heures pour votre partie",
        "tournament.agreed": "{by} jouera à l’heure que vous avez proposée",
        "tournament.appointment": "Votre rendez-vous avec {by}",
        "in": "{game}, dans {left}",
        "against": "{game} contre {by}",
        "left": "{game} contre {by}, encore {left}",
        "mail": "{line}\n\n{link}\n\nPour ne plus recevoir ces messages, ouvrez ce lien :\n{stop}\n",
    },
}


class Notice(Struct, frozen=True, omit_defaults=True):
    """Something to notify a person of."""

    kind: NotificationKind
    #: The name of the opponent, or of whoever has written.
    by: str
    what: What = ""
    #: The match, the name of its game, the number of its finished turns, and when time runs out.
    match: str | None = None
    game: str = ""
    turn: int | None = None
    deadline: int | None = None
    #: The id of a message, and of whoever has written it.
    message: int | None = None
    sender: str | None = None
    #: A tournament, and the number of a board in it.
    tournament: str | None = None
    board: int | None = None

    @property
    def path(self) -> str:
        """The page of the app that shows what it is about."""
        if self.match is not None:
            return f"/match/{self.match}"
        return "/messages" if self.tournament is None else f"/tournaments/{self.tournament}"


def title(notice: Notice, language: str) -> str:
    """Return the title of a notification."""
    key = f"{notice.kind}.{notice.what}" if notice.what else notice.kind
    return TEXTS[language][key].format(by=notice.by)


def body(notice: Notice, language: str, moment: int) -> str:
    """Return the line below the title, as of a moment."""
    if notice.kind == "time_low" and notice.deadline is not None:
        left = time_left(max(0, notice.deadline - moment))
        return TEXTS[language]["left"].format(game=notice.game, by=notice.by, left=left)
    if notice.kind == "tournament" and notice.deadline is not None:
        left = time_left(max(0, notice.deadline - moment))
        return TEXTS[language]["in"].format(game=notice.game, left=left)
    return (
        TEXTS[language]["against"].format(game=notice.game, by=notice.by) if notice.kind == "your_turn" else notice.game
    )


def time_left(milliseconds: int) -> str:
    """Return how much time is left.

    >>> time_left(90 * 60_000), time_left(50 * 3_600_000), time_left(59_000)
    ('1 h', '50 h', '0 min')
    """
    minutes = milliseconds // 60_000
    return f"{minutes // 60} h" if minutes >= 60 else f"{minutes} min"


def letter(notice: Notice, language: str, moment: int, to: str, home: str, stop: str) -> Letter:
    """Return a notification as a mail.

    :param stop: what stands behind the addresses that stop these mails.
    """
    head, line = title(notice, language), body(notice, language, moment)
    text = TEXTS[language]["mail"].format(
        line=f"{head}: {line}" if line else head, link=f"{home}{notice.path}", stop=f"{home}/stop#{stop}"
    )
    return Letter(to, f"{head} · Acedrex", text, f"{home}/api/mail/stop?secret={stop}")
