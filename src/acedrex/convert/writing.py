"""Writes a game as a variant of Fairy-Stockfish, with a list of what its format cannot say."""

from __future__ import annotations

import re
import string
import tomllib
from collections.abc import Iterable, Iterator
from typing import Any

from acedrex import _native
from acedrex.board import Board
from acedrex.convert.pieces import PIECES
from acedrex.convert.reading import Converted
from acedrex.game import Game, PieceType
from acedrex.squares import square, square_mirror, square_name

__all__ = ["write_variant"]

#: The most files and ranks of Fairy-Stockfish's usual builds, and of its slots for pieces of one's own.
FILES, RANKS, SLOTS = 12, 10, 25
#: An element of Betza notation as we write it: a bracket, or modifiers, an atom and a range.
ELEMENT = re.compile(r"\[[^\]]*\]|([a-z]*)(\([^)]*\)|[A-Z])(\d*)")
#: The predefined piece types by their moves, but for those with rules of their own.
PREDEFINED = {moves: kind for kind, (_, moves) in PIECES.items() if kind not in ("pawn", "king", "janggiCannon")}
#: Leaps in two distances, whose directions the two formats write in different ways.
OBLIQUE = "NCZ"


def write_variant(game: Game) -> Converted:
    """Return a game as a section of a ``variants.ini``.

    >>> from acedrex import load
    >>> written = write_variant(load("knightmate"))
    >>> written.text.splitlines()[:3], written.unsaid
    (['[knightmate]', 'maxFile = 8', 'maxRank = 8'], ())
    """
    return _Writer(game).write()


