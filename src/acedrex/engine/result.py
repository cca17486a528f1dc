"""What an engine tells: scores, lines and the turn it would play."""

from __future__ import annotations

import functools
from dataclasses import dataclass, field
from typing import NamedTuple

from acedrex._native import Move


class Wdl(NamedTuple):
    """Chances of winning, drawing and losing, in thousandths.

    >>> Wdl(600, 300, 100).expectation()
    0.75
    """

    wins: int
    draws: int
    losses: int

    def total(self) -> int:
        """Sum them up."""
        return self.wins + self.draws + self.losses

    def winning_chance(self) -> float:
        """Return the share of wins, from 0 to 1."""
        return self.wins / self.total()

    def drawing_chance(self) -> float:
        """Return the share of draws, from 0 to 1."""
        return self.draws / self.total()

    def losing_chance(self) -> float:
        """Return the share of losses, from 0 to 1."""
        return self.losses / self.total()

    def expectation(self) -> float:
        """Return the points expected, from 0 to 1, with half a point for a draw."""
        return (self.wins + self.draws / 2) / self.total()

    def __neg__(self) -> Wdl:
        """See them from the other side."""
        return Wdl(self.losses, self.draws, self.wins)


@functools.total_ordering
@dataclass(frozen=True, slots=True)
class Score:
    """A score as the side to move sees it: centipawns, or a mate counted in turns. Exactly one of the two is there.

    The better is greater: a mate than any centipawns, the quicker mate than the slower, and being mated late than soon.

    >>> Score(cp=35)
    Score(cp=35)
    >>> -Score(mate=3)
    Score(mate=-3)
    >>> sorted([Score(mate=2), Score(cp=10), Score(mate=-1), Score(mate=5), Score(mate=-4)])
    [Score(mate=-1), Score(mate=-4), Score(cp=10), Score(mate=5), Score(mate=2)]
    """

    cp: int | None = None
    """Hundredths of a Pawn or of the game's like of it."""
    mate: int | None = None
    """Turns until mate or the capture of the last royal piece: positive for the side to move, negative against it,
    0 if it is mated already."""
    wdl: Wdl | None = field(default=None, compare=False)
    """The chances that go with the score: by a rule of thumb, or what another program says."""

    def is_mate(self) -> bool:
        """Return whether it is a mate."""
        return self.mate is not None

    def score(self, *, mate_score: int | None = None) -> int | None:
        """Return the centipawns; for a mate ``mate_score`` less its turns, or ``None`` without one.

        >>> Score(cp=-50).score(), Score(mate=3).score(), Score(mate=3).score(mate_score=100_000)
        (-50, None, 99997)
        >>> Score(mate=-3).score(mate_score=100_000), Score(mate=0).score(mate_score=100_000)
        (-99997, -100000)
        """
        if self.mate is None:
            return self.cp
        if mate_score is None:
            return None
        return mate_score - self.mate if self.mate > 0 else -mate_score - self.mate

    def _order(self) -> tuple[int, int]:
        if self.mate is None:
            return 0, self.cp or 0
        return (1 if self.mate > 0 else -1), -self.mate

    def __lt__(self, other: object) -> bool:
        return self._order() < other._order() if isinstance(other, Score) else NotImplemented

    def __neg__(self) -> Score:
        """See it from the other side."""
        wdl = None if self.wdl is None else -self.wdl
        return Score(None if self.cp is None else -self.cp, None if self.mate is None else -self.mate, wdl)

    def __repr__(self) -> str:
        """Show which of the two it is."""
        return f"Score(cp={self.cp})" if self.mate is None else f"Score(mate={self.mate})"


@dataclass(frozen=True, slots=True)
class PovScore:
    """A score with the side that sees it so.

    >>> score = PovScore(Score(cp=35), turn=False)
    >>> score.white(), score.black(), score.pov(True)
    (Score(cp=-35), Score(cp=35), Score(cp=-35))
    """

    relative: Score
    """The score as the side sees it."""
    turn: bool
    """The side, ``True`` for White."""

    def white(self) -> Score:
        """See it as White does."""
        return self.pov(True)

    def black(self) -> Score:
        """See it as Black does."""
        return self.pov(False)

    def pov(self, color: bool) -> Score:
        """See it as a side does."""
        return self.relative if self.turn == color else -self.relative

    def is_mate(self) -> bool:
        """Return whether it is a mate."""
        return self.relative.is_mate()


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
    turn: bool = True
    """The side to move, whose score it is."""
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
    """The line expected, as moves: legal to its end."""
    pv_san: str
    """The line in SAN, with move numbers."""

    def pov_score(self) -> PovScore:
        """Return the score with its side, so that it can be seen by either.

        >>> import acedrex
        >>> board = acedrex.Board("chess", "6k1/8/5KQ1/8/8/8/8/8 b - - 0 1")
        >>> with acedrex.Engine(hash_mb=16) as engine:
        ...     [info] = engine.analyse(board, acedrex.Limit(depth=4))
        >>> info.score.mate, info.pov_score().white().mate, info.pov_score().is_mate()
        (-1, 1, True)
        """
        return PovScore(self.score, self.turn)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayResult:
    """What an engine would play."""

    moves: tuple[Move, ...]
    """The whole turn: one move in most games, an early ``end`` included; empty if the game is over."""
    ponder: tuple[Move, ...] = ()
    """The answer it expects: a whole turn, or nothing."""
    info: Info | None = None
    """How the search ended; nothing if there was nothing to search."""

    @property
    def move(self) -> Move | None:
        """The first move of the turn; None if the game is over."""
        return self.moves[0] if self.moves else None
