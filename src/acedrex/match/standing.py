"""The standing of a match: its games and pairs, the statistics, and reports in words."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from typing import Any

from acedrex.match.effort import Effort
from acedrex.match.fairness import FAIR, is_unfair
from acedrex.match.referee import Played
from acedrex.match.settings import Goal, Settings
from acedrex.match.sprt import Sprt, estimate
from acedrex.outcome import reason_text

__all__ = ["Standing"]


class Standing:
    """The games of a match so far, from the first player's point of view.

    Pairs are counted in the order of their numbers, whatever the order in which they end. So a test is decided by the
    same pairs however many games are played at once; games after those pairs do not count.
    """

    def __init__(self, settings: Settings, goal: Goal, games: Iterable[Played] = ()) -> None:
        self.settings = settings
        self.goal = goal
        self.sprt = None if goal.sprt is None else Sprt(*goal.sprt)
        #: The games by number.
        self.games: dict[int, Played] = {}
        # With four points per game a pair has nine possible scores.
        self._steps = 8 if settings.game.scoring == "four_points" else 4
        #: The number of pairs with each score, the lowest first: those before the first unfinished pair.
        self.pairs = [0] * (self._steps + 1)
        #: The hypothesis that the test has accepted, ``"H0"`` or ``"H1"``.
        self.verdict: str | None = None
        for game in games:
            self.add(game)

    def add(self, game: Played) -> None:
        """Count a game, if the match is not decided by pairs before it."""
        if self.verdict is not None:
            return
        self.games[game.number] = game
        while (pair := self._next_pair()) is not None:
            self.pairs[round((pair[0].points + pair[1].points) / 2 * self._steps)] += 1
            self.verdict = None if self.sprt is None else self.sprt.verdict(self.pairs)
            if self.verdict is not None:
                counted = 2 * sum(self.pairs)
                self.games = {number: game for number, game in self.games.items() if number < counted}
                return

    def _next_pair(self) -> tuple[Played, Played] | None:
        """Return the first pair that is not counted, if it is finished."""
        number = 2 * sum(self.pairs)
        first, second = self.games.get(number), self.games.get(number + 1)
        return None if first is None or second is None else (first, second)

    @property
    def over(self) -> bool:
        """Whether the match has reached its goal."""
        return self.verdict is not None or (self.goal.games is not None and len(self.games) >= self.goal.games)

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
        if efforts := self.efforts():
            values["fairness"] = {side: self._fairness(side, effort) for side, effort in efforts.items()}
            values["unfair"] = self.unfair
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
                "verdict": self.verdict,
            }
        return values

    def incidents(self) -> dict[str, dict[str, int]]:
        """Return the numbers of incidents by player and kind."""
        counted: dict[str, Counter[str]] = {"first": Counter(), "second": Counter()}
        for game in self.games.values():
            for incident in game.incidents:
                counted[incident.player][incident.kind] += 1
        return {player: dict(kinds) for player, kinds in counted.items()}

    def efforts(self) -> dict[str, Effort]:
        """Return what the turns of each player took, of players whose play depends on their speed."""
        efforts: dict[str, Effort] = {}
        for game in self.games.values():
            for side, effort in game.efforts.items():
                efforts.setdefault(side, Effort()).add(effort)
        return {side: efforts[side] for side in ("first", "second") if side in efforts}

    @property
    def unfair(self) -> list[str]:
        """The players that had less than 90 % of their processor or of their speed."""
        return [side for side, effort in self.efforts().items() if is_unfair(effort)]

    def _fairness(self, side: str, effort: Effort) -> dict[str, Any]:
        return {
            "nodes_per_second": round(effort.nodes / effort.seconds) if effort.seconds else None,
            "trial_nodes_per_second": round(effort.probe_nodes / effort.probe_seconds)
            if effort.probe_seconds
            else None,
            "speed": None if effort.speed is None else round(effort.speed, 3),
            "processor": None if effort.share is None else round(effort.share, 3),
            "late": self.incidents()[side].get("late", 0),
        }

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
            f"{self.settings.pace}",
            self.line(),
            f"Pairs by score: {' '.join(map(str, self.pairs))}",
        ]
        estimated = estimate(self.pairs)
        if estimated is not None:
            lines.append(
                f"{estimated.superiority:.1%} likely to be better; normalized Elo {_words(estimated.normalized_elo)}; "
                "brackets are 95% intervals"
            )
        limits = self.settings.game.draw_limits
        endings = {reason_text(name, limits.get(name)): times for name, times in values["terminations"].items()}
        lines.append(f"Endings: {_listed(endings)}; {values['turns_a_game']} turns a game")
        for player, kinds in values["incidents"].items():
            if kinds:
                lines.append(f"Incidents of the {player}: {_listed(kinds)}")
        for player, facts in values.get("fairness", {}).items():
            lines.append(f"Speed of the {player}: {_speed_words(facts)}")
        if self.unfair:
            lines.append(
                f"UNFAIR: the {' and the '.join(self.unfair)} had less than {FAIR:.0%} of a processor or of the speed "
                "alone; play again on an idle machine"
            )
        if self.sprt is not None:
            verdict = {"H0": f"{self.sprt.elo0:g} or less", "H1": f"{self.sprt.elo1:g} or more", None: "undecided"}
            lines.append(f"Test in normalized Elo: {verdict[self.verdict]}")
        return lines


def _speed_words(facts: dict[str, Any]) -> str:
    words = []
    if facts["nodes_per_second"]:
        words.append(f"{facts['nodes_per_second']:,} nodes/s in play")
    if facts["speed"] is not None:
        words.append(f"{facts['trial_nodes_per_second']:,} in trial searches, {facts['speed']:.0%} of those alone")
    if facts["processor"] is not None:
        words.append(f"{facts['processor']:.0%} of its processor")
    return "; ".join([*words, f"late {facts['late']}"])


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None


def _words(value: float) -> str:
    return f"{value:+.1f}" if math.isfinite(value) else "+inf" if value > 0 else "-inf"


def _listed(counts: dict[str, int]) -> str:
    return ", ".join(f"{name.replace('_', ' ')} {count}" for name, count in counts.items())
