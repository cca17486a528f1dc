"""Checks that everything Acedrex ships with has a licence of the allow-list.

Rust: the tree below the workspace, without what only tests use, as `cargo metadata` tells it. Python: the run-time
dependencies of pyproject.toml, extras included, and theirs, as installed here.

Run it as `python tools/check_licences.py`; it names what does not pass and then fails.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

from packaging.requirements import Requirement

ROOT = Path(__file__).resolve().parent.parent

#: SPDX identifiers, as the allow-list of the project has them.
ALLOWED = {
    "0BSD",
    "Apache-2.0",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "CC-BY-3.0",
    "CC-BY-4.0",
    "CC0-1.0",
    "ISC",
    "MIT",
    "MIT-0",
    "MIT-CMU",
    "MPL-2.0",
    "PSF-2.0",
    "Python-2.0",
    "Unicode-3.0",
    "Unicode-DFS-2016",
    "Zlib",
}

#: Packages of extras that are too large to install for a check, with the licences that they state.
NOT_INSTALLED = {"ray": "Apache-2.0"}

#: Packages whose metadata name no licence, with that of their licence file.
UNSTATED = {"resvg_py": "MIT"}

#: What older Python packages write in place of SPDX.
CLASSIFIERS = {
    "Apache 2.0": "Apache-2.0",
    "Apache Software License": "Apache-2.0",
    "BSD License": "BSD-3-Clause",
    "ISC License (ISCL)": "ISC",
    "MIT License": "MIT",
    "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
    "Python Software Foundation License": "PSF-2.0",
    "zlib/libpng License": "Zlib",
}


def is_allowed(expression: str) -> bool:
    """Check whether an SPDX expression can be satisfied within the allow-list.

    >>> is_allowed("MIT OR GPL-3.0"), is_allowed("MIT AND GPL-3.0"), is_allowed("(MIT OR GPL-2.0) AND Unicode-3.0")
    (True, False, True)
    """
    tokens = re.findall(r"[()]|[^\s()]+", expression.replace("/", " OR "))
    place = 0

    def either() -> bool:
        nonlocal place
        value = both()
        while place < len(tokens) and tokens[place].upper() == "OR":
            place += 1
            value = both() or value
        return value

    def both() -> bool:
        nonlocal place
        value = single()
        while place < len(tokens) and tokens[place].upper() in ("AND", "WITH"):
            # An exception only adds permissions.
            exception = tokens[place].upper() == "WITH"
            place += 1
            value = (exception or single()) and value
            place += exception
        return value

    def single() -> bool:
        nonlocal place
        if place >= len(tokens):
            return False
        token = tokens[place]
        place += 1
        if token != "(":
            return token in ALLOWED
        value = either()
        place += 1
        return value

    return either() and place >= len(tokens)


def rust() -> Iterator[tuple[str, str]]:
    """Return name and licence of every crate that the workspace ships with."""
    command = ["cargo", "metadata", "--format-version", "1", "--locked"]
    found = json.loads(subprocess.run(command, cwd=ROOT, check=True, capture_output=True).stdout)
    packages = {package["id"]: package for package in found["packages"]}
    needs = {
        node["id"]: [
            dependency["pkg"]
            for dependency in node["deps"]
            if any(kind["kind"] != "dev" for kind in dependency["dep_kinds"])
        ]
        for node in found["resolve"]["nodes"]
    }
    todo, seen = list(found["workspace_members"]), set(found["workspace_members"])
    while todo:
        name = todo.pop()
        package = packages[name]
        yield f"crate {package['name']} {package['version']}", package["license"] or "none"
        fresh = set(needs[name]) - seen
        seen |= fresh
        todo += fresh


def licence_of(distribution: metadata.Distribution) -> str:
    """Return the licence of a Python distribution, as SPDX if it has that."""
    about = distribution.metadata.json
    if expression := about.get("license_expression"):
        return str(expression)
    names = [line.split(" :: ")[-1] for line in about.get("classifier", []) if line.startswith("License ::")]
    if names and all(name in CLASSIFIERS for name in names):
        return " AND ".join(CLASSIFIERS[name] for name in names)
    text = str(about.get("license") or UNSTATED.get(str(about.get("name")), "none"))
    return CLASSIFIERS.get(text, text)


def python() -> Iterator[tuple[str, str]]:
    """Return name and licence of every Python distribution that the package and its extras need at run time."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = project.get("optional-dependencies", {})
    todo = [*project.get("dependencies", []), *(text for texts in extras.values() for text in texts)]
    seen = set()
    while todo:
        requirement = Requirement(todo.pop())
        # Our own extras are all on the list already.
        for wanted in {"", *requirement.extras} if requirement.name != project["name"] else ():
            key = (requirement.name.lower(), wanted)
            if key in seen or (requirement.marker and not requirement.marker.evaluate()):
                continue
            seen.add(key)
            try:
                distribution = metadata.distribution(requirement.name)
            except metadata.PackageNotFoundError:
                yield f"package {requirement.name}", NOT_INSTALLED.get(requirement.name, "not installed")
                continue
            if not wanted:
                yield f"package {key[0]} {distribution.version}", licence_of(distribution)
            todo += [line.partition(";")[0] for line in distribution.requires or [] if _is_needed(line, wanted)]


def _is_needed(line: str, extra: str) -> bool:
    """Check whether a requirement applies here, with or without an extra."""
    marker = Requirement(line).marker
    return (marker is None and not extra) or (marker is not None and marker.evaluate({"extra": extra}))


def npm() -> Iterator[tuple[str, str]]:
    """Return name and licence of every npm package in the web app, without its build tools."""
    for path, package in json.loads((ROOT / "package-lock.json").read_text())["packages"].items():
        if path.startswith("node_modules/") and not package.get("dev") and not package.get("link"):
            yield f"npm {path.removeprefix('node_modules/')} {package['version']}", package.get("license", "none")


def main() -> int:
    everything = sorted([*rust(), *python(), *npm()])
    wrong = [(name, licence) for name, licence in everything if not is_allowed(licence)]
    for name, licence in wrong:
        print(f"{name}: {licence} is not on the allow-list", file=sys.stderr)
    if not wrong:
        print(f"{len(everything)} licences, all on the allow-list")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
