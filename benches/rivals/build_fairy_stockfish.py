"""Builds today's Fairy-Stockfish natively, for this processor, as a program to measure and test against.

    python -m benches.rivals.build_fairy_stockfish

The source distribution of its Python module on the package index has the whole engine; it is downloaded by its hash and
compiled with g++ into `benches/rivals/fairy-stockfish`, with large boards and all variants, and without a network. It
is a program of its own under the GPL, and nothing of ours contains or imports it. The variable `FAIRY_STOCKFISH` names
it to the measurements, `--program` to `tests.witness.fairy_variants`, and `--rival` to `benches.ladder`.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

#: The source distribution, by its hash.
REQUIREMENT = "pyffish==0.0.90 --hash=sha256:4a79601d85f392bce03705a275fb5f03dc44a554b26d32d518fb6887d772f701"
#: As Fairy-Stockfish's own Makefile sets them for `ARCH=x86-64-bmi2 largeboards=yes all=yes nnue=no`.
FLAGS = [
    *("-O3", "-std=c++17", "-DNDEBUG", "-flto", "-fno-exceptions", "-march=native"),
    *("-DIS_64BIT", "-DUSE_POPCNT", "-DUSE_PEXT", "-DUSE_AVX2", "-DUSE_SSE41", "-DUSE_SSSE3", "-DUSE_SSE2"),
    *("-DLARGEBOARDS", "-DALLVARS", "-DPRECOMPUTED_MAGICS", "-DNNUE_EMBEDDING_OFF"),
]
PROGRAM = Path(__file__).parent / "fairy-stockfish"


def main() -> None:
    """Download, compile and link."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "requirements.txt").write_text(REQUIREMENT + "\n", encoding="utf-8")
        pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-binary", ":all:"]
        subprocess.run([*pip, "--require-hashes", "-r", "requirements.txt"], cwd=folder, check=True)
        [archive] = folder.glob("pyffish-*.tar.gz")
        with tarfile.open(archive) as packed:
            packed.extractall(folder, filter="data")
        [source] = folder.glob("pyffish-*/src")
        files = [
            file for file in sorted(source.rglob("*.cpp")) if file.name not in ("pyffish.cpp", "ffishjs.cpp")
        ]  # the modules for Python and JavaScript

        def compiled(file: Path) -> Path:
            made = folder / f"{'-'.join(file.relative_to(source).parts)}.o"
            subprocess.run(["g++", *FLAGS, "-c", str(file), "-o", str(made)], cwd=source, check=True)
            return made

        with ThreadPoolExecutor(os.cpu_count()) as pool:
            objects = list(pool.map(compiled, files))
        subprocess.run(["g++", *FLAGS, *map(str, objects), "-pthread", "-o", str(PROGRAM)], check=True)
    said = subprocess.run([PROGRAM], input="uci\nquit\n", stdout=subprocess.PIPE, text=True, check=True).stdout
    print(f"{PROGRAM}: {said.splitlines()[0]}")


if __name__ == "__main__":
    main()
