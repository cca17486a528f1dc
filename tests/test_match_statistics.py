"""The statistics of matches, compared with published ones and with simulations."""

from __future__ import annotations

import math
import random
import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from acedrex.match import Sprt, estimate

# Pairs by score, guesses in normalized Elo, and the ratio that was published with them: by Fishtest (Stockfish's pull
# requests 4194, 6019, 5712 and 3972) and by fastchess (the last three).
PUBLISHED = [
    ([371, 10263, 24989, 10642, 379], (0, 2), 2.95),
    ([47, 8181, 25234, 8575, 47], (0.5, 2.5), 2.94),
    ([320, 12431, 27275, 12858, 316], (0, 2), 2.95),
    ([197, 45541, 117722, 46579, 228], (0.5, 2.5), 2.96),
    ([831, 31795, 68460, 32448, 834], (0, 2), 2.93),
    ([327, 8113, 21317, 8168, 347], (-2.25, 0.25), 2.96),
    ([0, 0, 1, 8, 1], (0, 50), 1.24),
    ([307, 619, 1202, 725, 353], (0, 5), 2.95),
    ([84, 124, 343, 125, 164], (0, 1), 0.54),
]


@pytest.mark.parametrize(("pairs", "guesses", "ratio"), PUBLISHED)
def test_likelihood_ratios_agree_with_published_ones(
    pairs: list[int], guesses: tuple[float, float], ratio: float
) -> None:
    assert Sprt(*guesses).ratio(pairs) == pytest.approx(ratio, abs=0.0055)


# Pairs, Elo with its error, normalized Elo, and superiority in percent, as fastchess published them.
ESTIMATES = [
    ([352, 579, 1264, 743, 464], 19.83, 6.77, 24.25, 100.00),
    ([307, 619, 1202, 725, 353], 10.73, 6.70, 13.63, 99.92),
    ([12, 6, 25, 8, 9], -11.59, 56.66, -12.83, 34.29),
    ([84, 124, 343, 125, 164], 33.40, 14.24, 39.23, 100.00),
]


@pytest.mark.parametrize(("pairs", "elo", "error", "normalized", "superiority"), ESTIMATES)
def test_estimates_agree_with_published_ones(
    pairs: list[int], elo: float, error: float, normalized: float, superiority: float
) -> None:
    judged = estimate(pairs)
    assert judged is not None
    assert judged.elo == pytest.approx(elo, abs=0.005)
    assert (judged.elo_interval[1] - judged.elo_interval[0]) / 2 == pytest.approx(error, abs=0.005)
    assert judged.normalized_elo == pytest.approx(normalized, abs=0.005)
    assert judged.superiority * 100 == pytest.approx(superiority, abs=0.005)


def likelihood(counts: Sequence[float], mean: float, square: float) -> float:
    """The largest log-likelihood of counts under a distribution with given mean and mean square, by Newton's method."""
    values = [at / (len(counts) - 1) for at in range(len(counts))]
    weights = [count / sum(counts) for count in counts]
    a = b = 0.0

    def denominators(a: float, b: float) -> list[float]:
        return [1 + a * (v - mean) + b * (v * v - square) for v in values]

    for _ in range(100):
        ds = denominators(a, b)
        terms = [(w, v - mean, v * v - square, d) for w, v, d in zip(weights, values, ds, strict=True)]
        fa, fb = sum(w * x / d for w, x, _, d in terms), sum(w * y / d for w, _, y, d in terms)
        aa, ab, bb = (
            sum(w * p * q / d**2 for w, p, q, d in pick)
            for pick in (
                [(w, x, x, d) for w, x, _, d in terms],
                [(w, x, y, d) for w, x, y, d in terms],
                [(w, y, y, d) for w, _, y, d in terms],
            )
        )
        determinant = aa * bb - ab * ab
        step_a, step_b = (fa * bb - fb * ab) / determinant, (fb * aa - fa * ab) / determinant
        size = 1.0
        while min(denominators(a + size * step_a, b + size * step_b)) <= 0:
            size /= 2
            if size < 1e-12:
                return -math.inf
        a, b = a + size * step_a, b + size * step_b
        if abs(step_a) + abs(step_b) < 1e-13:
            break
    ps = [w / d for w, d in zip(weights, denominators(a, b), strict=True)]
    if abs(sum(ps) - 1) > 1e-6 or abs(sum(p * v for p, v in zip(ps, values, strict=True)) - mean) > 1e-6:
        return -math.inf
    return sum(count * math.log(p) for count, p in zip(counts, ps, strict=True))


def likelihood_of_guess(counts: Sequence[float], guess: float) -> float:
    """The largest log-likelihood under a normalized Elo: a search along the standard deviation."""
    t = math.sqrt(2) * guess / (800 / math.log(10))

    def at(sigma: float) -> float:
        mean = 0.5 + t * sigma
        return likelihood(counts, mean, sigma * sigma + mean * mean)

    sigmas = [0.01 + 0.002 * step for step in range(220)]
    best = max(sigmas, key=at)
    low, high = best - 0.002, best + 0.002
    for _ in range(60):
        left, right = low + (high - low) * 0.382, low + (high - low) * 0.618
        low, high = (left, high) if at(left) < at(right) else (low, right)
    return at((low + high) / 2)


