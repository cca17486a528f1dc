"""Games that people publish: each a definition in a folder of its own, with a record of who published which versions.

Strangers' definitions are compiled and played in a process with limits before they are offered, because the server
itself compiles them and lists moves in them. A match stores the definition that it began with, so a new version changes
no match.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import os
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Literal

import msgspec
import structlog
from msgspec import Struct

from acedrex.game import games
from acedrex.server import wire
from acedrex.server.games import checker
from acedrex.server.games.catalogue import MAX_PUBLISHED, PUBLISHED, Catalogue
from acedrex.server.refusal import Refusal
from acedrex.server.time_source import now

log = structlog.get_logger()

Who = Literal["nobody", "tokens", "everybody"]

#: The maximum number of games that one publisher offers.
MAX_OWN = 10
#: The records of withdrawn games that are kept for each that is offered; beyond that the oldest are forgotten.
WITHDRAWN = 4
#: The maximum number of versions and reports that a record keeps; older ones are forgotten.
MAX_KEPT = 100
#: The shortest key that signs tokens.
LEAST_KEY = 16

#: The publisher of games whose publisher has had their data deleted: nobody can publish under their ids.
NOBODY = "nobody"

_ID = re.compile(r"[a-z0-9-]{1,40}")
_NAME = re.compile(r"[\w-]{1,32}", re.ASCII)


class Report(Struct):
    """What somebody said against a game."""

    person: str
    reason: str
    at: int


class Publication(Struct):
    """What is stored of a person about a game: the versions and the text of their own, and their reports."""

    id: str
    versions: list[wire.PublishedVersion] | None
    definition: str | None
    reports: list[Report]


class Record(Struct):
    """Who published a game, its versions and the reports about it."""

    publisher: str
    versions: list[wire.PublishedVersion] = []
    reports: list[Report] = []
    #: The study that is the inventor's page.
    study: str | None = None


def sign(key: str, name: str) -> str:
    """Return a publisher's token: a name and its signature.

    >>> sign("a key of the operator", "ana").partition(".")[0]
    'ana'

    :raises ValueError: if the name has other characters than letters, digits, ``_`` and ``-``, or more than 32.
    """
    if not _NAME.fullmatch(name):
        raise ValueError("a publisher's name has up to 32 letters, digits, _ and -")
    return f"{name}.{hmac.new(key.encode(), name.encode(), hashlib.sha256).hexdigest()[:40]}"


class Publishing:
    """The published games of a server."""

    def __init__(self, catalogue: Catalogue, folder: Path | None, who: Who, key: str | None) -> None:
        """Publish into a folder below that of the operator's games; without it, nobody can.

        :param key: signs the tokens of publishers.
        """
        self._catalogue = catalogue
        self._folder = folder and folder / PUBLISHED
        self.who: Who = who if folder is not None else "nobody"
        self._key = key
        # Checks of strangers' definitions are expensive: one at a time.
        self._checking = asyncio.Lock()

    def publisher(self, person: str, token: str | None) -> str:
        """Return who publishes: the bearer of a token or, where everybody may, also a guest.

        :raises Refusal: if they may not.
        """
        if self.who == "nobody":
            raise Refusal("may_not_publish", "this server publishes no games")
        if token and self._key:
            name = token.partition(".")[0]
            with suppress(ValueError):
                if hmac.compare_digest(sign(self._key, name).encode(), token.encode()):
                    return f"token {name}"
        if token or self.who == "tokens":
            raise Refusal("may_not_publish", "this token is not from the operator of this server", "token")
        return f"guest {person}"

    async def publish(self, text: str, publisher: str, pay: Callable[[], None]) -> wire.PublishedGame:
        """Check a definition, and offer it in place of the version before.

        :param pay: charges the publisher for a game with a new id.
        :raises Refusal: if it has faults or is too slow, if its check is interrupted, or if the id belongs to another
            game.
        """
        folder = self._open()
        async with self._checking:
            (checked,) = await checker.check([("game.toml", text)], strict=True)
        if checked is None:
            raise Refusal("busy", "the check of the definition was interrupted; try again in a moment")
        if checked.summary is None:
            fault = checked.faults[0]
            raise Refusal("definition", f"line {fault.line}: {fault.key}: {fault.message}", "definition")
        id = checked.summary.id
        if not _ID.fullmatch(id):
            raise Refusal("definition", "the id of a published game has at most 40 characters", "definition")
        if id in games() or self._catalogue.is_operators(id):
            raise Refusal("taken_id", f"another game has the id {id!r}; choose another", "definition")
        if not (folder / f"{id}.json").exists():
            pay()
        record = await asyncio.to_thread(self._claim, folder, id, publisher)
        version = wire.PublishedVersion(checked.rules_hash, now())
        if not record.versions or record.versions[-1].rules_hash != version.rules_hash:
            record.versions = [*record.versions, version][-MAX_KEPT:]
        _write(folder / f"{id}.json", msgspec.json.encode(record))
        _write(folder / f"{id}.toml", text.encode())
        await self._catalogue.refresh()
        log.info("published", game=id, publisher=publisher, rules=version.rules_hash)
        return wire.PublishedGame(id, checked.summary.name, record.versions)

    async def withdraw(self, id: str, publisher: str) -> None:
        """Offer a game no more. Its matches go on, and its id stays with its publisher.

        :raises Refusal: if it is not a game of this publisher.
        """
        folder = self._open()
        if self._record(folder, id).publisher != publisher:
            raise Refusal("no_such_game", "you have published no game with this id", "id")
        (folder / f"{id}.toml").unlink(missing_ok=True)
        await self._catalogue.refresh()
        log.info("withdrawn", game=id, publisher=publisher)

    def name_study(self, id: str, publisher: str, study: str | None) -> None:
        """Make a study the inventor's page of a game.

        :raises Refusal: if it is not a game of this publisher.
        """
        folder = self._open()
        record = self._record(folder, id)
        if record.publisher != publisher:
            raise Refusal("no_such_game", "you have published no game with this id", "id")
        record.study = study
        _write(folder / f"{id}.json", msgspec.json.encode(record))

    def study(self, id: str) -> str | None:
        """Return the study that is the inventor's page of a game, if it has one."""
        try:
            return None if self._folder is None else self._record(self._folder, id).study
        except Refusal:
            return None

    def report(self, id: str, person: str, reason: str) -> None:
        """Keep a report, and tell the operator in the log, who can remove the game's file.

        :raises Refusal: if there is no such game.
        """
        folder = self._open()
        record = self._record(folder, id)
        if any(report.person == person and report.reason == reason for report in record.reports):
            return
        record.reports = [*record.reports, Report(person, reason, now())][-MAX_KEPT:]
        _write(folder / f"{id}.json", msgspec.json.encode(record))
        # What people write is kept out of the log.
        log.warning("reported", game=id, publisher=record.publisher, reports=len(record.reports))

    def of(self, person: str) -> list[Publication]:
        """Return the games that a guest has published, and those that the guest has reported."""
        publisher = f"guest {person}"
        found = []
        for id, record in self._records():
            reports = [report for report in record.reports if report.person == person]
            mine = record.publisher == publisher
            if mine or reports:
                path = self._folder and self._folder / f"{id}.toml"
                text = path.read_text(encoding="utf-8") if mine and path and path.exists() else None
                found.append(Publication(id, record.versions if mine else None, text, reports))
        return found

    def people(self) -> set[str]:
        """Return the guests who have published a game, or reported one."""
        found = set()
        for _, record in self._records():
            kind, _, id = record.publisher.partition(" ")
            found |= {report.person for report in record.reports} | ({id} if kind == "guest" else set())
        return found

    async def forget(self, person: str) -> None:
        """Withdraw the games of a guest, leave them to nobody, and delete the guest's reports."""
        if await asyncio.to_thread(self._forget, person):
            await self._catalogue.refresh()

    def _forget(self, person: str) -> bool:
        """Do so with the files, and return whether any has changed."""
        publisher = f"guest {person}"
        changed = False
        for id, record in self._records():
            reports = [report for report in record.reports if report.person != person]
            if record.publisher == publisher or len(reports) < len(record.reports):
                assert self._folder is not None
                if record.publisher == publisher:
                    (self._folder / f"{id}.toml").unlink(missing_ok=True)
                    record.publisher, record.study = NOBODY, None
                record.reports = reports
                _write(self._folder / f"{id}.json", msgspec.json.encode(record))
                changed = True
        return changed

    def _records(self) -> Iterator[tuple[str, Record]]:
        """Yield the ids and the records of all games, withdrawn ones too."""
        for path in self._folder.glob("*.json") if self._folder is not None else ():
            with suppress(Refusal):
                yield path.stem, self._record(path.parent, path.stem)

    def _open(self) -> Path:
        if self._folder is None or self.who == "nobody":
            raise Refusal("may_not_publish", "this server publishes no games")
        self._folder.mkdir(exist_ok=True)
        return self._folder

    def _record(self, folder: Path, id: str) -> Record:
        """Read a game's record.

        :raises Refusal: if there is none.
        """
        if _ID.fullmatch(id):
            with suppress(FileNotFoundError, msgspec.DecodeError):
                return msgspec.json.decode((folder / f"{id}.json").read_bytes(), type=Record)
        raise Refusal("no_such_game", f"no published game has the id {id[:40]!r}", "id")

    def _claim(self, folder: Path, id: str, publisher: str) -> Record:
        """Return the record of a game that is the publisher's, or a new one.

        :raises Refusal: if it is another's, or if there are too many games.
        """
        known = (folder / f"{id}.json").exists()
        record = self._record(folder, id) if known else Record(publisher)
        if record.publisher != publisher:
            raise Refusal("taken_id", f"another game has the id {id!r}; choose another", "definition")
        offered = {path.stem for path in folder.glob("*.toml")} - {id}
        own = 0
        for name in offered:
            with suppress(Refusal):  # one that cannot be read must not keep everybody from publishing
                own += self._record(folder, name).publisher == publisher
        if own >= MAX_OWN:
            raise Refusal("too_many", f"you offer {MAX_OWN} games; withdraw one first")
        if len(offered) >= MAX_PUBLISHED:
            raise Refusal("too_many", f"this server offers {MAX_PUBLISHED} published games, and no more")
        if known:
            return record
        withdrawn = [path for path in folder.glob("*.json") if path.stem not in offered]
        for path in sorted(withdrawn, key=_age)[: max(0, len(withdrawn) - WITHDRAWN * MAX_PUBLISHED)]:
            path.unlink(missing_ok=True)
        path = folder / f"{id}.json"
        part = _part(path, msgspec.json.encode(record))
        try:
            # Unlike a replacement, a link is refused if another process has just claimed the id.
            path.hardlink_to(part)
        except FileExistsError:
            raise Refusal("taken_id", f"another game has the id {id!r}; choose another", "definition") from None
        finally:
            part.unlink()
        return record


def _age(path: Path) -> float:
    """Return when a file was last written; one that is gone is the oldest."""
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0


def _write(path: Path, content: bytes) -> None:
    """Write a file whole or not at all."""
    _part(path, content).replace(path)


def _part(path: Path, content: bytes) -> Path:
    """Write a file beside the one that it is to become."""
    part = path.with_name(f".{path.name}.{os.getpid()}")
    part.write_bytes(content)
    return part
