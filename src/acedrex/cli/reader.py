"""Lines that a person types, or a pipe sends."""

from __future__ import annotations

import sys

from acedrex.cli.terminal import is_terminal

__all__ = ["Reader"]


class Reader:
    """Reads lines from standard input.

    On a terminal, lines can be edited and recalled with the arrow keys if Python has ``readline``.
    """

    def __init__(self) -> None:
        self.interactive = is_terminal(sys.stdin) and is_terminal(sys.stdout)
        if self.interactive:
            try:
                import readline
            except ImportError:
                pass
            else:
                readline.set_history_length(1000)

    def read(self, prompt: str) -> str | None:
        """Ask for a line; ``None`` at the end of the input.

        If the input is not a terminal, the line is printed after the prompt, so that the output is complete.
        """
        if self.interactive:
            try:
                return input(prompt)
            except EOFError:
                print()
                return None
        print(prompt, end="", flush=True)
        try:
            line = sys.stdin.readline()
        except (OSError, ValueError):
            line = ""
        text = line.rstrip("\r\n")
        printable = "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text)
        print(printable if line else "")
        return text if line else None
