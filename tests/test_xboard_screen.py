"""XBoard itself, on a virtual screen: whole games, and what it draws, read back from the pixels."""

from __future__ import annotations

import os
import random
import re
import struct
import subprocess
import sys
import time
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import pytest

from acedrex import Board, Game, Move, pgn, square_distance, square_rank
from acedrex.xboard.notation import read_move
from acedrex.xboard.variants import KNOWN

pytestmark = pytest.mark.slow
ROOT = Path(__file__).parents[1]
#: Pixels per side.
SIZE = 1000
#: The one colour of all squares, so that a piece looks the same everywhere.
GROUND = "80C0FF"
#: Keeps other things off the board, and the user's own settings unchanged.
LOOKS = [
    *("-lightSquareColor", f"#{GROUND}", "-darkSquareColor", f"#{GROUND}", "-useBoardTexture", "false"),
    *("-overrideLineGap", "1", "-fixedSize", "true", "-size", "90", "-showCoords", "false", "-startupMessage", ""),
    *("-highlightLastMove", "false", "-highlightMoveWithArrow", "false", "-animateMoving", "false"),
    *("-engineOutputUp", "false", "-moveHistoryUp", "false", "-evalGraphUp", "false", "-soundProgram", ""),
    *("-pieceImageDirectory", "", "-saveSettingsOnExit", "false"),
]


Found = TypeVar("Found")

# The screen.


@dataclass
class Picture:
    """The content of a screen: rows of pixels of three bytes."""

    width: int
    rows: list[bytes]

    def part(self, x: int, y: int, width: int, height: int) -> bytes:
        return b"".join(row[3 * x : 3 * (x + width)] for row in self.rows[y : y + height])

    def save(self, path: Path) -> None:
        """Write the picture as PNG."""

        def chunk(kind: bytes, data: bytes) -> bytes:
            return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

        header = struct.pack(">IIBBBBB", self.width, len(self.rows), 8, 2, 0, 0, 0)
        data = zlib.compress(b"".join(b"\0" + row for row in self.rows))
        path.write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", data) + chunk(b"IEND", b""))


def photograph(path: Path) -> Picture:
    """Read the file that Xvfb keeps: a picture as the program xwd writes them."""
    data = path.read_bytes()
    header = struct.unpack(">25I", data[:100])
    length, width, height, pitch, colors = header[0], header[4], header[5], header[12], header[19]
    assert (width, height) == (SIZE, SIZE), "this is no picture of the screen"
    start = length + 12 * colors
    rows = []
    for y in range(height):
        row = data[start + y * pitch : start + y * pitch + 4 * width]
        pixels = bytearray(3 * width)
        pixels[0::3], pixels[1::3], pixels[2::3] = row[2::4], row[1::4], row[0::4]
        rows.append(bytes(pixels))
    return Picture(width, rows)


