"""What pieces are worth, from games with random handicaps."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from acedrex import _native
from acedrex.errors import Error
from acedrex.game import Game, PieceType
from acedrex.lab import ordinal
from acedrex.lab.handicaps import (
    LARGEST,
    MOST_PIECES,
    MOST_SOLDIERS,
    PIECES_KEPT,
    SOLDIERS_KEPT,
    Handicaps,
    is_null,
    is_small,
)
from acedrex.lab.studies.plots import Interval, Series, intervals, scatter
from acedrex.lab.studies.sample import Sample, percent, share_interval, used_part

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from acedrex.lab.studies.page import Page

__all__ = ["Estimate", "Values", "estimate_values", "fill_page"]

#: Samples of the bootstrap, and its seed.
SAMPLES, SEED = 400, 1
#: The quiet positions that a game contributes to the check.
QUIET = 4
#: Pieces are counted in a kind if its own slope is known this well: within half of it.
MOST_UNCERTAIN = 0.5
#: The fewest games from which values are estimated.
LEAST_GAMES = 100


@dataclass(frozen=True, slots=True)
class Estimate:
    """The values of one regression."""

    games: int
    slopes: dict[str, float]
    """By letter, on the logistic scale."""
    uncertain: float
    """How far below its estimate the slope of a unit may be, as a share of it."""
    values: dict[str, Interval]
    """By letter, in units (Pawns); empty if too few games show what a unit is worth."""
    scaled: dict[str, Interval]
    """By letter, with a Rook worth five; empty if the game has no Rook, or as above."""
    unit_share: Interval
    """The share of the points that one unit more is worth in an otherwise even game, from 0 to 1."""


@dataclass(frozen=True, slots=True)
class Values:
    """All that a job of handicaps says about values."""

    plan: Handicaps
    games: int
    unit: PieceType
    endings: Counter[str]
    null: Interval
    """The share of the side that began the first game of a pair, without a handicap."""
    null_games: int
    all_pairs: Interval
    """The same of all pairs: handicaps favour either side equally often."""
    white: Interval
    """White's share without a handicap."""
    together: Estimate
    whole: Estimate
    small: Estimate
    quiet: Estimate
    calibration: list[tuple[float, Interval]]
    """By predicted share in per cent, the share scored."""


def unit_of(game: Game) -> PieceType:
    """Return the kind in which values are counted: the soldier of which there are most, or else the commonest kind."""
    letters = Counter(token.upper() for token in _tokens(game.start_fen))
    kinds = [kind for kind in game.pieces if not kind.royal and letters[kind.letter]]
    if not kinds:
        raise Error(f"{game.name} starts without pieces that could be left out")
    return max(kinds, key=lambda kind: (kind.is_soldier, letters[kind.letter]))


def _tokens(fen: str) -> list[str]:
    return re.findall(r"[A-Za-z]['!]?", fen.split()[0])


def estimate_values(sample: Sample, report: Callable[[str], None] = lambda line: None) -> Values:
    """Estimate values from the finished games of a job.

    :raises Error: if there are too few games.
    """
    plan = sample.plan
    assert isinstance(plan, Handicaps)
    if len(sample) < LEAST_GAMES:
        raise Error(f"{len(sample)} games are too few to estimate values; at least {LEAST_GAMES} are needed")
    game, unit = plan.game, unit_of(plan.game)
    pairs = sample.numbers // 2
    small = np.fromiter((is_small(int(pair)) for pair in pairs), bool, len(pairs))
    null = np.fromiter((is_null(int(pair)) for pair in pairs), bool, len(pairs))
    whole, columns = np.ones(len(sample), bool), _columns(game, sample.differences)

    def estimate(name: str, chosen: NDArray[np.bool_]) -> Estimate:
        rows = _Rows(sample.differences[chosen], sample.results[chosen], small[chosen], pairs[chosen])
        return _estimate(game, unit, columns, rows, lambda done: report(f"{name}: {done} of {SAMPLES} samples"))

    # A piece more when everything is decided says nothing about its value.
    worth = np.array(_native.piece_values(game), np.float64)
    undecided = np.abs(sample.quiet @ worth) <= LARGEST * worth[unit.id]
    games = sample.quiet_games[undecided]
    quiet = _Rows(sample.quiet[undecided], sample.results[games], small[games], pairs[games])
    side = np.where(sample.numbers % 2 == 0, sample.shares, 1.0 - sample.shares)
    together = estimate("together", whole)
    return Values(
        plan=plan,
        games=len(sample),
        unit=unit,
        endings=sample.endings,
        null=share_interval(side[null], pairs[null]),
        null_games=int(null.sum()),
        all_pairs=share_interval(side, pairs),
        white=share_interval(sample.shares[null], sample.numbers[null]),
        together=together,
        whole=estimate("whole armies", ~small),
        small=estimate("small armies", small),
        quiet=_estimate(game, unit, columns, quiet, lambda done: report(f"quiet: {done} of {SAMPLES} samples")),
        calibration=_calibration(sample, columns, small),
    )


