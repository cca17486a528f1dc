"""Lets readers play on the diagrams: the element for other pages, with its files, takes the place of pictures.

Without a browser's scripts, or where the element is not built, the pictures stay.
"""

from __future__ import annotations

import html
import re
from pathlib import Path

from mkdocs.config.base import Config
from mkdocs.config.config_options import ExtraScriptValue
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).resolve().parents[2]
#: What `make docs` builds first.
ELEMENT = ROOT / "build" / "element"
#: Where its files are in the site.
FOLDER = "boards"
BOARD = re.compile(r'<div class="acedrex-board"([^>]*)>(.*?)</div>', re.DOTALL)


def is_built() -> bool:
    """Return whether diagrams can be played."""
    return (ELEMENT / "acedrex.js").is_file()


def on_config(config: MkDocsConfig) -> Config:
    """Load the element on every page."""
    if is_built():
        for path in (f"{FOLDER}/acedrex.js", "style/diagrams.js"):
            script = ExtraScriptValue(path)
            script.type = "module"
            config.extra_javascript.append(script)
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the files of the element."""
    if is_built():
        for path in sorted(ELEMENT.rglob("*")):
            if path.is_file():
                place = f"{FOLDER}/{path.relative_to(ELEMENT).as_posix()}"
                files.append(File.generated(config, place, abs_src_path=str(path)))
    return files


def on_page_content(content: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Make elements of the places that are marked for them."""
    return BOARD.sub(r"<acedrex-board\1>\2</acedrex-board>", content) if is_built() else content


def playable(picture: str, **attributes: str) -> str:
    """Return a picture, as Markdown, on which a board is laid."""
    return f'<div class="acedrex-board" {_written(attributes)} markdown>\n\n{picture}\n\n</div>'


def opened(picture: str, **attributes: str) -> str:
    """Return a picture, as Markdown, that becomes a board when it is clicked."""
    data = _written({f"data-{name}": text for name, text in attributes.items()})
    return f'<div class="diagram" {data} markdown>\n\n{picture}\n\n</div>'


def _written(attributes: dict[str, str]) -> str:
    return " ".join(f'{name}="{html.escape(text)}"' for name, text in attributes.items())
