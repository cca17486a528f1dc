"""What pieces are worth, from games with random handicaps."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from acedrex import _native
from acedrex.board import Board
from acedrex.errors import Error
from acedrex.game import Game, PieceType
from acedrex.lab import ordinal
from acedrex.lab.handicaps import LARGEST, Handicaps, is_null, is_small
from acedrex.lab.studies.plots import Interval
from acedrex.lab.studies.sample import Sample, share_interval

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Estimate", "Scale", "Values", "estimate_values", "plural"]

#: Samples of the bootstrap, and its seed.
SAMPLES, SEED = 400, 1
#: The quiet positions that a game contributes to the check.
QUIET = 4
#: Pieces are counted in a kind if its own slope is known this well: within half of it.
MOST_UNCERTAIN = 0.5
#: The fewest games from which values are estimated.
LEAST_GAMES = 100


@dataclass(frozen=True, slots=True)
class Scale:
    """What values count in."""

    kind: PieceType
    worth: float
    """What one of this kind is worth."""

    @property
    def words(self) -> str:
        """What the scale is called, such as *Pawns* or *Rook = 5*."""
        return plural(self.kind) if self.worth == 1 else f"{self.kind.name} = {self.worth:g}"

    @property
    def told(self) -> str:
        """What a sentence says of a table."""
        return f"counts in {self.words}" if self.worth == 1 else f"has a {self.kind.name} of {self.worth:g}"


def plural(kind: PieceType) -> str:
    """Return the name of several pieces, as in *Pawns* and *Men*."""
    men = re.sub("(?<=[Mm])an$", "en", kind.name)
    return men if men != kind.name else f"{kind.name}s"


@dataclass(frozen=True, slots=True)
class Estimate:
    """The values of one regression."""

    games: int
    slopes: dict[str, float]
    """By letter, on the logistic scale."""
    uncertain: float
    """How far below its estimate the slope of a unit may be, as a share of it."""
    values: dict[str, Interval]
    """By letter, in units (Pawns); empty if too few games show what a unit is worth."""
    scaled: dict[str, Interval]
    """By letter, by the yardstick; empty if there is none, or as above."""
    shares: dict[str, Interval]
    """By letter, the share of the points, from 0 to 1, that one piece more scores in an otherwise even game."""


@dataclass(frozen=True, slots=True)
class Values:
    """All that a job of handicaps says about values."""

    plan: Handicaps
    games: int
    unit: PieceType
    yardstick: Scale | None
    """A Rook of five; in a game without one, the kind that is known best, as ten."""
    endings: Counter[str]
    null: Interval
    """The share of the side that began the first game of a pair, without a handicap."""
    null_games: int
    all_pairs: Interval
    """The same of all pairs: handicaps favour either side equally often."""
    white: Interval
    """White's share without a handicap."""
    together: Estimate
    whole: Estimate
    small: Estimate
    quiet: Estimate
    calibration: list[tuple[float, Interval]]
    """By predicted share in per cent, the share scored."""


def unit_of(game: Game) -> PieceType:
    """Return the kind in which values are counted: the soldier of which there are most, or else the commonest kind."""
    letters = Counter(piece.letter for piece in Board(game).piece_map().values())
    kinds = [kind for kind in game.pieces if not kind.royal and letters[kind.letter]]
    if not kinds:
        raise Error(f"{game.name} starts without pieces that could be left out")
    return max(kinds, key=lambda kind: (kind.is_soldier, letters[kind.letter]))


def estimate_values(sample: Sample, report: Callable[[str], None] = lambda line: None) -> Values:
    """Estimate values from the finished games of a job.

    :raises Error: if there are too few games.
    """
    plan = sample.plan
    assert isinstance(plan, Handicaps)
    if len(sample) < LEAST_GAMES:
        raise Error(f"{len(sample)} games are too few to estimate values; at least {LEAST_GAMES} are needed")
    game, unit = plan.game, unit_of(plan.game)
    pairs = sample.numbers // 2
    small = np.fromiter((is_small(int(pair)) for pair in pairs), bool, len(pairs))
    null = np.fromiter((is_null(int(pair)) for pair in pairs), bool, len(pairs))
    whole, columns = np.ones(len(sample), bool), _columns(game, sample.differences)

    def fit(name: str, chosen: NDArray[np.bool_]) -> _Fitted:
        rows = _Rows(sample.differences[chosen], sample.results[chosen], small[chosen], pairs[chosen])
        return _fit(game, columns, rows, lambda done: report(f"{name}: {done} of {SAMPLES} samples"))

    # A piece more when everything is decided says nothing about its value.
    worth = np.array(_native.piece_values(game), np.float64)
    undecided = np.abs(sample.quiet @ worth) <= LARGEST * worth[unit.id]
    games = sample.quiet_games[undecided]
    quiet = _Rows(sample.quiet[undecided], sample.results[games], small[games], pairs[games])
    side = np.where(sample.numbers % 2 == 0, sample.shares, 1.0 - sample.shares)
    together = fit("together", whole)
    if unit.letter not in together.letters:
        raise Error(f"no game has more of {unit.name} on one side: more games are needed")
    yardstick = _yardstick(game, unit, together)

    def estimate(fitted: _Fitted) -> Estimate:
        return _estimate(fitted, unit, yardstick)

    return Values(
        plan=plan,
        games=len(sample),
        unit=unit,
        yardstick=yardstick,
        endings=sample.endings,
        null=share_interval(side[null], pairs[null]),
        null_games=int(null.sum()),
        all_pairs=share_interval(side, pairs),
        white=share_interval(sample.shares[null], sample.numbers[null]),
        together=estimate(together),
        whole=estimate(fit("whole armies", ~small)),
        small=estimate(fit("small armies", small)),
        quiet=estimate(
            _fit(game, columns, quiet, lambda done: report(f"quiet: {done} of {SAMPLES} samples")),
        ),
        calibration=_calibration(sample, columns, small),
    )


