"""Mates against a bare King as jobs: which pieces win beside their King, and in how many moves."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations_with_replacement
from typing import Any, ClassVar, Self

from acedrex import _native
from acedrex.errors import Error
from acedrex.game import Game
from acedrex.lab import files
from acedrex.lab.block import Block
from acedrex.lab.mates_page import Found, colors, verdict, write_page
from acedrex.lab.plan import MAX_UNITS, Plan, Tally, signature
from acedrex.lab.records import MatesClass, MatesReport

__all__ = ["Mates", "Sets"]

#: The numbers of a class that are pairs: positions, and how many of them are won.
PAIRS = ("to_move", "bare_to_move", "dead")


@dataclass(frozen=True, kw_only=True)
class Mates(Plan):
    """Sets of one and of two pieces to be solved exhaustively, each with a King against a bare King.

    >>> from acedrex import load
    >>> from acedrex.lab.mates_page import verdict
    >>> plan = Mates.plan(load("chess"))
    >>> plan.sets[:6], len(plan.sets)
    ((('B',), ('N',), ('R',), ('Q',), ('P',), ('B', 'B')), 20)
    >>> report = plan.read(plan.make(2))
    >>> [(len(found["by_moves"]) - 1, verdict(found)) for found in report["classes"]]
    [(16, 'always')]
    """

    kind: ClassVar[str] = "mates"
    content: ClassVar[str] = "mates"
    noun: ClassVar[str] = "set"

    sets: tuple[tuple[str, ...], ...]
    """The letters of the pieces of each set, in the order in which they are solved."""
    left_out: Mapping[tuple[str, ...], str]
    """Sets that cannot be solved, with the reason."""

    @classmethod
    def plan(cls, game: Game) -> Mates:
        """Plan all sets of a game.

        Single pieces come before pairs, then what does not promote before what does, then the least valuable first.

        :raises Error: if the game has no such mates, with the reason.
        """
        sets, left_out = _sets(game)
        return cls(game=game, unit=1, signature=signature(game), sets=sets, left_out=left_out)

    def recipe(self) -> dict[str, Any]:
        """Return the sets."""
        return {"sets": [" ".join(letters) for letters in self.sets]}

    def goal(self) -> dict[str, Any]:
        """Return nothing: the goal is all sets."""
        return {}

    @classmethod
    def from_record(cls, recipe: Mapping[str, Any], goal: Mapping[str, Any], **common: Any) -> Self:
        """Read a plan.

        :raises Error: if its sets are not those of the game.
        """
        sets, left_out = _sets(common["game"])
        if recipe.get("sets") != [" ".join(letters) for letters in sets]:
            raise Error("sets: expected those that this program plans for the game; start a job in another folder")
        return cls(**common, sets=sets, left_out=left_out)

    def header(self, number: int) -> dict[str, Any]:
        """Return which set a unit solves."""
        return {
            "game": self.game.id,
            "options": self.game.chosen_options,
            "rules_hash": self.game.rules_hash,
            "version": self.version,
            "signature": self.signature,
            "set": " ".join(self._set(number)),
        }

    def make(self, number: int) -> bytes:
        """Solve a set, and return what was found as JSON.

        :raises Error: if the solution contradicts the legal moves.
        """
        pieces = bytes(self.game.piece(letter).id for letter in self._set(number))
        return files.words(_native.solve_mates(self.game, pieces, number))

    def read(self, payload: bytes) -> MatesReport:
        """Read what was found about a set.

        :raises Error: if the payload is damaged.
        """
        values = files.object_of(payload, "a report")
        classes = values.get("classes")
        if not isinstance(classes, list) or not 1 <= len(classes) <= 2:
            raise Error("classes: expected one or two")
        return {"checked": _count(values, "checked"), "classes": [_class(found) for found in classes]}

    def counts(self, number: int, payload: bytes) -> dict[str, int]:
        """Count the positions that were compared with the legal moves.

        :raises Error: if the payload cannot be read.
        """
        return {"checked": self.read(payload)["checked"]}

    def tally(self) -> Sets:
        """Return a tally without units."""
        return Sets(self)

    def report(self, tally: Tally) -> list[str]:
        """Return the verdict on each solved set in lines."""
        if not isinstance(tally, Sets):
            return []
        lines = [tally.line()]
        for letters, report in tally.reports():
            for found in report["classes"]:
                moves = len(found["by_moves"]) - 1
                longest = "" if verdict(found) == "cannot" else f", at most {moves} moves"
                lines.append(f"{' '.join(letters)}{colors(found)}: {verdict(found)}{longest}")
        return lines

    def page(self, tally: Tally) -> str | None:
        """Return the tables of what was found so far, in Markdown."""
        if not isinstance(tally, Sets):
            return None
        found = Found(self.game, self.version, tally.reports(), tally.missing(), self.left_out, len(self.sets))
        return write_page(found)

    def _set(self, number: int) -> tuple[str, ...]:
        if not 0 <= number < len(self.sets):
            raise Error(f"there are {len(self.sets)} sets, and no number {number}")
        return self.sets[number]


class Sets(Tally):
    """Keeps what was found about each set."""

    def __init__(self, plan: Mates) -> None:
        super().__init__()
        self._plan = plan
        self._found: dict[int, MatesReport] = {}

    def add(self, number: int, block: Block) -> None:
        """Keep what was found about a set."""
        self.units.add(number)
        self._found[number] = self._plan.read(block.payload)
        if len(self._found) == len(self._plan.sets):
            self.needed = len(self._plan.sets)

    def wants(self, number: int) -> bool:
        """Return whether there is such a set."""
        return number < len(self._plan.sets)

    @property
    def amount(self) -> int:
        """The sets that are solved."""
        return len(self._found)

    @property
    def goal(self) -> int:
        """All sets."""
        return len(self._plan.sets)

    def line(self) -> str:
        """Return how many sets are solved."""
        return f"{self.amount:,} of {self.goal:,} sets"

    def reports(self) -> list[tuple[tuple[str, ...], MatesReport]]:
        """Return the sets that are solved and what was found about them, in the order of the plan."""
        return [(self._plan.sets[number], self._found[number]) for number in sorted(self._found)]

    def missing(self) -> list[tuple[str, ...]]:
        """Return the sets that are not solved yet."""
        return [letters for number, letters in enumerate(self._plan.sets) if number not in self._found]


def _sets(game: Game) -> tuple[tuple[tuple[str, ...], ...], dict[tuple[str, ...], str]]:
    """Return the sets of a game in order, and those that cannot be solved with the reason."""
    kinds = {kind.letter: kind for kind in game.pieces if not kind.royal}

    def order(letters: tuple[str, ...]) -> tuple[int, int, float, tuple[str, ...]]:
        promotes = sum(bool(kinds[letter].promotes_to) for letter in letters)
        value = sum(next(iter(kinds[letter].values.values()), math.inf) for letter in letters)
        return len(letters), promotes, value, letters

    alone = [(letter,) for letter in kinds]
    every = sorted([*alone, *combinations_with_replacement(kinds, 2)], key=order)
    if len(every) > MAX_UNITS:
        raise Error(f"{game.name} has {len(every):,} sets, more than a job can have")
    reasons = _native.unsolved_mates(game, [bytes(kinds[letter].id for letter in letters) for letters in every])
    found = dict(zip(every, reasons, strict=True))
    left_out = {letters: reason for letters, reason in found.items() if reason is not None}
    return tuple(letters for letters in every if letters not in left_out), left_out


def _class(values: object) -> MatesClass:
    """Read a class of positions.

    :raises Error: if a value is missing or wrong.
    """
    if not isinstance(values, dict):
        raise Error("classes: expected JSON objects")
    same = values.get("same_color")
    if same is not None and not isinstance(same, bool):
        raise Error("same_color: expected true, false or null")
    for name in (*PAIRS, "by_moves"):
        if not isinstance(values.get(name), list) or len(values[name]) > 256:
            raise Error(f"{name}: expected a list of at most 256 numbers")
    to_move, bare, dead = (_pair(values[name], name) for name in PAIRS)
    return {
        "same_color": same,
        "to_move": to_move,
        "bare_to_move": bare,
        "mates": _count(values, "mates"),
        "dead": dead,
        "by_moves": [_count({"by_moves": value}, "by_moves") for value in values["by_moves"]],
        "longest": files.text_of(values, "longest", 4096),
    }


def _pair(values: list[object], name: str) -> tuple[int, int]:
    if len(values) != 2:
        raise Error(f"{name}: expected two numbers")
    positions, won = (_count({name: value}, name) for value in values)
    return positions, won


def _count(values: Mapping[str, Any], key: str) -> int:
    return files.whole(values, key, 0, 1 << 62)
