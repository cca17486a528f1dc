"""The program of docs/how-to/learn-a-game.md that needs PyTorch, which neither the package nor its tests install."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.test_docs import DOCS, files


def program() -> str:
    return files(DOCS / "how-to" / "learn-a-game.md")["policy.py"]


def test_the_policy_compiles() -> None:
    compile(program(), "policy.py", "exec")


@pytest.mark.skipif(find_spec("torch") is None, reason="PyTorch is not installed")
@pytest.mark.parametrize("game", ["magi", "chieftain"])
def test_the_policy_learns_and_plays(tmp_path: Path, game: str) -> None:
    path = tmp_path / "policy.py"
    path.write_text(program(), encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    command = [sys.executable, str(path), game, "--seconds", "2", "--games", "2"]
    result = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=120)
    assert result.returncode == 0, result.stderr
    assert "of 2 games against random moves" in result.stdout
