"""How long files are, what no file may name, and that ARCHITECTURE.md tells of every part."""

from __future__ import annotations

import re
import tomllib

from tests.architecture.project import MODULES, ROOT, RULES, files, short

PAGE = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")

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
