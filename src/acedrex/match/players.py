"""The players of a match, and the texts that specify them."""

from __future__ import annotations

import random
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from acedrex._native import Move
from acedrex.board import Board
from acedrex.convert import write_variant
from acedrex.engine.client import UciEngine
from acedrex.engine.engine import Engine
from acedrex.engine.limit import Limit
from acedrex.engine.process import EngineError, split_command
from acedrex.engine.result import PlayResult
from acedrex.engine.text import ProgramOption
from acedrex.errors import Error
from acedrex.game import Game
from acedrex.match.acceptance import has_same_pieces
from acedrex.match.control import CONTROLS, Control, read_control
from acedrex.match.effort import Meter, Thought

__all__ = ["KINDS", "PROGRAMS", "Player", "Spec", "make", "parse_spec"]

#: The kinds of programs that speak UCI, each with its keys that are no options of UCI. Fairy-Stockfish and its
#: relatives read games from a file.
PROGRAMS = {"uci": (*CONTROLS, "variant"), "fsf": (*CONTROLS, "anyway")}


class Player(Protocol):
    """A player that plays one game after another."""

    def begin(self, seed: str) -> None:
        """Start a new game; a player with random choices repeats them with the same seed."""

    def play(self, board: Board, limit: Limit, *, root_moves: Sequence[Move] = ()) -> PlayResult:
        """Return a whole turn.

        :raises EngineError: if the player fails.
        """

    def echo(self, board: Board) -> str | None:
        """Return the FEN of the position that it has after it was sent a board; ``None`` if it cannot be asked.

        Empty if it has no position.

        :raises EngineError: if the player fails.
        """

    def thought(self) -> Thought | None:
        """Return what its last turn took; ``None`` if it does not think."""

    def stop(self) -> None:
        """Stop thinking; called from another thread."""

    def close(self) -> None:
        """Free the resources of the player."""


@dataclass(frozen=True, slots=True)
class Spec:
    """A player as the command line names it.

    >>> parse_spec("uci:fairy-stockfish option.Hash=64").options
    {'Hash': '64'}
    """

    text: str
    kind: str
    command: tuple[str, ...]
    """The command line of the program, if the kind is one of programs."""
    options: Mapping[str, str]
    """The options by name; for a program without the prefix ``option.``."""
    control: Control | None = None
    """How long it thinks; ``None`` for as long as the match says."""
    variant: str | None = None
    """A program's own name of the game; ``"none"`` if it plays nothing else."""
    anyway: bool = False
    """Whether a program plays a game of which its format cannot say everything."""


def parse_spec(text: str) -> Spec:
    """Read ``KIND KEY=VALUE ...`` or ``uci:COMMAND ... option.NAME=VALUE ...``, split as by a shell.

    >>> parse_spec("acedrex hash=64 time=0.8").control
    Control(nodes=None, time=0.8, base=None, increment=0.0)

    :raises Error: if there is no such kind, or it has no such key.
    """
    try:
        first, *rest = split_command(text)
    except ValueError:
        raise Error(f"{text[:60]!r} is not a player; write one of {_kinds()}") from None
    kind, colon, program = first.partition(":")
    if kind in PROGRAMS and program:
        own = PROGRAMS[kind]
        options = [word for word in rest if word.startswith(("option.", *(f"{name}=" for name in own)))]
        command, keys = (program, *(word for word in rest if word not in options)), ("option.NAME=VALUE", *own)
    elif kind in KINDS and not colon:
        options, command, keys = rest, (), KINDS[kind].keys
    else:
        raise Error(f"unknown player {first[:60]!r}; write one of {_kinds()}")
    chosen, controls, own_keys = {}, {}, {}
    for option in options:
        name, equals, value = option.partition("=")
        if not equals or (name not in keys and not (kind in PROGRAMS and name.startswith("option."))):
            raise Error(
                f"player {kind}: {option[:60]!r} is not one of its options; it takes {', '.join(keys) or 'none'}"
            )
        if name in CONTROLS:
            controls[option] = read_control(name, value)
        elif kind in PROGRAMS and name in PROGRAMS[kind]:
            own_keys[name] = value
        else:
            chosen[name.removeprefix("option.")] = value
    if len(controls) > 1:
        raise Error(f"player {kind}: {' and '.join(controls)}; give one of them")
    control = next(iter(controls.values()), None)
    return Spec(text, kind, command, chosen, control, own_keys.get("variant"), own_keys.get("anyway") == "yes")


