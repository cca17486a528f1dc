"""The command line: ``acedrex COMMAND ...``.

Exit status: 0 if all is well, 1 if what was asked for is wrong, 2 if the command line is, 130 after Ctrl-C.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import suppress

from acedrex.cli import arguments, terminal
from acedrex.cli.errors import CommandError
from acedrex.cli.text import clean
from acedrex.errors import Error

__all__ = ["main"]


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command and give its exit status.

    :param argv: the words of the command line, without the program's name; by default those that the process was given.
    """
    terminal.prepare_streams()
    try:
        args = arguments.read(argv)
        status: int = args.run(args)
        sys.stdout.flush()
    except SystemExit as stop:  # argparse has said what there is to say
        return stop.code if isinstance(stop.code, int) else 2
    except BrokenPipeError:  # whoever read our output has seen enough
        _hush()
        return 0
    except KeyboardInterrupt:
        with suppress(OSError):
            print(file=sys.stderr)
        return 130
    except (CommandError, Error) as error:
        return _complain(str(error))
    except OSError as error:
        _hush()
        return _complain(f"cannot write the output: {error.strerror or error}")
    except Exception as error:
        if os.environ.get("ACEDREX_DEBUG"):
            raise
        return _complain(f"a fault of Acedrex, {type(error).__name__}: {error}; with ACEDREX_DEBUG=1 it tells where")
    return status


def _complain(message: str) -> int:
    with suppress(OSError):
        sys.stdout.flush()
    with suppress(OSError):
        print(f"acedrex: {' '.join(map(clean, message.splitlines()))}", file=sys.stderr)
    return 1


def _hush() -> None:
    """Let what is still waiting to be written go nowhere, so that the interpreter can close in peace."""
    with suppress(OSError, ValueError, AttributeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
