"""Compiles definitions in a process with limits: ``python -m acedrex.server.games.checker [strict] < DEFINITIONS``.

A definition is hostile until it has been compiled once. One that takes too much time or memory here never gets into the
server. Standard input is a list of names and texts as JSON; a line with the result is written for each.
"""

from __future__ import annotations

import asyncio
import itertools
import math
import random
import signal
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

import msgspec
from msgspec import Struct

from acedrex import Board, Piece, _native, plain, square_distance
from acedrex.game import FEATURED, Game
from acedrex.server import wire

#: Seconds of processor time for a definition, and bytes of memory.
SECONDS = 5
MEMORY = 1 << 30
#: For games of strangers, seconds of processor time to compile one, to list the moves of a position of a match, while
#: which all other matches wait, and of a crowded position that somebody may set up, which another process lists.
STRICT_COMPILING, STRICT_MOVES, STRICT_CROWDED = 0.3, 0.01, 0.2
#: What is too slow is measured so often: a busy machine may hold up a fast one once.
TRIES = 3
#: Random games in which positions are measured, and their longest length.
RANDOM_GAMES, RANDOM_MOVES = 4, 150
#: Every piece type is also measured on one square in this many, since somebody may set up such a position.
ONE_IN = 8
#: The maximum number of bytes of a result.
MAX_BYTES = 1 << 20


class Fault(Struct):
    """An error in a definition file."""

    file: str
    line: int
    column: int
    key: str
    message: str


class CheckResult(Struct):
    """The result of checking a definition: its faults, or else what lists of games show of it."""

    faults: list[Fault]
    rules_hash: str = ""
    summary: wire.GameSummary | None = None


async def check(definitions: Sequence[tuple[str, str]], *, strict: bool = False) -> list[CheckResult | None]:
    """Compile definitions, each a file name and a text, in another process.

    ``None`` stands for a definition whose check was ended from outside, as by a lack of memory, or never had its time
    on the processor: nothing is known of it.

    :param strict: whether it is a fault too if compiling one or listing its moves takes longer than the server can
        wait.
    """
    found: list[CheckResult | None] = []
    while len(found) < len(definitions):
        found += await _check_until_one_fails(definitions[len(found) :], strict=strict)
    return found


async def _check_until_one_fails(definitions: Sequence[tuple[str, str]], *, strict: bool) -> list[CheckResult | None]:
    """Compile definitions up to the first that ends the process, and at least one."""
    pipe = asyncio.subprocess.PIPE
    command = (sys.executable, "-m", "acedrex.server.games.checker", *(["strict"] if strict else []))
    process = await asyncio.create_subprocess_exec(
        *command, stdin=pipe, stdout=pipe, stderr=asyncio.subprocess.DEVNULL, limit=MAX_BYTES
    )
    assert process.stdin is not None
    assert process.stdout is not None
    found: list[CheckResult | None] = []
    try:
        with suppress(TimeoutError, BrokenPipeError, ConnectionResetError):
            process.stdin.write(msgspec.json.encode(definitions))
            process.stdin.write_eof()
            for _ in definitions:
                line = await asyncio.wait_for(process.stdout.readline(), SECONDS * 3)
                if not line:
                    await process.wait()
                    break
                found.append(msgspec.json.decode(line, type=CheckResult))
    finally:
        with suppress(ProcessLookupError):
            process.kill()
        await process.communicate()
    if len(found) < len(definitions):
        # Too much processor time ends it by SIGXCPU, too much memory by an exception or an abort.
        # A process that has reached neither in that time had no processor: the machine is busy.
        if sys.platform != "win32" and process.returncode == -signal.SIGKILL:
            return [*found, None]
        message = f"compiling it takes more than {SECONDS} s or {MEMORY >> 20} MB; make boards, moves or setups smaller"
        found.append(CheckResult([Fault(definitions[len(found)][0], 1, 1, "", message)]))
    return found


def listed(game: Game) -> dict[str, Any]:
    """Return what lists of games show of a game: the fields of a :class:`wire.GameSummary` but for its origin."""
    return {
        "id": game.id,
        "name": game.name,
        "author": game.author,
        "year": game.year,
        "summary": game.summary,
        "files": game.files,
        "ranks": game.ranks,
        "piece_kinds": len(game.in_play),
        "setups": len(game.setups),
        "turn_moves": max(2, Board(game).moves_left) if game.turns_of_several_moves else 1,
        "start_fen": game.start_fen,
        "featured": game.id in FEATURED,
    }


