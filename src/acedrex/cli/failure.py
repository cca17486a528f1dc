"""The one exception of the command line."""

__all__ = ["Failure"]


class Failure(Exception):
    """What was asked for cannot be done. The message is one sentence for people; the exit status is 1."""
