"""How much setups favour White, from games that begin with each of them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from acedrex.errors import Error
from acedrex.lab.arrangements import SetupGames, alike_setups
from acedrex.lab.studies.plots import Interval, Series, intervals
from acedrex.lab.studies.sample import Sample, percent

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from acedrex.lab.studies.page import Page

__all__ = ["SetupScores", "extremes", "figures", "fill_page", "random_effects", "score_setups"]

#: The spreads that are tried, as standard deviations of shares, and the drop of the logarithm of the likelihood that
#: bounds a 95 % interval.
SPREADS, DROP = np.arange(0.0, 0.3, 0.0005), 1.92


@dataclass(frozen=True, slots=True)
class RandomEffects:
    """A normal distribution of true values, behind measured ones."""

    mean: Interval
    spread: Interval
    """The standard deviation of the true values."""
    shrunk: list[Interval]
    """Each true value, drawn towards the mean as far as its measurement is uncertain."""


@dataclass(frozen=True, slots=True)
class SetupScores:
    """White's score from each setup."""

    plans: list[SetupGames]
    games: dict[str, int]
    measured: dict[str, float]
    effects: RandomEffects
    shrunk: dict[str, Interval]
    drawn: float
    """The share of drawn games."""


def random_effects(values: NDArray[np.float64], errors: NDArray[np.float64]) -> RandomEffects:
    """Estimate by restricted maximum likelihood how much measured values really differ.

    >>> effects = random_effects(np.array([0.4, 0.5, 0.6]), np.array([0.001, 0.001, 0.001]))
    >>> round(effects.spread.value, 2), round(effects.shrunk[0].value, 2)
    (0.1, 0.4)
    >>> random_effects(np.array([0.49, 0.5, 0.51]), np.array([0.1, 0.1, 0.1])).spread.value
    0.0
    """

    def weighted(spread: float) -> tuple[NDArray[np.float64], float]:
        weights = 1.0 / (errors**2 + spread**2)
        return weights, float(weights @ values / weights.sum())

    def likelihood(spread: float) -> float:
        weights, mean = weighted(spread)
        return float(0.5 * np.log(weights).sum() - 0.5 * weights @ (values - mean) ** 2 - 0.5 * np.log(weights.sum()))

    found = np.array([likelihood(spread) for spread in SPREADS])
    best = int(found.argmax())
    likely = SPREADS[found >= found[best] - DROP]
    spread = float(SPREADS[best])
    weights, mean = weighted(spread)
    error = 1.0 / math.sqrt(weights.sum())
    # The spread is uncertain too: average over all, as likely as they are.
    chances = np.exp(found - found[best])
    chances /= chances.sum()
    each = [(SPREADS[at], *weighted(float(SPREADS[at]))) for at in range(len(SPREADS))]
    kept = np.array([one**2 / (one**2 + errors**2) for one, _, _ in each])
    means = np.array([[one] for _, _, one in each])
    shrunk = means + kept * (values - means)
    uncertain = kept * errors**2 + ((1.0 - kept) / np.sqrt([[one.sum()] for _, one, _ in each])) ** 2
    centres = chances @ shrunk
    deviations = np.sqrt(chances @ (uncertain + (shrunk - centres) ** 2))
    return RandomEffects(
        mean=Interval(mean, mean - 1.96 * error, mean + 1.96 * error),
        spread=Interval(spread, float(likely[0]), float(likely[-1])),
        shrunk=[
            Interval(float(centre), float(centre - 1.96 * deviation), float(centre + 1.96 * deviation))
            for centre, deviation in zip(centres, deviations, strict=True)
        ],
    )


def score_setups(samples: Sequence[Sample]) -> SetupScores:
    """Estimate White's score from each setup, from all games of one or more jobs.

    That later jobs have only setups that were extreme in earlier ones does no harm: their shrunk values take account of
    all games.

    :raises Error: if there are too few games.
    """
    plans = [sample.plan for sample in samples]
    setups: list[str] = []
    shares: list[float] = []
    for sample in samples:
        plan = sample.plan
        assert isinstance(plan, SetupGames)
        setups += [plan.setup(int(number)) or "" for number in sample.numbers]
        shares += sample.shares.tolist()
    names = sorted(set(setups))
    every = np.array(shares)
    places = np.array([names.index(setup) for setup in setups], np.intp)
    counts = np.bincount(places, minlength=len(names))
    if len(names) < 3 or counts.min() < 2:
        raise Error("at least three setups with two games each are needed to compare setups")
    measured = np.bincount(places, every) / counts
    # One variance for all setups: each has too few games to tell its own.
    deviation = math.sqrt(float(((every - measured[places]) ** 2).sum()) / (len(every) - len(names)))
    effects = random_effects(measured, deviation / np.sqrt(counts))
    return SetupScores(
        plans=[plan for plan in plans if isinstance(plan, SetupGames)],
        games=dict(zip(names, counts.tolist(), strict=True)),
        measured=dict(zip(names, measured.tolist(), strict=True)),
        effects=effects,
        shrunk=dict(zip(names, effects.shrunk, strict=True)),
        drawn=float((every == 0.5).mean()),
    )


