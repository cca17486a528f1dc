"""Compiles a definition in a process with limits: ``python -m acedrex.server.checker NAME < FILE``.

A definition is hostile until it has been compiled once. One that takes too much time or memory here never gets into the
server.
"""

from __future__ import annotations

import asyncio
import sys
from contextlib import suppress

import msgspec
from msgspec import Struct

from acedrex import _native
from acedrex.game import Game

#: Seconds of processor time and bytes of memory.
SECONDS = 5
MEMORY = 1 << 30


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


async def check(name: str, text: str) -> CheckResult:
    """Compile a definition's text in another process."""
    pipe = asyncio.subprocess.PIPE
    command = (sys.executable, "-m", "acedrex.server.checker", name)
    process = await asyncio.create_subprocess_exec(*command, stdin=pipe, stdout=pipe, stderr=asyncio.subprocess.DEVNULL)
    try:
        out, _ = await asyncio.wait_for(process.communicate(text.encode()), SECONDS * 3)
    except TimeoutError:
        out = b""
    finally:
        with suppress(ProcessLookupError):
            process.kill()
    if process.returncode != 0:
        message = f"compiling it takes more than {SECONDS} s or {MEMORY >> 20} MB; make boards, moves or setups smaller"
        return CheckResult("", "", [Fault(name, 1, 1, "", message)])
    return msgspec.json.decode(out, type=CheckResult)


def main() -> None:
    """Compile the definition on standard input."""
    with suppress(ImportError):  # Windows has no such limits
        import resource

        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
        # macOS refuses every effective limit of memory, and some systems do not support one.
        with suppress(AttributeError, ValueError):
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    name, text = sys.argv[1], sys.stdin.buffer.read().decode()
    faults = msgspec.convert(_native.check(text, name), list[Fault], from_attributes=True)
    game = None if faults else Game(text, name)
    result = CheckResult(game.id if game else "", game.name if game else "", faults)
    sys.stdout.buffer.write(msgspec.json.encode(result))


if __name__ == "__main__":
    main()
