"""Two edits of one text: the words of both are kept."""

from __future__ import annotations

import json
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from acedrex.server.studies.merging import merged

TEXTS = st.text("ab \n\N{BEETLE}", max_size=12)
CASES = Path(__file__).parents[1] / "data" / "merging.json"


def test_edits_of_different_parts_are_both_there() -> None:
    for before, mine, theirs, together in json.loads(CASES.read_text(encoding="utf-8")):
        assert merged(before, mine, theirs) == together


@given(TEXTS, TEXTS)
def test_an_edit_of_one_person_alone_is_the_result(before: str, after: str) -> None:
    assert merged(before, after, before) == after
    assert merged(before, before, after) == after
    assert merged(before, after, after) == after


@given(TEXTS, st.integers(0, 12), st.integers(0, 12))
def test_words_that_two_people_insert_are_both_there(before: str, one: int, other: int) -> None:
    mine = before[:one] + "MINE" + before[one:]
    theirs = before[:other] + "theirs" + before[other:]
    result = merged(before, mine, theirs)
    assert "MINE" in result
    assert "theirs" in result
    assert sorted(result) == sorted(before + "MINEtheirs")
