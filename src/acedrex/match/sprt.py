"""Statistics of paired games: Elo with error bars, likelihood of superiority, and a sequential test (SPRT).

Both games of a pair start from the same opening and are not independent, so pairs are counted. The score of a pair is
one of a few equally spaced values from 0 to 1: five if a game is worth one point.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["Estimate", "Sprt", "elo", "estimate"]

#: The quantile of the normal distribution that leaves 2.5 % above.
Z95 = 1.959963984540054
#: Normalized Elo per standard deviation of a game's score.
ELO_PER_SIGMA = 800 / math.log(10)
#: Replaces a count of zero, so that no value has probability zero.
TRACE = 1e-3

#: Values from 0 to 1 with their probabilities.
Distribution = list[tuple[float, float]]


def elo(score: float) -> float:
    """Return the Elo difference with an expected score between 0 and 1.

    >>> round(elo(0.75), 1)
    190.8
    """
    if not 0 < score < 1:
        return math.copysign(math.inf, score - 0.5)
    return 400 * math.log10(score / (1 - score))


@dataclass(frozen=True, slots=True)
class Estimate:
    """How much better one side is. All intervals are 95 % confidence intervals."""

    pairs: int
    """The number of pairs."""
    score: float
    """The mean score, from 0 to 1."""
    score_interval: tuple[float, float]
    elo: float
    elo_interval: tuple[float, float]
    normalized_elo: float
    """The difference of the score from 1/2 in standard deviations of a game, in the scale of Fishtest."""
    superiority: float
    """The likelihood of superiority (LOS), from 0 to 1."""


def estimate(counts: Sequence[int]) -> Estimate | None:
    """Estimate from the numbers of pairs with each score, the lowest first; ``None`` before the first pair.

    >>> judged = estimate([0, 0, 1, 8, 1])
    >>> round(judged.elo, 2), round(judged.normalized_elo, 2)
    (190.85, 549.34)
    """
    pairs = sum(counts)
    if not pairs:
        return None
    mean, variance = moments(_distribution(counts, 0.0))
    if variance > 0:
        error = Z95 * math.sqrt(variance / pairs)
        low, high = max(mean - error, 0.0), min(mean + error, 1.0)
        normalized = (mean - 0.5) / math.sqrt(2 * variance) * ELO_PER_SIGMA
        superiority = normal((mean - 0.5) / math.sqrt(variance / pairs))
    else:  # all pairs have the same score, so there is no variance: use Wilson's interval
        middle = (mean + Z95**2 / (2 * pairs)) / (1 + Z95**2 / pairs)
        error = Z95 * math.sqrt(mean * (1 - mean) / pairs + (Z95 / (2 * pairs)) ** 2) / (1 + Z95**2 / pairs)
        low, high = 0.0 if mean == 0 else middle - error, 1.0 if mean == 1 else middle + error
        normalized = math.copysign(math.inf, mean - 0.5) if mean != 0.5 else 0.0
        superiority = normal((mean - 0.5) * 2 * math.sqrt(pairs))
    interval = (elo(low), elo(high))
    return Estimate(pairs, mean, (low, high), elo(mean), interval, normalized, superiority)


@dataclass(frozen=True, slots=True)
class Sprt:
    """A sequential probability ratio test of two hypotheses in normalized Elo, with error rates of 5 %.

    The log-likelihood ratio is that of Fishtest: each hypothesis fixes the mean in standard deviations, and its
    likelihood is that of the most likely distribution with this mean (Van den Bergh, "A practical introduction to the
    GSPRT").

    >>> round(Sprt(0, 2).ratio([371, 10263, 24989, 10642, 379]), 2)
    2.95
    """

    elo0: float
    elo1: float

    @property
    def bound(self) -> float:
        """The log-likelihood ratio that accepts H1; its negative accepts H0."""
        return math.log(0.95 / 0.05)

    def ratio(self, counts: Sequence[int]) -> float:
        """Return the log-likelihood ratio of H1 to H0."""
        pairs = sum(counts)
        if not pairs:
            return 0.0
        observed = _distribution(counts, TRACE)
        first, second = (most_likely(observed, math.sqrt(2) * elo / ELO_PER_SIGMA) for elo in (self.elo0, self.elo1))
        return sum(
            count * math.log(q / p) for (_, p), (_, q), count in zip(first, second, counts, strict=True) if count
        )

    def verdict(self, counts: Sequence[int]) -> str | None:
        """Return the accepted hypothesis, ``"H0"`` or ``"H1"``; ``None`` if more pairs are needed."""
        ratio = self.ratio(counts)
        return "H1" if ratio >= self.bound else "H0" if ratio <= -self.bound else None


def most_likely(observed: Distribution, t: float) -> Distribution:
    """Return the maximum likelihood distribution whose mean is t standard deviations above 1/2.

    Usually this takes one step. For few observed values and a large t, smaller steps from t = 0 are needed.
    """
    found = _converge(observed, [(value, 1 / len(observed)) for value, _ in observed], 0.0) or observed
    reached, step = 0.0, t
    while reached != t and abs(step) > 1e-9:
        better = _converge(observed, found, reached + step)
        if better is None:
            step /= 2
        else:
            found, reached = better, reached + step
            step = min(2 * step, t - reached, key=abs)
    return found


def _converge(observed: Distribution, guess: Distribution, t: float) -> Distribution | None:
    """Linearize the constraint at a guess, solve it exactly, and repeat with the solution until it converges.

    ``None`` if no distribution satisfies the linear constraint, or if it does not converge from this guess.
    """
    for _ in range(100):
        mean, variance = moments(guess)
        sigma = math.sqrt(variance)
        slopes = [value - 0.5 - t * sigma * (1 + ((mean - value) / sigma) ** 2) / 2 for value, _ in observed]
        if not min(slopes) < 0 < max(slopes):
            return None
        factor = _multiplier(slopes, [p for _, p in observed])
        better = [(value, p / (1 + factor * slope)) for (value, p), slope in zip(observed, slopes, strict=True)]
        change = max(abs(p - q) for (_, p), (_, q) in zip(guess, better, strict=True))
        guess = better
        if change < 1e-11:
            return guess
    return None


def _multiplier(slopes: Sequence[float], weights: Sequence[float]) -> float:
    """Solve sum(w s / (1 + x s)) = 0 by bisection: the left side decreases over the range."""
    low, high = -1 / max(slopes), -1 / min(slopes)
    for _ in range(200):
        x = (low + high) / 2
        if sum(w * s / (1 + x * s) for s, w in zip(slopes, weights, strict=True)) > 0:
            low = x
        else:
            high = x
        if high - low <= 1e-15 * max(1.0, abs(x)):
            break
    return (low + high) / 2


def _distribution(counts: Sequence[int], trace: float) -> Distribution:
    """Return counts as probabilities, with ``trace`` in place of zero counts."""
    weights = [count or trace for count in counts]
    return [(at / (len(counts) - 1), weight / sum(weights)) for at, weight in enumerate(weights)]


def moments(distribution: Distribution) -> tuple[float, float]:
    """Return the mean and the variance."""
    mean = sum(value * p for value, p in distribution)
    return mean, sum((value - mean) ** 2 * p for value, p in distribution)


def normal(z: float) -> float:
    """Return the probability of a value less than z under the standard normal distribution."""
    return (1 + math.erf(z / math.sqrt(2))) / 2
