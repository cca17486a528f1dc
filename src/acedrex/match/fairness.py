"""Whether both players of a match have the processor and the speed that they would have alone.

A processor is shared with whatever else runs, and two programs on the processors of one core, or with one memory, slow
each other down. Two measures show it. The *share of the processor* is the processor time of a player over the time in
which it thought: the same in every phase of a game, but blind to a processor that became slower. The *speed* is that of
trial searches in a few positions, one before each game, beside what the same searches reach in as much processor time
before the first game, when nothing else of the match runs. Nodes a second of the turns themselves depend on the phase
of the game, and so are only reported.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass, replace

from acedrex.board import Board
from acedrex.engine.limit import Limit
from acedrex.engine.process import EngineError
from acedrex.match.effort import Effort, Thought
from acedrex.match.openings import make_opening
from acedrex.match.players import PROGRAMS, Player, Spec, make
from acedrex.match.settings import Settings

__all__ = ["FAIR", "Alone", "is_measured", "is_unfair", "measure_alone", "probe_in_play"]

#: A player with less than this part of its processor or of its speed is treated unfairly.
FAIR = 0.9
#: The seconds of thinking, and of trial searches, from which on this is judged.
ENOUGH = 1.0
#: The number of positions that are searched before the first game, besides the start.
OPENINGS = 3
#: The shortest and the longest trial search in seconds, and the seconds of all of a player's before the first game.
SHORTEST_PROBE, LONGEST_PROBE, ALONE = 0.01, 0.5, 1.0


@dataclass(frozen=True)
class Alone:
    """What the players reach alone."""

    positions: list[Board]
    nodes: Mapping[str, list[float]]
    """The nodes per second of processor time at each position, of the players that report nodes."""


def is_measured(settings: Settings, side: str) -> bool:
    """Return whether a player's play depends on its speed: it searches, and for a time."""
    spec: Spec = getattr(settings, side)
    searches = spec.kind in PROGRAMS or (spec.kind == "acedrex" and spec.options.get("level", "10") == "10")
    return searches and settings.controls[side].nodes is None


def is_unfair(effort: Effort) -> bool:
    """Return whether a player had less than it should: too little of its processor, or of its speed.

    >>> is_unfair(Effort(seconds=10, processor=9.5)), is_unfair(Effort(seconds=10, processor=5.0))
    (False, True)
    """
    share = effort.share if effort.seconds >= ENOUGH else None
    speed = effort.speed if effort.probe_seconds >= ENOUGH else None
    return min(share or 1.0, speed or 1.0) < FAIR


def measure_alone(settings: Settings) -> Alone:
    """Let each player that plays for a time search alone, before the first game.

    :raises Error: if a player cannot be created.
    """
    sides = [side for side in ("first", "second") if is_measured(settings, side)]
    positions = [make_opening(replace(settings, openings=0), 0)] if sides else []
    positions += [make_opening(settings, pair) for pair in range(OPENINGS if sides else 0)]
    nodes = {}
    for side in sides:
        limit = _limit(settings, side)
        rounds = max(1, round(ALONE / (limit.time or 1.0) / len(positions)))
        with closing(make(getattr(settings, side), settings.game)) as player:
            probe(player, positions[0], limit)  # takes memory for the first time
            found = [_speed(player, position, limit, rounds) for position in positions]
        if all(found):
            nodes[side] = found
    return Alone(positions, nodes)


def probe(player: Player, board: Board, limit: Limit) -> tuple[int, Thought] | None:
    """Search a position with an empty table; return the nodes and the time, or ``None`` if the player fails."""
    try:
        player.begin("probe")
        result = player.play(board, limit)
    except EngineError:  # a dead program is noticed, and started again, when it begins its next game
        return None
    return (0 if result.info is None else result.info.nodes), player.thought() or Thought()


def probe_in_play(settings: Settings, alone: Alone, side: str, player: Player, number: int) -> Effort:
    """Repeat one of the searches that a player did alone, before a game of the match."""
    position = number // 2 % len(alone.positions)
    found = probe(player, alone.positions[position], _limit(settings, side))
    if found is None:
        return Effort()
    nodes, thought = found
    expected = alone.nodes[side][position] * thought.seconds
    return Effort(probe_seconds=thought.seconds, probe_nodes=nodes, alone_nodes=expected)


def _speed(player: Player, board: Board, limit: Limit, rounds: int) -> float:
    """Return the nodes per second of some searches; 0 if there are none.

    The seconds are those of the processor if they are known: so other work at that moment does not count.
    """
    found = [done for _ in range(rounds) if (done := probe(player, board, limit)) is not None]
    seconds = sum(thought.seconds if thought.processor is None else thought.processor for _, thought in found)
    return sum(nodes for nodes, _ in found) / seconds if seconds else 0.0


def _limit(settings: Settings, side: str) -> Limit:
    """Return the limit of a trial search: about as long as a turn."""
    return Limit(time=min(max(settings.controls[side].turn, SHORTEST_PROBE), LONGEST_PROBE))