@pytest.mark.parametrize(
    ("counts", "guesses"),
    [
        ([9, 12, 30, 25, 14], (0, 20)),
        ([3, 3, 5, 1, 2], (-40, 60)),
        ([2, 3, 4, 8, 9, 11, 3, 2, 1], (0, 30)),
    ],
)
def test_the_likelihood_ratio_agrees_with_a_numerical_search(counts: list[int], guesses: tuple[float, float]) -> None:
    searched = likelihood_of_guess(counts, guesses[1]) - likelihood_of_guess(counts, guesses[0])
    assert Sprt(*guesses).ratio(counts) == pytest.approx(searched, abs=1e-4)


def test_the_sprt_decides_correctly_in_most_simulated_matches() -> None:
    """About 95 % of simulated matches at either guess end with the right verdict."""
    chance = random.Random(3)
    test = Sprt(0, 120)
    # The normalized Elo is 0 for these chances and 120 for the shifted ones.
    for chances, right in (((1, 2, 4, 2, 1), "H0"), ((1, 2, 4, 2, 1), "H1")):
        weights = [weight / 10 for weight in chances]
        if right == "H1":
            weights = shifted(weights, 120)
        verdicts = []
        for _ in range(100):
            counts = [0] * 5
            verdict = None
            while verdict is None:
                for at in chance.choices(range(5), weights, k=8):
                    counts[at] += 1
                verdict = test.verdict(counts)
            verdicts.append(verdict)
        assert verdicts.count(right) >= 0.88 * len(verdicts)


def shifted(weights: Sequence[float], guess: float) -> list[float]:
    """Tilt chances towards winning until they have the requested normalized Elo."""

    def tilted(by: float) -> list[float]:
        new = [weight * math.exp(by * at) for at, weight in enumerate(weights)]
        return [weight / sum(new) for weight in new]

    def normalized(by: float) -> float:
        mean = sum(at / 4 * weight for at, weight in enumerate(tilted(by)))
        variance = sum((at / 4 - mean) ** 2 * weight for at, weight in enumerate(tilted(by)))
        return (mean - 0.5) / math.sqrt(2 * variance) * 800 / math.log(10)

    low, high = 0.0, 5.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if normalized(middle) < guess else (low, middle)
    return tilted(low)


def test_the_score_interval_contains_the_true_score_95_percent_of_the_time() -> None:
    """In about 95 % of simulated matches the interval contains the true score."""
    chance = random.Random(5)
    weights = [0.1, 0.15, 0.3, 0.25, 0.2]
    true = sum(at / 4 * weight for at, weight in enumerate(weights))
    inside = 0
    for _ in range(1000):
        drawn = chance.choices(range(5), weights, k=100)
        judged = estimate([drawn.count(at) for at in range(5)])
        assert judged is not None
        inside += judged.score_interval[0] <= true <= judged.score_interval[1]
    assert 930 <= inside <= 970


def test_empty_one_sided_and_even_results_are_handled() -> None:
    assert estimate([0, 0, 0, 0, 0]) is None
    assert Sprt(0, 5).ratio([0, 0, 0, 0, 0]) == 0
    won = estimate([0, 0, 0, 0, 20])
    assert won is not None
    assert won.score_interval == (pytest.approx(20 / (20 + 1.96**2), abs=1e-4), 1.0)
    assert won.elo == won.elo_interval[1] == math.inf and won.superiority > 0.999
    even = estimate([0, 0, 20, 0, 0])
    assert even is not None
    assert even.elo == 0 and even.superiority == 0.5 and even.score_interval[0] < 0.5 < even.score_interval[1]
    # All pairs even, as when a program plays itself: the guess is as likely as a share of wins that makes up its mean.
    t = math.sqrt(2) * 60 / (800 / math.log(10))
    assert Sprt(0, 60).ratio([0, 0, 900, 0, 0]) == pytest.approx(-900 * math.log(1 + t * t), abs=0.1)
    test = Sprt(0, 5)
    assert [test.verdict(counts) for counts in ([0, 0, 0, 0, 900], [900, 0, 0, 0, 0], [0, 0, 9, 0, 0])] == [
        "H1",
        "H0",
        None,
    ]


def test_the_example_in_the_documentation_is_computed_correctly() -> None:
    page = (Path(__file__).parents[1] / "docs" / "matches.md").read_text(encoding="utf-8")
    told = re.search(r"Pairs by score: ([\d ]+)", page)
    assert told is not None
    judged = estimate([int(count) for count in told[1].split()])
    assert judged is not None
    low, high = judged.score_interval
    assert f"{judged.score:.1%} [{low:.1%}, {high:.1%}], Elo {judged.elo:+.1f} " in page
    assert "[{:+.1f}, {:+.1f}]".format(*judged.elo_interval) in page
    assert f"{judged.superiority:.1%} likely to be better; normalized Elo {judged.normalized_elo:+.1f};" in page
