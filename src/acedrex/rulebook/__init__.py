"""The special rules of a game in words, generated from its definition where its author gives no text.

Each rule has a key, the same as for the author's text in ``[game.rules]``.
"""

from __future__ import annotations

import functools
import re
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NotRequired, TypedDict, cast

from acedrex.rulebook.facts import Facts, Step
from acedrex.squares import square, square_file, square_name, square_rank

__all__ = ["KEYS", "Describer", "Facts", "area", "describe", "words"]


class Words(TypedDict):
    """The texts of a language: small numbers in words, and sentences by name, with placeholders in braces.

    English also has titles of rules; those of other languages are among the games' translations.
    """

    numbers: list[str]
    titles: NotRequired[dict[str, str]]
    sentences: dict[str, str]


#: The leaps of the King's jump, by atom.
LEAPS = {
    "D": {(0, 2), (2, 0), (0, -2), (-2, 0)},
    "A": {(2, 2), (2, -2), (-2, 2), (-2, -2)},
    "N": {(x, y) for x in (-2, -1, 1, 2) for y in (-2, -1, 1, 2) if abs(x) != abs(y)},
}


@functools.cache
def words(language: str) -> Words:
    """Return the texts of a language."""
    text = Path(__file__).with_name(f"{language}.toml").read_text(encoding="utf-8")
    return cast(Words, tomllib.loads(text))


def describe(facts: Facts, language: str, texts: Mapping[str, str]) -> dict[str, str]:
    """Return the author's texts by key, and generated sentences for all other rules.

    The rules are in the order of the author's texts; a generated one comes before the first text with a later key in
    :data:`KEYS`.
    """
    describer = Describer(facts, language, texts)
    generated = {key: " ".join(rule(describer)) for key, rule in RULES.items() if key not in texts}
    rules: dict[str, str] = {}
    for key, text in texts.items():
        if key in KEYS:
            early = [other for other in generated if KEYS.index(other) < KEYS.index(key)]
            rules |= {other: generated.pop(other) for other in early}
        rules[key] = text
    return {key: text for key, text in (rules | generated).items() if text or key in texts}


def area(squares: Iterable[int], files: int, language: str) -> str:
    """Describe a set of squares, as ranks or a block where possible.

    >>> area([*range(8), 19], 8, "en"), area([3, 4, 19, 20], 8, "en"), area([3, 5], 8, "en")
    ('rank 1 or d2', 'd1-e2', 'd1 or f1')
    """
    texts = words(language)["sentences"]
    at = sorted(set(squares), key=lambda at: (square_file(at), square_rank(at)))
    filled = Counter(map(square_rank, at))
    whole = sorted(rank for rank, count in filled.items() if count == files)
    parts = []
    if whole:
        run = len(whole) > 1 and whole[-1] - whole[0] + 1 == len(whole)
        numbers = [str(rank + 1) for rank in whole]
        listed = f"{numbers[0]}-{numbers[-1]}" if run else _join(numbers, texts["or"])
        parts.append(texts["ranks" if len(whole) > 1 else "rank"].format(ranks=listed))
    rest = [each for each in at if square_rank(each) not in whole]
    if len(rest) > 2 and rest == _block(rest[0], rest[-1]):
        parts.append(f"{square_name(rest[0])}-{square_name(rest[-1])}")
    else:
        parts += map(square_name, rest)
    return _join(parts, texts["or"])


def _block(first: int, last: int) -> list[int]:
    """Return the squares of a rectangle between two corners, file by file."""
    files, ranks = (range(part(first), part(last) + 1) for part in (square_file, square_rank))
    return [square(file, rank) for file in files for rank in ranks]


def _join(items: Sequence[str], last: str) -> str:
    return f"{', '.join(items[:-1])} {last} {items[-1]}" if len(items) > 1 else "".join(items)


