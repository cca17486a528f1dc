"""Makes a definition of a variant of Fairy-Stockfish.

What its settings mean is documented in its ``variants.ini``; the defaults are those of that file.
"""

from __future__ import annotations

import dataclasses
import functools
import re
from collections.abc import Iterable, Iterator

from acedrex.convert.pieces import NAMES, PIECES, letters_of
from acedrex.convert.reading import Converted, Settings, VariantsError
from acedrex.convert.written import quoted, square_list

__all__ = ["convert_variant"]

#: Settings that change no rule.
SILENT = {
    "variantTemplate", "pieceToCharTable", "pocketSize", "pieceValueMg", "pieceValueEg", "chess960", "nnueAlias",
    "castlingDroppedPiece", "dropChecks", "firstRankPawnDrops", "promotionZonePawnDrops", "whiteDropRegion",
    "blackDropRegion", "dropNoDoubled", "dropNoDoubledCount", "dropPromoted", "dropLoop",
    "shogiPawnDropMateIllegal", "dropOppositeColoredBishop", "sittuyinRookDrop",
}  # fmt: skip
#: Settings whose rules are not said, unless they have the value that stands for no rule.
UNSAID = {
    "pieceDrops": "drops", "capturesToHand": "pieces in hand", "mustDrop": "drops", "twoBoards": "two boards",
    "blastOnCapture": "explosions", "petrifyOnCapture": "walls", "gating": "gating", "arrowGating": "walls",
    "duckGating": "walls", "staticGating": "walls", "pastGating": "walls", "seirawanGating": "gating",
    "wallingRule": "walls", "cambodianMoves": "the leaps of Cambodian chess",
    "diagonalLines": "moves along the lines of a palace", "passOnStalemate": "passing in stalemate",
    "makpongRule": "a King that may not move out of check", "flipEnclosedPieces": "pieces that change sides",
    "enclosingDrop": "drops",
    "moveRepetitionIllegal": "moving to and fro", "chasingRule": "perpetual chase",
    "shatarMateRule": "the mates that Shatar forbids",
    "bikjangRule": "facing Kings that draw", "connectN": "pieces in a row", "materialCounting": "counting material",
    "countingRule": "counting rules", "pieceDemotion": "demotion", "sittuyinPromotion": "promotion in Sittuyin",
    "flagPieceBlockedWin": "goal squares that the other side holds",
    "nFoldValueAbsolute": "repetition that one side loses",
    "mutuallyImmuneTypes": "pieces that cannot capture each other", "blastImmuneTypes": "explosions",
    "adjudicateFullBoard": "full boards", "edgeInsertTypes": "drops", "cylindrical": "boards that wrap around",
    "toroidal": "boards that wrap around", "flagPieceSafe": "goal squares where a piece must be safe",
}  # fmt: skip
#: Predefined piece types that only move forward: unless a definition says otherwise, their moves are progress.
FORWARD = {"pawn", "shogiPawn", "lance", "shogiKnight", "breakthrough"}
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
#: Values that switch a setting off.
OFF = {"", "-", "0", "none", "false"}


def convert_variant(name: str, settings: Settings) -> Converted:
    r"""Return a variant as a definition.

    >>> from acedrex.convert import read_variants
    >>> found = read_variants("[hill:chess]\nflagPiece = k\nflagRegion = d4 e4 d5 e5\n")
    >>> convert_variant("hill", found["hill"]).unsaid
    ()

    :param settings: as :func:`acedrex.convert.read_variants` returns them.
    :raises VariantsError: if a setting has a value that is none, such as a word for a number.
    """
    return _Conversion(name, settings).convert()


@dataclasses.dataclass(frozen=True)
class _Way:
    """A way to promote: square lists and words as in a definition, empty where it says nothing."""

    to: tuple[str, ...]
    at: str = ""
    optional: str = ""
    begins: str = ""
    by: str = ""
    side: str = ""

    def written(self) -> str:
        """Return it as a table."""
        values = [("to", " ".join(self.to)), ("at", self.at), ("optional", self.optional), ("from", self.begins)]
        said = [(key, value) for key, value in [*values, ("by", self.by), ("side", self.side)] if value]
        return f"{{ {', '.join(f'{key} = {quoted(value)}' for key, value in said)} }}"


