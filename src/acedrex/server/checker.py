"""Compiles a definition in a process of its own that may use little: ``python -m acedrex.server.checker NAME < FILE``.

Definitions are hostile until they have been compiled once. What takes too long or too much memory here never gets into
the server.
"""

from __future__ import annotations

import asyncio
import sys
from contextlib import suppress

import msgspec
from msgspec import Struct

from acedrex import _native
from acedrex.game import Game
from acedrex.server.wire import Fault

#: Seconds of processor time and bytes of memory.
SECONDS = 5
MEMORY = 1 << 30


class CheckResult(Struct):
    """What a definition turned out to be."""

    id: str
    name: str
    faults: list[Fault]


async def check(name: str, text: str) -> CheckResult:
    """Let another process compile a definition's text."""
    pipe = asyncio.subprocess.PIPE
    words = (sys.executable, "-m", "acedrex.server.checker", name)
    process = await asyncio.create_subprocess_exec(*words, stdin=pipe, stdout=pipe, stderr=asyncio.subprocess.DEVNULL)
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
    """Compile what comes in."""
    with suppress(ImportError):  # Windows has no such limits
        import resource

        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
        # macOS refuses any limit of memory that would be one, and some systems have none to set.
        with suppress(AttributeError, ValueError):
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    name, text = sys.argv[1], sys.stdin.buffer.read().decode()
    faults = msgspec.convert(_native.check(text, name), list[Fault], from_attributes=True)
    game = None if faults else Game(text, name)
    checked = CheckResult(game.id if game else "", game.name if game else "", faults)
    sys.stdout.buffer.write(msgspec.json.encode(checked))


if __name__ == "__main__":
    main()
