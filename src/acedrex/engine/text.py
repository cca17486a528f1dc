"""Reading and writing the lines of UCI; garbled lines are ignored."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from acedrex._native import Move
from acedrex.board import Board
from acedrex.engine.limit import Limit
from acedrex.engine.result import Info, Score, Wdl
from acedrex.errors import Error

__all__ = ["ProgramOption", "go", "read_info", "read_line", "read_option", "read_turn", "turns"]

_OPTION = re.compile(r"option name (?P<name>.+?) type (?P<kind>\w+)(?P<rest>.*)")
_FACT = re.compile(r" (default|min|max|var) (.*?)(?= (?:default|min|max|var) |$)")
# A move in coordinates, or a special move such as "end": SAN is not UCI, although boards read both.
_MOVE = re.compile(r"[a-p][0-9]{1,2}[a-p][0-9]{1,2}(?:[a-z]['!]?)?|[a-z]+")


@dataclass(frozen=True, slots=True)
class ProgramOption:
    """An option that a program offers: ``kind`` is ``check``, ``spin``, ``combo``, ``button`` or ``string``."""

    name: str
    kind: str
    default: str
    choices: tuple[str, ...]


def read_option(line: str) -> ProgramOption | None:
    """Read a line ``option name ...``; ``None`` for any other line.

    >>> read_option("option name Hash type spin default 16 min 1 max 1024")
    ProgramOption(name='Hash', kind='spin', default='16', choices=())
    """
    found = _OPTION.fullmatch(line)
    if found is None:
        return None
    facts = _FACT.findall(found["rest"])
    default = next((value for key, value in facts if key == "default"), "")
    return ProgramOption(found["name"], found["kind"], default, tuple(value for key, value in facts if key == "var"))


def go(limit: Limit, root_moves: Sequence[Move] = ()) -> str:
    """Write the command that starts a search.

    >>> go(Limit(time=0.5, nodes=1000))
    'go movetime 500 nodes 1000'
    """
    milliseconds = {
        "movetime": limit.time,
        "wtime": limit.white_clock,
        "btime": limit.black_clock,
        "winc": limit.white_inc,
        "binc": limit.black_inc,
    }
    numbers = {name: None if value is None else max(round(value * 1000), 1) for name, value in milliseconds.items()}
    numbers |= {"depth": limit.depth, "nodes": limit.nodes, "mate": limit.mate, "movestogo": limit.remaining_moves}
    words = [f"{name} {value}" for name, value in numbers.items() if value is not None]
    if not words:
        words.append("infinite")
    if root_moves:  # must be last: some programs read everything that follows as moves
        words += ["searchmoves", *(move.uci() for move in root_moves)]
    return " ".join(["go", *words])


def turns(board: Board) -> Iterator[str]:
    """Yield the turns made since the root of the board in coordinates, without an early ``end``."""
    replay = Board(board.game, board.root_fen)
    turn: list[str] = []
    color = replay.turn
    for move in board.move_stack:
        replay.push(move)
        if move.special != "end" or not turn:
            turn.append(move.uci())
        if replay.turn != color:
            yield ",".join(turn)
            turn, color = [], replay.turn


def read_turn(board: Board, text: str) -> tuple[Move, ...] | None:
    """Read a turn in coordinates; ``None`` if it is not legal."""
    if not all(_MOVE.fullmatch(move) for move in text.split(",")):
        return None
    try:
        return tuple(board.parse_turn(text))
    except Error:
        return None


def read_line(board: Board, words: Sequence[str]) -> tuple[Move, ...]:
    """Read a line of turns up to the first illegal one."""
    board = board.copy(stack=False)
    moves: list[Move] = []
    for word in words:
        turn = read_turn(board, word)
        if turn is None:
            break
        for move in turn:
            board.push(move)
        moves += turn
    return tuple(moves)


def read_info(board: Board, text: str) -> Info | None:
    """Read a line ``info ...``; ``None`` if it has no score or is garbled."""
    words = text.split(" string ")[0].split()[1:]
    before, _, line = " ".join(words).partition(" pv ")
    facts = before.split()
    numbers = dict.fromkeys(("depth", "seldepth", "nodes", "nps", "time", "hashfull"), 0) | {"multipv": 1}
    try:
        for name in numbers.keys() & set(facts):
            numbers[name] = int(facts[facts.index(name) + 1])
        score = _score(facts)
        seconds = numbers["time"] / 1000
    except (ValueError, IndexError, OverflowError):
        return None
    if score is None:
        return None
    bounds = [bound for bound in ("lower", "upper") if f"{bound}bound" in facts]
    pv = read_line(board, line.split())
    return Info(
        depth=numbers["depth"],
        seldepth=numbers["seldepth"],
        multipv=numbers["multipv"],
        score=score,
        turn=board.turn,
        bound=bounds[0] if bounds else None,
        nodes=numbers["nodes"],
        nps=numbers["nps"],
        time=seconds,
        hashfull=numbers["hashfull"],
        pv=pv,
        pv_san=board.variation_san(pv),
    )


def _score(facts: list[str]) -> Score | None:
    if "score" not in facts:
        return None
    kind, value = facts[facts.index("score") + 1 :][:2]
    wdl = None
    if "wdl" in facts:
        wins, draws, losses = map(int, facts[facts.index("wdl") + 1 :][:3])
        if min(wins, draws, losses) >= 0 and any((wins, draws, losses)):  # chances are shares of their sum
            wdl = Wdl(wins, draws, losses)
    return {"cp": Score(cp=int(value), wdl=wdl), "mate": Score(mate=int(value), wdl=wdl)}.get(kind)
