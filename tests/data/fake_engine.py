"""A program that speaks UCI, badly where it is told to: `python fake_engine.py MODE LOG`.

It writes all that it hears to the file LOG, and plays the first legal turn by name.
"""

import os
import sys
import time
from pathlib import Path

import acedrex

MODE, LOG = sys.argv[1], Path(sys.argv[2])
GARBAGE = b"".join(
    (
        b"\xff\xfe\x00\n",
        # What comes at the end of a line that is too long is no line of its own.
        b"x" * 16 * 1024 + b"bestmove h2h4\n",
        b"bestmoves\ninfo depth two score cp\ninfo score\ninfo depth 1 score mate x pv\n",
    )
)


def say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def main() -> None:
    game = acedrex.load("chess")
    if MODE == "single":
        game = acedrex.load("magi")
    board = acedrex.Board(game)
    file = ""
    LOG.write_text(f"pid {os.getpid()}\n")
    for heard in sys.stdin:
        line = heard.strip()
        with LOG.open("a") as log:
            log.write(line + "\n")
        words = line.split()
        if words == ["uci"]:
            if MODE == "mute":
                continue
            say("id name Fake 1.0")
            say("option name Hash type spin default 16 min 1 max 64")
            say("option name Skill Level type spin default 20 min 0 max 20")
            say("option name MultiPV type spin default 1 min 1 max 5")
            say("option name Ponder type check default false")
            say("option name Clear Hash type button")
            games = "chess var chieftain var magi var xiangqi" if MODE != "capital" else "Chess var Magi"
            if MODE not in ("single", "file"):
                say(f"option name UCI_Variant type combo default chess var {games}")
            if MODE in ("fairy", "file"):
                say("option name VariantPath type string default <empty>")
            if MODE == "file":
                say(f"option name UCI_Variant type combo default chess var chess{' var maasai' * (file != '')}")
            say("uciok")
        elif words == ["isready"]:
            say("readyok")
        elif line.startswith("setoption name UCI_Variant value "):
            name = words[-1].lower()
            game = acedrex.load("magi", classic_ep=True) if name == "magi" and MODE == "fairy" else acedrex.load(name)
        elif line.startswith("setoption name VariantPath value "):
            file = words[-1]
        elif words[:2] == ["position", "fen"]:
            fen, _, moves = line.removeprefix("position fen ").partition(" moves ")
            board = acedrex.Board(game, fen)
            for turn in moves.split():
                piece = board.piece_at(board.parse_turn(turn)[0].from_square)
                if MODE in ("picky", "picky-silent") and piece is not None and piece.letter == "N":
                    break  # as Stockfish does at the first move that it takes for illegal
                board.push_turn(turn)
        elif words == ["d"] and MODE in ("picky", "strange", "spelling"):
            fen = board.fen()
            say(f"Fen: {fen if not (moved := board.ply()) and MODE != 'spelling' else spelled(fen, moved)}")
        elif words == ["d"] and MODE == "fragile":
            sys.exit("what is d")
        elif words[:1] == ["go"]:
            go(board, words)
        elif words == ["quit"] and MODE != "stubborn":
            return
    while MODE == "stubborn":
        time.sleep(1)


def spelled(fen: str, moved: int) -> str:
    """A FEN as two programs write it that have another position, or other letters."""
    return fen if MODE == "picky" else fen.replace("k", "q", 1) if moved else fen.replace("n", "h")


def go(board: acedrex.Board, words: list[str]) -> None:
    if MODE == "eager":
        say("info depth 1 score cp 1 pv a2a3")
        while "infinite" in words and sys.stdin.readline().strip() not in ("stop", ""):
            pass
    if MODE == "hang" or (MODE == "wait" and "infinite" in words):
        while MODE == "wait" and sys.stdin.readline().strip() not in ("stop", "ponderhit", ""):
            pass
        while MODE == "hang":
            time.sleep(1)
    while MODE == "chatter":
        say("info depth 1 score cp 1 pv a2a3")
    if MODE == "die":
        sys.exit("out of ideas")
    if MODE == "cut":
        sys.stdout.write("bestmove a2a3")
        sys.exit("out of ink")
    if MODE == "slow":
        time.sleep(0.3)
    if MODE == "garbage":
        sys.stdout.buffer.write(GARBAGE)
        sys.stdout.flush()
    if MODE == "illegal" and "searchmoves" not in words:
        say("bestmove a1a1")
        return
    first = sorted(board.legal_moves, key=lambda move: move.uci())[:2]
    turns = [turn_of(board, move) for move in first]
    if MODE == "ranks":
        for rank in (0, -1):
            say(f"info depth 1 multipv {rank} score cp 1 pv a2a3")
    for rank, turn in enumerate(turns, 1):
        score = "mate -3" if MODE == "losing" else f"cp {30 - rank} upperbound"
        say(f"info depth 4 seldepth 6 multipv {rank} score {score} nodes 50 nps 900 time 55 pv {turn} zz99")
    say("info string all done score that is")
    say(f"bestmove {turns[0]} ponder zz99")


def turn_of(board: acedrex.Board, move: acedrex.Move) -> str:
    """A turn that begins with a move: two moves where there can be so many."""
    board = board.copy(stack=False)
    color = board.turn
    board.push(move)
    moves = [move.uci()]
    if board.turn == color and not board.is_game_over():
        moves.append(next(move.uci() for move in board.legal_moves if not move.special))
    return ",".join(moves)


if __name__ == "__main__":
    main()
