"""Positions with all legal plies, check and counts, compared field by field."""

import gzip
import json
from pathlib import Path

from .position import Position, perft

DATA = Path(__file__).parent.parent / "data"


def load(path):
    if path.suffix == ".gz":
        return json.loads(gzip.decompress(path.read_bytes()))
    return json.loads(path.read_text(encoding="utf-8"))


def write(path, data):
    """Write one entry a line: `data` has a list as its last value."""
    *head, (name, entries) = data.items()
    assert isinstance(entries, list)
    fields = [f"{compact(key)}:{compact(value)}" for key, value in head]
    rows = ",\n".join(compact(entry) for entry in entries)
    path.write_text(f"{{{','.join([*fields, compact(name)])}:[\n{rows}\n]}}\n", encoding="utf-8")


def compact(value):
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def differences(game, vector):
    options = vector.get("options", "")
    position = Position.from_fen(game, vector["fen"], options)
    for ply in vector.get("plies", []):
        position = position.play(ply)
    again = Position.from_fen(game, position.fen(), options)
    if again.fen() != position.fen():
        yield f"FEN not read back: {position.fen()}"
    if not vector.get("plies") and position.fen() != vector["fen"]:
        yield f"FEN read as {position.fen()}"
    if position.legal() != sorted(vector["moves"]):
        missing = set(vector["moves"]) - set(position.legal())
        extra = set(position.legal()) - set(vector["moves"])
        yield f"missing {sorted(missing)}, extra {sorted(extra)}"
        return
    if "check" in vector and position.in_check() != vector["check"]:
        yield f"check is {position.in_check()}"
    for depth, expected in enumerate(vector["perft"], start=1):
        found = perft(position, depth)
        if found != expected:
            yield f"perft({depth}) is {found}, not {expected}"
    if "gives_check" in vector:
        found = [ply for ply in position.legal() if position.gives_check(ply)]
        if found != vector["gives_check"]:
            yield f"gives_check is {found}"


def check(folder):
    """Check every file of a folder below tests/data; the number of differences."""
    wrong = 0
    for path in sorted((DATA / folder).glob("*.json*")):
        data = load(path)
        for vector in data["positions"]:
            for text in differences(data["game"], vector):
                print(f"{path.name}: {vector['fen']}: {text}")
                wrong += 1
        print(f"{path.name}: {len(data['positions'])} positions", flush=True)
    return wrong
