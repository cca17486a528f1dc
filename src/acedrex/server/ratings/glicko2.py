"""The Glicko-2 rating system.

The formulas and the names of the variables are those of Mark Glickman's *Example of the Glicko-2 system* (2022).
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from msgspec import Struct

#: What a rating starts from.
RATING, DEVIATION, VOLATILITY = 1500.0, 350.0, 0.06
#: How much volatilities change: Glickman recommends 0.3 to 1.2, and calculates his example with this.
TAU = 0.5
#: Between the scale that is shown and that of the formulas.
SCALE = 173.7178
#: Beyond this distance, about 3,500 points, a bigger one makes no difference.
MAX_MARGIN = 20.0
#: When the iteration for the volatility ends.
EPSILON = 0.000_001
#: The smallest deviation: without it, ratings of those who play much would hardly move.
MIN_DEVIATION = 45.0
#: The deviation above which a rating is provisional.
PROVISIONAL = 110.0
#: Milliseconds of a rating period: with the usual volatility, a deviation of 60 becomes 110 in a year without games.
PERIOD = 402_500_000


class Rating(Struct, frozen=True):
    """How strong a player is, and how certain that is."""

    rating: float = RATING
    deviation: float = DEVIATION
    volatility: float = VOLATILITY

    def after(self, periods: float) -> Rating:
        """Return the rating after some rating periods without games, in which it becomes less certain.

        >>> round(Rating(1500, 60).after(365 * 86_400_000 / PERIOD).deviation)
        110
        """
        phi = math.hypot(self.deviation / SCALE, self.volatility * math.sqrt(max(0.0, periods)))
        return Rating(self.rating, min(phi * SCALE, DEVIATION), self.volatility)

    @property
    def provisional(self) -> bool:
        """Whether too few games were played, or too long ago, for the rating to say much."""
        return self.deviation > PROVISIONAL


def rate(player: Rating, games: Sequence[tuple[Rating, float]], periods: float = 1.0) -> Rating:
    """Return a player's rating after some games.

    :param games: the opponents' ratings before the games, and the player's points: from 0 for a loss to 1 for a win.
    :param periods: how many rating periods have passed since the player's last game; less than one is allowed.

    >>> opponents = [(Rating(1400, 30), 1.0), (Rating(1550, 100), 0.0), (Rating(1700, 300), 0.0)]
    >>> new = rate(Rating(1500, 200), opponents)
    >>> round(new.rating, 2), round(new.deviation, 2), round(new.volatility, 5)
    (1464.05, 151.52, 0.06)
    """
    if not games:
        return player.after(periods)
    mu, phi = (player.rating - RATING) / SCALE, player.deviation / SCALE
    information = advantage = 0.0
    for opponent, points in games:
        g = 1 / math.sqrt(1 + 3 * (opponent.deviation / SCALE / math.pi) ** 2)
        # No game is so certain that it says nothing.
        margin = min(max(g * (mu - (opponent.rating - RATING) / SCALE), -MAX_MARGIN), MAX_MARGIN)
        expected = 1 / (1 + math.exp(-margin))
        information += g * g * expected * (1 - expected)
        advantage += g * (points - expected)
    v = 1 / information
    sigma = _new_volatility(phi, v, v * advantage, player.volatility)
    phi = math.hypot(phi, sigma * math.sqrt(max(0.0, periods)))
    phi = 1 / math.sqrt(1 / phi**2 + information)
    deviation = min(max(phi * SCALE, MIN_DEVIATION), DEVIATION)
    return Rating(RATING + SCALE * (mu + phi**2 * advantage), deviation, sigma)


def _new_volatility(phi: float, v: float, delta: float, sigma: float) -> float:
    """Return the volatility at which ``f`` is zero, by Glickman's variant of the regula falsi."""
    a = math.log(sigma**2)

    def f(x: float) -> float:
        spread = phi**2 + v + math.exp(x)
        return math.exp(x) * (delta**2 - spread) / (2 * spread**2) - (x - a) / TAU**2

    low = a
    if delta**2 > phi**2 + v:
        high = math.log(delta**2 - phi**2 - v)
    else:
        high = a - TAU
        while f(high) < 0:
            high -= TAU
    at_low, at_high = f(low), f(high)
    while abs(high - low) > EPSILON:
        middle = low + (low - high) * at_low / (at_high - at_low)
        at_middle = f(middle)
        if at_middle * at_high <= 0:
            low, at_low = high, at_high
        else:
            at_low /= 2
        high, at_high = middle, at_middle
    return math.exp(low / 2)
