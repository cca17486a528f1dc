"""Records."""

from acedrex.pgn import *  # noqa: F403 - the names under test
