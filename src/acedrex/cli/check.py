"""``acedrex check``: the faults of definition files."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from acedrex.cli.load import reason
from acedrex.cli.text import clean
from acedrex.game import Fault, check

__all__ = ["arguments", "run"]


def arguments(sub: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    sub.add_argument("files", metavar="FILE", nargs="+", help="a definition file")


def run(args: argparse.Namespace) -> int:
    """Print every fault of each file with its line and column."""
    wrong = False
    for name in args.files:
        try:
            faults = check(name)
        except OSError as error:
            print(f"acedrex: cannot read {clean(name)}: {reason(error)}", file=sys.stderr)
            wrong = True
            continue
        for fault in faults:
            # A fault may be in the game that the file extends; long names are shortened in faults.
            if Path(name).name.startswith(fault.file.removesuffix("...")):
                print(clean(str(Fault(name, fault.line, fault.column, fault.key, fault.message))))
            else:
                print(clean(f"{name}: {fault}"))
        if not faults:
            print(f"{clean(name)}: no errors")
        wrong = wrong or bool(faults)
    return int(wrong)
