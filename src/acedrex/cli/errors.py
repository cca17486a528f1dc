"""The one exception of the command line."""

__all__ = ["CommandError"]


class CommandError(Exception):
    """What was asked for cannot be done. The message is one sentence for people; the exit status is 1."""