@dataclass(frozen=True, slots=True)
class _Rows:
    """What is regressed."""

    differences: NDArray[np.float64]
    results: NDArray[np.intp]
    small: NDArray[np.bool_]
    clusters: NDArray[np.intp]


def _columns(game: Game, differences: NDArray[np.float64]) -> list[int]:
    """Return the kinds whose numbers ever differ."""
    return [number for number in range(len(game.pieces)) if differences[:, number].any()]


def _design(rows: _Rows, columns: Sequence[int]) -> tuple[NDArray[np.float64], NDArray[np.intp]]:
    """Return the matrix, the last columns of which are White's first move in each group, and the groups."""
    _, groups = np.unique(rows.small, return_inverse=True)
    return np.concatenate([rows.differences[:, columns], np.eye(groups.max() + 1)[groups]], axis=1), groups


def _estimate(game: Game, unit: PieceType, columns: list[int], rows: _Rows, report: Callable[[int], None]) -> Estimate:
    x, groups = _design(rows, columns)
    letters = [game.pieces[number].letter for number in columns]
    if unit.letter not in letters:
        raise Error(f"no game has more of {unit.name} on one side: more games are needed")
    model = ordinal.fit(x, rows.results, groups)
    samples = ordinal.bootstrap(x, rows.results, groups, rows.clusters, samples=SAMPLES, seed=SEED, report=report)
    at = letters.index(unit.letter)
    rook = next((number for number, column in enumerate(columns) if game.pieces[column].move == "R"), None)

    def share(model: ordinal.Fit) -> float:
        step = np.zeros((len(model.bands), x.shape[1]))
        step[:, at] = 1.0
        chances = ordinal.probabilities(model, step, np.arange(len(model.bands)))
        return float(np.average(chances @ [0.0, 0.5, 1.0], weights=np.bincount(groups)))

    def uncertain(by: int) -> float:
        slope = model.slopes[by]
        low = np.percentile([one.slopes[by] for one in samples], 2.5)
        return float((slope - low) / slope) if slope > 0 else float("inf")

    def divided(by: int, times: float) -> dict[str, Interval]:
        drawn = np.array([one.slopes for one in samples])
        if uncertain(by) > MOST_UNCERTAIN:
            return {}  # a ratio to what may be nothing says nothing
        values = times * model.slopes[: len(letters)] / model.slopes[by]
        low, high = np.percentile(times * drawn[:, : len(letters)] / drawn[:, by, None], [2.5, 97.5], axis=0)
        return {letter: Interval(float(values[k]), float(low[k]), float(high[k])) for k, letter in enumerate(letters)}

    shares = np.percentile([share(one) for one in samples], [2.5, 97.5])
    return Estimate(
        games=len(rows.results),
        uncertain=uncertain(at),
        slopes=dict(zip(letters, model.slopes.tolist(), strict=False)),
        values=divided(at, 1.0),
        scaled={} if rook is None else divided(rook, 5.0),
        unit_share=Interval(share(model), float(shares[0]), float(shares[1])),
    )


