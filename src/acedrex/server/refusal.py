"""The refusal of a request or a command: a code for programs, and a message for people."""

from __future__ import annotations

from acedrex.server.wire import Problem


class Refusal(Exception):  # noqa: N818 - a refusal is no error of ours
    """The reason why a request or a command is refused."""

    def __init__(self, code: str, message: str, where: str | None = None) -> None:
        """Refuse with a code for programs and a message for people."""
        super().__init__(code, message, where)
        self.problem = Problem(code, message, where)

    def __str__(self) -> str:
        return self.problem.message
