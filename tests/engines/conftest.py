"""Fake engines."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from types import SimpleNamespace

import pytest

from acedrex.engine import UciEngine
from tests.engines.programs import FAKE, Start


@pytest.fixture
def log(tmp_path: Path) -> SimpleNamespace:
    """What the fake engine has heard."""
    path = tmp_path / "heard"
    lines = lambda: path.read_text().splitlines()  # noqa: E731
    return SimpleNamespace(path=path, lines=lines, pid=lambda: int(lines()[0].split()[1]))


@pytest.fixture
def start(log: SimpleNamespace) -> Iterator[Start]:
    """Starts a fake engine, and ends it after the test."""
    with ExitStack() as stack:

        def begin(mode: str = "good", **arguments: object) -> UciEngine:
            command = [sys.executable, str(FAKE), mode, str(log.path)]
            return stack.enter_context(UciEngine(command, **{"timeout": 30.0, **arguments}))  # type: ignore[arg-type]

        yield begin
