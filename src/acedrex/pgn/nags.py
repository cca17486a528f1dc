"""Names of the numeric annotation glyphs (NAG) that PGN's standard and its readers agree on."""

from __future__ import annotations

__all__ = [
    "NAG_ACTIVE_POSITION",
    "NAG_BLACK_DECISIVE_ADVANTAGE",
    "NAG_BLACK_DECISIVE_COUNTERPLAY",
    "NAG_BLACK_MODERATE_ADVANTAGE",
    "NAG_BLACK_MODERATE_COUNTERPLAY",
    "NAG_BLACK_MODERATE_TIME_PRESSURE",
    "NAG_BLACK_SEVERE_TIME_PRESSURE",
    "NAG_BLACK_SLIGHT_ADVANTAGE",
    "NAG_BLACK_ZUGZWANG",
    "NAG_BLUNDER",
    "NAG_BRILLIANT_MOVE",
    "NAG_DRAWISH_POSITION",
    "NAG_DUBIOUS_MOVE",
    "NAG_FORCED_MOVE",
    "NAG_GOOD_MOVE",
    "NAG_MISTAKE",
    "NAG_NOVELTY",
    "NAG_NULL",
    "NAG_QUIET_POSITION",
    "NAG_SINGULAR_MOVE",
    "NAG_SPECULATIVE_MOVE",
    "NAG_UNCLEAR_POSITION",
    "NAG_WHITE_DECISIVE_ADVANTAGE",
    "NAG_WHITE_DECISIVE_COUNTERPLAY",
    "NAG_WHITE_MODERATE_ADVANTAGE",
    "NAG_WHITE_MODERATE_COUNTERPLAY",
    "NAG_WHITE_MODERATE_TIME_PRESSURE",
    "NAG_WHITE_SEVERE_TIME_PRESSURE",
    "NAG_WHITE_SLIGHT_ADVANTAGE",
    "NAG_WHITE_ZUGZWANG",
    "NAG_WORST_MOVE",
]

#: No annotation.
NAG_NULL = 0
#: A good move, ``!``.
NAG_GOOD_MOVE = 1
#: A mistake, ``?``.
NAG_MISTAKE = 2
#: A brilliant move, ``!!``.
NAG_BRILLIANT_MOVE = 3
#: A blunder, ``??``.
NAG_BLUNDER = 4
#: A speculative move, ``!?``.
NAG_SPECULATIVE_MOVE = 5
#: A dubious move, ``?!``.
NAG_DUBIOUS_MOVE = 6
#: A forced move: all others lose at once.
NAG_FORCED_MOVE = 7
#: A singular move: there is no other that makes sense.
NAG_SINGULAR_MOVE = 8
#: The worst move.
NAG_WORST_MOVE = 9
#: A drawish position.
NAG_DRAWISH_POSITION = 10
#: Equal chances in a quiet position.
NAG_QUIET_POSITION = 11
#: Equal chances in an active position.
NAG_ACTIVE_POSITION = 12
#: An unclear position.
NAG_UNCLEAR_POSITION = 13
#: White has a slight advantage.
NAG_WHITE_SLIGHT_ADVANTAGE = 14
#: Black has a slight advantage.
NAG_BLACK_SLIGHT_ADVANTAGE = 15
#: White has a moderate advantage.
NAG_WHITE_MODERATE_ADVANTAGE = 16
#: Black has a moderate advantage.
NAG_BLACK_MODERATE_ADVANTAGE = 17
#: White has a decisive advantage.
NAG_WHITE_DECISIVE_ADVANTAGE = 18
#: Black has a decisive advantage.
NAG_BLACK_DECISIVE_ADVANTAGE = 19
#: White is in zugzwang.
NAG_WHITE_ZUGZWANG = 22
#: Black is in zugzwang.
NAG_BLACK_ZUGZWANG = 23
#: White has moderate counterplay.
NAG_WHITE_MODERATE_COUNTERPLAY = 132
#: Black has moderate counterplay.
NAG_BLACK_MODERATE_COUNTERPLAY = 133
#: White has decisive counterplay.
NAG_WHITE_DECISIVE_COUNTERPLAY = 134
#: Black has decisive counterplay.
NAG_BLACK_DECISIVE_COUNTERPLAY = 135
#: White is in moderate time pressure.
NAG_WHITE_MODERATE_TIME_PRESSURE = 136
#: Black is in moderate time pressure.
NAG_BLACK_MODERATE_TIME_PRESSURE = 137
#: White is in severe time pressure.
NAG_WHITE_SEVERE_TIME_PRESSURE = 138
#: Black is in severe time pressure.
NAG_BLACK_SEVERE_TIME_PRESSURE = 139
#: A novelty.
NAG_NOVELTY = 146