def _seconds(work: Callable[[], object], limit: float) -> float:
    """Return the seconds of processor time of the fastest of a few tries; the first within the limit is enough."""
    fastest = math.inf
    for _ in range(TRIES):
        begun = time.process_time()
        work()
        fastest = min(fastest, time.process_time() - begun)
        if fastest <= limit:
            break
    return fastest


def _list_moves(board: Board) -> None:
    # A board remembers its moves, and a copy of it does not.
    plain.position_json(board.copy(stack=False), [], legal=True)


def _crowds(game: Game) -> Iterator[Board]:
    """Yield for each piece type a position with many of it, beside the royal pieces of the start."""
    chance = random.Random(1)
    start = Board(game)
    squares = list(game.squares)
    royal = {at: piece for at, piece in start.piece_map().items() if game.piece(piece.letter).royal}
    for kind in game.pieces:
        board = start.copy()
        board.rights = "-"
        for at in set(squares) - royal.keys():
            board.remove_piece_at(at)
        # Checks leave few legal moves: pieces of their own side stand around the royal ones, and none gives check.
        for at, king in royal.items():
            for near in squares:
                if near not in royal and square_distance(at, near) == 1:
                    board.set_piece_at(near, Piece(kind.letter, king.color))
        for at in chance.sample(squares, len(squares) // ONE_IN):
            if board.piece_at(at) is None:
                board.set_piece_at(at, Piece(kind.letter, chance.random() < 0.75))
                if board.is_check() or board.status():
                    board.remove_piece_at(at)
        if not kind.royal:
            yield board


def _slow(name: str, text: str) -> str | None:
    """Return what is too slow in a definition without faults."""
    # With each value of each option, which pages of games may ask for too.
    taken = _seconds(lambda: (_native.check(text, name), Game(text, name)), STRICT_COMPILING)
    if taken > STRICT_COMPILING:
        return f"compiling it takes {taken:.2f} s; at most {STRICT_COMPILING} s for a published game"
    game = Game(text, name)
    measured = itertools.chain(
        ((board, STRICT_CROWDED) for board in _crowds(game)),
        ((board, STRICT_MOVES) for board in _random_positions(game)),
    )
    for board, limit in measured:
        taken = _seconds(partial(_list_moves, board), limit)
        if taken > limit:
            return f"listing the moves of {board.fen()} takes {taken:.3f} s; at most {limit} s for a published game"
    return None


def _random_positions(game: Game) -> Iterator[Board]:
    chance = random.Random(1)
    for _ in range(RANDOM_GAMES):
        board = Board(game)
        for _ in range(RANDOM_MOVES):
            yield Board(game, board.fen())
            moves = list(board.legal_moves)
            if not moves or board.outcome() is not None:
                break
            board.push(chance.choice(moves))


def main() -> None:
    """Compile the definitions on standard input."""
    strict = "strict" in sys.argv[1:]
    for name, text in msgspec.json.decode(sys.stdin.buffer.read(), type=list[tuple[str, str]]):
        _limit()
        sys.stdout.buffer.write(msgspec.json.encode(_check(name, text, strict=strict)) + b"\n")
        sys.stdout.buffer.flush()


def _limit() -> None:
    """Limit the processor time of the next definition, and the memory."""
    with suppress(ImportError):  # Windows has no such limits
        import resource

        seconds = math.ceil(time.process_time()) + SECONDS
        # The first ends it by SIGXCPU, the second by SIGKILL, which others send too.
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, resource.getrlimit(resource.RLIMIT_CPU)[1]))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        # macOS refuses every effective limit of memory, and some systems do not support one.
        with suppress(AttributeError, ValueError):
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def _check(name: str, text: str, *, strict: bool) -> CheckResult:
    faults = msgspec.convert(_native.check(text, name), list[Fault], from_attributes=True)
    if not faults and strict and (slow := _slow(name, text)):
        faults.append(Fault(name, 1, 1, "", slow))
    if faults:
        return CheckResult(faults)
    game = Game(text, name)
    return CheckResult([], game.rules_hash, wire.GameSummary(**listed(game)))


if __name__ == "__main__":
    main()