def _calibration(
    sample: Sample, columns: list[int], small: NDArray[np.bool_], bins: int = 10
) -> list[tuple[float, Interval]]:
    """Compare predicted and scored shares in groups of games of equal size."""
    rows = _Rows(sample.differences, sample.results, small, sample.numbers // 2)
    x, groups = _design(rows, columns)
    predicted = ordinal.probabilities(ordinal.fit(x, rows.results, groups), x, groups) @ [0.0, 0.5, 1.0]
    found = []
    for part in np.array_split(np.argsort(predicted, kind="stable"), bins):
        scored = share_interval(sample.shares[part], sample.numbers[part])
        centre = Interval(100 * scored.value, 100 * scored.low, 100 * scored.high)
        found.append((float(100 * predicted[part].mean()), centre))
    return found


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
        f"What is each piece of {game.name} worth in {_plural(unit)}? The engine played {main.games:,} games against "
        f"itself with {main.plan.nodes:,} nodes a turn. In each game both sides lacked random pieces. One regression "
        "of the results on the differences gives all values together. Brackets and ± are 95 % intervals."
    )
    page.heading("Values")
    found = [(words, by) for words, by in ((_plural(unit), main.together.values), (ROOK, main.together.scaled)) if by]
    if not main.together.values:
        page.text(
            f"One {unit.name} more scores {percent(main.together.unit_share)}: so few games do not say well enough "
            f"what a {unit.name} is worth to count other pieces in {_plural(unit)}."
        )
    page.table(
        ["Piece", *(words for words, _ in found), *(SOURCES.get(source, source) for source in sources)],
        [
            [names[letter], *(_words(by.get(letter)) for _, by in found)]
            + [f"{known[source]:g}" if source in known else "" for source in sources]
            for letter in order
            for known in (game.piece(letter).values,)
        ],
    )
    words, (values,) = _scale(unit, [main.together])
    series = [Series("measured", [values.get(letter) for letter in order])]
    series += [
        Series(SOURCES.get(source, source), points)
        for source in sources
        if (points := _listed(game, unit, source, order, in_rooks=words == ROOK))
    ]
    page.plot(intervals(shown, series, words), "Values with intervals")
    page.heading("Opening and endgame")
    words, phases = _scale(unit, [main.whole, main.small])
    page.text(
        "Half of the pairs begin with the whole armies, half with small ones: of both, at random "
        f"{100 - PIECES_KEPT[1]} to {100 - PIECES_KEPT[0]} % of the pieces"
        f"{_and(unit, f'up to {100 - SOLDIERS_KEPT[0]} % of the')} are missing. "
        f"With whole armies one {unit.name} more scores {percent(main.whole.unit_share)}, with small ones "
        f"{percent(main.small.unit_share)}. The table {_counted(words)}."
    )
    page.table(
        ["Piece", "Opening", "Endgame"],
        [[names[letter], *(_words(phase.get(letter)) for phase in phases)] for letter in order],
    )
    both = zip(("opening", "endgame"), phases, strict=True)
    page.plot(
        intervals(shown, [Series(name, [phase.get(letter) for letter in order]) for name, phase in both], words),
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
    words, checked = _scale(unit, [main.together, main.quiet])
    page.text(
        "**Quiet positions.** The same regression on up to four quiet positions of each game. The players chose "
        "these positions, so they are less random than handicaps; they show whether the values hold during a game. "
        f"The table {_counted(words)}."
    )
    page.table(
        ["Piece", "Handicaps", "Quiet positions"],
        [[names[letter], *(_words(one.get(letter)) for one in checked)] for letter in order],
    )
    page.text("**Predictions.** The games in ten groups by the share of the points that the values predict for White.")
    page.plot(scatter(main.calibration, "predicted for White, %", "scored by White, %"), "Predicted and scored shares")
    _method(page, studies, main, order)


def _levels(page: Page, studies: Sequence[Values], names: dict[str, str], order: Sequence[str]) -> None:
    """Compare numbers of nodes: in Rooks where possible, since a Rook is known better than a Pawn."""
    estimates = [one.together for one in studies]
    words, levels = _scale(studies[0].unit, estimates)
    if all(one.scaled for one in estimates):
        words, levels = ROOK, [one.scaled for one in estimates]
    nodes = [f"{one.plan.nodes:,} nodes" for one in studies]
    page.heading("Stronger and weaker play")
    page.text(f"The table {_counted(words)}. *All pairs* is the check below; it should be 50 %.")
    page.table(
        ["Piece", *nodes],
        [[names[letter], *(_words(level.get(letter)) for level in levels)] for letter in order]
        + [
            ["Games", *(f"{one.games:,}" for one in studies)],
            [f"One {studies[0].unit.name} more scores", *(percent(one.unit_share) for one in estimates)],
            ["All pairs", *(percent(one.all_pairs) for one in studies)],
        ],
    )
    series = [Series(name, [level.get(letter) for letter in order]) for name, level in zip(nodes, levels, strict=True)]
    page.plot(intervals([names[letter] for letter in order], series, words), "Values by nodes a turn")


#: What the second scale is called.
ROOK = "Rook = 5"


def _scale(unit: PieceType, estimates: Sequence[Estimate]) -> tuple[str, list[dict[str, Interval]]]:
    """Return the values of estimates on the first scale that all of them have, and what it is called."""
    if not all(one.values for one in estimates) and all(one.scaled for one in estimates):
        return ROOK, [one.scaled for one in estimates]
    return _plural(unit), [one.values for one in estimates]


def _plural(kind: PieceType) -> str:
    """Return the name of several pieces, as in *Pawns* and *Men*."""
    men = re.sub("(?<=[Mm])an$", "en", kind.name)
    return men if men != kind.name else f"{kind.name}s"


def _and(unit: PieceType, many: str) -> str:
    """Return how many soldiers are missing too, in a game that has some."""
    return f" and {many} {_plural(unit)}" if unit.is_soldier else ""


def _counted(words: str) -> str:
    return "has a Rook of 5" if words == ROOK else f"counts in {words}"


def _listed(
    game: Game, unit: PieceType, source: str, order: Sequence[str], *, in_rooks: bool
) -> list[Interval | float | None]:
    """Return the values of a source on a scale; nothing if it does not value the piece that is the scale."""
    by = next((kind for kind in game.pieces if kind.move == "R"), unit) if in_rooks else unit
    whole = by.values.get(source)
    if not whole:
        return []
    known = [game.piece(letter).values.get(source) for letter in order]
    return [None if one is None else one / whole * (5.0 if in_rooks else 1.0) for one in known]


#: What the sources of values in definitions are called.
SOURCES = {"inventor": "inventor", "zillions": "Zillions", "value": "definition"}


def _method(page: Page, studies: Sequence[Values], main: Values, order: Sequence[str]) -> None:
    plan, unit = main.plan, main.unit
    needed = main.games * (main.together.uncertain / MOST_UNCERTAIN) ** 2
    enough = (
        f"To count in {_plural(unit)} takes about {int(np.ceil(needed / 100) * 100):,} games." if needed < 1e9 else ""
    )
    if values := main.together.values:
        widest = max(order, key=lambda letter: _half(values[letter]))
        half = _half(values[widest])
        wanted = int(np.ceil(main.games * (half / 0.5) ** 2 / 100) * 100)
        enough = f"The widest interval, of the {plan.game.piece(widest).name}, is ±{half:.2f}; "
        enough += "that is within half a unit." if half <= 0.5 else f"half a unit takes about {wanted:,} games."
    page.heading("How it was measured")
    endings = ", ".join(
        f"{ending.replace('_', ' ')} {100 * n / main.games:.0f} %" for ending, n in main.endings.most_common()
    )
    page.text(
        f"One {unit.name} more scores {percent(main.together.unit_share)} in an otherwise even game; the games needed "
        f"grow with the inverse square of what exceeds 50 %. {enough}"
    )
    royals = " or ".join(plan.game.piece(letter).name for letter in order if plan.game.piece(letter).royal)
    instead = f"; where one side lacked a {royals}, the other lacked more pieces instead" if royals else ""
    page.text(
        f"Each side lacked up to {MOST_PIECES} pieces{_and(unit, str(MOST_SOLDIERS))} of kinds drawn at "
        f"random{instead}, but for handicaps that the engine's own values judge decided. One kind was drawn first, "
        "and one side always had more of it, so that games tell as much about rare kinds as about others. The second "
        f"game of a pair has the colours swapped. {plan.opening} random moves precede the engine's. The model is an "
        "ordinal logistic regression (loss, draw, win) with a first move and a share of draws for whole and for small "
        f"armies; the intervals are from {SAMPLES} bootstrap samples of whole pairs. A value is what the piece is "
        "worth at the start to this engine; pairs of pieces count as the sum of both."
    )
    page.text(f"The games ended by: {endings}. Unfinished games count as draws.")
    nodes = " ".join(str(one.plan.nodes) for one in studies)
    page.text(
        f"Engine: Acedrex {plan.version}, signature `{plan.signature}`; seed {plan.seed}. To make the games again:"
    )
    page.command(
        f"acedrex lab values {plan.game.spec} --nodes {nodes} --games {plan.games} --openings {plan.opening} "
        f"--seed {plan.seed} --out values-{plan.game.id}"
    )
    used_part(page, [(one.games, one.plan) for one in studies])


def _half(interval: Interval) -> float:
    return (interval.high - interval.low) / 2


def _words(interval: Interval | None) -> str:
    """Return an estimate for a table; digits that the interval does not support are left out."""
    if interval is None:
        return "too few games"
    if interval.high - interval.low < 1e-9:
        return f"{interval.value:.0f}"
    return f"{interval.value:.1f} [{interval.low:.1f}, {interval.high:.1f}]"
