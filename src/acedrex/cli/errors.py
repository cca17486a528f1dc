"""The exception of the command line."""

__all__ = ["CommandError"]


class CommandError(Exception):
    """A command cannot be executed. The message is one sentence for people; the exit status is 1."""
