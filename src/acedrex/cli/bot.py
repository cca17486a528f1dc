"""``acedrex bot``: connects a UCI program to a server."""

from __future__ import annotations

import argparse
from pathlib import Path

from acedrex.bot import Bot, Client, Offer, Settings
from acedrex.cli.errors import CommandError
from acedrex.cli.load import load_game, reason
from acedrex.cli.text import clean
from acedrex.cli.values import clock, number, seconds

__all__ = ["arguments", "run"]

#: The largest size of a token file, in bytes.
MAX_BYTES = 1_000


def arguments(sub: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    sub.add_argument("--engine", metavar="CMD", required=True, help="the engine's command line, quoted")
    sub.add_argument("--option", metavar="NAME=VALUE", action="append", default=[], help="a UCI option of the engine")
    sub.add_argument(
        "--server", metavar="URL", default="http://127.0.0.1:8000", help="the server (http://127.0.0.1:8000)"
    )
    sub.add_argument("--token", metavar="FILE", required=True, help="file that holds a personal access token")
    sub.add_argument(
        "--game",
        metavar="GAME",
        action="append",
        default=[],
        help="id of a game to play (all that the engine supports)",
    )
    sub.add_argument(
        "--variant",
        metavar="NAME",
        help="the engine's own name of the only --game (by default chosen from those that it lists); none: not needed",
    )
    sub.add_argument("--matches", metavar="N", type=number(1, 64), default=1, help="matches at once (1)")
    sub.add_argument("--think", metavar="S", type=seconds, default=3.0, help="seconds per turn without a clock (3)")
    sub.add_argument("--offer", metavar="GAME", help="also post a challenge to this game in the lobby")
    sub.add_argument(
        "--clock", metavar="BASE+INC", type=clock, help="clock of that challenge: seconds per game + per turn"
    )


def run(args: argparse.Namespace) -> int:
    """Play until stopped."""
    try:
        with Path(args.token).open("rb") as file:
            token = file.read(MAX_BYTES).decode("ascii").strip()
    except OSError as error:
        raise CommandError(f"cannot read {clean(args.token)}: {reason(error)}") from None
    except UnicodeDecodeError:
        token = ""
    if not token or not token.isprintable() or " " in token:
        raise CommandError(f"{clean(args.token)} contains no token; create one on the server's Settings page")
    options = {}
    for word in args.option:
        name, equals, value = word.partition("=")
        if not equals or not name:
            raise CommandError(f"--option {clean(word)}: expected NAME=VALUE")
        options[name] = value
    for game in (*args.game, *([args.offer] if args.offer else [])):
        load_game(game)
    clock = None if args.clock is None else (round(args.clock[0]), round(args.clock[1]))
    settings = Settings(
        engine=args.engine,
        options=options,
        games=tuple(args.game),
        variant=args.variant,
        matches=args.matches,
        think=args.think,
        offer=None if args.offer is None else Offer(args.offer, clock),
    )
    Bot(Client(args.server, token), settings, lambda line: print(clean(line), flush=True)).run()
    return 0
