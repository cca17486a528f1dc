"""Plans whose units are games of the engine against itself."""

from __future__ import annotations

import hashlib
from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from acedrex import _native
from acedrex.errors import Error
from acedrex.lab import files
from acedrex.lab.block import Block
from acedrex.lab.plan import MAX_SEED, Plan, Tally

__all__ = ["MAX_GAMES", "MAX_NODES", "MAX_OPENING", "Draw", "EngineGames", "StartedGames"]

#: The most nodes a turn, random moves and games.
MAX_NODES, MAX_OPENING, MAX_GAMES = 10**9, 100, 10_000_000


@dataclass(frozen=True, kw_only=True)
class EngineGames(Plan):
    """Games of the engine against itself, as packed blocks."""

    content: ClassVar[str] = "games"

    nodes: int
    """Nodes a turn."""
    opening: int
    """Random moves before the engine begins."""
    seed: int

    def recipe(self) -> dict[str, Any]:
        """Return how games are played."""
        return {"nodes": self.nodes, "opening": self.opening, "seed": self.seed}

    @staticmethod
    def style(recipe: Mapping[str, Any]) -> dict[str, Any]:
        """Read how games are played.

        :raises Error: if a value is missing or wrong.
        """
        return {
            "nodes": files.whole(recipe, "nodes", 1, MAX_NODES),
            "opening": files.whole(recipe, "opening", 0, MAX_OPENING),
            "seed": files.whole(recipe, "seed", 0, MAX_SEED),
        }

    def numbers(self, unit: int) -> range:
        """Return the numbers of the games of a unit."""
        return range(unit * self.unit, (unit + 1) * self.unit)

    def header(self, number: int) -> dict[str, Any]:
        """Return what the games of a unit are."""
        network = self.networks.get("network")
        numbers = self.numbers(number)
        return {
            "game": self.game.id,
            "options": self.game.chosen_options,
            "rules_hash": self.game.rules_hash,
            "files": self.game.files,
            "ranks": self.game.ranks,
            "pieces": [kind.letter for kind in self.game.pieces],
            "terminations": _native.endings(),
            "version": self.version,
            "signature": self.signature,
            "network": None if network is None else files.fingerprint(network),
            **self.recipe(),
            "first": numbers.start,
            "count": len(numbers),
        }

    def counts(self, number: int, payload: bytes) -> dict[str, int]:
        """Count games and the positions before each of their moves.

        :raises Error: if the payload cannot be read or has another number of games.
        """
        games, positions = _native.count_games(self.game, payload)
        wanted = len(self.numbers(number))
        if games != wanted:
            raise Error(f"{games} games, expected {wanted}")
        return {"games": games, "positions": positions}


@dataclass(frozen=True, kw_only=True)
class StartedGames(EngineGames):
    """A number of games, each from a start of its own."""

    noun: ClassVar[str] = "game"

    games: int
    """The games wanted."""

    @abstractmethod
    def start(self, number: int) -> str:
        """Return the position in which a game starts, as FEN."""

    def goal(self) -> dict[str, Any]:
        """Return the games wanted."""
        return {"games": self.games}

    @classmethod
    def from_record(cls, recipe: Mapping[str, Any], goal: Mapping[str, Any], **common: Any) -> Self:
        """Read a plan.

        :raises Error: if a value is missing or wrong.
        """
        return cls(**common, **cls.style(recipe), games=files.whole(goal, "games", 1, MAX_GAMES))

    def numbers(self, unit: int) -> range:
        """Return the numbers of the games of a unit; the last unit may have fewer."""
        return range(unit * self.unit, min((unit + 1) * self.unit, self.games))

    def make(self, number: int) -> bytes:
        """Play the games of a unit."""
        numbers = self.numbers(number)
        starts = [self.start(game) for game in numbers]
        network = self.networks.get("network")
        return _native.play_from(self.game, network, self.nodes, self.opening, self.seed, numbers.start, starts)

    def tally(self) -> Games:
        """Return a tally without units."""
        return Games(self.games, self.unit)


class Games(Tally):
    """Counts games up to a number of them."""

    def __init__(self, wanted: int, unit: int) -> None:
        super().__init__()
        self._wanted, self._units = wanted, -(-wanted // unit)
        self._games = 0

    def add(self, number: int, block: Block) -> None:
        """Count the games of a unit."""
        self.units.add(number)
        self._games += block.header["games"]
        if len(self.units) == self._units:
            self.needed = self._units

    def wants(self, number: int) -> bool:
        """Return whether the unit has games that are wanted."""
        return number < self._units

    @property
    def amount(self) -> int:
        """The games of the finished units."""
        return self._games

    @property
    def goal(self) -> int:
        """The games wanted."""
        return self._wanted

    def line(self) -> str:
        """Return the games."""
        return f"{self._games:,} of {self._wanted:,} games"


class Draw:
    """Numbers that look random and are the same for the same seeds in every version of Python.

    >>> draw = Draw(1, 2)
    >>> [draw.below(6) for _ in range(5)]
    [2, 4, 2, 2, 3]
    """

    def __init__(self, *seeds: int) -> None:
        self._seeds = ":".join(map(str, seeds))
        self._drawn = 0

    def below(self, bound: int) -> int:
        """Return a whole number from 0, below a bound."""
        self._drawn += 1
        digest = hashlib.blake2b(f"{self._seeds}:{self._drawn}".encode(), digest_size=8).digest()
        return int.from_bytes(digest, "little") % bound

    def some(self, items: list[int], count: int) -> list[int]:
        """Return so many of the items, each once."""
        left = list(items)
        return [left.pop(self.below(len(left))) for _ in range(count)]
