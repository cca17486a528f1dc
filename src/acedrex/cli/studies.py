"""The studies of ``acedrex lab``: values, setups, portrait."""

from __future__ import annotations

import argparse
import functools
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from acedrex.cli.errors import CommandError
from acedrex.cli.load import load_game
from acedrex.cli.text import clean
from acedrex.cli.values import number
from acedrex.lab import Handicaps, Job, Plan, SetupGames, unlike_setups

if TYPE_CHECKING:
    from types import ModuleType

__all__ = [
    "portrait",
    "portrait_arguments",
    "report",
    "report_arguments",
    "setups",
    "setups_arguments",
    "values",
    "values_arguments",
]

#: Makes what is missing of a job.
Work = Callable[[Job, argparse.Namespace], int]


def values_arguments(sub: argparse.ArgumentParser) -> None:
    """Add the arguments of ``values``."""
    _games(sub, "games to play with each number of nodes, an even number", 10_000)
    _nodes(sub, [500])
    _openings(sub, 4)
    _pages(sub)


def values(work: Work, args: argparse.Namespace) -> int:
    """Estimate the values of pieces from games with random handicaps."""
    _studies()
    game = load_game(args.game)
    if args.games % 2 or (args.unit_games or 0) % 2:
        raise CommandError("games are played in pairs: --games and --unit-games must be even")
    for nodes in args.nodes:
        plan = functools.partial(
            Handicaps.plan, game, games=args.games, nodes=nodes, opening=args.openings, seed=args.seed
        )
        _do(work, args, args.out / f"nodes-{nodes}", plan)
    return _write(args.out, args.pages)


def setups_arguments(sub: argparse.ArgumentParser) -> None:
    """Add the arguments of ``setups``."""
    _games(sub, "games from each setup", 200)
    sub.add_argument("--nodes", metavar="N", type=number(1, 10**9), default=500, help="nodes per turn (%(default)s)")
    sub.add_argument(
        "--more", metavar="N", type=number(0, 1_000_000), default=0, help="more games from each extreme setup (0)"
    )
    sub.add_argument(
        "--extremes", metavar="N", type=number(1, 1000), default=3, help="extreme setups at either end (%(default)s)"
    )
    _openings(sub, 4)
    _pages(sub)
    _scores(sub)


def setups(work: Work, args: argparse.Namespace) -> int:
    """Estimate White's score from each setup."""
    studies = _studies()
    game = load_game(args.game)
    names = unlike_setups(game)
    if len(names) < 3:
        raise CommandError(f"{game.name} has {len(names) or 'no'} setups to compare; at least 3 are needed")

    def stage(folder: Path, names: list[str], each: int, seed: int) -> None:
        plan = functools.partial(
            SetupGames.plan,
            game,
            names,
            games=each * len(names),
            nodes=args.nodes,
            opening=args.openings,
            seed=seed,
        )
        _do(work, args, folder, plan)

    stage(args.out / "1-all", names, args.games, args.seed)
    if args.more:
        stage(args.out / "2-extremes", studies.extreme_setups(args.out, args.extremes), args.more, args.seed + 1)
    return _write(args.out, args.pages, args.scores)


def portrait_arguments(sub: argparse.ArgumentParser) -> None:
    """Add the arguments of ``portrait``."""
    _games(sub, "games to play with each number of nodes", 1000)
    _nodes(sub, [20, 200, 2000])
    _openings(sub, 4)
    _pages(sub)


def portrait(work: Work, args: argparse.Namespace) -> int:
    """Count what happens in games of the engine."""
    _studies()
    game = load_game(args.game)
    for nodes in args.nodes:
        plan = functools.partial(
            SetupGames.plan, game, games=args.games, nodes=nodes, opening=args.openings, seed=args.seed
        )
        _do(work, args, args.out / f"nodes-{nodes}", plan)
    return _write(args.out, args.pages)


def report_arguments(sub: argparse.ArgumentParser) -> None:
    """Add the arguments of ``report``."""
    sub.add_argument("dir", metavar="DIR", type=Path, help="the folder of the study")
    _pages(sub)
    _scores(sub)


def report(args: argparse.Namespace) -> int:
    """Write the pages of a study from what is finished."""
    _studies()
    return _write(args.dir, args.pages, args.scores)


def _games(sub: argparse.ArgumentParser, words: str, usual: int) -> None:
    sub.add_argument("--games", metavar="N", type=number(2, 10_000_000), default=usual, help=f"{words} ({usual:,})")


def _nodes(sub: argparse.ArgumentParser, usual: list[int]) -> None:
    words = " ".join(map(str, usual))
    sub.add_argument(
        "--nodes", metavar="N", type=number(1, 10**9), nargs="+", default=usual, help=f"nodes per turn ({words})"
    )


def _openings(sub: argparse.ArgumentParser, usual: int) -> None:
    sub.add_argument(
        "--openings", metavar="MOVES", type=number(0, 100), default=usual, help=f"random opening moves ({usual})"
    )


def _pages(sub: argparse.ArgumentParser) -> None:
    sub.add_argument(
        "--pages", metavar="FOLDER", type=Path, help="also write the page as Markdown, with its plots, into a folder"
    )


def _scores(sub: argparse.ArgumentParser) -> None:
    sub.add_argument(
        "--scores",
        metavar="FOLDER",
        type=Path,
        help="also write White's score from each setup as JSON, and the page beside it, into a folder",
    )


def _studies() -> ModuleType:
    """Return the module that analyses games, before any is played.

    :raises CommandError: if what it needs is not installed.
    """
    try:
        from acedrex.lab import studies
    except ModuleNotFoundError as error:
        raise CommandError(f'studies need {error.name}: in a checkout pip install ".[lab]" brings it') from None
    return studies


def _do(work: Work, args: argparse.Namespace, folder: Path, plan: Callable[..., Plan]) -> None:
    """Make the job in a folder."""
    begun = Job.open(folder).plan.unit if (folder / "manifest.json").exists() else None
    print(f"{clean(str(folder))}:")
    work(Job.create(folder, plan(unit=args.unit_games or begun)), args)


def _write(folder: Path, pages: Path | None, scores: Path | None = None) -> int:
    studies = _studies()
    page = studies.study_page(folder)
    written = [page.write_html(folder)]
    if pages is not None:
        written.append(page.write_markdown(pages))
    if scores is not None:
        written += [studies.write_setup_scores(folder, scores), page.write_html(scores)]
    for path in written:
        print(f"wrote {clean(str(path))}")
    return 0
