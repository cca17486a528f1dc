"""The files of the project, for the tests of its architecture."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
RULES = ROOT / "crates" / "rules" / "src"
PACKAGE = ROOT / "src" / "acedrex"


def files() -> list[Path]:
    """Every file of the project that git tracks or does not ignore."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    try:
        listed = subprocess.run(command, cwd=ROOT, capture_output=True, check=True).stdout.decode().split("\0")
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("the project's files are not in a git repository")
    return [path for name in listed if name and (path := ROOT / name).is_file()]


def short(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def code(path: Path) -> str:
    """A Rust or TypeScript file without its comments."""
    return re.sub(r"//[^\n]*|/\*.*?\*/", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)


def modules() -> dict[str, Path]:
    """The modules of the package by name, the package itself as `acedrex`."""
    found = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = [*path.relative_to(PACKAGE.parent).with_suffix("").parts]
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


MODULES = modules()
