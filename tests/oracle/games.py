"""The five games as data: boards, pieces, promotions, rights, setups, options."""

from dataclasses import dataclass, field

from .pieces import (
    ALFIL,
    BISHOP,
    CAMEL,
    DABBABA,
    EAGLE,
    FERZ,
    KING,
    KNIGHT,
    RHINOCEROS,
    ROOK,
    THREELEAPER,
    TRIPPER,
    WAZIR,
    ZEBRA,
    Piece,
)

PAWN = Piece(captures=((-1, 1), (1, 1)))


@dataclass(frozen=True)
class Game:
    name: str
    family: str  # cazaux, magi or chieftain: which special rules apply
    width: int
    height: int
    start: str
    pieces: dict
    right_letters: str
    options: dict = field(default_factory=dict)  # name: (default, allowed values)
    promoters: str = ""
    promotions: str = ""
    one_way: str = ""  # soldiers whose moves reset the quiet counter
    double_steppers: str = ""
    double_ranks: dict | None = None  # None: from any rank
    never_mate: str = ""  # alone with their King against a King
    colour_bound: str = ""
    free_squares: tuple = ()
    free_letters: tuple = ()


COMMON = {
    "K": Piece(leaps=KING),
    "Q": Piece(slides=ROOK + BISHOP),
    "R": Piece(slides=ROOK),
    "B": Piece(slides=BISHOP),
    "N": Piece(leaps=KNIGHT),
    "P": PAWN,
}
METAMACHY_PIECES = COMMON | {
    "G": Piece(bent=EAGLE),
    "L": Piece(leaps=KING + KNIGHT + ALFIL + DABBABA),
    "M": Piece(leaps=CAMEL),
    "C": Piece(hops=ROOK),
    "E": Piece(leaps=FERZ + ALFIL),
    "I": Piece(leaps=KING),
}
ZANZIBAR_PIECES = METAMACHY_PIECES | {
    "U": Piece(bent=RHINOCEROS),
    "F": Piece(leaps=KNIGHT + CAMEL + ZEBRA),
    "Z": Piece(leaps=ZEBRA),
    "V": Piece(hops=BISHOP),
    "W": Piece(leaps=WAZIR + DABBABA),
}
MAASAI_PIECES = ZANZIBAR_PIECES | {
    "O": Piece(hops=ROOK + BISHOP),
    "D": Piece(leaps=KING + ALFIL + DABBABA + TRIPPER + THREELEAPER),
    "A": Piece(forward_leaps=((-1, 1), (0, 1), (1, 1))),
}
MAGI_PIECES = COMMON | {
    "D": Piece(slides=ROOK, reach=3),
    "A": Piece(leaps=WAZIR, slides=BISHOP),  # Bishop or King
    "W": Piece(leaps=WAZIR + KNIGHT + ALFIL),
}

