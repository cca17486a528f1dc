"""The wheel and the sdist: built, installed into empty environments, and inspected.

This is the slowest file: it compiles the sdist from scratch. Both builds share the repository's `target`, where the
dependencies are compiled already; the sdist is unpacked into `target/sdist`, always the same place, so that `target`
does not grow.
"""

from __future__ import annotations

import email
import importlib
import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tomllib
import zipfile
from pathlib import Path
from types import ModuleType

import maturin
import pytest

pytestmark = pytest.mark.slow
ROOT = Path(__file__).parent.parent
TARGET = ROOT / "target"
SOURCES = {
    path.relative_to(ROOT / "src").as_posix()
    for path in (ROOT / "src").rglob("*")
    if path.is_file() and "__pycache__" not in path.parts and path.suffix not in {".so", ".pyd"}
}


def run(*command: object, cwd: Path, **more: str) -> str:
    """Run a command in an environment without traces of this checkout, and return its output."""
    keep = ("HOME", "LANG", "TMPDIR", "CARGO_HOME", "RUSTUP_HOME", "RUSTUP_TOOLCHAIN", "SSL_CERT_FILE")
    env = {name: os.environ[name] for name in keep if name in os.environ}
    env["PATH"] = os.pathsep.join([sysconfig.get_path("scripts"), os.environ["PATH"]])
    done = subprocess.run(
        [str(word) for word in command], cwd=cwd, env=env | more, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, f"{command}: {done.stdout}\n{done.stderr}"
    return done.stdout


def build(source: Path, folder: Path, **more: str) -> Path:
    """Build a wheel as `pip install` would, but with the build tools and compiled dependencies of this checkout."""
    pip = (sys.executable, "-m", "pip", "wheel", "--no-deps", "--no-build-isolation", "--no-index", "--quiet")
    run(*pip, "--wheel-dir", folder, source, cwd=folder, CARGO_TARGET_DIR=str(TARGET), PIP_NO_CACHE_DIR="1", **more)
    (wheel,) = folder.glob("*.whl")
    return wheel


def install(wheel: Path, folder: Path) -> Path:
    """Install a wheel, and nothing else, into an empty environment, and return its folder of programs."""
    run(sys.executable, "-m", "venv", "--without-pip", folder / "venv", cwd=folder)
    scripts = Path(sysconfig.get_path("scripts", "venv", {"base": str(folder / "venv")}))
    python = scripts / Path(sys.executable).name
    run(sys.executable, "-m", "pip", "--python", python, "install", "--no-index", "--quiet", wheel, cwd=folder)
    return scripts


@pytest.fixture
def backend(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The build backend that `pip` calls, in a checkout where nothing is built; Maturin only returns names."""
    system = tomllib.loads((ROOT / "pyproject.toml").read_text())["build-system"]
    for folder in system["backend-path"]:
        monkeypatch.syspath_prepend(ROOT / folder)
    found = importlib.import_module(system["build-backend"])
    for kind in ("wheel", "sdist"):
        monkeypatch.setattr(maturin, f"build_{kind}", lambda *_, kind=kind: kind)
    monkeypatch.chdir(tmp_path)
    return found


@pytest.mark.parametrize("kind", ["wheel", "sdist"])
def test_packages_cannot_be_built_without_the_web_app(kind: str, backend: ModuleType, tmp_path: Path) -> None:
    pack = getattr(backend, f"build_{kind}")
    for file in ("server/static/index.html", "widget/static/board.js"):
        with pytest.raises(SystemExit, match="The web app is not built: run `make web` first"):
            pack("dist")
        bundle = tmp_path / "src" / "acedrex" / file
        bundle.parent.mkdir(parents=True)
        bundle.touch()
    assert pack("dist") == kind


def test_an_editable_install_does_not_need_the_web_app(backend: ModuleType) -> None:
    assert backend.build_editable is maturin.build_editable


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(ROOT, tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return install(wheel, tmp_path_factory.mktemp("installed"))


@pytest.fixture(scope="module")
def sdist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sdist")
    run("maturin", "sdist", "--out", folder, cwd=ROOT)
    (path,) = folder.glob("*.tar.gz")
    return path


def test_the_wheel_contains_the_package_and_nothing_else(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    native = {name for name in names if name.startswith("acedrex/_native.") and not name.endswith(".pyi")}
    assert len(native) == 1
    assert {name for name in names if not name.startswith("acedrex-")} - native == SOURCES
    assert {"acedrex/py.typed", "acedrex/_native.pyi", "acedrex/art/game-icons.json"} <= names
    assert "-cp311-abi3-" in wheel.name
    assert wheel.stat().st_size < 6_500_000


def test_the_metadata_names_the_licences_and_requires_nothing(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        (folder,) = {name.split("/")[0] for name in archive.namelist() if name.startswith("acedrex-")}
        metadata = email.message_from_string(archive.read(f"{folder}/METADATA").decode())
        entry_points = archive.read(f"{folder}/entry_points.txt").decode()
        for file in ("LICENSE", "NOTICE", "src/acedrex/art/CREDITS.md"):
            assert archive.read(f"{folder}/licenses/{file}") == (ROOT / file).read_bytes()
    assert metadata["Name"] == "acedrex"
    assert metadata["License-Expression"] == "Apache-2.0 AND CC-BY-3.0"
    assert sorted(metadata.get_all("License-File")) == ["LICENSE", "NOTICE", "src/acedrex/art/CREDITS.md"]
    assert metadata["Requires-Python"] == ">=3.11"
    assert [line for line in metadata.get_all("Requires-Dist") if "extra ==" not in line] == []
    assert metadata["Version"] == tomllib.loads((ROOT / "Cargo.toml").read_text())["workspace"]["package"]["version"]
    assert metadata.get_payload().strip() == (ROOT / "README.md").read_text().strip()
    assert "acedrex=acedrex.cli:main" in entry_points.replace(" ", "")


def test_the_installed_command_works(installed: Path, tmp_path: Path) -> None:
    program = installed / "acedrex"
    listed = run(program, "games", cwd=tmp_path)
    for path in (ROOT / "games").glob("*.toml"):
        assert path.stem in listed
    assert run(program, "perft", "metamachy", "2", cwd=tmp_path).splitlines()[-1] == "Nodes: 3721"
    assert json.loads(run(program, "perft", "magi", "2", "--json", cwd=tmp_path))["nodes"] == 1442
    assert run(installed / "python", "-m", "acedrex", "show", "maasai", "--setup", "1", cwd=tmp_path)
    run(program, "show", "maasai", "--svg", "board.svg", cwd=tmp_path)
    assert (tmp_path / "board.svg").read_text().startswith("<svg")


def test_the_installed_package_is_complete(installed: Path, wheel: Path, tmp_path: Path) -> None:
    code = (
        "import acedrex, acedrex.svg, acedrex.pgn, importlib.metadata, io, pathlib, sys\n"
        "assert pathlib.Path(acedrex.__file__).is_relative_to(sys.prefix), acedrex.__file__\n"
        "assert importlib.metadata.version('acedrex') == acedrex.__version__\n"
        "assert all('<path' in acedrex.Board(name)._repr_svg_() for name in acedrex.games())\n"
        "print(len(acedrex.games()), acedrex.Board('chieftain').perft(2))\n"
    )
    shipped = len(list((ROOT / "games").glob("*.toml")))
    assert run(installed / "python", "-I", "-c", code, cwd=tmp_path).split() == [str(shipped), "16420"]


def test_the_sdist_contains_all_sources_and_no_build_products(sdist: Path) -> None:
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    games = {path.relative_to(ROOT).as_posix() for path in (ROOT / "games").rglob("*.toml")}
    core = {path.relative_to(ROOT).as_posix() for path in (ROOT / "crates" / "rules" / "src").rglob("*.rs")}
    assert games | core | {f"src/{name}" for name in SOURCES} <= names
    assert {"Cargo.lock", "Cargo.toml", "pyproject.toml", "README.md", "LICENSE", "NOTICE", "PKG-INFO"} <= names
    assert {"tools/backend/acedrex_backend.py"} <= names
    assert {"crates/python/Cargo.toml", "crates/python/src/lib.rs", "crates/rules/build.rs"} <= names
    built = {".so", ".pyd", ".pyc", ".rlib", ".whl"}
    assert not [name for name in names if Path(name).suffix in built or name.startswith(("target", ".git", ".venv"))]


def test_the_sdist_builds_the_same_wheel_as_the_checkout(sdist: Path, wheel: Path, tmp_path: Path) -> None:
    unpacked = TARGET / "sdist"
    shutil.rmtree(unpacked, ignore_errors=True)
    with tarfile.open(sdist) as archive:
        archive.extractall(unpacked, filter="data")
    (source,) = unpacked.iterdir()
    # All its files are of the same age; Cargo would take those of an earlier run for unchanged.
    for path in source.rglob("*"):
        if (original := ROOT / path.relative_to(source)).is_file():
            os.utime(path, ns=(original.stat().st_mtime_ns,) * 2)
    # What matters is that it builds, not how fast it runs.
    quickly = {"CARGO_PROFILE_DEV_OPT_LEVEL": "0", "CARGO_PROFILE_DEV_DEBUG": "0", "CARGO_INCREMENTAL": "0"}
    other = build(source, tmp_path, MATURIN_PEP517_ARGS="--profile dev", **quickly)
    with zipfile.ZipFile(other) as mine, zipfile.ZipFile(wheel) as theirs:
        # The software bill of materials contains the path of the checkout.
        names, wanted = ({name for name in archive.namelist() if "sboms" not in name} for archive in (mine, theirs))
        assert names == wanted
        same = [name for name in names if name.endswith((".py", ".pyi", ".json", ".md", "METADATA"))]
        assert [name for name in same if mine.read(name) != theirs.read(name)] == []
    scripts = install(other, tmp_path)
    assert run(scripts / "acedrex", "perft", "maasai", "2", cwd=tmp_path).splitlines()[-1] == "Nodes: 676"


def test_no_text_says_to_install_the_unpublished_package() -> None:
    texts = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md"), *(ROOT / "src").rglob("*.py")]
    assert [path for path in texts if re.search(r"install [^`\n]*\bacedrex\b(\[|`|$)", path.read_text(), re.M)] == []