class Describer:
    """Writes sentences about the rules of a game in a language."""

    def __init__(self, facts: Facts, language: str, texts: Mapping[str, str]) -> None:
        self.facts = facts
        self.language = language
        self.texts = texts
        self.words = words(language)["sentences"]
        self.names = {kind["letter"]: kind["name"] for kind in facts["kinds"]}
        self.royal = self.either(kind["name"] for kind in facts["kinds"] if kind["royal"])

    # Words.

    def sentence(self, name: str, **values: str) -> str:
        """Return a sentence; a value ``a_piece`` gets an article, and is also available capitalized as ``A_piece``."""
        values = {"royal": self.royal, "a_royal": self.royal, **values}
        for key in [key for key in values if key.startswith("a_")]:
            values[key] = self.article(values[key])
            values[key.capitalize()] = values[key][:1].upper() + values[key][1:]
        return self.words[name].format(**values)

    def article(self, names: str) -> str:
        """Return names with an indefinite article in English, or unchanged in other languages."""
        if self.language != "en":
            return names
        return ("an " if re.match("(?!Eu|One|Uni)[AEIOU]", names, re.IGNORECASE) else "a ") + names

    def either(self, names: Iterable[str], last: str = "or") -> str:
        """Join distinct names, with ``last`` before the last one."""
        return _join(list(dict.fromkeys(names)), self.words[last])

    def number(self, number: int) -> str:
        """Return a number, in words if it is small."""
        small = words(self.language)["numbers"]
        return small[number] if number < len(small) else str(number)

    def places(self, squares: Sequence[int]) -> str:
        """Describe White's squares, and Black's if they differ."""
        files, ranks = self.facts["files"], self.facts["ranks"]
        white = area(squares, files, self.language)
        if white == self.words["rank"].format(ranks=ranks):
            return self.words["last_rank"]
        mirrored = [square_file(at) + 16 * (ranks - 1 - square_rank(at)) for at in squares]
        black = area(mirrored, files, self.language)
        return white if black == white else self.sentence("both_sides", white=white, black=black)

    def kinds(self, letters: Iterable[str]) -> str:
        """Join the names of kinds of pieces; in English the first has an article."""
        return self.article(self.either(self.names[letter] for letter in letters))

    # The setup and turns.

    def setup(self) -> Iterator[str]:
        """Describe what is arranged before the game."""
        for group in self.facts["setup"]:
            counted = {letter: group["pieces"].count(letter) for letter in group["pieces"]}
            names = [self.names[letter] + (f" ({count})" if count > 1 else "") for letter, count in counted.items()]
            squares = self.either(map(square_name, group["squares"]), "and")
            yield self.sentence("setup", pieces=self.either(names, "and"), squares=squares)
            for letter, only in group["only"]:
                yield self.sentence("setup_only", piece=self.names[letter], squares=self.either(map(square_name, only)))
        if self.facts["setup"]:
            yield self.sentence("setup_mirror")

    def turn(self) -> Iterator[str]:
        """Describe how many moves a turn has."""
        turn = self.facts["turn"]
        if not self.facts["several"]:
            return
        ends = "_ends" if turn["may_end"] else ""
        if turn["moves"] is None:
            yield self.sentence("turn_royals" + ends)
        else:
            yield self.sentence("turn" + ends, number=self.number(turn["moves"]))
        if turn["once_each"]:
            yield self.sentence("once_each")
        if turn["ends_on_check"]:
            yield self.sentence("ends_on_check")
        yield self.sentence("turn_stuck")

    def first_turn(self) -> Iterator[str]:
        """Describe how long White's first turn is."""
        turn = self.facts["turn"]
        if self.facts["several"] and turn["moves"] is not None and turn["first"] is not None:
            name = "first_turn_one" if turn["first"] == 1 else "first_turn"
            yield self.sentence(name, number=self.number(turn["first"]))

    def command(self) -> Iterator[str]:
        """Describe which pieces command others."""
        command = self.facts["turn"]["command"]
        if not self.facts["several"] or command is None:
            return
        reach, royals = command
        names = {0: "command_self", 1: "command_next", 15: "command_unlimited"}
        yield self.sentence(names.get(reach, "command"), number=self.number(reach))
        if reach:
            yield self.sentence("command_royals" if royals else "command_others")

    def passing(self) -> Iterator[str]:
        """Describe when a turn may be passed."""
        if self.facts["turn"]["may_pass"]:
            yield self.sentence("pass_check" if self.facts["has_check"] else "pass")

    # Moves.

    def steps(self, key: str) -> Iterator[str]:
        """Describe the moves that only some squares allow, or that allow a capture en passant."""
        found: dict[tuple[str, str, tuple[int, int, bool] | None], list[str]] = {}
        for kind in self.facts["kinds"]:
            for step in kind["steps"]:
                if _step_key(step) == key:
                    group = (self.where(step), step["notation"], step["ahead"])
                    found.setdefault(group, []).append(kind["name"])
        for (where, notation, ahead), names in found.items():
            values = {"a_piece": self.either(names), "where": where, "Where": where[:1].upper() + where[1:]}
            if ahead is None:
                yield self.sentence("otherwise", notation=notation, **values)
            elif ahead[1] == 1:
                yield self.sentence("ahead_next", **values)
            else:
                low, high, over = ahead
                yield self.sentence("ahead_over" if over else "ahead", squares=self.distance(low, high), **values)

    def where(self, step: Step) -> str:
        """Describe from where a step is possible."""
        if step["squares"]:
            places = self.places(step["squares"])
            return self.sentence("where_first" if step["first"] else "where_squares", squares=places)
        return self.sentence("where_initial" if step["initial"] else "where_any")

    def distance(self, low: int, high: int) -> str:
        """Describe how far a step goes."""
        high = min(high, self.facts["ranks"] - 1)
        name = "distance_range"
        if low >= high:
            name = "distance"
        elif low == 1:
            name = "distance_up_to"
        elif high == low + 1:
            name = "distance_either"
        return self.sentence(name, low=self.number(low), number=self.number(high))

    def en_passant(self) -> Iterator[str]:
        """Describe which pieces capture en passant, and which can be captured so."""
        kinds, left = self.facts["kinds"], self.facts["en_passant_left"]
        captors = [kind["name"] for kind in kinds if kind["takes_en_passant"]]
        leaving = [
            kind["name"]
            for kind in kinds
            if any(step["first"] and {*step["squares"]} & {*left} for step in kind["steps"])
        ]
        passing = [kind["name"] for kind in kinds if any(step["track"] for step in kind["steps"])] or leaving
        if not captors or not passing:
            return
        enemy = self.either(captors)
        values = {"a_piece": self.either(passing), "an_enemy": f"an enemy {enemy}" if self.language == "en" else enemy}
        yield self.sentence("en_passant_turn" if self.facts["several"] else "en_passant", **values)
        if leaving:
            yield self.sentence("en_passant_left", a_piece=self.either(leaving), squares=self.places(left))

    def castling(self) -> Iterator[str]:
        """Describe the castling moves."""
        castlings = self.facts["castlings"]
        if not castlings:
            return
        ways = []
        for castling in castlings:
            king, king_to, rook, rook_to = map(square_name, (*castling["king"], *castling["rook"]))
            partner = self.names[castling["partner"]]
            ways.append(
                self.sentence("castling_way", rook=partner, king=king, king_to=king_to, rook_from=rook, rook_to=rook_to)
            )
        yield self.sentence("castling", ways=self.words["ways_or"].join(ways))

    def jump(self) -> Iterator[str]:
        """Describe the King's jump."""
        if self.facts["jump"] is None:
            return
        steps = set(self.facts["jump"])
        atoms = [atom for atom, leaps in LEAPS.items() if leaps <= steps]
        if steps == set().union(*(LEAPS[atom] for atom in atoms)):
            leaps = self.either(self.words[f"jump_{atom}"] for atom in atoms)
        else:
            leaps = self.sentence("jump_some", leaps=", ".join(map(str, sorted(steps))))
        yield self.sentence("jump", leaps=leaps)
        yield self.sentence("jump_safe_N" if steps & LEAPS["N"] else "jump_safe")

    def zones(self) -> Iterator[str]:
        """Describe the pieces that are confined to a zone; the author's text may have the zone's name as its key."""
        found: dict[tuple[int, ...], list[str]] = {}
        for kind in self.facts["kinds"]:
            if kind["within"] and kind["zone"] not in self.texts:
                found.setdefault(tuple(kind["within"]), []).append(kind["name"])
        for squares, names in found.items():
            yield self.sentence("zone", a_piece=self.either(names), squares=self.places(squares))

    def facing(self) -> Iterator[str]:
        """Describe the pieces that attack a royal piece along a line on which they do not capture."""
        for kind in self.facts["kinds"]:
            if kind["sees"] == "fR" and kind["royal"]:
                yield self.sentence("facing")
            elif kind["sees"]:
                yield self.sentence("sees", a_piece=kind["name"], notation=kind["sees"])

    def promotion(self) -> Iterator[str]:
        """Describe which pieces promote, where and to what."""
        found: dict[tuple[tuple[str, ...], str], list[str]] = {}
        for kind in self.facts["kinds"]:
            if kind["promotes_to"]:
                found.setdefault((tuple(kind["promotes_to"]), kind["promotes_by"]), []).append(kind["name"])
        at, optional = self.facts["promotion_at"], self.facts["promotion_optional"]
        if found and not at and not optional:
            yield self.sentence("promotion_never")
            return
        places = {"at": self.places(at), "optional": self.places(optional)}
        name = "promotion" + ("" if not optional else "_choice" if at else "_optional")
        if len(found) > 1:
            yield self.sentence(f"{name}_all", **places)
            name = "promotion_to"
        for (kinds, notation), names in found.items():
            yield self.sentence(name, a_piece=self.either(names), kinds=self.kinds(kinds), **places)
            if notation:
                yield self.sentence("promotes_by", notation=notation)
        if found and self.facts["promotion_limited"]:
            yield self.sentence("promotion_limit")

    # The end.

    def end(self) -> Iterator[str]:
        """Describe how the game is won."""
        if self.facts["has_check"]:
            yield self.sentence("checkmate")
        else:
            yield self.sentence("capture" if self.facts["royals"] == 1 else "capture_all")

    def check(self) -> Iterator[str]:
        """Describe check in games with several moves per turn."""
        if self.facts["has_check"] and self.facts["several"]:
            yield self.sentence("check")

    def stalemate(self) -> Iterator[str]:
        """Describe what happens without a legal move; nothing in games where turns may be passed."""
        facts = self.facts
        if facts["turn"]["may_pass"]:
            return
        name = "stalemate" if facts["has_check"] else "stuck"
        if facts["stalemate_loses"]:
            name += "_loses"
        elif facts["four_points"]:
            name += "_four"
        yield self.sentence(name)

    def four_points(self) -> Iterator[str]:
        """Describe how the four points are shared."""
        if self.facts["four_points"]:
            yield self.sentence("four_points")

    def bare_king(self) -> Iterator[str]:
        """Describe what may be claimed against a bare King."""
        claim, never = self.facts["bare_king"]
        if claim:
            name = "bare_king_never" if never else "bare_king"
            yield self.sentence(
                name, claim=self.kinds(claim), never=self.either(self.names[letter] for letter in never)
            )
            yield self.sentence("played_on")

    def draws(self) -> Iterator[str]:
        """Describe the draws by repetition, without progress, and in dead positions."""
        facts = self.facts
        claim, end = facts["repetition"]
        yield self.sentence("repetition" + _limit(claim, end), claim=self.times(claim), end=self.times(end))
        if facts["several"] and (claim or end):
            yield self.sentence("repetition_turn")
        claim, end = facts["quiet"]
        yield self.sentence(
            "quiet" + _limit(claim, end), claim=self.moves(claim), end=self.moves(end), progress=self.progress()
        )
        if facts["four_points"]:
            yield self.sentence("dead_four")
        elif facts["has_check"] and not facts["several"]:
            yield self.sentence("dead" if facts["dead_positions"] else "dead_never")

    def times(self, count: int) -> str:
        """Return a number of times in words."""
        return self.sentence({1: "once", 2: "twice"}.get(count, "times"), number=self.number(count))

    def moves(self, count: int) -> str:
        """Return a number of half-moves as moves of each side; as turns, where a turn has several moves."""
        noun = "turns" if self.facts["several"] else "moves"
        if count == 1:
            return self.words[f"{noun}_one"]
        if count > 2 and count % 2 == 0:
            return self.sentence(f"{noun}_each", number=self.number(count // 2))
        return self.sentence(f"{noun}_both", number=self.number(count))

    def progress(self) -> str:
        """Return what resets the half-move clock, in words."""
        kinds = self.facts["kinds"]
        parts = [self.words["no_capture"]]
        if any(kind["promotes_to"] for kind in kinds):
            parts.append(self.words["no_promotion"])
        soldiers = self.either(kind["name"] for kind in kinds if kind["soldier"])
        if soldiers:
            parts.append(self.sentence("no_soldier", a_piece=soldiers))
        return self.either(parts, "nor")


def _step_key(step: Step) -> str:
    if step["first"] or (step["squares"] and step["track"]):
        return "first_move"
    if step["squares"]:
        return "extra_moves"
    if step["double"]:
        return "double_step"
    return "long_step" if step["ahead"] else "first_move"


def _limit(claim: int, end: int) -> str:
    return "" if claim and end else "_claim" if claim else "_end" if end else "_never"


#: The function that describes each rule, in the order of the rules.
RULES: dict[str, Callable[[Describer], Iterator[str]]] = {
    "setup": Describer.setup,
    "turn": Describer.turn,
    "first_turn": Describer.first_turn,
    "command": Describer.command,
    "pass": Describer.passing,
    "double_step": lambda describer: describer.steps("double_step"),
    "long_step": lambda describer: describer.steps("long_step"),
    "first_move": lambda describer: describer.steps("first_move"),
    "extra_moves": lambda describer: describer.steps("extra_moves"),
    "en_passant": Describer.en_passant,
    "castling": Describer.castling,
    "jump": Describer.jump,
    "zones": Describer.zones,
    "facing": Describer.facing,
    "promotion": Describer.promotion,
    "end": Describer.end,
    "check": Describer.check,
    "stalemate": Describer.stalemate,
    "four_points": Describer.four_points,
    "bare_king": Describer.bare_king,
    "draws": Describer.draws,
}
#: The keys of the rules that a definition can state.
KEYS = tuple(RULES)
