"""Builds the package with maturin, but refuses to build a wheel or sdist without the web app.

Editable installs need none of it: all but what stands here of :pep:`517` is maturin's.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import maturin  # type: ignore[import-untyped]

#: What the builds of the web app and of the board in notebooks write last.
BUNDLES = ("src/acedrex/server/static/index.html", "src/acedrex/widget/static/board.js")


def build_wheel(*asked: Any) -> Any:
    """Build a wheel with the web app in it."""
    _check()
    return maturin.build_wheel(*asked)


def build_sdist(*asked: Any) -> Any:
    """Build an sdist with the web app in it, so that a wheel of it needs no Node."""
    _check()
    return maturin.build_sdist(*asked)


def __getattr__(name: str) -> Any:
    return getattr(maturin, name)


def _check() -> None:
    if not all(Path(bundle).is_file() for bundle in BUNDLES):
        raise SystemExit("The web app is not built: run `make web` first (it needs Node), then build again.")
