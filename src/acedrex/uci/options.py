"""The UCI options."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from acedrex.engine.engine import FULL_LEVEL, MAX_HASH_MB, MAX_THREADS
from acedrex.engine.strength import ELO, level_of_elo
from acedrex.errors import Error

__all__ = ["Options"]


@dataclass(frozen=True)
class Button:
    """An option without a value, which triggers an action."""

    def __str__(self) -> str:
        return "type button"

    def read(self, text: str) -> None:
        """Accept any value and ignore it."""


@dataclass(frozen=True)
class Check:
    """An option that is on or off."""

    default: bool = False

    def __str__(self) -> str:
        return f"type check default {str(self.default).lower()}"

    def read(self, text: str) -> bool:
        """Read ``true`` or ``false``."""
        if text.lower() not in ("true", "false"):
            raise Error(f"{text[:40]!r} is neither true nor false")
        return text.lower() == "true"


@dataclass(frozen=True)
class Spin:
    """An option with a number as its value."""

    default: int
    least: int
    most: int

    def __str__(self) -> str:
        return f"type spin default {self.default} min {self.least} max {self.most}"

    def read(self, text: str) -> int:
        """Read a number within the bounds."""
        digits = text.removeprefix("-")
        if not (digits.isascii() and digits.isdigit() and len(digits) < 10 and self.least <= int(text) <= self.most):
            raise Error(f"{text[:40]!r} is not a number from {self.least} to {self.most}")
        return int(text)


@dataclass(frozen=True)
class Combo:
    """An option with one of several words as its value; the caller validates other words."""

    default: str
    words: tuple[str, ...]

    def __str__(self) -> str:
        return f"type combo default {self.default}" + "".join(f" var {word}" for word in self.words)

    def read(self, text: str) -> str:
        """Accept any word."""
        return text


@dataclass(frozen=True)
class Text:
    """An option with any text as its value."""

    default: str = ""

    def __str__(self) -> str:
        return f"type string default {self.default or '<empty>'}"

    def read(self, text: str) -> str:
        """Accept any text; GUIs write ``<empty>`` for none."""
        return "" if text == "<empty>" else text


class Options:
    """The options and their values, by name.

    >>> options = Options(["chess", "magi"])
    >>> options.set("hash", "16")
    'Hash'
    >>> options["Hash"], options.level
    (16, 10)
    """

    def __init__(self, games: Iterable[str]) -> None:
        self._kinds: dict[str, Button | Check | Spin | Combo | Text] = {
            "UCI_Variant": Combo("chess", tuple(games)),
            "Threads": Spin(1, 1, MAX_THREADS),
            "Hash": Spin(64, 1, MAX_HASH_MB),
            "Clear Hash": Button(),
            "EvalFile": Text(),
            "MultiPV": Spin(1, 1, 256),
            "Ponder": Check(),
            "Move Overhead": Spin(30, 0, 10_000),
            "Skill Level": Spin(FULL_LEVEL, 1, FULL_LEVEL),
            "UCI_LimitStrength": Check(),
            "UCI_Elo": Spin(max(ELO.values()), min(ELO.values()), max(ELO.values())),
            "UCI_AnalyseMode": Check(),
            "UCI_ShowWDL": Check(),
        }
        self._values = {name: kind.default for name, kind in self._kinds.items() if not isinstance(kind, Button)}

    def lines(self) -> list[str]:
        """Return the lines that announce the options."""
        return [f"option name {name} {kind}" for name, kind in self._kinds.items()]

    def set(self, name: str, value: str) -> str:
        """Set an option and return its canonical name; names are case-insensitive.

        :raises Error: if there is no such option, or the value is invalid.
        """
        for option, kind in self._kinds.items():
            if option.lower() == name.lower():
                try:
                    read = kind.read(value)
                except Error as error:
                    raise Error(f"{option}: {error}") from None
                if read is not None:
                    self._values[option] = read
                return option
        raise Error(
            f"there is no option {name[:40]!r}; there are {', '.join(self._kinds)}, and options of games "
            "stand behind their names, as in UCI_Variant value magi:classic_ep=on"
        )

    def __getitem__(self, name: str) -> int:
        """Return the value of a check or spin option."""
        value = self._values[name]
        assert isinstance(value, int)
        return value

    @property
    def network(self) -> str | None:
        """The file of a network, ``none`` for no network, ``None`` for the one that ships."""
        return str(self._values["EvalFile"]) or None

    @property
    def level(self) -> int:
        """The level to play at: full strength for analysis, otherwise by ``UCI_Elo`` or ``Skill Level``."""
        if self["UCI_AnalyseMode"]:
            return FULL_LEVEL
        return level_of_elo(self["UCI_Elo"]) if self["UCI_LimitStrength"] else self["Skill Level"]
