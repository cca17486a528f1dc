"""Prints what CHANGELOG.md says of a version, as the page of its release shows it.

Run it as `python tools/release_notes.py v0.1.0 https://HOST/OWNER/NAME`; it fails if the tag is not the version of
Cargo.toml, or the changelog does not call it released.
"""

from __future__ import annotations

import argparse
import re
import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

#: A link to a file of the repository, or to a heading of the changelog.
LINK = re.compile(r"\]\((?!\w+:)([^)\s]+)\)")


def notes(changelog: str, tag: str, address: str) -> str:
    """Return a version's part of a changelog, with links that lead into the repository as it was then.

    :raises ValueError: if there is none, or it is not released.
    """
    version = tag.removeprefix("v")
    found = re.search(
        rf"^## {re.escape(version)}(?![\w.])([^\n]*)\n(.*?)(?=^## |\Z)", changelog, re.DOTALL | re.MULTILINE
    )
    if found is None:
        raise ValueError(f"CHANGELOG.md has nothing of {version}")
    if not re.fullmatch(r" \(\d{4}-\d\d-\d\d\)", found[1]):
        raise ValueError(f'CHANGELOG.md calls it "{version}{found[1]}"; write "{version} (YYYY-MM-DD)", the day')

    def led(link: re.Match[str]) -> str:
        target = f"CHANGELOG.md{link[1]}" if link[1].startswith("#") else link[1]
        return f"]({address}/blob/{tag}/{target})"

    return LINK.sub(led, found[2]).strip()


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("tag", help="such as v0.1.0")
    parser.add_argument("address", help="of the repository, for links")
    options = parser.parse_args(arguments)
    built = tomllib.loads((ROOT / "Cargo.toml").read_text(encoding="utf-8"))["workspace"]["package"]["version"]
    if options.tag != f"v{built}":
        print(f"{options.tag} is no tag of this version, v{built}; Cargo.toml says it", file=sys.stderr)
        return 1
    try:
        print(notes((ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), options.tag, options.address))
    except ValueError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
