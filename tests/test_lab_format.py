"""Reads blocks using only what ``docs/lab-format.md`` says."""

from __future__ import annotations

import hashlib
import json
import os
import struct
import zlib
from pathlib import Path
from typing import Any

import pytest

from acedrex import Board, Error, Game, _native, lab, load
from acedrex.lab.data import read_games
from acedrex.lab.files import write

PAGE = Path(__file__).parent.parent / "docs" / "lab-format.md"


def read(data: bytes) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Read a block."""
    first, second, packed = data.split(b"\n", 2)
    assert first == b"acedrex games 1"
    header = json.loads(second)
    payload = zlib.decompress(packed)
    assert len(payload) == header["size"] and hashlib.sha256(payload).hexdigest() == header["sha256"]
    at = 0

    def take(count: int) -> bytes:
        nonlocal at
        part = payload[at : at + count]
        assert len(part) == count
        at += count
        return part

    games, size = struct.unpack("<II", take(8))
    starts = take(size).decode().split("\n")
    lengths = struct.unpack(f"<{games}H", take(2 * games))
    white, black, terminations = take(games), take(games), take(games)
    moves = sum(lengths)
    origins, targets, promotions, low, high = (take(moves) for _ in range(5))
    assert at == len(payload)

    def name(square: int) -> str:
        return chr(ord("a") + square % header["files"]) + str(square // header["files"] + 1)

    def move(number: int) -> str:
        special = {255: "end", 254: "claim", 253: "playon"}.get(promotions[number])
        if special:
            return special
        becomes = header["pieces"][promotions[number] - 1].lower() if promotions[number] else ""
        return name(origins[number]) + name(targets[number]) + becomes

    read, start = [], 0
    for game in range(games):
        scores: list[int | None] = []
        last = 0
        for number in range(start, start + lengths[game]):
            stored = low[number] + 256 * high[number]
            zigzag = stored - 1
            if stored:
                last += zigzag // 2 if zigzag % 2 == 0 else -(zigzag + 1) // 2
            scores.append(last if stored else None)
        read.append(
            {
                "start": starts[game],
                "moves": [move(number) for number in range(start, start + lengths[game])],
                "scores": scores,
                "points": (white[game] / 2, black[game] / 2),
                "termination": header["terminations"][terminations[game]],
            }
        )
        start += lengths[game]
    return header, read


@pytest.mark.parametrize("spec", ["metamachy", "magi:scoring=four_points", "chieftain"])
def test_the_documentation_is_enough_to_read_a_block(spec: str, tmp_path: Path) -> None:
    game = load(spec)
    plan = lab.SelfPlay.plan(game, positions=10, nodes=30, unit=3)
    job = lab.Job.create(tmp_path, plan)
    job.add(0, plan.make(0))
    header, games = read(job.path(0).read_bytes())
    assert header["rules_hash"] == game.rules_hash and header["pieces"] == [piece.letter for piece in game.pieces]
    assert header["games"] == len(games) == 3
    assert header["positions"] == sum(len(record["moves"]) for record in games)
    for record, own in zip(games, read_games([tmp_path]), strict=True):
        board = Board(game, record["start"])
        for text in record["moves"]:
            board.push_uci(text)
        assert record["moves"] == [move.uci() for move in own.moves]
        assert (record["scores"], record["points"]) == (list(own.scores), own.points)
        assert record["termination"] == own.termination
        outcome = board.outcome(claim_draw=True)
        if outcome is not None:
            assert record["termination"] == outcome.termination.value


def test_every_key_of_a_header_is_documented(tmp_path: Path) -> None:
    plan = lab.SelfPlay.plan(load("chess"), positions=10, nodes=10, unit=1)
    job = lab.Job.create(tmp_path, plan)
    job.add(0, plan.make(0))
    header, _ = read(job.path(0).read_bytes())
    page = PAGE.read_text()
    assert [key for key in header if f"`{key}`" not in page] == []


def test_two_processes_can_write_the_same_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second one starts and finishes while the first one is writing."""
    path = tmp_path / "units" / "block"
    with monkeypatch.context() as patch:

        def meanwhile(_: int) -> None:
            patch.undo()
            write(path, b"whole")

        patch.setattr(os, "fsync", meanwhile)
        write(path, b"whole")
    assert [(file.name, file.read_bytes()) for file in path.parent.iterdir()] == [("block", b"whole")]


def test_impossible_points_are_refused() -> None:
    game = load("chess")
    start = game.start_fen.encode()
    for white, black, fits in ((2, 0, True), (4, 4, True), (0, 0, False), (1, 2, False), (200, 58, False)):
        payload = struct.pack("<II", 1, len(start)) + start + struct.pack("<HBBB", 0, white, black, 0)
        if fits:
            assert _native.count_games(game, payload) == (1, 0)
        else:
            with pytest.raises(Error, match=f"game 1: {white} and {black} doubled points"):
                _native.count_games(game, payload)


def test_an_unfinished_game_scores_as_a_draw() -> None:
    # Nothing can mate or be captured here, and nothing else ends the game.
    text = '[game]\nid = "endless"\nboard = "5x5"\nstart = "k3a/5/5/5/A3K"\n[pieces.A]\nmove = "mW"\n'
    end = '[end]\nscoring = "four_points"\nrepetition = [0, 0]\nquiet = [0, 0]\n'
    game = Game(f'{text}[pieces.K]\nmove = "mK"\nroyal = true\n{end}', "endless.toml")
    (record,) = _native.games_of(game, _native.self_play(game, None, 1, 0, 1, 0, 1))
    assert (record["ending"], record["half_points"]) == ("unfinished", (4, 4))
