"""A session in XBoard's protocol: reads commands and executes them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TextIO

from acedrex.board import Board
from acedrex.engine.engine import FULL_LEVEL, MAX_HASH_MB, MAX_THREADS, Engine
from acedrex.errors import Error
from acedrex.protocol.catalogue import Catalogue
from acedrex.protocol.conversation import command_of, one_line
from acedrex.xboard.clock import decimal, number
from acedrex.xboard.highlight import Mouse
from acedrex.xboard.notation import read_fen, read_move, read_square
from acedrex.xboard.player import Player
from acedrex.xboard.variants import KNOWN, description, variant_names

__all__ = ["Session"]

#: The engine offers a draw below this score, in centipawns.
DRAW_SCORE = -50
#: The ranges of the settings.
BOUNDS = {"Level": (1, FULL_LEVEL), "Threads": (1, MAX_THREADS), "Hash": (1, MAX_HASH_MB)}
#: Commands that need no action.
IGNORED = ["xboard", "accepted", "rejected", "random", "computer", "name", "rating", "ics", "hover", "bk"]
#: The longest time on a clock, in hundredths of a second.
LONGEST = 999_999_999


class Session(Player):
    """A session with a GUI in XBoard's protocol.

    :param games: the games that can be chosen, as far as XBoard can play them.
    :param version: the version of Acedrex, for ``myname``.
    """

    def __init__(self, lines: TextIO, output: TextIO, engine: Engine, games: Catalogue, version: str) -> None:
        super().__init__(lines, output, engine, games["chess"])
        self._games = games
        self._version = version
        self._variants = variant_names(games)
        self._mouse: Mouse | None = None
        self._commands: dict[str, Callable[[str], None]] = {
            "protover": self._protover,
            "option": self._option,
            "memory": lambda text: self._set("Hash", text),
            "cores": lambda text: self._set("Threads", text),
            "ping": self._ping,
            "new": self._new,
            "variant": self._variant,
            "setboard": self._setboard,
            "undo": lambda text: self._take_back(1),
            "remove": self._remove,
            "usermove": self._usermove,
            "force": self._force,
            "result": self._force,
            "go": self._go,
            "playother": self._playother,
            "?": lambda text: self.stop_thinking(),
            "draw": self._draw,
            "hint": self._hint_move,
            "analyze": self._analyze,
            "exit": self._exit,
            ".": self._status,
            "level": self._level,
            "st": self._st,
            "sd": self._sd,
            "nps": self._nps,
            "time": self._time,
            "otim": self._otim,
            "hard": self._hard,
            "easy": self._easy,
            "post": self._post,
            "nopost": self._nopost,
            "lift": self._lift,
            "put": self._put,
            **dict.fromkeys(IGNORED, lambda text: None),
        }

    def handle(self, line: str) -> None:
        """Execute a command; errors are answered with a message."""
        word, rest = command_of(line)
        command = self._commands.get(word)
        if command is None:
            if word:
                self.say(f"Error (unknown command): {one_line(line[:100])}")
            return
        try:
            command(rest.strip())
        except (ValueError, MemoryError) as error:
            self.say(f"Error ({one_line(str(error)) or 'not enough memory'}): {one_line(line[:100])}")

    # Protocol and options -----------------------------------------------------------------------------------------

    def _protover(self, text: str) -> None:
        self.say("feature done=0")
        self.say(f'feature myname="Acedrex {self._version}" variants="{",".join(self._variants)}"')
        self.say("feature ping=1 setboard=1 playother=1 san=0 usermove=1 time=1 draw=1 sigint=0 sigterm=0 reuse=1")
        self.say("feature analyze=1 colors=0 nps=1 debug=1 memory=1 smp=1 highlight=1 pause=0 ics=0 name=0")
        for name, (least, most) in BOUNDS.items():
            self.say(f'feature option="{name} -spin {self.settings[name]} {least} {most}"')
        self.say('feature option="Clear Hash -button"')
        self.say("feature done=1")

    def _set(self, name: str, text: str) -> None:
        self.settings[name] = number(text, *BOUNDS[name])

    def _option(self, text: str) -> None:
        name, _, value = text.partition("=")
        if name == "Clear Hash":
            self.forget = True
        elif name in BOUNDS:
            self._set(name, value)
        else:
            raise Error("unknown option")

    def _ping(self, text: str) -> None:
        if self.thinking:
            self.pings.append(one_line(text))
        else:
            self.say(f"pong {one_line(text)}")

    # Positions ---------------------------------------------------------------------------------------------------

    def _new(self, text: str) -> None:
        self.plays = False
        self.clock.depth = None
        self.clock.rate = 0
        self.forget = True
        self.game = self._games["chess"]
        self.reset(Board(self.game))

    def _variant(self, text: str) -> None:
        name = self._variants.get(text)
        if name is None:
            raise Error(
                'unknown variant; "feature variants" lists all, and "--game FILE" adds that of a definition file'
            )
        self.game = self._games[name]
        if name not in KNOWN:
            for line in description(self.game):
                self.say(line)
        self.reset(Board(self.game))

    def _setboard(self, text: str) -> None:
        try:
            self.reset(read_fen(self.game, text))
        except Error as error:
            self.reset(None)
            self.say(f"tellusererror Illegal position: {one_line(str(error))}")

    def _current_board(self) -> Board:
        """Return the board.

        :raises Error: if there is no position.
        """
        if self.board is None:
            raise Error("there is no position")
        return self.board

    def _take_back(self, moves: int) -> None:
        board = self._current_board()
        if board.ply() < moves:
            raise Error("command not legal now")
        self.halt()
        for _ in range(moves):
            board.pop()
        self.resume_analysis()

    def _remove(self, text: str) -> None:
        self._take_back(2)
        self.turns = max(self.turns - 1, 0)

    # Playing -----------------------------------------------------------------------------------------------------

    def _usermove(self, text: str) -> None:
        try:
            board = self._current_board()
            if self.thinking:
                raise Error("it is not your turn")
            move = board.parse_uci(read_move(board, text).uci())
        except Error as error:
            self.say(f"Illegal move ({one_line(str(error))}): {one_line(text[:40])}")
            return
        self.receive(move)

    def _force(self, text: str) -> None:
        self.plays = None
        self.halt()

    def _go(self, text: str) -> None:
        board = self._current_board()
        self.halt()
        self.analyzing = False
        self.plays = board.turn
        if not self.announce_result():
            self.think()

    def _playother(self, text: str) -> None:
        board = self._current_board()
        self.halt()
        self.analyzing = False
        self.plays = not board.turn

    def _draw(self, text: str) -> None:
        score = self.score
        losing = score is not None and (score.mate < 0 if score.mate is not None else (score.cp or 0) < DRAW_SCORE)
        if losing or self._current_board().can_claim_draw():
            self.say("offer draw")

    def _hint_move(self, text: str) -> None:
        if self.expected is not None and self._current_board().is_legal(self.expected):
            self.say(f"Hint: {self.format_move(self.expected)}")

    # Analysing ---------------------------------------------------------------------------------------------------

    def _analyze(self, text: str) -> None:
        self.halt()
        self.plays = None
        self.analyzing = True
        self.resume_analysis()

    def _exit(self, text: str) -> None:
        self.analyzing = False
        self.halt()

    def _status(self, text: str) -> None:
        line = self.status()
        if line is not None:
            self.say(line)

    # Time --------------------------------------------------------------------------------------------------------

    def _level(self, text: str) -> None:
        self.clock.level(text)
        self.turns = 0

    def _st(self, text: str) -> None:
        self.clock.per_turn = decimal(text)

    def _sd(self, text: str) -> None:
        self.clock.depth = number(text, 1, 1000)

    def _nps(self, text: str) -> None:
        self.clock.rate = number(text, 0, LONGEST)

    def _time(self, text: str) -> None:
        self.clock.own = number(text.removeprefix("-"), 0, LONGEST) / 100 * (not text.startswith("-"))

    def _otim(self, text: str) -> None:
        self.clock.other = number(text.removeprefix("-"), 0, LONGEST) / 100 * (not text.startswith("-"))

    def _hard(self, text: str) -> None:
        self.pondering = True

    def _easy(self, text: str) -> None:
        self.pondering = False
        self.stop_pondering()

    def _post(self, text: str) -> None:
        self.posting = True

    def _nopost(self, text: str) -> None:
        self.posting = False

    # The mouse ---------------------------------------------------------------------------------------------------

    def _lift(self, text: str) -> None:
        at = read_square(self.game, text)
        board = self._current_board()
        if self._mouse is None or self._mouse.board != board or not self._mouse.lift(at):
            self._mouse = Mouse(board, at, legs=self.game.id not in KNOWN)
        self.say(f"highlight {self._mouse.colors()}")

    def _put(self, text: str) -> None:
        if self._mouse is not None:
            kinds = self._mouse.put(read_square(self.game, text))
            if kinds:
                self.say(f"choice {kinds}")
