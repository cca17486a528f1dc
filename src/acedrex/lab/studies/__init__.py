"""Studies: what pieces are worth, how much setups favour a side, what a game is like.

A study is a folder with one job or more, and pages that are made from what is finished. Needs the extra
``acedrex[lab]``.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from acedrex.errors import Error
from acedrex.lab import files
from acedrex.lab.arrangements import SetupGames
from acedrex.lab.handicaps import Handicaps
from acedrex.lab.job import Job
from acedrex.lab.studies import portrait, setups, values, values_page
from acedrex.lab.studies.page import Page
from acedrex.lab.studies.sample import finished_units, read_sample

__all__ = ["Page", "extreme_setups", "study_page", "write_setup_scores"]


def study_page(folder: Path, report: Callable[[str], None] = lambda line: None) -> Page:
    """Make the page of a study from the games that are finished.

    :param folder: the folder of the study, whose folders are its jobs.
    :param report: called with a line about the progress.
    :raises Error: if the folder has no study, too few games are finished, or a block is damaged.
    """
    jobs = [job for job in _jobs(folder) if finished_units(job)]
    if not jobs:
        raise Error(f"{folder} has no finished games yet")
    plans = [job.plan for job in jobs]
    game = plans[0].game
    if all(isinstance(plan, Handicaps) for plan in plans):
        page = Page(f"What the pieces of {game.name} are worth", f"values-{game.id}")
        values_page.fill_page(page, [values.estimate_values(read_sample(job, values.QUIET), report) for job in jobs])
    elif all(isinstance(plan, SetupGames) and plan.setups for plan in plans):
        page = Page(f"The setups of {game.name}", f"setups-{game.id}")
        setups.fill_page(page, setups.score_setups([read_sample(job) for job in jobs]))
    elif all(isinstance(plan, SetupGames) for plan in plans):
        page = Page(f"A portrait of {game.name}", f"portrait-{game.id}")
        portrait.fill_page(page, [portrait.portray(job) for job in jobs])
    else:
        raise Error(f"{folder} has jobs of different kinds, which are not one study")
    return page


def extreme_setups(folder: Path, count: int) -> list[str]:
    """Return the setups of a study from which White scores least and most, so many of each.

    :raises Error: as :func:`study_page`.
    """
    return setups.extremes(setups.score_setups([read_sample(job) for job in _jobs(folder)[:1]]), count)


def write_setup_scores(folder: Path, where: Path) -> Path:
    """Write White's score from each setup as ``setups-GAME.json``; return its path.

    :param where: the folder of the file; the app shows those of :mod:`acedrex.lessons`.
    :raises Error: as :func:`study_page`, if the study is not of setups, or the file cannot be written.
    """
    jobs = [job for job in _jobs(folder) if finished_units(job)]
    if not all(isinstance(job.plan, SetupGames) and job.plan.setups for job in jobs):
        raise Error(f"{folder} is not a study of setups, so it has no scores of setups")
    found = setups.figures(setups.score_setups([read_sample(job) for job in jobs]))
    path = where / f"setups-{jobs[0].plan.game.id}.json"
    files.write(path, json.dumps(found, separators=(",", ":")).encode() + b"\n")
    return path


def _jobs(folder: Path) -> list[Job]:
    """Return the jobs of a study in the order of their names.

    :raises Error: if there are none, or they are of different games.
    """
    jobs = [Job.open(path.parent) for path in sorted(folder.glob("*/manifest.json"))]
    if not jobs:
        raise Error(f"{folder} is not a study: none of its folders is a job")
    if len({job.plan.game for job in jobs}) > 1:
        raise Error(f"{folder} has jobs of several games, which are not one study")
    return jobs