def make(spec: Spec, game: Game) -> Player:
    """Create a player.

    :raises Error: if an option has an invalid value, or the program cannot be started or does not know the game.
    """
    if spec.kind in PROGRAMS:
        return Program(spec, game)
    return KINDS[spec.kind].make(game, spec.options)


def _kinds() -> str:
    return ", ".join([*KINDS, *(f"{kind}:COMMAND" for kind in PROGRAMS)])


class Program:
    """A program that plays by UCI."""

    def __init__(self, spec: Spec, game: Game) -> None:
        self._engine, self._shows = _start(spec, game), True
        try:
            start = Board(game)
            shown = self._engine.echo(start)
            self._shows = shown is not None and has_same_pieces(shown, start.fen())
        except BaseException as error:
            self._engine.kill()
            if not isinstance(error, EngineError):
                raise
            # It cannot bear the question.
            self._engine, self._shows = _start(spec, game), False
        self._threads = count_threads(self._engine.options, spec.options)

    def begin(self, seed: str) -> None:
        """Begin a game."""
        self._engine.clear()

    def play(self, board: Board, limit: Limit, *, root_moves: Sequence[Move] = ()) -> PlayResult:
        """Let it think."""
        return self._engine.play(board, limit, root_moves=root_moves)

    def echo(self, board: Board) -> str | None:
        """Ask for its position, unless it could not show the starting position."""
        return (self._engine.echo(board) or "") if self._shows else None

    def thought(self) -> Thought:
        """Return the time from the command to the answer, without what we need to read and write them."""
        seconds, processor = self._engine.thinking_time
        return Thought(seconds, None if processor is None else processor / self._threads)

    def stop(self) -> None:
        """Kill the program: a stopped match does not need its answer."""
        self._engine.kill()

    def close(self) -> None:
        """Quit the program."""
        self._engine.close()


def _start(spec: Spec, game: Game) -> UciEngine:
    """Start a program.

    :raises EngineError: if it cannot be started or does not know the game.
    """
    if spec.kind == "uci":
        return _set_up(UciEngine(spec.command, options=spec.options, variant=spec.variant), game)
    written = write_variant(game)
    if written.unsaid and not spec.anyway:
        lacking = ", ".join(written.unsaid)
        raise EngineError(
            f"{spec.command[0]} cannot play all rules of {game.spec}; its format lacks {lacking}. anyway=yes lets it "
            "play without them: an illegal move then loses, unless you add --ask-again"
        )
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "variants.ini")
        path.write_text(written.text.replace(f"[{game.id}]", f"[acedrex-{game.id}]", 1), "utf-8")
        options = {**spec.options, "VariantPath": str(path)}
        return _set_up(UciEngine(spec.command, options=options, variant=f"acedrex-{game.id}"), game)


def _set_up(engine: UciEngine, game: Game) -> UciEngine:
    try:
        engine.set_game(game)
    except BaseException:
        engine.close()
        raise
    return engine


def count_threads(options: Mapping[str, ProgramOption], values: Mapping[str, str]) -> int:
    """Return the threads with which a program searches, by its option ``Threads``."""
    offered = {name.lower(): option.default for name, option in options.items()}
    given = {name.lower(): value for name, value in values.items()}
    threads = given.get("threads", offered.get("threads", ""))
    return max(1, int(threads)) if threads.isascii() and threads.isdigit() else 1


#: The processor time of this process, in which all built-in engines think.
_meter = Meter()


