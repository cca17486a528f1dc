"""What results of paired games tell: Elo with its error, the likelihood of superiority, and a sequential test.

Both games of a pair start from the same opening, so they are not independent, and the pair is what is counted. A pair's
score is one of a few equally spaced values from 0 to 1: five where a game is worth a point.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["Estimate", "Sprt", "elo", "estimate"]

#: The quantile of the normal distribution that leaves 2.5 % above.
Z95 = 1.959963984540054
#: Elo to a standard deviation of a game's score, in the unit of normalized Elo.
ELO_A_SIGMA = 800 / math.log(10)
#: What stands for a count of zero, so that no value is thought impossible.
TRACE = 1e-3

#: Values from 0 to 1 with their probabilities.
Distribution = list[tuple[float, float]]


def elo(score: float) -> float:
    """Return the difference in Elo at which a score between 0 and 1 is expected.

    >>> round(elo(0.75), 1)
    190.8
    """
    if not 0 < score < 1:
        return math.copysign(math.inf, score - 0.5)
    return 400 * math.log10(score / (1 - score))


@dataclass(frozen=True, slots=True)
class Estimate:
    """How much better one side was. Every interval holds with 95 % probability."""

    pairs: int
    """Pairs that were counted."""
    score: float
    """Mean score, from 0 to 1."""
    score_interval: tuple[float, float]
    elo: float
    elo_interval: tuple[float, float]
    normalized_elo: float
    """The score's distance from one half in standard deviations of a game, as Fishtest scales it."""
    superiority: float
    """The probability that it is the better side."""


def estimate(counts: Sequence[int]) -> Estimate | None:
    """Judge by the numbers of pairs with each score, the lowest first; ``None`` before the first pair.

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
        normalized = (mean - 0.5) / math.sqrt(2 * variance) * ELO_A_SIGMA
        superiority = normal((mean - 0.5) / math.sqrt(variance / pairs))
    else:  # all pairs came out the same and tell no variance: take the largest that there could be (Wilson's interval)
        middle = (mean + Z95**2 / (2 * pairs)) / (1 + Z95**2 / pairs)
        error = Z95 * math.sqrt(mean * (1 - mean) / pairs + (Z95 / (2 * pairs)) ** 2) / (1 + Z95**2 / pairs)
        low, high = 0.0 if mean == 0 else middle - error, 1.0 if mean == 1 else middle + error
        normalized = math.copysign(math.inf, mean - 0.5) if mean != 0.5 else 0.0
        superiority = normal((mean - 0.5) * 2 * math.sqrt(pairs))
    interval = (elo(low), elo(high))
    return Estimate(pairs, mean, (low, high), elo(mean), interval, normalized, superiority)


@dataclass(frozen=True, slots=True)
class Sprt:
    """A sequential test of two guesses in normalized Elo; either is wrongly taken in 5 % of tests at most.

    The log-likelihood ratio is that of Fishtest: each guess fixes the mean in standard deviations, and is judged by the
    most likely distribution that has it (Van den Bergh, "A practical introduction to the GSPRT").

    >>> round(Sprt(0, 2).ratio([371, 10263, 24989, 10642, 379]), 2)
    2.95
    """

    elo0: float
    elo1: float

    @property
    def bound(self) -> float:
        """The ratio at which the second guess is taken; its negative takes the first."""
        return math.log(0.95 / 0.05)

    def ratio(self, counts: Sequence[int]) -> float:
        """Return the log-likelihood ratio of the second guess to the first."""
        pairs = sum(counts)
        if not pairs:
            return 0.0
        seen = _distribution(counts, TRACE)
        first, second = (most_likely(seen, math.sqrt(2) * guess / ELO_A_SIGMA) for guess in (self.elo0, self.elo1))
        return sum(
            count * math.log(q / p) for (_, p), (_, q), count in zip(first, second, counts, strict=True) if count
        )

    def verdict(self, counts: Sequence[int]) -> str | None:
        """Return the guess to be taken, ``"H0"`` or ``"H1"``, or ``None`` if more pairs are needed."""
        ratio = self.ratio(counts)
        return "H1" if ratio >= self.bound else "H0" if ratio <= -self.bound else None


def most_likely(seen: Distribution, t: float) -> Distribution:
    """Return the distribution under which what was seen is most likely, of those whose mean is t deviations above 1/2.

    Mostly it is found at once. Where few values were seen and t is large, it is approached in smaller steps from t = 0.
    """
    found = _settle(seen, [(value, 1 / len(seen)) for value, _ in seen], 0.0) or seen
    reached, step = 0.0, t
    while reached != t and abs(step) > 1e-9:
        better = _settle(seen, found, reached + step)
        if better is None:
            step /= 2
        else:
            found, reached = better, reached + step
            step = min(2 * step, t - reached, key=abs)
    return found


def _settle(seen: Distribution, guess: Distribution, t: float) -> Distribution | None:
    """Make the constraint linear at a guess, solve it exactly, and take that as the next guess, until nothing changes.

    ``None`` if no distribution meets the linear constraint, or it does not settle: the guess was too far off.
    """
    for _ in range(100):
        mean, variance = moments(guess)
        sigma = math.sqrt(variance)
        slopes = [value - 0.5 - t * sigma * (1 + ((mean - value) / sigma) ** 2) / 2 for value, _ in seen]
        if not min(slopes) < 0 < max(slopes):
            return None
        factor = _multiplier(slopes, [p for _, p in seen])
        better = [(value, p / (1 + factor * slope)) for (value, p), slope in zip(seen, slopes, strict=True)]
        change = max(abs(p - q) for (_, p), (_, q) in zip(guess, better, strict=True))
        guess = better
        if change < 1e-11:
            return guess
    return None


def _multiplier(slopes: Sequence[float], weights: Sequence[float]) -> float:
    """Solve sum(w s / (1 + x s)) = 0: the left side falls from one end of the range to the other."""
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
    """Turn counts into probabilities, with a trace of what was not seen."""
    weights = [count or trace for count in counts]
    return [(at / (len(counts) - 1), weight / sum(weights)) for at, weight in enumerate(weights)]


def moments(distribution: Distribution) -> tuple[float, float]:
    """Return mean and variance."""
    mean = sum(value * p for value, p in distribution)
    return mean, sum((value - mean) ** 2 * p for value, p in distribution)


def normal(z: float) -> float:
    """Return the normal distribution's probability of less than z."""
    return (1 + math.erf(z / math.sqrt(2))) / 2
