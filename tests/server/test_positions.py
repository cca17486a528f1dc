"""Positions in messages."""

from __future__ import annotations

import msgspec
import pytest

from acedrex import Board, plain
from acedrex.server import wire


@pytest.mark.parametrize("spec", ["metamachy", "maasai", "chieftain", "magi", "shako"])
def test_positions_of_the_library_have_the_format_of_messages(spec: str) -> None:
    text = plain.position_json(Board(spec), ["a1"], legal=True).encode()
    assert msgspec.json.encode(msgspec.json.decode(text, type=wire.Position)) == text
