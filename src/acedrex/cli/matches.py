"""``acedrex match``: games between programs."""

from __future__ import annotations

import argparse
import io
import json
import re
import sys
import time
from contextlib import ExitStack, suppress
from pathlib import Path

from acedrex.cli.contest import contest
from acedrex.cli.errors import CommandError
from acedrex.cli.load import load_game, reason
from acedrex.cli.terminal import is_terminal, width
from acedrex.cli.text import clean
from acedrex.cli.values import clock, number
from acedrex.match import Control, Goal, Log, Played, Settings, Standing, parse_spec, write_pgn
from acedrex.match import run as play

__all__ = ["arguments", "run"]

#: The exit status if a player had less than its processor or its speed.
UNFAIR = 3


def arguments(sub: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    control = contest(sub)
    control.add_argument("--tc", metavar="BASE+INC", type=clock, help="seconds per game + seconds per turn")
    sub.add_argument("--concurrency", metavar="K", type=number(1, 256), default=1, help="games at once (1)")
    sub.add_argument("--seed", metavar="N", type=int, default=1, help="seed for the openings (1)")
    sub.add_argument("--out", metavar="FILE", help="summary as JSON; the log of all games goes to .jsonl")
    sub.add_argument("--pgn", metavar="FILE", help="the games as PGN")
    sub.add_argument("--resume", action="store_true", help="continue the match from its log")


def run(args: argparse.Namespace) -> int:
    """Play or resume a match, and print its result."""
    settings = Settings(
        game=load_game(args.game),
        first=parse_spec(args.first),
        second=parse_spec(args.second),
        control=Control(nodes=args.nodes, time=args.time)
        if args.tc is None
        else Control(base=args.tc[0], increment=args.tc[1]),
        openings=args.openings,
        balance=args.balance,
        seed=args.seed,
        adjudicate=args.adjudicate,
        ask_again=args.ask_again,
    )
    goal = Goal(games=args.games, sprt=None if args.sprt is None else (args.sprt[0], args.sprt[1]))
    out = None if args.out is None else Path(args.out)
    if args.resume and out is None:
        raise CommandError("--resume needs the --out FILE of the match to continue")
    if out is not None and (out.suffix == ".jsonl" or not out.name):
        raise CommandError("--out is the summary file, such as match.json; the log next to it ends in .jsonl")
    with ExitStack() as stack:
        log = None
        try:
            if out is not None:
                log = stack.enter_context(Log(out.with_suffix(".jsonl"), settings, resume=args.resume))
            standing = Standing(settings, goal, log.games if log else ())
            if args.pgn is not None:  # fail now rather than after the last game
                claim(Path(args.pgn), standing if args.resume else None)
            progress = Progress()
            try:
                play(standing, log=log, concurrency=args.concurrency, report=progress.show)
            finally:
                progress.clear()
                finish(standing, out, args.pgn)
        except KeyboardInterrupt:
            how = (
                "run the same command with --resume to continue" if out else "it cannot be continued without --out FILE"
            )
            print(f"stopped after {len(standing.games)} games; {how}", file=sys.stderr)
            raise
        except OSError as error:
            raise CommandError(f"cannot use {clean(str(error.filename or out))}: {reason(error)}") from None
    print("\n".join(map(clean, standing.report())))
    return UNFAIR if standing.unfair else 0


def claim(path: Path, resumed: Standing | None) -> None:
    """Check that the games can be written to a file.

    :param resumed: the match that is resumed, whose games the file may contain already.
    :raises CommandError: if the file exists and contains anything else.
    :raises OSError: if the file cannot be written.
    """
    try:
        path.open("a" if resumed else "x").close()
    except FileExistsError:
        raise CommandError(f"{clean(str(path))} already exists; choose another file for --pgn") from None
    if (
        resumed
        and path.is_file()
        and not has_only_games_of(resumed, path.read_text(encoding="utf-8", errors="replace"))
    ):
        raise CommandError(
            f"{clean(str(path))} contains more than the games of this match, and would be overwritten; "
            "choose another file for --pgn"
        )


def has_only_games_of(standing: Standing, text: str) -> bool:
    """Return whether a PGN text has only games of a match, as they are written; the last may be incomplete."""
    if not text:
        return True
    games = {in_pgn(standing, game) for game in standing.games.values()}
    *whole, last = filter(None, re.split(r"^(?=\[Event )", text, flags=re.MULTILINE))
    return games.issuperset(whole) and any(game.startswith(last) for game in games)


def in_pgn(standing: Standing, game: Played) -> str:
    """Return a game of a match as PGN."""
    written = io.StringIO()
    write_pgn(standing.settings, [game], written)
    return written.getvalue()


def finish(standing: Standing, out: Path | None, pgn: str | None) -> None:
    """Write the summary and the games played so far."""
    if out is not None:
        out.write_text(json.dumps(standing.record(), indent=2) + "\n", encoding="utf-8")
    if pgn is not None and not standing.games:
        if not Path(pgn).stat().st_size:
            Path(pgn).unlink()
    elif pgn is not None:
        with Path(pgn).open("w", encoding="utf-8") as file:
            write_pgn(standing.settings, [standing.games[number] for number in sorted(standing.games)], file)


class Progress:
    """A progress line on a terminal."""

    def __init__(self) -> None:
        self._shown = is_terminal(sys.stderr)
        self._begun = time.monotonic()

    def show(self, standing: Standing) -> None:
        """Update the line."""
        if self._shown:
            line = f"{standing.line()}, {time.monotonic() - self._begun:.0f} s"
            print(f"\r{line[: width() - 1]:{width() - 1}}", end="", file=sys.stderr, flush=True)

    def clear(self) -> None:
        """Remove the line."""
        if self._shown:
            with suppress(OSError):
                print(f"\r{'':{width() - 1}}\r", end="", file=sys.stderr, flush=True)
