"""The operations of EPD, such as ``bm Nf3; id "one";``, read and written as in python-chess."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, TypeAlias

from acedrex import _native
from acedrex._native import Move
from acedrex.errors import Error

if TYPE_CHECKING:
    from acedrex.board import Board

#: The operand of an operation: nothing, a text, a number, a move, or several moves.
Operand: TypeAlias = "str | int | float | Move | list[Move] | None"
#: Operations by their opcodes.
Operations: TypeAlias = "dict[str, Operand]"

#: The operations whose operand is moves: a line, and alternatives.
_LINE, _CHOICES = "pv", ("bm", "am")
_OPERATION = re.compile(
    r"""
      [\s;]* (?: -(?=[\s;]|$) [\s;]* )*+
      (?P<opcode> [^\s;]++ )
      (?: \s++ (?: "(?P<text> (?: [^"\\]++ | \\. )*+ )"? | (?P<operand> [^\s;"][^;]*+ ) ) )?+
      \s*+ ;?
    """,
    re.VERBOSE | re.DOTALL,
)
_NUMBER = re.compile(r"[-+.0-9]")
_ESCAPES = {"\\": "\\\\", '"': '\\"', "\t": "\\t", "\r": "\\r", "\n": "\\n"}
_UNESCAPED = {"t": "\t", "r": "\r", "n": "\n"}
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)


def write(board: Board, operations: Mapping[str, Operand | Iterable[Move]]) -> str:
    """Write operations of a position.

    :raises Error: if an opcode or a number cannot be written.
    :raises IllegalMoveError: if a move is not legal.
    """
    return " ".join(f"{_opcode(opcode)}{_operand(board, opcode, operand)};" for opcode, operand in operations.items())


def _operand(board: Board, opcode: str, operand: Operand | Iterable[Move]) -> str:
    if operand is None:
        return ""
    if isinstance(operand, Move):
        return f" {board.san(operand)}"
    if isinstance(operand, str):
        return f' "{"".join(_ESCAPES.get(letter, letter) for letter in operand)}"'
    if opcode in (_LINE, *_CHOICES):
        moves = (_checked(opcode, move) for move in (operand if isinstance(operand, Iterable) else [operand]))
        if opcode in _CHOICES:
            return "".join(f" {san}" for san in sorted(map(board.san, moves)))
        line = board.copy(stack=False)
        return "".join(f" {line.san_and_push(move)}" for move in moves)
    if isinstance(operand, bool) or not isinstance(operand, int | float):
        raise Error(
            f"EPD, {opcode}: {operand!r:.40} is not an operand; expected a text, a number, a move or None; only "
            f"{_LINE}, {' and '.join(_CHOICES)} take several moves"
        )
    if isinstance(operand, float) and not math.isfinite(operand):
        raise Error(f"EPD, {opcode}: {operand} is not a number that can be written")
    try:
        return f" {operand}"
    except ValueError:  # Python writes no numbers of more than a few thousand digits
        raise Error(f"EPD, {opcode}: the number has too many digits to be written") from None


def _checked(opcode: str, move: object) -> Move:
    if not isinstance(move, Move):
        raise Error(f"EPD, {opcode}: {move!r:.40} is not a Move; Board.parse_san makes one from a text")
    return move


def read(board: Board, text: str) -> Operations:
    """Read the operations of a position.

    :raises Error: if one of them cannot be read, or a move is not legal.
    """
    operations: Operations = {}
    for found in _OPERATION.finditer(text):
        opcode = _opcode(found["opcode"])
        if found["text"] is not None:
            operations[opcode] = _ESCAPE.sub(lambda escape: _UNESCAPED.get(escape[1], escape[1]), found["text"])
        elif found["operand"] is None:
            operations[opcode] = [] if opcode in (_LINE, *_CHOICES) else None
        elif opcode not in (_LINE, *_CHOICES) and _NUMBER.match(found["operand"]):
            operations[opcode] = _number(opcode, found["operand"])
        else:
            operations[opcode] = _moves(board, opcode, found["operand"])
    return operations


def _opcode(opcode: str) -> str:
    if not opcode[:1].isalpha() or re.search(r"[\s;]", opcode):
        raise Error(
            f"EPD: {opcode[:40]!r} is not an operation; expected a name that begins with a letter, such as bm or id"
        )
    return opcode


def _number(opcode: str, text: str) -> int | float:
    try:
        number = float(text) if re.search(r"[.eE]", text) else int(text)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise Error(f"EPD, {opcode}: {text[:40]!r} is not a number")
    return number


def _moves(board: Board, opcode: str, text: str) -> Move | list[Move]:
    words = text.split()
    try:
        if opcode in _CHOICES:
            return [_move(board, word) for word in words]
        if opcode != _LINE:
            return _move(board, text.strip())
        line, moves = board.copy(stack=False), []
        for word in words:
            for move in word.split(","):
                moves.append(_move(line, move))
                line.push(moves[-1])
        return moves
    except Error as error:
        raise type(error)(f"EPD, {opcode}: {error}") from None


def _move(board: Board, text: str) -> Move:
    return Move.null() if _native.is_null_text(text) else board.parse_san(text)
