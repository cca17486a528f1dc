"""Which modules of the package may import which."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

from tests.architecture.project import MODULES, ROOT, short


def imports(path: Path, *, typing: bool = True, late: bool = True) -> Iterator[str]:
    """The modules that a file imports, optionally without those for type checkers or those inside functions."""

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
    """The modules of the package that a file imports, but for the table of limits, which anything may use."""
    return {name for name in imports(path, **which) if name.partition(".")[0] == "acedrex"} - {"acedrex.limits"}


USES = {
    "acedrex.errors": {"_native"},
    "acedrex.squares": {"_native", "errors"},
    "acedrex.setups": {"_native", "errors"},
    "acedrex.game": {"_native", "art", "art.emblem", "errors", "setups", "shapes"},
    "acedrex.outcome": {"_native", "termination"},
    "acedrex.termination": set[str](),
    "acedrex.pseudo_legal": {"_native"},
    "acedrex.orthodox": set[str](),
    "acedrex.operations": {"_native", "board", "errors"},
    "acedrex.board": {"_native", "errors", "game", "operations", "outcome", "pseudo_legal", "squares"},
    "acedrex.epd": {"_native", "board", "errors", "game", "operations"},
    "acedrex.art": {"art.emblem"},
    "acedrex.art.emblem": {"shapes"},
    "acedrex.shapes": set[str](),
    "acedrex.plain": {"_native", "board", "engine.result", "errors", "game", "shapes", "squares"},
    "acedrex.engine.limit": {"errors"},
    "acedrex.engine.result": {"_native"},
    "acedrex.engine.analysis": {"engine.limit", "engine.result"},
    "acedrex.engine.engine": {"_native", "board", "engine.analysis", "engine.limit", "engine.result", "errors"},
    "acedrex": {
        "_native",
        "board",
        "engine",
        "errors",
        "game",
        "orthodox",
        "outcome",
        "pseudo_legal",
        "setups",
        "squares",
    },
}


@pytest.mark.parametrize("module", USES)
def test_modules_import_only_what_they_may(module: str) -> None:
    found = {name.removeprefix("acedrex.") for name in own(MODULES[module])}
    # A board draws itself in notebooks, and imports the drawings only then.
    late = {"svg"} if module == "acedrex.board" else set()
    assert found <= USES[module] | late
    assert {name.removeprefix("acedrex.") for name in own(MODULES[module], late=False)} <= USES[module]


def test_only_the_main_module_imports_the_command_line() -> None:
    others = {name: path for name, path in MODULES.items() if not name.startswith("acedrex.cli")}
    knowing = [name for name, path in others.items() if any(used.startswith("acedrex.cli") for used in own(path))]
    assert knowing == ["acedrex.__main__"]


def test_protocols_import_only_the_engine_and_the_rules() -> None:
    allowed = ("_native", "board", "errors", "game", "outcome", "squares", "engine", "protocol")
    for name in MODULES:
        package = name.removeprefix("acedrex.").split(".")[0]
        if package in ("protocol", "uci", "xboard"):
            used = {other.removeprefix("acedrex.").split(".")[0] for other in own(MODULES[name])}
            assert used <= {package, *allowed}, name


def test_drawings_import_only_art_and_errors() -> None:
    for name in MODULES:
        if name.startswith("acedrex.svg"):
            others = {used for used in own(MODULES[name]) if not used.startswith("acedrex.svg")}
            assert others <= {"acedrex.art", "acedrex.errors"}, name


def test_bots_do_not_import_the_server_and_only_the_command_line_imports_bots() -> None:
    for name in MODULES:
        used = {other.removeprefix("acedrex.").split(".")[0] for other in own(MODULES[name])}
        if name.startswith("acedrex.bot"):
            assert used <= {"acedrex", "board", "bot", "engine", "errors", "game"}, name
        elif not name.startswith("acedrex.cli"):
            assert "bot" not in used, name


def test_the_widget_does_not_import_the_server_and_nothing_imports_the_widget() -> None:
    below = {"acedrex", "_native", "board", "engine", "errors", "game", "outcome", "plain"}
    below |= {"shapes", "squares", "widget"}
    for name in MODULES:
        used = {other.removeprefix("acedrex.").split(".")[0] for other in own(MODULES[name])}
        if name.startswith("acedrex.widget"):
            assert used <= below, name
        else:
            assert "widget" not in used, name


def test_pgn_does_not_import_drawings() -> None:
    for name in MODULES:
        if name.startswith("acedrex.pgn"):
            assert not any(used.startswith(("acedrex.svg", "acedrex.art")) for used in own(MODULES[name])), name


def test_engines_and_matches_import_nothing_above_them() -> None:
    for name in MODULES:
        if name.startswith(("acedrex.engine", "acedrex.match")):
            above = ("acedrex.svg", "acedrex.art") + (("acedrex.pgn", "acedrex.match") if "engine" in name else ())
            assert not any(used.startswith(above) for used in own(MODULES[name])), name


def test_the_lab_imports_only_lower_modules_and_only_the_command_line_imports_it() -> None:
    below = {"acedrex", "_native", "board", "engine", "errors", "game", "lab", "match", "pgn", "squares"}
    for name in MODULES:
        used = {other.removeprefix("acedrex.").split(".")[0] for other in own(MODULES[name])}
        if name.startswith("acedrex.lab"):
            assert used <= below, name
        elif not name.startswith(("acedrex.cli", "acedrex._native")):
            assert "lab" not in used, name
        # Ray is imported only to use a cluster, and the studies only to write pages.
        assert name.startswith("acedrex.lab.studies") or "acedrex.lab.studies" not in own(MODULES[name], late=False), (
            name
        )
        assert "acedrex.lab.ray" not in own(MODULES[name], late=False), name


def test_environments_import_only_lower_modules_and_nothing_imports_them() -> None:
    below = {"acedrex", "_native", "board", "engine", "env", "errors", "game", "outcome", "svg"}
    for name in MODULES:
        used = {other.removeprefix("acedrex.").split(".")[0] for other in own(MODULES[name])}
        if name.startswith("acedrex.env"):
            assert used <= below, name
        elif not name.startswith("acedrex._native"):
            assert "env" not in used, name


def test_the_command_line_does_not_import_the_native_module() -> None:
    for name in MODULES:
        if name.startswith("acedrex.cli"):
            assert "acedrex._native" not in own(MODULES[name]), name


#: The packages of the extra `server`, and those of `scale` for several processes.
SERVER = {
    "aiosmtplib",
    "alembic",
    "apprise",
    "argon2",
    "cryptography",
    "fastapi",
    "msgspec",
    "platformdirs",
    "icalendar",
    "prometheus_client",
    "py4swiss",
    "pywebpush",
    "redis",
    "requests",
    "resvg_py",
    "sqlalchemy",
    "starlette",
    "structlog",
    "uvicorn",
    "webauthn",
    "websockets",
    "zxcvbn",
}
#: The packages of the extra `notebook`.
NOTEBOOK = {"anywidget", "traitlets"}
#: The packages of the extra `lab`.
LAB = {"matplotlib", "numpy"}
#: The packages of the extra `rl`.
RL = {"PIL", "gymnasium", "numpy", "pettingzoo", "resvg_py"}
#: The package of the extra `ray`, which one module uses.
RAY = {"ray"}
#: The core of a match, without input and output: what its modules may import besides the rules.
CORE = {
    "wire": {"msgspec", "typing"},
    "match.events": {"collections", "msgspec", "typing", "wire"},
    "match.positions": {"msgspec", "typing", "wire"},
    "match.state": {"collections", "copy", "match.events", "msgspec", "typing", "wire"},
    "match.decide": {"match.events", "match.state", "msgspec", "refusal", "typing", "wire"},
    "refusal": {"wire"},
}
#: The folders of the server, each of which imports only those before it, and the modules beside them that any imports.
FOLDERS = [
    *("wire", "match", "storage", "limits", "games", "people", "ratings"),
    *("play", "tournaments", "analysis", "archive", "studies", "personal_data", "api"),
]
BESIDE = {"bus", "ids", "logs", "mail", "metrics", "poll", "refusal", "time_source"}


def is_of_server(module: str) -> bool:
    return module == "acedrex.server" or module.startswith("acedrex.server.")


@pytest.mark.parametrize("module", MODULES)
def test_modules_need_only_the_standard_library_and_their_extra(module: str) -> None:
    needed = {name.partition(".")[0] for name in imports(MODULES[module], typing=False)}
    more = SERVER if is_of_server(module) else NOTEBOOK if module.startswith("acedrex.widget") else set()
    more = {"acedrex.lab.ray": RAY, "acedrex.lab.data": {"numpy"}, "acedrex.lab.ordinal": {"numpy"}}.get(module, more)
    more = LAB if module.startswith("acedrex.lab.studies") else more
    more = RL if module.startswith("acedrex.env") else more
    assert needed <= {"acedrex", *sys.stdlib_module_names} | more


def test_the_package_has_no_dependencies() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["dependencies"] == []


def test_only_the_serve_command_imports_the_server() -> None:
    knowing = {name for name in MODULES if any(is_of_server(used) for used in own(MODULES[name]))}
    assert {name for name in knowing if not is_of_server(name)} == {"acedrex.cli.serve"}
    # All other commands work without the extra.
    assert not any(is_of_server(used) for used in own(MODULES["acedrex.cli.serve"], late=False))


def test_parsing_the_arguments_imports_no_command() -> None:
    assert own(MODULES["acedrex.cli.arguments"]) == {"acedrex"}


@pytest.mark.parametrize("module", CORE)
def test_the_core_of_a_match_has_no_input_or_output(module: str) -> None:
    used = set()
    for part in [name for name in MODULES if re.match(rf"acedrex\.server\.{module}\b", name)]:
        for name in imports(MODULES[part]):
            if is_of_server(name):
                inner = name.removeprefix("acedrex.server").lstrip(".")
                used.add("wire" if inner.startswith("wire.") else inner)
            elif not name.startswith("acedrex"):
                used.add(name.partition(".")[0])
    assert used - {"", "__future__", module} <= CORE[module]


@pytest.mark.parametrize("folder", FOLDERS)
def test_folders_of_the_server_import_only_those_before_them(folder: str) -> None:
    allowed = {*FOLDERS[: FOLDERS.index(folder) + 1], *BESIDE} | ({"services"} if folder == "api" else set())
    for name in MODULES:
        if name.startswith(f"acedrex.server.{folder}."):
            assert {used.split(".")[2] for used in own(MODULES[name]) if used.startswith("acedrex.server.")} <= allowed


def test_modules_of_the_server_do_not_import_each_other_in_circles() -> None:
    uses = {name: own(path) for name, path in MODULES.items() if name.startswith("acedrex.server.")}
    assert {*TopologicalSorter(uses).static_order()} >= {*uses}
