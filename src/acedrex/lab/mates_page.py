"""The page of a study of mates, in Markdown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from acedrex.game import Game
from acedrex.lab.records import MatesClass, MatesReport

__all__ = ["Found", "colors", "disagreements", "verdict", "write_page"]

#: The shares of won positions from which a set wins nearly always, mostly, or at least sometimes.
NEARLY, MOSTLY, SOMETIMES = 0.99, 0.5, 0.01
#: The most moves of a win that counts as mate at hand.
AT_HAND = 2
#: The head of a table.
HEAD = "| King and | verdict | longest win | won | won, bare King to move |\n| --- | --- | ---: | ---: | ---: |\n"


@dataclass(frozen=True, slots=True)
class Found:
    """What a study has found so far."""

    game: Game
    version: str
    solved: Sequence[tuple[tuple[str, ...], MatesReport]]
    """The letters of each set that is solved, and what was found about it."""
    missing: Sequence[tuple[str, ...]]
    left_out: Mapping[tuple[str, ...], str]
    """The sets that cannot be solved, with the reason."""
    sets: int
    """How many sets there are to solve."""

    def rows(self) -> list[tuple[tuple[str, ...], MatesClass]]:
        """Return each class of positions of each set."""
        return [(letters, found) for letters, report in self.solved for found in report["classes"]]

    def name(self, letters: tuple[str, ...], found: MatesClass | None = None) -> str:
        """Return the names of the pieces of a set, with how they stand if it matters."""
        names = " and ".join(self.game.piece(letter).name for letter in letters)
        return names + (colors(found) if found else "")


def verdict(found: MatesClass) -> str:
    """Return in a word or two whether the side with the pieces, to move, wins.

    ``always``: every position; ``nearly always``: 99 %; ``mostly``: half; ``fortress``: 1 %, and in most the bare King
    holds; ``rarely``: fewer; ``cannot``: none, but for mates in two moves.
    """
    positions, won = found["to_move"]
    if not won or (won < positions and len(found["by_moves"]) - 1 <= AT_HAND):
        return "cannot"
    if won == positions:
        return "always"
    named = {"nearly always": NEARLY, "mostly": MOSTLY, "fortress": SOMETIMES}
    return next((name for name, least in named.items() if won >= least * positions), "rarely")


def colors(found: MatesClass) -> str:
    """Return how the pieces of a class stand, if it matters."""
    if found["same_color"] is None:
        return ""
    return " (same colour)" if found["same_color"] else " (different colours)"


def write_page(study: Found) -> str:
    """Return what was found about the sets of a game, as a page in Markdown."""
    game = study.game
    checked = sum(report["checked"] for _, report in study.solved)
    parts = [
        f"# Mates against a bare King: {game.name}\n",
        f"Solved on the whole board of {game.files}x{game.ranks} by `acedrex lab mates {game.spec}`: "
        f"{len(study.solved):,} of {study.sets:,} sets, with {checked:,} positions compared with the legal moves. "
        f"[What the columns mean](mates.md). Acedrex {study.version}, rules `{game.rules_hash}`.\n",
    ]
    rows = study.rows()
    for title, length in (("One piece", 1), ("Two pieces", 2)):
        chosen = [row for row in rows if len(row[0]) == length]
        if chosen:
            table = "".join(f"| {study.name(*row)} | {_row(row[1])} |\n" for row in chosen)
            parts.append(f"## {title}\n\n{HEAD}{table}")
    longest = [
        f"- {study.name(letters, found)}, {len(found['by_moves']) - 1} moves: `{found['longest']}`\n"
        for letters, found in rows
        if verdict(found) != "cannot"
    ]
    if longest:
        parts.append(f"## Longest wins\n\nIn each position White is to move.\n\n{''.join(longest)}")
    parts.append(f"## Dead positions\n\n{_dead(study)}")
    if left := [*_missing(study)]:
        parts.append(f"## Open\n\n{''.join(left)}")
    return "\n".join(parts)


def disagreements(study: Found) -> list[str]:
    """Return where the core's table of dead positions and the solutions disagree, in sentences."""
    said = []
    for letters, found in study.rows():
        name, (dead, won) = study.name(letters, found), found["dead"]
        if won:
            said.append(f"{name}: {won:,} positions are dead for the core, and won: `{found['longest']}`.")
        if not dead and not found["mates"] and not found["to_move"][1]:
            said.append(f"{name}: no mate exists, but the core calls no position dead, so that the game goes on.")
    return said


def _dead(study: Found) -> str:
    dead = [study.name(*row) for row in study.rows() if row[1]["dead"][0]]
    if not dead:
        text = "The core calls none of these sets dead.\n"
    else:
        text = f"The core calls these dead, a draw at once: {'; '.join(dead)}.\n"
    said = disagreements(study)
    if not said:
        return f"{text}\nIn none of their positions is there a win, and in every other set there are mates or wins.\n"
    return f"{text}\nThe solutions differ from the core:\n\n" + "".join(f"- {sentence}\n" for sentence in said)


def _missing(study: Found) -> Iterator[str]:
    if study.missing:
        names = "; ".join(study.name(letters) for letters in study.missing)
        yield f"- Not solved yet, in the order of work: {names}.\n"
    reasons: dict[str, list[str]] = {}
    for letters, reason in study.left_out.items():
        reasons.setdefault(reason, []).append(study.name(letters))
    for reason, names_left in reasons.items():
        yield f"- Left out, since {reason}: {'; '.join(names_left)}.\n"


def _row(found: MatesClass) -> str:
    moves = len(found["by_moves"]) - 1
    cells = [verdict(found), str(moves) if moves > 0 else "", _share(found["to_move"]), _share(found["bare_to_move"])]
    return " | ".join(cells)


def _share(pair: tuple[int, int]) -> str:
    """A share in per cent, rounded down, so that 100 % means all."""
    positions, won = pair
    if not won:
        return "0 %"
    if won == positions:
        return "100 %"
    return f"{max(1, won * 10_000 // positions) / 100:.2f} %" if won * 10_000 >= positions else "< 0.01 %"
