"""One game between two players: asks each for its turns, keeps their time, and decides how the game ends."""

from __future__ import annotations

import datetime
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from acedrex._native import Move
from acedrex.board import Board
from acedrex.engine.client import EngineError, IllegalAnswerError
from acedrex.engine.result import PlayResult, Score
from acedrex.engine.text import turns
from acedrex.errors import Error
from acedrex.match.acceptance import find_fault, find_stale_answer
from acedrex.match.control import LATE, limit
from acedrex.match.effort import Effort
from acedrex.match.fairness import is_measured, is_unfair
from acedrex.match.players import Player
from acedrex.match.settings import Settings
from acedrex.outcome import Outcome, Termination

__all__ = ["Incident", "Played", "StoppedError", "play_game"]

#: Turns after which a game is a draw.
MOST_TURNS = 600
#: Adjudication: a win needs WIN_SCORE centipawns in the last WIN_TURNS turns; a draw at most DRAW_SCORE in the last
#: DRAW_TURNS turns, after DRAW_AFTER turns.
WIN_SCORE, WIN_TURNS = 1000, 6
DRAW_SCORE, DRAW_TURNS, DRAW_AFTER = 10, 10, 80
#: The centipawns that stand for a mate in adjudication.
MATE = 100_000


class StoppedError(Exception):
    """The match was stopped before the game ended."""


@dataclass(slots=True)
class Incident:
    """A failure of a player: ``late``, ``illegal``, ``rejected``, ``differs``, ``failed``, ``time`` or ``slow``."""

    turn: int
    player: str
    kind: str
    text: str


@dataclass(slots=True)
class Played:
    """A finished game."""

    number: int
    """The number of the game, from 0; games 0 and 1 are the first pair."""
    white: str
    """The player with White: ``first`` or ``second``."""
    start: str
    """The FEN before the first move."""
    opening: list[str]
    date: str = ""
    """The date of its start as in PGN; empty in old logs."""
    turns: list[str] = field(default_factory=list)
    scores: list[str] = field(default_factory=list)
    """The score of each turn from its player's point of view: centipawns, ``#N`` for mate in N, or empty."""
    seconds: list[float] = field(default_factory=list)
    termination: str = ""
    result: str = "*"
    score: str = ""
    """The score as the game counts it: ``3-1`` with four points."""
    points: float = 0.0
    """The first player's share of the points, from 0 to 1."""
    incidents: list[Incident] = field(default_factory=list)
    efforts: dict[str, Effort] = field(default_factory=dict)
    """What each player's turns took, of players whose play depends on their speed."""

    def record(self) -> dict[str, Any]:
        """Return the game as a JSON object."""
        values = asdict(self)
        if not self.efforts:
            del values["efforts"]
        return values

    @classmethod
    def from_record(cls, values: dict[str, Any]) -> Played:
        """Read a game from a JSON object.

        :raises Error: if it is not a valid game.
        """
        try:
            played = cls(**values)
            played.incidents = [Incident(**incident) for incident in values["incidents"]]
            played.efforts = {side: Effort(**effort) for side, effort in played.efforts.items()}  # type: ignore[arg-type]
            valid = (
                isinstance(played.number, int)
                and played.number >= 0
                and 0 <= played.points <= 1
                and {played.white, *(incident.player for incident in played.incidents)} <= {"first", "second"}
                and played.efforts.keys() <= {"first", "second"}
                and all(effort.is_valid() for effort in played.efforts.values())
                and len(played.turns) == len(played.scores) == len(played.seconds)
                and all(isinstance(text, str) for text in [played.date, *played.opening, *played.turns, *played.scores])
                and {type(text) for text in (played.start, played.termination, played.result, played.score)} == {str}
                and all(isinstance(seconds, int | float) for seconds in played.seconds)
            )
        except (TypeError, KeyError, AttributeError):
            valid = False
        if not valid:
            raise Error("this is no game of a match")
        return played


def play_game(
    settings: Settings,
    number: int,
    opening: Board,
    players: Mapping[str, Player],
    stopped: Callable[[], bool] = lambda: False,
) -> Played:
    """Play a game.

    :param players: ``first`` and ``second``, ready to begin; the first has White in games with even numbers.
    :param stopped: returns whether the match has been stopped.
    :raises StoppedError: if the match has been stopped.
    """
    return _Game(settings, number, opening.copy(), players, stopped).play()


