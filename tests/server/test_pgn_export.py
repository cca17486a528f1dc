"""The PGN of matches: what was on the clocks, the time control, and why the game ended."""

from __future__ import annotations

import io
from typing import Any

import pytest

from acedrex import load, pgn
from acedrex.server import wire
from acedrex.server.archive.pgn_export import match_pgn
from acedrex.server.games import catalogue
from acedrex.server.match.decide import CheckFlag, Context, decide
from acedrex.server.match.events import Event, encode
from tests.server.matches import BLACK, START, WHITE, started


class Played:
    """A match that goes on by commands, each some time after the one before."""

    def __init__(self, game: str = "chess", **changes: Any) -> None:
        self.match, self.events = started(game, **changes)
        self.now = START

    def __call__(self, command: Any, seconds: float = 0.0) -> None:
        self.now += int(seconds * 1000)
        seats = WHITE if self.match.turn == "white" else BLACK
        new: list[Event] = decide(self.match, command, seats, Context(self.now, 0, gone=0, rematch="again"))
        for event in new:
            self.match.apply(event)
        self.events += new

    def move(self, text: str, seconds: float) -> None:
        self(wire.MakeMove(text, self.match.number, "i"), seconds)

    def record(self, ratings: tuple[int | None, int | None] = (None, None)) -> pgn.Game:
        rows = [(number, encode(event).decode()) for number, event in enumerate(self.events, start=1)]
        game = load(self.match.created.game)
        found = pgn.read_game(io.StringIO(match_pgn("m", rows, catalogue.definition(game)[1], ratings)))
        assert found is not None
        assert found.errors == []
        return found


def clocks(record: pgn.Game) -> list[float | None]:
    return [node.clock() for node in record.mainline()]


def test_each_turn_has_what_its_player_had_left() -> None:
    played = Played(time=wire.Fischer(60_000, 2_000))
    for move, seconds in [("e2e4", 5), ("e7e5", 5), ("g1f3", 10), ("b8c6", 4.5), ("f1b5", 30)]:
        played.move(move, seconds)
    record = played.record()
    assert clocks(record) == [60, 60, 52, 57.5, 24]
    assert (record.headers["TimeControl"], record.headers["Termination"]) == ("60+2", "unterminated")


def test_a_move_that_was_taken_back_leaves_no_clock() -> None:
    played = Played(time=wire.Fischer(60_000, 0))
    for move in ("e2e4", "e7e5", "g1f3", "b8c6"):
        played.move(move, 10)
    played(wire.MakeOffer("takeback", "i"))
    new = decide(played.match, wire.Answer("takeback", True, "i"), BLACK, Context(played.now, 0, gone=0, rematch="a"))
    for event in new:
        played.match.apply(event)
    played.events += new
    again = len(played.match.moves)
    assert again < 4
    for move in ("g1f3", "d7d6")[again - 2 :]:
        played.move(move, 5)
    assert len(clocks(played.record())) == 4
    assert None not in clocks(played.record())


def test_a_turn_of_several_moves_has_one_clock() -> None:
    played = Played("chieftain", time=wire.Fischer(60_000, 0))
    for move in ("a4a5", "p4p5", "end", "a9a8"):
        played.move(move, 1)
    record = played.record()
    assert (clocks(record), [node.unfinished for node in record.mainline()]) == ([60, None], [False, True])


def test_a_flag_against_a_bare_king_is_explained() -> None:
    fen = "4k3/8/8/8/8/8/8/Q3K3 b - - 0 1"
    played = Played(time=wire.Fischer(60_000, 0), fen=fen)
    played.move("e8e7", 1)
    played.move("a1a2", 1)
    played.move("e7d7", 1)
    played(CheckFlag("UFDO-QKGL"), 61)
    record = played.record()
    assert (record.headers["Result"], record.headers["Termination"]) == ("1/2-1/2", "time forfeit")


@pytest.mark.parametrize(
    ("time", "tag", "left"),
    [
        (wire.NoTime(), "-", None),
        (wire.ByoYomi(10_000, 5_000, 3), "10:1/5", 5.0),
        (wire.ByoYomi(0, 5_000, 3), "1/5", 5.0),
        (wire.Correspondence(2, 5), "1/172800", None),
    ],
)
def test_the_time_control_is_told_in_the_standards_words(time: wire.TimeControl, tag: str, left: float | None) -> None:
    played = Played(time=time)
    for move, seconds in [("e2e4", 1), ("e7e5", 1), ("g1f3", 12 if tag == "10:1/5" else 2)]:
        played.move(move, seconds)
    played(wire.Resign("i"))
    record = played.record()
    assert record.headers["TimeControl"] == tag
    assert clocks(record)[-1] == left
    assert (record.headers["Result"], record.headers["Termination"]) == ("1-0", "normal")


def test_a_rated_match_says_so_and_has_the_ratings_before_it() -> None:
    played = Played(time=wire.Fischer(60_000, 0), rated=True)
    played.move("e2e4", 1)
    headers = played.record(ratings=(1512, 1630)).headers
    assert [headers[tag] for tag in ("Event", "WhiteElo", "BlackElo")] == ["Rated match", "1512", "1630"]
    headers = played.record(ratings=(1512, None)).headers
    assert headers["WhiteElo"] == "1512" and "BlackElo" not in headers
    headers = Played().record().headers
    assert headers["Event"] == "?" and not {"WhiteElo", "BlackElo"} & set(headers)
