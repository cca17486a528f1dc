"""Puts into the site what is kept in other places: the pages beside docs/, the licences, the app's colours and icon."""

from __future__ import annotations

import os
import posixpath
import re
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).resolve().parents[2]
ICON = ROOT / "web" / "app" / "public" / "icon.svg"
COLOURS = ROOT / "web" / "board" / "src" / "tokens.css"

#: Files beside docs/, and the pages that they are in the site.
PAGES = {
    "ARCHITECTURE.md": "architecture.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
    "SECURITY.md": "security.md",
    "CODE_OF_CONDUCT.md": "conduct.md",
    "README.md": "index.md",
    "LICENSE": "licences.md",
    "NOTICE": "licences.md",
    "src/acedrex/art/CREDITS.md": "licences.md",
}
SOURCES = {page: name for name, page in PAGES.items() if page not in ("index.md", "licences.md")}

LINK = re.compile(r"\]\((?!\w+:|#)([^)\s#]+)(#[^)\s]*)?\)")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages and files that docs/ has not."""
    made = {page: (ROOT / name).read_text(encoding="utf-8") for page, name in SOURCES.items()}
    made["licences.md"] = licences()
    made["style/colours.css"] = colours(COLOURS.read_text(encoding="utf-8"))
    made["style/icon.svg"] = ICON.read_text(encoding="utf-8")
    for path, text in made.items():
        files.append(File.generated(config, path, content=text))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Lead links to files of the repository to what they are in the site."""
    here = page.file.src_uri
    origin = posixpath.dirname(SOURCES.get(here, f"docs/{here}"))

    def led(link: re.Match[str]) -> str:
        target = posixpath.normpath(posixpath.join(origin, link[1]))
        if target.startswith("docs/"):
            inside = target.removeprefix("docs/")
        elif target in PAGES:
            inside = PAGES[target]
        else:
            return link[0]
        return f"]({posixpath.relpath(inside, posixpath.dirname(here) or '.')}{link[2] or ''})"

    return LINK.sub(led, markdown)


def licences() -> str:
    """Make a page of the notice, the credits and the licence."""
    credits = (ROOT / "src/acedrex/art/CREDITS.md").read_text(encoding="utf-8").replace("# Credits", "## Credits", 1)
    notice, licence = ((ROOT / name).read_text(encoding="utf-8") for name in ("NOTICE", "LICENSE"))
    return f"# Licences\n\n```text\n{notice}```\n\n{credits}\n## The licence\n\n```text\n{licence}```\n"


def colours(tokens: str) -> str:
    """Return the colours of the app under the names that the site has for light and dark."""
    light = re.search(r"^:root \{(.*?)^\}", tokens, re.DOTALL | re.MULTILINE)
    dark = re.search(r'^:root\[data-theme="dark"\] \{(.*?)^\}', tokens, re.DOTALL | re.MULTILINE)
    if light is None or dark is None:
        raise ValueError(f"{os.path.relpath(COLOURS, ROOT)} has no light or no dark colours any more")
    return f'[data-md-color-scheme="default"] {{{light[1]}}}\n[data-md-color-scheme="slate"] {{{dark[1]}}}\n'
