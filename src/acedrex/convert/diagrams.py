"""Reads the Interactive Diagrams of chess variants on web pages.

A diagram is a list of words: settings such as ``files=10``, and pieces as ``name:ID:moves:picture:squares``. The format
is described on the page of the diagrams at chessvariants.com, and its moves there as XBetza.
"""

from __future__ import annotations

import html
import re
import string
from collections.abc import Iterator
from dataclasses import dataclass

from acedrex import _native
from acedrex.convert.reading import Converted, VariantsError
from acedrex.convert.written import quoted, square_list
from acedrex.squares import square, square_file, square_name, square_rank

__all__ = ["convert_diagram"]

#: The moves of pieces that are named and given none.
MOVES = {
    "pawn": "fmWfceFifmnD", "knight": "N", "bishop": "B", "rook": "R", "queen": "Q", "king": "K", "cannon": "mRcpR",
    "archbishop": "BN", "cardinal": "BN", "chancellor": "RN", "marshall": "RN", "amazon": "QN", "elephant": "FA",
    "commoner": "K", "man": "K", "wazir": "W", "ferz": "F", "alfil": "A", "dabbaba": "D", "camel": "C", "zebra": "Z",
    "nightrider": "NN", "champion": "WAD", "wizard": "FC", "centaur": "KN", "silver": "FfW", "gold": "WfF",
    "lance": "fR",
}  # fmt: skip
#: Settings that say how a diagram looks or how its engine plays.
SILENT = re.compile(
    "graphics|square(Size|Color)|light|dark|rim|coord|white(Prefix|Base)|black(Prefix|Base)|first(Rank|File)|startShade|"
    "satellite|use|scale|border|width|height|trackPieces|newClick|show|theme|lineColor|maxDepth|hashSize|value|name$|"
    "royal$|files$|ranks$|promo(Zone|Choice|Offset)$|maxPromote$|symmetry$|"
)
#: The longest diagram, in characters, and the most pieces in it.
MOST_TEXT, MOST_PIECES = 200_000, 60


def convert_diagram(text: str, name: str = "diagram") -> Converted:
    """Return the game of an Interactive Diagram as a definition.

    >>> text = "files=8 ranks=8 promoChoice=Q pawn::::a2-h2 queen::::d1 king::::e1"
    >>> convert_diagram(text, "few").unsaid
    ()

    :param text: the text between the tags of the diagram, or a page with one.
    :param name: the name of the game.
    :raises VariantsError: if there is no diagram in the text, or a value in it is none.
    """
    return _Diagram(text, name).convert()


@dataclass
class _Piece:
    name: str
    letter: str
    moves: str
    squares: tuple[str, str]


