"""How games end: the reason, the winner and the score."""

from __future__ import annotations

from dataclasses import dataclass, field

from acedrex import _native
from acedrex.termination import Termination

__all__ = ["Outcome", "Termination", "ending_text", "reason_text"]


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended: the reason, the winner (``None`` for a draw), and the score (``3-1`` with four points)."""

    termination: Termination
    winner: bool | None
    score: str
    #: The game's limit for this kind of draw, as in :attr:`acedrex.Game.draw_limits`; ``None`` for other endings.
    limit: int | None = field(default=None, compare=False, repr=False)

    def result(self) -> str:
        """Return the result as PGN writes it: ``1-0``, ``0-1`` or ``1/2-1/2``."""
        return {True: "1-0", False: "0-1", None: "1/2-1/2"}[self.winner]

    def text(self, language: str = "en") -> str:
        """Return why the game ended and who won, with the score if it is not that of chess.

        >>> Outcome(Termination.CHECKMATE, True, "1-0").text(), Outcome(Termination.STALEMATE, False, "1-3").text("fr")
        ('Checkmate. White wins.', 'Pat. Les Noirs gagnent (1-3).')

        :param language: a language of :func:`acedrex.languages`; others are answered in English.
        """
        return ending_text(self.termination.value, self.winner, self.score, self.limit, language)


def reason_text(reason: str, limit: int | None = None, language: str = "en") -> str:
    """Return in a few words why a game ended, or may end.

    >>> reason_text("no_moves"), reason_text("fivefold_repetition", 2), reason_text("seventyfive_moves", 120, "fr")
    ('no legal moves', '2-fold repetition', 'règle des 60 coups')

    :param reason: the value of a :class:`Termination`, or another name of an ending, which is returned with spaces.
    :param limit: the limit in :attr:`acedrex.Game.draw_limits`, if there is one.
    :param language: a language of :func:`acedrex.languages`; others are answered in English.
    """
    return _native.reason_text(reason, limit or 0, language)


def ending_text(reason: str, winner: bool | None, score: str, limit: int | None = None, language: str = "en") -> str:
    """Return why a game ended and who won, as :meth:`Outcome.text`, also for reasons that no board knows.

    >>> ending_text("recorded", True, "3-1")
    'According to the PGN. White wins (3-1).'

    :param reason: as for :func:`reason_text`, or ``recorded``.
    :param winner: the side that won; ``None`` for a draw.
    :param score: the score, as in :class:`Outcome`.
    :param limit: as for :func:`reason_text`.
    :param language: as for :func:`reason_text`.
    """
    return _native.ending_text(reason, winner, score, limit or 0, language)
