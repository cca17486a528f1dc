"""Opponents in the terminal: the engine and its levels, as players and as advisers."""

from __future__ import annotations

import io
import os
import re
import signal
import sys
import threading
import time

import pytest

import acedrex
from acedrex import Board, Limit
from acedrex.cli import main, opponents
from tests.conftest import played
from tests.terminal.conftest import sentences

#: A Queen ahead, whoever is to move.
AHEAD = {True: "4k3/8/8/8/8/8/PPP5/Q3K3 {} - - 0 1", False: "4k3/qppp4/8/8/8/8/8/4K3 {} - - 0 1"}


@pytest.fixture(autouse=True)
def hurry(monkeypatch):
    monkeypatch.setattr(opponents, "TURN", Limit(nodes=300))
    monkeypatch.setattr(opponents, "ADVICE", Limit(nodes=2000))


def farewell(out: str) -> str:
    """The position in which the game was left."""
    return re.search(r"--fen '(.+)' --black \w+\n$", out)[1]


@pytest.mark.parametrize("name", acedrex.games())
@pytest.mark.parametrize("player", ["engine", "1", "10"])
def test_a_program_plays_whole_turns(talk, name, player):
    out = talk(name, "--white", player, "--seed", "1", lines="\nfen\n")
    board = Board(name, re.search(r": fen\n(.+)\n", out)[1])
    assert not board.turn
    assert not board.turn_moves
    assert "Your turn: Black." in out
    assert out.count("White is thinking...") == (player != "1")
    assert re.search(r"^ 1 .*\n 2 ", out, re.MULTILINE)  # Black's side is below


def test_levels_play_the_same_moves_with_the_same_seed(talk):
    lines = "e4\nd4\nc4\nb4\n"

    def game(level: int, seed: int) -> str:
        return farewell(talk("chess", "--black", level, "--seed", seed, lines=lines))

    assert game(2, 1) == game(2, 1)
    assert len({game(2, seed) for seed in range(6)}) > 1
    assert game(9, 1) != game(1, 1)


def test_undo_goes_back_to_the_persons_turn(talk):
    start = Board("chieftain")
    out = talk("chieftain", "--black", "1", lines="a4a5\nend\nundo\nfen\nundo\nfen\nundo\n")
    assert f": fen\n{played('chieftain', 'a4a5').fen()}\n" in out
    assert f": fen\n{start.fen()}\n" in out
    assert "No moves yet." in out
    out = talk("chess", "--white", "engine", lines="undo\n")
    assert "You have not moved yet." in out


@pytest.mark.parametrize("person", [True, False])
@pytest.mark.parametrize("player", ["engine", "1"])
def test_the_engine_accepts_a_draw_only_when_it_is_behind(talk, person, player):
    other = f"--{'black' if person else 'white'}"
    for ahead, fen in AHEAD.items():
        out = talk("chess", other, player, "--fen", fen.format("w" if person else "b"), lines="draw\n")
        assert ("Draw: by agreement." in out) == (ahead == person)
        assert (f"{'Black' if person else 'White'} declines the draw." in out) == (ahead != person)


def test_a_forced_mate_decides_whether_a_draw_is_accepted(talk):
    assert "by agreement" in talk("chess", "--black", "3", "--fen", "7k/8/6K1/8/8/8/8/R7 w - - 0 1", lines="draw\n")
    out = talk("chess", "--black", "3", "--fen", "r7/8/8/8/8/1k6/8/1K6 w - - 0 1", lines="draw\n")
    assert "Black declines the draw." in out


@pytest.mark.parametrize("players", [(), ("--black", "random"), ("--black", "engine")])
def test_best_suggests_the_engines_move(talk, players):
    fen = "7k/8/6K1/8/8/8/8/R7 w - - 0 1"
    out = talk("chess", *players, "--fen", fen, lines="best\nfen\nRa8\nbest\n")
    assert f"The engine suggests Ra8#.\nWhite (? for help): fen\n{fen}\n" in out
    assert "The game is over; undo takes back the last move" in out


def test_best_suggests_a_whole_turn(talk):
    out = sentences(talk("chieftain", lines="a4a5\nbest\n"))
    board = played("chieftain", "a4a5")
    moves = re.search(r"The engine suggests (\S+)\.", out)[1].split(",")
    assert len(moves) > 1
    for move in moves:
        assert board.turn
        board.push_san(move)
    assert not board.turn


