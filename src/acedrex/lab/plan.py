"""Plans: what the units of a job are. The kinds of job build on this."""

from __future__ import annotations

import functools
import hashlib
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

from acedrex import __version__, _native
from acedrex.errors import Error
from acedrex.game import Game
from acedrex.lab.block import Block

__all__ = ["MAX_SEED", "MAX_UNIT", "MAX_UNITS", "Plan", "SignatureError", "Tally", "make", "signature", "unit_size"]

#: The most units of a job: their numbers have six digits.
MAX_UNITS = 1_000_000
#: The most games, or pairs of games, of a unit.
MAX_UNIT = 100_000
#: The largest seed.
MAX_SEED = 2**63 - 1
#: The seconds of work that a unit should be, the turns of a game, and the nodes that a processor visits in a second.
UNIT_SECONDS, TURNS, SPEED = 30.0, 120, 200_000
#: The nodes of the game whose moves are the signature, and its random moves.
SIGNATURE_NODES, SIGNATURE_OPENING = 64, 6


class SignatureError(Error):
    """This engine plays differently from the engine that the job was made for."""


class Tally(ABC):
    """Which units of a job are finished, and whether they are enough."""

    def __init__(self) -> None:
        #: The numbers of the finished units.
        self.units: set[int] = set()
        #: The number of units, counted from the first one, that reach the goal together; ``None`` as long as it is
        #: not known. Later units do not belong to the job.
        self.needed: int | None = None

    @abstractmethod
    def add(self, number: int, block: Block) -> None:
        """Count a finished unit."""

    @abstractmethod
    def wants(self, number: int) -> bool:
        """Return whether a unit is likely to be needed."""

    @property
    @abstractmethod
    def amount(self) -> int:
        """How many positions or games the finished units have."""

    @property
    @abstractmethod
    def goal(self) -> int | None:
        """How many are wanted; ``None`` if that is not known."""

    @abstractmethod
    def line(self) -> str:
        """Return the state in one line."""


@dataclass(frozen=True, kw_only=True)
class Plan(ABC):
    """Everything that decides what the units of a job contain."""

    #: The name of the kind of job, and what its blocks have.
    kind: ClassVar[str]
    content: ClassVar[str]
    #: What is counted.
    noun: ClassVar[str]

    game: Game
    unit: int
    """The size of a unit: games, or pairs of games."""
    networks: Mapping[str, bytes] = field(default_factory=dict)
    """The networks by name; they lie beside the manifest."""
    version: str = __version__
    signature: str = ""
    """How the engine plays; see :func:`signature`."""

    @abstractmethod
    def recipe(self) -> dict[str, Any]:
        """Return how units are made, besides the game and the networks, as a JSON object."""

    @abstractmethod
    def goal(self) -> dict[str, Any]:
        """Return how much is to be made as a JSON object."""

    @classmethod
    @abstractmethod
    def from_record(cls, recipe: Mapping[str, Any], goal: Mapping[str, Any], **common: Any) -> Self:
        """Read a plan from its recipe, its goal and the fields of all plans.

        :raises Error: if a value is missing or wrong.
        """

    @abstractmethod
    def header(self, number: int) -> dict[str, Any]:
        """Return the header of a unit's block, but for what only its payload says."""

    @abstractmethod
    def make(self, number: int) -> bytes:
        """Do the work of a unit and return its payload."""

    @abstractmethod
    def counts(self, number: int, payload: bytes) -> dict[str, int]:
        """Read the payload of a unit, and return the entries of the header that count what it has.

        :raises Error: if it cannot be read, or is not what the unit makes.
        """

    @abstractmethod
    def tally(self) -> Tally:
        """Return a tally without units."""

    def report(self, tally: Tally) -> list[str]:
        """Return the result of the finished job in lines."""
        return [tally.line()]

    def page(self, tally: Tally) -> str | None:
        """Return the page about what was found so far, in Markdown; ``None`` if such jobs have none."""
        return None


def make(plan: Plan, number: int) -> bytes:
    """Do the work of a unit in this process, if its engine is the engine of the plan.

    :raises SignatureError: if this engine plays differently.
    """
    found = signature(plan.game, plan.networks.get("network"))
    if found != plan.signature:
        raise SignatureError(
            f"this engine (version {__version__}, signature {found}) plays differently from the one that the job was "
            f"made for (version {plan.version}, signature {plan.signature}); use that version, or start a job in "
            "another folder"
        )
    return plan.make(number)


@functools.lru_cache(maxsize=8)
def signature(game: Game, network: bytes | None = None) -> str:
    """Return a short text that tells engines apart by how they play: the hash of a game against itself.

    >>> from acedrex import load
    >>> signature(load("chess")) == signature(load("chess")), len(signature(load("chess")))
    (True, 16)
    """
    payload = _native.self_play(game, network, SIGNATURE_NODES, SIGNATURE_OPENING, 0, 0, 1)
    return hashlib.blake2b(__version__.encode() + payload, digest_size=8).hexdigest()


def unit_size(seconds: float, least: int = 1) -> int:
    """Return how many games make a unit of about half a minute, if a turn takes some seconds.

    Nothing is measured, since jobs would not be the same on every machine.

    :param least: the number by which it is divisible.
    """
    return max(1, min(round(UNIT_SECONDS / (TURNS * seconds * least)), 1000 // least)) * least
