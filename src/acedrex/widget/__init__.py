"""The board for notebooks: play on it, arrange setups, and watch an engine think.

>>> from acedrex import widget
>>> w = widget.Board("maasai", setup="UFDO-QKGL")
>>> w.push("e6", "Wf8")
[Move.from_uci('e4e6'), Move.from_uci('f10f8')]
>>> w
<widget of Maasai Chess, 12x12, after 2 moves: White to move>

It needs the extra ``notebook``.
"""

from __future__ import annotations

try:
    from acedrex.widget.board import Board
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(
        f"the board for notebooks needs more than the library ({error.name} is missing): "
        "in a checkout pip install '.[notebook]' brings it",
        name=error.name,
    ) from None

__all__ = ["Board"]
