"""Widgets without a notebook."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import comm
import pytest

from acedrex import widget
from acedrex.widget.board import BUILT
from tests.notebook.host import Wire
from tests.web.conftest import need


@pytest.fixture
def board(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., widget.Board]]:
    """Return a function that makes widgets whose channels record what is sent; they are closed at the end."""
    need(BUILT, "the board for notebooks is not built: make play builds it")
    monkeypatch.setattr(comm, "create_comm", Wire)
    made: list[widget.Board] = []

    def make(*args: Any, **more: Any) -> widget.Board:
        made.append(widget.Board(*args, **more))
        return made[-1]

    yield make
    for one in made:
        one.close()