def extremes(scores: SetupScores, count: int) -> list[str]:
    """Return the setups with the lowest and the highest shrunk scores, so many of each."""
    order = sorted(scores.shrunk, key=lambda name: scores.shrunk[name].value)
    return order if len(order) <= 2 * count else order[:count] + order[-count:]


def figures(scores: SetupScores) -> dict[str, Any]:
    """Return White's scores as :func:`acedrex.lessons.setup_scores` reads them: in per cent, also of reflections."""
    first = scores.plans[0]
    percents = {
        name: [round(100 * one.value, 1), round(50 * (one.high - one.low), 1)] for name, one in scores.shrunk.items()
    }
    return {
        "rules_hash": first.game.rules_hash,
        "nodes": first.nodes,
        "games": sum(scores.games.values()),
        "scores": {name: percents[alike] for name, alike in alike_setups(first.game).items() if alike in percents},
    }


#: The most setups of a table.
SHOWN = 12


def fill_page(page: Page, scores: SetupScores) -> None:
    """Write White's score from each setup."""
    first = scores.plans[0]
    game = first.game
    order = sorted(scores.shrunk, key=lambda name: scores.shrunk[name].value)
    mean, spread = scores.effects.mean, scores.effects.spread
    page.text(
        f"Which setup should Black choose at {game.name}? The engine played {sum(scores.games.values()):,} games "
        f"against itself with {first.nodes:,} nodes a turn, from {len(order)} of {len(game.setups)} setups: of two "
        "that mirror each other, only one is played. ± and brackets are 95 % intervals."
    )
    page.heading("Do setups differ?")
    differ = (
        "The games do not show that setups differ at all"
        if spread.low == 0
        else "Setups differ by more than chance explains"
    )
    page.text(
        f"White scores {percent(mean)} on average over all setups. {differ}: the true scores have a standard deviation "
        f"of {100 * spread.value:.1f} points [{100 * spread.low:.1f}, {100 * spread.high:.1f}] (random effects, "
        f"restricted maximum likelihood). {100 * scores.drawn:.0f} % of the games are drawn."
    )
    page.heading("White's score")
    page.text(
        "The estimate moves each measured score towards the mean, the more the fewer games it rests on. The setups at "
        "the top look best for Black" + (", but chance alone could explain the order." if spread.low == 0 else ".")
    )
    shown = order if len(order) <= 2 * SHOWN else order[:SHOWN] + order[-SHOWN:]
    page.table(
        ["Setup", "Estimate", "Measured", "Games"],
        [
            [
                f"`{name}`",
                percent(scores.shrunk[name]),
                f"{100 * scores.measured[name]:.1f} %",
                f"{scores.games[name]:,}",
            ]
            for name in shown
        ],
    )
    if len(shown) < len(order):
        page.text(f"The table has the {SHOWN} lowest and the {SHOWN} highest of {len(order)}.")
    points = [
        Interval(100 * one.value, 100 * one.low, 100 * one.high) for one in (scores.shrunk[name] for name in shown)
    ]
    page.plot(
        intervals(shown, [Series("White's score", points)], "White's score, %", line=100 * mean.value),
        "White's score from each setup",
    )
    page.heading("How it was measured")
    played, wanted = sum(scores.games.values()), sum(plan.games for plan in scores.plans)
    if played < wanted:
        page.text(f"The page uses the first {played:,} of {wanted:,} games.")
    page.text(
        f"{first.opening} random moves precede the engine's. Engine: Acedrex {first.version}, signature "
        f"`{first.signature}`; seed {first.seed}. To make the games again:"
    )
    more = ""
    if len(scores.plans) > 1:
        second = scores.plans[1]
        more = f" --more {second.games // len(second.setups)} --extremes {len(second.setups) // 2}"
    page.command(
        f"acedrex lab setups {game.spec} --nodes {first.nodes} --games {first.games // len(first.setups)}{more} "
        f"--openings {first.opening} --seed {first.seed} --out setups-{game.id}"
    )
