"""Moves as numbers and positions as planes."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from acedrex import _native
from acedrex.errors import Error
from acedrex.game import Game, load

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from acedrex._native import Move
    from acedrex.board import Board

__all__ = ["Actions", "Planes"]

#: What stands for a game: its id, perhaps with options, the path of its definition, or the game itself.
AnyGame: TypeAlias = "str | os.PathLike[str] | Game"


class Actions:
    """The moves of a game as numbers from 0, the same for all positions.

    The table has every move that the pieces could make on the board in some position, as the side to move sees it: for
    Black the ranks are turned around. It is ordered by origin, destination and promotion, and then has the special
    moves of the game: ``end``, ``claim``, ``playon``. It depends on the rules alone, so numbers are comparable as long
    as :attr:`rules_hash` is the same.

    >>> actions = Actions("magi")
    >>> len(actions), actions.from_square[:3], actions.to_square[:3]
    (3712, array([0, 0, 0], dtype=int16), array([1, 2, 3], dtype=int16))

    :param game: the id of a game, with options such as ``magi:scoring=four_points``; the path of a definition; a game.
    :raises DefinitionError: if there is no such game or option, or the definition has faults.
    """

    game: Game
    """The game."""
    rules_hash: str
    """The hash of the rules to which the numbers belong."""
    from_square: NDArray[np.int16]
    """For each action the origin as ``rank * files + file``, its place in a flattened plane; -1 for a special move."""
    to_square: NDArray[np.int16]
    """For each action the destination, likewise."""
    promotion: NDArray[np.int16]
    """For each action the ``id`` of the :class:`acedrex.PieceType` that the piece becomes; -1 for none."""

    def __init__(self, game: AnyGame) -> None:
        self.game = load(game)
        self.rules_hash = self.game.rules_hash
        self._native = _native.Actions(self.game)
        self.from_square, self.to_square, self.promotion = self._native.columns()

    def __reduce__(self) -> tuple[type[Actions], tuple[Game]]:
        return type(self), (self.game,)

    def __len__(self) -> int:
        return len(self._native)

    @property
    def num_distinct_actions(self) -> int:
        """The number of actions, by OpenSpiel's name."""
        return len(self)

    def legal_actions(self, board: Board) -> NDArray[np.int64]:
        """Return the numbers of the legal moves, in the order of ``board.legal_moves``.

        >>> from acedrex import Board
        >>> Actions("chess").legal_actions(Board()).shape
        (20,)

        :raises Error: if the board is of another game, or has other options.
        """
        return self._native.legal(board)

    def legal_actions_mask(self, board: Board) -> NDArray[np.int8]:
        """Return an array with a 1 for each legal action and a 0 for all others.

        :raises Error: if the board is of another game, or has other options.
        """
        mask = np.zeros(len(self), np.int8)
        mask[self.legal_actions(board)] = 1
        return mask

    def action(self, move: Move, *, white: bool) -> int:
        """Return the number of a move of White or Black, legal or not.

        >>> from acedrex import Move
        >>> actions = Actions("chess")
        >>> actions.action(Move.from_uci("e2e4"), white=True) == actions.action(Move.from_uci("e7e5"), white=False)
        True

        :raises Error: if no piece of the game could ever make this move.
        """
        number = self._native.number(move, white)
        if number is None:
            raise Error(f"{move} is not possible in any position of {self.game.name}")
        return number

    def move(self, action: int, *, white: bool) -> Move:
        """Return the move that an action means for White or Black.

        >>> Actions("chieftain").move(len(Actions("chieftain")) - 1, white=False)
        Move.from_uci('end')

        :raises Error: if there is no such action.
        """
        move = self._native.to_move(int(action), white) if 0 <= action < len(self) else None
        if move is None:
            raise Error(f"no action {action}; {self.game.name} has {len(self)}, from 0")
        return move

    def action_to_string(self, action: int, player: int = 0) -> str:
        """Return the move of an action in coordinates; ``player`` is 0 for White, 1 for Black.

        :raises Error: if there is no such action.
        """
        return self.move(action, white=player == 0).uci()

    def string_to_action(self, text: str, player: int = 0) -> int:
        """Return the action of a move in coordinates; ``player`` is 0 for White, 1 for Black.

        >>> actions = Actions("chess")
        >>> actions.action_to_string(actions.string_to_action("e7e8q"))
        'e7e8q'

        :raises InvalidMoveError: if the text is not a move.
        :raises Error: if no piece of the game could ever make this move.
        """
        return self.action(_native.Move.from_uci(text), white=player == 0)

    def __repr__(self) -> str:
        return f"<{len(self)} actions of {self.game.spec}>"


class Planes:
    """Positions of a game as planes: arrays of ``uint8`` with the shape (planes, ranks, files).

    A position is shown as one side sees it: its own pieces are in the first planes and play up the board, from rank 0;
    files keep their order. :attr:`names` says what each plane shows, :attr:`highest` its highest value. Divide by
    ``planes.highest[:, None, None]`` to have numbers from 0 to 1.

    >>> planes = Planes("magi")
    >>> planes.shape, planes.names[:3], planes.names[-3:]
    ((30, 10, 10), ('own K', 'own Q', 'own R'), ('repetitions', 'quiet moves', 'white'))

    :param game: the id of a game, with options such as ``magi:scoring=four_points``; the path of a definition; a game.
    :raises DefinitionError: if there is no such game or option, or the definition has faults.
    """

    game: Game
    """The game."""
    names: tuple[str, ...]
    """What each plane shows."""
    highest: NDArray[np.uint8]
    """The highest value of each plane."""
    shape: tuple[int, int, int]
    """The numbers of planes, ranks and files."""

    def __init__(self, game: AnyGame) -> None:
        self.game = load(game)
        self._native = _native.Planes(self.game)
        self.names = tuple(self._native.names())
        self.highest = self._native.highest()
        self.shape = self._native.shape

    def __reduce__(self) -> tuple[type[Planes], tuple[Game]]:
        return type(self), (self.game,)

    @property
    def observation_tensor_shape(self) -> tuple[int, int, int]:
        """The shape, by OpenSpiel's name."""
        return self.shape

    def of(self, board: Board, *, white: bool | None = None, out: NDArray[np.uint8] | None = None) -> NDArray[np.uint8]:
        """Return the planes of a board.

        >>> from acedrex import Board
        >>> planes = Planes("chess")
        >>> planes.of(Board())[planes.names.index("own P")].sum(axis=1)
        array([0, 8, 0, 0, 0, 0, 0, 0], dtype=uint64)

        :param white: the side that looks; by default the side to move.
        :param out: an array of the same shape to write into, instead of a new one.
        :raises Error: if the board is of another game, or ``out`` has the wrong size or is not contiguous.
        """
        array = np.empty(self.shape, np.uint8) if out is None else out
        self._native.write(board, board.turn if white is None else white, array)
        return array

    def __repr__(self) -> str:
        return f"<{len(self.names)} planes of {self.game.spec}>"
