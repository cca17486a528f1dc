"""Games with random handicaps, from which the values of pieces are estimated."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from acedrex import _native
from acedrex._native import InvalidFenError
from acedrex.board import Board
from acedrex.errors import Error
from acedrex.game import Game
from acedrex.lab.plan import SPEED, signature, unit_size
from acedrex.lab.playing import Draw, StartedGames

__all__ = [
    "LARGEST",
    "MOST_PIECES",
    "MOST_SOLDIERS",
    "NULL",
    "PIECES_KEPT",
    "SOLDIERS_KEPT",
    "Handicaps",
    "is_null",
    "is_small",
]

#: One pair in so many has no handicap: it must score a half.
NULL = 10
#: The most pieces, and the most soldiers, that one side lacks and the other may have; more pieces where the other lacks
#: one of several royal ones.
MOST_PIECES, MOST_SOLDIERS = 2, 4
#: The largest difference between the sides, in soldiers by the engine's own values. The estimate does not use these
#: values; they only keep games out that are decided before they begin, and say nothing.
LARGEST = 4.0
#: The share of soldiers and of other pieces that small armies keep, in per cent.
SOLDIERS_KEPT, PIECES_KEPT = (50, 100), (20, 70)
#: How handicaps are drawn: another number whenever the same seed gives others, since games of both do not mix.
DRAWN = 3
#: How many handicaps are drawn for a pair before it is given up.
TRIES = 1000
#: White and Black.
SIDES = (True, False)


@dataclass(frozen=True, kw_only=True)
class Handicaps(StartedGames):
    """Pairs of games from positions without some of the pieces, the second with the colours swapped.

    Pairs with an even number begin with the whole armies, the others with small ones; one pair in ten has no handicap.

    >>> from acedrex import load
    >>> plan = Handicaps.plan(load("chess"), games=100, nodes=10, unit=2)
    >>> plan.start(0)
    'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1'
    """

    kind: ClassVar[str] = "handicaps"

    @classmethod
    def plan(
        cls,
        game: Game,
        *,
        games: int,
        nodes: int = 500,
        opening: int = 4,
        seed: int = 1,
        network: bytes | None = None,
        unit: int | None = None,
    ) -> Handicaps:
        """Plan pairs of games.

        :param games: how many games, an even number.
        :param unit: the games of a unit; by default about half a minute's, by the nodes.
        :raises Error: if the number of games or of a unit is odd, the network is of another game, or the game has no
            pieces that could be left out.
        """
        plan = cls(
            game=game,
            unit=unit or unit_size(nodes / SPEED, least=2),
            networks={} if network is None else {"network": network},
            signature=signature(game, network),
            nodes=nodes,
            opening=opening,
            seed=seed,
            games=games,
        )
        if games % 2 or plan.unit % 2:
            raise Error(f"{games} games in units of {plan.unit}: games are played in pairs, so both must be even")
        return plan

    def recipe(self) -> dict[str, Any]:
        """Return how games are played, and how handicaps are drawn."""
        return {**super().recipe(), "drawn": DRAWN}

    @classmethod
    def from_record(cls, recipe: Mapping[str, Any], goal: Mapping[str, Any], **common: Any) -> Self:
        """Read a plan.

        :raises Error: if a value is missing or wrong, or another version drew the handicaps in another way.
        """
        if recipe.get("drawn", 1) != DRAWN:
            raise Error(
                "the handicaps of this job were drawn in another way: its games do not mix with those of this version, "
                "whose page would describe them wrongly; go on and report with the version that began it "
                f"({common['version']}), or begin again in another folder"
            )
        return super().from_record(recipe, goal, **common)

    def start(self, number: int) -> str:
        """Return the position in which a game starts, as FEN.

        :raises Error: if no handicap leaves a position that can be played.
        """
        pair, swapped = divmod(number, 2)
        draw = Draw(self.seed, pair)
        setups = self.game.setups
        setup = setups[draw.below(len(setups))] if len(setups) else None
        army = _Army(Board(self.game, setup=setup) if setup else Board(self.game))
        for _ in range(TRIES):
            board = army.without(army.missing(draw, small=is_small(pair), null=is_null(pair)))
            other = board.mirror()
            other.turn = True
            if _can_begin(board) and _can_begin(other):
                return (other if swapped else board).fen()
        raise Error(f"{self.game.name}: none of {TRIES} handicaps leaves a position that can be played")


def is_small(pair: int) -> bool:
    """Return whether a pair begins with small armies."""
    return pair % 2 == 1


def is_null(pair: int) -> bool:
    """Return whether a pair has no handicap."""
    return pair // 2 % NULL == 0


def _can_begin(board: Board) -> bool:
    return not (board.status() or board.is_check() or board.is_game_over())


class _Army:
    """The pieces of a start position that may be left out."""

    def __init__(self, board: Board) -> None:
        self._board = board
        game = board.game
        worth = dict(zip((kind.letter for kind in game.pieces), _native.piece_values(game), strict=True))
        squares = {kind: {color: sorted(board.pieces(kind.letter, color)) for color in SIDES} for kind in game.pieces}
        # Each side keeps a royal piece.
        there = {
            kind: at
            for kind, at in squares.items()
            if (min(map(len, at.values())) > 1 if kind.royal else any(at.values()))
        }
        self._squares = {kind.letter: at for kind, at in there.items()}
        self._royals = [kind.letter for kind in there if kind.royal]
        self._soldiers = [kind.letter for kind in there if kind.is_soldier]
        self._pieces = [kind.letter for kind in there if not (kind.is_soldier or kind.royal)]
        unit = min((worth[letter] for letter in self._soldiers or self._pieces), default=1)
        self._worth = {letter: value / max(unit, 1) for letter, value in worth.items()}

    def missing(self, draw: Draw, *, small: bool, null: bool) -> list[int]:
        """Draw the squares that are emptied."""
        squares = {letter: {color: list(at) for color, at in both.items()} for letter, both in self._squares.items()}
        for letter in self._royals:
            for at in squares[letter].values():
                _take(at, draw)  # this one stays
        gone: list[int] = []
        if small:
            for group, least, most in (
                (self._soldiers, *SOLDIERS_KEPT),
                (self._pieces + self._royals, *PIECES_KEPT),
            ):
                kept = least + draw.below(most - least + 1)
                for letter in group:
                    for _ in range(min(map(len, squares[letter].values()))):
                        if draw.below(100) >= kept:
                            gone += [_take(at, draw) for at in squares[letter].values()]
        there = [letter for letter, at in squares.items() if all(at.values())]
        if null or not there:
            return gone
        # Of this kind one side has more, so that games tell as much about rare and valuable kinds as about others.
        studied = there[draw.below(len(there))]
        for _ in range(TRIES):
            left = {letter: {color: list(at) for color, at in both.items()} for letter, both in squares.items()}
            lost: list[int] = []
            balance = 0.0
            for color, group, least, most in self._losses(studied, draw):
                for _ in range(least + draw.below(most - least + 1)):
                    if found := [letter for letter in group if left[letter][color]]:
                        letter = found[draw.below(len(found))]
                        lost.append(_take(left[letter][color], draw))
                        balance += self._worth[letter] if color else -self._worth[letter]
            if len(left[studied][True]) != len(left[studied][False]) and abs(balance) <= LARGEST:
                return gone + lost
        return gone

    def _losses(self, studied: str, draw: Draw) -> list[tuple[bool, list[str], int, int]]:
        """Return of which kinds a side lacks how many, at least and at most."""
        losses = [
            (color, group, 0, most)
            for color in SIDES
            for group, most in ((self._pieces, MOST_PIECES), (self._soldiers, MOST_SOLDIERS))
        ]
        if studied in self._royals:
            color = bool(draw.below(2))
            losses += [(color, [studied], 1, 1), (not color, self._pieces, 0, int(self._worth[studied]))]
        return losses

    def without(self, squares: list[int]) -> Board:
        """Return the position without the pieces on these squares, and without the rights that need them."""
        board = self._board.copy()
        rights, board.rights = board.rights, "-"
        for square in squares:
            board.remove_piece_at(square)
        board.rights = "".join(right for right in rights if _can_have(board, right)) or "-"
        return board


def _take(squares: list[int], draw: Draw) -> int:
    return squares.pop(draw.below(len(squares)))


def _can_have(board: Board, right: str) -> bool:
    trial = board.copy(stack=False)
    try:
        trial.rights = right
    except InvalidFenError:
        return False
    return right != "-"
