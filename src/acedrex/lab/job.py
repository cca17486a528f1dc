"""Jobs: folders with a manifest, the networks that it names, and a block for every finished unit.

``DIR/manifest.json`` says what is made and how, ``DIR/network.net`` is the network that plays, if it is not the
engine's own, and ``DIR/units/000000.games`` is the block of the first unit.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from acedrex.errors import Error
from acedrex.game import Game, games, load
from acedrex.lab import files
from acedrex.lab.arrangements import SetupGames
from acedrex.lab.block import Block, read_block, write_block
from acedrex.lab.gauntlet import Gauntlet
from acedrex.lab.handicaps import Handicaps
from acedrex.lab.mates import Mates
from acedrex.lab.plan import MAX_UNIT, Plan, Tally
from acedrex.lab.selfplay import SelfPlay

__all__ = ["KINDS", "Job"]

#: The version of manifests that this program writes, and the newest that it reads.
FORMAT = 1
#: The most bytes of a manifest.
MAX_MANIFEST = 1 << 20

#: The kinds of job by name.
KINDS: dict[str, type[Plan]] = {kind.kind: kind for kind in (SelfPlay, Gauntlet, Handicaps, SetupGames, Mates)}


class Job:
    """A job in its folder.

    >>> import tempfile
    >>> plan = SelfPlay.plan(load("chess"), positions=100, nodes=10, unit=2)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     job = Job.create(Path(folder), plan)
    ...     job.add(0, plan.make(0)).header["games"], Job.open(Path(folder)).plan == plan
    (2, True)
    """

    def __init__(self, folder: Path, plan: Plan) -> None:
        self.folder = folder
        self.plan = plan

    @classmethod
    def create(cls, folder: Path, plan: Plan) -> Job:
        """Make the folder of a job, or find the same job in it.

        A job that another version of the engine began is the same job, but only that version can continue it.

        :raises Error: if the folder has another job, or cannot be written.
        """
        job = cls(folder, plan)
        path = folder / "manifest.json"
        if path.exists():
            found = cls.open(folder)
            job._compare(found)
            return found
        if (folder / "units").exists():
            raise Error(f"{folder} has units but no manifest.json; restore it, or choose another folder")
        for name, network in plan.networks.items():
            files.write(folder / f"{name}.net", network)
        files.write(path, json.dumps(job.manifest(), indent=2).encode() + b"\n")
        return job

    @classmethod
    def open(cls, folder: Path) -> Job:
        """Open a job.

        :raises Error: if the folder has none, or its manifest or a network is damaged, newer than this program, or of
            other rules.
        """
        path = folder / "manifest.json"
        if not path.exists():
            raise Error(f"{folder} is not a job: it has no manifest.json")
        values = files.object_of(files.read(path, MAX_MANIFEST), path)
        try:
            return cls(folder, _plan(folder, values))
        except Error as error:
            raise Error(f"{path}: {error}") from None

    def manifest(self) -> dict[str, Any]:
        """Return the manifest as a JSON object."""
        plan, game = self.plan, self.plan.game
        shipped = game.id in games()
        return {
            "format": FORMAT,
            "kind": plan.kind,
            "game": game.id,
            "options": game.chosen_options,
            "definition": None if shipped else {"file": game.file, "text": game.source},
            "rules_hash": game.rules_hash,
            "networks": {name: files.fingerprint(network) for name, network in plan.networks.items()},
            "recipe": plan.recipe(),
            "goal": plan.goal(),
            "unit": plan.unit,
            "version": plan.version,
            "signature": plan.signature,
        }

    def _compare(self, other: Job) -> None:
        """Check that another job in the folder is this one.

        :raises Error: if it is not; it names the first difference.
        """
        wanted, found = _flat(self.manifest()), _flat(other.manifest())
        # The hash of the rules differs with the game and its options, which say more.
        for key in sorted(wanted.keys() | found.keys(), key=lambda key: (key == "rules_hash", key)):
            if key not in ("version", "signature") and wanted.get(key) != found.get(key):
                raise Error(
                    f"{self.folder} has another job: {key} is {_short(found.get(key))} there, and "
                    f"{_short(wanted.get(key))} here; choose another folder, or continue that job with "
                    f"acedrex lab resume {self.folder}"
                )

    def path(self, number: int) -> Path:
        """Return the file of a unit."""
        return self.folder / "units" / f"{number:06}.{self.plan.content}"

    def units(self) -> list[int]:
        """Return the numbers of the units that have a file, in order.

        :raises Error: if the folder cannot be read.
        """
        name = re.compile(rf"(\d{{6}})\.{self.plan.content}")
        try:
            found = [name.fullmatch(path.name) for path in (self.folder / "units").glob("*")]
        except OSError as error:
            raise Error(f"cannot read {self.folder / 'units'}: {error.strerror or error}") from None
        return sorted(int(match[1]) for match in found if match)

    def read(self, number: int) -> Block:
        """Read the block of a unit, and check that it is whole and of this job.

        :raises Error: if it is not.
        """
        path = self.path(number)
        block = read_block(path, self.plan.content)
        try:
            counts = self.plan.counts(number, block.payload)
        except Error as error:
            raise Error(f"{path}: {error}") from None
        for key, value in {**self.plan.header(number), **counts}.items():
            if block.header.get(key) != value:
                raise Error(f"{path}:2: {key} is {_short(block.header.get(key))}, expected {_short(value)}")
        return block

    def add(self, number: int, payload: bytes) -> Block:
        """Write the block of a unit.

        :raises Error: if the payload is not what a unit makes, or the file cannot be written.
        """
        header = {**self.plan.header(number), **self.plan.counts(number, payload)}
        return write_block(self.path(number), self.plan.content, header, payload)

    def tally(self, damaged: Callable[[int, Error], None]) -> Tally:
        """Count the finished units.

        :param damaged: called for every unit whose block is damaged.
        """
        tally = self.plan.tally()
        for number in self.units():
            try:
                tally.add(number, self.read(number))
            except Error as error:
                damaged(number, error)
        return tally

    def status(self) -> tuple[Tally, list[str]]:
        """Return what is finished, and what is wrong with the other files.

        :raises Error: if the folder cannot be read.
        """
        wrong: list[str] = []
        return self.tally(lambda number, error: wrong.append(str(error))), wrong

    def repair(self) -> Tally:
        """Move damaged blocks aside, so that they are made again, and return what is finished.

        :raises Error: if a file cannot be moved.
        """

        def aside(number: int, error: Error) -> None:
            path = self.path(number)
            try:
                path.replace(path.with_name(f"{path.name}.damaged"))
            except OSError as failure:
                raise Error(f"{error}; it cannot be moved aside: {failure.strerror or failure}") from None

        return self.tally(aside)

    def trim(self, needed: int) -> None:
        """Delete finished units that do not belong to the job.

        :param needed: the number of units that do.
        :raises Error: if a file cannot be deleted.
        """
        for number in self.units():
            if number >= needed:
                try:
                    self.path(number).unlink(missing_ok=True)
                except OSError as error:
                    raise Error(f"cannot delete {self.path(number)}: {error.strerror or error}") from None

    def digest(self) -> str:
        """Return one hash of all that the finished job has made, the same however the work was shared out.

        :raises Error: if the job is not finished or a block is damaged.
        """
        tally, wrong = self.status()
        if tally.needed is None:
            missing = f"; {wrong[0]}" if wrong else ""
            raise Error(f"{self.folder} is not finished{missing}; continue it with acedrex lab resume {self.folder}")
        manifest = self.manifest()
        digest = hashlib.blake2b(digest_size=32)
        digest.update(files.words([manifest[key] for key in ("kind", "rules_hash", "networks", "recipe", "unit")]))
        for number in range(tally.needed):
            digest.update(hashlib.sha256(self.read(number).payload).digest())
        return digest.hexdigest()


def _plan(folder: Path, values: Mapping[str, Any]) -> Plan:
    """Read a plan from its manifest, and its networks beside it.

    :raises Error: if something is missing or wrong.
    """
    written = files.whole(values, "format", 1, 1 << 31)
    if written > FORMAT:
        raise Error(f"format {written} is newer than this program, which knows {FORMAT}; use a newer Acedrex")
    kind = files.text_of(values, "kind")
    if kind not in KINDS:
        raise Error(f"unknown kind {kind!r}; there are {', '.join(KINDS)}")
    parts = {key: values.get(key) for key in ("options", "networks", "recipe", "goal")}
    for key, part in parts.items():
        if not isinstance(part, dict):
            raise Error(f"{key}: expected a JSON object")
    return KINDS[kind].from_record(
        parts["recipe"] or {},
        parts["goal"] or {},
        game=_game(values, parts["options"] or {}),
        unit=files.whole(values, "unit", 1, MAX_UNIT),
        networks=_networks(folder, parts["networks"] or {}),
        version=files.text_of(values, "version"),
        signature=files.text_of(values, "signature"),
    )


def _game(values: Mapping[str, Any], options: Mapping[str, Any]) -> Game:
    definition = values.get("definition")
    if definition is None:
        name = files.text_of(values, "game")
        if name not in games():
            raise Error(f"no game {name[:40]!r} ships with this program")
        game = load(name, **options)
    elif isinstance(definition, dict):
        game = Game(files.text_of(definition, "text", 1 << 16), files.text_of(definition, "file"), options)
    else:
        raise Error("definition: expected a JSON object or null")
    if game.rules_hash != values.get("rules_hash"):
        raise Error(
            f"the job is of other rules of {game.id}: rules_hash {str(values.get('rules_hash'))[:40]} there, "
            f"{game.rules_hash} in this program"
        )
    return game


def _networks(folder: Path, named: Mapping[str, Any]) -> dict[str, bytes]:
    networks = {}
    for name, wanted in named.items():
        if not re.fullmatch(r"\w{1,20}", name):
            raise Error(f"networks: {name[:40]!r} is not the name of one")
        networks[name] = files.read(folder / f"{name}.net", files.MAX_NETWORK)
        found = files.fingerprint(networks[name])
        if found != wanted:
            raise Error(f"{folder / f'{name}.net'} is another network: its hash is {found}, not {str(wanted)[:40]}")
    return networks


def _flat(values: Mapping[str, Any], before: str = "") -> dict[str, Any]:
    """Return nested objects as one, with names such as ``recipe.nodes``."""
    flat: dict[str, Any] = {}
    for key, value in values.items():
        if isinstance(value, dict):
            flat |= _flat(value, f"{before}{key}.")
        else:
            flat[f"{before}{key}"] = value
    return flat


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 80 else f"{text[:77]}..."
