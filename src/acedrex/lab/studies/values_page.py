"""The page about what pieces are worth."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from acedrex.game import PieceType
from acedrex.lab.handicaps import LARGEST, MOST_PIECES, MOST_SOLDIERS, NULL, PIECES_KEPT, SOLDIERS_KEPT
from acedrex.lab.studies.plots import Interval, Series, intervals, scatter
from acedrex.lab.studies.sample import ENDED_EARLY, how_to_repeat, percent
from acedrex.lab.studies.values import MOST_UNCERTAIN, SAMPLES, Estimate, Scale, Values, plural

if TYPE_CHECKING:
    from acedrex.lab.studies.page import Page

__all__ = ["fill_page"]


def fill_page(page: Page, studies: Sequence[Values]) -> None:
    """Write what jobs of one game with different nodes say, the one with most work in full."""
    studies = sorted(studies, key=lambda one: one.plan.nodes)
    main = max(studies, key=lambda one: one.games * one.plan.nodes)
    game, unit = main.plan.game, main.unit
    names = {kind.letter: f"{kind.name} {kind.letter}" for kind in game.pieces}
    order = sorted(main.together.slopes, key=lambda letter: -main.together.slopes[letter])
    shown = [names[letter] for letter in order]
    # Our own values come from such a study.
    sources = list(dict.fromkeys(source for kind in game.pieces for source in kind.values if source != "acedrex"))
    page.text(
        f"What is each piece of {game.name} worth? The engine played {main.games:,} games against itself with "
        f"{main.plan.nodes:,} nodes a turn. In {NULL - 1} of {NULL} games the sides lacked different pieces, drawn at "
        "random. One regression of the results on the differences gives all values together. Brackets and ± are 95 % "
        "intervals."
    )
    page.heading("Values")
    pawns = Scale(unit, 1.0)
    scales = [(pawns, main.together.values), (main.yardstick or pawns, main.together.scaled)]
    scales = [(one, by) for one, by in scales if by]
    if not main.together.values:
        page.text(
            f"One {unit.name} more scores {percent(main.together.shares[unit.letter])}: so few games do not say well "
            f"enough what a {unit.name} is worth to count other pieces in {plural(unit)}."
        )
    page.table(
        ["Piece", *(one.words for one, _ in scales), "One more scores", *(SOURCES.get(one, one) for one in sources)],
        [
            [names[letter], *(_words(by.get(letter)) for _, by in scales), percent(main.together.shares[letter])]
            + [f"{known[source]:g}" if source in known else "" for source in sources]
            for letter in order
            for known in (game.piece(letter).values,)
        ],
    )
    page.text(
        "*One more scores*: what the model predicts with one piece more of this kind and otherwise equal armies, even "
        "if no game began so."
    )
    scale, (values,) = _scale(main, [main.together])
    series = [Series("measured", [values.get(letter) for letter in order])]
    series += [
        Series(SOURCES.get(source, source), points)
        for source in sources
        if (points := _listed(scale, source, [game.piece(letter) for letter in order]))
    ]
    page.plot(intervals(shown, series, scale.words), "Values with intervals")
    page.heading("Opening and endgame")
    scale, phases = _scale(main, [main.whole, main.small])
    page.text(
        "Half of the pairs begin with whole armies. In the other half both sides first lose the same pieces: a random "
        f"{100 - PIECES_KEPT[1]} to {100 - PIECES_KEPT[0]} % of the pieces"
        f"{_and(unit, f'up to {100 - SOLDIERS_KEPT[0]} % of the')}. The handicap comes on top. "
        f"With whole armies one {unit.name} more scores {percent(main.whole.shares[unit.letter])}, with small ones "
        f"{percent(main.small.shares[unit.letter])}. The table {scale.told}."
    )
    page.table(
        ["Piece", "Opening", "Endgame"],
        [[names[letter], *(_words(phase.get(letter)) for phase in phases)] for letter in order],
    )
    both = zip(("opening", "endgame"), phases, strict=True)
    page.plot(
        intervals(shown, [Series(name, [phase.get(letter) for letter in order]) for name, phase in both], scale.words),
        "Opening and endgame values",
    )
    if len(studies) > 1:
        _levels(page, studies, names, order)
    page.heading("Checks")
    page.text(
        f"**No handicap.** In {main.null_games:,} games both sides had the same pieces. The side that had White in the "
        f"first game of each pair scored {percent(main.null)}; it should score 50 %. In all pairs, "
        f"whose handicaps favour either side equally often, it scored {percent(main.all_pairs)}. Without a handicap "
        f"White scored {percent(main.white)}."
    )
    scale, checked = _scale(main, [main.together, main.quiet])
    page.text(
        "**Quiet positions.** The same regression on up to four quiet positions of each game. The players chose "
        "these positions, so they are less random than handicaps; they show whether the values hold during a game. "
        f"The table {scale.told}."
    )
    page.table(
        ["Piece", "Handicaps", "Quiet positions"],
        [[names[letter], *(_words(one.get(letter)) for one in checked)] for letter in order],
    )
    page.text("**Predictions.** The games in ten groups by the share of the points that the values predict for White.")
    page.plot(scatter(main.calibration, "predicted for White, %", "scored by White, %"), "Predicted and scored shares")
    _method(page, studies, main, order)


def _levels(page: Page, studies: Sequence[Values], names: dict[str, str], order: Sequence[str]) -> None:
    """Compare numbers of nodes: by the yardstick where possible, since a Rook is known better than a Pawn."""
    estimates, unit, yardstick = [one.together for one in studies], studies[0].unit, studies[0].yardstick
    if any(one.yardstick != yardstick or not one.together.scaled for one in studies):
        yardstick = None
    scale = yardstick or Scale(unit, 1.0)
    levels = [one.scaled if yardstick else one.values for one in estimates]
    nodes = [f"{one.plan.nodes:,} nodes" for one in studies]
    page.heading("Stronger and weaker play")
    page.text(f"The table {scale.told}. *All pairs* is the check below; it should be 50 %.")
    page.table(
        ["Piece", *nodes],
        [[names[letter], *(_words(level.get(letter)) for level in levels)] for letter in order]
        + [
            ["Games", *(f"{one.games:,}" for one in studies)],
            [f"One {unit.name} more scores", *(percent(one.shares[unit.letter]) for one in estimates)],
            ["All pairs", *(percent(one.all_pairs) for one in studies)],
        ],
    )
    series = [Series(name, [level.get(letter) for letter in order]) for name, level in zip(nodes, levels, strict=True)]
    page.plot(intervals([names[letter] for letter in order], series, scale.words), "Values by nodes a turn")


def _scale(main: Values, estimates: Sequence[Estimate]) -> tuple[Scale, list[dict[str, Interval]]]:
    """Return the values of estimates on one scale, the yardstick if more of them have values by that."""
    pawns, rooks = [one.values for one in estimates], [one.scaled for one in estimates]
    if main.yardstick and sum(map(bool, rooks)) > sum(map(bool, pawns)):
        return main.yardstick, rooks
    return Scale(main.unit, 1.0), pawns


def _and(unit: PieceType, many: str) -> str:
    """Return how many soldiers are missing too, in a game that has some."""
    return f" and {many} {plural(unit)}" if unit.is_soldier else ""


def _listed(scale: Scale, source: str, kinds: Sequence[PieceType]) -> list[Interval | float | None]:
    """Return the values of a source on a scale; nothing if it does not value the piece that is the scale."""
    whole = scale.kind.values.get(source)
    if not whole:
        return []
    known = [kind.values.get(source) for kind in kinds]
    return [None if one is None else one / whole * scale.worth for one in known]


#: What the sources of values in definitions are called.
SOURCES = {"inventor": "inventor", "zillions": "Zillions", "value": "definition"}


def _method(page: Page, studies: Sequence[Values], main: Values, order: Sequence[str]) -> None:
    plan, unit = main.plan, main.unit
    needed = main.games * (main.together.uncertain / MOST_UNCERTAIN) ** 2
    enough = (
        f"To count in {plural(unit)} takes about {int(np.ceil(needed / 100) * 100):,} games." if needed < 1e9 else ""
    )
    if values := main.together.values:
        widest = max(order, key=lambda letter: _half(values[letter]))
        half = _half(values[widest])
        wanted = int(np.ceil(main.games * (half / 0.5) ** 2 / 100) * 100)
        enough = f"The widest interval, of the {plan.game.piece(widest).name}, is ±{half:.2f}; "
        enough += (
            f"that is within half a {unit.name}."
            if half <= 0.5
            else f"half a {unit.name} takes about {wanted:,} games."
        )
    page.heading("How it was measured")
    endings = ", ".join(
        f"{ending.replace('_', ' ')} {100 * n / main.games:.0f} %" for ending, n in main.endings.most_common()
    )
    page.text(
        f"One {unit.name} more scores {percent(main.together.shares[unit.letter])} in an otherwise even game. The "
        f"smaller the lead over 50 %, the more games are needed: half the lead takes four times as many. {enough}"
    )
    royals = " or ".join(plan.game.piece(letter).name for letter in order if plan.game.piece(letter).royal)
    instead = f"; where one side lacked a {royals}, the other lacked more pieces instead" if royals else ""
    page.text(
        f"Each side lacked up to {MOST_PIECES} pieces{_and(unit, str(MOST_SOLDIERS))} of kinds drawn at "
        f"random{instead}. Handicaps of more than {LARGEST:.0f} {plural(unit)} by the engine's own values were drawn "
        "again. One kind was drawn first, and one side had more of it, so that games tell as much about rare kinds as "
        f"about others. The second game of a pair has the colours swapped. {plan.opening} random moves precede the "
        "engine's. The model is an ordinal logistic regression (loss, draw, win) with terms for White's first move and "
        "for how often games are drawn, separate for whole and for small armies; the intervals are from "
        f"{SAMPLES} bootstrap samples of whole pairs. A value is what the piece is worth at the start to this engine; "
        "pairs of pieces count as the sum of both."
    )
    page.text(f"The games ended by: {endings}. {ENDED_EARLY}")
    how_to_repeat(page, "values", [(one.games, one.plan) for one in studies])


def _half(interval: Interval) -> float:
    return (interval.high - interval.low) / 2


def _words(interval: Interval | None) -> str:
    """Return an estimate for a table; digits that the interval does not support are left out."""
    if interval is None:
        return "too few games"
    if interval.high - interval.low < 1e-9:
        return f"{interval.value:.0f}"
    value, low, high = (f"{one:z.1f}" for one in (interval.value, interval.low, interval.high))
    return f"{value} [{low}, {high}]"
