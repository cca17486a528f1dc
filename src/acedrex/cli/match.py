"""A game between two players at one terminal."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import TYPE_CHECKING

from acedrex.cli.errors import CommandError
from acedrex.cli.text import count
from acedrex.outcome import Outcome, Termination

if TYPE_CHECKING:
    from acedrex import Move
    from acedrex.board import Board

__all__ = ["Ending", "Match", "Turn", "last_turn", "recent_turns"]


@dataclass(frozen=True)
class Ending:
    """How a game ended: the winner (``None`` for a draw), the score, and a sentence."""

    winner: bool | None
    score: str
    words: str

    @property
    def result(self) -> str:
        """The result as PGN writes it."""
        return {True: "1-0", False: "0-1", None: "1/2-1/2"}[self.winner]


@dataclass(frozen=True)
class Turn:
    """A turn that was played: its number, its side, its moves, and these in SAN."""

    number: int
    color: bool
    moves: tuple[Move, ...]
    san: str


class Match:
    """A board, two players (``human`` or the name of a program), and the ending that they decided on, if any."""

    def __init__(
        self, board: Board, players: dict[bool, str], chance: random.Random, agreed: Ending | None = None
    ) -> None:
        self.board = board
        self.players = players
        self.chance = chance
        #: A resignation, a claim or an agreement, which the board does not know.
        self.agreed = agreed

    @property
    def ending(self) -> Ending | None:
        """How the game ended, if it has."""
        if self.agreed is not None:
            return self.agreed
        outcome = self.board.outcome()
        return None if outcome is None else self._ended(outcome)

    def _ended(self, outcome: Outcome) -> Ending:
        return Ending(outcome.winner, outcome.score, outcome.text())

    @property
    def human_turn(self) -> bool:
        """Whether a person is to move."""
        return self.players[self.board.turn] == "human"

    @property
    def humans(self) -> int:
        """The number of human players."""
        return list(self.players.values()).count("human")

    def play(self, text: str) -> None:
        """Play a move, or several moves of a turn joined by commas: all of them or none.

        :raises acedrex.Error: if one of them cannot be read or is not legal.
        """
        made = 0
        color = self.board.turn
        try:
            for word in text.split(","):
                if self.board.turn != color:
                    raise CommandError(f"the turn ends before {word.strip()}")
                self.board.push(self.board.parse_san(word.strip()))
                made += 1
        except (ValueError, CommandError):
            for _ in range(made):
                self.board.pop()
            raise

    def undo(self) -> None:
        """Take back a move; in a game against a program, all moves back to the person's turn.

        :raises CommandError: if there is no move to take back.
        """
        if self.agreed is not None:
            self.agreed = None
            return
        board = self.board
        undone: list[Move] = []
        while board.ply():
            undone.append(board.pop())
            if self.humans != 1 or self.human_turn:
                return
        for move in reversed(undone):
            board.push(move)
        raise CommandError("you have not moved yet" if undone else "no moves yet")

    def resign(self) -> None:
        """Resign for the side to move."""
        self.agreed = self._ended(self.board.forfeit(Termination.RESIGNATION, self.board.turn))

    def judge_offer(self) -> None:
        """Check that the other side can answer a draw offer.

        :raises CommandError: if it is the random mover.
        """
        if self.players[not self.board.turn] == "random":
            raise CommandError(
                'the random mover does not answer offers; "claim draw" ends the game if the rules allow it'
            )

    def agree_draw(self) -> None:
        """End the game by agreement on a draw."""
        self.agreed = self._ended(self.board.agreement())

    def claim_draw(self) -> None:
        """Claim a draw for the side to move.

        :raises CommandError: if there is no draw to claim.
        """
        board = self.board
        outcome = board.outcome(claim_draw=True) if board.can_claim_draw() else None
        if outcome is None:
            turns = board.game.turns_of_several_moves
            quiet = count(board.halfmove_clock, "turn" if turns else "move")
            raise CommandError(
                f"there is no draw to claim: this position has occurred {count(board.repetitions(), 'time')}, "
                f"and {quiet} have passed without a capture or a soldier's move"
            )
        self.agreed = self._ended(outcome)


def recent_turns(board: Board, limit: int) -> list[Turn]:
    """Return the last turns, including an unfinished one."""
    back = board.copy()
    groups: list[tuple[int, bool, list[Move]]] = []
    while back.ply():
        move = back.pop()
        if not groups or groups[-1][:2] != (back.fullmove_number, back.turn):
            if len(groups) == limit:
                back.push(move)
                break
            groups.append((back.fullmove_number, back.turn, []))
        groups[-1][2].insert(0, move)
    turns = []
    for number, color, moves in reversed(groups):
        turns.append(Turn(number, color, tuple(moves), back.turn_san(moves)))
        for move in moves:
            back.push(move)
    return turns


def last_turn(board: Board) -> tuple[Move, ...]:
    """Return the moves of the last turn, or those made so far in an unfinished one."""
    return recent_turns(board, 1)[0].moves if board.ply() else ()
