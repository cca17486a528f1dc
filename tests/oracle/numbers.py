"""The counts that the rules print, from the start of each game."""

from .games import GAMES, start_fen
from .position import Position, perft
from .starts import setups

# game, options, leaves after 1, 2, 3, ... plies
PERFT = (
    ("metamachy", "", (61, 3721, 233126)),
    ("zanzibar-s", "", (53, 2809, 163758)),
    ("maasai", "", (26, 676, 20654)),
    ("magi", "", (38, 1442, 56685, 2223369)),
    ("chieftain", "", (130, 16420)),
    ("chieftain", "bent", (148, 21166)),
    ("chieftain", "augmented", (140, 18986)),
    ("chieftain", "bent,augmented", (158, 24048)),
    ("chieftain", "command_range=unlimited", (158, 24234)),
    ("chieftain", "chiefs_command_chiefs=off", (130, 15710)),
)
SETUPS = {"metamachy": 24, "zanzibar-s": 48, "maasai": 288}


def check(deepest):
    """Compare up to `deepest` plies; the number of differences."""
    wrong = 0
    for game, options, counts in PERFT:
        position = Position.initial(game, options)
        if position.fen() != start_fen(GAMES[game], options):
            print(f"{game} {options}: start not read back: {position.fen()}")
            wrong += 1
        for depth, expected in enumerate(counts[:deepest], start=1):
            found = perft(position, depth)
            if found != expected:
                print(f"{game} {options}: perft({depth}) {found}, not {expected}")
                wrong += 1
            else:
                print(f"{game} {options}: perft({depth}) = {found}", flush=True)
    for game, expected in SETUPS.items():
        found = len(setups(game))
        if found != expected:
            print(f"{game}: {found} setups, not {expected}")
            wrong += 1
    return wrong
