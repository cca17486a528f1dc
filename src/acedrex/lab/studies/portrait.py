"""What a game is like: how long, how rich, how decisive it is, and what its pieces do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from acedrex import _native
from acedrex.game import Game
from acedrex.lab.arrangements import SetupGames
from acedrex.lab.job import Job
from acedrex.lab.studies.plots import Interval, bars, curves
from acedrex.lab.studies.sample import (
    ENDED_EARLY,
    Sample,
    finished_units,
    how_to_repeat,
    percent,
    read_sample,
    share_interval,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from acedrex.lab.studies.page import Page

__all__ = ["KindPortrait", "Portrait", "fill_page", "portray"]

#: The curve of legal moves has a point for every move of both sides, as long as one game in so many lasts.
LASTING = 10
#: How events are called.
EVENTS = {
    "en_passant": "captures *en passant*",
    "castling": "castling",
    "jump": "the King's jump",
    "promotion": "promotions",
    "track": "moves that may be captured *en passant*",
    "hop": "moves over a piece",
    "bend": "moves that bend",
    "check": "checks",
    "end": "turns ended before all moves were made, passes included",
    "claim": "claims",
    "playon": "claims declined",
}


@dataclass(frozen=True, slots=True)
class KindPortrait:
    """What the pieces of a kind do. Rates are ``nan`` where nothing was there to count."""

    letter: str
    name: str
    moves: float
    """Its share of all moves."""
    captures: float
    """The share of its moves that capture."""
    survives: float
    """The share of its pieces at the start that are on the board at the end, as what they were."""
    path: float
    """The squares that it steps on in a move."""
    promotions: float
    """Promotions to it in a game."""


@dataclass(frozen=True, slots=True)
class Portrait:
    """What games with one number of nodes a turn say."""

    plan: SetupGames
    games: int
    white: Interval
    """White's share of the points."""
    decided: Interval
    """The share of the games that are won or lost."""
    results: tuple[int, int, int]
    """Games that White won, drew and lost."""
    turns: NDArray[np.float64]
    """By game, the turns of both sides."""
    endings: Counter[str]
    branching: float
    """Legal moves in a position at the beginning of a turn."""
    branching_by_move: list[tuple[int, float]]
    """By move number, the legal moves at the beginning of the turns of both sides."""
    kinds: list[KindPortrait]
    events: dict[str, tuple[float, float]]
    """By event, the share of the games in which it happens, and how often it happens in a game."""


def portray(job: Job) -> Portrait:
    """Count what happens in the finished games of a job, at least one.

    :raises Error: if a block is damaged.
    """
    sample = read_sample(job)
    plan = sample.plan
    assert isinstance(plan, SetupGames)
    game = plan.game
    kinds = np.zeros((len(game.pieces), 8))
    events: dict[str, NDArray[np.float64]] = {}
    branching: list[NDArray[np.float64]] = []
    turns: list[int] = []
    for unit in finished_units(job):
        counts = _native.census(game, job.read(unit).payload)
        kinds += np.array(counts["kinds"], np.float64)
        for name, games, times in counts["events"]:
            events[name] = events.get(name, np.zeros(2)) + np.array([games, times])
        for turn, pair in enumerate(counts["branching"]):
            if turn == len(branching):
                branching.append(np.zeros(2))
            branching[turn] = branching[turn] + pair
        turns += counts["turns"]
    together = np.array(branching).reshape(-1, 2)
    decided = (sample.shares != 0.5).astype(np.float64)
    return Portrait(
        plan=plan,
        games=len(sample),
        white=share_interval(sample.shares, sample.numbers),
        decided=share_interval(decided, sample.numbers),
        results=_results(sample),
        turns=np.array(turns, np.float64),
        endings=sample.endings,
        branching=float(together[:, 1].sum() / max(together[:, 0].sum(), 1.0)),
        branching_by_move=_by_move(together, len(sample)),
        kinds=_kinds(game, kinds, len(sample)),
        events={name: (float(one[0]) / len(sample), float(one[1]) / len(sample)) for name, one in events.items()},
    )


