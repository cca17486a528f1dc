"""What a match is about, said shortly."""

from __future__ import annotations

from typing import Any

from acedrex import load
from acedrex.match import Control, Settings, parse_spec


def settings(game: str = "chess", first: str = "random", second: str = "greedy", **others: Any) -> Settings:
    return Settings(
        game=load(game),
        first=parse_spec(first),
        second=parse_spec(second),
        **{"control": Control(nodes=1), "openings": 4, **others},
    )
