"""The arguments of the command line."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import get_args

from acedrex import __version__
from acedrex.cli import (
    bench,
    bot,
    check,
    games,
    lab,
    matches,
    moves,
    perft,
    play,
    puzzles,
    rules,
    serve,
    show,
    uci,
    xboard,
)
from acedrex.cli.contest import contest
from acedrex.cli.opponents import PLAYERS
from acedrex.cli.values import GAME, clock, depth, number, origin, seconds
from acedrex.game import FEATURED, languages
from acedrex.lessons import THEMES, Difficulty

__all__ = ["read"]

FEN = "the position (default: the starting position)"
SETUP = "name of a setup, its number, or random"


def read(argv: Sequence[str] | None = None) -> argparse.Namespace:
    """Read the command line; ``run`` is the function to call.

    :raises SystemExit: if the command line is wrong, or only asks for help or the version.
    """
    parser = argparse.ArgumentParser(
        prog="acedrex",
        description="Chess on large boards.",
        epilog='"acedrex COMMAND --help" explains a command.',
    )
    parser.add_argument("--version", action="version", version=f"acedrex {__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND")

    def command(name: str, module: object, help: str) -> argparse.ArgumentParser:
        sub = commands.add_parser(name, help=help, description=help[0].upper() + help[1:] + ".")
        sub.set_defaults(run=module.run)  # type: ignore[attr-defined]
        return sub

    def position(sub: argparse.ArgumentParser) -> argparse._MutuallyExclusiveGroup:
        start = sub.add_mutually_exclusive_group()
        start.add_argument("--fen", metavar="FEN", help=FEN)
        start.add_argument("--setup", metavar="SETUP", help=SETUP)
        return start

    def looks(sub: argparse.ArgumentParser) -> None:
        sub.add_argument(
            "--color",
            choices=("auto", "always", "never"),
            default="auto",
            help="colours; auto means only on a terminal",
        )
        pieces = sub.add_mutually_exclusive_group()
        pieces.add_argument("--unicode", action="store_true", help="chess figurines where they exist")
        pieces.add_argument(
            "--letters", action="store_false", dest="unicode", help="letters for all pieces (the default)"
        )

    command("games", games, "list the games")
    sub = command("rules", rules, "print the rules of a game")
    sub.add_argument("game", metavar="GAME", help=GAME)
    sub.add_argument("--language", choices=languages(), default="en", help="language of the rules (en)")

    sub = command("show", show, "show a position")
    sub.add_argument("game", metavar="GAME", help=GAME)
    position(sub)
    looks(sub)
    sub.add_argument("--svg", metavar="FILE", help="also save the position as an SVG file")

    sub = command("moves", moves, "list the legal moves of a position")
    sub.add_argument("game", metavar="GAME", help=GAME)
    position(sub)
    sub.add_argument("--san", action="store_true", help="in algebraic notation instead of coordinates")

    sub = command("perft", perft, "count the positions at a given depth")
    sub.add_argument("game", metavar="GAME", help=GAME)
    position(sub)
    sub.add_argument("depth", metavar="DEPTH", type=depth, help="depth in half-moves")
    sub.add_argument("--divide", action="store_true", help="also count for each first move")
    sub.add_argument("--json", action="store_true", help="print one JSON object")

    command("bench", bench, "print the engine's bench signature")

    sub = command("check", check, "check definition files for errors")
    sub.add_argument("files", metavar="FILE", nargs="+", help="a definition file")

    sub = command("play", play, "play a game in the terminal")
    sub.add_argument("game", metavar="GAME", nargs="?", help=f"{GAME}; you are asked if it is missing")
    position(sub).add_argument("--load", metavar="FILE", help="continue the first game of a PGN file")
    looks(sub)
    for color in ("white", "black"):
        who = f"who plays {color.title()}: human (the default), random, engine, or one of its levels, 1 to 10"
        sub.add_argument(f"--{color}", metavar="PLAYER", choices=PLAYERS, help=who)
    sub.add_argument("--seed", metavar="N", type=int, help="seed for random and levels 1 to 9")

    sub = command("puzzles", puzzles, "solve puzzles in the terminal")
    sub.add_argument(
        "game",
        metavar="GAME",
        nargs="?",
        choices=FEATURED,
        help=f"{', '.join(FEATURED[:-1])} or {FEATURED[-1]}; you are asked if it is missing",
    )
    sub.add_argument("--theme", choices=THEMES, help="only puzzles of a theme")
    sub.add_argument("--difficulty", choices=get_args(Difficulty), help="only puzzles of a difficulty")
    first = "number of the first puzzle, as in the web app (default: a random one)"
    sub.add_argument("--number", metavar="N", type=number(1, 1_000_000), help=first)
    looks(sub)

    server(command("serve", serve, "serve the web app: matches in the browser, against the engine or people"))

    sub = command("backup", serve.Backup, "copy the server's database into a file, while it runs")
    sub.add_argument("file", metavar="FILE", help="the copy, such as acedrex.backup")
    sub = command("restore", serve.Restore, "fill an empty database from a backup")
    sub.add_argument("file", metavar="FILE", help="a file written by backup")

    sub = command("publisher", serve.Publisher, "print a token with which somebody can publish games")
    sub.add_argument("name", metavar="NAME", help="the publisher: letters, digits, _ and -")

    bots(command("bot", bot, "connect a UCI engine to a server and accept challenges"))

    match(command("match", matches, "play a match between programs"))
    lab.arguments(command("lab", lab, "make data for networks, and compare engines, on any number of processors"))

    for name, module, gui in (("uci", uci, "UCI"), ("xboard", xboard, "the protocol of XBoard")):
        sub = command(name, module, f"run as an engine for {gui}")
        sub.add_argument(
            "--game",
            metavar="GAME",
            action="append",
            default=[],
            help="another definition file to offer; may be repeated",
        )

    args = parser.parse_args(argv)
    if not hasattr(args, "run"):
        parser.print_help(sys.stderr)
        raise SystemExit(2)
    return args


def server(sub: argparse.ArgumentParser) -> None:
    """Add the arguments of the server."""
    sub.add_argument("--host", metavar="HOST", default="127.0.0.1", help="address to listen on (127.0.0.1)")
    sub.add_argument("--port", metavar="PORT", type=number(1, 65_535), default=8000, help="port to listen on (8000)")
    sub.add_argument("--workers", metavar="N", type=number(1, 256), default=1, help="processes (1)")
    sub.add_argument("--root-path", metavar="PATH", default="", help="path prefix behind a proxy")
    sub.add_argument("--games", metavar="DIR", help="folder of more definition files to offer")
    sub.add_argument(
        "--publish",
        metavar="WHO",
        choices=("nobody", "tokens", "everybody"),
        default="nobody",
        help="who can publish games into a folder below --games: nobody (the default), tokens or everybody",
    )
    sub.add_argument("--open", action="store_true", help="open the app in a browser if there is a desktop")
    sub.add_argument(
        "--origin",
        metavar="URL",
        type=origin,
        action="append",
        default=[],
        help="public address of the server, such as https://example.org; may be repeated",
    )


def bots(sub: argparse.ArgumentParser) -> None:
    """Add the arguments of a bot."""
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
    sub.add_argument("--matches", metavar="N", type=number(1, 64), default=1, help="matches at once (1)")
    sub.add_argument("--think", metavar="S", type=seconds, default=3.0, help="seconds per turn without a clock (3)")
    sub.add_argument("--offer", metavar="GAME", help="also post a challenge to this game in the lobby")
    sub.add_argument(
        "--clock", metavar="BASE+INC", type=clock, help="clock of that challenge: seconds per game + per turn"
    )


def match(sub: argparse.ArgumentParser) -> None:
    """Add the arguments of a match."""
    control = contest(sub)
    control.add_argument("--tc", metavar="BASE+INC", type=clock, help="seconds per game + seconds per turn")
    sub.add_argument("--concurrency", metavar="K", type=number(1, 256), default=1, help="games at once (1)")
    sub.add_argument("--seed", metavar="N", type=int, default=1, help="seed for the openings (1)")
    sub.add_argument("--out", metavar="FILE", help="summary as JSON; the log of all games goes to .jsonl")
    sub.add_argument("--pgn", metavar="FILE", help="the games as PGN")
    sub.add_argument("--resume", action="store_true", help="continue the match from its log")