def _by_move(by_turn: NDArray[np.float64], games: int) -> list[tuple[int, float]]:
    even = by_turn[: len(by_turn) // 2 * 2].reshape(-1, 2, 2).sum(1)
    return [
        (number, float(moves / positions))
        for number, (positions, moves) in enumerate(even, 1)
        if LASTING * positions >= 2 * games
    ]


def _results(sample: Sample) -> tuple[int, int, int]:
    lost, drawn, won = np.bincount(sample.results, minlength=3).tolist()
    return won, drawn, lost


def _kinds(game: Game, counts: NDArray[np.float64], games: int) -> list[KindPortrait]:
    """Make rates of: started, survived, moves, captures, captured, promotions, steps, paths."""
    found = []
    every = max(counts[:, 2].sum(), 1.0)
    for kind, (started, survived, moves, captures, _, promotions, steps, paths) in zip(
        game.pieces, counts, strict=True
    ):
        if started or moves:
            found.append(
                KindPortrait(
                    letter=kind.letter,
                    name=kind.name,
                    moves=moves / every,
                    captures=_rate(captures, moves),
                    survives=_rate(survived, started),
                    path=_rate(steps, paths),
                    promotions=promotions / games,
                )
            )
    return sorted(found, key=lambda kind: -kind.moves)


def _rate(part: float, whole: float) -> float:
    return float(part / whole) if whole else float("nan")


def fill_page(page: Page, portraits: Sequence[Portrait]) -> None:
    """Write what a game is like; details from the games with most nodes a turn."""
    portraits = sorted(portraits, key=lambda one: one.plan.nodes)
    best = portraits[-1]
    game = best.plan.game
    page.text(
        f"{game.name} as the engine plays it against itself, on {game.files}x{game.ranks} squares with "
        f"{len(best.kinds)} kinds of piece. Unless a table says otherwise, the numbers are from "
        f"{best.games:,} games with {best.plan.nodes:,} nodes a turn. ± is a 95 % interval."
    )
    low, middle, high = np.percentile(best.turns, [10, 50, 90])
    page.table(
        ["", "In a game"],
        [
            ["Turns of both sides, median", f"{middle:.0f}"],
            ["Turns of four games in five", f"{low:.0f} to {high:.0f}"],
            ["Legal moves in a position", f"{best.branching:.0f}"],
            ["White scores", percent(best.white)],
            ["Games won by either side", percent(best.decided)],
        ],
    )
    page.heading("Stronger and weaker play")
    page.table(
        ["Nodes", "Games", "White scores", "Decided"],
        [[f"{one.plan.nodes:,}", f"{one.games:,}", percent(one.white), percent(one.decided)] for one in portraits],
    )
    parts = [
        (name, [100 * one.results[place] / one.games for one in portraits])
        for place, name in enumerate(("White wins", "draws", "Black wins"))
    ]
    page.plot(bars([f"{one.plan.nodes:,} nodes" for one in portraits], parts, "games, %"), "Results by nodes a turn")
    page.heading("Choices")
    page.text(
        "The legal moves at the beginning of a turn, by move number, up to the move that one game in ten still reaches."
    )
    page.plot(
        curves(
            [
                (
                    f"{one.plan.nodes:,} nodes",
                    [x for x, _ in one.branching_by_move],
                    [y for _, y in one.branching_by_move],
                )
                for one in portraits
            ],
            "move",
            "legal moves",
        ),
        "Legal moves by move number",
    )
    page.heading("How games end")
    page.table(
        ["Ending", "Games"],
        [[name.replace("_", " "), f"{100 * n / best.games:.1f} %"] for name, n in best.endings.most_common()],
    )
    page.text(ENDED_EARLY)
    page.heading("Pieces")
    page.text(
        "*Moves*: its share of all moves. *Captures*: the share of its moves that capture. *Survives*: the share of "
        "its pieces at the start that are still there at the end and have not promoted. *Path*: the squares that it "
        "steps on in a move."
    )
    page.table(
        ["Piece", "Moves", "Captures", "Survives", "Path"],
        [
            [
                f"{kind.name} {kind.letter}",
                _rated(kind.moves),
                _rated(kind.captures),
                _rated(kind.survives),
                _length(kind),
            ]
            for kind in best.kinds
        ],
    )
    names = [f"{kind.name} {kind.letter}" for kind in best.kinds]
    page.plot(
        bars(names, [("share of all moves", [100 * kind.moves for kind in best.kinds])], "share of all moves, %"),
        "How often each kind moves",
    )
    page.heading("Special rules")
    happened = {name: rate for name, rate in best.events.items() if rate[1]}
    page.table(
        ["What happens", "Games with it", "Times a game"],
        [[EVENTS[name], f"{100 * games:.0f} %", f"{times:.2f}"] for name, (games, times) in happened.items()],
    )
    promoted = [kind for kind in best.kinds if kind.promotions]
    if promoted:
        page.text(
            "Promotions in a game: "
            + ", ".join(f"{kind.name} {kind.promotions:.2f}" for kind in sorted(promoted, key=lambda k: -k.promotions))
            + "."
        )
    page.heading("How it was measured")
    before = f"{best.plan.opening} random moves precede the engine's; they count for length, move numbers and survival "
    before += "only. "
    how_to_repeat(page, "portrait", [(one.games, one.plan) for one in portraits], before)


def _rated(rate: float) -> str:
    return "" if np.isnan(rate) else f"{100 * rate:.1f} %"


def _length(kind: KindPortrait) -> str:
    return "" if np.isnan(kind.path) else f"{kind.path:.1f}"
