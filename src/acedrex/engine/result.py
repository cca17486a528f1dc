"""The results of an engine: scores, lines and the turn to play."""

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
        """Return the sum of the three numbers."""
        return self.wins + self.draws + self.losses

    def winning_chance(self) -> float:
        """Return the probability of winning, from 0 to 1."""
        return self.wins / self.total()

    def drawing_chance(self) -> float:
        """Return the probability of a draw, from 0 to 1."""
        return self.draws / self.total()

    def losing_chance(self) -> float:
        """Return the probability of losing, from 0 to 1."""
        return self.losses / self.total()

    def expectation(self) -> float:
        """Return the expected score, from 0 to 1, with half a point for a draw."""
        return (self.wins + self.draws / 2) / self.total()

    def __neg__(self) -> Wdl:
        """Return the chances from the other side's point of view."""
        return Wdl(self.losses, self.draws, self.wins)


@functools.total_ordering
@dataclass(frozen=True, slots=True)
class Score:
    """A score from the point of view of the side to move: either centipawns or turns to mate.

    Better scores are greater: a mate than any centipawns, a faster mate than a slower one, and being mated later than
    sooner.

    >>> Score(cp=35)
    Score(cp=35)
    >>> -Score(mate=3)
    Score(mate=-3)
    >>> sorted([Score(mate=2), Score(cp=10), Score(mate=-1), Score(mate=5), Score(mate=-4)])
    [Score(mate=-1), Score(mate=-4), Score(cp=10), Score(mate=5), Score(mate=2)]
    """

    cp: int | None = None
    """Hundredths of a Pawn, or of the comparable piece of the game."""
    mate: int | None = None
    """Turns until mate or the capture of the last royal piece: positive if the side to move wins, negative if it
    loses, 0 if it is already mated."""
    wdl: Wdl | None = field(default=None, compare=False)
    """The chances for this score: estimated by our engine, or reported by another program."""

    def is_mate(self) -> bool:
        """Return whether the score is a mate."""
        return self.mate is not None

    def score(self, *, mate_score: int | None = None) -> int | None:
        """Return the centipawns; for a mate, ``mate_score`` minus its turns, or ``None`` without ``mate_score``.

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
        """Return the score from the other side's point of view; ``Score(mate=0)``, already mated, stays as it is."""
        wdl = None if self.wdl is None else -self.wdl
        return Score(None if self.cp is None else -self.cp, None if self.mate is None else -self.mate, wdl)

    def __repr__(self) -> str:
        """Show the centipawns or the mate."""
        return f"Score(cp={self.cp})" if self.mate is None else f"Score(mate={self.mate})"


@dataclass(frozen=True, slots=True)
class PovScore:
    """A score with its point of view.

    >>> score = PovScore(Score(cp=35), turn=False)
    >>> score.white(), score.black(), score.pov(True)
    (Score(cp=-35), Score(cp=35), Score(cp=-35))
    """

    relative: Score
    """The score from the point of view of :attr:`turn`."""
    turn: bool
    """The side, ``True`` for White."""

    def white(self) -> Score:
        """Return the score from White's point of view."""
        return self.pov(True)

    def black(self) -> Score:
        """Return the score from Black's point of view."""
        return self.pov(False)

    def pov(self, color: bool) -> Score:
        """Return the score from a side's point of view."""
        return self.relative if self.turn == color else -self.relative

    def is_mate(self) -> bool:
        """Return whether the score is a mate."""
        return self.relative.is_mate()


@dataclass(frozen=True, slots=True, kw_only=True)
class Info:
    """The state of a search: its depth, score, counts and principal variation."""

    depth: int
    """The depth searched in full, in half-moves."""
    seldepth: int
    """The length of the longest line searched, in half-moves."""
    multipv: int = 1
    """The rank of the line, from 1."""
    score: Score
    turn: bool = True
    """The side to move, from whose point of view the score is."""
    bound: str | None = None
    """``"lower"`` or ``"upper"`` if the score is only a bound."""
    nodes: int
    nps: int
    """Nodes per second."""
    time: float
    """Seconds since the search began."""
    hashfull: int
    """How full the hash table is, in thousandths."""
    pv: tuple[Move, ...]
    """The principal variation: legal moves."""
    pv_san: str
    """The principal variation in SAN, with move numbers."""

    def pov_score(self) -> PovScore:
        """Return the score with its point of view.

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
    """The turn that an engine would play."""

    moves: tuple[Move, ...]
    """The whole turn: one move in most games, including an early ``end``; empty if the game is over."""
    ponder: tuple[Move, ...] = ()
    """The expected reply: a whole turn, or nothing."""
    info: Info | None = None
    """The last state of the search; ``None`` if there was nothing to search."""

    @property
    def move(self) -> Move | None:
        """The first move of the turn; ``None`` if the game is over."""
        return self.moves[0] if self.moves else None