@contextmanager
def screen(xvfb: str, folder: Path) -> Iterator[str]:
    """Make a screen whose picture is kept in a folder, and give its name."""
    ready, write = os.pipe()
    command = [xvfb, "-displayfd", str(write), "-screen", "0", f"{SIZE}x{SIZE}x24", "-fbdir", str(folder)]
    with subprocess.Popen(
        # Without -noreset it rewrites the picture's header when the last program disconnects.
        [*command, "-noreset", "-nolisten", "tcp"],
        pass_fds=[write],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as server:
        os.close(write)
        try:
            with os.fdopen(ready) as pipe:
                yield f":{pipe.readline().strip()}"
        finally:
            server.terminate()


# The board on it.


def squares(picture: Picture, game: Game) -> dict[int, bytes]:
    """Cut the board out of a picture, square by square."""
    ground = bytes.fromhex(GROUND)
    found = [(y, row) for y, row in enumerate(picture.rows) if row.count(ground * 8)]
    top, bottom = found[0][0], found[-1][0] + 1
    side = (bottom - top + 1) // game.ranks
    # In Grand Chess captured pieces are shown beside the board.
    left = min(row.index(ground * 8) // 3 for _, row in found) + side * (2 if game.id == "grand" else 0)
    return {
        (game.ranks - 1 - rank) * 16 + file: picture.part(left + file * side, top + rank * side, side - 1, side - 1)
        for rank in range(game.ranks)
        for file in range(game.files)
    }


def symbols(board: Board) -> dict[int, str]:
    pieces = board.piece_map()
    files, ranks = board.game.files, board.game.ranks
    every = (rank * 16 + file for rank in range(ranks) for file in range(files))
    return {at: pieces[at].symbol() if at in pieces else "." for at in every}


def learn(picture: Picture, board: Board) -> dict[bytes, str]:
    """Learn from the picture of a position how pieces look: each type has one picture, different from all others."""
    looks: dict[bytes, str] = {}
    stands = symbols(board)
    for at, shown in squares(picture, board.game).items():
        assert looks.setdefault(shown, stands[at]) == stands[at], f"{stands[at]} looks like {looks[shown]}"
    assert len(looks) == len(set(looks.values())), "a kind has several looks"
    return looks


# The program.


@pytest.fixture(scope="session")
def xboard(witness: Callable[[str], str], tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[str]]:
    """The words that begin a command of XBoard on a screen, and the file of its picture."""
    program, xvfb = witness("xboard"), witness("Xvfb")
    folder = tmp_path_factory.mktemp("screen")
    with screen(xvfb, folder) as display:
        yield [program, display, str(folder / "Xvfb_screen0")]


def wait(condition: Callable[[], bool], seconds: float, process: subprocess.Popen[bytes]) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert process.poll() is None, "XBoard is gone"
        assert time.monotonic() < end, "XBoard does not come to an end"
        time.sleep(0.05)


def eventually(xboard: list[str], path: Path, check: Callable[[Picture], Found]) -> Found:
    """Look at the screen until it is as it should be; keep the last picture."""
    end = time.monotonic() + 15
    while True:
        picture = photograph(Path(xboard[2]))
        try:
            found = check(picture)
        except (AssertionError, IndexError, ValueError):
            if time.monotonic() > end:
                picture.save(path)
                raise
            time.sleep(0.2)
            continue
        picture.save(path)
        return found


@contextmanager
def running(
    xboard: list[str], folder: Path, *words: str, engine: str = "-m acedrex xboard"
) -> Iterator[subprocess.Popen[bytes]]:
    program, display, _ = xboard
    engine = f"{sys.executable} {engine}"
    command = [program, "-fcp", engine, "-scp", engine, *LOOKS, "-debug", "-nameOfDebugFile", "talk", *words]
    environment = {**os.environ, "DISPLAY": display, "HOME": str(folder), "PYTHONPATH": str(ROOT / "src")}
    with subprocess.Popen(
        command, cwd=folder, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as process:
        try:
            yield process
        finally:
            process.terminate()


def read_talk(folder: Path) -> str:
    path = folder / "talk"
    return path.read_text("latin-1") if path.exists() else ""


#: Seeds of random games in which all special moves happen soon.
SPECIAL = {"metamachy": 8, "zanzibar-s": 11, "maasai": 185, "magi": 43, "shako": 15}
GAMES = ["metamachy", "zanzibar-s", "maasai", "magi", "shako", *KNOWN]
#: How deep the engines search: one deep unless a Pawn would then decline a promotion, which XBoard cannot take.
DEPTHS = {"grand": "2"}


@pytest.mark.parametrize("name", GAMES)
def test_xboard_draws_the_start_and_the_end_of_a_game_correctly(name: str, xboard: list[str], tmp_path: Path) -> None:
    """Two engines play a whole game. At its end XBoard draws the position that follows from its moves."""
    board = Board(name)
    # XBoard must not judge games that it does not know.
    words = ["-variant", KNOWN.get(name, name), "-testLegality", str(name in KNOWN).lower()]
    with running(xboard, tmp_path, *words) as process:
        wait(lambda: "<first : pong 1" in read_talk(tmp_path), 20, process)
        looks = eventually(xboard, tmp_path / "start.png", lambda picture: learn(picture, board))
    (tmp_path / "talk").unlink()

    game = tmp_path / "game.pgn"
    words += ["-mode", "TwoMachines", "-matchGames", "1", "-saveGameFile", str(game)]
    words += ["-searchDepth", DEPTHS.get(name, "1")]
    with running(xboard, tmp_path, *words, "-popupExitMessage", "true") as process:
        wait(game.exists, 120, process)
        talk = read_talk(tmp_path)
        assert not re.search("illegal|forfeit|error", talk, re.IGNORECASE)
        legs = re.findall(r"<(?:first |second): move (\S+)", talk)
        for move in " ".join(legs).replace(", ", ",").split():
            board.push(board.parse_uci(read_move(board, move).uci()))

        def compare(picture: Picture) -> None:
            assert {at: looks.get(shown) for at, shown in squares(picture, board.game).items()} == symbols(board)

        eventually(xboard, tmp_path / "end.png", compare)
    result = re.search(r"(1-0|0-1|1/2-1/2)\s*$", game.read_text("latin-1"))
    assert result is not None
    assert board.result(claim_draw=True) == result[1]
    with game.open("rb") as file:
        record = pgn.read_game(file)
    assert record is not None
    assert (record.errors, record.end().board().fen(), record.headers["Result"]) == ([], board.fen(), result[1])


def what_is_special(board: Board, move: Move) -> str | None:
    """Name what XBoard could get wrong: en passant, promotion, the King moving sideways by more than one square."""
    if board.move_info(move).captured_on not in (None, move.to_square):
        return "passing"
    if move.promotion:
        return "promotion"
    piece = board.piece_at(move.from_square)
    assert piece
    level = square_rank(move.from_square) == square_rank(move.to_square)
    return "King" if level and piece.letter == "K" and square_distance(move.from_square, move.to_square) > 1 else None


def special_game(name: str, seed: int) -> tuple[Board, set[str | None]]:
    """Play at random, but special moves as soon as possible."""
    rng, board, found = random.Random(seed), Board(name), set[str | None]()
    while len(found) < 3 and not board.is_game_over():
        legal = sorted(board.legal_moves, key=lambda move: move.uci())
        special = [move for move in legal if what_is_special(board, move)]
        steps = [move for move in legal if square_rank(move.to_square) - square_rank(move.from_square) in (-2, 2)]
        move = rng.choice(special or (steps if steps and rng.random() < 0.3 else legal))
        found |= {what_is_special(board, move)} - {None}
        board.push(move)
    return board, found


@pytest.mark.parametrize(("name", "seed"), SPECIAL.items())
def test_xboard_draws_special_moves_correctly(name: str, seed: int, xboard: list[str], tmp_path: Path) -> None:
    """Jumps, castling, en passant and promotions in games that XBoard does not know."""
    board, found = special_game(name, seed)
    assert found == {"King", "passing", "promotion"}
    script = tmp_path / "script"
    script.write_text(" ".join(move.uci() for move in board.move_stack))
    engine = f"{ROOT / 'tests' / 'witness' / 'scripted.py'} {name} {script}"
    words = ["-variant", name, "-testLegality", "false"]
    with running(xboard, tmp_path, *words, engine=engine):
        looks = eventually(xboard, tmp_path / "start.png", lambda picture: learn(picture, Board(name)))
    (tmp_path / "talk").unlink()

    def compare(picture: Picture) -> None:
        assert {at: looks.get(shown) for at, shown in squares(picture, board.game).items()} == symbols(board)

    with running(xboard, tmp_path, *words, "-mode", "TwoMachines", engine=engine):
        eventually(xboard, tmp_path / "end.png", compare)
    assert not re.search("illegal|forfeit|error", read_talk(tmp_path), re.IGNORECASE)
