"""``acedrex bot``: connects a UCI program to a server."""

from __future__ import annotations

import argparse
from pathlib import Path

from acedrex.bot import Bot, Client, Offer, Settings
from acedrex.cli.errors import CommandError
from acedrex.cli.load import load_game, reason
from acedrex.cli.text import clean

__all__ = ["run"]

#: The largest size of a token file, in bytes.
MAX_BYTES = 1_000


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
        matches=args.matches,
        think=args.think,
        offer=None if args.offer is None else Offer(args.offer, clock),
    )
    Bot(Client(args.server, token), settings, lambda line: print(clean(line), flush=True)).run()
    return 0