class _Writer:
    """One game on its way."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.definition = _with_options(game)
        self.unsaid: list[str] = []
        self.letters = self._letters()
        self.slots: dict[str, str] = {}
        #: Where double and triple steps begin, for White.
        self.double_steps: set[int] = set()
        self.triple_steps: set[int] = set()

    def add(self, unsaid: str) -> None:
        if unsaid not in self.unsaid:
            self.unsaid.append(unsaid)

    def _letters(self) -> dict[str, str]:
        """Return a small letter for each piece type."""
        found = {piece.letter: piece.letter.lower() for piece in self.game.pieces if len(piece.letter) == 1}
        free = [letter for letter in string.ascii_lowercase if letter not in found.values()]
        for piece in self.game.pieces:
            if piece.letter in found:
                continue
            if not free:
                self.add(f"the piece {piece.letter} and others: there are only 26 letters")
                return found
            found[piece.letter] = free.pop(0)
            self.add(f"the letter {piece.letter}, which is {found[piece.letter].upper()} there")
        return found

    def write(self) -> Converted:
        game = self.game
        if game.files > FILES or game.ranks > RANKS:
            self.add(f"a board of {game.files}x{game.ranks} squares, unless the program is built for it")
        head = [f"[{game.id}]", f"maxFile = {game.files}", f"maxRank = {game.ranks}"]
        pieces = [line for piece in game.pieces if piece.letter in self.letters for line in self._piece(piece)]
        lines = head + pieces + [f"startFen = {self._start()}"]
        lines += self._pawns() + self._promotion() + self._castling() + self._rest() + self._end()
        return Converted("\n".join(lines) + "\n", tuple(self.unsaid))

    def _is_pawn(self, piece: PieceType) -> bool:
        """Return whether a piece moves as the predefined Pawn; note where its double and triple steps begin."""
        steps: list[tuple[Iterable[int], str]] = list(piece.extra_moves)
        others = []
        for match in ELEMENT.finditer(piece.move):
            if match.group().startswith("i"):
                steps.append((Board(self.game).pieces(piece.letter, True), match.group()[1:]))
            else:
                others.append(match.group())
        regions = {"fmnnD": [self.double_steps], "fmnnH": [self.triple_steps]}
        regions["fmnnDfmnnH"] = [self.double_steps, self.triple_steps]
        if others != ["fmW", "fceF"] or any(move not in regions for _, move in steps):
            return False
        for squares, move in steps:
            for region in regions[move]:
                region.update(squares)
        return True

    def _piece(self, piece: PieceType) -> Iterator[str]:
        letter = self.letters[piece.letter]
        if "pawn" not in self.slots.values() and self._is_pawn(piece):
            self.slots[piece.letter] = "pawn"
            yield f"pawn = {letter}"
            yield from self._zone(piece)
            return
        moves = [self._element(piece, match, "") for match in ELEMENT.finditer(piece.move)]
        for squares, move in piece.extra_moves:
            self.double_steps.update(squares)
            moves += [self._element(piece, match, "i") for match in ELEMENT.finditer(move)]
        betza = "".join(dict.fromkeys(moves))
        if re.search("[lr]", betza) and not self.definition["pieces"][piece.letter].get("turned"):
            self.add(f"the {piece.name}'s moves to one side, which the other program turns for Black")
        kings = [other for other in self.game.pieces if other.royal]
        customs = sum(slot.startswith("customPiece") for slot in self.slots.values())
        if piece.royal and len(kings) == 1:
            self.slots[piece.letter] = "king"
            yield f"king = {letter}:{betza}"
        elif betza in PREDEFINED and PREDEFINED[betza] not in self.slots.values():
            self.slots[piece.letter] = PREDEFINED[betza]
            yield f"{PREDEFINED[betza]} = {letter}"
        elif customs >= SLOTS:
            self.add(f"the {piece.name}: there is room for {SLOTS} kinds of pieces")
            return
        else:
            self.slots[piece.letter] = f"customPiece{customs + 1}"
            yield f"customPiece{customs + 1} = {letter}:{betza}"
        yield from self._zone(piece)

    def _element(self, piece: PieceType, match: re.Match[str], first: str) -> str:
        """Return an element in Fairy-Stockfish's letters, after ``first``."""
        before, atom, length = match.groups()
        whole = match.group()
        if before is None:
            return self._lost(piece, whole)
        before = first + before
        lame = "n" in before.replace("nn", "n")
        if "i" in before and not first:
            self.double_steps.update(Board(self.game).pieces(piece.letter, True))
        before = before.replace("nn", "n")
        if (
            atom.startswith("(")
            or set(before) & set("ay")
            or (lame and atom not in "NAZD")
            or (set(before) & set("pg") and (atom not in "RBQ" or length))
        ):
            return self._lost(piece, whole)
        if atom in OBLIQUE and set(before) & set("fblrsv"):
            if not re.fullmatch(r"[a-z]*?(ff|bb)", "".join(letter for letter in before if letter in "fblrsv")):
                return self._lost(piece, whole)
            before = before.replace("ff", "f").replace("bb", "b")
        return f"{before}{atom}{length or ''}"

    def _lost(self, piece: PieceType, whole: str) -> str:
        self.add(f"the move {whole} of the {piece.name}")
        return ""

    def _zone(self, piece: PieceType) -> Iterator[str]:
        table = self.definition["pieces"].get(piece.letter, {})
        zone = table.get("within")
        if not zone:
            return
        squares = self._squares(self.definition["zones"][zone])
        for side, own in (("White", squares), ("Black", self._mirrored(squares))):
            slot = self.slots[piece.letter]
            yield f"mobilityRegion{side}{slot[0].upper()}{slot[1:]} = {self._region(own)}"

    def _squares(self, text: str) -> set[int]:
        return set(_native.known_squares(text, self.game.files, self.game.ranks))

    def _mirrored(self, squares: Iterable[int]) -> set[int]:
        return {square_mirror(square, self.game.ranks) for square in squares}

    def _region(self, squares: Iterable[int]) -> str:
        rest = set(squares)
        ranks = []
        for rank in range(self.game.ranks):
            whole = {square(file, rank) for file in range(self.game.files)}
            if whole <= rest:
                ranks.append(f"*{rank + 1}")
                rest -= whole
        return " ".join(ranks + [square_name(number) for number in sorted(rest)]) or "-"

    def _start(self) -> str:
        fields = self.game.start_fen.split(" ")
        tokens = re.findall(r"[A-Za-z]['!]?|\d+|[/*]", fields[0])
        placement = ""
        for token in tokens:
            letter = self.letters.get(token.upper())
            placement += token if letter is None else letter.upper() if token[0].isupper() else letter
        rights = "".join(right for right in fields[2] if right in "KQkq") if self.definition.get("castling") else ""
        return " ".join([placement, fields[1], rights or "-", *fields[3:]])

    def _pawns(self) -> list[str]:
        promoting = [piece for piece in self.game.pieces if piece.promotes_to and piece.letter in self.letters]
        letters = "".join(self.letters[piece.letter] for piece in promoting) or "-"
        takers = [
            piece for piece in self.game.pieces if re.search(r"\b[a-z]*e", piece.move) and piece.letter in self.letters
        ]
        lines = [f"pawnTypes = {letters}"]
        if takers and promoting != takers:
            lines.append(f"enPassantTypes = {''.join(self.letters[piece.letter] for piece in takers)}")
        for steps, region in (("double", self.double_steps), ("triple", self.triple_steps)):
            if region:
                lines.append(f"{steps}StepRegionWhite = {self._region(region)}")
                lines.append(f"{steps}StepRegionBlack = {self._region(self._mirrored(region))}")
        if not self.double_steps and "pawn" in self.slots.values():
            lines.append("doubleStep = false")
        if self.double_steps:
            rights = [
                extra
                for table in self.definition["pieces"].values()
                for extra in table.get("from", ())
                if "right" in extra
            ]
            if rights:
                self.add("first moves that a piece loses once it has moved")
        return lines

    def _promotion(self) -> list[str]:
        promoting = [piece for piece in self.game.pieces if piece.promotes_to and piece.letter in self.letters]
        if not promoting:
            return ["promotionPieceTypes = -"]
        if any("promotion" in table for table in self.definition["pieces"].values()):
            self.add("pieces that promote in ways of their own")
        kinds = [tuple(piece.promotes_to) for piece in promoting]
        if len(set(kinds)) > 1:
            self.add("pieces that promote to different pieces")
        if any("promotes_by" in table for table in self.definition["pieces"].values()):
            self.add("moves that do not promote")
        table = self.definition.get("promotion", {})
        at, optional = self._squares(table.get("at", "last rank")), self._squares(table.get("optional", ""))
        last = {square(file, self.game.ranks - 1) for file in range(self.game.files)}
        stuck = all(piece.is_soldier for piece in promoting)
        if at and optional and not (at == last and stuck):
            self.add("promotion that is a choice before it is compulsory")
        region = at | optional
        letters = "".join(self.letters[kind] for kind in kinds[0] if kind in self.letters)
        lines = [f"promotionPieceTypes = {letters}"]
        lines += [
            f"promotionRegionWhite = {self._region(region)}",
            f"promotionRegionBlack = {self._region(self._mirrored(region))}",
        ]
        if optional:
            lines.append("mandatoryPawnPromotion = false")
            # Then a Pawn cannot stay where it could never move.
            lines += ["immobilityIllegal = true"] if at else []
        limits = table.get("limit", "none")
        if limits == "start":
            limits = {kind: len(Board(self.game).pieces(kind, True)) for kind in kinds[0]}
        if isinstance(limits, dict):
            pairs = (f"{self.letters[kind]}:{most}" for kind, most in limits.items() if kind in self.letters)
            lines.append(f"promotionLimit = {' '.join(pairs)}")
        return lines

    def _castling(self) -> list[str]:
        ways = self.definition.get("castling", [])
        if not ways:
            return ["castling = false"]
        found: dict[str, str] = {}
        for way in ways:
            king, to = way["king"].split()
            rook, arrives = way["rook"].split()
            side = "Kingside" if king < to else "Queenside"
            if ord(arrives[0]) != ord(to[0]) + (-1 if king < to else 1):
                self.add(f"castling that puts the Rook on {arrives}")
            white = way.get("side") != "black"
            said = {
                f"castling{side}File": to[0],
                f"castlingRook{side}File": rook[0],
                "castlingRank": king[1:],
                "castlingKingPiece": self._on(king, white),
                "castlingRookPieces": self._on(rook, white),
            }
            if any(found.get(key, value) != value for key, value in said.items()):
                self.add("castling that differs by side")
            found.update(said)
        return [f"{key} = {value}" for key, value in found.items()]

    def _on(self, name: str, white: bool) -> str:
        """Return the letter of a side's piece on a square, as White sees it."""
        squares = self._squares(name)
        piece = Board(self.game).piece_at((squares if white else self._mirrored(squares)).pop())
        return "" if piece is None else self.letters.get(piece.letter, "")

    def _rest(self) -> list[str]:
        definition, lines = self.definition, []
        turn = definition.get("turn", {})
        if self.game.turns_of_several_moves:
            self.add("turns of several moves")
        for key, text in (("must_capture", "mustCapture = true"), ("may_pass", "pass = true")):
            if turn.get(key):
                lines.append(text)
        if turn.get("may_check") is False:
            lines.append("checking = false")
        if definition.get("royal_jump"):
            self.add("the King's jump")
        if definition.get("en_passant", {}).get("left"):
            self.add("en passant on a square that a Pawn left")
        if definition.get("setup"):
            self.add("the setup before the game")
        for letter, table in definition["pieces"].items():
            if table.get("sees") == "fR" and table.get("royal"):
                lines.append("flyingGeneral = true")
            elif table.get("sees"):
                self.add(f"what the {letter} attacks without capturing")
        return list(dict.fromkeys(lines))

    def _end(self) -> list[str]:
        end = self.definition.get("end", {})
        lines = []
        if end.get("scoring") == "four_points":
            self.add("four points")
        if end.get("goal") == "capture all royals":
            self.add("royal pieces that are captured")
        if end.get("royals", "only") != "only":
            self.add("several royal pieces a side")
        if (quiet := self.game.quiet_limits[0]) != 100:
            lines.append(f"nMoveRule = {quiet // 2}")
        progress = self._kinds(
            end.get("progress", " ".join(piece.letter for piece in self.game.pieces if piece.is_soldier))
        )
        if progress != "".join(letter for letter in self.letters.values() if self.slots.get(letter.upper()) == "pawn"):
            lines.append(f"nMoveRuleTypes = {progress or '-'}")
        if (times := self.game.repetition_limits[0]) != 3:
            lines.append(f"nFoldRule = {times}")
        if (result := end.get("repetition_result", "draw")) != "draw":
            lines.append(f"nFoldValue = {'win' if result == 'loss' else 'loss'}")
        if end.get("perpetual_check") == "loss":
            lines.append("perpetualCheckIllegal = true")
        for key, setting, usual in (("stalemate", "stalemateValue", "draw"), ("checkmate", "checkmateValue", "loss")):
            if end.get(key, usual) == "fewer pieces win":
                lines += [f"{setting} = win", "stalematePieceCount = true"]
            elif end.get(key, usual) != usual:
                lines.append(f"{setting} = {end[key]}")
        lines += self._conditions(end.get("conditions", []))
        return lines

    def _conditions(self, conditions: list[dict[str, Any]]) -> list[str]:
        lines: list[str] = []
        if len(conditions) > len({next(key for key in ("extinct", "reach", "checks") if key in c) for c in conditions}):
            self.add("several conditions of the same sort")
        for condition in conditions:
            if "checks" in condition:
                lines.append("checkCounting = true")
            elif "extinct" in condition:
                kinds = "*" if condition["extinct"] == "all" else self._kinds(condition["extinct"])
                lines += [f"extinctionValue = {condition.get('result', 'loss')}", f"extinctionPieceTypes = {kinds}"]
                for key, setting in (("at_most", "extinctionPieceCount"), ("against", "extinctionOpponentPieceCount")):
                    if key in condition:
                        lines.append(f"{setting} = {condition[key]}")
                if condition.get("answer"):
                    lines.append("extinctionClaim = true")
                if "side" in condition:
                    self.add("pieces that only one side may not lose")
            else:
                if condition.get("result", "win") != "win":
                    self.add("squares that lose or draw")
                kinds = condition.get("pieces", "all")
                squares = self._squares(condition["reach"])
                side = condition.get("side")
                lines.append(f"flagPiece = {'*' if kinds == 'all' else self._kinds(kinds)}")
                if side != "black":
                    lines.append(f"flagRegionWhite = {self._region(squares)}")
                if side != "white":
                    lines.append(f"flagRegionBlack = {self._region(self._mirrored(squares))}")
                if condition.get("count", 1) > 1:
                    lines.append(f"flagPieceCount = {condition['count']}")
                if condition.get("answer"):
                    lines.append("flagMove = true")
        return lines

    def _kinds(self, text: str) -> str:
        return "".join(self.letters.get(kind, "") for kind in re.findall(r"[A-Z]['!]?", text))


def _with_options(game: Game) -> dict[str, Any]:
    """Return the definition of a game with what its options change."""
    definition = tomllib.loads(game.full_source)
    for option in game.options.values():
        table = definition["options"][option.name]
        value = next(given for given in table["values"] if _plain(given) == option.chosen)
        if "set" in table:
            *path, last = table["set"].split(".")
            place = definition
            for key in path:
                place = place.setdefault(key, {})
            place[last] = value
        elif isinstance(changes := table.get(option.chosen), dict):
            _lay(definition, changes)
    return definition


def _plain(value: Any) -> str:
    return ("on" if value else "off") if isinstance(value, bool) else str(value)


def _lay(under: dict[str, Any], over: dict[str, Any]) -> None:
    for key, value in over.items():
        if isinstance(value, dict) and isinstance(under.get(key), dict):
            _lay(under[key], value)
        else:
            under[key] = value
