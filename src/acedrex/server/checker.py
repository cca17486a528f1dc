"""Compiles a definition in a process with limits: ``python -m acedrex.server.checker NAME [strict] < FILE``.

A definition is hostile until it has been compiled once. One that takes too much time or memory here never gets into the
server.
"""

from __future__ import annotations

import asyncio
import math
import random
import signal
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial

import msgspec
from msgspec import Struct

from acedrex import Board, _native, plain
from acedrex.game import Game

#: Seconds of processor time and bytes of memory.
SECONDS = 5
MEMORY = 1 << 30
#: For games of strangers, seconds of processor time to compile one and to list the moves of a position: while the
#: server does that, all matches wait.
STRICT_COMPILING, STRICT_MOVES = 0.3, 0.03
#: What is too slow is measured so often: a busy machine may hold up a fast one once.
TRIES = 3
#: Random games in which positions are measured, and their longest length.
RANDOM_GAMES, RANDOM_MOVES = 4, 150


class KilledError(Exception):
    """The process of a check was ended from outside, as by a lack of memory, or never had its time on the processor.

    So nothing is known of the definition.
    """


class Fault(Struct):
    """An error in a definition file."""

    file: str
    line: int
    column: int
    key: str
    message: str


class CheckResult(Struct):
    """The result of checking a definition."""

    id: str
    name: str
    faults: list[Fault]
    rules_hash: str = ""


async def check(name: str, text: str, *, strict: bool = False) -> CheckResult:
    """Compile a definition's text in another process.

    :param strict: whether it is a fault too if compiling it or listing its moves takes longer than the server can wait.
    :raises KilledError: if the process was killed, and not for taking too much.
    """
    pipe = asyncio.subprocess.PIPE
    command = (sys.executable, "-m", "acedrex.server.checker", name, *(["strict"] if strict else []))
    process = await asyncio.create_subprocess_exec(*command, stdin=pipe, stdout=pipe, stderr=asyncio.subprocess.DEVNULL)
    try:
        out, _ = await asyncio.wait_for(process.communicate(text.encode()), SECONDS * 3)
    except TimeoutError:
        out = b""
    finally:
        with suppress(ProcessLookupError):
            process.kill()
    # Too much processor time ends it by SIGXCPU, too much memory by an exception or an abort.
    # A process that has reached neither in that time had no processor: the machine is busy.
    if sys.platform != "win32" and process.returncode in (None, -signal.SIGKILL):
        raise KilledError
    if process.returncode != 0:
        message = f"compiling it takes more than {SECONDS} s or {MEMORY >> 20} MB; make boards, moves or setups smaller"
        return CheckResult("", "", [Fault(name, 1, 1, "", message)])
    return msgspec.json.decode(out, type=CheckResult)


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


def _list_moves(game: Game, fen: str) -> None:
    plain.position_json(Board(game, fen), [], legal=True)


def _slow(name: str, text: str) -> str | None:
    """Return what is too slow in a definition without faults."""
    # With each value of each option, which pages of games may ask for too.
    taken = _seconds(lambda: (_native.check(text, name), Game(text, name)), STRICT_COMPILING)
    if taken > STRICT_COMPILING:
        return f"compiling it takes {taken:.2f} s; at most {STRICT_COMPILING} s for a published game"
    game = Game(text, name)
    chance = random.Random(1)
    for _ in range(RANDOM_GAMES):
        board = Board(game)
        for _ in range(RANDOM_MOVES):
            taken = _seconds(partial(_list_moves, game, board.fen()), STRICT_MOVES)
            if taken > STRICT_MOVES:
                return f"listing the moves of a position takes {taken:.3f} s; at most {STRICT_MOVES} s"
            moves = list(board.legal_moves)
            if not moves or board.outcome() is not None:
                break
            board.push(chance.choice(moves))
    return None


def main() -> None:
    """Compile the definition on standard input."""
    with suppress(ImportError):  # Windows has no such limits
        import resource

        # The first ends it by SIGXCPU, the second by SIGKILL, which others send too.
        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS + 1))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        # macOS refuses every effective limit of memory, and some systems do not support one.
        with suppress(AttributeError, ValueError):
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    name, text = sys.argv[1], sys.stdin.buffer.read().decode()
    faults = msgspec.convert(_native.check(text, name), list[Fault], from_attributes=True)
    if not faults and "strict" in sys.argv[2:] and (slow := _slow(name, text)):
        faults.append(Fault(name, 1, 1, "", slow))
    result = CheckResult("", "", faults)
    if not faults:
        game = Game(text, name)
        result = CheckResult(game.id, game.name, [], game.rules_hash)
    sys.stdout.buffer.write(msgspec.json.encode(result))


if __name__ == "__main__":
    main()
