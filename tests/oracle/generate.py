"""Positions out of random games, with what this oracle says of them.

The seeds are fixed: writing the files again gives the same files. A game is played
at random, some with a taste for captures, until a position of the kind wanted
turns up after the ply drawn for it.
"""

import random

from . import vectors
from .games import GAMES, start_fen
from .position import Position, perft
from .starts import setup_fen, setups

# kind: how many of a hundred; `few` is played down to some eight pieces.
KINDS = {"any": 55, "few": 15, "ep": 10, "check": 10, "promotion": 10}
CHIEFTAIN_KINDS = {"any": 40, "few": 10, "inside": 50}
FOUR_POINTS_KINDS = {"any": 20, "few": 30, "choice": 30, "played on": 20}

# file: (options, positions, kinds)
PLAN = {
    "metamachy": [("", 150, KINDS)],
    "zanzibar-s": [("", 150, KINDS)],
    "maasai": [("", 150, KINDS)],
    "magi": [
        ("", 150, KINDS | {"castling": 15, "any": 40}),
        ("classic_ep=on", 60, {"any": 30, "ep": 70}),
        ("scoring=four_points", 60, FOUR_POINTS_KINDS),
    ],
    "chieftain": [
        ("", 100, CHIEFTAIN_KINDS),
        ("bent", 25, CHIEFTAIN_KINDS),
        ("augmented", 25, CHIEFTAIN_KINDS),
        ("bent,augmented,shaman_back", 25, CHIEFTAIN_KINDS),
        ("shaman_back", 25, CHIEFTAIN_KINDS),
        ("pass", 25, CHIEFTAIN_KINDS),
        ("command_range=unlimited", 20, CHIEFTAIN_KINDS),
        ("command_range=2,pass", 20, CHIEFTAIN_KINDS),
        ("chiefs_command_chiefs=off", 35, CHIEFTAIN_KINDS),
    ],
}
DEEPEST = 150  # with more plies than this the second count is left out
LONGEST = 420


def wanted(position, kind):
    if kind == "few":
        return len(position.board) <= 8
    if kind == "ep":
        return bool(position.ep)
    if kind == "check":
        return position.in_check()
    if kind == "promotion":
        return any(move.promotion for move in position.moves())
    if kind == "castling":
        return any(move.rook for move in position.moves())
    if kind == "inside":
        return bool(position.plies)
    if kind == "choice":
        return "claim" in position.legal()
    if kind == "played on":
        return "X" in position.rights or "x" in position.rights
    return True


def first_position(game, options, chance):
    fen = start_fen(GAMES[game], options)
    if GAMES[game].free_squares:
        fen = setup_fen(game, chance.choice(setups(game)))
    return Position.from_fen(game, fen, options)


def choose(position, plies, greed, chance):
    """A random ply; `claim` would end the game, so hardly ever that."""
    if "playon" in plies:
        return "playon"
    if chance.random() < greed:
        takes = [m.text for m in position.moves() if m.victim is not None]
        if takes:
            return chance.choice(takes)
    return chance.choice(plies)


def search(game, options, kind, chance):
    """Random games until a position of this kind turns up in time."""
    while True:
        rare = kind in ("few", "choice", "played on")
        earliest = chance.randint(5, 150) if kind != "ep" else chance.randint(5, 60)
        greed = 0.9 if rare else chance.choice((0, 0.05, 0.2, 0.4))
        position = first_position(game, options, chance)
        for number in range(LONGEST if rare else earliest + 60):
            plies = position.legal()
            if not plies:
                break
            if (rare or number >= earliest) and wanted(position, kind):
                return position
            position = position.play(choose(position, plies, greed, chance))


def vector(position, options):
    start = position.start or position
    plies = position.legal()
    found = {"fen": start.fen()}
    if options:
        found["options"] = options
    if position.plies:
        found["plies"] = list(position.plies)
    found["moves"] = plies
    if not position.many_plies:
        found["check"] = position.in_check()
        found["gives_check"] = [ply for ply in plies if position.gives_check(ply)]
    found["perft"] = [perft(position, n) for n in (1, 2)[: 1 + (len(plies) <= DEEPEST)]]
    return found


def positions(game):
    for options, count, kinds in PLAN[game]:
        drawn = random.Random(f"{game} {options}")
        names = [kind for kind, share in kinds.items() for _ in range(share)]
        seen = set()
        while len(seen) < count:
            kind = names[len(seen) * len(names) // count]
            position = search(game, options, kind, drawn)
            if position.fen() not in seen:
                seen.add(position.fen())
                yield vector(position, options)


def write():
    folder = vectors.DATA / "random"
    folder.mkdir(exist_ok=True)
    for game in PLAN:
        path = folder / f"{game}.json"
        found = list(positions(game))
        vectors.write(path, {"game": game, "positions": found})
        print(f"{game}: {len(found)} positions, {path.stat().st_size} bytes", flush=True)
