"""What crates and their modules may depend on."""

from __future__ import annotations

import graphlib
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from tests.architecture.project import ROOT, RULES, code, files, short

CRATES = {
    "acedrex-rules": set[str](),
    "acedrex-engine": {"acedrex-rules"},
    "acedrex-judge": {"acedrex-match", "acedrex-rules"},
    "acedrex-env": {"acedrex-rules"},
    "acedrex-lab": {"acedrex-engine", "acedrex-rules"},
    "acedrex-match": {"acedrex-rules"},
    "acedrex-record": {"acedrex-rules"},
    "acedrex-python": {
        "acedrex-engine",
        "acedrex-env",
        "acedrex-judge",
        "acedrex-lab",
        "acedrex-match",
        "acedrex-record",
        "acedrex-rules",
    },
    "acedrex-wasm": {"acedrex-engine", "acedrex-match", "acedrex-record", "acedrex-rules"},
    "fuzz": {"acedrex-judge", "acedrex-record", "acedrex-rules"},
}


def manifests() -> dict[str, dict[str, Any]]:
    workspace = tomllib.loads((ROOT / "Cargo.toml").read_text(encoding="utf-8"))
    texts = [(ROOT / member / "Cargo.toml").read_text(encoding="utf-8") for member in workspace["workspace"]["members"]]
    texts.append((ROOT / "crates" / "wasm" / "Cargo.toml").read_text(encoding="utf-8"))
    found = [tomllib.loads(text) for text in texts]
    return {manifest["package"]["name"]: manifest for manifest in found}


def dependencies(manifest: dict[str, Any]) -> set[str]:
    """What a crate depends on, except for its tests."""
    platforms = [platform.get("dependencies", {}) for platform in manifest.get("target", {}).values()]
    return {*manifest.get("dependencies", {}), *manifest.get("build-dependencies", {})}.union(*platforms)


def test_crates_depend_on_each_other_exactly_as_listed() -> None:
    found = {name: dependencies(manifest) & CRATES.keys() for name, manifest in manifests().items()}
    assert found == CRATES


def test_external_dependencies_are_exactly_those_listed() -> None:
    assert dependencies(manifests()["acedrex-rules"]) == {"arrayvec", "toml"}
    assert dependencies(manifests()["acedrex-engine"]) == {
        *("acedrex-rules", "arrayvec"),
        # Large pages for the transposition table.
        *("memmap2", "self_cell", "zerocopy"),
    }
    assert dependencies(manifests()["acedrex-python"]) == {
        *("acedrex-engine", "acedrex-env", "acedrex-judge", "acedrex-lab", "acedrex-match", "acedrex-record"),
        *("acedrex-rules", "numpy", "pyo3"),
    }
    assert dependencies(manifests()["acedrex-match"]) == {"acedrex-rules", "serde", "serde_json"}
    assert dependencies(manifests()["acedrex-record"]) == {"acedrex-rules"}
    assert dependencies(manifests()["acedrex-wasm"]) == {
        *("acedrex-engine", "acedrex-match", "acedrex-record", "acedrex-rules"),
        *("js-sys", "wasm-bindgen"),
    }


def used_of_std(text: str) -> set[str]:
    """The modules of the standard library that a Rust source names."""
    used = set(re.findall(r"\bstd::(\w+)", text))
    for group in re.findall(r"\bstd::\{([^;]*)\}", text):
        used |= set(re.findall(r"\w+", group))
    return used


@pytest.mark.parametrize("path", sorted(RULES.rglob("*.rs")), ids=lambda path: path.name)
def test_the_rules_use_no_files_threads_or_clocks(path: Path) -> None:
    assert not used_of_std(code(path)) & {"fs", "net", "thread", "time", "process", "io", "os"}


def test_only_one_module_of_the_engine_uses_clocks_and_threads() -> None:
    paths = (ROOT / "crates" / "engine" / "src").rglob("*.rs")
    using = [path.stem for path in paths if re.search(r"\bInstant\b|\bSystemTime\b|std::thread", code(path))]
    assert using == ["native"]


@pytest.mark.parametrize("crate", ["rules", "engine", "judge", "env", "lab"])
def test_modules_of_a_crate_have_no_import_cycle(crate: str) -> None:
    source = ROOT / "crates" / crate / "src"
    used: dict[str, set[str]] = {}
    for path in source.rglob("*.rs"):
        module = path.relative_to(source).parts[0].removesuffix(".rs")
        used.setdefault(module, set()).update(re.findall(r"\bcrate::(\w+)", code(path)))
    order = graphlib.TopologicalSorter({module: names - {module} for module, names in used.items() if module != "lib"})
    order.prepare()  # raises CycleError, which names the cycle


VOCABULARY = {"limits", "square", "set", "few", "piece", "moves", "geometry", "hash", "text"}
DEFINITION = {"source", "squares", "betza", "walk", "definition", "placement"}
POSITION = {"position", "edit", "effect", "command", "attack", "legality", "generate", "dead", "perft"}
ABOVE = {"game", "loading", "board", "outcome", "fen", "san", "reach", "reader"}


def used_of_crate(module: str) -> set[str]:
    """A module is a file or a folder of files."""
    sources = [path for path in (RULES / f"{module}.rs", *(RULES / module).glob("*.rs")) if path.exists()]
    assert sources, f"{module} has no source"
    return {name for path in sources for name in re.findall(r"\bcrate::(\w+)", code(path))}


@pytest.mark.parametrize("module", sorted(VOCABULARY))
def test_vocabulary_modules_use_only_each_other(module: str) -> None:
    assert used_of_crate(module) <= VOCABULARY


@pytest.mark.parametrize("module", sorted(DEFINITION))
def test_definition_modules_do_not_use_positions(module: str) -> None:
    assert used_of_crate(module) <= VOCABULARY | DEFINITION


@pytest.mark.parametrize("module", sorted(POSITION))
def test_position_modules_do_not_use_boards(module: str) -> None:
    assert not used_of_crate(module) & ABOVE


def test_only_the_prefetch_uses_unsafe_code() -> None:
    lints = tomllib.loads((ROOT / "Cargo.toml").read_text(encoding="utf-8"))["workspace"]["lints"]
    assert lints["rust"]["unsafe_code"] == "deny"
    assert [name for name, manifest in manifests().items() if manifest.get("lints") != {"workspace": True}] == [
        "acedrex-wasm"  # in a separate workspace
    ]
    assert manifests()["acedrex-wasm"]["lints"]["rust"] == lints["rust"]
    unsafe = [short(path) for path in files() if path.suffix == ".rs" and re.search(r"\bunsafe(_code)?\b", code(path))]
    assert unsafe == ["crates/engine/src/prefetch.rs"]
