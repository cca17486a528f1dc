"""What all tests share."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import gc
import inspect
import os
import queue
import re
import shutil
import tempfile
import threading
import time
from collections.abc import Awaitable, Callable, Generator, Iterator
from pathlib import Path
from typing import Any

import pytest

from acedrex import Board, parse_square
from acedrex.cli import main
from tests.forks import Fork

TESTS = Path(__file__).parent
#: Seconds to wait for what takes a moment on an idle machine: enough for a busy one.
TIMEOUT = 60
#: Seconds that an asynchronous test may take, unless its mark ``time_limit`` says otherwise.
TIME_LIMIT = 2 * TIMEOUT


def pytest_collection_finish() -> None:
    """Spare the garbage collector what lasts as long as the process."""
    gc.collect()
    gc.freeze()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark the tests that show something in a browser or start servers of their own by their fixtures.

    Those that measure time are left to `make nightly`.
    """
    for item in items:
        fixtures = getattr(item, "fixturenames", ())
        if "browser" in fixtures:
            item.add_marker("browser")
        if "start" in fixtures and item.path.parent == TESTS / "server":
            item.add_marker("slow")
    if config.option.markexpr != "nightly":
        items[:] = [item for item in items if not item.get_closest_marker("nightly")]
    if hasattr(config, "workerinput"):
        spread(items)


#: Files that take longest, on an idle machine with one process: they start first, so that none is left at the end.
SLOW = "test_packaging test_access test_offline test_shutdown test_faults test_studio test_games test_element"
SLOW += " test_board_widget test_fuzz test_devices test_analysis test_site test_xboard_screen test_uci test_npm"


def spread(items: list[pytest.Item]) -> None:
    """Spread the files among processes: slow ones first, and those that wait for servers among those that compute."""
    slow = {name: number for number, name in enumerate(SLOW.split())}
    files = [path for path in dict.fromkeys(item.path for item in items) if TESTS in path.parents]
    waiting = {path for path in files if path.parent in (TESTS / "server", TESTS / "web")}
    place: dict[Path, tuple[float, ...]] = {}
    for group in ([path for path in files if path in waiting], [path for path in files if path not in waiting]):
        for number, path in enumerate(group):
            place[path] = (0, slow[path.stem]) if path.stem in slow else (1, number / len(group))
    # Examples of docstrings come last.
    items.sort(key=lambda item: place.get(item.path, (2,)))


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    """Run asynchronous tests and fixtures with asyncio."""
    return "asyncio"


