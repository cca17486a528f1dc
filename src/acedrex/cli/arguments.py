"""The commands of the command line."""

from __future__ import annotations

import argparse
import pkgutil
import sys
from collections.abc import Sequence
from typing import Any

from acedrex import __version__

__all__ = ["read"]

#: Where each command is, with its ``arguments`` and ``run``, and its help.
COMMANDS = {
    "games": ("games", "list the games"),
    "rules": ("rules", "print the rules of a game"),
    "show": ("show", "show a position"),
    "moves": ("moves", "list the legal moves of a position"),
    "perft": ("perft", "count the positions at a given depth"),
    "bench": ("bench", "print the engine's bench signature"),
    "check": ("check", "check definition files for errors"),
    "convert": ("convert", "convert definitions from and for other programs"),
    "play": ("play", "play a game in the terminal"),
    "puzzles": ("puzzles", "solve puzzles in the terminal"),
    "serve": ("serve", "serve the web app: matches in the browser, against the engine or people"),
    "backup": ("serve:Backup", "copy the server's database into a file, while it runs"),
    "restore": ("serve:Restore", "fill an empty database from a backup"),
    "openings": ("serve:LabOpenings", "put the lab's games into the server's opening tree"),
    "lookup": ("serve:Lookup", "find the matches, analyses and people that the log refers to"),
    "forget": ("serve:Forget", "delete everything that is stored of people"),
    "invite": ("serve:Invite", "print invitations, each good for one account on the server"),
    "moderators": ("serve:Moderators", "list, add and remove the server's moderators"),
    "moderate": ("serve:Moderate", "mute, close or rename an account, or undo that"),
    "publisher": ("serve:Publisher", "print a token with which somebody can publish games"),
    "bot": ("bot", "connect a UCI engine to a server and accept challenges"),
    "match": ("matches", "play a match between programs"),
    "lab": ("lab", "make data for networks, and compare engines, on any number of processors"),
    "uci": ("uci", "run as an engine for UCI"),
    "xboard": ("xboard", "run as an engine for the protocol of XBoard"),
}


class Command(argparse.ArgumentParser):
    """A command. It is imported only when it is called, so that none waits for what the others need."""

    place: str

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Read what follows the command."""
        command = pkgutil.resolve_name(f"acedrex.cli.{self.place}")
        command.arguments(self)
        self.set_defaults(run=command.run)
        return super().parse_known_args(args, namespace)


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
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", parser_class=Command)
    for name, (place, help) in COMMANDS.items():
        commands.add_parser(name, help=help, description=help[0].upper() + help[1:] + ".").place = place
    args = parser.parse_args(argv)
    if not hasattr(args, "run"):
        parser.print_help(sys.stderr)
        raise SystemExit(2)
    return args
