"""An engine for XBoard that plays both sides of a game from a file of moves: `scripted.py GAME FILE`."""

from __future__ import annotations

import sys
from pathlib import Path

from acedrex import Board
from acedrex.xboard.notation import write_move
from acedrex.xboard.variants import description

name, file = sys.argv[1:]
board = Board(name)
script = Path(file).read_text().split()
made = 0
forced = False


def go_on() -> None:
    global made
    if made < len(script) and not forced:
        move = board.parse_uci(script[made])
        for leg in write_move(board, move, legs=True):
            print(f"move {leg}", flush=True)
        board.push(move)
        made += 1


for line in sys.stdin:
    word, _, rest = line.strip().partition(" ")
    if word == "protover":
        print(f'feature ping=1 setboard=1 usermove=1 colors=0 sigint=0 sigterm=0 variants="{name}" done=1', flush=True)
    elif word == "variant":
        print(*description(board.game), sep="\n", flush=True)
    elif word == "ping":
        print(f"pong {rest}", flush=True)
    elif word in ("new", "force"):
        forced = word == "force"
    elif word == "go":
        forced = False
        go_on()
    elif word == "usermove":
        board.push_uci(script[made])
        made += 1
        go_on()
    elif word == "quit":
        break
