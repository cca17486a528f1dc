"""Many games at once, played in the core."""

from __future__ import annotations

import enum
import secrets
from operator import index
from typing import TYPE_CHECKING, Any, Protocol, SupportsIndex

import numpy as np

from acedrex import _native
from acedrex.board import Board
from acedrex.env.arrays import Arrays
from acedrex.env.tables import Actions, AnyGame, Planes
from acedrex.errors import Error
from acedrex.game import load

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from acedrex.game import Game

__all__ = ["ENDINGS", "RANDOM", "Autoreset", "BatchBoards", "begin_fen"]

#: How a game ended, by the numbers in :attr:`Arrays.endings`; 0 is the empty text, for a game that goes on.
ENDINGS: tuple[str, ...] = tuple(_native.episode_endings())
#: A setup drawn by the seed.
RANDOM = "random"


class Autoreset(enum.StrEnum):
    """What happens to a game that is over; names and values are those of ``gymnasium.vector.AutoresetMode``."""

    NEXT_STEP = "NextStep"
    """The next step ignores its action and begins a new game, with rewards of 0."""
    SAME_STEP = "SameStep"
    """The step that ends it begins a new game at once; the planes of the end are in ``final_observations``."""
    DISABLED = "Disabled"
    """It waits for :meth:`BatchBoards.reset`; until then actions are ignored, and rewards are 0."""


class _Named(Protocol):
    """``gymnasium.vector.AutoresetMode``, which need not be installed."""

    @property
    def value(self) -> str: ...


