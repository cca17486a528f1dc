"""What the board, the element, the app and the JavaScript core may use."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.architecture.project import ROOT, code, short

# The web board.

BOARD = ROOT / "web" / "board" / "src"


def scripts(folder: Path, pattern: str = "*.ts") -> list[Path]:
    """The scripts of a folder, of which there must be some: a folder that has moved would pass every test."""
    found = sorted(folder.glob(pattern))
    assert found, folder
    return found


#: Modules that turn one state into the next, or into text, without the DOM.
PURE = ["buttons", "captured", "fen", "hand", "keyboard", "marks", "moves", "playback", "receive", "settings"]
PURE += ["setup", "shapes", "squares", "state", "texts", "types", "typing", "view"]


def test_the_board_imports_only_itself_and_makes_no_requests() -> None:
    for path in scripts(BOARD):
        text = code(path)
        assert {name for name in re.findall(r'\b(?:from|import) "([^"]+)"', text) if not name.startswith("./")} == set()
        # It knows squares, pieces and moves, but no server and no browser storage.
        assert not re.search(r"\b(fetch|XMLHttpRequest|WebSocket|EventSource|localStorage|indexedDB)\b", text), short(
            path
        )


@pytest.mark.parametrize("module", PURE)
def test_the_state_of_the_board_does_not_touch_the_dom(module: str) -> None:
    text = code(BOARD / f"{module}.ts")
    assert not re.search(r"\b(document|window|navigator)\.|\b(HTML|SVG)\w*Element\b|\baddEventListener\b", text)
    used = set(re.findall(r'from "\./([\w-]+)\.ts"', text))
    assert used <= set(PURE)


def test_the_notebook_board_makes_no_requests() -> None:
    for path in scripts(ROOT / "web" / "notebook" / "src"):
        text = code(path)
        for name in re.findall(r'\b(?:from|import) "([^"]+)"', text):
            assert name.startswith(("./", "@acedrex/board")), short(path)
        assert not re.search(r"\b(fetch|XMLHttpRequest|WebSocket|EventSource|innerHTML|localStorage)\b|https?:", text)


# Boards on other pages.

ELEMENT = ROOT / "web" / "element" / "src"


def test_the_element_requests_only_its_own_files() -> None:
    for path in scripts(ELEMENT):
        text = code(path)
        assert not re.search(r"\b(XMLHttpRequest|WebSocket|EventSource|localStorage|sessionStorage|indexedDB)\b", text)
        assert not re.search(r"\b(innerHTML|outerHTML|insertAdjacentHTML|cookie|eval\()|https?://(?!www.w3.org)", text)
        # Its own files, a definition from the page's site, and in frames what the server shows to anyone.
        assert path.name in ("core.ts", "line.ts", "embed.ts") or "fetch(" not in text, short(path)
        used = [
            name for name in re.findall(r'\b(?:from|import) "([^"]+)"', text) if not name.startswith(("./", "made:"))
        ]
        app = {"../../app/src/analysis/share.ts"} if path.name == "embed.ts" else set()
        assert all(name in app or name.startswith(("../../board/", "../../core/src/")) for name in used), short(path)


# The web app.

APP = ROOT / "web" / "app" / "src"


def test_user_text_is_never_inserted_as_html() -> None:
    for path in scripts(APP, "**/*.[tj]s*"):
        assert not re.search(r"\b(innerHTML|outerHTML|insertAdjacentHTML|dangerouslySetInnerHTML|eval\()", code(path))


def test_the_javascript_core_imports_only_types_from_the_board() -> None:
    for path in scripts(ROOT / "web" / "core" / "src"):
        used = re.findall(r'^(import|export)( type)?\b[^;"]*\bfrom "([^"]+)"', code(path), re.MULTILINE)
        for _, for_types, name in used:
            assert name.startswith(("./", "../compiled/", "node:")) or (name.startswith("../../board/") and for_types)
            assert path.name in ("node.ts", "worker-node.ts") or not name.startswith("node:"), short(path)


def test_only_the_client_talks_to_the_server() -> None:
    speaking = {
        path.relative_to(APP).parts[0]
        for path in APP.rglob("*.ts*")
        if re.search(r"\bnew WebSocket|\bfetch\(", code(path))
    }
    # The others load files of the app: the board's drawings, and the core with its networks.
    assert speaking == {"client", "core", "parts"}
