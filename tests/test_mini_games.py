"""The mini-games of the front page, and what it says of lengths: proven by the core, and measured by the studies."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from acedrex import Board, load
from acedrex.game import FEATURED

ROOT = Path(__file__).parents[1]
LEARN = ROOT / "web" / "app" / "src" / "learn"
MINI_GAMES: list[dict[str, Any]] = json.loads((LEARN / "mini-games.json").read_text())
MEASURED: dict[str, Any] = json.loads((LEARN / "measured.json").read_text())
TASKS = [(game["game"], task) for game in MINI_GAMES for task in game["tasks"]]


@pytest.mark.parametrize(("game", "task"), TASKS)
def test_exactly_one_legal_move_captures(game: str, task: dict[str, Any]) -> None:
    board = Board(game, task["fen"])
    for move in task["before"]:
        board.push_uci(move)
    assert board.turn and not board.is_check() and board.outcome() is None
    assert [move.uci() for move in board.legal_moves if board.is_capture(move)] == [task["move"]]
    # There is something to choose from.
    assert len(list(board.legal_moves)) > 4


def test_each_mini_game_has_three_tasks_or_is_about_the_setup() -> None:
    assert [len(game["tasks"]) for game in MINI_GAMES] == [3, 3, 3, 0]
    assert len(load(MINI_GAMES[-1]["game"]).setups) > 1


@pytest.mark.parametrize("language", ["en", "fr"])
def test_every_task_and_every_success_has_its_words(language: str) -> None:
    texts = json.loads((ROOT / "web" / "app" / "src" / "locale" / f"{language}.json").read_text())
    for game in MINI_GAMES:
        name, last = game["id"], len(game["tasks"])
        keys = [f"mini.{name}", f"mini.{name}.idea", f"mini.{name}.end"]
        keys += [f"mini.{name}.clean", f"mini.{name}.wrong"] if last else [f"mini.{name}.task"]
        keys += [f"mini.task.{name}{number}" for number in range(1, last + 1)]
        keys += [f"mini.right.{name}{number}" for number in range(1, last)]
        assert [key for key in keys if key not in texts] == []


@pytest.mark.parametrize("game", FEATURED)
def test_lengths_and_difficulties_are_those_of_the_studies_and_the_rules(game: str) -> None:
    page = (ROOT / "docs" / "studies" / f"portrait-{game}.md").read_text()
    (turns,) = re.findall(r"Turns of both sides, median \| (\d+)", page)
    orthodox = {piece.name for piece in load("chess").pieces}
    strange = [piece for piece in load(game).pieces if piece.name not in orthodox]
    assert MEASURED["games"][game] == {"turns": int(turns), "strange": len(strange)}
    assert set(MEASURED["games"]) == set(FEATURED)
