"""The arrays of a batch."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["Arrays"]


@dataclass(slots=True)
class Arrays:
    """What :class:`BatchBoards` writes, one row for each game. A field that is ``None`` is not computed.

    Any contiguous arrays of these types and shapes will do, such as those of ``torch.Tensor.numpy()``.
    """

    observations: NDArray[np.uint8] | None = None
    """(n, planes, ranks, files): the positions, as the side to move sees them; see :class:`Planes`."""
    final_observations: NDArray[np.uint8] | None = None
    """The same for games that ended in this step, before any reset; rows of other games are left as they are."""
    legal_actions: NDArray[np.int64] | None = None
    """The legal actions of all games one after the other; those of game ``i`` are
    ``legal_actions[legal_offsets[i]:legal_offsets[i + 1]]``. A game that is over has none. If there is not enough room,
    the field gets a larger array."""
    legal_offsets: NDArray[np.int64] | None = None
    """(n + 1): where the legal actions of each game begin and end."""
    legal_actions_mask: NDArray[np.int8] | None = None
    """(n, actions): 1 for each legal action."""
    current_player: NDArray[np.int8] | None = None
    """(n): the side to move, 0 for White and 1 for Black."""
    rewards: NDArray[np.float32] | None = None
    """(n, 2): the rewards of White and Black for this step: 1 for all points, -1 for none, 0 for a draw or while the
    game goes on; where four points are shared 3-1, 0.5 and -0.5."""
    terminated: NDArray[np.bool_] | None = None
    """(n): whether the game ended, by its rules or by an illegal action."""
    truncated: NDArray[np.bool_] | None = None
    """(n): whether it was stopped after the greatest number of moves."""
    endings: NDArray[np.uint8] | None = None
    """(n): how it ended, a number of :data:`ENDINGS`."""
