"""Matches between two players as jobs: builds, networks and options against each other."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar, Self

from acedrex.errors import Error
from acedrex.lab import files
from acedrex.lab.block import Block
from acedrex.lab.plan import MAX_SEED, SPEED, TURNS, Plan, Tally, signature, unit_size
from acedrex.match.control import Control
from acedrex.match.openings import Judge, make_opening
from acedrex.match.players import Spec, parse_spec
from acedrex.match.referee import Played
from acedrex.match.runner import Players
from acedrex.match.settings import Goal, Settings
from acedrex.match.standing import Standing

__all__ = ["Gauntlet"]

#: The most nodes a turn, seconds a turn, random moves, centipawns of balance and games.
MAX_NODES, MAX_TIME, MAX_OPENINGS, MAX_BALANCE, MAX_GAMES = 10**12, 86_400.0, 100, 10_000, 10_000_000


@dataclass(frozen=True, kw_only=True)
class Gauntlet(Plan):
    """A match of pairs of games until a number of games or a test is reached.

    With nodes a turn, its result depends on nothing but the plan, however many games are played at once.

    >>> from acedrex import load
    >>> settings = Settings(game=load("chess"), first=parse_spec("greedy"), second=parse_spec("random"),
    ...     control=Control(nodes=1))
    >>> plan = Gauntlet.plan(settings, Goal(games=4), unit=2)
    >>> plan.counts(0, plan.make(0))
    {'games': 4}
    """

    kind: ClassVar[str] = "gauntlet"
    content: ClassVar[str] = "match"
    noun: ClassVar[str] = "game"

    settings: Settings
    until: Goal

    @classmethod
    def plan(cls, settings: Settings, until: Goal, *, unit: int | None = None) -> Gauntlet:
        """Plan a match. The networks of its players are read now.

        :param unit: the pairs of a unit; by default about half a minute's, by the control.
        :raises Error: if a network cannot be read.
        """
        networks = {}
        for side, spec in _sides(settings).items():
            if spec.kind == "acedrex" and "network" in spec.options:
                networks[side] = files.read(Path(spec.options["network"]), files.MAX_NETWORK)
        game = settings.game
        return cls(
            game=game,
            unit=unit or unit_size(sum(map(_seconds, settings.controls.values()))),
            networks=networks,
            signature=signature(game),
            settings=settings,
            until=until,
        )

    def recipe(self) -> dict[str, Any]:
        """Return how games are played."""
        settings = self.settings
        return {
            "first": settings.first.text,
            "second": settings.second.text,
            "nodes": settings.control.nodes,
            "time": settings.control.time,
            "openings": settings.openings,
            "balance": settings.balance,
            "seed": settings.seed,
            "adjudicate": settings.adjudicate,
            "ask_again": settings.ask_again,
        }

    def goal(self) -> dict[str, Any]:
        """Return when the match is over."""
        return {"games": self.until.games, "sprt": None if self.until.sprt is None else list(self.until.sprt)}

    @classmethod
    def from_record(cls, recipe: Mapping[str, Any], goal: Mapping[str, Any], **common: Any) -> Self:
        """Read a plan.

        :raises Error: if a value is missing or wrong.
        """
        timed = recipe.get("time") is not None
        settings = Settings(
            game=common["game"],
            first=parse_spec(files.text_of(recipe, "first", 10_000)),
            second=parse_spec(files.text_of(recipe, "second", 10_000)),
            control=Control(time=files.real(recipe, "time", 0.001, MAX_TIME))
            if timed
            else Control(nodes=files.whole(recipe, "nodes", 1, MAX_NODES)),
            openings=files.whole(recipe, "openings", 0, MAX_OPENINGS),
            balance=files.whole(recipe, "balance", 0, MAX_BALANCE),
            seed=files.whole(recipe, "seed", -MAX_SEED, MAX_SEED),
            adjudicate=recipe.get("adjudicate") is True,
            ask_again=recipe.get("ask_again") is True,
        )
        games, sprt = goal.get("games"), goal.get("sprt")
        if sprt is not None and not (isinstance(sprt, list) and len(sprt) == 2):
            raise Error(f"sprt: expected two numbers or null, found {str(sprt)[:40]!r}")
        until = Goal(
            games=None if games is None else files.whole(goal, "games", 2, MAX_GAMES),
            sprt=None
            if sprt is None
            else (
                files.real({"sprt": sprt[0]}, "sprt", -10_000, 10_000),
                files.real({"sprt": sprt[1]}, "sprt", -10_000, 10_000),
            ),
        )
        return cls(**common, settings=settings, until=until)

    def header(self, number: int) -> dict[str, Any]:
        """Return what the games of a unit are."""
        pairs = self._pairs(number)
        return {
            "game": self.game.id,
            "options": self.game.chosen_options,
            "rules_hash": self.game.rules_hash,
            "version": self.version,
            "signature": self.signature,
            "networks": {name: files.fingerprint(network) for name, network in self.networks.items()},
            **self.recipe(),
            "first": pairs.start,
            "count": len(pairs),
        }

    def make(self, number: int) -> bytes:
        """Play the pairs of a unit, and return a JSON object a line for every game."""
        lines = []
        with tempfile.TemporaryDirectory() as folder:
            settings = self._with_networks(Path(folder))
            judge = Judge() if settings.balance else None
            with closing(Players(settings)) as players:
                for pair in self._pairs(number):
                    opening = make_opening(settings, pair, judge)
                    for game in (2 * pair, 2 * pair + 1):
                        lines.append(files.words(self._plain(players.play(game, opening)).record()) + b"\n")
        return b"".join(lines)

    def counts(self, number: int, payload: bytes) -> dict[str, int]:
        """Count the games.

        :raises Error: if the payload cannot be read or has other games.
        """
        pairs = self._pairs(number)
        found = [game.number for game in games_in(payload)]
        if found != [*range(2 * pairs.start, 2 * pairs.stop)]:
            raise Error(f"games {str(found)[:60]}, expected {2 * pairs.start} to {2 * pairs.stop - 1}")
        return {"games": len(found)}

    def tally(self) -> Games:
        """Return a tally without units."""
        return Games(self)

    def report(self, tally: Tally) -> list[str]:
        """Return the result of the match in lines."""
        return tally.standing.report() if isinstance(tally, Games) else []

    def _pairs(self, number: int) -> range:
        """The numbers of the pairs of a unit; the last one may have fewer."""
        end = (number + 1) * self.unit
        return range(number * self.unit, end if self.until.games is None else min(end, self.until.games // 2))

    def _with_networks(self, folder: Path) -> Settings:
        """Return the settings with the networks as files in a folder."""
        specs = _sides(self.settings)
        for side, network in self.networks.items():
            path = folder / f"{side}.net"
            path.write_bytes(network)
            specs[side] = replace(specs[side], options={**specs[side].options, "network": str(path)})
        return replace(self.settings, first=specs["first"], second=specs["second"])

    def _plain(self, played: Played) -> Played:
        """Leave out the date, and with nodes a turn the times: then the same game is always the same bytes."""
        played.date = ""
        if all(control.nodes is not None for control in self.settings.controls.values()):
            played.seconds = [0.0] * len(played.seconds)
        return played


class Games(Tally):
    """Counts the games of a match."""

    def __init__(self, plan: Gauntlet) -> None:
        super().__init__()
        self._unit = plan.unit
        self.standing = Standing(plan.settings, plan.until)

    def add(self, number: int, block: Block) -> None:
        """Count the games of a unit."""
        self.units.add(number)
        for game in games_in(block.payload):
            self.standing.add(game)
        if self.needed is None and self.standing.over:
            self.needed = -(-sum(self.standing.pairs) // self._unit)

    def wants(self, number: int) -> bool:
        """Return whether the unit has games of the match."""
        if self.needed is not None:
            return number < self.needed
        return self.goal is None or 2 * number * self._unit < self.goal

    @property
    def amount(self) -> int:
        """The games that were played."""
        return len(self.standing.games)

    @property
    def goal(self) -> int | None:
        """The games to be played, if that is known."""
        return self.standing.goal.games

    def line(self) -> str:
        """Return the standing."""
        return self.standing.line()


def games_in(payload: bytes) -> list[Played]:
    """Read the games of a payload.

    :raises Error: if a line is no game.
    """
    return [Played.from_record(files.object_of(line, "a game")) for line in payload.splitlines()]


def _sides(settings: Settings) -> dict[str, Spec]:
    return {"first": settings.first, "second": settings.second}


def _seconds(control: Control) -> float:
    """Return about how many seconds a turn takes."""
    if control.nodes is not None:
        return control.nodes / SPEED
    return control.time or 2 * (control.base or 0) / TURNS + control.increment
