"""The command line: ``acedrex COMMAND ...``.

Exit status: 0 for success, 1 for an error, 2 for a wrong command line, 3 for an unfair match, 130 after
Ctrl-C.
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
    """Run a command and return its exit status.

    :param argv: the command line without the name of the program; by default that of the process.
    """
    terminal.prepare_streams()
    try:
        args = arguments.read(argv)
        status: int = args.run(args)
        sys.stdout.flush()
    except SystemExit as stop:  # argparse has printed its message
        return stop.code if isinstance(stop.code, int) else 2
    except BrokenPipeError:  # the reader has closed the pipe
        _discard_output()
        return 0
    except KeyboardInterrupt:
        with suppress(OSError):
            print(file=sys.stderr)
        return 130
    except (CommandError, Error) as error:
        return _fail(str(error))
    except OSError as error:
        _discard_output()
        return _fail(f"cannot write the output: {error.strerror or error}")
    except Exception as error:
        if os.environ.get("ACEDREX_DEBUG"):
            raise
        return _fail(f"a fault of Acedrex, {type(error).__name__}: {error}; with ACEDREX_DEBUG=1 it tells where")
    return status


def _fail(message: str) -> int:
    with suppress(OSError):
        sys.stdout.flush()
    with suppress(OSError):
        print(f"acedrex: {' '.join(map(clean, message.splitlines()))}", file=sys.stderr)
    return 1


def _discard_output() -> None:
    """Discard output that is still buffered, so that the interpreter can exit without an error."""
    with suppress(OSError, ValueError, AttributeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