class _Conversion:
    """One variant on its way."""

    def __init__(self, name: str, settings: Settings) -> None:
        self.name = name
        self.values = dict(settings)
        self.unsaid: list[str] = []
        self.files, self.ranks = self._size("maxFile"), self._size("maxRank")
        #: The letters of the piece types, and the moves of those that have none of their own.
        self.letters = letters_of(settings)
        self.moves = {kind: self.values[kind].partition(":")[2].strip() for kind in self.letters}
        self.fields = self.values.get("startFen", START).split() or [""]
        self.squares = dict(self._placed())
        self.conditions: list[str] = []

    # What the settings say.

    def _size(self, key: str) -> int:
        value = self.values.get(key, "8")
        size = ord(value.lower()) - ord("a") + 1 if re.fullmatch("[A-Za-z]", value) else self.number(key, 8)
        if not 1 <= size <= 16:
            raise VariantsError(f"{self.name:.60}: {key} = {value:.20} where at most 16 was expected")
        return size

    def number(self, key: str, default: int) -> int:
        value = self.values.get(key, str(default))
        if not re.fullmatch("[0-9]{1,4}", value):
            raise VariantsError(f"{self.name:.60}: {key:.40} = {value:.20} where a number was expected")
        return int(value)

    def file(self, key: str, default: str) -> int:
        """Return a file from 0, which is written as a letter or a number."""
        value = self.values.get(key, default).lower()
        return ord(value) - ord("a") if re.fullmatch("[a-z]", value) else self.number(key, 1) - 1

    def pairs(self, key: str) -> dict[str, str]:
        """Return pairs such as ``p:q r:2``, in capitals."""
        found = (pair.upper().split(":") for pair in self.values.get(key, "").split())
        return {pair[0]: pair[1] for pair in found if len(pair) == 2}

    def is_on(self, key: str, default: bool = False) -> bool:
        return self.values.get(key, str(default)).lower() == "true"

    def _placed(self) -> Iterator[tuple[tuple[int, int], str]]:
        """Yield the squares of the start, as file and rank from 0, with the letters there."""
        placement = self.fields[0].partition("[")[0]
        for index, row in enumerate(placement.split("/")):
            file = 0
            for token in re.findall(r"[0-9]{1,3}|\+?[A-Za-z]~?|\*", row):
                if token.isdigit():
                    file += int(token)
                    continue
                if token == "*":
                    file += 1
                    continue
                yield (file, self.ranks - 1 - index), self._promoted(token)
                file += 1

    def _promoted(self, token: str) -> str:
        """Return the letter of a piece, which has promoted if there is a ``+`` before it."""
        letter = token.strip("+~")
        if not token.startswith("+"):
            return letter
        becomes = self.pairs("promotedPieceType").get(letter.upper(), letter.upper())
        return becomes if letter.isupper() else becomes.lower()

    def _add(self, unsaid: str) -> None:
        if unsaid not in self.unsaid:
            self.unsaid.append(unsaid)

    def region(self, value: str) -> set[tuple[int, int]]:
        """Return the squares of a region: ``d4``, ``*8`` for a rank, ``a*`` for a file."""
        found = set()
        for token in value.split():
            file, rank = token[0], token[1:]
            files = range(self.files) if file == "*" else [ord(file) - ord("a")]
            ranks = range(self.ranks) if rank == "*" else [int(rank) - 1] if re.fullmatch("[0-9]{1,3}", rank) else []
            found |= {(at, up) for at in files for up in ranks if 0 <= at < self.files and 0 <= up < self.ranks}
        return found

    def sided(self, key: str, white: str, black: str) -> tuple[set[tuple[int, int]], set[tuple[int, int]]]:
        """Return a region of both sides as each sees it: Black's with its ranks turned."""
        both = self.values.get(key)
        own = self.region(self.values.get(f"{key}White", white if both is None else both))
        other = self.region(self.values.get(f"{key}Black", black if both is None else both))
        return own, {(file, self.ranks - 1 - rank) for file, rank in other}

    def piece_set(self, key: str, *default: str) -> list[str]:
        """Return the letters of a set of piece types; of all for ``*``, and of the default types without a value."""
        if key not in self.values:
            return [self.letters[kind] for kind in default if kind in self.letters]
        value = self.values[key].replace(" ", "")
        if value in ("-", ""):
            return []
        return ["*"] if "*" in value else [letter.upper() for letter in value]

    # The definition.

    def convert(self) -> Converted:
        self._leave_out_unused()
        royals = self._royals()
        self._list_unsaid()
        lines = ["[game]", f"id = {quoted(_id(self.name))}", f"name = {quoted(self.name)}"]
        lines += [f'board = "{self.files}x{self.ranks}"']
        zones: dict[str, str] = {}
        pieces = [line for kind in self.letters for line in self._piece(kind, royals, zones)]
        castlings, rights = self._castlings(royals)
        lines += [f"start = {quoted(self._start(rights))}", ""]
        if zones:
            lines += ["[zones]", *(f"{name} = {quoted(squares)}" for name, squares in zones.items()), ""]
        lines += pieces + self._promotion() + castlings + self._turn() + self._end(royals)
        return Converted("\n".join(lines) + "\n", tuple(self.unsaid))

    def _leave_out_unused(self) -> None:
        """Keep only the piece types that stand at the start, or come from those by promotion, and the King."""
        used = {letter.upper() for letter in self.squares.values()}
        waiting = list(used)
        while waiting:
            for kind in self._promotes_to(waiting.pop()):
                if kind not in used:
                    used.add(kind)
                    waiting.append(kind)
        self.letters = {kind: letter for kind, letter in self.letters.items() if letter in used or kind == "king"}

    def _sides(self, letter: str) -> set[str]:
        """Return the sides that may have a piece type."""
        found = set()
        for side, is_own in (("White", str.isupper), ("Black", str.islower)):
            own = {piece.upper() for piece in self.squares.values() if is_own(piece)}
            makes = {kind for piece in self.letters.values() if piece in own for kind in self._promotes_to(piece)}
            if letter in own | makes:
                found.add(side)
        return found

    def _list_unsaid(self) -> None:
        for key, words in UNSAID.items():
            if self.values.get(key, "").lower() not in OFF:
                self._add(words)
        if "[" in self.fields[0] and not self.fields[0].endswith(("[]", "[-]")):
            self._add("pieces in hand")
        for key in self.values:
            if re.fullmatch(r"mobilityRegion\w+", key) or key.startswith("customPiece") or key in PIECES:
                continue
            if key not in KNOWN and key not in UNSAID and key not in SILENT:
                self._add(f"the setting {key:.40}")

    def _start(self, rights: str) -> str:
        placement = self.fields[0].partition("[")[0]
        placement = re.sub(r"\+?[A-Za-z]~?", lambda found: self._promoted(found.group()), placement)
        side = self.fields[1] if len(self.fields) > 1 else "w"
        rest = self.fields[2:]
        checks = next((field for field in rest if re.fullmatch(r"\d+\+\d+", field)), "")
        numbers = [field for field in rest if field.isdigit()][-2:] or ["0", "1"]
        return " ".join(filter(None, [placement, side, rights or "-", "-", checks, *[*numbers, "1"][:2]]))

    def _pawns(self, key: str, side: str = "") -> list[str]:
        value = self.values.get(f"{key}{side}", self.values.get(key, self.values.get("pawnTypes")))
        if value is None:
            return [self.letters["pawn"]] if "pawn" in self.letters else []
        return [] if value == "-" else [letter.upper() for letter in value]

    def _piece(self, kind: str, royals: list[str], zones: dict[str, str]) -> list[str]:
        letter = self.letters[kind]
        known = PIECES.get(kind)
        moves = self.moves.get(kind) or (known[1] if known else "")
        custom = bool(self.moves.get(kind))
        if custom:
            moves = _betza(moves)
        lines = [f"[pieces.{letter}]"]
        name = known[0] if known else NAMES.get(moves)
        if name:
            lines.append(f"name = {quoted(name)}")
        extra: list[tuple[str, str]] = []
        if kind == "pawn":
            moves, extra = self._pawn_moves(moves)
        elif custom and "i" in moves:
            moves, extra = self._first_moves(moves)
        if kind == "soldier" and (rank := self.number("soldierPromotionRank", 1)) > 1:
            moves, extra = "fW", [(f"ranks {rank}-{self.ranks}", "sW")]
        lines.append(f"move = {quoted(moves)}")
        if re.search("[lr]", moves):
            lines.append("turned = true")
        if kind == "janggiCannon":
            self._add("Cannons that neither hop over Cannons nor capture them")
        if extra:
            listed = ", ".join(f"{{ squares = {quoted(squares)}, move = {quoted(move)} }}" for squares, move in extra)
            lines.append(f"from = [{listed}]")
        if letter in royals:
            lines.append("royal = true")
            if self.is_on("flyingGeneral") and kind == "king":
                lines.append('sees = "fR"')
        if promoting := self._promoting(letter):
            lines.append(promoting)
        within = self._within(kind)
        if within:
            zones[f"of-{letter.lower()}"] = within
            lines.append(f'within = "of-{letter.lower()}"')
        return [*lines, ""]

    def _pawn_moves(self, moves: str) -> tuple[str, list[tuple[str, str]]]:
        """Return a Pawn's moves, and those of its double step."""
        letter = self.letters["pawn"]
        takes = letter in [taker.upper() for taker in self.values.get("enPassantTypes", letter)]
        takes = takes and self.values.get("enPassantRegion") != "-"
        if not self.is_on("doubleStep", True) or not takes:
            moves = moves.replace("fceF", "fcF")
        extra = []
        if self.is_on("doubleStep", True):
            for key, default, move in [
                ("doubleStepRegion", ("*2", "*7"), "fmnnD"),
                ("tripleStepRegion", ("-", "-"), "fmnnH"),
            ]:
                own, other = self.sided(key, *default)
                if own != other:
                    self._add("double steps that differ by side")
                if own:
                    extra.append((self._listed(own), move))
        return moves, extra

    def _first_moves(self, moves: str) -> tuple[str, list[tuple[str, str]]]:
        """Take the moves with ``i`` out of a custom piece's: they are made from where Pawns make double steps."""
        elements = re.findall(r"[a-z]*(?:\([^)]*\)|[A-Z])\d*", moves)
        first = [element.replace("i", "") for element in elements if "i" in element.rstrip("0123456789")]
        rest = "".join(element for element in elements if "i" not in element)
        own, other = self.sided("doubleStepRegion", "*2", "*7")
        if own != other:
            self._add("double steps that differ by side")
        if "e" in rest:
            straight = [re.fullmatch("(fm|mf)n[DH]", move) for move in first]
            if not all(straight):
                self._add("en passant after a double step that is not straight forward")
            first = [move.replace("n", "nn") if ahead else move for move, ahead in zip(first, straight, strict=True)]
        return rest, [(self._listed(own), "".join(first))] if own and first else []

    def _listed(self, squares: Iterable[tuple[int, int]]) -> str:
        return square_list(squares, self.files, self.ranks)

    def _promotes_to(self, letter: str) -> list[str]:
        """Return what a piece type may become."""
        return list(dict.fromkeys(kind for way in self._ways_to_promote(letter) for kind in way.to))

    @functools.cache  # noqa: B019 (it lives as long as the conversion)
    def _ways_to_promote(self, letter: str) -> tuple[_Way, ...]:
        """Return how a piece type promotes, for both sides if they are alike."""
        white, black = (self._ways_of(letter, side) for side in ("White", "Black"))
        if white == black:
            return white
        sided = ((white, "white"), (black, "black"))
        return tuple(dataclasses.replace(way, side=side) for ways, side in sided for way in ways)

    def _ways_of(self, letter: str, side: str) -> tuple[_Way, ...]:
        """Return how a side's piece type promotes, with squares as that side sees them.

        A Pawn becomes one of some kinds where it arrives in the zone, any other piece what it is paired with where it
        moves into the zone, or begins there.
        """
        zone = self.sided("promotionRegion", "*8", "*1")[side == "Black"]
        is_pawn = letter in self._pawns("promotionPawnTypes", side)
        becomes = []
        if is_pawn:
            key = "promotionPieceTypes"
            named = self.piece_set(
                f"{key}{side}" if f"{key}{side}" in self.values else key, "knight", "bishop", "rook", "queen"
            )
            becomes = [kind for kind in reversed(named) if kind in self.letters.values()]
        paired = self.pairs("promotedPieceType").get(letter, "-")
        paired = paired if paired in self.letters.values() else "-"
        if paired != "-" and paired not in becomes:
            becomes.append(paired)
        if not becomes or not zone:
            return ()
        to = tuple(becomes)
        squares = {(file, rank) for file in range(self.files) for rank in range(self.ranks)}
        stuck = zone & self._stuck(letter) if self.is_on("immobilityIllegal") else set()
        if is_pawn:
            if self.is_on("mandatoryPawnPromotion", True):
                return (_Way(to, self._listed(zone)),)
            return (_Way(to, self._listed(stuck), self._listed(zone - stuck)),)
        compulsory = self.is_on("mandatoryPiecePromotion")
        by = "capture" if self.is_on("piecePromotionOnCapture") else ""
        places = [(zone, set[tuple[int, int]]())]
        if zone != squares:
            places.append((squares, zone))
        return tuple(
            _Way(
                to,
                self._listed(where if compulsory else stuck),
                self._listed(set() if compulsory else where - stuck),
                self._listed(begins),
                by,
            )
            for where, begins in places
        )

    def _stuck(self, letter: str) -> set[tuple[int, int]]:
        """Return the squares from which a piece type could never move."""
        steps = {"shogiKnight": 2, "shogiPawn": 1, "lance": 1, "pawn": 1, "breakthrough": 1}
        kind = next(kind for kind, known in self.letters.items() if known == letter)
        last = range(self.ranks - steps.get(kind, 0), self.ranks)
        return {(file, rank) for file in range(self.files) for rank in last}

    @functools.cached_property
    def _common(self) -> _Way | None:
        """How all pieces that promote do so, if they do so alike and in one way."""
        ways = [self._ways_to_promote(letter) for letter in self.letters.values()]
        plain = {tuple(dataclasses.replace(way, to=()) for way in some) for some in ways if some}
        if len(plain) != 1:
            return None
        [some] = plain
        return some[0] if len(some) == 1 and some[0] == _Way((), some[0].at, some[0].optional) else None

    def _promoting(self, letter: str) -> str:
        """Return the line of a piece type that says how it promotes."""
        ways = self._ways_to_promote(letter)
        if not ways:
            return ""
        if self._common is not None:
            return f"promotes_to = {quoted(' '.join(ways[0].to))}"
        return f"promotion = [{', '.join(way.written() for way in ways)}]"

    def _promotion(self) -> list[str]:
        lines = []
        if self._common is not None:
            lines = [f"at = {quoted(self._common.at)}", f"optional = {quoted(self._common.optional)}"]
        if self.values.get("promotionLimit") and any(map(self._promotes_to, self.letters.values())):
            lines += self._promotion_limit()
        return ["[promotion]", *lines, ""] if lines else []

    def _promotion_limit(self) -> list[str]:
        """Say how many pieces of a type promotion allows: as at the start, if that is the limit of each."""
        limits = {kind: most for kind, most in self.pairs("promotionLimit").items() if kind in self.letters.values()}
        becomes = {kind for letter in self.letters.values() for kind in self._promotes_to(letter)}
        starts = (
            [piece.upper() for piece in self.squares.values() if is_own(piece)] for is_own in (str.isupper, str.islower)
        )
        if all(limits.get(kind) == str(start.count(kind)) for start in starts for kind in becomes):
            return ['limit = "start"']
        return [f"limit = {{ {', '.join(f'{kind} = {most}' for kind, most in limits.items())} }}"]

    def _within(self, kind: str) -> str:
        """Return the squares that a piece type never leaves."""
        name = kind[0].upper() + kind[1:]
        keys = [f"mobilityRegionWhite{name}", f"mobilityRegionBlack{name}"]
        regions = [self.region(self.values[key]) if key in self.values else None for key in keys]
        if regions == [None, None]:
            return ""
        white, black = regions
        turned = None if black is None else {(file, self.ranks - 1 - rank) for file, rank in black}
        if len(sides := self._sides(self.letters[kind])) == 1:
            return self._listed((white if sides == {"White"} else turned) or ())
        if white != turned:
            self._add(f"squares of the {self.letters[kind]} that differ by side")
            return ""
        return self._listed(white or ())

    def _royals(self) -> list[str]:
        royals = [self.letters["king"]] if "king" in self.letters else []
        if self.is_on("extinctionPseudoRoyal"):
            royals += [letter for letter in self.piece_set("extinctionPieceTypes") if letter not in royals]
        return [letter for letter in royals if letter in self.letters.values()]

    def _castlings(self, royals: list[str]) -> tuple[list[str], str]:
        """Return the castlings, and the rights at the start."""
        field = self.fields[2] if len(self.fields) > 2 and re.fullmatch(r"[A-Za-z]+", self.fields[2]) else ""
        if not field or not self.is_on("castling", True):
            return [], ""
        king = self.values.get("castlingKingPiece", self.letters.get("king", "-").lower()).upper()
        rooks = self.piece_set("castlingRookPieces", "rook")
        rank = self.number("castlingRank", 1) - 1
        sides = {}
        for color, wanted, row in (("white", str.isupper, rank), ("black", str.islower, self.ranks - 1 - rank)):
            letters = [letter.upper() for letter in field if wanted(letter)]
            found = self._ways(king, rooks, letters, row, wanted)
            if found is None:
                self._add("castling as the start has it")
                return [], ""
            sides[color] = found
        white, black = sides["white"], sides["black"]
        if royals and king not in royals:
            self._add("castling of a piece that is not royal")
            return [], ""
        lines = []
        for side, ways, others in (("white", white, black), ("black", black, white)):
            for right, way in ways.items():
                both = others.get(right) == way
                if both and side == "black":
                    continue
                start, end, rook, to = way
                lines += ["[[castling]]", f'right = "{right}"', f'king = "{start} {end}"', f'rook = "{rook} {to}"']
                lines += [""] if both else [f'side = "{side}"', ""]
        return lines, "".join([*white, *(right.lower() for right in black)])

    def _ways(
        self, king: str, rooks: list[str], letters: list[str], row: int, own: object
    ) -> dict[str, tuple[str, str, str, str]] | None:
        """Return the castlings of a side, with squares as White would see them."""
        is_own = str.isupper if own is str.isupper else str.islower
        on_row = {file: piece for (file, rank), piece in self.squares.items() if rank == row and is_own(piece)}
        kings = [file for file, piece in on_row.items() if piece.upper() == king]
        if not letters:
            return {}
        named = "castlingKingFile" in self.values and len(kings) > 1
        wanted = [self.file("castlingKingFile", "e")] if named else kings
        if len(wanted) != 1 or wanted[0] not in kings:
            return None
        at = wanted[0]
        found = {}
        for right in letters:
            file = ord(right) - ord("A")
            if right == "K" or (right != "Q" and file > at):
                partners = [where for where, piece in on_row.items() if where > at and piece.upper() in rooks]
                rook, to, step, key = max(partners, default=None), self.file("castlingKingsideFile", "g"), -1, "K"
            else:
                partners = [where for where, piece in on_row.items() if where < at and piece.upper() in rooks]
                rook, to, step, key = min(partners, default=None), self.file("castlingQueensideFile", "c"), 1, "Q"
            if rook is None:
                return None
            rank = self.number("castlingRank", 1)
            names = [f"{chr(ord('a') + where)}{rank}" for where in (at, to, rook, to + step)]
            found[key] = (names[0], names[1], names[2], names[3])
        return found

    def _turn(self) -> list[str]:
        lines = []
        if self.is_on("mustCapture"):
            lines.append("must_capture = true")
        if not self.is_on("checking", True):
            lines.append("may_check = false")
        if self.is_on("pass"):
            lines.append("may_pass = true")
        return ["[turn]", *lines, ""] if lines else []

    def _end(self, royals: list[str]) -> list[str]:
        self._extinctions()
        self._goals()
        if self.is_on("checkCounting"):
            checks = next((int(field[0]) for field in self.fields if re.fullmatch(r"\d\+\d", field)), 3)
            self.conditions.append(f"{{ checks = {checks} }}")
        lines = ["[end]"]
        if not royals:
            lines.append('goal = "conditions"')
        else:
            safety = self._safety(royals)
            if safety:
                lines.append(f'royals = "{safety}"')
        stalemate = self.values.get("stalemateValue", "draw")
        if stalemate == "win" and self.is_on("stalematePieceCount"):
            stalemate = "fewer pieces win"
        elif self.is_on("stalematePieceCount"):
            self._add("counting pieces in stalemate")
        if stalemate != "draw":
            lines.append(f'stalemate = "{stalemate}"')
        checkmate = self.values.get("checkmateValue", "loss")
        if checkmate != "loss" and royals:
            lines.append(f'checkmate = "{checkmate}"')
        if self.conditions:
            lines.append(f"conditions = [{', '.join(self.conditions)}]")
        moves, times = self.number("nMoveRule", 50), self.number("nFoldRule", 3)
        if moves != 50:
            lines.append(f"quiet = [{2 * moves}, {2 * moves}]")
        if moves:
            restarting = [kind for kind in self._pawns("nMoveRuleTypes") if kind in self.letters.values()]
            forward = {letter for kind, letter in self.letters.items() if kind in FORWARD}
            if set(restarting) != forward or any(kind.startswith("customPiece") for kind in self.letters):
                lines.append(f"progress = {quoted(' '.join(restarting))}")
        value = self.values.get("nFoldValue", "draw")
        perpetual = self.is_on("perpetualCheckIllegal") and bool(royals)
        if times != 3 or value != "draw" or perpetual:
            lines.append(f"repetition = [{times}, {times}]")
        # The other program says what it brings the side that is to move, not the one that has moved.
        if value != "draw" and times:
            lines.append(f'repetition_result = "{"win" if value == "loss" else "loss"}"')
        if perpetual and times:
            lines.append('perpetual_check = "loss"')
        return lines if len(lines) > 1 else []

    def _safety(self, royals: list[str]) -> str:
        most = max(
            sum(1 for piece in self.squares.values() if is_own(piece) and piece.upper() in royals)
            for is_own in (str.isupper, str.islower)
        )
        promotes = any(set(self._promotes_to(letter)) & set(royals) for letter in self.letters.values())
        if most <= 1 and not promotes:
            return ""
        if self.is_on("dupleCheck"):
            return "one"
        return "every" if self.number("extinctionPieceCount", 0) > 0 else "last"

    def _extinctions(self) -> None:
        value = self.values.get("extinctionValue", "none")
        if value == "none" or self.is_on("extinctionPseudoRoyal"):
            return
        kinds = self.piece_set("extinctionPieceTypes")
        if not kinds:
            return
        listed = "all" if kinds == ["*"] else " ".join(kinds)
        parts = [f'extinct = "{listed}"']
        for key, setting in (("at_most", "extinctionPieceCount"), ("against", "extinctionOpponentPieceCount")):
            if (count := self.number(setting, 0)) > 0:
                parts.append(f"{key} = {count}")
        if self.is_on("extinctionClaim"):
            parts.append("answer = true")
        if value != "loss":
            parts.append(f'result = "{value}"')
        self.conditions.append(f"{{ {', '.join(parts)} }}")

    def _goals(self) -> None:
        white, black = self.sided("flagRegion", "", "")
        if not white and not black:
            return
        piece = self.values.get("flagPiece", "*")
        kinds = {side: self.values.get(f"flagPiece{side}", piece) for side in ("White", "Black")}
        rest = []
        if (count := self.number("flagPieceCount", 1)) > 1:
            rest.append(f"count = {count}")
        if self.is_on("flagMove"):
            rest.append("answer = true")
        same = white == black and kinds["White"] == kinds["Black"]
        for side, squares in (("white", white), ("black", black)):
            if not squares:
                continue
            parts = [f"reach = {quoted(self._listed(squares))}"]
            kind = kinds[side.capitalize()]
            if kind not in ("*", ""):
                parts.append(f'pieces = "{kind.upper()}"')
            parts += rest if same else [*rest, f'side = "{side}"']
            self.conditions.append(f"{{ {', '.join(parts)} }}")
            if same:
                return


