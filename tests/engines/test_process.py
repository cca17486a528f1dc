"""Programs that are slow, deaf, silent or broken, or that end."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from types import SimpleNamespace
from typing import Any

import pytest

from acedrex import Board, Move
from acedrex.engine import EngineError, Limit, UciEngine, process
from acedrex.engine.process import split_command
from acedrex.engine.text import ProgramOption
from tests.engines.programs import LIMIT, Start, gone


@pytest.mark.parametrize(
    ("text", "posix", "windows"),
    [
        (r"C:\chess\fish.exe -x", [r"C:chessfish.exe", "-x"], [r"C:\chess\fish.exe", "-x"]),
        (r'uci:"C:\my fish\f.exe"  a="b c"', [r"uci:C:\my fish\f.exe", "a=b c"], [r"uci:C:\my fish\f.exe", "a=b c"]),
        ("fish '#1' #2", ["fish", "#1", "#2"], ["fish", "#1", "#2"]),
    ],
)
def test_commands_are_split_as_by_a_shell(text: str, posix: list[str], windows: list[str]) -> None:
    assert split_command(text, windows=False) == shlex.split(text) == posix
    assert split_command(text, windows=True) == windows


def test_a_missing_program_is_reported() -> None:
    with pytest.raises(EngineError, match='cannot start "no-such-engine": No such file'):
        UciEngine("no-such-engine")
    with pytest.raises(EngineError, match="is empty"):
        UciEngine("")
    with pytest.raises(EngineError, match="cannot be read"):
        UciEngine('"open')


def test_a_program_that_does_not_answer_is_reported_and_killed(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[subprocess.Popen[bytes]] = []

    class Recorded(subprocess.Popen[bytes]):
        def __init__(self, *words: Any, **options: Any) -> None:
            super().__init__(*words, **options)
            started.append(self)

    monkeypatch.setattr(subprocess, "Popen", Recorded)
    with pytest.raises(EngineError, match=r"python\S*: uciok was expected within 0.5 s; the last line was nothing"):
        start("mute", timeout=0.5)
    (process,) = started
    assert gone(process.pid)


def test_a_program_that_is_not_an_engine_is_reported() -> None:
    with pytest.raises(EngineError, match=r"ended \(exit status 3\) when uciok was expected; its last words: .*sorry"):
        UciEngine([sys.executable, "-c", "import sys; input(); print('sorry', file=sys.stderr); sys.exit(3)"])


@pytest.mark.parametrize("mode", ["hang", "chatter"])
def test_a_program_that_does_not_stop_is_killed(start: Start, log: SimpleNamespace, mode: str) -> None:
    engine = start(mode)
    engine.timeout = 1.0
    with pytest.raises(EngineError, match=r"Fake 1.0 sent no bestmove within 1 s of being told to stop"):
        engine.play(Board("chess"), Limit(time=0.1))
    assert gone(log.pid())


def test_a_program_that_does_not_quit_is_killed(start: Start, log: SimpleNamespace) -> None:
    engine = start("stubborn")
    engine.timeout = 0.2
    engine.close()
    assert gone(log.pid())


@pytest.mark.skipif(os.name == "nt", reason="Windows has no sessions")
def test_a_program_shares_our_session_but_not_our_ctrl_c(start: Start, log: SimpleNamespace) -> None:
    """Linux divides the processor among sessions first: in one of its own, a program would have more of it than we."""
    start()
    assert os.getsid(log.pid()) == os.getsid(0)
    assert os.getpgid(log.pid()) == log.pid() != os.getpgid(0)


DEAF = """
import sys, time
while (line := input()) != "isready":
    print("uciok")
print("readyok", flush=True)
time.sleep(60)
"""


@pytest.mark.skipif(os.name == "nt", reason="pipes of Windows always block")
def test_a_program_that_does_not_read_is_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "MAX_SENDING", 0.5)
    engine = UciEngine([sys.executable, "-uc", DEAF], timeout=30)
    engine.options["File"] = ProgramOption("File", "string", "", ())
    with pytest.raises(EngineError, match=r'did not read "setoption name File .*" within 0.5 s; it was killed'):
        engine.set_option("File", "x" * 1_000_000)
    with pytest.raises(EngineError, match="ended"):
        engine.clear()
    engine.close()


@pytest.mark.skipif(os.name == "nt", reason="pipes of Windows always block")
def test_a_program_that_reads_late_receives_everything() -> None:
    script = "import sys, time; time.sleep(0.3); print(len(input()), flush=True); input()"
    program = process.Program([sys.executable, "-c", script])
    program.send("x" * 1_000_000)
    program.wait_at_most(10)
    assert program.read("a number") == "1000000"
    program.close(2)


def test_a_crash_of_the_program_is_reported(start: Start) -> None:
    engine = start("die")
    with pytest.raises(EngineError, match=r"ended \(exit status 1\) when a bestmove .*: \"out of ideas\""):
        engine.play(Board("chess"), LIMIT)
    with pytest.raises(EngineError, match=r"ended \(exit status 1\)"):
        engine.play(Board("chess"), LIMIT)


def test_a_crash_in_the_middle_of_a_line_is_reported(start: Start) -> None:
    with pytest.raises(EngineError, match="out of ink"):
        start("cut").play(Board("chess"), LIMIT)


def test_garbage_in_the_output_is_ignored(start: Start) -> None:
    engine = start("garbage")
    for _ in range(3):
        result = engine.play(Board("chess"), LIMIT)
        assert result.move == Move.from_uci("a2a3") and result.info is not None


def test_endless_output_does_not_fill_the_memory() -> None:
    script = "import sys\nwhile True: sys.stdout.write('uciok and on\\n' * 1000)"
    with pytest.raises(EngineError, match=r"uciok was expected within 0.5 s"):
        UciEngine([sys.executable, "-c", script], timeout=0.5)
