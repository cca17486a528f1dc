"""Games from chosen setups, or from any start position."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from acedrex.board import Board
from acedrex.errors import Error
from acedrex.game import Game
from acedrex.lab import files
from acedrex.lab.plan import SPEED, signature, unit_size
from acedrex.lab.playing import MAX_GAMES, Draw, StartedGames
from acedrex.squares import square, square_file, square_rank

__all__ = ["SetupGames", "alike_setups", "unlike_setups"]

#: The most setups of a plan.
MAX_SETUPS = 10_000


@dataclass(frozen=True, kw_only=True)
class SetupGames(StartedGames):
    """A number of games from each of some setups, in turn.

    >>> from acedrex import load
    >>> plan = SetupGames.plan(load("metamachy"), unlike_setups(load("metamachy")), games=24, nodes=10, unit=4)
    >>> len(plan.setups), plan.setup(13)
    (12, 'GKQL')
    """

    kind: ClassVar[str] = "setups"

    setups: tuple[str, ...]
    """The names of the setups; without any, each game has one drawn from all setups of the game."""

    @classmethod
    def plan(
        cls,
        game: Game,
        setups: Sequence[str] = (),
        *,
        games: int,
        nodes: int = 500,
        opening: int = 4,
        seed: int = 1,
        network: bytes | None = None,
        unit: int | None = None,
    ) -> SetupGames:
        """Plan games.

        :param games: all games, of all setups together.
        :param unit: the games of a unit; by default about half a minute's, by the nodes.
        :raises Error: if the game has no such setup, or the network is of another game.
        """
        for name in setups:
            game.setups.number(name)
        return cls(
            game=game,
            unit=unit or unit_size(nodes / SPEED),
            networks={} if network is None else {"network": network},
            signature=signature(game, network),
            nodes=nodes,
            opening=opening,
            seed=seed,
            games=games,
            setups=tuple(setups),
        )

    def recipe(self) -> dict[str, Any]:
        """Return how games are played, and from which setups."""
        return {**super().recipe(), "setups": list(self.setups)}

    @classmethod
    def from_record(cls, recipe: Mapping[str, Any], goal: Mapping[str, Any], **common: Any) -> Self:
        """Read a plan.

        :raises Error: if a value is missing or wrong.
        """
        setups = recipe.get("setups")
        if not isinstance(setups, list) or len(setups) > MAX_SETUPS:
            raise Error(f"setups: expected a list of at most {MAX_SETUPS:,} names")
        for name in setups:
            common["game"].setups.number(name if isinstance(name, str) else str(name)[:40])
        games = files.whole(goal, "games", 1, MAX_GAMES)
        return cls(**common, **cls.style(recipe), games=games, setups=tuple(setups))

    def setup(self, number: int) -> str | None:
        """Return the setup of a game; ``None`` if the game has none."""
        if self.setups:
            return self.setups[number % len(self.setups)]
        every = self.game.setups
        return every[Draw(self.seed, number).below(len(every))] if len(every) else None

    def start(self, number: int) -> str:
        """Return the position in which a game starts, as FEN."""
        setup = self.setup(number)
        return (Board(self.game) if setup is None else Board(self.game, setup=setup)).fen()


def unlike_setups(game: Game) -> list[str]:
    """Return the setups of a game, and of two that are each other's reflection only the first.

    >>> from acedrex import load
    >>> len(load("maasai").setups), len(unlike_setups(load("maasai")))
    (288, 144)
    """
    return [name for name, first in alike_setups(game).items() if name == first]


def alike_setups(game: Game) -> dict[str, str]:
    """Return the setups of a game; with each, the first that is the same or its reflection.

    >>> from acedrex import load
    >>> alike_setups(load("metamachy"))["KQLG"], alike_setups(load("metamachy"))["QKGL"]
    ('KQLG', 'KQLG')
    """
    firsts: dict[frozenset[tuple[int, str]], str] = {}
    found = {}
    for name in game.setups:
        pieces = Board(game, setup=name).piece_map()
        reflected = frozenset(
            (square(game.files - 1 - square_file(at), square_rank(at)), str(piece)) for at, piece in pieces.items()
        )
        found[name] = firsts.get(reflected, name)
        firsts[frozenset((at, str(piece)) for at, piece in pieces.items())] = name
    return found
