"""What all tests share."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable

import pytest


@pytest.fixture(scope="session")
def witness() -> Callable[[str], str]:
    """Find a program from outside, such as `witness("fairy-stockfish")`, or skip the test and say why.

    With ACEDREX_REQUIRE_WITNESSES set an absent program is a failure: whoever sets it wants every test run.
    """

    def find(program: str) -> str:
        # Debian keeps games out of root's path.
        path = shutil.which(program) or shutil.which(program, path="/usr/games:/usr/local/games")
        if path is None:
            reason = f"{program} is not installed"
            if os.environ.get("ACEDREX_REQUIRE_WITNESSES"):
                pytest.fail(reason, pytrace=False)
            pytest.skip(reason)
        return path

    return find
