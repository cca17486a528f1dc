"""The finished games of a job as arrays."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from acedrex import _native
from acedrex.lab.job import Job
from acedrex.lab.playing import EngineGames, StartedGames
from acedrex.lab.studies.plots import Interval

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from acedrex.lab.studies.page import Page

__all__ = ["ENDED_EARLY", "Sample", "finished_units", "how_to_repeat", "percent", "read_sample", "share_interval"]

#: What pages say of games that were ended early.
ENDED_EARLY = (
    "*Proven*: the search announced the same win on two turns in a row, and the game was stopped. *Unfinished*: it was "
    "stopped after 400 turns of the engine, and counts as a draw."
)


@dataclass(frozen=True, slots=True)
class Sample:
    """Games of a job, a row each."""

    plan: EngineGames
    numbers: NDArray[np.intp]
    shares: NDArray[np.float64]
    """White's share of the points."""
    results: NDArray[np.intp]
    """White's result as in :mod:`acedrex.lab.ordinal`."""
    differences: NDArray[np.float64]
    """By kind, White's pieces minus Black's when the engine began."""
    endings: Counter[str]
    quiet: NDArray[np.float64]
    """The same differences in quiet positions, a row for each position."""
    quiet_games: NDArray[np.intp]
    """The row of the game of each quiet position."""

    def __len__(self) -> int:
        return len(self.numbers)


def finished_units(job: Job) -> list[int]:
    """Return the units from the first one up to the first that is missing.

    Units beyond a missing one are left out: those that are finished early would be those with short games.
    """
    found = job.units()
    return [unit for place, unit in enumerate(found) if unit == place]


def read_sample(job: Job, quiet: int = 0) -> Sample:
    """Read the finished games of a job.

    :param quiet: how many quiet positions of each game are read.
    :raises Error: if a block is damaged.
    """
    plan = job.plan
    assert isinstance(plan, EngineGames)
    kinds = len(plan.game.pieces)
    numbers: list[int] = []
    points: list[tuple[int, int]] = []
    differences: list[list[int]] = []
    endings = Counter[str]()
    places, rows = [np.empty(0, np.intp)], [np.empty((0, kinds))]
    for unit in finished_units(job):
        payload = job.read(unit).payload
        if quiet:
            where, what = _native.quiet_differences(plan.game, payload, quiet)
            places.append(np.frombuffer(where, "<u4").astype(np.intp) + len(numbers))
            rows.append(np.frombuffer(what, "<i2").reshape(-1, kinds).astype(np.float64))
        numbers += plan.numbers(unit)
        for ended in _native.ended_games(plan.game, payload):
            points.append(ended["half_points"])
            differences.append(ended["difference"])
            endings[ended["ending"]] += 1
    both = np.array(points, np.float64).reshape(-1, 2)
    return Sample(
        plan=plan,
        numbers=np.array(numbers, np.intp),
        shares=both[:, 0] / both.sum(1),
        results=(1 + np.sign(both[:, 0] - both[:, 1])).astype(np.intp),
        differences=np.array(differences, np.float64).reshape(-1, kinds),
        endings=endings,
        quiet=np.concatenate(rows),
        quiet_games=np.concatenate(places),
    )


def share_interval(shares: NDArray[np.float64], clusters: NDArray[np.intp]) -> Interval:
    """Return the mean of shares with a 95 % interval, from the means of clusters such as the two games of a pair."""
    if not len(shares):
        return Interval(0.5, 0.0, 1.0)
    _, places = np.unique(clusters, return_inverse=True)
    means = np.bincount(places, shares) / np.bincount(places)
    error = 1.96 * means.std(ddof=1) / np.sqrt(len(means)) if len(means) > 1 else 0.5
    return Interval(float(means.mean()), float(means.mean() - error), float(means.mean() + error))


def percent(share: Interval) -> str:
    """Return a share with its interval in words: ``52.1 ± 0.8 %``."""
    return f"{100 * share.value:.1f} ± {50 * (share.high - share.low):.1f} %"


def how_to_repeat(page: Page, study: str, jobs: Sequence[tuple[int, StartedGames]], before: str = "") -> None:
    """Name the engine and the command that makes the games again, and how many games of unfinished jobs the page uses.

    :param study: the name of the command.
    :param jobs: finished games, and the plan of them, for each number of nodes.
    :param before: what the paragraph says before.
    """
    _, plan = jobs[-1]
    nodes = " ".join(str(one.nodes) for _, one in jobs)
    page.text(
        f"{before}Engine: Acedrex {plan.version}, signature `{plan.signature}`; seed {plan.seed}. "
        "To make the games again:"
    )
    page.command(
        f"acedrex lab {study} {plan.game.spec} --nodes {nodes} --games {plan.games} --openings {plan.opening} "
        f"--seed {plan.seed} --out {study}-{plan.game.id}"
    )
    if any(games < plan.games for games, plan in jobs):
        words = ", ".join(f"the first {games:,} games with {plan.nodes:,} nodes" for games, plan in jobs)
        page.text(f"The page uses {words}; the command makes more.")
