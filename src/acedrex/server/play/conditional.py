"""Conditional moves: replies to expected turns, which a player has prepared and the server plays."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import msgspec
from sqlalchemy import bindparam, delete, select, text, update

from acedrex import Board
from acedrex.errors import Error
from acedrex.server import wire
from acedrex.server.match.decide import Turn
from acedrex.server.match.state import Match
from acedrex.server.play.rooms import Rooms
from acedrex.server.poll import Poll
from acedrex.server.refusal import Refusal
from acedrex.server.storage.store import Step
from acedrex.server.storage.tables import conditional_moves, matches
from acedrex.server.wire import Side

#: Seconds between two looks, and matches that are looked at together.
POLL, PORTION = 2.0, 50

#: SQLite and PostgreSQL share this syntax.
NEW = text(
    "INSERT INTO conditional_moves (match, side, person, number, fen, body) "
    "VALUES (:match, :side, :person, :number, :fen, :body) ON CONFLICT (match, side) DO UPDATE SET "
    "person = excluded.person, number = excluded.number, fen = excluded.fen, body = excluded.body"
)
OF_SIDE = (conditional_moves.c.match == bindparam("_match"), conditional_moves.c.side == bindparam("_side"))
#: Only if they are still those that were read.
UNCHANGED = (*OF_SIDE, conditional_moves.c.number == bindparam("_old"))
REMOVE = delete(conditional_moves).where(*OF_SIDE)
DROP = delete(conditional_moves).where(*UNCHANGED)
CONSIDERED = update(conditional_moves).where(*UNCHANGED).values(number=bindparam("_number"))
DUE = (
    select(conditional_moves)
    .join(matches, matches.c.id == conditional_moves.c.match)
    .where(matches.c.number > conditional_moves.c.number)
    .limit(PORTION)
)

Lines = list[wire.ConditionalLine]
_read = msgspec.json.Decoder(Lines).decode


def turn_start(board: Board) -> Board:
    """Return the position in which the turn began."""
    start = board.copy()
    while start.turn_moves:
        start.pop()
    return start


def before_last_turn(board: Board) -> Board | None:
    """Return the position in which the last finished turn began; ``None`` if there is none."""
    start = turn_start(board)
    if not start.move_stack:
        return None
    start.pop()
    return turn_start(start)


def checked(board: Board, lines: Lines) -> Lines:
    """Return lines with their moves in coordinates.

    :param board: the position in which the opponent's turn has begun.
    :raises Refusal: if one is illegal, does not end with an own turn, or answers the same turns in another way.
    """
    found: list[list[list[str]]] = []
    replies: dict[tuple[tuple[str, ...], ...], list[str]] = {}
    for number, line in enumerate(lines, start=1):
        if len(line) % 2:
            raise Refusal("invalid", f"line {number} does not end with a turn of yours", "lines")
        position, plain = board.copy(), list[list[str]]()
        for turn in line:
            side = position.turn
            for move in turn:
                if position.turn != side or position.outcome() is not None:
                    raise Refusal("illegal", f"line {number}: the turn is over before {move}", "lines")
                try:
                    position.push_uci(move)
                except Error as error:
                    raise Refusal("illegal", f"line {number}: {error}", "lines") from None
            if position.turn == side:
                raise Refusal("illegal", f"line {number}: the turn goes on after {turn[-1]}", "lines")
            plain.append([move.uci() for move in position.move_stack[-len(turn) :]])
        for end in range(0, len(plain), 2):
            path = tuple(tuple(turn) for turn in plain[: end + 1])
            if replies.setdefault(path, plain[end + 1]) != plain[end + 1]:
                raise Refusal("invalid", f"line {number} answers the same moves in another way", "lines")
        if plain not in found:
            found.append(plain)
    return found


def answer(before: Board, after: Board, lines: Lines) -> tuple[list[str], Lines] | None:
    """Return the reply of some lines to the turn between two positions, and the lines that are left after it.

    A turn is an expected one if it leads to the same position, in whatever order its moves were made.
    """
    reply: list[str] | None = None
    left: Lines = []
    for expected, own, *more in lines:
        position = before.copy()
        for move in expected:
            position.push_uci(move)
        if position.fen() == after.fen() and reply in (None, own):
            reply = own
            if more:
                left.append(more)
    return None if reply is None else (reply, left)


def own_side(match: Match, person: str) -> Side:
    """Return the side of a person who may leave conditional moves in a match.

    :raises Refusal: if they may not.
    """
    seats = match.seat(person)
    if len(seats) != 1 or match.created.opponent not in ("friend", "lobby"):
        raise Refusal("no_seat", "only the players of a match between two people can do this")
    if not isinstance(match.created.time, wire.Correspondence | wire.NoTime):
        raise Refusal("live", "conditional moves are for matches by correspondence or without a clock")
    return next(iter(seats))


async def read(rooms: Rooms, id: str, person: str) -> wire.ConditionalMoves:
    """Return the conditional moves of a person in a match.

    :raises Refusal: if they cannot have any.
    """
    match = (await rooms.get(id)).match
    side, query = own_side(match, person), select(conditional_moves)
    row = await rooms.store.first(query.where(*OF_SIDE), _match=id, _side=side)
    return wire.ConditionalMoves([] if row is None or row.fen != turn_start(match.board).fen() else _read(row.body))


async def store(rooms: Rooms, id: str, person: str, lines: Lines) -> None:
    """Store the conditional moves of a person in a match, instead of those that they had.

    :raises Refusal: if they are not allowed.
    """
    match = (await rooms.get(id)).match
    side = own_side(match, person)
    if not lines:
        await rooms.store.write((REMOVE, {"_match": id, "_side": side}))
        return
    if match.phase != "play" or match.turn == side:
        raise Refusal("your_turn", "conditional moves can be left while it is your opponent's turn")
    start = turn_start(match.board)
    body = msgspec.json.encode(await asyncio.to_thread(checked, start, lines)).decode()
    row = {"match": id, "side": side, "person": person, "number": match.number, "fen": start.fen(), "body": body}
    await rooms.store.write((NEW, row))


class ConditionalMoves:
    """Makes the conditional moves whose turn has come, after a restart too."""

    def __init__(self, rooms: Rooms) -> None:
        """Use the rooms of the matches."""
        self._rooms = rooms

    async def run_forever(self) -> None:
        """Make the moves that are due, forever."""
        await Poll(self.look, POLL, "conditional_moves_failed").run_forever()

    async def look(self) -> bool:
        """Look at a portion of the matches that have changed, and return whether there was any."""
        rows = await self._rooms.store.all(DUE)
        for row in rows:
            await self._consider(row)
        return bool(rows)

    async def _consider(self, row: Any) -> None:
        """Make the moves that a player has left for the turn that was made, or forget them if it was another."""
        which = {"_match": row.match, "_side": row.side, "_old": row.number}
        drop: Step = (DROP, which)
        try:
            room = await self._rooms.get(row.match)
            match = room.match
            if match.phase == "play" and match.turn != row.side and turn_start(match.board).fen() == row.fen:
                await self._rooms.store.change((CONSIDERED, {**which, "_number": match.number}))
                return
            found = self._found(match, row)
            if found is None:
                await self._rooms.store.change(drop)
                return
            reply, left = found
            step = self._left_step(match, row, reply, left) if left else drop
            await room.command(Turn(tuple(reply)), frozenset({row.side}), steps=[step])
        except Refusal:  # They have moved themselves, or it cannot be read.
            await self._rooms.store.change(drop)

    def _found(self, match: Match, row: Any) -> tuple[list[str], Lines] | None:
        if match.phase != "play" or match.turn != row.side or match.board.turn_moves:
            return None
        before = before_last_turn(match.board)
        if before is None or before.fen() != row.fen:
            return None
        return answer(before, match.board, _read(row.body))

    def _left_step(self, match: Match, row: Any, reply: Sequence[str], left: Lines) -> Step:
        """Return the step that stores the lines that are left after a reply, counted from the position after it."""
        after = match.board.copy()
        for move in reply:
            after.push_uci(move)
        body = msgspec.json.encode(left).decode()
        values = {"match": row.match, "side": row.side, "person": row.person, "fen": after.fen(), "body": body}
        return (NEW, {**values, "number": match.number + len(reply)})
