"""The notes of a release, extracted from the changelog."""

from __future__ import annotations

import re

import pytest

import acedrex
from tools import release_notes

CHANGELOG = """# Changelog

## 1.1.0 (2026-12-24)

Much of [the engine](docs/engine.md), as [docs](https://example.org/x) say.

### Server
- It [promises](CONTRIBUTING.md#conventions) more than [1.0.0](#100-2026-11-30).

## 1.0.0 (2026-11-30)

The first.
"""
ADDRESS = "https://example.org/acedrex"


def test_the_notes_of_a_version_have_absolute_links() -> None:
    assert release_notes.notes(CHANGELOG, "v1.1.0", ADDRESS) == (
        "Much of [the engine](https://example.org/acedrex/blob/v1.1.0/docs/engine.md), "
        "as [docs](https://example.org/x) say.\n\n### Server\n"
        "- It [promises](https://example.org/acedrex/blob/v1.1.0/CONTRIBUTING.md#conventions) more than "
        "[1.0.0](https://example.org/acedrex/blob/v1.1.0/CHANGELOG.md#100-2026-11-30)."
    )
    assert release_notes.notes(CHANGELOG, "v1.0.0", ADDRESS) == "The first."


@pytest.mark.parametrize(
    ("tag", "heading", "message"),
    [
        ("v1.1", "1.1.0 (2026-12-24)", "CHANGELOG.md has nothing of 1.1"),
        ("v1.1.0", "1.1.0 (unreleased)", 'CHANGELOG.md calls it "1.1.0 (unreleased)"; write "1.1.0 (YYYY-MM-DD)"'),
        ("v1.1.0", "1.1.0", 'CHANGELOG.md calls it "1.1.0"; write'),
    ],
)
def test_an_unreleased_version_has_no_notes(tag: str, heading: str, message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        release_notes.notes(CHANGELOG.replace("1.1.0 (2026-12-24)", heading), tag, ADDRESS)


def test_a_tag_of_another_version_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert release_notes.main(["v999.0.0", ADDRESS]) == 1
    told = capsys.readouterr().err
    assert told == f"v999.0.0 is no tag of this version, v{acedrex.__version__}; Cargo.toml says it\n"