@pytest.mark.parametrize("player", ["random", "2", "9"])
def test_asking_for_advice_does_not_change_the_opponents_moves(talk, player):
    words = ("chess", "--black", player, "--seed", "5")
    asked = talk(*words, lines="best\ne4\nbest\nd4\nbest\nb4\n")
    assert farewell(asked) == farewell(talk(*words, lines="e4\nd4\nb4\n"))


def test_saved_games_name_the_program(talk, tmp_path):
    for player, name in {
        "3": "Acedrex level 3",
        "10": "Acedrex",
        "engine": "Acedrex",
        "random": "Random mover",
    }.items():
        path = tmp_path / f"{player}.pgn"
        talk("chess", "--white", player, lines=f"save {path}\n")
        text = path.read_text(encoding="utf-8")
        assert f'[White "{name}"]\n[Black "?"]' in text


def test_a_program_as_black_chooses_a_random_setup(talk):
    out = {seed: talk("metamachy", "--black", "3", "--seed", seed) for seed in range(4)}
    assert len({re.search(r"Setup (\d+) of 24: ", text)[1] for text in out.values()}) > 1


def test_programs_can_play_each_other(talk):
    out = talk("knightmate", "--white", "3", "--black", "random", "--seed", "1")
    assert re.search(r"\d+ moves? played\.", out)
    assert "thinking" not in out
    fen = "7k/8/6K1/8/8/8/8/R7 w - - 0 1"
    out = sentences(talk("chess", "--white", "engine", "--black", "1", "--fen", fen))
    assert "White is thinking..." in out
    assert "White wins. 1 move" in out


def test_an_unknown_player_is_refused(capsys):
    assert main(["play", "chess", "--black", "11"]) == 2
    assert "argument --black: invalid choice: '11'" in capsys.readouterr().err


@pytest.mark.skipif(os.name != "posix", reason="signals to a thread")
@pytest.mark.parametrize(("words", "lines"), [(("--white", "engine"), ""), ((), "best\n")])
def test_ctrl_c_ends_thinking(monkeypatch, capsys, words, lines):
    for name in ("TURN", "ADVICE"):
        monkeypatch.setattr(opponents, name, Limit(time=20))
    # A shell may have started the tests with Ctrl-C ignored, as it does for an &.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    main_thread = threading.main_thread().ident
    timer = threading.Timer(0.5, lambda: signal.pthread_kill(main_thread, signal.SIGINT))
    monkeypatch.setattr(sys, "stdin", io.StringIO(lines))
    begun = time.monotonic()
    timer.start()
    try:
        assert main(["play", "magi", *words]) == 130
    finally:
        timer.join()
        signal.signal(signal.SIGINT, before)
    assert time.monotonic() - begun < 15
    assert not [thread for thread in threading.enumerate() if thread.name == "acedrex-search"]
    assert "Traceback" not in capsys.readouterr().err


@pytest.mark.skipif(os.name != "posix", reason="no pseudo-terminals")
class TestTerminal:
    """A person at the keyboard."""

    def test_the_opponent_is_asked_for(self, open_terminal):
        screen = open_terminal("play")
        screen.expect("Which game? [metamachy] ")
        screen.type("chess")
        screen.expect("Who plays Black: human, random, engine, or a level, 1 to 10? [3] ")
        screen.type("11")
        screen.expect('Unknown player "11".')
        screen.expect("Who plays Black")
        screen.type("")
        screen.expect("Your turn: White.")
        screen.expect("White (? for help): ")
        screen.type("e4")
        screen.expect("1. e4")
        screen.expect("Your turn: White.")
        screen.type("quit")
        assert screen.end() == 0

    def test_ctrl_d_quits_when_the_opponent_is_asked_for(self, open_terminal):
        screen = open_terminal("play")
        screen.expect("Which game? ")
        screen.type("chess")
        screen.expect("Who plays Black")
        os.write(screen.master, b"\x04")
        assert screen.end() == 0
        assert "White" not in screen.shown

    def test_the_opponent_is_not_asked_for_if_a_player_is_given(self, open_terminal):
        screen = open_terminal("play", "--white", "human")
        screen.expect("Which game? ")
        screen.type("chess")
        screen.expect("White to move.")
        screen.type("quit")
        assert screen.end() == 0
        assert "Who plays" not in screen.shown

    def test_the_board_is_shown_while_the_engine_thinks(self, open_terminal):
        screen = open_terminal("play", "chess", "--black", "engine")
        screen.expect("White (? for help): ")
        screen.type("e4")
        screen.expect("1. e4")
        screen.expect("Black is thinking...")
        os.write(screen.master, b"\x03")
        assert screen.end() == 130
        assert "Traceback" not in screen.seen