#: Settings that the conversion looks at.
KNOWN = {
    "maxRank", "maxFile", "startFen", "pawnTypes", "promotionRegionWhite", "promotionRegionBlack", "promotionRegion",
    "promotionPawnTypes", "promotionPawnTypesWhite", "promotionPawnTypesBlack", "promotionPieceTypes",
    "promotionPieceTypesWhite", "promotionPieceTypesBlack", "promotionLimit", "promotedPieceType",
    "mandatoryPawnPromotion", "mandatoryPiecePromotion", "piecePromotionOnCapture", "doubleStep",
    "doubleStepRegionWhite",
    "doubleStepRegionBlack", "doubleStepRegion", "tripleStepRegionWhite", "tripleStepRegionBlack", "enPassantTypes",
    "castling", "castlingKingsideFile", "castlingQueensideFile", "castlingRank", "castlingKingFile",
    "castlingKingPiece", "castlingRookPieces", "castlingRookKingsideFile", "castlingRookQueensideFile", "checking",
    "mustCapture", "pass", "flyingGeneral", "soldierPromotionRank", "nMoveRule", "nMoveRuleTypes", "nFoldRule",
    "nFoldValue", "stalemateValue", "checkmateValue", "extinctionValue", "extinctionPseudoRoyal", "dupleCheck",
    "extinctionPieceTypes", "extinctionPieceCount", "extinctionOpponentPieceCount", "extinctionClaim", "flagPiece",
    "flagPieceWhite", "flagPieceBlack", "flagRegion", "flagRegionWhite", "flagRegionBlack", "flagPieceCount",
    "flagMove", "checkCounting", "stalematePieceCount", "enPassantRegion", "enPassantRegionWhite",
    "enPassantRegionBlack", "immobilityIllegal", "perpetualCheckIllegal",
}  # fmt: skip


def _betza(moves: str) -> str:
    """Return Betza notation of Fairy-Stockfish in our letters: its ``f`` before an oblique leap is our ``ff``."""

    def turned(match: re.Match[str]) -> str:
        before, atom = match.groups()
        if atom in "NCZ" or atom.startswith("("):
            before = re.sub(r"([fb])", r"\1\1", re.sub(r"([fb])\1", r"\1", before))
        return before + atom

    return re.sub(r"([a-z]*)(\([^)]*\)|[A-Z])", turned, moves)


def _id(name: str) -> str:
    found = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")
    return f"fairy-{found}"
