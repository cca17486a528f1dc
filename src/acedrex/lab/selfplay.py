"""Games of the engine against itself, as data for networks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from acedrex import _native
from acedrex.game import Game
from acedrex.lab import files
from acedrex.lab.block import Block
from acedrex.lab.plan import SPEED, Tally, signature, unit_size
from acedrex.lab.playing import EngineGames

__all__ = ["SelfPlay"]

#: The most positions.
MAX_POSITIONS = 10**12


@dataclass(frozen=True, kw_only=True)
class SelfPlay(EngineGames):
    """A set of games with at least so many positions.

    The games are numbered. A game depends on its number, the rules, the network and the recipe, and on nothing else.

    >>> from acedrex import load
    >>> plan = SelfPlay.plan(load("chess"), positions=100, nodes=10, unit=2)
    >>> plan.counts(0, plan.make(0))["games"]
    2
    """

    kind: ClassVar[str] = "selfplay"
    noun: ClassVar[str] = "position"

    positions: int
    """The positions wanted. The set is the shortest row of units, from the first one, that has so many."""

    @classmethod
    def plan(
        cls,
        game: Game,
        *,
        positions: int,
        nodes: int = 150,
        opening: int = 8,
        seed: int = 1,
        network: bytes | None = None,
        unit: int | None = None,
    ) -> SelfPlay:
        """Plan a set for this engine.

        :param network: the network that evaluates positions; by default the engine's own evaluation.
        :param unit: the games of a unit; by default about half a minute's, by the nodes.
        :raises Error: if the network is of another game.
        """
        made = signature(game, network)
        networks = {} if network is None else {"network": network}
        return cls(
            game=game,
            unit=unit or unit_size(nodes / SPEED),
            networks=networks,
            signature=made,
            positions=positions,
            nodes=nodes,
            opening=opening,
            seed=seed,
        )

    def goal(self) -> dict[str, Any]:
        """Return the positions wanted."""
        return {"positions": self.positions}

    @classmethod
    def from_record(cls, recipe: Mapping[str, Any], goal: Mapping[str, Any], **common: Any) -> Self:
        """Read a plan.

        :raises Error: if a value is missing or wrong.
        """
        return cls(
            **common,
            positions=files.whole(goal, "positions", 1, MAX_POSITIONS),
            **cls.style(recipe),
        )

    def make(self, number: int) -> bytes:
        """Play the games of a unit."""
        network = self.networks.get("network")
        first = number * self.unit
        return _native.self_play(self.game, network, self.nodes, self.opening, self.seed, first, self.unit)

    def tally(self) -> Tally:
        """Return a tally without units."""
        return Positions(self.positions)


class Positions(Tally):
    """Counts positions in the order of units."""

    def __init__(self, wanted: int) -> None:
        super().__init__()
        self._wanted = wanted
        self._later: dict[int, int] = {}
        """The positions of units after the first unfinished one."""
        self._first, self._in_order = 0, 0
        """The number of the first unfinished unit, and the positions of the units before it."""

    def add(self, number: int, block: Block) -> None:
        """Count the positions of a unit."""
        self.units.add(number)
        self._later[number] = block.header["positions"]
        while self.needed is None and self._first in self._later:
            self._in_order += self._later.pop(self._first)
            self._first += 1
            if self._in_order >= self._wanted:
                self.needed = self._first

    def wants(self, number: int) -> bool:
        """Return whether the units before it will probably not be enough."""
        if self.needed is not None:
            return number < self.needed
        known = [positions for unit, positions in self._later.items() if unit < number]
        guess = self.amount / len(self.units) if self.units else 0.0
        return self._in_order + sum(known) + guess * (number - self._first - len(known)) < self._wanted

    @property
    def amount(self) -> int:
        """The positions of all units."""
        return self._in_order + (0 if self.needed is not None else sum(self._later.values()))

    @property
    def goal(self) -> int:
        """The positions wanted."""
        return self._wanted

    def line(self) -> str:
        """Return the units and positions."""
        units = self.needed if self.needed is not None else len(self.units)
        return f"{units:,} units, {self.amount:,} of {self._wanted:,} positions"