class Own:
    """The built-in engine."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._thought = Thought()

    def begin(self, seed: str) -> None:
        """Clear what earlier games left, and set the seed."""
        self._engine.seed(seed)
        self._engine.clear()

    def play(self, board: Board, limit: Limit, *, root_moves: Sequence[Move] = ()) -> PlayResult:
        """Let it think."""
        with _meter.thinking(self._engine.threads) as self._thought:
            return self._engine.play(board, limit, root_moves=root_moves)

    def echo(self, board: Board) -> str | None:
        """Return nothing: it has the board itself."""

    def thought(self) -> Thought:
        """Return what its last turn took."""
        return self._thought

    def stop(self) -> None:
        """Stop the search."""
        self._engine.stop()

    def close(self) -> None:
        """Free the memory of the engine."""
        self._engine.close()


def acedrex_player(game: Game, options: Mapping[str, str]) -> Player:
    """Create a player with the built-in engine.

    :raises Error: if an option is not a number or out of range, or the network is not one of the game.
    """
    numbers = {}
    for name, value in options.items():
        if name == "network":
            continue
        if not (value.isascii() and value.isdigit() and len(value) < 10):
            raise Error(f"player acedrex: {name}={value[:20]} is not a number")
        numbers[name] = int(value)
    engine = Engine(
        threads=numbers.get("threads", 1),
        hash_mb=numbers.get("hash", 64),
        level=numbers.get("level"),
        network=options.get("network"),
    )
    engine.play(Board(game), Limit(nodes=1))  # allocates memory now, not while the first turn is timed
    return Own(engine)


class Chooser:
    """A player that chooses each move by its value alone, without search, and at random among equal ones."""

    def __init__(self, value: Callable[[Board, Move], float]) -> None:
        self._value = value
        self._chance = random.Random(0)

    def begin(self, seed: str) -> None:
        """Begin a game."""
        self._chance = random.Random(seed)

    def play(self, board: Board, limit: Limit, *, root_moves: Sequence[Move] = ()) -> PlayResult:
        """Choose the moves of a turn one by one."""
        board = board.copy(stack=False)
        color, turn = board.turn, list[Move]()
        moves = list(root_moves or board.legal_moves)
        while moves and board.turn == color:
            values = [self._value(board, move) for move in moves]
            best = max(values)
            move = self._chance.choice([move for move, value in zip(moves, values, strict=True) if value == best])
            board.push(move)
            turn.append(move)
            moves = list(board.legal_moves)
        return PlayResult(moves=tuple(turn))

    def echo(self, board: Board) -> str | None:
        """Return nothing: it has the board itself."""

    def thought(self) -> None:
        """Return nothing: choosing takes no time."""

    def stop(self) -> None:
        """Do nothing: choosing takes no time."""

    def close(self) -> None:
        """Do nothing: there are no resources to free."""


def random_player(game: Game, options: Mapping[str, str]) -> Player:
    """Create a player that plays random moves."""
    return Chooser(lambda board, move: 0.0)


def greedy_player(game: Game, options: Mapping[str, str]) -> Player:
    """Create a player that wins the most material in one move, by the values of the definition."""
    # The first source of values counts; a royal piece is worth more than all others.
    values = {piece.letter: next(iter(piece.values.values()), 1.0) + 1000 * piece.royal for piece in game.pieces}

    def gain(board: Board, move: Move) -> float:
        if move.special is not None:
            return 0.0
        captured = board.move_info(move).captured
        gained = values[captured.letter] if captured else 0.0
        if move.promotion is not None:
            piece = board.piece_at(move.from_square)
            gained += values[move.promotion] - (values[piece.letter] if piece else 0.0)
        return gained

    return Chooser(gain)


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of player that needs no other program: how to create one, and its option keys."""

    make: Callable[[Game, Mapping[str, str]], Player]
    keys: tuple[str, ...] = ()


#: The kinds by name. To add one, write a function that creates it from the game and its options.
KINDS = {
    "acedrex": Kind(acedrex_player, ("threads", "hash", "level", "network", *CONTROLS)),
    "random": Kind(random_player),
    "greedy": Kind(greedy_player),
}
