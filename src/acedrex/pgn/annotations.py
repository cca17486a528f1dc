"""Annotations in comments: clocks, evaluations, arrows. ``[%clk 0:05:00] [%eval 0.35,20] [%cal Ge2e4]``."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TypeAlias

from acedrex.engine.result import PovScore, Score
from acedrex.errors import Error
from acedrex.pgn.text import checked_comment
from acedrex.squares import parse_square, square_name

#: Origin, destination and colour; two equal squares mark that square.
Arrow: TypeAlias = "tuple[int, int, str]"

#: The colours of arrows and marks, by their letters.
_COLOURS = {"G": "green", "R": "red", "Y": "yellow", "B": "blue"}
_LETTERS = {colour: letter for letter, colour in _COLOURS.items()}
_TIME = r"(\d{1,6}):(\d{1,6}):(\d{1,6}(?:\.\d*)?)"
_EVAL = re.compile(r"\[%eval\s+(?:#([-+]?\d{1,6})|([-+]?(?:\d{1,7}\.?\d{0,2}|\.\d{1,2})))(?:,(\d{1,6}))?\s*\]")
_ARROW = r"[GRYB][a-p]\d{1,2}(?:[a-p]\d{1,2})?"
_ARROWS = re.compile(rf"\[%(?:csl|cal)\s+({_ARROW}(?:,{_ARROW})*)\s*\]")
_SQUARE = re.compile(r"[a-p]\d{1,2}")


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
        return self._time("clk")

    def set_clock(self, seconds: float | None) -> None:
        """Write the time left on the player's clock into the comment, or remove it.

        :param seconds: the time, 0 for a negative one; ``None`` removes it.
        :raises Error: if the comment becomes too long, or the time is not a number below 1,000,000,000.
        """
        self._set("clk", _duration(seconds))

    def emt(self) -> float | None:
        """Return the seconds that the turn took, from ``[%emt]`` in the comment; ``None`` if there is none."""
        return self._time("emt")

    def set_emt(self, seconds: float | None) -> None:
        """Write the time that the turn took into the comment, or remove it.

        :param seconds: the time, 0 for a negative one; ``None`` removes it.
        :raises Error: if the comment becomes too long, or the time is not a number below 1,000,000,000.
        """
        self._set("emt", _duration(seconds))

    def eval(self) -> PovScore | None:
        """Return the evaluation after the turn, from ``[%eval]`` in the comment; ``None`` if there is none.

        >>> from acedrex import pgn
        >>> node = pgn.Game().add_variation("e4", comment="[%eval 0.35,20]")
        >>> node.eval().white(), node.eval_depth()
        (Score(cp=35), 20)
        """
        found = _EVAL.search(self._comment)
        if found is None:
            return None
        turn = self.turn()
        if found[1] is None:
            score = Score(cp=round(float(found[2]) * 100))
        elif int(found[1]):
            score = Score(mate=int(found[1]))
        else:  # the side to move is checkmated
            return PovScore(Score(mate=0), turn)
        return PovScore(score if turn else -score, turn)

    def eval_depth(self) -> int | None:
        """Return the depth of the evaluation, from ``[%eval]`` in the comment; ``None`` if there is none."""
        found = _EVAL.search(self._comment)
        return int(found[3]) if found and found[3] else None

    def set_eval(self, score: PovScore | None, depth: int | None = None) -> None:
        """Write an evaluation and its depth into the comment, or remove it.

        :param score: the evaluation; ``None`` removes it.
        :param depth: the depth in half-moves.
        :raises Error: if the comment becomes too long, or a number is too large to be read again.
        """
        text = None
        if score is not None:
            white = score.white()
            text = f"{(white.cp or 0) / 100:.2f}" if white.mate is None else f"#{white.mate}"
            text += "" if depth is None else f",{max(depth, 0)}"
            if not _EVAL.fullmatch(f"[%eval {text}]"):
                raise Error(
                    f"the evaluation {text[:40]} cannot be written; expected less than 10,000,000 Pawns, or a mate in "
                    "less than 1,000,000 turns, and a depth below 1,000,000"
                )
        self._set("eval", text)

    def arrows(self) -> list[Arrow]:
        """Return the arrows (``[%cal]``) and marked squares (``[%csl]``) of the comment: two squares and a colour each.

        The colours are ``"green"``, ``"red"``, ``"yellow"`` and ``"blue"``; :func:`acedrex.svg.board` draws them.

        >>> from acedrex import pgn
        >>> pgn.Game().add_variation("e4", comment="[%csl Ra1][%cal Ga1a2]").arrows()
        [(0, 0, 'red'), (0, 16, 'green')]
        """
        arrows = []
        for found in _ARROWS.finditer(self._comment):
            for arrow in found[1].split(","):
                try:
                    ends = [parse_square(name) for name in _SQUARE.findall(arrow)]
                except Error:  # such as a17
                    continue
                arrows.append((ends[0], ends[-1], _COLOURS[arrow[0]]))
        return arrows

    def set_arrows(self, arrows: Iterable[tuple[int, int] | Arrow]) -> None:
        """Replace the arrows and marked squares of the comment. The default colour is green.

        :raises Error: if a number is not a square, a colour is not one of the four, or the comment becomes too long.
        """
        squares: list[str] = []
        lines: list[str] = []
        for arrow in arrows:
            start, end, colour = arrow if len(arrow) == 3 else (*arrow, "green")
            if colour not in _LETTERS:
                raise Error(f"{colour!r} is not a colour of an arrow; expected one of {', '.join(_LETTERS)}")
            names = square_name(start) + (square_name(end) if end != start else "")
            (lines if end != start else squares).append(_LETTERS[colour] + names)
        parts = [f"[%{kind} {','.join(items)}]" for kind, items in (("csl", squares), ("cal", lines)) if items]
        rest = _tidy(_ARROWS.sub("", self._comment)) if _ARROWS.search(self._comment) else self._comment
        self.comment = " ".join(filter(None, ["".join(parts), rest]))

    def _time(self, kind: str) -> float | None:
        found = re.search(rf"\[%{kind}\s+{_TIME}\s*\]", self._comment)
        return int(found[1]) * 3600 + int(found[2]) * 60 + float(found[3]) if found else None

    def _set(self, kind: str, value: str | None) -> None:
        """Replace the first annotation of a kind, or add it at the end of the comment; ``None`` removes it."""
        pattern = _EVAL if kind == "eval" else re.compile(rf"\[%{kind}\s+{_TIME}\s*\]")
        text = "" if value is None else f"[%{kind} {value}]"
        comment, found = pattern.subn(lambda _: text, self._comment, count=1)
        if not found:
            comment = " ".join(filter(None, [self._comment, text]))
        self.comment = comment if text or not found else _tidy(comment)


def _duration(seconds: float | None) -> str | None:
    """Write hours, minutes and seconds, to thousandths: ``0:04:58.5``."""
    if seconds is None:
        return None
    if not seconds < 1e9:  # nor is NaN
        raise Error(f"{seconds!r} is not a time on a clock; expected seconds below 1,000,000,000")
    # A player whose flag has fallen is a little below 0.
    minutes, thousandths = divmod(round(max(seconds, 0) * 1000), 60_000)
    rest = f"{thousandths / 1000:06.3f}".rstrip("0").rstrip(".")
    return f"{minutes // 60}:{minutes % 60:02}:{rest}"


def _tidy(comment: str) -> str:
    """Close the gap that a removed annotation leaves."""
    return re.sub(r"  +", " ", comment).strip(" ")
