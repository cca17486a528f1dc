"""The standing of a match: its games and pairs, the statistics, and reports in words."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from typing import Any

from acedrex.match.referee import Played
from acedrex.match.settings import Goal, Settings
from acedrex.match.sprt import Sprt, estimate
from acedrex.outcome import reason_words

__all__ = ["Standing"]


class Standing:
    """The games of a match so far, from the first player's point of view."""

    def __init__(self, settings: Settings, goal: Goal, games: Iterable[Played] = ()) -> None:
        self.settings = settings
        self.goal = goal
        self.sprt = None if goal.sprt is None else Sprt(*goal.sprt)
        #: The games by number.
        self.games: dict[int, Played] = {}
        # With four points per game a pair has nine possible scores.
        self._steps = 8 if settings.game.scoring == "four_points" else 4
        #: The number of pairs with each score, the lowest first.
        self.pairs = [0] * (self._steps + 1)
        for game in games:
            self.add(game)

    def add(self, game: Played) -> None:
        """Count a game."""
        self.games[game.number] = game
        other = self.games.get(game.number ^ 1)
        if other is not None:
            self.pairs[round((game.points + other.points) / 2 * self._steps)] += 1

    @property
    def over(self) -> bool:
        """Whether the match has reached its goal."""
        if self.goal.games is not None and len(self.games) >= self.goal.games:
            return True
        return self.sprt is not None and self.sprt.verdict(self.pairs) is not None

    def record(self) -> dict[str, Any]:
        """Return the summary of the match as a JSON object. Infinite values are ``null``."""
        estimated = estimate(self.pairs)
        games = [self.games[number] for number in sorted(self.games)]
        turns = sum(len(game.turns) for game in games)
        values: dict[str, Any] = {
            **self.settings.record(),
            "games": len(games),
            "wins": sum(game.points > 0.5 for game in games),
            "draws": sum(game.points == 0.5 for game in games),
            "losses": sum(game.points < 0.5 for game in games),
            "pairs": self.pairs,
            "white_wins": sum(game.result == "1-0" for game in games),
            "black_wins": sum(game.result == "0-1" for game in games),
            "turns_a_game": round(turns / len(games), 1) if games else None,
            "terminations": dict(Counter(game.termination for game in games).most_common()),
            "incidents": self.incidents(),
        }
        if estimated is not None:
            values |= {
                "score": estimated.score,
                "score_interval": estimated.score_interval,
                "elo": _finite(estimated.elo),
                "elo_interval": [_finite(end) for end in estimated.elo_interval],
                "normalized_elo": _finite(estimated.normalized_elo),
                "superiority": estimated.superiority,
            }
        if self.sprt is not None:
            values["sprt"] = {
                "elo0": self.sprt.elo0,
                "elo1": self.sprt.elo1,
                "ratio": self.sprt.ratio(self.pairs),
                "bound": self.sprt.bound,
                "verdict": self.sprt.verdict(self.pairs),
            }
        return values

    def incidents(self) -> dict[str, dict[str, int]]:
        """Return the numbers of incidents by player and kind."""
        counted: dict[str, Counter[str]] = {"first": Counter(), "second": Counter()}
        for game in self.games.values():
            for incident in game.incidents:
                counted[incident.player][incident.kind] += 1
        return {player: dict(kinds) for player, kinds in counted.items()}

    def line(self) -> str:
        """Return the standing in one line."""
        games = self.games.values()
        wins, losses = sum(game.points > 0.5 for game in games), sum(game.points < 0.5 for game in games)
        words = [f"{len(games)}{f'/{self.goal.games}' if self.goal.games else ''} games"]
        words.append(f"+{wins} ={len(games) - wins - losses} -{losses}")
        estimated = estimate(self.pairs)
        if estimated is not None:
            low, high = estimated.score_interval
            words.append(f"{estimated.score:.1%} [{low:.1%}, {high:.1%}]")
            words.append(f"Elo {_words(estimated.elo)} [{', '.join(map(_words, estimated.elo_interval))}]")
        if self.sprt is not None:
            words.append(f"LLR {self.sprt.ratio(self.pairs):.2f} of ±{self.sprt.bound:.2f}")
        return ", ".join(words)

    def report(self) -> list[str]:
        """Return the standing in several lines."""
        values = self.record()
        lines = [
            f"{self.settings.game.spec}: {self.settings.first.text} against {self.settings.second.text}, "
            f"{self.settings.control} a {'game' if self.settings.control.base is not None else 'turn'}",
            self.line(),
            f"Pairs by score: {' '.join(map(str, self.pairs))}",
        ]
        estimated = estimate(self.pairs)
        if estimated is not None:
            lines.append(
                f"Better with {estimated.superiority:.1%}; normalized Elo {_words(estimated.normalized_elo)}; "
                "intervals hold with 95 %"
            )
        limits = self.settings.game.draw_limits
        endings = {reason_words(name, limits.get(name)): times for name, times in values["terminations"].items()}
        lines.append(f"Endings: {_listed(endings)}; {values['turns_a_game']} turns a game")
        for player, kinds in values["incidents"].items():
            if kinds:
                lines.append(f"Incidents of the {player}: {_listed(kinds)}")
        if self.sprt is not None:
            verdict = {"H0": f"{self.sprt.elo0:g} or less", "H1": f"{self.sprt.elo1:g} or more", None: "undecided"}
            lines.append(f"Test in normalized Elo: {verdict[self.sprt.verdict(self.pairs)]}")
        return lines


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None


def _words(value: float) -> str:
    return f"{value:+.1f}" if math.isfinite(value) else "+inf" if value > 0 else "-inf"


def _listed(counts: dict[str, int]) -> str:
    return ", ".join(f"{name.replace('_', ' ')} {count}" for name, count in counts.items())