class _Game:
    def __init__(
        self,
        settings: Settings,
        number: int,
        board: Board,
        players: Mapping[str, Player],
        stopped: Callable[[], bool],
    ) -> None:
        self.settings = settings
        self.board = board
        self.players = players
        self.stopped = stopped
        self.sides = {number % 2 == 0: "first", number % 2 == 1: "second"}
        today = datetime.date.today().strftime("%Y.%m.%d")
        self.played = Played(number, self.sides[True], board.root_fen, list(turns(board)), today)
        self.controls = {color: settings.controls[side] for color, side in self.sides.items()}
        self.clocks = {color: control.base or 0.0 for color, control in self.controls.items()}
        self.played.efforts = {side: Effort() for side in ("first", "second") if is_measured(settings, side)}
        #: The sides whose program has another position than ours, which is reported only once.
        self.different: set[bool] = set()
        #: White's score before each turn; None if the player reported none.
        self.white_scores: list[int | None] = []

    def play(self) -> Played:
        while not self.played.termination:
            if self.stopped():
                raise StoppedError
            self._turn()
        return self.played

    def _turn(self) -> None:
        outcome = self.board.outcome(claim_draw=True)
        if outcome is not None:
            self._end(outcome)
        elif len(self.played.turns) >= MOST_TURNS:
            self._draw("too_long")
        elif not (self.settings.adjudicate and self._adjudicate()) and self._accepts(self.board.turn):
            self._ask()

    def _accepts(self, color: bool) -> bool:
        """Ask a program for its position, outside its time; if that is an older one, the program loses."""
        if color in self.different:
            return True
        try:
            fen = self.players[self.sides[color]].echo(self.board)
        except EngineError as error:
            self._fail(error, color)
            return False
        fault = None if fen is None else find_fault(self.board, fen)
        if fault is None:
            return True
        kind, text = fault
        self._note(kind, text, color)
        if kind == "rejected":
            self._lose("rejected_turn", color)
            return False
        self.different.add(color)
        return True

    def _ask(self) -> None:
        """Ask for a turn; with ``ask_again``, ask a second time with the legal moves after an illegal turn."""
        color, board = self.board.turn, self.board
        begun = time.perf_counter()
        for root_moves in [[], list(board.legal_moves)][: 1 + self.settings.ask_again]:
            if self.controls[color].base is None:  # each time the whole time of a turn; a clock goes on
                begun = time.perf_counter()
            left = self.clocks[color] - (time.perf_counter() - begun)
            given = limit(self.controls, {**self.clocks, color: left}, color)
            try:
                result = self.players[self.sides[color]].play(board, given, root_moves=root_moves)
            except IllegalAnswerError as error:
                if (stale := find_stale_answer(board, error.answer)) is not None:
                    self._note("rejected", stale, color)
                    self._lose("rejected_turn", color)
                    return
                self._note("illegal", str(error), color)
                continue
            except EngineError as error:
                self._fail(error, color)
                return
            seconds = time.perf_counter() - begun
            self._measure(result, self.sides[color])
            if self._push(result.moves):
                self._record(result, seconds, color)
                return
            self._note("illegal", f"{','.join(move.uci() for move in result.moves)} at {board.fen()}", color)
        self._lose("illegal_turn", color)

    def _fail(self, error: EngineError, color: bool) -> None:
        if self.stopped():
            raise StoppedError from None
        self._note("failed", str(error), color)
        self._lose("failed", color)

    def _push(self, moves: tuple[Move, ...]) -> bool:
        """Make a turn if it is legal and complete, and return whether it is."""
        board = self.board.copy()
        color = board.turn
        try:
            for move in moves:
                if board.turn != color:
                    return False
                board.push(move)
        except Error:
            return False
        if not moves or (board.turn == color and not board.is_game_over()):
            return False
        self.board = board
        return True

    def _record(self, result: PlayResult, seconds: float, color: bool) -> None:
        """Record a turn that was made, and update the clock."""
        score = None if result.info is None else result.info.score
        centipawns = None if score is None else _centipawns(score)
        self.white_scores.append(centipawns if centipawns is None or color else -centipawns)
        self.played.turns.append(",".join(move.uci() for move in result.moves))
        self.played.scores.append(
            "" if score is None else f"#{score.mate}" if score.mate is not None else str(score.cp)
        )
        self.played.seconds.append(round(seconds, 3))
        control = self.controls[color]
        if control.base is not None:
            self.clocks[color] -= seconds
            if self.clocks[color] < -LATE:
                self._note("time", f"over its time by {-self.clocks[color]:.3f} s", color)
                self._end(self.board.forfeit(Termination.TIME, color), "time_forfeit")
            self.clocks[color] = max(self.clocks[color], 0.0) + control.increment
        elif control.time is not None and seconds > control.time + LATE:
            self._note("late", f"{seconds:.3f} s where {control.time:g} s were given", color)

    def _measure(self, result: PlayResult, side: str) -> None:
        """Count what a turn took, if the player's play depends on its speed."""
        effort, thought = self.played.efforts.get(side), self.players[side].thought()
        if effort is not None and thought is not None:
            effort.count(thought, 0 if result.info is None else result.info.nodes)

    def _adjudicate(self) -> bool:
        """End the game if the scores of both players agree."""
        recent = self.white_scores[-WIN_TURNS:]
        for winner, sign in ((True, 1), (False, -1)):
            if len(recent) == WIN_TURNS and all(s is not None and s * sign >= WIN_SCORE for s in recent):
                self._lose("adjudicated_win", not winner)
                return True
        recent = self.white_scores[-DRAW_TURNS:]
        long = len(self.white_scores) >= DRAW_AFTER + DRAW_TURNS
        if long and all(s is not None and abs(s) <= DRAW_SCORE for s in recent):
            self._draw("adjudicated_draw")
            return True
        return False

    def _note(self, kind: str, text: str, color: bool) -> None:
        self.played.incidents.append(Incident(len(self.played.turns), self.sides[color], kind, text))

    def _lose(self, termination: str, loser: bool) -> None:
        """End the game as if a player had resigned."""
        self._end(self.board.forfeit(Termination.RESIGNATION, loser), termination)

    def _draw(self, termination: str) -> None:
        """End the game as if both players had agreed on a draw."""
        self._end(self.board.agreement(), termination)

    def _end(self, outcome: Outcome, termination: str | None = None) -> None:
        """End the game with an outcome, for its own reason or for one that the board does not know."""
        played = self.played
        for color, side in self.sides.items():
            if side in played.efforts and is_unfair(played.efforts[side]):
                self._note("slow", f"it had {played.efforts[side].share:.0%} of its processor", color)
        played.termination = termination or outcome.termination.value
        played.result = outcome.result()
        played.score = outcome.score
        white, black = (0.5 if part == "1/2" else float(part) for part in played.score.split("-"))
        played.points = (white if played.white == "first" else black) / (white + black)


def _centipawns(score: Score) -> int:
    if score.mate is not None:
        return MATE if score.mate > 0 else -MATE
    return score.cp or 0