@dataclass(frozen=True, slots=True)
class _Rows:
    """What is regressed."""

    differences: NDArray[np.float64]
    results: NDArray[np.intp]
    small: NDArray[np.bool_]
    clusters: NDArray[np.intp]


def _columns(game: Game, differences: NDArray[np.float64]) -> list[int]:
    """Return the kinds whose numbers ever differ."""
    return [number for number in range(len(game.pieces)) if differences[:, number].any()]


def _design(rows: _Rows, columns: Sequence[int]) -> tuple[NDArray[np.float64], NDArray[np.intp]]:
    """Return the matrix, the last columns of which are White's first move in each group, and the groups."""
    _, groups = np.unique(rows.small, return_inverse=True)
    return np.concatenate([rows.differences[:, columns], np.eye(groups.max() + 1)[groups]], axis=1), groups


@dataclass(frozen=True, slots=True)
class _Fitted:
    """A regression and its bootstrap samples."""

    letters: list[str]
    groups: NDArray[np.intp]
    model: ordinal.Fit
    samples: list[ordinal.Fit]

    def slopes(self) -> NDArray[np.float64]:
        """The slopes of the kinds, a row for each sample."""
        return np.array([one.slopes[: len(self.letters)] for one in self.samples])

    def uncertain(self, letter: str) -> float:
        """How far below its estimate a slope may be, as a share of it."""
        at = self.letters.index(letter)
        slope = self.model.slopes[at]
        return float((slope - np.percentile(self.slopes()[:, at], 2.5)) / slope) if slope > 0 else float("inf")


def _fit(game: Game, columns: list[int], rows: _Rows, report: Callable[[int], None]) -> _Fitted:
    x, groups = _design(rows, columns)
    return _Fitted(
        letters=[game.pieces[number].letter for number in columns],
        groups=groups,
        model=ordinal.fit(x, rows.results, groups),
        samples=ordinal.bootstrap(x, rows.results, groups, rows.clusters, samples=SAMPLES, seed=SEED, report=report),
    )


def _yardstick(game: Game, unit: PieceType, fitted: _Fitted) -> Scale | None:
    kinds = [kind for kind in game.pieces if kind.letter in fitted.letters]
    if rook := next((kind for kind in kinds if kind.move == "R"), None):
        return Scale(rook, 5.0)
    best = min(kinds, key=lambda kind: fitted.uncertain(kind.letter))
    return None if best == unit or fitted.uncertain(best.letter) > MOST_UNCERTAIN else Scale(best, 10.0)


def _estimate(fitted: _Fitted, unit: PieceType, yardstick: Scale | None) -> Estimate:
    letters, drawn = fitted.letters, fitted.slopes()

    def share(at: int, model: ordinal.Fit) -> float:
        step = np.zeros((len(model.bands), len(model.slopes)))
        step[:, at] = 1.0
        chances = ordinal.probabilities(model, step, np.arange(len(model.bands)))
        return float(np.average(chances @ [0.0, 0.5, 1.0], weights=np.bincount(fitted.groups)))

    def shares(at: int) -> Interval:
        low, high = np.percentile([share(at, one) for one in fitted.samples], [2.5, 97.5])
        return Interval(share(at, fitted.model), float(low), float(high))

    def by(scale: Scale) -> dict[str, Interval]:
        if fitted.uncertain(scale.kind.letter) > MOST_UNCERTAIN:
            return {}  # a ratio to what may be nothing says nothing
        at = letters.index(scale.kind.letter)
        values = scale.worth * fitted.model.slopes[: len(letters)] / fitted.model.slopes[at]
        low, high = np.percentile(scale.worth * drawn / drawn[:, at, None], [2.5, 97.5], axis=0)
        return {letter: Interval(float(values[k]), float(low[k]), float(high[k])) for k, letter in enumerate(letters)}

    return Estimate(
        games=len(fitted.groups),
        uncertain=fitted.uncertain(unit.letter),
        slopes=dict(zip(letters, fitted.model.slopes.tolist(), strict=False)),
        values=by(Scale(unit, 1.0)),
        scaled={} if yardstick is None else by(yardstick),
        shares={letter: shares(at) for at, letter in enumerate(letters)},
    )


def _calibration(
    sample: Sample, columns: list[int], small: NDArray[np.bool_], bins: int = 10
) -> list[tuple[float, Interval]]:
    """Compare predicted and scored shares in groups of games of equal size."""
    rows = _Rows(sample.differences, sample.results, small, sample.numbers // 2)
    x, groups = _design(rows, columns)
    predicted = ordinal.probabilities(ordinal.fit(x, rows.results, groups), x, groups) @ [0.0, 0.5, 1.0]
    found = []
    for part in np.array_split(np.argsort(predicted, kind="stable"), bins):
        scored = share_interval(sample.shares[part], sample.numbers[part])
        centre = Interval(100 * scored.value, 100 * scored.low, 100 * scored.high)
        found.append((float(100 * predicted[part].mean()), centre))
    return found