class _Diagram:
    """One diagram on its way."""

    def __init__(self, text: str, name: str) -> None:
        if len(text) > MOST_TEXT:
            raise VariantsError(f"the text has {len(text):,} characters; at most {MOST_TEXT:,}")
        found = re.search(r"""class=["']?idiagram["']?[^>]*>(.*?)</""", text, re.DOTALL | re.IGNORECASE)
        words = html.unescape(re.sub("<[^>]*>", " ", found[1] if found else text)).split()
        self.name = name
        self.unsaid: list[str] = []
        self.values = {key: value for key, equals, value in (word.partition("=") for word in words) if equals}
        self.files, self.ranks = self._number("files", 8), self._number("ranks", 8)
        self.holes: set[int] = set()
        self.pieces: list[_Piece] = []
        for word in words:
            if ":" in word and "=" not in word.partition(":")[0]:
                self._add_piece(word.split(":"))
        if not self.pieces:
            raise VariantsError("no pieces; expected an Interactive Diagram, such as: files=8 ranks=8 king:K:::e1")
        self._name_pieces()

    def _say(self, unsaid: str) -> None:
        if unsaid not in self.unsaid:
            self.unsaid.append(unsaid)

    def _number(self, key: str, default: int) -> int:
        value = self.values.get(key, str(default))
        if not re.fullmatch("[0-9]{1,3}", value) or int(value) > 16:
            raise VariantsError(f"{key} = {value:.20} where a number up to 16 was expected")
        return int(value)

    def _add_piece(self, parts: list[str]) -> None:
        name, given, moves, _, white, black, *_ = [*parts, "", "", "", "", "", ""]
        if name.lower() == "hole":
            self.holes |= {at for word in (white, black) for at in self._squares(word)}
            return
        if len(self.pieces) >= MOST_PIECES:
            raise VariantsError(f"more than {MOST_PIECES} kinds of pieces")
        title = re.sub(r"[^\w' -]", "", name.replace("_", " ")).strip() or "Piece"
        known = moves or MOVES.get(name.lower(), "")
        if not known:
            self._say(f"the moves of the {title}, which the diagram does not give")
        letter = given.upper()[:1] if re.match("[A-Za-z]", given) else ""
        self.pieces.append(_Piece(title[:1].upper() + title[1:], letter, known, (white, black)))

    def _name_pieces(self) -> None:
        """Give each piece type a letter: the one that it says, else the first of its name, else another."""
        free = [letter + mark for mark in ("", "'", "!") for letter in string.ascii_uppercase]
        said = [piece.letter for piece in self.pieces]
        for piece, letter in zip(self.pieces, said, strict=True):
            piece.letter = letter if letter in free else ""
            free = [other for other in free if other != piece.letter]
        for length in (1, None):
            for piece in self.pieces:
                if not piece.letter:
                    wanted = [*piece.name.upper()[:length], *(free if length is None else [])]
                    piece.letter = next((letter for letter in wanted if letter in free), "")
                    free = [other for other in free if other != piece.letter]

    def _squares(self, text: str) -> list[int]:
        """Return the squares of a list such as ``a2-h2,c3``; what stands in hand is listed as not said."""
        found = []
        for word in filter(None, text.split(",")):
            if word.isdigit():
                self._say("pieces in hand")
                continue
            ends = [re.fullmatch(r"([a-p])(\d{1,2})", end) for end in word.split("-")]
            points = [(ord(end[1]) - ord("a"), int(end[2]) - self._number("firstRank", 1)) for end in ends if end]
            if len(points) != len(ends) or len(ends) > 2:
                raise VariantsError(f"{word:.20} where squares such as a2-h2 were expected")
            (left, low), (right, high) = points[0], points[-1]
            if min(low, high) < 0 or max(low, high) >= self.ranks or max(left, right) >= self.files:
                raise VariantsError(f"{word:.20} where squares of the {self.files}x{self.ranks} board were expected")
            for rank in range(min(low, high), max(low, high) + 1):
                found += [square(file, rank) for file in range(min(left, right), max(left, right) + 1)]
        return found

    def convert(self) -> Converted:
        """Return the definition."""
        for key in self.values:
            if not SILENT.match(key) or not SILENT.match(key).group():  # type: ignore[union-attr]
                self._say(f"the setting {key:.40}")
        royal = self._royal()
        castlings = self._castlings(royal)
        board = self._start()
        rights = "".join(right for right, _ in castlings)
        rights = rights + rights.lower() or "-"
        lines = ["[game]", f"id = {quoted(self._id())}", f"name = {quoted(self.name)}"]
        lines += [f'board = "{self.files}x{self.ranks}"', f"start = {quoted(f'{board} w {rights} - 0 1')}", ""]
        for place, piece in enumerate(self.pieces):
            lines += [*self._piece(place, piece, piece is royal), ""]
        for right, (king, rook) in castlings:
            lines += ["[[castling]]", f'right = "{right}"', f'king = "{king}"', f'rook = "{rook}"', ""]
        return Converted("\n".join(lines) + "\n", tuple(self.unsaid))

    def _id(self) -> str:
        return re.sub(r"[^a-z0-9]+", "-", f"diagram {self.name}".lower()).strip("-")

    def _royal(self) -> _Piece:
        given = self.values.get("royal", "")
        if re.fullmatch("[0-9]{1,3}", given) and 1 <= int(given) <= len(self.pieces):
            return self.pieces[int(given) - 1]
        wanted = [piece for piece in self.pieces if piece.letter == given.upper() or piece.name.lower() == "king"]
        return wanted[-1] if wanted else self.pieces[-1]

    def _start(self) -> str:
        """Return the placement of a FEN."""
        cells = dict.fromkeys(self.holes, "*")
        symmetry = self.values.get("symmetry", "mirror")
        for piece in self.pieces:
            for at in self._squares(piece.squares[0]):
                cells[at] = piece.letter
                file, rank = square_file(at), self.ranks - 1 - square_rank(at)
                if symmetry != "none":
                    other = square(self.files - 1 - file if symmetry.startswith("rot") else file, rank)
                    cells.setdefault(other, piece.letter.lower())
            for at in self._squares(piece.squares[1]):
                cells[at] = piece.letter.lower()
        rows = []
        for rank in reversed(range(self.ranks)):
            row = "".join(cells.get(square(file, rank), " ") for file in range(self.files))
            rows.append(re.sub(" +", lambda run: str(len(run.group())), row))
        return "/".join(rows)

    def _piece(self, place: int, piece: _Piece, royal: bool) -> Iterator[str]:
        yield f'[pieces."{piece.letter}"]'
        yield f"name = {quoted(piece.name)}"
        yield f"move = {quoted(''.join(self._elements(piece)))}"
        if royal:
            yield "royal = true"
        if promotion := self._promotion(place, piece, royal):
            yield f"promotion = [{', '.join(promotion)}]"

    def _elements(self, piece: _Piece) -> Iterator[str]:
        """Yield the parts of a piece's moves in our letters, without those that we have no notation for."""
        passes = any("e" in re.sub(r"\[[^]]*\]", "", other.moves) for other in self.pieces)
        for match in re.finditer(r"\[[^\]]*\]|[a-z]*(?:\([^)]*\)|[A-Z@])\d*[A-Z]?\d*|.", piece.moves):
            element = match.group()
            if re.fullmatch(r"[a-z]*O\d*", element):
                continue
            if passes and re.fullmatch(r"[a-z]*n[a-z]*[DH]", element) and "nn" not in element:
                element = element.replace("n", "nn")
            if "i" in re.sub("[^a-z]", "", element) and not re.fullmatch(
                "[a-z]*f[a-z]*", re.sub("[^a-z]", "", element)
            ):
                self._say(f"that the {piece.name} makes the move {element} only until it has moved")
            if not _is_known(element):
                self._say(f"the move {element:.40} of the {piece.name}")
                continue
            yield element

    def _promotion(self, place: int, piece: _Piece, royal: bool) -> list[str]:
        zone = self._number("promoZone", 1)
        ranks = range(self.ranks - zone, self.ranks)
        squares = square_list(((file, rank) for file in range(self.files) for rank in ranks), self.files, self.ranks)
        if royal or place >= self._number("maxPromote", 1) or not zone:
            return []
        offset = self.values.get("promoOffset", "")
        if re.fullmatch("[0-9]{1,3}", offset):
            if place + int(offset) >= len(self.pieces):
                return []
            to = self.pieces[place + int(offset)].letter
            return [
                f'{{ to = "{to}", optional = {quoted(squares)} }}',
                f'{{ to = "{to}", optional = "all", from = {quoted(squares)} }}',
            ]
        named = re.findall("[A-Z]", self.values.get("promoChoice", ""))
        becomes = [letter for letter in named if letter in {other.letter for other in self.pieces}]
        if not becomes:
            royal_letter = self._royal().letter
            others = self.pieces[self._number("maxPromote", 1) :]
            becomes = [other.letter for other in others if other.letter != royal_letter]
            self._say("what promotes to which pieces, which the diagram does not give")
        becomes = [letter for letter in dict.fromkeys(becomes) if letter != piece.letter]
        return [f"{{ to = {quoted(' '.join(becomes))}, at = {quoted(squares)} }}"] if becomes else []

    def _castlings(self, royal: _Piece) -> list[tuple[str, tuple[str, str]]]:
        """Return the castlings with the corner pieces: the right, and the ways of the King and the Rook."""
        steps = [int(found) for found in re.findall(r"O(\d)", royal.moves)]
        homes = self._squares(royal.squares[0])
        if not steps or len(homes) != 1:
            return []
        home, found = homes[0], []
        file, rank = square_file(homes[0]), square_rank(home)
        standing = {at for piece in self.pieces for at in self._squares(piece.squares[0])}
        for right, corner, way in (("K", self.files - 1, 1), ("Q", 0, -1)):
            to = file + way * max(steps)
            row = {square(at, rank) for at in range(min(corner, file), max(corner, file) + 1)}
            if square(corner, rank) in standing and corner != file and 0 <= to < self.files and not row & self.holes:
                king = f"{square_name(home)} {square_name(square(to, rank))}"
                rook = f"{square_name(square(corner, rank))} {square_name(square(to - way, rank))}"
                found.append((right, (king, rook)))
        return found


def _is_known(moves: str) -> bool:
    """Return whether our notation has these moves."""
    text = f'[game]\nid = "one"\nboard = "3x3"\nstart = "k2/3/2K"\n[pieces.X]\nmove = {quoted(moves)}\n'
    return not any(fault.key == "pieces.X.move" for fault in _native.check(text, "one.toml"))
