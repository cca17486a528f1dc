"""Examples: positions that show a special rule or how a piece moves."""

from __future__ import annotations

import functools
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import resources


@dataclass(frozen=True, slots=True)
class Example:
    """A position that shows a special rule, or how a piece moves.

    ``moves`` are played to show it; ``refused`` are similar moves that are not legal, and ``refused_then`` are illegal
    after ``moves``. ``shows`` is the kind of the last move, ``ends`` the reason and the score if the game ends;
    ``texts`` are by language. ``first_game`` is set if newcomers play the moves themselves before their first game.
    """

    fen: str
    moves: tuple[str, ...]
    shows: str
    rule: str = ""
    piece: str = ""
    options: Mapping[str, str] = field(default_factory=dict)
    refused: tuple[str, ...] = ()
    refused_then: tuple[str, ...] = ()
    ends: str = ""
    first_game: bool = False
    texts: Mapping[str, str] = field(default_factory=dict, hash=False)


@functools.cache
def examples(game: str) -> tuple[Example, ...]:
    """Return the examples of a game; empty if it has none."""
    return _examples().get(game, ())


@functools.cache
def _examples() -> dict[str, tuple[Example, ...]]:
    text = resources.files(__package__).joinpath("examples.toml").read_text(encoding="utf-8")
    found: dict[str, tuple[Example, ...]] = {}
    for entry in tomllib.loads(text)["example"]:
        moves, refused, refused_then = (
            tuple(entry.get(key, "").split()) for key in ("moves", "refused", "refused_then")
        )
        example = Example(
            rule=entry.get("rule", ""),
            piece=entry.get("piece", ""),
            options=entry.get("options", {}),
            fen=entry["fen"],
            moves=moves,
            refused=refused,
            refused_then=refused_then,
            shows=entry["shows"],
            ends=entry.get("ends", ""),
            first_game=entry.get("first_game", False),
            texts={"en": entry["en"], "fr": entry["fr"]},
        )
        for game in entry["games"]:
            found[game] = (*found.get(game, ()), example)
    return found
