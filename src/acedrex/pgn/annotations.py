"""Annotations in comments: clocks, evaluations, arrows. ``[%clk 0:05:00] [%eval 0.35,20] [%cal Ge2e4]``."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

from acedrex import _native
from acedrex.engine.result import PovScore, Score
from acedrex.pgn.text import checked_comment

#: Origin, destination and colour; two equal squares mark that square.
Arrow: TypeAlias = "tuple[int, int, str]"


class Annotated:
    """A node of a record with its comment and the annotations in it."""

    __slots__ = ("_comment",)

    def __init__(self) -> None:
        self._comment = ""

    def turn(self) -> bool:
        """Return the side to move at this node, ``True`` for White."""
        raise NotImplementedError

    @property
    def comment(self) -> str:
        """The comment after the turn, or at the root before the first turn. It may have several lines."""
        return self._comment

    @comment.setter
    def comment(self, text: str) -> None:
        self._comment = checked_comment(text) if text else ""

    def clock(self) -> float | None:
        """Return the seconds left on the player's clock, from ``[%clk]`` in the comment; ``None`` if there is none.

        >>> from acedrex import pgn
        >>> node = pgn.Game().add_variation("e4", comment="Quick. [%clk 0:04:58.5]")
        >>> node.clock()
        298.5
        """
        return _native.annotated_time(self._comment, "clk")

    def set_clock(self, seconds: float | None) -> None:
        """Write the time left on the player's clock into the comment, or remove it.

        :param seconds: the time, 0 for a negative one; ``None`` removes it.
        :raises Error: if the comment becomes too long, or the time is not a number below 1,000,000,000.
        """
        self.comment = _native.with_time(self._comment, "clk", seconds)

    def emt(self) -> float | None:
        """Return the seconds that the turn took, from ``[%emt]`` in the comment; ``None`` if there is none."""
        return _native.annotated_time(self._comment, "emt")

    def set_emt(self, seconds: float | None) -> None:
        """Write the time that the turn took into the comment, or remove it.

        :param seconds: the time, 0 for a negative one; ``None`` removes it.
        :raises Error: if the comment becomes too long, or the time is not a number below 1,000,000,000.
        """
        self.comment = _native.with_time(self._comment, "emt", seconds)

    def eval(self) -> PovScore | None:
        """Return the evaluation after the turn, from ``[%eval]`` in the comment; ``None`` if there is none.

        >>> from acedrex import pgn
        >>> node = pgn.Game().add_variation("e4", comment="[%eval 0.35,20]")
        >>> node.eval().white(), node.eval_depth()
        (Score(cp=35), 20)
        """
        found = _native.annotated_evaluation(self._comment)
        if found is None:
            return None
        cp, mate, _ = found
        turn = self.turn()
        if mate == 0:  # the side to move is checkmated
            return PovScore(Score(mate=0), turn)
        score = Score(cp, mate)
        return PovScore(score if turn else -score, turn)

    def eval_depth(self) -> int | None:
        """Return the depth of the evaluation, from ``[%eval]`` in the comment; ``None`` if there is none."""
        found = _native.annotated_evaluation(self._comment)
        return found[2] if found else None

    def set_eval(self, score: PovScore | None, depth: int | None = None) -> None:
        """Write an evaluation and its depth into the comment, or remove it.

        :param score: the evaluation; ``None`` removes it.
        :param depth: the depth in half-moves.
        :raises Error: if the comment becomes too long, or a number is too large to be read again.
        """
        white = None if score is None else score.white()
        cp, mate = (None, None) if white is None else (white.cp or 0, white.mate)
        depth = None if depth is None else max(depth, 0)
        self.comment = _native.with_evaluation(self._comment, cp, mate, depth)

    def arrows(self) -> list[Arrow]:
        """Return the arrows (``[%cal]``) and marked squares (``[%csl]``) of the comment: two squares and a colour each.

        The colours are ``"green"``, ``"red"``, ``"yellow"`` and ``"blue"``; :func:`acedrex.svg.board` draws them.

        >>> from acedrex import pgn
        >>> pgn.Game().add_variation("e4", comment="[%csl Ra1][%cal Ga1a2]").arrows()
        [(0, 0, 'red'), (0, 16, 'green')]
        """
        return _native.annotated_arrows(self._comment)

    def set_arrows(self, arrows: Iterable[tuple[int, int] | Arrow]) -> None:
        """Replace the arrows and marked squares of the comment. The default colour is green.

        :raises Error: if a number is not a square, a colour is not one of the four, or the comment becomes too long.
        """
        given = [arrow if len(arrow) == 3 else (*arrow, "green") for arrow in arrows]
        self.comment = _native.with_arrows(self._comment, given)
