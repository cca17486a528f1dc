"""A game on a real terminal."""

from __future__ import annotations

import contextlib
import os
import re
import subprocess

import pytest

from tests.terminal.conftest import CONTROL

SGR = re.compile(r"\x1b\[[0-9;]*m")


@pytest.mark.skipif(os.name != "posix", reason="no pseudo-terminals")
class TestTerminal:
    """A person at the keyboard."""

    def test_a_game_can_be_set_up_and_played(self, open_terminal):
        screen = open_terminal("play", "maasai", COLORTERM="truecolor")
        screen.expect("Setup [UFDO-QKGL]: ")
        screen.type("random")
        screen.expect("]: ")
        screen.type("")
        screen.expect("White (? for help): ")
        assert "\x1b[H\x1b[J" in screen.seen
        assert "48;2;" in screen.seen
        screen.type("e6")
        screen.expect("Black to move.")
        screen.expect("Black: ")
        screen.type("?b11")
        screen.expect("Rook")
        screen.expect("Black: ")
        screen.type("zz")
        screen.expect("is not a move in SAN or coordinates.")
        screen.expect("Black: ")
        screen.type("quit")
        assert screen.end() == 0
        assert "acedrex play maasai --fen" in screen.seen

    @pytest.mark.parametrize(
        ("game", "columns"), [("maasai", 80), ("magi", 80), ("chieftain", 80), ("chieftain", 100), ("menagerie", 100)]
    )
    def test_no_line_is_wider_than_the_terminal(self, open_terminal, game, columns):
        screen = open_terminal("play", game, "--black", "random", "--seed", "1", columns=columns)
        for line in ("a4a5", "?a1", "?K", "?", "moves", "board", "zz", "quit"):
            screen.expect("\nWhite")
            screen.expect(": ")
            screen.type(line)
        assert screen.end() == 0
        for line in CONTROL.sub("", screen.seen.replace("\r", "")).split("\n"):
            assert len(line) <= columns or line.startswith("acedrex play"), line

    def test_ctrl_c_restores_the_terminal(self, open_terminal):
        screen = open_terminal("play", "chess")
        screen.expect("White (? for help): ")
        screen.type("e4")
        screen.expect("Black: ")
        os.write(screen.master, b"e7")
        screen.expect("e7")
        # Python may miss one that comes just before it waits for a key, as it would miss a person's.
        while screen.process.poll() is None:
            os.write(screen.master, b"\x03")
            with contextlib.suppress(subprocess.TimeoutExpired):
                screen.process.wait(timeout=3)
        assert screen.end() == 130
        assert "Traceback" not in screen.seen
        assert "acedrex play chess --fen 'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b " in screen.shown

    def test_ctrl_d_quits(self, open_terminal):
        screen = open_terminal("play", "chess")
        screen.expect("White (? for help): ")
        os.write(screen.master, b"\x04")
        assert screen.end() == 0

    def test_lines_can_be_edited_and_recalled(self, open_terminal):
        pytest.importorskip("readline")
        screen = open_terminal("play", "chess")
        screen.expect("White (? for help): ")
        screen.type("e5\x7f4")
        screen.expect("Black to move.")
        screen.expect("Black: ")
        screen.type("e5")
        screen.expect("White to move.")
        screen.expect("White: ")
        screen.type("undo")
        screen.expect("Black to move.")
        screen.expect("Black: ")
        screen.type("\x1b[A\x1b[A")
        screen.expect("White to move.")
        screen.type("quit")
        assert screen.end() == 0

    @pytest.mark.parametrize("environment", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
    def test_colours_can_be_turned_off(self, open_terminal, environment):
        screen = open_terminal("play", "chess", **environment)
        screen.expect("White (? for help): ")
        screen.type("e4")
        screen.expect("Black: ")
        screen.type("quit")
        assert screen.end() == 0
        assert not re.search(r"\x1b\[[0-9;]*m|\x1b\[[HJ]", screen.seen)

    def test_show_is_coloured_and_fits_the_terminal(self, open_terminal):
        screen = open_terminal("show", "chieftain", columns=100)
        assert screen.end() == 0
        assert "48;5;" in screen.seen
        assert all(len(line) <= 100 for line in SGR.sub("", screen.seen).splitlines() if not line.startswith("FEN"))