METAMACHY = Game(
    name="metamachy",
    family="cazaux",
    width=12,
    height=12,
    start="cm3qk3mc/ernbilgibnre/pppppppppppp/12/12/12/12/12/12/PPPPPPPPPPPP/ERNBILGIBNRE/CM3QK3MC w Kk - 0 1",
    pieces=METAMACHY_PIECES,
    right_letters="Kk",
    promoters="PI",
    promotions="QGL",
    one_way="P",
    double_steppers="PI",
    never_mate="NMEBC",
    colour_bound="BME",
    free_squares=(("f1", "g1", "f2", "g2"),),
    free_letters=("KQLG",),
)
ZANZIBAR = Game(
    name="zanzibar-s",
    family="cazaux",
    width=12,
    height=12,
    start="cmzvfqkuvzmc/ernbwlgwbnre/ppppippipppp/12/12/12/12/12/12/PPPPIPPIPPPP/ERNBWLGWBNRE/CMZVFQKUVZMC w Kk - 0 1",
    pieces=ZANZIBAR_PIECES,
    right_letters="Kk",
    promoters="PI",
    promotions="QGLUF",
    one_way="P",
    double_steppers="PI",
    never_mate="NMEBCZVU",
    colour_bound="BMEV",
    free_squares=(("f1", "g1", "f2", "g2"), ("e1", "h1")),
    free_letters=("KQLG", "UF"),
)
MAASAI = Game(
    name="maasai",
    family="cazaux",
    width=12,
    height=12,
    start="cmzvufdovzmc/ernbqkglbnre/aaaaiwwiaaaa/pppppppppppp/12/12/12/12/"
    "PPPPPPPPPPPP/AAAAIWWIAAAA/ERNBQKGLBNRE/CMZVUFDOVZMC w Kk - 0 1",
    pieces=MAASAI_PIECES,
    right_letters="Kk",
    promoters="PAI",
    promotions="QGLODUF",
    one_way="PA",
    double_steppers="P",
    double_ranks={"w": 3, "b": 8},
    never_mate="NMEBCZVUO",
    colour_bound="BMEV",
    free_squares=(("e1", "f1", "g1", "h1"), ("e2", "f2", "g2", "h2")),
    free_letters=("UFDO", "KQGL"),
)
MAGI = Game(
    name="magi",
    family="magi",
    width=10,
    height=10,
    start="rnbaqkwbnr/pppppppppp/d2p2p2d/10/10/10/10/D2P2P2D/PPPPPPPPPP/RNBAQKWBNR w KQkqDGdg - 0 1",
    pieces=MAGI_PIECES,
    right_letters="KQkqDGdgXx",
    options={
        "classic_ep": ("off", ("off", "on")),
        "scoring": ("classic", ("classic", "four_points")),
    },
    promoters="P",
    promotions="QDRBNAW",
    one_way="P",
    never_mate="NB",
    colour_bound="B",
)
CHIEFTAIN = Game(
    name="chieftain",
    family="chieftain",
    width=16,
    height=12,
    start="1hcs1chsshc1sch1/1nm2mn2nm2mn1/16/m2mm2mm2mm2m/1m4m2m4m1/16/16/"
    "1M4M2M4M1/M2MM2MM2MM2M/16/1NM2MN2NM2MN1/1HCS1CHSSHC1SCH1 w - - 0 1",
    pieces=dict.fromkeys("CHSNMZYFW"),  # their moves are in chieftain.py
    right_letters="p",
    options={
        "command_range": ("3", None),
        "chiefs_command_chiefs": ("on", ("off", "on")),
        "pass": ("off", ("off", "on")),
        "bent": ("off", ("off", "on")),
        "augmented": ("off", ("off", "on")),
        "shaman_back": ("off", ("off", "on")),
    },
)
GAMES = {g.name: g for g in (METAMACHY, ZANZIBAR, MAASAI, MAGI, CHIEFTAIN)}


def read_options(game, options):
    """All options of a game from a dict or from text such as `a=b,c`."""
    if isinstance(options, str):
        pairs = [part.partition("=") for part in options.split(",") if part]
        options = {key: value if eq else "on" for key, eq, value in pairs}
    chosen = {key: default for key, (default, _) in game.options.items()}
    for key, value in (options or {}).items():
        if key not in game.options:
            raise ValueError(f"{game.name} has no option {key!r}")
        value = {True: "on", False: "off"}.get(value, str(value))
        allowed = game.options[key][1]
        is_distance = value == "unlimited" or (value.isdecimal() and int(value) > 0)
        good = is_distance if allowed is None else value in allowed
        if not good:
            raise ValueError(f"option {key} cannot be {value!r}")
        chosen[key] = value
    return chosen


def start_fen(game, options=None):
    """The start of a game; Chieftain's options change its first two ranks."""
    fen, chosen = game.start, read_options(game, options)
    if chosen.get("bent") == "on":
        fen = fen.replace("1HCS1CHSSHC1SCH1", "1ZCY1CZYYZC1YCZ1")
        fen = fen.replace("1hcs1chsshc1sch1", "1zcy1czyyzc1ycz1")
    if chosen.get("augmented") == "on":
        fen = fen.replace("1NM2MN2NM2MN1", "1FM2MW2WM2MF1")
        fen = fen.replace("1nm2mn2nm2mn1", "1fm2mw2wm2mf1")
    return fen
