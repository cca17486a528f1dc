"""Looks whether the pages of others that the documentation links to are still there; it needs the network.

Run it as `python tools/check_links.py FOLDER`, where a site lies; `--list` only lists the links. Links within the site
are judged when it is built.
"""

from __future__ import annotations

import argparse
import re
import sys
import urllib.error
import urllib.request
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from html import unescape
from pathlib import Path
from urllib.parse import quote, urldefrag

LINK = re.compile(r'<a\s[^>]*?\bhref="(https?://[^"]+)"')
#: The user agent; some sites reject requests without one.
AGENT = "Mozilla/5.0 (compatible; acedrex-docs)"
#: Answers of sites that are there and do not like programs.
THERE = (401, 403, 405, 406, 429)
#: Addresses in examples.
OWN = ("http://127.0.0.1", "http://localhost", "https://example.org")


def links(folder: Path) -> dict[str, list[str]]:
    """Return every link to other sites, with the pages that have it."""
    found: dict[str, list[str]] = {}
    for page in sorted(folder.rglob("*.html")):
        for link in sorted(set(LINK.findall(page.read_text(encoding="utf-8")))):
            address = urldefrag(unescape(link)).url
            if not address.startswith(OWN):
                found.setdefault(address, []).append(page.relative_to(folder).as_posix())
    return found


def fault(address: str) -> str:
    """Return what is wrong with an address; an empty text if it answers."""
    request = urllib.request.Request(quote(address, safe=":/?&=%#,;@+~"), headers={"User-Agent": AGENT})
    try:
        with urllib.request.urlopen(request, timeout=20):
            return ""
    except urllib.error.HTTPError as answer:
        return "" if answer.code in THERE else f"status {answer.code}"
    except (OSError, ValueError) as error:
        return str(getattr(error, "reason", error))


def main(arguments: Iterable[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--list", action="store_true", help="list the links and check none")
    options = parser.parse_args(None if arguments is None else list(arguments))
    found = links(options.folder)
    if options.list:
        print("\n".join(sorted(found)))
        return 0
    with ThreadPoolExecutor(8) as pool:
        wrong = {address: why for address, why in zip(found, pool.map(fault, found), strict=True) if why}
    for address, why in wrong.items():
        print(f"{address}: {why}; linked from {', '.join(found[address][:3])}", file=sys.stderr)
    print(f"{len(found)} links, {len(wrong)} of them broken")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
