"""The statistics of studies, on simulated results with known true values."""

from __future__ import annotations

import math

import numpy as np
import pytest

from acedrex.lab import ordinal
from acedrex.lab.ordinal import Fit
from acedrex.lab.studies.setups import random_effects


def simulated(games: int, slopes: list[float], bands: list[float], seed: int = 1) -> tuple[np.ndarray, ...]:
    random = np.random.default_rng(seed)
    x = random.integers(-3, 4, (games, len(slopes))).astype(float)
    groups = random.integers(0, len(bands), games)
    chances = ordinal.probabilities(Fit(np.array(slopes), np.array(bands)), x, groups)
    results = (random.random(games)[:, None] > chances.cumsum(1)).sum(1)
    return x, results.astype(np.intp), groups.astype(np.intp)


def likelihood(model: Fit, x: np.ndarray, results: np.ndarray, groups: np.ndarray) -> float:
    return float(np.log(ordinal.probabilities(model, x, groups)[np.arange(len(x)), results]).sum())


def test_the_regression_recovers_the_true_values() -> None:
    truth = [0.4, 1.3, -0.7, 0.0]
    x, results, groups = simulated(20_000, truth, [0.3, 0.9])
    model = ordinal.fit(x, results, groups)
    assert np.abs(model.slopes - truth).max() < 0.05
    assert np.abs(model.bands - [0.3, 0.9]).max() < 0.05
    best = likelihood(model, x, results, groups)
    for step in (-0.02, 0.02):
        for place in range(4):
            slopes = model.slopes.copy()
            slopes[place] += step
            assert likelihood(Fit(slopes, model.bands), x, results, groups) < best
        for place in range(2):
            bands = model.bands.copy()
            bands[place] += step
            assert likelihood(Fit(model.slopes, bands), x, results, groups) < best


def test_a_weight_counts_like_repeated_games() -> None:
    x, results, groups = simulated(300, [0.5, 1.0], [0.4])
    weights = np.arange(300) % 3
    model = ordinal.fit(x, results, groups, weights.astype(float))
    rows = np.repeat(np.arange(300), weights)
    again = ordinal.fit(x[rows], results[rows], groups[rows])
    assert np.allclose(model.slopes, again.slopes, atol=1e-6) and np.allclose(model.bands, again.bands, atol=1e-6)


def test_the_fit_stays_finite_without_draws_and_under_perfect_separation() -> None:
    x = np.array([[1.0], [1.0], [-1.0], [-1.0]] * 50)
    results = np.array([2, 0, 0, 2] * 50)
    assert ordinal.fit(x, results, np.zeros(200, np.intp)).bands[0] < 1e-3
    certain = ordinal.fit(x, np.where(x[:, 0] > 0, 2, 0), np.zeros(200, np.intp))
    assert 3 < certain.slopes[0] < 50 and math.isfinite(certain.slopes[0])


@pytest.mark.slow
def test_confidence_intervals_have_their_stated_coverage() -> None:
    inside = 0
    for seed in range(60):
        x, results, groups = simulated(400, [0.5, 1.5], [0.4], seed)
        samples = ordinal.bootstrap(x, results, groups, np.arange(400) // 2, samples=60, seed=1)
        low, high = np.percentile([one.slopes[1] / one.slopes[0] for one in samples], [2.5, 97.5])
        inside += low <= 3.0 <= high
    assert inside >= 50, f"{inside} of 60 intervals of 95 % contain the truth"


def test_the_bootstrap_resamples_whole_clusters() -> None:
    x, results, groups = simulated(200, [1.0], [0.3])
    twice = np.concatenate([x, x]), np.concatenate([results, results]), np.concatenate([groups, groups])
    clusters = np.concatenate([np.arange(200)] * 2)
    one = ordinal.bootstrap(*twice, clusters, samples=200, seed=1)
    alone = ordinal.bootstrap(x, results, groups, np.arange(200), samples=200, seed=1)
    spread = [np.std([sample.slopes[0] for sample in samples]) for samples in (one, alone)]
    assert spread[0] == pytest.approx(spread[1], rel=0.01), "a duplicate of a game is no further evidence"


def test_random_effects_estimate_the_spread_and_shrink_the_values() -> None:
    random = np.random.default_rng(3)
    truth = 0.53 + 0.04 * random.standard_normal(200)
    errors = np.full(200, 0.03)
    effects = random_effects(truth + errors * random.standard_normal(200), errors)
    assert effects.spread.low < 0.04 < effects.spread.high and effects.spread.low > 0
    assert effects.mean.low < truth.mean() < effects.mean.high
    inside = sum(one.low <= true <= one.high for one, true in zip(effects.shrunk, truth, strict=True))
    assert 180 <= inside <= 199, f"{inside} of 200"


def test_without_true_differences_the_interval_of_the_spread_includes_zero() -> None:
    random = np.random.default_rng(4)
    errors = np.full(24, 0.03)
    effects = random_effects(0.5 + errors * random.standard_normal(24), errors)
    assert effects.spread.low == 0.0
    assert max(one.value for one in effects.shrunk) - min(one.value for one in effects.shrunk) < 0.03


def test_uncertain_values_are_shrunk_more() -> None:
    effects = random_effects(np.array([0.4, 0.6, 0.4, 0.6]), np.array([0.01, 0.01, 0.1, 0.1]))
    sure, unsure = effects.shrunk[0], effects.shrunk[2]
    assert sure.value < unsure.value < 0.5
    assert sure.high - sure.low < unsure.high - unsure.low
