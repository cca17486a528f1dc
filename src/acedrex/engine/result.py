"""What an engine tells: scores, lines and the turn it would play."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from acedrex._native import Move


class Wdl(NamedTuple):
    """Chances of winning, drawing and losing, in thousandths."""

    wins: int
    draws: int
    losses: int


@dataclass(frozen=True, slots=True)
class Score:
    """A score as the side to move sees it: centipawns, or a mate counted in turns. Exactly one of the two is there.

    >>> Score(cp=35)
    Score(cp=35)
    >>> -Score(mate=3)
    Score(mate=-3)
    """

    cp: int | None = None
    """Hundredths of a Pawn or of the game's like of it."""
    mate: int | None = None
    """Turns until mate or the capture of the last royal piece, positive for the side to move, negative against it."""
    wdl: Wdl | None = field(default=None, compare=False)
    """The chances that go with the score: by a rule of thumb, or what another program says."""

    def __neg__(self) -> Score:
        """See it from the other side."""
        wdl = None if self.wdl is None else Wdl(self.wdl.losses, self.wdl.draws, self.wdl.wins)
        return Score(None if self.cp is None else -self.cp, None if self.mate is None else -self.mate, wdl)

    def __repr__(self) -> str:
        """Show which of the two it is."""
        return f"Score(cp={self.cp})" if self.mate is None else f"Score(mate={self.mate})"


@dataclass(frozen=True, slots=True, kw_only=True)
class Info:
    """How far a search has come, or how it ended."""

    depth: int
    """Plies searched in full."""
    seldepth: int
    """Plies of the longest line looked at."""
    multipv: int = 1
    """The line's rank, from 1."""
    score: Score
    bound: str | None = None
    """``"lower"`` or ``"upper"`` if the score is only a bound."""
    nodes: int
    nps: int
    """Nodes a second."""
    time: float
    """Seconds since the search began."""
    hashfull: int
    """Thousandths of the hash table in use."""
    pv: tuple[Move, ...]
    """The line expected, as plies: legal to its end."""
    pv_san: str
    """The line in SAN, with move numbers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayResult:
    """What an engine would play."""

    plies: tuple[Move, ...]
    """The whole turn: one ply in most games, an early ``end`` included; empty if the game is over."""
    ponder: tuple[Move, ...] = ()
    """The answer it expects: a whole turn, or nothing."""
    info: Info | None = None
    """How the search ended; nothing if there was nothing to search."""

    @property
    def move(self) -> Move | None:
        """The first ply of the turn; None if the game is over."""
        return self.plies[0] if self.plies else None
