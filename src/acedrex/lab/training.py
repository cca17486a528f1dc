"""Training: weights of features and a network, from the games of jobs.

A training is a folder. ``manifest.json`` says what is learnt from what, ``weights.txt`` has the tuned weights,
``checkpoint`` is where it stands, ``log.jsonl`` has a line for each epoch, and ``network.net`` is the best network so
far.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from acedrex import __version__, _native
from acedrex.errors import Error
from acedrex.game import Game
from acedrex.lab import files
from acedrex.lab.data import payloads

__all__ = ["Progress", "Recipe", "Training"]

#: Steps of the tuner, and how many of them are made between two reports.
TUNER_STEPS, TUNER_REPORT = 100, 5
#: Batches between two reports.
BATCHES = 20
#: The most bytes of a checkpoint.
MAX_CHECKPOINT = 1 << 28


@dataclass(frozen=True, kw_only=True)
class Recipe:
    """How weights and a network are learnt.

    >>> Recipe(epochs=2).line()
    'added to tuned features, 2 epochs, blend 0.8, rate 0.002, decay 40, seed 1'
    """

    epochs: int = 4
    """How often the network sees each position."""
    blend: float = 0.8
    """The share of later scores and of the result in what a position teaches, as against its own score (the lambda of
    temporal differences)."""
    rate: float = 0.002
    """The learning rate at the start; it ends at a two-hundredth."""
    decay: float = 40.0
    """How strongly a piece's values on single squares are drawn towards what its kind, rank and file have in common."""
    instead: bool = False
    """Whether the network takes the place of the features instead of being added to them. One that starts from another
    network is of that one's kind."""
    neurons: int | None = None
    """The neurons of each side: 32, 64, 96 or 128. Without a number as many as the network has from which it starts, or
    32."""
    seed: int = 1

    def line(self, start: str | None = None) -> str:
        """Return the recipe in one line.

        :param start: the fingerprint of the network that the training starts from.
        """
        kind = "instead of features" if self.instead else "added to tuned features"
        kind = kind if start is None else f"from network {start[:16]}"
        return (
            f"{kind}, {self.epochs} epochs, blend {self.blend:g}, rate {self.rate:g}, decay {self.decay:g}, "
            f"seed {self.seed}"
        )


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a training is."""

    stage: str
    """``reading``, ``tuning`` or ``training``."""
    done: int
    """Steps made, or blocks read."""
    all: int | None
    """All steps; ``None`` while blocks are read, whose number is not known."""
    loss: float | None = None
    """The loss on the positions held out, after an epoch; while tuning, after every report."""


class Training:
    """A training in its folder.

    :param folder: where it is kept; a training that began there goes on.
    :param game: the game.
    :param data: the folders of the jobs whose games it learns from, in order.
    :param recipe: how it learns.
    :param start: the file of a network to start from. If that is added to features, they are not tuned again.
    :raises Error: if the folder has another training, or the data or the network cannot be read.
    """

    def __init__(
        self, folder: Path, game: Game, data: Iterable[Path], recipe: Recipe, start: bytes | None = None
    ) -> None:
        self.folder, self.game, self.recipe, self.start = folder, game, recipe, start
        self.data = [path.absolute() for path in data]
        if not self.data:
            raise Error("a training needs games: name the folder of at least one job of acedrex lab selfplay")

    @property
    def network(self) -> Path:
        """The file of the best network so far."""
        return self.folder / "network.net"

    def run(self, threads: int, report: Callable[[Progress], None] = lambda progress: None) -> Path:
        """Train to the end; return the file of the network.

        Interrupted at any moment, it goes on from the last epoch when it is called again. The result does not depend on
        the number of threads.

        :raises Error: if the data cannot be read or is too little, or a file cannot be written.
        """
        fingerprint, recipe = self._begin(report), self.recipe
        # A network to start from has its features' weights with it.
        tunes = not recipe.instead and self.start is None
        weights, plain = self._tune(threads, report) if tunes else (None, None)
        options = (recipe.neurons, recipe.epochs, recipe.blend, recipe.rate, recipe.decay, recipe.seed, threads)
        trainer = _native.Trainer(self.game, weights, self.start, *options)
        self._read(trainer.add, report)
        positions, held_out, _, steps, epoch_steps = trainer.progress()
        log = self._resume(trainer)
        if not log:
            log.append({"epoch": 0, "loss": trainer.loss(), "positions": positions, "held_out": held_out})
        kind = recipe.line(None if self.start is None else files.fingerprint(self.start))
        words = f"{positions:,} positions ({fingerprint[:16]}), {kind}, Acedrex {__version__}"
        step = trainer.progress()[2]
        while step < steps:
            learnt = 0.0
            for start in range(0, epoch_steps, BATCHES):
                batches = min(BATCHES, epoch_steps - start)
                learnt += trainer.advance(batches) * batches
                step += batches
                report(Progress("training", step, steps))
            loss = trainer.loss()
            best = min((line["loss"] for line in log[1:]), default=float("inf"))
            log.append({"epoch": len(log), "loss": loss, "learnt": learnt / epoch_steps})
            if loss < best:
                before = "" if plain is None else f", features before tuning {plain:.5f}"
                told = f"loss {loss:.5f} after epoch {log[-1]['epoch']}, {log[0]['loss']:.5f} at first{before}"
                files.write(self.network, trainer.network(words, told))
            files.write(self.folder / "log.jsonl", b"".join(json.dumps(line).encode() + b"\n" for line in log))
            files.write(self.folder / "checkpoint", trainer.checkpoint())
            report(Progress("training", step, steps, loss))
        if not self.network.exists():
            raise Error(f"no epoch has a loss that is a number: the rate of {recipe.rate:g} is too high")
        return self.network

    def _begin(self, report: Callable[[Progress], None]) -> str:
        """Write the manifest, or compare with the one in the folder; return the fingerprint of the data."""
        digest = hashlib.blake2b(digest_size=16)
        for number, (game, payload) in enumerate(payloads(self.data), 1):
            if game.rules_hash != self.game.rules_hash:
                raise Error(f"the data is of {game.spec}, whose rules differ from those of {self.game.spec}")
            digest.update(hashlib.sha256(payload).digest())
            report(Progress("reading", number, None))
        manifest = {
            "format": 1,
            "kind": "training",
            "game": self.game.spec,
            "rules_hash": self.game.rules_hash,
            "data": digest.hexdigest(),
            "network": None if self.start is None else files.fingerprint(self.start),
            "recipe": asdict(self.recipe),
            "version": __version__,
        }
        path = self.folder / "manifest.json"
        if path.exists():
            found = files.object_of(files.read(path, 1 << 20), path)
            for key, value in manifest.items():
                if found.get(key) != value:
                    raise Error(
                        f"{self.folder} has another training: {key} is {found.get(key)!r} there, and {value!r} here; "
                        "choose another folder"
                    )
        else:
            files.write(path, json.dumps(manifest, indent=2).encode() + b"\n")
        return digest.hexdigest()

    def _read(self, add: Callable[[bytes], None], report: Callable[[Progress], None]) -> None:
        for number, (_, payload) in enumerate(payloads(self.data), 1):
            add(payload)
            report(Progress("reading", number, None))

    def _tune(self, threads: int, report: Callable[[Progress], None]) -> tuple[str, float]:
        """Return tuned weights, and the loss of those before."""
        path, told = self.folder / "weights.txt", self.folder / "tuning.json"
        if path.exists() and told.exists():
            loss = files.real(files.object_of(files.read(told, 1 << 16), told), "before", 0, 1)
            return files.read(path, 1 << 24).decode(), loss
        tuner = _native.Tuner(self.game, self.recipe.blend, threads)
        self._read(tuner.add, report)
        learnt, held_out = tuner.counts()
        if not (learnt and held_out):
            raise Error(f"{learnt} positions to learn from and {held_out} to test on: more games are needed")
        before = tuner.advance(0)
        for done in range(TUNER_REPORT, TUNER_STEPS + 1, TUNER_REPORT):
            report(Progress("tuning", done, TUNER_STEPS, tuner.advance(TUNER_REPORT)))
        weights, loss = tuner.weights()
        files.write(path, weights.encode())
        files.write(told, json.dumps({"before": before, "after": loss}).encode() + b"\n")
        return weights, before

    def _resume(self, trainer: _native.Trainer) -> list[Mapping[str, Any]]:
        """Go back to the checkpoint, if there is one; return the log up to it."""
        checkpoint, log = self.folder / "checkpoint", self.folder / "log.jsonl"
        if not (checkpoint.exists() and log.exists()):
            return []
        trainer.restore(files.read(checkpoint, MAX_CHECKPOINT))
        lines = files.read(log, 1 << 24).splitlines()
        _, _, step, _, epoch_steps = trainer.progress()
        # The log is written first: an epoch without its checkpoint is learnt again.
        return [files.object_of(line, log) for line in lines[: step // epoch_steps + 1]]
