"""Pages of studies: headings, paragraphs, tables and plots, as Markdown with pictures beside it or as one HTML file."""

from __future__ import annotations

import html
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from acedrex.lab import files
from acedrex.lab.studies.plots import INK

__all__ = ["Page"]

STYLE = """
:root { color-scheme: light dark; --ink: #23211c; --page: #fbfaf6; --line: #8886; }
@media (prefers-color-scheme: dark) { :root { --ink: #e9e5da; --page: #1c1b19; } }
body { color: var(--ink); background: var(--page); font: 1rem/1.5 system-ui, sans-serif;
  max-width: 46rem; margin: 0 auto; padding: 1rem; }
svg { color: var(--ink); max-width: 100%; height: auto; display: block; margin: 1rem auto; }
.table { overflow-x: auto; }
table { border-collapse: collapse; margin: 1rem 0; font-variant-numeric: tabular-nums; }
th, td { padding: 0.25rem 0.6rem; border-bottom: 1px solid var(--line); text-align: right; }
th:first-child, td:first-child { text-align: left; }
td + td { white-space: nowrap; }
@media (max-width: 30rem) { th, td { padding: 0.25rem 0.3rem; font-size: 0.85rem; } }
pre { overflow-x: auto; padding: 0.6rem; border: 1px solid var(--line); }
"""


@dataclass
class Page:
    """A page under construction."""

    title: str
    name: str
    """The name of its file, without ending."""
    _parts: list[tuple[str, str, str]] = field(default_factory=list)
    """Each part as Markdown, as HTML, and the SVG of a plot."""

    def heading(self, text: str) -> None:
        """Begin a section."""
        self._parts.append((f"## {text}", f"<h2>{html.escape(text)}</h2>", ""))

    def text(self, text: str) -> None:
        """Add a paragraph; ``code`` may stand in backquotes."""
        self._parts.append((text, f"<p>{_inline(text)}</p>", ""))

    def command(self, text: str) -> None:
        """Add a command to repeat."""
        self._parts.append((f"```sh\n{text}\n```", f"<pre>{html.escape(text)}</pre>", ""))

    def table(self, head: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
        """Add a table: the first column to the left, numbers to the right."""
        lines = [head, [":--", *["--:"] * (len(head) - 1)], *rows]
        markdown = "\n".join(f"| {' | '.join(row)} |" for row in lines)
        cells = ["".join(f"<th>{_inline(cell)}</th>" for cell in head)]
        cells += ["".join(f"<td>{_inline(cell)}</td>" for cell in row) for row in rows]
        self._parts.append(
            (markdown, f'<div class="table"><table><tr>{"</tr><tr>".join(cells)}</tr></table></div>', "")
        )

    def plot(self, svg: str, words: str) -> None:
        """Add a plot.

        :param words: what it shows, for people who cannot see it.
        """
        self._parts.append((words, words, svg))

    def write_markdown(self, folder: Path) -> Path:
        """Write ``NAME.md`` and its plots ``NAME-1.svg`` ... into a folder; return the path of the page.

        :raises Error: if a file cannot be written.
        """
        lines = [f"# {self.title}"]
        plots = 0
        for markdown, _, svg in self._parts:
            if svg:
                plots += 1
                picture = f"{self.name}-{plots}.svg"
                files.write(folder / picture, svg.encode())
                lines.append(f"![{markdown}]({picture})")
            else:
                lines.append(markdown)
        path = folder / f"{self.name}.md"
        files.write(path, "\n\n".join(lines).encode() + b"\n")
        return path

    def write_html(self, folder: Path) -> Path:
        """Write ``NAME.html``, which needs nothing else; return its path.

        :raises Error: if it cannot be written.
        """
        parts: list[str] = []
        for _, text, svg in self._parts:
            if svg:
                drawing = re.sub(r"^.*?(?=<svg)", "", svg, flags=re.DOTALL).replace(INK, "currentColor")
                # Ids of one plot must not name parts of another.
                drawing = re.sub(r'(id="|href="#|url\(#)', rf"\g<1>p{len(parts)}-", drawing)
                parts.append(drawing.replace("<svg", f'<svg role="img" aria-label="{html.escape(text)}"', 1))
            else:
                parts.append(text)
        title = html.escape(self.title)
        head = '<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n'
        head += '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        body = "\n".join(parts)
        path = folder / f"{self.name}.html"
        files.write(path, f"{head}<title>{title}</title>\n<style>{STYLE}</style>\n<h1>{title}</h1>\n{body}\n".encode())
        return path


def _inline(text: str) -> str:
    """Return text as HTML, with ``code`` in backquotes and links."""
    escaped = html.escape(text, quote=False)
    escaped = re.sub(r"`([^`]*)`", r"<code>\1</code>", escaped)
    escaped = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", escaped)
    return re.sub(r"\*([^*]*)\*", r"<i>\1</i>", re.sub(r"\*\*([^*]*)\*\*", r"<b>\1</b>", escaped))
