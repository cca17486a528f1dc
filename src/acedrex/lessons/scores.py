"""How much White scores from each setup, as a study of the lab found out."""

from __future__ import annotations

import functools
import json
from dataclasses import dataclass
from importlib import resources

from acedrex.game import Game

__all__ = ["SetupScore", "SetupScores", "setup_scores", "setup_study"]

#: What ``acedrex lab setups --scores`` wrote.
FOLDER = resources.files(__package__).joinpath("studies")


@dataclass(frozen=True, slots=True)
class SetupScore:
    """White's score from a setup, in per cent, and half the width of its 95 % interval."""

    white: float
    margin: float


@dataclass(frozen=True, slots=True)
class SetupScores:
    """White's score from each setup of a game, from games of the engine against itself."""

    nodes: int
    """Nodes a turn."""
    games: int
    """All games together."""
    scores: dict[str, SetupScore]
    """By the name of the setup."""


def setup_scores(game: Game) -> SetupScores | None:
    """Return White's score from each setup; ``None`` if no study was made of this game with these rules.

    >>> from acedrex import load
    >>> scores = setup_scores(load("metamachy"))
    >>> scores is not None and len(scores.scores)
    24
    """
    found = _stored(game.id)
    return found[1] if found is not None and found[0] == game.rules_hash else None


def setup_study(game: Game) -> str | None:
    """Return the page of the study behind :func:`setup_scores` as HTML; ``None`` if there are no scores."""
    file = FOLDER.joinpath(f"setups-{game.id}.html")
    return file.read_text(encoding="utf-8") if setup_scores(game) is not None and file.is_file() else None


@functools.lru_cache(maxsize=100)
def _stored(id: str) -> tuple[str, SetupScores] | None:
    """Return the scores of a game that ships, and the hash of the rules that they were measured with."""
    file = FOLDER.joinpath(f"setups-{id}.json")
    if not file.is_file():
        return None
    known = json.loads(file.read_text(encoding="utf-8"))
    scores = {name: SetupScore(*score) for name, score in known["scores"].items()}
    return known["rules_hash"], SetupScores(known["nodes"], known["games"], scores)
