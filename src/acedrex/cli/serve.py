"""``acedrex serve`` and the other commands of operators."""

from __future__ import annotations

import argparse
import os
import sys
import threading
import webbrowser
from pathlib import Path
from typing import Any

from acedrex.cli.errors import CommandError
from acedrex.cli.load import reason
from acedrex.cli.text import clean, count
from acedrex.cli.values import number, origin

__all__ = ["Backup", "Invite", "Publisher", "Restore", "arguments", "run"]

#: Who can create an account, first the default.
SIGN_UPS = ("open", "invitation", "closed")


def arguments(sub: argparse.ArgumentParser) -> None:
    """Add the arguments."""
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
    sub.add_argument(
        "--tournaments",
        metavar="WHO",
        choices=("nobody", "accounts", "everybody"),
        default="accounts",
        help="who can make tournaments, besides moderators: nobody, accounts (the default) or everybody",
    )
    sub.add_argument(
        "--sign-ups",
        metavar="WHO",
        choices=SIGN_UPS,
        help="who can create an account: open (everybody, the default), invitation (of acedrex invite) or closed",
    )
    sub.add_argument(
        "--no-fair-play",
        dest="fair_play",
        action="store_false",
        help="do not compare rated matches with the engine's moves for moderators",
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


def run(args: argparse.Namespace) -> int:
    """Run the server until it is stopped."""
    try:
        from acedrex.server import serve
        from acedrex.server.mail import Smtp
        from acedrex.server.settings import Settings, database_url
    except ModuleNotFoundError as error:
        raise _missing(error) from None
    if args.games is not None and not Path(args.games).is_dir():
        raise CommandError(f"--games {clean(args.games)}: folder not found")
    if args.publish != "nobody" and args.games is None:
        raise CommandError("--publish needs --games: the folder below which published games are saved")
    smtp = os.environ.get("ACEDREX_SMTP_URL") or None
    if smtp is not None:
        Smtp(smtp, os.environ.get("ACEDREX_MAIL_FROM", ""))  # which reports what is wrong with them
        if not args.origin:
            raise CommandError("ACEDREX_SMTP_URL needs --origin: the public address, for the links in mails")
    shown = "127.0.0.1" if args.host in ("0.0.0.0", "::") else args.host
    settings = Settings(
        database=database_url(),
        redis=os.environ.get("ACEDREX_REDIS_URL") or None,
        games=args.games,
        publish=args.publish,
        publish_key=_publish_key(needed=args.publish == "tokens"),
        tournaments=args.tournaments,
        sign_ups=_sign_ups(args.sign_ups),
        smtp=smtp,
        mail_from=os.environ.get("ACEDREX_MAIL_FROM") or None,
        fair_play=args.fair_play,
        hooks=_hooks(os.environ.get("ACEDREX_HOOKS", "").split()),
        push_services=tuple(os.environ.get("ACEDREX_PUSH_SERVICES", "").split()),
        root_path=args.root_path.rstrip("/"),
        workers=args.workers,
        origins=(*args.origin, f"http://{shown}:{args.port}"),
    )
    address = f"http://{shown}:{args.port}{settings.root_path}/"

    def ready() -> None:
        print(f"Acedrex is running at {address} (Ctrl-C stops it).", flush=True)
        if args.open and (sys.platform != "linux" or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
            threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()

    serve.run(settings, args.host, args.port, ready)
    return 0


class Backup:
    """``acedrex backup``."""

    @staticmethod
    def arguments(sub: argparse.ArgumentParser) -> None:
        """Add the arguments."""
        sub.add_argument("file", metavar="FILE", help="the copy, such as acedrex.backup")

    @staticmethod
    def run(args: argparse.Namespace) -> int:
        """Copy the database into a file."""
        return _copy("backup", args.file, "copied")


class Restore:
    """``acedrex restore``."""

    @staticmethod
    def arguments(sub: argparse.ArgumentParser) -> None:
        """Add the arguments."""
        sub.add_argument("file", metavar="FILE", help="a file written by backup")

    @staticmethod
    def run(args: argparse.Namespace) -> int:
        """Fill an empty database from a file."""
        return _copy("restore", args.file, "restored")


class LabOpenings:
    """``acedrex openings``."""

    @staticmethod
    def arguments(sub: argparse.ArgumentParser) -> None:
        """Add the arguments."""
        sub.add_argument("files", metavar="FILE", nargs="+", help="PGN, such as that of acedrex lab pgn")

    @staticmethod
    def run(args: argparse.Namespace) -> int:
        """Put the games of PGN files in the place of the lab's games in the opening tree."""
        try:
            from acedrex.server.archive.lab_openings import replace
            from acedrex.server.settings import database_url
        except ModuleNotFoundError as error:
            raise _missing(error) from None
        try:
            read = replace(database_url(), [Path(name) for name in args.files])
        except OSError as error:
            raise CommandError(f"{clean(str(error.filename))}: {reason(error)}") from None
        print(f"{count(read.games, 'game')} in the opening tree, {read.left_out} left out.")
        return 0


class Lookup:
    """``acedrex lookup``."""

    @staticmethod
    def arguments(sub: argparse.ArgumentParser) -> None:
        """Add the arguments."""
        sub.add_argument("references", metavar="REFERENCE", nargs="+", help="a reference from the log")

    @staticmethod
    def run(args: argparse.Namespace) -> int:
        """Print what references stand for, a line each."""
        try:
            from acedrex.server.log_lookup import lookup
            from acedrex.server.settings import database_url
        except ModuleNotFoundError as error:
            raise _missing(error) from None
        found = lookup(database_url(), args.references)
        for line in found:
            print(*line)
        unknown = sorted(set(args.references) - {reference for reference, _, _ in found})
        if unknown:
            raise CommandError(f"nothing in the database has the reference {clean(', '.join(unknown))}")
        return 0


class Forget:
    """``acedrex forget``."""

    @staticmethod
    def arguments(sub: argparse.ArgumentParser) -> None:
        """Add the arguments."""
        sub.add_argument("people", metavar="PERSON", nargs="+", help="the id of a guest, or a reference from the log")

    @staticmethod
    def run(args: argparse.Namespace) -> int:
        """Note people whose data the server is to delete."""
        try:
            from acedrex.server.personal_data.deletion import note
            from acedrex.server.settings import database_url
        except ModuleNotFoundError as error:
            raise _missing(error) from None
        for id in note(database_url(), args.people):
            print(f"{id}: the tokens are deleted; the server deletes everything else, now or when it runs.")
        return 0


class Invite:
    """``acedrex invite``."""

    @staticmethod
    def arguments(sub: argparse.ArgumentParser) -> None:
        """Add the arguments."""
        sub.add_argument("count", metavar="COUNT", type=number(1, 1_000), nargs="?", default=1, help="how many (1)")
        sub.add_argument(
            "--days", metavar="N", type=number(1, 3_650), default=30, help="for how long they are valid (30)"
        )
        sub.add_argument(
            "--origin", metavar="URL", type=origin, help="print links to this public address of the server"
        )

    @staticmethod
    def run(args: argparse.Namespace) -> int:
        """Print invitations, a line each."""
        try:
            from acedrex.server.people.invitations import invite
            from acedrex.server.settings import database_url
        except ModuleNotFoundError as error:
            raise _missing(error) from None
        for code in invite(database_url(), args.count, args.days):
            print(code if args.origin is None else f"{args.origin}/account?invitation={code}")
        return 0


class Moderators:
    """``acedrex moderators``."""

    @staticmethod
    def arguments(sub: argparse.ArgumentParser) -> None:
        """Add the arguments."""
        change = sub.add_mutually_exclusive_group()
        change.add_argument("--add", metavar="NAME", help="the account of a new moderator")
        change.add_argument("--remove", metavar="NAME", help="the account of one who is to be a moderator no longer")

    @staticmethod
    def run(args: argparse.Namespace) -> int:
        """Change the moderators, and list them."""
        try:
            from acedrex.server.people.operator import moderators
            from acedrex.server.settings import database_url
        except ModuleNotFoundError as error:
            raise _missing(error) from None
        print("\n".join(map(clean, moderators(database_url(), args.add, args.remove))) or "There are no moderators.")
        return 0


class Moderate:
    """``acedrex moderate``."""

    @staticmethod
    def arguments(sub: argparse.ArgumentParser) -> None:
        """Add the arguments."""
        sub.add_argument("action", choices=("mute", "unmute", "close", "reopen", "rename"), help="what to do")
        sub.add_argument("account", metavar="NAME", help="the name of the account")
        sub.add_argument("--reason", metavar="TEXT", required=True, help="why, which its owner and moderators read")
        sub.add_argument("--hours", metavar="N", type=number(1, 24 * 366), help="for how long to mute")
        sub.add_argument("--to", metavar="NAME", help="the new name")

    @staticmethod
    def run(args: argparse.Namespace) -> int:
        """Do something about an account; a server that runs takes part within seconds."""
        try:
            from acedrex.server.people.operator import moderate
            from acedrex.server.settings import database_url
        except ModuleNotFoundError as error:
            raise _missing(error) from None
        moderate(database_url(), args.action, args.account, args.reason, args.hours, args.to)
        print(f"{clean(args.account)}: done, and written into the log.")
        return 0


class Publisher:
    """``acedrex publisher``."""

    @staticmethod
    def arguments(sub: argparse.ArgumentParser) -> None:
        """Add the arguments."""
        sub.add_argument("name", metavar="NAME", help="the publisher: letters, digits, _ and -")

    @staticmethod
    def run(args: argparse.Namespace) -> int:
        """Print a publisher's token."""
        try:
            from acedrex.server.games.publishing import sign
        except ModuleNotFoundError as error:
            raise _missing(error) from None
        try:
            print(sign(_publish_key(needed=True) or "", args.name))
        except ValueError as error:
            raise CommandError(str(error)) from None
        return 0


def _sign_ups(chosen: str | None) -> Any:
    """Return who can create an account, from the command line or the environment."""
    found = chosen or os.environ.get("ACEDREX_SIGN_UPS") or SIGN_UPS[0]
    if found not in SIGN_UPS:
        raise CommandError(f"ACEDREX_SIGN_UPS must be {', '.join(SIGN_UPS[:-1])} or {SIGN_UPS[-1]}")
    return found


def _hooks(urls: list[str]) -> tuple[str, ...]:
    """Return the URLs of hooks, from the environment."""
    from acedrex.server.people import hooks

    try:
        hooks.check(urls)
    except hooks.UnknownHookError as error:
        raise CommandError(f"ACEDREX_HOOKS: {error}; see https://github.com/caronc/apprise/wiki") from None
    return tuple(urls)


def _publish_key(*, needed: bool) -> str | None:
    """Return the key that signs publishers' tokens, from the environment."""
    from acedrex.server.games.publishing import LEAST_KEY

    key = os.environ.get("ACEDREX_PUBLISH_KEY") or None
    if (key or needed) and len(key or "") < LEAST_KEY:
        raise CommandError(f"ACEDREX_PUBLISH_KEY must be a secret text of at least {LEAST_KEY} signs")
    return key


def _copy(what: str, name: str, done: str) -> int:
    try:
        from acedrex.server.settings import database_url
        from acedrex.server.storage import backup
    except ModuleNotFoundError as error:
        raise _missing(error) from None
    try:
        rows = getattr(backup, what)(database_url(), Path(name))
    except OSError as error:
        raise CommandError(f"{clean(name)}: {reason(error)}") from None
    print(f"{count(rows, 'row')} {done}.")
    return 0


def _missing(error: ModuleNotFoundError) -> CommandError:
    return CommandError(f'the server needs {error.name}: in a checkout pip install ".[server]" brings it')
