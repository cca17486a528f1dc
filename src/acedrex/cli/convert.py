"""``acedrex convert``: definitions of other programs, and definitions for them."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from acedrex.cli.errors import CommandError
from acedrex.cli.load import load_game, reason
from acedrex.cli.text import clean
from acedrex.convert import (
    Converted,
    VariantsError,
    built_in,
    convert_diagram,
    convert_variant,
    read_variants,
    write_variant,
)
from acedrex.errors import Error
from acedrex.game import Game

__all__ = ["arguments", "run"]


def arguments(sub: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    sub.add_argument(
        "source",
        metavar="SOURCE",
        help="a variants.ini of Fairy-Stockfish, the word fairy-stockfish for the variants that it has built in, a "
        "page or text (.html, .txt) with an Interactive Diagram, or a GAME, which is written as a variant",
    )
    sub.add_argument(
        "variant", metavar="VARIANT", nargs="?", help="the variant of the file; without it, all are listed"
    )


def run(args: argparse.Namespace) -> int:
    """Print the definition or the variant, and on standard error what it does not say."""
    if args.source == "fairy-stockfish" or args.source.endswith(".ini"):
        variants = built_in() if args.source == "fairy-stockfish" else _read(args.source)
        if args.variant is None:
            for name, settings in variants.items():
                print(f"{clean(name)}: {_said(convert_variant(name, settings))}")
            return 0
        if args.variant not in variants:
            raise CommandError(
                f"{clean(args.source)} has no variant {clean(args.variant)}; without a name, all are listed"
            )
        converted = convert_variant(args.variant, variants[args.variant])
    elif args.source.endswith((".html", ".htm", ".txt")):
        converted = _diagram(args.source, args.variant or Path(args.source).stem)
    elif args.variant is not None:
        raise CommandError("a GAME is one variant; leave the name out")
    else:
        converted = write_variant(load_game(args.source))
    print(converted.text, end="")
    for unsaid in converted.unsaid:
        print(f"acedrex: not said: {clean(unsaid)}", file=sys.stderr)
    return 0


def _said(converted: Converted) -> str:
    """Say in a line how far a variant can be played."""
    if converted.unsaid:
        return f"without {clean(', '.join(converted.unsaid))}"
    try:
        Game(converted.text, "variant.toml")
    except Error as error:
        return clean(str(error))
    return "complete"


def _read(name: str) -> dict[str, list[tuple[str, str]]]:
    with _told(name):
        return read_variants(Path(name).read_text("utf-8"))


def _diagram(name: str, title: str) -> Converted:
    with _told(name):
        return convert_diagram(Path(name).read_text("utf-8"), title)


@contextmanager
def _told(name: str) -> Iterator[None]:
    """Say of a file what is wrong with it."""
    try:
        yield
    except OSError as error:
        raise CommandError(f"cannot read {clean(name)}: {reason(error)}") from error
    except UnicodeDecodeError as error:
        raise CommandError(f"{clean(name)} is not text in UTF-8") from error
    except VariantsError as error:
        raise CommandError(f"{clean(name)}: {error}") from error
