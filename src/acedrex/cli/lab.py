"""``acedrex lab``: data for networks and matches, in units on any number of processors."""

from __future__ import annotations

import argparse
import functools
import os
import sys
import time
from collections.abc import Callable
from concurrent.futures import Executor
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from acedrex.cli import common, studies
from acedrex.cli.contest import contest
from acedrex.cli.errors import CommandError
from acedrex.cli.load import load_game
from acedrex.cli.terminal import is_terminal, width
from acedrex.cli.text import clean, count
from acedrex.cli.values import number, real
from acedrex.lab import Gauntlet, Job, Mates, Processes, Recipe, SelfPlay, Tally, Training
from acedrex.lab import Progress as Learning
from acedrex.lab import run as drive
from acedrex.lab.data import write_pgn
from acedrex.lab.files import MAX_NETWORK, read, write
from acedrex.match import Control, Goal, Settings, parse_spec

__all__ = ["arguments", "run"]


@dataclass(frozen=True)
class Command:
    """A command of the lab: its help, its arguments and what it does."""

    help: str
    arguments: Callable[[argparse.ArgumentParser], None]
    run: Callable[[argparse.Namespace], int]


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the commands of the lab."""
    commands = parser.add_subparsers(
        title="commands", metavar="COMMAND", required=True, parser_class=argparse.ArgumentParser
    )
    for name, command in COMMANDS.items():
        sub = commands.add_parser(name, help=command.help, description=f"{command.help[0].upper()}{command.help[1:]}.")
        command.arguments(sub)
        sub.set_defaults(command=command)


def run(args: argparse.Namespace) -> int:
    """Run a command of the lab."""
    command: Command = args.command
    return command.run(args)


def folder(sub: argparse.ArgumentParser) -> None:
    """Add the folder of a job."""
    sub.add_argument("dir", metavar="DIR", type=Path, help="the folder of the job")


def workers(sub: argparse.ArgumentParser) -> None:
    """Add where the work is done."""
    sub.add_argument(
        "--workers", metavar="N", type=number(1, 100_000), help="units at once (all processors of here, or of --ray)"
    )
    sub.add_argument("--ray", metavar="ADDRESS", help="a Ray cluster to work on, such as ray://HOST:10001")


def resuming(sub: argparse.ArgumentParser) -> None:
    """Add the arguments of ``resume``."""
    folder(sub)
    workers(sub)


def making(sub: argparse.ArgumentParser) -> None:
    """Add what all jobs need."""
    sub.add_argument("--seed", metavar="N", type=number(0, 10**12), default=1, help="seed for the openings (1)")
    sub.add_argument("--out", metavar="DIR", type=Path, required=True, help="the folder of the job; continued if begun")
    sub.add_argument(
        "--unit-games", metavar="N", type=number(1, 100_000), help="games of a unit of work (half a minute's)"
    )
    workers(sub)


def selfplay_arguments(sub: argparse.ArgumentParser) -> None:
    """Add the arguments of ``selfplay``."""
    common.game(sub)
    sub.add_argument("--positions", metavar="N", type=number(1, 10**12), required=True, help="positions to make")
    sub.add_argument("--nodes", metavar="N", type=number(1, 10**9), default=150, help="nodes per turn (150)")
    sub.add_argument("--openings", metavar="MOVES", type=number(0, 100), default=8, help="random opening moves (8)")
    sub.add_argument("--network", metavar="FILE", type=Path, help="the network that plays (the engine's own)")
    making(sub)


def selfplay(args: argparse.Namespace) -> int:
    """Make games of the engine against itself."""
    plan = SelfPlay.plan(
        load_game(args.game),
        positions=args.positions,
        nodes=args.nodes,
        opening=args.openings,
        seed=args.seed,
        network=None if args.network is None else read(args.network, MAX_NETWORK),
        unit=args.unit_games or begun_unit(args.out),
    )
    return work(Job.create(args.out, plan), args)


def train_arguments(sub: argparse.ArgumentParser) -> None:
    """Add the arguments of ``train``."""
    usual = Recipe()
    common.game(sub)
    sub.add_argument("data", metavar="DIR", nargs="+", type=Path, help="folders of jobs with games of the engine")
    sub.add_argument("--out", metavar="DIR", type=Path, required=True, help="the folder of the training")
    sub.add_argument("--epochs", metavar="N", type=number(1, 1000), default=usual.epochs, help="epochs (%(default)s)")
    sub.add_argument(
        "--blend",
        metavar="SHARE",
        type=real,
        default=usual.blend,
        help="share of later scores and the result in what a position teaches, from 0 to 1 (%(default)s)",
    )
    sub.add_argument("--rate", metavar="X", type=real, default=usual.rate, help="learning rate (%(default)s)")
    sub.add_argument(
        "--decay",
        metavar="X",
        type=real,
        default=usual.decay,
        help="weight decay of a piece's values on single squares (%(default)s)",
    )
    kind = sub.add_mutually_exclusive_group()
    kind.add_argument(
        "--instead", action="store_true", help="a network instead of the features; usually it is added to them"
    )
    kind.add_argument("--from", metavar="FILE", dest="start", type=Path, help="go on from this network")
    sub.add_argument(
        "--neurons",
        metavar="N",
        type=number(1, 1000),
        help="neurons a side: 32, 64, 96 or 128 (32, or as many as the network from which it goes on)",
    )
    sub.add_argument("--seed", metavar="N", type=number(0, 10**9), default=usual.seed, help="seed (%(default)s)")
    sub.add_argument("--threads", metavar="N", type=number(1, 256), help="threads (all processors)")


def train(args: argparse.Namespace) -> int:
    """Tune weights of features and train a network."""
    recipe = Recipe(
        epochs=args.epochs,
        blend=args.blend,
        rate=args.rate,
        decay=args.decay,
        instead=args.instead,
        neurons=args.neurons,
        seed=args.seed,
    )
    start = None if args.start is None else read(args.start, MAX_NETWORK)
    training = Training(args.out, load_game(args.game), args.data, recipe, start)
    line = Line()
    begun = time.monotonic()

    def report(progress: Learning) -> None:
        of = "" if progress.all is None else f" of {progress.all:,}"
        unit = "blocks" if progress.all is None else "steps"
        words = f"{progress.stage}: {progress.done:,}{of} {unit}"
        if progress.loss is not None:
            words += f", loss {progress.loss:.5f}, {duration(time.monotonic() - begun)}"
        if progress.stage == "training" and progress.loss is not None:
            line.say(words)
        else:
            line.show(words)

    try:
        path = training.run(args.threads or os.cpu_count() or 1, report)
    except KeyboardInterrupt:
        line.clear()
        print("stopped; the same command continues after the last epoch", file=sys.stderr)
        raise
    finally:
        line.clear()
    print(f"network: {clean(str(path))}")
    return 0


def pgn_arguments(sub: argparse.ArgumentParser) -> None:
    """Add the arguments of ``pgn``."""
    folder(sub)
    sub.add_argument("--out", metavar="FILE", type=Path, required=True, help="the file to write")


def pgn(args: argparse.Namespace) -> int:
    """Write the games of a job as PGN."""
    try:
        with args.out.open("w", encoding="utf-8") as handle:
            written = write_pgn([args.dir], handle)
    except OSError as error:
        raise CommandError(f"cannot write {args.out}: {error.strerror or error}") from None
    print(f"wrote {count(written, 'game')} to {clean(str(args.out))}")
    return 0


def gauntlet_arguments(sub: argparse.ArgumentParser) -> None:
    """Add the arguments of ``gauntlet``."""
    contest(sub)
    making(sub)


def gauntlet(args: argparse.Namespace) -> int:
    """Play a match in units."""
    settings = Settings(
        game=load_game(args.game),
        first=parse_spec(args.first),
        second=parse_spec(args.second),
        control=Control(nodes=args.nodes, time=args.time),
        openings=args.openings,
        balance=args.balance,
        seed=args.seed,
        adjudicate=args.adjudicate,
        ask_again=args.ask_again,
    )
    until = Goal(games=args.games, sprt=None if args.sprt is None else (args.sprt[0], args.sprt[1]))
    if args.unit_games is not None and args.unit_games % 2:
        raise CommandError(f"--unit-games {args.unit_games}: games are played in pairs, so the number must be even")
    unit = args.unit_games // 2 if args.unit_games else begun_unit(args.out)
    return work(Job.create(args.out, Gauntlet.plan(settings, until, unit=unit)), args)


def mates_arguments(sub: argparse.ArgumentParser) -> None:
    """Add the arguments of ``mates``."""
    common.game(sub)
    sub.add_argument("--hours", metavar="H", type=real, default=3.0, help="when to stop, finished or not (3)")
    sub.add_argument("--out", metavar="DIR", type=Path, required=True, help="the folder of the job; continued if begun")
    workers(sub)


def mates(args: argparse.Namespace) -> int:
    """Solve which pieces win against a bare King."""
    return work(Job.create(args.out, Mates.plan(load_game(args.game))), args, seconds=3600 * args.hours)


def begun_unit(out: Path) -> int | None:
    """Return the size of the units of a job that has begun."""
    return Job.open(out).plan.unit if (out / "manifest.json").exists() else None


def resume(args: argparse.Namespace) -> int:
    """Continue a job."""
    return work(Job.open(args.dir), args)


def work(job: Job, args: argparse.Namespace, seconds: float | None = None) -> int:
    """Make what is missing of a job, for so long at most, print its result, and write its page if it has one."""
    progress = Progress(job)
    try:
        executors, busy = workforce(args)
        tally = drive(job, executors, window=2 * busy, seconds=seconds, report=progress.count)
    except KeyboardInterrupt:
        progress.clear()
        print(f"stopped; acedrex lab resume {clean(str(job.folder))} continues", file=sys.stderr)
        raise
    finally:
        progress.clear()
    print("\n".join(map(clean, job.plan.report(tally))))
    if (page := job.plan.page(tally)) is not None:
        write(job.folder / "page.md", page.encode())
        print(f"page: {clean(str(job.folder / 'page.md'))}")
    if tally.needed is None:
        print(f"time is up; acedrex lab resume {clean(str(job.folder))} continues", file=sys.stderr)
    return 0


def workforce(args: argparse.Namespace) -> tuple[Callable[[], Executor], int]:
    """Return what makes an executor, and how many units it works on at once."""
    if args.ray is None:
        here: int = args.workers or os.cpu_count() or 1
        return lambda: Processes(here), here
    try:
        from acedrex.lab.ray import Ray
    except ModuleNotFoundError as error:
        raise CommandError(f'--ray needs {error.name}: in a checkout pip install ".[ray]" brings it') from None
    cluster = Ray(args.ray)
    return lambda: cluster, args.workers or cluster.processors


def status(args: argparse.Namespace) -> int:
    """Print what a job is and how much of it is finished."""
    job = Job.open(args.dir)
    tally, wrong = job.status()
    print(f"{job.plan.kind} of {clean(job.plan.game.spec)}, {'finished' if tally.needed is not None else 'unfinished'}")
    print("\n".join(map(clean, job.plan.report(tally))))
    print("".join(f"damaged: {clean(line)}\n" for line in wrong), end="")
    return 0


def verify(args: argparse.Namespace) -> int:
    """Check every block of a job."""
    job = Job.open(args.dir)
    tally, wrong = job.status()
    print("".join(f"{clean(line)}\n" for line in wrong), end="")
    print(f"{count(len(tally.units), 'block')} good, {len(wrong)} damaged")
    if wrong:
        print(f"acedrex lab resume {clean(str(args.dir))} makes them again", file=sys.stderr)
    return 1 if wrong else 0


def digest(args: argparse.Namespace) -> int:
    """Print the hash of what a job has made."""
    print(Job.open(args.dir).digest())
    return 0


class Line:
    """A line that tells how work goes: on a terminal kept up to date, elsewhere a new one every minute."""

    def __init__(self) -> None:
        self._shown = is_terminal(sys.stderr)
        self._said = time.monotonic()

    def show(self, line: str) -> None:
        """Update the line."""
        if self._shown:
            print(f"\r{line[: width() - 1]:{width() - 1}}", end="", file=sys.stderr, flush=True)
        elif time.monotonic() - self._said >= 60:
            self.say(line)

    def say(self, line: str) -> None:
        """Print a line that stays."""
        self.clear()
        self._said = time.monotonic()
        print(line, file=sys.stderr, flush=True)

    def clear(self) -> None:
        """Remove the line."""
        if self._shown:
            with suppress(OSError):
                print(f"\r{'':{width() - 1}}\r", end="", file=sys.stderr, flush=True)


class Progress(Line):
    """The line of a job."""

    def __init__(self, job: Job) -> None:
        super().__init__()
        self._noun = job.plan.noun
        self._begun = time.monotonic()
        self._before: int | None = None

    def count(self, tally: Tally) -> None:
        """Update the line."""
        if self._before is None:
            self._before = tally.amount
        rate = (tally.amount - self._before) / max(time.monotonic() - self._begun, 1.0)
        line = f"{tally.line()}, {rate:,.{0 if rate >= 10 else 1}f} {self._noun}s/s"
        if tally.goal is not None and rate and tally.needed is None:
            line += f", {duration((tally.goal - tally.amount) / rate)} left"
        self.show(line)


def duration(left: float) -> str:
    """Return a time in words: ``2 h 5 min``."""
    minutes, rest = divmod(max(round(left), 0), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min {rest} s" if minutes else f"{rest} s"


def study(
    help: str,
    arguments: Callable[[argparse.ArgumentParser], None],
    run: Callable[[Callable[[Job, argparse.Namespace], int], argparse.Namespace], int],
) -> Command:
    """Return the command of a study: it makes jobs, and pages from them."""

    def add(sub: argparse.ArgumentParser) -> None:
        common.game(sub)
        arguments(sub)
        making(sub)

    return Command(help, add, functools.partial(run, work))


#: The commands by name.
COMMANDS = {
    "selfplay": Command("make games of the engine against itself", selfplay_arguments, selfplay),
    "train": Command("train a network on games of the engine", train_arguments, train),
    "gauntlet": Command("play a match between two programs", gauntlet_arguments, gauntlet),
    "mates": Command("solve which pieces win against a bare King", mates_arguments, mates),
    "values": study("measure what pieces are worth", studies.values_arguments, studies.values),
    "setups": study("measure how much each setup favours White", studies.setups_arguments, studies.setups),
    "portrait": study("describe a game by how the engine plays it", studies.portrait_arguments, studies.portrait),
    "report": Command("write the pages of a study", studies.report_arguments, studies.report),
    "status": Command("print how much of a job is finished", folder, status),
    "resume": Command("continue a job, and make its damaged units again", resuming, resume),
    "verify": Command("check every file of a job", folder, verify),
    "pgn": Command("write the games of a job as PGN", pgn_arguments, pgn),
    "digest": Command("print one hash of all that a job has made", folder, digest),
}
