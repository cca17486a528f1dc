"""Turns, scores and limits as UCI writes them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from acedrex._native import Move
from acedrex.board import Board
from acedrex.engine.limit import Limit
from acedrex.engine.result import Info, Score

__all__ = ["NOTHING", "Go", "info_line", "read_go", "turn_word", "turn_words"]

#: Written if there is no legal move; in a position, a null move.
NOTHING = "0000"


def turn_word(moves: Sequence[Move]) -> str:
    """Write the moves of one turn as one word, without an ``end`` after other moves.

    >>> turn_word([Move.from_uci("a4a5"), Move.from_uci("end")])
    'a4a5'
    """
    words = [move.uci() for move in moves]
    if len(words) > 1 and words[-1] == "end":
        words.pop()
    return ",".join(words) or NOTHING


def turn_words(board: Board, moves: Sequence[Move]) -> list[str]:
    """Write a line turn by turn; the last turn may be incomplete."""
    board = board.copy(stack=False)
    words = []
    turn: list[Move] = []
    for move in moves:
        color = board.turn
        board.push(move)
        turn.append(move)
        if board.turn != color:
            words.append(turn_word(turn))
            turn = []
    return words + ([turn_word(turn)] if turn else [])


def score_words(score: Score, bound: str | None, wdl: bool) -> str:
    """Write a score.

    >>> score_words(Score(mate=-3), None, wdl=False)
    'score mate -3'
    """
    words = f"score cp {score.cp}" if score.mate is None else f"score mate {score.mate}"
    if bound is not None:
        words += f" {bound}bound"
    if wdl and score.wdl is not None:
        words += " wdl {} {} {}".format(*score.wdl)
    return words


def info_line(board: Board, info: Info, *, wdl: bool) -> str:
    """Write an ``info`` line of a search."""
    return (
        f"info depth {info.depth} seldepth {info.seldepth} multipv {info.multipv} "
        f"{score_words(info.score, info.bound, wdl)} nodes {info.nodes} nps {info.nps} hashfull {info.hashfull} "
        f"time {round(info.time * 1000)} pv {' '.join(turn_words(board, info.pv))}"
    )


@dataclass
class Go:
    """The arguments of ``go``: numbers by name, flags, the turns to search, and faults."""

    numbers: dict[str, int] = field(default_factory=dict)
    flags: set[str] = field(default_factory=set)
    turns: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)

    def limit(self, *, white: bool) -> Limit:
        """Return the limit for a side; a short search if limits were given but none applies to this side."""

        def seconds(name: str) -> float | None:
            return max(self.numbers[name], 1) / 1000 if name in self.numbers else None

        def count(name: str) -> int | None:
            return max(self.numbers[name], 1) if name in self.numbers else None

        limit = Limit(
            time=seconds("movetime"),
            depth=count("depth"),
            nodes=count("nodes"),
            mate=count("mate"),
            white_clock=seconds("wtime"),
            black_clock=seconds("btime"),
            white_inc=self.numbers.get("winc", 0) / 1000,
            black_inc=self.numbers.get("binc", 0) / 1000,
            remaining_moves=self.numbers.get("movestogo") or None,
        )
        ends = (limit.time, limit.depth, limit.nodes, limit.mate, limit.clock(white=white)[0])
        if (self.numbers or self.faults) and not self.flags and ends == (None,) * len(ends):
            return Limit(depth=1)
        return limit


#: The arguments that take a number, with the largest useful value; times may be negative.
NUMBERS = dict.fromkeys(("wtime", "btime", "winc", "binc", "movetime", "nodes"), 10**18)
NUMBERS |= dict.fromkeys(("movestogo", "depth", "mate", "perft"), 1000)
TIMES = {"wtime", "btime", "winc", "binc", "movetime"}
FLAGS = {"ponder", "infinite"}
KEYWORDS = {*NUMBERS, *FLAGS, "searchmoves"}


def read_go(words: Sequence[str]) -> Go:
    """Read the arguments of ``go``.

    >>> read_go("wtime 1000 btime -5 searchmoves e2e4 d2d4 ponder".split())
    Go(numbers={'wtime': 1000, 'btime': 0}, flags={'ponder'}, turns=['e2e4', 'd2d4'], faults=[])
    >>> read_go("depth x".split()).faults
    ["depth needs a number, not 'x'"]
    """
    go = Go()
    remaining = list(reversed(words))
    searchmoves = False
    while remaining:
        word = remaining.pop()
        if word in NUMBERS:
            searchmoves = False
            text = remaining.pop() if remaining and remaining[-1] not in KEYWORDS else ""
            digits = text.removeprefix("-") if word in TIMES else text
            if digits.isascii() and digits.isdigit():
                go.numbers[word] = min(int(digits[:20]), NUMBERS[word]) if digits == text else 0
            else:
                go.faults.append(f"{word} needs a number, not {text[:40]!r}")
        elif word in FLAGS:
            searchmoves = False
            go.flags.add(word)
        elif word == "searchmoves":
            searchmoves = True
        elif searchmoves:
            go.turns.append(word)
        else:
            go.faults.append(f"there is no {word[:40]!r} in go")
    return go
