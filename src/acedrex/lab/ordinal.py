"""Ordinal logistic regression of results (loss, draw, win) on differences between two sides. Needs NumPy."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["DRAW", "LOSS", "WIN", "Fit", "bootstrap", "fit", "probabilities"]

#: The numbers of the results.
LOSS, DRAW, WIN = 0, 1, 2
#: The most steps of a fit, and the change of all parameters below which it has converged.
STEPS, TOLERANCE = 50, 1e-8
#: The same change for samples of a bootstrap, which are far more apart.
ROUGH = 1e-4
#: Half the width of the band of draws, on the logistic scale, is at least this; it is 0 where no game is drawn.
LEAST_BAND = 1e-6
#: A weak pull of every slope towards zero, so that a column that separates the results has a finite slope.
PULL = 1e-4


@dataclass(frozen=True, slots=True)
class Fit:
    """What a regression found.

    A game of group ``g`` with differences ``x`` is won with the chance ``s(x @ slopes - bands[g])`` and lost with
    ``s(-x @ slopes - bands[g])``, where ``s`` is the logistic curve; otherwise it is drawn.
    """

    slopes: NDArray[np.float64]
    bands: NDArray[np.float64]


def logistic(x: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the logistic curve."""
    return 0.5 * (1.0 + np.tanh(0.5 * x))


def probabilities(model: Fit, x: NDArray[np.float64], groups: NDArray[np.intp]) -> NDArray[np.float64]:
    """Return the chances of loss, draw and win, of shape (games, 3)."""
    middle, band = x @ model.slopes, model.bands[groups]
    win, loss = logistic(middle - band), logistic(-middle - band)
    return np.stack([loss, np.maximum(1.0 - win - loss, 0.0), win], axis=1)


def fit(
    x: NDArray[np.float64],
    results: NDArray[np.intp],
    groups: NDArray[np.intp],
    weights: NDArray[np.float64] | None = None,
    start: Fit | None = None,
    tolerance: float = TOLERANCE,
) -> Fit:
    """Fit by maximum likelihood, with Fisher's scoring.

    :param x: the differences, of shape (games, columns).
    :param results: ``LOSS``, ``DRAW`` or ``WIN`` of each game.
    :param groups: the group of each game, from 0; each has its own share of draws.
    :param weights: how often each game counts; by default once.
    :param start: where to begin.
    :param tolerance: the largest change of a parameter in the last step.

    >>> x = np.array([[1.0], [1.0], [1.0], [1.0], [0.0], [0.0]])
    >>> results = np.array([WIN, WIN, WIN, LOSS, WIN, LOSS])
    >>> model = fit(x, results, np.zeros(6, dtype=np.intp))
    >>> bool(abs(model.slopes[0] - np.log(3)) < 0.01)  # three wins to a loss
    True
    """
    columns, bands = x.shape[1], int(groups.max(initial=0)) + 1
    weight = np.ones(len(x)) if weights is None else weights
    slopes = np.zeros(columns) if start is None else start.slopes.copy()
    band = np.full(bands, 0.5) if start is None else start.bands.copy()
    member = np.eye(bands)[groups]
    for _ in range(STEPS):
        middle, half = x @ slopes, band[groups]
        win, loss = logistic(middle - half), logistic(-middle - half)
        draw = np.maximum(1.0 - win - loss, 1e-12)
        up, down = win * (1.0 - win), loss * (1.0 - loss)
        # The derivatives of the logarithms of the three chances, by the middle and by the band.
        by_middle = np.stack([loss - 1.0, (down - up) / draw, 1.0 - win])
        by_band = np.stack([loss - 1.0, (up + down) / draw, win - 1.0])
        chances = np.stack([loss, draw, win]) * weight
        rows = np.arange(len(x))
        gradient = np.concatenate(
            [
                x.T @ (weight * by_middle[results, rows]) - PULL * slopes,
                member.T @ (weight * by_band[results, rows]),
            ]
        )
        both = (chances * by_middle * by_band).sum(0)
        information = np.block(
            [
                [(x.T * (chances * by_middle**2).sum(0)) @ x + PULL * np.eye(columns), (x.T * both) @ member],
                [(member.T * both) @ x, (member.T * (chances * by_band**2).sum(0)) @ member + 1e-9 * np.eye(bands)],
            ]
        )
        step = np.linalg.solve(information, gradient)
        step *= min(1.0, 2.0 / max(np.abs(step).max(), 1e-300))
        slopes += step[:columns]
        band = np.maximum(band + step[columns:], LEAST_BAND)
        at_edge = band.max() == LEAST_BAND
        if np.abs(step[:columns] if at_edge else step).max(initial=0.0) < tolerance:
            break
    return Fit(slopes, band)


def bootstrap(
    x: NDArray[np.float64],
    results: NDArray[np.intp],
    groups: NDArray[np.intp],
    clusters: NDArray[np.intp],
    *,
    samples: int,
    seed: int,
    report: Callable[[int], None] = lambda done: None,
) -> list[Fit]:
    """Fit samples drawn with replacement, of whole clusters such as the two games of a pair.

    :param clusters: the cluster of each game.
    :param report: called with the number of samples that are fitted.
    """
    random = np.random.default_rng(seed)
    _, places = np.unique(clusters, return_inverse=True)
    count = int(places.max(initial=-1)) + 1
    whole = fit(x, results, groups)
    found = []
    for done in range(samples):
        drawn = random.multinomial(count, np.full(count, 1.0 / count)).astype(np.float64)
        weights = drawn[places]
        kept = weights > 0
        found.append(fit(x[kept], results[kept], groups[kept], weights[kept], whole, ROUGH))
        report(done + 1)
    return found
