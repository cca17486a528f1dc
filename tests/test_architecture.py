"""What ARCHITECTURE.md says of the code, held against the code: what may use what, and how large files may be."""

from __future__ import annotations

import ast
import graphlib
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
RULES = ROOT / "crates" / "rules" / "src"
PACKAGE = ROOT / "src" / "acedrex"


def files() -> list[Path]:
    """Every file of the project that is or may be committed."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    try:
        listed = subprocess.run(command, cwd=ROOT, capture_output=True, check=True).stdout.decode().split("\0")
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("the project's files are not in a git repository")
    return [path for name in listed if name and (path := ROOT / name).is_file()]


def short(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


# Rust.

CRATES = {
    "acedrex-rules": set[str](),
    "acedrex-engine": {"acedrex-rules"},
    "acedrex-judge": {"acedrex-rules"},
    "acedrex-env": {"acedrex-rules"},
    "acedrex-lab": {"acedrex-engine", "acedrex-rules"},
    "acedrex-python": {"acedrex-engine", "acedrex-env", "acedrex-lab", "acedrex-rules"},
    "acedrex-wasm": {"acedrex-engine", "acedrex-rules"},
    "fuzz": {"acedrex-judge", "acedrex-rules"},
}


def manifests() -> dict[str, dict[str, Any]]:
    workspace = tomllib.loads((ROOT / "Cargo.toml").read_text(encoding="utf-8"))
    texts = [(ROOT / member / "Cargo.toml").read_text(encoding="utf-8") for member in workspace["workspace"]["members"]]
    texts.append((ROOT / "crates" / "wasm" / "Cargo.toml").read_text(encoding="utf-8"))
    found = [tomllib.loads(text) for text in texts]
    return {manifest["package"]["name"]: manifest for manifest in found}


def dependencies(manifest: dict[str, Any]) -> set[str]:
    """What a crate depends on, its tests left aside."""
    platforms = [platform.get("dependencies", {}) for platform in manifest.get("target", {}).values()]
    return {*manifest.get("dependencies", {}), *manifest.get("build-dependencies", {})}.union(*platforms)


def test_crates_use_what_they_may() -> None:
    found = {name: dependencies(manifest) & CRATES.keys() for name, manifest in manifests().items()}
    assert found == CRATES


def test_rules_need_little() -> None:
    assert dependencies(manifests()["acedrex-rules"]) == {"arrayvec", "toml"}
    assert dependencies(manifests()["acedrex-engine"]) == {
        *("acedrex-rules", "arrayvec"),
        # The table's memory in large pages.
        *("memmap2", "self_cell", "zerocopy"),
    }
    assert dependencies(manifests()["acedrex-python"]) == {
        *("acedrex-engine", "acedrex-env", "acedrex-lab", "acedrex-rules"),
        *("numpy", "pyo3"),
    }
    assert dependencies(manifests()["acedrex-wasm"]) == {"acedrex-engine", "acedrex-rules", "js-sys", "wasm-bindgen"}


def code(path: Path) -> str:
    """A Rust file without its comments."""
    return re.sub(r"//[^\n]*|/\*.*?\*/", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)


def used_of_std(text: str) -> set[str]:
    """The modules of the standard library that a Rust text names."""
    used = set(re.findall(r"\bstd::(\w+)", text))
    for group in re.findall(r"\bstd::\{([^;]*)\}", text):
        used |= set(re.findall(r"\w+", group))
    return used


@pytest.mark.parametrize("path", sorted(RULES.rglob("*.rs")), ids=lambda path: path.name)
def test_rules_have_no_files_threads_or_clocks(path: Path) -> None:
    assert not used_of_std(code(path)) & {"fs", "net", "thread", "time", "process", "io", "os"}


def test_only_one_module_of_the_engine_has_a_clock_and_threads() -> None:
    paths = (ROOT / "crates" / "engine" / "src").rglob("*.rs")
    using = [path.stem for path in paths if re.search(r"\bInstant\b|\bSystemTime\b|std::thread", code(path))]
    assert using == ["native"]


@pytest.mark.parametrize("crate", ["rules", "engine", "judge", "env", "lab"])
def test_modules_of_a_crate_form_no_circle(crate: str) -> None:
    source = ROOT / "crates" / crate / "src"
    used: dict[str, set[str]] = {}
    for path in source.rglob("*.rs"):
        module = path.relative_to(source).parts[0].removesuffix(".rs")
        used.setdefault(module, set()).update(re.findall(r"\bcrate::(\w+)", code(path)))
    order = graphlib.TopologicalSorter({module: names - {module} for module, names in used.items() if module != "lib"})
    order.prepare()  # raises CycleError, which names the circle


VOCABULARY = {"square", "set", "few", "piece", "moves", "geometry", "hash", "text"}
DEFINITION = {"source", "squares", "betza", "walk", "definition", "placement"}
POSITION = {"position", "edit", "effect", "turn", "attack", "legality", "generate", "dead", "perft"}
ABOVE = {"game", "loading", "board", "outcome", "fen", "san", "reach", "reader"}


def used_of_crate(module: str) -> set[str]:
    """A module is a file or a folder of files."""
    sources = [path for path in (RULES / f"{module}.rs", *(RULES / module).glob("*.rs")) if path.exists()]
    assert sources, f"{module} has no source"
    return {name for path in sources for name in re.findall(r"\bcrate::(\w+)", code(path))}


@pytest.mark.parametrize("module", sorted(VOCABULARY))
def test_vocabulary_stands_alone(module: str) -> None:
    assert used_of_crate(module) <= VOCABULARY


@pytest.mark.parametrize("module", sorted(DEFINITION))
def test_definitions_know_no_positions(module: str) -> None:
    assert used_of_crate(module) <= VOCABULARY | DEFINITION


@pytest.mark.parametrize("module", sorted(POSITION))
def test_positions_know_no_boards(module: str) -> None:
    assert not used_of_crate(module) & ABOVE


def test_only_the_prefetch_is_unsafe() -> None:
    lints = tomllib.loads((ROOT / "Cargo.toml").read_text(encoding="utf-8"))["workspace"]["lints"]
    assert lints["rust"]["unsafe_code"] == "deny"
    assert [name for name, manifest in manifests().items() if manifest.get("lints") != {"workspace": True}] == [
        "acedrex-wasm"  # in a workspace of its own
    ]
    assert manifests()["acedrex-wasm"]["lints"]["rust"] == lints["rust"]
    unsafe = [short(path) for path in files() if path.suffix == ".rs" and re.search(r"\bunsafe(_code)?\b", code(path))]
    assert unsafe == ["crates/engine/src/prefetch.rs"]


# Python.


def modules() -> dict[str, Path]:
    """The modules of the package by name, the package itself as `acedrex`."""
    found = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = [*path.relative_to(PACKAGE.parent).with_suffix("").parts]
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


MODULES = modules()


def imports(path: Path, *, typing: bool = True, late: bool = True) -> Iterator[str]:
    """The modules that a file imports; without those only for type checkers, and without those inside functions."""

    def walk(node: ast.AST) -> Iterator[ast.Import | ast.ImportFrom]:
        for child in ast.iter_child_nodes(node):
            for_checkers = isinstance(child, ast.If) and ast.unparse(child.test) == "TYPE_CHECKING"
            if isinstance(child, ast.Import | ast.ImportFrom):
                yield child
            elif (typing or not for_checkers) and (late or not isinstance(child, ast.FunctionDef)):
                yield from walk(child)

    for found in walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(found, ast.Import):
            yield from (alias.name for alias in found.names)
            continue
        assert not found.level, f"{short(path)} has a relative import"
        for alias in found.names:
            name = f"{found.module}.{alias.name}"
            yield name if name in MODULES or name == "acedrex._native" else found.module or ""


def own(path: Path, **which: bool) -> set[str]:
    return {name for name in imports(path, **which) if name.partition(".")[0] == "acedrex"}


USES = {
    "acedrex.errors": {"_native"},
    "acedrex.squares": {"_native", "errors"},
    "acedrex.rulebook.facts": set[str](),
    "acedrex.rulebook": {"rulebook.facts", "squares"},
    "acedrex.setups": {"_native", "errors"},
    "acedrex.game": {"_native", "art", "art.emblem", "errors", "rulebook", "setups", "shapes"},
    "acedrex.outcome": set[str](),
    "acedrex.placement": {"_native", "game"},
    "acedrex.moves": {"_native", "placement"},
    "acedrex.operations": {"_native", "board", "errors"},
    "acedrex.board": {"_native", "errors", "game", "moves", "operations", "outcome", "placement", "squares"},
    "acedrex.epd": {"_native", "board", "errors", "game", "operations"},
    "acedrex.art": {"art.emblem"},
    "acedrex.art.emblem": {"shapes"},
    "acedrex.shapes": set[str](),
    "acedrex.plain": {"_native", "board", "engine.result", "errors", "game", "shapes", "squares"},
    "acedrex.engine.limit": {"errors"},
    "acedrex.engine.result": {"_native"},
    "acedrex.engine.analysis": {"engine.limit", "engine.result"},
    "acedrex.engine.engine": {"_native", "board", "engine.analysis", "engine.limit", "engine.result", "errors"},
    "acedrex": {"_native", "board", "engine", "errors", "game", "moves", "outcome", "setups", "squares"},
}


@pytest.mark.parametrize("module", USES)
def test_modules_use_what_they_may(module: str) -> None:
    found = {name.removeprefix("acedrex.") for name in own(MODULES[module])}
    # A board draws itself in notebooks, and loads the pictures only then.
    late = {"svg"} if module == "acedrex.board" else set()
    assert found <= USES[module] | late
    assert {name.removeprefix("acedrex.") for name in own(MODULES[module], late=False)} <= USES[module]


def test_nothing_knows_the_terminal() -> None:
    others = {name: path for name, path in MODULES.items() if not name.startswith("acedrex.cli")}
    knowing = [name for name, path in others.items() if any(used.startswith("acedrex.cli") for used in own(path))]
    assert knowing == ["acedrex.__main__"]


def test_protocols_know_the_engine_and_the_rules() -> None:
    allowed = ("_native", "board", "errors", "game", "outcome", "squares", "engine", "protocol")
    for name in MODULES:
        package = name.removeprefix("acedrex.").split(".")[0]
        if package in ("protocol", "uci", "xboard"):
            used = {other.removeprefix("acedrex.").split(".")[0] for other in own(MODULES[name])}
            assert used <= {package, *allowed}, name


def test_pictures_know_nothing_but_art() -> None:
    for name in MODULES:
        if name.startswith("acedrex.svg"):
            others = {used for used in own(MODULES[name]) if not used.startswith("acedrex.svg")}
            assert others <= {"acedrex.art", "acedrex.errors"}, name


def test_bots_know_no_server() -> None:
    for name in MODULES:
        used = {other.removeprefix("acedrex.").split(".")[0] for other in own(MODULES[name])}
        if name.startswith("acedrex.bot"):
            assert used <= {"acedrex", "board", "bot", "engine", "errors", "game"}, name
        elif not name.startswith("acedrex.cli"):
            assert "bot" not in used, name


def test_notebooks_know_no_server_and_nobody_knows_them() -> None:
    below = {"acedrex", "_native", "board", "engine", "errors", "game", "outcome", "plain"}
    below |= {"shapes", "squares", "widget"}
    for name in MODULES:
        used = {other.removeprefix("acedrex.").split(".")[0] for other in own(MODULES[name])}
        if name.startswith("acedrex.widget"):
            assert used <= below, name
        else:
            assert "widget" not in used, name


def test_records_know_no_pictures() -> None:
    for name in MODULES:
        if name.startswith("acedrex.pgn"):
            assert not any(used.startswith(("acedrex.svg", "acedrex.art")) for used in own(MODULES[name])), name


def test_engines_know_no_matches() -> None:
    for name in MODULES:
        if name.startswith(("acedrex.engine", "acedrex.match")):
            above = ("acedrex.svg", "acedrex.art") + (("acedrex.pgn", "acedrex.match") if "engine" in name else ())
            assert not any(used.startswith(above) for used in own(MODULES[name])), name


def test_the_lab_is_above_matches_and_only_the_terminal_knows_it() -> None:
    below = {"acedrex", "_native", "board", "engine", "errors", "game", "lab", "match", "pgn", "squares"}
    for name in MODULES:
        used = {other.removeprefix("acedrex.").split(".")[0] for other in own(MODULES[name])}
        if name.startswith("acedrex.lab"):
            assert used <= below, name
        elif not name.startswith(("acedrex.cli", "acedrex._native")):
            assert "lab" not in used, name
        # Ray is loaded only where a cluster is asked for, and what draws plots only where pages are made.
        assert name.startswith("acedrex.lab.studies") or "acedrex.lab.studies" not in own(MODULES[name], late=False), (
            name
        )
        assert "acedrex.lab.ray" not in own(MODULES[name], late=False), name


def test_environments_are_for_whoever_imports_them() -> None:
    below = {"acedrex", "_native", "board", "engine", "env", "errors", "game", "outcome", "svg"}
    for name in MODULES:
        used = {other.removeprefix("acedrex.").split(".")[0] for other in own(MODULES[name])}
        if name.startswith("acedrex.env"):
            assert used <= below, name
        elif not name.startswith("acedrex._native"):
            assert "env" not in used, name


def test_the_terminal_uses_what_everybody_may() -> None:
    for name in MODULES:
        if name.startswith("acedrex.cli"):
            assert "acedrex._native" not in own(MODULES[name]), name


#: What the extra `server` brings, and what `scale` adds for several processes.
SERVER = {
    "alembic",
    "fastapi",
    "msgspec",
    "platformdirs",
    "prometheus_client",
    "redis",
    "resvg_py",
    "sqlalchemy",
    "starlette",
    "structlog",
    "uvicorn",
    "websockets",
}
#: What the extra `notebook` brings.
NOTEBOOK = {"anywidget", "traitlets"}
#: What the extra `lab` brings.
LAB = {"matplotlib", "numpy"}
#: What the extra `rl` brings.
RL = {"PIL", "gymnasium", "numpy", "pettingzoo", "resvg_py"}
#: What the extra `ray` brings; one module uses it.
RAY = {"ray"}
#: A match without input and output: what it may use besides the rules.
CORE = {
    "wire": {"msgspec", "typing"},
    "events": {"msgspec", "typing", "wire"},
    "clock": {"msgspec", "wire"},
    "positions": {"msgspec", "typing", "wire"},
    "state": {"clock", "collections", "copy", "events", "fractions", "msgspec", "positions", "typing", "wire"},
    "decide": {"clock", "events", "msgspec", "state", "typing", "wire"},
}


def is_of_server(module: str) -> bool:
    return module == "acedrex.server" or module.startswith("acedrex.server.")


@pytest.mark.parametrize("module", MODULES)
def test_nothing_but_python_is_needed(module: str) -> None:
    needed = {name.partition(".")[0] for name in imports(MODULES[module], typing=False)}
    more = SERVER if is_of_server(module) else NOTEBOOK if module.startswith("acedrex.widget") else set()
    more = {"acedrex.lab.ray": RAY, "acedrex.lab.data": {"numpy"}, "acedrex.lab.ordinal": {"numpy"}}.get(module, more)
    more = LAB if module.startswith("acedrex.lab.studies") else more
    more = RL if module.startswith("acedrex.env") else more
    assert needed <= {"acedrex", *sys.stdlib_module_names} | more


def test_the_package_has_no_dependencies() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["dependencies"] == []


def test_only_the_terminal_starts_the_server() -> None:
    knowing = {name for name in MODULES if any(is_of_server(used) for used in own(MODULES[name]))}
    assert {name for name in knowing if not is_of_server(name)} == {"acedrex.cli.serve"}
    # Whoever has not installed the extra can use all other commands.
    assert not any(is_of_server(used) for used in own(MODULES["acedrex.cli.serve"], late=False))


@pytest.mark.parametrize("module", CORE)
def test_the_core_of_a_match_has_no_input_or_output(module: str) -> None:
    used = set()
    for part in [name for name in MODULES if re.match(rf"acedrex\.server\.{module}\b", name)]:
        for name in imports(MODULES[part]):
            if is_of_server(name):
                used.add(name.removeprefix("acedrex.server").lstrip(".").partition(".")[0])
            elif not name.startswith("acedrex"):
                used.add(name.partition(".")[0])
    assert used - {"", "__future__", module} <= CORE[module]


# The board of the web.

BOARD = ROOT / "web" / "board" / "src"

#: What turns one state into the next, or into text: without a document.
PURE = ["buttons", "captured", "fen", "hand", "keyboard", "marks", "moves", "playback", "receive", "settings"]
PURE += ["setup", "shapes", "squares", "state", "texts", "types", "typing", "view"]


def test_the_board_uses_nothing_but_itself() -> None:
    for path in sorted(BOARD.glob("*.ts")):
        text = code(path)
        assert {name for name in re.findall(r'\b(?:from|import) "([^"]+)"', text) if not name.startswith("./")} == set()
        # It knows squares, pieces and moves, and never a server or what a browser keeps.
        assert not re.search(r"\b(fetch|XMLHttpRequest|WebSocket|EventSource|localStorage|indexedDB)\b", text), short(
            path
        )


@pytest.mark.parametrize("module", PURE)
def test_the_state_of_the_board_knows_no_document(module: str) -> None:
    text = code(BOARD / f"{module}.ts")
    assert not re.search(r"\b(document|window|navigator)\.|\b(HTML|SVG)\w*Element\b|\baddEventListener\b", text)
    used = set(re.findall(r'from "\./([\w-]+)\.ts"', text))
    assert used <= set(PURE)


def test_the_board_in_notebooks_loads_nothing() -> None:
    for path in sorted((ROOT / "web" / "notebook" / "src").glob("*.ts")):
        text = code(path)
        for name in re.findall(r'\b(?:from|import) "([^"]+)"', text):
            assert name.startswith(("./", "@acedrex/board")), short(path)
        assert not re.search(r"\b(fetch|XMLHttpRequest|WebSocket|EventSource|innerHTML|localStorage)\b|https?:", text)


# Boards on other pages.

ELEMENT = ROOT / "web" / "element" / "src"


def test_the_element_asks_for_nothing_but_its_own_files() -> None:
    for path in sorted(ELEMENT.glob("*.ts")):
        text = code(path)
        assert not re.search(r"\b(XMLHttpRequest|WebSocket|EventSource|localStorage|sessionStorage|indexedDB)\b", text)
        assert not re.search(r"\b(innerHTML|outerHTML|insertAdjacentHTML|cookie|eval\()|https?://(?!www.w3.org)", text)
        # Its own files, a definition of the page's site, and for frames what the server shows to anyone.
        assert path.name in ("core.ts", "line.ts", "embed.ts") or "fetch(" not in text, short(path)
        used = [
            name for name in re.findall(r'\b(?:from|import) "([^"]+)"', text) if not name.startswith(("./", "made:"))
        ]
        app = {"../../app/src/analysis/share.ts"} if path.name == "embed.ts" else set()
        assert all(name in app or name.startswith(("../../board/", "../../core/src/")) for name in used), short(path)


# The web app.

APP = ROOT / "web" / "app" / "src"


def test_what_people_write_is_only_ever_text() -> None:
    scripts = [path for path in sorted(APP.rglob("*")) if path.suffix in (".ts", ".tsx", ".js")]
    assert len(scripts) > 40
    for path in scripts:
        assert not re.search(r"\b(innerHTML|outerHTML|insertAdjacentHTML|dangerouslySetInnerHTML|eval\()", code(path))


def test_the_core_for_javascript_uses_the_board_only_for_types() -> None:
    for path in sorted((ROOT / "web" / "core" / "src").glob("*.ts")):
        used = re.findall(r'^(import|export)( type)?\b[^;"]*\bfrom "([^"]+)"', code(path), re.MULTILINE)
        for _, for_types, name in used:
            assert name.startswith(("./", "../compiled/", "node:")) or (name.startswith("../../board/") and for_types)
            assert path.name in ("node.ts", "worker-node.ts") or not name.startswith("node:"), short(path)


def test_only_the_client_speaks_to_the_server() -> None:
    speaking = {
        path.relative_to(APP).parts[0]
        for path in APP.rglob("*.ts*")
        if re.search(r"\bnew WebSocket|\bfetch\(", code(path))
    }
    # The board's drawings, and the core with its networks, are files of the app's own.
    assert speaking == {"client", "core", "parts"}


# Files.

#: Files that have more than 500 lines all the same.
LONG = {
    "crates/rules/src/betza.rs",
    "crates/rules/src/compile.rs",
    "crates/rules/src/generate.rs",
    "crates/rules/src/position.rs",
    "crates/rules/src/reader.rs",
    "src/acedrex/_native.pyi",
}


#: Files that are made from others, by tools/make_types.py.
MADE = {"web/app/src/wire.ts", "web/board/src/shapes.ts"}


def test_files_are_short() -> None:
    folders = ("crates/", "fuzz/", "src/", "benches/", "tools/", "web/")
    kinds = (".rs", ".py", ".pyi", ".ts", ".tsx", ".css")
    sources = [
        path for path in files() if short(path).startswith(folders) and path.suffix in kinds and short(path) not in MADE
    ]
    lines = {short(path): len(path.read_text(encoding="utf-8").splitlines()) for path in sources}
    assert len(lines) > 50
    too_long = {name: count for name, count in lines.items() if count > (900 if name in LONG else 500)}
    assert not too_long, "split them; LONG is for what cannot be"


def test_no_file_names_a_machine() -> None:
    # Put together here, so that this file does not name them.
    places = "|".join(("work", "root", r"home/\w"))
    path_of_a_machine = re.compile(rf"(?<![\w.~/-])/({places})(/|\b)".encode())
    naming = [short(path) for path in files() if path_of_a_machine.search(path.read_bytes())]
    assert naming == []


def test_locks_name_no_private_registry() -> None:
    texts = [path.read_text(encoding="utf-8") for path in files() if path.name == "Cargo.lock"]
    assert len(texts) == 3
    packages = [package for text in texts for package in tomllib.loads(text)["package"]]
    sources = {package["source"] for package in packages if "source" in package}
    assert sources <= {"registry+https://github.com/rust-lang/crates.io-index"}
    for path in files():
        if path.suffix in (".txt", ".in") or path.name in ("Makefile", "run", "config.toml", "pyproject.toml"):
            text = path.read_text(encoding="utf-8")
            # Options of pip and tables of cargo that say where packages come from.
            assert not re.search(r"--(extra-)?index-url|--find-links|--trusted-host|replace-with", text), short(path)
            assert not re.search(r"\[(source|registries|registry)\b", text), short(path)


# The page.


def test_every_folder_is_told() -> None:
    folders = {short(path).partition("/")[0] for path in files() if path.parent != ROOT}
    assert [folder for folder in sorted(folders) if f"`{folder}/" not in PAGE] == []


def test_every_crate_is_told() -> None:
    members = tomllib.loads((ROOT / "Cargo.toml").read_text(encoding="utf-8"))["workspace"]["members"]
    assert [member for member in members if f"`{member}/`" not in PAGE] == []


def test_every_module_is_told() -> None:
    rust = [path.stem for path in sorted(RULES.glob("*.rs")) if path.stem != "lib"]
    python = [name.removeprefix("acedrex.") for name in MODULES if name.count(".") == 1 and "__" not in name]
    assert [name for name in rust + python if f"`{name}`" not in PAGE] == []