@pytest.hookimpl(wrapper=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> Generator[None, object, object]:
    """Let an asynchronous test that hangs fail: neither pytest nor the plugin of anyio limits its time."""
    mark = pyfuncitem.get_closest_marker("time_limit")
    seconds = mark.args[0] if mark else TIME_LIMIT
    test = pyfuncitem.obj
    hypothesis = getattr(test, "hypothesis", None)
    if inspect.iscoroutinefunction(test):
        pyfuncitem.obj = limited(test, seconds)
    elif hypothesis is not None and inspect.iscoroutinefunction(hypothesis.inner_test):
        hypothesis.inner_test = limited(hypothesis.inner_test, seconds)
    return (yield)


def limited(test: Callable[..., Awaitable[None]], seconds: float) -> Callable[..., Awaitable[None]]:
    """Return a test that raises :class:`TimeoutError` after some seconds."""

    @functools.wraps(test)
    async def limited_test(*args: Any, **kwargs: Any) -> None:
        async with asyncio.timeout(seconds):
            await test(*args, **kwargs)

    return limited_test


def squares(names: str) -> set[int]:
    """Read squares with blanks between them."""
    return {parse_square(name) for name in names.split()}


def played(spec: str, text: str = "", fen: str | None = None) -> Board:
    """Make a board on which some moves have been made."""
    board = Board(spec, fen)
    for uci in text.split():
        board.push_uci(uci)
    return board


def snapshot(board: Board) -> tuple[Any, ...]:
    """Give all that a board tells, to see that it has stayed the same."""
    texts = sorted(move.uci() for move in board.legal_moves)
    stack = (board.move_stack, board.turn_moves, board.root_fen, board.repetitions(), board.moves_left)
    return board.fen(), board.key, board.turn, board.piece_map(), texts, stack


def walk(game: str, moves: int, seed: int = 1) -> Iterator[Board]:
    """Visit the boards of a game played at random."""
    board = Board(game)
    for number in range(moves):
        yield board
        if board.is_game_over():
            return
        board.push(board.legal_moves[(seed * 7919 + number * 104729) % len(board.legal_moves)])


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    """Run a command: its status, output and errors."""

    def run(*argv: object) -> tuple[int, str, str]:
        status = main([str(word) for word in argv])
        out, err = capsys.readouterr()
        return status, out, err

    return run


@pytest.fixture(scope="session")
def witness() -> Callable[..., str]:
    """Find a program from outside, the first of those named, such as `witness("fairy-stockfish")`, or skip the test.

    With ACEDREX_REQUIRE_WITNESSES set an absent program is a failure: whoever sets it wants every test run.
    """

    def find(*programs: str) -> str:
        # Debian keeps games out of root's path.
        path = os.pathsep.join([os.environ["PATH"], "/usr/games", "/usr/local/games"])
        found = [place for program in programs if (place := shutil.which(program, path=path))]
        if not found:
            reason = f"{programs[-1]} is not installed"
            if os.environ.get("ACEDREX_REQUIRE_WITNESSES"):
                pytest.fail(reason, pytrace=False)
            pytest.skip(reason)
        return found[0]

    return find


@pytest.fixture(scope="module")
def browser(witness: Callable[..., str]) -> Iterator[Any]:
    """Chromium, for one file: no asynchronous test can run while Playwright does."""
    witness("chromium-headless-shell", "chromium")
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    from web.board.demo.browser import chromium

    # For a busy machine.
    playwright.expect.set_options(timeout=TIMEOUT * 1000)
    with chromium() as browser:
        yield browser


class Talk:
    """A conversation with an engine in a process of its own."""

    def __init__(self, *words: str) -> None:
        with tempfile.TemporaryDirectory() as folder:
            pipes = [Path(folder, name) for name in ("input", "output")]
            for pipe in pipes:
                os.mkfifo(pipe)
            self.process = Fork([*words], os.environ, pipes[1], pipes[0])
            # In the order in which the process opens them, since each waits for the other.
            self._input = pipes[0].open("w", encoding="utf-8", errors="replace")
            self._output = pipes[1].open(encoding="utf-8", errors="replace")
        self._lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._reader = threading.Thread(target=self._read)
        self._reader.start()

    def _read(self) -> None:
        for line in self._output:
            self._lines.put(line.rstrip("\n"))
        self._lines.put(None)

    def say(self, *lines: str) -> None:
        self._input.write("".join(f"{line}\n" for line in lines))
        self._input.flush()

    def hear(self, pattern: str, seconds: float = TIMEOUT) -> list[str]:
        """Give what is said up to a line of a pattern, that line included."""
        heard: list[str] = []
        end = time.monotonic() + seconds
        while True:
            try:
                line = self._lines.get(timeout=max(end - time.monotonic(), 0.001))
            except queue.Empty:
                raise AssertionError(f"waited for {pattern!r}, heard {heard[-5:]}") from None
            assert line is not None, f"waited for {pattern!r}, the engine is gone; heard {heard[-5:]}"
            heard.append(line)
            if re.fullmatch(pattern, line):
                return heard

    def ask(self, line: str, pattern: str, seconds: float = TIMEOUT) -> list[str]:
        self.say(line)
        return self.hear(pattern, seconds)

    def quiet(self, seconds: float, pattern: str) -> bool:
        """Tell whether no line of a pattern is said for so long."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            with contextlib.suppress(queue.Empty):
                line = self._lines.get(timeout=left)
                assert line is not None, "the engine is gone"
                if re.fullmatch(pattern, line):
                    return False
        return True

    def end(self) -> int:
        """Close its input, and give its exit status."""
        self._input.close()
        return self.process.wait(TIMEOUT)

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()
        self._reader.join()
        with contextlib.suppress(BrokenPipeError):
            self._input.close()
        self._output.close()


@pytest.fixture
def talk() -> Iterator[Callable[..., Talk]]:
    """Begin a conversation: `talk("uci")`."""
    talks: list[Talk] = []

    def begin(*words: str) -> Talk:
        talks.append(Talk(*words))
        return talks[-1]

    yield begin
    for one in talks:
        one.kill()