class BatchBoards:
    """``n`` games at once, played in the core without the interpreter lock, and written into NumPy arrays.

    >>> batch = BatchBoards("magi", 8, seed=1)
    >>> batch.arrays.observations.shape, batch.arrays.legal_offsets
    ((8, 30, 10, 10), array([  0,  38,  76, 114, 152, 190, 228, 266, 304]))
    >>> arrays = batch.step(batch.sample())
    >>> arrays.current_player
    array([1, 1, 1, 1, 1, 1, 1, 1], dtype=int8)

    A move is an action, also where a turn has several moves. An action that is not legal ends its game: the side that
    chose it gets -1, the other 1, and the ending is ``illegal_action``.

    :param game: the id of a game, with options such as ``magi:scoring=four_points``; the path of a definition; a game.
    :param n: the number of games, from 1 to 1,048,576.
    :param autoreset: what happens to games that are over: an :class:`Autoreset`, its text, or Gymnasium's own value.
    :param seed: the seed of setups and of :meth:`sample`; each game has its own random numbers, whatever ``n`` and
        ``threads`` are. By default a random seed.
    :param setup: the name of the setup, or ``"random"``; games without setups begin in their only position.
    :param fen: the position to begin from, instead of a setup.
    :param max_moves: the number of moves after which a game is stopped, with rewards of 0; by default none.
    :param claim_draws: whether a draw that the side to move may claim ends the game. If not, the game goes on until the
        draw is automatic (usually by the fifth repetition, or after 75 moves without progress).
    :param threads: the number of threads that each call uses, from 1 to 1,024; none are kept between calls.
    :param mask: whether the arrays made here have ``legal_actions_mask``, which takes the most memory.
    :param arrays: the arrays to write into, instead of new ones.
    :raises Error: if there is no such setup, the FEN is not a position of the game, the game is over there, or a number
        is out of range, or an array has the wrong shape, is read-only or shares its memory with another.
    :raises TypeError: if an array has the wrong type.
    :raises DefinitionError: if there is no such game or option, or the definition has faults.
    """

    game: Game
    """The game."""
    actions: Actions
    """Its moves as numbers."""
    planes: Planes
    """Its positions as planes."""
    arrays: Arrays
    """What the last call wrote."""

    def __init__(
        self,
        game: AnyGame,
        n: int,
        *,
        autoreset: Autoreset | str | _Named = Autoreset.NEXT_STEP,
        seed: int | None = None,
        setup: str = RANDOM,
        fen: str | None = None,
        max_moves: int | None = None,
        claim_draws: bool = True,
        threads: int = 1,
        mask: bool = False,
        arrays: Arrays | None = None,
    ) -> None:
        self.game = load(game)
        self.actions, self.planes = Actions(self.game), Planes(self.game)
        mode = autoreset if isinstance(autoreset, str) else autoreset.value
        seed = secrets.randbits(64) if seed is None else index(seed) % 2**64
        fen = begin_fen(self.game, setup, fen)
        self._n = index(n)
        most = None if max_moves is None else _readable(max_moves)
        self._begun = (mode, most, claim_draws, _readable(threads), fen, seed)
        self._native = _native.Batch(self.game, _readable(n), *self._begun)
        self.arrays = self.new_arrays(mask=mask) if arrays is None else arrays
        self._write()

    def __len__(self) -> int:
        return self._n

    def new_arrays(self, *, mask: bool = False) -> Arrays:
        """Return new arrays of the right shapes, with ``legal_actions_mask`` or without."""
        n, shape = self._n, self.planes.shape
        return Arrays(
            observations=np.zeros((n, *shape), np.uint8),
            final_observations=np.zeros((n, *shape), np.uint8),
            legal_actions=np.zeros(64 * n, np.int64),
            legal_offsets=np.zeros(n + 1, np.int64),
            legal_actions_mask=np.zeros((n, len(self.actions)), np.int8) if mask else None,
            current_player=np.zeros(n, np.int8),
            rewards=np.zeros((n, 2), np.float32),
            terminated=np.zeros(n, np.bool_),
            truncated=np.zeros(n, np.bool_),
            endings=np.zeros(n, np.uint8),
        )

    def reset(
        self,
        *,
        seed: int | None = None,
        mask: NDArray[np.bool_] | None = None,
        setup: str | None = None,
        fen: str | None = None,
    ) -> Arrays:
        """Begin all games anew, or those chosen by a mask, and return the arrays.

        :param seed: new random numbers; by default the old ones go on.
        :param mask: (n) whether to begin a game anew.
        :param setup: the name of a setup for these games; by default as the batch was created.
        :param fen: the position to begin from, instead of a setup.
        :raises Error: if there is no such setup, the FEN is not a position of the game, or the game is over there.
        """
        chosen = np.ones(self._n, np.bool_) if mask is None else np.ascontiguousarray(mask, np.bool_)
        fen = fen if setup is None and fen is None else begin_fen(self.game, setup or RANDOM, fen)
        self._native.reset(chosen, fen, None if seed is None else index(seed) % 2**64)
        self._write()
        return self.arrays

    def step(self, actions: NDArray[np.int64]) -> Arrays:
        """Make a move in each game and return the arrays, which are the same as before with new contents.

        :param actions: (n) the number of a legal move of each game; those of games that are over are ignored.
        :raises Error: if there is not one action for each game, or an array has the wrong shape.
        :raises TypeError: if the actions are not whole numbers, or an array has the wrong type or number of dimensions.
        """
        chosen = np.asarray(actions)
        if chosen.dtype.kind not in "iu":
            raise TypeError(f"actions are whole numbers, not {chosen.dtype}")
        written = self._native.step(np.ascontiguousarray(chosen, np.int64), self.arrays)
        self._make_room(written)
        return self.arrays

    def play_random(self, moves: int) -> Arrays:
        """Make random legal moves in each game, and return the arrays.

        To begin learning from games of different ages, or to measure how fast games are played. A game that is over on
        the way begins anew at once, unless ``autoreset`` is ``Disabled``.

        >>> BatchBoards("chess", 2, seed=1).play_random(7).current_player
        array([1, 1], dtype=int8)

        :param moves: the number of moves in each game, at least 0.
        :raises Error: if the number is out of range.
        """
        if not 0 <= moves < 2**32:
            raise Error(f"play_random makes 0 to {2**32 - 1} moves in each game, not {moves}")
        self._make_room(self._native.play_random(moves, self.arrays))
        return self.arrays

    def sample(self, out: NDArray[np.int64] | None = None) -> NDArray[np.int64]:
        """Return a random legal action for each game, 0 for games that are over; the same seed draws the same.

        :param out: an array to write into, instead of a new one.
        :raises Error: if the array has the wrong shape or is read-only.
        :raises TypeError: if it has the wrong type.
        """
        actions = np.empty(self._n, np.int64) if out is None else out
        self._native.sample(actions)
        return actions

    def board(self, game: int) -> Board:
        """Return a copy of the board of a game, without the moves before the current turn.

        :raises Error: if there is no such game.
        """
        if not 0 <= game < self._n:
            raise Error(f"no game {game}; the batch has {self._n}, from 0")
        board = Board(self.game)
        board.set_fen(self._native.fen(game))
        return board

    def clone(self, indices: Sequence[SupportsIndex] | NDArray[np.integer[Any]]) -> BatchBoards:
        """Return a batch of copies of some games, with arrays of its own, as a tree search needs them.

        A game may be copied several times; its copies draw the same random numbers.

        >>> batch = BatchBoards("chess", 4, seed=1)
        >>> arrays = batch.step(batch.sample())
        >>> tree = batch.clone([2, 2, 0])
        >>> len(tree), tree.board(1).fen() == batch.board(2).fen()
        (3, True)

        :param indices: the numbers of the games, at least one.
        :raises Error: if there is no such game, or there are none or too many.
        """
        games = [index(game) for game in indices]
        if wrong := next((game for game in games if not 0 <= game < self._n), None):
            raise Error(f"no game {wrong}; the batch has {self._n}, from 0")
        return self._with(self._native.pick(games), len(games))

    def __copy__(self) -> BatchBoards:
        return self.clone(range(self._n))

    def __deepcopy__(self, memo: object) -> BatchBoards:
        return self.clone(range(self._n))

    def _with(self, native: _native.Batch, n: int) -> BatchBoards:
        """Return a batch like this one with other games."""
        other = object.__new__(type(self))
        vars(other).update(vars(self))
        other._native, other._n = native, n
        other.arrays = other.new_arrays(mask=self.arrays.legal_actions_mask is not None)
        other._write()
        return other

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "_native": self._native.save()}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._native = _native.Batch(self.game, self._n, *self._begun)
        self._native.restore(state["_native"])

    def _write(self) -> None:
        self._make_room(self._native.write(self.arrays))

    def _make_room(self, needed: int) -> None:
        """Write the legal actions once more, into a larger array, if they did not fit."""
        legal = self.arrays.legal_actions
        if legal is not None and needed > len(legal):
            self.arrays.legal_actions = np.zeros(needed + needed // 4, np.int64)
            self._native.write(Arrays(legal_actions=self.arrays.legal_actions))

    def __repr__(self) -> str:
        return f"<{self._n} boards of {self.game.spec}>"


def _readable(number: int) -> int:
    """Return a number as it is, or the nearest one that the core can read, and refuse or take as it is."""
    return min(max(index(number), 0), 2**32 - 1)


def begin_fen(game: Game, setup: str, fen: str | None) -> str | None:
    """Return the FEN to begin from; ``None`` for a random setup, or the only start of a game without setups."""
    if fen is not None:
        return fen
    return None if setup == RANDOM else game.setup_fen(setup)
